//! An engine as a child process: pipes, deadlines, its last words, and its end.
//!
//! Everything happens in the thread that plays the game. An exchange is one write and one wait:
//! [`Process::send`] hands over all commands at once, [`Process::line`] waits for the next line of
//! the answer with `poll` on the pipes themselves, stderr included, until the deadline. No helper
//! thread stands between a worker and its engine, because each thread that has to be woken costs
//! more than a fast engine's move.
//!
//! Knows nothing of any protocol, nor of Reversi.

pub mod affinity;
mod ending;
mod exit;
mod guard;
pub(crate) mod limits;
mod lines;
pub(crate) mod pinning;
mod process;
mod program;
mod spawn;
mod stderr_log;
mod tail;
mod tasks;

pub(super) use process::{CommandLine, Deadline, Process, Task};

#[cfg(test)]
mod tests;

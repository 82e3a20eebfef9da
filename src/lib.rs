//! Makes training data for Reversi (Othello) evaluation functions.
//!
//! The rooms, from the bottom up; a room knows only those of lower floors, and no arrow runs back.
//!
//! | floor | room | what it is |
//! |---|---|---|
//! | 0 | [`base`] | stop, signals, random streams, numbers and tables as text, locks, clock, the machine |
//! | 1 | [`board`] | the rules; every position of a phase |
//! | 2 | [`config`] | the two files, as validated types |
//! | 2 | [`records`] | formats of game records; positions as text |
//! | 3 | [`engine`] | the trait, the embedded engine, engines as child processes |
//! | 3 | [`dataset`] | the files on disk |
//! | 4 | [`games`] | kept games: writing, reading, replaying |
//! | 4 | [`progress`] | events, and who shows them: dashboard, lines, JSON, log |
//! | 5 | [`generate`] | the main job, and its plan |
//! | 5 | [`import`] | games that others played become a dataset |
//! | 5 | `export` | datasets become what trainers read |
//! | 5 | `merge` | datasets become one |
//! | 5 | `label` | new values by search for positions that are there |
//! | 5 | [`learn`] | evaluation by self-play |
//! | 5 | [`fit`] | evaluation from data |
//! | 5 | [`look`] | reads datasets: verify, inspect, overlap, report |
//! | 5 | [`arena`] | people and engines at a board: play, analyze, match, serve |
//! | 5 | `machine` | this computer and its engines: doctor, set-up, measurements |
//! | 6 | `bootstrap` | rounds of generating, fitting and matches |
//! | 6 | `cli` | what can be typed |
//! | 7 | `commands` | one file a command: arguments, options, run, report |
//! | 7 | [`fuzz`] | what reads bytes from elsewhere, for fuzzing and its test |

#![warn(unreachable_pub)]

#[cfg(not(unix))]
compile_error!(
    "rdg runs on Linux, macOS and other Unix systems; on Windows build it inside of WSL"
);

pub mod arena;
pub mod base;
pub mod board;
mod bootstrap;
mod cli;
mod commands;
pub mod config;
pub mod dataset;
pub mod engine;
mod export;
pub mod fit;
pub mod fuzz;
pub mod games;
pub mod generate;
pub mod import;
mod label;
pub mod learn;
pub mod look;
mod machine;
mod merge;
pub mod progress;
pub mod records;

pub use commands::{parse, run};

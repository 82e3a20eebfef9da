//! A game in the terminal: a person against an engine, two persons, or engines watched.
//!
//! [`command`] understands what is typed, [`input`] waits for it, [`table`] is the game itself over
//! the moves in [`history`]; [`words`] says how it ended, [`super::save`] keeps it in a file. Everything is
//! plain text on any [`std::io::Write`]; knows engines as [`crate::engine::Engine`] alone.

mod command;
mod history;
mod input;
mod seat;
mod table;
mod words;

pub(crate) use input::stdin_lines;
pub(crate) use seat::{EnginePlayer, Seat, Starter};
pub(crate) use table::{End, PlayError, Scorer, Screen, Setup, play};

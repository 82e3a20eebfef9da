//! Makes training data for Reversi (Othello) evaluation functions.
//!
//! Who may know whom, from the bottom up: [`board`] knows nobody; [`config`], [`engine`],
//! [`dataset`] and [`records`] know `board`; [`generate`] knows them all and the event types of
//! [`progress`]; `cli` and `commands` sit on top. No arrow runs back up.

pub mod analyze;
pub mod bench;
pub mod board;
pub mod cli;
pub mod commands;
pub mod config;
pub mod dataset;
pub mod doctor;
pub mod engine;
pub mod generate;
pub mod import;
pub mod inspect;
pub mod learn;
pub mod logging;
pub mod matches;
pub mod overlap;
pub mod plan_report;
pub mod play;
pub mod progress;
pub mod records;
pub mod serve;
pub mod setup;
pub mod signals;
pub mod stop;
mod table;
pub mod verify;
pub mod version;

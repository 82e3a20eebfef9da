//! `rdg engine`: the embedded engine as a program for others.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Options of `rdg engine`.
#[derive(Args, Debug)]
pub struct EngineArgs {
    /// What is spoken on standard input and output
    #[arg(value_enum)]
    pub protocol: ProtocolArg,

    /// Playing strength, 0 to 60
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub level: u32,

    /// Threads of its search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// File of evaluation weights
    #[arg(long, value_name = "FILE")]
    pub eval: Option<PathBuf>,
}

/// The protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ProtocolArg {
    /// NBoard, for NBoard itself and other Othello programs
    Nboard,
    /// Go Text Protocol, for GoGui, Quarry and match tools
    Gtp,
}

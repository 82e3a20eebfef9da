//! Options of `rdg analyze`.

use clap::Args;
use std::path::PathBuf;

/// What `rdg analyze` takes.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    rdg analyze                          the start position\n  \
    rdg analyze f5d6c3                   after these moves\n  \
    rdg analyze \"---...--- X\"            64 squares a1 b1 ... h8 (X O -) and the side to move\n  \
    rdg analyze - < game.pgn             one game or position from standard input\n  \
    rdg analyze --file train.rd --record 17")]
pub struct AnalyzeArgs {
    /// A position (64 squares and the side to move), moves, or both; also a line of OBF, or a game as
    /// `rdg import` reads it; `-`: from standard input; nothing: the start position
    // A single value that may begin with `-`; more words come apart, or options after it would be
    // taken for a part of it.
    #[arg(
        value_name = "POSITION",
        allow_hyphen_values = true,
        conflicts_with = "file"
    )]
    pub position: Option<String>,

    /// More of the position: the side to move, or further moves
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,

    /// Take the position from this .rd file
    #[arg(long, value_name = "PATH")]
    pub file: Option<PathBuf>,

    /// Number of the record in the file, from 0
    #[arg(long, value_name = "N", requires = "file", default_value_t = 0)]
    pub record: u64,

    /// Who scores the moves: an engine of app.toml, with a level after a colon if wanted
    #[arg(long, value_name = "NAME[:LEVEL]", default_value = "builtin")]
    pub engine: String,

    /// Level of the engine
    #[arg(long, value_name = "N")]
    pub level: Option<u32>,

    /// Let the embedded engine search exactly N plies
    #[arg(long, value_name = "N", conflicts_with = "level", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// Threads of the engine; scores of the embedded one do not depend on their number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,

    /// Weight file for the embedded engine, such as rdg learn writes
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// The analysis as JSON
    #[arg(long)]
    pub json: bool,

    /// No colours (NO_COLOR is honoured too)
    #[arg(long)]
    pub no_color: bool,

    /// Engine registry [default: configs/app.toml]
    #[arg(long, value_name = "PATH")]
    pub app_config: Option<PathBuf>,
}

//! Options of `rdg play`.

use crate::config::parse_duration;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// What `rdg play` takes.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "A player is `person`, an engine of app.toml (`edax`, `edax:5` with a level; the \
    embedded engine is `builtin`) or a weight file (`out/weight_final.txt`, \
    `out/weight_final.txt:5` with a depth). During the game ? lists what can be typed.\n\n\
    Examples:\n  \
    rdg play                                   you are Black, the embedded engine is White\n  \
    rdg play --colour white --level 10         you are White, against a stronger one\n  \
    rdg play --weights out/weight_final.txt    against weights that rdg learn made\n  \
    rdg play --black person --white person     two persons\n  \
    rdg play --black builtin:1 --white grhino:3 --delay 2s\n                                             \
    watch two engines"
)]
pub struct PlayArgs {
    /// Who plays Black [default: person, or whoever --white leaves]
    #[arg(long, value_name = "WHO", conflicts_with = "colour")]
    pub black: Option<PathBuf>,

    /// Who plays White [default: the engine, or whoever --black leaves]
    #[arg(long, value_name = "WHO", conflicts_with = "colour")]
    pub white: Option<PathBuf>,

    /// The side that you play
    #[arg(long, alias = "color", value_enum, value_name = "COLOUR")]
    pub colour: Option<ColorArg>,

    /// Opponent: an engine of app.toml or a weight file [default: builtin]
    #[arg(long, value_name = "NAME[:LEVEL]")]
    pub engine: Option<PathBuf>,

    /// Level of engines whose name has none (builtin: 0 to 60; weight files: depth 1 to 8)
    /// [default: 3 for builtin and weight files]
    #[arg(long, value_name = "N")]
    pub level: Option<u32>,

    /// Weight file for the embedded engine, such as rdg learn writes
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// Begin after these moves: f5d6c3, `1. f5 d6`, or a game as `rdg import` reads it
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,

    /// Begin with this position: 64 squares a1 b1 ... h8 (X O -) and the side to move, also with moves
    /// behind; a board of GGS; a line of OBF
    #[arg(
        long,
        value_name = "POSITION",
        allow_hyphen_values = true,
        conflicts_with = "moves"
    )]
    pub position: Option<String>,

    /// Show the score of every move from the beginning
    #[arg(long)]
    pub hints: bool,

    /// Who gives the scores
    #[arg(long, value_name = "NAME[:LEVEL]", default_value = "builtin")]
    pub hint_engine: String,

    /// Time for a move when two engines play, at least [default: 1s on a terminal, else 0]
    #[arg(long, value_name = "DUR", value_parser = parse_duration)]
    pub delay: Option<Duration>,

    /// Add the game to this file at the end (.ggf: GGF, .sgf: SGF, .pgn: PGN, else move text)
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// No colours (NO_COLOR is honoured too)
    #[arg(long)]
    pub no_color: bool,

    /// Engine registry [default: configs/app.toml]
    #[arg(long, value_name = "PATH")]
    pub app_config: Option<PathBuf>,
}

/// The two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorArg {
    /// Moves first
    Black,
    /// Moves second
    White,
}

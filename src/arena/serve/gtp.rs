//! The Go Text Protocol, version 2, for Reversi. Moves are answered in upper case, `PASS` is the
//! pass; a pass that is forced may also be left out.

use super::{Next, Player, ServeError, Speaker};
use crate::base::version::GENERATOR_VERSION;
use crate::board::{Color, Game, Move, ScoreRule, parse_position};
use std::fmt::Write as _;
use std::io::Write;

/// Every command, as `list_commands` tells them.
const COMMANDS: [&str; 18] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "final_score",
    "time_settings",
    "time_left",
    "rdg-setup_board",
];

/// The protocol has no state besides the board.
pub(super) struct Gtp;

/// The text of an answer, or of a refusal.
type Reply = Result<String, String>;

impl Speaker for Gtp {
    fn obey(
        &mut self,
        line: &str,
        player: &mut Player,
        out: &mut dyn Write,
    ) -> Result<Next, ServeError> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line
            .split(|c: char| c.is_whitespace() || c.is_control())
            .filter(|word| !word.is_empty())
            .peekable();
        let number = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
        let Some(command) = words.next() else {
            if let Some(number) = number {
                write!(out, "?{number} unknown command\n\n")?;
            }
            return Ok(Next::GoOn);
        };
        let arguments: Vec<&str> = words.collect();
        let reply = match command {
            "genmove" | "reg_genmove" => genmove(player, &arguments, command == "genmove")?,
            "clear_board" => {
                player.begin(Game::new())?;
                Ok(String::new())
            }
            "rdg-setup_board" => match parse_position(&arguments.join(" ")) {
                Ok((board, color)) => {
                    player.begin(Game::from_position(board, color))?;
                    Ok(String::new())
                }
                Err(fault) => Err(format!("syntax error: {fault}")),
            },
            _ => simple(command, &arguments, &mut player.game),
        };
        let (sign, text) = match &reply {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let space = if text.is_empty() { "" } else { " " };
        write!(out, "{sign}{}{space}{text}\n\n", number.unwrap_or(""))?;
        Ok(match command {
            "quit" => Next::Quit,
            _ => Next::GoOn,
        })
    }
}

/// Everything that needs no search.
fn simple(command: &str, arguments: &[&str], game: &mut Game) -> Reply {
    match (command, arguments) {
        ("protocol_version", _) => Ok("2".to_owned()),
        ("name", _) => Ok("rdg".to_owned()),
        ("version", _) => Ok(GENERATOR_VERSION.to_owned()),
        ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
        ("known_command", []) => Ok("false".to_owned()),
        ("list_commands", _) => Ok(COMMANDS.join("\n")),
        ("boardsize", ["8", ..]) => Ok(String::new()),
        ("boardsize", _) => Err("unacceptable size".to_owned()),
        ("quit" | "komi" | "time_settings" | "time_left", _) => Ok(String::new()),
        ("play", [color, mv, ..]) => play(color, mv, game),
        ("play", _) => Err("syntax error".to_owned()),
        ("undo", _) => match game.undo() {
            Some(_) => Ok(String::new()),
            None => Err("cannot undo".to_owned()),
        },
        ("showboard", _) => Ok(picture(game)),
        ("final_score", _) => match (
            game.is_over(),
            game.black_score(ScoreRule::WinnerTakesEmpties),
        ) {
            (false, _) => Err("cannot score".to_owned()),
            (_, 0) => Ok("0".to_owned()),
            (_, black @ 1..) => Ok(format!("B+{black}")),
            (_, black) => Ok(format!("W+{}", -black)),
        },
        _ => Err("unknown command".to_owned()),
    }
}

/// Makes `color` the side to move; the other side may have to pass for that, and does.
fn hand_over(color: &str, game: &mut Game) -> Result<(), String> {
    let color = Color::from_text(color).ok_or("syntax error: the colour is B or W")?;
    if game.color() != color && !game.pass_if_forced() {
        return Err("illegal move: the other side is to move".to_owned());
    }
    Ok(())
}

fn play(color: &str, mv: &str, game: &mut Game) -> Reply {
    let mv: Move = mv.parse().map_err(|_| "syntax error".to_owned())?;
    let mut after = game.clone();
    hand_over(color, &mut after)?;
    after.play(mv).map_err(|_| "illegal move".to_owned())?;
    *game = after;
    Ok(String::new())
}

fn genmove(player: &mut Player, arguments: &[&str], plays: bool) -> Result<Reply, ServeError> {
    let before = player.game.clone();
    let over = before.is_over();
    let Some(color) = arguments.first() else {
        return Ok(Err("syntax error: the colour is B or W".to_owned()));
    };
    if !over && let Err(refusal) = hand_over(color, &mut player.game) {
        return Ok(Err(refusal));
    }
    let board = player.game.board();
    if board.legal_moves() == 0 {
        // Nothing to do after the end; before it, the pass is played as any move.
        if plays {
            player.game.pass_if_forced();
        } else {
            player.game = before;
        }
        return Ok(Ok("PASS".to_owned()));
    }
    let (square, _) = player.choose()?;
    if plays {
        player.game.play_known(square, board.flips(square));
    } else {
        player.game = before;
    }
    Ok(Ok(square.to_string().to_ascii_uppercase()))
}

fn picture(game: &Game) -> String {
    let squares = game.board().to_text(game.color());
    let mut picture = format!("{} to move", game.color());
    for (rank, line) in squares.as_bytes().chunks(8).enumerate() {
        let _ = write!(picture, "\n  {}", rank + 1);
        for &square in line {
            let _ = write!(
                picture,
                " {}",
                if square == b'-' { '.' } else { square.into() }
            );
        }
    }
    picture + "\n    a b c d e f g h"
}

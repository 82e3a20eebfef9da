//! What a person can type during a game.

use crate::base::shown::Shown;
use crate::board::{Move, Square};

/// Shown for `help`. No line is wider than a terminal of 40 columns.
pub(super) const HELP: &str = "\
You can type:
  f5        a move: column and row
  hint      your moves' scores, once
  hints     them at each turn, on/off
  undo      take your last move back
  redo      play it again
  level     the engine's level
  level 8   set it: higher is stronger
  swap      change sides
  board     draw the board again
  moves     the moves made so far
  resign    give the game up
  new       begin another game
  quit      leave; also Ctrl+D
X is Black, O is White. A dot or number
on a square: you can move there. A move
must turn at least one disc. Who has no
move passes, which happens by itself.
Most discs at the end win.
";

/// Every word, for whoever typed another one.
const WORDS: &str =
    "hint, hints, undo, redo, level, swap, board, moves, resign, new, quit or ? for help";

/// One line that was understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// A disc on this square.
    Play(Square),
    /// A pass was typed; forced ones are played by themselves.
    Pass,
    /// Scores of all moves, once.
    Hint,
    /// Scores before each move, or no more.
    ToggleHints,
    /// Takes the person's last move back.
    Undo,
    /// Plays what was taken back.
    Redo,
    /// Another level for the engine, or the question for it.
    Level(Option<u32>),
    /// The players change sides.
    Swap,
    /// Draws the board.
    Board,
    /// Shows the game's text.
    Moves,
    /// Gives up.
    Resign,
    /// Another game.
    New,
    /// Leaves.
    Quit,
    /// Shows what can be typed.
    Help,
    /// Nothing was typed.
    Nothing,
}

/// Understands a line, in any case, with blanks around. The error is one sentence that says what is
/// possible.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim().to_lowercase();
    let (word, rest) = match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (line.as_str(), ""),
    };
    let command = match word {
        "" => Command::Nothing,
        "help" | "h" | "?" => Command::Help,
        "hint" => Command::Hint,
        "hints" => Command::ToggleHints,
        "undo" | "u" | "back" => Command::Undo,
        "redo" => Command::Redo,
        "swap" => Command::Swap,
        "board" | "b" => Command::Board,
        "moves" | "m" => Command::Moves,
        "resign" => Command::Resign,
        "new" => Command::New,
        "quit" | "q" | "exit" | "bye" => Command::Quit,
        "level" if rest.is_empty() => Command::Level(None),
        "level" => {
            return match rest.parse() {
                Ok(level) => Ok(Command::Level(Some(level))),
                Err(_) => Err("A level is a whole number, such as: level 8".to_owned()),
            };
        }
        _ => match word.parse::<Move>() {
            Ok(Move::Play(square)) => Command::Play(square),
            Ok(Move::Pass) => Command::Pass,
            Err(_) => {
                let start = word.shown().start(20);
                return Err(format!(
                    "`{start}` is neither a move such as f5 nor one of the words {WORDS}."
                ));
            }
        },
    };
    if rest.is_empty() {
        Ok(command)
    } else {
        Err(format!(
            "Only `{word}` is understood, not what stands behind it; type one thing at a time."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_moves_in_any_case() {
        for (line, expected) in [
            ("f5", Command::Play("f5".parse().unwrap())),
            ("  F5 \r\n", Command::Play("f5".parse().unwrap())),
            ("PASS", Command::Pass),
            ("Undo", Command::Undo),
            ("level  12", Command::Level(Some(12))),
            ("level", Command::Level(None)),
            ("?", Command::Help),
            ("", Command::Nothing),
            ("hints", Command::ToggleHints),
            ("hint", Command::Hint),
        ] {
            assert_eq!(parse(line), Ok(expected), "{line:?}");
        }
    }

    #[test]
    fn everything_else_is_one_sentence() {
        for line in [
            "z9",
            "f55",
            "level x",
            "level -1",
            "level 99999999999",
            "f5 d6",
            "\x1b[2J",
            "é",
            "undo 3",
        ] {
            let message = parse(line).unwrap_err();
            assert!(
                !message.contains('\n') && !message.contains('\x1b'),
                "{message:?}"
            );
            assert!(message.len() > 20);
        }
    }

    #[test]
    fn help_and_answers_tell_every_word() {
        let answer = parse("what").unwrap_err();
        for word in [
            "hint", "hints", "undo", "redo", "level", "swap", "board", "moves", "resign", "new",
            "quit",
        ] {
            assert!(HELP.contains(&format!("\n  {word} ")), "{word}");
            assert!(answer.contains(word), "{word}");
            assert!(parse(word).is_ok(), "{word}");
        }
        assert!(HELP.lines().all(|line| line.chars().count() < 40));
    }
}

//! Egaroucid's console: the better of its two faces, because it sets up any position in one
//! command.
//!
//! Every question is `setboard` and `go` in one write, so its board can never be out of step. Its
//! table survives from game to game and colours the moves; `clearcache` in front of a game's first
//! question makes the game depend on nothing else, for about 0.2 s.

use super::answer::{Answer, legal_square};
use super::child::{Deadline, Process, Task};
use super::probe::probe;
use super::{Engine, EngineError, MoveScore};
use crate::board::{Color, Game, Move, Square};
use std::io::Write as _;
use std::time::Duration;

/// What a line on stderr says when it refused a command. (At start-up it also complains of files
/// that it can do without.)
const REFUSALS: &[&str] = &["[ERROR] invalid", "[ERROR] game over"];

/// How the engine is to be driven.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Deadline of one move.
    pub timeout: Duration,
    /// Deadline of start-up.
    pub startup_timeout: Duration,
    /// Whether its scores come from a search.
    pub has_scores: bool,
    /// Whether each game begins with an empty table.
    pub fresh_table: bool,
    /// Whether a game depends on nothing but itself.
    pub is_reproducible: bool,
}

/// An Egaroucid process in console mode.
pub(super) struct Console {
    process: Process,
    settings: Settings,
    /// The next question is a game's first.
    begins_game: bool,
    commands: Vec<u8>,
}

/// One line from the engine.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Line<'a> {
    /// `c6 -16`: move and value.
    Answer(&'a str, Option<f64>),
    /// A row of the table that `hint` prints.
    Row(&'a str),
    /// A refusal, or a move where there is none (`??`).
    Error(&'a str),
    /// Blank, or the table's head.
    Other,
}

fn understand(mut line: &str) -> Line<'_> {
    // Prompts, where they have got mixed in.
    while let Some(rest) = line.strip_prefix('>') {
        line = rest.trim_start();
    }
    if line.starts_with("[ERROR]") || line.starts_with("??") {
        return Line::Error(line);
    }
    if line.starts_with('|') {
        return Line::Row(line);
    }
    let mut words = line.split_whitespace();
    match words.next() {
        Some(word) if word.parse::<Move>().is_ok() => {
            Line::Answer(word, words.next().and_then(|value| value.parse().ok()))
        }
        _ => Line::Other,
    }
}

/// Move, score, depth and probability in per cent of a table's row; `None` for its head.
fn understand_row(row: &str) -> Option<(Move, f64, u32, f64)> {
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let &["", _level, depth, mv, score, ..] = &cells[..] else {
        return None;
    };
    let (depth, probability) = depth.split_once('@')?;
    Some((
        mv.parse().ok()?,
        score.parse().ok()?,
        depth.parse().ok()?,
        probability.trim_end_matches('%').parse().ok()?,
    ))
}

impl Console {
    /// Waits until the engine is ready and has passed the start-up test.
    pub(super) fn start(process: Process, settings: Settings) -> Result<Console, EngineError> {
        let mut console = Console {
            process,
            settings,
            begins_game: false,
            commands: Vec::with_capacity(128),
        };
        match console.begin() {
            Ok(()) => {
                console.process.started();
                Ok(console)
            }
            Err(error) => Err(console.process.quoting(error)),
        }
    }

    /// The start-up test.
    fn begin(&mut self) -> Result<(), EngineError> {
        let deadline = Deadline::after(self.settings.startup_timeout, Task::Starting);
        self.process.watch_stderr_for(REFUSALS);
        let name = self.process.engine().to_owned();
        probe(&name, self.settings.has_scores, |game| {
            self.answer(game, &deadline)
        })?;
        // What the test has left in the table must not reach a game either.
        self.begins_game = true;
        Ok(())
    }

    /// Sends the position and `request` in one write.
    fn ask(&mut self, game: &Game, request: &str, deadline: &Deadline) -> Result<(), EngineError> {
        while let Some(line) = self.process.unasked_line(true)? {
            if let Line::Answer(extra, _) = understand(&line) {
                let what = format!("it answered `{extra}` without being asked");
                return Err(self.process.out_of_step(what));
            }
        }
        let mut commands = std::mem::take(&mut self.commands);
        commands.clear();
        if self.begins_game && self.settings.fresh_table {
            commands.extend_from_slice(b"clearcache\n");
        }
        let side = match game.color() {
            Color::Black => 'X',
            Color::White => 'O',
        };
        let squares = game.board().to_text(game.color());
        // Writing to memory cannot fail.
        let _ = write!(commands, "setboard {squares} {side}\n{request}\n");
        let sent = self.process.send(&commands, deadline);
        self.commands = commands;
        self.begins_game = false;
        sent
    }

    fn answer(&mut self, game: &Game, deadline: &Deadline) -> Result<Answer, EngineError> {
        self.ask(game, "go", deadline)?;
        let (mv, score) = loop {
            let line = self.process.line(deadline)?;
            match understand(&line) {
                // `understand` has parsed it once already.
                Line::Answer(word, score) => match word.parse::<Move>() {
                    Ok(mv) => break (mv, score),
                    Err(_) => continue,
                },
                Line::Error(_) => {
                    let line = line.into_owned();
                    return Err(self.process.unintelligible(line.as_bytes()));
                }
                Line::Row(_) | Line::Other => {}
            }
        };
        self.process.answered();
        if let Some(complaint) = self.process.take_alarm() {
            return Err(self.process.out_of_step(complaint));
        }
        let square = legal_square(self.process.engine(), mv, game)?;
        Ok(Answer { square, score })
    }
}

impl Engine for Console {
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.begins_game = true;
        Ok(())
    }

    fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
        self.choose_with_score(game).map(|(square, _)| square)
    }

    fn choose_with_score(&mut self, game: &Game) -> Result<(Square, Option<f64>), EngineError> {
        let deadline = Deadline::after(self.settings.timeout, Task::Choosing);
        let answer = self.answer(game, &deadline)?;
        Ok((answer.square, answer.score))
    }

    fn score_moves(&mut self, game: &Game) -> Result<Vec<MoveScore>, EngineError> {
        let legal = game.board().legal_moves().count_ones() as usize;
        if legal == 0 {
            return Ok(Vec::new());
        }
        let deadline = Deadline::after(self.settings.timeout, Task::Scoring);
        self.ask(game, "hint 60", &deadline)?;
        let empties = game.board().empties();
        let mut scores: Vec<MoveScore> = Vec::with_capacity(legal);
        // The table has no end mark, but one row for every legal move.
        while scores.len() < legal {
            let line = self.process.line(&deadline)?;
            match understand(&line) {
                Line::Row(row) => {
                    let Some((mv, score, depth, probability)) = understand_row(row) else {
                        continue;
                    };
                    let square = legal_square(self.process.engine(), mv, game)?;
                    scores.push(MoveScore {
                        square,
                        score,
                        depth,
                        exact: depth >= empties && probability >= 100.0,
                        line: vec![mv],
                    });
                }
                Line::Error(_) => {
                    let line = line.into_owned();
                    return Err(self.process.unintelligible(line.as_bytes()));
                }
                Line::Answer(..) | Line::Other => {}
            }
        }
        self.process.answered();
        if let Some(complaint) = self.process.take_alarm() {
            return Err(self.process.out_of_step(complaint));
        }
        scores.sort_by(|a, b| b.score.total_cmp(&a.score));
        // The table now knows more than the game's own searches.
        self.begins_game = true;
        Ok(scores)
    }

    fn is_reproducible(&self) -> bool {
        self.settings.is_reproducible
    }

    fn process_id(&self) -> Option<u32> {
        Some(self.process.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(understand("c6 -16"), Line::Answer("c6", Some(-16.0)));
        assert_eq!(understand("> > C6"), Line::Answer("C6", None));
        assert_eq!(understand("ps -126"), Line::Answer("ps", Some(-126.0)));
        assert_eq!(understand("?? -126"), Line::Error("?? -126"));
        assert!(matches!(
            understand("[ERROR] command `foo` not found"),
            Line::Error(_)
        ));
        assert_eq!(understand(""), Line::Other);
    }

    #[test]
    fn rows_of_a_hint() {
        let row = "|             10|        10@100%|             c6|             -8|  000:00:00.000|\
                   296|         296000|";
        let mv = "c6".parse().unwrap();
        assert_eq!(understand_row(row), Some((mv, -8.0, 10, 100.0)));
        let head =
            "|          Level|          Depth|           Move|          Score|           Time|";
        assert_eq!(understand_row(head), None);
        assert_eq!(understand_row("|||"), None);
    }
}

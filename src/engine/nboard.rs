//! The NBoard protocol: Edax, and any engine that speaks it.
//!
//! A game is set up by one `game` record with the position as it stands; after that each question
//! is the moves since the last one and `go`, in one write. `go` does not play the move: it comes
//! back with the next question.
//!
//! An answer bears no number, so something else has to show that it belongs to this question and
//! is not a late extra one: the `status … is thinking` line that precedes it, or, with engines
//! that print none, the `pong` to a `ping` sent just before `go`. (A `ping` behind it could arrive
//! while the engine thinks, and would end the search early.)
//!
//! That leaves an engine that says everything twice, the second time so late that it passes for
//! the answer to the next question. From then on it is one answer behind, and its moves are legal
//! now and then. Hence a game with an engine that is not known to answer once ends with a `ping`:
//! an answer that comes before the `pong` shows it, and the game is not recorded.

use super::answer::{Answer, first_move, legal_square};
use super::child::{Deadline, Process, Task};
use super::probe::probe;
use super::told::Told;
use super::{Engine, EngineError, MoveScore};
use crate::board::{Color, Game, Move, Square};
use std::io::Write as _;
use std::time::Duration;

/// What a line on stderr says when the engine refused a move or a position and kept its old board.
const REFUSALS: &[&str] = &["Error: Cannot parse", "WARNING: board_set"];

/// How an engine is to be driven.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Deadline of one move.
    pub timeout: Duration,
    /// Deadline of start-up.
    pub startup_timeout: Duration,
    /// To be sent as `set depth`, where the command line did not say it.
    pub set_depth: Option<u32>,
    /// Whether it is known to answer each question once, after saying that it is thinking.
    pub is_trusted: bool,
    /// Whether its scores mean something: final disc differences from a real evaluation.
    pub has_scores: bool,
    /// With this many empty squares or fewer its scores are exact. Only where `has_scores`.
    pub exact_empties: u32,
    /// Whether a game depends on nothing but itself.
    pub is_reproducible: bool,
}

/// An engine process that speaks NBoard.
pub struct Nboard {
    process: Process,
    settings: Settings,
    told: Told,
    marker: Marker,
    /// Number of the last `ping`.
    ping: u32,
    /// It has answered in this game, and nothing has shown yet that the last answer was the last
    /// question's.
    is_unconfirmed: bool,
    /// The commands of one exchange; kept for its memory.
    commands: Vec<u8>,
}

/// What shows that the answer to this question begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Marker {
    /// The first answers will tell.
    Unknown,
    /// `status … is thinking`.
    Thinking,
    /// `pong` with the right number.
    Pong,
}

/// One line from the engine.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Line<'a> {
    Thinking,
    Waiting,
    Pong(u32),
    /// `=== f5 4.00 0.0`: what follows the sign.
    Answer(&'a str),
    /// `search c6A4d3 -17 0 10`: what follows the word.
    Search(&'a str),
    /// Not for us.
    Other,
}

fn understand(line: &str) -> Line<'_> {
    if let Some(answer) = line.strip_prefix("===") {
        return Line::Answer(answer.trim());
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "status" if rest.ends_with("thinking") => Line::Thinking,
        "status" if rest.ends_with("waiting") => Line::Waiting,
        "pong" => rest.trim().parse().map_or(Line::Other, Line::Pong),
        "search" => Line::Search(rest.trim()),
        _ => Line::Other,
    }
}

impl Nboard {
    /// Waits until the engine is ready and has passed the start-up test.
    pub fn start(process: Process, settings: Settings) -> Result<Nboard, EngineError> {
        let mut engine = Nboard {
            process,
            settings,
            told: Told::default(),
            marker: match settings.is_trusted {
                true => Marker::Thinking,
                false => Marker::Unknown,
            },
            ping: 1,
            is_unconfirmed: false,
            commands: Vec::with_capacity(512),
        };
        let deadline = Deadline::after(settings.startup_timeout, Task::Starting);
        let depth = settings
            .set_depth
            .map_or(String::new(), |depth| format!("set depth {depth}\n"));
        engine
            .process
            .send(format!("nboard 1\n{depth}ping 1\n").as_bytes(), &deadline)?;
        while understand(&engine.process.line(&deadline)?) != Line::Pong(1) {}
        engine.process.answered();
        engine.process.watch_stderr_for(REFUSALS);
        let name = engine.process.engine().to_owned();
        probe(&name, settings.has_scores, |game| {
            engine.answer(game, &deadline)
        })?;
        engine.confirm(&deadline)?;
        engine.told.forget();
        Ok(engine)
    }

    /// Makes sure that the engine has nothing more to say to what it was asked. It thinks of
    /// nothing, so a `ping` does no harm, and whatever it says before the `pong` was said too much.
    fn confirm(&mut self, deadline: &Deadline) -> Result<(), EngineError> {
        if !std::mem::take(&mut self.is_unconfirmed) {
            return Ok(());
        }
        self.ping = self.ping.wrapping_add(1);
        let ping = format!("ping {}\n", self.ping);
        self.process.send(ping.as_bytes(), deadline)?;
        loop {
            match understand(&self.process.line(deadline)?) {
                Line::Pong(number) if number == self.ping => break,
                Line::Answer(extra) => {
                    let what = format!("it answered `{extra}` without being asked");
                    return Err(self.process.out_of_step(what));
                }
                _ => {}
            }
        }
        self.process.answered();
        match self.process.take_alarm() {
            Some(complaint) => Err(self.process.out_of_step(complaint)),
            None => Ok(()),
        }
    }

    /// Sends everything that the engine has to know of `game`, and `request`, in one write.
    fn ask(&mut self, game: &Game, request: &str, deadline: &Deadline) -> Result<(), EngineError> {
        // The lines that follow the last answer. Read now, in passing, they cost no wake-up. Once
        // the engine has said that it waits, looking for more would only cost time: what it says
        // too much is found by `confirm` at the latest.
        let mut waits = false;
        while let Some(line) = self.process.unasked_line(!waits)? {
            match understand(&line) {
                Line::Answer(extra) => {
                    let what = format!("it answered `{extra}` without being asked");
                    return Err(self.process.out_of_step(what));
                }
                Line::Waiting => waits = true,
                _ => {}
            }
        }
        let mut commands = std::mem::take(&mut self.commands);
        commands.clear();
        match self.told.news(game) {
            Some(news) => {
                for mv in news {
                    // Writing to memory cannot fail.
                    let _ = match mv {
                        Move::Play(square) => writeln!(commands, "move {square}"),
                        Move::Pass => writeln!(commands, "move pa"),
                    };
                }
            }
            None => push_game(&mut commands, game),
        }
        if self.marker != Marker::Thinking {
            self.ping = self.ping.wrapping_add(1);
            let _ = writeln!(commands, "ping {}", self.ping);
        }
        let _ = writeln!(commands, "{request}");
        // Uncertain until it has answered.
        self.told.forget();
        let sent = self.process.send(&commands, deadline);
        self.commands = commands;
        sent
    }

    /// Its answer to the position of `game`.
    fn answer(&mut self, game: &Game, deadline: &Deadline) -> Result<Answer, EngineError> {
        self.ask(game, "go", deadline)?;
        let mut has_thought = false;
        let mut has_ponged = false;
        let answer = loop {
            match understand(&self.process.line(deadline)?) {
                Line::Thinking => has_thought = true,
                Line::Pong(number) => has_ponged |= number == self.ping,
                Line::Answer(text) => {
                    let text = text.to_owned();
                    let is_ours = match self.marker {
                        Marker::Thinking => has_thought,
                        Marker::Unknown | Marker::Pong => has_ponged,
                    };
                    if !is_ours {
                        let what = format!("it answered `{text}` without being asked");
                        return Err(self.process.out_of_step(what));
                    }
                    break text;
                }
                Line::Waiting | Line::Search(_) | Line::Other => {}
            }
        };
        self.process.answered();
        if let Some(complaint) = self.process.take_alarm() {
            return Err(self.process.out_of_step(complaint));
        }
        if self.marker == Marker::Unknown {
            self.marker = match has_thought {
                true => Marker::Thinking,
                false => Marker::Pong,
            };
        }
        self.told.has_seen(game);
        self.is_unconfirmed = !self.settings.is_trusted;
        self.understand_answer(&answer, game)
    }

    /// `f5 4.00 0.0`, also with slashes between.
    fn understand_answer(&self, text: &str, game: &Game) -> Result<Answer, EngineError> {
        let mut words = text.split([' ', '\t', '/']).filter(|word| !word.is_empty());
        let word = words.next().unwrap_or_default();
        let Ok(mv) = word.parse::<Move>() else {
            return Err(self
                .process
                .unintelligible(format!("=== {text}").as_bytes()));
        };
        let square = legal_square(self.process.engine(), mv, game)?;
        let score = words.next().and_then(|score| score.parse().ok());
        Ok(Answer { square, score })
    }

    /// `c6A4d3G6 -17 0 10`: continuation, score, nothing, depth.
    fn understand_search(&self, text: &str, game: &Game) -> Result<MoveScore, EngineError> {
        let unintelligible = || {
            self.process
                .unintelligible(format!("search {text}").as_bytes())
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[line, score, .., depth] = &words[..] else {
            return Err(unintelligible());
        };
        let line: Vec<Move> = (0..line.len() / 2)
            .map_while(|at| line.get(2 * at..2 * at + 2)?.parse().ok())
            .collect();
        let (Some(&mv), Ok(score), Ok(depth)) = (line.first(), score.parse(), depth.parse()) else {
            return Err(unintelligible());
        };
        let square = legal_square(self.process.engine(), mv, game)?;
        let empties = game.board().empties();
        Ok(MoveScore {
            square,
            score,
            depth,
            exact: depth >= empties && empties <= self.settings.exact_empties,
            line,
        })
    }
}

/// `game` with the position as it stands; the moves that led there do not matter.
fn push_game(commands: &mut Vec<u8>, game: &Game) {
    commands.extend_from_slice(b"game (;GM[Othello]PC[rdg]PB[b]PW[w]RE[?]TI[0]TY[8]BO[8 ");
    let (black, white) = game.board().colors(game.color());
    commands.extend(Square::ALL.iter().map(|square| {
        match (black & square.bit() != 0, white & square.bit() != 0) {
            (true, _) => b'*',
            (_, true) => b'O',
            _ => b'-',
        }
    }));
    commands.extend_from_slice(match game.color() {
        Color::Black => b" *];)\n",
        Color::White => b" O];)\n",
    });
}

impl Engine for Nboard {
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.told.forget();
        Ok(())
    }

    fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
        if let Some(square) = first_move(game).filter(|_| !self.settings.is_trusted) {
            return Ok(square);
        }
        let deadline = Deadline::after(self.settings.timeout, Task::Choosing);
        self.answer(game, &deadline).map(|answer| answer.square)
    }

    fn end_game(&mut self) -> Result<(), EngineError> {
        let deadline = Deadline::after(self.settings.timeout, Task::Choosing);
        self.confirm(&deadline)
    }

    fn score_moves(&mut self, game: &Game) -> Result<Vec<MoveScore>, EngineError> {
        if !self.settings.has_scores {
            return Err(EngineError::CannotScore {
                engine: self.process.engine().to_owned(),
            });
        }
        let legal = game.board().legal_moves().count_ones() as usize;
        let deadline = Deadline::after(self.settings.timeout, Task::Scoring);
        // From scratch, so that what was thought before does not colour the scores.
        self.told.forget();
        self.ask(game, "hint 60", &deadline)?;
        let mut scores: Vec<MoveScore> = Vec::with_capacity(legal);
        let mut has_thought = false;
        loop {
            match understand(&self.process.line(&deadline)?) {
                Line::Thinking => has_thought = true,
                Line::Search(text) if has_thought => {
                    let text = text.to_owned();
                    scores.push(self.understand_search(&text, game)?);
                }
                Line::Waiting if has_thought => break,
                _ => {}
            }
        }
        self.process.answered();
        if let Some(complaint) = self.process.take_alarm() {
            return Err(self.process.out_of_step(complaint));
        }
        if scores.len() != legal {
            let what = format!("it scored {} of {legal} moves", scores.len());
            return Err(self.process.out_of_step(what));
        }
        scores.sort_by(|a, b| b.score.total_cmp(&a.score));
        // Its table now knows more than the game's own searches: set up anew before the next move.
        self.told.forget();
        Ok(scores)
    }

    fn is_reproducible(&self) -> bool {
        self.settings.is_reproducible
    }

    fn process_id(&self) -> Option<u32> {
        Some(self.process.id())
    }
}

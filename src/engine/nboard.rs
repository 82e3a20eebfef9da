//! The NBoard protocol: Edax, and any engine that speaks it.
//!
//! The protocol's page has version 2, `set game` and moves such as `F5`; Edax has its own words, of
//! which `game` is one, and unknown ones are to be ignored, so an engine's kind says which it needs.
//!
//! A game is set up by one record with the position as it stands; after that each question
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
//!
//! Scores come from `hint`. An engine may repeat a move's score as it searches deeper, and the last
//! one counts; that it has finished it says by `status`, or not at all. Not every engine knows
//! `hint`, and one that does not ignores it: whether it answers is tried where it cannot take long.

use super::answer::{Answer, first_move, legal_square};
use super::child::{Deadline, Process, Task};
use super::hint::Hint;
use super::probe::{first_position, probe};
use super::told::Told;
use super::{Engine, EngineError, MoveScore};
use crate::board::{Color, Game, Move, Square};
use std::io::Write as _;
use std::time::Duration;

/// What a line on stderr says when the engine refused a move or a position and kept its old board.
const REFUSALS: &[&str] = &["Error: Cannot parse", "WARNING: board_set"];

/// The commands that set up a position: the protocol's, and Edax' own.
const SET_GAME: &str = "set game";
const GAME: &str = "game";

/// What Black can play at the usual start.
const FIRST_MOVES: [&str; 4] = ["d3", "c4", "f5", "e6"];

/// How long an engine has to score the few moves of a position with six empty squares: one that
/// knows `hint` takes milliseconds.
const HINT_PATIENCE: Duration = Duration::from_secs(3);

/// An engine that has scored every move, and says nothing for so long, has finished.
const QUIET: Duration = Duration::from_secs(2);

/// How an engine is to be driven.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Deadline of one move.
    pub timeout: Duration,
    /// Deadline of start-up.
    pub startup_timeout: Duration,
    /// The words of the protocol.
    pub dialect: Dialect,
    /// To be sent as `set depth`, where the command line did not say it.
    pub set_depth: Option<u32>,
    /// Whether it is known to answer each question once, after saying that it is thinking.
    pub is_trusted: bool,
    /// Whether its scores are known to mean something: final disc differences from a real
    /// evaluation.
    pub has_scores: bool,
    /// Whether it may be asked to score moves. One that is not trusted has to show first that it
    /// can.
    pub is_asked_for_scores: bool,
    /// With this many empty squares or fewer its scores are exact, whether it says so or not.
    pub exact_empties: u32,
    /// Whether a game depends on nothing but itself.
    pub is_reproducible: bool,
}

/// Two ways to say the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    /// Edax' own, version 1: `game`, moves in lower case.
    Edax,
    /// As the protocol's page has it, version 2: `set game`, moves in upper case. An engine that
    /// turns out to know `game` alone gets that.
    Page,
}

/// An engine process that speaks NBoard.
pub(super) struct Nboard {
    process: Process,
    settings: Settings,
    told: Told,
    /// The command that sets up a position.
    set_up: &'static str,
    marker: Marker,
    /// Number of the last `ping`.
    ping: u32,
    /// It has answered in this game, and nothing has shown yet that the last answer was the last
    /// question's.
    is_unconfirmed: bool,
    /// It has shown that it answers `hint`.
    gives_hints: bool,
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
        "status" if rest.is_empty() || rest.ends_with("waiting") => Line::Waiting,
        "pong" => rest.trim().parse().map_or(Line::Other, Line::Pong),
        "search" | "book" => Line::Search(rest.trim()),
        _ => Line::Other,
    }
}

impl Nboard {
    /// Waits until the engine is ready and has passed the start-up test.
    pub(super) fn start(process: Process, settings: Settings) -> Result<Nboard, EngineError> {
        let mut engine = Nboard {
            process,
            settings,
            told: Told::default(),
            set_up: match settings.dialect {
                Dialect::Edax => GAME,
                Dialect::Page => SET_GAME,
            },
            marker: match settings.is_trusted {
                true => Marker::Thinking,
                false => Marker::Unknown,
            },
            ping: 1,
            is_unconfirmed: false,
            gives_hints: settings.is_trusted,
            commands: Vec::with_capacity(512),
        };
        match engine.begin() {
            Ok(()) => {
                engine.process.started();
                Ok(engine)
            }
            Err(error) => Err(engine.process.quoting(error)),
        }
    }

    /// The hand-shake and the start-up test.
    fn begin(&mut self) -> Result<(), EngineError> {
        let deadline = Deadline::after(self.settings.startup_timeout, Task::Starting);
        let version = match self.settings.dialect {
            Dialect::Edax => 1,
            Dialect::Page => 2,
        };
        let depth =
            (self.settings.set_depth).map_or(String::new(), |depth| format!("set depth {depth}\n"));
        self.process.send(
            format!("nboard {version}\n{depth}ping 1\n").as_bytes(),
            &deadline,
        )?;
        while understand(&self.process.line(&deadline)?) != Line::Pong(1) {}
        self.process.answered();
        self.process.watch_stderr_for(REFUSALS);
        let name = self.process.engine().to_owned();
        probe(&name, self.settings.has_scores, |game| {
            self.answer_to_test(game, &deadline)
        })?;
        self.confirm(&deadline)?;
        self.told.forget();
        Ok(())
    }

    /// Its answer to a position of the start-up test. One that answers for the usual start position
    /// instead has not heard of the other one: it may know it by another command.
    fn answer_to_test(&mut self, game: &Game, deadline: &Deadline) -> Result<Answer, EngineError> {
        let answer = self.answer(game, deadline);
        match &answer {
            Err(EngineError::IllegalMove { answer: mv, .. })
                if self.set_up == SET_GAME && FIRST_MOVES.contains(&mv.raw()) =>
            {
                self.confirm(deadline)?;
                self.told.forget();
                self.set_up = GAME;
                self.answer(game, deadline)
            }
            _ => answer,
        }
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

    /// Sends everything that the engine has to know of `game`, and `request`, in one write; before
    /// the request a `ping`, if so wanted.
    fn ask(
        &mut self,
        game: &Game,
        pings: bool,
        request: &str,
        deadline: &Deadline,
    ) -> Result<(), EngineError> {
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
                    push_move(&mut commands, *mv, self.settings.dialect);
                }
            }
            None => push_game(&mut commands, self.set_up, game),
        }
        if pings {
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
        self.ask(game, self.marker != Marker::Thinking, "go", deadline)?;
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

    /// `f5 4.00 0.0`, or `f5/4.00/0.0`, where the score may be left out.
    fn understand_answer(&self, text: &str, game: &Game) -> Result<Answer, EngineError> {
        let mut words = text.splitn(3, ['/', ' ', '\t']).map(str::trim);
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

    /// A score from what follows `search`.
    fn understand_search(&self, text: &str, game: &Game) -> Result<MoveScore, EngineError> {
        let empties = game.board().empties();
        let Some(hint) = Hint::parse(text, empties) else {
            let what = format!("`search {text}` is not a move with its score and depth");
            return Err(self.process.bad_scores(&what));
        };
        let square = legal_square(self.process.engine(), hint.line[0], game)?;
        let is_known_exact = hint.depth >= empties && empties <= self.settings.exact_empties;
        Ok(MoveScore {
            square,
            score: hint.score,
            depth: hint.depth,
            exact: hint.is_exact || is_known_exact,
            line: hint.line,
        })
    }

    /// Asks by `hint` for a score of every move.
    fn hints(&mut self, game: &Game, deadline: Deadline) -> Result<Vec<MoveScore>, EngineError> {
        let legal = game.board().legal_moves().count_ones() as usize;
        let is_trusted = self.settings.is_trusted;
        // From scratch, so that what was thought before does not colour the scores.
        self.told.forget();
        self.ask(game, !is_trusted, "hint 60", &deadline)?;
        let mut scores: Vec<MoveScore> = Vec::with_capacity(legal);
        let (mut has_thought, mut has_ponged) = (false, is_trusted);
        let mut deadline = deadline;
        loop {
            let line = match self.process.line(&deadline) {
                Ok(line) => line,
                Err(EngineError::TimedOut { .. }) if scores.len() == legal => break,
                Err(error) => return Err(error),
            };
            match understand(&line) {
                Line::Pong(number) => has_ponged |= number == self.ping,
                Line::Thinking => has_thought |= has_ponged,
                Line::Search(text) if has_ponged && (has_thought || !is_trusted) => {
                    let text = text.to_owned();
                    let found = self.understand_search(&text, game)?;
                    match scores.iter_mut().find(|had| had.square == found.square) {
                        Some(had) => *had = found,
                        None => scores.push(found),
                    }
                    if scores.len() == legal && !is_trusted {
                        deadline = deadline.at_latest_after(QUIET);
                    }
                }
                Line::Waiting if has_thought || !scores.is_empty() => break,
                _ => {}
            }
        }
        self.process.answered();
        if !is_trusted {
            // If it thinks on, that ends it.
            self.is_unconfirmed = true;
            self.confirm(&Deadline::after(self.settings.timeout, Task::Scoring))?;
        }
        if let Some(complaint) = self.process.take_alarm() {
            return Err(self.process.out_of_step(complaint));
        }
        if scores.len() != legal {
            let what = format!("it scored {} of {legal} moves", scores.len());
            return Err(self.process.bad_scores(&what));
        }
        scores.sort_by(|a, b| b.score.total_cmp(&a.score));
        // Its table now knows more than the game's own searches: set up anew before the next move.
        self.told.forget();
        Ok(scores)
    }

    /// Finds out whether the engine answers `hint` at all.
    fn try_hints(&mut self) -> Result<(), EngineError> {
        let timeout = self.settings.timeout;
        let patience = Deadline::after(timeout.min(HINT_PATIENCE), Task::Scoring);
        match self.hints(&first_position(), patience) {
            Ok(_) => {
                self.gives_hints = true;
                Ok(())
            }
            Err(EngineError::TimedOut { .. }) => {
                // It lives, and has nothing to say to it.
                self.process.answered();
                self.is_unconfirmed = true;
                self.confirm(&Deadline::after(timeout, Task::Scoring))?;
                Err(self.cannot_score())
            }
            Err(error) => Err(error),
        }
    }

    fn cannot_score(&self) -> EngineError {
        EngineError::CannotScore {
            engine: self.process.engine().to_owned(),
        }
    }
}

fn push_move(commands: &mut Vec<u8>, mv: Move, dialect: Dialect) {
    commands.extend_from_slice(b"move ");
    let from = commands.len();
    // Writing to memory cannot fail.
    let _ = match mv {
        Move::Play(square) => writeln!(commands, "{square}"),
        Move::Pass => writeln!(commands, "pa"),
    };
    if dialect == Dialect::Page {
        commands[from..].make_ascii_uppercase();
    }
}

/// The position of `game` as it stands; the moves that led there do not matter.
fn push_game(commands: &mut Vec<u8>, set_up: &str, game: &Game) {
    commands.extend_from_slice(set_up.as_bytes());
    commands.extend_from_slice(b" (;GM[Othello]PC[rdg]PB[b]PW[w]RE[?]TI[0]TY[8]BO[8 ");
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
        self.choose_with_score(game).map(|(square, _)| square)
    }

    fn choose_with_score(&mut self, game: &Game) -> Result<(Square, Option<f64>), EngineError> {
        if let Some(square) = first_move(game).filter(|_| !self.settings.is_trusted) {
            return Ok((square, None));
        }
        let deadline = Deadline::after(self.settings.timeout, Task::Choosing);
        let answer = self.answer(game, &deadline)?;
        Ok((answer.square, answer.score))
    }

    fn end_game(&mut self) -> Result<(), EngineError> {
        let deadline = Deadline::after(self.settings.timeout, Task::Choosing);
        self.confirm(&deadline)
    }

    fn score_moves(&mut self, game: &Game) -> Result<Vec<MoveScore>, EngineError> {
        if !self.settings.is_asked_for_scores {
            return Err(self.cannot_score());
        }
        if !self.gives_hints {
            self.try_hints()?;
        }
        self.hints(game, Deadline::after(self.settings.timeout, Task::Scoring))
    }

    fn is_reproducible(&self) -> bool {
        self.settings.is_reproducible
    }

    fn process_id(&self) -> Option<u32> {
        Some(self.process.id())
    }
}

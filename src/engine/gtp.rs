//! The Go Text Protocol as Reversi engines speak it: GRhino, Egaroucid's `-gtp`, and others.
//!
//! Commands are numbered, and an answer bears its command's number, so a late or doubled answer
//! cannot be taken for another's. `genmove` plays its move on the engine's own board: where one
//! engine plays both sides, a move is one command and one answer. A game is set up by replaying it
//! from `clear_board`, all in one write; only a game that does not begin at the start position
//! needs a set-up command, which few engines have.
//!
//! Dialects differ in whether `play` takes a pass. Most engines want to be told; GRhino has no
//! word for it and infers a pass from the colour of the next move. The start-up test, which holds
//! a pass, shows which one this is.

use super::answer::{Answer, first_move, legal_square};
use super::child::{Deadline, Process, Task};
use super::probe::probe;
use super::told::Told;
use super::{Engine, EngineError, MoveScore};
use crate::board::{Board, Color, Game, Move, Square};
use std::io::Write as _;
use std::time::Duration;

/// How an engine is to be driven.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Deadline of one move.
    pub timeout: Duration,
    /// Deadline of start-up.
    pub startup_timeout: Duration,
    /// Whether a game depends on nothing but itself.
    pub is_reproducible: bool,
    /// Whether it is told the size of the board before the first game. Some insist; one that does
    /// not know the command refuses it, which does no harm.
    pub sizes_board: bool,
    /// Whether it is asked even for a game's first move: it is known not to draw it.
    pub asks_first_move: bool,
}

/// An engine process that speaks GTP.
pub(super) struct Gtp {
    process: Process,
    settings: Settings,
    told: Told,
    passes: Passes,
    /// It still has to be told the size of the board.
    has_no_size: bool,
    /// The command that sets up any position, if it has one.
    set_up: Option<&'static str>,
    /// Number of the last command.
    number: u32,
    commands: Vec<u8>,
    /// The commands of this exchange that wait for their answers, oldest first.
    pending: Vec<Pending>,
}

/// How the engine learns of a forced pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passes {
    /// The start-up test will show.
    Unknown,
    /// `play W PASS`.
    Told,
    /// By the colour of the next command.
    Inferred,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Pending {
    number: u32,
    what: Command,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Command {
    /// `boardsize`.
    Size,
    /// `clear_board`.
    Clear,
    /// A set-up of any position.
    SetUp,
    Play(Move),
    Genmove,
    /// One of the hand-shake.
    Question,
}

/// The first line of an answer.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Header<'a> {
    succeeded: bool,
    number: Option<u32>,
    text: &'a str,
}

/// Reads `=12 F5`, `= pass`, `?3 illegal move`; `None` for any other line.
fn header(line: &str) -> Option<Header<'_>> {
    let succeeded = match line.as_bytes().first()? {
        b'=' => true,
        b'?' => false,
        _ => return None,
    };
    let rest = &line[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    Some(Header {
        succeeded,
        number: rest[..digits].parse().ok(),
        text: rest[digits..].trim(),
    })
}

/// Whether this is no answer but an ornament: `=====`, `== Engine 1.0 ==`.
fn is_banner(header: &Header<'_>) -> bool {
    header.number.is_none() && header.text.starts_with('=')
}

/// The set-up commands that take 64 squares and a side to move.
fn set_up_command(name: &str) -> Option<&'static str> {
    ["grhino-setup_board", "rdg-setup_board"]
        .into_iter()
        .find(|&command| command == name)
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

impl Gtp {
    /// Waits until the engine is ready and has passed the start-up test.
    pub(super) fn start(process: Process, settings: Settings) -> Result<Gtp, EngineError> {
        let mut engine = Gtp {
            process,
            settings,
            told: Told::default(),
            passes: Passes::Unknown,
            has_no_size: settings.sizes_board,
            set_up: None,
            number: 0,
            commands: Vec::with_capacity(1024),
            pending: Vec::with_capacity(64),
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
        // Known to be Reversi where the engine plays several games; a refusal does no harm.
        self.command(Command::Question, format_args!("protocol_version"));
        self.command(Command::Question, format_args!("list_commands"));
        self.send(&deadline)?;
        self.read_command_list(&deadline)?;
        let name = self.process.engine().to_owned();
        probe(&name, false, |game| self.answer(game, &deadline))?;
        self.told.forget();
        Ok(())
    }

    /// The answers of the hand-shake: is there a command that sets up positions?
    fn read_command_list(&mut self, deadline: &Deadline) -> Result<(), EngineError> {
        let list = self.number;
        let mut in_list = false;
        loop {
            let line = self.process.line(deadline)?;
            // A banner may begin with such a sign, too.
            let header = header(&line).filter(|header| !is_banner(header));
            if let Some(header) = header {
                if header.number != Some(list) && header.number != Some(list - 1) {
                    let line = line.into_owned();
                    return Err(self.process.unintelligible(line.as_bytes()));
                }
                in_list = header.number == Some(list);
                self.set_up = set_up_command(header.text).filter(|_| in_list);
            } else if let Some(set_up) = set_up_command(&line).filter(|_| in_list) {
                self.set_up = Some(set_up);
            } else if line.is_empty() && in_list {
                break;
            }
        }
        self.pending.clear();
        self.process.answered();
        Ok(())
    }

    /// Adds a numbered command to the next write.
    fn command(&mut self, what: Command, text: std::fmt::Arguments<'_>) {
        self.number = self.number.wrapping_add(1);
        let number = self.number;
        self.pending.push(Pending { number, what });
        // Writing to memory cannot fail.
        let _ = writeln!(self.commands, "{number} {text}");
    }

    fn send(&mut self, deadline: &Deadline) -> Result<(), EngineError> {
        let commands = std::mem::take(&mut self.commands);
        let sent = self.process.send(&commands, deadline);
        self.commands = commands;
        self.commands.clear();
        sent
    }

    /// Brings the engine's board to where `game` stands; the commands go out with the request.
    fn bring_up_to(&mut self, game: &Game) -> Result<(), EngineError> {
        let (start, start_color) = game.start();
        if self.has_no_size {
            self.command(Command::Size, format_args!("boardsize 8"));
        }
        let news = match self.told.news(game) {
            Some(news) => news,
            None if (start, start_color) == (Board::START, Color::Black) => {
                self.command(Command::Clear, format_args!("clear_board"));
                game.moves()
            }
            None => {
                let Some(set_up) = self.set_up else {
                    return Err(EngineError::CannotSetUp {
                        engine: self.process.engine().to_owned(),
                        reason: "it has no command for it, and the game does not begin at the \
                                 start position"
                            .into(),
                    });
                };
                let side = match game.color() {
                    Color::Black => "black",
                    Color::White => "white",
                };
                let squares = game.board().to_text(game.color());
                self.command(Command::SetUp, format_args!("{set_up} {squares} {side}"));
                &[]
            }
        };
        // The colour of each move follows from that of the side to move now.
        let mut color = match news.len() % 2 {
            0 => game.color(),
            _ => game.color().other(),
        };
        for &mv in news {
            let letter = letter(color);
            match mv {
                Move::Play(square) => self.command(
                    Command::Play(mv),
                    format_args!("play {letter} {}", Upper(square)),
                ),
                Move::Pass if self.passes == Passes::Inferred => {}
                Move::Pass => self.command(Command::Play(mv), format_args!("play {letter} PASS")),
            }
            color = color.other();
        }
        Ok(())
    }

    /// Its answer to the position of `game`.
    fn answer(&mut self, game: &Game, deadline: &Deadline) -> Result<Answer, EngineError> {
        self.commands.clear();
        self.pending.clear();
        self.bring_up_to(game)?;
        let letter = letter(game.color());
        self.command(Command::Genmove, format_args!("genmove {letter}"));
        // Uncertain until it has answered.
        self.told.forget();
        self.send(deadline)?;
        let text = self.read_answers(deadline)?;
        self.process.answered();
        let Ok(mv) = text.parse::<Move>() else {
            return Err(self.process.unintelligible(text.as_bytes()));
        };
        let square = legal_square(self.process.engine(), mv, game)?;
        self.told.has_seen(game);
        self.told.has_played(mv);
        Ok(Answer {
            square,
            score: None,
        })
    }

    /// Reads the answers to everything pending; returns the text of the last one.
    fn read_answers(&mut self, deadline: &Deadline) -> Result<String, EngineError> {
        let mut next = 0;
        let mut refused: Option<String> = None;
        loop {
            let line = self.process.line(deadline)?;
            let Some(header) = header(&line) else {
                continue;
            };
            // An answer of an earlier exchange, come late or twice.
            let is_old = header
                .number
                .is_none_or(|number| self.pending.iter().all(|p| p.number != number));
            let expected = self.pending[next];
            if header.number != Some(expected.number) {
                let line = line.into_owned();
                return Err(match is_old {
                    true => (self.process).out_of_step(format!("it answered `{line}` unasked")),
                    false => (self.process).out_of_step(format!(
                        "it answered `{line}` where the answer to command {} was due",
                        expected.number
                    )),
                });
            }
            next += 1;
            let text = header.text.to_owned();
            match (expected.what, header.succeeded) {
                (Command::Genmove, _) if refused.is_some() => {
                    self.process.answered();
                    return Err(EngineError::CannotSetUp {
                        engine: self.process.engine().to_owned(),
                        reason: refused.unwrap_or_default().into(),
                    });
                }
                (Command::Genmove, true) => return Ok(text),
                (Command::Genmove, false) => {
                    return Err(self.process.unintelligible(format!("? {text}").as_bytes()));
                }
                (Command::Play(Move::Pass), taken) if self.passes == Passes::Unknown => {
                    self.passes = match taken {
                        true => Passes::Told,
                        false => Passes::Inferred,
                    };
                }
                (Command::Size, _) => self.has_no_size = false,
                (_, true) => {}
                (Command::Play(mv), false) => {
                    let what = format!("it refused the move {mv} with `{text}`");
                    return Err(self.process.out_of_step(what));
                }
                (Command::Clear | Command::Question, false) => {
                    let what = format!("it refused to begin a game with `{text}`");
                    return Err(self.process.out_of_step(what));
                }
                // The position's fault; the engine is fine, and what it goes on to answer is read.
                (Command::SetUp, false) => refused = Some(format!("it said `{text}`")),
            }
        }
    }
}

/// A square in upper case, as GTP has it.
struct Upper(Square);

impl std::fmt::Display for Upper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (file, rank) = (b'A' + self.0.file(), b'1' + self.0.rank());
        write!(f, "{}{}", char::from(file), char::from(rank))
    }
}

impl Engine for Gtp {
    fn new_game(&mut self) -> Result<(), EngineError> {
        self.told.forget();
        Ok(())
    }

    fn choose(&mut self, game: &Game) -> Result<Square, EngineError> {
        if let Some(square) = first_move(game).filter(|_| !self.settings.asks_first_move) {
            return Ok(square);
        }
        let deadline = Deadline::after(self.settings.timeout, Task::Choosing);
        self.answer(game, &deadline).map(|answer| answer.square)
    }

    fn score_moves(&mut self, _game: &Game) -> Result<Vec<MoveScore>, EngineError> {
        Err(EngineError::CannotScore {
            engine: self.process.engine().to_owned(),
        })
    }

    fn is_reproducible(&self) -> bool {
        self.settings.is_reproducible
    }

    fn process_id(&self) -> Option<u32> {
        Some(self.process.id())
    }
}

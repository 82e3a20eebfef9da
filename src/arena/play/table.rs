//! The game itself: turns, what the person wants, the end.

use super::command::{Command, HELP, parse};
use super::history::History;
use super::input::{Input, Typed};
use super::seat::{EnginePlayer, Seat};
use super::words::{discs, game_text, side, wrapped};
use crate::arena::analyze::picture::{self, Look};
use crate::arena::save::{SaveError, SaveFile};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::board::{Color, Game, Move, Square, Squares};
use crate::engine::{EngineError, MoveScore};
use crate::records::WrittenGame;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Scores every legal move of a position, for hints.
pub(crate) type Scorer<'a> = Box<dyn FnMut(&Game) -> Result<Vec<MoveScore>, EngineError> + 'a>;

/// What a game needs.
pub(crate) struct Setup<'a> {
    /// The game to go on with; its moves are not taken back.
    pub start: Game,
    /// Black and White.
    pub seats: [Seat; 2],
    /// Gives hints.
    pub scorer: Scorer<'a>,
    /// Whether scores are shown from the beginning.
    pub hints: bool,
    /// Pause after each move when engines are watched.
    pub delay: Duration,
    /// What the game is shown on, asked anew each time: people change the size of their windows.
    pub screen: Box<dyn Fn() -> Screen + 'a>,
    /// Whether lines that were read are shown: where they come from no terminal, nobody has seen
    /// them.
    pub echo: bool,
    /// Where games are kept.
    pub save: Option<SaveFile>,
    /// Ends everything.
    pub stop: Stop,
}

/// What a game is shown on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    /// How boards are drawn.
    pub look: Look,
    /// Where sentences are broken; `None`: nowhere.
    pub columns: Option<usize>,
}

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The person, the end of input or of a watched game ended it.
    Left,
    /// The program is being stopped.
    Stopped,
}

/// Why it could not go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlayError {
    /// An engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The game could not be kept.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// Nothing can be written any more.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

/// Plays until it ends. The game's text is written last and the game kept, whatever the end.
///
/// # Errors
/// The first thing that went wrong. A closed pipe ([`io::ErrorKind::BrokenPipe`]) is among them.
pub(crate) fn play(
    setup: Setup<'_>,
    input: &mut dyn Input,
    out: &mut dyn Write,
) -> Result<End, PlayError> {
    let mut table = Table {
        history: History::new(setup.start.clone()),
        setup,
        resigned: None,
        is_shown: false,
        told: None,
        kept: None,
        input,
        out,
    };
    let end = table.run();
    // Kept first: it does not depend on whether anybody still reads.
    let kept = table.keep();
    let told = match end {
        Err(PlayError::Output(_)) => Ok(()),
        _ => table.tell_game(),
    };
    let end = end?;
    let is_new = kept?;
    told?;
    if is_new {
        table.say_kept()?;
    }
    Ok(end)
}

struct Table<'a, 'b> {
    setup: Setup<'a>,
    history: History,
    resigned: Option<Color>,
    /// Whether the person has seen the board as it is now.
    is_shown: bool,
    /// The game's text as it was last told.
    told: Option<String>,
    /// The game that was added to the file last.
    kept: Option<Game>,
    input: &'b mut dyn Input,
    out: &'b mut dyn Write,
}

/// `None`: the game goes on.
type Turn = Result<Option<End>, PlayError>;

impl Table<'_, '_> {
    fn run(&mut self) -> Result<End, PlayError> {
        self.begin()?;
        loop {
            if self.setup.stop.is_requested() {
                return Ok(End::Stopped);
            }
            let turn = if self.is_over() {
                self.after_the_game()?
            } else if self.history.pass_if_forced() {
                let passed = self.game().color().other();
                self.is_shown = false;
                self.say(&format!("{} has no move and passes.", side(passed)))?;
                None
            } else if self.seat(self.game().color()).is_person() {
                self.person()?
            } else {
                self.engine()?
            };
            if let Some(end) = turn {
                return Ok(end);
            }
        }
    }

    fn begin(&mut self) -> Result<(), PlayError> {
        self.say_seats()?;
        if self.has_person() {
            self.say("Type a move such as f5, or ? for help.")
        } else if self.is_over() {
            Ok(())
        } else {
            self.show_with_hints()
        }
    }

    fn say_seats(&mut self) -> Result<(), PlayError> {
        for color in [Color::Black, Color::White] {
            let line = format!("{}: {}", side(color), self.seat(color).title());
            self.say(&line)?;
        }
        Ok(())
    }

    fn person(&mut self) -> Turn {
        if !self.is_shown {
            self.show_with_hints()?;
            let line = format!("{} to move", side(self.game().color()));
            self.say(&line)?;
        }
        let prompt = format!("{}> ", self.game().color());
        self.ask(&prompt)
    }

    fn after_the_game(&mut self) -> Turn {
        if !self.is_shown {
            if self.resigned.is_none() {
                self.show(&[])?;
            }
            self.tell_game()?;
            // A finished game is not to depend on how the program ends.
            match self.keep() {
                Ok(true) => self.say_kept()?,
                Ok(false) => {}
                Err(error) => self.say(&format!("{error}."))?,
            }
            if self.has_person() {
                self.say("The game is over: new, undo or quit?")?;
            }
        }
        if !self.has_person() {
            return Ok(Some(End::Left));
        }
        self.ask("> ")
    }

    /// Waits for a line and does what it says.
    fn ask(&mut self, prompt: &str) -> Turn {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let line = match self.input.next_line() {
            Typed::Line(line) => line,
            typed => {
                // The prompt's line is not ended by anybody.
                self.say("")?;
                return Ok(Some(match typed {
                    Typed::Stopped => End::Stopped,
                    _ => End::Left,
                }));
            }
        };
        if self.setup.echo {
            let line: String = line.trim_end().shown().start(200);
            self.say(&line)?;
        }
        match parse(&line) {
            Ok(command) => self.obey(command),
            Err(message) => self.say(&message).map(|()| None),
        }
    }

    fn obey(&mut self, command: Command) -> Turn {
        match command {
            Command::Nothing => {}
            Command::Quit => return Ok(Some(End::Left)),
            Command::Help => self.say(HELP.trim_end())?,
            Command::Board => self.is_shown = false,
            Command::Moves => {
                let text = game_text(self.game(), self.resigned);
                self.say(text.trim_end())?;
            }
            Command::New => self.begin_another()?,
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::Swap => self.swap()?,
            Command::Level(level) => self.level(level)?,
            Command::ToggleHints => {
                self.setup.hints = !self.setup.hints;
                self.is_shown = false;
                self.say(match self.setup.hints {
                    true => "Scores are shown at each of your turns.",
                    false => "Scores are shown no more.",
                })?;
            }
            Command::Play(_) | Command::Pass | Command::Hint | Command::Resign
                if self.is_over() =>
            {
                self.say("The game is over: new, undo or quit?")?;
            }
            Command::Hint => {
                let scores = self.scores()?;
                self.show(&scores)?;
            }
            Command::Resign => {
                self.resigned = Some(self.game().color());
                self.is_shown = false;
            }
            Command::Play(square) => self.try_move(square)?,
            Command::Pass => {
                let moves = self.legal();
                self.say(&format!("Only who has no move passes; yours are {moves}."))?;
            }
        }
        Ok(None)
    }

    fn try_move(&mut self, square: Square) -> Result<(), PlayError> {
        if self.history.play(Move::Play(square)).is_ok() {
            self.is_shown = false;
            return Ok(());
        }
        let board = self.game().board();
        let why = match (board.own | board.opponent) & square.bit() {
            0 => "it would turn no disc",
            _ => "there is a disc already",
        };
        let moves = self.legal();
        self.say(&format!(
            "{square} is not allowed, {why}; your moves are {moves}."
        ))
    }

    fn undo(&mut self) -> Result<(), PlayError> {
        if self.resigned.take().is_some() {
            self.is_shown = false;
            return self.say("The game goes on.");
        }
        let seats = &self.setup.seats;
        let taken = self.history.undo(|color| seats[color as usize].is_person());
        let moves = text(taken);
        if moves.is_empty() {
            return self.say("There is no move of yours to take back.");
        }
        self.forget();
        self.say(&format!("Taken back: {moves}"))
    }

    fn redo(&mut self) -> Result<(), PlayError> {
        let moves = text(&self.history.redo());
        if moves.is_empty() {
            return self.say("There is nothing to play again.");
        }
        self.forget();
        self.say(&format!("Played again: {moves}"))
    }

    fn begin_another(&mut self) -> Result<(), PlayError> {
        self.tell_game()?;
        match self.keep() {
            Ok(true) => self.say_kept()?,
            Ok(false) => {}
            // The game stays on the table, so that nothing is lost.
            Err(error) => return self.say(&format!("{error}; quit to leave all the same.")),
        }
        self.history.restart();
        self.resigned = None;
        self.told = None;
        self.kept = None;
        self.forget();
        self.say_seats()
    }

    fn swap(&mut self) -> Result<(), PlayError> {
        if self.setup.seats.iter().all(Seat::is_person) {
            return self.say("Both sides are yours.");
        }
        self.setup.seats.swap(0, 1);
        self.forget();
        self.say_seats()
    }

    fn level(&mut self, level: Option<u32>) -> Result<(), PlayError> {
        let engine = self.setup.seats.iter_mut().find_map(|seat| match seat {
            Seat::Engine(player) => Some(player),
            Seat::Person => None,
        });
        let Some(engine) = engine else {
            return self.say("No engine plays here.");
        };
        let answer = match level.map(|level| engine.set_level(level)) {
            None => format!("{}; another one: level 8", engine.title()),
            Some(Ok(())) => format!("Your opponent is {} now.", engine.title()),
            Some(Err(error)) => format!("{error}."),
        };
        self.say(&answer)
    }

    fn engine(&mut self) -> Turn {
        let watched = !self.has_person();
        let color = self.game().color();
        let began = Instant::now();
        let game = self.history.game();
        let Seat::Engine(player) = &mut self.setup.seats[color as usize] else {
            return Ok(None);
        };
        let chosen = match player.choose(game) {
            Ok(chosen) => chosen,
            Err(EngineError::Stopped) => return Ok(Some(End::Stopped)),
            Err(error) => return Err(error.into()),
        };
        if let Some(error) = chosen.recovered {
            self.say(&format!("{error}. It was started again."))?;
        }
        let mv = Move::Play(chosen.square);
        self.history
            .play(mv)
            .map_err(|_| EngineError::IllegalMove {
                engine: self.seat(color).title(),
                answer: mv.to_string().into(),
                position: self.game().board().to_text(color),
            })?;
        self.is_shown = false;
        self.say(&format!("{} plays {mv}", side(color)))?;
        if watched && !self.is_over() {
            if !self.game().board().must_pass() {
                self.show_with_hints()?;
            }
            self.wait_until(began + self.setup.delay);
        }
        Ok(None)
    }

    /// Sleeps, unless the program is being stopped.
    fn wait_until(&self, until: Instant) {
        while !self.setup.stop.is_requested() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }

    fn show_with_hints(&mut self) -> Result<(), PlayError> {
        let scores = match self.setup.hints {
            true => self.scores()?,
            false => Vec::new(),
        };
        self.show(&scores)
    }

    /// The board and the disc counts.
    fn show(&mut self, scores: &[MoveScore]) -> Result<(), PlayError> {
        let look = (self.setup.screen)().look;
        let board = picture::board(self.game(), scores, look);
        let counts = discs(self.game());
        let legend = match (scores.is_empty(), look.narrow) {
            (true, _) => "",
            (false, false) => "Scores: discs ahead at the end, for who moves; the best in [ ]\n",
            (false, true) => "Scores: discs ahead at the end; best: *\n",
        };
        self.say(&format!("\n{board}{legend}{counts}"))?;
        self.is_shown = true;
        Ok(())
    }

    /// Every legal move's score; none, and a word about it, where there are none to be had.
    fn scores(&mut self) -> Result<Vec<MoveScore>, PlayError> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        match (self.setup.scorer)(self.history.game()) {
            Ok(scores) => Ok(scores),
            // The loop sees the stop.
            Err(EngineError::Stopped) => Ok(Vec::new()),
            Err(error) => {
                self.setup.hints = false;
                self.say(&format!("There are no hints: {error}."))?;
                Ok(Vec::new())
            }
        }
    }

    /// Adds the game to the file, if there is one, something was played, and it was not added
    /// already. Says whether it was added now.
    fn keep(&mut self) -> Result<bool, SaveError> {
        if self.history.is_fresh() || self.kept.as_ref() == Some(self.game()) {
            return Ok(false);
        }
        let [black, white] =
            [Color::Black, Color::White].map(|color| self.seat(color).record_name());
        let Some(save) = &mut self.setup.save else {
            return Ok(false);
        };
        save.add(WrittenGame {
            game: self.history.game(),
            black: &black,
            white: &white,
        })?;
        self.kept = Some(self.game().clone());
        Ok(true)
    }

    fn say_kept(&mut self) -> Result<(), PlayError> {
        match &self.setup.save {
            Some(save) => {
                let line = format!("Added to {}", save.path().shown());
                self.say(&line)
            }
            None => Ok(()),
        }
    }

    /// The game's text, unless it was told already.
    fn tell_game(&mut self) -> Result<(), PlayError> {
        let text = game_text(self.game(), self.resigned);
        if self.told.as_ref() == Some(&text) {
            return Ok(());
        }
        self.say(text.trim_end())?;
        self.told = Some(text);
        self.is_shown = true;
        Ok(())
    }

    /// The position is not the one that was shown, nor one that engines expect.
    fn forget(&mut self) {
        self.is_shown = false;
        for seat in &mut self.setup.seats {
            if let Seat::Engine(player) = seat {
                EnginePlayer::forget(player);
            }
        }
    }

    fn game(&self) -> &Game {
        self.history.game()
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game().is_over()
    }

    fn seat(&self, color: Color) -> &Seat {
        &self.setup.seats[color as usize]
    }

    fn has_person(&self) -> bool {
        self.setup.seats.iter().any(Seat::is_person)
    }

    fn legal(&self) -> String {
        let squares: Vec<String> = Squares(self.game().board().legal_moves())
            .map(|square| square.to_string())
            .collect();
        squares.join(" ")
    }

    fn say(&mut self, line: &str) -> Result<(), PlayError> {
        let text = match (self.setup.screen)().columns {
            Some(columns) => wrapped(line, columns),
            None => line.to_owned(),
        };
        self.out.write_all(format!("{text}\n").as_bytes())?;
        Ok(self.out.flush()?)
    }
}

fn text(moves: &[Move]) -> String {
    let words: Vec<String> = moves.iter().map(Move::to_string).collect();
    words.join(" ")
}

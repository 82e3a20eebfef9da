//! `rdg play`: a game in the terminal.

use super::display::{stdout_columns, stdout_look};
use super::engines::{EngineName, Registry};
use super::players::{Player, player};
use super::runner::{self, Closing, Failure, Runner};
use crate::arena::play::{
    End, EnginePlayer, PlayError, Scorer, Screen, Seat, Setup, Starter, play, stdin_lines,
};
use crate::arena::save::SaveFile;
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::board::Game;
use crate::cli::{ColorArg, PlayArgs};
use crate::config::EngineSpec;
use crate::engine::builtin::Evaluation;
use crate::engine::{Engine, EngineError, launch};
use crate::records::read_typed;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Level of the embedded engine where nobody says one: a game for people who know the rules.
const LEVEL: u32 = 3;

/// Plies that weight files search where nobody says how many.
const DEPTH: u32 = 3;

/// Plays one game after another until the person has enough.
pub(super) fn run(args: &PlayArgs) -> ExitCode {
    let runner = Runner::plain("play");
    let asked = match understand(args) {
        Ok(asked) => asked,
        Err(message) => return runner.refuse(&message),
    };
    runner.run_at_once(|running| {
        let stop = &running.stop;
        let result = seats(asked.players, stop).map_err(PlayError::Engine);
        let result = result.and_then(|seats| {
            let on_terminal = rustix::termios::isatty(rustix::stdio::stdout());
            let delay = Duration::from_secs(u64::from(on_terminal));
            let setup = Setup {
                start: asked.start,
                seats,
                scorer: scorer(asked.hints, stop.clone()),
                hints: args.hints,
                delay: args.delay.unwrap_or(delay),
                screen: Box::new(|| screen(args.no_color)),
                echo: !rustix::termios::isatty(rustix::stdio::stdin()),
                save: asked.save,
                stop: stop.clone(),
            };
            play(setup, &mut stdin_lines(stop), &mut io::stdout().lock())
        });
        match result {
            Ok(End::Left) => runner::End::Finished(Closing::default()),
            Ok(End::Stopped) | Err(PlayError::Engine(EngineError::Stopped)) => {
                Failure::Stopped.into()
            }
            Err(PlayError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
                runner::End::Finished(Closing::default())
            }
            Err(error) => Failure::Failed(error.to_string()).into(),
        }
    })
}

fn screen(no_color: bool) -> Screen {
    Screen {
        look: stdout_look(no_color),
        columns: stdout_columns(),
    }
}

/// Everything that was asked for, checked as far as it can be without starting anything.
struct Asked {
    start: Game,
    /// Black and White; a person is nobody that could be started.
    players: [Option<Player>; 2],
    hints: EngineSpec,
    save: Option<SaveFile>,
}

fn understand(args: &PlayArgs) -> Result<Asked, String> {
    let start = start(args)?;
    let mut registry = Registry::new(args.app_config.as_deref())?;
    let players = players(args, &mut registry)?;
    let hints = hints(args, &mut registry)?;
    let save = match &args.save {
        Some(path) => Some(SaveFile::open(path, &start).map_err(|error| error.to_string())?),
        None => None,
    };
    Ok(Asked {
        start,
        players,
        hints,
        save,
    })
}

fn start(args: &PlayArgs) -> Result<Game, String> {
    if let Some(moves) = &args.moves {
        return read_typed(moves).map_err(|error| format!("--moves cannot be played: {error}"));
    }
    match &args.position {
        Some(text) => read_typed(text).map_err(|error| format!("--position: {error}")),
        None => Ok(Game::new()),
    }
}

fn players(args: &PlayArgs, registry: &mut Registry) -> Result<[Option<Player>; 2], String> {
    let person = || Path::new("person");
    let engine = || args.engine.as_deref().unwrap_or(Path::new("builtin"));
    let words = match (&args.black, &args.white) {
        (Some(_), Some(_)) if args.engine.is_some() => {
            return Err(
                "--engine is whom a person plays against; --black and --white say that already"
                    .to_owned(),
            );
        }
        (Some(black), Some(white)) => [black.as_path(), white.as_path()],
        (Some(black), None) if is_person(black) => [black.as_path(), engine()],
        (None, Some(white)) if is_person(white) => [engine(), white.as_path()],
        (Some(other), None) | (None, Some(other)) if args.engine.is_some() => {
            return Err(format!(
                "--engine and `{}` are both whom you play against; leave one away",
                other.shown()
            ));
        }
        (Some(black), None) => [black.as_path(), person()],
        (None, Some(white)) => [person(), white.as_path()],
        (None, None) => match args.colour {
            Some(ColorArg::White) => [engine(), person()],
            _ => [person(), engine()],
        },
    };
    let mut takes_weights = words.iter().all(|word| is_person(word));
    let mut seated = [None, None];
    for (seat, word) in seated.iter_mut().zip(words) {
        if is_person(word) {
            continue;
        }
        let is_plain_builtin = word == Path::new("builtin");
        let level = args.level.or(is_plain_builtin.then_some(LEVEL));
        let mut player = player(word, level, DEPTH, registry)?;
        // A weight file whose word names no depth.
        if let (Player::Weights { path, .. }, Some(level)) = (&player, args.level)
            && path == word
        {
            player = player.at_level(level)?;
        }
        if let Player::Engine(spec) = &mut player
            && spec.entry.kind.is_embedded()
        {
            takes_weights = true;
            give_weights(spec, args.weights.as_deref())?;
        }
        *seat = Some(player);
    }
    if args.weights.is_some() && !takes_weights {
        return Err("--weights is for the embedded engine, and it does not play here".to_owned());
    }
    Ok(seated)
}

fn is_person(word: &Path) -> bool {
    ["person", "human", "me", "you"]
        .iter()
        .any(|name| word == Path::new(name))
}

/// Lets the embedded engine judge by these weights, once they are known to be some.
fn give_weights(spec: &mut EngineSpec, weights: Option<&Path>) -> Result<(), String> {
    if let Some(path) = weights {
        Evaluation::from_file(path)?;
        spec.entry.eval_file = Some(path.to_owned());
    }
    Ok(())
}

/// The engine that gives hints: the same as `rdg analyze` takes.
fn hints(args: &PlayArgs, registry: &mut Registry) -> Result<EngineSpec, String> {
    let name = EngineName::parse(&args.hint_engine).ok_or_else(|| {
        format!(
            "`{}` is not an engine; write its name in {}, with a level after a colon if wanted",
            args.hint_engine.shown(),
            registry.path().shown()
        )
    })?;
    let mut spec = registry.engine(&name, None, None)?;
    if spec.entry.kind.is_embedded() {
        give_weights(&mut spec, args.weights.as_deref())?;
    }
    Ok(spec)
}

/// Starts whoever is to be started.
fn seats(players: [Option<Player>; 2], stop: &Stop) -> Result<[Seat; 2], EngineError> {
    let seat = |player: Option<Player>| match player {
        None => Ok(Seat::Person),
        Some(player) => {
            let stop = stop.clone();
            EnginePlayer::new(Box::new(FromCommandLine { player, stop }))
                .map(|player| Seat::Engine(Box::new(player)))
        }
    };
    let [black, white] = players;
    Ok([seat(black)?, seat(white)?])
}

/// An engine as it was asked for, to be started again at any level.
struct FromCommandLine {
    player: Player,
    stop: Stop,
}

impl Starter for FromCommandLine {
    fn title(&self) -> String {
        self.player.title()
    }

    fn start(&self) -> Result<Box<dyn Engine>, EngineError> {
        self.player.start(&self.stop)
    }

    fn at_level(&self, level: u32) -> Result<Box<dyn Starter>, String> {
        Ok(Box::new(FromCommandLine {
            player: self.player.at_level(level)?,
            stop: self.stop.clone(),
        }))
    }
}

/// Scores moves with an engine that is started when the first hint is wanted, and again after it
/// failed.
fn scorer(spec: EngineSpec, stop: Stop) -> Scorer<'static> {
    let mut running: Option<Box<dyn Engine>> = None;
    Box::new(move |game| {
        let mut engine = match running.take() {
            Some(engine) => engine,
            None => launch(&spec, &stop)?,
        };
        engine.new_game()?;
        let scores = engine.score_moves(game)?;
        running = Some(engine);
        Ok(scores)
    })
}

//! Players as people name them on the command line: engines of app.toml and weight files.

use super::engines::{EngineName, Registry};
use crate::base::stop::Stop;
use crate::config::EngineSpec;
use crate::engine::builtin::{read_weight_file, whole_weights};
use crate::engine::launch::launch_counting;
use crate::engine::{Engine, EngineError};
use crate::learn::player::WeightPlayer;
use crate::learn::settings::MAX_DEPTH;
use crate::learn::weights::IntegerWeights;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Somebody who can be started any number of times.
pub enum Player {
    /// An engine.
    Engine(Box<EngineSpec>),
    /// A weight file with the search of self-play.
    Weights {
        /// The file.
        path: PathBuf,
        /// What it holds.
        weights: Box<IntegerWeights>,
        /// Plies searched.
        depth: u32,
        /// Plays, and makes others like itself.
        player: WeightPlayer,
    },
}

impl Player {
    /// Starts one.
    pub fn start(&self, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        self.start_counting(stop, &mut |_| {})
    }

    /// Starts one; `on_failure` is told of every failed start that another one follows.
    pub fn start_counting(
        &self,
        stop: &Stop,
        on_failure: &mut dyn FnMut(&EngineError),
    ) -> Result<Box<dyn Engine>, EngineError> {
        match self {
            Player::Engine(spec) => launch_counting(spec, stop, on_failure),
            Player::Weights { player, .. } => Ok(Box::new(player.another())),
        }
    }

    /// Whether it is a process of its own.
    pub fn is_process(&self) -> bool {
        matches!(self, Player::Engine(spec) if !spec.entry.kind.is_embedded())
    }

    /// Its name with its level or depth.
    pub fn title(&self) -> String {
        match self {
            Player::Engine(spec) => spec.title(),
            Player::Weights { path, depth, .. } => format!("{} depth {depth}", path.display()),
        }
    }

    /// The same player with a time for each move.
    ///
    /// # Errors
    /// One message, for a player that cannot be told one.
    pub fn with_move_time(self, time: Duration) -> Result<Player, String> {
        match self {
            Player::Engine(spec) => {
                let spec = spec.with_move_time(time)?;
                Ok(Player::Engine(Box::new(spec)))
            }
            Player::Weights { path, .. } => Err(format!(
                "{} is a weight file, which is played to a depth, not by time",
                path.display()
            )),
        }
    }

    /// The same player at another level; for a weight file the level is the depth.
    ///
    /// # Errors
    /// One message, for a level that it does not have.
    pub fn at_level(&self, level: u32) -> Result<Player, String> {
        match self {
            Player::Engine(spec) => {
                let spec = EngineSpec::clone(spec).at_level(level)?;
                Ok(Player::Engine(Box::new(spec)))
            }
            Player::Weights { path, weights, .. } if (1..=MAX_DEPTH).contains(&level) => {
                Ok(weight_player(path, **weights, level))
            }
            Player::Weights { path, .. } => Err(format!(
                "{} is played with a depth from 1 to {MAX_DEPTH}, not {level}",
                path.display()
            )),
        }
    }
}

/// An engine of the registry, or a weight file. `level` is for an engine whose word names none,
/// `depth` for a weight file whose word names none.
///
/// # Errors
/// One message that names the player, or every fault of the registry's file.
pub fn player(
    word: &Path,
    level: Option<u32>,
    depth: u32,
    registry: &mut Registry,
) -> Result<Player, String> {
    let text = word.to_str();
    let name = text.and_then(EngineName::parse);
    if let Some(name) = &name
        && (registry.has(&name.name) || !word.exists())
    {
        return registry
            .engine(name, level, None)
            .map(|spec| Player::Engine(Box::new(spec)))
            .map_err(|error| format!("player `{}`: {error}", word.display()));
    }
    let (path, depth) = match text.and_then(|text| text.rsplit_once(':')) {
        Some((path, digits)) if !word.exists() => match digits.parse() {
            Ok(depth) if (1..=MAX_DEPTH).contains(&depth) => (Path::new(path), depth),
            _ => {
                return Err(format!(
                    "player `{}`: `{digits}` is no depth from 1 to {MAX_DEPTH}",
                    word.display()
                ));
            }
        },
        _ => (word, depth),
    };
    let weights = IntegerWeights(whole_weights(&read_weight_file(path)?));
    Ok(weight_player(path, weights, depth))
}

fn weight_player(path: &Path, weights: IntegerWeights, depth: u32) -> Player {
    Player::Weights {
        path: path.to_owned(),
        weights: Box::new(weights),
        depth,
        player: WeightPlayer::new(&path.display().to_string(), &weights, depth),
    }
}

//! Players as people name them on the command line: engines of app.toml and weight files.

use super::engines::{EMBEDDED, EngineName, Registry};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::config::{EngineEntry, EngineSpec};
use crate::engine::BUILTIN;
use crate::engine::builtin::patterns::Patterns;
use crate::engine::builtin::{read_weight_file, whole_weights};
use crate::engine::launch::launch_counting;
use crate::engine::{Engine, EngineError};
use crate::learn::player::WeightPlayer;
use crate::learn::settings::MAX_DEPTH;
use crate::learn::weights::IntegerWeights;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Somebody who can be started any number of times.
pub(super) enum Player {
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
    pub(super) fn start(&self, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        self.start_counting(stop, &mut |_| {})
    }

    /// Starts one; `on_failure` is told of every failed start that another one follows.
    pub(super) fn start_counting(
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
    pub(super) fn is_process(&self) -> bool {
        matches!(self, Player::Engine(spec) if !spec.entry.kind.is_embedded())
    }

    /// Its name with its level or depth.
    pub(super) fn title(&self) -> String {
        match self {
            Player::Engine(spec) => spec.title(),
            Player::Weights { path, depth, .. } => format!("{} depth {depth}", path.shown()),
        }
    }

    /// The same player with a time for each move.
    ///
    /// # Errors
    /// One message, for a player that cannot be told one.
    pub(super) fn with_move_time(self, time: Duration) -> Result<Player, String> {
        match self {
            Player::Engine(spec) => {
                let spec = spec.with_move_time(time)?;
                Ok(Player::Engine(Box::new(spec)))
            }
            Player::Weights { path, .. } => Err(format!(
                "{} is a weight file, which is played to a depth, not by time",
                path.shown()
            )),
        }
    }

    /// The same player at another level; for a weight file the level is the depth.
    ///
    /// # Errors
    /// One message, for a level that it does not have.
    pub(super) fn at_level(&self, level: u32) -> Result<Player, String> {
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
                path.shown()
            )),
        }
    }
}

/// An engine of the registry, or a weight file: square weights with the search of self-play, pattern
/// weights with the embedded engine's. `level` is for an engine or pattern weights whose word names
/// none, `depth` for square weights whose word names none.
///
/// # Errors
/// One message that names the player, or every fault of the registry's file.
pub(super) fn player(
    word: &Path,
    level: Option<u32>,
    depth: u32,
    registry: &mut Registry,
) -> Result<Player, String> {
    let text = word.to_str();
    let name = text.and_then(EngineName::parse);
    if let Some(name) = &name
        && (registry.has(&name.name) || !file_and_strength(word).0.exists())
    {
        return registry
            .engine(name, level, None)
            .map(|spec| Player::Engine(Box::new(spec)))
            .map_err(|error| format!("player `{}`: {error}", word.shown()));
    }
    let (path, strength) = file_and_strength(word);
    if Patterns::from_file(path)?.is_some() {
        // Refused by the level, the file is named.
        let words = format!("{EMBEDDED}:{}", strength.unwrap_or_default());
        let wanted = match strength {
            Some(_) => EngineName::parse(&words),
            None => EngineName::parse(EMBEDDED),
        };
        let wanted = wanted.ok_or_else(|| {
            format!(
                "player `{}`: `{}` is neither a level nor a time for each move",
                shown(word),
                shown(Path::new(strength.unwrap_or_default()))
            )
        })?;
        return with_weights(path, &wanted, level)
            .map(|spec| Player::Engine(Box::new(spec)))
            .map_err(|error| format!("player `{}`: {error}", shown(word)));
    }
    let depth = match strength.map(str::parse) {
        None => depth,
        Some(Ok(depth)) if (1..=MAX_DEPTH).contains(&depth) => depth,
        Some(_) => {
            return Err(format!(
                "player `{}`: `{}` is not a depth from 1 to {MAX_DEPTH}",
                shown(word),
                shown(Path::new(strength.unwrap_or_default()))
            ));
        }
    };
    let weights = IntegerWeights(whole_weights(&read_weight_file(path)?));
    Ok(weight_player(path, weights, depth))
}

/// The embedded engine with the weights of this file, which is its name; app.toml has no say.
fn with_weights(
    file: &Path,
    wanted: &EngineName,
    level: Option<u32>,
) -> Result<EngineSpec, String> {
    let mut entry = EngineEntry::new(&shown(file), BUILTIN);
    entry.eval_file = Some(file.to_owned());
    let level = wanted.level.or(level).unwrap_or(BUILTIN.usual_level());
    let spec = EngineSpec::new(entry, level).at_level(level)?;
    match wanted.time {
        Some(time) => spec.with_move_time(time),
        None => Ok(spec),
    }
}

/// A weight file as it was named, without the level, depth or time behind a colon.
pub(super) fn file_and_strength(word: &Path) -> (&Path, Option<&str>) {
    match word.to_str().and_then(|text| text.rsplit_once(':')) {
        Some((path, strength)) if !word.exists() => (Path::new(path), Some(strength)),
        _ => (word, None),
    }
}

/// A name without what would move the cursor.
fn shown(word: &Path) -> String {
    word.shown().to_string()
}

fn weight_player(path: &Path, weights: IntegerWeights, depth: u32) -> Player {
    Player::Weights {
        path: path.to_owned(),
        weights: Box::new(weights),
        depth,
        player: WeightPlayer::new(&path.shown().to_string(), &weights, depth),
    }
}

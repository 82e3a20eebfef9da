//! The kept games of a run: what is there of them, whether it can go on, and their settings.

use super::campaign::Campaign;
use super::error::{GenerateError, Unresumable};
use super::facts::{ExistingOutput, RunFacts};
use super::open::Existing;
use super::phase::PhasePlan;
use super::settings::differences;
use crate::dataset::metadata::DataMode;
use crate::games::{GAMES_STATE_SCHEMA, GamesDir, GamesState, GamesWriter, sound_part};
use crate::progress::{Event, Progress};
use serde_json::{Map, Value};

/// Settings that decide how games become records, and no game.
const OF_RECORDS: [&str; 7] = [
    "phase",
    "split.by",
    "split.method",
    "split.train",
    "split.valid",
    "split.test",
    "label.value",
];

/// What decides the games of a campaign, by name: the settings of any of its phases without those
/// that decide how games become records.
fn games_settings(plans: &[PhasePlan]) -> Map<String, Value> {
    let mut settings = plans
        .first()
        .map(|plan| plan.settings.clone())
        .unwrap_or_default();
    settings.retain(|name, _| !OF_RECORDS.contains(&name.as_str()));
    settings
}

/// The games of one campaign as a run finds them.
pub(super) struct FoundGames {
    dir: GamesDir,
    /// To go on from, or to begin with.
    state: GamesState,
    keeps: bool,
    replace: bool,
}

/// Looks at the games of every campaign. Nothing is changed yet.
///
/// # Errors
/// Games that cannot be continued, unless the run repairs.
pub(super) fn find(
    facts: &RunFacts,
    campaigns: &[Campaign],
    plans: &[Vec<PhasePlan>],
    existing: &Existing,
    progress: &Progress,
) -> Result<Vec<FoundGames>, GenerateError> {
    let mut bad = Vec::new();
    let mut all = Vec::new();
    for (campaign, plans) in campaigns.iter().zip(plans) {
        let dir = GamesDir::new(&facts.config.output_dir, campaign.anchor);
        let fresh = GamesState {
            schema: GAMES_STATE_SCHEMA.to_owned(),
            mode: DataMode::from(facts.config.mode),
            generation: facts.generation(),
            anchor: campaign.anchor,
            seed: facts.seed,
            settings: games_settings(plans),
            first_game: campaign.numbers.first,
            step: campaign.numbers.step,
            next_game: campaign.numbers.first,
            games: 0,
            bytes: 0,
            reproducible: true,
            endings: Default::default(),
        };
        let replace = existing.what() == ExistingOutput::Replace;
        let (state, fault) = match campaign.keeps_games && !replace {
            true => judge(&dir, fresh, existing.games_counted(&campaign.phases))?,
            false => (fresh, None),
        };
        if let Some(reason) = fault {
            let from = state.next_game;
            bad.push((campaign.anchor, reason, from));
        }
        all.push(FoundGames {
            dir,
            state,
            keeps: campaign.keeps_games,
            replace,
        });
    }
    if !bad.is_empty() && existing.what() != ExistingOutput::Repair {
        let unresumable = |(phase, reason, _)| Unresumable {
            phase,
            reason: format!("kept games: {reason}").into(),
        };
        return Err(GenerateError::NotResumable {
            phases: bad.into_iter().map(unresumable).collect(),
        });
    }
    for (anchor, reason, from) in bad {
        progress.emit(Event::Warning(format!(
            "games of phase {anchor} from number {from} on are played and kept again: {reason}"
        )));
    }
    Ok(all)
}

/// The part of the games on disk that can be continued, and why it is not all that `counted`
/// games of phases ask for.
fn judge(
    dir: &GamesDir,
    fresh: GamesState,
    counted: u64,
) -> Result<(GamesState, Option<String>), GenerateError> {
    let found = match GamesState::read(dir) {
        Ok(found) => found,
        Err(error) if error.is_missing() => {
            let fault = (counted > fresh.first_game).then(|| format!("{error}"));
            return Ok((fresh, fault));
        }
        Err(error) if error.is_corruption() => return Ok((fresh, Some(error.to_string()))),
        Err(error) => return Err(error.into()),
    };
    let differing = differences(&found.settings, &fresh.settings);
    if !differing.is_empty() {
        let fault = format!(
            "they were played with other settings ({})",
            differing.join("; ")
        );
        return Ok((fresh, Some(fault)));
    }
    if (found.first_game, found.step) != (fresh.first_game, fresh.step) {
        return Ok((fresh, Some("they have other numbers".to_owned())));
    }
    let (sound, fault) = match sound_part(dir, &found) {
        Ok(part) => part,
        Err(error) if error.is_missing() || error.is_corruption() => (fresh, Some(error)),
        Err(error) => return Err(error.into()),
    };
    let fault = match fault {
        Some(error) => Some(error.to_string()),
        None if counted > sound.next_game => Some(format!(
            "they end before game {}, but phases count {counted} games",
            sound.next_game
        )),
        None => None,
    };
    Ok((sound, fault))
}

impl FoundGames {
    /// Opens or begins the file; `None` where games are not kept.
    pub(super) fn open(&self) -> Result<Option<GamesWriter>, GenerateError> {
        if self.replace {
            self.dir.remove()?;
        }
        match self.keeps {
            true => {
                let (dir, state) = (self.dir.clone(), self.state.clone());
                Ok(Some(GamesWriter::continue_at(dir, state)?))
            }
            false => Ok(None),
        }
    }
}

//! Output that is there already, and what a run would do with it. Reads checkpoints, no records.

use crate::config::{DatasetConfig, SplitBy};
use crate::dataset::layout::PhaseDir;
use crate::dataset::run_state::RunState;
use crate::generate::open::{Existing, contradiction};
use crate::generate::settings::{
    HASH_DEFINITION, IdentifiedEngine, RunEngines, differences, effective_hash, effective_settings,
};
use crate::generate::{ExistingOutput, Request, group_phases};
use serde::Serialize;
use std::collections::BTreeMap;

/// What is there of a phase, and what would become of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PhaseState {
    /// Nothing is there.
    New,
    /// It would go on from its checkpoint.
    Continued,
    /// It has all its records.
    Complete,
    /// Its folder would be deleted (`--force`).
    Replaced,
    /// It would be made anew (`--repair`).
    Rebuilt,
    /// The run would refuse to start because of it.
    InTheWay,
}

/// The phases that have output.
pub(super) struct Found {
    phases: BTreeMap<u8, (PhaseState, u64)>,
    seed: Option<u64>,
    /// Why a phase is in the way or would be rebuilt.
    pub(super) reasons: Vec<(u8, String)>,
}

impl Found {
    pub(super) fn look(request: &Request) -> Found {
        let config = &request.config;
        let mut found = Found {
            phases: BTreeMap::new(),
            seed: None,
            reasons: Vec::new(),
        };
        let engines = identify(request);
        // What cannot be looked at is told of by the run itself.
        let split_by = Existing::look(config, request.existing)
            .map_or(SplitBy::Game, |existing| existing.split_by(config));
        for (anchor, group) in group_phases(config) {
            for phase in group {
                let dir = PhaseDir::new(&config.output_dir, phase);
                // A folder that cannot be looked at is told of by the run itself.
                if !dir.exists().unwrap_or(true) {
                    continue;
                }
                let what = found.judge(request, engines.as_ref(), split_by, &dir, anchor);
                found.phases.insert(phase, what);
            }
        }
        found
    }

    fn judge(
        &mut self,
        request: &Request,
        engines: Option<&RunEngines>,
        split_by: SplitBy,
        dir: &PhaseDir,
        anchor: u8,
    ) -> (PhaseState, u64) {
        let unusable = match request.existing {
            ExistingOutput::Refuse => return (PhaseState::InTheWay, 0),
            ExistingOutput::Replace => return (PhaseState::Replaced, 0),
            ExistingOutput::Resume => PhaseState::InTheWay,
            ExistingOutput::Repair => PhaseState::Rebuilt,
        };
        let fault = match RunState::read(dir) {
            Err(error) if error.is_missing() => "it has no run_state.json".to_owned(),
            Err(error) => error.to_string(),
            Ok(state) => match settings_fault(request, engines, split_by, &state, anchor)
                .or_else(|| contradiction(&state))
            {
                Some(fault) => fault,
                None => {
                    self.seed = self.seed.or(Some(state.seed));
                    let records = state.records.total();
                    let kind = match state.complete && records >= state.samples_per_phase {
                        true => PhaseState::Complete,
                        false => PhaseState::Continued,
                    };
                    return (kind, records);
                }
            },
        };
        self.reasons.push((dir.phase(), fault));
        (unusable, 0)
    }

    /// What is there of a phase, and how many records would be kept.
    pub(super) fn phase(&self, phase: u8) -> (PhaseState, u64) {
        self.phases
            .get(&phase)
            .copied()
            .unwrap_or((PhaseState::New, 0))
    }

    /// The configured seed, or that of what would be continued.
    pub(super) fn seed(&self, config: &DatasetConfig) -> Option<u64> {
        config.seed.or(self.seed)
    }
}

/// The engines with the hashes of their files; `None` where a file is missing.
fn identify(request: &Request) -> Option<RunEngines> {
    if !matches!(
        request.existing,
        ExistingOutput::Resume | ExistingOutput::Repair
    ) {
        return None;
    }
    let identify = |spec: &crate::config::EngineSpec| {
        let identity = crate::engine::identify(spec).ok()?;
        Some(IdentifiedEngine {
            spec: spec.clone(),
            identity,
        })
    };
    Some(RunEngines {
        self_play: identify(&request.engines.self_play)?,
        playout: match &request.engines.playout {
            Some(spec) => Some(identify(spec)?),
            None => None,
        },
    })
}

/// Why a checkpoint does not fit the configuration.
fn settings_fault(
    request: &Request,
    engines: Option<&RunEngines>,
    split_by: SplitBy,
    state: &RunState,
    anchor: u8,
) -> Option<String> {
    if state.hash_definition != HASH_DEFINITION {
        return Some(format!(
            "its settings' hash is defined as `{}`, not as `{HASH_DEFINITION}`",
            state.hash_definition
        ));
    }
    let config = &request.config;
    let seed = config.seed.unwrap_or(state.seed);
    let book = request.book.as_deref();
    let settings = effective_settings(config, engines?, book, seed, split_by, state.phase, anchor);
    if effective_hash(&settings) == state.config_effective_hash {
        return None;
    }
    let differing = differences(&state.settings, &settings);
    Some(format!(
        "it was made with other settings ({})",
        differing.join("; ")
    ))
}

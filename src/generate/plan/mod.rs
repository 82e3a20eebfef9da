//! What a run would make and need, without making anything: the answer to `--dry-run`.
//!
//! [`build`] looks at the configuration, the output folder and the machine, and writes nothing,
//! starts nothing. [`PlanReport`] is the result as plain figures; [`text`] and serde show it.

mod existing;
mod text;
mod warnings;

pub(crate) use existing::PhaseState;

use crate::base::machine::Machine;
use crate::board::distinct_positions;
use crate::config::{EngineSpec, Mode};
use crate::dataset::record::{RECORD_SIZE, file_size};
use crate::engine::launch::memory_estimate;
use crate::generate::measure::Measured;
use crate::generate::{Request, balance, group_phases, prices, repetition};
use crate::progress::expected_games;
use existing::Found;
use serde::Serialize;
use std::io;

/// Name of the form of the JSON.
pub(crate) const PLAN_SCHEMA: &str = "rdg_plan_v1";

/// How many more positions a phase has than the one before it, where nobody has counted them.
const GROWTH: u64 = 7;
/// Memory of the duplicates' set per record.
const DEDUPE_BYTES: u64 = 24;
/// Memory of rdg for each worker at most.
const WORKER_BYTES: u64 = 2 << 20;
/// Disk space of a phase beside its records: three JSON files, and what six files lose to blocks.
const PHASE_OVERHEAD: u64 = 40 << 10;

/// A run in figures. Bytes, records and games; what is an estimate says so.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct PlanReport {
    /// [`PLAN_SCHEMA`].
    pub schema: &'static str,
    /// `normal` or `all_positions`.
    pub mode: &'static str,
    /// `window` or `phase`: what the games of one campaign fill.
    pub generation: &'static str,
    /// Phases per window.
    pub window_size: Option<u8>,
    /// config.toml.
    pub config_path: String,
    /// Where it would go.
    pub output_dir: String,
    /// `None`: one would be drawn.
    pub seed: Option<u64>,
    /// The lines that games begin with.
    pub openings: Option<OpeningsPlan>,
    /// Who plays.
    pub engines: Vec<EnginePlan>,
    /// Worker threads.
    pub workers: usize,
    /// CPUs that rdg may use.
    pub cpus: usize,
    /// Ascending.
    pub phases: Vec<PhasePlan>,
    /// In the order in which they would be worked on.
    pub campaigns: Vec<CampaignPlan>,
    /// Over all phases.
    pub total: Total,
    /// Records by split in the end, about.
    pub splits: Splits,
    /// How long it takes.
    pub time: TimePlan,
    /// Disk space.
    pub disk: Disk,
    /// Memory.
    pub memory: Memory,
    /// What a user should know before starting.
    pub warnings: Vec<String>,
}

/// The openings file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct OpeningsPlan {
    /// Where it is.
    pub file: String,
    /// Its lines.
    pub lines: usize,
    /// Different positions that they lead to, up to symmetry.
    pub distinct_positions: usize,
    /// `random` or `sequential`.
    pub order: &'static str,
}

/// An engine of the run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct EnginePlan {
    /// `self_play` or `playout`.
    pub role: &'static str,
    /// Name in app.toml.
    pub name: String,
    /// `edax`, `builtin` …
    pub kind: &'static str,
    /// Playing strength.
    pub level: Option<u32>,
    /// Threads of one engine.
    pub threads: Option<u32>,
    /// Deadline of a move.
    pub timeout_seconds: f64,
    /// Processes that would run at a time; 0 for the embedded engine.
    pub processes: usize,
    /// Memory of one, where it is known.
    pub memory_bytes: Option<u64>,
}

/// A phase of the run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct PhasePlan {
    /// Discs − 4.
    pub phase: u8,
    /// Phase at which its games leave the random playout.
    pub anchor: u8,
    /// Records wanted.
    pub target_samples: u64,
    /// Whether that number is an estimate.
    pub is_estimate: bool,
    /// What is there, and what would become of it.
    pub state: PhaseState,
    /// Records that are there and would be kept.
    pub existing_samples: u64,
    /// Records to be added.
    pub new_samples: u64,
    /// Size of its three `.rd` files in the end.
    pub bytes: u64,
    /// Games that this phase alone needs.
    pub expected_games: u64,
}

/// Games that fill one phase or the phases of one window.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct CampaignPlan {
    /// Where its games leave the random playout.
    pub anchor: u8,
    /// Phases filled.
    pub phases: Vec<u8>,
    /// Games needed, at least about: duplicates are foreseen where positions are few.
    pub expected_games: u64,
    /// Of games begun, the share that `playout.max_score` lets go on from the anchor, estimated from 128
    /// of each; absent where it lets all.
    pub balanced_share: Option<f64>,
    /// Games after which it would give up; absent in all_positions mode.
    pub max_games: Option<u64>,
    /// Seconds of one game on one worker, where that can be told.
    pub seconds_per_game: Option<f64>,
    /// Seconds until it is full, with all workers.
    pub seconds: Option<f64>,
}

/// How long the run takes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct TimePlan {
    /// Seconds, with all workers; absent where nobody knows.
    pub seconds: Option<f64>,
    /// `measured`: games were played; `table`: as another machine took; `none`.
    pub basis: &'static str,
    /// Games that were played to measure.
    pub measured_games: Option<u64>,
    /// Games that are taken to be played at the same time.
    pub games_at_once: f64,
}

/// Records by split.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Splits {
    /// To learn from.
    pub train: u64,
    /// To choose by.
    pub valid: u64,
    /// To judge by.
    pub test: u64,
}

/// Sums over all phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Total {
    /// Records wanted.
    pub target_samples: u64,
    /// Of them, there already.
    pub existing_samples: u64,
    /// To be added.
    pub new_samples: u64,
    /// Size of all `.rd` files in the end.
    pub bytes: u64,
    /// Games needed, at least about.
    pub expected_games: u64,
}

/// Disk space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Disk {
    /// Needed in addition to what is taken, kept games included.
    pub needed_bytes: u64,
    /// Of it, for games that are kept: about.
    pub games_bytes: u64,
    /// Free for us where the output would go.
    pub free_bytes: Option<u64>,
}

/// Memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Memory {
    /// To recognise duplicates, at most.
    pub dedupe_bytes: u64,
    /// rdg itself without that, at most.
    pub rdg_bytes: u64,
    /// All engine processes, as far as known.
    pub engines_bytes: u64,
    /// Whether an engine is not counted in because nobody has measured it.
    pub engines_unknown: bool,
    /// The sum.
    pub needed_bytes: u64,
    /// Available now.
    pub available_bytes: Option<u64>,
}

/// Looks at everything that decides how a run would go.
pub(crate) fn build(request: &Request, measured: Option<&Measured>) -> PlanReport {
    build_on(
        request,
        &Machine::look(&request.config.output_dir),
        measured,
    )
}

/// The same for a given machine.
pub(crate) fn build_on(
    request: &Request,
    machine: &Machine,
    measured: Option<&Measured>,
) -> PlanReport {
    let config = &request.config;
    let found = Found::look(request);
    let groups = group_phases(config);
    let shares = balance::shares(config, request.book.as_deref());
    let balanced = |anchor: u8| {
        let mut shares = shares.iter().flatten();
        Some(shares.find(|(of, _)| *of == anchor)?.1)
    };
    let mut phases = Vec::new();
    for (anchor, group) in &groups {
        phases.extend(
            group
                .iter()
                .map(|&phase| plan_phase(request, &found, phase, *anchor, balanced(*anchor))),
        );
    }
    let table = prices::per_worker(&request.engines);
    let seconds_per_game = |anchor: u8| match measured {
        Some(measured) => measured.seconds_per_game(anchor),
        None => table.as_ref()?.get(usize::from(anchor)).copied(),
    };
    let at_once = match measured {
        Some(measured) => measured.workers as f64,
        None => prices::at_once(config, &request.engines, machine.cpus),
    };
    let mut campaigns: Vec<CampaignPlan> = groups
        .into_iter()
        .map(|(anchor, group)| CampaignPlan {
            anchor,
            balanced_share: balanced(anchor),
            expected_games: phases
                .iter()
                .filter(|plan| group.contains(&plan.phase))
                .map(|plan| plan.expected_games)
                .max()
                .unwrap_or(0),
            phases: group,
            seconds_per_game: seconds_per_game(anchor),
            seconds: None,
            max_games: (config.mode == Mode::Normal).then(|| {
                config
                    .samples_per_phase
                    .saturating_mul(config.playout.max_attempts_multiplier)
            }),
        })
        .collect();
    for campaign in &mut campaigns {
        campaign.seconds = match campaign.expected_games {
            0 => Some(0.0),
            u64::MAX => None,
            games => campaign
                .seconds_per_game
                .map(|seconds| seconds * games as f64 / at_once),
        };
    }
    let sum = |field: fn(&PhasePlan) -> u64| {
        phases
            .iter()
            .fold(0_u64, |sum, plan| sum.saturating_add(field(plan)))
    };
    let total = Total {
        target_samples: sum(|plan| plan.target_samples),
        existing_samples: sum(|plan| plan.existing_samples),
        new_samples: sum(|plan| plan.new_samples),
        bytes: sum(|plan| plan.bytes),
        expected_games: campaigns.iter().fold(0, |sum: u64, campaign| {
            sum.saturating_add(campaign.expected_games)
        }),
    };
    let engines = plan_engines(request);
    let memory = plan_memory(request, &phases, &campaigns, &engines, machine);
    let busy = phases.iter().filter(|plan| plan.new_samples > 0).count() as u64;
    let games_bytes = match config.keep_games {
        true => campaigns.iter().fold(0, |sum: u64, campaign| {
            let one = kept_game_bytes(campaign.anchor);
            sum.saturating_add(campaign.expected_games.saturating_mul(one))
        }),
        false => 0,
    };
    let seconds: Option<f64> = campaigns.iter().map(|campaign| campaign.seconds).sum();
    let time = TimePlan {
        seconds,
        basis: match (measured, seconds) {
            (Some(_), _) => "measured",
            (None, Some(_)) if table.is_some() => "table",
            (None, _) => "none",
        },
        measured_games: measured.map(|measured| measured.games),
        games_at_once: at_once,
    };
    let records = phases.iter().fold(0_u64, |sum, plan| {
        sum.saturating_add(plan.target_samples.max(plan.existing_samples))
    });
    let share = |share: f64| (records as f64 * share).round() as u64;
    let splits = Splits {
        train: share(config.split.train),
        valid: share(config.split.valid),
        test: share(config.split.test),
    };
    let new_bytes = total.new_samples.saturating_mul(RECORD_SIZE as u64);
    let mut report = PlanReport {
        schema: PLAN_SCHEMA,
        mode: config.mode.name(),
        generation: match config.window {
            Some(_) => "window",
            None => "phase",
        },
        window_size: config.window.map(|window| window.size),
        config_path: config.path.to_string_lossy().into_owned(),
        output_dir: config.output_dir.to_string_lossy().into_owned(),
        seed: found.seed(config),
        openings: match (&config.openings, &request.book) {
            (Some(openings), Some(book)) => Some(OpeningsPlan {
                file: openings.file.to_string_lossy().into_owned(),
                lines: book.lines(),
                distinct_positions: book.distinct(),
                order: openings.order.name(),
            }),
            _ => None,
        },
        engines,
        workers: config.self_play.workers,
        cpus: machine.cpus,
        phases,
        campaigns,
        total,
        splits,
        time,
        disk: Disk {
            needed_bytes: new_bytes
                .saturating_add(busy * PHASE_OVERHEAD)
                .saturating_add(games_bytes),
            games_bytes,
            free_bytes: machine.free_disk,
        },
        memory,
        warnings: Vec::new(),
    };
    report.warnings = warnings::warnings(&report, request, &found);
    report
}

/// Games to be begun so that so many are balanced.
fn with_unbalanced(games: u64, balanced: Option<f64>) -> u64 {
    match balanced {
        // None of those that were tried.
        Some(0.0) if games > 0 => u64::MAX,
        Some(share) if share > 0.0 => (games as f64 / share).ceil() as u64,
        _ => games,
    }
}

fn plan_phase(
    request: &Request,
    found: &Found,
    phase: u8,
    anchor: u8,
    balanced: Option<f64>,
) -> PhasePlan {
    let config = &request.config;
    let all_positions = config.mode == Mode::AllPositions;
    let (target, is_estimate) = match all_positions {
        true => positions(phase),
        false => (config.samples_per_phase, false),
    };
    let (state, existing) = found.phase(phase);
    let new = target.saturating_sub(existing);
    let records = target.max(existing);
    PhasePlan {
        phase,
        anchor,
        target_samples: target,
        is_estimate,
        state,
        existing_samples: existing,
        new_samples: new,
        // Three headers, however the records are split.
        bytes: file_size(records).map_or(u64::MAX, |size| size.saturating_add(20)),
        expected_games: match all_positions {
            true => new,
            false => {
                let engines = &request.engines;
                let book = request.book.as_deref();
                let games =
                    repetition::expected_games(config, engines, book, anchor, existing, target)
                        .unwrap_or(0)
                        .max(expected_games(phase, existing, target).ceil() as u64);
                with_unbalanced(games, balanced)
            }
        },
    }
}

/// A kept game: its block, a byte a move, and two for the score of each move of self-play.
fn kept_game_bytes(anchor: u8) -> u64 {
    18 + 60 + 2 * (60 - u64::from(anchor.min(60)))
}

/// The number of positions of a phase, and whether it is an estimate.
fn positions(phase: u8) -> (u64, bool) {
    if let Some(number) = distinct_positions(phase) {
        return (number, false);
    }
    let (last, number) = (0..phase)
        .rev()
        .find_map(|known| Some((known, distinct_positions(known)?)))
        .unwrap_or((0, 1));
    let growth = GROWTH.saturating_pow(u32::from(phase - last));
    (number.saturating_mul(growth), true)
}

fn plan_engines(request: &Request) -> Vec<EnginePlan> {
    let workers = request.config.self_play.workers;
    let plan = |role, spec: &EngineSpec| EnginePlan {
        role,
        name: spec.entry.name.clone(),
        kind: spec.entry.kind.name(),
        level: spec.told_level(),
        threads: spec.told_threads(),
        timeout_seconds: spec.timeout.as_secs_f64(),
        processes: match spec.entry.kind.is_embedded() {
            true => 0,
            false => workers,
        },
        memory_bytes: memory_estimate(spec),
    };
    let mut engines = vec![plan("self_play", &request.engines.self_play)];
    let playout = request.engines.playout.as_ref();
    engines.extend(playout.map(|spec| plan("playout", spec)));
    engines
}

fn plan_memory(
    request: &Request,
    phases: &[PhasePlan],
    campaigns: &[CampaignPlan],
    engines: &[EnginePlan],
    machine: &Machine,
) -> Memory {
    let workers = request.config.self_play.workers as u64;
    let of_campaign = |campaign: &CampaignPlan| {
        let sets = phases
            .iter()
            .filter(|plan| plan.anchor == campaign.anchor && plan.new_samples > 0);
        sets.fold(0_u64, |sum, plan| {
            let set = plan.target_samples.saturating_mul(DEDUPE_BYTES);
            sum.saturating_add(set)
        })
    };
    let sets: Vec<u64> = campaigns.iter().map(of_campaign).collect();
    // While the last games of one campaign are under way the next one has begun.
    let pairs = sets.windows(2).map(|pair| pair[0].saturating_add(pair[1]));
    let dedupe = pairs.chain(sets.first().copied()).max().unwrap_or(0);
    let engines_bytes = engines.iter().fold(0_u64, |sum, engine| {
        let one = engine.memory_bytes.unwrap_or(0);
        sum.saturating_add(one.saturating_mul(workers))
    });
    let rdg_bytes = workers.saturating_mul(WORKER_BYTES);
    Memory {
        dedupe_bytes: dedupe,
        rdg_bytes,
        engines_bytes,
        engines_unknown: engines.iter().any(|engine| engine.memory_bytes.is_none()),
        needed_bytes: dedupe
            .saturating_add(engines_bytes)
            .saturating_add(rdg_bytes),
        available_bytes: machine.available_memory,
    }
}

impl PlanReport {
    /// Writes it for people.
    pub(crate) fn write_text(&self, out: &mut impl io::Write) -> io::Result<()> {
        text::write(self, out)
    }

    /// Writes it for programs: one object on one line.
    pub(crate) fn write_json(&self, out: &mut impl io::Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests;

//! What a user should know before starting a run.

use super::existing::Found;
use super::{PhaseState, PlanReport};
use crate::base::shown::Shown;
use crate::base::text::{bytes, count, phases as shown};
use crate::config::{EngineSpec, Mode};
use crate::generate::{Request, repetition};
use crate::machine::setup::missing_files;
use std::collections::BTreeMap;

/// A split with fewer records is of little use.
const FEW: f64 = 5.0;

pub(super) fn warnings(report: &PlanReport, request: &Request, found: &Found) -> Vec<String> {
    let mut warnings = Vec::new();
    warnings.extend(missing_engines(request));
    warnings.extend(existing(report, request, found));
    warnings.extend(small_splits(report, request));
    warnings.extend(cpus(report, request));
    warnings.extend(repetition::foreseen(
        &request.config,
        &request.engines,
        request.book.as_deref(),
    ));
    warnings.extend(unbalanced(report));
    warnings.extend(attempts(report));
    warnings.extend(positions(report, request));
    warnings.extend(space(report));
    warnings.extend(reproducible(report));
    warnings
}

fn missing_engines(request: &Request) -> Vec<String> {
    let engines = &request.engines;
    let specs: Vec<&EngineSpec> = std::iter::once(&engines.self_play)
        .chain(&engines.playout)
        .collect();
    let sentence = |spec: &&EngineSpec| {
        let files = missing_files(spec);
        let names: Vec<String> = files
            .iter()
            .map(|file| file.path.shown().to_string())
            .collect();
        (!names.is_empty()).then(|| {
            format!(
                "engine `{}` is not there: {} missing; see [engines.{}] in {}",
                spec.entry.name,
                names.join(", "),
                spec.entry.name,
                request.app_config_path.shown()
            )
        })
    };
    specs.iter().filter_map(sentence).collect()
}

fn existing(report: &PlanReport, request: &Request, found: &Found) -> Vec<String> {
    let in_state = |state: PhaseState| -> Vec<u8> {
        let plans = report.phases.iter().filter(|plan| plan.state == state);
        plans.map(|plan| plan.phase).collect()
    };
    let mut warnings = Vec::new();
    let in_the_way = in_state(PhaseState::InTheWay);
    if !in_the_way.is_empty() && found.reasons.is_empty() {
        warnings.push(format!(
            "phases {} have output already in {}; the run would refuse to start: continue with \
             --resume, or delete it and start over with --force",
            shown(&in_the_way),
            request.config.output_dir.shown()
        ));
    }
    // Sixty phases with one and the same fault are one warning.
    let mut by_reason: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for (phase, reason) in &found.reasons {
        by_reason.entry(reason).or_default().push(*phase);
    }
    for (reason, phases) in by_reason {
        let are_in_the_way = in_the_way.contains(&phases[0]);
        let phases = shown(&phases);
        warnings.push(match are_in_the_way {
            true => format!(
                "phases {phases} cannot be resumed: {reason}; --resume --repair would rebuild them"
            ),
            false => format!("phases {phases} would be rebuilt: {reason}"),
        });
    }
    let replaced = in_state(PhaseState::Replaced);
    if !replaced.is_empty() {
        warnings.push(format!(
            "--force would delete the output of phases {}",
            shown(&replaced)
        ));
    }
    warnings
}

/// Splits whose share comes to a handful of records.
fn small_splits(report: &PlanReport, request: &Request) -> Vec<String> {
    let split = &request.config.split;
    let parts = [
        ("train", split.train),
        ("valid", split.valid),
        ("test", split.test),
    ];
    let sentence = |(name, share): (&str, f64)| {
        let small = |samples: u64| share > 0.0 && samples as f64 * share < FEW;
        let plans = report
            .phases
            .iter()
            .filter(|plan| small(plan.target_samples));
        let phases: Vec<u8> = plans.clone().map(|plan| plan.phase).collect();
        let most = plans.map(|plan| plan.target_samples).max()?;
        let records = most as f64 * share;
        let advice = match request.config.mode {
            Mode::Normal => format!("; raise samples_per_phase or split.{name}"),
            Mode::AllPositions => String::new(),
        };
        Some(format!(
            "{name}.rd of phases {} will hold about {records:.1} records or fewer{advice}",
            shown(&phases)
        ))
    };
    parts.into_iter().filter_map(sentence).collect()
}

fn cpus(report: &PlanReport, request: &Request) -> Option<String> {
    let threads = u64::from(request.engines.self_play.threads);
    let busy = threads.saturating_mul(report.workers as u64);
    if busy <= report.cpus as u64 {
        return None;
    }
    let each = match threads {
        1 => String::new(),
        n => format!(" with {n} engine threads each"),
    };
    Some(format!(
        "{} workers{each} want more than the {} CPUs there are; that is slower, and moves may miss \
         their deadline",
        report.workers, report.cpus
    ))
}

/// Campaigns none of whose games may be balanced.
fn unbalanced(report: &PlanReport) -> Option<String> {
    let none = |campaign: &&super::CampaignPlan| campaign.balanced_share == Some(0.0);
    let campaigns = report.campaigns.iter().filter(none);
    let phases: Vec<u8> = campaigns
        .flat_map(|campaign| campaign.phases.clone())
        .collect();
    (!phases.is_empty()).then(|| {
        format!(
            "of the games that were tried for phases {} playout.max_score lets none go on, so they \
             would hardly be filled before the run gives up; raise it",
            shown(&phases)
        )
    })
}

/// Campaigns that would give up before they are full.
fn attempts(report: &PlanReport) -> Vec<String> {
    let sentence = |campaign: &super::CampaignPlan| {
        let most = campaign
            .max_games
            .filter(|&most| most < campaign.expected_games && campaign.expected_games < u64::MAX)?;
        Some(format!(
            "phases {} need about {} games or more, and the run gives up after {}; lower \
             samples_per_phase or raise playout.max_attempts_multiplier",
            shown(&campaign.phases),
            count(campaign.expected_games),
            count(most)
        ))
    };
    report.campaigns.iter().filter_map(sentence).collect()
}

fn positions(report: &PlanReport, request: &Request) -> Option<String> {
    let deepest = report.phases.last()?;
    if request.config.mode != Mode::AllPositions || deepest.phase <= 9 {
        return None;
    }
    let about = if deepest.is_estimate { "about " } else { "" };
    Some(format!(
        "phase {} has {about}{} positions, each of which is played out",
        deepest.phase,
        count(deepest.target_samples)
    ))
}

fn space(report: &PlanReport) -> Vec<String> {
    let mut warnings = Vec::new();
    let disk = &report.disk;
    if let Some(free) = disk.free_bytes.filter(|&free| free < disk.needed_bytes) {
        warnings.push(format!(
            "the disk of {} has {} free, and {} are needed",
            report.output_dir,
            bytes(free),
            bytes(disk.needed_bytes)
        ));
    }
    let memory = &report.memory;
    if let Some(free) = memory
        .available_bytes
        .filter(|&free| free < memory.needed_bytes)
    {
        warnings.push(format!(
            "about {} of memory are needed, and {} are available; lower self_play.workers or \
             samples_per_phase",
            bytes(memory.needed_bytes),
            bytes(free)
        ));
    }
    warnings
}

fn reproducible(report: &PlanReport) -> Option<String> {
    let mut threads = (report.engines.iter()).filter_map(|engine| Some((engine, engine.threads?)));
    let (engine, threads) = threads.find(|(_, threads)| *threads > 1)?;
    Some(format!(
        "engine `{}` searches with {threads} threads: the same seed need not give the same bytes",
        engine.name
    ))
}

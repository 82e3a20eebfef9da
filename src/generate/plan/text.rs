//! The report for people.

use super::{CampaignPlan, EnginePlan, PhasePlan, PhaseState, PlanReport};
use crate::base::shown::Shown;
use crate::base::text::{bytes, count, duration, number_of, phases as shown};
use std::io::{self, Write};
use std::time::Duration;

pub(super) fn write(report: &PlanReport, out: &mut impl Write) -> io::Result<()> {
    match report.time.measured_games {
        None => writeln!(out, "dry run: nothing is written, no engine is started")?,
        Some(games) => writeln!(
            out,
            "dry run: nothing is written; {} were played to measure",
            match games {
                0 => "parts of games".to_owned(),
                1 => "1 game".to_owned(),
                games => format!("{} games", count(games)),
            }
        )?,
    }
    writeln!(out)?;
    let mut field = |name: &str, value: String| writeln!(out, "{name:<14}{}", value.shown());
    field("Configuration", report.config_path.clone())?;
    field("Output", report.output_dir.clone())?;
    field(
        "Mode",
        match report.window_size {
            Some(size) => {
                format!(
                    "{}, windows of {}",
                    report.mode,
                    number_of(size.into(), "phase")
                )
            }
            None => report.mode.to_owned(),
        },
    )?;
    field(
        "Seed",
        report
            .seed
            .map_or("drawn when the run starts".to_owned(), |seed| {
                seed.to_string()
            }),
    )?;
    if let Some(openings) = &report.openings {
        let words = format!(
            "{} lines of {} to {} different positions, {}",
            count(openings.lines as u64),
            openings.file,
            count(openings.distinct_positions as u64),
            match openings.order {
                "sequential" => "one after the other",
                _ => "drawn at random",
            }
        );
        field("Openings", words)?;
    }
    let shares = report
        .campaigns
        .iter()
        .filter_map(|campaign| campaign.balanced_share);
    let (least, most) = shares.fold((1.0, 0.0), |(least, most): (f64, f64), share| {
        (least.min(share), most.max(share))
    });
    if least <= most {
        let words = match least == most {
            true => format!("about {:.0} % of games", 100.0 * least),
            false => format!(
                "about {:.0} to {:.0} % of games",
                100.0 * least,
                100.0 * most
            ),
        };
        field("Balanced", words)?;
    }
    for engine in &report.engines {
        let role = match engine.role {
            "playout" => "Playout",
            _ => "Self-play",
        };
        field(role, engine_line(engine))?;
    }
    field(
        "Workers",
        format!("{} on {} CPUs", report.workers, report.cpus),
    )?;
    writeln!(out)?;
    campaigns(report, out)?;
    writeln!(out)?;
    totals(report, out)?;
    for warning in &report.warnings {
        writeln!(out, "warning: {}", warning.shown())?;
    }
    Ok(())
}

fn engine_line(engine: &EnginePlan) -> String {
    let engine_words = crate::base::text::engine(&engine.name, engine.level, engine.threads);
    format!("{engine_words}, {}s for a move", engine.timeout_seconds)
}

/// A row for each window, or for each phase where there are none: a game fills all phases of its window,
/// so a window needs the games of its slowest phase.
fn campaigns(report: &PlanReport, out: &mut impl Write) -> io::Result<()> {
    let resumed = report.total.existing_samples > 0;
    let name = match report.window_size {
        Some(_) => "window",
        None => "phase",
    };
    write!(out, "{name:>6}  {:>13}", "samples")?;
    if resumed {
        write!(out, "  {:>13}  {:>13}", "there already", "to be made")?;
    }
    writeln!(
        out,
        "  {:>10}  {:>11}  {:>13}  {:>9}",
        "on disk", "games", "at most", "time"
    )?;
    for campaign in &report.campaigns {
        let plans: Vec<&PhasePlan> = (report.phases.iter())
            .filter(|plan| campaign.phases.contains(&plan.phase))
            .collect();
        let sum = |field: fn(&PhasePlan) -> u64| {
            plans
                .iter()
                .fold(0_u64, |sum, plan| sum.saturating_add(field(plan)))
        };
        let about = if plans.iter().any(|plan| plan.is_estimate) {
            "~"
        } else {
            ""
        };
        let samples = format!("{about}{}", count(sum(|plan| plan.target_samples)));
        write!(out, "{:>6}  {samples:>13}", shown(&campaign.phases))?;
        if resumed {
            let there = count(sum(|plan| plan.existing_samples));
            let new = count(sum(|plan| plan.new_samples));
            write!(out, "  {there:>13}  {new:>13}")?;
        }
        writeln!(
            out,
            "  {:>10}  {:>11}  {:>13}  {:>9}{}",
            bytes(sum(|plan| plan.bytes)),
            games(campaign.expected_games),
            campaign.max_games.map_or("-".to_owned(), count),
            time(campaign),
            notes(&plans)
        )?;
    }
    Ok(())
}

fn time(campaign: &CampaignPlan) -> String {
    campaign.seconds.map_or("-".to_owned(), seconds)
}

/// A time that is an estimate.
fn seconds(seconds: f64) -> String {
    match Duration::try_from_secs_f64(seconds) {
        Ok(Duration::ZERO) => "-".to_owned(),
        Ok(time) if seconds < 3.2e9 => match seconds {
            ..1.0 => "<1s".to_owned(),
            _ => duration(time),
        },
        _ => "centuries".to_owned(),
    }
}

/// What becomes of the output of a window that is there: of which phases, where not of all.
fn notes(plans: &[&PhasePlan]) -> String {
    let word = |plan: &PhasePlan| match plan.state {
        PhaseState::New => "",
        PhaseState::Continued => "continued",
        PhaseState::Complete if plan.new_samples == 0 => "complete",
        PhaseState::Complete => "raised",
        PhaseState::Replaced => "replaced",
        PhaseState::Rebuilt => "rebuilt",
        PhaseState::InTheWay => "in the way",
    };
    let mut by_word: Vec<(&str, Vec<u8>)> = Vec::new();
    for plan in plans {
        let word = word(plan);
        match by_word.iter_mut().find(|(known, _)| *known == word) {
            Some((_, phases)) => phases.push(plan.phase),
            None => by_word.push((word, vec![plan.phase])),
        }
    }
    let is_one = by_word.len() == 1;
    let words = by_word.iter().filter(|(word, _)| !word.is_empty());
    let words = words.map(|(word, phases)| match is_one {
        true => (*word).to_owned(),
        false => format!("{word}: {}", shown(phases)),
    });
    let words = words.collect::<Vec<_>>().join(", ");
    if words.is_empty() {
        words
    } else {
        format!("  {words}")
    }
}

/// A number of games, if there is one.
fn games(number: u64) -> String {
    match number {
        u64::MAX => "countless".to_owned(),
        number => count(number),
    }
}

fn totals(report: &PlanReport, out: &mut impl Write) -> io::Result<()> {
    let total = &report.total;
    write!(
        out,
        "Total   {} in {}",
        number_of(total.target_samples, "sample"),
        number_of(report.phases.len() as u64, "phase")
    )?;
    if total.existing_samples > 0 {
        write!(out, ", {} of them to be made", count(total.new_samples))?;
    }
    writeln!(out, "; about {} games", games(total.expected_games))?;
    let splits = &report.splits;
    writeln!(
        out,
        "Splits  about {} train, {} valid, {} test",
        count(splits.train),
        count(splits.valid),
        count(splits.test)
    )?;
    writeln!(out, "Time    {}", time_words(report))?;
    let unknown = || "unknown".to_owned();
    let free = report.disk.free_bytes.map_or_else(unknown, bytes);
    writeln!(
        out,
        "Disk    {} of records{}; {} needed, {free} free",
        bytes(total.bytes),
        match report.disk.games_bytes {
            0 => String::new(),
            games => format!(", about {} of kept games", bytes(games)),
        },
        bytes(report.disk.needed_bytes)
    )?;
    let memory = &report.memory;
    let available = memory.available_bytes.map_or_else(unknown, bytes);
    writeln!(
        out,
        "Memory  about {} needed ({} to recognise duplicates, {} for engines), {available} available",
        bytes(memory.needed_bytes),
        bytes(memory.dedupe_bytes),
        bytes(memory.engines_bytes)
    )?;
    for engine in report.engines.iter().filter(|engine| engine.processes > 0) {
        let each = engine
            .memory_bytes
            .map_or("an unknown amount".to_owned(), bytes);
        writeln!(
            out,
            "Engines {} processes of {}, {each} each",
            engine.processes, engine.name
        )?;
    }
    Ok(())
}

fn time_words(report: &PlanReport) -> String {
    let time = &report.time;
    let at_once = match (time.basis, report.workers) {
        (_, 1) => "one worker".to_owned(),
        ("measured", workers) => format!("all {workers} workers at once"),
        (_, workers) => format!("{workers} workers on {} CPUs", report.cpus),
    };
    match (time.seconds, time.basis) {
        (Some(0.0), _) => "nothing is to be played".to_owned(),
        (Some(found), "measured") => format!(
            "about {}, by the games just played by {at_once}",
            seconds(found)
        ),
        (Some(found), _) => format!(
            "roughly {} for {at_once}, by a table of another machine; --measure plays some seconds \
             of games to tell it better",
            seconds(found)
        ),
        (None, "measured") => "no end can be told".to_owned(),
        (None, _) => {
            "not known for this engine; --measure plays some seconds of games to tell".to_owned()
        }
    }
}

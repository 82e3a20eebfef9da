//! The report for people.

use super::{EnginePlan, PhaseState, PlanReport};
use crate::base::shown::Shown;
use crate::base::text::{bytes, count, phases as shown};
use std::io::{self, Write};

pub(super) fn write(report: &PlanReport, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "dry run: nothing is written, no engine is started")?;
    writeln!(out)?;
    let mut field = |name: &str, value: String| writeln!(out, "{name:<14}{}", value.shown());
    field("Configuration", report.config_path.clone())?;
    field("Output", report.output_dir.clone())?;
    field(
        "Mode",
        match report.window_size {
            Some(size) => format!("{}, windows of {size} phases", report.mode),
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
    phases(report, out)?;
    writeln!(out)?;
    if report.window_size.is_some() {
        windows(report, out)?;
        writeln!(out)?;
    }
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

fn phases(report: &PlanReport, out: &mut impl Write) -> io::Result<()> {
    let resumed = report.total.existing_samples > 0;
    write!(out, "{:>5}  {:>15}", "phase", "samples")?;
    if resumed {
        write!(out, "  {:>15}  {:>15}", "there already", "to be made")?;
    }
    writeln!(out, "  {:>10}  {:>15}", "on disk", "games")?;
    for plan in &report.phases {
        let about = if plan.is_estimate { "~" } else { "" };
        let samples = format!("{about}{}", count(plan.target_samples));
        write!(out, "{:>5}  {samples:>15}", plan.phase)?;
        if resumed {
            let (there, new) = (count(plan.existing_samples), count(plan.new_samples));
            write!(out, "  {there:>15}  {new:>15}")?;
        }
        let size = bytes(plan.bytes);
        let note = match plan.state {
            PhaseState::New => "",
            PhaseState::Continued => "  continued",
            PhaseState::Complete if plan.new_samples == 0 => "  complete",
            PhaseState::Complete => "  raised",
            PhaseState::Replaced => "  replaced",
            PhaseState::Rebuilt => "  rebuilt",
            PhaseState::InTheWay => "  in the way",
        };
        writeln!(
            out,
            "  {size:>10}  {:>15}{note}",
            games(plan.expected_games)
        )?;
    }
    Ok(())
}

/// A game fills all phases of its window, so a window needs the games of its slowest phase.
fn windows(report: &PlanReport, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:>6}  {:>15}  {:>15}", "window", "games", "at most")?;
    for campaign in &report.campaigns {
        let most = campaign.max_games.map_or("-".to_owned(), count);
        let phases = shown(&campaign.phases);
        writeln!(
            out,
            "{phases:>6}  {:>15}  {most:>15}",
            games(campaign.expected_games)
        )?;
    }
    Ok(())
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
        "Total   {} samples in {} phases",
        count(total.target_samples),
        report.phases.len()
    )?;
    if total.existing_samples > 0 {
        write!(out, ", {} of them to be made", count(total.new_samples))?;
    }
    writeln!(out, "; about {} games", games(total.expected_games))?;
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

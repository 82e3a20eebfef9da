//! An inspection for people: tables, a histogram, boards.

use super::facts::facts;
use super::histogram::{self, Canvas};
use super::{Inspection, Measured, PhaseView, Sample, Wanted};
use crate::base::shown::Shown;
use crate::base::text::{bytes, count, number_of, phases as runs, share};
use crate::base::text_table::write_table;
use crate::board::{Board, Color, Squares};
use crate::dataset::record::FORMAT;
use crate::dataset::tree::TreeKind;
use std::io::{self, Write};

/// Writes one inspection.
pub fn write_text(
    inspection: &Inspection,
    wanted: Wanted,
    canvas: Canvas,
    out: &mut impl Write,
) -> io::Result<()> {
    heading(inspection, out)?;
    match wanted {
        Wanted::Summary => summary(inspection, canvas, out),
        Wanted::Sample { seed, .. } => {
            let (drawn, all) = (inspection.samples.len(), inspection.records());
            writeln!(
                out,
                "{} of {} records, drawn with --seed {seed}; X is to move",
                count(drawn as u64),
                count(all)
            )?;
            samples(inspection, out)
        }
        Wanted::Record(_) => samples(inspection, out),
    }
}

/// `n` with its share of `total`: `1,234  5.6%`.
pub(super) fn counted(n: u64, total: u64) -> String {
    format!("{}  {:>6}", count(n), share(n, total))
}

fn heading(inspection: &Inspection, out: &mut impl Write) -> io::Result<()> {
    let files = inspection.files().count();
    let size: u64 = inspection.files().map(|file| file.bytes).sum();
    let path = inspection.path.shown().to_string();
    let records = count(inspection.records());
    let phases: Vec<u8> = inspection.phases.iter().filter_map(|p| p.phase).collect();
    let what = match inspection.kind {
        TreeKind::File => format!("header RDGBBVAL1 ({FORMAT})"),
        TreeKind::Phase => number_of(files as u64, "file"),
        TreeKind::Dataset => format!(
            "dataset of {}, {}",
            number_of(inspection.phases.len() as u64, "phase"),
            number_of(files as u64, "file")
        ),
    };
    let phases = match phases.len() {
        0 => String::new(),
        1 => format!(", phase {} ({} discs)", phases[0], u32::from(phases[0]) + 4),
        _ => format!(", phases {}", runs(&phases)),
    };
    if files == 0 {
        return writeln!(out, "{path}: nothing that can be read");
    }
    writeln!(
        out,
        "{path}: {what}{phases}, {records} records, {}",
        bytes(size)
    )
}

fn summary(inspection: &Inspection, canvas: Canvas, out: &mut impl Write) -> io::Result<()> {
    let metadata: Vec<_> = inspection
        .phases
        .iter()
        .filter_map(|phase| phase.metadata.as_ref())
        .collect();
    for (name, fact) in facts(&metadata) {
        writeln!(out, "  {name:<11} {}", fact.shown())?;
    }
    if inspection.files().next().is_none() {
        return Ok(());
    }
    writeln!(out)?;
    write_table(&rows(inspection), out)?;
    let all = inspection.measured();
    if all.broken > 0 {
        writeln!(
            out,
            "{} broken records are left out of everything but the counts of records",
            count(all.broken)
        )?;
    }
    let values: Vec<(i16, u64)> = all.values().collect();
    if values.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\nValue (final disc difference for the side to move), records:"
    )?;
    out.write_all(histogram::draw(&values, canvas).as_bytes())
}

/// A line per phase, or per file where only one phase was named, and one for all.
fn rows(inspection: &Inspection) -> Vec<Vec<String>> {
    let with_others = inspection
        .phases
        .iter()
        .any(|phase| phase.split_sizes()[3] > 0);
    let by_phase = inspection.kind == TreeKind::Dataset;
    let mut header = vec![if by_phase { "phase" } else { "file" }];
    if by_phase {
        header.extend(["train", "valid", "test"]);
        header.extend(with_others.then_some("other"));
    } else {
        header.push("phase");
    }
    header.extend(["records", "min", "max", "mean", "sd", "pass", "over"]);
    let mut rows = vec![header.into_iter().map(str::to_owned).collect()];
    let splits = |sizes: [u64; 4]| {
        let shown = if with_others { 4 } else { 3 };
        sizes.into_iter().take(shown).map(count).collect::<Vec<_>>()
    };
    if by_phase {
        for phase in &inspection.phases {
            let measured = phase.measured();
            let mut row = vec![phase_text(phase.phase, &measured)];
            row.extend(splits(phase.split_sizes()));
            row.extend(sums(&measured));
            rows.push(row);
        }
    } else {
        for phase in &inspection.phases {
            for file in &phase.files {
                let measured = file.measured.as_ref().unwrap_or(&Measured::NONE);
                let name = file.path.file_name().unwrap_or_default();
                let mut row = vec![name.shown().to_string(), phase_text(phase.phase, measured)];
                row.extend(sums(measured));
                rows.push(row);
            }
        }
    }
    if rows.len() > 2 {
        let mut row = vec!["all".to_owned()];
        let all = inspection.measured();
        if by_phase {
            let mut sizes = [0; 4];
            for phase in inspection.phases.iter().map(PhaseView::split_sizes) {
                for (sum, n) in sizes.iter_mut().zip(phase) {
                    *sum += n;
                }
            }
            row.extend(splits(sizes));
        } else {
            row.push(phase_text(None, &all));
        }
        row.extend(sums(&all));
        rows.push(row);
    }
    rows
}

/// What is known, or what the boards tell.
fn phase_text(known: Option<u8>, measured: &Measured) -> String {
    if let Some(phase) = known {
        return phase.to_string();
    }
    let phases: Vec<u8> = measured.phases().map(|(phase, _)| phase).collect();
    match phases.len() {
        0 => "-".to_owned(),
        _ => runs(&phases),
    }
}

fn sums(measured: &Measured) -> Vec<String> {
    let whole = |value: Option<i16>| value.map_or("-".to_owned(), |value| value.to_string());
    // Adding 0 turns a rounded −0 into 0.
    let broken = |value: Option<f64>| {
        let rounded = value.map(|value| (value * 100.0).round() / 100.0 + 0.0);
        rounded.map_or("-".to_owned(), |value| format!("{value:.2}"))
    };
    let sound = measured.sound();
    vec![
        count(measured.records),
        whole(measured.min()),
        whole(measured.max()),
        broken(measured.mean()),
        broken(measured.standard_deviation()),
        share(measured.must_pass, sound),
        share(measured.game_over, sound),
    ]
}

fn samples(inspection: &Inspection, out: &mut impl Write) -> io::Result<()> {
    for sample in &inspection.samples {
        writeln!(out)?;
        write_sample(sample, out)?;
    }
    Ok(())
}

/// A board with what there is to say beside it.
fn write_sample(sample: &Sample, out: &mut impl Write) -> io::Result<()> {
    let path = sample.path.shown().to_string();
    writeln!(out, "{path}, record {}", sample.number)?;
    let board = sample.record.board;
    let mut notes = vec![format!("Value {:+}", sample.record.value)];
    if let Some(fault) = sample.fault {
        notes.push(format!("Broken: {fault}"));
    }
    if board.own & board.opponent != 0 {
        notes.push(format!(
            "Own discs {:016x}, opponent's {:016x}",
            board.own, board.opponent
        ));
        return notes.iter().try_for_each(|note| writeln!(out, "  {note}"));
    }
    notes.insert(0, whose_move(board).to_owned());
    notes.push(format!(
        "Phase {}: X {}, O {}, {} empty",
        board.phase(),
        board.own.count_ones(),
        board.opponent.count_ones(),
        board.empties()
    ));
    let moves: Vec<String> = Squares(board.legal_moves())
        .map(|s| s.to_string())
        .collect();
    for (line, moves) in moves.chunks(12).enumerate() {
        let lead = if line == 0 { "Moves" } else { "     " };
        notes.push(format!("{lead} {}", moves.join(" ")));
    }
    let picture = board.to_picture(Color::Black);
    let mut notes = notes.iter();
    for (number, line) in picture.lines().enumerate() {
        // Beside the ranks, not beside the letters.
        match (number > 0).then(|| notes.next()).flatten() {
            Some(note) => writeln!(out, "  {line}    {note}")?,
            None => writeln!(out, "  {line}")?,
        }
    }
    Ok(())
}

/// Records do not say whose move it was: the side to move is shown as X.
fn whose_move(board: Board) -> &'static str {
    if board.is_game_over() {
        "The game is over"
    } else if board.must_pass() {
        "X must pass"
    } else {
        "X to move"
    }
}

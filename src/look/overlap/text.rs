//! A comparison for people: a line per phase, and a table of files against files.

use super::{Comparison, Counts, FILES, Side, SideFacts, place};
use crate::base::shown::Shown;
use crate::base::text::{count, phases as runs, share};
use crate::base::text_table::write_table;
use crate::dataset::split::Split;
use std::io::{self, Write};

/// Names of the files of a side; the last are those of other names.
pub(super) const NAMES: [&str; FILES] = ["train", "valid", "test", "other"];

/// Writes the comparison.
pub fn write_text(comparison: &Comparison, out: &mut impl Write) -> io::Result<()> {
    let total = comparison.total();
    match &comparison.b {
        Some(b) => two(comparison, b, &total, out),
        None => one(comparison, &total, out),
    }
}

fn two(
    comparison: &Comparison,
    b: &SideFacts,
    total: &Counts,
    out: &mut impl Write,
) -> io::Result<()> {
    heading("A  ", &comparison.a, total, Side::A, out)?;
    heading("B  ", b, total, Side::B, out)?;
    writeln!(out, "\nPositions up to symmetry:")?;
    let header = [
        "phase", "A", "B", "shared", "of A", "of B", "train", "valid", "test", "crossed",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (phase, counts) in &comparison.phases {
        rows.push(phase_row(phase.to_string(), counts));
    }
    rows.push(phase_row("all".to_owned(), total));
    write_table(&rows, out)?;
    for (name, side) in [("A", Side::A), ("B", Side::B)] {
        let only = comparison.only_in(side);
        if !only.is_empty() {
            writeln!(
                out,
                "Only in {name}: phase{} {}",
                plural(&only),
                runs(&only)
            )?;
        }
    }
    writeln!(
        out,
        "\nShared positions, files of A (lines) against files of B (columns):"
    )?;
    write_table(&matrix(total, Side::A, Side::B, ["A ", "B "]), out)?;
    within("A", total, Side::A, out)?;
    within("B", total, Side::B, out)?;
    one_move_away("A", &comparison.a, out)?;
    one_move_away("B", b, out)
}

fn one(comparison: &Comparison, total: &Counts, out: &mut impl Write) -> io::Result<()> {
    heading("", &comparison.a, total, Side::A, out)?;
    writeln!(
        out,
        "\nPositions up to symmetry, and how many of them two files have:"
    )?;
    let pairs = pairs(total, Side::A);
    let mut header = vec![
        "phase".to_owned(),
        "records".to_owned(),
        "positions".to_owned(),
    ];
    header.extend(
        pairs
            .iter()
            .map(|&(i, j)| format!("{}-{}", NAMES[i], NAMES[j])),
    );
    let mut rows = vec![header];
    let row = |name: String, counts: &Counts| {
        let mut row = vec![name];
        row.push(count(counts.records(Side::A)));
        row.push(count(counts.positions(Side::A)));
        row.extend(
            pairs
                .iter()
                .map(|&(i, j)| count(counts.in_both(place(Side::A, i), place(Side::A, j)))),
        );
        row
    };
    for (phase, counts) in &comparison.phases {
        rows.push(row(phase.to_string(), counts));
    }
    rows.push(row("all".to_owned(), total));
    write_table(&rows, out)?;
    within("", total, Side::A, out)?;
    one_move_away("it", &comparison.a, out)
}

/// Says how many positions of test and valid are a move away from what is learned from.
fn one_move_away(name: &str, facts: &SideFacts, out: &mut impl Write) -> io::Result<()> {
    let train = Split::Train.index();
    for n in facts.neighbours.iter().filter(|n| n.split != Split::Train) {
        writeln!(
            out,
            "Within {name} {} of {} positions of {}{} ({}) are one move away from one of train.",
            count(n.by_split[train]),
            count(n.drawn),
            n.split.name(),
            if n.is_all { "" } else { ", drawn at random," },
            share(n.by_split[train], n.drawn),
        )?;
    }
    Ok(())
}

fn heading(
    name: &str,
    facts: &SideFacts,
    total: &Counts,
    side: Side,
    out: &mut impl Write,
) -> io::Result<()> {
    let plural = if facts.files == 1 { "" } else { "s" };
    writeln!(
        out,
        "{name}{}: {} file{plural}, {} records, {} positions",
        facts.path.shown(),
        facts.files,
        count(facts.records),
        count(total.positions(side))
    )
}

fn phase_row(name: String, counts: &Counts) -> Vec<String> {
    let (a, b) = (counts.positions(Side::A), counts.positions(Side::B));
    let shared = counts.shared();
    let same = |file| count(counts.in_both(place(Side::A, file), place(Side::B, file)));
    vec![
        name,
        count(a),
        count(b),
        count(shared),
        share(shared, a),
        share(shared, b),
        same(0),
        same(1),
        same(2),
        count(counts.crossed()),
    ]
}

/// Shared positions of each file with each.
fn matrix(total: &Counts, lines: Side, columns: Side, names: [&str; 2]) -> Vec<Vec<String>> {
    let files: Vec<usize> = (0..FILES)
        .filter(|&file| file < 3 || total.has_file(file))
        .collect();
    let mut header = vec![String::new()];
    header.extend(
        files
            .iter()
            .map(|&file| format!("{}{}", names[1], NAMES[file])),
    );
    let mut rows = vec![header];
    for &line in &files {
        let mut row = vec![format!("{}{}", names[0], NAMES[line])];
        row.extend(
            files
                .iter()
                .map(|&column| count(total.in_both(place(lines, line), place(columns, column)))),
        );
        rows.push(row);
    }
    rows
}

/// Says what a side has several times itself; a sound dataset has nothing.
fn within(name: &str, total: &Counts, side: Side, out: &mut impl Write) -> io::Result<()> {
    let name = if name.is_empty() { "it" } else { name };
    let repeated = total.records(side) - total.positions(side);
    if repeated == 0 {
        return writeln!(out, "Within {name} no position is there twice.");
    }
    writeln!(
        out,
        "Within {name} {} records repeat a position that is there before:",
        count(repeated)
    )?;
    for (i, j) in pairs(total, side) {
        let n = total.in_both(place(side, i), place(side, j));
        if n > 0 {
            let (i, j) = (NAMES[i], NAMES[j]);
            writeln!(out, "  {} positions are both in {i} and in {j}", count(n))?;
        }
    }
    Ok(())
}

/// Files of a side, each with each other.
fn pairs(total: &Counts, side: Side) -> Vec<(usize, usize)> {
    let has_others = total.in_both(place(side, FILES - 1), place(side, FILES - 1)) > 0;
    let files = if has_others { FILES } else { FILES - 1 };
    (0..files)
        .flat_map(|i| (i + 1..files).map(move |j| (i, j)))
        .collect()
}

fn plural(phases: &[u8]) -> &'static str {
    if phases.len() == 1 { "" } else { "s" }
}

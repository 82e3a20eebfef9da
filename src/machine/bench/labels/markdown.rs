//! The table as Markdown.

use super::measure::{Cell, Kind, SetTable};
use super::sets::{EMPTIES, Openings};
use super::{LEVELS, SOLVE_FROM};
use std::fmt::Write as _;

/// One table for each kind of openings: levels down; for each number of empty squares the game, the
/// game with its end solved, and the score.
pub(crate) fn markdown(tables: &[SetTable]) -> String {
    let mut out = String::new();
    for table in tables {
        // Writing to a string cannot fail.
        let _ = one(table, &mut out);
    }
    out
}

fn one(table: &SetTable, out: &mut String) -> std::fmt::Result {
    let positions = table.cells.first().map_or(0, |cell| cell.positions);
    let title = match table.openings {
        Openings::Random => "Random openings",
        Openings::Strong => "Openings by strong play",
    };
    writeln!(
        out,
        "**{title}** ({positions} positions each; RMSE / MAE in discs, CPU time per label)\n"
    )?;
    let solved = format!("solve_from {SOLVE_FROM}");
    let mut head = vec!["level".to_owned()];
    for empties in EMPTIES {
        head.extend([
            format!("{empties} empties: game"),
            solved.clone(),
            "score".to_owned(),
        ]);
    }
    line(&head, out)?;
    line(&vec!["---:".to_owned(); head.len()], out)?;
    let find = |empties: u8, kind: Kind, level: Option<u32>| {
        let mut cells = table.cells.iter();
        cells.find(|cell| cell.empties == empties && cell.kind == kind && cell.level == level)
    };
    for level in LEVELS {
        let mut row = vec![level.to_string()];
        for empties in EMPTIES {
            for kind in Kind::OF_LEVEL {
                let Some(cell) = find(empties, kind, Some(level)) else {
                    continue;
                };
                row.push(shown(cell));
            }
        }
        if row.len() == head.len() {
            line(&row, out)?;
        }
    }
    let mut row = vec!["exact".to_owned()];
    for empties in EMPTIES {
        let cell = find(empties, Kind::Exact, None);
        row.extend([String::new(), String::new()]);
        row.push(cell.map_or_else(String::new, shown));
    }
    line(&row, out)?;
    writeln!(out)
}

fn line(cells: &[String], out: &mut String) -> std::fmt::Result {
    writeln!(out, "| {} |", cells.join(" | "))
}

fn shown(cell: &Cell) -> String {
    let time = match cell.cpu_ms {
        ms if ms < 0.1 => format!("{:.0} µs", ms * 1e3),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms => format!("{ms:.0} ms"),
    };
    format!("{:.1} / {:.1}, {time}", cell.rmse, cell.mae)
}

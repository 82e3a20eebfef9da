//! The rows of a bench and their two forms: a table for people, JSON for programs.

use serde::Serialize;
use std::fmt::Write as _;

/// One measurement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Row {
    /// What kind of work: `perft`, `playouts`, `enumeration`, `solver`, `search`, `games`.
    pub group: &'static str,
    /// Which piece of it.
    pub name: String,
    /// How many units of work were done.
    pub count: u64,
    /// What is counted: `nodes`, `playouts`, `positions`, `games`.
    pub unit: &'static str,
    /// Wall-clock time.
    pub seconds: f64,
    /// `count` per second.
    pub per_second: f64,
    /// Whether the result is right; absent where there is nothing to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct: Option<bool>,
    /// The result and what else is worth knowing.
    pub note: String,
}

impl Row {
    /// A measurement whose result is not compared.
    pub(crate) fn new(
        group: &'static str,
        name: impl Into<String>,
        count: u64,
        unit: &'static str,
        seconds: f64,
    ) -> Row {
        Row {
            group,
            name: name.into(),
            count,
            unit,
            seconds,
            per_second: count as f64 / seconds,
            correct: None,
            note: String::new(),
        }
    }

    /// Says whether the result is right.
    pub(crate) fn checked(self, correct: bool) -> Row {
        Row {
            correct: Some(correct),
            ..self
        }
    }

    /// Adds a note.
    pub(crate) fn noted(self, note: impl Into<String>) -> Row {
        Row {
            note: note.into(),
            ..self
        }
    }

    /// Whether the result is known to be wrong.
    pub(crate) fn is_wrong(&self) -> bool {
        self.correct == Some(false)
    }
}

/// The line above the rows.
pub(crate) fn table_head() -> String {
    format!(
        "{:<12} {:<22} {:>14} {:>10} {:>12}  {}\n",
        "group", "what", "count", "time", "per second", "result"
    )
}

/// A row as a line of the table.
pub(crate) fn table_line(row: &Row) -> String {
    let mut line = String::new();
    let verdict = match row.correct {
        Some(true) => "right  ",
        Some(false) => "WRONG  ",
        None => "",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        line,
        "{:<12} {:<22} {:>14} {:>9.3}s {:>12}  {verdict}{}",
        row.group,
        row.name,
        grouped(row.count),
        row.seconds,
        rate(row.per_second),
        row.note
    );
    line.truncate(line.trim_end().len());
    line.push('\n');
    line
}

/// All rows as one JSON object, schema `rdg_bench_v1`.
pub(crate) fn to_json(rows: &[Row], threads: u32, quick: bool) -> String {
    let object = serde_json::json!({
        "schema": "rdg_bench_v1",
        "generator_version": crate::base::version::GENERATOR_VERSION,
        "cpu": crate::board::cpu::name(),
        "threads": threads,
        "quick": quick,
        "correct": !rows.iter().any(Row::is_wrong),
        "rows": rows,
    });
    format!("{object:#}\n")
}

/// 1234567 as `1 234 567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Three or four digits and a unit.
fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e9 => format!("{:.2} G", r / 1e9),
        r if r >= 1e6 => format!("{:.2} M", r / 1e6),
        r if r >= 1e4 => format!("{:.1} k", r / 1e3),
        r => format!("{r:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(123), "123");
        assert_eq!(grouped(1234), "1 234");
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(rate(2.5), "2.50");
        assert_eq!(rate(25_000.0), "25.0 k");
        assert_eq!(rate(35_123_000.0), "35.12 M");
        assert_eq!(rate(1.5e9), "1.50 G");
    }

    #[test]
    fn a_wrong_row_makes_the_report_wrong() {
        let right = Row::new("solver", "a", 10, "nodes", 2.0).checked(true);
        let unknown = Row::new("games", "b", 10, "games", 2.0);
        let wrong = Row::new("solver", "c", 10, "nodes", 2.0).checked(false);
        let correct = |rows: &[Row]| {
            let json: serde_json::Value =
                serde_json::from_str(&to_json(rows, 1, true)).expect("valid JSON");
            assert_eq!(json["rows"][0]["per_second"], 5.0);
            json["correct"] == true
        };
        assert!(correct(&[right.clone(), unknown.clone()]));
        assert!(!correct(&[right, unknown, wrong.clone()]));
        assert!(table_line(&wrong).contains("WRONG"));
    }
}

//! A histogram of values in characters: one line per range of values, symmetrical about the draw.

use std::fmt::Write;

/// Parts of a block, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// At most this many ranges for each of win and loss.
const RANGES: u32 = 8;

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Canvas {
    /// Columns of the screen.
    pub width: usize,
    /// ASCII only.
    pub ascii: bool,
}

/// One range of values and how often they occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    first: i16,
    last: i16,
    count: u64,
}

/// Draws the values, ascending, with their counts; nothing where there are none.
pub(super) fn draw(values: &[(i16, u64)], canvas: Canvas) -> String {
    let ranges = ranges(values);
    let total: u64 = ranges.iter().map(|range| range.count).sum();
    let most = ranges.iter().map(|range| range.count).max().unwrap_or(0);
    let rows: Vec<(String, String, u64)> = ranges
        .iter()
        .map(|range| {
            let count = super::text::counted(range.count, total);
            (label(range), count, range.count)
        })
        .collect();
    let labels = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let counts = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    // One column stays free: a full line would wrap in some terminals.
    let room = canvas.width.saturating_sub(labels + counts + 6).max(4);
    let mut text = String::new();
    for (label, count, n) in rows {
        let bar = bar(n, most, room, canvas.ascii);
        let _ = writeln!(text, "{label:>labels$}  {count:>counts$}  {bar}");
    }
    text
}

/// The draw by itself, wins and losses in ranges of 1, 2, 4 or 8 values: each begins beside the
/// draw, and holds as many even values as any other, which full boards give alone.
fn ranges(values: &[(i16, u64)]) -> Vec<Range> {
    let farthest = values.iter().map(|(v, _)| v.unsigned_abs()).max();
    let Some(farthest) = farthest else {
        return Vec::new();
    };
    let width = u32::from(farthest)
        .div_ceil(RANGES)
        .next_power_of_two()
        .max(1) as i16;
    let place = |value: i16| match value {
        0 => 0,
        v => v.signum() * ((v.abs() - 1) / width + 1),
    };
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return Vec::new();
    };
    (place(first.0)..=place(last.0))
        .map(|at| {
            let (near, far) = ((at.abs() - 1) * width + 1, at.abs() * width);
            let (first, last) = match at {
                0 => (0, 0),
                1.. => (near, far),
                _ => (-far, -near),
            };
            let within = values.iter().filter(|(value, _)| place(*value) == at);
            Range {
                first,
                last,
                count: within.map(|(_, n)| n).sum(),
            }
        })
        .collect()
}

fn label(range: &Range) -> String {
    match range.first == range.last {
        true if range.first == 0 => "0".to_owned(),
        true => format!("{:+}", range.first),
        false => format!("{:+}..{:+}", range.first, range.last),
    }
}

/// What is there at all is seen: at least the thinnest bar.
fn bar(n: u64, most: u64, room: usize, ascii: bool) -> String {
    if n == 0 || most == 0 {
        return String::new();
    }
    let eighths = (n as f64 / most as f64 * room as f64 * 8.0).round() as usize;
    let eighths = eighths.clamp(1, room * 8);
    match ascii {
        true => "#".repeat(eighths.div_ceil(8)),
        false => "█".repeat(eighths / 8) + EIGHTHS[eighths % 8],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(values: &[(i16, u64)]) -> Vec<(i16, i16, u64)> {
        let all = ranges(values).into_iter();
        all.map(|range| (range.first, range.last, range.count))
            .collect()
    }

    #[test]
    fn ranges_are_symmetrical_and_meet_the_ends() {
        let all: Vec<(i16, u64)> = (-64..=64).map(|value| (value, 1)).collect();
        let found = spans(&all);
        assert_eq!(found.len(), 17);
        assert_eq!(found[0], (-64, -57, 8));
        assert_eq!(found[7], (-8, -1, 8));
        assert_eq!(found[8], (0, 0, 1));
        assert_eq!(found[9], (1, 8, 8));
        assert_eq!(found[16], (57, 64, 8));
        // Even values alone fill every range alike.
        let even: Vec<(i16, u64)> = (-32..=32).map(|half| (2 * half, 1)).collect();
        assert!(
            spans(&even)
                .iter()
                .all(|&(first, _, n)| n == if first == 0 { 1 } else { 4 })
        );
    }

    #[test]
    fn few_values_get_a_line_each_and_empty_lines_between() {
        assert_eq!(
            spans(&[(-2, 5), (1, 7)]),
            [(-2, -2, 5), (-1, -1, 0), (0, 0, 0), (1, 1, 7)]
        );
        assert_eq!(
            spans(&[(9, 1), (16, 2)]),
            [(9, 10, 1), (11, 12, 0), (13, 14, 0), (15, 16, 2)]
        );
        assert_eq!(spans(&[(0, 3)]), [(0, 0, 3)]);
        assert_eq!(spans(&[]), []);
    }

    #[test]
    fn bars_are_as_long_as_their_counts_and_fit() {
        assert_eq!(bar(10, 10, 20, true).len(), 20);
        assert_eq!(bar(5, 10, 20, true).len(), 10);
        assert_eq!(bar(1, 1_000_000, 20, true), "#");
        assert_eq!(bar(1, 16, 2, false), "▏");
        assert_eq!(bar(9, 16, 2, false), "█▏");
        assert_eq!(bar(0, 10, 20, false), "");
        for width in [10, 40, 80, 200] {
            let values: Vec<(i16, u64)> = (-64..=64).map(|v| (v, (v + 65) as u64 * 1000)).collect();
            let text = draw(
                &values,
                Canvas {
                    width,
                    ascii: false,
                },
            );
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest < width.max(40), "{widest} of {width}");
            assert_eq!(text.lines().count(), 17);
            assert!(draw(&values, Canvas { width, ascii: true }).is_ascii());
        }
    }
}

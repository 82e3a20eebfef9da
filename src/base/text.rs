//! Numbers, times and free text as people read them.

use super::shown::is_unseen;
use jiff::ZonedDateTime;
use std::borrow::Cow;
use std::time::Duration;

/// `12s`, `3m07s`, `1h02m`, `3d04h`: two units at most.
pub(crate) fn duration(duration: Duration) -> String {
    let s = duration.as_secs();
    match s {
        0..60 => format!("{s}s"),
        60..3600 => format!("{}m{:02}s", s / 60, s % 60),
        3600..86_400 => format!("{}h{:02}m", s / 3600, s / 60 % 60),
        _ => format!("{}d{:02}h", s / 86_400, s / 3600 % 24),
    }
}

/// `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate per second with three figures or so: `0.0123`, `4.56`, `78.9`, `1,234`.
pub(crate) fn rate(per_second: f64) -> String {
    if !per_second.is_finite() || per_second < 0.0 {
        "-".to_owned()
    } else if per_second == 0.0 {
        "0".to_owned()
    } else if per_second < 0.1 {
        format!("{per_second:.4}")
    } else if per_second < 10.0 {
        format!("{per_second:.2}")
    } else if per_second < 100.0 {
        format!("{per_second:.1}")
    } else {
        count(per_second.round() as u64)
    }
}

/// A share in percent; what is there at all is never 0.
pub(crate) fn share(n: u64, total: u64) -> String {
    match (n, n as f64 / total.max(1) as f64 * 100.0) {
        (0, _) => "0%".to_owned(),
        (n, _) if n == total => "100%".to_owned(),
        (_, percent) if percent < 0.01 => "<0.01%".to_owned(),
        (_, percent) if percent < 1.0 => format!("{percent:.2}%"),
        (_, percent) => format!("{:.1}%", percent.min(99.9)),
    }
}

/// Bytes with binary units: `17 B`, `1.2 KiB`, `3.4 GiB`.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    // What would be rounded to 1024.0 is 1.0 of the next unit.
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// So many of a unit, where bytes have units of their own: `1,234 games`, `1.2 MiB`.
pub(crate) fn amount(number: u64, unit: &str) -> String {
    match unit {
        "byte" => bytes(number),
        _ => count(number),
    }
}

/// Units per second: `12.3 games/s`, `1.2 MiB/s`.
pub(crate) fn unit_rate(per_second: f64, unit: &str) -> String {
    match unit {
        "byte" => format!("{}/s", bytes(per_second.max(0.0) as u64)),
        _ => format!("{} {unit}s/s", rate(per_second)),
    }
}

/// `1 phase`, `1,200 phases`: a number with the word for one of it, to which an s is put for others.
pub(crate) fn number_of(number: u64, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{} {one}s", count(number)),
    }
}

/// Sorted phases in short: `10-19`, `10-12,20`.
pub(crate) fn phases(phases: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = phases;
    while let Some(&first) = rest.first() {
        let run = rest
            .iter()
            .zip(u16::from(first)..)
            .take_while(|&(&phase, expected)| u16::from(phase) == expected)
            .count();
        if !text.is_empty() {
            text.push(',');
        }
        text += &first.to_string();
        if run > 1 {
            text += &format!("-{}", rest[run - 1]);
        }
        rest = &rest[run..];
    }
    text
}

/// The clock of the wall `after` from now: `14:05` today, `Tue 14:05` within days, else the date.
pub(crate) fn clock(now: &ZonedDateTime, after: Duration) -> String {
    match now.checked_add(after) {
        Ok(then) if then.date() == now.date() => then.strftime("%H:%M").to_string(),
        Ok(then) if after < Duration::from_secs(6 * 86_400) => {
            then.strftime("%a %H:%M").to_string()
        }
        Ok(then) => then.strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => "-".to_owned(),
    }
}

/// A value of a `key=value` line: quoted where it holds a space, a quote, `=` or a control
/// character, so that a line stays a line and splits at spaces.
pub(crate) fn value(text: &str) -> Cow<'_, str> {
    let plain = |c: char| !c.is_whitespace() && !is_unseen(c) && !matches!(c, '"' | '=' | '\\');
    if !text.is_empty() && text.chars().all(plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{text:?}"))
    }
}

/// An engine with the level and the threads that it is told: `edax level 20, 1 thread`.
pub(crate) fn engine(name: &str, level: Option<u32>, threads: Option<u32>) -> String {
    let level = level.map(|level| format!(" level {level}"));
    let threads = threads.map(|threads| match threads {
        1 => ", 1 thread".to_owned(),
        threads => format!(", {threads} threads"),
    });
    [Some(name.to_owned()), level, threads]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        let cases = [
            (0, "0s"),
            (59, "59s"),
            (60, "1m00s"),
            (3599, "59m59s"),
            (3600, "1h00m"),
            (86_399, "23h59m"),
            (86_400, "1d00h"),
            (30 * 86_400 + 7200, "30d02h"),
        ];
        for (seconds, text) in cases {
            assert_eq!(duration(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(12_345_678), "12,345,678");
        assert_eq!(rate(0.012_34), "0.0123");
        assert_eq!(rate(1750.4), "1,750");
        assert_eq!(rate(f64::NAN), "-");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.0 KiB");
        assert_eq!(bytes(1024 * 1024 - 1), "1.0 MiB");
        assert_eq!(bytes(18 * 51_000_000), "875.5 MiB");
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
        assert_eq!(unit_rate(2048.0, "byte"), "2.0 KiB/s");
        assert_eq!(unit_rate(12.34, "game"), "12.3 games/s");
    }

    #[test]
    fn shares_never_lie_about_nothing_and_everything() {
        let cases = [
            (0, 10, "0%"),
            (0, 0, "0%"),
            (10, 10, "100%"),
            (9_999_999, 10_000_000, "99.9%"),
            (1, 10_000_000, "<0.01%"),
            (1, 2000, "0.05%"),
            (1, 3, "33.3%"),
        ];
        for (n, total, text) in cases {
            assert_eq!(share(n, total), text, "{n} of {total}");
        }
    }

    #[test]
    fn phases_are_shown_as_runs() {
        assert_eq!(phases(&[]), "");
        assert_eq!(phases(&[7]), "7");
        assert_eq!(phases(&[10, 11, 12, 20, 22, 23]), "10-12,20,22-23");
    }

    #[test]
    fn a_finish_time_names_its_day_when_it_is_not_today() {
        let now: ZonedDateTime = "2026-03-02T23:00:00+09:00[Asia/Tokyo]".parse().unwrap();
        assert_eq!(clock(&now, Duration::from_secs(600)), "23:10");
        assert_eq!(clock(&now, Duration::from_secs(7200)), "Tue 01:00");
        let month = Duration::from_secs(30 * 86_400);
        assert_eq!(clock(&now, month), "2026-04-01 23:00");
        assert_eq!(clock(&now, Duration::MAX), "-");
    }

    #[test]
    fn free_text_cannot_break_a_line() {
        assert_eq!(value("out/a_b"), "out/a_b");
        assert_eq!(value(""), "\"\"");
        assert_eq!(value("edax level 20"), "\"edax level 20\"");
        assert_eq!(value("a\nb\u{1b}[2J"), "\"a\\nb\\u{1b}[2J\"");
        assert_eq!(value("a\u{202e}b"), "\"a\\u{202e}b\"");
    }
}

//! The text that lists phases: `10..60`, `10,20,30`.

use std::ops::RangeInclusive;

/// Phases for which samples can be generated. Phase 0 is the start position.
const ALLOWED: RangeInclusive<u8> = 1..=60;

/// Reads an inclusive range or a list, or both mixed; sorted. The error says what is allowed
/// instead.
pub fn parse_phases(text: &str) -> Result<Vec<u8>, String> {
    parse_phases_within(text, ALLOWED)
}

/// As [`parse_phases`], with other bounds.
pub fn parse_phases_within(text: &str, allowed: RangeInclusive<u8>) -> Result<Vec<u8>, String> {
    let (least, most) = (*allowed.start(), *allowed.end());
    let mut phases = Vec::new();
    for item in text.split(',') {
        let (first, last) = match item.split_once("..") {
            Some((first, last)) => (number(first, &allowed)?, number(last, &allowed)?),
            None => {
                let only = number(item, &allowed)?;
                (only, only)
            }
        };
        if first > last {
            return Err(format!(
                "an ascending range: write \"{last}..{first}\" instead of \"{first}..{last}\""
            ));
        }
        phases.extend(first..=last);
    }
    phases.sort_unstable();
    match phases.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!(
            "distinct phases from {least} to {most}: phase {} is there twice",
            pair[0]
        )),
        None => Ok(phases),
    }
}

fn number(text: &str, allowed: &RangeInclusive<u8>) -> Result<u8, String> {
    let (least, most) = (*allowed.start(), *allowed.end());
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(form(least, most));
    }
    match text.parse::<u8>() {
        Ok(phase) if allowed.contains(&phase) => Ok(phase),
        Ok(0) if least == 1 => Err(format!(
            "phases from 1 to {most}: phase 0 is the start position alone"
        )),
        _ => Err(format!(
            "phases from {least} to {most}: phase {} does not exist",
            super::reader::short(text)
        )),
    }
}

fn form(least: u8, most: u8) -> String {
    format!("a text such as \"10..60\" or \"10,20,30\" with phases from {least} to {most}")
}

/// What a value that is no text should have been.
pub(super) fn wanted() -> String {
    form(*ALLOWED.start(), *ALLOWED.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends_and_lists_are_sorted() {
        assert_eq!(parse_phases("10..60").unwrap(), Vec::from_iter(10..=60));
        assert_eq!(parse_phases("30,10,20").unwrap(), [10, 20, 30]);
        assert_eq!(parse_phases("60").unwrap(), [60]);
        assert_eq!(parse_phases("1..1").unwrap(), [1]);
        assert_eq!(parse_phases(" 1 .. 3 , 7 ").unwrap(), [1, 2, 3, 7]);
        assert_eq!(parse_phases_within("0..2", 0..=59).unwrap(), [0, 1, 2]);
    }

    #[test]
    fn everything_else_is_refused_with_the_reason() {
        let cases = [
            ("", "such as"),
            (",", "such as"),
            ("10,", "such as"),
            ("..", "such as"),
            ("10..", "such as"),
            ("..60", "such as"),
            ("10...60", "such as"),
            ("10..=60", "such as"),
            ("10-60", "such as"),
            ("10 60", "such as"),
            ("ten", "such as"),
            ("+5", "such as"),
            ("-5", "such as"),
            ("1.5", "such as"),
            ("１０", "such as"),
            ("0..60", "start position"),
            ("0", "start position"),
            ("61", "phase 61 does not exist"),
            ("10..61", "phase 61 does not exist"),
            ("999999999999999999999", "does not exist"),
            ("60..10", "\"10..60\" instead of \"60..10\""),
            ("10,20,10", "phase 10 is there twice"),
            ("1..10,5", "phase 5 is there twice"),
        ];
        for (text, reason) in cases {
            let error = parse_phases(text).expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}

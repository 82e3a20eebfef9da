//! Files of 64 square weights: eight lines of eight numbers, the row of a1 first, as learning
//! writes them. Whole numbers and real ones are both read.

use super::weights::SquareSums;
use crate::base::shown::Shown;
use std::path::Path;

/// Longer than any sensible file of 64 numbers, short enough to be read whole.
const MAX_BYTES: u64 = 64 * 1024;

/// Reads the 64 numbers, a1, b1 … h8, exactly as written.
///
/// # Errors
/// One sentence that names the file, says what is wrong and what the file should hold.
pub fn read_weight_file(path: &Path) -> Result<[f64; 64], String> {
    let shown = path.shown();
    let unreadable = |e| format!("the weight file {shown} cannot be read: {e}");
    let size = std::fs::metadata(path).map_err(unreadable)?;
    if !size.is_file() {
        return Err(format!("the weight file {shown} is not a regular file"));
    }
    if size.len() > MAX_BYTES {
        return Err(format!(
            "the weight file {shown} is not a text of 64 square weights: it has {} bytes",
            size.len()
        ));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| {
        format!("the weight file {shown} is not a text of 64 square weights: it is binary")
    })?;
    parse_weights(text).map_err(|reason| format!("the weight file {shown} {reason}"))
}

/// Reads eight lines of eight numbers, or 64 lines of one, separated by blanks, commas or
/// semicolons, with or without brackets as numpy prints them; empty lines are skipped. The error
/// completes a sentence that begins with the file's name.
pub fn parse_weights(text: &str) -> Result<[f64; 64], String> {
    let mut weights = [0.0; 64];
    let (mut rows, mut count) = (0, 0);
    let mut odd_row = None;
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line
            .split(|c: char| c.is_whitespace() || ",;[]".contains(c))
            .filter(|word| !word.is_empty())
            .collect();
        if words.is_empty() {
            continue;
        }
        rows += 1;
        if words.len() != 8 {
            odd_row.get_or_insert((number, words.len()));
        }
        for word in words {
            let value = parse_weight(word).map_err(|fault| format!("{fault} in line {number}"))?;
            if let Some(weight) = weights.get_mut(count) {
                *weight = value;
            }
            count += 1;
        }
    }
    if count != 64 {
        return Err(format!(
            "holds {count} numbers; 64 square weights from a1 to h8 are expected"
        ));
    }
    match odd_row.filter(|_| rows != 64) {
        Some((line, words)) => Err(format!(
            "holds {rows} lines of numbers, line {line} with {words} of them; eight lines of \
             eight are expected"
        )),
        None => Ok(weights),
    }
}

fn parse_weight(word: &str) -> Result<f64, String> {
    let shown = word.shown().start(20);
    let value: f64 = word
        .parse()
        .map_err(|_| format!("holds `{shown}`, which is not a number,"))?;
    if !value.is_finite() {
        return Err(format!("holds `{shown}`, which is not a finite number,"));
    }
    if value.abs() > f64::from(SquareSums::MAX_WEIGHT) {
        return Err(format!(
            "holds the weight {shown}, which is beyond ±{},",
            SquareSums::MAX_WEIGHT
        ));
    }
    Ok(value)
}

/// The weights as whole numbers for search. Whole ones stay what they are; real ones are first
/// multiplied by the power of ten that brings the largest to six digits, so that nothing that
/// matters is rounded away: only the weights' ratios count.
pub fn whole_weights(weights: &[f64; 64]) -> [i32; 64] {
    let mut scale = 1.0;
    if weights.iter().any(|w| w.fract() != 0.0) {
        let largest = weights.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        let limit = f64::from(SquareSums::MAX_WEIGHT);
        while largest * scale * 10.0 < limit && scale < 1e300 {
            scale *= 10.0;
        }
    }
    weights.map(|w| (w * scale).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(row: &str) -> String {
        format!("{row}\n").repeat(8)
    }

    #[test]
    fn whole_and_real_numbers_in_eight_lines() {
        let expected: Vec<f64> = (0..64).map(|i| f64::from(i % 8 + 1)).collect();
        for text in [
            rows("1 2 3 4 5 6 7 8"),
            rows("1,2,3,4,5,6,7,8,"),
            rows("  1.0\t2 3e0 4; 5 6 +7 8\r"),
            format!("\n\n{}\n", rows("1 2 3 4 5 6 7 8")),
            rows("1 2 3 4 5 6 7 8").trim_end().to_owned(),
            rows("1\n2\n3\n4\n5\n6\n7\n8"),
            format!("[{}]", rows("[1 2 3 4 5 6 7 8]")),
        ] {
            assert_eq!(
                parse_weights(&text).expect("well formed").to_vec(),
                expected
            );
        }
        let exact = parse_weights(&rows("0.1 -0.30000000000000004 1 1 1 1 1 1")).unwrap();
        assert_eq!(exact[1].to_bits(), (-0.1f64 - 0.2).to_bits());
    }

    #[test]
    fn faults_are_named() {
        let row = "1 2 3 4 5 6 7 8";
        let of = |text: &str| parse_weights(text).expect_err("a fault");
        assert!(of("").contains("0 numbers"));
        assert!(of(&rows(row)[2..]).contains("63 numbers"));
        assert!(of(&(rows(row) + "9")).contains("65 numbers"));
        let escape = of("1 2 \u{1b}[2J");
        assert!(escape.contains("`\\u{1b}`"), "{escape}");
        assert!(of("1 2 x").contains("`x`, which is not a number, in line 1"));
        for word in ["inf", "-inf", "NaN", "1e999", "infinity"] {
            let fault = of(&rows(&format!("{word} 1 1 1 1 1 1 1")));
            assert!(fault.contains("not a finite number"), "{fault}");
        }
        assert!(of("1 2\n2000000").contains("beyond ±1000000, in line 2"));
        let long = "1 ".repeat(64);
        assert!(of(&long).contains("1 lines of numbers, line 1 with 64"));
        let uneven = rows(row).replacen("8\n1 2", "8 1\n2", 1);
        assert!(of(&uneven).contains("line 1 with 9"));
    }

    #[test]
    fn files_that_are_no_text_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.txt");
        let fault = || read_weight_file(&path).expect_err("a fault");
        assert!(fault().contains("w.txt cannot be read"));
        std::fs::write(&path, [0xff, 0xfe, 0]).unwrap();
        assert!(fault().contains("binary"));
        std::fs::write(&path, vec![b' '; 100_000]).unwrap();
        assert!(fault().contains("100000 bytes"));
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(fault().contains("not a regular file"));
    }

    #[test]
    fn real_weights_keep_their_ratios() {
        let mut weights = [0.0; 64];
        (weights[0], weights[1]) = (0.5, -0.125);
        assert_eq!(whole_weights(&weights)[..2], [500_000, -125_000]);
        (weights[0], weights[1]) = (300.0, -20.0);
        assert_eq!(whole_weights(&weights)[..2], [300, -20]);
        (weights[0], weights[1]) = (300.5, -20.0);
        assert_eq!(whole_weights(&weights)[..2], [300_500, -20_000]);
        (weights[0], weights[1]) = (1_000_000.0, 0.5);
        assert_eq!(whole_weights(&weights)[..2], [1_000_000, 1]);
        weights[..2].copy_from_slice(&[5e-324, 0.0]);
        assert!(whole_weights(&weights)[0].abs() <= 1_000_000);
    }
}

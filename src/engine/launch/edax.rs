//! Edax: its command line, and the facts about its levels.

use crate::config::{EngineSpec, OptionValue};
use std::ffi::OsString;
use std::path::Path;

/// The words after the program's name. `eval_file` is absolute.
pub fn arguments(spec: &EngineSpec, eval_file: Option<&Path>) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["-nboard", "-q", "-book-usage", "off", "-ponder", "off"]
        .map(OsString::from)
        .to_vec();
    if let Some(eval_file) = eval_file {
        words.push("-eval-file".into());
        words.push(eval_file.into());
    }
    let bits = table_bits(spec);
    for (option, value) in [
        ("-n", i64::from(spec.threads)),
        ("-l", i64::from(spec.level)),
        ("-h", bits),
    ] {
        words.push(option.into());
        words.push(value.to_string().into());
    }
    words
}

/// Bits of the hash table's size: the option `hash_bits`, or what suits the level.
pub fn table_bits(spec: &EngineSpec) -> i64 {
    match spec.entry.options.get("hash_bits") {
        Some(&OptionValue::Integer(bits)) => bits,
        _ => i64::from(hash_bits(spec.level)),
    }
}

/// Bits of the hash table's size that suit a level.
///
/// Edax wipes its table at every set-up of a game: 19 µs at 10 bits, 25 µs at 12, 0.1 ms at 16,
/// 1.2 ms at 20, 4.8 ms at its default of 22, where it also takes 168 MB per process. A level-1
/// move takes 25 µs, so at a low level a large table costs more than all the thinking. Moves did
/// not depend on the size in 50 positions at level 10, where 16 bits was the fastest size. From
/// there on a table that grows with the tree keeps the search efficient, up to the default, whose
/// wiping is nothing beside games that take seconds.
pub const fn hash_bits(level: u32) -> u32 {
    match level {
        0..=2 => 10,
        3..=4 => 12,
        5..=7 => 14,
        8..=11 => 16,
        12..=15 => 18,
        16..=19 => 20,
        20..=30 => 22,
        _ => 24,
    }
}

/// The number of empty squares from which on Edax 4.6 plays exactly; where its table has not been
/// looked up, the next lower level's.
pub const fn exact_empties(level: u32) -> u32 {
    match level {
        0 => 0,
        1..=10 => 2 * level,
        11 => 20,
        12..=19 => 21,
        20..=26 => 24,
        27..=29 => 27,
        30..=59 => 30,
        _ => 60,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_levels_never_get_smaller_tables_or_shorter_endgames() {
        for level in 0..60 {
            assert!(hash_bits(level) <= hash_bits(level + 1));
            assert!(exact_empties(level) <= exact_empties(level + 1));
        }
        // Measured: 1 → 2, 5 → 10, 10 → 20, 12–18 → 21, 20–24 → 24, 27 → 27, 30 → 30, 60 → all.
        let known = [
            (1, 2),
            (5, 10),
            (10, 20),
            (12, 21),
            (18, 21),
            (20, 24),
            (24, 24),
        ];
        for (level, empties) in known.into_iter().chain([(27, 27), (30, 30), (60, 60)]) {
            assert_eq!(exact_empties(level), empties, "level {level}");
        }
    }
}

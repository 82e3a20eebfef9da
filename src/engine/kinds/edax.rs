//! Edax, measured on version 4.6.

use super::{Concern, End, MB, Profile, Scoring, SetUp, folder};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::config::{
    Allowed, EngineEntry, EngineSpec, Kind, KnownOption, OptionValue, OwnWord, Setting,
};
use crate::engine::child::Process;
use crate::engine::launch::is_reproducible;
use crate::engine::nboard::{Dialect, Nboard, Settings};
use crate::engine::program::Program;
use crate::engine::{Engine, EngineError};
use std::ffi::OsString;
use std::path::Path;

pub(super) struct Edax;

impl Kind for Edax {
    fn name(&self) -> &'static str {
        "edax"
    }

    /// It crashes above.
    fn highest_level(&self) -> Option<u32> {
        Some(60)
    }

    fn options(&self) -> &'static [KnownOption] {
        const BITS: Allowed = Allowed::Integer(10, 30, "a whole number from 10 to 30");
        &[
            KnownOption {
                name: "hash_bits",
                allowed: BITS,
            },
            KnownOption {
                name: "reproducible",
                allowed: Allowed::Bool,
            },
        ]
    }

    /// All by its command line.
    fn passes(&self, _: &EngineEntry, _: Setting) -> bool {
        true
    }

    fn own_words(&self) -> &'static [OwnWord] {
        &[
            OwnWord {
                spellings: &[
                    "l",
                    "level",
                    "depth",
                    "selectivity",
                    "move-time",
                    "game-time",
                ],
                instead: "remove it, and write `level`",
            },
            OwnWord {
                spellings: &["n", "n-tasks"],
                instead: "remove it, and write `threads`",
            },
            OwnWord {
                spellings: &["h", "hash-table-size"],
                instead: "remove it, and write `hash_bits` in its `options`",
            },
            OwnWord {
                spellings: &["eval-file"],
                instead: "remove it, and write `eval_file`",
            },
            OwnWord {
                spellings: &["nboard", "gtp", "xboard", "cassio", "ggs", "ui"],
                instead: "remove it; to speak another protocol, write another `kind`",
            },
        ]
    }
}

impl Profile for Edax {
    fn start(&self, spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        let program = Program::find(spec)?;
        let words = arguments(spec, program.eval_file());
        let process = Process::spawn(&program.command_line(words), stop)?;
        let settings = Settings {
            timeout: spec.timeout,
            startup_timeout: spec.startup_timeout,
            dialect: Dialect::Edax,
            set_depth: None,
            is_trusted: true,
            has_scores: spec.level > 0,
            is_asked_for_scores: spec.level > 0,
            exact_empties: exact_empties(spec.level),
            is_reproducible: is_reproducible(spec),
        };
        Ok(Box::new(Nboard::start(process, settings)?))
    }

    /// 58 MB with a table of 2^10 entries, 168 MB with 2^22, which makes 26 bytes per entry.
    fn memory(&self, spec: &EngineSpec) -> Option<u64> {
        Some(58 * MB + (26 << table_bits(spec).clamp(0, 40)))
    }

    fn exact_empties(&self, spec: &EngineSpec) -> Option<u32> {
        Some(exact_empties(spec.level))
    }

    /// Level 0 draws its moves with a seed from the clock.
    fn repeats_games(&self, spec: &EngineSpec) -> bool {
        spec.level > 0
    }

    fn scoring(&self, spec: &EngineSpec) -> Scoring {
        match spec.level {
            0 => Scoring::None,
            _ => Scoring::WinnerTakesEmpties,
        }
    }

    fn set_up(&self) -> Option<&'static SetUp> {
        Some(&SetUp {
            target: "setup-edax",
            binary: "third_party/edax-reversi/bin/lEdax-x86-64-v3",
            eval_file: "third_party/edax-reversi/bin/data/eval.dat",
        })
    }

    fn protocol(&self) -> &'static str {
        "NBoard"
    }

    fn concerns(&self, spec: &EngineSpec) -> Vec<Concern> {
        let mut concerns = Vec::new();
        let (bits, fitting) = (table_bits(spec), hash_bits(spec.level));
        if bits > i64::from(fitting) + 2 {
            concerns.push(Concern {
                what: format!("`hash_bits = {bits}`"),
                advice: format!(
                    "Edax wipes this table before every game, which costs more than low levels' \
                     thinking: level {} does well with {fitting}, the default",
                    spec.level
                ),
            });
        }
        let runs_in = spec.entry.dir.as_deref().or(folder(spec));
        let ini = runs_in.map(|folder| folder.join("edax.ini"));
        if let Some(ini) = ini.filter(|ini| ini.exists()) {
            concerns.push(Concern {
                what: format!("{} is there", ini.shown()),
                advice: "Edax reads it, and no dataset records what it says: move it away unless \
                         it is needed"
                    .to_owned(),
            });
        }
        concerns
    }

    fn advice_on_end(&self, end: &End<'_>, remedy: Option<&str>) -> Option<String> {
        if end.said.contains("Cannot open") && end.is_start {
            let again = remedy.unwrap_or("write the right path to `eval_file`");
            return Some(format!(
                "Edax does not find the file that it names: {again}"
            ));
        }
        let is_bad_file = end.said.contains("evaluation") || end.how.contains("SIGABRT");
        is_bad_file.then(|| {
            let again = remedy.unwrap_or("fetch eval.dat again");
            format!("Edax dies like this of a damaged evaluation file: {again}")
        })
    }

    fn advice_on_memory(&self, spec: &EngineSpec) -> Option<String> {
        Some(format!(
            "`hash_bits` in its `options` makes its table smaller, now 2^{}",
            table_bits(spec)
        ))
    }

    fn advice_on_chance(&self, spec: &EngineSpec) -> Option<String> {
        (spec.level == 0)
            .then(|| "Edax plays at random at level 0; level 1 repeats itself".to_owned())
    }

    fn advice_on_unpromised_repeats(&self, spec: &EngineSpec) -> Option<&'static str> {
        (spec.level == 0).then_some("")
    }
}

/// The words after the program's name. `eval_file` is absolute.
fn arguments(spec: &EngineSpec, eval_file: Option<&Path>) -> Vec<OsString> {
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
fn table_bits(spec: &EngineSpec) -> i64 {
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
const fn hash_bits(level: u32) -> u32 {
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
const fn exact_empties(level: u32) -> u32 {
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

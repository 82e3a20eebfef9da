//! Egaroucid for Console, measured on version 7.8.1.

use super::{Concern, End, MB, Profile, Scoring, SetUp, folder};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::config::{
    Allowed, EngineEntry, EngineSpec, Kind, KnownOption, OptionValue, OwnWord, Setting,
};
use crate::engine::child::Process;
use crate::engine::console::{Console, Settings};
use crate::engine::gtp::{self, Gtp};
use crate::engine::launch::is_reproducible;
use crate::engine::program::Program;
use crate::engine::{Engine, EngineError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What it reads at start besides its evaluation file, from beside its program. Releases differ in
/// a number at the end of the first one's name.
const RESOURCES: [(&str, &str); 2] = [
    ("resources/eval_move_ordering_end.egev", "egev2"),
    ("resources/hash/hash25.eghs", "eghs"),
];

pub(super) struct Egaroucid;

impl Kind for Egaroucid {
    fn name(&self) -> &'static str {
        "egaroucid"
    }

    /// It does not start above.
    fn highest_level(&self) -> Option<u32> {
        Some(60)
    }

    fn options(&self) -> &'static [KnownOption] {
        const PROTOCOLS: Allowed = Allowed::Word(&["console", "gtp"], "\"console\" or \"gtp\"");
        &[
            KnownOption {
                name: "fresh_table",
                allowed: Allowed::Bool,
            },
            KnownOption {
                name: "protocol",
                allowed: PROTOCOLS,
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
                spellings: &["l", "level"],
                instead: "remove it, and write `level`",
            },
            OwnWord {
                spellings: &["t", "thread", "threads"],
                instead: "remove it, and write `threads`",
            },
            OwnWord {
                spellings: &["eval"],
                instead: "remove it, and write `eval_file`",
            },
            OwnWord {
                spellings: &["gtp"],
                instead: "remove it, and write `protocol = \"gtp\"` in its `options`",
            },
        ]
    }
}

impl Profile for Egaroucid {
    fn start(&self, spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError> {
        let program = Program::find(spec)?;
        let face = face(spec);
        let line = program.command_line(arguments(spec, face, program.eval_file()));
        let process = Process::spawn(&line, stop)?;
        let is_reproducible = is_reproducible(spec);
        Ok(match face {
            Face::Console => Box::new(Console::start(
                process,
                Settings {
                    timeout: spec.timeout,
                    startup_timeout: spec.startup_timeout,
                    has_scores: spec.level > 0,
                    fresh_table: has_fresh_table(spec),
                    is_reproducible,
                },
            )?),
            Face::Gtp => Box::new(Gtp::start(
                process,
                gtp::Settings {
                    timeout: spec.timeout,
                    startup_timeout: spec.startup_timeout,
                    is_reproducible,
                    sizes_board: false,
                    asks_first_move: true,
                },
            )?),
        })
    }

    /// About one start in fifty fails for no reason: an unterminated buffer holds the path of a
    /// file that it then does not find. So it is that, if the path that it names is no text, or if
    /// it misses a file while all are there.
    fn starts_at_random(&self, spec: &EngineSpec, said: &str) -> bool {
        // Bytes that are no text are shown as `\xa0`.
        let is_garbled = said.contains(r"\x");
        said.contains("can't open eval") && (is_garbled || missing_resources(spec).is_empty())
    }

    /// Whatever its `-hash` says.
    fn memory(&self, _: &EngineSpec) -> Option<u64> {
        Some(1280 * MB)
    }

    fn exact_empties(&self, spec: &EngineSpec) -> Option<u32> {
        Some(exact_empties(spec.level))
    }

    /// Its table survives from game to game, and only the console can clear it.
    fn repeats_games(&self, spec: &EngineSpec) -> bool {
        face(spec) == Face::Console && has_fresh_table(spec)
    }

    fn scoring(&self, spec: &EngineSpec) -> Scoring {
        match face(spec) {
            Face::Console if spec.level > 0 => Scoring::WinnerTakesEmpties,
            Face::Console | Face::Gtp => Scoring::None,
        }
    }

    fn set_up(&self) -> Option<&'static SetUp> {
        Some(&SetUp {
            target: "setup-egaroucid",
            binary: "third_party/Egaroucid/bin/Egaroucid_for_Console.out",
            eval_file: "third_party/Egaroucid/bin/resources/eval.egev2",
        })
    }

    fn protocol(&self) -> &'static str {
        "its protocol"
    }

    fn concerns(&self, spec: &EngineSpec) -> Vec<Concern> {
        let mut concerns: Vec<Concern> = missing_resources(spec)
            .iter()
            .map(|path| Concern {
                what: format!("{} is missing", path.shown()),
                advice: "Egaroucid needs it beside its binary: run make setup-egaroucid, or copy \
                         the whole folder"
                    .to_owned(),
            })
            .collect();
        if !has_fresh_table(spec) {
            concerns.push(Concern {
                what: "`fresh_table = false`".to_owned(),
                advice: "about one move in a hundred depends on earlier games then; the same seed \
                         does not give the same bytes"
                    .to_owned(),
            });
        }
        concerns
    }

    fn advice_on_end(&self, end: &End<'_>, remedy: Option<&str>) -> Option<String> {
        if !end.is_start {
            return None;
        }
        if end.said.contains("broken") {
            let again = remedy.unwrap_or("fetch it again");
            return Some(format!(
                "its evaluation file is damaged, or of another version of Egaroucid: {again}"
            ));
        }
        if end.said.contains("can't open eval") {
            let again = remedy.unwrap_or("copy the whole folder of its release");
            return Some(format!(
                "it needs the file that it names, in the `resources` folder beside its binary: \
                 {again}"
            ));
        }
        Some(
            "Egaroucid fails one start in fifty without a reason, but not twice in a row: this has \
             a reason. It needs its `resources` folder beside the binary, and about 1.3 GB"
                .to_owned(),
        )
    }

    /// Its time goes into clearing its table, not into waking it up.
    fn advice_on_speed(&self, spec: &EngineSpec) -> Option<String> {
        self.repeats_games(spec).then(|| {
            "beside the moves each game takes about 0.2 s, in which it clears its table; \
             `fresh_table = false` in its `options` saves them, but then about one move in a \
             hundred depends on earlier games"
                .to_owned()
        })
    }

    fn advice_on_memory_of_games(&self, _: &EngineSpec) -> Option<String> {
        Some(
            "its table outlives its games: remove `fresh_table = false` and `protocol = \"gtp\"` \
             from its `options`"
                .to_owned(),
        )
    }

    fn advice_on_unpromised_repeats(&self, _: &EngineSpec) -> Option<&'static str> {
        Some("its table outlives its games all the same, so that is not to be relied on")
    }
}

/// The files beside its program that it cannot do without, and its evaluation file, as far as they
/// are not there.
fn missing_resources(spec: &EngineSpec) -> Vec<PathBuf> {
    let folder = folder(spec);
    let beside = RESOURCES.iter().filter_map(|(name, other_ending)| {
        let path = folder?.join(name);
        (!path.exists() && !path.with_extension(other_ending).exists()).then_some(path)
    });
    let eval_file = spec.entry.eval_file.clone();
    beside
        .chain(eval_file.filter(|path| !path.exists()))
        .collect()
}

/// Whether it clears its table for each game.
fn has_fresh_table(spec: &EngineSpec) -> bool {
    spec.entry.options.get("fresh_table") != Some(&OptionValue::Bool(false))
}

/// The two ways to talk to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Face {
    /// Sets up positions, scores moves, clears its table.
    Console,
    /// Go Text Protocol: neither.
    Gtp,
}

/// The face that `options.protocol` asks for.
fn face(spec: &EngineSpec) -> Face {
    match spec.entry.options.get("protocol") {
        Some(OptionValue::Text(word)) if word == "gtp" => Face::Gtp,
        _ => Face::Console,
    }
}

/// The words after the program's name. `eval_file` is absolute.
fn arguments(spec: &EngineSpec, face: Face, eval_file: Option<&Path>) -> Vec<OsString> {
    let fixed: &[&str] = match face {
        Face::Console => &["-q", "-nobook", "-noautopass", "-showvalue"],
        Face::Gtp => &["-gtp", "-q", "-nobook"],
    };
    let mut words: Vec<OsString> = fixed.iter().map(OsString::from).collect();
    for (option, value) in [("-l", spec.level), ("-t", spec.threads)] {
        words.push(option.into());
        words.push(value.to_string().into());
    }
    if let Some(eval_file) = eval_file {
        words.push("-eval".into());
        words.push(eval_file.into());
    }
    words
}

/// The number of empty squares from which on Egaroucid 7.8.1 plays exactly; where its table has not
/// been looked up, the next lower level's.
const fn exact_empties(level: u32) -> u32 {
    match level {
        0..=10 => 2 * level,
        11..=14 => 21,
        15..=19 => 22,
        20..=22 => 24,
        23..=28 => 26,
        _ => 30,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::kinds::tests::spec;

    #[test]
    fn only_a_file_that_is_there_is_missed_at_random() {
        let folder = tempfile::tempdir().unwrap();
        let mut egaroucid = spec("egaroucid", 1, &[]);
        egaroucid.entry.binary = Some(folder.path().join("engine"));
        egaroucid.entry.eval_file = Some(folder.path().join("eval.egev2"));
        // As it was recorded, at random and for good.
        let garbled = r"[ERROR] [FATAL] can't open eval bin/Egaroucid.out\xa0Ce/eval.egev2";
        let at_random = "[ERROR] [FATAL] can't open eval bin/Egaroucid.outCe/eval.egev2";
        let for_good = "[ERROR] [FATAL] evaluation file broken";
        assert!(
            !Egaroucid.starts_at_random(&egaroucid, at_random),
            "no file is there"
        );
        for (name, _) in RESOURCES {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "data").unwrap();
        }
        assert!(
            !Egaroucid.starts_at_random(&egaroucid, at_random),
            "one is missing"
        );
        std::fs::write(folder.path().join("eval.egev2"), "data").unwrap();
        assert!(Egaroucid.starts_at_random(&egaroucid, at_random));
        assert!(!Egaroucid.starts_at_random(&egaroucid, for_good));
        assert!(!Egaroucid.starts_at_random(&egaroucid, ""));
        egaroucid.entry.binary = None;
        assert!(Egaroucid.starts_at_random(&egaroucid, garbled));
    }
}

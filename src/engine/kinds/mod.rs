//! The kinds of engines, a file each: all that depends on what an engine is stands there, from its
//! levels and its command line to what to advise when it fails. Nobody else asks which kind it is.
//!
//! To add a kind is to add its file and its line in [`PROFILES`].

mod builtin;
mod edax;
mod egaroucid;
mod gtp;
mod nboard;

use super::{Engine, EngineError};
use crate::base::stop::Stop;
use crate::config::{EngineEntry, EngineKind, EngineSpec, Kind, Setting};
use std::path::Path;

/// All kinds, in the order in which messages list them.
static PROFILES: [&'static dyn Profile; 5] = [
    &edax::Edax,
    &egaroucid::Egaroucid,
    &builtin::Embedded,
    &nboard::Nboard,
    &gtp::Gtp,
];

/// All kinds, for the configuration.
pub static KINDS: [EngineKind; PROFILES.len()] = {
    let mut kinds = [BUILTIN; PROFILES.len()];
    let mut at = 0;
    while at < kinds.len() {
        kinds[at] = EngineKind::new(PROFILES[at]);
        at += 1;
    }
    kinds
};

/// The embedded engine's kind: it needs no entry in app.toml.
pub const BUILTIN: EngineKind = EngineKind::new(&builtin::Embedded);

/// The kind of this name.
///
/// # Panics
/// When there is none; names from outside come through the configuration.
pub fn kind(name: &str) -> EngineKind {
    let found = KINDS.iter().find(|kind| kind.name() == name);
    *found.unwrap_or_else(|| panic!("no kind of engine is called `{name}`"))
}

/// What is to be known of an engine's kind beyond its [`Kind`].
pub(crate) trait Profile: Kind {
    /// Starts an engine once. Whoever calls has checked `spec`, and tries again where that may help.
    fn start(&self, spec: &EngineSpec, stop: &Stop) -> Result<Box<dyn Engine>, EngineError>;

    /// Whether a process that ended while it started, with these last words, is known to do so at
    /// random: then it is worth several tries.
    fn starts_at_random(&self, _spec: &EngineSpec, _said: &str) -> bool {
        false
    }

    /// Resident memory of one engine in bytes; `None` where nobody has measured.
    fn memory(&self, _spec: &EngineSpec) -> Option<u64> {
        None
    }

    /// With this many empty squares or fewer it plays exactly; `None` where nobody knows.
    fn exact_empties(&self, _spec: &EngineSpec) -> Option<u32> {
        None
    }

    /// Whether with one thread it makes the same moves in the same game, whatever it played before.
    fn repeats_games(&self, _spec: &EngineSpec) -> bool {
        true
    }

    /// Whether that is known, and not only what a decent engine does.
    fn is_known_to_repeat(&self) -> bool {
        true
    }

    /// The scores that it tells.
    fn scoring(&self, spec: &EngineSpec) -> Scoring;

    /// What it is, where it has no file that could be hashed.
    fn revision(&self) -> Option<Revision> {
        None
    }

    /// Where `make` puts it.
    fn set_up(&self) -> Option<&'static SetUp> {
        None
    }

    /// What to run to get it, where no `make` does that.
    fn remedy(&self, _spec: &EngineSpec) -> Option<String> {
        None
    }

    /// What it speaks, for advice.
    fn protocol(&self) -> &'static str;

    /// The kind that an engine may be of when it does not understand this one's protocol.
    fn sibling(&self) -> Option<EngineKind> {
        None
    }

    /// Settings and surroundings that do it no good, each with what to do.
    fn concerns(&self, _spec: &EngineSpec) -> Vec<Concern> {
        Vec::new()
    }

    /// What to do about a process that ended, where the kind knows. `remedy` is what sets it up.
    fn advice_on_end(&self, _end: &End<'_>, _remedy: Option<&str>) -> Option<String> {
        None
    }

    /// How its processes could need less memory.
    fn advice_on_memory(&self, _spec: &EngineSpec) -> Option<String> {
        None
    }

    /// What makes its moves quicker; `None`: what does so with any engine.
    fn advice_on_speed(&self, _spec: &EngineSpec) -> Option<String> {
        None
    }

    /// Why its games do not repeat themselves from process to process.
    fn advice_on_chance(&self, _spec: &EngineSpec) -> Option<String> {
        None
    }

    /// Why its games depend on those before them.
    fn advice_on_memory_of_games(&self, _spec: &EngineSpec) -> Option<String> {
        None
    }

    /// What to think of games that repeat themselves although nothing promises it. `Some("")`:
    /// nothing.
    fn advice_on_unpromised_repeats(&self, _spec: &EngineSpec) -> Option<&'static str> {
        None
    }
}

/// The profile of an engine.
pub(crate) fn profile(spec: &EngineSpec) -> &'static dyn Profile {
    let name = spec.entry.kind.name();
    let found = PROFILES.iter().find(|profile| profile.name() == name);
    // Every kind that a configuration can name comes from this list.
    *found.expect("a kind of this list")
}

/// The scores that an engine tells of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// None.
    None,
    /// Final disc differences, the empty squares going to the winner.
    WinnerTakesEmpties,
    /// Final disc differences by the rule that it is told to play for.
    AsAsked,
    /// The protocol has a command for it, and the engine may know it or not; what it says counts
    /// the empty squares for the winner.
    PerhapsWinnerTakesEmpties,
}

/// What an engine is that is not a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Revision {
    /// What it is called where it is shown.
    pub shown: &'static str,
    /// What decides its moves.
    pub number: u32,
}

/// Where set-up puts an engine, below the folder with the Makefile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetUp {
    /// The target of make.
    pub target: &'static str,
    /// Its program.
    pub binary: &'static str,
    /// Its evaluation data.
    pub eval_file: &'static str,
}

/// Something that does an engine no good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Concern {
    /// What.
    pub what: String,
    /// What to do.
    pub advice: String,
}

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<'a> {
    /// Exit code or signal in words.
    pub how: &'a str,
    /// Its last words.
    pub said: &'a str,
    /// Before it was ready.
    pub is_start: bool,
}

/// The settings of a kind that learns them by its command line or environment alone.
fn passes_marks(entry: &EngineEntry, setting: Setting) -> bool {
    setting == Setting::Process || setting.is_marked(entry)
}

/// The folder of an engine's program.
fn folder(spec: &EngineSpec) -> Option<&Path> {
    spec.entry.binary.as_deref().and_then(Path::parent)
}

const MB: u64 = 1_000_000;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::config::OptionValue;

    /// An engine of this kind, with nothing else set.
    pub(crate) fn spec(kind: &str, level: u32, options: &[(&str, OptionValue)]) -> EngineSpec {
        let mut entry = EngineEntry::new("engine", super::kind(kind));
        entry.binary = (!entry.kind.is_embedded()).then(|| "/nowhere/bin/engine".into());
        let owned = |(key, value): &(&str, OptionValue)| ((*key).to_owned(), value.clone());
        entry.options = options.iter().map(owned).collect();
        EngineSpec::new(entry, level)
    }

    #[test]
    fn every_kind_is_found_by_its_name_and_has_a_name_of_its_own() {
        for (at, kind) in KINDS.iter().enumerate() {
            assert_eq!(profile(&spec(kind.name(), 1, &[])).name(), kind.name());
            assert!(KINDS[..at].iter().all(|other| other != kind));
        }
    }

    #[test]
    fn the_measured_memory_comes_out() {
        let memory = |spec: &EngineSpec| profile(spec).memory(spec);
        let bits = |bits| spec("edax", 20, &[("hash_bits", OptionValue::Integer(bits))]);
        let edax = |of: i64| memory(&bits(of)).expect("known");
        assert_eq!(edax(10) / MB, 58);
        assert_eq!((edax(22) + MB / 2) / MB, 167);
        assert_eq!(memory(&spec("edax", 20, &[])), memory(&bits(22)));
        assert_eq!(memory(&spec("egaroucid", 1, &[])), Some(1_280_000_000));
        assert_eq!(memory(&spec("gtp", 1, &[])), None);
        assert_eq!(memory(&spec("builtin", 60, &[])), Some(64 << 20));
    }
}

//! What a configuration has to know of a kind of engine: its name, its levels and options, and which
//! settings reach it. The kinds themselves are the engine room's; it hands them in.

use super::{EngineEntry, OptionValue};
use std::fmt;
use std::ops::Deref;

/// The facts of a kind of engine that hold before anything is started.
pub trait Kind: Sync {
    /// As written in app.toml.
    fn name(&self) -> &'static str;

    /// Whether it is a part of rdg, without a program of its own.
    fn is_embedded(&self) -> bool {
        false
    }

    /// The highest level; `None` where only the engine knows.
    fn highest_level(&self) -> Option<u32>;

    /// Whether it can be told a time for each move in place of a level.
    fn plays_by_time(&self) -> bool {
        false
    }

    /// The level where a command line names none.
    fn usual_level(&self) -> u32 {
        6
    }

    /// Whether an engine of it cannot do without a level.
    fn needs_level(&self, entry: &EngineEntry) -> bool {
        self.passes(entry, Setting::Level)
    }

    /// The keys of its `options`.
    fn options(&self) -> &'static [KnownOption];

    /// Whether a setting has a way to the engine.
    fn passes(&self, entry: &EngineEntry, setting: Setting) -> bool;

    /// Options of its command line that rdg writes itself: in `args` they would overrule what is
    /// recorded of the engine.
    fn own_words(&self) -> &'static [OwnWord] {
        &[]
    }
}

/// An option of a command line that is rdg's to write.
#[derive(Clone, Copy, Debug)]
pub struct OwnWord {
    /// Its spellings, without the dashes at the beginning.
    pub spellings: &'static [&'static str],
    /// What to do in place of it.
    pub instead: &'static str,
}

impl OwnWord {
    /// Whether a word of a command line is this option: `-level`, `--level` and `-level=5`.
    pub(crate) fn is(&self, word: &str) -> bool {
        let Some(name) = word.strip_prefix('-') else {
            return false;
        };
        let name = name.trim_start_matches('-');
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        self.spellings.contains(&name)
    }
}

/// A setting that an engine has to be told, or it changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// Playing strength.
    Level,
    /// Threads of a process.
    Threads,
    /// Evaluation data.
    EvalFile,
    /// Words of the command line, working folder, environment: whatever a process has.
    Process,
}

impl Setting {
    /// What stands for its value in `args` and `env`.
    pub const fn mark(self) -> Option<&'static str> {
        match self {
            Setting::Level => Some("{level}"),
            Setting::Threads => Some("{threads}"),
            Setting::EvalFile => Some("{eval_file}"),
            Setting::Process => None,
        }
    }

    /// Whether `args` or `env` of an engine hold its mark.
    pub fn is_marked(self, entry: &EngineEntry) -> bool {
        self.mark().is_some_and(|mark| {
            let mut words = entry.args.iter().chain(entry.env.values());
            words.any(|word| word.contains(mark))
        })
    }
}

/// A key of a kind's `options`. What it means is documented in docs/src/configuration.md.
#[derive(Clone, Copy, Debug)]
pub struct KnownOption {
    /// The key.
    pub name: &'static str,
    /// What may stand there.
    pub allowed: Allowed,
}

/// What may stand in an option.
#[derive(Clone, Copy, Debug)]
pub enum Allowed {
    /// `true` or `false`.
    Bool,
    /// A whole number of a range, which the text names.
    Integer(i64, i64, &'static str),
    /// One of these words, which the text lists.
    Word(&'static [&'static str], &'static str),
}

impl Allowed {
    /// Checks a value; the error says what is allowed.
    pub(crate) fn check(self, value: &OptionValue) -> Result<(), &'static str> {
        let (fits, allowed) = match (self, value) {
            (Allowed::Bool, value) => (matches!(value, OptionValue::Bool(_)), "true or false"),
            (Allowed::Integer(low, high, text), OptionValue::Integer(number)) => {
                ((low..=high).contains(number), text)
            }
            (Allowed::Word(words, text), OptionValue::Text(word)) => {
                (words.contains(&word.as_str()), text)
            }
            (Allowed::Integer(_, _, text) | Allowed::Word(_, text), _) => (false, text),
        };
        if fits { Ok(()) } else { Err(allowed) }
    }
}

/// What an engine is driven as.
#[derive(Clone, Copy)]
pub struct EngineKind(&'static dyn Kind);

impl EngineKind {
    /// The handle of a kind.
    pub const fn new(kind: &'static dyn Kind) -> EngineKind {
        EngineKind(kind)
    }
}

impl Deref for EngineKind {
    type Target = dyn Kind;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for EngineKind {
    fn eq(&self, other: &EngineKind) -> bool {
        self.name() == other.name()
    }
}

impl Eq for EngineKind {}

impl fmt::Debug for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

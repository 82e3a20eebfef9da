//! Whether an engine is fit for making data: everything about it that can be tried in seconds.
//!
//! [`examine`] starts one engine three times, asks it about known positions, has it play games and
//! repeat them, and measures. A [`Checkup`] is the result: findings with what to do about them, and
//! figures. Knows neither the command line nor where a configuration comes from.

mod advice;
mod ask;
mod cpu;
mod examine;
mod games;
mod json;
mod known;
mod memory;
mod settings;
mod text;

pub use cpu::CpuFeatures;
pub use examine::{Circumstances, examine};
pub use games::{Repeats, Speed};
pub use json::json;
pub use memory::MemoryUse;
pub use text::{Look, checkup_text, machine_text, summary_text};

use crate::config::EngineSpec;
use crate::engine::EngineIdentity;
use std::time::Duration;

/// An engine to be examined.
#[derive(Clone, PartialEq, Debug)]
pub struct Patient {
    /// How it would be started.
    pub spec: EngineSpec,
    /// What the configuration uses it for.
    pub roles: Vec<Role>,
    /// Asked for by name: it has to be usable whether a configuration uses it or not.
    pub is_named: bool,
}

impl Patient {
    /// Whether somebody relies on it.
    pub fn is_needed(&self) -> bool {
        self.is_named || !self.roles.is_empty()
    }
}

/// What a dataset's configuration uses an engine for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Plays the games.
    SelfPlay,
    /// Plays a part of the moves before the phase.
    Playout,
}

impl Role {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Role::SelfPlay => "self_play",
            Role::Playout => "playout",
        }
    }
}

/// All about one engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkup {
    /// Who was examined.
    pub patient: Patient,
    /// In the order of the examination.
    pub findings: Vec<Finding>,
    /// Hashes and revision; `None` where a file cannot be read.
    pub identity: Option<EngineIdentity>,
    /// Time from its start to the end of the start-up test, of each start that succeeded.
    pub starts: Vec<Duration>,
    /// Time per move.
    pub speed: Option<Speed>,
    /// Whether games repeat themselves.
    pub repeats: Option<Repeats>,
    /// Memory of a process.
    pub memory: Option<MemoryUse>,
}

impl Checkup {
    /// Whether data can be made with it.
    pub fn is_usable(&self) -> bool {
        self.findings.iter().all(|f| f.verdict != Verdict::Bad)
    }

    /// Whether something should be looked into.
    pub fn has_warnings(&self) -> bool {
        self.findings.iter().any(|f| f.verdict == Verdict::Warning)
    }
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Are its files there?
    Files,
    /// Does it start?
    Start,
    /// Does it answer known positions?
    Positions,
    /// Does it cope with passes and early ends?
    Passes,
    /// Does it play whole games?
    Games,
    /// Does a repeated game repeat its moves?
    Repeats,
    /// How fast is it?
    Speed,
    /// How much memory does it take?
    Memory,
    /// Can it score moves?
    Scores,
    /// Do its settings suit it?
    Settings,
}

impl Check {
    /// Its name, in text and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Check::Files => "files",
            Check::Start => "start",
            Check::Positions => "positions",
            Check::Passes => "passes",
            Check::Games => "games",
            Check::Repeats => "repeats",
            Check::Speed => "speed",
            Check::Memory => "memory",
            Check::Scores => "scores",
            Check::Settings => "settings",
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// As it should be.
    Good,
    /// Neither good nor bad.
    Note,
    /// It works, but something should be done.
    Warning,
    /// No data can be made with it.
    Bad,
}

impl Verdict {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Note => "note",
            Verdict::Warning => "warning",
            Verdict::Bad => "bad",
        }
    }
}

/// One result of the examination.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// What was looked at.
    pub check: Check,
    /// How bad it is.
    pub verdict: Verdict,
    /// What was found, with its figure.
    pub text: String,
    /// What to do about it.
    pub advice: Vec<String>,
}

impl Finding {
    fn new(check: Check, verdict: Verdict, text: impl Into<String>) -> Finding {
        Finding {
            check,
            verdict,
            text: text.into(),
            advice: Vec::new(),
        }
    }

    fn good(check: Check, text: impl Into<String>) -> Finding {
        Finding::new(check, Verdict::Good, text)
    }

    fn advise(mut self, advice: impl IntoIterator<Item = String>) -> Finding {
        self.advice.extend(advice);
        self
    }
}

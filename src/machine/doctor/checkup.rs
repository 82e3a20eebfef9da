//! Who is examined, and all that was found.

use super::finding::{Finding, Verdict};
use super::games::{Repeats, Speed};
use super::memory::MemoryUse;
use crate::config::EngineSpec;
use crate::engine::EngineIdentity;
use std::time::Duration;

/// An engine to be examined.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Patient {
    /// How it would be started.
    pub spec: EngineSpec,
    /// What the configuration uses it for.
    pub roles: Vec<Role>,
    /// Asked for by name: it has to be usable whether a configuration uses it or not.
    pub is_named: bool,
}

impl Patient {
    /// Whether somebody relies on it.
    pub(crate) fn is_needed(&self) -> bool {
        self.is_named || !self.roles.is_empty()
    }
}

/// What a dataset's configuration uses an engine for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Plays the games.
    SelfPlay,
    /// Plays a part of the moves before the phase.
    Playout,
}

impl Role {
    /// Its name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Role::SelfPlay => "self_play",
            Role::Playout => "playout",
        }
    }
}

/// All about one engine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Checkup {
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
    pub(crate) fn is_usable(&self) -> bool {
        self.findings.iter().all(|f| f.verdict != Verdict::Bad)
    }

    /// Whether something should be looked into.
    pub(crate) fn has_warnings(&self) -> bool {
        self.findings.iter().any(|f| f.verdict == Verdict::Warning)
    }
}

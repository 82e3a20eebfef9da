//! One result of an examination.

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Check {
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
    pub(crate) const fn name(self) -> &'static str {
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
pub(crate) enum Verdict {
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
    pub(crate) const fn name(self) -> &'static str {
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
pub(crate) struct Finding {
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
    pub(super) fn new(check: Check, verdict: Verdict, text: impl Into<String>) -> Finding {
        Finding {
            check,
            verdict,
            text: text.into(),
            advice: Vec::new(),
        }
    }

    pub(super) fn good(check: Check, text: impl Into<String>) -> Finding {
        Finding::new(check, Verdict::Good, text)
    }

    pub(super) fn advise(mut self, advice: impl IntoIterator<Item = String>) -> Finding {
        self.advice.extend(advice);
        self
    }
}

//! The warnings of a run: how many, and the latest.

use crate::base::shown::Shown;
use crate::base::text;
use std::collections::VecDeque;

/// Warnings repeated below the closing summary.
const KEPT: usize = 10;

/// All are counted, the last few are kept.
#[derive(Default)]
pub(in crate::progress) struct Warnings {
    total: u64,
    latest: VecDeque<String>,
}

impl Warnings {
    /// One more.
    pub(in crate::progress) fn add(&mut self, message: &str) {
        self.total += 1;
        if self.latest.len() == KEPT {
            self.latest.pop_front();
        }
        self.latest.push_back(message.shown().to_string());
    }

    /// The last one, with the number of all where it was not the only one.
    pub(super) fn latest(&self) -> Option<String> {
        let latest = self.latest.back()?;
        Some(match self.total {
            1 => latest.clone(),
            total => format!("({}) {latest}", text::count(total)),
        })
    }

    /// What is printed below the closing summary.
    pub(in crate::progress) fn closing_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let hidden = self.total - self.latest.len() as u64;
        if hidden > 0 {
            let hidden = text::count(hidden);
            lines.push(format!(
                "{hidden} earlier warnings are in the log, if there is one"
            ));
        }
        let latest = self.latest.iter();
        lines.extend(latest.map(|warning| format!("warning: {warning}")));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_counted_and_the_last_are_kept() {
        let mut warnings = Warnings::default();
        assert_eq!(warnings.latest(), None);
        assert!(warnings.closing_lines().is_empty());
        warnings.add("first");
        assert_eq!(warnings.latest().as_deref(), Some("first"));
        for n in 0..1500 {
            warnings.add(&format!("number {n}"));
        }
        assert_eq!(warnings.latest().as_deref(), Some("(1,501) number 1499"));
        let lines = warnings.closing_lines();
        assert_eq!(lines.len(), 11);
        assert!(lines[0].starts_with("1,491 earlier warnings"), "{lines:?}");
        assert_eq!(lines[10], "warning: number 1499");
    }
}

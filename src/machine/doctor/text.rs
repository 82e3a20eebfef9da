//! A checkup as text: one screen per engine, a mark, a figure and the advice on each line.

use super::checkup::{Checkup, Role};
use super::circumstances::Circumstances;
use super::finding::Verdict;
use crate::base::ansi::painted;
use crate::base::shown::Shown;
use crate::base::text::bytes;
use std::time::Duration;

/// What the terminal takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    /// Colours.
    pub color: bool,
    /// Characters beyond ASCII.
    pub symbols: bool,
    /// Columns; longer lines are broken.
    pub width: usize,
}

/// Columns before the text of a finding.
const INDENT: usize = 16;
/// Columns of an advice's arrow.
const ARROW: usize = 3;

/// What all checkups have in common: the machine.
pub(crate) fn machine_text(circumstances: &Circumstances, look: Look) -> String {
    let machine = &circumstances.machine;
    let mut facts = vec![
        match machine.cpus {
            1 => "1 CPU".to_owned(),
            cpus => format!("{cpus} CPUs"),
        },
        match circumstances.cpu.missing.first() {
            Some(missing) => format!("{} (no {missing})", circumstances.cpu.level),
            None => circumstances.cpu.level.to_owned(),
        },
    ];
    facts.extend(
        machine
            .available_memory
            .map(|free| format!("{} of memory available", bytes(free))),
    );
    facts.push(match circumstances.workers {
        1 => "1 worker".to_owned(),
        workers => format!("{workers} workers"),
    });
    plain(&format!("{}\n", facts.join(", ")), look)
}

/// One engine.
pub(crate) fn checkup_text(checkup: &Checkup, look: Look) -> String {
    let spec = &checkup.patient.spec;
    let mut title = format!("{}  ", spec.entry.name);
    title += &format!("(kind {}", spec.entry.kind.name());
    if let Some(level) = spec.told_level() {
        title += &format!(", level {level}");
    }
    title += &match spec.threads {
        1 => ")".to_owned(),
        threads => format!(", {threads} threads)"),
    };
    for role in &checkup.patient.roles {
        title += match role {
            Role::SelfPlay => ", plays the games",
            Role::Playout => ", plays opening moves",
        };
    }
    let mut text = format!("\n{}\n", look.bold(&title));
    for finding in &checkup.findings {
        let mark = look.mark(finding.verdict);
        let pad = " ".repeat(3 - look.mark_width());
        let name = finding.check.name();
        text += &format!("  {mark}{pad}");
        text += &wrapped(
            &format!("{name:<11}"),
            &plain(&finding.text, look),
            INDENT,
            look,
        );
        for advice in &finding.advice {
            let arrow = if look.symbols { "→  " } else { "-> " };
            text += &" ".repeat(INDENT);
            text += &wrapped(arrow, &plain(advice, look), INDENT + ARROW, look);
        }
    }
    let (verdict, words) = match (checkup.is_usable(), checkup.has_warnings()) {
        (true, false) => (Verdict::Good, "ready"),
        (true, true) => (Verdict::Warning, "usable"),
        (false, _) => (Verdict::Bad, "not usable"),
    };
    text += &format!("  = {}\n", look.paint(verdict, words));
    text
}

/// The last line, about all engines.
pub(crate) fn summary_text(checkups: &[Checkup], look: Look) -> String {
    let names = |is_wanted: &dyn Fn(&Checkup) -> bool| -> Vec<&str> {
        let wanted = checkups.iter().filter(|checkup| is_wanted(checkup));
        wanted
            .map(|checkup| checkup.patient.spec.entry.name.as_str())
            .collect()
    };
    let needed = names(&|c| !c.is_usable() && c.patient.is_needed());
    let others = names(&|c| !c.is_usable() && !c.patient.is_needed());
    let mut text = String::from("\n");
    if !needed.is_empty() {
        let words = format!("needed, and not usable: {}", needed.join(", "));
        text += &format!("{}\n", look.paint(Verdict::Bad, &words));
    }
    if !others.is_empty() {
        text += &format!("not usable, and not in use: {}\n", others.join(", "));
    }
    let usable = names(&|c| c.is_usable());
    if !usable.is_empty() {
        text += &format!("usable: {}\n", usable.join(", "));
    }
    text
}

impl Look {
    fn mark(self, verdict: Verdict) -> String {
        let mark = match (verdict, self.symbols) {
            (Verdict::Good, true) => "✓",
            (Verdict::Note, true) => "·",
            (Verdict::Warning, true) => "!",
            (Verdict::Bad, true) => "✗",
            (Verdict::Good, false) => "ok",
            (Verdict::Note, false) => "--",
            (Verdict::Warning, false) => "! ",
            (Verdict::Bad, false) => "XX",
        };
        self.paint(verdict, mark)
    }

    const fn mark_width(self) -> usize {
        if self.symbols { 1 } else { 2 }
    }

    fn paint(self, verdict: Verdict, text: &str) -> String {
        let code = match verdict {
            Verdict::Good => "32",
            Verdict::Note => "2",
            Verdict::Warning => "33",
            Verdict::Bad => "1;31",
        };
        painted(self.color, code, text)
    }

    fn bold(self, text: &str) -> String {
        painted(self.color, "1", text)
    }
}

/// Without what the terminal shall not see.
fn plain(text: &str, look: Look) -> String {
    let text = match look.symbols {
        true => text.to_owned(),
        false => text.replace('µ', "u"),
    };
    // Our own line ends are put in later; those of others are gone by now.
    match text.strip_suffix('\n') {
        Some(line) => format!("{}\n", line.shown()),
        None => text.shown().to_string(),
    }
}

/// `text` after `head`, broken at blanks; further lines begin at column `indent`.
fn wrapped(head: &str, text: &str, indent: usize, look: Look) -> String {
    let room = look.width.saturating_sub(indent).max(30);
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always one line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > room {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    let joint = format!("\n{}", " ".repeat(indent));
    format!("{head}{}\n", lines.join(&joint))
}

/// A short time as people read it: `31 µs`, `1.2 ms`, `0.35 s`, `12 s`, `5 min`.
pub(super) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.009_95 => format!("{:.1} ms", s * 1e3),
        s if s < 0.099_5 => format!("{:.0} ms", s * 1e3),
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 600.0 => format!("{s:.0} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::doctor::Check;

    const ASCII: Look = Look {
        color: false,
        symbols: false,
        width: 60,
    };

    #[test]
    fn times_have_two_figures_or_so() {
        let cases = [
            (Duration::from_nanos(31_400), "31 µs"),
            (Duration::from_micros(999), "999 µs"),
            (Duration::from_nanos(999_900), "1.0 ms"),
            (Duration::from_micros(1234), "1.2 ms"),
            (Duration::from_millis(42), "42 ms"),
            (Duration::from_millis(350), "0.35 s"),
            (Duration::from_secs(60), "60 s"),
            (Duration::from_secs(3600), "60 min"),
        ];
        for (duration, text) in cases {
            assert_eq!(time(duration), text);
        }
    }

    #[test]
    fn long_lines_are_broken_under_their_beginning() {
        let text = wrapped("head ", &"word ".repeat(20), 20, ASCII);
        assert!(text.lines().all(|line| line.len() <= 60), "{text}");
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with(&" ".repeat(20)))
        );
        assert_eq!(text.matches("word").count(), 20);
    }

    #[test]
    fn every_name_fits_its_column() {
        for check in [Check::Positions, Check::Settings, Check::Repeats] {
            assert!(check.name().len() <= 9);
        }
        assert_eq!(plain("31 µs\x1b[2J", ASCII), r"31 us\u{1b}[2J");
    }
}

//! The question whether a set-up is to be run.

use super::MissingFile;
use crate::base::shown::Shown;
use crate::config::{AppConfig, EngineSpec};
use rustix::termios::isatty;
use std::io::{BufRead, Write};

/// Whether somebody is there to read a question and to answer it.
pub(super) fn can_ask() -> bool {
    isatty(rustix::stdio::stdin()) && isatty(rustix::stdio::stderr())
}

/// What is missing, and the question.
pub(super) fn question(
    spec: &EngineSpec,
    missing: &[MissingFile],
    app: &AppConfig,
    target: &str,
) -> String {
    let mut text = format!(
        "Engine `{}` of {} is not set up. Missing:\n",
        spec.entry.name,
        app.path.shown()
    );
    for file in missing {
        text.push_str(&format!("  {}\n", file.path.shown()));
    }
    text.push_str(&format!("Run make {target} now? [y/N] "));
    text
}

/// Puts the question and reads the answer, which is no unless it is yes.
pub(super) fn ask(question: &str) -> bool {
    let mut stderr = std::io::stderr().lock();
    if write!(stderr, "{question}")
        .and_then(|()| stderr.flush())
        .is_err()
    {
        return false;
    }
    let mut answer = String::new();
    match std::io::stdin().lock().read_line(&mut answer) {
        Ok(0) | Err(_) => false,
        Ok(_) => is_yes(&answer),
    }
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_yes_is_yes() {
        for answer in ["y\n", "Y", "yes\r\n", " YES \n"] {
            assert!(is_yes(answer), "{answer:?}");
        }
        for answer in ["\n", "n\n", "no", "yeah", "ye", "jy", "はい"] {
            assert!(!is_yes(answer), "{answer:?}");
        }
    }
}

//! How a process ended, in words that help.

use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// Names the exit code or signal, with its usual meaning.
pub(super) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (_, Some(number)) => {
            let (name, meaning) = signal(number);
            match (name, meaning) {
                (Some(name), "") => format!("killed by {name}"),
                (Some(name), meaning) => format!("killed by {name} ({meaning})"),
                (None, _) => format!("killed by signal {number}"),
            }
        }
        _ => status.to_string(),
    }
}

fn signal(number: i32) -> (Option<&'static str>, &'static str) {
    let named = [
        (
            Signal::ILL,
            "SIGILL",
            "it was built for another CPU; build it on this machine or choose another binary",
        ),
        (Signal::SEGV, "SIGSEGV", "it crashed"),
        (Signal::BUS, "SIGBUS", "it crashed"),
        (Signal::FPE, "SIGFPE", "it crashed"),
        (
            Signal::ABORT,
            "SIGABRT",
            "it gave up, often over a bad evaluation file",
        ),
        (
            Signal::KILL,
            "SIGKILL",
            "by somebody, or for lack of memory",
        ),
        (Signal::TERM, "SIGTERM", ""),
        (Signal::INT, "SIGINT", ""),
        (Signal::HUP, "SIGHUP", ""),
        (Signal::QUIT, "SIGQUIT", ""),
        (Signal::PIPE, "SIGPIPE", "its output was closed"),
        (Signal::XCPU, "SIGXCPU", "its limit of CPU time was reached"),
        (Signal::SYS, "SIGSYS", "a system call was forbidden to it"),
        (Signal::TRAP, "SIGTRAP", ""),
    ];
    named
        .into_iter()
        .find(|(signal, ..)| signal.as_raw() == number)
        .map_or((None, ""), |(_, name, meaning)| (Some(name), meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_signals_are_named() {
        // The wait status of POSIX systems: the code in the second byte, the signal in the first.
        assert_eq!(describe(ExitStatus::from_raw(3 << 8)), "exit code 3");
        assert!(describe(ExitStatus::from_raw(4)).contains("SIGILL (it was built for another CPU"));
        assert_eq!(describe(ExitStatus::from_raw(15)), "killed by SIGTERM");
        assert_eq!(describe(ExitStatus::from_raw(64)), "killed by signal 64");
    }
}

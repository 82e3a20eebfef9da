//! Whole runs of the real program.

use crate::null_engine::{Manner, Report};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a run came to.
pub struct Run {
    /// One for each engine.
    pub engines: Vec<Report>,
}

impl Run {
    /// Questions of all engines.
    pub fn questions(&self) -> u64 {
        self.engines.iter().map(|engine| engine.questions).sum()
    }

    /// Time per question and worker.
    pub fn per_question(&self) -> Duration {
        let total: Duration = self.engines.iter().map(|engine| engine.span).sum();
        total / self.questions().max(1) as u32
    }

    /// The share of the time between an engine's first question and its last answer in which it
    /// computed.
    pub fn busy_share(&self) -> f64 {
        let cpu: Duration = self.engines.iter().map(|engine| engine.cpu).sum();
        let span: Duration = self.engines.iter().map(|engine| engine.span).sum();
        cpu.as_secs_f64() / span.as_secs_f64()
    }
}

/// Ten phases in one window, `samples` each.
pub fn generate(manner: Manner, workers: usize, affinity: &str, samples: u64) -> Run {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let mut child = start(folder.path(), manner, workers, affinity, samples);
    let status = child.wait().expect("it was started");
    assert!(status.success(), "rdg failed");
    Run {
        engines: Report::all(&folder.path().join("reports")),
    }
}

/// The program's memory in bytes while this many workers play.
pub fn memory(workers: usize) -> Option<u64> {
    let folder = tempfile::tempdir().expect("the system has a temporary folder");
    let manner = Manner {
        busy: Duration::from_millis(1),
        flushes_each_line: true,
    };
    let mut child = start(folder.path(), manner, workers, "false", 1_000_000);
    let until = Instant::now() + Duration::from_secs(120);
    let started = || std::fs::read_dir(folder.path().join("reports")).map_or(0, Iterator::count);
    while started() < workers && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    // Each has games behind it by then.
    std::thread::sleep(Duration::from_secs(4));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok();
    let pid = rustix::process::Pid::from_child(&child);
    let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
    let _ = child.wait();
    let status = status?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024 * kilobytes)
}

fn start(folder: &Path, manner: Manner, workers: usize, affinity: &str, samples: u64) -> Child {
    let write = |name: &str, text: String| {
        std::fs::write(folder.join(name), text).expect("a temporary file can be written");
    };
    let reports = folder.join("reports");
    std::fs::create_dir(&reports).expect("a temporary folder can be made");
    let own = std::env::current_exe().expect("it was started from a file");
    write(
        "app.toml",
        format!(
            "setup = \"off\"\n[engines.null]\nkind = \"nboard\"\nbinary = {:?}\nargs = {:?}\n",
            own,
            manner.words(&reports)
        ),
    );
    write(
        "config.toml",
        format!(
            "output_dir = \"out\"\nphases = \"20..29\"\nsamples_per_phase = {samples}\nseed = 1\n\
             [self_play]\nworkers = {workers}\naffinity = {affinity}\n\
             [self_play.ai]\nname = \"null\"\nlevel = 1\n[window]\nenabled = true\nsize = 10\n"
        ),
    );
    Command::new(env!("CARGO_BIN_EXE_rdg"))
        .args(["--config", "config.toml", "--app-config", "app.toml"])
        .arg("--no-progress")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program is built with the bench")
}

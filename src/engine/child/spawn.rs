//! Creating the process: in its binary's folder, in a process group of its own, tied to our life.

use super::limits::original_descriptor_limit;
use super::process::CommandLine;
use super::program::{check_program, explain};
use crate::engine::EngineError;
use rustix::process::Resource;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Starts the program. Every fault is one sentence that names the file and what to do.
pub(super) fn spawn(line: &CommandLine) -> Result<Child, EngineError> {
    let cannot_start = |reason: String| EngineError::CannotStart {
        engine: line.engine.clone(),
        reason: reason.into(),
    };
    check_program(&line.program, &line.engine).map_err(cannot_start)?;
    let mut command = Command::new(&line.program);
    command
        .args(&line.args)
        .envs(line.env.iter().map(|(name, value)| (name, value)))
        .current_dir(&line.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    tie_to_parent(&mut command);
    let child = on_spawner(command)
        .map_err(|error| cannot_start(explain(&error, &line.program, &line.engine)))?;
    super::guard::add(child.id());
    Ok(child)
}

/// What the child does between fork and exec. The standard library has already given it the
/// default SIGPIPE and an empty signal mask; every descriptor of ours closes at exec.
#[cfg(target_os = "linux")]
fn tie_to_parent(command: &mut Command) {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal, setrlimit};
    use rustix::thread::{sched_getaffinity, sched_setaffinity};

    let parent = rustix::process::getpid();
    let cpus = sched_getaffinity(None).ok();
    let descriptors = original_descriptor_limit();
    let in_child = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the signal was asked for.
        if getppid() != Some(parent) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(cpus) = cpus {
            // Those of the thread that asked, not of the one that forks; if that is refused the
            // engine runs anywhere.
            let _ = sched_setaffinity(None, &cpus);
        }
        let _ = setrlimit(Resource::Nofile, descriptors);
        Ok(())
    };
    // SAFETY: between fork and exec only async-signal-safe functions may be called. These are
    // bare system calls on values that were captured before; nothing allocates or locks.
    unsafe {
        command.pre_exec(in_child);
    }
}

#[cfg(not(target_os = "linux"))]
fn tie_to_parent(_command: &mut Command) {}

struct Job {
    command: Command,
    reply: SyncSender<io::Result<Child>>,
}

/// Spawns on one thread that lives as long as we do. The parent-death signal comes when the
/// *thread* that forked ends, so an engine forked by a short-lived thread would be killed with it.
fn on_spawner(command: Command) -> io::Result<Child> {
    static SPAWNER: Mutex<Option<SyncSender<Job>>> = Mutex::new(None);
    let spawner = {
        let mut slot = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(spawner) => spawner.clone(),
            None => {
                let (sender, jobs) = sync_channel(0);
                std::thread::Builder::new()
                    .name("spawner".to_owned())
                    .spawn(move || spawn_all(&jobs))?;
                slot.insert(sender).clone()
            }
        }
    };
    let (reply, result) = sync_channel(1);
    let gone = || io::Error::other("the thread that starts engines has ended");
    spawner.send(Job { command, reply }).map_err(|_| gone())?;
    result.recv().map_err(|_| gone())?
}

fn spawn_all(jobs: &Receiver<Job>) {
    for Job { mut command, reply } in jobs {
        let mut attempts_left = 20;
        let result = loop {
            match command.spawn() {
                // Somebody is still writing the file, or a process that is just being forked
                // holds it open for a moment.
                Err(error)
                    if error.kind() == io::ErrorKind::ExecutableFileBusy && attempts_left > 0 =>
                {
                    attempts_left -= 1;
                    std::thread::sleep(Duration::from_millis(10));
                }
                result => break result,
            }
        };
        // Whoever asked waits for this; if not, the child is dropped and its pipes close.
        let _ = reply.send(result);
    }
}

//! The end of a process: waiting for it, killing it, and never leaving a zombie or a forked child.

use super::guard;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a killed process may take to vanish before it is left to the system.
const KILL_PATIENCE: Duration = Duration::from_secs(2);

/// A process that leads its own group, and that another thread may have to kill.
#[derive(Debug)]
pub(super) struct Life {
    group: Pid,
    state: Mutex<State>,
    /// Readable when the process has ended. Linux only; elsewhere the wait looks again and again.
    pidfd: Option<OwnedFd>,
}

#[derive(Debug)]
struct State {
    child: Child,
    /// Known once it has been reaped.
    status: Option<ExitStatus>,
}

impl Life {
    /// Takes charge of `child`.
    pub(super) fn new(child: Child) -> Life {
        let group = Pid::from_child(&child);
        #[cfg(target_os = "linux")]
        let pidfd = rustix::process::pidfd_open(group, rustix::process::PidfdFlags::empty()).ok();
        #[cfg(not(target_os = "linux"))]
        let pidfd = None;
        Life {
            group,
            state: Mutex::new(State {
                child,
                status: None,
            }),
            pidfd,
        }
    }

    /// The process id, which is its group's number too.
    pub(super) fn id(&self) -> u32 {
        self.group.as_raw_nonzero().get().unsigned_abs()
    }

    /// Becomes readable when the process has ended.
    pub(super) fn pidfd(&self) -> Option<BorrowedFd<'_>> {
        self.pidfd.as_ref().map(AsFd::as_fd)
    }

    /// Kills the whole group, unless it has been reaped: then its number may be another's.
    pub(super) fn kill(&self) {
        if self.state().status.is_none() {
            // Fails only when nobody is left to kill.
            let _ = kill_process_group(self.group, Signal::KILL);
        }
    }

    /// Waits at most `patience` for the process to end by itself; if it does, whatever it forked
    /// is killed, it is reaped, and its status returned.
    pub(super) fn wait(&self, patience: Duration) -> Option<ExitStatus> {
        if !self.wait_for_end(patience) {
            return None;
        }
        let mut state = self.state();
        if state.status.is_none() {
            // The group's number is safe until the leader is reaped, so the order matters.
            let _ = kill_process_group(self.group, Signal::KILL);
            guard::remove(self.id());
            // It has ended, so this returns at once. An error means that the system reaps our
            // children by itself and keeps no status.
            state.status = Some(state.child.wait().unwrap_or_default());
        }
        state.status
    }

    /// Kills the group and reaps its leader. `None` if it hangs in the kernel.
    pub(super) fn end_now(&self) -> Option<ExitStatus> {
        self.kill();
        self.wait(KILL_PATIENCE)
    }

    fn wait_for_end(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut pause = Duration::from_micros(200);
        loop {
            if self.has_ended() {
                return true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            match &self.pidfd {
                Some(pidfd) => {
                    let mut fds = [PollFd::new(pidfd, PollFlags::IN)];
                    // Whatever it says (a signal may interrupt it), the truth is looked up above.
                    let _ = poll(&mut fds, Timespec::try_from(left).ok().as_ref());
                }
                None => {
                    std::thread::sleep(pause.min(left));
                    pause = (pause * 2).min(Duration::from_millis(10));
                }
            }
        }
    }

    /// Whether it has ended, reaped or not.
    fn has_ended(&self) -> bool {
        if self.state().status.is_some() {
            return true;
        }
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.group), look) {
            Ok(ended) => ended.is_some(),
            Err(error) => error == rustix::io::Errno::CHILD,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        self.end_now();
    }
}

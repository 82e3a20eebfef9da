//! CPUs: which there are, whose they are, and which threads run where.
//!
//! A driver and its engine take turns, so on one CPU they never wait for each other to be woken on
//! another; a move at level 1 then costs a third. [`super::pinning`] decides when that pays.

use std::io;

/// The CPUs that this thread may run on, ascending. Empty where the system does not tell.
pub fn allowed_cpus() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity};
        let Ok(set) = sched_getaffinity(None) else {
            return Vec::new();
        };
        (0..CpuSet::MAX_CPU)
            .filter(|&cpu| set.is_set(cpu))
            .collect()
    }
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// Whether a quota (cgroup `cpu.max`) gives this process less than `cpus` whole CPUs.
pub(super) fn is_under_quota(cpus: usize) -> bool {
    // The standard library looks at the mask and at the quotas of all groups above.
    std::thread::available_parallelism().map_or(1, usize::from) < cpus
}

/// Binds the calling thread to the `worker`-th (from 0, round and round) of `cpus`, which come from
/// [`allowed_cpus`] before any worker was bound. Engines that the thread starts from now on
/// inherit it. Does nothing when `cpus` is empty.
pub fn pin_worker(worker: usize, cpus: &[usize]) -> io::Result<()> {
    match cpus.is_empty() {
        true => Ok(()),
        false => bind(None, &[cpus[worker % cpus.len()]]),
    }
}

/// Binds a thread, or the calling one, to these CPUs.
pub(super) fn bind(thread: Option<i32>, cpus: &[usize]) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::Pid;
        use rustix::thread::{CpuSet, sched_setaffinity};
        let mut set = CpuSet::new();
        for &cpu in cpus {
            set.set(cpu);
        }
        let thread = match thread {
            Some(id) => Some(Pid::from_raw(id).ok_or(io::ErrorKind::InvalidInput)?),
            None => None,
        };
        sched_setaffinity(thread, &set)?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (thread, cpus);
    Ok(())
}

/// The CPU that the calling thread runs on at the moment.
pub(super) fn current_cpu() -> Option<usize> {
    #[cfg(target_os = "linux")]
    return Some(rustix::thread::sched_getcpu());
    #[cfg(not(target_os = "linux"))]
    None
}

/// A CPU that no other worker of any rdg on this machine binds itself to. It ends with its process,
/// however that ends, and leaves nothing behind: it is a socket's name that is not a file.
#[derive(Debug)]
pub(super) struct Claim {
    cpu: usize,
    #[cfg(target_os = "linux")]
    _name: std::os::unix::net::UnixDatagram,
}

impl Claim {
    /// Takes the CPU, unless somebody of the same `circle` has it.
    pub(super) fn take(circle: &str, cpu: usize) -> Option<Claim> {
        #[cfg(target_os = "linux")]
        {
            use std::os::linux::net::SocketAddrExt;
            use std::os::unix::net::{SocketAddr, UnixDatagram};
            let name = SocketAddr::from_abstract_name(format!("{circle}-cpu-{cpu}")).ok()?;
            let _name = UnixDatagram::bind_addr(&name).ok()?;
            Some(Claim { cpu, _name })
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (circle, cpu);
            None
        }
    }

    /// The CPU.
    pub(super) fn cpu(&self) -> usize {
        self.cpu
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_keeps_to_its_cpu() {
        let cpus = allowed_cpus();
        assert!(!cpus.is_empty());
        std::thread::scope(|scope| {
            for worker in 0..cpus.len() + 1 {
                let cpus = &cpus;
                scope.spawn(move || {
                    pin_worker(worker, cpus).unwrap();
                    assert_eq!(allowed_cpus(), [cpus[worker % cpus.len()]]);
                    bind(None, cpus).unwrap();
                    assert_eq!(&allowed_cpus(), cpus, "let go");
                });
            }
        });
        assert_eq!(allowed_cpus(), cpus, "other threads are left alone");
    }

    #[test]
    fn a_cpu_belongs_to_one_at_a_time() {
        let circle = format!("rdg-test-{}", std::process::id());
        let claim = Claim::take(&circle, 7).expect("nobody has it");
        assert_eq!(claim.cpu(), 7);
        assert!(Claim::take(&circle, 7).is_none());
        assert!(Claim::take(&circle, 8).is_some());
        drop(claim);
        assert!(Claim::take(&circle, 7).is_some());
    }
}

//! Binding a worker, and with it the engines that it starts, to one CPU.
//!
//! A driver and its engine take turns, so on one CPU they never wait for each other to be woken on
//! another; a move at level 1 then costs a third. It pays when moves take less than a millisecond
//! and every CPU has a worker. With more threads per engine than one, or fewer CPUs than workers,
//! it costs.

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

/// Binds the calling thread to the `worker`-th (from 0, round and round) of `cpus`, which come from
/// [`allowed_cpus`] before any worker was bound. Engines that the thread starts from now on
/// inherit it. Does nothing when `cpus` is empty.
pub fn pin_worker(worker: usize, cpus: &[usize]) -> io::Result<()> {
    if cpus.is_empty() {
        return Ok(());
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_setaffinity};
        let mut set = CpuSet::new();
        set.set(cpus[worker % cpus.len()]);
        sched_setaffinity(None, &set)?;
    }
    Ok(())
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
                });
            }
        });
        assert_eq!(allowed_cpus(), cpus, "other threads are left alone");
    }
}

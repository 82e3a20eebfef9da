//! How many files this process may have open. Its own come first; what is left is for engines.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::sync::OnceLock;

/// An engine takes three pipes and a handle on its process.
const FILES_OF_ENGINE: u64 = 4;
/// While one is started there are its own ends of the pipes, and one more pipe.
const FILES_OF_START: u64 = 8;
/// The guard's pipe, CPUs that are claimed, whatever is opened for a moment.
const SPARE: u64 = 8;

/// Our limit of open files as it was when we started; ours is raised as far as it goes. An engine
/// is given it back: some programs break when they see a huge one.
pub(super) fn original_descriptor_limit() -> Rlimit {
    static ORIGINAL: OnceLock<Rlimit> = OnceLock::new();
    *ORIGINAL.get_or_init(|| {
        let original = getrlimit(Resource::Nofile);
        // Each engine takes four descriptors, and the usual soft limit is 1024.
        const WANTED: u64 = 1 << 16;
        let most = original
            .maximum
            .map_or(WANTED, |maximum| maximum.min(WANTED));
        if original.current.is_some_and(|current| current < most) {
            let raised = Rlimit {
                current: Some(most),
                maximum: original.maximum,
            };
            // Where it is refused the original limit has to do.
            let _ = setrlimit(Resource::Nofile, raised);
        }
        original
    })
}

/// How many of `workers`, each with so many `engines`, have room for them beside `own` files that rdg
/// is still going to open; at least one. Raises the limit first, as far as it goes.
pub(crate) fn workers_that_fit(workers: usize, engines: u64, own: u64) -> usize {
    if engines == 0 {
        return workers;
    }
    let fitting = engines_that_fit(own).map(|all| usize::try_from(all / engines));
    match fitting {
        Some(Ok(fitting)) => workers.min(fitting.max(1)),
        _ => workers,
    }
}

/// What is to be said of workers that do not fit.
pub(crate) fn few_fit(fitting: usize, workers: usize) -> String {
    format!(
        "the limit of open files leaves room for the engines of {fitting} of {workers} workers, so \
         that many play; the results are the same. Raise it with `ulimit -n`"
    )
}

/// How many engines can run at a time; `None` where there is no limit.
fn engines_that_fit(own: u64) -> Option<u64> {
    original_descriptor_limit();
    let limit = getrlimit(Resource::Nofile).current?;
    let open = std::fs::read_dir("/proc/self/fd").map_or(16, |entries| entries.count() as u64);
    Some(fitting(limit, open, own))
}

fn fitting(limit: u64, open: u64, own: u64) -> u64 {
    let taken = open + own + FILES_OF_START + SPARE;
    limit.saturating_sub(taken) / FILES_OF_ENGINE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_come_first() {
        // Ten phases of three files, and six that are open: 64 − 6 − 30 − 16 = 12.
        assert_eq!(fitting(64, 6, 30), 3);
        assert_eq!(fitting(64, 6, 150), 0);
        assert!(engines_that_fit(0).is_none_or(|engines| engines > 0));
        assert_eq!(
            workers_that_fit(3, 1, u64::MAX / 2),
            1,
            "it is tried all the same"
        );
        assert_eq!(
            workers_that_fit(3, 0, u64::MAX / 2),
            3,
            "no process, no files"
        );
    }
}

//! How many threads may be asked for. Far beyond the processors of any machine, and few enough
//! that starting them takes no time.

use clap::Args;
use std::num::NonZeroUsize;

/// The threads of a command that reads.
#[derive(Args, Clone, Copy, Debug)]
pub struct ThreadsArg {
    /// Threads that read and count [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<NonZeroUsize>,
}

/// The most that is accepted.
const MOST: usize = 1024;

/// Reads a number of threads, for clap.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .ok()
        .filter(|&threads: &NonZeroUsize| threads.get() <= MOST)
        .ok_or_else(|| format!("choose 1 to {MOST}"))
}

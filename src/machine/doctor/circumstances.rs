//! What an examination depends on beside the engine.

use super::cpu::CpuFeatures;
use crate::base::machine::Machine;
use std::path::PathBuf;
use std::time::Duration;

/// What an examination depends on beside the engine.
#[derive(Clone, Debug)]
pub(crate) struct Circumstances {
    /// Engines that would run at a time.
    pub workers: usize,
    /// How long all games of one engine may take together, roughly.
    pub time: Duration,
    /// Where engines are configured, for advice.
    pub app_config: PathBuf,
    /// The machine as it was before anything was started.
    pub machine: Machine,
    /// Its CPU.
    pub cpu: CpuFeatures,
    /// Files that this process may have open, however high it raises its limit; `None` for any
    /// number.
    pub open_files: Option<u64>,
}

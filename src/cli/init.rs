//! Options of `rdg init`.

use clap::Args;
use std::path::PathBuf;

/// What `rdg init` takes.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "A file that is already there is never changed. Afterwards, in that folder:\n  \
                  rdg                              make the dataset of configs/config.toml\n  \
                  rdg --config configs/edax.toml   make one with Edax (make setup-edax builds it)"
)]
pub struct InitArgs {
    /// The folder, made if it is not there
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
}

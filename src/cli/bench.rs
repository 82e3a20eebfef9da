//! `rdg bench`: measures this machine and checks what it computes.

use clap::Args;

/// Options of `rdg bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// Fewer and smaller measurements: seconds instead of minutes
    #[arg(long)]
    pub quick: bool,

    /// Threads of the search and of the enumeration
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// One JSON object on standard output instead of the table
    #[arg(long)]
    pub json: bool,
}

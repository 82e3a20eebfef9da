//! Options of `rdg report`.

use super::{ProgressArgs, ThreadsArg};
use clap::Args;
use std::path::PathBuf;

/// What `rdg report` takes.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    rdg report datasets/quickstart --output report.html\n  \
    rdg report datasets/edax datasets/wthor --output both.html\n  \
    rdg report datasets/edax --compare error.json --match strength.json --output report.html\n\n\
    Exit code 0: written; 1: something is damaged (the page says what) or nothing could be written.")]
pub struct ReportArgs {
    /// Datasets, phase folders or files; several stand side by side
    #[arg(required = true, value_name = "DATASET")]
    pub paths: Vec<PathBuf>,

    /// The page, a file that ends in .html; what is there is replaced
    #[arg(long, short, value_name = "FILE", value_parser = page, required_unless_present = "json")]
    pub output: Option<PathBuf>,

    /// Label error: what `rdg label --compare` printed with --json
    #[arg(long, value_name = "FILE")]
    pub compare: Vec<PathBuf>,

    /// The learning curve of `rdg fit`, in JSON
    #[arg(long, value_name = "FILE")]
    pub fit: Vec<PathBuf>,

    /// The learning curve of `rdg learn`, in JSON
    #[arg(long, value_name = "FILE")]
    pub learn: Vec<PathBuf>,

    /// The result of `rdg match --json`
    #[arg(long = "match", value_name = "FILE")]
    pub matches: Vec<PathBuf>,

    /// Print the numbers of the page as one JSON object (schema rdg_report_v1)
    #[arg(long)]
    pub json: bool,

    /// How much of the machine it may use.
    #[command(flatten)]
    pub threads: ThreadsArg,

    /// How it is watched.
    #[command(flatten)]
    pub progress: ProgressArgs,
}

fn page(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    match ending == "html" || ending == "htm" {
        true => Ok(path),
        false => Err("name a file that ends in .html".to_owned()),
    }
}

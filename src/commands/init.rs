//! `rdg init`: a folder to start from.

use super::stdout::print;
use crate::base::shown::Shown;
use crate::cli::InitArgs;
use crate::machine::start_folder::{self, Written};
use crate::progress::{Style, print_fatal};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Writes the files and says which, and what to type next.
pub(super) fn run(args: &InitArgs) -> ExitCode {
    let mut kept = Vec::new();
    let written = match start_folder::write(&args.folder) {
        Ok(written) => written,
        Err(error) => {
            print_fatal(Style::Lines, &error.to_string());
            return ExitCode::FAILURE;
        }
    };
    let printed = print(|out| {
        for (path, written) in &written {
            match written {
                Written::New => writeln!(out, "wrote {}", path.shown())?,
                Written::Same => writeln!(out, "kept {} as it is", path.shown())?,
                Written::Other => kept.push(path),
            }
        }
        for path in &kept {
            writeln!(
                out,
                "kept {}, which differs from what rdg would write",
                path.shown()
            )?;
        }
        let here = args.folder == Path::new(".") || args.folder == Path::new("");
        let go = match here {
            true => String::new(),
            false => format!("cd {} && ", quoted(&args.folder)),
        };
        writeln!(out, "\nNow type: {go}rdg")
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.shown().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@".contains(c);
    match text.chars().all(plain) && !text.starts_with('-') {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

//! A folder to start from, as `rdg init` makes it: the shipped configurations, and the scripts that
//! set engines up. All of it is inside the program, so that an installed rdg needs no other file.

use crate::base::shown::Shown;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// What became of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    /// It is new.
    New,
    /// It was there already, with the same content.
    Same,
    /// Something else was there and has been left alone.
    Other,
}

/// A file or a folder cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}; nothing that was there has been changed", path.shown())]
pub(crate) struct StartError {
    action: &'static str,
    path: PathBuf,
    source: std::io::Error,
}

/// A file of the folder.
#[derive(Clone, Debug)]
pub(crate) struct StartFile {
    /// Below the folder.
    pub name: &'static str,
    /// Its content.
    pub text: String,
    /// A script.
    pub is_program: bool,
}

const MAKEFILE: &str = "\
# Sets engines up; written by rdg init.

.PHONY: setup setup-edax setup-egaroucid

setup: setup-edax setup-egaroucid

setup-edax:
\tbash scripts/setup-edax.sh

setup-egaroucid:
\tbash scripts/setup-egaroucid.sh
";

/// What in the main configuration is replaced where nothing is set up yet: old and new text.
pub(crate) const FIRST_RUN: [(&str, &str); 6] = [
    (
        "# The main job: Edax at level 20 plays both sides of every game.\n",
        "# A first dataset: the embedded engine plays both sides of every game. edax.toml is the main job.\n",
    ),
    (
        "Every key is explained in docs/src/configuration.md.",
        "`rdg --dry-run` shows the plan.",
    ),
    ("\"../datasets/edax_lv20\"", "\"../datasets/first\""),
    ("samples_per_phase = 1000\n", "samples_per_phase = 200\n"),
    ("name = \"edax\"   ", "name = \"builtin\""),
    ("level = 20\n", "level = 6\n"),
];

/// All files of the folder.
pub(crate) fn files() -> Vec<StartFile> {
    let main = include_str!("../../configs/config.toml");
    let first = FIRST_RUN
        .iter()
        .fold(main.to_owned(), |text, (old, new)| text.replace(old, new));
    let file = |name, text: &str| StartFile {
        name,
        text: text.to_owned(),
        is_program: false,
    };
    let script = |name, text: &str| StartFile {
        is_program: true,
        ..file(name, text)
    };
    vec![
        file("configs/config.toml", &first),
        file("configs/app.toml", include_str!("../../configs/app.toml")),
        file(
            "configs/quickstart.toml",
            include_str!("../../configs/quickstart.toml"),
        ),
        file("configs/edax.toml", main),
        file(
            "configs/config.all_positions.toml",
            include_str!("../../configs/config.all_positions.toml"),
        ),
        file(
            "configs/grhino.toml",
            include_str!("../../configs/grhino.toml"),
        ),
        file("Makefile", MAKEFILE),
        script(
            "scripts/setup-edax.sh",
            include_str!("../../scripts/setup-edax.sh"),
        ),
        script(
            "scripts/setup-egaroucid.sh",
            include_str!("../../scripts/setup-egaroucid.sh"),
        ),
        file(
            "scripts/lib/setup.sh",
            include_str!("../../scripts/lib/setup.sh"),
        ),
    ]
}

/// Writes all that is not there yet, in their order; gives their paths and what became of each.
///
/// # Errors
///
/// When a folder or a file cannot be made. A file that could not be written whole is removed again.
pub(crate) fn write(folder: &Path) -> Result<Vec<(PathBuf, Written)>, StartError> {
    let files = files();
    let mut done = Vec::with_capacity(files.len());
    for file in &files {
        let path = folder.join(file.name);
        let written = write_file(&path, file)?;
        done.push((path, written));
    }
    Ok(done)
}

fn write_file(path: &Path, file: &StartFile) -> Result<Written, StartError> {
    let failed = |action, path: &Path| {
        let path = path.to_owned();
        move |source| StartError {
            action,
            path,
            source,
        }
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
    }
    // A new file only: neither a file nor what a link leads to is ever written over.
    let opened = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(if file.is_program { 0o777 } else { 0o666 })
        .open(path);
    let mut new = match opened {
        Ok(new) => new,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Ok(match holds(path, &file.text) {
                true => Written::Same,
                false => Written::Other,
            });
        }
        Err(error) => return Err(failed("make", path)(error)),
    };
    if let Err(error) = new.write_all(file.text.as_bytes()) {
        // A part of a configuration would be worse than none; if it stays, the error says where.
        let _ = std::fs::remove_file(path);
        return Err(failed("write", path)(error));
    }
    Ok(Written::New)
}

/// Whether a regular file holds this text and nothing else.
fn holds(path: &Path, text: &str) -> bool {
    if !path.metadata().is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut found = Vec::new();
    let most = text.len() as u64 + 1;
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut found));
    read.is_ok() && found == text.as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{dataset_of_text, load_app, load_dataset};
    use crate::engine::KINDS;

    #[test]
    fn the_first_configuration_is_the_main_one_with_another_engine() {
        let main = include_str!("../../configs/config.toml");
        for (old, new) in FIRST_RUN {
            assert_eq!(main.matches(old).count(), 1, "{old:?}");
            assert!(!main.contains(new), "{new:?}");
        }
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        let configs = folder.path().join("configs");
        let app = load_app(&configs.join("app.toml"), &KINDS).unwrap();
        for entry in std::fs::read_dir(&configs).unwrap() {
            let path = entry.unwrap().path();
            if !path.ends_with("app.toml") {
                load_dataset(&path).unwrap().engines(&app).unwrap();
            }
        }
        let first = load_dataset(&configs.join("config.toml")).unwrap();
        assert_eq!(first.self_play.ai.name, "builtin");
        let edax = dataset_of_text(Path::new("x"), main).unwrap();
        assert_eq!(edax.self_play.ai.name, "edax");
        assert_eq!(first.phases, edax.phases);
    }

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("configs/app.toml");
        std::fs::create_dir(own.parent().unwrap()).unwrap();
        std::fs::write(&own, "setup = \"off\"\n").unwrap();
        std::os::unix::fs::symlink("/nowhere/x", folder.path().join("Makefile")).unwrap();
        for again in [Written::New, Written::Same] {
            for (path, written) in write(folder.path()).unwrap() {
                let expected = match path.ends_with("app.toml") || path.ends_with("Makefile") {
                    true => Written::Other,
                    false => again,
                };
                assert_eq!(written, expected, "{}", path.shown());
            }
        }
        assert_eq!(std::fs::read_to_string(&own).unwrap(), "setup = \"off\"\n");
        let error = write(&own).unwrap_err().to_string();
        assert!(error.contains("app.toml/configs"), "{error}");
    }
}

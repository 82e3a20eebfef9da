//! Where an engine's files are, and how its command line is put together.

use super::EngineError;
use super::child::CommandLine;
use crate::base::shown::Shown;
use crate::config::EngineSpec;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// An engine's program with everything that starting it takes.
pub(super) struct Program {
    engine: String,
    path: PathBuf,
    eval_file: Option<PathBuf>,
    /// The configured words, filled in.
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    folder: PathBuf,
}

impl Program {
    /// Makes paths absolute, because the engine runs in its program's folder, and looks whether
    /// the evaluation file is there.
    pub(super) fn find(spec: &EngineSpec) -> Result<Program, EngineError> {
        let entry = &spec.entry;
        let cannot_start = |reason: String| EngineError::CannotStart {
            engine: entry.name.clone(),
            reason: reason.into(),
        };
        let absolute = |path: &Path| {
            std::path::absolute(path)
                .map_err(|error| cannot_start(format!("{}: {error}", path.shown())))
        };
        let path = absolute(entry.binary.as_deref().unwrap_or(Path::new("")))?;
        let eval_file = entry.eval_file.as_deref().map(absolute).transpose()?;
        if let Some(eval_file) = &eval_file {
            let fault = match std::fs::metadata(eval_file) {
                Err(error) => Some(error.to_string()),
                Ok(metadata) if metadata.is_dir() => Some("it is a folder".to_owned()),
                Ok(metadata) if metadata.len() == 0 => Some("it is empty".to_owned()),
                Ok(_) => None,
            };
            if let Some(fault) = fault {
                return Err(cannot_start(format!(
                    "its evaluation file {} cannot be used ({fault}); check `eval_file` of \
                     [engines.{}] in app.toml",
                    eval_file.shown(),
                    entry.name
                )));
            }
        }
        let eval_text = eval_file.as_deref().unwrap_or(Path::new("")).as_os_str();
        let filled = |word: &str| {
            let word = word
                .replace("{level}", &spec.level.to_string())
                .replace("{threads}", &spec.threads.to_string());
            with_path(&word, "{eval_file}", eval_text.to_owned())
        };
        let beside = path.parent().unwrap_or(Path::new("/"));
        Ok(Program {
            engine: entry.name.clone(),
            folder: entry.dir.as_deref().unwrap_or(beside).to_owned(),
            args: entry.args.iter().map(|word| filled(word)).collect(),
            env: (entry.env.iter())
                .map(|(name, value)| (name.into(), filled(value)))
                .collect(),
            path,
            eval_file,
        })
    }

    /// Absolute path of the evaluation file.
    pub(super) fn eval_file(&self) -> Option<&Path> {
        self.eval_file.as_deref()
    }

    /// The command line: `words` of its kind, then the configured ones, which can so overrule them.
    pub(super) fn command_line(&self, words: Vec<OsString>) -> CommandLine {
        CommandLine {
            engine: self.engine.clone(),
            program: self.path.clone(),
            args: words.into_iter().chain(self.args.iter().cloned()).collect(),
            env: self.env.clone(),
            folder: self.folder.clone(),
            quit: "quit\n",
        }
    }
}

/// `word` with `mark` replaced by a path, which need not be UTF-8.
fn with_path(word: &str, mark: &str, path: OsString) -> OsString {
    let mut pieces = word.split(mark);
    let mut filled = OsString::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        filled.push(&path);
        filled.push(piece);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_put_into_words() {
        let fill = |word| with_path(word, "{eval_file}", "/a b".into());
        assert_eq!(fill("--eval={eval_file}"), "--eval=/a b");
        assert_eq!(fill("{eval_file}"), "/a b");
        assert_eq!(fill("-x"), "-x");
    }
}

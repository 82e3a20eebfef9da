//! Which files of an engine are missing, and whether a set-up would make them.

use crate::base::shown::Shown;
use crate::config::{AppConfig, EngineSpec};
use crate::engine::kinds::profile;
use std::path::{Path, PathBuf};

/// A file that app.toml names and that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MissingFile {
    /// `binary` or `eval_file`.
    pub key: &'static str,
    /// Where it should be.
    pub path: PathBuf,
    /// Something else lies there.
    pub is_folder: bool,
}

/// The files of an engine that are not there; empty for one that is ready to be started.
pub(crate) fn missing_files(spec: &EngineSpec) -> Vec<MissingFile> {
    let entry = &spec.entry;
    [("binary", &entry.binary), ("eval_file", &entry.eval_file)]
        .into_iter()
        .filter_map(|(key, path)| Some((key, path.as_ref()?)))
        // A pipe or a device is for the engine to judge.
        .filter(|(_, path)| !path.exists() || path.is_dir())
        .map(|(key, path)| MissingFile {
            key,
            path: path.clone(),
            is_folder: path.is_dir(),
        })
        .collect()
}

impl MissingFile {
    /// What is wrong, with file and key.
    pub(super) fn sentence(&self, spec: &EngineSpec, app: &AppConfig) -> String {
        // A name alone was looked for in PATH, too.
        let beside = std::path::absolute(&app.path).ok();
        let beside = beside.as_deref().and_then(Path::parent);
        let is_name = self.key == "binary" && self.path.parent() == beside;
        // It lies where the scripts would put it, but they are not there.
        let remedy = match profile(spec).set_up() {
            Some(place)
                if self.path.ends_with(place.binary) || self.path.ends_with(place.eval_file) =>
            {
                format!(
                    "write the right path there, or get the scripts that build it with `rdg init` \
                     and run make {}",
                    place.target
                )
            }
            _ => "write the right path there".to_owned(),
        };
        format!(
            "{}: `engines.{}.{}` is {}, which {}{}; {remedy}",
            app.path.shown(),
            spec.entry.name,
            self.key,
            self.path.shown(),
            match self.is_folder {
                true => "is a folder",
                false => "does not exist",
            },
            match is_name {
                true => ", nor is it in PATH",
                false => "",
            }
        )
    }
}

/// `a is` or `a and b are`.
pub(super) fn list(files: &[MissingFile]) -> String {
    let names: Vec<String> = files
        .iter()
        .map(|file| file.path.shown().to_string())
        .collect();
    match names.as_slice() {
        [only] => format!("{only} is"),
        names => format!("{} are", names.join(" and ")),
    }
}

/// How an engine is set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Recipe {
    /// The target of make.
    pub target: &'static str,
    /// The folder whose Makefile has it.
    pub folder: PathBuf,
}

impl Recipe {
    /// The recipe for an engine whose files lie where a set-up puts them.
    pub(super) fn of(spec: &EngineSpec) -> Option<Recipe> {
        let entry = &spec.entry;
        let place = profile(spec).set_up()?;
        let folder = above(entry.binary.as_deref()?, place.binary)?;
        let eval_is_there = match &entry.eval_file {
            None => true,
            Some(path) => path.exists() || above(path, place.eval_file) == Some(folder),
        };
        (eval_is_there && folder.join("Makefile").is_file()).then(|| Recipe {
            target: place.target,
            folder: folder.to_owned(),
        })
    }
}

/// The folder in which `end` lies when `path` ends with it.
fn above<'p>(path: &'p Path, end: &str) -> Option<&'p Path> {
    path.ends_with(end)
        .then(|| path.ancestors().nth(Path::new(end).components().count()))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_the_makefile_is_found_from_the_end_of_the_path() {
        let end = "third_party/edax-reversi/bin/lEdax-x86-64-v3";
        let path = Path::new("/home/u/rdg").join(end);
        assert_eq!(above(&path, end), Some(Path::new("/home/u/rdg")));
        assert_eq!(above(Path::new("/opt/edax/lEdax-x86-64-v3"), end), None);
        let likewise = Path::new("/home/u/rdg/my_third_party/edax-reversi/bin/lEdax-x86-64-v3");
        assert_eq!(above(likewise, end), None);
    }
}

//! Where the files come to lie. Everything is written into a temporary folder beside the output, or in
//! it where that is there already, and renamed when it is whole; the sidecar comes last.

use super::error::ExportError;
use super::sidecar::{SIDECAR, listed_files};
use crate::dataset::files::sync_folder;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An output and what stands in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Output {
    path: PathBuf,
    is_file: bool,
    /// Files of an earlier export that are replaced, relative to the output.
    old: Vec<PathBuf>,
}

/// The temporary folder of an export; it is gone when this is dropped.
#[derive(Debug)]
pub(super) struct Stage {
    folder: TempDir,
}

impl Output {
    /// Looks at the output; `extension` is the ending that makes it one file.
    ///
    /// # Errors
    /// Something stands there that must not be replaced.
    pub(super) fn find(path: &Path, extension: &str, force: bool) -> Result<Output, ExportError> {
        let named_so = path
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case(extension));
        let is_file = named_so && !path.is_dir();
        let mut output = Output {
            path: path.to_owned(),
            is_file,
            old: Vec::new(),
        };
        if is_file {
            output.check_place(path, force)?;
            output.check_place(&output.sidecar(), force)?;
            return Ok(output);
        }
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // A dangling link is there, too.
                if path.is_symlink() {
                    return Err(not_ours(path, "it is a link that leads nowhere"));
                }
            }
            Err(error) => return Err(ExportError::io("look at", path)(error)),
            Ok(found) if !found.is_dir() => {
                return Err(not_ours(path, "it is not a folder"));
            }
            Ok(_) => {
                let mut entries = fs::read_dir(path).map_err(ExportError::io("read", path))?;
                if entries.next().is_some() {
                    if !force {
                        return Err(ExportError::Exists {
                            path: path.to_owned(),
                        });
                    }
                    output.old = listed_files(&path.join(SIDECAR))
                        .ok_or_else(|| not_ours(path, "it has no export.json"))?;
                }
            }
        }
        Ok(output)
    }

    fn check_place(&self, path: &Path, force: bool) -> Result<(), ExportError> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(ExportError::io("look at", path)(error)),
            Ok(_) if !force => Err(ExportError::Exists {
                path: path.to_owned(),
            }),
            Ok(found) if !found.is_file() => Err(not_ours(path, "it is not a regular file")),
            Ok(_) => Ok(()),
        }
    }

    /// Whether the output is one file.
    pub(super) fn is_file(&self) -> bool {
        self.is_file
    }

    /// Where the sidecar comes to lie.
    pub(super) fn sidecar(&self) -> PathBuf {
        if !self.is_file {
            return self.path.join(SIDECAR);
        }
        let mut name = OsString::from(self.path.file_name().unwrap_or_default());
        name.push(".json");
        self.path.with_file_name(name)
    }

    /// Makes the temporary folder.
    pub(super) fn stage(&self) -> Result<Stage, ExportError> {
        let parent = match self.path.is_dir() {
            true => self.path.clone(),
            false => {
                let absolute = std::path::absolute(&self.path)
                    .map_err(ExportError::io("look at", &self.path))?;
                let parent = absolute.parent().unwrap_or(Path::new("/")).to_owned();
                fs::create_dir_all(&parent).map_err(ExportError::io("create", &parent))?;
                parent
            }
        };
        let mut prefix = OsString::from(".");
        prefix.push(self.path.file_name().unwrap_or_default());
        prefix.push(".");
        let folder = tempfile::Builder::new()
            .prefix(&prefix)
            .suffix(".partial")
            .tempdir_in(&parent)
            .map_err(ExportError::io("create a folder in", &parent))?;
        let stage = Stage { folder };
        let tree = stage.tree();
        fs::create_dir(&tree).map_err(ExportError::io("create", &tree))?;
        Ok(stage)
    }

    /// Puts the finished files, relative to the stage's tree, and then the sidecar into their
    /// places.
    ///
    /// # Errors
    /// The system refused, or a file that no export made stands in the way.
    pub(super) fn place(&self, stage: &Stage, files: &[PathBuf]) -> Result<(), ExportError> {
        let tree = stage.tree();
        let rename =
            |from: &Path, to: &Path| fs::rename(from, to).map_err(ExportError::io("rename to", to));
        if self.is_file {
            // Old data must never stand beside a sidecar that describes the new.
            let sidecar = self.sidecar();
            remove(&sidecar)?;
            for file in files {
                rename(&tree.join(file), &self.path)?;
            }
            rename(&tree.join(SIDECAR), &sidecar)?;
            return self.sync();
        }
        if !self.path.exists() {
            sync_tree(&tree)?;
            rename(&tree, &self.path)?;
            return self.sync();
        }
        for file in files {
            let place = self.path.join(file);
            if !self.old.contains(file) && fs::symlink_metadata(&place).is_ok() {
                return Err(not_ours(&place, "the export.json there does not list it"));
            }
        }
        remove(&self.path.join(SIDECAR))?;
        for file in &self.old {
            remove(&self.path.join(file))?;
            // A folder goes with its last file.
            if let Some(folder) = file.parent().filter(|f| !f.as_os_str().is_empty()) {
                let _ = fs::remove_dir(self.path.join(folder));
            }
        }
        for file in files {
            let place = self.path.join(file);
            let folder = place.parent().unwrap_or(&self.path);
            fs::create_dir_all(folder).map_err(ExportError::io("create", folder))?;
            rename(&tree.join(file), &place)?;
            sync_folder(folder)?;
        }
        rename(&tree.join(SIDECAR), &self.path.join(SIDECAR))?;
        Ok(sync_folder(&self.path)?)
    }

    fn sync(&self) -> Result<(), ExportError> {
        let parent = self.path.parent().unwrap_or(Path::new(""));
        Ok(sync_folder(parent)?)
    }
}

impl Stage {
    /// For files under names of their own.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The output as it is to be.
    pub(super) fn tree(&self) -> PathBuf {
        self.folder.path().join("out")
    }
}

fn not_ours(path: &Path, why: &'static str) -> ExportError {
    ExportError::NotOurs {
        path: path.to_owned(),
        why,
    }
}

fn remove(path: &Path) -> Result<(), ExportError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(ExportError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

fn sync_tree(folder: &Path) -> Result<(), ExportError> {
    for entry in fs::read_dir(folder).map_err(ExportError::io("read", folder))? {
        let path = entry.map_err(ExportError::io("read", folder))?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        }
    }
    Ok(sync_folder(folder)?)
}

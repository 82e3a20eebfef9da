//! A dataset appears all at once: it is made in a hidden folder inside the output folder, and
//! moved to its place when it is complete.
//!
//! Moving takes one rename per phase and one for `summary.json`, which comes last. A note in the
//! hidden folder says that moving has begun; whoever finds it together with a `summary.json` that
//! has not been moved takes back the phases that have. So whatever moment an import dies at, the
//! next one finds a finished dataset or removes what there is of an unfinished one.

use super::ImportError;
use crate::dataset::DatasetError;
use crate::dataset::files::{check_own_folder, sync_folder};
use crate::dataset::json::{read_json, write_json};
use crate::dataset::layout::PhaseDir;
use crate::dataset::lock::OutputLock;
use crate::dataset::metadata::{DataMode, Metadata};
use crate::dataset::summary::Summary;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The hidden folder.
const FOLDER: &str = ".rdg-import";
/// The note that moving has begun: the phases that are moved.
const NOTE: &str = "publishing.json";
/// Last to be moved.
const SUMMARY: &str = "summary.json";

/// A dataset in the making. Dropped before it is published, it leaves no trace.
pub(super) struct Stage {
    output: PathBuf,
    folder: PathBuf,
    phases: Vec<u8>,
    force: bool,
    /// The output folder was made here.
    made_output: bool,
    lock: Option<OutputLock>,
    mended: Option<String>,
}

impl Stage {
    /// Locks the output folder, removes what an interrupted import left, and makes sure that
    /// nothing that exists would be overwritten without `force`.
    pub(super) fn begin(output: &Path, phases: &[u8], force: bool) -> Result<Stage, ImportError> {
        let made_output = !output.exists();
        let lock = OutputLock::acquire(output)?;
        // Before there is a stage: dropping one clears its folder.
        check_own_folder(&output.join(FOLDER))?;
        let mut stage = Stage {
            output: output.to_owned(),
            folder: output.join(FOLDER),
            phases: phases.to_owned(),
            force,
            made_output,
            lock: Some(lock),
            mended: None,
        };
        stage.mended = stage.clean_up()?;
        if !force {
            for &phase in phases {
                let dir = PhaseDir::new(output, phase);
                if dir.exists()? {
                    let path = dir.path().to_owned();
                    return Err(ImportError::Exists { path });
                }
            }
            let summary = output.join(SUMMARY);
            if fs::symlink_metadata(&summary).is_ok() {
                return Err(ImportError::Exists { path: summary });
            }
        }
        fs::create_dir(&stage.folder).map_err(DatasetError::io("create", &stage.folder))?;
        Ok(stage)
    }

    /// What was damaged in the remains of an interrupted import, and is gone now.
    pub(super) fn mended(&self) -> Option<&str> {
        self.mended.as_deref()
    }

    /// Where a phase is made.
    pub(super) fn phase_dir(&self, phase: u8) -> PhaseDir {
        PhaseDir::new(&self.folder, phase)
    }

    /// Where temporary files may be put; it goes with the stage.
    pub(super) fn temporary(&self) -> PathBuf {
        self.folder.join("spool")
    }

    /// Moves everything to its place. Every phase must be complete and on disk.
    pub(super) fn publish(mut self, summary: &Summary) -> Result<(), ImportError> {
        write_json(&self.folder.join(SUMMARY), summary)?;
        write_json(&self.folder.join(NOTE), &self.phases)?;
        if self.force {
            remove_if_there(&self.output.join(SUMMARY))?;
            for &phase in &self.phases {
                PhaseDir::new(&self.output, phase).remove()?;
            }
        }
        for &phase in &self.phases {
            let from = self.phase_dir(phase);
            let to = PhaseDir::new(&self.output, phase);
            fs::rename(from.path(), to.path()).map_err(DatasetError::io("move", to.path()))?;
        }
        sync_folder(&self.output)?;
        let summary = self.output.join(SUMMARY);
        fs::rename(self.folder.join(SUMMARY), &summary)
            .map_err(DatasetError::io("write", &summary))?;
        sync_folder(&self.output)?;
        self.made_output = false;
        Ok(())
    }

    /// Removes the hidden folder, and with it whatever was moved out of it halfway. Gives what it
    /// had to pass over.
    fn clean_up(&self) -> Result<Option<String>, ImportError> {
        let mut mended = None;
        let note = self.folder.join(NOTE);
        if fs::symlink_metadata(&note).is_ok() && self.folder.join(SUMMARY).exists() {
            let moved: Vec<u8> = match read_json(&note) {
                Ok(moved) => moved,
                // Nobody can tell any more what had been moved; what this import makes anew is
                // replaced, the rest stays.
                Err(error) if self.force => {
                    mended = Some(format!(
                        "{error}; it is cleared, and phases that the interrupted import had moved \
                         already stay where this one makes none: rdg verify tells of them"
                    ));
                    Vec::new()
                }
                Err(error) => return Err(ImportError::Note(error)),
            };
            for phase in moved.into_iter().filter(|&phase| phase <= 60) {
                // What is still here has not been moved, and what is there is somebody else's; so
                // it may be, too, when another run has been in this folder since.
                let moved = PhaseDir::new(&self.output, phase);
                if !self.phase_dir(phase).exists()? && is_imported(&moved) {
                    moved.remove()?;
                }
            }
        }
        // First, so that a removal cut short cannot be taken for a moving cut short.
        remove_if_there(&note)?;
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(DatasetError::io("remove", &self.folder)(error).into())
            }
            _ => Ok(mended),
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Nobody can be told here; what stays is removed by the next import.
        let _ = self.clean_up();
        drop(self.lock.take());
        if self.made_output {
            // Succeeds only when nothing is in it.
            let _ = fs::remove_dir(&self.output);
        }
    }
}

fn is_imported(dir: &PhaseDir) -> bool {
    Metadata::read(&dir.metadata()).is_ok_and(|metadata| metadata.mode == DataMode::Import)
}

fn remove_if_there(path: &Path) -> Result<(), DatasetError> {
    match fs::remove_file(path) {
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Err(DatasetError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SplitRatios;
    use crate::dataset::metadata::Generation;
    use crate::dataset::writer::PhaseWriter;

    fn summary() -> Summary {
        Summary::new(
            DataMode::Import,
            Generation::Import,
            String::new(),
            String::new(),
            0.0,
            &[],
        )
    }

    fn make_phases(stage: &Stage) {
        for &phase in &stage.phases {
            let dir = stage.phase_dir(phase);
            PhaseWriter::create(&dir).unwrap().sync().unwrap();
            let split = SplitRatios::default();
            let metadata = Metadata::new(DataMode::Import, Generation::Import, phase, &split);
            write_json(&dir.metadata(), &metadata).unwrap();
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn published_is_there_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        let stage = Stage::begin(&output, &[3, 10], false).unwrap();
        make_phases(&stage);
        stage.publish(&summary()).unwrap();
        assert_eq!(names(&output), ["phase_03", "phase_10", "summary.json"]);
    }

    #[test]
    fn dropped_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out");
        let stage = Stage::begin(&output, &[3], false).unwrap();
        make_phases(&stage);
        drop(stage);
        assert!(!output.exists());
        fs::create_dir(&output).unwrap();
        fs::write(output.join("mine"), "").unwrap();
        drop(Stage::begin(&output, &[3], false).unwrap());
        assert_eq!(names(&output), ["mine"]);
    }

    #[test]
    fn what_exists_is_named_and_kept_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path();
        fs::create_dir(output.join("phase_10")).unwrap();
        fs::write(output.join("phase_10/old"), "").unwrap();
        fs::create_dir(output.join("phase_11")).unwrap();
        let error = Stage::begin(output, &[3, 10], false).err().unwrap();
        assert!(
            error.to_string().contains("phase_10 exists already"),
            "{error}"
        );
        assert!(output.join("phase_10/old").exists());
        let stage = Stage::begin(output, &[3, 10], true).unwrap();
        make_phases(&stage);
        drop(stage);
        assert!(
            output.join("phase_10/old").exists(),
            "an import that fails destroys nothing"
        );
        let stage = Stage::begin(output, &[3, 10], true).unwrap();
        make_phases(&stage);
        stage.publish(&summary()).unwrap();
        assert!(!output.join("phase_10/old").exists());
        assert_eq!(
            names(output),
            ["phase_03", "phase_10", "phase_11", "summary.json"]
        );
        let error = Stage::begin(output, &[20], false).err().unwrap();
        assert!(
            error.to_string().contains("summary.json exists already"),
            "{error}"
        );
    }

    /// Every state in which a killed import can leave the folder.
    #[test]
    fn what_a_killed_import_left_is_removed() {
        let kill_at = |moved: usize, with_note: bool, with_summary: bool, foreign: bool| {
            let folder = tempfile::tempdir().unwrap();
            let output = folder.path().to_owned();
            fs::create_dir(output.join("phase_40")).unwrap();
            let mut stage = Stage::begin(&output, &[3, 10], false).unwrap();
            make_phases(&stage);
            write_json(&stage.folder.join(SUMMARY), &summary()).unwrap();
            if with_note {
                write_json(&stage.folder.join(NOTE), &stage.phases).unwrap();
            }
            for &phase in &stage.phases[..moved] {
                let to = PhaseDir::new(&output, phase);
                fs::rename(stage.phase_dir(phase).path(), to.path()).unwrap();
            }
            if !with_summary {
                fs::rename(stage.folder.join(SUMMARY), output.join(SUMMARY)).unwrap();
            }
            drop(stage.lock.take());
            std::mem::forget(stage);
            // Of somebody else, in the place of a phase that was moved or not.
            if foreign {
                fs::remove_dir_all(output.join("phase_03")).unwrap_or_default();
                fs::create_dir(output.join("phase_03")).unwrap();
            }
            let next = Stage::begin(&output, &[20], true).unwrap();
            drop(next);
            (names(&output), folder)
        };
        let untouched = ["phase_40"];
        assert_eq!(kill_at(0, false, true, false).0, untouched);
        assert_eq!(kill_at(0, true, true, false).0, untouched);
        assert_eq!(kill_at(1, true, true, false).0, untouched);
        assert_eq!(kill_at(2, true, true, false).0, untouched);
        for moved in 0..=2 {
            let left = kill_at(moved, true, true, true).0;
            assert_eq!(left, ["phase_03", "phase_40"], "{moved} moved");
        }
        // The last rename was done: it is a finished dataset.
        let finished = ["phase_03", "phase_10", "phase_40", "summary.json"];
        assert_eq!(kill_at(2, true, false, false).0, finished);
    }
}

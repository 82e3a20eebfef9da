//! Where the files of a dataset lie.

use super::files::{check_own, check_own_folder};
use super::json::read_json;
use super::{DatasetError, split::Split};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of one phase, existing or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseDir {
    phase: u8,
    path: PathBuf,
}

impl PhaseDir {
    /// `<output_dir>/phase_NN`, two digits at least.
    pub fn new(output_dir: &Path, phase: u8) -> PhaseDir {
        PhaseDir {
            phase,
            path: output_dir.join(format!("phase_{phase:02}")),
        }
    }

    /// A folder as somebody named it, for example `phase_7`.
    pub fn at(path: PathBuf, phase: u8) -> PhaseDir {
        PhaseDir { phase, path }
    }

    /// Discs − 4.
    pub fn phase(&self) -> u8 {
        self.phase
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `train.rd`, `valid.rd` or `test.rd`.
    pub fn records(&self, split: Split) -> PathBuf {
        self.path.join(split.file_name())
    }

    /// `run_state.json`.
    pub fn run_state(&self) -> PathBuf {
        self.path.join("run_state.json")
    }

    /// `metadata.json`.
    pub fn metadata(&self) -> PathBuf {
        self.path.join("metadata.json")
    }

    /// `stats.json`.
    pub fn stats(&self) -> PathBuf {
        self.path.join("stats.json")
    }

    /// Makes sure that folder and files are missing or what rdg makes: nothing is read or written
    /// through a link.
    ///
    /// # Errors
    /// [`DatasetError::NotOurs`].
    pub(crate) fn check_own(&self) -> Result<(), DatasetError> {
        check_own_folder(&self.path)?;
        let records = Split::ALL.map(|split| self.records(split));
        let states = [self.run_state(), self.metadata(), self.stats()];
        records
            .iter()
            .chain(&states)
            .try_for_each(|path| check_own(path))
    }

    /// Whether anything of that name is there, be it a folder, a file or a dangling link.
    pub fn exists(&self) -> Result<bool, DatasetError> {
        match fs::symlink_metadata(&self.path) {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
            Err(e) => Err(DatasetError::io("look at", &self.path)(e)),
        }
    }

    /// Whether any of the files that rdg makes is there. A folder with other files alone, or with
    /// what a kill left of files that were being made, holds no output: files of records begin
    /// empty, before anything tells of them.
    pub(crate) fn has_output(&self) -> Result<bool, DatasetError> {
        if !self.exists()? {
            return Ok(false);
        }
        if !self.path.is_dir() {
            // A file in the folder's place: said when the folder is to be created.
            return Ok(true);
        }
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        let has_bytes = |path: &PathBuf| {
            let found = path.symlink_metadata();
            found.is_ok_and(|found| !found.is_file() || found.len() > 0)
        };
        let records = Split::ALL.map(|split| self.records(split));
        Ok([self.run_state(), self.metadata(), self.stats()]
            .iter()
            .any(is_there)
            || records.iter().any(has_bytes))
    }

    /// Removes the folder with all it holds; a link is removed, not what it leads to. The
    /// checkpoint goes first, so that a removal cut short never looks like a finished phase.
    pub fn remove(&self) -> Result<(), DatasetError> {
        let found = match fs::symlink_metadata(&self.path) {
            Ok(found) => found,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(DatasetError::io("look at", &self.path)(e)),
        };
        if !found.is_dir() {
            return fs::remove_file(&self.path).map_err(DatasetError::io("remove", &self.path));
        }
        let run_state = self.run_state();
        match fs::remove_file(&run_state) {
            Ok(()) => super::files::sync_folder(&self.path)?,
            Err(e) if e.kind() == ErrorKind::NotFound => {}
            // A folder of that name goes with the rest.
            Err(e) if e.kind() == ErrorKind::IsADirectory => {}
            Err(e) => return Err(DatasetError::io("remove", &run_state)(e)),
        }
        fs::remove_dir_all(&self.path).map_err(DatasetError::io("remove", &self.path))?;
        super::files::sync_folder(self.path.parent().unwrap_or(Path::new(".")))
    }
}

/// The phase that a folder's name tells: `phase_07` and `phase_7` are 7, and in an export with
/// `--layout discs` they are 3.
pub fn phase_of_folder(path: &Path) -> Option<u8> {
    let number = number_of_folder(path)?;
    let phase = match is_named_by_discs(path) {
        true => number.checked_sub(START_DISCS)?,
        false => number,
    };
    (phase <= 60).then_some(phase)
}

const START_DISCS: u8 = 4;

fn number_of_folder(path: &Path) -> Option<u8> {
    let digits = path.file_name()?.to_str()?.strip_prefix("phase_")?;
    if digits.is_empty() || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// The file that `rdg export` writes beside the data.
pub const EXPORT_SIDECAR: &str = "export.json";

/// The value of its `layout` where phase folders are named by their discs.
pub const LAYOUT_DISCS: &str = "discs";

/// Whether a phase folder is part of an export, which has records and metadata alone.
pub fn is_exported(phase_folder: &Path) -> bool {
    export_sidecar(phase_folder).is_some_and(|path| path.is_file())
}

/// Whether the export that a phase folder is part of names folders by their discs. Without a
/// readable export.json nothing says so.
fn is_named_by_discs(phase_folder: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct Sidecar {
        layout: String,
    }
    let sidecar = export_sidecar(phase_folder).filter(|path| path.is_file());
    let read = sidecar.and_then(|path| read_json::<Sidecar>(&path).ok());
    read.is_some_and(|sidecar| sidecar.layout == LAYOUT_DISCS)
}

/// Where the export.json of a phase folder is, if it is part of an export.
fn export_sidecar(phase_folder: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(phase_folder).ok()?;
    Some(absolute.parent()?.join(EXPORT_SIDECAR))
}

/// `<output_dir>/summary.json`.
pub fn summary_path(output_dir: &Path) -> PathBuf {
    output_dir.join("summary.json")
}

/// `<output_dir>/window_stats.json`.
pub fn window_stats_path(output_dir: &Path) -> PathBuf {
    output_dir.join("window_stats.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_contract() {
        let dir = PhaseDir::new(Path::new("out"), 7);
        assert_eq!(dir.path(), Path::new("out/phase_07"));
        assert_eq!(
            dir.records(Split::Valid),
            Path::new("out/phase_07/valid.rd")
        );
        assert_eq!(
            PhaseDir::new(Path::new("out"), 60).path(),
            Path::new("out/phase_60")
        );
    }

    #[test]
    fn folders_of_an_export_by_discs_tell_their_phase_too() {
        let out = tempfile::tempdir().unwrap();
        let phase = |name| phase_of_folder(&out.path().join(name));
        let names = ["phase_14", "phase_64", "phase_04", "phase_3"];
        assert_eq!(names.map(phase), [Some(14), None, Some(4), Some(3)]);
        for (sidecar, expected) in [
            (
                r#"{"layout": "discs"}"#,
                [Some(10), Some(60), Some(0), None],
            ),
            (r#"{"layout": "phase"}"#, [Some(14), None, Some(4), Some(3)]),
            ("junk", [Some(14), None, Some(4), Some(3)]),
        ] {
            fs::write(out.path().join(EXPORT_SIDECAR), sidecar).unwrap();
            assert_eq!(names.map(phase), expected, "{sidecar}");
        }
    }

    #[test]
    fn folder_names_tell_their_phase() {
        let phase = |name| phase_of_folder(Path::new(name));
        assert_eq!(phase("a/phase_07"), Some(7));
        assert_eq!(phase("phase_7"), Some(7));
        assert_eq!(phase("phase_60"), Some(60));
        for odd in [
            "phase_61",
            "phase_",
            "phase_+7",
            "phase_007",
            "phase_1a",
            "x",
            "..",
        ] {
            assert_eq!(phase(odd), None, "{odd}");
        }
    }

    #[test]
    fn removing_takes_the_folder_alone() {
        let out = tempfile::tempdir().unwrap();
        let dir = PhaseDir::new(out.path(), 3);
        dir.remove().unwrap();
        fs::create_dir_all(dir.path().join("deep")).unwrap();
        fs::write(dir.run_state(), "{}").unwrap();
        fs::write(out.path().join("summary.json"), "{}").unwrap();
        assert!(dir.exists().unwrap());
        dir.remove().unwrap();
        assert!(!dir.exists().unwrap());
        assert!(out.path().join("summary.json").exists());
    }

    #[test]
    fn removing_a_link_leaves_its_target() {
        let out = tempfile::tempdir().unwrap();
        let target = tempfile::tempdir().unwrap();
        fs::write(target.path().join("run_state.json"), "{}").unwrap();
        let dir = PhaseDir::new(out.path(), 3);
        std::os::unix::fs::symlink(target.path(), dir.path()).unwrap();
        dir.remove().unwrap();
        assert!(!dir.exists().unwrap());
        assert!(target.path().join("run_state.json").exists());
    }
}

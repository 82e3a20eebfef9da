//! The files of a dataset as a whole: summary.json and window_stats.json.

use super::fault::{FaultList, Place};
use super::sidecars::{Counted, Sidecars};
use crate::dataset::DatasetError;
use crate::dataset::json::read_json;
use crate::dataset::layout::{PhaseDir, summary_path, window_stats_path};
use crate::dataset::metadata::Generation;
use crate::dataset::stats::SplitCounts;
use crate::dataset::summary::{SUMMARY_SCHEMA, Summary};
use crate::dataset::tree::Tree;
use crate::dataset::window_stats::{WINDOW_STATS_SCHEMA, WindowStats};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// One phase with everything known of it.
#[derive(Debug)]
pub(super) struct Phase {
    /// Discs − 4, where it is known.
    pub phase: Option<u8>,
    /// Its JSON files.
    pub sidecars: Sidecars,
    /// Its records.
    pub counted: Counted,
}

impl Phase {
    fn total(&self) -> Option<SplitCounts> {
        let [Some(train), Some(valid), Some(test)] = self.counted.records else {
            return None;
        };
        Some(SplitCounts { train, valid, test })
    }
}

/// Compares the files of the whole with the phases.
pub(super) fn check_whole(tree: &Tree, phases: &[Phase], faults: &mut FaultList) {
    let mut whole = Whole {
        phases,
        faults,
        path: summary_path(&tree.root),
        kind: "summary",
    };
    if let Some(summary) = whole.read::<Summary>() {
        whole.summary(&tree.root, &summary);
    } else if whole.is_missing() && whole.made_by_rdg() {
        whole.add("the file is missing: the run that writes it last has not finished");
    }
    whole.path = window_stats_path(&tree.root);
    whole.kind = "window_stats";
    if let Some(stats) = whole.read::<WindowStats>() {
        whole.window_stats(&stats);
    } else if whole.is_missing() && whole.has_windows() {
        whole.add("the file is missing: the run that writes it last has not finished");
    }
}

struct Whole<'a> {
    phases: &'a [Phase],
    faults: &'a mut FaultList,
    path: PathBuf,
    kind: &'static str,
}

impl Whole<'_> {
    fn add(&mut self, message: impl Into<String>) {
        let kind = match self.is_missing() {
            true => "missing_file",
            false => self.kind,
        };
        let path = self.path.clone();
        self.add_at(&path, kind, message.into());
    }

    fn add_at(&mut self, path: &Path, kind: &'static str, message: String) {
        let place = Place {
            phase: self.phases.len(),
            part: 0,
            record: None,
        };
        self.faults.add(place, path, kind, message);
    }

    fn same<T: PartialEq + Debug>(&mut self, name: &str, said: T, is: T) {
        if said != is {
            self.add(format!("{name} is {said:?}, but should be {is:?}"));
        }
    }

    fn is_missing(&self) -> bool {
        self.path.symlink_metadata().is_err()
    }

    fn read<T: DeserializeOwned>(&mut self) -> Option<T> {
        match read_json(&self.path) {
            Ok(value) => Some(value),
            Err(error) if error.is_missing() => None,
            Err(DatasetError::Json { reason, .. }) => {
                self.add(format!("it cannot be understood: {reason}"));
                None
            }
            Err(error) => {
                self.add(error.to_string());
                None
            }
        }
    }

    /// Finished phases with statistics: only then is a summary due.
    fn made_by_rdg(&self) -> bool {
        let all = self
            .phases
            .iter()
            .all(|phase| !phase.sidecars.is_unfinished());
        all && self
            .phases
            .iter()
            .any(|phase| phase.sidecars.stats.is_some())
    }

    fn has_windows(&self) -> bool {
        self.made_by_rdg()
            && self.phases.iter().any(|phase| {
                let metadata = phase.sidecars.metadata.as_ref();
                metadata.is_some_and(|m| m.generation == Generation::Window && m.labelled.is_none())
            })
    }

    fn phase(&self, number: u8) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.phase == Some(number))
    }

    fn summary(&mut self, root: &Path, said: &Summary) {
        self.same("schema", said.schema.as_str(), SUMMARY_SCHEMA);
        let listed: Vec<u8> = said.phase_stats.iter().map(|stats| stats.phase).collect();
        self.same("phases", &said.phases, &listed);
        let mut split = SplitCounts::default();
        let mut all_known = true;
        for stats in &said.phase_stats {
            let number = stats.phase;
            let Some(phase) = self.phase(number) else {
                let folder = PhaseDir::new(root, number).path().to_owned();
                let message = "the folder is missing, but summary.json lists the phase".to_owned();
                self.add_at(&folder, "missing_file", message);
                all_known = false;
                continue;
            };
            match phase.total() {
                // A phase that is being raised to a larger target gets a new summary at the end.
                Some(found) if !phase.sidecars.is_unfinished() => {
                    let name = format!("emitted_samples of phase {number}");
                    self.same(&name, stats.emitted_samples, found.total());
                    split.train = split.train.saturating_add(found.train);
                    split.valid = split.valid.saturating_add(found.valid);
                    split.test = split.test.saturating_add(found.test);
                }
                _ => all_known = false,
            }
        }
        if all_known {
            self.same("split", said.split, split);
            self.same("total_samples", said.total_samples, split.total());
        }
    }

    fn window_stats(&mut self, said: &WindowStats) {
        self.same("schema", said.schema.as_str(), WINDOW_STATS_SCHEMA);
        let mut extracted = 0_u64;
        for window in &said.windows {
            extracted = extracted.saturating_add(window.extracted_samples);
            let mut found = Some(0_u64);
            for &number in &window.phases {
                let total = self
                    .phase(number)
                    .filter(|phase| !phase.sidecars.is_unfinished())
                    .and_then(Phase::total);
                found = found
                    .zip(total)
                    .map(|(sum, total)| sum.saturating_add(total.total()));
            }
            if let Some(found) = found {
                let name = format!("extracted_samples of window {}", window.anchor);
                self.same(&name, window.extracted_samples, found);
            }
        }
        self.same(
            "total_extracted_samples",
            said.total_extracted_samples,
            extracted,
        );
    }
}

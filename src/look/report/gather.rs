//! All that the page says, in numbers.

use super::attach::Attachment;
use crate::dataset::DatasetError;
use crate::dataset::damage::Damage;
use crate::dataset::json::read_json;
use crate::dataset::stats::PhaseStats;
use crate::dataset::tree::Tree;
use crate::dataset::watch::Watch;
use crate::look::inspect::{Inspection, Sample, Wanted, inspect};
use crate::look::neighbours::{Neighbours, neighbours};
use std::path::{Path, PathBuf};

/// Boards that are drawn.
const BOARDS: u64 = 10;
/// The same ones each time.
const SEED: u64 = 0;

/// One dataset.
#[derive(Debug)]
pub(crate) struct Dataset {
    /// As it was named.
    pub path: PathBuf,
    /// What its records add up to; `None` where nothing could be read.
    pub inspection: Option<Inspection>,
    /// stats.json of its phases, where they have one.
    pub stats: Vec<PhaseStats>,
    /// Some positions.
    pub samples: Vec<Sample>,
    /// Splits that are a move apart.
    pub neighbours: Vec<Neighbours>,
    /// What is broken.
    pub damage: Vec<Damage>,
}

/// Everything.
#[derive(Debug)]
pub(crate) struct Report {
    /// In the order in which they were named.
    pub datasets: Vec<Dataset>,
    /// JSON files of other commands.
    pub attachments: Vec<Attachment>,
}

impl Report {
    /// Whether nothing is broken.
    pub(crate) fn is_sound(&self) -> bool {
        self.damage().next().is_none()
    }

    /// All that is broken.
    pub(crate) fn damage(&self) -> impl Iterator<Item = &Damage> {
        self.datasets.iter().flat_map(|dataset| &dataset.damage)
    }
}

/// Reads what lies at a path; what cannot be read is part of the result.
pub(crate) fn gather(path: &Path, watch: &impl Watch) -> Dataset {
    let mut dataset = Dataset {
        path: path.to_owned(),
        inspection: None,
        stats: Vec::new(),
        samples: Vec::new(),
        neighbours: Vec::new(),
        damage: Vec::new(),
    };
    if let Err(error) = fill(&mut dataset, watch) {
        dataset.damage.push(Damage::of(path, &error));
    }
    dataset
}

fn fill(dataset: &mut Dataset, watch: &impl Watch) -> Result<(), DatasetError> {
    let path = dataset.path.clone();
    let inspection = inspect(&path, Wanted::Summary, watch)?;
    dataset.damage.extend(inspection.damage.iter().cloned());
    let tree = Tree::find(&path)?;
    for files in &tree.phases {
        let Some(stats) = files.beside("stats.json") else {
            continue;
        };
        match read_json::<PhaseStats>(&stats) {
            Ok(stats) => dataset.stats.push(stats),
            Err(error) if error.is_missing() => {}
            Err(error) => dataset.damage.push(Damage::of(&stats, &error)),
        }
    }
    let wanted = Wanted::Sample {
        count: BOARDS,
        seed: SEED,
    };
    dataset.samples = inspect(&path, wanted, watch)?.samples;
    dataset.inspection = Some(inspection);
    dataset.neighbours = neighbours(&tree)?;
    Ok(())
}

//! `shard.json`: what a shard's games belong to, with all that a merge needs on a machine that has
//! neither the configuration nor the engines.

use super::numbering::Shard;
use crate::dataset::DatasetError;
use crate::dataset::json::{read_schema, write_json};
use crate::engine::EngineIdentity;
use crate::generate::facts::RunFacts;
use crate::generate::phase::PhasePlan;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the file's form.
pub(super) const SHARD_SCHEMA: &str = "rdg_shard_v1";

/// shard.json.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ShardDescription {
    /// [`SHARD_SCHEMA`].
    pub schema: String,
    /// From 1.
    pub shard: u64,
    /// How many there are.
    pub shards: u64,
    /// config.toml: where it was, and what stood in it.
    pub config_path: PathBuf,
    /// Its text.
    pub config: String,
    /// app.toml.
    pub app_config_path: PathBuf,
    /// Its text.
    pub app_config: String,
    /// Master seed.
    pub seed: u64,
    /// The engine of self-play, as it was where the shard was played.
    pub self_play: EngineIdentity,
    /// That of the playout.
    pub playout: Option<EngineIdentity>,
    /// What decides each phase, by its number.
    pub settings: BTreeMap<u8, Map<String, Value>>,
}

impl ShardDescription {
    /// Reads that of a shard's folder.
    pub(crate) fn read(folder: &Path) -> Result<ShardDescription, DatasetError> {
        let path = folder.join("shard.json");
        let description: ShardDescription = read_schema(&path, SHARD_SCHEMA)?;
        let shard = description.shard();
        if shard.index == 0 || shard.index > shard.count {
            let reason = format!("there is no {shard}");
            return Err(DatasetError::Json {
                path,
                reason: reason.into(),
            });
        }
        Ok(description)
    }

    /// Which one it is.
    pub(crate) fn shard(&self) -> Shard {
        Shard {
            index: self.shard,
            count: self.shards,
        }
    }
}

/// Writes shard.json of a run.
pub(crate) fn describe(
    facts: &RunFacts,
    plans: &[Vec<PhasePlan>],
    shard: Shard,
) -> Result<(), DatasetError> {
    let text = |path: &Path| std::fs::read_to_string(path).map_err(DatasetError::io("read", path));
    let description = ShardDescription {
        schema: SHARD_SCHEMA.to_owned(),
        shard: shard.index,
        shards: shard.count,
        config: text(&facts.config.path)?,
        config_path: facts.config.path.clone(),
        app_config: match facts.app_config() {
            Some(path) => text(path)?,
            None => String::new(),
        },
        app_config_path: facts.app_config_path.clone(),
        seed: facts.seed,
        self_play: facts.engines.self_play.identity.clone(),
        playout: facts
            .engines
            .playout
            .as_ref()
            .map(|engine| engine.identity.clone()),
        settings: plans
            .iter()
            .flatten()
            .map(|plan| (plan.dir.phase(), plan.settings.clone()))
            .collect(),
    };
    write_json(&facts.config.output_dir.join("shard.json"), &description)
}

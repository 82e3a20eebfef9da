//! What the files of an imported dataset say about the games that it was made from.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Split of a position by its games: that of the strictest one (test before valid before train), and
/// the value too comes only from games of that split. The split of a game: SHA-256 over its canonical
/// positions (own, opponent, little-endian, from the first move's to the last one's), the first 8
/// bytes of which are a big-endian integer, compared as for a position's own split.
pub(crate) const SPLIT_BY_GAME: &str = "strictest_game_canonical_positions_sha256_v2";

/// `import` of metadata.json: the settings that decided the data, and what it was made from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ImportSettings {
    /// The value of a position that several games have: `mean` (rounded half away from zero) or
    /// `first`.
    pub duplicates: String,
    /// Games that are not played to the end: `skip`, or `claimed` (their result as the file says).
    pub unfinished: String,
    /// `of_games`: the results of the games; `as_given`, `as_given_rounded`: as the files give them.
    #[serde(default = "values_of_games")]
    pub values: String,
    /// Only games of these players (a part of the name, lower case).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// Only games of these years, the first and the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub years: Option<[u16; 2]>,
    /// Only games whose players are both rated at least so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<f64>,
    /// `position` or `game`.
    pub split_by: String,
    /// Only moves of the winning side.
    pub winner_only: bool,
    /// At most this many positions of a game, evenly spread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_per_game: Option<u32>,
    /// Files read.
    pub input_files: u64,
    /// Bytes in them.
    pub input_bytes: u64,
    /// SHA-256 over the SHA-256 digests of the files (32 bytes each) in the order of reading, hex.
    pub inputs_sha256: String,
}

fn values_of_games() -> String {
    "of_games".to_owned()
}

/// `import` of stats.json and of summary.json: the games of the whole import.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ImportCounts {
    /// Games read, usable or not.
    pub games: u64,
    /// Games that gave positions.
    pub used_games: u64,
    /// Games left out because they are not played to the end.
    pub unfinished_games: u64,
    /// Games not played to the end whose claimed result was taken.
    pub claimed_games: u64,
    /// Games recorded on the mirrored start, turned to the usual one.
    pub mirrored_games: u64,
    /// Games that could not be used.
    pub bad_games: u64,
    /// Those by reason.
    pub bad_games_by_reason: BTreeMap<String, u64>,
    /// Games that the filter left out.
    pub filtered_games: u64,
    /// Finished games whose file claims another result than the board shows, which counts.
    pub contradicted_results: u64,
    /// Files of folders that hold no games.
    pub skipped_files: u64,
    /// Positions taken from games, before duplicates were removed.
    pub positions: u64,
    /// Of this phase: recorded positions that several games (or several moves of one) had. Absent
    /// in summary.json.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated_positions: Option<u64>,
}

/// One file in `inputs` of summary.json.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ImportedFile {
    /// As it was named, or `-` for standard input.
    pub path: String,
    /// `wthor`, `ggf`, `sgf`, `pgn`, `json`, `csv` or `text`.
    pub format: String,
    /// `gzip`, `bzip2`, `xz` or `zstd`, where it was unpacked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<String>,
    /// Games in it, usable or not.
    pub games: u64,
    /// Bytes, as they are in the file.
    pub bytes: u64,
    /// SHA-256 of its bytes, hex.
    pub sha256: String,
}

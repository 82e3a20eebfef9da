//! README.md of a Parquet export: the dataset card that the HuggingFace hub shows, with the features
//! and splits that its loader reads.

use super::options::AcceptedRule;
use super::row::split_name;
use super::sidecar::ExportedFile;
use super::source::Sources;
use crate::base::text::count;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Columns: name, type, meaning.
const FEATURES: [(&str, &str, &str); 5] = [
    (
        "own",
        "uint64",
        "discs of the side to move; bit 0 = a1, bit 7 = h1, bit 63 = h8",
    ),
    ("opponent", "uint64", "discs of the other side, likewise"),
    ("value", "int16", "value for the side to move, in discs"),
    ("phase", "uint8", "discs on the board - 4"),
    (
        "split",
        "string",
        "train, valid or test; data where none is known",
    ),
];

/// What the hub's loader calls a split.
fn hub_name(split: &str) -> &str {
    match split {
        "valid" => "validation",
        other => other,
    }
}

/// The card.
pub(super) fn dataset_card(sources: &Sources, files: &[ExportedFile]) -> String {
    let mut splits: BTreeMap<(usize, &str), (u64, u64, Vec<String>)> = BTreeMap::new();
    for file in files {
        let order = file.group.split.map_or(3, |split| split.index());
        let entry = splits
            .entry((order, split_name(file.group.split)))
            .or_default();
        entry.0 += file.records;
        entry.1 += file.bytes;
        entry.2.push(file.path.to_string_lossy().into_owned());
    }
    let records: u64 = files.iter().map(|file| file.records).sum();
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    let mut card = String::from(
        "---\npretty_name: Reversi (Othello) positions\ntags:\n- othello\n- reversi\n",
    );
    let _ = writeln!(card, "size_categories:\n- {}", size_category(records));
    card += "configs:\n- config_name: default\n  data_files:\n";
    for ((_, split), (_, _, paths)) in &splits {
        let _ = writeln!(card, "  - split: {}\n    path:", hub_name(split));
        for path in paths {
            let _ = writeln!(card, "    - {path}");
        }
    }
    card += "dataset_info:\n  features:\n";
    for (name, kind, _) in FEATURES {
        let _ = writeln!(card, "  - name: {name}\n    dtype: {kind}");
    }
    card += "  splits:\n";
    for ((_, split), (records, bytes, _)) in &splits {
        let name = hub_name(split);
        let _ = writeln!(
            card,
            "  - name: {name}\n    num_bytes: {bytes}\n    num_examples: {records}"
        );
    }
    let _ = writeln!(card, "  download_size: {bytes}\n---\n");
    card += "# Reversi (Othello) positions\n\n";
    let rule = match AcceptedRule::of_metadata(&sources.score_rule) {
        Some(AcceptedRule::WinnerTakesEmpties) => "the winner gets the empty squares",
        _ => "empty squares count for nobody",
    };
    let label = match sources.label.as_str() {
        "result" => "the final disc difference of the game".to_owned(),
        "score" => "the score of the engine's search".to_owned(),
        "exact" => "the result with best play by both sides".to_owned(),
        other => other.to_owned(),
    };
    let _ = writeln!(
        card,
        "{} positions. The value is {label}, seen from the side to move; {rule}. How the data was made \
         stands in `export.json`.\n",
        count(records)
    );
    card += "| column | type | meaning |\n|---|---|---|\n";
    for (name, kind, meaning) in FEATURES {
        let _ = writeln!(card, "| {name} | {kind} | {meaning} |");
    }
    card += "\n| split | positions |\n|---|---|\n";
    for ((_, split), (records, _, _)) in &splits {
        let _ = writeln!(card, "| {} | {} |", hub_name(split), count(*records));
    }
    card
}

/// The words of the hub.
fn size_category(records: u64) -> &'static str {
    match records {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        100_000_000..1_000_000_000 => "100M<n<1B",
        1_000_000_000..10_000_000_000 => "1B<n<10B",
        _ => "10B<n<100B",
    }
}

//! How a dataset was made, in a few lines: the main facts of its metadata.json files.

use crate::base::text::number_of;
use crate::dataset::label::LabelKind;
use crate::dataset::metadata::{
    DataMode, EngineSettings, Generation, Metadata, WINNER_TAKES_EMPTIES,
};
use serde_json::{Value, json};

/// More different answers than this are not listed one by one.
const LISTED: usize = 3;

/// Name and answer of each fact. Phases that were made in different ways give several answers.
pub(crate) fn facts(all: &[&Metadata]) -> Vec<(&'static str, String)> {
    type Fact = fn(&Metadata) -> Option<String>;
    let facts: [(&str, Fact); 10] = [
        ("Mode", |m| Some(mode(m))),
        ("Engine", |m| Some(settings(&m.engine.as_ref()?.self_play))),
        ("Playout", |m| {
            Some(settings(m.engine.as_ref()?.playout.as_ref()?))
        }),
        ("Openings", |m| {
            let openings = m.openings.as_ref()?;
            Some(format!("{}, {}", openings.file, openings.order))
        }),
        ("Balanced", |m| {
            let most = m.max_score?;
            Some(format!("starts within {most} discs either way"))
        }),
        ("Seed", |m| m.seed.map(|seed| seed.to_string())),
        ("Value", |m| Some(values(&m.score_rule))),
        ("Label", label),
        ("Split", |m| {
            let by = match (&m.import, m.split_by) {
                (_, Some(by)) => by.name(),
                (Some(import), None) => import.split_by.as_str(),
                (None, None) => "position",
            };
            let s = &m.split;
            Some(format!("{} / {} / {} by {by}", s.train, s.valid, s.test))
        }),
        ("Repeatable", repeatable),
    ];
    let mut found: Vec<(&'static str, String)> = facts
        .into_iter()
        .filter_map(|(name, fact)| Some((name, several(all.iter().map(|m| fact(m)))?)))
        .collect();
    if let Some(made) = made(all) {
        found.push(("Made", made));
    }
    found
}

/// The same for programs.
pub(super) fn object(m: &Metadata) -> Value {
    let engine = |settings: &EngineSettings| {
        json!({
            "name": settings.name,
            "level": settings.level,
            "threads": settings.threads,
        })
    };
    let section = m.engine.as_ref();
    json!({
        "mode": m.mode,
        "generation": m.generation,
        "phase": m.phase,
        "seed": m.seed,
        "samples_per_phase": m.samples_per_phase,
        "window": m.window,
        "engine": section.map(|s| engine(&s.self_play)),
        "playout_engine": section.and_then(|s| s.playout.as_ref()).map(engine),
        "max_score": m.max_score,
        "openings": m.openings,
        "score_rule": m.score_rule,
        "label": m.label(),
        "labelled": m.labelled,
        "split": m.split,
        "split_method": m.split_method,
        "reproducible": m.reproducible.flatten(),
        "reproducible_reason": m.reproducible_reason,
        "import": m.import,
        "generator_version": m.generator.version,
        "generated_at": m.generated_at,
    })
}

/// The different answers in the order in which they come; `None` where nobody answers.
fn several(answers: impl Iterator<Item = Option<String>>) -> Option<String> {
    let mut different: Vec<String> = Vec::new();
    for answer in answers.flatten() {
        if !different.contains(&answer) {
            different.push(answer);
        }
    }
    match different.len() {
        0 => None,
        1..=LISTED => Some(different.join("; ")),
        n => Some(format!(
            "{}; and {} others",
            different[..LISTED].join("; "),
            n - LISTED
        )),
    }
}

fn mode(m: &Metadata) -> String {
    let mut text = match m.mode {
        DataMode::Normal => "normal".to_owned(),
        DataMode::AllPositions => "all_positions".to_owned(),
        DataMode::Import => "import of played games".to_owned(),
        DataMode::Merge => "merge of several datasets".to_owned(),
        DataMode::Label => "labelled positions".to_owned(),
    };
    if m.generation == Generation::Window
        && let Some(window) = &m.window
    {
        text += &format!(
            ", windows of {}",
            number_of(u64::from(window.size), "phase")
        );
    }
    text
}

fn settings(engine: &EngineSettings) -> String {
    crate::base::text::engine(&engine.name, engine.level, engine.threads)
}

fn values(score_rule: &str) -> String {
    if score_rule == WINNER_TAKES_EMPTIES {
        "final disc difference, the winner takes the empty squares".to_owned()
    } else {
        "final disc difference, empty squares count for nobody".to_owned()
    }
}

/// What the values are, where they are not just results of the games.
fn label(m: &Metadata) -> Option<String> {
    match (&m.labelled, m.label()) {
        (Some(labelled), _) if !labelled.kept => Some(labelled.by.title()),
        (Some(_), LabelKind::Result) => Some("result of the game, kept".to_owned()),
        (_, LabelKind::Result) => None,
        (_, LabelKind::Score) => Some("score of the engine's search".to_owned()),
        (_, LabelKind::Exact) => Some("value with best play".to_owned()),
    }
}

fn repeatable(m: &Metadata) -> Option<String> {
    let same = match m.import {
        None => "yes: the same seed gives the same bytes",
        Some(_) => "yes: the same files and options give the same bytes",
    };
    match (m.reproducible.flatten(), &m.reproducible_reason) {
        (Some(true), _) => Some(same.to_owned()),
        (Some(false), _) => {
            Some("no: the engine as it was set up may play otherwise another time".to_owned())
        }
        (None, Some(reason)) => Some(format!("not known: {reason}")),
        (None, None) => None,
    }
}

/// By which version and when: the first and the last phase.
fn made(all: &[&Metadata]) -> Option<String> {
    let first = all.iter().map(|m| m.generated_at.as_str()).min()?;
    let last = all.iter().map(|m| m.generated_at.as_str()).max()?;
    let version = several(all.iter().map(|m| {
        let g = &m.generator;
        let commit = g.commit.get(..12).unwrap_or(&g.commit);
        Some(match commit {
            "" => format!("rdg {}", g.version),
            _ => format!("rdg {} ({commit})", g.version),
        })
    }))?;
    Some(match first == last {
        true => format!("{first}, {version}"),
        false => format!("{first} to {last}, {version}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SplitRatios;

    fn metadata(seed: u64) -> Metadata {
        Metadata {
            seed: Some(seed),
            generated_at: format!("2026-01-0{seed}"),
            ..Metadata::new(
                DataMode::Normal,
                Generation::Phase,
                10,
                &SplitRatios::default(),
            )
        }
    }

    #[test]
    fn what_differs_is_told_and_what_nobody_says_is_left_out() {
        let all = [1, 2, 1, 3, 4, 5].map(metadata);
        let all: Vec<&Metadata> = all.iter().collect();
        let found = facts(&all);
        let fact = |name| {
            found
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, f)| f.as_str())
        };
        assert_eq!(fact("Seed"), Some("1; 2; 3; and 2 others"));
        assert_eq!(fact("Mode"), Some("normal"));
        assert_eq!(fact("Split"), Some("0.98 / 0.01 / 0.01 by position"));
        assert_eq!(fact("Engine"), None);
        assert_eq!(fact("Repeatable"), None);
        assert!(
            fact("Made")
                .unwrap()
                .starts_with("2026-01-01 to 2026-01-05, rdg")
        );
        assert!(facts(&[]).is_empty());
    }
}

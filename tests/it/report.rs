//! `rdg report`: its numbers are those of `rdg inspect`, and nothing that it was given becomes markup.

use crate::common::by_hand::{after_f5, file, hopeless, over, pass};
use crate::common::sample::write_dataset;
use crate::common::{Env, code, stderr, stdout};
use serde_json::Value;
use std::fs;

fn page(env: &Env, args: &[&str], with: i32) -> String {
    let run = env.run(&[&["report", "--output", "page.html"], args].concat());
    assert_eq!(code(&run), with, "{}", stderr(&run));
    let page = fs::read_to_string(env.path("page.html")).expect("the page is there");
    well_formed(&page);
    page
}

/// Every element is closed in its turn, and nothing is loaded from elsewhere.
fn well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[..end];
        let name = tag
            .trim_start_matches('/')
            .split([' ', '\n', '/'])
            .next()
            .unwrap();
        if let Some(closing) = tag.strip_prefix('/') {
            assert_eq!(
                open.pop(),
                Some(closing),
                "near {}",
                &rest[..rest.len().min(80)]
            );
        } else if !tag.ends_with('/') && !["!DOCTYPE", "meta", "link", "br"].contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for outside in ["http://", "https://", "<script", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn numbers_are_those_of_inspect() {
    let env = Env::new();
    write_dataset(&env.path("data"), &[7, 20, 41], 300, 5);
    let run = env.run(&["inspect", "data", "--json"]);
    let inspected: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let run = env.run(&["report", "data", "--json"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let report: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(report["schema"], "rdg_report_v1");
    let dataset = &report["datasets"][0];
    assert_eq!(dataset["inspected"], inspected["inspected"][0]);
    assert_eq!(dataset["samples"].as_array().unwrap().len(), 10);
    let neighbours = dataset["neighbours"].as_array().unwrap();
    let drawn: u64 = neighbours
        .iter()
        .map(|n| n["drawn"].as_u64().unwrap())
        .sum();
    assert_eq!(
        drawn, 900,
        "all positions are drawn, and none of 7, 20, 41 is a move away from another"
    );
    assert!(neighbours.iter().all(|n| n["neighbours"]["train"] == 0));
    let page = page(&env, &["data"], 0);
    let total = &inspected["inspected"][0]["total"]["value"];
    let mean = format!("mean {:.2}", total["mean"].as_f64().unwrap());
    for words in [mean.as_str(), "<td>all</td><td>900</td>", "class=\"board\""] {
        assert!(page.contains(words), "no `{words}`");
    }
    assert_eq!(page.matches("class=\"board\"").count(), 10);
}

#[test]
fn a_position_one_move_away_in_another_split_is_found() {
    let env = Env::new();
    // The start position in train, what follows f5 (turned: d3 is the same) in test.
    let start = (0x8_1000_0000, 0x10_0800_0000, 0);
    env.write("data/phase_00/train.rd", file(&[start]));
    env.write("data/phase_00/valid.rd", file(&[]));
    env.write("data/phase_00/test.rd", file(&[]));
    env.write("data/phase_01/train.rd", file(&[]));
    env.write("data/phase_01/valid.rd", file(&[]));
    env.write("data/phase_01/test.rd", file(&[after_f5(2)]));
    let run = env.run(&["report", "data", "--json"]);
    let report: Value = serde_json::from_str(&stdout(&run)).unwrap();
    let found = &report["datasets"][0]["neighbours"];
    assert_eq!(found[0]["split"], "train");
    assert_eq!(
        found[0]["neighbours"],
        serde_json::json!({"train": 0, "valid": 0, "test": 1})
    );
    assert_eq!(found[1]["split"], "test");
    assert_eq!(
        found[1]["neighbours"],
        serde_json::json!({"train": 1, "valid": 0, "test": 0})
    );
    page(&env, &["data"], 0);
}

#[test]
fn names_and_words_from_outside_are_text() {
    let env = Env::new();
    let folder = "<script>alert(1)<\u{1b}[2J&";
    let rows = [pass(3), after_f5(-12), over(-13)];
    env.write(&format!("{folder}.rd"), file(&rows));
    env.write(
        "learn.json",
        r#"{"schema": "<b>", "checks": [{"epoch": 1, "<i>": 2}, {"epoch": 2, "<i>": 4}]}"#,
    );
    let page = page(&env, &[&format!("{folder}.rd"), "--learn", "learn.json"], 0);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;\\u{1b}[2J&amp;.rd"));
    assert!(!page.contains('\u{1b}'));
    assert!(page.contains("checks.&lt;i&gt; by epoch"));
}

#[test]
fn what_is_damaged_is_said_and_the_rest_is_drawn() {
    let env = Env::new();
    write_dataset(&env.path("data"), &[20], 50, 5);
    env.write("empty/phase_10/train.rd", file(&[]));
    let mut torn = file(&[after_f5(3)]);
    torn.push(7);
    env.write("torn.rd", torn);
    let all = page(&env, &["data", "torn.rd", "empty", "gone"], 1);
    for words in [
        "cut short",
        "does not exist",
        "valid.rd is missing",
        "no values",
    ] {
        assert!(all.contains(words), "no `{words}`");
    }
    for (path, words) in hopeless(&env) {
        let run = env.run(&["report", path.to_str().unwrap(), "--output", "x.html"]);
        assert_eq!(code(&run), 1, "{}", path.display());
        assert!(
            stderr(&run).contains(words),
            "{}: {}",
            path.display(),
            stderr(&run)
        );
    }
    for output in ["train.rd", "page"] {
        let run = env.run(&["report", "data", "--output", output]);
        assert_eq!(code(&run), 2, "{}", stderr(&run));
    }
}

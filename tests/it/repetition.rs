//! Games that repeat each other: foreseen before a run, and told after it.

use crate::common::dataset::{Config, json};
use crate::common::{Env, code, stdout};

fn config(ai_probability: f64) -> Config {
    Config::new("10..12")
        .window(10)
        .samples(150)
        .playout_ai(ai_probability)
}

const FORESEEN: &str = "would repeat others; lower playout.ai_probability";
const SEEN: &str = "of the positions of phases 10-12 were there already";

#[test]
fn a_run_that_repeats_itself_says_so_before_and_after() {
    let env = Env::new();
    let said = config(0.9).succeed(&env, &["--no-progress"]);
    let (start, end) = (said.find(FORESEEN), said.find(SEEN));
    assert!(start.is_some() && start < end, "{said}");
    let stats = json(&env.path("out/phase_10/stats.json"));
    let duplicates = stats["duplicate_positions"].as_u64().unwrap();
    assert!(duplicates > 150, "{duplicates}");

    let output = config(0.9).run(&env, &["--dry-run", "--force"]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains(FORESEEN), "{}", stdout(&output));
}

#[test]
fn a_run_that_hardly_does_says_nothing() {
    let env = Env::new();
    let said = config(0.25).succeed(&env, &["--no-progress"]);
    assert!(
        !said.contains("repeat") && !said.contains("already"),
        "{said}"
    );
}

//! `rdg bench` as a user runs it.

use crate::common::{Env, code, stderr, stdout};

#[test]
fn a_quick_bench_finds_everything_right() {
    let output = Env::new().run(&["bench", "--quick", "--json", "--threads", "2"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(report["schema"], "rdg_bench_v1");
    assert_eq!(report["threads"], 2);
    assert_eq!(report["correct"], true);
    let rows = report["rows"].as_array().expect("rows");
    for group in [
        "perft",
        "playouts",
        "enumeration",
        "search",
        "solver",
        "games",
    ] {
        assert!(rows.iter().any(|row| row["group"] == group), "{group}");
    }
    for row in rows {
        assert!(row["count"].as_u64().expect("a count") > 0, "{row}");
        assert!(row["per_second"].as_f64().expect("a rate") > 0.0, "{row}");
        assert_ne!(row["correct"], false, "{row}");
    }
}

#[test]
fn threads_out_of_range_are_a_usage_error() {
    for threads in ["0", "-1", "many", "5000"] {
        let output = Env::new().run(&["bench", "--threads", threads]);
        assert_eq!(code(&output), 2, "{threads}");
    }
}

#[test]
fn chosen_endgame_positions_are_solved_and_nothing_else() {
    let output = Env::new().run(&["bench", "--ffo", "20..21", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 1, "{report}");
    assert_eq!(rows[0]["correct"], true);
    for wrong in ["0..3", "21..20", "1..80", "x"] {
        let output = Env::new().run(&["bench", "--ffo", wrong]);
        assert_eq!(code(&output), 2, "{wrong}");
        assert!(stderr(&output).contains("1 to 79"), "{wrong}");
    }
}

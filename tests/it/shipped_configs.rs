//! The configuration files that are shipped are valid and hold what the manual says of them.

use rdg::config::{self, Mode, WindowConfig};
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("configs")
        .join(name)
}

#[test]
fn every_dataset_finds_its_engines_in_app_toml() {
    let app = config::load_app(&path("app.toml"), &rdg::engine::KINDS).expect("app.toml is valid");
    let mut count = 0;
    for entry in std::fs::read_dir(path("")).expect("configs/ is there") {
        let file = entry.expect("configs/ can be read").path();
        if file.extension().is_some_and(|end| end == "toml") && !file.ends_with("app.toml") {
            let dataset = config::load_dataset(&file).unwrap_or_else(|error| panic!("{error}"));
            dataset
                .engines(&app)
                .unwrap_or_else(|error| panic!("{error}"));
            count += 1;
        }
    }
    assert!(
        count >= 5,
        "config, all_positions, quickstart, ci, grhino: {count}"
    );
}

#[test]
fn the_main_job_is_the_documented_one() {
    let dataset = config::load_dataset(&path("config.toml")).expect("config.toml is valid");
    assert_eq!(dataset.mode, Mode::Normal);
    assert_eq!(dataset.phases, Vec::from_iter(10..=60));
    assert_eq!(dataset.samples_per_phase, 1000);
    assert_eq!(dataset.window, Some(WindowConfig { size: 10 }));
    let ai = &dataset.self_play.ai;
    assert_eq!(
        (ai.name.as_str(), ai.level, ai.threads),
        ("edax", Some(20), Some(1))
    );
    assert_eq!(ai.timeout.map(|timeout| timeout.as_secs()), Some(300));
}

#[test]
fn quickstart_and_ci_need_no_program() {
    let app = config::load_app(&path("app.toml"), &rdg::engine::KINDS).expect("app.toml is valid");
    for name in ["quickstart.toml", "ci.toml"] {
        let dataset = config::load_dataset(&path(name)).expect(name);
        let engines = dataset.engines(&app).expect(name);
        assert_eq!(engines.self_play.entry.kind, rdg::engine::BUILTIN, "{name}");
        assert_eq!(dataset.phases, Vec::from_iter(10..=59), "{name}");
    }
}

//! Plans of small configurations on a machine of known size.

use super::*;
use crate::config::{load_app, load_dataset};
use crate::dataset::layout::PhaseDir;
use crate::generate::ExistingOutput;
use std::fs;
use std::path::Path;

const MACHINE: Machine = Machine {
    cpus: 8,
    free_disk: Some(1 << 40),
    available_memory: Some(1 << 36),
};

const APP: &str = "setup = \"off\"\n[engines.builtin]\nkind = \"builtin\"\n\
                   [engines.edax]\nkind = \"edax\"\nbinary = \"edax\"\neval_file = \"eval.dat\"\n";

fn request(folder: &Path, dataset: &str, existing: ExistingOutput) -> Request {
    let (config, app) = (folder.join("config.toml"), folder.join("app.toml"));
    fs::write(&config, dataset).unwrap();
    fs::write(&app, APP).unwrap();
    let dataset = load_dataset(&config).unwrap();
    let app = load_app(&app, &crate::engine::KINDS).unwrap();
    let engines = dataset.engines(&app).unwrap();
    Request::new(dataset, &app, engines, existing)
}

fn plan_on(machine: &Machine, dataset: &str) -> PlanReport {
    let folder = tempfile::tempdir().unwrap();
    let request = request(folder.path(), dataset, ExistingOutput::Refuse);
    build_on(&request, machine, None)
}

fn plan(dataset: &str) -> PlanReport {
    plan_on(&MACHINE, dataset)
}

fn edax(head: &str) -> String {
    format!(
        "output_dir = \"out\"\n{head}\n[self_play]\nworkers = 8\n\
         [self_play.ai]\nname = \"edax\"\nlevel = 20\n"
    )
}

fn builtin(head: &str) -> String {
    edax(head).replace("\"edax\"\nlevel = 20", "\"builtin\"\nlevel = 1")
}

#[test]
fn a_window_needs_the_games_of_its_slowest_phase() {
    let head = "mode = \"normal\"\nphases = \"10..60\"\nsamples_per_phase = 1000\nseed = 42";
    let report = plan(&(edax(head) + "[window]\nenabled = true\nsize = 10\n"));
    let windows: Vec<(u8, usize)> = report
        .campaigns
        .iter()
        .map(|campaign| (campaign.anchor, campaign.phases.len()))
        .collect();
    let expected = [(10, 10), (20, 10), (30, 10), (40, 10), (50, 10), (60, 1)];
    assert_eq!(windows, expected);
    assert_eq!(report.total.target_samples, 51_000);
    // 1000 records of 18 bytes, three headers of 10.
    assert!(report.phases.iter().all(|plan| plan.bytes == 18_030));
    assert_eq!(report.total.bytes, 51 * 18_030);
    // Six windows of a thousand games; phase 10 has few enough positions for a duplicate or so.
    let games = report.total.expected_games;
    assert!((6000..6010).contains(&games), "{games}");
    assert_eq!(report.campaigns[0].max_games, Some(100_000));
    let engine = &report.engines[0];
    assert_eq!((engine.processes, engine.level), (8, Some(20)));
    assert_eq!(
        report.memory.engines_bytes,
        8 * engine.memory_bytes.unwrap()
    );
    // At most two windows at a time, 24 bytes per record.
    assert_eq!(report.memory.dedupe_bytes, 20 * 1000 * 24);
    assert!(
        report
            .warnings
            .iter()
            .any(|text| text.contains("`edax` is not there"))
    );
}

#[test]
fn without_a_window_each_game_gives_one_record() {
    let head = "mode = \"normal\"\nphases = \"20,30\"\nsamples_per_phase = 500";
    let report = plan(&builtin(head));
    assert_eq!(report.campaigns.len(), 2);
    assert_eq!(report.total.expected_games, 1000);
    assert_eq!(report.seed, None);
    assert_eq!(report.engines[0].processes, 0);
}

#[test]
fn all_positions_are_counted_exactly_as_far_as_they_have_been() {
    let report = plan(&builtin("mode = \"all_positions\"\nphases = \"1..9\""));
    let counts: Vec<u64> = report
        .phases
        .iter()
        .map(|plan| plan.target_samples)
        .collect();
    let known = [1, 3, 14, 60, 322, 1773, 10_649, 67_245, 434_029];
    assert_eq!(counts, known);
    assert!(report.phases.iter().all(|plan| !plan.is_estimate));
    assert_eq!(report.total.expected_games, known.iter().sum::<u64>());
    assert!(
        report
            .campaigns
            .iter()
            .all(|campaign| campaign.max_games.is_none())
    );
    let report = plan(&builtin("mode = \"all_positions\"\nphases = \"10..11\""));
    assert_eq!(report.phases[0].target_samples, 2_958_586);
    assert!(!report.phases[0].is_estimate && report.phases[1].is_estimate);
    assert!(
        report
            .warnings
            .iter()
            .any(|text| text.contains("phase 11 has about "))
    );
}

#[test]
fn what_may_go_wrong_is_told() {
    let head = "mode = \"normal\"\nphases = \"5,30\"\nsamples_per_phase = 320";
    let narrow = "[playout]\nmax_attempts_multiplier = 3\n";
    let machine = Machine {
        cpus: 2,
        free_disk: Some(1000),
        available_memory: Some(1000),
    };
    let report = plan_on(&machine, &(builtin(head) + narrow));
    let told = |part: &str| report.warnings.iter().any(|text| text.contains(part));
    // 320 of the 322 positions of phase 5 take far more than three games each.
    assert!(told("phases 5 need about "), "{:?}", report.warnings);
    assert!(!told("phases 30 need"), "{:?}", report.warnings);
    assert!(told("valid.rd of phases 5,30 will hold about 3.2 records"));
    assert!(told("8 workers want more than the 2 CPUs"));
    assert!(told("are needed"), "{:?}", report.warnings);
    assert!(told("of memory are needed"), "{:?}", report.warnings);
    let calm = plan(&builtin(
        "mode = \"normal\"\nphases = \"30\"\nsamples_per_phase = 1000",
    ));
    assert_eq!(calm.warnings, [""; 0]);
}

#[test]
fn existing_output_is_in_the_way_or_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = builtin("mode = \"normal\"\nphases = \"30,31\"\nsamples_per_phase = 1000");
    let state = |existing| {
        let request = request(folder.path(), &dataset, existing);
        let dir = PhaseDir::new(&request.config.output_dir, 30);
        fs::create_dir_all(dir.path()).unwrap();
        let report = build_on(&request, &MACHINE, None);
        assert_eq!(report.phases[1].state, PhaseState::New);
        assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
        (report.phases[0].state, report.warnings[0].clone())
    };
    let (refused, warning) = state(ExistingOutput::Refuse);
    assert_eq!(refused, PhaseState::InTheWay);
    assert!(
        warning.contains("--resume") && warning.contains("--force"),
        "{warning}"
    );
    assert_eq!(state(ExistingOutput::Replace).0, PhaseState::Replaced);
    let (kept, warning) = state(ExistingOutput::Resume);
    assert_eq!(kept, PhaseState::InTheWay);
    assert!(warning.contains("no run_state.json"), "{warning}");
    assert_eq!(state(ExistingOutput::Repair).0, PhaseState::Rebuilt);
}

#[test]
fn an_engine_in_the_playout_repeats_itself_and_that_is_foreseen() {
    let head = |probability: f64, phases: &str| {
        let head = builtin(&format!(
            "mode = \"normal\"\nphases = \"{phases}\"\nsamples_per_phase = 1000"
        ));
        let window = "[window]\nenabled = true\nsize = 10\n";
        format!(
            "{head}[playout]\nai_probability = {probability}\n\
             [playout.ai]\nname = \"builtin\"\nlevel = 1\n{window}"
        )
    };
    let foreseen = |report: &PlanReport| {
        let warnings = report.warnings.iter();
        let about = warnings.filter(|text| text.contains("would repeat others"));
        about.cloned().collect::<Vec<_>>()
    };
    let report = plan(&head(0.9, "10..29"));
    let told = foreseen(&report);
    assert_eq!(told.len(), 1, "{:?}", report.warnings);
    assert!(told[0].starts_with("games of phases 10-19 leave the playout at phase 10"));
    assert!(told[0].contains("lower playout.ai_probability"));
    // A real run took 1626 games for 300 samples of this window.
    assert!(report.campaigns[0].expected_games > 5000);
    assert!(report.campaigns[1].expected_games < 2000);
    assert!(foreseen(&plan(&head(0.25, "10..29"))).is_empty());
    assert!(foreseen(&plan(&head(0.9, "40..49"))).is_empty());
    let never = plan(&head(1.0, "10..19")).warnings;
    assert!(
        never.iter().any(|text| text.contains("cannot be filled")),
        "{never:?}"
    );
}

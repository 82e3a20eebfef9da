//! Frames for windows of every size.

use super::*;
use crate::engine::FailureKind;
use crate::progress::estimate::{CampaignEstimate, Estimate};
use console::measure_text_width;
use std::time::Duration;

const PLAIN: Look = Look {
    color: false,
    emoji: false,
};
const RICH: Look = Look {
    color: true,
    emoji: true,
};

fn info() -> RunInfo {
    RunInfo {
        command: "generate",
        mode: "normal",
        output_dir: "../datasets/edax_lv20".into(),
        seed: Some(42),
        workers: 8,
        engine: "edax level 20".to_owned(),
        prices: Vec::new(),
    }
}

/// Window 10–19 in its middle, windows 20–29 to come.
fn snapshot() -> Snapshot {
    let phase = |phase: u8| PhaseProgress {
        phase,
        anchor: phase / 10 * 10,
        target: 1000,
        done: if phase < 20 {
            500 + u64::from(phase) * 10
        } else {
            0
        },
        resumed: if phase < 20 { 200 } else { 0 },
    };
    Snapshot {
        score: None,
        move_times: Default::default(),
        phases: (10..30).map(phase).collect(),
        active: (10..20).collect(),
        games: 1234,
        duplicates: 123,
        losses: Losses::default(),
        failures: [(FailureKind::TimedOut, 2), (FailureKind::Exited, 1)].into(),
        splits: [6300, 70, 80],
        mean_value: Some(-0.25),
        engine_busy: Duration::from_secs(970),
        worker_time: Duration::from_secs(1000),
        steps: None,
    }
}

fn draw(now: &Snapshot, ending: Ending, look: Look, columns: usize, rows: usize) -> Vec<String> {
    let estimate = Estimate {
        elapsed: Duration::from_secs(125),
        samples_per_second: 45.6,
        recent_samples_per_second: 43.2,
        games_per_second: 9.87,
        recent_games_per_second: 9.12,
        recent_steps_per_second: 100.0,
        remaining: Some(Duration::from_secs(3720)),
        campaigns: vec![
            CampaignEstimate {
                anchor: 10,
                spent: Duration::from_secs(125),
                remaining: Some(Duration::from_secs(1920)),
            },
            CampaignEstimate {
                anchor: 20,
                spent: Duration::ZERO,
                remaining: Some(Duration::from_secs(1800)),
            },
        ],
    };
    let clock = "2026-03-02T13:03:00+09:00[Asia/Tokyo]".parse().unwrap();
    let view = View {
        info: &info(),
        now,
        numbers: &Numbers::new(now, estimate),
        ending,
        warnings: &Warnings::default(),
        checks: &checks(),
        clock: &clock,
    };
    compose(&view, look, columns, rows)
}

/// More than fit anywhere.
fn checks() -> Vec<String> {
    (0..200).map(|n| format!("point {n}")).collect()
}

#[test]
fn eighty_by_twenty_four_shows_everything() {
    let frame = draw(&snapshot(), Ending::Running, PLAIN, 80, 24).join("\n");
    let expected = "\
rdg generate, normal, edax level 20, 8 workers, seed 42
Total    #################------------------------------  32.2 %  6,450 / 20,000
Speed    45.6 samples/s, 9.87 games/s, last minute 43.2 and 9.12
Time     elapsed 2m05s, ETA 1h02m, ends 14:05
Window   ##############################----------------  64.5 %  phases 10-19
      10 ###########################-----------------  60.0 %    600 / 1,000
";
    for line in expected.lines() {
        let start = line.split("##").next().unwrap();
        assert!(frame.contains(start), "{line:?} is missing in\n{frame}");
    }
    for text in [
        "32.2 %  6,450 / 20,000",
        "64.5 %  phases 10-19",
        "69.0 %  690 / 1,000",
        "Games    1,234, duplicates 123 (2.7 %), failed 0",
        "Engines  busy 97 %, restarts 3, exited 1, timed out 2",
        "Split    train 6,300, valid 70, test 80, mean value -0.25",
        "Windows  10-19 32m00s left, 20-29 ~30m00s",
        "Output   ../datasets/edax_lv20",
    ] {
        assert!(frame.contains(text), "{text:?} is missing in\n{frame}");
    }
    // What is left goes to the latest points of the curve.
    assert_eq!(frame.lines().count(), 23, "{frame}");
    assert_eq!(frame.matches("Check").count(), 3, "{frame}");
    assert!(frame.contains("Check    point 199"), "{frame}");
}

#[test]
fn few_rows_keep_what_matters_most() {
    let frame = draw(&snapshot(), Ending::Running, PLAIN, 60, 15);
    assert_eq!(frame.len(), 14);
    let text = frame.join("\n");
    // The phases that have furthest to go, and word of the others.
    for part in [
        "Total",
        "ETA 1h02m",
        "      10 ",
        "      13 ",
        "and 6 more",
        "Output",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(!text.contains("      14 "), "{text}");
    let three = draw(&snapshot(), Ending::Running, PLAIN, 60, 4).join("\n");
    assert!(three.starts_with("Total"), "{three}");
    assert!(three.contains("ETA") && three.contains("Speed"), "{three}");
    let one = draw(&snapshot(), Ending::Running, PLAIN, 60, 1);
    assert!(one.len() == 1 && one[0].starts_with("Total"), "{one:?}");
}

#[test]
fn no_window_is_too_small_and_no_row_too_wide() {
    let mut now = snapshot();
    for columns in 1..140 {
        for rows in [1, 2, 3, 5, 8, 13, 15, 24, 50] {
            for look in [PLAIN, RICH] {
                for ending in [Ending::Running, Ending::Finished, Ending::Failed] {
                    now.steps = (columns % 2 == 0).then_some(crate::progress::Steps {
                        done: 3,
                        total: (columns % 3 == 0).then_some(7),
                        unit: "game",
                    });
                    let frame = draw(&now, ending, look, columns, rows);
                    assert!(!frame.is_empty() && frame.len() <= rows.saturating_sub(1).max(1));
                    for row in &frame {
                        let width = measure_text_width(row);
                        let most = columns.saturating_sub(1).max(1);
                        assert!(width <= most, "{width} > {most}: {row:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn wide_windows_are_used_but_not_stretched() {
    let frame = draw(&snapshot(), Ending::Running, RICH, 200, 50);
    let widest = frame.iter().map(|row| measure_text_width(row)).max();
    assert_eq!(widest, Some(WIDEST));
}

#[test]
fn plain_is_plain() {
    for look in [
        PLAIN,
        Look {
            color: true,
            emoji: false,
        },
    ] {
        let frame = draw(&snapshot(), Ending::Running, look, 80, 24).join("\n");
        assert_eq!(frame.contains('\x1b'), look.color);
        assert!(frame.is_ascii(), "{frame}");
    }
    let uncoloured = Look {
        color: false,
        emoji: true,
    };
    let frame = draw(&snapshot(), Ending::Running, uncoloured, 80, 24).join("\n");
    assert!(!frame.contains('\x1b'));
}

#[test]
fn names_cannot_steer_the_terminal() {
    let mut info = info();
    info.output_dir = "out\x1b[2J\nput".into();
    info.engine = "evil\rengine".to_owned();
    let now = snapshot();
    let clock = ZonedDateTime::now();
    let mut warnings = Warnings::default();
    warnings.add("odd\nthing\x1b[2J");
    let view = View {
        info: &info,
        now: &now,
        numbers: &Numbers::new(&now, Estimate::default()),
        ending: Ending::Running,
        warnings: &warnings,
        checks: &[],
        clock: &clock,
    };
    for row in compose(&view, PLAIN, 80, 24) {
        assert!(!row.contains(char::is_control), "{row:?}");
    }
}

#[test]
fn an_end_is_named() {
    let first = |ending| draw(&snapshot(), ending, PLAIN, 80, 24)[0].clone();
    assert!(first(Ending::Finished).contains("finished"));
    assert!(first(Ending::Interrupted).contains("interrupted"));
    assert!(first(Ending::Failed).contains("error"));
    let frame = draw(&snapshot(), Ending::Finished, PLAIN, 80, 24).join("\n");
    assert!(!frame.contains("ETA"), "{frame}");
}

/// `anchors` windows of one phase each, of which the first `done` are full.
fn many_windows(anchors: u8, done: u8) -> (Snapshot, Estimate) {
    let phase = |phase: u8| PhaseProgress {
        phase,
        anchor: phase,
        target: 10,
        done: if phase <= done { 10 } else { 0 },
        resumed: 0,
    };
    let now = Snapshot {
        phases: (1..=anchors).map(phase).collect(),
        active: vec![done + 1],
        games: 100,
        ..Snapshot::default()
    };
    let of_anchor = |anchor| CampaignEstimate {
        anchor,
        spent: Duration::from_secs(if anchor <= done { 60 } else { 0 }),
        remaining: Some(Duration::from_secs(if anchor <= done { 0 } else { 120 })),
    };
    let estimate = Estimate {
        elapsed: Duration::from_secs(7200),
        games_per_second: 2.0,
        campaigns: (1..=anchors).map(of_anchor).collect(),
        ..Estimate::default()
    };
    (now, estimate)
}

fn draw_windows(anchors: u8, done: u8, columns: usize, rows: usize) -> String {
    let (now, estimate) = many_windows(anchors, done);
    let clock = ZonedDateTime::now();
    let view = View {
        info: &info(),
        now: &now,
        numbers: &Numbers::new(&now, estimate),
        ending: Ending::Running,
        warnings: &Warnings::default(),
        checks: &[],
        clock: &clock,
    };
    compose(&view, PLAIN, columns, rows).join("\n")
}

#[test]
fn every_window_is_told_with_its_time() {
    let frame = draw_windows(5, 2, 120, 24);
    let row = "Phases   1 done 1m00s, 2 done 1m00s, 3 2m00s left, 4 ~2m00s, 5 ~2m00s";
    assert!(frame.contains(row), "{frame}");
    // After an hour games are counted by the hour.
    assert!(frame.contains("7,200 games/h"), "{frame}");
    // More than there is room for: those that are done as a number, those that wait longest too.
    let frame = draw_windows(51, 20, 80, 24);
    assert!(
        frame.contains("Phases   20 done 20m00s, 21 2m00s left, 22 ~2m00s,"),
        "{frame}"
    );
    assert!(frame.contains(" wait ~"), "{frame}");
    assert_eq!(draw_windows(1, 0, 80, 24).matches("Phases").count(), 0);
}

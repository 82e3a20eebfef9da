//! Fits of positions whose values are known sums of weights, with noise.

use super::*;
use crate::base::stop::Stop;
use crate::board::{Board, ScoreRule, Squares};
use crate::dataset::record::{MAGIC, Record};
use crate::engine::builtin::patterns::{Layout, STEPS_PER_DISC, Stages, Stored, parse_shapes};
use crate::progress::Progress;
use std::path::{Path, PathBuf};

const SHAPES: &str = "a1 b1 c1 d1\na2 b2 c2\nd4 e4 e5\n";

/// The generator SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In −1..1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Positions of random games after `plies` moves.
fn position(random: &mut Random, plies: u32) -> Option<Board> {
    let mut board = Board::START;
    for _ in 0..plies {
        if board.must_pass() {
            board = board.passed();
        }
        let moves = board.legal_moves();
        if moves == 0 {
            return None;
        }
        let nth = (random.next() >> 33) as usize % moves.count_ones() as usize;
        let square = Squares(moves).nth(nth).expect("counted");
        board = board.after(square, board.flips(square));
    }
    Some(board)
}

/// A dataset whose values are sums of known weights, by stage, plus noise between ± `noise`; gives
/// back the noiseless values of the test split.
fn dataset(folder: &Path, rows: usize, noise: f64, phases: &[u32]) -> Vec<(Board, f64)> {
    let layout = Layout::new(parse_shapes(SHAPES).unwrap());
    let mut random = Random(rows as u64);
    let stages = Stages::equal(3);
    let weights: Vec<Vec<f64>> = (0..3)
        .map(|_| (0..layout.weights()).map(|_| 1.5 * random.unit()).collect())
        .collect();
    let mut known = Vec::new();
    let mut features = vec![0; layout.features()];
    for &phase in phases {
        let mut files = [MAGIC.to_vec(), MAGIC.to_vec(), MAGIC.to_vec()];
        let mut made = 0;
        while made < rows {
            let Some(board) = position(&mut random, phase) else {
                continue;
            };
            layout.fill(board, &mut features);
            let of_stage = &weights[stages.of(board.discs())];
            let exact: f64 = features.iter().map(|&f| of_stage[f as usize]).sum();
            let value = (exact + noise * random.unit()).round().clamp(-64.0, 64.0);
            let split = match made % 10 {
                8 => 1,
                9 => 2,
                _ => 0,
            };
            if split == 2 {
                known.push((board, exact));
            }
            let value = value as i16;
            files[split].extend(Record { board, value }.encode());
            made += 1;
        }
        let folder = folder.join(format!("phase_{phase}"));
        std::fs::create_dir_all(&folder).unwrap();
        for (file, name) in files.iter().zip(["train.rd", "valid.rd", "test.rd"]) {
            std::fs::write(folder.join(name), file).unwrap();
        }
    }
    known
}

fn options(input: &Path, output: PathBuf) -> FitOptions {
    FitOptions {
        inputs: vec![input.to_owned()],
        output,
        existing: Existing::Refuse,
        epochs: 8,
        rate: 0.02,
        l2: 1.0,
        stages: 3,
        shapes: parse_shapes(SHAPES).unwrap(),
        start: None,
        threads: 1,
    }
}

fn finished(options: FitOptions) -> FitReport {
    let prepared = prepare(options).expect("sound options");
    match run(prepared, &Progress::silent(), &Stop::new()).expect("a fit") {
        Fitted::Finished(report) => *report,
        other => panic!("{other:?}"),
    }
}

/// What a weight file says of a position.
fn value(stored: &Stored, layout: &Layout, board: Board) -> f64 {
    let mut features = vec![0; layout.features()];
    layout.fill(board, &mut features);
    let weights = &stored.weights[stored.stages.of(board.discs())];
    let sum: i32 = features
        .iter()
        .map(|&f| i32::from(weights[f as usize]))
        .sum();
    f64::from(sum) / f64::from(STEPS_PER_DISC)
}

#[test]
fn weights_are_recovered_within_the_noise() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let noise = 6.0;
    let known = dataset(&data, 4000, noise, &[13, 14, 31, 32, 50, 51]);
    let output = folder.path().join("w.bin");
    let report = finished(options(&data, output.clone()));
    let stored = Stored::from_bytes(&std::fs::read(&output).unwrap()).unwrap();
    let layout = Layout::new(stored.shapes.clone());
    let squares = known.iter().map(|&(board, exact)| {
        let error = value(&stored, &layout, board) - exact;
        error * error
    });
    let rmse = (squares.sum::<f64>() / known.len() as f64).sqrt();
    // Each weight shows in hundreds of positions, whose noise deviates by 6 / √3 = 3.5 discs.
    let deviation = noise / 3f64.sqrt();
    assert!(rmse < deviation / 2.5, "{rmse}");
    let figures = report.figures.expect("test has positions");
    // What is left on the test split is its own noise and rounding, and that error.
    let expected = (deviation * deviation + rmse * rmse + 1.0 / 12.0).sqrt();
    assert!((figures.rmse - expected).abs() < 0.2, "{figures:?}");
    assert!(figures.r2_mean.unwrap() > figures.r2_squares.unwrap());
    assert_eq!(stored.score_rule, Some(ScoreRule::Plain));
    assert_eq!(report.positions, 6 * 3200);
}

#[test]
fn threads_and_interruptions_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    dataset(&data, 1500, 3.0, &[13, 14, 31, 50]);
    let output = |name: &str| folder.path().join(name);
    finished(options(&data, output("one")));
    let expected = std::fs::read(output("one")).unwrap();
    for threads in [2, 3] {
        let name = format!("threads_{threads}");
        finished(FitOptions {
            threads,
            ..options(&data, output(&name))
        });
        assert_eq!(std::fs::read(output(&name)).unwrap(), expected, "{name}");
    }
    // A stop after every epoch, and another thread number each time.
    let stopped = output("stopped");
    for round in 0..9 {
        let stop = Stop::new();
        let sink = StopAfterEpoch(stop.clone());
        let prepared = prepare(FitOptions {
            existing: Existing::Continue,
            threads: 1 + round % 3,
            ..options(&data, stopped.clone())
        });
        let progress = Progress::new(vec![Box::new(sink)]);
        match run(prepared.unwrap(), &progress, &stop).unwrap() {
            Fitted::Interrupted { epoch, .. } => {
                assert_eq!(epoch as usize, round + 1);
                let kept = std::fs::read(&stopped).unwrap();
                assert!(Stored::from_bytes(&kept).is_ok(), "the best so far is kept");
            }
            Fitted::Finished(_) => break,
            Fitted::Already => panic!("it was stopped"),
        }
    }
    let resumed = FitOptions {
        existing: Existing::Continue,
        ..options(&data, stopped.clone())
    };
    if let Fitted::Finished(_) = run(
        prepare(resumed.clone()).unwrap(),
        &Progress::silent(),
        &Stop::new(),
    )
    .unwrap()
    {
        assert!(!output("stopped.fit").exists());
    }
    assert_eq!(std::fs::read(&stopped).unwrap(), expected);
    let again = run(prepare(resumed).unwrap(), &Progress::silent(), &Stop::new());
    assert!(matches!(again, Ok(Fitted::Already)));
}

struct StopAfterEpoch(Stop);

impl crate::progress::Sink for StopAfterEpoch {
    fn event(&self, event: &crate::progress::Event, _: &crate::progress::Snapshot) {
        if matches!(event, crate::progress::Event::Fitted(_)) {
            self.0.request();
        }
    }
}

#[test]
fn a_start_is_kept_where_nothing_better_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    dataset(&data, 1500, 3.0, &[13, 31, 50]);
    let first = folder.path().join("first.bin");
    let fitted = finished(options(&data, first.clone()));
    // Weights pulled hard towards nothing: each stage keeps what it began with, to the byte.
    let spoiled = folder.path().join("spoiled.bin");
    let report = finished(FitOptions {
        start: Some(first.clone()),
        l2: 40.0,
        ..options(&data, spoiled.clone())
    });
    assert!(
        report.stages.iter().all(|stage| stage.epoch == 0),
        "{report:?}"
    );
    assert_eq!(report.figures, fitted.figures);
    assert!(std::fs::read(&spoiled).unwrap() == std::fs::read(&first).unwrap());
    // Other patterns, or no patterns at all, are no start.
    let refused = |shapes: &str, start: &Path| {
        let options = FitOptions {
            shapes: parse_shapes(shapes).unwrap(),
            start: Some(start.to_owned()),
            ..options(&data, folder.path().join("w.bin"))
        };
        prepare(options).err().expect("refused").to_string()
    };
    assert!(refused("a1 b1", &first).contains("has other patterns"));
    assert!(refused(SHAPES, &data.join("phase_13/train.rd")).contains("no pattern weights"));
}

#[test]
fn a_stage_without_positions_is_filled_from_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    // Nothing near the middle stage's discs, 28 to 45.
    dataset(&data, 500, 1.0, &[13, 52]);
    let output = folder.path().join("w.bin");
    let report = finished(options(&data, output.clone()));
    assert_eq!(report.stages[1].filled_from, [1, 3]);
    let said = report.warnings.join("\n");
    assert!(
        said.contains("stage 2 (28 to 45 discs) has no positions"),
        "{said}"
    );
    let stored = Stored::from_bytes(&std::fs::read(&output).unwrap()).unwrap();
    let of = |stage: usize, at: usize| i32::from(stored.weights[stage][at]);
    for at in 0..stored.weights[0].len() {
        let twice = of(0, at) + of(2, at);
        assert!((2 * of(1, at) - twice).abs() <= 2, "weight {at}");
    }
    assert!(stored.weights[1].iter().any(|&weight| weight != 0));
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    dataset(&data, 100, 1.0, &[20]);
    let output = folder.path().join("w.bin");
    let refused = |change: &dyn Fn(&mut FitOptions)| {
        let mut options = options(&data, output.clone());
        change(&mut options);
        let error = match prepare(options) {
            Err(error) => error,
            Ok(prepared) => run(prepared, &Progress::silent(), &Stop::new()).unwrap_err(),
        };
        assert!(!output.exists());
        assert!(!folder.path().join("w.bin.fit").exists(), "{error}");
        error.to_string()
    };
    assert!(refused(&|o| o.rate = f64::NAN).contains("--rate is NaN"));
    assert!(refused(&|o| o.rate = -1.0).contains("--rate is -1"));
    assert!(refused(&|o| o.l2 = -1.0).contains("--l2 is -1"));
    assert!(refused(&|o| o.epochs = 0).contains("--epochs is 0"));
    assert!(refused(&|o| o.stages = 55).contains("choose 1 to 54"));
    assert!(refused(&|o| o.inputs.push(data.clone())).contains("is named twice"));
    assert!(refused(&|o| o.inputs = vec![data.join("phase_20/test.rd")]).contains("0 in train"));
    // Damaged data.
    let train = data.join("phase_20/train.rd");
    let sound = std::fs::read(&train).unwrap();
    std::fs::write(&train, &sound[..sound.len() - 3]).unwrap();
    assert!(refused(&|_| {}).contains("ends inside a record (15 bytes of 18)"));
    let mut overlap = sound.clone();
    overlap[10..26].fill(0xff);
    std::fs::write(&train, &overlap).unwrap();
    assert!(refused(&|_| {}).contains("record 0: "));
    std::fs::write(&train, &sound).unwrap();
    // A finished file is not written over.
    finished(options(&data, output.clone()));
    let error = prepare(options(&data, output.clone()))
        .err()
        .expect("refused");
    assert!(error.to_string().contains("exists already"), "{error}");
    finished(FitOptions {
        existing: Existing::Replace,
        ..options(&data, output)
    });
}

#[test]
fn a_rate_that_is_too_high_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    dataset(&data, 2000, 1.0, &[20]);
    let options = FitOptions {
        rate: 1.0,
        ..options(&data, folder.path().join("w.bin"))
    };
    let result = run(prepare(options).unwrap(), &Progress::silent(), &Stop::new());
    let error = result.unwrap_err().to_string();
    assert!(error.contains("choose a --rate below 1"), "{error}");
}

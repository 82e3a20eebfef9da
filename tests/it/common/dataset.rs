//! Configurations to generate with, and a reader of what comes out that shares no code with the
//! program: it is written from the format's description.

use super::{Env, code, stderr};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

/// A config.toml in the making. The embedded engine, level 1, seed 42, two workers.
#[derive(Clone)]
pub struct Config {
    phases: String,
    mode: &'static str,
    samples: Option<u64>,
    seed: Option<u64>,
    split: Option<(f64, f64, f64)>,
    split_by: Option<&'static str>,
    score_rule: Option<&'static str>,
    solve_from: Option<u8>,
    window: Option<u8>,
    affinity: String,
    keep: bool,
    workers: usize,
    retries: u32,
    level: u32,
    engine: String,
    timeout: String,
    attempts: Option<u64>,
    playout_ai: Option<f64>,
    playout_engine: String,
    max_score: Option<u8>,
    label: Option<&'static str>,
    openings: Option<(String, &'static str)>,
    app: String,
}

impl Config {
    pub fn new(phases: &str) -> Config {
        Config {
            phases: phases.to_owned(),
            mode: "normal",
            samples: Some(10),
            seed: Some(42),
            split: None,
            split_by: None,
            score_rule: None,
            solve_from: None,
            window: None,
            affinity: "\"auto\"".to_owned(),
            keep: false,
            workers: 2,
            retries: 3,
            level: 1,
            engine: "builtin".to_owned(),
            timeout: "300s".to_owned(),
            attempts: None,
            playout_ai: None,
            playout_engine: "builtin".to_owned(),
            max_score: None,
            label: None,
            openings: None,
            app: "setup = \"off\"\n[engines.builtin]\nkind = \"builtin\"\n".to_owned(),
        }
    }

    pub fn all_positions(mut self) -> Config {
        self.mode = "all_positions";
        self.samples = None;
        self
    }

    pub fn samples(mut self, samples: u64) -> Config {
        self.samples = Some(samples);
        self
    }

    pub fn seed(mut self, seed: u64) -> Config {
        self.seed = Some(seed);
        self
    }

    pub fn no_seed(mut self) -> Config {
        self.seed = None;
        self
    }

    pub fn split(mut self, train: f64, valid: f64, test: f64) -> Config {
        self.split = Some((train, valid, test));
        self
    }

    pub fn split_by(mut self, what: &'static str) -> Config {
        self.split_by = Some(what);
        self
    }

    pub fn score_rule(mut self, rule: &'static str) -> Config {
        self.score_rule = Some(rule);
        self
    }

    pub fn solve_from(mut self, empties: u8) -> Config {
        self.solve_from = Some(empties);
        self
    }

    pub fn window(mut self, size: u8) -> Config {
        self.window = Some(size);
        self
    }

    pub fn with_phases(mut self, phases: &str) -> Config {
        self.phases = phases.to_owned();
        self
    }

    pub fn keep(mut self, keep: bool) -> Config {
        self.keep = keep;
        self
    }

    pub fn workers(mut self, workers: usize) -> Config {
        self.workers = workers;
        self
    }

    /// As it is written in the file.
    pub fn affinity(mut self, affinity: &str) -> Config {
        self.affinity = affinity.to_owned();
        self
    }

    pub fn retries(mut self, retries: u32) -> Config {
        self.retries = retries;
        self
    }

    pub fn level(mut self, level: u32) -> Config {
        self.level = level;
        self
    }

    pub fn timeout(mut self, timeout: &str) -> Config {
        self.timeout = timeout.to_owned();
        self
    }

    pub fn attempts(mut self, multiplier: u64) -> Config {
        self.attempts = Some(multiplier);
        self
    }

    pub fn playout_ai(mut self, probability: f64) -> Config {
        self.playout_ai = Some(probability);
        self
    }

    pub fn label(mut self, value: &'static str) -> Config {
        self.label = Some(value);
        self
    }

    pub fn max_score(mut self, most: u8) -> Config {
        self.max_score = Some(most);
        self
    }

    /// Games begin with these lines, in this order.
    pub fn openings(mut self, lines: &str, order: &'static str) -> Config {
        self.openings = Some((lines.to_owned(), order));
        self
    }

    /// Who plays before the anchor, at level 2: an engine of app.toml, whose entry is added.
    pub fn playout_engine(mut self, name: &str, entry: &str) -> Config {
        self.playout_engine = name.to_owned();
        self.app.push_str(&format!("[engines.{name}]\n{entry}\n"));
        self
    }

    /// Plays with this engine of app.toml, whose entry is added.
    pub fn engine(mut self, name: &str, entry: &str) -> Config {
        self.engine = name.to_owned();
        self.app.push_str(&format!("[engines.{name}]\n{entry}\n"));
        self
    }

    /// The phases, from `a..b` or a list.
    pub fn phases(&self) -> Vec<u8> {
        match self.phases.split_once("..") {
            Some((first, last)) => (first.parse().unwrap()..=last.parse().unwrap()).collect(),
            None => self
                .phases
                .split(',')
                .map(|phase| phase.trim().parse().unwrap())
                .collect(),
        }
    }

    /// Records that a phase ends with.
    pub fn target(&self, phase: u8) -> u64 {
        const ALL: [u64; 9] = [1, 3, 14, 60, 322, 1773, 10649, 67245, 434_029];
        self.samples.unwrap_or_else(|| ALL[usize::from(phase) - 1])
    }

    fn text(&self) -> String {
        let mut text = format!(
            "mode = \"{}\"\noutput_dir = \"../out\"\nphases = \"{}\"\n",
            self.mode, self.phases
        );
        let mut line = |line: String| text.push_str(&(line + "\n"));
        if let Some(samples) = self.samples {
            line(format!("samples_per_phase = {samples}"));
        }
        if let Some(seed) = self.seed {
            line(format!("seed = {seed}"));
        }
        if let Some(rule) = self.score_rule {
            line(format!("score_rule = \"{rule}\""));
        }
        if self.split.is_some() || self.split_by.is_some() {
            line("[split]".to_owned());
        }
        if let Some((train, valid, test)) = self.split {
            line(format!("train = {train}\nvalid = {valid}\ntest = {test}"));
        }
        if let Some(what) = self.split_by {
            line(format!("by = \"{what}\""));
        }
        if self.attempts.is_some() || self.playout_ai.is_some() || self.max_score.is_some() {
            line("[playout]".to_owned());
            if let Some(most) = self.max_score {
                line(format!("max_score = {most}"));
            }
            if let Some(attempts) = self.attempts {
                line(format!("max_attempts_multiplier = {attempts}"));
            }
            if let Some(probability) = self.playout_ai {
                line(format!("ai_probability = {probability}"));
                line(format!(
                    "[playout.ai]\nname = \"{}\"\nlevel = 2",
                    self.playout_engine
                ));
            }
        }
        line(format!(
            "[self_play]\nworkers = {}\nretries = {}\naffinity = {}",
            self.workers, self.retries, self.affinity
        ));
        if let Some(empties) = self.solve_from {
            line(format!("solve_from = {empties}"));
        }
        line(format!(
            "[self_play.ai]\nname = \"{}\"\nlevel = {}\ntimeout = \"{}\"",
            self.engine, self.level, self.timeout
        ));
        if let Some(value) = self.label {
            line(format!("[label]\nvalue = \"{value}\""));
        }
        if let Some((_, order)) = &self.openings {
            line(format!(
                "[openings]\nfile = \"openings.txt\"\norder = \"{order}\""
            ));
        }
        if self.keep {
            line("[games]\nkeep = true".to_owned());
        }
        if let Some(size) = self.window {
            line(format!("[window]\nenabled = true\nsize = {size}"));
        }
        text
    }

    /// Writes both files where the program looks for them.
    pub fn write(&self, env: &Env) {
        env.write("configs/config.toml", self.text());
        env.write("configs/app.toml", &self.app);
        if let Some((lines, _)) = &self.openings {
            env.write("configs/openings.txt", lines);
        }
    }

    /// Runs the program on it.
    pub fn run(&self, env: &Env, args: &[&str]) -> Output {
        self.write(env);
        env.run(args)
    }

    /// Generates into `out`; anything but success is a failure of the test.
    pub fn generate(&self, env: &Env) {
        self.succeed(env, &[]);
    }

    /// Runs to a good end.
    pub fn succeed(&self, env: &Env, args: &[&str]) -> String {
        let output = self.run(env, args);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stderr(&output)
    }
}

/// A record as the format describes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    pub own: u64,
    pub opponent: u64,
    pub value: i16,
}

/// The records of one file.
pub fn records(output_dir: &Path, phase: u8, split: &str) -> Vec<Record> {
    let path = output_dir.join(format!("phase_{phase:02}/{split}.rd"));
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let body = bytes.strip_prefix(b"RDGBBVAL1\n").expect("the header");
    assert_eq!(body.len() % 18, 0, "{}", path.display());
    body.chunks(18)
        .map(|record| Record {
            own: u64::from_le_bytes(record[..8].try_into().unwrap()),
            opponent: u64::from_le_bytes(record[8..16].try_into().unwrap()),
            value: i16::from_le_bytes(record[16..].try_into().unwrap()),
        })
        .collect()
}

/// The bytes of every `.rd` file, by `phase_NN/split.rd`.
pub fn bytes_of_phases(output_dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(output_dir).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("phase_") {
            continue;
        }
        for split in ["train", "valid", "test"] {
            let path = folder.join(format!("{split}.rd"));
            let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            found.insert(format!("{name}/{split}.rd"), bytes);
        }
    }
    found
}

/// The bytes of every games file, by `games_NN/games.rdg`.
pub fn bytes_of_games(output_dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(output_dir).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("games_") {
            let bytes = std::fs::read(folder.join("games.rdg")).unwrap();
            found.insert(format!("{name}/games.rdg"), bytes);
        }
    }
    found
}

/// A JSON file.
pub fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// The smallest of the eight images of a position, square by square.
pub fn canonical(own: u64, opponent: u64) -> (u64, u64) {
    let image = |set: u64, symmetry: u8| {
        (0..64u32)
            .filter(|square| set >> square & 1 != 0)
            .fold(0u64, |image, square| {
                let (mut x, mut y) = (square % 8, square / 8);
                if symmetry & 1 != 0 {
                    x = 7 - x;
                }
                if symmetry & 2 != 0 {
                    y = 7 - y;
                }
                if symmetry & 4 != 0 {
                    (x, y) = (y, x);
                }
                image | 1 << (y * 8 + x)
            })
    };
    (0..8)
        .map(|symmetry| (image(own, symmetry), image(opponent, symmetry)))
        .min()
        .unwrap()
}

/// Plain disc difference under best play of both sides, by trying everything.
pub fn exact_value(own: u64, opponent: u64) -> i16 {
    fn best(own: u64, opponent: u64, passed: bool) -> i16 {
        let mut found = None;
        for square in 0..64 {
            let flipped = flips(square, own, opponent);
            if flipped != 0 {
                let (next_own, next_opponent) = (opponent ^ flipped, own | flipped | 1 << square);
                let value = -best(next_own, next_opponent, false);
                found = found.max(Some(value));
            }
        }
        match found {
            Some(value) => value,
            None if passed => own.count_ones() as i16 - opponent.count_ones() as i16,
            None => -best(opponent, own, true),
        }
    }
    best(own, opponent, false)
}

fn flips(square: i32, own: u64, opponent: u64) -> u64 {
    if (own | opponent) >> square & 1 != 0 {
        return 0;
    }
    let mut flipped = 0;
    for (dx, dy) in [
        (1, 0),
        (-1, 0),
        (0, 1),
        (0, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ] {
        let (mut x, mut y, mut run) = (square % 8 + dx, square / 8 + dy, 0u64);
        while (0..8).contains(&x) && (0..8).contains(&y) {
            let bit = 1u64 << (y * 8 + x);
            if opponent & bit == 0 {
                if own & bit != 0 {
                    flipped |= run;
                }
                break;
            }
            run |= bit;
            (x, y) = (x + dx, y + dy);
        }
    }
    flipped
}

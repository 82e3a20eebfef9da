//! What a dataset holds, worked out a second time: each game is played again from its number, and
//! its samples are counted, valued and split as the manual says.

use crate::common::dataset::{Config, Record, bytes_of_phases, canonical, json, records};
use crate::common::{Env, code, stderr};
use rdg::base::rng::StreamKey;
use rdg::base::stop::Stop;
use rdg::board::{Board, Color, Game, ScoreRule, Squares};
use rdg::engine::Engine;
use rdg::engine::builtin::{Builtin, Evaluation, Reach, Setting, Table, Threads, score_moves};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A window of games by the embedded engine with seed 42 and shares of 0.5, 0.25 and 0.25.
struct Window {
    phases: std::ops::RangeInclusive<u8>,
    samples: usize,
    level: u32,
    by_game: bool,
    rule: ScoreRule,
    solve_from: u32,
}

impl Window {
    fn config(&self) -> Config {
        let (first, last) = (self.phases.start(), self.phases.end());
        let config = Config::new(&format!("{first}..{last}"))
            .samples(self.samples as u64)
            .split(0.5, 0.25, 0.25)
            .window(last - first + 1)
            .level(self.level)
            .split_by(if self.by_game { "game" } else { "position" })
            .score_rule(self.rule.name());
        match self.solve_from {
            0 => config,
            empties => config.solve_from(empties as u8),
        }
    }

    /// The records of each file.
    fn expected(&self) -> BTreeMap<(u8, &'static str), Vec<Record>> {
        let anchor = *self.phases.start();
        let mut engine = Builtin::new("builtin", self.level, 1, None, &Stop::new())
            .unwrap()
            .with_rule(self.rule);
        let mut found: BTreeMap<(u8, &'static str), Vec<Record>> = self
            .phases
            .clone()
            .flat_map(|phase| ["train", "valid", "test"].map(|split| ((phase, split), Vec::new())))
            .collect();
        let mut seen: BTreeMap<u8, BTreeSet<_>> = BTreeMap::new();
        let is_open = |seen: &BTreeMap<u8, BTreeSet<_>>, phase| {
            seen.get(&phase).map_or(0, BTreeSet::len) < self.samples
        };
        for number in 0.. {
            if !self.phases.clone().any(|phase| is_open(&seen, phase)) {
                break;
            }
            let Some((positions, black)) = self.play(&mut engine, anchor, number) else {
                continue;
            };
            let of_game = split_of(positions[0].0);
            for (board, color) in positions {
                let phase = board.phase();
                let position = canonical(board.own, board.opponent);
                if !self.phases.contains(&phase)
                    || !is_open(&seen, phase)
                    || !seen.entry(phase).or_default().insert(position)
                {
                    continue;
                }
                let split = if self.by_game {
                    of_game
                } else {
                    split_of(board)
                };
                let value = if color == Color::Black { black } else { -black };
                let (own, opponent) = (board.own, board.opponent);
                let record = Record {
                    own,
                    opponent,
                    value,
                };
                found.get_mut(&(phase, split)).unwrap().push(record);
            }
        }
        found
    }

    /// The positions from the anchor on and the result for Black; `None` for a game that ended
    /// before.
    fn play(
        &self,
        engine: &mut Builtin,
        anchor: u8,
        number: u64,
    ) -> Option<(Vec<(Board, Color)>, i16)> {
        let mut rng = StreamKey::new(42, "normal", anchor).game(number);
        let mut game = Game::new();
        while game.board().phase() < anchor {
            if game.board().legal_moves() == 0 && !game.pass_if_forced() {
                return None;
            }
            let legal = game.board().legal_moves();
            let index = rng.below(legal.count_ones()) as usize;
            let square = Squares(legal).nth(index).unwrap();
            game.play(square.into()).unwrap();
        }
        let mut positions = vec![(game.board(), game.color())];
        engine.new_game().unwrap();
        while !game.is_over() {
            game.pass_if_forced();
            let board = game.board();
            let square = if board.empties() <= self.solve_from {
                lowest_best(board, self.rule)
            } else if board.legal_moves().count_ones() == 1 {
                Squares(board.legal_moves()).next().unwrap()
            } else {
                engine.choose(&game).unwrap()
            };
            game.play(square.into()).unwrap();
            positions.push((game.board(), game.color()));
        }
        let score = self.rule.final_score(game.board()) as i16;
        let black = if game.color() == Color::Black {
            score
        } else {
            -score
        };
        Some((positions, black))
    }
}

/// Of the moves with the best score, each searched to the end on its own, the first in board order.
pub fn lowest_best(board: Board, rule: ScoreRule) -> rdg::board::Square {
    let stop = Stop::new();
    let setting = Setting {
        evaluation: &Evaluation::default(),
        rule,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    let scores = score_moves(board, Reach::End, &mut Table::new(14), &setting).unwrap();
    let best = scores.iter().map(|found| found.score).reduce(f64::max);
    let best = scores.iter().filter(|found| Some(found.score) == best);
    best.map(|found| found.square)
        .min_by_key(|square| square.index())
        .unwrap()
}

/// SHA-256 over the canonical position, first 8 bytes big-endian over 2^64, against 0.5 and 0.75.
fn split_of(board: Board) -> &'static str {
    let (own, opponent) = canonical(board.own, board.opponent);
    let mut hash = Sha256::new();
    hash.update(own.to_le_bytes());
    hash.update(opponent.to_le_bytes());
    let digest = hash.finalize();
    let head = u64::from_be_bytes(digest[..8].try_into().unwrap());
    match head as f64 / 2f64.powi(64) {
        share if share < 0.5 => "train",
        share if share < 0.75 => "valid",
        _ => "test",
    }
}

#[test]
fn windows_are_what_their_games_give_by_every_rule() {
    let early = |by_game, rule| Window {
        phases: 10..=19,
        samples: 60,
        level: 1,
        by_game,
        rule,
        solve_from: 0,
    };
    // From phase 50 on many games end with squares left empty.
    let late = |by_game, rule, solve_from| Window {
        phases: 48..=57,
        samples: 200,
        level: 2,
        by_game,
        rule,
        solve_from,
    };
    let (plain, standard) = (ScoreRule::Plain, ScoreRule::WinnerTakesEmpties);
    let mut differing = 0;
    for window in [
        early(true, plain),
        early(false, standard),
        late(true, standard, 0),
        late(false, plain, 0),
        late(true, plain, 8),
        late(true, standard, 8),
        // The anchor itself is solved.
        late(true, standard, 12),
        late(false, plain, 24),
    ] {
        let env = Env::new();
        window.config().generate(&env);
        for ((phase, split), expected) in window.expected() {
            let found = records(&env.path("out"), phase, split);
            assert_eq!(found, expected, "phase {phase}, {split}");
            differing += found.iter().filter(|record| record.value % 2 != 0).count();
        }
        let verified = env.run(&["verify", "out"]);
        assert_eq!(code(&verified), 0, "{}", stderr(&verified));
    }
    assert!(
        differing > 0,
        "no game ended with an odd number of empty squares"
    );
}

#[test]
fn workers_and_interruptions_change_nothing() {
    let window = Window {
        phases: 44..=53,
        samples: 150,
        level: 3,
        by_game: true,
        rule: ScoreRule::WinnerTakesEmpties,
        solve_from: 12,
    };
    let config = window.config();
    let fresh = Env::new();
    config.clone().workers(1).generate(&fresh);
    let expected = bytes_of_phases(&fresh.path("out"));
    for workers in [2, 5] {
        let env = Env::new();
        config.clone().workers(workers).generate(&env);
        assert_eq!(bytes_of_phases(&env.path("out")), expected);
    }
    let env = Env::new();
    for milliseconds in [30, 60, 90, 120] {
        config
            .clone()
            .workers(1 + milliseconds as usize % 4)
            .write(&env);
        let mut command = env.rdg();
        command.arg("--resume").stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        child.wait().unwrap();
    }
    config.succeed(&env, &["--resume"]);
    assert_eq!(bytes_of_phases(&env.path("out")), expected);
    // A target raised later gives what it would have given at once.
    let raised = config.samples(170);
    raised.succeed(&env, &["--resume"]);
    let fresh = Env::new();
    raised.generate(&fresh);
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&fresh.path("out"))
    );
}

/// Settings that came later are in the hash only where they say something new, so the checkpoint of
/// a dataset that was split by position is what it was before there was a choice.
#[test]
fn older_data_goes_on_by_position() {
    let env = Env::new();
    let config = Config::new("10..13").samples(20).window(4);
    config.clone().split_by("position").generate(&env);
    let settings = json(&env.path("out/phase_12/run_state.json"))["settings"].clone();
    let names: Vec<&String> = settings.as_object().unwrap().keys().collect();
    let older = [
        "mode",
        "phase",
        "playout.ai_probability",
        "seed",
        "self_play.ai.args",
        "self_play.ai.eval_file_sha256",
        "self_play.ai.kind",
        "self_play.ai.level",
        "self_play.ai.revision",
        "self_play.ai.threads",
        "split.method",
        "split.test",
        "split.train",
        "split.valid",
        "streams",
        "window.anchor",
    ];
    assert_eq!(names, older);
    assert_eq!(settings["split.method"], "canonical_own_opponent_sha256_v1");

    // A configuration that does not say how: raised, a phase lost, and one added to the window.
    let raised = config.clone().samples(30);
    raised.succeed(&env, &["--resume"]);
    std::fs::remove_dir_all(env.path("out/phase_13")).unwrap();
    raised.succeed(&env, &["--resume"]);
    let more = raised.with_phases("10..17");
    more.succeed(&env, &["--resume"]);
    let fresh = Env::new();
    more.clone().split_by("position").generate(&fresh);
    assert_eq!(
        bytes_of_phases(&env.path("out")),
        bytes_of_phases(&fresh.path("out"))
    );
    let metadata = json(&env.path("out/phase_17/metadata.json"));
    assert_eq!(metadata["split_by"], "position");

    let output = more.split_by("game").run(&env, &["--resume"]);
    let said = stderr(&output);
    assert_eq!(code(&output), 1, "{said}");
    assert!(
        said.contains("split.by: position before, game now"),
        "{said}"
    );
}

#[test]
fn other_promises_are_refused_by_name() {
    let env = Env::new();
    let config = Config::new("40..43").samples(5).window(4);
    config.generate(&env);
    for (changed, words) in [
        (
            config.clone().split_by("position"),
            "split.by: game before, position now",
        ),
        (
            config.clone().score_rule("winner_takes_empties"),
            "score_rule: plain before, winner_takes_empties now",
        ),
        (
            config.clone().solve_from(9),
            "self_play.solve_from: 0 before, 9 now",
        ),
    ] {
        let output = changed.run(&env, &["--resume"]);
        let said = stderr(&output);
        assert_eq!(code(&output), 1, "{said}");
        assert!(said.contains(words), "`{words}` in {said}");
    }
    // What they mean where nothing is said.
    config
        .split_by("game")
        .score_rule("plain")
        .solve_from(0)
        .succeed(&env, &["--resume"]);
}

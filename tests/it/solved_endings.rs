//! `solve_from`: whichever engine plays, from there on each move is a best one, the lowest of them, each
//! value that of perfect play, and nobody is asked.

use crate::common::Env;
use crate::common::dataset::{Config, bytes_of_phases};
use crate::reference::lowest_best;
use rdg::board::{Game, Move, ScoreRule};
use rdg::games::{Ending, GamesFile, Item, KeptGame, find_games};
use std::path::Path;

const SOLVED: u32 = 12;

/// app.toml's entry for an engine whose standard input is written to `log`.
fn overheard(kind: &str, command: &str, log: &Path) -> String {
    let words = format!("tee -a '{}' | {command}", log.display());
    format!("kind = \"{kind}\"\nbinary = \"/bin/sh\"\nargs = [\"-c\", {words:?}]\n")
}

/// This program over both protocols, and GRhino where it is installed.
fn engines() -> Vec<(&'static str, String)> {
    let own = assert_cmd::cargo::cargo_bin!("rdg");
    let serve = |kind: &str| format!("'{}' engine {kind} --level {{level}}", own.display());
    let mut engines = vec![("nboard", serve("nboard")), ("gtp", serve("gtp"))];
    match Path::new("/usr/games/gtp-rhino").exists() {
        true => engines.push(("gtp", "/usr/games/gtp-rhino -l {level} -b 0".to_owned())),
        false => eprintln!("skipped: gtp-rhino is not installed (Debian package grhino)"),
    }
    engines
}

/// All kept games below a folder.
pub fn kept(folder: &Path) -> Vec<KeptGame> {
    let mut games = Vec::new();
    for dir in find_games(folder).unwrap() {
        for item in GamesFile::open(&dir.games()).unwrap().items() {
            match item.unwrap() {
                Item::Game(_, game) => games.push(game),
                Item::Damage(damage) => panic!("{damage:?}"),
            }
        }
    }
    games
}

/// Each move with at most [`SOLVED`] empties behind the random part; how many moves were before that.
fn check(kept: &KeptGame, rule: ScoreRule) -> usize {
    let mut game = Game::new();
    let (mut placed, mut asked) = (0, 0);
    for &mv in kept.replay().unwrap().moves() {
        if mv != Move::Pass {
            let board = game.board();
            if placed >= usize::from(kept.random_moves) {
                match board.empties() <= SOLVED {
                    true => assert_eq!(mv, lowest_best(board, rule).into(), "{kept:?}"),
                    false => asked += 1,
                }
            }
            placed += 1;
        }
        game.play(mv).unwrap();
    }
    asked
}

/// Discs that lay beside the first four whenever the process was asked for a move in a game; the check
/// at the start, up to `ping 3` or the second `clear_board`, is not one.
fn asked_after(heard: &str) -> Vec<usize> {
    let (mut placed, mut asked) = (0, Vec::new());
    let mut lines = heard.lines();
    let mut begun = lines
        .by_ref()
        .filter(|line| *line == "ping 3" || line.ends_with("clear_board"));
    if begun.next().is_some_and(|line| line != "ping 3") {
        begun.next();
    }
    for line in lines {
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_pass = words
            .last()
            .is_some_and(|word| word.to_lowercase().starts_with("pa"));
        match words[..] {
            ["set", "game", ..] | ["game", ..] => {
                let board = line
                    .split_once("BO[8 ")
                    .unwrap()
                    .1
                    .split(']')
                    .next()
                    .unwrap();
                let moves = line.matches("]B[").count() + line.matches("]W[").count();
                placed =
                    board.matches(['*', 'O']).count() - 5 + moves - line.matches("[PA").count();
            }
            ["clear_board"] => placed = 0,
            ["move", _] | ["play", ..] if !is_pass => placed += 1,
            ["go"] => asked.push(placed),
            ["genmove", _] => {
                asked.push(placed);
                placed += 1;
            }
            _ => {}
        }
    }
    asked
}

#[test]
fn the_end_is_played_perfectly_whoever_plays_and_nobody_is_asked() {
    for (kind, command) in engines() {
        let env = Env::new();
        let entry = |env: &Env, name: &str| overheard(kind, &command, &env.path(name));
        // From 52 on all is solved.
        let config = Config::new("30,40,52")
            .samples(8)
            .playout_ai(0.5)
            .solve_from(SOLVED as u8)
            .score_rule("winner_takes_empties")
            .keep(true);
        config
            .clone()
            .workers(1)
            .engine("other", &entry(&env, "self_play.txt"))
            .playout_engine("opener", &entry(&env, "opening.txt"))
            .generate(&env);
        let games = kept(&env.path("out"));
        let finished = games.iter().filter(|game| game.ending == Ending::Finished);
        let asked: Vec<usize> = finished
            .map(|game| check(game, ScoreRule::WinnerTakesEmpties))
            .collect();
        assert!(asked.len() >= 24 && asked.iter().sum::<usize>() > 0);
        let heard = std::fs::read_to_string(env.path("self_play.txt")).unwrap();
        let questions = asked_after(&heard);
        assert!(
            questions.iter().any(|&placed| placed >= 30),
            "{command}: {questions:?}"
        );
        let last = questions.iter().max().unwrap();
        assert!(
            *last < 60 - SOLVED as usize,
            "{command}: asked after {last} moves"
        );

        let again = Env::new();
        config
            .workers(5)
            .engine("other", &entry(&again, "self_play.txt"))
            .playout_engine("opener", &entry(&again, "opening.txt"))
            .generate(&again);
        assert_eq!(
            bytes_of_phases(&env.path("out")),
            bytes_of_phases(&again.path("out")),
            "{command}"
        );
    }
}

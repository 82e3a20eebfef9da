//! What an exchange costs at least: a driver that writes prepared questions and reads until the
//! answer's last line is there, without looking at it, on one CPU with its engine.

use crate::games::{first_square, openings};
use crate::null_engine::Manner;
use rdg::board::{Color, Move};
use rdg::engine::affinity;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time per question, over about `time`.
pub fn measure(manner: Manner, folder: &Path, time: Duration) -> Duration {
    let script = questions();
    let cpus = affinity::allowed_cpus();
    std::thread::scope(|scope| {
        let driver = scope.spawn(|| {
            affinity::pin_worker(0, &cpus).expect("one of the allowed CPUs");
            drive(&script, manner, folder, time)
        });
        driver.join().expect("the driver does not panic")
    })
}

fn drive(script: &[Vec<u8>], manner: Manner, folder: &Path, time: Duration) -> Duration {
    let mut engine = Command::new(std::env::current_exe().expect("it was started from a file"))
        .args(manner.words(folder))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started");
    let mut to = engine.stdin.take().expect("it was asked for");
    let mut from = engine.stdout.take().expect("it was asked for");
    let mut answer = [0; 1 << 12];
    let mut ask = |question: &[u8]| {
        to.write_all(question).expect("the engine listens");
        let mut filled = 0;
        while !answer[..filled].ends_with(b"waiting\n") {
            filled += from.read(&mut answer[filled..]).expect("it answers");
        }
    };
    ask(&script[0]);
    let begun = Instant::now();
    let mut asked = 0;
    while begun.elapsed() < time {
        for question in script {
            ask(question);
        }
        asked += script.len() as u32;
    }
    let spent = begun.elapsed();
    drop(to);
    engine.wait().expect("it ends with its input");
    spent / asked
}

/// How often an engine is asked in a game.
pub fn questions_per_game() -> f64 {
    questions().len() as f64 / GAMES as f64
}

const GAMES: usize = 16;

/// The questions of whole games, as the program asks them.
fn questions() -> Vec<Vec<u8>> {
    let mut questions = Vec::new();
    for opening in openings().take(GAMES) {
        let mut game = opening;
        let mut told: Option<usize> = None;
        while !game.is_over() {
            if game.pass_if_forced() {
                continue;
            }
            let square = first_square(&game);
            if game.board().legal_moves().count_ones() > 1 {
                let mut question = match told {
                    None => {
                        let side = match game.color() {
                            Color::Black => '*',
                            Color::White => 'O',
                        };
                        let squares = game.board().to_text(game.color()).replace('X', "*");
                        format!("game (;GM[Othello]BO[8 {squares} {side}];)\n")
                    }
                    Some(told) => game.moves()[told..]
                        .iter()
                        .map(|mv| match mv {
                            Move::Play(square) => format!("move {square}\n"),
                            Move::Pass => "move pa\n".to_owned(),
                        })
                        .collect(),
                };
                question.push_str("go\n");
                questions.push(question.into_bytes());
                told = Some(game.moves().len());
            }
            game.play(square.into()).expect("it is legal");
        }
    }
    questions
}

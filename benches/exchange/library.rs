//! The program's own driver, one worker to a CPU, without the rest of generation.

use crate::games::{first_square, openings};
use crate::null_engine::Manner;
use rdg::base::stop::Stop;
use rdg::config::{EngineEntry, EngineSpec};
use rdg::engine::{Engine, affinity, launch};
use std::path::Path;
use std::sync::Barrier;
use std::time::{Duration, Instant};

/// Time per question and worker, over about `time`.
pub fn measure(manner: Manner, folder: &Path, is_pinned: bool, time: Duration) -> Duration {
    let cpus = affinity::allowed_cpus();
    let barrier = Barrier::new(cpus.len());
    let spec = spec(manner, folder);
    let per_worker = |worker: usize| {
        if is_pinned {
            affinity::pin_worker(worker, &cpus).expect("one of the allowed CPUs");
        }
        let mut engine = launch(&spec, &Stop::new()).expect("this program can be started");
        barrier.wait();
        let begun = Instant::now();
        let mut asked = 0;
        for opening in openings() {
            asked += play(&mut *engine, opening);
            if begun.elapsed() >= time {
                break;
            }
        }
        begun.elapsed() / asked
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cpus.len())
            .map(|worker| scope.spawn(move || per_worker(worker)))
            .collect();
        let count = workers.len() as u32;
        let times = workers.into_iter().map(|worker| worker.join());
        times
            .map(|time| time.expect("no worker panics"))
            .sum::<Duration>()
            / count
    })
}

/// Plays on to the end; the answer is the number of questions.
fn play(engine: &mut dyn Engine, mut game: rdg::board::Game) -> u32 {
    let mut asked = 0;
    engine.new_game().expect("the engine is well");
    while !game.is_over() {
        if game.pass_if_forced() {
            continue;
        }
        let square = match game.board().legal_moves().count_ones() {
            1 => first_square(&game),
            _ => {
                asked += 1;
                engine.choose(&game).expect("the engine is well")
            }
        };
        game.play_known(square, game.board().flips(square));
    }
    engine.end_game().expect("the engine is well");
    asked
}

fn spec(manner: Manner, folder: &Path) -> EngineSpec {
    let mut entry = EngineEntry::new("null", rdg::engine::kinds::kind("nboard"));
    entry.binary = Some(std::env::current_exe().expect("it was started from a file"));
    entry.args = manner.words(folder);
    EngineSpec {
        timeout: Duration::from_secs(60),
        ..EngineSpec::new(entry, 1)
    }
}

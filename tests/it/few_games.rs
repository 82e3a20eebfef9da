//! Runs that come to the end of the games they may play.

use crate::common::{Env, code, stderr};
use std::time::{Duration, Instant};

const APP: &str = "setup = 'off'\n[engines.builtin]\nkind = 'builtin'\n";

/// Random play seldom reaches these phases, so the limit of games is near from the start, and the
/// results of the last games must arrive without any further game pushing them out.
#[test]
fn a_limit_of_games_ends_the_run_instead_of_stopping_it_for_ever() {
    for workers in [1, 3] {
        for seed in 0..5 {
            let env = Env::new();
            env.write("configs/app.toml", APP);
            env.write(
                "configs/config.toml",
                format!(
                    "output_dir = '../out'\nphases = '58..60'\nsamples_per_phase = 1\n\
                     seed = {seed}\n[playout]\nmax_attempts_multiplier = 4\n\
                     [self_play]\nworkers = {workers}\n\
                     [self_play.ai]\nname = 'builtin'\nlevel = 1\n"
                ),
            );
            let mut child = env
                .rdg()
                .arg("--no-progress")
                .stderr(std::process::Stdio::null())
                .spawn()
                .expect("it starts");
            let start = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().expect("it can be waited for") {
                    break status;
                }
                if start.elapsed() > Duration::from_secs(60) {
                    child.kill().expect("it can be killed");
                    panic!("workers {workers}, seed {seed}: it hangs");
                }
                std::thread::sleep(Duration::from_millis(2));
            };
            assert!(matches!(status.code(), Some(0 | 1)), "{status}");
            let output = env.run(&["--resume", "--no-progress"]);
            assert!(code(&output) <= 1, "{}", stderr(&output));
        }
    }
}

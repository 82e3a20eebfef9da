//! A number of threads that no machine has is refused at once, by every command that takes one:
//! starting a million of them would stop the machine before any signal is heard.

use crate::common::{Env, code, stderr};

#[test]
fn too_many_threads_are_refused_by_every_command() {
    let env = Env::new();
    env.write("games.txt", "e6f4e3f6g5d6e7f5c5\n");
    for command in [
        &["import", "games.txt", "--output", "out", "--threads"][..],
        &["learn", "--quick", "--output", "out", "--workers"],
        &[
            "match",
            "builtin:1",
            "builtin:2",
            "--games",
            "2",
            "--workers",
        ],
        &["analyze", "--threads"],
        &["bench", "--quick", "--threads"],
        &["engine", "gtp", "--threads"],
    ] {
        for number in ["0", "1025", "1000000", "99999999999999999999", "-1", "two"] {
            let mut words = command.to_vec();
            words.push(number);
            let output = env.run(&words);
            assert_eq!(code(&output), 2, "{words:?}: {}", stderr(&output));
            let option = command.last().copied().unwrap_or_default();
            let said = stderr(&output);
            assert!(said.contains(option) || said.contains(number), "{said}");
        }
    }
    assert_eq!(env.files(), ["games.txt"]);
}

//! Tests that need a process of their own: what they measure or set belongs to a whole process.

use std::process::Command;

/// Names the test that the process is for.
const ALONE: &str = "RDG_TEST_ALONE";

/// Whether this process runs nothing but `test` (its path, `module::name`). Where it does not, one
/// that does is started and has to succeed; the caller returns then.
pub fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some_and(|name| name == test) {
        return true;
    }
    let output = Command::new(std::env::current_exe().expect("a test has a program"))
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, test)
        .output()
        .expect("it can be run again");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

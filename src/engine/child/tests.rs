//! Processes that behave badly at the level of bytes and signals. `/bin/sh` plays them.

use super::{CommandLine, Deadline, Process, Task};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::engine::EngineError;
use rustix::process::{Pid, test_kill_process};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(60);

fn line(script: &str) -> CommandLine {
    CommandLine {
        engine: "sh".to_owned(),
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        folder: "/".into(),
        env: Vec::new(),
        quit: "quit\n",
    }
}

fn start(script: &str) -> Process {
    Process::spawn(&line(script), &Stop::new()).unwrap()
}

fn within(allowed: Duration) -> Deadline {
    Deadline::after(allowed, Task::Choosing)
}

/// Sends a question and takes one line as its answer.
fn ask(process: &mut Process, allowed: Duration) -> Result<String, EngineError> {
    let deadline = within(allowed);
    process.send(b"go\n", &deadline)?;
    let answer = process.line(&deadline)?.into_owned();
    process.answered();
    Ok(answer)
}

fn is_alive(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat"));
    match stat {
        // `pid (name) state …`; a zombie has ended and waits for its parent.
        Ok(stat) => !stat.rsplit(") ").next().unwrap_or("").starts_with('Z'),
        Err(_) if cfg!(target_os = "linux") => false,
        Err(_) => test_kill_process(Pid::from_raw(id as i32).unwrap()).is_ok(),
    }
}

/// What a killed process forked is reaped by whoever adopts it, a moment later.
fn dies(id: u32) -> bool {
    let until = Instant::now() + Duration::from_secs(20);
    while is_alive(id) {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

#[test]
fn an_echo() {
    let mut process = start("while read -r x; do [ $x = quit ] && exit; echo \"  $x$x \r\"; done");
    assert_eq!(ask(&mut process, LONG).unwrap(), "gogo");
    assert_eq!(ask(&mut process, LONG).unwrap(), "gogo");
    let id = process.id();
    assert!(is_alive(id));
    drop(process);
    assert!(!is_alive(id), "ended and reaped when dropped");
}

#[test]
fn an_engine_that_does_not_read_cannot_block_us() {
    let mut process = start("sleep 300");
    let much = vec![b'x'; 1 << 20];
    let error = process
        .send(&much, &within(Duration::from_millis(50)))
        .unwrap_err();
    assert!(matches!(error, EngineError::TimedOut { .. }), "{error}");
}

#[test]
fn an_engine_that_talks_while_it_listens_cannot_block_us() {
    // Writes more than both pipes hold before it reads anything.
    let mut process = start(
        "i=0; while [ $i -lt 4000 ]; do echo $i xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; \
         echo $i xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >&2; i=$((i+1)); done; \
         wc -c; echo done",
    );
    let deadline = within(LONG);
    process.send(&vec![b'\n'; 300_000], &deadline).unwrap();
    assert!(process.line(&deadline).unwrap().starts_with("0 xxx"));
}

#[test]
fn half_a_line_is_no_answer() {
    let mut process = start("read x; printf '=== f'; sleep 300");
    let error = ask(&mut process, Duration::from_millis(100)).unwrap_err();
    assert!(matches!(error, EngineError::TimedOut { .. }), "{error}");
}

#[test]
fn an_endless_line_is_cut_short() {
    let mut process = start("read x; head -c 10000000 /dev/zero | tr '\\0' x; sleep 300");
    let error = ask(&mut process, LONG).unwrap_err();
    assert!(
        matches!(&error, EngineError::Unintelligible { answer, .. } if answer.raw().starts_with("xxxx")),
        "{error}"
    );
    assert!(error.to_string().len() < 1000);
}

#[test]
fn a_flood_on_stderr_hinders_nobody_and_its_end_is_kept() {
    let mut process = start(
        "read x; head -c 10000000 /dev/zero | tr '\\0' y >&2; echo >&2; echo last words >&2; echo f5; \
         read x; exit 3",
    );
    assert_eq!(ask(&mut process, LONG).unwrap(), "f5");
    process.started();
    let error = ask(&mut process, LONG).unwrap_err();
    let EngineError::Exited { how, stderr, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(how.raw(), "exit code 3");
    assert!(stderr.raw().ends_with("/ last words"), "{stderr}");
}

#[test]
fn an_alarm_comes_with_the_answer_at_the_latest() {
    let mut process = start("while read x; do echo Error: Cannot parse it >&2; echo f5; done");
    process.watch_stderr_for(&["Cannot parse"]);
    for _ in 0..100 {
        assert_eq!(ask(&mut process, LONG).unwrap(), "f5");
        assert!(process.take_alarm().is_some());
    }
}

#[test]
fn closed_output_is_an_end_even_of_a_living_process() {
    let mut process = start("read x; exec >&-; exec sleep 300");
    let id = process.id();
    let error = ask(&mut process, LONG).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("closed its output but went on running"),
        "{error}"
    );
    drop(process);
    assert!(!is_alive(id));
}

#[test]
fn an_end_is_seen_even_if_a_forked_child_holds_the_output() {
    let mut process = start("read x; sleep 300 & exit 4");
    let error = ask(&mut process, LONG).unwrap_err();
    assert!(error.to_string().contains("exit code 4"), "{error}");
}

#[test]
fn forked_children_die_too() {
    let mut process = start("sleep 300 & echo $!; sleep 301 & echo $!; read x; sleep 302");
    let deadline = within(LONG);
    process.send(b"", &deadline).unwrap();
    let mut children = Vec::new();
    for _ in 0..2 {
        let line = process.line(&deadline).unwrap().into_owned();
        children.push(line.parse::<u32>().unwrap());
    }
    process.answered();
    assert!(children.iter().all(|&id| is_alive(id)));
    drop(process);
    for id in children {
        assert!(dies(id));
    }
}

#[test]
fn quit_is_asked_for_first_and_not_insisted_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("said");
    let polite = format!("read x; echo $x >'{}'", file.shown());
    let mut process = start(&format!("echo ready; {polite}"));
    process.line(&within(LONG)).unwrap();
    drop(process);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "quit\n");
    let stubborn = start("trap '' TERM HUP INT; while :; do read x; sleep 1; done");
    let id = stubborn.id();
    drop(stubborn);
    assert!(!is_alive(id));
}

#[test]
fn a_requested_stop_ends_a_wait_at_once() {
    let stop = Stop::new();
    let mut process = Process::spawn(&line("sleep 300 & sleep 301"), &stop).unwrap();
    let id = process.id();
    let waiting = std::thread::spawn(move || ask(&mut process, Duration::from_secs(100)));
    std::thread::sleep(Duration::from_millis(50));
    stop.request();
    let error = waiting.join().unwrap().unwrap_err();
    assert!(matches!(error, EngineError::Stopped), "{error}");
    assert!(!is_alive(id));
    // What starts afterwards does not live either.
    let mut late = Process::spawn(&line("sleep 300"), &stop).unwrap();
    let error = ask(&mut late, LONG).unwrap_err();
    assert!(matches!(error, EngineError::Stopped), "{error}");
}

#[test]
fn an_engine_outlives_the_thread_that_started_it() {
    let mut process = std::thread::spawn(|| start("read x; echo f5"))
        .join()
        .unwrap();
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(ask(&mut process, LONG).unwrap(), "f5");
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_gets_nothing_but_its_pipes() {
    // What our own parent left open to everybody is not ours to close.
    let script = "ls /proc/self/fd | tr '\\n' ' '; echo; grep SigBlk /proc/self/status";
    let plain = std::process::Command::new("/bin/sh")
        .args(["-c", script])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let plain = String::from_utf8(plain.stdout).unwrap();
    // Siblings must not hold each other's pipes, or no end of file would ever be seen.
    let _others: Vec<Process> = (0..3).map(|_| start("read x")).collect();
    let mut process = start(script);
    let deadline = within(LONG);
    process.send(b"", &deadline).unwrap();
    let open = process.line(&deadline).unwrap().into_owned();
    assert_eq!(open, plain.lines().next().unwrap().trim());
    let blocked = process.line(&deadline).unwrap().into_owned();
    assert!(blocked.ends_with("0000000000000000"), "{blocked}");
}

#[test]
fn what_is_no_program_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    let refused = |path: &std::path::Path| {
        let line = CommandLine {
            program: path.to_owned(),
            args: Vec::new(),
            ..line("")
        };
        match Process::spawn(&line, &Stop::new()) {
            Err(EngineError::CannotStart { reason, .. }) => reason,
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("{} was started", path.shown()),
        }
    };
    let mode = |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    assert!(refused(&path).raw().contains("does not exist"));
    assert!(refused(folder.path()).raw().contains("is a folder"));
    std::fs::write(&path, "just a text\n").unwrap();
    mode(0o644);
    assert!(refused(&path).raw().contains("is not executable"));
    mode(0o755);
    assert!(
        refused(&path)
            .raw()
            .contains("is not a program that this system can run")
    );
    std::fs::write(&path, "").unwrap();
    assert!(
        refused(&path)
            .raw()
            .contains("is not a program that this system can run")
    );
    // An ELF file for a machine that nobody has: 64 bits, little endian, machine number 0xfff0.
    let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    elf.extend([2, 0, 0xf0, 0xff, 1, 0, 0, 0]);
    elf.resize(4096, 0);
    std::fs::write(&path, elf).unwrap();
    assert!(
        refused(&path)
            .raw()
            .contains("built for another kind of machine")
    );
    std::fs::write(&path, "#!/no/such/interpreter\n").unwrap();
    assert!(
        refused(&path)
            .raw()
            .contains("the loader or interpreter that it asks for does not")
    );
}

#[test]
fn bytes_that_are_no_text() {
    let mut process =
        start("read x; printf '=== \\377\\376\\n'; read x; printf 'a\\0b\\n'; read x");
    assert_eq!(ask(&mut process, LONG).unwrap(), "=== \u{fffd}\u{fffd}");
    let error = ask(&mut process, LONG).unwrap_err();
    assert!(
        matches!(&error, EngineError::Unintelligible { answer, .. } if answer.raw() == r"a\u{0}b"),
        "{error}"
    );
}

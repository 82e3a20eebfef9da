//! The dashboard as a person sees it: the real program in a real terminal (tmux), looked at through
//! captured screens. Without tmux there is nothing to look through, and the tests pass over.

use crate::common::Env;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// How long a screen may take to show what is waited for, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a shell in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// `None` where there is no tmux.
    fn open(env: &Env, columns: u16, rows: u16) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("no tmux here: the dashboard is not looked at");
            return None;
        }
        let socket = env.path("tmux").display().to_string();
        let terminal = Terminal { socket };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let size = ["-x", &columns, "-y", &rows];
        let shell = "exec env -i PATH=\"$PATH\" TERM=screen LANG=C.UTF-8 PS1='ready> ' \
                     bash --norc --noprofile";
        let started = Command::new("tmux")
            .args([
                "-f",
                "/dev/null",
                "-S",
                &terminal.socket,
                "new-session",
                "-d",
            ])
            .args(size)
            .arg(shell)
            .current_dir(env.path(""))
            .output()
            .expect("tmux was there a moment ago");
        assert!(started.status.success(), "{started:?}");
        terminal.wait("the prompt", |screen| screen.starts_with("ready>"));
        Some(terminal)
    }

    fn tmux(&self, args: &[&str]) -> Output {
        Command::new("tmux")
            .args(["-S", &self.socket])
            .args(args)
            .output()
            .expect("tmux was there a moment ago")
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.tmux(&["resize-window", "-x", &columns, "-y", &rows]);
    }

    /// The screen as it is now, without blank lines at its end.
    fn screen(&self) -> String {
        let output = self.tmux(&["capture-pane", "-p"]);
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim_end().to_owned()
    }

    /// The screen as soon as it shows what is waited for.
    fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(
                began.elapsed() < PATIENCE,
                "no {what} on the screen:\n{screen}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Types a command and waits for the exit code that the shell then tells.
    fn ends_with(&self, code: i32) -> String {
        self.keys(&["echo code=$?", "Enter"]);
        let told = format!("\ncode={code}\nready>");
        self.wait(&told, |screen| screen.ends_with(&told))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// Is the screen one whole frame, from its first line to its last, and nothing else?
fn is_frame(screen: &str) -> bool {
    screen.starts_with("rdg generate")
        && screen
            .lines()
            .last()
            .is_some_and(|line| line.contains("Output"))
        && count(screen, "Total") == 1
        && count(screen, "ETA") == 1
}

fn configs(env: &Env, samples: u64, engine: &str) {
    env.write(
        "config.toml",
        format!(
            "mode = \"normal\"\noutput_dir = \"out\"\nphases = \"20..29\"\n\
             samples_per_phase = {samples}\nseed = 7\n\
             [self_play]\nworkers = 1\nretries = 1\n[self_play.ai]\nname = \"player\"\nlevel = 8\n\
             [window]\nenabled = true\nsize = 10\n"
        ),
    );
    env.write(
        "app.toml",
        format!("setup = \"off\"\n[engines.player]\n{engine}\n"),
    );
}

fn rdg(options: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin!("rdg");
    format!(
        "clear; {} --config config.toml --app-config app.toml --progress-interval 100ms {options}",
        Path::new(program).display()
    )
}

const BUILTIN: &str = "kind = \"builtin\"";

#[test]
fn the_dashboard_follows_the_window_and_leaves_no_trace() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 80, 24) else {
        return;
    };
    configs(&env, 100_000, BUILTIN);
    terminal.keys(&["echo before", "Enter", &rdg(""), "Enter"]);
    let screen = terminal.wait("dashboard", |screen| {
        is_frame(screen) && screen.contains("ends")
    });
    assert_eq!(count(&screen, " / 100,000"), 10, "{screen}");
    assert!(
        screen.lines().all(|line| line.chars().count() < 80),
        "{screen}"
    );

    terminal.resize(60, 15);
    let screen = terminal.wait("small frame", |screen| {
        is_frame(screen) && screen.contains("more that are as far or further")
    });
    assert!(screen.lines().count() <= 14, "{screen}");
    terminal.resize(200, 50);
    let screen = terminal.wait("large frame", |screen| {
        is_frame(screen) && count(screen, " / 100,000") == 10 && screen.contains("last minute")
    });
    assert!(screen.contains("samples/s · "), "{screen}");
    terminal.resize(30, 4);
    terminal.wait("tiny frame", |screen| {
        screen.starts_with("🎯 Total") && screen.lines().count() <= 3
    });
    terminal.resize(80, 24);
    terminal.wait("usual frame again", is_frame);

    // To the shell and back.
    terminal.keys(&["C-z"]);
    let screen = terminal.wait("shell", |screen| screen.ends_with("ready>"));
    assert_eq!(count(&screen, "Total"), 0, "{screen}");
    assert!(screen.contains("Stopped"), "{screen}");
    terminal.keys(&["echo between", "Enter", "fg", "Enter"]);
    terminal.wait("frame after fg", is_frame);
    // In the background it keeps quiet.
    terminal.keys(&["C-z"]);
    terminal.wait("shell", |screen| screen.ends_with("ready>"));
    terminal.keys(&["bg", "Enter"]);
    std::thread::sleep(Duration::from_millis(500));
    terminal.keys(&["echo quiet", "Enter"]);
    let screen = terminal.wait("quiet", |screen| screen.ends_with("\nquiet\nready>"));
    assert_eq!(count(&screen, "Total"), 0, "{screen}");
    terminal.keys(&["fg", "Enter"]);
    terminal.wait("frame after fg", is_frame);

    terminal.keys(&["C-c"]);
    let screen = terminal.wait("summary", |screen| screen.ends_with("\nready>"));
    assert!(screen.contains("rdg generate: interrupted"), "{screen}");
    assert!(screen.contains("Continue with:"), "{screen}");
    assert_eq!(count(&screen, "Total"), 1, "{screen}");
    terminal.ends_with(130);
}

#[test]
fn a_second_ctrl_c_gives_the_terminal_back_at_once() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 80, 24) else {
        return;
    };
    // An engine that never answers, with all the time of the world.
    let engine = env.write("mute", "#!/bin/sh\nexec sleep 1000\n");
    Command::new("chmod")
        .arg("+x")
        .arg(&engine)
        .status()
        .expect("chmod is everywhere");
    configs(
        &env,
        1000,
        "kind = \"nboard\"\nbinary = \"mute\"\nstartup_timeout = \"1000s\"",
    );
    terminal.keys(&["echo before", "Enter", &rdg(""), "Enter"]);
    terminal.wait("dashboard", |screen| screen.starts_with("rdg generate"));
    terminal.keys(&["C-c", "C-c"]);
    terminal.wait("prompt", |screen| screen.ends_with("ready>"));
    terminal.ends_with(130);
}

#[test]
fn a_run_that_ends_leaves_its_summary() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 80, 24) else {
        return;
    };
    configs(&env, 30, BUILTIN);
    terminal.keys(&[&rdg("--no-color"), "Enter"]);
    let screen = terminal.wait("summary", |screen| screen.ends_with("\nready>"));
    assert!(screen.contains("rdg generate: finished"), "{screen}");
    assert!(screen.contains("100.0 %  300 / 300"), "{screen}");
    assert!(!screen.contains("ETA"), "{screen}");
    terminal.ends_with(0);
}

#[test]
fn a_fatal_error_is_told_below_the_summary() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 80, 24) else {
        return;
    };
    let engine = env.write("broken", "#!/bin/sh\necho 'my data is gone' >&2\nexit 3\n");
    Command::new("chmod")
        .arg("+x")
        .arg(&engine)
        .status()
        .expect("chmod is everywhere");
    configs(&env, 30, "kind = \"nboard\"\nbinary = \"broken\"");
    terminal.keys(&[&rdg(""), "Enter"]);
    let screen = terminal.wait("error", |screen| screen.ends_with("\nready>"));
    assert_eq!(count(&screen, "error: "), 1, "{screen}");
    assert!(screen.contains("my data is gone"), "{screen}");
    terminal.ends_with(1);
}

#[test]
fn a_terminal_that_cannot_redraw_gets_lines() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 200, 50) else {
        return;
    };
    configs(&env, 30, BUILTIN);
    terminal.keys(&[&rdg("").replace("clear; ", "clear; TERM=dumb "), "Enter"]);
    let screen = terminal.wait("lines", |screen| screen.ends_with("\nready>"));
    assert!(screen.contains(" finished samples=300 "), "{screen}");
    assert!(!screen.contains("Total"), "{screen}");
}

/// A game in a small window that grows: narrow board, sentences broken at words, colours, Ctrl+C.
#[test]
fn a_game_fits_40_columns_and_follows_the_window() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 40, 24) else {
        return;
    };
    let program = assert_cmd::cargo::cargo_bin!("rdg");
    let play = format!("clear; {} play --level 1", program.display());
    terminal.keys(&[&play, "Enter"]);
    let screen = terminal.wait("prompt", |screen| screen.ends_with("\nBlack>"));
    assert!(
        screen.contains("4  --  --  .   O   X   --  --  --  4"),
        "{screen}"
    );
    terminal.keys(&["nonsense", "Enter"]);
    let screen = terminal.wait("answer", |screen| screen.contains("help.\nBlack>"));
    assert!(
        screen.contains("\nnor one of the words hint, hints, undo,\n"),
        "{screen}"
    );
    terminal.resize(80, 24);
    // As letters: `f5` alone is a function key.
    terminal.keys(&["-l", "f5"]);
    terminal.keys(&["Enter"]);
    let wide = "\n5   --    --    --    ";
    let screen = terminal.wait("wide board", |screen| {
        screen.contains(wide) && screen.ends_with("\nBlack>")
    });
    assert!(screen.contains("White (O) plays "), "{screen}");
    terminal.keys(&["C-c"]);
    let screen = terminal.wait("end", |screen| screen.ends_with("\nready>"));
    assert!(screen.contains("Game: f5"), "{screen}");
    terminal.ends_with(130);
}

#[test]
fn a_games_colours_can_be_refused_and_ctrl_d_leaves() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 80, 24) else {
        return;
    };
    let program = assert_cmd::cargo::cargo_bin!("rdg");
    for (variable, option, has_colors) in [
        ("", "", true),
        ("NO_COLOR=1", "", false),
        ("TERM=dumb", "", false),
        ("", "--no-color", false),
    ] {
        let play = format!("clear; {variable} {} play {option}", program.display());
        terminal.keys(&[&play, "Enter"]);
        terminal.wait("prompt", |screen| screen.ends_with("\nBlack>"));
        let with_attributes = terminal.tmux(&["capture-pane", "-p", "-e"]).stdout;
        assert_eq!(
            with_attributes.contains(&b'\x1b'),
            has_colors,
            "{variable} {option}"
        );
        terminal.keys(&["C-d"]);
        terminal.wait("end", |screen| screen.ends_with("\nready>"));
        terminal.ends_with(0);
    }
}

#[test]
fn ctrl_c_ends_a_game_while_the_engine_thinks() {
    let env = Env::new();
    let Some(terminal) = Terminal::open(&env, 80, 24) else {
        return;
    };
    let program = assert_cmd::cargo::cargo_bin!("rdg");
    let play = format!(
        "clear; {} play --colour white --level 60",
        program.display()
    );
    terminal.keys(&[&play, "Enter"]);
    terminal.wait("beginning", |screen| screen.ends_with("? for help."));
    terminal.keys(&["C-c"]);
    let screen = terminal.wait("end", |screen| screen.ends_with("\nready>"));
    assert!(screen.contains("Result: unfinished"), "{screen}");
    terminal.ends_with(130);
}

//! An NBoard engine that plays reproducibly and misbehaves as it is told.
//!
//! What it does wrong is in the environment: `RDG_BAD_ENGINE=FAULT@GO[!]`, at the GO-th question of
//! a process (the start-up test asks two), once in the whole run or, with `!`, each time. Faults of
//! the start have no `@`. `RDG_BAD_ENGINE_STATE` is a folder where processes leave their numbers.

use rdg::board::{Board, Color, Game, Square, parse_position};
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::time::Duration;

/// The name of the variable that makes the test program an engine.
pub const FAULT: &str = "RDG_BAD_ENGINE";
/// The name of the variable that holds the folder.
pub const STATE: &str = "RDG_BAD_ENGINE_STATE";

struct Engine {
    fault: String,
    /// Number of the question at which the fault shows.
    at: u32,
    always: bool,
    state: PathBuf,
    game: Game,
    questions: u32,
}

/// Acts as an engine until the end of input.
pub fn run(fault: &str, state: &Path) -> ! {
    let (fault, at) = fault.split_once('@').unwrap_or((fault, "0"));
    let mut engine = Engine {
        fault: fault.trim_end_matches('!').to_owned(),
        at: at.trim_end_matches('!').parse().expect("a number"),
        always: fault.ends_with('!') || at.ends_with('!'),
        state: state.to_owned(),
        game: Game::new(),
        questions: 0,
    };
    engine.leave_number(std::process::id());
    engine.start();
    for line in io::stdin().lock().lines() {
        let line = line.expect("we are told text");
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "ping" => engine.say(&format!("pong {rest}")),
            "game" => engine.game = read_game(rest),
            "move" => engine
                .game
                .play(rest.parse().expect("a move"))
                .expect("a legal move"),
            "go" => engine.go(),
            "quit" if engine.fault == "ignore-quit" => park(),
            "quit" => exit(0),
            _ => {}
        }
    }
    if engine.fault == "ignore-quit" {
        park();
    }
    exit(0)
}

fn park() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

fn read_game(record: &str) -> Game {
    let at = record.find("BO[8 ").expect("a board") + 5;
    let (board, color): (Board, Color) =
        parse_position(&record[at..at + 66]).expect("64 squares and a side");
    Game::from_position(board, color)
}

impl Engine {
    /// Remembers a process that must not survive.
    fn leave_number(&self, id: u32) {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.state.join("processes"))
            .expect("the state folder is there");
        // One write, so that lines of several processes never mix.
        file.write_all(format!("{id}\n").as_bytes())
            .expect("there is room");
    }

    // Not waited for on purpose: it is what the program under test must clean up.
    #[allow(clippy::zombie_processes)]
    fn fork(&self) {
        let child = Command::new("sleep").arg("300").spawn().expect("a sleep");
        self.leave_number(child.id());
    }

    /// Whether the fault shows now. Only one process of a run takes it, unless it is for always.
    fn is_time(&self) -> bool {
        self.always
            || OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(self.state.join("taken"))
                .is_ok()
    }

    fn start(&self) {
        match self.fault.as_str() {
            "exit-at-start" if self.is_time() => {
                eprintln!("cannot open the engine's file");
                exit(1)
            }
            "crash-at-start" if self.is_time() => crash(),
            "never-ready" if self.is_time() => park(),
            "slow-start" => std::thread::sleep(Duration::from_secs(2)),
            "forked" | "forked-and-slow" => self.fork(),
            _ => {}
        }
    }

    fn say(&self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    fn write(&self, bytes: &[u8]) {
        let mut out = io::stdout().lock();
        if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
            exit(0);
        }
    }

    /// A move that follows from the position alone.
    fn chosen(&self) -> Square {
        let board = self.game.board();
        let legal: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| board.is_legal(square))
            .collect();
        let mixed =
            (board.own ^ board.opponent.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        legal[(mixed >> 40) as usize % legal.len()]
    }

    fn answer(&self) {
        self.say("status Bad is thinking");
        self.say(&format!("=== {} 1.00 0.0", self.chosen()));
        self.say("status Bad is waiting");
    }

    fn go(&mut self) {
        self.questions += 1;
        let fault = self.fault.clone();
        match fault.as_str() {
            "well-behaved" | "slow-start" | "ignore-quit" | "forked" => return self.answer(),
            "no-status" => return self.say(&format!("=== {}", self.chosen())),
            "embellished" => {
                let square = self.chosen().to_string().to_uppercase();
                return self.write(
                    format!(
                        "\r\n\r\nstatus Bad is thinking\r\n\r\nnodestats 17 0.00\r\nset myname B\r\n\
                         \r\nhello\r\n===  {square}/1.00/0.0 \r\n\r\nstatus Bad is waiting\r\n\r\n"
                    )
                    .as_bytes(),
                );
            }
            "forked-and-slow" => {
                std::thread::sleep(Duration::from_millis(10));
                return self.answer();
            }
            _ => {}
        }
        if self.questions != self.at || !self.is_time() {
            return self.answer();
        }
        let thinking = || self.say("status Bad is thinking");
        match fault.as_str() {
            "silent" => park(),
            "late" => {
                std::thread::sleep(Duration::from_secs(3));
                self.answer();
            }
            "exit" => exit(3),
            "exit-after-answer" => {
                self.answer();
                exit(0)
            }
            "crash" => crash(),
            "garbage" => {
                thinking();
                self.write(b"=== \xff\xfe\0\x1b[31mlorem ipsum\n");
            }
            "no-move" => {
                thinking();
                self.say("=== k9 0.00 0.0");
            }
            "pass" => {
                thinking();
                self.say("=== pa 0.00 0.0");
            }
            "illegal" => {
                thinking();
                self.say("=== d4 0.00 0.0");
            }
            // As Edax, which goes on from its old board.
            "refused" => {
                eprintln!("Error: Cannot parse move \"f5\"");
                self.answer();
            }
            "half-a-line" => {
                thinking();
                self.write(b"=== f");
                park()
            }
            "long-line" => {
                thinking();
                self.write(&vec![b'x'; 10_000_000]);
                self.say("");
                self.answer();
            }
            "flood" => {
                let mut noise = vec![b'y'; 10_000_000];
                noise.iter_mut().step_by(100).for_each(|byte| *byte = b'\n');
                io::stderr().write_all(&noise).expect("it is read");
                self.answer();
            }
            "two-answers" => {
                self.answer();
                self.answer();
            }
            "two-moves" => {
                thinking();
                let square = self.chosen();
                self.write(format!("=== {square}\n=== {square}\n").as_bytes());
            }
            "closes-output" => {
                let null = OpenOptions::new()
                    .write(true)
                    .open("/dev/null")
                    .expect("/dev/null is there");
                rustix::stdio::dup2_stdout(&null).expect("it can be replaced");
                park()
            }
            "forks-and-exits" => {
                self.fork();
                exit(5)
            }
            other => panic!("no fault is called {other}"),
        }
    }
}

fn crash() -> ! {
    let own = rustix::process::getpid();
    // The first one takes off the handler that Rust puts up against stack overflows.
    loop {
        let _ = rustix::process::kill_process(own, rustix::process::Signal::SEGV);
    }
}

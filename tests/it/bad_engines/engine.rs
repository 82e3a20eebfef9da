//! An engine that plays reproducibly, over NBoard or GTP, and misbehaves as it is told.
//!
//! What it does wrong is in the environment: `RDG_BAD_ENGINE=FAULT@GO[!]`, at the GO-th question of
//! a process (the start-up test asks two), once in the whole run or, with `!`, each time. Faults of
//! the start have no `@`. `RDG_BAD_ENGINE_STATE` is a folder where processes leave their numbers.
//! The first command tells which protocol is wanted. `hint` is ignored but by those whose fault it is.

use rdg::board::{Board, Color, Game, Move, Square, parse_position};
use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::sync::{Arc, Condvar, Mutex};
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
    games: u32,
    /// Over GTP, the number of the command that is being answered.
    gtp: Option<String>,
    /// It has been told the size of the board.
    has_size: bool,
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
        games: 0,
        gtp: None,
        has_size: false,
    };
    engine.leave_number(std::process::id());
    engine.start();
    let commands = read_ahead();
    while let Some(line) = next(&commands) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            number if number.parse::<u32>().is_ok() => {
                engine.gtp = Some(number.to_owned());
                engine.gtp_command(rest);
            }
            "ping" => engine.say(&format!("pong {rest}")),
            "game" if engine.fault != "set-game-only" => engine.begin(rest),
            "set" if engine.fault != "game-only" => {
                if let Some(record) = rest.strip_prefix("game ") {
                    engine.begin(record);
                }
            }
            "move" => engine.play(rest),
            "go" => engine.go(),
            "hint" => engine.hint(),
            "quit" => engine.quit(),
            _ => {}
        }
    }
    engine.quit()
}

/// The commands that are read but not yet obeyed; no more come when it is closed.
struct Queue {
    lines: VecDeque<String>,
    is_closed: bool,
}

/// Reads in a thread of its own, as Edax does: when it is told to quit or to stop, what is queued is
/// dropped. (Over GTP, whose commands bear numbers, nothing is.)
fn read_ahead() -> Arc<(Mutex<Queue>, Condvar)> {
    let queue = Queue {
        lines: VecDeque::new(),
        is_closed: false,
    };
    let shared = Arc::new((Mutex::new(queue), Condvar::new()));
    let theirs = Arc::clone(&shared);
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let line = line.expect("we are told text");
            let mut queue = theirs.0.lock().expect("nobody panics");
            if matches!(line.as_str(), "quit" | "stop") {
                queue.lines.clear();
            }
            queue.lines.push_back(line);
            theirs.1.notify_one();
        }
        theirs.0.lock().expect("nobody panics").is_closed = true;
        theirs.1.notify_one();
    });
    shared
}

fn next(commands: &(Mutex<Queue>, Condvar)) -> Option<String> {
    let queue = commands.0.lock().expect("nobody panics");
    let is_idle = |queue: &mut Queue| queue.lines.is_empty() && !queue.is_closed;
    let mut queue = commands
        .1
        .wait_while(queue, is_idle)
        .expect("nobody panics");
    queue.lines.pop_front()
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
    fn begin(&mut self, record: &str) {
        self.games += 1;
        self.game = read_game(record);
    }

    fn quit(&self) -> ! {
        match self.fault.as_str() {
            "ignore-quit" => park(),
            _ => exit(0),
        }
    }

    fn gtp_command(&mut self, command: &str) {
        let words: Vec<&str> = command.split(' ').collect();
        match words[..] {
            ["protocol_version"] => self.reply("2"),
            ["list_commands"] => self.reply("clear_board\nplay\ngenmove\nquit"),
            ["boardsize", "8"] if self.fault == "no-boardsize" => self.refuse_command(),
            ["boardsize", "8"] => {
                self.has_size = true;
                self.reply("");
            }
            ["clear_board"] if self.fault == "needs-boardsize" && !self.has_size => {
                self.refuse_command();
            }
            ["clear_board"] => {
                self.games += 1;
                self.game = Game::new();
                self.reply("");
            }
            ["play", _, mv] => {
                self.play(mv);
                self.reply("");
            }
            ["genmove", _] => {
                let chosen = self.chosen();
                self.go();
                self.game.play(chosen.into()).expect("a legal move");
            }
            ["quit"] => self.quit(),
            _ => panic!("`{command}` is nothing that we are told"),
        }
    }

    fn refuse_command(&self) {
        let number = self.gtp.as_deref().unwrap_or_default();
        self.say(&format!("?{number} unknown command\n"));
    }

    fn play(&mut self, text: &str) {
        let mv: Move = text.parse().expect("a move");
        self.game.play(mv).expect("a legal move");
    }

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
            "banner" => self.write(b"Bad Engine 1.0\n== of the tests ==\n\n=====\n"),
            "speechless" => {
                self.say("I only speak of the weather");
                eprintln!("and badly");
                park()
            }
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

    /// A move that will be legal after the chosen one, but is not what will be chosen, where there
    /// are others. After the last move of a game, that one.
    fn ahead(&self) -> Square {
        let chosen = self.chosen();
        let mut next = Engine {
            fault: self.fault.clone(),
            state: PathBuf::new(),
            game: self.game.clone(),
            gtp: None,
            ..*self
        };
        next.game.play(chosen.into()).expect("it is legal");
        next.game.pass_if_forced();
        let board = next.game.board();
        let mut legal: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| board.is_legal(square))
            .collect();
        if legal.len() > 1 {
            let right = next.chosen();
            legal.retain(|&square| square != right);
        }
        legal.first().copied().unwrap_or(chosen)
    }

    /// A move that follows from the position alone, but for engines of a whim.
    fn chosen(&self) -> Square {
        let board = self.game.board();
        let legal: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| board.is_legal(square))
            .collect();
        let whim = match self.fault.as_str() {
            "remembers" => self.games,
            "draws" => std::process::id(),
            _ => 0,
        };
        let mixed = (board.own ^ board.opponent.rotate_left(23) ^ u64::from(whim))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        legal[(mixed >> 40) as usize % legal.len()]
    }

    /// A square on which the other side could play, but not the side to move.
    fn of_another_position(&self) -> Square {
        let board = self.game.board();
        let other = board.passed();
        let mut squares = Square::ALL.into_iter();
        squares
            .find(|&square| other.is_legal(square) && !board.is_legal(square))
            .unwrap_or(Square::ALL[27])
    }

    fn answer(&self) {
        self.answer_with(&self.chosen().to_string());
    }

    fn answer_with(&self, text: &str) {
        if self.fault.ends_with("no-status") && self.gtp.is_none() {
            return self.say(&format!("=== {text}"));
        }
        self.thinking();
        self.reply(text);
        if self.gtp.is_none() {
            self.say("status Bad is waiting");
        }
    }

    /// What precedes an answer.
    fn thinking(&self) {
        if self.gtp.is_none() {
            self.say("status Bad is thinking");
        }
    }

    /// An answer with this as its move, or whatever else it is.
    fn reply(&self, text: &str) {
        match &self.gtp {
            Some(number) => self.say(&format!("={number} {}\n", text.to_uppercase())),
            None => self.say(&match self.fault.as_str() {
                "slashes" => format!("=== {}/1.00/0.5", text.to_uppercase()),
                "bare" => format!("=== {}", text.to_uppercase()),
                _ => format!("=== {text} 1.00 0.0"),
            }),
        }
    }

    /// How an answer begins.
    fn sign(&self) -> String {
        match &self.gtp {
            Some(number) => format!("={number}"),
            None => "===".to_owned(),
        }
    }

    fn embellished(&self) {
        let square = self.chosen().to_string().to_uppercase();
        let sign = self.sign();
        let text = match self.gtp {
            None => format!(
                "\r\n\r\nstatus Bad is thinking\r\n\r\nnodestats 17 0.00\r\nset myname B\r\n\
                 \r\nhello\r\n{sign}  {square}/1.00/0.0 \r\n\r\nstatus Bad is waiting\r\n\r\n"
            ),
            Some(_) => format!("\r\n\r\n# thinking\r\nhello\r\n\r\n{sign}  {square} \r\n\r\n\r\n"),
        };
        self.write(text.as_bytes());
    }

    fn go(&mut self) {
        self.questions += 1;
        let fault = self.fault.clone();
        match fault.as_str() {
            "set-game-only" | "game-only" | "banner" | "slashes" | "bare" | "no-boardsize"
            | "needs-boardsize" => return self.answer(),
            "well-behaved" | "slow-start" | "ignore-quit" | "forked" | "remembers" | "draws" => {
                return self.answer();
            }
            "no-status" => return self.answer(),
            "embellished" => return self.embellished(),
            "forked-and-slow" => {
                std::thread::sleep(Duration::from_millis(10));
                return self.answer();
            }
            _ => {}
        }
        if self.questions != self.at || !self.is_time() {
            return self.answer();
        }
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
                self.thinking();
                self.write(self.sign().as_bytes());
                self.write(b" \xff\xfe\0\x1b[31mlorem ipsum\n");
            }
            "no-move" => {
                self.thinking();
                self.reply("k9");
            }
            "pass" => {
                self.thinking();
                self.reply("pass");
            }
            "illegal" => {
                self.thinking();
                self.reply("d4");
            }
            "another-position" => {
                self.thinking();
                self.reply(&self.of_another_position().to_string());
            }
            "refused" => self.refuse(),
            "half-a-line" => {
                self.thinking();
                self.write(format!("{} f", self.sign()).as_bytes());
                park()
            }
            "long-line" => {
                self.thinking();
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
            // The second one, a move of the next position, comes when that has been asked about.
            "two-answers-late" | "two-answers-late-no-status" => {
                let ahead = self.ahead().to_string();
                self.answer();
                std::thread::sleep(Duration::from_millis(3));
                self.answer_with(&ahead);
            }
            "two-moves" => {
                self.thinking();
                let (sign, square) = (self.sign(), self.chosen());
                self.write(format!("{sign} {square}\n{sign} {square}\n").as_bytes());
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

    fn hint(&self) {
        let board = self.game.board();
        let legal = Square::ALL
            .into_iter()
            .filter(|&square| board.is_legal(square));
        match self.fault.as_str() {
            // As little as the protocol asks for: deeper and deeper, and no word about the end.
            "hints-bare" => {
                for depth in [1, 2] {
                    for (at, square) in legal.clone().enumerate() {
                        let square = square.to_string().to_uppercase();
                        let score = at as f64 * f64::from(depth) + 0.5;
                        self.say(&format!("search {square}-?? {score:.2} 0 {depth} for now"));
                    }
                }
            }
            "hints-nonsense" => self.say("search nothing 1 0 5"),
            "hints-no-number" => {
                let square = self.chosen();
                self.say(&format!("search {square} NaN 0 5"));
            }
            "hints-illegal" => self.say("search d4 1 0 5"),
            "hints-too-few" => {
                self.say("status Analyzing");
                self.say(&format!("search {} 1 0 5", self.chosen()));
                self.say("status");
            }
            "hints-hang" => {
                self.say("status Bad is thinking");
                park()
            }
            "hints-exit" => exit(4),
            _ => {}
        }
    }

    fn refuse(&self) {
        match &self.gtp {
            Some(number) => self.say(&format!("?{number} illegal move\n")),
            // As Edax, which goes on from its old board.
            None => {
                eprintln!("Error: Cannot parse move \"f5\"");
                self.answer();
            }
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

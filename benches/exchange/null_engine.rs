//! An engine that answers the first legal move at once over NBoard, or after a given amount of
//! computing, and leaves behind how long it played and how much of that time it computed.

use rdg::board::{Board, Color, Squares, parse_position};
use rustix::time::{ClockId, clock_gettime};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The first word of its command line.
pub const WORD: &str = "--null-engine";

/// What it does for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// CPU time for each.
    pub busy: Duration,
    /// Its three lines are three writes, as Edax', instead of one.
    pub flushes_each_line: bool,
}

impl Manner {
    /// The words that ask for it; reports go to `folder`.
    pub fn words(self, folder: &Path) -> Vec<String> {
        vec![
            WORD.to_owned(),
            folder.display().to_string(),
            self.busy.as_micros().to_string(),
            self.flushes_each_line.to_string(),
        ]
    }
}

/// What an engine leaves behind.
#[derive(Clone, Copy, Default, Debug)]
pub struct Report {
    /// Questions since the start-up test.
    pub questions: u64,
    /// From the first of them to the last answer.
    pub span: Duration,
    /// CPU time in between.
    pub cpu: Duration,
}

impl Report {
    /// All reports in the folder: one for each engine, in no order.
    pub fn all(folder: &Path) -> Vec<Report> {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let read = |path: PathBuf| {
            let text = std::fs::read_to_string(path).ok()?;
            let numbers: Vec<u64> = text.split(' ').filter_map(|n| n.parse().ok()).collect();
            let &[questions, span, cpu] = &numbers[..] else {
                return None;
            };
            Some(Report {
                questions,
                span: Duration::from_nanos(span),
                cpu: Duration::from_nanos(cpu),
            })
        };
        entries
            .filter_map(|entry| read(entry.ok()?.path()))
            .collect()
    }
}

/// The questions of the start-up test.
const TEST: u64 = 2;

struct NullEngine {
    manner: Manner,
    report: File,
    board: Board,
    color: Color,
    answers: Vec<u8>,
    questions: u64,
    begun: Option<(Instant, Duration)>,
    last: Instant,
    written: Instant,
}

/// How often the report is written: at its end an engine may be killed unasked.
const REPORT_EVERY: Duration = Duration::from_millis(20);

/// Plays if the command line asks for it, and then does not return.
pub fn run_if_asked() {
    let words: Vec<String> = std::env::args().collect();
    let Some(at) = words.iter().position(|word| word == WORD) else {
        return;
    };
    let [folder, busy, flushes, ..] = &words[at + 1..] else {
        panic!("three words follow {WORD}");
    };
    let report = Path::new(folder).join(std::process::id().to_string());
    let report = File::create(report).expect("the folder is there");
    NullEngine {
        manner: Manner {
            busy: Duration::from_micros(busy.parse().expect("a number")),
            flushes_each_line: flushes == "true",
        },
        report,
        board: Board::START,
        color: Color::Black,
        answers: Vec::new(),
        questions: 0,
        begun: None,
        last: Instant::now(),
        written: Instant::now(),
    }
    .run()
}

impl NullEngine {
    fn run(mut self) -> ! {
        let mut input = vec![0; 1 << 16];
        let mut filled = 0;
        loop {
            match rustix::io::read(rustix::stdio::stdin(), &mut input[filled..]) {
                Ok(0) | Err(_) => self.end(),
                Ok(count) => filled += count,
            }
            let mut from = 0;
            while let Some(length) = memchr(b'\n', &input[from..filled]) {
                let line = String::from_utf8_lossy(&input[from..from + length]).into_owned();
                self.obey(&line);
                from += length + 1;
            }
            self.flush();
            input.copy_within(from..filled, 0);
            filled -= from;
        }
    }

    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "ping" => self.say(format_args!("pong {rest}")),
            "game" | "set" => {
                let Some(rest) = (word == "game")
                    .then_some(rest)
                    .or(rest.strip_prefix("game "))
                else {
                    return;
                };
                let at = rest.find("BO[8 ").expect("a board") + 5;
                (self.board, self.color) =
                    parse_position(&rest[at..at + 66]).expect("64 squares and a side");
            }
            "move" if rest.eq_ignore_ascii_case("pa") => self.board = self.board.passed(),
            "move" => {
                let square = rest.parse().expect("a square");
                self.board = self.board.play(square).expect("a legal move");
            }
            "go" => self.go(),
            "quit" => self.end(),
            _ => {}
        }
    }

    fn go(&mut self) {
        self.questions += 1;
        if self.questions > TEST && self.begun.is_none() {
            self.begun = Some((Instant::now(), cpu_time()));
        }
        self.say(format_args!("status null is thinking"));
        if !self.manner.busy.is_zero() {
            let until = cpu_time() + self.manner.busy;
            while cpu_time() < until {}
        }
        let square = Squares(self.board.legal_moves())
            .next()
            .expect("nobody asks where there is no move");
        self.say(format_args!("=== {square} 0.00 0.0"));
        self.say(format_args!("status null is waiting"));
        self.last = Instant::now();
        if self.last - self.written > REPORT_EVERY {
            self.written = self.last;
            self.report();
        }
    }

    fn say(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.answers, "{line}").expect("memory takes it");
        if self.manner.flushes_each_line {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.answers.is_empty() {
            if rustix::io::write(rustix::stdio::stdout(), &self.answers).is_err() {
                self.end();
            }
            self.answers.clear();
        }
    }

    fn end(&self) -> ! {
        self.report();
        std::process::exit(0)
    }

    fn report(&self) {
        if let Some((begun, cpu)) = self.begun {
            // Always as long, in one write: whenever the engine is killed, the report is whole.
            let text = format!(
                "{:20} {:20} {:20}",
                self.questions - TEST,
                (self.last - begun).as_nanos(),
                (cpu_time() - cpu).as_nanos()
            );
            // Whoever reads it notices that it is missing.
            let _ = self.report.write_all_at(text.as_bytes(), 0);
        }
    }
}

fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&b| b == byte)
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

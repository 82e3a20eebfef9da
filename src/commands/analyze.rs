//! `rdg analyze`: a position with a score for every move.

use super::display::stdout_look;
use super::engines::{EngineName, Registry};
use super::runner::{Closing, End, Failure, Runner};
use super::thinking::while_thinking;
use crate::arena::analyze::report::report;
use crate::arena::analyze::{Analysis, Subject, json};
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::cli::AnalyzeArgs;
use crate::config::EngineSpec;
use crate::engine::builtin::{Evaluation, Reach, ScoreRule, Setting, Table, Threads, score_moves};
use crate::engine::{EngineError, MoveScore, launch};
use crate::records::MAX_GAME_BYTES;
use std::io::Read;
use std::process::ExitCode;

/// Analyses one position and shows it.
pub(super) fn run(args: &AnalyzeArgs) -> ExitCode {
    let runner = Runner::plain("analyze");
    let (subject, spec) = match understand(args) {
        Ok(understood) => understood,
        Err(message) => return runner.refuse(&message),
    };
    runner.run_at_once(
        |running| match analyse(args, subject, &spec, &running.stop) {
            Ok(analysis) => End::Finished(Closing::text(match args.json {
                true => format!("{:#}\n", json::object(&analysis)),
                false => report(&analysis, stdout_look(args.no_color)),
            })),
            Err(EngineError::Stopped) => Failure::Stopped.into(),
            Err(error) => Failure::Failed(error.to_string()).into(),
        },
    )
}

/// The position and the engine that were asked for.
fn understand(args: &AnalyzeArgs) -> Result<(Subject, EngineSpec), String> {
    let subject = match &args.file {
        Some(path) => Subject::from_record(path, args.record),
        None => {
            let words: Vec<&str> = args
                .position
                .iter()
                .chain(&args.more)
                .map(String::as_str)
                .collect();
            let text = match words[..] {
                ["-"] => from_stdin()?,
                _ => words.join(" "),
            };
            Subject::from_text(&text)
        }
    };
    let subject = subject.map_err(|error| error.to_string())?;
    let mut registry = Registry::new(args.app_config.as_deref())?;
    let name = EngineName::parse(&args.engine).ok_or_else(|| {
        format!(
            "`{}` is not an engine; write its name in {}, with a level after a colon if wanted",
            args.engine.shown(),
            registry.path().shown()
        )
    })?;
    let mut spec = registry.engine(&name, args.level, args.weights.as_deref())?;
    if let Some(threads) = args.threads {
        spec.threads = threads;
    }
    if !spec.entry.kind.is_embedded() {
        for (option, is_given) in [
            ("--depth", args.depth.is_some()),
            ("--weights", args.weights.is_some()),
        ] {
            if is_given {
                return Err(format!(
                    "{option} is for the embedded engine, not for `{}`",
                    name.name
                ));
            }
        }
    }
    Ok((subject, spec))
}

/// What comes from standard input, up to what a game may be long.
fn from_stdin() -> Result<String, String> {
    let mut text = String::new();
    let limit = MAX_GAME_BYTES as u64;
    match std::io::stdin().take(limit + 1).read_to_string(&mut text) {
        Ok(length) if length as u64 > limit => Err(format!(
            "standard input holds more than {limit} bytes; give one position or game"
        )),
        Ok(_) => Ok(text),
        Err(error) => Err(format!("cannot read standard input: {error}")),
    }
}

fn analyse(
    args: &AnalyzeArgs,
    subject: Subject,
    spec: &EngineSpec,
    stop: &Stop,
) -> Result<Analysis, EngineError> {
    let board = subject.board();
    let evaluation = match &spec.entry.eval_file {
        Some(path) if spec.entry.kind.is_embedded() => Some(path),
        _ => None,
    };
    let evaluation = match evaluation {
        Some(path) => Evaluation::from_file(path).map_err(|reason| EngineError::CannotStart {
            engine: spec.entry.name.clone(),
            reason: reason.into(),
        })?,
        None => Evaluation::default(),
    };
    let mut choice = None;
    let (moves, engine) = if board.legal_moves() == 0 {
        (Vec::new(), spec.entry.name.clone())
    } else if let Some(depth) = args.depth {
        let threads = Threads::new(spec.threads).map_err(|reason| EngineError::CannotStart {
            engine: spec.entry.name.clone(),
            reason: reason.into(),
        })?;
        let engine = format!("{} depth {depth}", spec.entry.name);
        let think = || to_depth(&subject, depth, &evaluation, &threads, stop);
        (while_thinking(&engine, think)?, engine)
    } else {
        let mut engine = launch(spec, stop)?;
        engine.new_game()?;
        let title = spec.title();
        while_thinking(&title, || -> Result<_, EngineError> {
            // First, for the scores of all moves leave nothing behind.
            if spec.entry.kind.is_embedded() && spec.move_time.is_none() {
                let (square, score) = engine.choose_with_score(&subject.game)?;
                choice = score.map(|score| (square, score));
            }
            Ok((engine.score_moves(&subject.game)?, title.clone()))
        })?
    };
    Ok(Analysis {
        evaluation: evaluation.explain(board),
        subject,
        engine,
        moves,
        choice,
    })
}

/// Scores of a search of exactly `depth` plies (to the end where it is nearer).
fn to_depth(
    subject: &Subject,
    depth: u32,
    evaluation: &Evaluation,
    threads: &Threads,
    stop: &Stop,
) -> Result<Vec<MoveScore>, EngineError> {
    let setting = Setting {
        evaluation,
        rule: ScoreRule::WinnerTakesEmpties,
        threads,
        stop: stop.flag(),
    };
    let mut table = Table::new(20);
    let board = subject.board();
    Ok(score_moves(
        board,
        Reach::Plies(depth),
        &mut table,
        &setting,
    )?)
}

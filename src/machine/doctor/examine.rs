//! The examination of one engine, from its files to its memory.

use super::advice;
use super::ask::{Answers, ask_passes, ask_positions};
use super::checkup::{Checkup, Patient};
use super::circumstances::Circumstances;
use super::finding::{Check, Finding, Verdict};
use super::games::{self, Played, Repeats, Speed};
use super::known;
use super::memory::{MemoryUse, peak_of_group};
use super::settings;
use super::text::time;
use crate::base::shown::Shown;
use crate::base::stop::Stop;
use crate::base::text::count;
use crate::config::{EngineKind, EngineSpec};
use crate::engine::kinds::profile;
use crate::engine::launch::{exact_empties, is_reproducible, memory_estimate};
use crate::engine::{Engine, EngineError, FailureKind, identify, launch};
use crate::machine::setup::missing_files;
use std::time::{Duration, Instant};

/// An engine whose moves take longer is not slowed down by waking threads up.
const QUICK_MOVE: Duration = Duration::from_millis(1);

/// How long an engine that did not start may take over the other protocol.
const PATIENCE: Duration = Duration::from_secs(10);

/// Examines an engine; `on_check` is told what is being looked at. Nothing that is wrong with it is
/// an error: it is a finding. No process of it is left.
///
/// # Errors
/// [`EngineError::Stopped`] when `stop` was requested.
pub(crate) fn examine(
    patient: &Patient,
    circumstances: &Circumstances,
    stop: &Stop,
    on_check: &dyn Fn(Check),
) -> Result<Checkup, EngineError> {
    let mut examination = Examination {
        checkup: Checkup {
            patient: patient.clone(),
            findings: Vec::new(),
            identity: None,
            starts: Vec::new(),
            speed: None,
            repeats: None,
            memory: None,
        },
        circumstances,
        stop,
        on_check,
    };
    let end = examination.run();
    if let Err((check, error)) = end {
        let spec = &patient.spec;
        let advice = match examination.other_protocol(check, &error) {
            Some(kind) => vec![advice::for_other_protocol(spec, kind)],
            None => advice::for_failure(spec, check, &error, circumstances),
        };
        let text = error.to_string().shown().to_string();
        examination.add(Finding::new(check, Verdict::Bad, text).advise(advice));
    }
    match stop.is_requested() {
        true => Err(EngineError::Stopped),
        false => Ok(examination.checkup),
    }
}

struct Examination<'a> {
    checkup: Checkup,
    circumstances: &'a Circumstances,
    stop: &'a Stop,
    on_check: &'a dyn Fn(Check),
}

/// A failure of the engine with what it was doing.
type Failed = (Check, EngineError);

impl Examination<'_> {
    fn add(&mut self, finding: Finding) {
        self.checkup.findings.push(finding);
    }

    fn tell(&self, check: Check) {
        (self.on_check)(check);
    }

    fn spec(&self) -> &EngineSpec {
        &self.checkup.patient.spec
    }

    fn run(&mut self) -> Result<(), Failed> {
        if !self.files() {
            return Ok(());
        }
        for finding in settings::before_start(self.spec(), self.circumstances) {
            self.add(finding);
        }
        self.tell(Check::Start);
        let mut engine = self.start()?;
        self.started();
        self.tell(Check::Positions);
        self.positions(&mut *engine).map_err(of(Check::Positions))?;
        self.passes(&mut *engine).map_err(of(Check::Passes))?;
        self.scores(&mut *engine)?;
        drop(engine);

        // Two new processes play the same games, so that nothing but chance can differ.
        self.tell(Check::Games);
        let mut engine = self.start()?;
        let played = self.games(&mut *engine).map_err(of(Check::Games))?;
        self.tell(Check::Repeats);
        let again = games::play_again(&mut *engine, played.iter().rev());
        let warm = again.map_err(of(Check::Repeats))?;
        self.memory(&*engine);
        drop(engine);
        let mut engine = self.start()?;
        let again = games::play_again(&mut *engine, &played);
        let cold = again.map_err(of(Check::Repeats))?;
        drop(engine);
        self.repeats(played.len(), &warm, &cold);
        self.speed();
        Ok(())
    }

    /// Whether all its files are there.
    fn files(&mut self) -> bool {
        let spec = self.spec().clone();
        let missing = missing_files(&spec);
        if !missing.is_empty() {
            let files: Vec<String> = missing
                .iter()
                .map(|file| {
                    let fault = match file.is_folder {
                        true => "is a folder",
                        false => "is missing",
                    };
                    format!("{} ({}) {fault}", file.path.shown(), file.key)
                })
                .collect();
            let advice = advice::for_missing(&spec, &missing, self.circumstances);
            let text = files.join(", ").shown().to_string();
            self.add(Finding::new(Check::Files, Verdict::Bad, text).advise(advice));
            return false;
        }
        match identify(&spec) {
            Ok(identity) => {
                let mut facts = Vec::new();
                let is_embedded = spec.entry.kind.is_embedded();
                facts.extend(
                    identity
                        .engine_ref
                        .as_deref()
                        .map(|text| match is_embedded {
                            true => text.to_owned(),
                            false => format!("revision {}", short(text)),
                        }),
                );
                let hash = |name: &str, hash: &Option<String>| {
                    hash.as_deref()
                        .map(|hash| format!("{name} SHA-256 {}", short(hash)))
                };
                facts.extend(hash("binary", &identity.engine_binary_sha256));
                facts.extend(hash("evaluation", &identity.eval_file_sha256));
                self.checkup.identity = Some(identity);
                self.add(Finding::good(Check::Files, facts.join(", ")));
            }
            Err(error) => {
                // A binary may be executable and yet unreadable; then only its hash is missing,
                // but without it no run can start.
                let text = error.to_string().shown().to_string();
                self.add(Finding::new(Check::Files, Verdict::Bad, text));
                return false;
            }
        }
        true
    }

    fn start(&mut self) -> Result<Box<dyn Engine>, Failed> {
        let began = Instant::now();
        let engine = launch(self.spec(), self.stop).map_err(of(Check::Start))?;
        self.checkup.starts.push(began.elapsed());
        Ok(engine)
    }

    /// An engine that understands nothing may speak the other protocol.
    fn other_protocol(&self, check: Check, error: &EngineError) -> Option<EngineKind> {
        let did_not_understand = match error.kind()? {
            FailureKind::StartTimedOut | FailureKind::Exited | FailureKind::Unintelligible => true,
            // What the start-up test found, not what the system refused.
            FailureKind::CannotStart => error.to_string().contains("start-up test"),
            _ => false,
        };
        if check != Check::Start || !did_not_understand {
            return None;
        }
        let mut other = self.spec().clone();
        other.entry.kind = profile(&other).sibling()?;
        other.startup_timeout = other.startup_timeout.min(PATIENCE);
        launch(&other, self.stop).ok().map(|_| other.entry.kind)
    }

    fn started(&mut self) {
        let spec = self.spec();
        let took = self.checkup.starts[0];
        let allowed = spec.startup_timeout;
        let text = format!("ready after {}, the start-up test passed", time(took));
        let finding = if took > allowed / 2 {
            let advice = format!(
                "it is given {} to start, and needs longer when all workers start at once: raise \
                 `startup_timeout` of [engines.{}]",
                time(allowed),
                spec.entry.name
            );
            Finding::new(Check::Start, Verdict::Warning, text).advise([advice])
        } else {
            Finding::good(Check::Start, text)
        };
        self.add(finding);
    }

    fn positions(&mut self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        let Answers {
            asked,
            endgames,
            found,
        } = ask_positions(engine, self.circumstances.time)?;
        let empties = known::ENDGAME_EMPTIES;
        let text = format!(
            "{asked} answers, all legal; {found} of {endgames} best moves with {empties} squares \
             empty"
        );
        let spec = self.spec();
        let is_exact = exact_empties(spec).is_some_and(|exact| exact >= empties);
        self.add(match found < endgames && is_exact {
            false => Finding::good(Check::Positions, text),
            true => Finding::new(Check::Positions, Verdict::Warning, text)
                .advise([advice::for_weak_endgame(spec)]),
        });
        Ok(())
    }

    fn passes(&mut self, engine: &mut dyn Engine) -> Result<(), EngineError> {
        ask_passes(engine)?;
        self.add(Finding::good(
            Check::Passes,
            "forced passes of both sides and ends with empty squares are understood",
        ));
        Ok(())
    }

    fn games(&mut self, engine: &mut dyn Engine) -> Result<Vec<Played>, EngineError> {
        // The same games are played three times.
        let time = self.circumstances.time / 3;
        let (played, times) = games::play_first(engine, time)?;
        let whole = games::whole(&played);
        let moves = count(times.len() as u64);
        let text = match (whole, played.len() - whole) {
            (0, _) if times.len() == 1 => "the first move of a game, which was legal".to_owned(),
            (0, _) => format!("the first {moves} moves of a game, all legal"),
            (1, 0) => format!("a whole game, {moves} moves, all legal"),
            (whole, 0) => format!("{whole} whole games, {moves} moves, all legal"),
            (whole, _) => {
                format!("{whole} whole games and a part of one, {moves} moves, all legal")
            }
        };
        let finding = match whole {
            0 => Finding::new(Check::Games, Verdict::Note, text).advise([
                "the time was over before the end of a game; --time 10m allows more".to_owned(),
            ]),
            _ => Finding::good(Check::Games, text),
        };
        self.add(finding);
        self.checkup.speed = Speed::new(whole, times);
        Ok(played)
    }

    /// Data can be made without scores, so nothing that goes wrong here makes it unusable.
    fn scores(&mut self, engine: &mut dyn Engine) -> Result<(), Failed> {
        let Some((game, best)) = known::endgames().into_iter().next() else {
            return Ok(());
        };
        let scores = engine.new_game().and_then(|()| engine.score_moves(&game));
        let finding = match scores {
            Ok(scores)
                if scores
                    .first()
                    .is_some_and(|first| first.exact && first.square != best) =>
            {
                Finding::new(
                    Check::Scores,
                    Verdict::Warning,
                    format!("scores that it calls exact have not {best} first, the best move"),
                )
                .advise([advice::for_weak_endgame(self.spec())])
            }
            Ok(scores) => Finding::good(
                Check::Scores,
                format!("a score for each of {} moves", scores.len()),
            ),
            Err(EngineError::CannotScore { .. }) => Finding::new(
                Check::Scores,
                Verdict::Note,
                "none: it can make data, but `rdg analyze` needs another engine",
            ),
            Err(error @ EngineError::Stopped) => return Err((Check::Scores, error)),
            Err(error) => Finding::new(
                Check::Scores,
                Verdict::Warning,
                error.to_string().shown().to_string(),
            )
            .advise(["it can make data all the same, but `rdg analyze` needs another".to_owned()]),
        };
        self.add(finding);
        Ok(())
    }

    fn memory(&mut self, engine: &dyn Engine) {
        let measured = engine.process_id().and_then(peak_of_group);
        let Some(bytes_each) = measured.or_else(|| memory_estimate(self.spec())) else {
            return;
        };
        let workers = self.circumstances.workers as u64;
        let usage = MemoryUse {
            bytes: bytes_each,
            is_measured: measured.is_some(),
            all_workers: bytes_each.saturating_mul(workers),
        };
        self.checkup.memory = Some(usage);
        self.add(settings::memory(self.spec(), usage, self.circumstances));
    }

    fn repeats(&mut self, games: usize, warm: &[String], cold: &[String]) {
        let repeats = Repeats {
            games,
            differing_warm: warm.len(),
            differing_cold: cold.len(),
            example: cold.first().or_else(|| warm.first()).cloned(),
        };
        let finding = advice::of_repeats(self.spec(), &repeats, is_reproducible(self.spec()));
        self.checkup.repeats = Some(repeats);
        self.add(finding);
    }

    fn speed(&mut self) {
        let Some(speed) = &self.checkup.speed else {
            return;
        };
        let spec = self.spec();
        let mut text = format!(
            "{} per move (median), {} at worst",
            time(speed.median),
            time(speed.worst)
        );
        if let Some(games) = speed.games_per_second() {
            text += &match games >= 1.0 {
                true => format!("; {games:.1} games per second and worker"),
                false => format!("; {} per game", time(Duration::from_secs_f64(1.0 / games))),
            };
        }
        let mut advice = Vec::new();
        let is_near_deadline = speed.worst > spec.timeout / 4;
        if is_near_deadline {
            advice.push(format!(
                "a move may take {}, and takes longer when all CPUs are busy: raise `timeout` or \
                 lower the level",
                time(spec.timeout)
            ));
        }
        if !spec.entry.kind.is_embedded() && speed.median < QUICK_MOVE && spec.threads == 1 {
            advice.extend(profile(spec).advice_on_speed(spec));
        }
        let verdict = match is_near_deadline {
            true => Verdict::Warning,
            false => Verdict::Good,
        };
        self.add(Finding::new(Check::Speed, verdict, text).advise(advice));
    }
}

fn of(check: Check) -> impl FnOnce(EngineError) -> Failed {
    move |error| (check, error)
}

/// The beginning of a hash, enough to compare by eye.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

//! The value of one position, whoever gives it.

use super::LabelError;
use crate::base::stop::Stop;
use crate::board::{Board, Color, Game, ScoreRule};
use crate::config::EngineSpec;
use crate::dataset::label::{LabelKind, Labeller as Named};
use crate::dataset::metadata::EngineFingerprint;
use crate::engine::builtin::{Builtin, REVISION, Solver};
use crate::engine::launch::{doubt_of_repeats, is_reproducible, launch, scoring};
use crate::engine::{Engine, EngineError, Scoring, identify};

/// How often an engine is asked about a position before that ends the work.
const TRIES: u32 = 3;

/// Who gives the values.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Method {
    /// The solver: the result with best play by both sides.
    Exact,
    /// The search of an engine.
    Engine(Box<EngineSpec>),
}

impl Method {
    /// Makes sure that this engine can score, and by this rule.
    ///
    /// # Errors
    /// [`LabelError::Unfit`] with what to do instead.
    pub(crate) fn check(&self, rule: ScoreRule) -> Result<(), LabelError> {
        let Method::Engine(spec) = self else {
            return Ok(());
        };
        let name = &spec.entry.name;
        let unfit = |why: String| Err(LabelError::Unfit(why.into()));
        if spec.move_time.is_some() {
            return unfit(format!(
                "engine `{name}` by time would give other values each time; name a level"
            ));
        }
        if spec.entry.kind.is_embedded() && spec.level == 0 {
            return unfit(format!(
                "level 0 of engine `{name}` draws its moves and scores nothing; name a level from 1"
            ));
        }
        match (scoring(spec), rule) {
            (Scoring::None, _) => unfit(
                EngineError::CannotScore {
                    engine: name.clone(),
                }
                .to_string(),
            ),
            (
                Scoring::WinnerTakesEmpties | Scoring::PerhapsWinnerTakesEmpties,
                ScoreRule::Plain,
            ) => unfit(format!(
                "engine `{name}` scores by the rule winner_takes_empties, but the values of \
                     this data count plain; use builtin or --exact, or data with the other rule"
            )),
            _ => Ok(()),
        }
    }

    /// As the files name it.
    ///
    /// # Errors
    /// The engine's files cannot be read.
    pub(crate) fn named(&self) -> Result<Named, LabelError> {
        let Method::Engine(spec) = self else {
            return Ok(Named {
                label: LabelKind::Exact,
                engine: None,
                level: None,
                revision: None,
                identity: None,
                reproducible: Some(true),
            });
        };
        let identity =
            identify(spec).map_err(|error| LabelError::Unfit(error.to_string().into()))?;
        Ok(Named {
            label: LabelKind::Score,
            engine: Some(spec.entry.name.clone()),
            level: spec.told_level(),
            revision: spec.entry.kind.is_embedded().then_some(REVISION),
            identity: Some(EngineFingerprint {
                engine_ref: identity.engine_ref,
                engine_binary_sha256: identity.engine_binary_sha256,
                eval_file_sha256: identity.eval_file_sha256,
            }),
            reproducible: match doubt_of_repeats(spec) {
                Some(_) => None,
                None => Some(is_reproducible(spec)),
            },
        })
    }
}

/// One who gives values, one position after the other.
pub(super) struct Labeller {
    method: Method,
    rule: ScoreRule,
    stop: Stop,
    by: By,
}

enum By {
    Nobody,
    Solver(Solver),
    Builtin(Builtin),
    Process(Box<dyn Engine>),
}

impl Labeller {
    /// Nothing is started before the first phase begins.
    pub(super) fn new(method: &Method, stop: &Stop) -> Labeller {
        Labeller {
            method: method.clone(),
            rule: ScoreRule::Plain,
            stop: stop.clone(),
            by: By::Nobody,
        }
    }

    /// Prepares for positions with so many empty squares whose values count by this rule.
    ///
    /// # Errors
    /// The engine cannot be started.
    pub(super) fn begin(&mut self, empties: u8, rule: ScoreRule) -> Result<(), EngineError> {
        self.rule = rule;
        match &self.method {
            Method::Exact => {
                let solver = Solver::new(u32::from(empties), rule, &self.stop);
                self.by = By::Solver(solver);
                Ok(())
            }
            Method::Engine(spec) if spec.entry.kind.is_embedded() => {
                let eval_file = spec.entry.eval_file.as_deref();
                let name = &spec.entry.name;
                let engine = Builtin::new(name, spec.level, 1, eval_file, &self.stop)?;
                self.by = By::Builtin(engine.with_rule(rule));
                Ok(())
            }
            Method::Engine(spec) => {
                if !matches!(self.by, By::Process(_)) {
                    self.by = By::Process(launch(spec, &self.stop)?);
                }
                Ok(())
            }
        }
    }

    /// The value of a position for its side to move. An engine that fails is started anew and asked
    /// again.
    ///
    /// # Errors
    /// [`LabelError::Interrupted`], or that the engine fails every time.
    pub(super) fn value(&mut self, board: Board) -> Result<i16, LabelError> {
        if board.legal_moves() == 0 {
            let passed = board.passed();
            return match passed.legal_moves() {
                0 => Ok(self.rule.final_score(board) as i16),
                _ => Ok(-self.value(passed)?),
            };
        }
        let mut tries = 1;
        loop {
            match self.score(board) {
                Ok(score) => return Ok(score.round() as i16),
                Err(EngineError::Stopped) => return Err(LabelError::Interrupted),
                Err(error) if self.stop.is_requested() => {
                    drop(error);
                    return Err(LabelError::Interrupted);
                }
                Err(
                    error @ (EngineError::CannotScore { .. } | EngineError::CannotStart { .. }),
                ) => {
                    return Err(LabelError::Unfit(error.to_string().into()));
                }
                Err(error) if tries == TRIES => return Err(LabelError::Engine { error, tries }),
                Err(_) => {
                    tries += 1;
                    self.by = By::Nobody;
                }
            }
        }
    }

    /// The score of the side to move, which has a legal move.
    fn score(&mut self, board: Board) -> Result<f64, EngineError> {
        if matches!(self.by, By::Nobody) {
            let empties = board.empties() as u8;
            self.begin(empties, self.rule)?;
        }
        match &mut self.by {
            By::Nobody => Err(EngineError::Stopped),
            By::Solver(solver) => Ok(f64::from(solver.value(board)?)),
            By::Builtin(engine) => {
                let game = Game::from_position(board, Color::Black);
                engine.new_game()?;
                let (_, score) = engine.choose_with_score(&game)?;
                score.ok_or_else(|| self.no_score("it gave a move without a score"))
            }
            By::Process(engine) => {
                let game = Game::from_position(board, Color::Black);
                engine.new_game()?;
                let moves = engine.score_moves(&game)?;
                let best = moves.iter().map(|m| m.score).max_by(f64::total_cmp);
                match best.filter(|score| score.abs() <= 64.0) {
                    Some(score) => Ok(score),
                    None => Err(self.no_score("the score of its best move is none from -64 to 64")),
                }
            }
        }
    }

    fn no_score(&self, what: &str) -> EngineError {
        let engine = match &self.method {
            Method::Exact => String::new(),
            Method::Engine(spec) => spec.entry.name.clone(),
        };
        EngineError::BadScores {
            engine,
            what: what.into(),
            stderr: String::new().into(),
        }
    }
}

//! How far the values of a dataset are from those that a labeller would give: nothing is written.

use super::difference::{Difference, PhaseDifference};
use super::input::{Input, InputPhase};
use super::labeller::Method;
use super::run::read;
use super::team::Team;
use super::{Empties, LabelError};
use crate::base::draw::draw;
use crate::base::stop::Stop;
use crate::base::text::count;
use crate::base::text_table::write_table;
use crate::board::ScoreRule;
use crate::dataset::DatasetError;
use crate::dataset::label::Labeller;
use crate::dataset::record::{RECORD_SIZE, Record};
use crate::dataset::rules::check_record;
use crate::progress::{Progress, Steps};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// What is to be compared.
#[derive(Clone, Debug)]
pub(crate) struct CompareRequest {
    /// A dataset, a phase or a file.
    pub input: PathBuf,
    /// Who gives the values that the old ones are held against.
    pub method: Method,
    /// Which positions.
    pub empties: Empties,
    /// Only so many records of each phase, drawn with this seed.
    pub sample: Option<(u64, u64)>,
    /// Searches at once.
    pub threads: usize,
    /// How values count where the data does not say.
    pub rule: Option<ScoreRule>,
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Comparison {
    /// As it was named.
    pub input: PathBuf,
    /// Who gave the other values.
    pub by: Labeller,
    /// Only so many records of each phase, drawn with this seed.
    pub sample: Option<(u64, u64)>,
    /// By phase, ascending.
    pub phases: Vec<PhaseDifference>,
}

/// Compares.
///
/// # Errors
/// See [`LabelError`]; a broken record ends it.
pub(crate) fn compare(
    request: &CompareRequest,
    progress: &Progress,
    stop: &Stop,
) -> Result<Comparison, LabelError> {
    let mut input = Input::open(&request.input, request.rule)?;
    input
        .phases
        .retain(|phase| request.empties.contains(&phase.empties()));
    if input.phases.is_empty() {
        return Err(LabelError::NothingInRange {
            path: request.input.clone(),
            first: *request.empties.start(),
            last: *request.empties.end(),
        });
    }
    for phase in &input.phases {
        request.method.check(phase.rule)?;
    }
    let by = request.method.named()?;
    let total: u64 = input
        .phases
        .iter()
        .map(|phase| wanted(phase, request.sample))
        .sum();
    progress.update(|now| {
        now.steps = Some(Steps {
            total: Some(total),
            unit: "position",
            ..Steps::default()
        });
    });
    let mut team = Team::new(&request.method, request.threads, stop);
    let mut phases = Vec::new();
    for phase in &input.phases {
        team.begin(phase.empties(), phase.rule)?;
        phases.push(PhaseDifference {
            phase: phase.phase,
            difference: compare_phase(phase, request, &mut team, progress, stop)?,
        });
    }
    Ok(Comparison {
        input: request.input.clone(),
        by,
        sample: request.sample,
        phases,
    })
}

fn wanted(phase: &InputPhase, sample: Option<(u64, u64)>) -> u64 {
    let all = phase.count();
    sample.map_or(all, |(count, _)| count.min(all))
}

fn compare_phase(
    phase: &InputPhase,
    request: &CompareRequest,
    team: &mut Team,
    progress: &Progress,
    stop: &Stop,
) -> Result<Difference, LabelError> {
    let mut difference = Difference::default();
    // Of each file the numbers of its records.
    let drawn = match request.sample {
        Some((count, seed)) if count < phase.count() => {
            // Each phase draws its own.
            let seed = seed.wrapping_add(u64::from(phase.phase));
            Some(draw(phase.count(), count, seed))
        }
        _ => None,
    };
    let mut before = 0;
    for file in &phase.files {
        let records = &file.records;
        let end = before + records.count();
        let mut next = 0;
        let mut numbers = drawn.as_ref().map(|all| {
            let own = all.iter().filter(|n| (before..end).contains(*n));
            own.map(|n| n - before).collect::<Vec<u64>>().into_iter()
        });
        loop {
            if stop.is_requested() {
                return Err(LabelError::Interrupted);
            }
            let old: Vec<(u64, Record)> = match &mut numbers {
                None if next < records.count() => {
                    let block = read(records, next, team.block())?;
                    let first = next;
                    next += block.len() as u64;
                    (first..).zip(block).collect()
                }
                None => break,
                Some(numbers) => {
                    let mut block = Vec::new();
                    for number in numbers.by_ref().take(team.block()) {
                        let mut bytes = [[0; RECORD_SIZE]];
                        records.read(number, &mut bytes)?;
                        block.push((number, Record::decode(&bytes[0])));
                    }
                    if block.is_empty() {
                        break;
                    }
                    block
                }
            };
            for (number, record) in &old {
                check_record(record, Some(phase.phase)).map_err(|fault| {
                    DatasetError::BadRecord {
                        path: records.path().to_owned(),
                        record: *number,
                        fault,
                    }
                })?;
            }
            let boards: Vec<_> = old.iter().map(|(_, record)| record.board).collect();
            for ((_, old), new) in old.iter().zip(team.values(&boards)?) {
                difference.count(old.value, new);
            }
            progress.update(|now| {
                if let Some(steps) = &mut now.steps {
                    steps.done += old.len() as u64;
                }
            });
        }
        before = end;
    }
    Ok(difference)
}

impl Comparison {
    /// Of all phases.
    pub(crate) fn all(&self) -> Difference {
        all(&self.phases)
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "schema": "rdg_label_compare_v1",
            "dataset": self.input.to_string_lossy(),
            "by": self.by,
            "sample_per_phase": self.sample.map(|(count, _)| count),
            "seed": self.sample.map(|(_, seed)| seed),
            "difference": "value of the dataset - value of the labeller, in discs",
            "all": self.all().json(),
            "phases": phases_json(&self.phases),
        })
    }

    /// For people.
    ///
    /// # Errors
    /// As those of `out`.
    pub(crate) fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "values of the dataset against the {}", self.by.title())?;
        write_differences(&self.phases, out)
    }
}

/// Of all phases.
pub(super) fn all(phases: &[PhaseDifference]) -> Difference {
    let mut sum = Difference::default();
    for phase in phases {
        sum.add(&phase.difference);
    }
    sum
}

/// A line for each phase, and one for all.
pub(super) fn write_differences(
    phases: &[PhaseDifference],
    out: &mut impl Write,
) -> io::Result<()> {
    let head = ["phase", "empties", "n", "mean", "MAE", "RMSE", "equal"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let row = |name: String, empties: String, d: &Difference| {
        let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.2}"));
        let share = d.share_equal();
        vec![
            name,
            empties,
            count(d.count),
            number(d.mean()),
            number(d.mae()),
            number(d.rmse()),
            share.map_or_else(|| "-".to_owned(), |x| format!("{:.1} %", x * 100.0)),
        ]
    };
    for phase in phases {
        let empties = (60 - phase.phase).to_string();
        rows.push(row(
            format!("{:02}", phase.phase),
            empties,
            &phase.difference,
        ));
    }
    if phases.len() > 1 {
        rows.push(row("all".to_owned(), String::new(), &all(phases)));
    }
    write_table(&rows, out)
}

/// A phase each.
pub(super) fn phases_json(phases: &[PhaseDifference]) -> Vec<Value> {
    let one = |phase: &PhaseDifference| {
        let mut object = phase.difference.json();
        object["phase"] = phase.phase.into();
        object["empties"] = (60 - phase.phase).into();
        object
    };
    phases.iter().map(one).collect()
}

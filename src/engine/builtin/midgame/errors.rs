//! How well shallow searches foretell deep ones: measured, and what selective search prunes by.
//!
//! For a pair of depths the deep value is `slope` × the shallow one + `bias`, with an error whose
//! standard deviation was measured on positions of the same stage ([`measure`](super::measure)).

use super::super::patterns::STAGES;
use super::super::patterns::stage;

/// The deepest search within the middle game that was measured; deeper ones are taken to be
/// foretold at least as well by searches that are as many plies shallower.
pub const MAX_DEPTH: u32 = 12;

/// The most empties from which searches to the end were measured.
pub const MAX_EMPTIES: u32 = 22;

/// The deepest search that foretells another.
pub const MAX_SHALLOW: u32 = 8;

/// What a deep search finds when a shallow one has found `x`: `slope` × `x` + `bias`, give or take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    /// In thousandths.
    pub slope: i32,
    /// In hundredths of a disc.
    pub bias: i32,
    /// Standard deviation of what is left, in hundredths of a disc.
    pub deviation: i32,
}

/// How far the deep search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deep {
    /// This many plies from a position of this stage.
    Plies(usize, u32),
    /// To the end, with this many empties.
    End(u32),
}

const SHALLOWS: usize = MAX_SHALLOW as usize + 1;
const DEPTHS: usize = MAX_DEPTH as usize + 1;
const EMPTIES: usize = MAX_EMPTIES as usize + 1;

/// The measured errors of one evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Errors {
    plies: Box<[[[Option<Error>; SHALLOWS]; DEPTHS]; STAGES]>,
    end: Box<[[Option<Error>; SHALLOWS]; EMPTIES]>,
}

impl Default for Errors {
    /// Nothing measured: nothing is pruned.
    fn default() -> Errors {
        Errors {
            plies: Box::new([[[None; SHALLOWS]; DEPTHS]; STAGES]),
            end: Box::new([[None; SHALLOWS]; EMPTIES]),
        }
    }
}

impl Errors {
    /// The measured error of a pair, if it was measured.
    pub fn get(&self, deep: Deep, shallow: u32) -> Option<Error> {
        *self.place(deep, shallow)?
    }

    /// Notes the error of a pair. Pairs beyond what is kept are left out.
    pub fn set(&mut self, deep: Deep, shallow: u32, error: Error) {
        let place = match deep {
            Deep::Plies(stage, depth) => self
                .plies
                .get_mut(stage)
                .and_then(|depths| depths.get_mut(depth as usize)),
            Deep::End(empties) => self.end.get_mut(empties as usize),
        };
        if let Some(place) = place.and_then(|row| row.get_mut(shallow as usize)) {
            *place = Some(error);
        }
    }

    fn place(&self, deep: Deep, shallow: u32) -> Option<&Option<Error>> {
        let row = match deep {
            Deep::Plies(stage, depth) => self.plies.get(stage)?.get(depth as usize)?,
            Deep::End(empties) => self.end.get(empties as usize)?,
        };
        row.get(shallow as usize)
    }

    /// The error with which a search of `shallow` plies foretells one of `depth` plies from a
    /// position with `discs` discs, or one to the end.
    #[inline(always)]
    pub(super) fn of(&self, discs: u32, depth: u32, is_end: bool, shallow: u32) -> Option<Error> {
        let row = if is_end {
            &self.end[depth.min(MAX_EMPTIES) as usize % EMPTIES]
        } else {
            &self.plies[stage(discs) % STAGES][depth.min(MAX_DEPTH) as usize % DEPTHS]
        };
        row[shallow as usize % SHALLOWS]
    }

    /// Reads what [`Errors::to_text`] writes; lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// The line that cannot be read.
    pub fn from_text(text: &str) -> Result<Errors, String> {
        let mut errors = Errors::default();
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let wrong = || format!("`{line}` does not tell the error of a pair of depths");
            let words: Vec<&str> = line.split_whitespace().collect();
            let [kind, numbers @ ..] = &words[..] else {
                return Err(wrong());
            };
            let numbers: Vec<i32> = numbers
                .iter()
                .map(|word| word.parse().map_err(|_| wrong()))
                .collect::<Result<_, _>>()?;
            let (deep, rest) = match (*kind, &numbers[..]) {
                ("end", [empties, rest @ ..]) => (Deep::End(*empties as u32), rest),
                ("plies", [stage, depth, rest @ ..]) => {
                    (Deep::Plies(*stage as usize, *depth as u32), rest)
                }
                _ => return Err(wrong()),
            };
            let &[shallow, slope, bias, deviation] = rest else {
                return Err(wrong());
            };
            let is_kept = errors.place(deep, shallow as u32).is_some();
            if !is_kept || slope <= 0 || deviation < 0 {
                return Err(wrong());
            }
            let error = Error {
                slope,
                bias,
                deviation,
            };
            errors.set(deep, shallow as u32, error);
        }
        Ok(errors)
    }

    /// One line per pair that was measured.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut write = |deep: String, row: &[Option<Error>]| {
            for (shallow, error) in row.iter().enumerate() {
                if let Some(e) = error {
                    text += &format!("{deep} {shallow} {} {} {}\n", e.slope, e.bias, e.deviation);
                }
            }
        };
        for (stage, depths) in self.plies.iter().enumerate() {
            for (depth, row) in depths.iter().enumerate() {
                write(format!("plies {stage} {depth}"), row);
            }
        }
        for (empties, row) in self.end.iter().enumerate() {
            write(format!("end {empties}"), row);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_was_written() {
        let mut errors = Errors::default();
        let error = |n: i32| Error {
            slope: 900 + n,
            bias: -n,
            deviation: 100 * n,
        };
        errors.set(Deep::Plies(3, 8), 2, error(1));
        errors.set(Deep::Plies(8, MAX_DEPTH), MAX_SHALLOW, error(2));
        errors.set(Deep::End(MAX_EMPTIES), 0, error(3));
        // Beyond what is kept.
        errors.set(Deep::End(MAX_EMPTIES + 1), 0, error(4));
        let text = format!("# stage, depth\n\n{}", errors.to_text());
        assert_eq!(Errors::from_text(&text), Ok(errors.clone()));
        assert_eq!(errors.get(Deep::End(MAX_EMPTIES), 0), Some(error(3)));
        assert_eq!(errors.get(Deep::End(9), 9), None);
    }

    #[test]
    fn lines_that_mean_nothing_are_named() {
        for line in [
            "plies 0 3 1 900 0",
            "end 3 1 x 0 5",
            "else 1 2 3 4 5",
            "end 99 1 900 0 5",
            "plies 9 3 1 900 0 5",
            "end 9 99 900 0 5",
            "end 9 -1 900 0 5",
            "end 9 1 0 0 5",
            "end 9 1 900 0 -5",
        ] {
            let fault = Errors::from_text(line).expect_err(line);
            assert!(fault.contains(line), "{fault}");
        }
    }
}

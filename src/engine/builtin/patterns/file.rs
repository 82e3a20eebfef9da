//! The file of pattern weights, to the byte as the README describes it.
//!
//! Version 2: magic, score rule, numbers of stages, shapes and move counts, the stages, the shapes,
//! the weights as i16 in steps of 1/200 disc, a CRC-32 of everything before. Version 1, still read:
//! magic, then for each of nine stages one byte per weight of the standard shapes, in eighths of a
//! disc. In both, contents that mirror each other are stored once.

use super::layout::{Layout, MOVE_COUNTS};
use super::shapes::{MAX_SHAPES, Shape, standard};
use super::stages::{MAX_STAGES, Stages};
use super::{Patterns, STEPS_PER_DISC};
use crate::base::shown::Shown;
use crate::board::{ScoreRule, Square};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What both versions begin with; the version follows as a digit.
const WORD: &[u8; 10] = b"RDGPATTERN";

/// First bytes of a file as it is written now.
pub(super) const MAGIC: &[u8; 11] = b"RDGPATTERN2";

/// First bytes of a file of the first version.
const MAGIC_1: &[u8; 11] = b"RDGPATTERN1";

/// Stages of the first version.
const STAGES_1: usize = 9;

/// Its weights per disc.
const PER_DISC_1: i16 = 8;

/// No file of weights is larger: 54 stages of 64 of the largest shapes would be.
const MAX_BYTES: u64 = 256 << 20;

/// Weights as they are stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The patterns.
    pub shapes: Vec<Shape>,
    /// The stages.
    pub stages: Stages,
    /// How the values were counted that the weights were fitted to, where it is known.
    pub score_rule: Option<ScoreRule>,
    /// For each stage its weights in the order of [`Layout`], in steps of 1/200 disc.
    pub weights: Vec<Vec<i16>>,
}

impl Patterns {
    /// Reads a file; `None` when it does not begin as one of pattern weights does.
    ///
    /// # Errors
    /// One sentence that names the file and says what is wrong.
    pub fn from_file(path: &Path) -> Result<Option<Patterns>, String> {
        let shown = path.shown();
        let unreadable = |e| format!("the weight file {shown} cannot be read: {e}");
        let found = std::fs::metadata(path).map_err(unreadable)?;
        if !found.is_file() {
            return Err(format!("the weight file {shown} is not a regular file"));
        }
        let mut file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        let head = WORD.len() as u64;
        file.by_ref()
            .take(head)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if bytes != WORD {
            return Ok(None);
        }
        if found.len() > MAX_BYTES {
            return Err(format!(
                "the weight file {shown} has {} bytes, more than any of pattern weights",
                found.len()
            ));
        }
        file.take(MAX_BYTES)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        Patterns::from_bytes(&bytes)
            .map(Some)
            .map_err(|fault| format!("the weight file {shown} {fault}"))
    }

    /// Reads a file's bytes. The error completes a sentence that begins with the file's name.
    pub fn from_bytes(bytes: &[u8]) -> Result<Patterns, String> {
        let (stored, layout) = Stored::read(bytes)?;
        Ok(Patterns::new(&stored, layout))
    }
}

impl Stored {
    /// Reads a file's bytes. The error completes a sentence that begins with the file's name.
    pub fn from_bytes(bytes: &[u8]) -> Result<Stored, String> {
        Stored::read(bytes).map(|(stored, _)| stored)
    }

    fn read(bytes: &[u8]) -> Result<(Stored, Layout), String> {
        if let Some(body) = bytes.strip_prefix(MAGIC_1.as_slice()) {
            return version_1(body);
        }
        match bytes.strip_prefix(MAGIC.as_slice()) {
            Some(body) => version_2(bytes, body),
            None if bytes.starts_with(WORD) && bytes.len() > WORD.len() => {
                Err("holds pattern weights of a version that this rdg does not know".to_owned())
            }
            None => Err("does not begin like a file of pattern weights".to_owned()),
        }
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(match self.score_rule {
            Some(ScoreRule::Plain) => 0,
            Some(ScoreRule::WinnerTakesEmpties) => 1,
            None => u8::MAX,
        });
        bytes.push(self.stages.number() as u8);
        bytes.push(self.shapes.len() as u8);
        bytes.push(MOVE_COUNTS as u8);
        bytes.extend((0..self.stages.number()).map(|stage| self.stages.discs(stage).0));
        for shape in &self.shapes {
            bytes.push(shape.squares().len() as u8);
            bytes.extend(shape.squares().iter().map(|square| square.index()));
        }
        let weights = self.weights.iter().flatten();
        bytes.extend(weights.flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

fn version_1(body: &[u8]) -> Result<(Stored, Layout), String> {
    let layout = Layout::new(standard());
    length_is(
        MAGIC_1.len() + STAGES_1 * layout.weights(),
        MAGIC_1.len() + body.len(),
    )?;
    // Both scales are whole numbers of steps: nothing is rounded.
    let step = STEPS_PER_DISC as i16 / PER_DISC_1;
    let of_stage = |stored: &[u8]| stored.iter().map(|&w| i16::from(w as i8) * step).collect();
    let stored = Stored {
        shapes: standard(),
        stages: Stages::equal(STAGES_1),
        score_rule: None,
        weights: body.chunks_exact(layout.weights()).map(of_stage).collect(),
    };
    Ok((stored, layout))
}

fn version_2(bytes: &[u8], body: &[u8]) -> Result<(Stored, Layout), String> {
    let mut head = body;
    let mut take = |count: usize| {
        let part = head.split_at_checked(count);
        let (part, rest) = part.ok_or("ends within its description")?;
        head = rest;
        Ok::<_, String>(part)
    };
    let &[rule, stages, shapes, counts] = take(4)? else {
        unreachable!("four bytes were taken");
    };
    let score_rule = match rule {
        0 => Some(ScoreRule::Plain),
        1 => Some(ScoreRule::WinnerTakesEmpties),
        u8::MAX => None,
        other => return Err(format!("names score rule {other}, which does not exist")),
    };
    let bad_stages = || format!("describes {stages} stages that no game has");
    if usize::from(stages) > MAX_STAGES {
        return Err(bad_stages());
    }
    let stages = Stages::from_firsts(take(usize::from(stages))?).ok_or_else(bad_stages)?;
    if usize::from(counts) != MOVE_COUNTS || !(1..=MAX_SHAPES).contains(&usize::from(shapes)) {
        return Err(format!(
            "describes {shapes} patterns and {counts} move counts; 1 to {MAX_SHAPES} and \
             {MOVE_COUNTS} are possible"
        ));
    }
    let mut all = Vec::new();
    for number in 1..=shapes {
        let squares = take(1)?[0];
        let squares = take(usize::from(squares))?.iter();
        let squares: Option<Vec<Square>> = squares
            .map(|&square| Square::ALL.get(usize::from(square)).copied())
            .collect();
        let shape = squares.ok_or_else(|| "names a square that the board has not".to_owned());
        let shape = shape.and_then(Shape::new);
        all.push(shape.map_err(|fault| format!("has a bad pattern: number {number} {fault}"))?);
    }
    // Refused by its length before anything large is made of a damaged description.
    let least: usize = all.iter().map(|shape| shape.contents().div_ceil(8)).sum();
    if 2 * stages.number() * least > bytes.len() {
        return Err("has fewer bytes than its description asks for".to_owned());
    }
    let layout = Layout::new(all.clone());
    let weights = 2 * stages.number() * layout.weights();
    length_is(bytes.len() - head.len() + weights + 4, bytes.len())?;
    let (content, sum) = bytes.split_at(bytes.len() - 4);
    if crc32fast::hash(content).to_le_bytes() != sum {
        return Err("is damaged: its checksum does not fit".to_owned());
    }
    let of_stage = |stored: &[u8]| {
        let weights = stored.as_chunks::<2>().0.iter();
        weights.map(|bytes| i16::from_le_bytes(*bytes)).collect()
    };
    let stored = Stored {
        shapes: all,
        stages,
        score_rule,
        weights: head[..weights]
            .chunks_exact(2 * layout.weights())
            .map(of_stage)
            .collect(),
    };
    Ok((stored, layout))
}

fn length_is(expected: usize, found: usize) -> Result<(), String> {
    let wrong = match found.cmp(&expected) {
        std::cmp::Ordering::Less => "fewer",
        std::cmp::Ordering::Equal => return Ok(()),
        std::cmp::Ordering::Greater => "more",
    };
    Err(format!(
        "has {wrong} than the {expected} bytes of a file of pattern weights"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::shapes::parse_shapes;
    use super::*;

    fn small() -> Stored {
        let shapes = parse_shapes("a1 b1 a2\nd4 e4 e5 d5\n").unwrap();
        let weights = Layout::new(shapes.clone()).weights();
        let weight = |stage: i16, at: usize| at as i16 * if stage == 0 { 1 } else { -300 };
        Stored {
            shapes,
            stages: Stages::equal(2),
            score_rule: Some(ScoreRule::WinnerTakesEmpties),
            weights: [0, 1]
                .map(|stage| (0..weights).map(|at| weight(stage, at)).collect())
                .to_vec(),
        }
    }

    #[test]
    fn bytes_are_read_as_they_were_written() {
        let stored = small();
        let bytes = stored.to_bytes();
        assert_eq!(Stored::from_bytes(&bytes), Ok(stored));
        // Three squares with one mirror: (27 + 9) / 2 contents; the ring: 21; twice 32 counts.
        let header = 11 + 4 + 2 + (1 + 3) + (1 + 4);
        assert_eq!(bytes.len(), header + 2 * 2 * (18 + 21 + 64) + 4);
    }

    #[test]
    fn the_embedded_weights_are_read() {
        assert!(Patterns::from_bytes(include_bytes!("weights.bin")).is_ok());
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_found() {
        let bytes = small().to_bytes();
        for end in 0..bytes.len() {
            assert!(Stored::from_bytes(&bytes[..end]).is_err(), "{end} bytes");
        }
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0x15;
            let fault = Stored::from_bytes(&bad).expect_err("a changed byte");
            assert!(!fault.contains(|c: char| c.is_control()), "{fault:?}");
        }
        let mut long = bytes;
        long.push(0);
        assert!(Stored::from_bytes(&long).unwrap_err().contains("more than"));
    }

    #[test]
    fn files_of_the_first_version_are_still_read() {
        let length = Layout::new(standard()).weights();
        let mut bytes = MAGIC_1.to_vec();
        bytes.extend((0..9 * length).map(|at| (at % 256) as u8));
        let stored = Stored::from_bytes(&bytes).unwrap();
        assert_eq!(stored.weights.len(), 9);
        assert_eq!(stored.weights[0][..3], [0, 25, 50]);
        assert_eq!(stored.weights[0][255], -25);
        bytes.pop();
        assert!(Stored::from_bytes(&bytes).unwrap_err().contains("fewer"));
    }

    #[test]
    fn an_unknown_version_is_called_so() {
        let fault = |bytes: &[u8]| Stored::from_bytes(bytes).unwrap_err();
        assert!(fault(b"RDGPATTERN3").contains("a version that"));
        assert!(fault(b"RDGPATTERN").contains("does not begin"));
        assert!(fault(b"").contains("does not begin"));
    }
}

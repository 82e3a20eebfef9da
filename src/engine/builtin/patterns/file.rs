//! The file of pattern weights: a magic line, then for each stage one byte per weight, contents
//! that mirror each other stored once.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::shapes::SHAPES;
use super::{MOVE_COUNTS, Patterns, STAGES, Stage, instance_offsets, sums, table_offsets};

/// First bytes of the file.
pub const MAGIC: &[u8; 11] = b"RDGPATTERN1";

/// Weights of a stage as they are stored: every shape's, then those of the move counts.
pub(super) struct Layout {
    /// For each content of each shape, in the order of the search's tables, the number of its
    /// stored weight.
    pub(super) number_of: Vec<u32>,
    /// Stored weights of a stage.
    pub(super) length: usize,
    /// The first of the weights by own moves; those by the opponent's follow.
    pub(super) moves_at: usize,
}

impl Layout {
    pub(super) fn new() -> Layout {
        let mut number_of = Vec::new();
        let mut length = 0;
        for shape in &SHAPES {
            let (numbers, count) = shape.weight_numbers();
            number_of.extend(numbers.iter().map(|n| n + length as u32));
            length += count;
        }
        Layout {
            number_of,
            length: length + 2 * MOVE_COUNTS,
            moves_at: length,
        }
    }
}

impl Patterns {
    /// Reads a file; `None` when it does not begin as one of pattern weights does.
    ///
    /// # Errors
    /// One sentence that names the file and says what is wrong.
    pub fn from_file(path: &Path) -> Result<Option<Patterns>, String> {
        let shown = path.display();
        let unreadable = |e| format!("the weight file {shown} cannot be read: {e}");
        if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(format!("the weight file {shown} is not a regular file"));
        }
        let mut file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        let head = MAGIC.len() as u64;
        file.by_ref()
            .take(head)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if bytes != MAGIC {
            return Ok(None);
        }
        // One byte more than a whole file has is enough to see that it is too long.
        let rest = (STAGES * Layout::new().length + 1) as u64;
        file.take(rest)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        Patterns::from_bytes(&bytes)
            .map(Some)
            .map_err(|fault| format!("the weight file {shown} {fault}"))
    }

    /// Reads a file's bytes. The error completes a sentence that begins with the file's name.
    pub fn from_bytes(bytes: &[u8]) -> Result<Patterns, String> {
        let Some(body) = bytes.strip_prefix(MAGIC.as_slice()) else {
            return Err("does not begin like a file of pattern weights".to_owned());
        };
        let layout = Layout::new();
        if body.len() != STAGES * layout.length {
            let expected = MAGIC.len() + STAGES * layout.length;
            let wrong = if bytes.len() < expected {
                "fewer"
            } else {
                "more"
            };
            return Err(format!(
                "has {wrong} than the {expected} bytes of a file of pattern weights"
            ));
        }
        let stages = body
            .chunks_exact(layout.length)
            .map(|stored| Stage::from_stored(&layout, stored))
            .collect();
        Ok(Patterns {
            stages,
            offsets: instance_offsets(),
            sums: sums(),
            errors: None,
        })
    }
}

impl Stage {
    fn from_stored(layout: &Layout, stored: &[u8]) -> Stage {
        debug_assert_eq!(layout.number_of.len(), table_offsets().1);
        let weight = |number: usize| stored[number] as i8;
        let moves = |at: usize| std::array::from_fn(|count| weight(at + count));
        Stage {
            patterns: layout
                .number_of
                .iter()
                .map(|&number| weight(number as usize))
                .collect(),
            own_moves: moves(layout.moves_at),
            opponent_moves: moves(layout.moves_at + MOVE_COUNTS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_weights_are_read() {
        assert!(Patterns::from_bytes(include_bytes!("weights.bin")).is_ok());
    }

    #[test]
    fn faulty_files_are_refused() {
        let good = include_bytes!("weights.bin");
        let short = Patterns::from_bytes(&good[..good.len() - 1]);
        assert!(short.err().is_some_and(|e| e.contains("bytes")));
        assert!(Patterns::from_bytes(b"").is_err());
        assert!(Patterns::from_bytes(b"RDGPATTERN2").is_err());
        let mut long = good.to_vec();
        long.push(0);
        assert!(Patterns::from_bytes(&long).is_err());
    }
}

//! The formats: one file each, behind one trait.

mod csv;
mod egaroucid;
mod neural_reversi;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_moves;
pub(super) mod pgn;
mod raw;
mod rd;
mod text;

use super::error::ExportError;
use super::options::{AcceptedRule, ExportOptions, FormatName, Layout};
use super::row::Row;
use super::source::Sources;
use std::fs::File;
use std::io::{self, Write};

/// How the files of a split are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    /// `train.rd`, or `train-00000.rd` where the number of records is limited.
    OfSplit,
    /// `train-00000-of-00003.parquet`.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    OfTotal,
    /// `0.dat`, with so many digits at least; splits are folders.
    Numbered {
        /// Digits.
        digits: usize,
    },
}

/// Rows encoded, on any thread.
pub(super) enum Piece {
    /// Appended as they are.
    Bytes(Vec<u8>),
    /// Columns of a row group.
    #[cfg(feature = "parquet")]
    RowGroup(parquet::RowGroup),
}

/// A format that rows are written in.
pub(super) trait Exporter: Send + Sync {
    /// As `--format` names it.
    fn name(&self) -> &'static str;

    /// Ending of the files.
    fn extension(&self) -> &'static str;

    /// Names of the files.
    fn naming(&self) -> Naming {
        Naming::OfSplit
    }

    /// Folders, where the user names none.
    fn layout(&self) -> Layout {
        Layout::Single
    }

    /// Records of a file, where the user names no limit.
    fn max_records(&self) -> Option<u64> {
        None
    }

    /// Rows of each piece, where the file's bytes depend on that.
    fn piece_rows(&self) -> Option<usize> {
        None
    }

    /// The score rule that its readers take for granted.
    fn prescribed_rule(&self) -> Option<AcceptedRule> {
        None
    }

    /// Whether a record tells its split, so that several may share a file.
    fn tells_split(&self) -> bool {
        false
    }

    /// A record in words.
    fn record_spec(&self) -> String;

    /// What stands in a record though the data does not have it.
    fn invented(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Encodes rows; called from many threads at once.
    ///
    /// # Errors
    /// A library refused.
    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError>;

    /// The bytes in front of the records, for so many of them. Always as long for any number.
    fn header(&self, _records: u64) -> Vec<u8> {
        Vec::new()
    }

    /// Begins a file.
    ///
    /// # Errors
    /// The system refused to write.
    fn begin(&self, file: File) -> io::Result<Box<dyn Sink>> {
        let mut sink = Bytes { file };
        sink.file.write_all(&self.header(0))?;
        Ok(Box::new(sink))
    }
}

/// A file being written.
pub(super) trait Sink: Send {
    /// Appends a piece.
    fn append(&mut self, piece: Piece) -> io::Result<()>;

    /// Writes what stands at the end, and gives the file back.
    fn finish(self: Box<Self>) -> io::Result<File>;
}

/// Pieces one after another.
struct Bytes {
    file: File,
}

impl Sink for Bytes {
    fn append(&mut self, piece: Piece) -> io::Result<()> {
        match piece {
            Piece::Bytes(bytes) => self.file.write_all(&bytes),
            #[cfg(feature = "parquet")]
            Piece::RowGroup(_) => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        Ok(self.file)
    }
}

/// The exporter of the format that is asked for, for data of this rule and label.
///
/// # Errors
/// A format that this program was built without.
pub(super) fn exporter(
    options: &ExportOptions,
    sources: &Sources,
) -> Result<Box<dyn Exporter>, ExportError> {
    Ok(match options.format {
        FormatName::Rd => Box::new(rd::Rd),
        FormatName::Raw => Box::new(raw::Raw { size: options.pad }),
        FormatName::Egaroucid => Box::new(egaroucid::Egaroucid),
        FormatName::Text => Box::new(text::Text),
        FormatName::NeuralReversi => Box::new(neural_reversi::NeuralReversi {
            is_result: sources.label == "result",
        }),
        FormatName::Npy => Box::new(npy::Npy),
        FormatName::Csv => Box::new(csv::Csv),
        FormatName::Games => return Err(ExportError::GamesOptions),
        #[cfg(feature = "parquet")]
        FormatName::Parquet => {
            Box::new(parquet::Parquet::new(&sources.score_rule, &sources.label)?)
        }
        #[cfg(not(feature = "parquet"))]
        FormatName::Parquet => return Err(ExportError::NotBuilt { format: "parquet" }),
    })
}

/// Rows of a fixed size, each written into its place.
fn fixed<const SIZE: usize>(rows: &[Row], write: impl Fn(&Row, &mut [u8; SIZE])) -> Piece {
    let mut bytes = vec![0; rows.len() * SIZE];
    for (row, record) in rows.iter().zip(bytes.as_chunks_mut().0) {
        write(row, record);
    }
    Piece::Bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::dataset::split::Split;

    /// Only a1 for the mover, only h8 for the other: shows the order of the bits.
    pub(super) const CORNERS: Row = Row {
        board: Board {
            own: 1,
            opponent: 1 << 63,
        },
        value: -3,
        split: Some(Split::Valid),
    };

    pub(super) fn bytes(exporter: &dyn Exporter, rows: &[Row]) -> Vec<u8> {
        match exporter.encode(rows).unwrap() {
            Piece::Bytes(bytes) => bytes,
            #[cfg(feature = "parquet")]
            Piece::RowGroup(_) => panic!("no row group was expected"),
        }
    }

    #[test]
    fn the_corners_show_the_order_of_bits() {
        let a1_h8 = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80];
        let h8_a1 = [0, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(
            bytes(&rd::Rd, &[CORNERS]),
            [&a1_h8[..], &[0xfd, 0xff]].concat()
        );
        let raw = |size| bytes(&raw::Raw { size }, &[CORNERS, CORNERS]);
        let packed = [&a1_h8[..], &[0xfd, 0xff]].concat();
        assert_eq!(raw(18), packed.repeat(2));
        let padded = [&packed[..], &[0; 6]].concat();
        assert_eq!(raw(24), padded.repeat(2));
        assert_eq!(
            bytes(&egaroucid::Egaroucid, &[CORNERS]),
            [&h8_a1[..], &[0, 64, 0xfd]].concat()
        );
        let text = format!("X{}O -3\n", "-".repeat(62));
        assert_eq!(bytes(&text::Text, &[CORNERS]), text.as_bytes());
        let csv = format!("X{}O,-3,0,valid\n", "-".repeat(62));
        assert_eq!(bytes(&csv::Csv, &[CORNERS]), csv.as_bytes());
    }

    #[test]
    fn neural_reversi_reads_the_right_one_of_its_two_values() {
        let record = |is_result| bytes(&neural_reversi::NeuralReversi { is_result }, &[CORNERS]);
        // −3 as f32 is c0400000.
        let score = [0x00, 0x00, 0x40, 0xc0];
        assert_eq!(
            record(true)[16..],
            [&score[..], &[0xfd, 0, 0, 64, 0, 0, 0]].concat()
        );
        assert_eq!(
            record(false)[16..],
            [&score[..], &[0x80, 0, 1, 64, 0, 0, 0]].concat()
        );
    }

    #[test]
    fn the_header_of_npy_is_that_of_its_first_version() {
        let header = npy::Npy.header(12_345);
        assert_eq!(header.len() % 64, 0);
        assert_eq!(&header[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(header[8]) + 256 * usize::from(header[9]);
        assert_eq!(length + 10, header.len());
        let text = std::str::from_utf8(&header[10..]).unwrap();
        assert!(text.contains("'shape': (12345,)"), "{text}");
        assert!(text.ends_with('\n'));
        assert_eq!(npy::Npy.header(u64::MAX).len(), header.len());
    }
}

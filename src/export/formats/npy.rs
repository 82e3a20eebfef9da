//! `npy`: one structured array a file, for `numpy.load`, also with `mmap_mode`.
//!
//! Format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>, version 1.0.

use super::{Exporter, Piece, Sink, rd};
use crate::dataset::record::{RECORD_SIZE, RECORD_SPEC};
use crate::export::error::ExportError;
use crate::export::row::Row;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// Of a header for any number of records; a multiple of 64, so that the data is aligned.
const HEADER: usize = 192;

/// An `.npy` file.
pub(super) struct Npy;

impl Exporter for Npy {
    fn name(&self) -> &'static str {
        "npy"
    }

    fn extension(&self) -> &'static str {
        "npy"
    }

    fn record_spec(&self) -> String {
        format!("structured array of {RECORD_SPEC}")
    }

    fn header(&self, records: u64) -> Vec<u8> {
        let mut header = b"\x93NUMPY\x01\x00".to_vec();
        header.extend((HEADER as u16 - 10).to_le_bytes());
        let dict = format!(
            "{{'descr': [('own', '<u8'), ('opponent', '<u8'), ('value', '<i2')], 'fortran_order': False, \
             'shape': ({records},), }}"
        );
        header.extend(dict.bytes());
        header.resize(HEADER - 1, b' ');
        header.push(b'\n');
        header
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        rd::Rd.encode(rows)
    }

    fn begin(&self, mut file: File) -> io::Result<Box<dyn Sink>> {
        file.write_all(&self.header(0))?;
        Ok(Box::new(Array { file, bytes: 0 }))
    }
}

/// An array whose length is written into its header at the end.
struct Array {
    file: File,
    bytes: u64,
}

impl Sink for Array {
    fn append(&mut self, piece: Piece) -> io::Result<()> {
        match piece {
            Piece::Bytes(bytes) => {
                self.bytes += bytes.len() as u64;
                self.file.write_all(&bytes)
            }
            #[cfg(feature = "parquet")]
            Piece::RowGroup(_) => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<File> {
        self.file.seek(SeekFrom::Start(0))?;
        let records = self.bytes / RECORD_SIZE as u64;
        self.file.write_all(&Npy.header(records))?;
        Ok(self.file)
    }
}

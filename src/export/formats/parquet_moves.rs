//! `games` into `.parquet`: the columns of a position, and those of the move that was made in it.

use super::parquet::{into_io, refused};
use crate::base::version::GENERATOR_VERSION;
use crate::board::Color;
use crate::export::error::ExportError;
use crate::export::moves::MoveRow;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Rows of a group.
const GROUP: usize = 1 << 17;

const SCHEMA: &str = "message moves {
    REQUIRED INT64 own (INTEGER(64,false));
    REQUIRED INT64 opponent (INTEGER(64,false));
    REQUIRED INT32 value (INTEGER(16,true));
    REQUIRED INT32 phase (INTEGER(8,false));
    OPTIONAL BYTE_ARRAY split (STRING);
    REQUIRED BYTE_ARRAY side (STRING);
    REQUIRED BYTE_ARRAY move (STRING);
    OPTIONAL FLOAT score;
    REQUIRED INT64 game (INTEGER(64,false));
    REQUIRED INT32 ply (INTEGER(8,false));
    REQUIRED BOOLEAN self_play;
}";

/// A file of moves that is being written.
pub(crate) struct ParquetMoves {
    writer: SerializedFileWriter<File>,
    rows: Vec<MoveRow>,
}

impl ParquetMoves {
    /// With the rule of the values in the file's own metadata.
    pub(crate) fn new(file: File, score_rule: &str) -> Result<ParquetMoves, ExportError> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(|e| refused(&e))?);
        let rule = KeyValue::new("rdg.score_rule".to_owned(), score_rule.to_owned());
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("rdg {GENERATOR_VERSION}"))
            .set_key_value_metadata(Some(vec![rule]));
        for boards in ["own", "opponent"] {
            properties = properties
                .set_column_dictionary_enabled(ColumnPath::from(boards), false)
                .set_column_encoding(ColumnPath::from(boards), Encoding::BYTE_STREAM_SPLIT);
        }
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()));
        Ok(ParquetMoves {
            writer: writer.map_err(|e| refused(&e))?,
            rows: Vec::new(),
        })
    }

    /// Where rows are appended; [`ParquetMoves::flush`] is due now and then.
    pub(crate) fn rows(&mut self) -> &mut Vec<MoveRow> {
        &mut self.rows
    }

    /// Writes the rows as a group once they are many enough.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self.rows.len() >= GROUP {
            true => self.write_group().map_err(into_io),
            false => Ok(()),
        }
    }

    /// Writes what is left, and the end of the file.
    pub(crate) fn finish(mut self) -> io::Result<File> {
        if !self.rows.is_empty() {
            self.write_group().map_err(into_io)?;
        }
        self.writer.into_inner().map_err(into_io)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.writer.next_row_group()?;
        let mut number = 0;
        while let Some(mut column) = group.next_column()? {
            write_column(column.untyped(), number, &rows)?;
            column.close()?;
            number += 1;
        }
        group.close()?;
        Ok(())
    }
}

/// The column of that number in [`SCHEMA`].
fn write_column(
    writer: &mut ColumnWriter<'_>,
    number: usize,
    rows: &[MoveRow],
) -> Result<(), ParquetError> {
    match writer {
        ColumnWriter::Int64ColumnWriter(writer) => {
            let of = |row: &MoveRow| match number {
                0 => row.board.own,
                1 => row.board.opponent,
                _ => row.game,
            };
            let values: Vec<i64> = rows.iter().map(|row| of(row).cast_signed()).collect();
            writer.write_batch(&values, None, None)?;
        }
        ColumnWriter::Int32ColumnWriter(writer) => {
            let of = |row: &MoveRow| match number {
                2 => i32::from(row.result),
                3 => i32::from(row.board.phase()),
                _ => i32::from(row.ply),
            };
            let values: Vec<i32> = rows.iter().map(of).collect();
            writer.write_batch(&values, None, None)?;
        }
        ColumnWriter::ByteArrayColumnWriter(writer) if number == 4 => {
            let splits = rows.iter().filter_map(|row| row.split);
            let values: Vec<ByteArray> = splits.map(|split| split.name().into()).collect();
            let levels: Vec<i16> = rows.iter().map(|r| i16::from(r.split.is_some())).collect();
            writer.write_batch(&values, Some(&levels), None)?;
        }
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let of = |row: &MoveRow| match (number, row.side) {
                (5, Color::Black) => ByteArray::from("black"),
                (5, Color::White) => ByteArray::from("white"),
                _ => ByteArray::from(row.square.to_string().as_str()),
            };
            let values: Vec<ByteArray> = rows.iter().map(of).collect();
            writer.write_batch(&values, None, None)?;
        }
        ColumnWriter::FloatColumnWriter(writer) => {
            let scores = rows.iter().filter_map(|row| row.score);
            let values: Vec<f32> = scores.map(|score| score.discs() as f32).collect();
            let levels: Vec<i16> = rows.iter().map(|r| i16::from(r.score.is_some())).collect();
            writer.write_batch(&values, Some(&levels), None)?;
        }
        ColumnWriter::BoolColumnWriter(writer) => {
            let values: Vec<bool> = rows.iter().map(|row| row.self_play).collect();
            writer.write_batch(&values, None, None)?;
        }
        _ => return Err(ParquetError::General("a column of another type".to_owned())),
    }
    Ok(())
}

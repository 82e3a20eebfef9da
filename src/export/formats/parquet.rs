//! `parquet`: for Polars, PyArrow, DuckDB and the HuggingFace hub.
//!
//! Bitboards are next to random, so they are written as streams of their bytes (squares of the edge
//! compress, those of the centre hardly); values, phases and splits as dictionaries. Each row group is
//! encoded by one thread, and can be read without the others.

use super::{Exporter, Naming, Piece, Sink};
use crate::export::error::ExportError;
use crate::export::row::{Row, split_name};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, SchemaDescriptor, TypePtr};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Rows of a group: large enough to be read fast, small enough to be read apart.
const GROUP: usize = 1 << 17;

const SCHEMA: &str = "message positions {
    REQUIRED INT64 own (INTEGER(64,false));
    REQUIRED INT64 opponent (INTEGER(64,false));
    REQUIRED INT32 value (INTEGER(16,true));
    REQUIRED INT32 phase (INTEGER(8,false));
    REQUIRED BYTE_ARRAY split (STRING);
}";

/// Columns own, opponent, value, phase, split.
pub(crate) struct Parquet {
    schema: TypePtr,
    columns: SchemaDescriptor,
    properties: WriterPropertiesPtr,
}

/// The columns of a row group, each with what its writer said at the end.
pub(crate) struct RowGroup {
    columns: Vec<(Bytes, ColumnCloseResult)>,
}

impl Parquet {
    /// With what the values are in the file's own metadata.
    pub(crate) fn new(score_rule: &str, label: &str) -> Result<Parquet, ExportError> {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(|e| refused(&e))?);
        let said = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("rdg {}", crate::base::version::GENERATOR_VERSION))
            .set_key_value_metadata(Some(vec![
                said("rdg.score_rule", score_rule),
                said("rdg.label", label),
            ]));
        for boards in ["own", "opponent"] {
            properties = properties
                .set_column_dictionary_enabled(ColumnPath::from(boards), false)
                .set_column_encoding(ColumnPath::from(boards), Encoding::BYTE_STREAM_SPLIT);
        }
        Ok(Parquet {
            columns: SchemaDescriptor::new(schema.clone()),
            schema,
            properties: Arc::new(properties.build()),
        })
    }

    fn column(
        &self,
        number: usize,
        rows: &[Row],
    ) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        let mut sink = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut sink));
        let description = self.columns.column(number);
        let mut writer = get_column_writer(description, self.properties.clone(), pages);
        match (&mut writer, number) {
            (ColumnWriter::Int64ColumnWriter(writer), 0) => {
                let own: Vec<i64> = rows.iter().map(|r| r.board.own.cast_signed()).collect();
                writer.write_batch(&own, None, None)?;
            }
            (ColumnWriter::Int64ColumnWriter(writer), _) => {
                let other = rows.iter().map(|r| r.board.opponent.cast_signed());
                writer.write_batch(&other.collect::<Vec<i64>>(), None, None)?;
            }
            (ColumnWriter::Int32ColumnWriter(writer), 2) => {
                let values: Vec<i32> = rows.iter().map(|r| i32::from(r.value)).collect();
                writer.write_batch(&values, None, None)?;
            }
            (ColumnWriter::Int32ColumnWriter(writer), _) => {
                let phases: Vec<i32> = rows.iter().map(|r| i32::from(r.phase())).collect();
                writer.write_batch(&phases, None, None)?;
            }
            (ColumnWriter::ByteArrayColumnWriter(writer), _) => {
                let splits: Vec<ByteArray> = rows
                    .iter()
                    .map(|r| ByteArray::from(split_name(r.split)))
                    .collect();
                writer.write_batch(&splits, None, None)?;
            }
            _ => return Err(ParquetError::General("a column of another type".to_owned())),
        }
        let closed = writer.close()?;
        let bytes = sink
            .into_inner()
            .map_err(|error| ParquetError::General(error.to_string()))?;
        Ok((bytes.into(), closed))
    }
}

impl Exporter for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn extension(&self) -> &'static str {
        "parquet"
    }

    fn naming(&self) -> Naming {
        Naming::OfTotal
    }

    fn piece_rows(&self) -> Option<usize> {
        Some(GROUP)
    }

    fn tells_split(&self) -> bool {
        true
    }

    fn record_spec(&self) -> String {
        "columns own u64, opponent u64 (bit 0 = a1), value i16 for the side to move, phase u8 (discs - \
         4), split string; zstd"
            .to_owned()
    }

    fn encode(&self, rows: &[Row]) -> Result<Piece, ExportError> {
        let columns: Result<Vec<_>, ParquetError> = (0..self.columns.num_columns())
            .map(|number| self.column(number, rows))
            .collect();
        Ok(Piece::RowGroup(RowGroup {
            columns: columns.map_err(|e| refused(&e))?,
        }))
    }

    fn begin(&self, file: File) -> io::Result<Box<dyn Sink>> {
        let writer = SerializedFileWriter::new(file, self.schema.clone(), self.properties.clone())
            .map_err(into_io)?;
        Ok(Box::new(Groups { writer }))
    }
}

struct Groups {
    writer: SerializedFileWriter<File>,
}

impl Sink for Groups {
    fn append(&mut self, piece: Piece) -> io::Result<()> {
        let Piece::RowGroup(group) = piece else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let mut row_group = self.writer.next_row_group().map_err(into_io)?;
        for (bytes, closed) in group.columns {
            row_group.append_column(&bytes, closed).map_err(into_io)?;
        }
        row_group.close().map_err(into_io)?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        self.writer.into_inner().map_err(into_io)
    }
}

pub(super) fn refused(error: &ParquetError) -> ExportError {
    ExportError::Encode {
        format: "parquet",
        reason: error.to_string().into(),
    }
}

/// What the system said stands inside the library's error.
pub(super) fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

//! The thread that writes: pieces come in order, each goes to the end of its file.

use super::error::ExportError;
use super::files::SLOTS;
use super::formats::{Exporter, Piece, Sink};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Receiver;

/// A task's rows, encoded.
pub(super) struct Encoded {
    /// Where they go.
    pub slot: usize,
    /// Number of the file in its slot.
    pub file: usize,
    /// How many rows.
    pub rows: u64,
    /// What they have become.
    pub piece: Piece,
}

/// A file that is whole and on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Written {
    /// Which slot it belongs to.
    pub slot: usize,
    /// Its number there.
    pub file: usize,
    /// Where it is for the time being.
    pub path: PathBuf,
    /// Rows in it.
    pub records: u64,
    /// Its length.
    pub bytes: u64,
}

struct Open {
    file: usize,
    path: PathBuf,
    records: u64,
    sink: Box<dyn Sink>,
}

/// Writes all that comes, and gives the files in the order of slots and numbers. An export that is
/// given up leaves files as they are: nobody will see them.
pub(super) fn write(
    exporter: &dyn Exporter,
    folder: &Path,
    pieces: &Receiver<Encoded>,
    given_up: &AtomicBool,
) -> Result<Vec<Written>, ExportError> {
    let mut open: Vec<Option<Open>> = (0..SLOTS).map(|_| None).collect();
    let mut written = Vec::new();
    for Encoded {
        slot,
        file,
        rows,
        piece,
    } in pieces
    {
        let place = &mut open[slot];
        if let Some(before) = place.take_if(|open| open.file != file) {
            written.push(finish(slot, before)?);
        }
        let open = match place {
            Some(open) => open,
            None => place.insert(begin(exporter, folder, slot, file)?),
        };
        open.sink
            .append(piece)
            .map_err(ExportError::io("write", &open.path))?;
        open.records += rows;
    }
    if given_up.load(Relaxed) {
        return Ok(Vec::new());
    }
    for (slot, open) in open.into_iter().enumerate() {
        if let Some(open) = open {
            written.push(finish(slot, open)?);
        }
    }
    written.sort_by_key(|file| (file.slot, file.file));
    Ok(written)
}

/// A file of no records, for a reader that expects one.
pub(super) fn write_empty(
    exporter: &dyn Exporter,
    folder: &Path,
    slot: usize,
) -> Result<Written, ExportError> {
    finish(slot, begin(exporter, folder, slot, 0)?)
}

fn begin(
    exporter: &dyn Exporter,
    folder: &Path,
    slot: usize,
    file: usize,
) -> Result<Open, ExportError> {
    let path = folder.join(format!("{slot}_{file}"));
    let created = File::create_new(&path).map_err(ExportError::io("create", &path))?;
    let sink = exporter
        .begin(created)
        .map_err(ExportError::io("write", &path))?;
    Ok(Open {
        file,
        path,
        records: 0,
        sink,
    })
}

fn finish(slot: usize, open: Open) -> Result<Written, ExportError> {
    let file = open
        .sink
        .finish()
        .map_err(ExportError::io("write", &open.path))?;
    file.sync_all()
        .map_err(ExportError::io("sync", &open.path))?;
    let found = file
        .metadata()
        .map_err(ExportError::io("look at", &open.path))?;
    Ok(Written {
        slot,
        file: open.file,
        path: open.path,
        records: open.records,
        bytes: found.len(),
    })
}

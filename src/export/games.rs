//! `--format games`: kept games in a form that everybody replays. The ending of the output decides:
//! `.txt` move text, `.ggf` GGF, `.sgf` SGF, `.pgn` PGN; `.parquet` a table with a row for each move.

use super::error::ExportError;
#[cfg(feature = "parquet")]
use super::formats::parquet_moves::ParquetMoves;
use super::formats::pgn;
#[cfg(feature = "parquet")]
use super::moves::append_moves;
use super::options::ExportOptions;
use super::output::Output;
use super::run::{ExportReport, GamesReport};
use super::sidecar::{EXPORT_SCHEMA, SIDECAR};
use crate::base::stop::Stop;
use crate::base::{clock, version};
use crate::board::Game;
#[cfg(feature = "parquet")]
use crate::board::ScoreRule;
use crate::dataset::json::{read_schema, write_json};
use crate::dataset::metadata::{Metadata, path_text};
use crate::dataset::run_state::{RUN_STATE_SCHEMA, RunState};
use crate::dataset::tree::Tree;
use crate::export::Layout;
use crate::export::files::Group;
use crate::export::sidecar::ExportedFile;
use crate::games::{
    Ending, GamesDir, GamesError, GamesFile, GamesState, Item, KeptGame, Recording, find_games,
};
use crate::records::{Format, Ggf, MoveText, Sgf, WrittenGame};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How a game is written.
#[derive(Clone, Copy)]
enum Style {
    Record(&'static dyn Format),
    Pgn,
    Table,
}

/// Writes the games of all inputs that were played to the end.
pub(super) fn run_games(options: &ExportOptions, stop: &Stop) -> Result<ExportReport, ExportError> {
    let ending = options
        .output
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let style = match ending.as_str() {
        "txt" => Style::Record(&MoveText),
        "ggf" => Style::Record(&Ggf),
        "sgf" => Style::Record(&Sgf),
        "pgn" => Style::Pgn,
        "parquet" => Style::Table,
        _ => {
            return Err(ExportError::GamesEnding {
                path: options.output.clone(),
            });
        }
    };
    let is_for_positions = options.shuffle.is_some()
        || options.sample.is_some()
        || options.symmetries
        || options.layout.is_some()
        || options.max_records_per_file.is_some()
        || !options.splits.is_empty()
        || !options.phases.is_empty();
    if is_for_positions {
        return Err(ExportError::GamesOptions);
    }
    let sources = find(options)?;
    let output = Output::find(&options.output, &ending, options.force)?;
    if !output.is_file() {
        return Err(ExportError::GamesEnding {
            path: options.output.clone(),
        });
    }
    let stage = output.stage()?;
    let name = PathBuf::from(format!("games.{ending}"));
    let path = stage.tree().join(&name);
    let file = File::create_new(&path).map_err(ExportError::io("create", &path))?;
    let mut out = Out::new(style, file, &sources)?;
    let mut counts = GamesReport::default();
    for source in &sources {
        for item in source.open()?.items() {
            if stop.is_requested() {
                return Err(ExportError::Interrupted);
            }
            let kept = match item? {
                Item::Game(_, kept) => kept,
                Item::Damage(damage) => return Err(damage.into_error(&source.path).into()),
            };
            if kept.ending != Ending::Finished {
                counts.left_out += 1;
                continue;
            }
            out.append(source, &kept, &path)?;
            counts.written += 1;
        }
    }
    let file = out
        .finish()
        .map_err(|error| ExportError::io("write", &path)(error))?;
    file.sync_all().map_err(ExportError::io("sync", &path))?;
    let bytes = file
        .metadata()
        .map_err(ExportError::io("look at", &path))?
        .len();
    let object = json!({
        "schema": EXPORT_SCHEMA,
        "format": "games",
        "style": ending,
        "files": [{"path": path_text(&name), "records": counts.written, "bytes": bytes}],
        "games": counts.written,
        "games_left_out": counts.left_out,
        "sources": options.inputs.iter().map(|path| path_text(path)).collect::<Vec<_>>(),
        "source_files": sources.iter().map(|source| path_text(&source.path)).collect::<Vec<_>>(),
        "generator_version": version::GENERATOR_VERSION,
        "generated_at": clock::now(),
    });
    write_json(&stage.tree().join(SIDECAR), &object)?;
    output.place(&stage, std::slice::from_ref(&name))?;
    Ok(ExportReport {
        files: vec![ExportedFile {
            path: name,
            group: Group {
                phase: None,
                split: None,
            },
            records: counts.written,
            bytes,
        }],
        sidecar: output.sidecar(),
        score_rule: String::new(),
        label: String::new(),
        layout: Layout::Single,
        invented: Vec::new(),
        warnings: Vec::new(),
        games: Some(counts),
    })
}

/// The file that is being written.
enum Out {
    Lines {
        style: Style,
        file: BufWriter<File>,
        line: Vec<u8>,
    },
    #[cfg(feature = "parquet")]
    Table(Box<ParquetMoves>),
}

impl Out {
    fn new(style: Style, file: File, sources: &[Source]) -> Result<Out, ExportError> {
        if !matches!(style, Style::Table) {
            return Ok(Out::Lines {
                style,
                file: BufWriter::with_capacity(1 << 20, file),
                line: Vec::new(),
            });
        }
        #[cfg(feature = "parquet")]
        return Ok(Out::Table(Box::new(ParquetMoves::new(
            file,
            rule_of_all(sources)?.name(),
        )?)));
        #[cfg(not(feature = "parquet"))]
        {
            let _ = sources;
            Err(ExportError::NotBuilt { format: "parquet" })
        }
    }

    fn append(&mut self, source: &Source, kept: &KeptGame, path: &Path) -> Result<(), ExportError> {
        match self {
            Out::Lines { style, file, line } => {
                line.clear();
                write_one(*style, source, kept, line)?;
                file.write_all(line)
            }
            #[cfg(feature = "parquet")]
            Out::Table(table) => {
                append_moves(&source.path, kept, source.recording.as_ref(), table.rows())?;
                table.flush()
            }
        }
        .map_err(ExportError::io("write", path))
    }

    fn finish(self) -> io::Result<File> {
        match self {
            Out::Lines { file, .. } => file.into_inner().map_err(|error| error.into_error()),
            #[cfg(feature = "parquet")]
            Out::Table(table) => table.finish(),
        }
    }
}

/// The rule of the values: what the checkpoints say, which must be the same.
#[cfg(feature = "parquet")]
fn rule_of_all(sources: &[Source]) -> Result<ScoreRule, ExportError> {
    let of = |source: &Source| {
        source
            .recording
            .map_or(ScoreRule::Plain, |known| known.score_rule)
    };
    let mut rules = sources.iter().map(|source| (source, of(source)));
    let (first, rule) = rules.next().ok_or(ExportError::GamesOptions)?;
    match rules.find(|(_, other)| *other != rule) {
        Some((other, _)) => Err(ExportError::MixedGames {
            path: first.path.clone(),
            rule: rule.name(),
            other: other.path.clone(),
            other_rule: of(other).name(),
        }),
        None => Ok(rule),
    }
}

/// A file of kept games.
struct Source {
    path: PathBuf,
    dir: Option<GamesDir>,
    /// Who played both sides.
    player: String,
    /// How its positions become samples, where a checkpoint tells.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    recording: Option<Recording>,
}

impl Source {
    /// What the checkpoint counts, where there is one: behind it a run may be writing.
    fn open(&self) -> Result<GamesFile, GamesError> {
        if let Some(dir) = &self.dir
            && dir.state().exists()
        {
            return GamesFile::open_counted(dir, &GamesState::read(dir)?);
        }
        GamesFile::open(&self.path)
    }
}

fn find(options: &ExportOptions) -> Result<Vec<Source>, ExportError> {
    let mut sources = Vec::new();
    for input in &options.inputs {
        if input.is_file() {
            sources.push(Source {
                path: input.clone(),
                dir: None,
                player: String::new(),
                recording: None,
            });
            continue;
        }
        let player = player(input);
        for dir in find_games(input)? {
            sources.push(Source {
                path: dir.games(),
                recording: recording(input, dir.anchor()),
                dir: Some(dir),
                player: player.clone(),
            });
        }
        let alone = input.join("games.rdg");
        if alone.is_file() {
            sources.push(Source {
                path: alone,
                dir: None,
                player: String::new(),
                recording: None,
            });
        }
    }
    if sources.is_empty() {
        return Err(ExportError::Nothing {
            reason: "no kept games in the inputs; a run keeps them with [games] keep = true".into(),
        });
    }
    Ok(sources)
}

/// How the games that begin at `anchor` became samples, as the checkpoints of their phases tell it.
fn recording(dataset: &Path, anchor: u8) -> Option<Recording> {
    let tree = Tree::find(dataset).ok()?;
    let mut found = None;
    for files in &tree.phases {
        let state = files.beside("run_state.json");
        let (Some(phase), Some(state)) = (
            files.phase,
            state.and_then(|path| read_schema::<RunState>(&path, RUN_STATE_SCHEMA).ok()),
        ) else {
            continue;
        };
        // At the anchor both ways to split come to the same; the others tell which it was.
        let tells_more = found.is_none() || phase != anchor;
        if state.keeps_games && state.anchor.unwrap_or(phase) == anchor && tells_more {
            found = Recording::from_settings(&state.settings);
        }
    }
    found
}

/// The engine of a dataset, as its first metadata.json tells it.
fn player(dataset: &Path) -> String {
    let tree = Tree::find(dataset).ok();
    let phases = tree.iter().flat_map(|tree| &tree.phases);
    let metadata = phases
        .filter_map(|phase| Metadata::read(&phase.beside("metadata.json")?).ok())
        .next();
    match metadata.and_then(|metadata| metadata.engine) {
        Some(engine) => match engine.self_play.level {
            Some(level) => format!("{} level {level}", engine.self_play.name),
            None => engine.self_play.name,
        },
        None => String::new(),
    }
}

fn write_one(
    style: Style,
    source: &Source,
    kept: &KeptGame,
    out: &mut Vec<u8>,
) -> Result<(), ExportError> {
    let bad = |reason: String| ExportError::BadGame {
        path: source.path.clone(),
        number: kept.number,
        reason: reason.into(),
    };
    let game: Game = kept
        .replay()
        .map_err(|(ply, error)| bad(format!("move {ply}: {error}")))?;
    let written = match style {
        Style::Record(format) => format.write(
            &[WrittenGame {
                game: &game,
                black: &source.player,
                white: &source.player,
            }],
            out,
        ),
        Style::Pgn | Style::Table => pgn::write(&game, kept.number, &source.player, out),
    };
    written.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => bad(format!("{error}; name the output .ggf")),
        _ => bad(error.to_string()),
    })
}

//! What reads bytes from elsewhere, one function for each kind of input: none may panic, hang or
//! fill the memory, whatever the bytes are. `fuzz/` and the tests call the same functions.

use crate::arena::serve::{self, Protocol};
use crate::config::{app_of_text, dataset_of_text};
use crate::dataset::layout::PhaseDir;
use crate::dataset::run_state::RunState;
use crate::engine::builtin::Evaluation;
use crate::engine::kinds::KINDS;
use crate::games::{GamesDir, GamesFile, GamesState};
use crate::generate::shard::ShardDescription;
use crate::label::LabelState;
use crate::look::verify::{Options, verify};
use crate::records::{self, FORMATS, GameRecord, RawGames, Replay};
use std::path::{Path, PathBuf};

/// A kind of input.
pub type Target = fn(&[u8]);

/// All of them, by the names of the programs in `fuzz/fuzz_targets`.
pub const TARGETS: [(&str, Target); 7] = [
    ("game_records", game_records),
    ("record_files", record_files),
    ("state_files", state_files),
    ("configurations", configurations),
    ("weight_files", weight_files),
    ("kept_games", kept_games),
    ("engine_commands", engine_commands),
];

/// Games that others have played, in each format whatever the bytes look like.
pub fn game_records(data: &[u8]) {
    let _ = records::detect(data);
    for format in FORMATS {
        let mut games = RawGames::new(format, Vec::new(), data);
        let mut record = GameRecord::default();
        let mut replay = Replay::default();
        while let Ok(Some(raw)) = games.next_game() {
            record.clear();
            if raw.is_ok_and(|raw| format.parse(raw, &mut record).is_ok()) {
                let _ = replay.run(&record);
            }
        }
    }
    let _ = records::read_typed(&String::from_utf8_lossy(data));
}

/// An `.rd` file.
pub fn record_files(data: &[u8]) {
    in_folder(|folder| {
        let path = write(folder, "train.rd", data);
        verify(&[path], &Options::default());
    });
}

/// Every JSON file of a phase, of kept games, of a shard and of `rdg label`.
pub fn state_files(data: &[u8]) {
    in_folder(|folder| {
        let (phase, games) = (PhaseDir::new(folder, 20), GamesDir::new(folder, 20));
        let of_phase = ["run_state.json", "metadata.json", "stats.json"];
        for name in of_phase.map(|name| format!("phase_20/{name}")) {
            write(folder, &name, data);
        }
        write(folder, "phase_20/train.rd", b"RDGBBVAL1\n");
        write(folder, "games_20/games_state.json", data);
        for name in ["summary.json", "shard.json", "window_stats.json"] {
            write(folder, name, data);
        }
        let _ = RunState::read(&phase);
        let _ = GamesState::read(&games);
        let _ = ShardDescription::read(folder);
        let _ = serde_json::from_slice::<LabelState>(data);
        verify(&[folder.to_owned()], &Options::default());
    });
}

/// config.toml and app.toml.
pub fn configurations(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let app = app_of_text(Path::new("app.toml"), &text, &KINDS);
    let dataset = dataset_of_text(Path::new("config.toml"), &text);
    if let (Ok(app), Ok(dataset)) = (app, dataset) {
        let _ = dataset.engines(&app);
    }
}

/// Square weights, and pattern weights.
pub fn weight_files(data: &[u8]) {
    in_folder(|folder| {
        let _ = Evaluation::from_file(&write(folder, "weights.bin", data));
    });
}

/// A file of kept games.
pub fn kept_games(data: &[u8]) {
    in_folder(|folder| {
        let path = write(folder, "games.rdg", data);
        if let Ok(file) = GamesFile::open_whatever(&path) {
            for item in file.items() {
                if item.is_err() {
                    break;
                }
            }
        }
    });
}

/// What other programs say to `rdg engine`, over NBoard and over GTP.
pub fn engine_commands(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // A depth that is asked for is searched, however long that takes.
    let lines = || text.lines().filter(|line| !line.contains("depth")).take(64);
    for protocol in [Protocol::Nboard, Protocol::Gtp] {
        let lines = lines().map(str::to_owned);
        let settings = serve::Settings {
            level: 1,
            threads: 1,
            eval_file: None,
        };
        let _ = serve::answer(protocol, &settings, lines, &mut std::io::sink());
    }
}

fn in_folder(work: impl FnOnce(&Path)) {
    // Without a folder there is nothing to be found out.
    if let Ok(folder) = tempfile::tempdir() {
        work(folder.path());
    }
}

fn write(folder: &Path, name: &str, data: &[u8]) -> PathBuf {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, data));
    debug_assert!(written.is_ok(), "{written:?}");
    path
}

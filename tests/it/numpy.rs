//! The Python of the documentation, run as it is printed there on a dataset made by rdg, and the
//! independent check of `scripts/check_dataset.py`. Skipped where no Python has numpy.

use crate::common::{Env, code, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages with Python.
const PAGES: [&str; 5] = [
    "docs/src/trainers.md",
    "docs/src/games.md",
    "docs/src/learning.md",
    "docs/ja/src/trainers.md",
    "docs/ja/src/games.md",
];

/// A small dataset under the name that the documentation uses.
const CONFIG: &str = "output_dir = '../datasets/quickstart'\nphases = '30..39'\n\
    samples_per_phase = 40\nseed = 7\n[split]\ntrain = 0.8\nvalid = 0.1\ntest = 0.1\n\
    [self_play.ai]\nname = 'builtin'\nlevel = 2\n[games]\nkeep = true\n[window]\nenabled = true\nsize = 10\n";

const APP: &str = "[engines.builtin]\nkind = 'builtin'\n";

fn python_with_numpy() -> Option<PathBuf> {
    let named = std::env::var_os("RDG_PYTHON").map(PathBuf::from);
    let usual = ["python3", "/usr/bin/python3", "python"].map(PathBuf::from);
    let found = named.into_iter().chain(usual).find(|python| {
        let output = Command::new(python).args(["-c", "import numpy"]).output();
        output.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: no Python with numpy (Debian package python3-numpy)");
    }
    found
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The Python blocks of a page, in order.
fn python_blocks(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository(page)).expect("the page can be read");
    text.split("```python\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

fn dataset() -> Env {
    let env = Env::new();
    env.write("configs/config.toml", CONFIG);
    env.write("configs/app.toml", APP);
    let output = env.run(&["--no-progress"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    env
}

/// The commands of the page that begin with these words.
fn commands(page: &str, words: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository(page)).expect("the page can be read");
    text.lines()
        .filter(|line| line.starts_with(words))
        .map(str::to_owned)
        .collect()
}

/// Whether the Python has all that a block imports; a word where it has not.
fn has_imports(python: &Path, block: &str) -> bool {
    let imports: Vec<&str> = block
        .lines()
        .filter(|line| line.starts_with("import ") || line.starts_with("from "))
        .collect();
    let tried = Command::new(python)
        .args(["-c", &imports.join("\n")])
        .output();
    let has = tried.is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("skipped: {imports:?} are not all there");
    }
    has
}

#[test]
fn the_python_of_the_documentation_works_as_printed() {
    let Some(python) = python_with_numpy() else {
        return;
    };
    let tables = std::env::var_os("RDG_TABLE_PYTHON").map(PathBuf::from);
    let env = dataset();
    let exports = commands("docs/src/trainers.md", "rdg export ");
    assert!(exports.len() >= 5, "the page shows how to export");
    let fits = commands("docs/src/learning.md", "rdg fit ");
    assert!(!fits.is_empty(), "the page shows how to fit");
    for command in exports.iter().chain(&fits) {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let output = env.run(&words);
        assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
    }
    let parquet =
        "export datasets/quickstart --format parquet --shuffle 1 --output exports/parquet";
    let has_parquet = code(&env.run(&parquet.split(' ').collect::<Vec<_>>())) == 0;
    let blocks: Vec<String> = PAGES.iter().flat_map(|page| python_blocks(page)).collect();
    assert!(blocks.len() >= 4, "the pages show how to read the files");
    for block in &blocks {
        if block.contains("exports/parquet") && !has_parquet {
            continue;
        }
        let pythons = tables.iter().chain([&python]);
        let Some(python) = pythons
            .into_iter()
            .find(|python| has_imports(python, block))
        else {
            continue;
        };
        let output = Command::new(python)
            .args(["-c", block])
            .current_dir(env.path(""))
            .output()
            .expect("Python can be started");
        assert!(output.status.success(), "{block}\n{}", stderr(&output));
        assert!(!stdout(&output).is_empty(), "{block}");
    }
}

#[test]
fn the_reader_of_weights_agrees_with_the_engine() {
    let Some(python) = python_with_numpy() else {
        return;
    };
    let env = dataset();
    let fit = "fit datasets/quickstart --output mine.bin --epochs 4";
    let output = env.run(&fit.split(' ').collect::<Vec<_>>());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let blocks = python_blocks("docs/src/learning.md");
    let reader = blocks.iter().find(|block| block.contains("RDGPATTERN2"));
    let reader = reader.expect("the page has a reader of weights");
    let more = "\nfor p in (30, 33, 39):\n\
        \x20   path = f'datasets/quickstart/phase_{p}/train.rd'\n\
        \x20   for own, opponent, _ in struct.iter_unpack('<QQh', open(path, 'rb').read()[10:]):\n\
        \x20       print(own, opponent, value(own, opponent))\n";
    let output = Command::new(&python)
        .args(["-c", &format!("{reader}{more}")])
        .current_dir(env.path(""))
        .output()
        .expect("Python can be started");
    assert!(output.status.success(), "{}", stderr(&output));
    let evaluation = rdg::engine::builtin::Evaluation::from_file(&env.path("mine.bin")).unwrap();
    let text = stdout(&output);
    let rows = text.lines().skip(1);
    let mut read = 0;
    for row in rows {
        let cells: Vec<&str> = row.split(' ').collect();
        let (own, opponent) = (cells[0].parse().unwrap(), cells[1].parse().unwrap());
        let value: f64 = cells[2].parse().unwrap();
        let explained = evaluation.explain(rdg::board::Board { own, opponent });
        // The engine counts in hundredths of a disc.
        assert!(
            (explained.discs - value.clamp(-64.0, 64.0)).abs() < 0.011,
            "{row}"
        );
        read += 1;
    }
    assert!(read > 60, "{read} positions");
}

#[test]
fn numpy_reads_the_records_that_rdg_wrote() {
    let Some(python) = python_with_numpy() else {
        return;
    };
    let env = dataset();
    let one_line = "import numpy as np; \
        record = np.dtype([('own', '<u8'), ('opponent', '<u8'), ('value', '<i2')]); \
        data = np.fromfile('datasets/quickstart/phase_30/train.rd', dtype=record, offset=10); \
        [print(*row) for row in data.tolist()]";
    let output = Command::new(&python)
        .args(["-c", one_line])
        .current_dir(env.path(""))
        .output()
        .expect("Python can be started");
    let bytes = std::fs::read(env.path("datasets/quickstart/phase_30/train.rd")).expect("a file");
    let own: String = bytes[10..]
        .chunks_exact(18)
        .map(|record| {
            let number = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().unwrap());
            let value = i16::from_le_bytes([record[16], record[17]]);
            format!("{} {} {value}\n", number(0), number(8))
        })
        .collect();
    assert!(!own.is_empty());
    assert_eq!(stdout(&output), own, "{}", stderr(&output));
}

#[test]
fn the_independent_check_agrees_and_finds_a_planted_fault() {
    let Some(python) = python_with_numpy() else {
        return;
    };
    let env = dataset();
    let check = || {
        Command::new(&python)
            .arg(repository("scripts/check_dataset.py"))
            .arg(env.path("datasets/quickstart"))
            .output()
            .expect("Python can be started")
    };
    let output = check();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        stdout(&output).contains("10 phases, 400 records"),
        "{}",
        stdout(&output)
    );

    let path = env.path("datasets/quickstart/phase_35/train.rd");
    let mut bytes = std::fs::read(&path).expect("a file");
    // The disc on d4, a centre square, changes sides or vanishes.
    bytes[10 + 3] ^= 0x08;
    std::fs::write(&path, bytes).expect("writable");
    let output = check();
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("phase_35"), "{}", stderr(&output));
}

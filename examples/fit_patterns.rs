//! Fits the embedded engine's pattern weights to datasets made by rdg:
//!
//! `cargo run --release --example fit_patterns -- WEIGHTS.bin DATASET_FOLDER...`
//!
//! Reads every `phase_*/train.rd` and `valid.rd` below the folders, in the order of their names,
//! so that the same datasets give the same bytes. The result can be given to the embedded engine
//! as its `eval_file`.

use rdg::board::Board;
use rdg::engine::builtin::patterns::fit::{FitOptions, Sample, fit};
use std::path::Path;

/// Magic bytes at the head of a file, then records: own u64, opponent u64, value i16.
const MAGIC: &[u8; 10] = b"RDGBBVAL1\n";
const RECORD_SIZE: usize = 18;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1);
    let out = args.next().ok_or("which file is to be written?")?;
    let (mut train, mut valid) = (Vec::new(), Vec::new());
    for folder in args {
        let mut phases: Vec<_> = std::fs::read_dir(&folder)?
            .map(|entry| entry.map(|e| e.path()))
            .collect::<Result<_, _>>()?;
        phases.retain(|path| path.is_dir());
        phases.sort();
        for phase in phases {
            read(&phase.join("train.rd"), &mut train)?;
            read(&phase.join("valid.rd"), &mut valid)?;
        }
    }
    println!(
        "{} positions to fit to, {} held back",
        train.len(),
        valid.len()
    );
    println!("stage  positions  train error  valid error");
    let bytes = fit(&train, &valid, &FitOptions::default(), |stage| {
        println!(
            "{:>5} {:>10} {:>12.3} {:>12.3}",
            stage.stage, stage.samples, stage.train_error, stage.valid_error
        );
    });
    std::fs::write(out, bytes)?;
    Ok(())
}

fn read(path: &Path, samples: &mut Vec<Sample>) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(path)?;
    let records = bytes
        .strip_prefix(MAGIC.as_slice())
        .ok_or_else(|| format!("{} is no .rd file", path.display()))?;
    for record in records.chunks_exact(RECORD_SIZE) {
        let (own, rest) = record.split_at(8);
        let (opponent, value) = rest.split_at(8);
        samples.push(Sample {
            board: Board {
                own: u64::from_le_bytes(own.try_into()?),
                opponent: u64::from_le_bytes(opponent.try_into()?),
            },
            value: i16::from_le_bytes(value.try_into()?),
        });
    }
    Ok(())
}

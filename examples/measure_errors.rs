//! Measures how well shallow searches with the embedded engine's weights foretell deep ones:
//!
//! `cargo run --release --example measure_errors -- [POSITIONS [WEIGHTS.bin]]`
//!
//! writes to standard output what belongs in `src/engine/builtin/patterns/errors.txt`, from
//! POSITIONS (100) positions for each stage of the game and number of empties. To be run again
//! whenever `weights.bin` changes; the same weights give the same numbers.

use rdg::engine::builtin::midgame::measure::{Measured, measure};
use rdg::engine::builtin::patterns::Patterns;
use sha2::{Digest, Sha256};
use std::path::Path;

const SEED: u64 = 20_260_801;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let positions = args.next().map_or(Ok(100), |number| number.parse())?;
    let path = args
        .next()
        .unwrap_or_else(|| "src/engine/builtin/patterns/weights.bin".to_owned());
    let patterns =
        Patterns::from_file(Path::new(&path))?.ok_or("this is not a file of pattern weights")?;
    let errors = measure(&patterns, positions, SEED, |measured| {
        let Measured {
            deep,
            shallow,
            positions,
            error,
        } = measured;
        eprintln!(
            "{deep:?} by {shallow}: {:.2} x + {:.2}, deviation {:.2} discs, {positions} positions",
            f64::from(error.slope) / 1000.0,
            f64::from(error.bias) / 100.0,
            f64::from(error.deviation) / 100.0
        );
    });
    println!(
        "# How well shallow searches foretell deep ones: the deep value is slope × the shallow"
    );
    println!("# one + bias, with an error of this standard deviation. Made by");
    println!("# `cargo run --release --example measure_errors` for the weights in weights.bin:");
    println!("# weights {}", digest(&std::fs::read(&path)?));
    println!("#");
    println!(
        "# plies STAGE DEPTH SHALLOW or end EMPTIES SHALLOW, then the slope in thousandths and"
    );
    println!("# bias and deviation in hundredths of a disc.");
    print!("{}", errors.to_text());
    Ok(())
}

/// What tells other weights apart.
fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

//! How far evaluations are from the values of positions, by empty squares:
//!
//! `cargo run --release --example judge_weights -- DATASET... [-- WEIGHTS...]`
//!
//! Prints as Markdown the mean absolute error in discs of the mean value, of the best weights of the
//! squares (both fitted to the very positions of the row), of the embedded weights and of each
//! weight file. Meant for exactly solved positions; any dataset will do.

use rdg::dataset::record::{RECORD_SIZE, Record};
use rdg::dataset::tree::{Records, Tree};
use rdg::engine::builtin::Evaluation;
use rdg::fit::SquareSums;
use std::collections::BTreeMap;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (datasets, files) = match words.iter().position(|word| word == "--") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (&words[..], &words[..0]),
    };
    let mut evaluations = vec![("embedded", Evaluation::default())];
    for file in files {
        evaluations.push((file, Evaluation::from_file(Path::new(file))?));
    }
    for dataset in datasets {
        let mut by_empties: BTreeMap<u32, Vec<Record>> = BTreeMap::new();
        for file in Tree::find(Path::new(dataset))?.files() {
            let records = Records::open(&file.path)?;
            let mut bytes = vec![[0; RECORD_SIZE]; records.count() as usize];
            records.read(0, &mut bytes)?;
            for record in bytes.iter().map(Record::decode) {
                let empties = record.board.empties();
                by_empties.entry(empties).or_default().push(record);
            }
        }
        let names: Vec<&str> = evaluations.iter().map(|(name, _)| *name).collect();
        println!("{dataset}\n");
        println!(
            "| empties | positions | mean | squares | {} |",
            names.join(" | ")
        );
        println!("|{}", "--:|".repeat(4 + names.len()));
        for (empties, records) in by_empties {
            let mut sums = SquareSums::default();
            records.iter().for_each(|record| sums.add(record));
            let squares = sums.solve();
            let mae = |of: &dyn Fn(&Record) -> f64| {
                let errors = records.iter().map(|r| (of(r) - f64::from(r.value)).abs());
                errors.sum::<f64>() / records.len() as f64
            };
            let mut cells = vec![mae(&|_| squares.mean()), mae(&|r| squares.value(r.board))];
            for (_, evaluation) in &evaluations {
                cells.push(mae(&|r| evaluation.explain(r.board).discs));
            }
            let cells: Vec<String> = cells.iter().map(|mae| format!("{mae:.2}")).collect();
            println!("| {empties} | {} | {} |", records.len(), cells.join(" | "));
        }
        println!();
    }
    Ok(())
}

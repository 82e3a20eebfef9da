//! How far evaluations are from the truth along a line of perfect play:
//!
//! `cargo run --release --example opening_line -- [WEIGHTS...]`
//!
//! Every position of the line is worth exactly 0 (Takizawa, "Othello is solved", arXiv 2310.19387).
//! Prints for the embedded weights and each file the mean absolute and the mean value for Black,
//! static and searched 6 and 10 plies deep, in the first part of the game and as long as the search
//! does not reach the end.

use rdg::base::stop::Stop;
use rdg::board::{Board, Color, Game, ScoreRule};
use rdg::engine::builtin::{Evaluation, Reach, Setting, Table, Threads, best_line};
use std::path::Path;

const LINE: &str = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7\
                    a3a4a1a2c1h2h1g2b8a8g7h8h7h6";

/// From here on the value of a search of 10 plies would be exact.
const LAST_EMPTIES: u32 = 12;

/// Plies searched; 0: static.
const DEPTHS: [u32; 3] = [0, 6, 10];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut evaluations = vec![("embedded".to_owned(), Evaluation::default())];
    for file in std::env::args().skip(1) {
        let evaluation = Evaluation::from_file(Path::new(&file))?;
        evaluations.push((file, evaluation));
    }
    let mut positions = Vec::new();
    let mut game = Game::new();
    for mv in Game::from_move_text(LINE)?.moves() {
        positions.push((game.board(), game.color()));
        game.play(*mv)?;
        game.pass_if_forced();
    }
    positions.retain(|(board, _)| board.empties() > LAST_EMPTIES);
    println!("evaluation  depth  phases  mean |error|  mean for Black  largest");
    for (name, evaluation) in &evaluations {
        for depth in DEPTHS {
            let values: Vec<f64> = positions
                .iter()
                .map(|&(board, side)| {
                    let value = value(evaluation, board, depth);
                    if side == Color::Black { value } else { -value }
                })
                .collect();
            for phases in [0..12, 12..24, 24..values.len(), 0..values.len()] {
                let part = &values[phases.clone()];
                let count = part.len() as f64;
                println!(
                    "{name:10}  {depth:>5}  {:>2}-{:<2}   {:>12.2}  {:>+14.2}  {:>7.2}",
                    phases.start,
                    phases.end - 1,
                    part.iter().map(|value| value.abs()).sum::<f64>() / count,
                    part.iter().sum::<f64>() / count,
                    part.iter()
                        .fold(0.0, |most: f64, value| most.max(value.abs()))
                );
            }
        }
    }
    Ok(())
}

/// In discs, for the side to move.
fn value(evaluation: &Evaluation, board: Board, depth: u32) -> f64 {
    if depth == 0 {
        return evaluation.explain(board).discs;
    }
    let stop = Stop::new();
    let setting = Setting {
        evaluation,
        rule: ScoreRule::WinnerTakesEmpties,
        threads: Threads::one(),
        stop: stop.flag(),
    };
    let found = best_line(board, Reach::Plies(depth), &mut Table::new(18), &setting);
    found.map_or(f64::NAN, |found| found.score)
}

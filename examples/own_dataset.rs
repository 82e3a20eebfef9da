//! Makes a small dataset with an engine of one's own and reads it back:
//!
//! `cargo run --release --example own_dataset -- FOLDER`
//!
//! The engine here takes the move that leaves the opponent the fewest answers. Every position of
//! phases 20 to 29 of its games becomes a record, and all records of a game go into one split.

use rdg::base::rng::StreamKey;
use rdg::board::{Board, Color, Game, Square, Squares};
use rdg::config::SplitRatios;
use rdg::dataset::layout::PhaseDir;
use rdg::dataset::record::Record;
use rdg::dataset::scan;
use rdg::dataset::split::{Split, split_of};
use rdg::dataset::writer::PhaseWriter;
use std::error::Error;
use std::path::PathBuf;

const PHASES: std::ops::Range<u8> = 20..30;
const GAMES: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1);
    let folder = PathBuf::from(folder.ok_or("which folder is to be made?")?);
    let ratios = SplitRatios::default();
    let dirs: Vec<PhaseDir> = PHASES.map(|phase| PhaseDir::new(&folder, phase)).collect();
    let mut writers = dirs
        .iter()
        .map(PhaseWriter::create)
        .collect::<Result<Vec<_>, _>>()?;
    for number in 0..GAMES {
        let Some((positions, black)) = play(number)? else {
            continue;
        };
        let split = split_of(positions[0].0.canonical(), &ratios);
        for (writer, (board, color)) in writers.iter_mut().zip(positions) {
            let value = if color == Color::Black { black } else { -black };
            writer.append(split, &Record { board, value })?;
        }
    }
    for writer in &mut writers {
        writer.sync()?;
    }

    println!("phase  records  mean value  mean moves");
    for dir in &dirs {
        let [count, ..] = scan::count_records(dir)?;
        let (mut value, mut moves) = (0.0, 0.0);
        scan::for_each_record(&dir.records(Split::Train), count, |record, _| {
            value += f64::from(record.value);
            moves += f64::from(record.board.legal_moves().count_ones());
            Ok(())
        })?;
        let mean = |sum: f64| sum / count.max(1) as f64;
        println!(
            "{:>5} {count:>8} {:>11.2} {:>11.2}",
            dir.phase(),
            mean(value),
            mean(moves)
        );
    }
    Ok(())
}

/// The positions of the phases and the result for Black; `None` for a game that is over before.
type Played = Option<(Vec<(Board, Color)>, i16)>;

/// Game `number`: random moves up to the first phase, then the engine for both sides.
fn play(number: u64) -> Result<Played, Box<dyn Error>> {
    let mut random = StreamKey::new(1, "example", PHASES.start).game(number);
    let mut game = Game::new();
    let mut positions = Vec::new();
    while !game.is_over() {
        if game.pass_if_forced() {
            continue;
        }
        let board = game.board();
        let square = if board.phase() < PHASES.start {
            let legal = board.legal_moves();
            let chosen = random.below(legal.count_ones()) as usize;
            Squares(legal).nth(chosen).ok_or("there is a legal move")?
        } else {
            fewest_answers(board).ok_or("there is a legal move")?
        };
        if PHASES.contains(&board.phase()) {
            positions.push((board, game.color()));
        }
        game.play(square.into())?;
    }
    let whole = positions.len() == PHASES.len();
    Ok(whole.then(|| (positions, game.black_difference())))
}

fn fewest_answers(board: Board) -> Option<Square> {
    Squares(board.legal_moves()).min_by_key(|&square| {
        let after = board.play(square);
        after.map(|board| board.legal_moves().count_ones())
    })
}

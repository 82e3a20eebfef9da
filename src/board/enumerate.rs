//! Every position reachable at a phase, each once up to symmetry.
//!
//! Breadth first with merging: a layer's positions are expanded in parallel, sorted by canonical
//! form, and duplicates dropped, so the work grows with the number of positions and not with the
//! number of move orders. 24 bytes per position.

use crate::base::stop::Stop;
use crate::board::{Board, Game, Square, Squares};
use rayon::prelude::*;

/// A position and one way to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Node {
    /// Canonical form, seen from the opponent of whoever moved last, also where it must pass.
    canonical: Board,
    /// Index of a position of the previous layer from which one move leads here; the smallest one.
    parent: u32,
}

/// Work done to reach a phase; all layers up to it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EnumerationTally {
    /// Moves made, over all layers.
    pub nodes: u64,
    /// Moves made into the last layer.
    pub leaf: u64,
    /// Distinct positions of the last layer.
    pub unique: u64,
    /// Moves into the last layer that led to a position already there.
    pub duplicates: u64,
    /// Positions before the last layer whose side to move had to pass.
    pub pass: u64,
    /// Positions before the last layer where the game was over.
    pub game_over: u64,
}

/// Why an enumeration did not finish.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EnumerateError {
    /// More positions than this machine can hold.
    #[error(
        "the positions of phase {phase} do not fit into memory ({positions} moves at 24 bytes \
         each); leave that phase out of `phases`"
    )]
    TooMany {
        /// The phase that did not fit.
        phase: u8,
        /// Moves into it.
        positions: u64,
    },
    /// The run is being stopped.
    #[error("stopped")]
    Stopped,
}

/// All layers from the start position up to a phase.
#[derive(Debug)]
pub struct Enumeration {
    layers: Vec<Vec<Node>>,
    tallies: Vec<EnumerationTally>,
}

impl Enumeration {
    /// Enumerates phases 0..=`phase` on all threads of rayon's pool. The result, its order
    /// included, does not depend on their number.
    pub fn up_to(phase: u8, stop: &Stop) -> Result<Enumeration, EnumerateError> {
        let root = Node {
            canonical: Board::START.canonical(),
            parent: 0,
        };
        let mut all = Enumeration {
            layers: vec![vec![root]],
            tallies: vec![EnumerationTally {
                unique: 1,
                ..EnumerationTally::default()
            }],
        };
        for next in 1..=phase {
            let before = all.tallies[usize::from(next) - 1];
            let (layer, tally) = expand(&all.layers[usize::from(next) - 1], next, before, stop)?;
            all.layers.push(layer);
            all.tallies.push(tally);
        }
        Ok(all)
    }

    /// Number of positions at `phase`; 0 above the enumerated ones.
    pub fn count(&self, phase: u8) -> u64 {
        self.layers
            .get(usize::from(phase))
            .map_or(0, |layer| layer.len() as u64)
    }

    /// Whether a position of `phase` is this one; its canonical form is asked for.
    pub fn contains(&self, phase: u8, canonical: Board) -> bool {
        self.layers.get(usize::from(phase)).is_some_and(|layer| {
            layer
                .binary_search_by_key(&canonical, |node| node.canonical)
                .is_ok()
        })
    }

    /// The work that led to `phase`.
    pub fn tally(&self, phase: u8) -> EnumerationTally {
        self.tallies
            .get(usize::from(phase))
            .copied()
            .unwrap_or_default()
    }

    /// A game that leads from the start position to position number `index` of `phase`, or to one
    /// of its images: the start position keeps four of the eight symmetries only, and an engine
    /// without a set-up command needs the moves. `None` past the end.
    pub fn game(&self, phase: u8, index: u64) -> Option<Game> {
        let mut at = usize::try_from(index).ok()?;
        self.layers.get(usize::from(phase))?.get(at)?;
        // Canonical forms from the start to the position, gathered backwards along the parents.
        let mut path = Vec::with_capacity(usize::from(phase));
        for layer in self.layers[1..=usize::from(phase)].iter().rev() {
            path.push(layer[at].canonical);
            at = layer[at].parent as usize;
        }
        let mut game = Game::new();
        for wanted in path.into_iter().rev() {
            game.pass_if_forced();
            let (square, flipped) = step_to(game.board(), wanted)?;
            game.play_known(square, flipped);
        }
        Some(game)
    }
}

/// The first move whose result has this canonical form.
fn step_to(board: Board, wanted: Board) -> Option<(Square, u64)> {
    Squares(board.legal_moves()).find_map(|square| {
        let flipped = board.flips(square);
        (board.after(square, flipped).canonical() == wanted).then_some((square, flipped))
    })
}

/// The layer behind `parents`, sorted by canonical form.
fn expand(
    parents: &[Node],
    phase: u8,
    before: EnumerationTally,
    stop: &Stop,
) -> Result<(Vec<Node>, EnumerationTally), EnumerateError> {
    // Counted first, so that one allocation of the right size holds all children.
    let (leaf, pass, game_over) = parents
        .par_iter()
        .map(|node| match moves_of(node.canonical) {
            Mobility::Moves(_, moves) => (u64::from(moves.count_ones()), 0, 0),
            Mobility::AfterPass(_, moves) => (u64::from(moves.count_ones()), 1, 0),
            Mobility::Over => (0, 0, 1),
        })
        .reduce(|| (0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
    let too_many = EnumerateError::TooMany {
        phase,
        positions: leaf,
    };
    let mut children: Vec<Node> = Vec::new();
    usize::try_from(leaf)
        .ok()
        .and_then(|n| children.try_reserve_exact(n).ok())
        .ok_or(too_many)?;
    // Parents are named by 32 bits.
    u32::try_from(parents.len()).map_err(|_| too_many)?;
    // In blocks: children of one block are made in parallel, then appended in order.
    for (block_number, block) in parents.chunks(BLOCK).enumerate() {
        if stop.is_requested() {
            return Err(EnumerateError::Stopped);
        }
        let first = block_number * BLOCK;
        children.par_extend(
            block
                .par_iter()
                .enumerate()
                .flat_map_iter(|(offset, node)| {
                    let parent = (first + offset) as u32;
                    let (board, moves) = match moves_of(node.canonical) {
                        Mobility::Moves(board, moves) | Mobility::AfterPass(board, moves) => {
                            (board, moves)
                        }
                        Mobility::Over => (node.canonical, 0),
                    };
                    Squares(moves).map(move |square| Node {
                        canonical: board.after(square, board.flips(square)).canonical(),
                        parent,
                    })
                }),
        );
    }
    children.par_sort_unstable();
    children.dedup_by_key(|node| node.canonical);
    children.shrink_to_fit();
    let unique = children.len() as u64;
    let tally = EnumerationTally {
        nodes: before.nodes + leaf,
        leaf,
        unique,
        duplicates: leaf - unique,
        pass: before.pass + pass,
        game_over: before.game_over + game_over,
    };
    Ok((children, tally))
}

/// Parents expanded between two looks at the stop flag.
const BLOCK: usize = 1 << 16;

/// What can follow a position.
enum Mobility {
    /// Its side to move plays.
    Moves(Board, u64),
    /// The other side plays after a forced pass.
    AfterPass(Board, u64),
    /// Nothing: the game is over.
    Over,
}

fn moves_of(board: Board) -> Mobility {
    let moves = board.legal_moves();
    if moves != 0 {
        return Mobility::Moves(board, moves);
    }
    let passed = board.passed();
    match passed.legal_moves() {
        0 => Mobility::Over,
        moves => Mobility::AfterPass(passed, moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::distinct_positions;
    use std::collections::BTreeSet;

    #[test]
    fn counts_are_the_known_ones() {
        let all = Enumeration::up_to(8, &Stop::new()).unwrap();
        for phase in 1..=8 {
            assert_eq!(
                all.count(phase),
                distinct_positions(phase).unwrap(),
                "phase {phase}"
            );
        }
    }

    #[test]
    fn equals_a_plain_walk_over_all_move_orders() {
        fn walk(game: &Game, depth: u8, found: &mut BTreeSet<Board>) {
            if depth == 0 {
                found.insert(game.board().canonical());
                return;
            }
            let mut game = game.clone();
            game.pass_if_forced();
            for square in Squares(game.board().legal_moves()) {
                let mut next = game.clone();
                next.play(square.into()).unwrap();
                walk(&next, depth - 1, found);
            }
        }
        let all = Enumeration::up_to(6, &Stop::new()).unwrap();
        let mut found = BTreeSet::new();
        walk(&Game::new(), 6, &mut found);
        let layer: BTreeSet<Board> = all.layers[6].iter().map(|node| node.canonical).collect();
        assert_eq!(layer, found);
    }

    #[test]
    fn each_position_comes_with_a_game_that_leads_to_it() {
        let all = Enumeration::up_to(7, &Stop::new()).unwrap();
        let mut seen = BTreeSet::new();
        for index in 0..all.count(7) {
            let game = all.game(7, index).unwrap();
            assert_eq!(game.board().phase(), 7);
            let mut replay = Game::new();
            for &mv in game.moves() {
                replay.play(mv).unwrap();
            }
            assert_eq!(replay.board(), game.board());
            assert!(seen.insert(game.board().canonical()));
        }
        assert_eq!(all.game(7, all.count(7)), None);
        assert_eq!(all.game(8, 0), None);
    }

    #[test]
    fn a_stop_ends_it() {
        let stop = Stop::new();
        stop.request();
        assert_eq!(
            Enumeration::up_to(9, &stop).unwrap_err(),
            EnumerateError::Stopped
        );
    }
}

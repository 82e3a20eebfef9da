//! The bytes of one game: a block with its length before it and its checksum behind it.
//!
//! | byte | length | what |
//! |---|---|---|
//! | 0 | 1 | length of the whole block, L |
//! | 1 | 8 | number of the game |
//! | 9 | 1 | bits 0–1 how it ended, 2 a start position follows, 3 White moves first, 4 scores follow |
//! | 10 | 1 | discs placed, M |
//! | 11 | 1 | of these, the random part, R |
//! | 12 | 1 | of these, chosen by the playout's engine |
//! | 13 | 1 | of these, the opening's |
//! | 14 | 16 or 0 | start position: own discs, opponent's discs |
//! | … | M | squares, 0 = a1, 7 = h1, 63 = h8 |
//! | … | 2 (M − R) or 0 | scores in hundredths of a disc for the side to move; −32768: not told |
//! | L − 4 | 4 | CRC-32 (of zlib) of all before |
//!
//! All numbers are little-endian.

use super::game::{Ending, KeptGame, Score};
use crate::board::{Board, CENTRE, Color, Square};

/// Name of the format.
pub const FORMAT: &str = "rdggames_v1";

/// The first bytes of a file; the digit is the version.
pub const MAGIC: &[u8; 10] = b"RDGGAMES1\n";

/// Bytes of a block before the start position.
const HEAD: usize = 14;
const CHECKSUM: usize = 4;
const START: usize = 16;

/// Shortest and longest block: no move, and 60 moves with as many scores.
pub(super) const MIN_BLOCK: usize = HEAD + CHECKSUM;
/// See [`MIN_BLOCK`].
pub const MAX_BLOCK: usize = HEAD + START + 60 * 3 + CHECKSUM;

const ENDING_BITS: u8 = 0b11;
const HAS_START: u8 = 1 << 2;
const WHITE_FIRST: u8 = 1 << 3;
const HAS_SCORES: u8 = 1 << 4;

const NOT_TOLD: i16 = i16::MIN;

/// Appends the block of a game. Moves beyond the 60 that a board has room for are the caller's
/// error.
pub fn encode(game: &KeptGame, bytes: &mut Vec<u8>) {
    let moves = game.moves.len();
    debug_assert!(moves <= 60 && usize::from(game.random_moves) <= moves);
    let scores = match game.scores.iter().any(Option::is_some) {
        true => moves - usize::from(game.random_moves),
        false => 0,
    };
    let start = if game.start.is_some() { START } else { 0 };
    let length = HEAD + start + moves + 2 * scores + CHECKSUM;
    let first = bytes.len();
    bytes.reserve(length);
    bytes.push(length as u8);
    bytes.extend_from_slice(&game.number.to_le_bytes());
    let flag = |bit: u8, is_set: bool| if is_set { bit } else { 0 };
    let white = matches!(game.start, Some((_, Color::White)));
    bytes.push(
        game.ending.index() as u8
            | flag(HAS_START, game.start.is_some())
            | flag(WHITE_FIRST, white)
            | flag(HAS_SCORES, scores > 0),
    );
    bytes.extend_from_slice(&[
        moves as u8,
        game.random_moves,
        game.engine_moves,
        game.opening_moves,
    ]);
    if let Some((board, _)) = game.start {
        bytes.extend_from_slice(&board.own.to_le_bytes());
        bytes.extend_from_slice(&board.opponent.to_le_bytes());
    }
    bytes.extend(game.moves.iter().map(|square| square.index()));
    for at in 0..scores {
        let score = game.scores.get(at).copied().flatten();
        let hundredths = score.map_or(NOT_TOLD, Score::hundredths);
        bytes.extend_from_slice(&hundredths.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes[first..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
}

/// Length of the block at the beginning of `bytes`, if it is whole and its checksum right.
pub(super) fn sound_length(bytes: &[u8]) -> Result<usize, &'static str> {
    let Some(&length) = bytes.first() else {
        return Err("nothing is there");
    };
    let length = usize::from(length);
    if !(MIN_BLOCK..=MAX_BLOCK).contains(&length) {
        return Err("no block is as long as this one says");
    }
    let Some(block) = bytes.get(..length) else {
        return Err("the block is cut short");
    };
    let (content, checksum) = block.split_at(length - CHECKSUM);
    if checksum != crc32fast::hash(content).to_le_bytes() {
        return Err("the checksum of the block is wrong");
    }
    Ok(length)
}

/// The number in a block of which [`sound_length`] found nothing wrong.
pub(super) fn number_of(block: &[u8]) -> u64 {
    let number = block.get(1..9).and_then(|bytes| bytes.try_into().ok());
    u64::from_le_bytes(number.unwrap_or_default())
}

/// The game in a whole block.
///
/// # Errors
/// What is wrong with it, as half a sentence.
pub fn decode(block: &[u8]) -> Result<KeptGame, &'static str> {
    if sound_length(block)? != block.len() {
        return Err("the block is longer than it says");
    }
    let [
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        flags,
        moves,
        random,
        engine,
        opening,
    ] = *block
        .first_chunk::<HEAD>()
        .ok_or("the block is cut short")?;
    let mut rest = &block[HEAD..block.len() - CHECKSUM];
    if flags >> 5 != 0 {
        return Err("flags are set that this version does not know");
    }
    let start = match flags & HAS_START != 0 {
        false => None,
        true => {
            let board = take_board(&mut rest).ok_or("the block is too short for its start")?;
            let color = match flags & WHITE_FIRST != 0 {
                true => Color::White,
                false => Color::Black,
            };
            Some((board, color))
        }
    };
    if flags & HAS_SCORES != 0 && moves == random {
        return Err("scores are announced for no move");
    }
    let scores = match flags & HAS_SCORES != 0 {
        true => usize::from(moves.saturating_sub(random)),
        false => 0,
    };
    if moves > 60 || random > moves || engine > random || opening > random {
        return Err("the counts of moves do not fit each other");
    }
    if rest.len() != usize::from(moves) + 2 * scores {
        return Err("the length of the block does not fit its moves");
    }
    let (squares, told) = rest.split_at(usize::from(moves));
    let squares: Option<Vec<Square>> = squares.iter().map(|&index| Square::new(index)).collect();
    let score = |bytes: &[u8; 2]| match i16::from_le_bytes(*bytes) {
        NOT_TOLD => Ok(None),
        hundredths => Score::from_hundredths(hundredths)
            .map(Some)
            .ok_or("a score is out of range"),
    };
    Ok(KeptGame {
        number: number_of(block),
        ending: Ending::ALL[usize::from(flags & ENDING_BITS)],
        start,
        moves: squares.ok_or("a square is off the board")?,
        random_moves: random,
        engine_moves: engine,
        opening_moves: opening,
        scores: told
            .as_chunks::<2>()
            .0
            .iter()
            .map(score)
            .collect::<Result<_, _>>()?,
    })
}

fn take_board(rest: &mut &[u8]) -> Option<Board> {
    let (own, behind) = rest.split_first_chunk::<8>()?;
    let (opponent, behind) = behind.split_first_chunk::<8>()?;
    *rest = behind;
    let board = Board {
        own: u64::from_le_bytes(*own),
        opponent: u64::from_le_bytes(*opponent),
    };
    let sound = board.own & board.opponent == 0 && board.occupied() & CENTRE == CENTRE;
    sound.then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Game;
    use proptest::prelude::*;

    pub(crate) fn sample() -> KeptGame {
        let game = Game::from_move_text("f5d6c3").unwrap();
        KeptGame {
            random_moves: 1,
            engine_moves: 1,
            scores: vec![Some(Score::from_discs(-1.5)), None],
            ..KeptGame::of_moves(258, Ending::Finished, &game)
        }
    }

    #[test]
    fn golden_bytes() {
        let mut bytes = Vec::new();
        encode(&sample(), &mut bytes);
        let mut expected = vec![25, 2, 1, 0, 0, 0, 0, 0, 0, 0x10, 3, 1, 1, 0];
        expected.extend([37, 43, 18]);
        expected.extend([0x6a, 0xff, 0x00, 0x80]);
        // zlib.crc32 of Python says so.
        expected.extend(0x2dd2_d85d_u32.to_le_bytes());
        assert_eq!(bytes, expected);
    }

    #[test]
    fn a_start_position_and_its_colour_go_round() {
        let start = Game::from_move_text("f5").unwrap();
        let game = KeptGame {
            start: Some((start.board(), Color::White)),
            ..sample()
        };
        let mut bytes = Vec::new();
        encode(&game, &mut bytes);
        assert_eq!(decode(&bytes), Ok(game));
    }

    #[test]
    fn each_flipped_bit_is_found() {
        let mut bytes = Vec::new();
        encode(&sample(), &mut bytes);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&changed).is_err(), "bit {bit}");
        }
    }

    fn any_game() -> impl Strategy<Value = KeptGame> {
        let score =
            proptest::option::of((-Score::MAX..=Score::MAX).prop_map(Score::from_hundredths));
        (
            any::<u64>(),
            0..4_usize,
            proptest::collection::vec(0..64_u8, 0..=60),
            any::<[u8; 3]>(),
            proptest::collection::vec(score, 60),
        )
            .prop_map(
                |(number, ending, squares, [random, engine, opening], scores)| {
                    let part = |byte: u8, of: usize| (usize::from(byte) % (of + 1)) as u8;
                    let random = part(random, squares.len());
                    let behind = squares.len() - usize::from(random);
                    let mut scores: Vec<_> = scores.into_iter().map(Option::flatten).collect();
                    scores.truncate(behind);
                    if scores.iter().all(Option::is_none) {
                        scores.clear();
                    }
                    KeptGame {
                        number,
                        ending: Ending::ALL[ending],
                        start: None,
                        moves: squares.into_iter().filter_map(Square::new).collect(),
                        random_moves: random,
                        engine_moves: part(engine, random.into()),
                        opening_moves: part(opening, random.into()),
                        scores,
                    }
                },
            )
    }

    proptest! {
        #[test]
        fn every_game_goes_round(game in any_game()) {
            let mut bytes = Vec::new();
            encode(&game, &mut bytes);
            prop_assert!(bytes.len() <= MAX_BLOCK);
            prop_assert_eq!(decode(&bytes), Ok(game));
        }

        #[test]
        fn junk_with_a_right_checksum_never_panics(mut bytes in proptest::collection::vec(any::<u8>(), 14..210)) {
            bytes[0] = (bytes.len() + 4) as u8;
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            let _ = decode(&bytes);
        }
    }
}

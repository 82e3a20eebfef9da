//! The readers and writers of game files: round trips, real files, and junk of every kind.

use proptest::prelude::*;
use rdg::board::{Color, Game, ScoreRule, Squares};
use rdg::records::{
    FORMATS, Fault, Format, GameRecord, RawGames, Replay, WrittenGame, detect, read_head,
};
use std::path::Path;

/// A random legal game of at most `moves` discs.
fn play(mut seed: u64, moves: usize) -> Game {
    let mut game = Game::new();
    for _ in 0..moves {
        game.pass_if_forced();
        if game.is_over() {
            break;
        }
        let legal: Vec<_> = Squares(game.board().legal_moves()).collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let square = legal[(seed >> 33) as usize % legal.len()];
        game.play(square.into()).expect("it is legal");
    }
    game
}

/// Everything that a stream of this format holds, read through blocks of `block` bytes.
fn read_all(format: &dyn Format, bytes: &[u8], block: usize) -> Vec<Result<Game, Fault>> {
    let mut input = Blocks { bytes, block };
    let head = read_head(&mut input).expect("memory can be read");
    let mut raw_games = RawGames::new(format, head, input);
    let mut games = Vec::new();
    let mut record = GameRecord::default();
    let mut replay = Replay::default();
    while let Some(raw) = raw_games.next_game().expect("memory can be read") {
        record.clear();
        let game = raw
            .and_then(|raw| format.parse(raw, &mut record))
            .and_then(|()| replay.run(&record))
            .map(|()| replay.to_game().expect("it was replayed once"));
        games.push(game);
    }
    games
}

/// Gives few bytes at a time, as a pipe may.
struct Blocks<'a> {
    bytes: &'a [u8],
    block: usize,
}

impl std::io::Read for Blocks<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let n = self.block.min(into.len()).min(self.bytes.len());
        into[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

fn written(format: &dyn Format, games: &[Game]) -> Vec<u8> {
    let games: Vec<WrittenGame<'_>> = games.iter().map(WrittenGame::nameless).collect();
    let mut bytes = Vec::new();
    format
        .write(&games, &mut bytes)
        .expect("memory can be written");
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Games, finished or not, come back from every format as they were.
    #[test]
    fn games_go_round(seeds in prop::collection::vec((any::<u64>(), 2usize..80), 1..8), block in 1usize..300) {
        let games: Vec<Game> = seeds.iter().map(|&(seed, moves)| play(seed, moves)).collect();
        for format in FORMATS {
            let bytes = written(format, &games);
            prop_assert_eq!(detect(&bytes).map(|f| f.name()), Ok(format.name()));
            let read: Result<Vec<Game>, Fault> = read_all(format, &bytes, block).into_iter().collect();
            prop_assert_eq!(&read, &Ok(games.clone()), "{}", format.name());
        }
    }

    /// No bytes whatever make a reader panic, hang or invent a game that the rules forbid.
    #[test]
    fn junk_is_survived(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let _ = detect(&bytes).map(|format| format.name());
        for format in FORMATS {
            read_all(format, &bytes, 64);
        }
    }

    /// Text of the pieces that the formats are made of: far more likely to get deep into a reader.
    #[test]
    fn likely_junk_is_survived(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "(", ")", ";", "(;", ";)", "[", "]", "\\", "\\]", ":", "GM[2]", "GM[Othello]", "gm[2]",
            "BO[8 ", "--------", "---O*---", " *]", "AB[d4:e5]", "AW[a1]", "AE[a1:h8]", "PL[W]",
            "B[f5]", "W[d6]", "B[]", "W[tt]", "B[ff]", "SZ[8]", "TY[8a]", "KM[1]", "RE[B+3]", "f5", "d6",
            "c3", "pa", "--", "@@@@", "1.", "\n", "\r\n", " ", "#", "\u{feff}", "é", "f", "5", "\0",
        ]), 0..120),
        block in 1usize..100,
    ) {
        let text = pieces.concat();
        let _ = detect(text.as_bytes()).map(|format| format.name());
        for format in FORMATS {
            let whole = read_all(format, text.as_bytes(), usize::MAX);
            // Where the blocks of a pipe end makes no difference.
            prop_assert_eq!(read_all(format, text.as_bytes(), block), whole);
        }
    }

    /// A good file with a few bytes changed: the games that are not touched are still there.
    #[test]
    fn a_damaged_game_costs_no_other(seed: u64, at in 0.0..1.0f64, byte: u8) {
        let games: Vec<Game> = (0..4).map(|i| play(seed.wrapping_add(i), 80)).collect();
        for format in FORMATS {
            let mut bytes = written(format, &games);
            let header = if format.name() == "wthor" { 16 } else { 0 };
            let at = header + ((bytes.len() - header) as f64 * at) as usize;
            bytes[at] = byte;
            let read = read_all(format, &bytes, 4096);
            let kept = games.iter().filter(|&game| read.contains(&Ok(game.clone()))).count();
            // A line end that is lost joins two games of one line each, so that costs both.
            let least = if matches!(format.name(), "text" | "csv" | "json") { 2 } else { 3 };
            prop_assert!(kept >= least, "{}: {kept} of 4 at {at}, {:?}", format.name(), read);
        }
    }
}

/// Long runs of each single byte and of nested brackets neither hang nor fill the memory.
#[test]
fn endless_runs_are_passed_over() {
    const LENGTH: usize = 5 << 20;
    let mut streams: Vec<Vec<u8>> = [
        b'(', b')', b'[', b']', b';', b'f', b'5', b' ', b'\n', 0, 255,
    ]
    .iter()
    .map(|&byte| vec![byte; LENGTH])
    .collect();
    for piece in [
        "(;", "(;GM[", "(;B[", "(;GM[2]", "\n1(;B[", "(;B[\\", "f5", "pa", "1.",
    ] {
        streams.push(piece.repeat(LENGTH / piece.len()).into_bytes());
        streams.push(format!("(;GM[2]C[{}", piece.repeat(LENGTH / piece.len())).into_bytes());
    }
    for bytes in streams {
        for format in FORMATS {
            // Counted alone: a million faults need not be kept.
            let mut games = RawGames::new(format, Vec::new(), &bytes[..]);
            let mut record = GameRecord::default();
            while let Some(raw) = games.next_game().expect("memory can be read") {
                record.clear();
                if let Ok(raw) = raw {
                    let _ = format.parse(raw, &mut record);
                }
            }
        }
    }
}

/// Every finished game of real files has the score that the file itself gives, by its rule.
#[test]
fn score_bytes_of_real_games_agree() {
    for (name, games, finished) in [("WTH_1977.wtb", 12, 12), ("WTH_1981.wtb", 153, 150)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../shared/games")
            .join(name);
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("skipped: {} is not there", path.display());
            continue;
        };
        let format = detect(&bytes).expect("a game file");
        let mut raw_games = RawGames::new(format, Vec::new(), &bytes[..]);
        let mut replay = Replay::default();
        let mut counts = (0, 0);
        while let Some(raw) = raw_games.next_game().expect("memory can be read") {
            let mut record = GameRecord::default();
            format
                .parse(raw.expect("no fault"), &mut record)
                .expect("no fault");
            replay.run(&record).expect("a legal game");
            counts.0 += 1;
            if replay.is_finished() {
                counts.1 += 1;
                let claim = record.claim.map(i16::from);
                assert_eq!(
                    claim,
                    Some(replay.black_score(ScoreRule::WinnerTakesEmpties))
                );
            }
        }
        assert_eq!(counts, (games, finished), "{name}");
    }
}

#[test]
fn formats_that_cannot_tell_a_start_refuse_games_with_one() {
    let mut game = Game::from_position(rdg::board::Board::START.passed(), Color::White);
    game.play("f4".parse().expect("a square"))
        .expect("it is legal");
    for format in FORMATS {
        let result = format.write(&[WrittenGame::nameless(&game)], &mut Vec::new());
        assert_eq!(
            result.is_ok(),
            !matches!(format.name(), "wthor" | "text"),
            "{}",
            format.name()
        );
    }
}

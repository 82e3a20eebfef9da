use super::super::{RawGames, Replay};
use super::*;
use crate::board::Game;

/// Nine moves that leave White without a disc: 13–0.
const SHORTEST: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

fn parsed(text: &str) -> Result<GameRecord, Fault> {
    let mut record = GameRecord::default();
    Pgn.parse(text.as_bytes(), &mut record).map(|()| record)
}

fn words(record: &GameRecord) -> String {
    let words: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
    words.join(" ")
}

/// The raw games of a text that comes in blocks of `block` bytes.
fn cut(text: &str, block: usize) -> Vec<String> {
    let mut cutter = Games::default();
    let bytes = text.as_bytes();
    let (mut from, mut to) = (0, 0);
    let mut games = Vec::new();
    loop {
        match cutter.cut(&bytes[from..to], to == bytes.len()) {
            Cut::Game(range) => {
                games.push(text[from + range.start..from + range.end].trim().to_owned());
                from += range.end;
            }
            Cut::More { .. } if to == bytes.len() => return games,
            Cut::More { used } => {
                from += used;
                to = (to + block).min(bytes.len());
            }
            Cut::Bad { fault, .. } => panic!("{fault}"),
        }
    }
}

#[test]
fn tags_and_moves_in_every_layout() {
    for moves in [
        "1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5 13-0",
        "1. e6 f4 2. e3 f6\n3. g5\nd6 4. e7 f5 5.\nc5\n13-0",
        "1. e6 f4\r\n2. e3 f6\r\n3. g5 d6\r\n4. e7 f5\r\n5. c5",
        "1.e6 f4 2.e3 f6 3.g5 d6 4.e7 f5 5.c5 1-0",
        "1.E6 1...F4 2.E3 2...F6 3.G5 D6 4.E7 F5 5.C5 *",
        "1. e6 {best [%clk 0:05:00] (e6)} f4 2. e3 (2. d6 f6 (d3) c4) f6 $1 3. g5! d6!? 4. e7 f5 ; 5. a1\n5. c5#",
        "% a line to be passed over\n1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5 1/2-1/2",
        "e6f4e3f6 g5d6e7f5c5",
    ] {
        let text = format!("[Event \"?\"]\n[Black \"A\"]\n\n{moves}\n");
        let record = parsed(&text).unwrap_or_else(|fault| panic!("{moves}: {fault}"));
        assert_eq!(words(&record), SHORTEST, "{moves}");
        assert_eq!(record.facts.black, "A");
    }
    let record = parsed("[White \"B\"]\n1. f5 --\n2. pass Z0 PA").unwrap();
    assert_eq!(words(&record), "f5 pass pass pass pass");
}

#[test]
fn tags_tell_who_when_and_the_result() {
    let record = parsed(
        "[Event \"x\"]\n[Date \"2024.01.02\"]\n[ Black  \"O\\\"Neil \\\\ co\" ]\n[White \"\u{e9}\"]\n\
         [BlackElo \"1823\"]\n[WhiteElo \"-\"]\n[Result \"6-58\"]\n\n1. e6 58-6",
    )
    .unwrap();
    assert_eq!(record.facts.black, "O\"Neil \\ co");
    assert_eq!(record.facts.white, "\u{e9}");
    assert_eq!(record.facts.year, Some(2024));
    assert_eq!(record.facts.ratings, [Some(1823.0), None]);
    assert_eq!(record.claim, Some(-52));
    for (result, claim) in [
        ("37-27", Some(10)),
        ("64-0", Some(64)),
        ("13-0", Some(13)),
        ("1-0", None),
        ("0-1", None),
        ("1/2-1/2", None),
        ("*", None),
        ("40-40", None),
        ("-3-5", None),
        ("", None),
    ] {
        let text = format!("[Result \"{result}\"]\n\n1. e6 *");
        assert_eq!(parsed(&text).unwrap().claim, claim, "{result}");
    }
    // Without the tag, the last word of the moves counts.
    assert_eq!(
        parsed("[Event \"x\"]\n1. e6 6-58").unwrap().claim,
        Some(-52)
    );
}

#[test]
fn start_boards_stand_in_a_tag() {
    let squares = Board::START.to_text(Color::Black);
    for fen in [
        format!("{squares} X"),
        "8/8/8/3OX3/3XO3/8/8/8 b - - 0 1".to_owned(),
    ] {
        let record = parsed(&format!("[FEN \"{fen}\"]\n\n1. f5")).unwrap();
        let start = record.start.unwrap();
        assert_eq!(
            (start.black, start.white, start.color),
            (Board::START.own, Board::START.opponent, Some(Color::Black)),
            "{fen}"
        );
    }
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8",
        "",
    ] {
        let fault = parsed(&format!("[FEN \"{fen}\"]\n\n1. f5")).unwrap_err();
        assert_eq!(fault.reason(), "bad_board", "{fen}: {fault}");
    }
}

#[test]
fn what_is_no_move_is_named() {
    for (moves, expected) in [
        ("1. e4 e5 2. Nf3", "`Nf3` at move 3 is not a move"),
        ("1. f5 d9", "`d9` at move 2 is not a move"),
        ("1. f5 hello", "`hello` at move 2 is not a move"),
        ("1. f5 {no end", "the game is cut off"),
    ] {
        let fault = parsed(&format!("[Event \"x\"]\n\n{moves}")).unwrap_err();
        assert_eq!(fault.to_string(), expected);
    }
}

#[test]
fn games_are_cut_wherever_a_block_ends() {
    let with_moves = "[Event \"a\"]\n[Black \"x\"]\n\n1. f5 d6\n2. c3 *";
    let without_moves = "[Event \"b\"]\n[Black \"y\"]";
    let without_blank = "[Event \"c\"]\n[Result \"6-58\"]\n1. f5 d6\n\n2. c3";
    let commented = "[Event \"d\"]\n\n1. f5 {\n[Event \n x}\n d6 {no end";
    let games = [
        with_moves,
        without_moves,
        without_moves,
        without_blank,
        commented,
        with_moves,
    ];
    for line_end in ["\n", "\r\n", "\r", "\r\r\n"] {
        let text = games.join("\n\n").replace('\n', line_end);
        let expected: Vec<String> = games
            .iter()
            .map(|game| game.replace('\n', line_end))
            .collect();
        for block in 1..text.len() + 1 {
            assert_eq!(cut(&text, block), expected, "{line_end:?} {block}");
        }
    }
    // Blank lines between all lines.
    let text = games.join("\n").replace('\n', "\n\n");
    assert_eq!(cut(&text, 7).len(), games.len());
}

#[test]
fn a_game_that_is_too_long_costs_no_other() {
    let good = "[Event \"a\"]\n\n1. f5 d6\n\n";
    for long in ["1. f5 d6\n", "1. f5 d6 ", "{"] {
        let long = long.repeat(2 * super::super::MAX_GAME_BYTES / long.len());
        let text = format!("{good}[Event \"long\"]\n{long}\n\n{good}{good}");
        let mut games = RawGames::new(&Pgn, Vec::new(), text.as_bytes());
        let (mut whole, mut faults) = (0, 0);
        while let Some(raw) = games.next_game().unwrap() {
            match raw {
                Ok(raw) if raw.starts_with(b"[Event \"a\"]") => whole += 1,
                _ => faults += 1,
            }
        }
        assert_eq!(whole, 3, "{}", &long[..8]);
        assert!(faults <= 4, "{faults} for {}", &long[..8]);
    }
}

#[test]
fn only_tags_begin_a_file() {
    for text in [
        "[Event \"x\"]\n",
        "\u{feff}\r\n[Site \"PlayOK\"]\n1. f5",
        "% x\n[a \"b\"]",
    ] {
        assert!(Pgn.recognises(text.as_bytes()), "{text}");
    }
    for text in [
        "[8 -------- *]",
        "[\"f5d6\"]",
        "[{\"a\": 1}]",
        "[section]\nkey = \"x\"",
        "f5d6",
    ] {
        assert!(!Pgn.recognises(text.as_bytes()), "{text}");
    }
}

#[test]
fn a_written_game_reads_back() {
    let shortest = Game::from_move_text(SHORTEST).unwrap();
    let mut from_white = Game::from_position(Board::START.passed(), Color::White);
    for square in ["f4", "d3", "c6"] {
        from_white.play(square.parse().unwrap()).unwrap();
    }
    for (game, claim) in [(&shortest, Some(13)), (&from_white, None)] {
        let written = WrittenGame {
            game,
            black: "a \"b\" \\",
            white: "",
        };
        let mut text = Vec::new();
        Pgn.write(&[written], &mut text).unwrap();
        assert!(Pgn.recognises(&text));
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        let record = parsed(&text).unwrap();
        assert_eq!(record.claim, claim);
        assert_eq!(record.facts.black, "a \"b\" \\");
        let mut replay = Replay::default();
        replay.run(&record).unwrap();
        assert_eq!(&replay.to_game().unwrap(), game);
    }
}

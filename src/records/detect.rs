//! Tells from the first block of a stream what it holds, or why that is no games.

use super::wthor::is_name_list;
use super::{FORMATS, Fault, Format, GameRecord, RawGames};

/// What a stream holds instead of what is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotGames {
    /// Nothing.
    #[error("it is empty")]
    Empty,
    /// The companion of WTHOR game files.
    #[error("it is a WTHOR list of names (.jou, .trn), the games are in .wtb files")]
    NameList,
    /// Files in a file.
    #[error("it is an archive ({0}); unpack it first")]
    Archive(&'static str),
    /// Two bytes per character.
    #[error("it is UTF-16 text; convert it to UTF-8 first")]
    Utf16,
    /// Our own output.
    #[error("it is a dataset file, which holds positions without their games")]
    Dataset,
    /// Something well known that is not a game record.
    #[error("it is {0}, which is not a game record")]
    Other(&'static str),
    /// PGN of another game.
    #[error("it is PGN of chess or another game, not of Othello")]
    OtherPgn,
    /// Positions with values where games are asked for.
    #[error(
        "it holds positions with values, not games; --values as-given --score-rule RULE takes them"
    )]
    ValuedPositions,
    /// Positions without values.
    #[error("it holds positions without games and without values")]
    BarePositions,
    /// Games where positions with values are asked for.
    #[error("it holds games, not positions with values, which --values as-given asks for")]
    Games,
    /// Anything else.
    #[error(
        "it is none of WTHOR, GGF, SGF (GM[2]), PGN, JSON, CSV or move text; if it is one of them, \
         name it with --format"
    )]
    Unknown,
}

/// Beginnings of files that are no game records, and what they are.
const SIGNATURES: [(&[u8], NotGames); 19] = [
    (b"PK\x03\x04", NotGames::Archive("zip")),
    (b"7z\xbc\xaf", NotGames::Archive("7z")),
    (b"Rar!", NotGames::Archive("rar")),
    (b"\xff\xfe", NotGames::Utf16),
    (b"\xfe\xff", NotGames::Utf16),
    (b"RDGBBVAL1\n", NotGames::Dataset),
    (b"\x93NUMPY", NotGames::Other("a numpy array")),
    (b"PAR1", NotGames::Other("a Parquet table")),
    (b"SQLite format 3\0", NotGames::Other("an SQLite database")),
    (b"%PDF-", NotGames::Other("a PDF document")),
    (b"\x89PNG", NotGames::Other("a picture")),
    (b"\xff\xd8\xff", NotGames::Other("a picture")),
    (b"GIF8", NotGames::Other("a picture")),
    (b"\x7fELF", NotGames::Other("a program")),
    (b"<?xml", NotGames::Other("an XML document")),
    (b"<!DOCTYPE", NotGames::Other("a web page")),
    (b"<!doctype", NotGames::Other("a web page")),
    (b"<html", NotGames::Other("a web page")),
    (
        b"version https://git-lfs",
        NotGames::Other("a pointer of Git LFS to a file that was not fetched"),
    ),
];

/// The format of a stream that begins with `head` (its first block, or all of it).
pub fn detect(head: &[u8]) -> Result<&'static dyn Format, NotGames> {
    if head.is_empty() {
        return Err(NotGames::Empty);
    }
    if let Some((_, found)) = SIGNATURES.iter().find(|(sign, _)| head.starts_with(sign)) {
        return Err(*found);
    }
    if head.get(257..262) == Some(b"ustar") {
        return Err(NotGames::Archive("tar"));
    }
    if is_name_list(head) {
        return Err(NotGames::NameList);
    }
    FORMATS
        .into_iter()
        .find(|format| format.recognises(head))
        .ok_or(NotGames::Unknown)
}

/// What the entries of a stream are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// Games, or nothing that can be told.
    Games,
    /// Positions with their values.
    ValuedPositions,
    /// Positions alone.
    BarePositions,
}

/// Entries of the first block that are looked at.
const ENTRIES_TRIED: usize = 100;

/// What the entries of a stream of this format are that begins with `head`.
///
/// # Errors
/// [`NotGames::OtherPgn`] where all of them are games of another kind.
pub fn content(format: &dyn Format, head: &[u8]) -> Result<Content, NotGames> {
    let mut entries = RawGames::new(format, head.to_vec(), std::io::empty());
    let mut record = GameRecord::default();
    let (mut games, mut valued, mut bare, mut foreign) = (0, 0, 0, 0);
    for _ in 0..ENTRIES_TRIED {
        // Memory never fails to be read.
        let Ok(Some(raw)) = entries.next_game() else {
            break;
        };
        let raw = raw.map(<[u8]>::to_vec);
        let header = entries.header().cloned().unwrap_or_default();
        record.clear();
        match raw.and_then(|raw| format.parse_with(&raw, &header, &mut record)) {
            Err(Fault::NotAMove { text, .. }) if is_chess(text.raw()) => foreign += 1,
            Err(_) => {}
            Ok(()) if record.is_valued_position() => valued += 1,
            Ok(()) if record.start.is_some() && record.moves.is_empty() => bare += 1,
            Ok(()) => games += usize::from(!record.moves.is_empty()),
        }
    }
    match (games, valued, bare) {
        (0, 0, 0) if foreign > 0 && format.name() == "pgn" => Err(NotGames::OtherPgn),
        (games, valued, _) if valued > games => Ok(Content::ValuedPositions),
        (0, 0, 1..) => Ok(Content::BarePositions),
        _ => Ok(Content::Games),
    }
}

/// A piece with its square, or castling.
fn is_chess(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let mut chars = word.chars();
    word.starts_with("O-O")
        || chars.next().is_some_and(|c| "KQRBN".contains(c))
            && chars
                .next()
                .is_some_and(|c| "abcdefghx12345678".contains(c))
        || word.len() >= 4 && word.as_bytes().get(1) == Some(&b'x')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(head: &[u8]) -> Result<&'static str, NotGames> {
        detect(head).map(|format| format.name())
    }

    #[test]
    fn the_content_decides() {
        assert_eq!(found(b"f5d6c3\n"), Ok("text"));
        assert_eq!(found(b"\xef\xbb\xbfF5 D6 C3\r\n"), Ok("text"));
        assert_eq!(found(b"(;GM[Othello]PC[GGS/os]BO[8 "), Ok("ggf"));
        assert_eq!(found(b"2 (;gm[OTHELLO]PC[GGS/os]"), Ok("ggf"));
        assert_eq!(found(b"(;PB[x]BO[8 ---- *]B[f5];)"), Ok("ggf"));
        assert_eq!(found(b"(;FF[4]GM[2]SZ[8];B[f5])"), Ok("sgf"));
        assert_eq!(found(b"\r\n ( ;gm[2] ;b[f5])"), Ok("sgf"));
        assert_eq!(found(b"(;GM[1]SZ[19];B[pd])"), Ok("sgf"));
        assert_eq!(found(b"[Event \"x\"]\n1. f5"), Ok("pgn"));
        assert_eq!(found(b"[{\"m\": \"f5d6c3d3c4\"}]"), Ok("json"));
        assert_eq!(found(b"id,moves\n1,f5d6c3d3c4\n"), Ok("csv"));
        let header = [20, 7, 5, 22, 12, 0, 0, 0, 0, 0, 0xb9, 7, 8, 0, 24, 0];
        assert_eq!(found(&header), Ok("wthor"));
    }

    #[test]
    fn what_is_no_game_file_is_named() {
        let names = [20, 7, 5, 22, 0, 0, 0, 0, 44, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(found(&names), Err(NotGames::NameList));
        assert_eq!(found(b""), Err(NotGames::Empty));
        assert_eq!(found(b"PK\x03\x04x"), Err(NotGames::Archive("zip")));
        let mut tar = vec![b'a'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(found(&tar), Err(NotGames::Archive("tar")));
        assert_eq!(
            found(b"<!DOCTYPE html>"),
            Err(NotGames::Other("a web page"))
        );
        assert_eq!(found(b"RDGBBVAL1\nabc"), Err(NotGames::Dataset));
        assert_eq!(found(b"\xff\xfef\x005\x00"), Err(NotGames::Utf16));
        for junk in [&b"\0\0\0\0"[..], b"hello", b"\n\n", &[0xff; 4096]] {
            assert_eq!(found(junk), Err(NotGames::Unknown));
        }
    }

    #[test]
    fn positions_and_games_of_another_kind_are_told_apart() {
        let of = |text: &str| content(detect(text.as_bytes()).unwrap(), text.as_bytes());
        let board = "---------------------------OX------XO---------------------------";
        assert_eq!(of("f5d6c3d3c4\n"), Ok(Content::Games));
        assert_eq!(of(&format!("{board} X f5d6\n")), Ok(Content::Games));
        assert_eq!(
            of(&format!("{board} -4\n{board} 3")),
            Ok(Content::ValuedPositions)
        );
        assert_eq!(
            of(&format!("{board} X; f5:+0\n")),
            Ok(Content::ValuedPositions)
        );
        assert_eq!(of(&format!("{board} X\n")), Ok(Content::BarePositions));
        assert_eq!(
            of(&format!("board,value\n{board},7\n")),
            Ok(Content::ValuedPositions)
        );
        let chess = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n";
        assert_eq!(of(&chess.repeat(3)), Err(NotGames::OtherPgn));
        assert_eq!(
            of("[Event \"x\"]\n\n1. d4 Nf6 *\n"),
            Err(NotGames::OtherPgn)
        );
        assert_eq!(of("[Event \"x\"]\n\n1. f5 d6 *\n"), Ok(Content::Games));
    }
}

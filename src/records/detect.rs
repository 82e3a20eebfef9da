//! Tells from the first block of a stream what it holds, or why that is no games.

use super::wthor::is_name_list;
use super::{FORMATS, Format};

/// What a stream holds instead of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotGames {
    /// Nothing.
    #[error("it is empty")]
    Empty,
    /// The companion of WTHOR game files.
    #[error("it is a WTHOR list of names (.jou, .trn), the games are in .wtb files")]
    NameList,
    /// Compressed.
    #[error("it is compressed ({0}); unpack it first, or pipe it: `… | rdg import -`")]
    Compressed(&'static str),
    /// Two bytes per character.
    #[error("it is UTF-16 text; convert it to UTF-8 first")]
    Utf16,
    /// Our own output.
    #[error("it is a dataset file, which holds positions without their games")]
    Dataset,
    /// Anything else.
    #[error(
        "it is none of WTHOR, GGF, SGF (GM[2]) or move text; if it is one of them, name it with --format"
    )]
    Unknown,
}

/// The format of a stream that begins with `head` (its first block, or all of it).
pub fn detect(head: &[u8]) -> Result<&'static dyn Format, NotGames> {
    const SIGNATURES: [(&[u8], NotGames); 9] = [
        (b"\x1f\x8b", NotGames::Compressed("gzip")),
        (b"PK\x03\x04", NotGames::Compressed("zip")),
        (b"BZh", NotGames::Compressed("bzip2")),
        (b"\xfd7zXZ", NotGames::Compressed("xz")),
        (b"\x28\xb5\x2f\xfd", NotGames::Compressed("zstd")),
        (b"7z\xbc\xaf", NotGames::Compressed("7z")),
        (b"\xff\xfe", NotGames::Utf16),
        (b"\xfe\xff", NotGames::Utf16),
        (b"RDGBBVAL1\n", NotGames::Dataset),
    ];
    if head.is_empty() {
        return Err(NotGames::Empty);
    }
    if let Some((_, found)) = SIGNATURES.iter().find(|(sign, _)| head.starts_with(sign)) {
        return Err(*found);
    }
    if is_name_list(head) {
        return Err(NotGames::NameList);
    }
    FORMATS
        .into_iter()
        .find(|format| format.recognises(head))
        .ok_or(NotGames::Unknown)
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
        let header = [20, 7, 5, 22, 12, 0, 0, 0, 0, 0, 0xb9, 7, 8, 0, 24, 0];
        assert_eq!(found(&header), Ok("wthor"));
    }

    #[test]
    fn what_is_no_game_file_is_named() {
        let names = [20, 7, 5, 22, 0, 0, 0, 0, 44, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(found(&names), Err(NotGames::NameList));
        assert_eq!(found(b""), Err(NotGames::Empty));
        assert_eq!(found(b"\x1f\x8b\x08"), Err(NotGames::Compressed("gzip")));
        assert_eq!(found(b"RDGBBVAL1\nabc"), Err(NotGames::Dataset));
        assert_eq!(found(b"\xff\xfef\x005\x00"), Err(NotGames::Utf16));
        for junk in [
            &b"\0\0\0\0"[..],
            b"\x7fELF\x02\x01",
            b"hello",
            b"\n\n",
            &[0xff; 4096],
        ] {
            assert_eq!(found(junk), Err(NotGames::Unknown));
        }
    }
}

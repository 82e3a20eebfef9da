//! What GGF and SGF have in common: games in parentheses that hold properties `NAME[value]`.
//!
//! Files met in the wild are cut or lack a bracket. A game that does must not swallow its
//! neighbours: whatever state a game has left the reader in, the beginning of the next is
//! recognised. What stands between games is passed over, but for lines of move text: they are
//! games too, and must not be lost without a word.

use super::movetext::{is_game, is_line_end};
use super::{Cut, Cutter, Fault};
use std::borrow::Cow;
use std::ops::Range;

/// Properties that stand only at the beginning of a game.
const ROOT_NAMES: [&[u8]; 6] = [b"GM", b"FF", b"CA", b"SZ", b"AP", b"PC"];
/// Bytes that have to be there to tell a game's beginning: parenthesis, semicolon, name, bracket
/// and a little blank space.
const LOOK_AHEAD: usize = 32;
/// A line between games that is longer is not a game, and is not waited for.
const LONGEST_LINE: usize = 16 << 10;

/// Cuts a stream at parentheses.
pub(super) struct Parentheses {
    /// `\` makes the next character of a value an ordinary one.
    escapes: bool,
    /// What the file holds, for messages.
    file: &'static str,
    passing_over: PassingOver,
}

/// Whether a game that became too long is being passed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PassingOver {
    No,
    /// Its first parenthesis is at the beginning of the window.
    Begin,
    /// Inside it.
    Inside,
}

/// Where the next game begins in a window.
#[derive(Clone, Copy)]
enum Begin {
    /// Here.
    Game(usize),
    /// Perhaps here; more has to be seen.
    Undecided(usize),
    /// Not in this window.
    None,
}

/// What stands between two games.
enum Gap {
    /// A line of move text, which ends here.
    Game { end: usize },
    /// Nothing up to here.
    Nothing { used: usize },
}

/// Looks for move text between games; `whole`: the last line of `gap` ends with it.
fn move_text(gap: &[u8], whole: bool) -> Gap {
    let mut from = 0;
    while from < gap.len() {
        let line_end = gap[from..].iter().position(|&c| is_line_end(c));
        let end = match line_end {
            Some(length) => from + length,
            None if whole || gap.len() - from > LONGEST_LINE => gap.len(),
            None => return Gap::Nothing { used: from },
        };
        if is_game(&gap[from..end]) {
            return Gap::Game { end };
        }
        from = end + 1;
    }
    Gap::Nothing { used: gap.len() }
}

impl Parentheses {
    /// `escapes`: whether the format has them; `file`: what the file holds, for messages.
    pub(super) fn new(escapes: bool, file: &'static str) -> Parentheses {
        Parentheses {
            escapes,
            file,
            passing_over: PassingOver::No,
        }
    }

    /// Where the next game begins.
    fn begin(&mut self, window: &[u8], at_end: bool) -> Begin {
        let mut from = 0;
        if self.passing_over == PassingOver::Begin {
            self.passing_over = PassingOver::Inside;
            from = 1;
        }
        while let Some(found) = memchr::memchr(b'(', &window[from..]) {
            let start = from + found;
            let rest = &window[start..];
            if rest.len() < LOOK_AHEAD && !at_end {
                return Begin::Undecided(start);
            }
            let begins = match root_name(rest) {
                // A variation of the game that is passed over begins in the same way.
                Some(name) if self.passing_over == PassingOver::Inside => {
                    ROOT_NAMES.contains(&name.as_slice())
                }
                name => name.is_some(),
            };
            if begins {
                return Begin::Game(start);
            }
            from = start + 1;
        }
        Begin::None
    }

    /// Where the game that begins at `window[0]` ends; `None`: not in this window.
    fn end(&self, window: &[u8], at_end: bool) -> Option<usize> {
        let mut depth = 0usize;
        let mut in_value = false;
        let mut at = 0;
        while at < window.len() {
            match window[at] {
                b'\\' if in_value && self.escapes => at += 1,
                b']' => in_value = false,
                b'(' if at > 0 => {
                    let rest = &window[at..];
                    if rest.len() < LOOK_AHEAD && !at_end {
                        return None;
                    }
                    let next_game = match root_name(rest) {
                        Some(name) if !in_value => ROOT_NAMES.contains(&name.as_slice()),
                        Some(name) => name == *b"GM" || begins_line(&window[..at]),
                        None => false,
                    };
                    if next_game {
                        return Some(at);
                    }
                    depth += usize::from(!in_value);
                }
                b'(' => depth = 1,
                b'[' => in_value = true,
                b')' if !in_value => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        at_end.then_some(window.len())
    }
}

impl Cutter for Parentheses {
    fn cut(&mut self, window: &[u8], at_end: bool) -> Cut {
        let begin = self.begin(window, at_end);
        let (gap, whole) = match begin {
            Begin::Game(start) => (start, true),
            Begin::Undecided(start) => (start, false),
            Begin::None => (window.len(), at_end),
        };
        let mut checked = gap;
        // What belongs to a game that is passed over is not looked at.
        if self.passing_over == PassingOver::No {
            match move_text(&window[..gap], whole) {
                Gap::Game { end } => {
                    let fault = Fault::OtherFormat {
                        found: "move text",
                        file: self.file,
                    };
                    return Cut::Bad { used: end, fault };
                }
                Gap::Nothing { used } => checked = used,
            }
        }
        let Begin::Game(start) = begin else {
            return Cut::More { used: checked };
        };
        self.passing_over = PassingOver::No;
        match self.end(&window[start..], at_end) {
            Some(length) => Cut::Game(start..start + length),
            None => Cut::More { used: start },
        }
    }

    fn give_up(&mut self) {
        self.passing_over = PassingOver::Begin;
    }
}

/// The name of the first property (two letters of it, upper case) when `text` is the beginning of
/// a game: `(`, `;`, a name and `[`, with few blanks between.
pub(super) fn root_name(text: &[u8]) -> Option<[u8; 2]> {
    // The answer must not depend on where a window ends.
    let text = &text[..text.len().min(LOOK_AHEAD)];
    let rest = text.strip_prefix(b"(")?.trim_ascii_start();
    let rest = rest.strip_prefix(b";")?.trim_ascii_start();
    let letters = rest.iter().take_while(|c| c.is_ascii_alphabetic()).count();
    let bracket = rest[letters..].trim_ascii_start().first();
    (letters > 0 && bracket == Some(&b'[')).then(|| name(&rest[..letters]))
}

/// Whether a line begins where `before` ends, apart from a number as GGF writes it before games.
fn begins_line(before: &[u8]) -> bool {
    for &c in before.iter().rev() {
        match c {
            b'\n' | b'\r' => return true,
            _ if c.is_ascii_digit() || c.is_ascii_whitespace() => {}
            _ => return false,
        }
    }
    true
}

/// Upper case of the first two letters that count. Old writers pad names with lower-case letters
/// (`GaMe` for `GM`), new ones write the whole name in lower case.
fn name(letters: &[u8]) -> [u8; 2] {
    let padded = letters.iter().any(u8::is_ascii_uppercase);
    let mut counted = letters
        .iter()
        .filter(|c| !padded || c.is_ascii_uppercase())
        .map(u8::to_ascii_uppercase);
    [
        counted.next().unwrap_or(b' '),
        counted.next().unwrap_or(b' '),
    ]
}

/// What a game consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece<'a> {
    /// One value of a property; a property with several values comes once for each.
    Property {
        /// Two letters, upper case; one letter is followed by a blank.
        name: [u8; 2],
        /// Between the brackets, as it is.
        value: &'a [u8],
    },
    /// The first closing parenthesis: the main line ends.
    End,
    /// The text ends too early.
    Cut,
}

/// The pieces of the main line of one raw game: of variations, the first is followed.
pub(super) struct Pieces<'a> {
    text: &'a [u8],
    at: usize,
    escapes: bool,
    name: [u8; 2],
}

impl<'a> Pieces<'a> {
    /// The pieces of `text`, one raw game.
    pub(super) fn new(text: &'a [u8], escapes: bool) -> Pieces<'a> {
        Pieces {
            text,
            at: 0,
            escapes,
            name: [b' '; 2],
        }
    }

    /// The next piece. After [`Piece::End`] or [`Piece::Cut`] there is nothing of interest.
    pub(super) fn next_piece(&mut self) -> Piece<'a> {
        while let Some(&c) = self.text.get(self.at) {
            match c {
                b')' => return Piece::End,
                b'[' => {
                    return match self.value() {
                        Some(range) => Piece::Property {
                            name: self.name,
                            value: &self.text[range],
                        },
                        None => Piece::Cut,
                    };
                }
                _ if c.is_ascii_alphabetic() => {
                    let rest = &self.text[self.at..];
                    let letters = rest.iter().take_while(|c| c.is_ascii_alphabetic()).count();
                    self.name = name(&rest[..letters]);
                    // A name of three letters is none of those that are read here.
                    self.at += letters;
                }
                _ => self.at += 1,
            }
        }
        Piece::Cut
    }

    /// The value whose opening bracket is at hand; `None`: it never ends.
    fn value(&mut self) -> Option<Range<usize>> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            at += memchr::memchr2(b']', b'\\', self.text.get(at..)?)?;
            if self.text[at] == b']' {
                self.at = at + 1;
                return Some(start..at);
            }
            at += if self.escapes { 2 } else { 1 };
        }
    }
}

/// A value with its escapes resolved.
pub(super) fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(&c) = bytes.next() {
        match c {
            b'\\' => plain.extend(bytes.next()),
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str, escapes: bool) -> Vec<&str> {
        let mut cutter = Parentheses::new(escapes, "games");
        let mut from = 0;
        let mut found = Vec::new();
        while let Cut::Game(range) = cutter.cut(&text.as_bytes()[from..], true) {
            found.push(&text[from + range.start..from + range.end]);
            from += range.end;
        }
        found
    }

    #[test]
    fn games_on_one_line_on_many_and_between_junk() {
        let text = "junk (not a game)\n2 (;GM[x]B[f5];) (;GM[x]\n;W[d6]\n)\n;) tail";
        assert_eq!(games(text, false), ["(;GM[x]B[f5];)", "(;GM[x]\n;W[d6]\n)"]);
    }

    #[test]
    fn variations_and_parentheses_in_values_belong_to_their_game() {
        let text = "(;GM[2]C[:) (;B[f5\\]] ];B[f5](;W[d6])(;W[f6]))(;GM[2])";
        assert_eq!(
            games(text, true),
            [
                "(;GM[2]C[:) (;B[f5\\]] ];B[f5](;W[d6])(;W[f6]))",
                "(;GM[2])"
            ]
        );
    }

    #[test]
    fn a_cut_game_does_not_swallow_the_next() {
        for torn in [
            "(;GM[x]B[f5",
            "(;GM[x]B[f5]",
            "(;GM[x]B[f5;)",
            "(;GM[x]C[((((",
            "(;GM[x](;B[f5]",
        ] {
            let text = format!("{torn}\n1 (;GM[x]W[d6];)");
            let found = games(&text, true);
            assert_eq!(found.last(), Some(&"(;GM[x]W[d6];)"), "{torn}");
            assert_eq!(found.len(), 2, "{torn}");
        }
    }

    #[test]
    fn move_text_between_games_is_told_wherever_a_window_ends() {
        let moves = "f5d6c3d3c4f4f6f3e6e7";
        let text = format!(
            "{moves}\n2 (;GM[x]B[f5];) {moves}\nprose (f5) a1\n1. f5 2. d6\n(;GM[x]W[d6];)\r\n{moves}"
        );
        for step in 1..text.len() {
            let mut cutter = Parentheses::new(false, "games");
            let (mut from, mut to) = (0, 0);
            let (mut games, mut told) = (0, 0);
            loop {
                match cutter.cut(&text.as_bytes()[from..to], to == text.len()) {
                    Cut::Game(range) => {
                        games += 1;
                        from += range.end;
                    }
                    Cut::Bad { used, fault } => {
                        assert_eq!(fault.reason(), "other_format");
                        told += 1;
                        from += used;
                    }
                    Cut::More { .. } if to == text.len() => break,
                    Cut::More { used } => {
                        from += used;
                        to = (to + step).min(text.len());
                    }
                }
            }
            assert_eq!((games, told), (2, 4), "step {step}");
        }
    }

    #[test]
    fn a_window_that_ends_anywhere_gives_the_same_games() {
        let text = "x\n(;GM[2]C[a\\]b];B[f5](;W[d6])(;W[f6]))\n1 (;GM[2]B[f5\n(;GM[2];B[d3]) y";
        let whole = games(text, true);
        assert_eq!(whole.len(), 3);
        for step in 1..text.len() {
            let mut cutter = Parentheses::new(true, "games");
            let (mut from, mut to) = (0, 0);
            let mut found = Vec::new();
            loop {
                match cutter.cut(&text.as_bytes()[from..to], to == text.len()) {
                    Cut::Game(range) => {
                        found.push(&text[from + range.start..from + range.end]);
                        from += range.end;
                    }
                    Cut::More { .. } if to == text.len() => break,
                    Cut::More { used } => {
                        from += used;
                        to = (to + step).min(text.len());
                    }
                    Cut::Bad { .. } => unreachable!("parentheses never tell faults"),
                }
            }
            assert_eq!(found, whole, "step {step}");
        }
    }

    #[test]
    fn a_game_that_is_too_long_is_passed_over_with_its_variations() {
        use super::super::{Fault, MAX_GAME_BYTES, RawGames, Sgf};
        let long = "(;B[f5])".repeat(MAX_GAME_BYTES / 4);
        let text = format!("(;GM[2];B[d3])(;GM[2]{long})(;GM[2];B[c4])");
        let mut games = RawGames::new(&Sgf, Vec::new(), text.as_bytes());
        let mut seen = Vec::new();
        while let Some(raw) = games.next_game().unwrap() {
            seen.push(raw.map(|raw| String::from_utf8_lossy(raw).into_owned()));
        }
        let limit = MAX_GAME_BYTES;
        assert_eq!(
            seen,
            [
                Ok("(;GM[2];B[d3])".to_owned()),
                Err(Fault::TooLong { limit }),
                Ok("(;GM[2];B[c4])".to_owned())
            ]
        );
    }

    #[test]
    fn names_in_every_fashion() {
        for text in ["(;GM[2]", "( ; gm [2]", "(;GaMe[2]", "(\n;\nGM\n[2]"] {
            assert_eq!(root_name(text.as_bytes()), Some(*b"GM"), "{text}");
        }
        for text in ["(;", "(GM[2]", "(;[2]", ";GM[2]", "(;GM2]"] {
            assert_eq!(root_name(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn pieces_follow_the_first_variation() {
        let mut pieces = Pieces::new(b"(;AB[d5][e4]C[\\]\\\\](;B[f5])(;B[d3]))", true);
        let mut seen = Vec::new();
        while let Piece::Property { name, value } = pieces.next_piece() {
            let name = String::from_utf8_lossy(&name).into_owned();
            let value = String::from_utf8_lossy(&unescaped(value)).into_owned();
            seen.push(format!("{name}={value}"));
        }
        assert_eq!(seen, ["AB=d5", "AB=e4", "C =]\\", "B =f5"]);
    }
}

//! WTHOR, the binary database of the French federation: a header of 16 bytes, then 68 bytes per
//! game, little-endian. Passes are not stored. Files that were simply put together are read as
//! well: a new header may follow the last game.

use super::{Cut, Cutter, Fault, Format, GameRecord, Header as GamesHeader, WrittenGame};
use crate::board::{Board, Color, Move, Square};
use std::io::{self, Write};
use std::sync::Arc;

const HEADER: usize = 16;
const GAME: usize = 68;
/// Moves begin behind tournament (2), black (2), white (2), black's discs, theoretical score.
const MOVES: usize = 8;
/// Where the numbers of the players stand.
const BLACK: usize = 2;
const WHITE: usize = 4;
/// Where black's discs stand, the winner's empty squares included.
const BLACK_DISCS: usize = 6;

/// The format.
pub struct Wthor;

/// The fields of a header that matter here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Header {
    games: u32,
    names: u16,
    /// Of the games; 0 where it is not told.
    year: u16,
    board: u8,
}

impl Header {
    /// `None`: these are not 16 bytes of a WTHOR file.
    fn read(bytes: &[u8]) -> Option<Header> {
        let &[
            century,
            year,
            month,
            day,
            g0,
            g1,
            g2,
            g3,
            n0,
            n1,
            y0,
            y1,
            board,
            kind,
            depth,
            _,
        ] = bytes.get(..HEADER)?
        else {
            return None;
        };
        let date = (17..=29).contains(&century) && year < 100 && month <= 12 && day <= 31;
        (date && board <= 14 && kind <= 1 && depth <= 60).then_some(Header {
            games: u32::from_le_bytes([g0, g1, g2, g3]),
            names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            board,
        })
    }
}

impl Header {
    /// 0 stands for the usual size.
    fn is_8x8(self) -> bool {
        matches!(self.board, 0 | 8)
    }
}

/// A list of players (.jou) or tournaments (.trn), the companions of game files.
pub(super) fn is_name_list(head: &[u8]) -> bool {
    Header::read(head).is_some_and(|header| header.games == 0 && header.names > 0)
}

/// Length of a name in a list of players.
const NAME: usize = 20;

/// The names in a list of players (.jou), by their numbers; `None`: it is none.
pub fn player_names(list: &[u8]) -> Option<Vec<String>> {
    let header = Header::read(list).filter(|_| is_name_list(list))?;
    let names = &list[HEADER..];
    (names.len() == usize::from(header.names) * NAME).then(|| {
        let plain = |name: &[u8]| {
            let name = name.split(|&c| c == 0).next().unwrap_or_default();
            // Latin-1, whose characters have the numbers of Unicode.
            name.iter()
                .map(|&c| char::from(c))
                .collect::<String>()
                .trim()
                .to_owned()
        };
        names.chunks(NAME).map(plain).collect()
    })
}

impl Format for Wthor {
    fn name(&self) -> &'static str {
        "wthor"
    }

    fn recognises(&self, head: &[u8]) -> bool {
        // A list of names has the same header, counted in the other field.
        Header::read(head).is_some_and(|header| header.games > 0)
    }

    fn cutter(&self) -> Box<dyn Cutter> {
        Box::new(Games::default())
    }

    fn parse(&self, raw: &[u8], record: &mut GameRecord) -> Result<(), Fault> {
        let raw: &[u8; GAME] = raw.try_into().map_err(|_| Fault::Cut)?;
        let moves = &raw[MOVES..];
        for (index, &byte) in moves.iter().enumerate() {
            let fault = || Fault::NotAMove {
                text: byte.to_string().into(),
                number: index + 1,
            };
            if byte == 0 {
                // Nothing may follow the end; a gap means that the game is damaged.
                if moves[index..].iter().any(|&byte| byte != 0) {
                    return Err(fault());
                }
                break;
            }
            let (row, column) = (byte / 10, byte % 10);
            let square =
                Square::at(column.wrapping_sub(1), row.wrapping_sub(1)).ok_or_else(fault)?;
            record.push(Move::Play(square));
        }
        let discs = raw[BLACK_DISCS];
        record.claim = (discs <= 64).then(|| (2 * i16::from(discs) - 64) as i8);
        Ok(())
    }

    fn parse_with(
        &self,
        raw: &[u8],
        header: &GamesHeader,
        record: &mut GameRecord,
    ) -> Result<(), Fault> {
        record.facts.year = header.year;
        let number = |at: usize| {
            let bytes = raw.get(at..at + 2)?;
            Some(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
        };
        let name = |at| number(at).and_then(|number| header.players.get(number));
        record.facts.black.extend(name(BLACK).map(String::as_str));
        record.facts.white.extend(name(WHITE).map(String::as_str));
        self.parse(raw, record)
    }

    /// Names go to files of their own in this format and are left out.
    fn write(&self, games: &[WrittenGame<'_>], out: &mut dyn Write) -> io::Result<()> {
        let count = u32::try_from(games.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "too many games"))?;
        let mut header = [0u8; HEADER];
        // Century, year, month, day of writing: a fixed day keeps equal input equal.
        header[..4].copy_from_slice(&[20, 0, 1, 1]);
        header[4..8].copy_from_slice(&count.to_le_bytes());
        header[10..12].copy_from_slice(&2000u16.to_le_bytes());
        header[12] = 8;
        out.write_all(&header)?;
        for written in games {
            out.write_all(&encode(written)?)?;
        }
        Ok(())
    }
}

fn encode(written: &WrittenGame<'_>) -> io::Result<[u8; GAME]> {
    let game = written.game;
    if game.start() != (Board::START, Color::Black) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "WTHOR holds only games from the usual start position",
        ));
    }
    let mut raw = [0u8; GAME];
    let winner_takes_empties = match game.color() {
        Color::Black => game.board().winner_takes_empties(),
        Color::White => -game.board().winner_takes_empties(),
    };
    // (−64..=64 + 64) / 2 lies in 0..=64.
    raw[BLACK_DISCS] = ((winner_takes_empties + 64) / 2) as u8;
    raw[BLACK_DISCS + 1] = raw[BLACK_DISCS];
    let squares = game.moves().iter().filter_map(|mv| match mv {
        Move::Play(square) => Some(square),
        Move::Pass => None,
    });
    // From the usual start no game has more than 60 placed discs.
    for (byte, square) in raw[MOVES..].iter_mut().zip(squares) {
        *byte = 10 * (square.rank() + 1) + square.file() + 1;
    }
    Ok(raw)
}

/// Where one stream stands.
#[derive(Default)]
struct Games {
    /// Games that the header counts, once it is read.
    expected: Option<u64>,
    found: u64,
    /// What the header tells of the games.
    header: Option<Arc<GamesHeader>>,
    players: Arc<[String]>,
    /// The rest is not looked at.
    done: bool,
}

impl Games {
    fn tell(&mut self, header: Header) {
        self.header = Some(Arc::new(GamesHeader {
            year: (header.year > 0).then_some(header.year),
            players: self.players.clone(),
            columns: None,
        }));
    }

    fn stop(&mut self, fault: Fault, used: usize) -> Cut {
        self.done = true;
        Cut::Bad { used, fault }
    }
}

impl Cutter for Games {
    fn cut(&mut self, window: &[u8], at_end: bool) -> Cut {
        if self.done {
            return Cut::More { used: window.len() };
        }
        let mut from = 0;
        if self.expected.is_none() {
            match Header::read(window) {
                Some(header) if header.is_8x8() => {
                    self.expected = Some(header.games.into());
                    self.tell(header);
                }
                Some(Header { board, .. }) => {
                    return self.stop(
                        Fault::BoardSize(format!("{board}x{board}").into()),
                        window.len(),
                    );
                }
                None if window.len() < HEADER && !at_end => return Cut::More { used: 0 },
                None => return self.stop(Fault::BadHeader, window.len()),
            }
            from = HEADER;
        }
        let mut expected = self.expected.unwrap_or(0);
        if self.found == expected && window.len() > from {
            // Another file put behind this one, or something that does not belong here.
            match Header::read(&window[from..]) {
                Some(header) if header.is_8x8() && header.games > 0 => {
                    from += HEADER;
                    expected = header.games.into();
                    self.expected = Some(expected);
                    self.found = 0;
                    self.tell(header);
                }
                None if window.len() - from < HEADER && !at_end => return Cut::More { used: from },
                _ => return self.stop(Fault::ExtraBytes { expected }, window.len()),
            }
        }
        let rest = window.len() - from;
        if self.found == expected {
            return Cut::More { used: from };
        }
        if rest < GAME {
            return match at_end {
                true => {
                    let found = self.found;
                    self.stop(Fault::MissingGames { found, expected }, window.len())
                }
                false => Cut::More { used: from },
            };
        }
        self.found += 1;
        Cut::Game(from..from + GAME)
    }

    fn give_up(&mut self) {
        self.done = true;
    }

    fn header(&self) -> Option<&Arc<GamesHeader>> {
        self.header.as_ref()
    }

    fn know_players(&mut self, players: Arc<[String]>) {
        self.players = players;
    }
}

#[cfg(test)]
mod tests {
    use super::super::RawGames;
    use super::*;
    use crate::board::Game;

    #[test]
    fn squares_are_ten_times_row_plus_column() {
        let mut raw = [0u8; GAME];
        raw[BLACK_DISCS] = 40;
        raw[MOVES] = 56;
        raw[MOVES + 1] = 64;
        let mut record = GameRecord::default();
        Wthor.parse(&raw, &mut record).unwrap();
        let moves: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
        assert_eq!(moves, ["f5", "d6"]);
        assert_eq!(record.claim, Some(16));
    }

    #[test]
    fn black_discs_of_0_to_64_claim_a_result() {
        for (discs, claim) in [
            (0, Some(-64)),
            (32, Some(0)),
            (64, Some(64)),
            (65, None),
            (255, None),
        ] {
            let mut raw = [0u8; GAME];
            raw[BLACK_DISCS] = discs;
            let mut record = GameRecord::default();
            Wthor.parse(&raw, &mut record).unwrap();
            assert_eq!(record.claim, claim, "{discs}");
        }
    }

    #[test]
    fn bytes_that_are_no_squares_are_named() {
        for (bytes, expected) in [
            ([56, 99, 0], "`99` at move 2 is not a move"),
            ([56, 0, 64], "`0` at move 2 is not a move"),
            ([10, 64, 33], "`10` at move 1 is not a move"),
            ([8, 64, 33], "`8` at move 1 is not a move"),
        ] {
            let mut raw = [0u8; GAME];
            raw[MOVES..MOVES + 3].copy_from_slice(&bytes);
            let fault = Wthor.parse(&raw, &mut GameRecord::default()).unwrap_err();
            assert_eq!(fault.to_string(), expected);
        }
    }

    #[test]
    fn counts_that_disagree_with_the_size_are_faults() {
        let game = Game::from_move_text("e6f4e3f6g5d6e7f5c5").unwrap();
        let mut file = Vec::new();
        let written = WrittenGame::nameless(&game);
        Wthor.write(&[written, written], &mut file).unwrap();
        assert_eq!(file.len(), 16 + 2 * 68);
        let faults = |file: &[u8]| {
            let mut games = RawGames::new(&Wthor, Vec::new(), file);
            let (mut good, mut faults) = (0, Vec::new());
            while let Some(raw) = games.next_game().unwrap() {
                match raw {
                    Ok(_) => good += 1,
                    Err(fault) => faults.push(fault),
                }
            }
            (good, faults)
        };
        assert_eq!(faults(&file), (2, vec![]));
        let missing = |found, expected| vec![Fault::MissingGames { found, expected }];
        assert_eq!(faults(&file[..16 + 68]), (1, missing(1, 2)));
        assert_eq!(faults(&file[..16 + 67]), (0, missing(0, 2)));
        assert_eq!(faults(&file[..15]), (0, vec![Fault::BadHeader]));
        assert_eq!(faults(&[file.clone(), file.clone()].concat()), (4, vec![]));
        file.push(0);
        assert_eq!(faults(&file), (2, vec![Fault::ExtraBytes { expected: 2 }]));
        file[12] = 10;
        assert_eq!(faults(&file), (0, vec![Fault::BoardSize("10x10".into())]));
    }
}

//! Games whose parts stand in named fields: rows of a table, objects of JSON.
//!
//! What a field is for follows from its name, where that is known; moves and boards are recognised
//! by their look as well.

use super::movetext::discs;
use super::record::{Facts, excerpt, year};
use super::{Fault, GameRecord, line};
use crate::board::Color;

/// What a field is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Moves,
    Board,
    Side,
    Value,
    Black,
    White,
    Date,
    BlackRating,
    WhiteRating,
    Result,
}

impl Role {
    /// By the name of a column or key, in any case and with any marks between its words.
    pub(super) fn of(name: &str) -> Option<Role> {
        let plain: String = name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        Some(match plain.as_str() {
            "moves" | "game" | "games" | "g" | "transcript" | "kifu" | "sequence" | "record"
            | "movetext" => Role::Moves,
            name if name.contains("moves") || name.contains("transcript") => Role::Moves,
            "board" | "position" | "squares" | "start" | "startboard" => Role::Board,
            "side" | "turn" | "tomove" | "sidetomove" => Role::Side,
            "value" | "score" | "label" | "eval" => Role::Value,
            "black" | "blackplayer" | "playerblack" | "blackname" | "player1" | "pb" => Role::Black,
            "white" | "whiteplayer" | "playerwhite" | "whitename" | "player2" | "pw" => Role::White,
            "date" | "year" | "dt" | "playedat" => Role::Date,
            "blackelo" | "blackrating" | "ratingblack" | "eloblack" | "rb" => Role::BlackRating,
            "whiteelo" | "whiterating" | "ratingwhite" | "elowhite" | "rw" => Role::WhiteRating,
            "result" => Role::Result,
            _ => return None,
        })
    }
}

/// Whether a field looks like a game or a board by itself.
pub(super) fn is_game(field: &[u8]) -> bool {
    let mut record = GameRecord::default();
    line::parse(field, &mut record).is_ok() && (discs(&record) >= 2 || record.start.is_some())
}

/// Reads the fields of one game into `record`, which is empty.
pub(super) fn read<'a>(
    fields: impl Iterator<Item = (Option<Role>, &'a [u8])> + Clone,
    record: &mut GameRecord,
) -> Result<(), Fault> {
    read_game(fields.clone(), record)?;
    for (role, field) in fields {
        let text = || String::from_utf8_lossy(field.trim_ascii());
        let Facts {
            black,
            white,
            year: played,
            ratings: [black_rating, white_rating],
        } = &mut record.facts;
        match role {
            Some(Role::Black) => black.replace_range(.., &text()),
            Some(Role::White) => white.replace_range(.., &text()),
            Some(Role::Date) => *played = year(field),
            Some(Role::BlackRating) => *black_rating = line::number(field),
            Some(Role::WhiteRating) => *white_rating = line::number(field),
            Some(Role::Result) => record.claim = super::pgn::claim(field.trim_ascii()),
            Some(Role::Side) => {
                let side = Color::from_text(text().trim());
                if let Some(start) = record.start.as_mut().filter(|start| start.color.is_none()) {
                    start.color = side;
                }
            }
            Some(Role::Value) if record.start.is_some() && record.moves.is_empty() => {
                let value = line::number(field);
                let value = value.ok_or_else(|| Fault::BadValue(excerpt(field.trim_ascii())))?;
                record.value = Some(value);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Finds moves and start board.
fn read_game<'a>(
    fields: impl Iterator<Item = (Option<Role>, &'a [u8])> + Clone,
    record: &mut GameRecord,
) -> Result<(), Fault> {
    let mut fault = None;
    let mut found = false;
    let mut tried = GameRecord::default();
    // First the fields that are named so, then any that looks so.
    for named in [true, false] {
        for (role, field) in fields.clone() {
            let fits = match role {
                Some(Role::Moves | Role::Board) => named,
                Some(_) => false,
                None => !named,
            };
            if !fits || field.trim_ascii().is_empty() {
                continue;
            }
            tried.clear();
            match line::parse(field, &mut tried) {
                Ok(()) if named || discs(&tried) >= 2 || tried.start.is_some() => {
                    let longer = discs(&tried) > discs(record);
                    if longer {
                        std::mem::swap(&mut record.moves, &mut tried.moves);
                    }
                    if tried.start.is_some() && (longer || record.start.is_none()) {
                        (record.start, record.value) = (tried.start, tried.value);
                    }
                    found |= discs(record) > 0 || record.start.is_some();
                }
                Err(wrong) if named => fault = fault.or(Some(wrong)),
                _ => {}
            }
        }
        if found {
            break;
        }
    }
    match fault {
        _ if found => Ok(()),
        Some(fault) => Err(fault),
        None => Err(Fault::NoMoves),
    }
}

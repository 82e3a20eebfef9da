//! How much of a games file is sound.

use super::block::MAGIC;
use super::error::GamesError;
use super::file::{GamesFile, Item};
use super::layout::GamesDir;
use super::state::{EndingCounts, GamesState};

/// Reads all games that `state` counts. Gives the state that counts the sound ones before the first
/// damage, and what the damage is.
///
/// The number of games is what counts, and the bytes follow from it: where a file was replaced by
/// one with the same games and the run ended before its checkpoint was, this finds the place.
///
/// # Errors
/// What the system refuses, and a file that is not of this format or version.
pub fn sound_part(
    dir: &GamesDir,
    state: &GamesState,
) -> Result<(GamesState, Option<GamesError>), GamesError> {
    let path = dir.games();
    let mut part = GamesState {
        next_game: state.first_game,
        games: 0,
        bytes: MAGIC.len() as u64,
        endings: EndingCounts::default(),
        ..state.clone()
    };
    if state.games == 0 {
        return Ok((part, None));
    }
    let mut file = GamesFile::open(&path)?;
    while let Some(batch) = file.next_batch()? {
        for at in 0..batch.len() {
            match batch.item(at) {
                Some(Item::Game(offset, game)) if game.number == part.next_game => {
                    let length = batch.block(at).map_or(0, <[u8]>::len);
                    part.bytes = offset + length as u64;
                    part.games += 1;
                    part.next_game += part.step;
                    part.endings.count(game.ending);
                }
                Some(Item::Game(offset, _)) => {
                    let error = GamesError::Damaged {
                        path,
                        offset,
                        after: part
                            .games
                            .checked_sub(1)
                            .map(|n| part.first_game + n * part.step),
                        reason: format!("game {} is missing", part.next_game).into(),
                    };
                    return Ok((part, Some(error)));
                }
                Some(Item::Damage(damage)) => return Ok((part, Some(damage.into_error(&path)))),
                None => {}
            }
            if part.games == state.games {
                return Ok((part, None));
            }
        }
    }
    let error = GamesError::TooShort {
        path,
        found: part.bytes,
        expected: state.bytes,
    };
    Ok((part, Some(error)))
}

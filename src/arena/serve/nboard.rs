//! NBoard, as Edax speaks it: errors go to stderr, and a move that is found is not played.

use super::{Next, Player, ServeError, Speaker};
use crate::base::shown::Shown;
use crate::board::{Board, Color, Game, Move};
use crate::engine::EngineError;
use crate::records::{Fault, Format, GameRecord, Ggf, Start};
use std::io::Write;
use std::time::Instant;

/// The protocol has no state besides the board.
pub(super) struct Nboard<E> {
    /// Errors go there; that nobody reads them is no reason to end.
    pub complaints: E,
}

impl<E: Write> Speaker for Nboard<E> {
    fn obey(
        &mut self,
        line: &str,
        player: &mut Player,
        out: &mut dyn Write,
    ) -> Result<Next, ServeError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "nboard" if matches!(rest, "1" | "2") => {}
            "nboard" => self.complain("Error: rdg speaks versions 1 and 2 of the NBoard protocol"),
            "ping" => writeln!(out, "pong {}", rest.shown())?,
            "game" => self.set_game(rest, player)?,
            "set" => match rest.split_once(char::is_whitespace) {
                Some(("game", record)) => self.set_game(record, player)?,
                Some(("depth", level)) => self.set_level(level, player, out)?,
                // A board program sets much that does not concern every engine.
                _ => {}
            },
            "depth" => self.set_level(rest, player, out)?,
            "move" => self.play(rest, player),
            "go" => go(player, out)?,
            "hint" => hint(rest, player, out)?,
            // What only some engines do.
            "learn" | "analyze" | "analyse" => {}
            // Heard by the listener already, where it matters.
            "stop" => {}
            "quit" => return Ok(Next::Quit),
            // Version 1 sends moves bare.
            _ if is_move(word) => self.play(line.trim(), player),
            _ => self.complain(&format!("Error: unknown command {word:?} {rest:?}")),
        }
        Ok(Next::GoOn)
    }
}

impl<E: Write> Nboard<E> {
    fn complain(&mut self, message: &str) {
        let _ = writeln!(self.complaints, "{}", message.shown());
    }

    fn set_game(&mut self, record: &str, player: &mut Player) -> Result<(), EngineError> {
        match read_game(record) {
            Some(game) => player.begin(game),
            None => {
                self.complain(&format!("Error: Cannot parse game \"{record}\""));
                Ok(())
            }
        }
    }

    fn set_level(
        &mut self,
        level: &str,
        player: &mut Player,
        out: &mut dyn Write,
    ) -> Result<(), ServeError> {
        // An engine that crashes on a level it does not have would be no help to anybody.
        match level.trim().parse().map(|level| player.set_level(level)) {
            Ok(Ok(())) => writeln!(out, "set myname rdg{}", player.level())?,
            _ => self.complain(&format!("Error: there is no level \"{level}\"")),
        }
        Ok(())
    }

    /// `f5` or `f5/eval/time`.
    fn play(&mut self, text: &str, player: &mut Player) {
        let mut words = text.split(['/', ' ', '\t']);
        let word = words.next().unwrap_or_default();
        let played = word
            .parse::<Move>()
            .is_ok_and(|mv| player.game.play(mv).is_ok());
        if !played {
            self.complain(&format!("Error: Cannot parse move \"{text}\""));
        }
    }
}

/// A GGF record, with the usual start position where it gives none. `None` if it is none, or holds
/// an illegal move.
fn read_game(record: &str) -> Option<Game> {
    let mut read = GameRecord::default();
    match Ggf.parse(record.as_bytes(), &mut read) {
        Ok(()) => {}
        Err(Fault::MissingBoard) => read.start = Some(Start::USUAL),
        Err(_) => return None,
    }
    let start = read.start?;
    let color = start.color.unwrap_or(Color::Black);
    let board = Board::from_colors(start.black, start.white, color);
    let mut game = Game::from_position(board, color);
    for recorded in read.moves {
        if recorded.color.is_some_and(|color| color != game.color()) {
            return None;
        }
        game.play(recorded.mv).ok()?;
    }
    Some(game)
}

/// Whether a word is a move, with or without what follows it.
fn is_move(word: &str) -> bool {
    let mv = word.split('/').next().unwrap_or_default();
    mv.parse::<Move>().is_ok()
}

fn thinking(player: &mut Player, out: &mut dyn Write) -> std::io::Result<()> {
    player.arm();
    writeln!(out, "status rdg is thinking")?;
    out.flush()
}

fn go(player: &mut Player, out: &mut dyn Write) -> Result<(), ServeError> {
    thinking(player, out)?;
    let begun = Instant::now();
    let board = player.game.board();
    let (answer, score) = if board.legal_moves() != 0 {
        let (square, score) = player.choose()?;
        (square.to_string(), score)
    } else if board.must_pass() {
        ("pa".to_owned(), None)
    } else {
        ("--".to_owned(), None)
    };
    let seconds = begun.elapsed().as_secs_f64();
    match score {
        // The sum turns −0 into 0.
        Some(score) => writeln!(out, "=== {answer} {:.2} {seconds:.1}", score + 0.0)?,
        // What was not searched to the end of its depth has none, and it may be left out.
        None => writeln!(out, "=== {answer}//{seconds:.1}")?,
    }
    out.flush()?;
    writeln!(out, "status rdg is waiting")?;
    Ok(())
}

/// The best moves, one to a line: continuation, score, nothing, depth.
fn hint(count: &str, player: &mut Player, out: &mut dyn Write) -> Result<(), ServeError> {
    thinking(player, out)?;
    if player.game.board().legal_moves() != 0 {
        let scores = player.score_moves()?;
        for found in scores.iter().take(count.parse().unwrap_or(1).max(1)) {
            let mut line: String = found.line.iter().map(short).collect();
            if line.is_empty() {
                line = found.square.to_string();
            }
            // The sum turns −0 into 0. Hundredths are all that there is of it: nothing is rounded.
            let score = found.score + 0.0;
            writeln!(out, "search {line} {score} 0 {}", found.depth)?;
        }
    }
    writeln!(out, "status rdg is waiting")?;
    Ok(())
}

/// Two letters for every move.
fn short(mv: &Move) -> String {
    match mv {
        Move::Play(square) => square.to_string(),
        Move::Pass => "pa".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_and_without_a_board() {
        let start = read_game("(;GM[Othello];)").unwrap();
        assert_eq!(start, Game::new());
        let played = read_game(
            "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]\
             TY[8]BO[8 --------------------------- O* ------ *O --------------------------- *]\
             B[F5//0.01]W[F6]B[E6]W[D6]B[E7];)",
        )
        .unwrap();
        assert_eq!(played, Game::from_move_text("f5f6e6d6e7").unwrap());
        let passing = "***************O***OO*OO***O*O-O*OO*OOOO*OOOO*O-*-OOOO**----O***";
        let passed = read_game(&format!("(;GM[Othello]BO[8 {passing} O]W[PA];)")).unwrap();
        assert_eq!(passed.color(), Color::Black);
    }

    #[test]
    fn bad_records_are_refused_whole() {
        let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
        for bad in [
            "",
            "foo",
            "(;GM[Chess];)",
            &format!("(;GM[Othello]{start}B[A1];)"),
            &format!("(;GM[Othello]{start}B[F5]W[F5];)"),
            &format!("(;GM[Othello]{start}W[F5];)"),
            &format!("(;GM[Othello]{}];)", start.replace("BO[8", "BO[6")),
            "(;GM[Othello]BO[8 XXX *];)",
        ] {
            assert_eq!(read_game(bad), None, "{bad}");
        }
    }
}

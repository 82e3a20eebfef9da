//! A position as a picture.

use crate::board::Board;
use std::fmt::Write;

/// The board seen from the side to move: its discs are dark, the other's light.
pub(super) fn board(board: Board, name: &str) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 90 90\" class=\"board\" role=\"img\" aria-label=\"{}\">\
         <rect x=\"9\" y=\"9\" width=\"80\" height=\"80\" class=\"felt\"/><path class=\"rule\" d=\"",
        super::escape::html(name)
    );
    for line in 0..=8 {
        let at = 9 + 10 * line;
        let _ = write!(svg, "M{at} 9v80M9 {at}h80");
    }
    svg += "\"/>";
    for at in 0..8 {
        let (file, rank, place) = ((b'a' + at) as char, at + 1, 14 + 10 * at);
        let _ = write!(
            svg,
            "<text x=\"{place}\" y=\"6.5\">{file}</text><text x=\"4.5\" y=\"{}\">{rank}</text>",
            place + 2
        );
    }
    for at in 0..64 {
        let (x, y) = (14 + 10 * (at % 8), 14 + 10 * (at / 8));
        let colour = match (board.own >> at & 1, board.opponent >> at & 1) {
            (1, _) => "own",
            (_, 1) => "other",
            _ => continue,
        };
        let _ = write!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" class=\"{colour}\"/>"
        );
    }
    svg + "</svg>"
}

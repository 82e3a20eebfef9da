//! What rows of the dashboard are written with: labels, bars, colours, and the width to keep to.

use super::bar::bar;
use crate::base::ansi::{RESET, painted};
use console::{measure_text_width, truncate_str};

/// Columns of the labels at the left.
const LABEL: usize = 9;
/// Narrower bars tell nothing.
const NARROWEST_BAR: usize = 4;
/// A wider frame is no easier to read.
pub(super) const WIDEST: usize = 120;

/// What may be used to draw.
#[derive(Clone, Copy, Debug)]
pub(in crate::progress) struct Look {
    /// Colours.
    pub(in crate::progress) color: bool,
    /// Emoji and block characters; ASCII otherwise.
    pub(in crate::progress) emoji: bool,
}

/// A row with its rank: where rows are few, those of the lowest rank stay.
pub(super) struct Row {
    pub(super) rank: u8,
    pub(super) content: Content,
}

pub(super) enum Content {
    Text(String),
    /// A bar between its label and its figures.
    Bar {
        label: String,
        share: f64,
        figures: String,
        color: &'static str,
    },
}

impl Row {
    pub(super) fn text(rank: u8, text: String) -> Row {
        Row {
            rank,
            content: Content::Text(text),
        }
    }
}

/// What rows are written with.
pub(super) struct Pen {
    pub(super) look: Look,
    pub(super) width: usize,
}

impl Pen {
    pub(super) fn paint(&self, code: &str, text: &str) -> String {
        painted(self.look.color, code, text)
    }

    pub(super) fn alarm(&self, is_bad: bool, text: &str) -> String {
        if is_bad {
            self.paint("31", text)
        } else {
            text.to_owned()
        }
    }

    /// The label column.
    pub(super) fn label(&self, name: &str, emoji: &str) -> String {
        let padded = format!("{name:<LABEL$}");
        let painted = self.paint("2", &padded);
        if self.look.emoji {
            format!("{emoji} {painted}")
        } else {
            painted
        }
    }

    /// A label below a label.
    pub(super) fn indented(&self, name: &str) -> String {
        let indent = if self.look.emoji { 3 } else { 0 };
        let padded = format!("{:indent$}{:>width$} ", "", name, width = LABEL - 1);
        self.paint("2", &padded)
    }

    pub(super) fn segments(&self, rank: u8, name: &str, emoji: &str, parts: &[String]) -> Row {
        let label = self.label(name, emoji);
        let room = self.width.saturating_sub(measure_text_width(&label));
        let text = label + &self.join(parts, room);
        Row::text(rank, text)
    }

    /// As many of the parts as fit, at least the first.
    pub(super) fn join(&self, parts: &[String], room: usize) -> String {
        let between = if self.look.emoji { " · " } else { ", " };
        let mut text = String::new();
        for (i, part) in parts.iter().enumerate() {
            let length = measure_text_width(&text) + measure_text_width(part);
            if i > 0 && length + measure_text_width(between) > room {
                break;
            }
            if i > 0 {
                text += between;
            }
            text += part;
        }
        text
    }

    /// Label, bar, per cent, and the figures behind it.
    pub(super) fn bar(
        &self,
        rank: u8,
        label: String,
        share: f64,
        figures: String,
        color: &'static str,
    ) -> Row {
        let content = Content::Bar {
            label,
            share,
            figures,
            color,
        };
        Row { rank, content }
    }

    /// A row as text of our width at most; the figures of a bar are `widest` columns wide.
    pub(super) fn render(&self, content: Content, widest: usize) -> String {
        let text = match content {
            Content::Text(text) => text,
            Content::Bar {
                label,
                share,
                figures,
                color,
            } => {
                // Only what is complete is shown as 100 %.
                let percent = (share * 1000.0).floor() / 10.0;
                let tail = format!(" {percent:>5.1} %  {figures:<widest$}");
                let taken = measure_text_width(&label) + measure_text_width(&tail);
                let width = self.width.saturating_sub(taken);
                if width >= NARROWEST_BAR {
                    let bar = self.paint(color, &bar(width, share, !self.look.emoji));
                    label + &bar + tail.trim_end()
                } else {
                    label + tail.trim()
                }
            }
        };
        self.cut(text)
    }

    pub(super) fn cut(&self, text: String) -> String {
        if measure_text_width(&text) <= self.width {
            return text;
        }
        let dots = match (self.look.emoji, self.width) {
            (_, 0..3) => "",
            (true, _) => "…",
            (false, _) => "..",
        };
        let mut cut = truncate_str(&text, self.width, dots).into_owned();
        if self.look.color {
            cut += RESET;
        }
        cut
    }
}

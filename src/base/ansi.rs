//! Colours on a terminal that takes them. Whether it does, each stream decides for itself (`--no-color`,
//! NO_COLOR, a file): `console`'s styles would look once more, at another stream.

/// What ends a colour.
pub(crate) const RESET: &str = "\x1b[0m";

/// `text` in the way that `code` names (`1` bold, `2` faint, `31` red, joined by `;`: ECMA-48, SGR),
/// or as it is where there are no colours.
pub(crate) fn painted(is_colored: bool, code: &str, text: &str) -> String {
    match is_colored {
        true => format!("\x1b[{code}m{text}{RESET}"),
        false => text.to_owned(),
    }
}

//! Names of engines: what both files and the command line call them by.

/// Which names there can be.
pub(super) const ALLOWED: &str = "a name made of letters, digits, `_` and `-`";

/// Long enough for everybody, short enough for a line of progress.
const LONGEST: usize = 64;

/// Checks a name; the error says what is allowed.
pub(super) fn engine_name(text: &str) -> Result<String, String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if text.is_empty() || text.len() > LONGEST || !text.bytes().all(allowed) {
        return Err(format!("{ALLOWED} ([A-Za-z0-9_-]+, at most {LONGEST})"));
    }
    Ok(text.to_owned())
}

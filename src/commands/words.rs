//! What several commands say in the same way.

/// The command line of this run with what makes it go on instead of what made it begin.
pub fn resume_command() -> String {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut words: Vec<String> = words
        .filter(|word| !matches!(word.as_str(), "--force" | "--resume" | "--repair"))
        .map(|word| quoted(&word))
        .collect();
    words.push("--resume".to_owned());
    words.join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("--output=a/b.txt"), "--output=a/b.txt");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's here"), r"'it'\''s here'");
    }
}

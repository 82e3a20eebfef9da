//! The command line that follows an interrupted one.

use crate::progress::Again;

impl Again {
    /// The command line of this run with `--resume` instead of what made it begin.
    pub(crate) fn resuming() -> Again {
        let mut words: Vec<String> = typed()
            .filter(|word| !matches!(word.as_str(), "--force" | "--resume" | "--repair"))
            .map(|word| quoted(&word))
            .collect();
        words.push("--resume".to_owned());
        Again {
            command: words.join(" "),
            continues: true,
        }
    }

    /// The command line of this run once more, for what begins anew.
    pub(crate) fn from_the_start() -> Again {
        let words: Vec<String> = typed().map(|word| quoted(&word)).collect();
        Again {
            command: words.join(" "),
            continues: false,
        }
    }
}

fn typed() -> impl Iterator<Item = String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned())
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

//! Reads a configuration file: bytes, fingerprint, text, TOML. Judges no key.

use super::ConfigError;
use super::reader::{Fault, Faults};
use super::unquoted::Quoted;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use toml::de::DeTable;

/// Nobody writes a larger configuration by hand; a data set or a device named by mistake ends here.
const LARGEST: u64 = 1 << 20;

/// How many syntax errors are worth reading: the later ones mostly follow from the first.
const SYNTAX_ERRORS_SHOWN: usize = 5;

/// The text of a file and the fingerprint of its bytes.
pub(super) struct ConfigFile {
    /// Lower-case hex.
    pub sha256: String,
    pub text: String,
}

impl ConfigFile {
    /// Reads the file at `path`; `option` is what names another one on the command line.
    pub(super) fn read(path: &Path, option: &str) -> Result<ConfigFile, ConfigError> {
        let fault = |text: String| ConfigError::new(path, vec![Fault::of_file(text)]);
        if path.is_dir() {
            return Err(fault("is a folder, but must be a TOML file".to_owned()));
        }
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
            .map_err(|error| {
                fault(format!(
                    "cannot be read: {error}; name the right file with {option}"
                ))
            })?;
        if bytes.len() as u64 > LARGEST {
            return Err(fault(
                "is larger than 1 MiB, so it is not a configuration".to_owned(),
            ));
        }
        ConfigFile::of_bytes(path, &bytes)
    }

    /// A file that was at `path` and held `bytes`.
    pub(super) fn of_bytes(path: &Path, bytes: &[u8]) -> Result<ConfigFile, ConfigError> {
        let fault = |text: String| ConfigError::new(path, vec![Fault::of_file(text)]);
        let sha256 = hex(&Sha256::digest(bytes));
        // Editors of some systems put a byte order mark in front of UTF-8.
        let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if body.starts_with(b"\xff\xfe") || body.starts_with(b"\xfe\xff") {
            return Err(fault("is UTF-16 text; save it as UTF-8".to_owned()));
        }
        let text = std::str::from_utf8(body).map_err(|error| {
            let before = &body[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            fault(format!(
                "is not UTF-8 text: byte 0x{:02x} in line {line} cannot be read",
                body.get(error.valid_up_to()).copied().unwrap_or_default()
            ))
        })?;
        if text.trim().is_empty() {
            return Err(fault("is empty".to_owned()));
        }
        Ok(ConfigFile {
            sha256,
            text: text.to_owned(),
        })
    }

    /// What `look` finds in the table, whatever its faults are; `None` where it is not TOML.
    pub(super) fn glance<T>(&self, look: impl FnOnce(&DeTable<'_>, &Faults<'_>) -> T) -> Option<T> {
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let faults = Faults::new(&self.text);
        errors.is_empty().then(|| look(table.get_ref(), &faults))
    }

    /// Parses the text and hands the table to `read`, which gives `None` only after it has
    /// reported a fault. All faults come back together.
    pub(super) fn parse<T>(
        &self,
        path: &Path,
        read: impl FnOnce(&DeTable<'_>, &Faults<'_>) -> Option<T>,
    ) -> Result<T, ConfigError> {
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        if let Some(quoted) = Quoted::around(&self.text, &errors) {
            return Err(ConfigError::new(path, quoted.faults(read)));
        }
        let faults = Faults::new(&self.text);
        for error in errors.iter().take(SYNTAX_ERRORS_SHOWN) {
            faults.add_syntax(error.span().map(|span| span.start), error.message());
        }
        // What was recovered from broken TOML would only be complained about a second time.
        let value = if errors.is_empty() {
            read(table.get_ref(), &faults)
        } else {
            None
        };
        match (value, faults.into_list()) {
            (Some(value), faults) if faults.is_empty() => Ok(value),
            (_, faults) => {
                debug_assert!(!faults.is_empty(), "nothing is refused without a reason");
                Err(ConfigError::new(path, faults))
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

//! JSON files that are either the old ones or the new ones, never half of one.

use super::DatasetError;
use super::files::{open_regular, write_file};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Read;
use std::path::Path;

/// No file of ours comes near; a larger one is not read into memory.
const MAX_BYTES: u64 = 64 << 20;

/// Writes pretty-printed JSON with a newline at the end: complete and on disk, or not at all.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), DatasetError> {
    write_file(path, &json_text(path, value)?)
}

/// What [`write_json`] writes.
pub(crate) fn json_text(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, DatasetError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|e| DatasetError::Json {
        path: path.to_owned(),
        reason: e.to_string().into(),
    })?;
    text.push(b'\n');
    Ok(text)
}

/// Reads a JSON file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, DatasetError> {
    let bytes = read_bytes(path)?;
    serde_json::from_slice(&bytes).map_err(|e| DatasetError::Json {
        path: path.to_owned(),
        reason: e.to_string().into(),
    })
}

/// Reads a JSON file whose `schema` must be `expected`; that is asked before anything else, so
/// that a file of another version is called just that.
pub fn read_schema<T: DeserializeOwned>(
    path: &Path,
    expected: &'static str,
) -> Result<T, DatasetError> {
    #[derive(serde::Deserialize)]
    struct Schema {
        schema: String,
    }
    let Schema { schema } = read_json(path)?;
    if schema != expected {
        return Err(DatasetError::WrongSchema {
            path: path.to_owned(),
            found: schema.into(),
            expected,
        });
    }
    read_json(path)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, DatasetError> {
    let file = open_regular(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(DatasetError::io("read", path))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(DatasetError::Json {
            path: path.to_owned(),
            reason: format!("it is larger than {} MB", MAX_BYTES >> 20).into(),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::fs;

    #[test]
    fn writes_pretty_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_json(&path, &json!({"n": 1})).unwrap();
        write_json(&path, &json!({"n": 2})).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\n  \"n\": 2\n}\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(read_json::<Value>(&path).unwrap(), json!({"n": 2}));
    }

    #[test]
    fn what_a_killed_writer_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(folder.path().join(".a.json.tmp"), "{\"n\": 1, \"longer\"").unwrap();
        write_json(&path, &json!({})).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
    }

    #[test]
    fn a_failed_write_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_json(&path, &json!(1)).unwrap();
        fs::create_dir(folder.path().join(".a.json.tmp")).unwrap();
        let error = write_json(&path, &json!(2)).unwrap_err().to_string();
        assert!(error.contains(".a.json.tmp"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n");
    }

    #[test]
    fn bad_files_are_named_with_their_fault() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let read = || read_json::<Value>(&path).unwrap_err();
        assert!(read().is_missing());
        for bad in ["", "{", "\u{0}\u{1}", "{} x", "[1,", "\u{feff}{}"] {
            fs::write(&path, bad).unwrap();
            let error = read();
            assert!(error.is_corruption());
            assert!(error.to_string().contains("a.json"), "{error}");
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(read().to_string().contains("a folder stands"));
    }

    #[test]
    fn another_schema_is_called_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "{\"schema\": \"other_v2\"}").unwrap();
        let error = read_schema::<Value>(&path, "mine_v1").unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("has schema `other_v2`, this rdg reads `mine_v1`")
        );
    }
}

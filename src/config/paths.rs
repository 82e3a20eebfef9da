//! Paths in configuration files are relative to the folder of the file that names them.

use std::path::{Component, Path, PathBuf};

/// The path that `text` in the file `config` means. Relative to the working folder when `config`
/// is; `folder/..` is left out where that means the same, so that messages stay readable.
pub(super) fn resolve(config: &Path, text: &str) -> PathBuf {
    let folder = config.parent().unwrap_or(Path::new(""));
    let mut resolved = PathBuf::new();
    for component in folder.join(text).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if is_plain_folder(&resolved) => {
                resolved.pop();
            }
            other => resolved.push(other),
        }
    }
    if resolved.as_os_str().is_empty() {
        resolved.push(".");
    }
    resolved
}

/// As [`resolve`], but absolute, for a process that runs in another folder.
pub(super) fn resolve_absolute(config: &Path, text: &str) -> PathBuf {
    let path = resolve(config, text);
    // Fails only where the working folder is gone, and then nothing relative can be found anyway.
    std::path::absolute(&path).unwrap_or(path)
}

/// Whether the path ends in a name that is no link: only then `..` leads back.
fn is_plain_folder(path: &Path) -> bool {
    matches!(path.components().next_back(), Some(Component::Normal(_)))
        && !std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_folder_of_the_file() {
        let cases = [
            ("configs/config.toml", "../datasets/a", "datasets/a"),
            ("config.toml", "datasets", "datasets"),
            ("./config.toml", "datasets", "datasets"),
            ("configs/config.toml", "..", "."),
            ("configs/config.toml", "../..", ".."),
            ("configs/config.toml", "../../data", "../data"),
            ("../c/config.toml", "../../data", "../../data"),
            ("/etc/rdg/config.toml", "../data", "/etc/data"),
            ("configs/config.toml", "/var/data", "/var/data"),
            ("a/b/c.toml", "./x/./y", "a/b/x/y"),
        ];
        for (config, text, expected) in cases {
            assert_eq!(
                resolve(Path::new(config), text),
                Path::new(expected),
                "{config} {text}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_before_its_parent_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/usr/bin", &link).unwrap();
        let resolved = resolve(&link.join("config.toml"), "../lib");
        assert_eq!(resolved, link.join("../lib"));
    }

    #[test]
    fn absolute_paths_are_absolute() {
        let here = std::env::current_dir().unwrap();
        let path = resolve_absolute(Path::new("configs/app.toml"), "../third_party/x");
        assert_eq!(path, here.join("third_party/x"));
    }
}

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

/// Refuses a path that only a shell understands: taken at its word it names a folder `~`.
pub(super) fn no_tilde(text: &str) -> Result<&str, String> {
    match text.starts_with('~') {
        true => Err(
            "a path without `~` in front, which only a shell understands: write the path out"
                .to_owned(),
        ),
        false => Ok(text),
    }
}

/// The program that `text` means: a file, or, for a bare name that is not a file in the folder of
/// `config`, the program of that name in PATH. Absolute.
pub(super) fn resolve_program(config: &Path, text: &str) -> PathBuf {
    let beside = resolve_absolute(config, text);
    if text.contains('/') || beside.exists() {
        return beside;
    }
    in_path(text).unwrap_or(beside)
}

fn in_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(path);
    metadata.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Whether the path ends in a name that is not a link: only then `..` leads back.
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
    fn a_bare_name_is_looked_up_in_path_unless_it_is_a_file_beside() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("app.toml");
        let sh = resolve_program(&config, "sh");
        assert!(
            sh.is_absolute() && sh.ends_with("sh") && sh.is_file(),
            "{sh:?}"
        );
        assert_ne!(sh.parent(), Some(folder.path()));
        for name in ["./sh", "no-such-program-anywhere"] {
            assert_eq!(resolve_program(&config, name).parent(), Some(folder.path()));
        }
        std::fs::write(folder.path().join("sh"), "").unwrap();
        assert_eq!(resolve_program(&config, "sh"), folder.path().join("sh"));
    }

    #[test]
    fn what_only_a_shell_understands_is_refused() {
        for bad in ["~", "~/x", "~user/x"] {
            assert!(no_tilde(bad).unwrap_err().contains("write the path out"));
        }
        for good in ["./~x", "a~", "/~"] {
            assert_eq!(no_tilde(good), Ok(good));
        }
    }

    #[test]
    fn absolute_paths_are_absolute() {
        let here = std::env::current_dir().unwrap();
        let path = resolve_absolute(Path::new("configs/app.toml"), "../third_party/x");
        assert_eq!(path, here.join("third_party/x"));
    }
}

//! Where the two files are looked for when no option names them.

use crate::base::shown::Shown;
use std::path::{Path, PathBuf};

/// What the configuration of a dataset is called.
pub const CONFIG_NAME: &str = "config.toml";

/// What the configuration of the program is called.
pub const APP_CONFIG_NAME: &str = "app.toml";

/// The places of a file of this name, in the order in which they are tried: `configs/` in the
/// current folder, the current folder, the user's configuration folder (`$XDG_CONFIG_HOME/rdg`,
/// else `~/.config/rdg`).
pub fn usual_places(name: &str) -> Vec<PathBuf> {
    places(name, |variable| {
        std::env::var_os(variable).map(PathBuf::from)
    })
}

/// The first of the [`usual_places`] where something is; the first of all when nothing is anywhere.
pub fn usual_file(name: &str) -> PathBuf {
    let places = usual_places(name);
    let found = places.iter().find(|path| is_there(path));
    found.or(places.first()).cloned().unwrap_or_default()
}

/// Says that a file of this name is in none of its places, and what to do about it.
pub fn not_found(name: &str, option: &str) -> String {
    let places: Vec<String> = usual_places(name)
        .iter()
        .map(|path| path.shown().to_string())
        .collect();
    format!(
        "there is no {name}; looked for {}. Name one with {option}, or type `rdg init demo && cd \
         demo` for a folder to start from",
        places.join(", ")
    )
}

/// Whether something is at `path`, be it a link that leads nowhere: whoever put it there meant it.
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn places(name: &str, variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    // By the XDG Base Directory Specification a relative path is to be ignored.
    let absolute = |path: &PathBuf| path.is_absolute();
    let home = || variable("HOME").filter(absolute);
    let user = variable("XDG_CONFIG_HOME")
        .filter(absolute)
        .or_else(|| Some(home()?.join(".config")));
    let mut places = vec![Path::new("configs").join(name), PathBuf::from(name)];
    places.extend(user.map(|folder| folder.join("rdg").join(name)));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_folder_follows_the_xdg_specification() {
        let last = |xdg: Option<&str>, home: Option<&str>| {
            let found = places("app.toml", |name| match name {
                "XDG_CONFIG_HOME" => xdg.map(PathBuf::from),
                "HOME" => home.map(PathBuf::from),
                _ => None,
            });
            assert_eq!(found[0], Path::new("configs/app.toml"));
            assert_eq!(found[1], Path::new("app.toml"));
            found.get(2).map(|path| path.shown().to_string())
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(last(Some("/x"), Some("/h")), some("/x/rdg/app.toml"));
        assert_eq!(last(None, Some("/h")), some("/h/.config/rdg/app.toml"));
        assert_eq!(last(Some("x"), Some("/h")), some("/h/.config/rdg/app.toml"));
        assert_eq!(last(Some(""), None), None);
    }
}

//! Which shard this is: from the command line or from the cluster's scheduler.

use crate::base::shown::{Foreign, Shown};
use crate::generate::campaign::Numbers;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Variables in which schedulers tell a job of an array its number.
pub(super) const ARRAY_VARIABLES: [&str; 4] = [
    "SLURM_ARRAY_TASK_ID",
    "PBS_ARRAY_INDEX",
    "SGE_TASK_ID",
    "LSB_JOBINDEX",
];

/// More would be a mistyped number.
const MOST_SHARDS: u64 = 100_000;

/// Shard `index` of `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

/// Why a shard cannot be told.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShardError {
    /// Not of the form.
    #[error("--shard is `{0}`, but must be I/N (shard I of N, 1 <= I <= N) or auto/N")]
    Form(Foreign),
    /// 0/N.
    #[error(
        "there is no shard 0: shards are numbered from 1 to {0}; number the array from 1 \
         (Slurm: --array=1-{0})"
    )]
    Zero(u64),
    /// I > N.
    #[error("there is no shard {index} of {count}; shards are numbered from 1 to {count}")]
    TooLarge {
        /// As told.
        index: u64,
        /// As told.
        count: u64,
    },
    /// auto without a scheduler.
    #[error(
        "--shard auto/{0} takes the number from SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX, SGE_TASK_ID or \
         LSB_JOBINDEX, none of which is set; name it (--shard 1/{0}) or submit the job as an array \
         from 1 to {0}"
    )]
    NoVariable(u64),
    /// A variable that holds no number.
    #[error("{name} is `{value}`, but must be the number of a shard")]
    Variable {
        /// Its name.
        name: &'static str,
        /// What it holds.
        value: Foreign,
    },
    /// Shards of another number are there.
    #[error(
        "{} holds shards of {found}, and this is one of {expected}; use the same N for all, or \
         another output_dir", .folder.shown()
    )]
    OtherCount {
        /// The output folder.
        folder: PathBuf,
        /// N of what is there.
        found: u64,
        /// N of this one.
        expected: u64,
    },
    /// No seed.
    #[error(
        "{} has no `seed`, so shards would not belong together; set one, for example seed = 42",
        .0.shown()
    )]
    NoSeed(PathBuf),
}

impl Shard {
    /// From what was typed; `variable` gives variables of the environment.
    pub fn parse(
        text: &str,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Shard, ShardError> {
        let form = || ShardError::Form(text.into());
        let (index, count) = text.split_once('/').ok_or_else(form)?;
        let number = |text: &str| match text.bytes().all(|b| b.is_ascii_digit()) {
            true => text.parse::<u64>().ok(),
            false => None,
        };
        let count = number(count)
            .filter(|count| (1..=MOST_SHARDS).contains(count))
            .ok_or_else(form)?;
        let index = match index {
            "auto" => Shard::index_of_array(count, variable)?,
            index => number(index).ok_or_else(form)?,
        };
        match index {
            0 => Err(ShardError::Zero(count)),
            index if index > count => Err(ShardError::TooLarge { index, count }),
            index => Ok(Shard { index, count }),
        }
    }

    fn index_of_array(
        count: u64,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<u64, ShardError> {
        let set = ARRAY_VARIABLES
            .into_iter()
            .find_map(|name| Some((name, variable(name).filter(|value| !value.is_empty())?)));
        let Some((name, value)) = set else {
            return Err(ShardError::NoVariable(count));
        };
        let value = value.to_string_lossy().into_owned();
        // Grid Engine says this of a job that is no array.
        value.parse().map_err(|_| ShardError::Variable {
            name,
            value: value.into(),
        })
    }

    /// The games that it plays.
    pub fn numbers(self) -> Numbers {
        Numbers {
            first: self.index - 1,
            step: self.count,
        }
    }

    /// Its share of so many samples.
    pub fn share(self, samples: u64) -> u64 {
        samples.div_ceil(self.count)
    }

    /// `shard_I_of_N`.
    pub fn folder_name(self) -> String {
        format!("shard_{}_of_{}", self.index, self.count)
    }

    /// Refuses a folder in which shards of another number are.
    pub fn check_folder(self, output_dir: &Path) -> Result<(), ShardError> {
        // A folder that cannot be read is told of when it is written to.
        let entries = std::fs::read_dir(output_dir)
            .into_iter()
            .flatten()
            .flatten();
        let counts = entries.filter_map(|entry| Some(shard_folder(&entry.path())?.count));
        match counts.filter(|&count| count != self.count).min() {
            None => Ok(()),
            Some(found) => Err(ShardError::OtherCount {
                folder: output_dir.to_owned(),
                found,
                expected: self.count,
            }),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {} of {}", self.index, self.count)
    }
}

/// The shard that a folder's name tells.
pub(super) fn shard_folder(path: &Path) -> Option<Shard> {
    let name = path.file_name()?.to_str()?.strip_prefix("shard_")?;
    let (index, count) = name.split_once("_of_")?;
    let shard = Shard {
        index: index.parse().ok()?,
        count: count.parse().ok()?,
    };
    (shard.index >= 1 && shard.index <= shard.count).then_some(shard)
}

/// `--until-game`: a number for all campaigns, or one for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UntilGame {
    /// The same for all.
    All(u64),
    /// By the first phase of the campaign; the others stop at their share.
    Each(Vec<(u8, u64)>),
}

impl UntilGame {
    /// The number for a campaign, if there is one.
    pub fn of(&self, anchor: u8) -> Option<u64> {
        match self {
            UntilGame::All(game) => Some(*game),
            UntilGame::Each(games) => games
                .iter()
                .find(|(phase, _)| *phase == anchor)
                .map(|(_, game)| *game),
        }
    }
}

impl std::str::FromStr for UntilGame {
    type Err = String;

    fn from_str(text: &str) -> Result<UntilGame, String> {
        let wrong = || {
            "must be a game number such as 60000, or one for each campaign by its first phase, such \
             as 20:60000,30:45000"
                .to_owned()
        };
        if let Ok(game) = text.parse() {
            return Ok(UntilGame::All(game));
        }
        let pair = |pair: &str| {
            let (phase, game) = pair.split_once(':').ok_or_else(wrong)?;
            let phase = phase.parse().map_err(|_| wrong())?;
            Ok((phase, game.parse().map_err(|_| wrong())?))
        };
        let games = text.split(',').map(pair).collect::<Result<_, String>>()?;
        Ok(UntilGame::Each(games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, variables: &[(&str, &str)]) -> Result<Shard, ShardError> {
        Shard::parse(text, |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!(parse("1/1", &[]), Ok(Shard { index: 1, count: 1 }));
        assert_eq!(parse("4/4", &[]), Ok(Shard { index: 4, count: 4 }));
        assert_eq!(parse("0/4", &[]), Err(ShardError::Zero(4)));
        let large = ShardError::TooLarge { index: 5, count: 4 };
        assert_eq!(parse("5/4", &[]), Err(large));
        for bad in [
            "",
            "4",
            "/4",
            "1/",
            "1/0",
            "-1/4",
            "+1/4",
            "1/4/4",
            "a/4",
            "1/9999999",
        ] {
            assert!(matches!(parse(bad, &[]), Err(ShardError::Form(_))), "{bad}");
        }
    }

    #[test]
    fn schedulers_tell_the_number() {
        for name in ARRAY_VARIABLES {
            assert_eq!(parse("auto/4", &[(name, "3")]).unwrap().index, 3);
        }
        assert_eq!(parse("auto/4", &[]), Err(ShardError::NoVariable(4)));
        let zero = parse("auto/4", &[("SLURM_ARRAY_TASK_ID", "0")]).unwrap_err();
        assert!(zero.to_string().contains("--array=1-4"), "{zero}");
        let odd = parse("auto/4", &[("SGE_TASK_ID", "undefined")]);
        assert!(matches!(odd, Err(ShardError::Variable { .. })));
    }

    #[test]
    fn folders_tell_their_shard() {
        let shard = Shard {
            index: 2,
            count: 16,
        };
        assert_eq!(
            shard_folder(&Path::new("out").join(shard.folder_name())),
            Some(shard)
        );
        for odd in [
            "shard_0_of_4",
            "shard_5_of_4",
            "shard_1",
            "games_10",
            "shard_x_of_4",
        ] {
            assert_eq!(shard_folder(Path::new(odd)), None, "{odd}");
        }
    }

    #[test]
    fn until_which_game() {
        assert_eq!("600".parse(), Ok(UntilGame::All(600)));
        let each: UntilGame = "20:600,30:45".parse().unwrap();
        assert_eq!(
            (each.of(20), each.of(30), each.of(40)),
            (Some(600), Some(45), None)
        );
        for bad in ["", "x", "20:", ":5", "20:5,", "-1", "20;5"] {
            assert!(bad.parse::<UntilGame>().is_err(), "{bad}");
        }
    }
}

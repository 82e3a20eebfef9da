//! What makes files last: data, and the JSON that tells of it, in an order that no end can harm.
//!
//! A checkpoint must never count what is not on disk. So everything that is saved goes these steps,
//! many files side by side in each, so that a slow disk is waited for once a step and not once a
//! file:
//!
//! 1. The writer takes its counts and hands all bytes that they count to the system. It may go on
//!    writing from here on: what comes later lies behind what is counted, and is cut off again if
//!    the next checkpoint is never reached.
//! 2. Data is synced; so are the names of new files and folders; and the JSON, written beside its
//!    place.
//! 3. Where one checkpoint counts on another (that of a phase on its games), the other is renamed
//!    into its place and its folder synced first.
//! 4. The JSON of each folder is renamed in order, the checkpoint last, and the folder is synced
//!    once. Statistics and metadata stand before the checkpoint that calls a phase complete. Should
//!    a file system keep the last of these renames without the first, they are found missing and
//!    written anew: they hold nothing that the checkpoint does not tell again.
//!
//! A process that is killed anywhere leaves the checkpoint of before or that of now, each with
//! all that it counts.

use super::DatasetError;
use super::files::{Beside, sync_folder};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Files that are waited for at a time. The disk works, and no CPU.
pub(crate) const AT_ONCE: usize = 12;

/// An open file that one thread writes while another may be syncing it.
#[derive(Debug)]
pub(crate) struct DataFile {
    path: PathBuf,
    file: File,
    /// Something in it has not been synced.
    dirty: AtomicBool,
    /// A sync failed: the system may have dropped what it could not write, and a second sync would
    /// not tell.
    sync_failed: AtomicBool,
}

impl DataFile {
    /// `dirty`: not all that is in it has been synced.
    pub(crate) fn new(path: PathBuf, file: File, dirty: bool) -> DataFile {
        DataFile {
            path,
            file,
            dirty: AtomicBool::new(dirty),
            sync_failed: AtomicBool::new(false),
        }
    }

    /// Writes at a place of the file; after an error the same may be written again.
    pub(crate) fn write_at(&self, bytes: &[u8], offset: u64) -> Result<(), DatasetError> {
        let written = self.file.write_all_at(bytes, offset);
        // Only now: a sync that runs meanwhile need not cover it, and must not forget it.
        self.dirty.store(true, Ordering::Release);
        written.map_err(DatasetError::io("write", &self.path))
    }

    /// Cuts off what lies behind `length`; gives whether there was anything.
    pub(crate) fn cut(&self, length: u64) -> Result<bool, DatasetError> {
        let found = self
            .file
            .metadata()
            .map_err(DatasetError::io("read", &self.path))?;
        if found.len() <= length {
            return Ok(false);
        }
        self.file
            .set_len(length)
            .map_err(DatasetError::io("shorten", &self.path))?;
        self.dirty.store(true, Ordering::Release);
        Ok(true)
    }

    /// Puts on disk what was written before the call. Once that has failed it is unknown what is on
    /// disk: every further sync fails, and the way on is to open the file again at the last
    /// checkpoint.
    pub(crate) fn sync(&self) -> Result<(), DatasetError> {
        let error = |source| DatasetError::io("sync", &self.path)(source);
        if self.sync_failed.load(Ordering::Acquire) {
            let reason = "an earlier sync failed; go on from the last checkpoint with --resume";
            return Err(error(io::Error::other(reason)));
        }
        if !self.dirty.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        self.file.sync_data().map_err(|source| {
            self.sync_failed.store(true, Ordering::Release);
            error(source)
        })
    }
}

/// What is to last of one folder.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// The folder of the JSON; none is synced where there is no JSON.
    pub(crate) folder: PathBuf,
    /// All that the JSON counts is handed to the system.
    pub(crate) data: Vec<Arc<DataFile>>,
    /// Path and content, in the order in which they appear: the checkpoint last.
    pub(crate) json: Vec<(PathBuf, Vec<u8>)>,
    /// Folders in which something is new that the JSON counts on.
    pub(crate) names: Vec<PathBuf>,
}

/// Parts of which the first must last before any of the others.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub(crate) first: Option<Part>,
    pub(crate) then: Vec<Part>,
}

/// What became of a group.
#[derive(Debug, Default)]
pub(crate) struct Saved {
    /// Whether [`Group::first`] lasts, if there was any.
    pub(crate) first: bool,
    /// Whether each of [`Group::then`] does.
    pub(crate) then: Vec<bool>,
}

/// Folders that hold the name of `folder` and of the one above it, see [`Part::names`].
pub(crate) fn folders_above(folder: &Path) -> impl Iterator<Item = PathBuf> {
    folder.ancestors().skip(1).take(2).map(Path::to_owned)
}

/// Saves everything that can be saved; gives the first error, and which parts last in spite of it.
pub(crate) fn save(groups: &[Group]) -> (Vec<Saved>, Result<(), DatasetError>) {
    let parts: Vec<&Part> = groups.iter().flat_map(all_parts).collect();
    let mut errors = Vec::new();

    let names: BTreeSet<&PathBuf> = parts.iter().flat_map(|part| &part.names).collect();
    let mut jobs: Vec<Job> = names.into_iter().map(|name| Job::Name(name)).collect();
    for (at, part) in parts.iter().enumerate() {
        jobs.extend(part.data.iter().map(|file| Job::Data(at, file)));
        jobs.extend(part.json.iter().map(|json| Job::Json(at, json)));
    }
    let done = side_by_side(&jobs, |job| match job {
        Job::Name(folder) => sync_folder(folder).map(|()| None),
        Job::Data(_, file) => file.sync().map(|()| None),
        Job::Json(_, (path, content)) => Beside::write(path, content).map(Some),
    });
    let mut ready: Vec<Option<Vec<Beside>>> = parts.iter().map(|_| Some(Vec::new())).collect();
    let mut lost_names = BTreeSet::new();
    for (job, done) in jobs.iter().zip(done) {
        match (job, done) {
            (Job::Name(folder), Err(error)) => {
                lost_names.insert(*folder);
                errors.push(error);
            }
            (Job::Data(at, _) | Job::Json(at, _), Err(error)) => {
                discard(ready[*at].take());
                errors.push(error);
            }
            (Job::Json(at, _), Ok(Some(beside))) => match &mut ready[*at] {
                Some(besides) => besides.push(beside),
                None => beside.discard(),
            },
            (_, Ok(_)) => {}
        }
    }
    for (part, ready) in parts.iter().zip(&mut ready) {
        if part
            .names
            .iter()
            .any(|name| lost_names.contains(name.as_path()))
        {
            discard(ready.take());
        }
    }

    let mut ready = ready.into_iter();
    let (mut first, mut then) = (Vec::new(), Vec::new());
    for (at, group) in groups.iter().enumerate() {
        if let Some(part) = &group.first {
            first.push((at, &part.folder, ready.next().flatten()));
        }
        for part in &group.then {
            then.push((at, &part.folder, ready.next().flatten()));
        }
    }
    let mut saved: Vec<Saved> = groups
        .iter()
        .map(|group| Saved {
            first: group.first.is_none(),
            then: Vec::new(),
        })
        .collect();
    for (at, lasts) in publish(first, &mut errors) {
        saved[at].first = lasts;
    }
    for (at, _, besides) in &mut then {
        if !saved[*at].first {
            discard(besides.take());
        }
    }
    for (at, lasts) in publish(then, &mut errors) {
        saved[at].then.push(lasts);
    }
    (saved, errors.into_iter().next().map_or(Ok(()), Err))
}

enum Job<'a> {
    Name(&'a Path),
    Data(usize, &'a DataFile),
    Json(usize, &'a (PathBuf, Vec<u8>)),
}

fn all_parts(group: &Group) -> impl Iterator<Item = &Part> {
    group.first.iter().chain(&group.then)
}

fn discard(besides: Option<Vec<Beside>>) {
    for beside in besides.into_iter().flatten() {
        beside.discard();
    }
}

/// Renames everything into its place, in order, then syncs the folders.
fn publish(
    parts: Vec<(usize, &PathBuf, Option<Vec<Beside>>)>,
    errors: &mut Vec<DatasetError>,
) -> Vec<(usize, bool)> {
    let moved: Vec<(usize, &PathBuf, Option<bool>)> = parts
        .into_iter()
        .map(|(at, folder, besides)| {
            let moved = besides.map(|besides| {
                let is_any = !besides.is_empty();
                let moved = besides.into_iter().try_for_each(Beside::publish);
                moved.map(|()| is_any)
            });
            match moved.transpose() {
                Ok(moved) => (at, folder, moved),
                Err(error) => {
                    errors.push(error);
                    (at, folder, None)
                }
            }
        })
        .collect();
    let synced = side_by_side(&moved, |(_, folder, moved)| match moved {
        Some(true) => sync_folder(folder),
        _ => Ok(()),
    });
    moved
        .into_iter()
        .zip(synced)
        .map(|((at, _, moved), synced)| {
            let lasts = moved.is_some() && synced.is_ok();
            errors.extend(synced.err());
            (at, lasts)
        })
        .collect()
}

/// Does `work` on every item, several at a time, and gives the results in the items' order. Where
/// the system gives no threads, this one does it all.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match items.get(at) {
                Some(item) => done.push((at, work(item))),
                None => return done,
            }
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..AT_ONCE.min(items.len()))
            .map_while(|_| {
                let builder = std::thread::Builder::new().name("disk".to_owned());
                builder.spawn_scoped(scope, take).ok()
            })
            .collect();
        let mut done = take();
        for other in others {
            match other.join() {
                Ok(theirs) => done.extend(theirs),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn part(folder: &Path, files: &[Arc<DataFile>]) -> Part {
        fs::create_dir_all(folder).unwrap();
        Part {
            folder: folder.to_owned(),
            data: files.to_vec(),
            json: vec![
                (folder.join("stats.json"), b"1\n".to_vec()),
                (folder.join("state.json"), b"2\n".to_vec()),
            ],
            names: vec![folder.to_owned()],
        }
    }

    fn data(path: &Path) -> Arc<DataFile> {
        Arc::new(DataFile::new(
            path.to_owned(),
            File::create(path).unwrap(),
            false,
        ))
    }

    /// A file that takes writes and refuses to be synced, as a failing disk's does.
    fn unsyncable(path: &Path) -> Arc<DataFile> {
        let (_, writer) = io::pipe().unwrap();
        let file = File::from(std::os::fd::OwnedFd::from(writer));
        Arc::new(DataFile::new(path.to_owned(), file, true))
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn everything_lasts_and_nothing_is_left_beside() {
        let out = tempfile::tempdir().unwrap();
        let folders: Vec<PathBuf> = (0..30).map(|n| out.path().join(n.to_string())).collect();
        let groups: Vec<Group> = folders
            .chunks(3)
            .map(|three| Group {
                first: Some(part(&three[0], &[])),
                then: three[1..].iter().map(|folder| part(folder, &[])).collect(),
            })
            .collect();
        let (saved, end) = save(&groups);
        end.unwrap();
        assert!(saved.iter().all(|one| one.first && one.then == [true; 2]));
        for folder in &folders {
            assert_eq!(names(folder), ["state.json", "stats.json"]);
        }
    }

    #[test]
    fn what_counts_on_data_that_is_not_on_disk_stays_as_it_was() {
        let out = tempfile::tempdir().unwrap();
        let place = |name: &str| out.path().join(name);
        let bad = unsyncable(&place("data"));
        let good = data(&place("sound"));
        let groups = [
            Group {
                first: Some(part(&place("games"), &[Arc::clone(&bad)])),
                then: vec![part(&place("counts the games"), &[])],
            },
            Group {
                first: None,
                then: vec![
                    part(&place("bad"), &[Arc::clone(&good), Arc::clone(&bad)]),
                    part(&place("good"), &[good]),
                ],
            },
        ];
        let (saved, end) = save(&groups);
        let error = end.unwrap_err().to_string();
        assert!(error.contains("data"), "{error}");
        assert!(!saved[0].first && saved[0].then == [false]);
        assert!(saved[1].then == [false, true]);
        for folder in ["games", "counts the games", "bad"] {
            assert_eq!(names(&place(folder)), [""; 0], "{folder}");
        }
        assert_eq!(names(&place("good")), ["state.json", "stats.json"]);
        // Nobody may believe in a second try.
        let error = bad.sync().unwrap_err().to_string();
        assert!(error.contains("--resume"), "{error}");
    }

    #[test]
    fn json_that_cannot_be_written_leaves_the_old_one() {
        let out = tempfile::tempdir().unwrap();
        let folder = out.path().join("phase");
        let group = || Group {
            first: None,
            then: vec![part(&folder, &[])],
        };
        save(&[group()]).1.unwrap();
        fs::create_dir(folder.join(".state.json.tmp")).unwrap();
        let mut newer = group();
        newer.then[0].json[0].1 = b"3\n".to_vec();
        let (saved, end) = save(&[newer]);
        assert!(end.unwrap_err().to_string().contains(".state.json.tmp"));
        assert_eq!(saved[0].then, [false]);
        assert_eq!(fs::read(folder.join("stats.json")).unwrap(), b"1\n");
        assert_eq!(
            names(&folder),
            [".state.json.tmp", "state.json", "stats.json"]
        );
    }

    #[test]
    fn a_name_that_cannot_be_synced_holds_back_all_that_need_it() {
        let out = tempfile::tempdir().unwrap();
        let mut group = Group {
            first: None,
            then: vec![
                part(&out.path().join("a"), &[]),
                part(&out.path().join("b"), &[]),
            ],
        };
        group.then[0].names.push(out.path().join("missing"));
        let (saved, end) = save(&[group]);
        assert!(end.unwrap_err().is_missing());
        assert_eq!(saved[0].then, [false, true]);
        assert_eq!(names(&out.path().join("a")), [""; 0]);
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        assert_eq!(side_by_side(&items, |n| n * 2).len(), 1000);
        let doubled = side_by_side(&items, |n| n * 2);
        assert!(doubled.iter().zip(&items).all(|(two, one)| *two == one * 2));
        assert_eq!(side_by_side(&[0; 0], |n: &u8| *n), [0; 0]);
    }
}

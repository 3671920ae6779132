//! The journal and its table in memory.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::Key;
use crate::disk;
use crate::reduce::Outcome;

/// The first bytes of the file; a file that begins otherwise is of another version, and is not read.
const HEADER: &[u8] = b"cargo-reduce outcomes 2\n";

/// A key, an outcome and a check sum.
const RECORD: usize = Key::LENGTH + 1 + CHECK;

/// Bytes of check sum.
const CHECK: usize = 8;

/// When there are more outcomes than this, the older half is forgotten.
const DEFAULT_BOUND: usize = 1 << 19;

/// Outcomes of candidates, kept in a file.
///
/// One process at a time writes the file; another one that opens it meanwhile starts with what is
/// there, and keeps what it learns to itself.
#[derive(Debug, Default)]
pub struct Store {
    path: Option<PathBuf>,
    file: Option<LockedFile>,
    outcomes: HashMap<Key, Outcome>,
    order: Vec<Key>,
    bound: usize,
    trouble: Option<io::Error>,
}

/// A file that this process has locked.
#[derive(Debug)]
struct LockedFile(File);

impl Drop for LockedFile {
    fn drop(&mut self) {
        // A process that another thread is starting may still have the file, and with it the lock.
        let _ = self.0.unlock();
    }
}

impl Store {
    /// A store that forgets everything at the end.
    pub fn in_memory() -> Store {
        Store { bound: DEFAULT_BOUND, ..Store::default() }
    }

    /// The store in the file at `path`, which need not exist. Never fails: see [`Store::trouble`].
    pub fn open(path: &Path) -> Store {
        Store::open_bounded(path, DEFAULT_BOUND)
    }

    /// As [`Store::open`], keeping at most `bound` outcomes (at least 2).
    pub fn open_bounded(path: &Path, bound: usize) -> Store {
        let mut store =
            Store { path: Some(path.to_owned()), bound: bound.max(2), ..Store::in_memory() };
        if let Err(error) = store.load(path) {
            store.fail(error);
        }
        store
    }

    /// Why outcomes are not kept in the file, if they are not.
    pub fn trouble(&self) -> Option<&io::Error> {
        self.trouble.as_ref()
    }

    /// What is known about a candidate.
    pub fn get(&self, key: Key) -> Option<Outcome> {
        self.outcomes.get(&key).copied()
    }

    /// Keeps a batch of outcomes with one write; when this returns, a kill of this process does not lose them.
    pub fn insert_all(&mut self, batch: impl IntoIterator<Item = (Key, Outcome)>) {
        let mut bytes = Vec::new();
        for (key, outcome) in batch {
            if self.remember(key, outcome) {
                bytes.extend(record(key, outcome));
            }
        }
        if self.outcomes.len() > self.bound {
            self.forget_older_half();
            return;
        }
        if let Some(file) = &mut self.file
            && let Err(error) = file.0.write_all(&bytes)
        {
            self.fail(error);
        }
    }

    /// Whether this was news.
    fn remember(&mut self, key: Key, outcome: Outcome) -> bool {
        let before = self.outcomes.insert(key, outcome);
        if before.is_none() {
            self.order.push(key);
        }
        before != Some(outcome)
    }

    fn load(&mut self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let is_ours = file.try_lock().is_ok();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let records = bytes.strip_prefix(HEADER);
        for bytes in records.unwrap_or_default().chunks(RECORD) {
            if let Some((key, outcome)) = parse(bytes) {
                self.remember(key, outcome);
            }
        }
        if !is_ours {
            return Ok(());
        }
        let is_clean = records.is_some_and(|records| records.len() % RECORD == 0);
        self.file = Some(LockedFile(file));
        if self.outcomes.len() > self.bound {
            self.forget_older_half();
        } else if !is_clean {
            self.rewrite()?;
        }
        Ok(())
    }

    fn forget_older_half(&mut self) {
        let forgotten = self.order.len() - self.bound / 2;
        for key in self.order.drain(..forgotten) {
            self.outcomes.remove(&key);
        }
        if let Err(error) = self.rewrite() {
            self.fail(error);
        }
    }

    /// Writes the whole file anew, if it is ours to write.
    fn rewrite(&mut self) -> io::Result<()> {
        let (Some(path), Some(_)) = (&self.path, &self.file) else { return Ok(()) };
        let mut bytes = HEADER.to_vec();
        for key in &self.order {
            if let Some(outcome) = self.outcomes.get(key) {
                bytes.extend(record(*key, *outcome));
            }
        }
        disk::write_atomic(path, &bytes).map_err(|error| error.source)?;
        let file = OpenOptions::new().append(true).open(path)?;
        file.try_lock()?;
        self.file = Some(LockedFile(file));
        Ok(())
    }

    fn fail(&mut self, error: io::Error) {
        self.file = None;
        self.trouble = Some(error);
    }
}

fn record(key: Key, outcome: Outcome) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    let (content, check) = record.split_at_mut(Key::LENGTH + 1);
    content[..Key::LENGTH].copy_from_slice(&key.0);
    content[Key::LENGTH] = code(outcome);
    check.copy_from_slice(&check_sum(content));
    record
}

fn parse(record: &[u8]) -> Option<(Key, Outcome)> {
    let (content, check) = record.split_at_checked(Key::LENGTH + 1)?;
    if check != check_sum(content) {
        return None;
    }
    let key = content[..Key::LENGTH].try_into().ok()?;
    Some((Key(key), outcome(content[Key::LENGTH])?))
}

fn check_sum(content: &[u8]) -> [u8; CHECK] {
    let mut check = [0; CHECK];
    check.copy_from_slice(&blake2b_simd::blake2b(content).as_bytes()[..CHECK]);
    check
}

fn code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Fail => b'F',
        Outcome::Pass => b'P',
        Outcome::Unresolved => b'U',
        Outcome::Timeout => b'T',
    }
}

fn outcome(code: u8) -> Option<Outcome> {
    [Outcome::Fail, Outcome::Pass, Outcome::Unresolved, Outcome::Timeout]
        .into_iter()
        .find(|outcome| self::code(*outcome) == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> Key {
        Key::new(&("oracle", number))
    }

    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/outcomes");
        (folder, path)
    }

    fn known(store: &Store) -> Vec<usize> {
        (0..100).filter(|it| store.get(key(*it)).is_some()).collect()
    }

    fn filled(path: &Path, count: usize) {
        let mut store = Store::open(path);
        for number in 0..count {
            store.insert_all([(key(number), Outcome::Pass)]);
        }
        assert!(store.trouble().is_none());
    }

    #[test]
    fn outcomes_are_there_again_after_reopening() {
        let (_folder, path) = place();
        let all = [Outcome::Fail, Outcome::Pass, Outcome::Unresolved, Outcome::Timeout];
        let mut store = Store::open(&path);
        store.insert_all(all.into_iter().enumerate().map(|(at, it)| (key(at), it)));
        drop(store);
        let store = Store::open(&path);
        assert_eq!(all.map(Some), [0, 1, 2, 3].map(|at| store.get(key(at))));
        assert_eq!(store.get(key(4)), None);
    }

    #[test]
    fn what_is_known_is_not_written_again_and_what_changed_is() {
        let (_folder, path) = place();
        let mut store = Store::open(&path);
        for outcome in [Outcome::Pass, Outcome::Pass, Outcome::Fail] {
            store.insert_all([(key(1), outcome)]);
        }
        drop(store);
        let length = path.metadata().unwrap().len();
        assert_eq!(length, (HEADER.len() + 2 * RECORD) as u64);
        assert_eq!(Store::open(&path).get(key(1)), Some(Outcome::Fail));
    }

    #[test]
    fn a_record_torn_at_any_byte_loses_only_itself() {
        let (_folder, path) = place();
        filled(&path, 3);
        let whole = std::fs::read(&path).unwrap();
        for lost in 1..RECORD {
            std::fs::write(&path, &whole[..whole.len() - lost]).unwrap();
            let mut store = Store::open(&path);
            assert_eq!(known(&store), [0, 1]);
            store.insert_all([(key(7), Outcome::Fail)]);
            drop(store);
            assert_eq!(known(&Store::open(&path)), [0, 1, 7]);
        }
    }

    #[test]
    fn the_lock_goes_with_the_store_though_a_process_that_is_started_has_its_file() {
        let (_folder, path) = place();
        let store = Store::open(&path);
        let copy = store.file.as_ref().unwrap().0.try_clone().unwrap();
        drop(store);
        Store::open(&path).insert_all([(key(7), Outcome::Fail)]);
        assert_eq!(known(&Store::open(&path)), [7]);
        drop(copy);
    }

    #[test]
    fn a_damaged_record_is_skipped_and_a_file_of_another_version_started_anew() {
        let (_folder, path) = place();
        filled(&path, 3);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[HEADER.len() + RECORD + 3] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(known(&Store::open(&path)), [0, 2]);
        for content in ["cargo-reduce outcomes 99\nxxxxxxxxxxxxxxxxxxxxxx", "cargo-red"] {
            std::fs::write(&path, content).unwrap();
            filled(&path, 2);
            assert_eq!(known(&Store::open(&path)), [0, 1]);
        }
    }

    #[test]
    fn the_older_half_is_forgotten_when_there_are_too_many() {
        let (_folder, path) = place();
        let mut store = Store::open_bounded(&path, 10);
        for number in 0..12 {
            store.insert_all([(key(number), Outcome::Pass)]);
        }
        assert_eq!(known(&store), [6, 7, 8, 9, 10, 11]);
        drop(store);
        assert_eq!(known(&Store::open(&path)), [6, 7, 8, 9, 10, 11]);
        assert_eq!(known(&Store::open_bounded(&path, 4)), [10, 11]);
        let length = path.metadata().unwrap().len();
        assert_eq!(length, (HEADER.len() + 2 * RECORD) as u64);
    }

    #[test]
    fn a_second_process_reads_but_does_not_write() {
        let (_folder, path) = place();
        let mut first = Store::open(&path);
        first.insert_all([(key(1), Outcome::Fail)]);
        let mut second = Store::open(&path);
        assert_eq!(second.get(key(1)), Some(Outcome::Fail));
        second.insert_all([(key(2), Outcome::Fail)]);
        assert_eq!(second.get(key(2)), Some(Outcome::Fail));
        drop((first, second));
        assert_eq!(known(&Store::open(&path)), [1]);
    }

    #[test]
    fn trouble_with_the_file_is_told_and_does_not_stop_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut full = Store::in_memory();
        full.file = OpenOptions::new().append(true).open("/dev/full").ok().map(LockedFile);
        for mut store in [Store::open(folder.path()), full] {
            store.insert_all([(key(1), Outcome::Fail)]);
            assert!(store.trouble().is_some());
            assert_eq!(store.get(key(1)), Some(Outcome::Fail));
        }
    }
}

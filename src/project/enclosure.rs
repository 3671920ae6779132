//! Builds whose sources may be a candidate's.

use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};

use super::Result;
use super::error::cargo_error;
use super::files::{clear, file_error};
use crate::disk;
use crate::exec::{Access, Finished, Interrupt, Job, Protection, Sandbox};

/// What is ours in a target directory begins like this.
const OURS: &str = "cargo-reduce";
/// Tests may write there (`CARGO_TARGET_TMPDIR`), and cargo does not read it.
const OF_TESTS: &str = "tmp";

/// A wrapper of rustc such as `sccache` cannot reach its server from the sandbox; set to nothing, the variable has
/// precedence over configuration files.
pub(super) const NO_WRAPPER: (&str, &str) = ("RUSTC_WRAPPER", "");

/// Cargo as it can run in the sandbox: all that is needed from the network was there for the first build.
pub fn shut_in(cargo: Job) -> Job {
    cargo.env("CARGO_NET_OFFLINE", "true").env(NO_WRAPPER.0, NO_WRAPPER.1)
}

/// Where cargo builds what may be a candidate.
///
/// Cargo trusts the files that it finds in its target directory. Where what candidates write stays, it may have written
/// there: so what a build leaves is noted out of their reach, and the next build begins anew if anything has
/// changed since.
#[derive(Debug, Clone)]
pub struct Enclosure {
    sandbox: Sandbox,
    access: Access,
    target_dir: Utf8PathBuf,
}

impl Enclosure {
    /// Cargo may change the copy at `root` and `target_dir`, and nothing else.
    pub fn new(sandbox: &Sandbox, root: &Utf8Path, target_dir: &Utf8Path) -> Enclosure {
        // Below the root it may have been taken away.
        let outside = Some(target_dir).filter(|folder| !folder.starts_with(root));
        Enclosure {
            sandbox: sandbox.clone(),
            access: Access::keeping([root].into_iter().chain(outside)),
            target_dir: target_dir.to_owned(),
        }
    }

    /// Runs cargo.
    ///
    /// # Errors
    /// When it cannot be run, or files of the target directory cannot be read or removed.
    pub fn build(&self, job: Job, interrupt: &Interrupt) -> Result<Finished> {
        let confined = self.sandbox.confine(shut_in(job), self.access.clone());
        if self.sandbox.protection() == (Protection::Namespaces { overlay: true }) {
            return confined.run(interrupt).map_err(cargo_error);
        }
        let note = self.note();
        if fs::read_to_string(&note).is_ok_and(|noted| self.listing() != noted) {
            self.clear()?;
        }
        let finished = confined.run(interrupt).map_err(cargo_error)?;
        fs::write(&note, self.listing()).map_err(|source| {
            file_error("write", Utf8Path::from_path(&note).unwrap_or(&self.target_dir), source)
        })?;
        Ok(finished)
    }

    /// Where it is noted what the last build has left.
    fn note(&self) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        self.target_dir.hash(&mut hasher);
        let name = format!("built-{:016x}", hasher.finish());
        self.sandbox.folder().join(name)
    }

    /// All that cargo has built, with what shows that nobody has written to it. The time of the last change of a
    /// file's metadata cannot be set by programs.
    fn listing(&self) -> String {
        let mut listing = String::new();
        let mut folders = vec![self.target_dir.clone()];
        while let Some(folder) = folders.pop() {
            let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
            let mut paths: Vec<Utf8PathBuf> =
                entries.map(|entry| entry.path().to_owned()).collect();
            paths.sort();
            for path in paths.iter().filter(|path| self.is_of_cargo(path)) {
                let Ok(metadata) = fs::symlink_metadata(path) else { continue };
                let times = (!metadata.is_dir()).then(|| {
                    (metadata.ino(), metadata.size(), metadata.ctime(), metadata.ctime_nsec())
                });
                let _ = writeln!(listing, "{path:?} {:o} {times:?}", metadata.mode());
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
            }
        }
        listing
    }

    fn is_of_cargo(&self, path: &Utf8Path) -> bool {
        let is_on_top = path.parent() == Some(&self.target_dir);
        let name = path.file_name().unwrap_or_default();
        !(is_on_top && (name.starts_with(OURS) || name == OF_TESTS))
    }

    /// Removes all that cargo has built.
    fn clear(&self) -> Result<()> {
        let refused = |source| file_error("remove", &self.target_dir, source);
        let parent = self.target_dir.parent().unwrap_or(&self.target_dir);
        // A candidate may have put a link in its place.
        clear(parent, &self.target_dir.join(OURS))?;
        for entry in self.target_dir.read_dir_utf8().into_iter().flatten() {
            let entry = entry.map_err(refused)?;
            if self.is_of_cargo(entry.path()) {
                disk::remove(entry.path().as_std_path()).map_err(refused)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{Mode, Policy, run_tool};
    use crate::project::error::cargo_program;

    #[test]
    fn what_cargo_built_and_somebody_damaged_is_built_anew() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        for (path, text) in [
            ("Cargo.toml", "[package]\nname = \"damaged\"\nedition = \"2021\"\n[workspace]\n"),
            ("src/lib.rs", "pub fn one() -> u8 { 1 }\n"),
            ("tests/one.rs", "#[test]\nfn one() { assert_eq!(damaged::one(), 1); }\n"),
        ] {
            disk::write_atomic(root.join(path).as_std_path(), text.as_bytes()).unwrap();
        }
        // As where what candidates write stays.
        let policy = Policy { mode: Mode::Off, ..Policy::default() };
        let target_dir = root.join("target");
        let enclosure = Enclosure::new(&Sandbox::new(policy).unwrap(), root, &target_dir);
        let job = Job::new(cargo_program())
            .args(["test", "--no-run", "--test", "one"])
            .env_remove("CARGO_TARGET_DIR")
            .cwd(root);
        let builds = || {
            let finished = enclosure.build(job.clone(), &Interrupt::new()).unwrap();
            assert!(finished.exit.is_success(), "{}", finished.stderr.text());
        };
        builds();
        // Nothing has changed, so nothing is built again, and what is ours or the tests' does not count.
        for name in ["tmp/data", "cargo-reduce/data", "cargo-reduce-data"] {
            disk::write_atomic(target_dir.join(name).as_std_path(), b"x").unwrap();
        }
        let built = enclosure.listing();
        builds();
        assert_eq!(enclosure.listing(), built);

        let deps = target_dir.join("debug/deps");
        for entry in deps.read_dir_utf8().unwrap().map(Result::unwrap) {
            if entry.file_name().starts_with("libdamaged") {
                fs::write(entry.path(), "garbage").unwrap();
            }
        }
        let finished = run_tool(&job, &Interrupt::new()).unwrap();
        assert!(!finished.exit.is_success(), "cargo trusts what it finds");
        builds();
        assert!(target_dir.join("tmp/data").exists());
        // Another folder in its place is not read, and not cleared.
        let elsewhere = root.join("elsewhere");
        fs::rename(&target_dir, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &target_dir).unwrap();
        fs::write(elsewhere.join("precious"), "x").unwrap();
        builds();
        assert!(elsewhere.join("precious").exists());
        assert!(!target_dir.is_symlink());
    }
}

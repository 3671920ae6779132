//! Which files below a folder are opened while something runs, whoever opens them.
//!
//! Only Linux tells (inotify); elsewhere nothing is seen. What another program opens in the same moment is seen, too.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// What was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opened {
    /// Files that were opened, and not written to.
    pub files: BTreeSet<PathBuf>,
    /// Folders that were opened: somebody has looked what is in them.
    pub folders: BTreeSet<PathBuf>,
    /// Whether that is not all, since there was too much to be seen.
    pub is_cut: bool,
}

#[cfg(target_os = "linux")]
pub use linux::OpenWatch;

#[cfg(not(target_os = "linux"))]
pub use portable::OpenWatch;

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::path::{Path, PathBuf};

    use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};

    use super::Opened;

    /// So many folders are watched at most.
    const MOST_FOLDERS: usize = 4_000;

    /// Watches folders from when it is made until it is asked.
    #[derive(Debug)]
    pub struct OpenWatch {
        inotify: Inotify,
        folders: HashMap<WatchDescriptor, PathBuf>,
        is_cut: bool,
    }

    impl OpenWatch {
        /// Watches `root` and all folders below it, but for hidden ones and those in `without`. `None` if the system
        /// does not allow that.
        pub fn new(root: &Path, without: &[&Path]) -> Option<Self> {
            let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok()?;
            let mut watch = OpenWatch { inotify, folders: HashMap::new(), is_cut: false };
            let mut folders = vec![root.to_owned()];
            while let Some(folder) = folders.pop() {
                if watch.folders.len() == MOST_FOLDERS || watch.add(&folder).is_none() {
                    watch.is_cut = true;
                    break;
                }
                for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                    let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                    let path = entry.path();
                    if is_folder && !is_hidden && !without.contains(&path.as_path()) {
                        folders.push(path);
                    }
                }
            }
            // To look for folders opens them.
            watch.drain(|_, _| {});
            Some(watch)
        }

        fn add(&mut self, folder: &Path) -> Option<()> {
            let what = AddWatchFlags::IN_OPEN
                | AddWatchFlags::IN_MODIFY
                | AddWatchFlags::IN_CREATE
                | AddWatchFlags::IN_MOVED_TO
                | AddWatchFlags::IN_ONLYDIR;
            let descriptor = self.inotify.add_watch(folder, what).ok()?;
            self.folders.insert(descriptor, folder.to_owned());
            Some(())
        }

        /// What was opened up to now.
        pub fn opened(mut self) -> Opened {
            let mut opened = Opened::default();
            let mut written = Vec::new();
            self.drain(|mask, path| {
                if !mask.contains(AddWatchFlags::IN_OPEN) {
                    written.push(path);
                } else if mask.contains(AddWatchFlags::IN_ISDIR) {
                    opened.folders.insert(path);
                } else {
                    opened.files.insert(path);
                }
            });
            for path in written {
                opened.files.remove(&path);
            }
            opened.is_cut = self.is_cut;
            opened
        }

        fn drain(&mut self, mut tell: impl FnMut(AddWatchFlags, PathBuf)) {
            while let Ok(events) = self.inotify.read_events() {
                for event in events {
                    self.is_cut |= event.mask.contains(AddWatchFlags::IN_Q_OVERFLOW);
                    let Some(folder) = self.folders.get(&event.wd) else { continue };
                    let path = event.name.map_or_else(|| folder.clone(), |name| folder.join(name));
                    tell(event.mask, path);
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use std::path::Path;

    use super::Opened;

    /// Watches nothing.
    #[derive(Debug)]
    pub struct OpenWatch;

    impl OpenWatch {
        /// This system does not tell.
        pub fn new(_: &Path, _: &[&Path]) -> Option<Self> {
            None
        }

        /// Nothing was seen.
        pub fn opened(self) -> Opened {
            Opened::default()
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;
    use crate::exec::{Interrupt, Job, run_tool};

    #[test]
    fn files_and_folders_that_a_child_opens_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = |path: &str| root.join(path);
        for name in ["data/cases", "data/idle", "target/data", ".hidden"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        let files =
            ["data/cases/a", "data/cases/b", "data/idle/c", "target/data/d", ".hidden/e", "f"];
        for name in files {
            fs::write(at(name), "x").unwrap();
        }
        let watch = OpenWatch::new(&root, &[&at("target")]).unwrap();
        let script = "ls data/cases; cat data/cases/a target/data/d .hidden/e f; echo y >> f; sh -c 'cat data/cases/b'; \
                      echo z > new; cat new";
        let job = Job::new("sh").args(["-c", script]).cwd(&root);
        run_tool(&job, &Interrupt::new()).unwrap();
        let opened = watch.opened();
        let expected: BTreeSet<PathBuf> = ["data/cases/a", "data/cases/b"].map(at).into();
        assert_eq!(opened.files, expected);
        assert!(opened.folders.contains(&at("data/cases")));
        assert!(!opened.folders.contains(&at("data/idle")));
        assert!(!opened.is_cut);
    }
}

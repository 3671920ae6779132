//! The sandbox of a session.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::environment::environment;
use super::own_folder::{DEVICE_FOLDER, OVERLAY_FOLDER, OwnFolder, PRIVATE_FOLDERS};
use super::{Access, Confined, Mode, Policy, Protection};
use crate::exec::{ExecError, Job};

#[cfg(target_os = "linux")]
use super::{cell::Cell, landlock, mounts::Ground, seccomp::Filter};

/// The folder for jobs that leave something behind.
const WORK: &str = "work";

/// Where candidates run. Clones share it; its folders go with the last one.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<Room>);

#[derive(Debug)]
struct Room {
    policy: Policy,
    protection: Protection,
    environment: Option<BTreeMap<OsString, OsString>>,
    folder: OwnFolder,
    /// Cells in which no candidate runs at the moment.
    #[cfg(target_os = "linux")]
    idle: Mutex<Vec<Cell>>,
}

impl Sandbox {
    /// A sandbox that enforces the policy.
    ///
    /// # Errors
    /// [`ExecError::NoProtection`] when the system can enforce nothing (in strict mode: has no user namespaces) and the
    /// policy does not turn the sandbox off; others when there is no place for its folders.
    pub fn new(policy: Policy) -> Result<Sandbox, ExecError> {
        let folder = folders().map_err(ExecError::Folder)?;
        let protection = match policy.mode {
            Mode::Off => Protection::None,
            Mode::Default | Mode::Strict => protection(folder.path()),
        };
        Sandbox::protected_by(protection, policy, folder)
    }

    /// A sandbox with this protection, if it is enough for the policy.
    pub(super) fn protected_by(
        protection: Protection,
        policy: Policy,
        folder: OwnFolder,
    ) -> Result<Sandbox, ExecError> {
        let is_enough = match policy.mode {
            Mode::Off => true,
            Mode::Default => protection != Protection::None,
            Mode::Strict => matches!(protection, Protection::Namespaces { .. }),
        };
        if !is_enough {
            return Err(ExecError::NoProtection { strict: policy.mode == Mode::Strict });
        }
        #[cfg(target_os = "linux")]
        if matches!(protection, Protection::Landlock { .. }) {
            crate::exec::orphans::adopt();
        }
        let [temporary, home] = PRIVATE_FOLDERS.map(|name| folder.path().join(name));
        let environment = (policy.mode != Mode::Off)
            .then(|| environment(std::env::vars_os(), &policy, &home, &temporary));
        Ok(Sandbox(Arc::new(Room {
            policy,
            protection,
            environment,
            folder,
            #[cfg(target_os = "linux")]
            idle: Mutex::default(),
        })))
    }

    /// What is enforced.
    pub fn protection(&self) -> Protection {
        self.0.protection
    }

    /// Whether changes in folders that are not to be kept are thrown away, so that no candidate sees those of another.
    pub fn discards(&self) -> bool {
        self.0.protection == Protection::Namespaces { overlay: true }
    }

    /// What the user wants.
    pub fn policy(&self) -> &Policy {
        &self.0.policy
    }

    /// A job that can only be started in this sandbox and may change what `access` says.
    pub fn confine(&self, mut job: Job, access: Access) -> Confined {
        job.base_env.clone_from(&self.0.environment);
        Confined::new(job, access, self.clone())
    }

    /// What a job with this access is started in.
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "nothing is enforced"))]
    pub(super) fn enter(&self, access: &Access) -> Result<Cage, ExecError> {
        match self.0.protection {
            Protection::None => Ok(Cage::free()),
            #[cfg(target_os = "linux")]
            Protection::Namespaces { .. } => self.enter_cell(access),
            #[cfg(target_os = "linux")]
            Protection::Landlock { .. } => {
                let rules = landlock::rules(&self.writable(access), !self.0.policy.loopback)?;
                let filter = Filter::new().map_err(|error| ExecError::Confine(Box::new(error)))?;
                Ok(Cage { rules: Some((rules, filter)), cell: None })
            }
            #[cfg(not(target_os = "linux"))]
            _ => Ok(Cage::free()),
        }
    }

    /// A job that may change what is in [work folders](Sandbox::work_folder) and nothing else.
    pub fn confine_work(&self, job: Job) -> Confined {
        self.confine(job, Access::keeping([self.room_folder(WORK)]))
    }

    /// A new folder that all jobs of [`Sandbox::confine_work`] may change; it is gone when the answer is dropped.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn work_folder(&self) -> io::Result<TempDir> {
        TempDir::new_in(self.room_folder(WORK))
    }

    /// The folder of the sandbox: candidates cannot change what we put there.
    pub fn folder(&self) -> &Path {
        self.0.folder.path()
    }

    fn room_folder(&self, name: &str) -> PathBuf {
        self.0.folder.path().join(name)
    }
}

#[cfg(target_os = "linux")]
impl Sandbox {
    fn enter_cell(&self, access: &Access) -> Result<Cage, ExecError> {
        let idle = {
            let mut idle = self.idle();
            let place = idle.iter().position(|cell| cell.gives(access));
            if place.is_none() {
                idle.retain(Cell::is_current);
            }
            place.map(|place| idle.swap_remove(place))
        };
        let mut cell = match idle {
            Some(cell) => cell,
            None => Cell::new(access.clone(), &self.ground(access))?,
        };
        cell.prepare()?;
        Ok(Cage { rules: None, cell: Some((cell, self.clone())) })
    }

    fn ground(&self, access: &Access) -> Ground {
        let Access { mut kept, mut discarded } = access.clone();
        if !self.discards() {
            kept.append(&mut discarded);
        }
        kept.extend(self.always_writable());
        Ground {
            kept,
            discarded,
            folder: self.folder().to_owned(),
            loopback: self.0.policy.mode != Mode::Strict || self.0.policy.loopback,
        }
    }

    fn writable(&self, access: &Access) -> Vec<PathBuf> {
        let own = PRIVATE_FOLDERS.map(|name| self.room_folder(name));
        let of_access = access.folders().cloned();
        own.into_iter().chain(of_access).chain(self.always_writable()).collect()
    }

    /// What the policy opens to all jobs.
    fn always_writable(&self) -> impl Iterator<Item = PathBuf> {
        let home = self.0.policy.home.then(|| std::env::var_os("HOME")).flatten();
        self.0.policy.writable.iter().cloned().chain(home.map(PathBuf::from))
    }

    /// How many cells wait to be entered.
    #[cfg(test)]
    pub(super) fn idle_cells(&self) -> usize {
        self.idle().len()
    }

    /// Cells in which no candidate runs at the moment.
    fn idle(&self) -> MutexGuard<'_, Vec<Cell>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The folders of a sandbox.
pub(super) fn folders() -> io::Result<OwnFolder> {
    let [temporary, home] = PRIVATE_FOLDERS;
    let names = [temporary, home, DEVICE_FOLDER, OVERLAY_FOLDER, WORK];
    OwnFolder::new_in(&std::env::temp_dir(), &names)
}

/// What the system can enforce, found out by trying.
#[cfg(target_os = "linux")]
fn protection(folder: &Path) -> Protection {
    let probe = folder.join("probe");
    let ground = |overlay: bool| Ground {
        kept: Vec::new(),
        discarded: overlay.then(|| probe.clone()).into_iter().collect(),
        folder: folder.to_owned(),
        loopback: true,
    };
    let works = |overlay: bool| {
        let cell = Cell::new(Access::default(), &ground(overlay));
        cell.is_ok_and(|mut cell| cell.prepare().is_ok())
    };
    if std::fs::create_dir(&probe).is_ok() && works(true) {
        return Protection::Namespaces { overlay: true };
    }
    if works(false) {
        return Protection::Namespaces { overlay: false };
    }
    landlock::version().map_or(Protection::None, |version| Protection::Landlock { version })
}

#[cfg(not(target_os = "linux"))]
fn protection(_folder: &Path) -> Protection {
    Protection::None
}

/// What a process is started in; it is cleaned when the process has ended.
#[derive(Debug, Default)]
pub(in crate::exec) struct Cage {
    #[cfg(target_os = "linux")]
    pub(in crate::exec) rules: Option<(std::os::fd::OwnedFd, Filter)>,
    #[cfg(target_os = "linux")]
    pub(in crate::exec) cell: Option<(Cell, Sandbox)>,
}

impl Cage {
    /// No cage at all: for programs that run no candidate code.
    pub(in crate::exec) fn free() -> Cage {
        Cage::default()
    }

    /// The init process of the cell, if there is one.
    pub(in crate::exec) fn init(&self) -> Option<u32> {
        #[cfg(target_os = "linux")]
        return self.cell.as_ref().map(|(cell, _)| cell.init());
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Kills what the process has left behind and throws its changes away. A cell that cannot be cleaned is
    /// not used again.
    pub(in crate::exec) fn clean(&mut self) {
        #[cfg(target_os = "linux")]
        {
            if self.rules.is_some() {
                crate::exec::orphans::kill_strays();
            }
            if let Some((mut cell, sandbox)) = self.cell.take()
                && cell.clean()
            {
                sandbox.idle().push(cell);
            }
        }
    }
}

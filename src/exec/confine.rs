//! Confinement: which part of the file system a child may write to.
//!
//! Landlock needs no privilege and no container: a process gives up rights for itself and all its
//! children. The rules are put together here, in the parent, where allocating is fine; the child
//! only has to say "from now on" before it runs the program (see [`super::spawn`]).

use super::{ExecError, Job};

/// What the kernel can enforce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confinement {
    /// Writes and TCP.
    Full,
    /// Writes, but not TCP.
    Files,
    /// Nothing; jobs run unconfined.
    None,
}

#[cfg(target_os = "linux")]
pub use linux::confinement;
#[cfg(target_os = "linux")]
pub(super) use linux::rules;

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
        Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
    };
    use nix::libc;

    use super::{Confinement, ExecError, Job};

    /// The newest rules we ask for; older kernels enforce the part of them that they know.
    const ABI_WANTED: ABI = ABI::V7;

    /// The first version of the kernel's interface that knows TCP.
    const VERSION_WITH_TCP: libc::c_long = 4;

    /// Written to by well-behaved programs, and no harm done.
    const DEVICES: [&str; 6] = [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/tty",
        "/dev/ptmx",
        "/dev/pts",
    ];

    /// What this kernel can enforce.
    #[must_use]
    pub fn confinement() -> Confinement {
        const VERSION_QUERY: libc::c_uint = 1;
        #[expect(unsafe_code, reason = "asks for a number; no memory is involved")]
        // SAFETY: with a null attribute, size 0 and this flag the call only returns a version.
        let version = unsafe {
            libc::syscall(
                libc::SYS_landlock_create_ruleset,
                std::ptr::null::<libc::c_void>(),
                0_usize,
                VERSION_QUERY,
            )
        };
        match version {
            VERSION_WITH_TCP.. => Confinement::Full,
            1.. => Confinement::Files,
            _ => Confinement::None,
        }
    }

    /// The rules for a job; `None` when it is not confined, or the kernel cannot.
    pub(in crate::exec) fn rules(job: &Job) -> Result<Option<OwnedFd>, ExecError> {
        if job.writable.is_none() && !job.offline {
            return Ok(None);
        }
        let mut ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .scope(Scope::Signal)
            .map_err(refused)?;
        if job.writable.is_some() {
            ruleset = ruleset
                .handle_access(AccessFs::from_write(ABI_WANTED))
                .map_err(refused)?;
        }
        if job.offline {
            ruleset = ruleset
                .handle_access(AccessNet::from_all(ABI_WANTED))
                .map_err(refused)?;
        }
        let created = ruleset.create().map_err(refused)?;
        let rules = match &job.writable {
            Some(paths) => allow_writes(created, paths)?,
            None => created,
        };
        Ok(rules.into())
    }

    fn allow_writes(
        mut rules: RulesetCreated,
        paths: &[PathBuf],
    ) -> Result<RulesetCreated, ExecError> {
        for path in paths {
            rules = allow(rules, path).map_err(|source| writable(path, source))?;
        }
        for device in DEVICES {
            let device = Path::new(device);
            if device.exists() {
                rules = allow(rules, device).map_err(|source| writable(device, source))?;
            }
        }
        Ok(rules)
    }

    fn allow(rules: RulesetCreated, path: &Path) -> Result<RulesetCreated, io::Error> {
        let metadata = path.metadata()?;
        let mut access: BitFlags<AccessFs> = AccessFs::from_write(ABI_WANTED);
        if !metadata.is_dir() {
            access &= AccessFs::from_file(ABI_WANTED);
        }
        let folder = PathFd::new(path).map_err(io::Error::other)?;
        rules
            .add_rule(PathBeneath::new(folder, access))
            .map_err(io::Error::other)
    }

    fn writable(path: &Path, source: io::Error) -> ExecError {
        ExecError::Writable {
            path: path.to_owned(),
            source,
        }
    }

    fn refused(error: landlock::RulesetError) -> ExecError {
        ExecError::Confine(Box::new(error))
    }
}

/// What this system can enforce: nothing.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn confinement() -> Confinement {
    Confinement::None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn rules(_job: &Job) -> Result<Option<std::os::fd::OwnedFd>, ExecError> {
    Ok(None)
}

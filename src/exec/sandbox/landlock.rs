//! Landlock: which part of the file system a process may write to, where there are no user namespaces.
//!
//! Landlock needs no privilege and no container: a process gives up rights for itself and all its
//! children. The rules are put together here, in the parent, where allocating is fine; the child
//! only has to say "from now on" before it runs the program (see [`crate::exec::spawn`]).

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope,
};
use nix::libc;

use crate::exec::ExecError;

/// The newest rules we ask for; older kernels enforce the part of them that they know.
const ABI_WANTED: ABI = ABI::V7;

/// Written to by well-behaved programs, and no harm done.
const DEVICES: [&str; 6] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts"];

/// The version of the kernel's interface; `None` where there is no Landlock.
pub(super) fn version() -> Option<u32> {
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
    u32::try_from(version).ok().filter(|version| *version > 0)
}

/// The rules for a process that may write to `paths` only, and without TCP if it is to be `offline`.
pub(super) fn rules(paths: &[PathBuf], offline: bool) -> Result<OwnedFd, ExecError> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .scope(Scope::Signal | Scope::AbstractUnixSocket)
        .map_err(refused)?
        .handle_access(writes())
        .map_err(refused)?;
    if offline {
        ruleset = ruleset.handle_access(AccessNet::from_all(ABI_WANTED)).map_err(refused)?;
    }
    let mut rules = ruleset.create().map_err(refused)?;
    let devices = DEVICES.iter().map(Path::new).filter(|device| device.exists());
    for path in paths.iter().map(PathBuf::as_path).chain(devices) {
        rules = allow(rules, path)
            .map_err(|source| ExecError::Writable { path: path.to_owned(), source })?;
    }
    let rules: Option<OwnedFd> = rules.into();
    rules.ok_or_else(|| ExecError::Confine("Landlock gave no rules".into()))
}

/// All that changes something.
fn writes() -> BitFlags<AccessFs> {
    AccessFs::from_write(ABI_WANTED)
}

fn allow(rules: RulesetCreated, path: &Path) -> Result<RulesetCreated, io::Error> {
    let metadata = path.metadata()?;
    // A device that somebody makes is a way around all of this.
    let mut access = writes() & !(AccessFs::MakeBlock | AccessFs::MakeChar);
    if !metadata.is_dir() {
        access &= AccessFs::from_file(ABI_WANTED);
    }
    let folder = PathFd::new(path).map_err(io::Error::other)?;
    rules.add_rule(PathBeneath::new(folder, access)).map_err(io::Error::other)
}

fn refused(error: landlock::RulesetError) -> ExecError {
    ExecError::Confine(Box::new(error))
}

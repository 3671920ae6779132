//! What a child does to itself before it runs the program.
//!
//! Only system calls are allowed here: another thread may have held the allocator's lock at the
//! moment of the `fork`, or the memory may be that of this process still. So all that allocates is
//! prepared before.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::sys::resource::{Resource, setrlimit};

use crate::exec::Job;
#[cfg(target_os = "linux")]
use crate::exec::sandbox::Filter;

#[cfg(any(target_os = "linux", target_os = "android"))]
const MEMORY: Resource = Resource::RLIMIT_DATA;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const MEMORY: Resource = Resource::RLIMIT_AS;

/// Processes and threads of a user in a cell, where the kernel counts them for each user namespace; it does
/// not bind root.
#[cfg(target_os = "linux")]
const CELL_PROCESSES: (Resource, u64) = (Resource::RLIMIT_NPROC, 2048);

/// The capabilities that root keeps in the sandbox: those over files, which are read-only, over its own processes and
/// over its own network. All others reach what belongs to the whole system.
#[cfg(target_os = "linux")]
const KEPT_CAPABILITIES: [libc::c_ulong; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 10, 18];

/// What confines a child besides its limits.
#[derive(Debug, Clone, Copy)]
pub(super) enum Walls<'a> {
    /// Nothing.
    None,
    /// The cell that it has entered.
    #[cfg(target_os = "linux")]
    Cell,
    /// Rules and a filter that it takes on.
    #[cfg(target_os = "linux")]
    Rules(&'a OwnedFd, &'a Filter),
    #[cfg(not(target_os = "linux"))]
    #[expect(dead_code, reason = "the lifetime is needed on Linux")]
    Never(&'a OwnedFd),
}

/// The limits and the confinement of a child.
#[derive(Debug)]
pub(super) struct Setup<'a> {
    parent: u32,
    limits: Vec<(Resource, u64)>,
    cpu: Option<Duration>,
    walls: Walls<'a>,
}

impl<'a> Setup<'a> {
    /// What `job` asks for, in these walls.
    pub(super) fn new(job: &Job, walls: Walls<'a>) -> Setup<'a> {
        let limits = [
            (Resource::RLIMIT_CORE, Some(0)),
            (MEMORY, job.limits.memory_bytes),
            (Resource::RLIMIT_FSIZE, job.limits.file_bytes),
        ];
        let limits = limits.into_iter().filter_map(|(resource, limit)| Some((resource, limit?)));
        #[cfg(target_os = "linux")]
        let limits = {
            let is_in_cell = !matches!(walls, Walls::None) && job.limits.processes.is_some();
            limits.chain(is_in_cell.then_some(CELL_PROCESSES))
        };
        Setup { parent: std::process::id(), limits: limits.collect(), cpu: job.limits.cpu, walls }
    }

    /// Limits and confines the calling process, for good.
    pub(super) fn apply(&self) -> io::Result<()> {
        // In a cell the number of the parent cannot be seen; when we die, so does the cell.
        let is_visible = matches!(self.walls, Walls::None);
        die_with(is_visible.then_some(self.parent))?;
        for (resource, limit) in &self.limits {
            setrlimit(*resource, *limit, *limit)?;
        }
        self.cpu.map_or(Ok(()), limit_cpu)?;
        match self.walls {
            Walls::None => Ok(()),
            #[cfg(target_os = "linux")]
            Walls::Cell => {
                give_up_capabilities()?;
                Ok(nix::sys::prctl::set_no_new_privs()?)
            }
            #[cfg(target_os = "linux")]
            Walls::Rules(rules, filter) => {
                give_up_capabilities()?;
                restrict(rules, filter)
            }
            #[cfg(not(target_os = "linux"))]
            Walls::Never(_) => Ok(()),
        }
    }
}

/// As root: what the program will not have. Programs of others have no capabilities anyway.
#[cfg(target_os = "linux")]
fn give_up_capabilities() -> io::Result<()> {
    if !nix::unistd::geteuid().is_root() {
        return Ok(());
    }
    for capability in 0..64 {
        if KEPT_CAPABILITIES.contains(&capability) {
            continue;
        }
        #[expect(unsafe_code, reason = "nix has no binding for this call")]
        // SAFETY: a call on numbers.
        let answer = unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
        match Errno::result(answer) {
            // Behind the last one that this kernel knows.
            Err(Errno::EINVAL) => return Ok(()),
            answer => answer?,
        };
    }
    Ok(())
}

/// Has the kernel kill this process when the thread that started it ends.
#[cfg(target_os = "linux")]
fn die_with(parent: Option<u32>) -> io::Result<()> {
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
    // The parent may have died before the request was made.
    if parent.is_some_and(|parent| std::os::unix::process::parent_id() != parent) {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with(_parent: Option<u32>) -> io::Result<()> {
    Ok(())
}

/// Has this process sent [`CPU_SIGNAL`](crate::exec::CPU_SIGNAL) when it has used so much CPU time; that
/// stays so when it runs the program.
fn limit_cpu(limit: Duration) -> io::Result<()> {
    let time = |duration: Duration| libc::timeval {
        tv_sec: libc::time_t::try_from(duration.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_usec: duration.subsec_micros().cast_signed().into(),
    };
    let timer = libc::itimerval {
        it_interval: time(Duration::ZERO),
        it_value: time(limit.max(Duration::from_micros(1))),
    };
    #[expect(unsafe_code, reason = "nix has no binding for this call")]
    // SAFETY: `timer` is valid for reading, and the old value is not asked for.
    let answer =
        unsafe { libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut()) };
    Errno::result(answer)?;
    Ok(())
}

#[cfg(target_os = "linux")]
fn restrict(rules: &OwnedFd, filter: &Filter) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    nix::sys::prctl::set_no_new_privs()?;
    #[expect(unsafe_code, reason = "the landlock crate's own call may allocate")]
    // SAFETY: the descriptor is a ruleset that we own; the call touches no memory.
    let answer =
        unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0_u32) };
    Errno::result(answer)?;
    for program in filter.programs() {
        let instructions = libc::sock_fprog {
            len: u16::try_from(program.len()).unwrap_or(u16::MAX),
            filter: program.as_ptr().cast_mut().cast(),
        };
        #[expect(unsafe_code, reason = "the filter crate's own call may allocate")]
        // SAFETY: the structure is valid for reading, and so are the instructions that it names, which have the
        // kernel's form; the kernel copies them.
        let answer = unsafe {
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const instructions)
        };
        Errno::result(answer)?;
    }
    Ok(())
}

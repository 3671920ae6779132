//! Starting a process.
//!
//! A child has to limit and confine itself before it runs the program. The portable way is `fork`,
//! which copies the page tables of this process: with the 200 MB that a reduction may hold, that was
//! measured at twenty times the cost of the whole rest of starting a program. So on Linux the child
//! borrows our memory until it runs the program, as glibc's `posix_spawn` does, which cannot do the
//! limiting and confining.

#[cfg(target_os = "linux")]
mod image;
#[cfg(not(target_os = "linux"))]
mod portable;
mod setup;
#[cfg(target_os = "linux")]
mod vfork;

use std::process::{ChildStderr, ChildStdout};

use nix::unistd::Pid;

#[cfg(not(target_os = "linux"))]
pub(super) use portable::spawn;
#[cfg(target_os = "linux")]
pub(super) use vfork::spawn;

use setup::Setup;

/// A process that was started, and our ends of its streams.
#[derive(Debug)]
pub(super) struct Spawned {
    pub(super) pid: Pid,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

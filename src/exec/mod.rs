//! Child processes: limits, process groups, deadlines, confinement, interrupts.
//!
//! Everything this program starts goes through here: a [`Job`] says what to start and what it may use. A tool that
//! runs no candidate code (cargo on the user's own sources, git) is started by [`run_tool`]; candidates only by
//! [`Confined`], which only a [`Sandbox`] makes. The answer is a [`Finished`], or a [`Running`] that stays alive and is
//! talked to.
//!
//! What is guaranteed:
//!
//! * a job is the leader of a process group of its own, and the whole group is killed when the job
//!   ends, runs out of time, is interrupted, or its handle is dropped;
//! * the leader is killed by the kernel when this program dies, even by `kill -9` (Linux);
//! * its standard input is empty, and its output is read all the time and kept up to a bound, so a
//!   candidate that prints without end neither blocks nor fills our memory;
//! * it writes no core file, and [`Limits`] bound its time, memory and files;
//! * what [`Sandbox`] says, for candidates: also a process that leaves its group (`setsid`) is ended with them.
//!
//! A failing program is an answer ([`Finished`]); only trouble of the infrastructure is an
//! [`ExecError`].

mod capture;
mod child;
mod collector;
mod error;
mod finished;
mod group;
mod interrupt;
mod job;
mod opened;
#[cfg(target_os = "linux")]
mod orphans;
mod overheard;
mod run;
mod running;
mod sandbox;
mod spawn;
mod starter;
mod tree;

pub use capture::Captured;
pub use error::ExecError;
pub use finished::{Exit, Finished};
pub use interrupt::Interrupt;
pub use job::{Job, Limits};
pub use opened::OpenWatch;
pub use overheard::Overheard;
pub use run::run_tool;
pub use running::Running;
pub use sandbox::{Access, Confined, Mode, Policy, Protection, Sandbox};

/// What the kernel sends to a program that has used up [`Limits::cpu`]; it is not meant for anything else
/// that a program does not handle itself.
const CPU_SIGNAL: i32 = nix::libc::SIGPROF;

#[cfg(test)]
mod tests;

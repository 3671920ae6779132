//! Child processes: limits, process groups, deadlines, confinement, interrupts.
//!
//! Everything this program starts that may misbehave goes through here: a [`Job`] says what to
//! start and what it may use, [`run`] waits for it and hands back a [`Finished`], and [`Running`] is
//! a child that stays alive and is talked to.
//!
//! What is guaranteed:
//!
//! * a job is the leader of a process group of its own, and the whole group is killed when the job
//!   ends, runs out of time, is interrupted, or its handle is dropped;
//! * the leader is killed by the kernel when this program dies, even by `kill -9` (Linux);
//! * its standard input is empty, and its output is read all the time and kept up to a bound, so a
//!   candidate that prints without end neither blocks nor fills our memory;
//! * it writes no core file, and [`Limits`] bound its time, memory and files;
//! * with [`Job::writable`] it writes nowhere else (Landlock, Linux 5.13 or newer).
//!
//! A process that leaves its group (`setsid`) is out of reach, and so are the children of a leader
//! when this program is ended by `kill -9`; both keep the limits and the confinement.
//!
//! A failing program is an answer ([`Finished`]); only trouble of the infrastructure is an
//! [`ExecError`].

mod capture;
mod child;
mod collector;
mod confine;
mod error;
mod finished;
mod group;
mod interrupt;
mod job;
mod run;
mod running;
mod spawn;
mod starter;

pub use capture::Captured;
pub use confine::{Confinement, confinement};
pub use error::ExecError;
pub use finished::{Exit, Finished};
pub use interrupt::Interrupt;
pub use job::{Job, Limits};
pub use run::run;
pub use running::{Running, Streams};

/// What the kernel sends to a program that has used up [`Limits::cpu`]; it is not meant for anything else
/// that a program does not handle itself.
const CPU_SIGNAL: i32 = nix::libc::SIGPROF;

#[cfg(test)]
mod tests;

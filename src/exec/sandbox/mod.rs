//! The sandbox: the only way to start a process that runs candidate code.
//!
//! A [`Sandbox`] is made once from a [`Policy`]; it looks for what the system can enforce ([`Protection`]) and refuses
//! to be made where that is nothing, unless the policy says so. [`Sandbox::confine`] turns a [`Job`](super::Job) and
//! an [`Access`] into a [`Confined`] job, and only those can be started in it.
//!
//! Where the system has user namespaces, candidates run in a *cell*: a set of namespaces made once and entered by many
//! candidates, one after the other. In a cell
//!
//! * the whole file system is read-only, metadata too, but for the folders of the access (writes to some of them
//!   stay, writes to others are thrown away when the candidate has ended) and private folders of a bounded size
//!   (`TMPDIR`, `HOME`, `/dev/shm`);
//! * there is a network of its own with a loopback and nothing else, System V memory of its own, and a tree of processes
//!   of its own, all of which the init process of the cell kills when the candidate has ended.
//!
//! Elsewhere on Linux, Landlock confines writes, TCP and signals, a seccomp filter takes away what Landlock does not
//! know (metadata, UDP, System V memory), and processes that left their group are found as our adopted children.

#[cfg(target_os = "linux")]
mod cell;
mod confined;
mod environment;
#[cfg(target_os = "linux")]
mod init;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod mounts;
mod own_folder;
mod policy;
#[path = "sandbox.rs"]
mod room;
#[cfg(target_os = "linux")]
mod seccomp;

#[cfg(target_os = "linux")]
pub(super) use cell::NAMESPACES;
pub use confined::Confined;
pub use policy::{Access, Mode, Policy, Protection};
pub(super) use room::Cage;
pub use room::Sandbox;
#[cfg(target_os = "linux")]
pub(super) use seccomp::Filter;

#[cfg(test)]
mod tests;

//! What Landlock does not know, taken away by a filter of system calls, where there are no user namespaces.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};

/// Changes of metadata: they would reach files that may not be written to. They do nothing and answer that all is
/// well, since most programs that copy a file also copy its permissions.
const METADATA: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
];

/// Numbers that are the same on all architectures and newer than the bindings.
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;

/// What outlives its process or reaches others, and is refused: System V objects, message queues, `io_uring` (which
/// makes calls that no filter sees), keys, namespaces, mounts, the memory and files of other processes.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_io_uring_setup,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
];

/// Calls that change how the process with the number in their first argument is run, which may be any process of the
/// user; 0 is the caller.
const OF_A_PROCESS: &[libc::c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Calls that do so for a process, a group or all processes of a user, as their first argument says, and the value of it
/// that means one process.
const OF_SEVERAL: &[(libc::c_long, i32)] = &[(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)];

/// The two filters, ready to be installed by a child; a call is judged by both.
#[derive(Debug)]
pub(in crate::exec) struct Filter([BpfProgram; 2]);

impl Filter {
    /// The filter for this architecture.
    pub(super) fn new() -> Result<Filter, BackendError> {
        let always =
            |calls: &[libc::c_long]| calls.iter().map(|call| (*call, Vec::new())).collect();
        let mut refused: Calls = always(REFUSED);
        refused.push((libc::SYS_socket, datagrams()?));
        refused.extend(others()?);
        let refused = compile(refused, libc::EACCES.cast_unsigned())?;
        Ok(Filter([compile(always(METADATA), 0)?, refused]))
    }

    /// Their instructions.
    pub(in crate::exec) fn programs(&self) -> &[BpfProgram; 2] {
        &self.0
    }
}

/// System calls, and the rules for each.
type Calls = Vec<(libc::c_long, Vec<SeccompRule>)>;

/// The filter that answers these calls, each where one of its rules fits or there are none, with an error.
fn compile(calls: Calls, error: u32) -> Result<BpfProgram, BackendError> {
    let architecture = std::env::consts::ARCH.try_into()?;
    let rules: BTreeMap<i64, Vec<SeccompRule>> = calls.into_iter().collect();
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(error), architecture)?;
    filter.try_into()
}

/// A condition on the lower half of an argument.
fn argument(
    index: u8,
    operator: SeccompCmpOp,
    value: i32,
) -> Result<SeccompCondition, BackendError> {
    let value = u64::from(value.cast_unsigned());
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
}

/// Calls that change how other processes than the caller are run.
fn others() -> Result<Calls, BackendError> {
    let is_not = |index, value| SeccompRule::new(vec![argument(index, SeccompCmpOp::Ne, value)?]);
    let mut refused = Vec::new();
    for call in OF_A_PROCESS {
        refused.push((*call, vec![is_not(0, 0)?]));
    }
    for (call, one_process) in OF_SEVERAL {
        refused.push((*call, vec![is_not(0, *one_process)?, is_not(1, 0)?]));
    }
    // Without new limits it only asks.
    let new_limits = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    let of_another = argument(0, SeccompCmpOp::Ne, 0)?;
    let rule = SeccompRule::new(vec![of_another, new_limits])?;
    refused.push((libc::SYS_prlimit64, vec![rule]));
    Ok(refused)
}

/// Sockets of the internet other than TCP, which Landlock closes.
fn datagrams() -> Result<Vec<SeccompRule>, BackendError> {
    let mut rules = Vec::new();
    for family in [libc::AF_INET, libc::AF_INET6] {
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
            rules.push(SeccompRule::new(vec![
                argument(0, SeccompCmpOp::Eq, family)?,
                argument(1, SeccompCmpOp::MaskedEq(0xf), kind)?,
            ])?);
        }
    }
    Ok(rules)
}

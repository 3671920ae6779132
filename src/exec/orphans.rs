//! Processes of candidates that left their group and lost their parent, where there are no process namespaces.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, RwLock};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

/// The children that we have started and not yet waited for.
static LEADERS: LazyLock<Mutex<BTreeSet<i32>>> = LazyLock::new(Mutex::default);

/// Held for reading by those who start a child, until it is noted: it is no stray.
static STARTING: RwLock<()> = RwLock::new(());

/// So often in a row the processes are looked through: one that is killed may leave children of its own.
const ROUNDS: usize = 20;

/// From now on processes whose parent dies become our children, not those of the system's first process.
pub(super) fn adopt() {
    // Without it, what leaves its group lives on; all other limits hold all the same.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Starts a child of ours that is not to be taken for a stray. What `start` makes besides it must be gone when it
/// returns.
pub(super) fn starting<T, E>(
    start: impl FnOnce() -> Result<T, E>,
    id: impl FnOnce(&T) -> Pid,
) -> Result<T, E> {
    let _not_looked_for = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let started = start()?;
    leaders().insert(id(&started).as_raw());
    Ok(started)
}

/// Forgets a child that is about to be waited for.
pub(super) fn forget(leader: Pid) {
    leaders().remove(&leader.as_raw());
}

fn leaders() -> MutexGuard<'static, BTreeSet<i32>> {
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills processes that became our children, until there are none. Their own children follow in the next round.
pub(super) fn kill_strays() {
    for _ in 0..ROUNDS {
        let _nothing_starts = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        let known = leaders();
        let strays: Vec<Pid> = children()
            .into_iter()
            .filter(|child| !known.contains(child))
            .map(Pid::from_raw)
            .collect();
        if strays.is_empty() {
            return;
        }
        for stray in strays {
            let _ = kill(stray, Signal::SIGKILL);
            let _ = waitpid(stray, Some(WaitPidFlag::empty()));
        }
    }
}

/// Our children, as the system shows them.
fn children() -> Vec<i32> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()
        })
        .collect()
}

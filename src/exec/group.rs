//! What the processes of a group do, as the system shows it from outside (Linux; elsewhere nothing is
//! known, and nothing is stopped for it).

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::tree::group_of;

/// How many processes the group has; 0 where the system cannot be asked.
pub(super) fn crowd(group: u32) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter(|entry| group_of(&entry.path()) == Some(group)).count()
}

/// What counts for one look at most. On a busy machine looks come late, and so does whoever would wake the
/// process.
const LONGEST_STEP: Duration = Duration::from_millis(15);

/// Notices that a process waits for nothing that will ever happen: all its threads sleep and none of
/// them was woken for a while, as in a deadlock.
#[derive(Debug)]
pub(super) struct Sleep {
    group: u32,
    last_look: Instant,
    nap: Nap,
}

impl Sleep {
    pub(super) fn of(group: u32) -> Self {
        Sleep { group, last_look: Instant::now(), nap: Nap::default() }
    }

    /// Whether the leader of the group, without any process beside it, has slept for `limit`.
    pub(super) fn is_over(&mut self, limit: Duration) -> bool {
        let (group, step) = (self.group, self.last_look.elapsed());
        self.last_look = Instant::now();
        let is_alone = || crowd(group) == 1 && !has_children(group);
        self.nap.is_over(step, limit, || Work::of(group), is_alone)
    }
}

/// The time that a process has slept so far, in looks at it.
#[derive(Debug, Default)]
struct Nap {
    /// What it had done when it was seen asleep first.
    work: Option<Work>,
    slept: Duration,
}

impl Nap {
    /// Takes a look, `step` after the last one. `look` tells what a process has done that sleeps now.
    fn is_over(
        &mut self,
        step: Duration,
        limit: Duration,
        mut look: impl FnMut() -> Option<Work>,
        is_alone: impl FnOnce() -> bool,
    ) -> bool {
        let work = look();
        if work.is_none() || work != self.work {
            self.work = work;
            self.slept = Duration::ZERO;
            return false;
        }
        self.slept += step.min(LONGEST_STEP);
        // The child for which it waits may have ended between both questions, which has woken it.
        self.slept >= limit && is_alone() && look() == self.work
    }
}

/// What a process that sleeps has done so far: it changes when one of its threads was woken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Work {
    threads: usize,
    /// How often they gave up the processor.
    switches: u64,
    /// How many nanoseconds they ran, where the system tells.
    ran: u64,
}

impl Work {
    /// That of a process; `None` unless all its threads sleep. One that waits for a processor does not.
    fn of(process: u32) -> Option<Self> {
        let mut work = Work::default();
        for thread in threads(process)? {
            let status = fs::read_to_string(thread.join("status")).ok()?;
            let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
            if !field("State:")?.trim_start().starts_with('S') {
                return None;
            }
            for name in ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"] {
                work.switches += field(name)?.trim().parse::<u64>().ok()?;
            }
            let schedule = fs::read_to_string(thread.join("schedstat")).unwrap_or_default();
            let ran = schedule.split(' ').next();
            work.ran += ran.and_then(|ran| ran.parse::<u64>().ok()).unwrap_or(0);
            work.threads += 1;
        }
        Some(work)
    }
}

/// Whether a process has children, which may have left its group.
fn has_children(process: u32) -> bool {
    let has_some = |thread: PathBuf| {
        let children = fs::read_to_string(thread.join("children"));
        children.is_ok_and(|children| !children.trim().is_empty())
    };
    threads(process).is_some_and(|mut threads| threads.any(has_some))
}

fn threads(process: u32) -> Option<impl Iterator<Item = PathBuf>> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    Some(threads.flatten().map(|thread| thread.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(40);
    const STEP: Duration = Duration::from_millis(10);

    fn asleep(ran: u64) -> Work {
        Work { threads: 1, switches: 3, ran }
    }

    /// How many looks, each so long after the last one, it takes until the nap is over.
    fn looks(nap: &mut Nap, step: Duration) -> Option<usize> {
        (1..20).find(|_| nap.is_over(step, LIMIT, || Some(asleep(1)), || true))
    }

    #[test]
    fn a_process_that_sleeps_on_is_noticed() {
        assert_eq!(looks(&mut Nap::default(), STEP), Some(5));
    }

    #[test]
    fn a_late_look_counts_no_more_than_one_in_time() {
        let late = Duration::from_secs(3);
        assert_eq!(looks(&mut Nap::default(), late), Some(4));
    }

    #[test]
    fn a_process_that_waits_for_a_processor_or_has_run_does_not_sleep() {
        let mut nap = Nap::default();
        for ran in 0..50 {
            let look = || (ran % 4 != 3).then(|| asleep(ran / 4));
            assert!(!nap.is_over(STEP, LIMIT, look, || true));
        }
    }

    #[test]
    fn a_process_whose_child_ends_just_now_goes_on() {
        let mut nap = Nap::default();
        for _ in 0..50 {
            assert!(!nap.is_over(STEP, LIMIT, || Some(asleep(1)), || false));
        }
        let mut later = [Some(asleep(1)), None].into_iter();
        assert!(!nap.is_over(STEP, LIMIT, || later.next().flatten(), || true));
    }
}

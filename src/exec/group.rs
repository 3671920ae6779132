//! What the processes of a group do, as the system shows it from outside (Linux; elsewhere nothing is
//! known, and nothing is stopped for it).

use std::fs;
use std::time::{Duration, Instant};

/// How many processes the group has; 0 where the system cannot be asked.
pub(super) fn crowd(group: u32) -> usize {
    let group = group.to_string();
    let Ok(entries) = fs::read_dir("/proc") else {
        return 0;
    };
    entries
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok())
        // The name, in parentheses, may hold anything; after it come state, parent and group.
        .filter(|stat| {
            stat.rsplit(')')
                .next()
                .and_then(|fields| fields.split_whitespace().nth(2))
                == Some(&group)
        })
        .count()
}

/// Notices that a process waits for nothing that will ever happen: all its threads sleep and none of
/// them was woken for a while, as in a deadlock.
#[derive(Debug)]
pub(super) struct Sleep {
    group: u32,
    /// Since when all threads sleep, and how often they had been switched then.
    since: Option<(Instant, u64)>,
}

impl Sleep {
    pub(super) fn of(group: u32) -> Self {
        Sleep { group, since: None }
    }

    /// Whether the leader of the group, without any process beside it, has slept for `limit`.
    pub(super) fn is_over(&mut self, limit: Duration) -> bool {
        let Some(switches) = switches_asleep(self.group) else {
            self.since = None;
            return false;
        };
        match self.since {
            Some((since, before)) if before == switches => {
                since.elapsed() >= limit && crowd(self.group) == 1
            }
            _ => {
                self.since = Some((Instant::now(), switches));
                false
            }
        }
    }
}

/// How often the threads of a process gave up the processor so far; `None` unless all of them sleep.
fn switches_asleep(process: u32) -> Option<u64> {
    let mut switches = 0;
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let status = fs::read_to_string(thread.ok()?.path().join("status")).ok()?;
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        if !field("State:")?.trim_start().starts_with('S') {
            return None;
        }
        for name in ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"] {
            switches += field(name)?.trim().parse::<u64>().ok()?;
        }
    }
    Some(switches)
}

//! When the parts of a search have to end.

use std::time::{Duration, Instant};

use crate::app::search_driver::End;
use crate::exec::Interrupt;

/// The share of the time in which switches are searched, and in which the build with switches must be
/// done with everything: its edits still have to be judged as plain source.
const SWITCH_SEARCH: f64 = 0.4;
const SWITCHES: f64 = 0.85;

/// How long the whole job takes at most unless the user says otherwise, or as long as so many builds: what is found later is
/// little.
const USUAL: Duration = Duration::from_mins(5);
const USUAL_BUILDS: u32 = 20;

/// How many builds it takes to write a result and see it fail, and the share of the time that is kept for
/// them at most.
const FINAL_BUILDS: u32 = 2;
const FINAL_SHARE: f64 = 0.25;

/// How many builds literals take until one more shows the result.
const LITERAL_BUILDS: u32 = 2;

/// The share of the time that is kept for what comes after the search: to say why what is left is left, and more if there
/// may be literals to minimize, as long as that is enough for the builds which it takes.
const REPORT: f64 = 0.05;
const LITERALS: f64 = 0.1;

/// The share of the time that the search gets, even if there is less left.
const LEAST_SHARE: f64 = 0.25;

/// How long the parts of a job take that do not depend on what is found.
#[derive(Debug, Clone, Copy)]
pub struct Costs {
    /// A build.
    pub build: Duration,
    /// To watch the original failure, besides all that is built.
    pub watching: Duration,
    /// Whether the literals of the result may change once the code is minimal.
    pub may_have_literals: bool,
}

/// A search under way. Each of its ends comes with the user, or when its share of the time is over.
pub struct Clock {
    /// When it began.
    pub started: Instant,
    /// Only the user.
    pub user: Interrupt,
    /// Ends the search over switches.
    pub switch_search: Interrupt,
    /// Ends all that is done with switches.
    pub switches: Interrupt,
    /// Ends the search.
    pub all: Interrupt,
    /// When the whole job has to end; `None` for beyond all time.
    end: Option<Instant>,
    /// How long a build of the result takes at most, and to see it fail.
    last: Duration,
}

impl Clock {
    /// A search that begins now, as a part of a job that has `begun` before and may take that long in
    /// all, or as long as it usually may. Time is kept for the builds of the result, for watching it fail, and for the report.
    pub fn start(user: &Interrupt, begun: Instant, costs: Costs, limit: Option<Duration>) -> Self {
        let started = Instant::now();
        let limit = limit.unwrap_or_else(|| USUAL.max(costs.build.saturating_mul(USUAL_BUILDS)));
        let time = for_search(limit, costs, started - begun);
        let after = |share: f64| started.checked_add(time.mul_f64(share));
        let end = begun.checked_add(limit);
        Clock {
            started,
            user: user.clone(),
            switch_search: user.until_if(after(SWITCH_SEARCH)),
            switches: user.until_if(after(SWITCHES)),
            all: user.until_if(after(1.0)),
            end,
            last: costs.build + costs.watching,
        }
    }

    /// Ends the report on a result. One that was cut short gets what is left of the time, but for the build that shows what
    /// its passing tests are worth; the user who wanted an early end does not wait.
    pub fn for_report(&self, end: End) -> Interrupt {
        if end == End::Interrupted {
            return self.user.until(Instant::now());
        }
        self.user.until_if(self.end.and_then(|end| end.checked_sub(self.last)))
    }

    /// Ends the search over the literals of a result, which then is built once more. There is none where
    /// the user wanted an early end, or the time that is left is too short for the builds.
    pub fn for_literals(&self, end: End) -> Option<Interrupt> {
        if end == End::Interrupted {
            return None;
        }
        let Some(whole) = self.end else {
            return Some(self.user.clone());
        };
        let last = whole.checked_sub(self.last)?;
        let least = self.last.saturating_mul(LITERAL_BUILDS);
        let left = last.saturating_duration_since(Instant::now());
        (left > least).then(|| self.user.until(last))
    }
}

/// The part of the time `limit` that the search gets when so much of it was `spent` before.
fn for_search(limit: Duration, costs: Costs, spent: Duration) -> Duration {
    let last = costs.build.saturating_mul(FINAL_BUILDS);
    let kept = last.min(limit.mul_f64(FINAL_SHARE));
    let literals = limit.mul_f64(LITERALS);
    let after = match costs.may_have_literals {
        false => limit.mul_f64(REPORT),
        true if literals >= last => literals,
        true => Duration::ZERO,
    };
    let left = limit.saturating_sub(kept + after + costs.watching + spent);
    left.max(limit.mul_f64(LEAST_SHARE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The costs of a job that minimizes literals, in seconds.
    fn costs(build: u64, watching: u64) -> Costs {
        let [build, watching] = [build, watching].map(Duration::from_secs);
        Costs { build, watching, may_have_literals: true }
    }

    #[test]
    fn without_time_all_parts_are_over_but_for_the_user() {
        let (user, now) = (Interrupt::new(), Instant::now());
        let clock = Clock::start(&user, now, costs(0, 0), Some(Duration::ZERO));
        assert!(clock.all.is_late() && clock.switches.is_late() && clock.switch_search.is_late());
        assert!(!clock.user.is_set());
        let usual = Clock::start(&user, now, costs(0, 0), None);
        assert!(!usual.all.is_set() && !usual.for_report(End::Limited).is_set());
        assert!(usual.for_report(End::Interrupted).is_set());
    }

    #[test]
    fn without_a_limit_it_ends_after_some_minutes_or_many_builds() {
        let (user, now) = (Interrupt::new(), Instant::now());
        let seconds = Duration::from_secs;
        let ends_after = |build: u64, limit: Option<u64>| {
            let clock = Clock::start(&user, now, costs(build, 0), limit.map(seconds));
            clock.end.map(|end| end - now)
        };
        assert_eq!(ends_after(1, None), Some(seconds(300)));
        assert_eq!(ends_after(30, None), Some(seconds(600)));
        assert_eq!(ends_after(10, Some(20)), Some(seconds(20)));
    }

    #[test]
    fn time_is_kept_for_the_builds_of_the_result_and_for_its_literals() {
        let seconds = Duration::from_secs;
        let left = |build: u64| for_search(seconds(100), costs(build, 0), Duration::ZERO);
        assert_eq!([0, 2, 6, 50].map(left), [90, 86, 88, 75].map(seconds));
        let pinned = Costs { may_have_literals: false, ..costs(2, 0) };
        assert_eq!(for_search(seconds(100), pinned, Duration::ZERO), seconds(91));
    }

    #[test]
    fn what_came_before_the_search_counts_but_leaves_it_some_time() {
        let seconds = Duration::from_secs;
        let left = |limit: u64| for_search(seconds(limit), costs(0, 0), seconds(60));
        assert_eq!([100, 40].map(left), [30, 10].map(seconds));
    }

    #[test]
    fn literals_get_what_is_left_but_for_their_last_build() {
        let (user, now) = (Interrupt::new(), Instant::now());
        let clock = |build: u64, limit: Option<u64>| {
            let limit = limit.map(Duration::from_secs);
            Clock::start(&user, now, costs(build, 0), limit)
        };
        for end in [End::Minimal, End::Limited] {
            assert!(clock(2, Some(100)).for_literals(end).is_some());
            assert!(clock(2, None).for_literals(end).is_some());
            assert!(clock(2, Some(5)).for_literals(end).is_none());
        }
        assert!(clock(2, None).for_literals(End::Interrupted).is_none());
    }

    #[test]
    fn time_is_kept_to_watch_what_hangs() {
        let (user, now) = (Interrupt::new(), Instant::now());
        let limit = Some(Duration::from_secs(100));
        let clock = |watching: u64| Clock::start(&user, now, costs(2, watching), limit);
        assert!(clock(0).for_literals(End::Minimal).is_some());
        assert!(clock(60).for_literals(End::Minimal).is_none());
    }
}

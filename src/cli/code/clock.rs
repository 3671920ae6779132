//! When the parts of a search have to end.

use std::time::{Duration, Instant};

use super::search::End;
use crate::exec::Interrupt;

/// The share of the time in which switches are searched, and in which the build with switches must be
/// done with everything: its edits still have to be judged as plain source.
const SWITCH_SEARCH: f64 = 0.4;
const SWITCHES: f64 = 0.7;

/// How many builds it takes to write a result and see it fail, and the share of the time that is kept for
/// them at most.
const FINAL_BUILDS: u32 = 3;
const FINAL_SHARE: f64 = 0.25;

/// The share of the time that the search gets, even if there is less left.
const LEAST_SHARE: f64 = 0.25;

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
    /// Ends the whole job.
    whole: Interrupt,
    end: Option<Instant>,
}

impl Clock {
    /// A search that begins now, as a part of a job that has `begun` before and may take that long in
    /// all. Time is kept for the builds of the result, each of which takes `build`.
    #[must_use]
    pub fn start(
        user: &Interrupt,
        (begun, build): (Instant, Duration),
        limit: Option<Duration>,
    ) -> Self {
        let started = Instant::now();
        let time = limit.map(|limit| {
            let last = build.saturating_mul(FINAL_BUILDS);
            let kept = last.min(limit.mul_f64(FINAL_SHARE));
            let left = limit.saturating_sub(kept + (started - begun));
            left.max(limit.mul_f64(LEAST_SHARE))
        });
        let until = |end: Option<Instant>| end.map_or_else(|| user.clone(), |end| user.until(end));
        let after = |share: f64| time.and_then(|time| started.checked_add(time.mul_f64(share)));
        Clock {
            started,
            user: user.clone(),
            switch_search: until(after(SWITCH_SEARCH)),
            switches: until(after(SWITCHES)),
            all: until(after(1.0)),
            whole: until(limit.and_then(|limit| begun.checked_add(limit))),
            end: after(1.0),
        }
    }

    /// Ends the report on a result. One that was cut short gets what is left of the time; where no time
    /// was set, the user who wanted an early end does not wait.
    #[must_use]
    pub fn for_report(&self, end: End) -> Interrupt {
        if end != End::Minimal && self.end.is_none() {
            return self.user.until(Instant::now());
        }
        self.whole.clone()
    }

    /// The time that is left for searching, if it is limited.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        Some(self.end?.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_time_all_parts_are_over_but_for_the_user() {
        let (user, now) = (Interrupt::new(), Instant::now());
        let clock = Clock::start(&user, (now, Duration::ZERO), Some(Duration::ZERO));
        assert!(clock.all.is_late() && clock.switches.is_late() && clock.switch_search.is_late());
        assert!(!clock.user.is_set());
        let endless = Clock::start(&user, (now, Duration::ZERO), None);
        assert!(!endless.all.is_set() && !endless.for_report(End::Minimal).is_set());
        assert!(endless.for_report(End::Limited).is_set());
        assert_eq!((clock.left(), endless.left()), (Some(Duration::ZERO), None));
    }

    #[test]
    fn time_is_kept_for_the_builds_of_the_result() {
        let (user, now) = (Interrupt::new(), Instant::now());
        let left = |build: u64| {
            let limit = Some(Duration::from_secs(100));
            let clock = Clock::start(&user, (now, Duration::from_secs(build)), limit);
            (clock.left().unwrap() + Duration::from_millis(500)).as_secs()
        };
        assert_eq!([left(0), left(5), left(50)], [100, 85, 75]);
    }

    #[test]
    fn what_came_before_the_search_counts_but_leaves_it_some_time() {
        let now = Instant::now();
        let Some(begun) = now.checked_sub(Duration::from_mins(1)) else {
            return;
        };
        let left = |limit: u64| {
            let limit = Some(Duration::from_secs(limit));
            let clock = Clock::start(&Interrupt::new(), (begun, Duration::ZERO), limit);
            (clock.left().unwrap() + Duration::from_millis(500)).as_secs()
        };
        assert_eq!([left(100), left(40)], [40, 10]);
    }
}

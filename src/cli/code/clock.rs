//! When the parts of a search have to end.

use std::time::{Duration, Instant};

use crate::exec::Interrupt;

/// The share of the time in which switches are searched, and in which the build with switches must be
/// done with everything: its edits still have to be judged as plain source.
const SWITCH_SEARCH: f64 = 0.4;
const SWITCHES: f64 = 0.7;

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
    limit: Option<Duration>,
}

impl Clock {
    /// A search that begins now and may take that long.
    #[must_use]
    pub fn start(user: &Interrupt, limit: Option<Duration>) -> Self {
        let started = Instant::now();
        let after = |share: f64| {
            let end = limit.and_then(|limit| started.checked_add(limit.mul_f64(share)));
            end.map_or_else(|| user.clone(), |end| user.until(end))
        };
        Clock {
            started,
            user: user.clone(),
            switch_search: after(SWITCH_SEARCH),
            switches: after(SWITCHES),
            all: after(1.0),
            limit,
        }
    }

    /// The time that is left, if it is limited.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        Some(self.limit?.saturating_sub(self.started.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_time_all_parts_are_over_but_for_the_user() {
        let clock = Clock::start(&Interrupt::new(), Some(Duration::ZERO));
        assert!(clock.all.is_late() && clock.switches.is_late() && clock.switch_search.is_late());
        assert!(!clock.user.is_set());
        let endless = Clock::start(&Interrupt::new(), None);
        assert!(!endless.all.is_set());
        assert_eq!((clock.left(), endless.left()), (Some(Duration::ZERO), None));
    }
}

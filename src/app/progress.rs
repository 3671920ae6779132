//! How far a search is, shown now and then, and when it has to stop.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::session::millis;
use crate::exec::Interrupt;
use crate::reduce::Stop;
use crate::report::{Event, Step};

/// Between two lines of progress.
const EVERY: Duration = Duration::from_millis(100);

/// When the progress of a search was shown last.
#[derive(Debug)]
pub struct Progress {
    started: Instant,
    shown: Cell<Instant>,
}

impl Progress {
    /// That of a search that began then.
    pub fn since(started: Instant) -> Self {
        Progress { started, shown: Cell::new(started) }
    }

    /// What to show after so many candidates, unless something was shown a moment ago.
    pub fn event(
        &self,
        candidates: u64,
        elements: usize,
        best: impl FnOnce() -> String,
    ) -> Option<Event> {
        if self.shown.get().elapsed() < EVERY {
            return None;
        }
        self.shown.set(Instant::now());
        let elapsed_ms = self.elapsed_ms();
        Some(Event::Progress { candidates, elements, elapsed_ms, best: best() })
    }

    /// That a search begins with so many elements, after so many candidates.
    pub fn begin(&self, candidates: u64, elements: usize) -> Event {
        let elapsed_ms = self.elapsed_ms();
        Event::Step(Step { is_first: true, candidates, elements, elapsed_ms, what: None })
    }

    /// That so many elements are left after so many candidates; `what` went, if somebody wants to know.
    pub fn step(&self, candidates: u64, elements: usize, what: Option<String>) -> Event {
        let elapsed_ms = self.elapsed_ms();
        Event::Step(Step { is_first: false, candidates, elements, elapsed_ms, what })
    }

    fn elapsed_ms(&self) -> u64 {
        millis(self.started.elapsed())
    }
}

/// Why a search has to end after so many candidates, if it has to: `interrupt` ends it, or `most` are enough.
pub fn stop_reason(interrupt: &Interrupt, candidates: u64, most: Option<u64>) -> Option<Stop> {
    if interrupt.is_late() {
        return Some(Stop::TimeUp);
    }
    if interrupt.is_set() {
        return Some(Stop::Interrupted);
    }
    most.is_some_and(|most| candidates >= most).then_some(Stop::CandidateLimit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_with_its_time_with_the_user_and_with_its_candidates() {
        let user = Interrupt::new();
        assert!(stop_reason(&user, 9, Some(10)).is_none());
        assert!(matches!(stop_reason(&user, 10, Some(10)), Some(Stop::CandidateLimit)));
        let late = user.until(Instant::now());
        assert!(matches!(stop_reason(&late, 0, None), Some(Stop::TimeUp)));
        user.set();
        assert!(matches!(stop_reason(&user, 0, None), Some(Stop::Interrupted)));
    }

    #[test]
    fn progress_is_shown_not_too_often() {
        let progress = Progress::since(Instant::now());
        assert!(progress.event(1, 1, String::new).is_none());
        std::thread::sleep(EVERY);
        assert!(progress.event(1, 1, String::new).is_some());
        assert!(progress.event(1, 1, String::new).is_none());
    }
}

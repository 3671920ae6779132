//! Tells of a search as it goes: its steps, how far it is, and its candidates for those who want to know.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use super::changes::Described;
use super::console::Console;
use super::session::millis;
use crate::reduce::Outcome;
use crate::report::{Detail, Event, Step};

/// Between two lines of progress.
const EVERY: Duration = Duration::from_millis(100);

/// Tells of a search whose candidates are `C`.
pub struct SearchTeller<'t, C> {
    console: &'t Console,
    started: Instant,
    /// When it was last shown how far it is.
    shown: Cell<Instant>,
    /// The best so far, and how many elements it has.
    best: RefCell<C>,
    elements: Cell<usize>,
}

impl<'t, C: Clone + Described> SearchTeller<'t, C> {
    /// Tells of a search that was `started` then, from so many elements of `original` and after so many candidates.
    pub fn begin(
        console: &'t Console,
        started: Instant,
        original: &C,
        elements: usize,
        candidates: u64,
    ) -> Self {
        let teller = SearchTeller {
            console,
            started,
            shown: Cell::new(started),
            best: RefCell::new(original.clone()),
            elements: Cell::new(elements),
        };
        teller.step(true, candidates, None);
        teller
    }

    /// Tells how many elements are left after so many candidates; `what` went, if somebody wants to know.
    fn step(&self, is_first: bool, candidates: u64, what: Option<String>) {
        let (elements, elapsed_ms) = (self.elements.get(), self.elapsed_ms());
        let step = Step { is_first, candidates, elements, elapsed_ms, what };
        self.console.tell(&Event::Step(step));
    }

    fn elapsed_ms(&self) -> u64 {
        millis(self.started.elapsed())
    }

    /// `best` has become the best after so many candidates.
    pub fn accepted(&self, best: &C, elements: usize, candidates: u64) {
        self.elements.set(elements);
        let last = self.best.replace(best.clone());
        let is_wanted = self.console.detail() >= Detail::Steps;
        self.step(false, candidates, is_wanted.then(|| best.change_of(&last)));
    }

    /// So many candidates were asked: shows how far it is, unless something was shown a moment ago.
    pub fn asked(&self, candidates: u64) {
        if self.shown.get().elapsed() < EVERY {
            return;
        }
        self.shown.set(Instant::now());
        self.console.tell(&Event::Progress {
            candidates,
            elements: self.elements.get(),
            elapsed_ms: self.elapsed_ms(),
            best: self.best.borrow().excerpt(),
        });
    }

    /// What became of a candidate.
    pub fn tried(&self, candidate: &C, outcome: Outcome) {
        if self.console.detail() >= Detail::Candidates {
            let what = candidate.change_of(&self.best.borrow());
            self.console.tell(&Event::Tried { outcome, what });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::EventLog;

    #[derive(Clone)]
    struct Word(&'static str);

    impl Described for Word {
        fn change_of(&self, best: &Word) -> String {
            format!("{} instead of {}", self.0, best.0)
        }

        fn excerpt(&self) -> String {
            self.0.to_owned()
        }
    }

    #[test]
    fn only_what_somebody_wants_to_know_is_told() {
        let progress = |detail| {
            let log = EventLog { detail, ..EventLog::default() };
            let console = Console::new(Box::new(log.clone()));
            let teller = SearchTeller::begin(&console, Instant::now(), &Word("long"), 4, 0);
            teller.tried(&Word("lo"), Outcome::Pass);
            teller.accepted(&Word("ng"), 2, 2);
            teller.tried(&Word("n"), Outcome::Pass);
            let words = log.events().into_iter().filter_map(|event| match event {
                Event::Step(step) => step.what,
                Event::Tried { what, .. } => Some(what),
                _ => None,
            });
            words.collect::<Vec<_>>()
        };
        let (first, step, last) = ("lo instead of long", "ng instead of long", "n instead of ng");
        assert_eq!(progress(Detail::Results), [""; 0]);
        assert_eq!(progress(Detail::Steps), [step]);
        assert_eq!(progress(Detail::Candidates), [first, step, last]);
    }

    #[test]
    fn progress_is_shown_not_too_often() {
        let log = EventLog::default();
        let console = Console::new(Box::new(log.clone()));
        let teller = SearchTeller::begin(&console, Instant::now(), &Word("long"), 4, 0);
        let shown = |candidates| {
            teller.asked(candidates);
            log.events().iter().filter(|it| matches!(it, Event::Progress { .. })).count()
        };
        assert_eq!(shown(1), 0);
        std::thread::sleep(EVERY);
        assert_eq!((shown(2), shown(3)), (1, 1));
    }
}

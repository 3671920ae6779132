//! Tells of a search as it goes: its steps, how far it is, and its candidates for those who want to know.

use std::cell::{Cell, RefCell};

use super::changes::Described;
use super::progress::Progress;
use crate::reduce::Outcome;
use crate::report::{Detail, Event};

/// Tells of a search whose candidates are `C`.
pub struct SearchTeller<C, T> {
    progress: Progress,
    detail: Detail,
    /// The best so far, and how many elements it has.
    best: RefCell<C>,
    elements: Cell<usize>,
    tell: T,
}

impl<C: Clone + Described, T: Fn(&Event)> SearchTeller<C, T> {
    /// Begins with so many elements of `original`, after so many candidates; events go to `tell`.
    pub fn begin(
        progress: Progress,
        detail: Detail,
        original: &C,
        elements: usize,
        candidates: u64,
        tell: T,
    ) -> Self {
        tell(&progress.begin(candidates, elements));
        SearchTeller {
            progress,
            detail,
            best: RefCell::new(original.clone()),
            elements: Cell::new(elements),
            tell,
        }
    }

    /// `best` has become the best after so many candidates.
    pub fn accepted(&self, best: &C, elements: usize, candidates: u64) {
        self.elements.set(elements);
        let last = self.best.replace(best.clone());
        let what = (self.detail >= Detail::Steps).then(|| best.change_of(&last));
        (self.tell)(&self.progress.step(candidates, elements, what));
    }

    /// So many candidates were asked.
    pub fn asked(&self, candidates: u64) {
        let excerpt = || self.best.borrow().excerpt();
        if let Some(event) = self.progress.event(candidates, self.elements.get(), excerpt) {
            (self.tell)(&event);
        }
    }

    /// What became of a candidate.
    pub fn tried(&self, candidate: &C, outcome: Outcome) {
        if self.detail >= Detail::Candidates {
            let what = candidate.change_of(&self.best.borrow());
            (self.tell)(&Event::Tried { outcome, what });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

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
        let told = |detail| {
            let events = RefCell::new(Vec::new());
            let tell = |event: &Event| events.borrow_mut().push(event.clone());
            let progress = Progress::since(Instant::now());
            let teller = SearchTeller::begin(progress, detail, &Word("long"), 4, 0, tell);
            teller.tried(&Word("lo"), Outcome::Pass);
            teller.accepted(&Word("ng"), 2, 2);
            teller.tried(&Word("n"), Outcome::Pass);
            let events = events.take();
            let words = events.into_iter().filter_map(|event| match event {
                Event::Step(step) => step.what,
                Event::Tried { what, .. } => Some(what),
                _ => None,
            });
            words.collect::<Vec<_>>()
        };
        let (first, step, last) = ("lo instead of long", "ng instead of long", "n instead of ng");
        assert_eq!(told(Detail::Results), [""; 0]);
        assert_eq!(told(Detail::Steps), [step]);
        assert_eq!(told(Detail::Candidates), [first, step, last]);
    }
}

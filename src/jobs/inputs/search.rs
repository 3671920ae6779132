//! One search with the engine: limits, progress, and what is remembered for the next run.

mod each_alone;
mod isolate;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::agreement::ExpectedValue;
use super::best_inputs::BestInputs;
use super::keeping::{Keeping, Kept};
use super::last_round::{LastRound, Tried};
use super::look::SecondLook;
use super::reduced_inputs::ReducedInputs;
use super::store_at::StoreAt;
use super::unsettled::Unsettled;
use crate::app::failure::Result;
use crate::app::search_driver::{
    AT_LIMIT, Follower, SearchDriver, Searched, check_best, check_store, not_run, trouble,
};
use crate::app::session::Session;
use crate::jobs::generalize::grammars::Texts;
use crate::jobs::generalize::trees::{WithoutTexts, reduce_on_trees};
use crate::oracle::process::is_interrupt;
use crate::oracle::stored::StoredOracle;
use crate::reduce::inputs::{Inputs, Minimality, reduce_inputs};
use crate::reduce::tree::Strategy;
use crate::reduce::{Counts, Memory, Oracle, Outcome, Problem, Stop};
use crate::report::Status;
use crate::source::FoundInputs;

/// How long texts are reduced on their derivation trees where characters follow.
const TREE_TIME: Duration = Duration::from_secs(20);
/// How long is looked for what decides whether a test fails, where it expects a value.
const CONTRAST_TIME: Duration = Duration::from_secs(20);
/// What a search found, or, where it ends in trouble, what was found `before` it, if that is anything.
///
/// # Errors
/// Those of the search, where nothing was found before.
pub fn or_best(
    session: &Session,
    before: ReducedInputs,
    original: &Inputs,
    found: Result<ReducedInputs>,
) -> Result<ReducedInputs> {
    match found {
        Err(failure) if failure.status == Status::Error && before.best != *original => {
            session.warn(format!("{failure}; this is the best result so far"));
            Ok(before)
        }
        found => found,
    }
}

/// One search: what it starts from, when it began, and when it must end.
pub struct InputSearch<'a> {
    /// The job that it is a part of.
    pub session: &'a Session,
    original: &'a Inputs,
    /// Where it begins, if not with the original.
    pub from: Option<Inputs>,
    /// The texts among the inputs.
    pub texts: &'a Texts,
    started: Instant,
    /// The time it may take.
    pub limit: Option<Duration>,
    /// What was found in the test, if it says what of the inputs is counted for the user.
    pub found: Option<&'a FoundInputs>,
    /// What keeps the best on disk, and what is hidden in it.
    pub best: Option<(&'a BestInputs<'a>, &'a Inputs)>,
    /// What is known of the value that the failing comparison expects, if it is one with such a value.
    pub expected: Option<ExpectedValue<'a>>,
    /// What is no value among the inputs, if nobody says what is right for other ones.
    pub unsettled: Option<Unsettled>,
    /// What bounds it, if it only looks again.
    look: Option<&'a SecondLook>,
    /// What no candidate may be without.
    pub kept: Kept,
    /// Whether a part of it has ended before it was done.
    stopped: Cell<bool>,
    /// What became of the candidates that were made of the best.
    last_round: Rc<RefCell<LastRound>>,
}

/// One part of a search.
#[derive(Debug)]
pub struct Driven<T> {
    /// The best when it ended.
    pub best: Inputs,
    /// What it came to; `None` if it was stopped before.
    pub result: Option<T>,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

impl<'a> InputSearch<'a> {
    /// A search that begins now; `texts` are reduced on their derivation trees if the user wants it.
    pub fn new(session: &'a Session, original: &'a Inputs, texts: &'a Texts) -> Self {
        InputSearch {
            session,
            original,
            from: None,
            texts,
            started: Instant::now(),
            limit: session.config.control.max_time,
            found: None,
            best: None,
            expected: None,
            unsettled: None,
            look: None,
            kept: Kept::default(),
            stopped: Cell::new(false),
            last_round: Rc::default(),
        }
    }

    /// Searches with `oracle`, for what the goal asks for.
    ///
    /// # Errors
    /// When candidates cannot be run; what was found until an interrupt is a result.
    pub fn run(&self, oracle: &mut dyn Oracle<Inputs>) -> Result<ReducedInputs> {
        match (self.session.config.goal.dd_mode(), self.session.config.texts.strategy.on_trees()) {
            (Some(mode), _) => self.isolate(oracle, mode),
            (None, Some(strategy)) => self.minimize_on_trees(oracle, strategy),
            (None, None) => self.minimize(oracle, self.from.as_ref().unwrap_or(self.original)),
        }
    }

    /// Whether smaller inputs are looked for, and no difference.
    pub fn minimizes(&self) -> bool {
        self.session.config.goal.dd_mode().is_none()
    }

    /// What it starts from.
    pub fn original(&self) -> &Inputs {
        self.original
    }

    /// What became of the candidates that were made of `best`, if it is what was found last.
    pub fn around(&self, best: &Inputs) -> Tried {
        self.last_round.borrow_mut().take(best)
    }

    /// Whether it has ended before it was done, so that nothing is known to be minimal.
    pub fn was_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Runs the last round again, from the `best` that was found, and searches on where it finds more.
    ///
    /// # Errors
    /// When candidates cannot be run.
    pub fn look_again(
        &self,
        oracle: &mut dyn Oracle<Inputs>,
        best: &Inputs,
        look: &SecondLook,
    ) -> Result<ReducedInputs> {
        let again = InputSearch { look: Some(look), ..self.part() };
        let texts = &self.session.config.texts;
        let by_tree_only = !texts.strategy.by_characters()
            || (texts.pattern.is_some() && self.texts.parse_all(best));
        let driven = again.drive(oracle, best, |problem| match texts.strategy.on_trees() {
            Some(strategy) if by_tree_only => reduce_on_trees(problem, self.texts, strategy),
            _ => again.reduce_values(problem).map(|_| ()),
        })?;
        Ok(ReducedInputs::new(driven.best, driven.interrupted))
    }

    /// A part of it that can end before the whole does.
    fn part(&self) -> Self {
        InputSearch {
            from: None,
            stopped: Cell::new(false),
            expected: self.expected.clone(),
            unsettled: self.unsettled.clone(),
            kept: self.kept.clone(),
            last_round: Rc::clone(&self.last_round),
            ..*self
        }
    }

    /// Goes on from other inputs that fail, with what is kept of them; the best on disk stays.
    ///
    /// # Errors
    /// When candidates cannot be run.
    pub fn go_on(
        &self,
        oracle: &mut dyn Oracle<Inputs>,
        from: &Inputs,
        kept: Kept,
    ) -> Result<ReducedInputs> {
        let other = InputSearch { kept, best: None, ..self.part() };
        other.minimize(oracle, from)
    }

    /// Reduces everything by its elements and characters.
    fn minimize(&self, oracle: &mut dyn Oracle<Inputs>, from: &Inputs) -> Result<ReducedInputs> {
        let driven = self.drive(oracle, from, |problem| self.reduce_values(problem))?;
        if let Some(Minimality::Line) = driven.result {
            self.session.stage(
                "Minimal",
                "by lines and elements; one value is too large to try character by character",
            );
        }
        Ok(ReducedInputs::new(driven.best, driven.interrupted))
    }

    /// Reduces inputs, along with what the test expects of them if it says that, until nothing more goes.
    fn reduce_values(&self, problem: &mut Problem<'_, Inputs>) -> Result<Minimality, Stop> {
        if self.expected.is_none() && self.unsettled.is_none() {
            return reduce_inputs(problem);
        }
        // Once: of what is left then, other parts may decide.
        if let (Some(unsettled), None) = (&self.unsettled, self.look) {
            let accepted = problem.counts().accepted;
            let started = Instant::now();
            // What is expected of the inputs goes with them below, which is fast where this is not.
            let has_expected = self.expected.is_some();
            let is_over = move || has_expected && started.elapsed() > CONTRAST_TIME;
            problem.until(is_over, |problem| unsettled.reduce(problem))?;
            if unsettled.is_for_all && problem.counts().accepted == accepted {
                return reduce_inputs(problem);
            }
        }
        loop {
            let accepted = problem.counts().accepted;
            if let Some(expected) = &self.expected {
                expected.reduce(problem, self.original)?;
            }
            if problem.counts().accepted == accepted {
                return Ok(Minimality::Element);
            }
        }
    }

    /// Reduces what is no text, then texts on their trees, then all by characters if that is wanted.
    fn minimize_on_trees(
        &self,
        oracle: &mut dyn Oracle<Inputs>,
        strategy: Strategy,
    ) -> Result<ReducedInputs> {
        let (rest, mut without) = WithoutTexts::new(oracle, self.original, self.texts);
        let rest = self.minimize(&mut without, &rest)?;
        let whole = without.whole(&rest.best);
        if rest.interrupted {
            return Ok(ReducedInputs::new(whole, true));
        }
        let goes_on = self.session.config.texts.strategy.by_characters();
        let time_for_trees = goes_on.then(|| self.started.elapsed() + TREE_TIME);
        let trees = InputSearch { limit: self.limit.or(time_for_trees), ..self.part() };
        let driven = trees
            .drive(oracle, &whole, |problem| reduce_on_trees(problem, self.texts, strategy))?;
        let by_tree = ReducedInputs::new(driven.best, driven.interrupted);
        if by_tree.interrupted || !goes_on {
            return Ok(by_tree);
        }
        if driven.result.is_none() && self.limit.is_none() {
            self.session.stage(
                "Going on",
                "with single characters, because the derivation trees are large",
            );
        }
        let by_characters = self.minimize(oracle, &by_tree.best)?;
        // A pattern is one of the grammar, so what is no longer in its language has none.
        if self.texts.parse_all(&by_characters.best) {
            return Ok(by_characters);
        }
        if self.session.config.texts.pattern.is_some() {
            return Ok(ReducedInputs::new(by_tree.best, by_characters.interrupted));
        }
        self.session.warn(
            "single characters were removed as well, so the grammar no longer parses the result; use `--strategy \
             perses` to keep to the grammar",
        );
        Ok(by_characters)
    }

    /// Lets `steps` ask `oracle`, beginning with `from`, within the limits; shows how it goes.
    ///
    /// # Errors
    /// When candidates cannot be run.
    pub fn drive<T>(
        &self,
        oracle: &mut dyn Oracle<Inputs>,
        from: &Inputs,
        steps: impl FnOnce(&mut Problem<'_, Inputs>) -> Result<T, Stop>,
    ) -> Result<Driven<T>> {
        let end = self.limit.and_then(|limit| self.started.checked_add(limit));
        let driver = SearchDriver {
            console: self.session,
            started: self.started,
            before: self.session.counts().candidates,
            interrupt: &self.session.interrupt.until_if(end),
            most: self.session.config.control.max_candidates,
            memory: Memory::Forget,
            follower: self,
        };
        self.last_round.borrow_mut().begin(from);
        let mut keeping = Keeping::new(oracle, &self.kept);
        let Searched { best, counts, ended: result, .. } = driver.run(from, &mut keeping, steps);
        let is_over = matches!(result, Err(Stop::TimeUp | Stop::CandidateLimit));
        let is_search = self.look.is_none_or(|look| look.part_is_over(counts, is_over));
        self.session.count_search(counts);
        self.stopped.set(self.stopped.get() || result.is_err());
        let (result, interrupted) = match result {
            Ok(result) => (Some(result), false),
            Err(Stop::Interrupted) => (None, true),
            Err(Stop::TimeUp | Stop::CandidateLimit) if !is_search => (None, false),
            Err(Stop::TimeUp | Stop::CandidateLimit) => {
                self.session.warn(AT_LIMIT);
                self.session.limited();
                (None, false)
            }
            Err(Stop::Oracle(error)) if is_interrupt(&error) => (None, true),
            Err(Stop::Oracle(error)) if best == *self.original => return Err(trouble(&error)),
            // What has been found has been seen to fail.
            Err(Stop::Oracle(error)) => {
                self.session.warn(format!("{}; this is the best result so far", not_run(&error)));
                (None, false)
            }
        };
        Ok(Driven { best, result, interrupted })
    }
}

impl Follower<Inputs> for InputSearch<'_> {
    fn size(&self, inputs: &Inputs) -> usize {
        self.found.map_or_else(|| inputs.size(), |found| found.shown_size(inputs))
    }

    fn keep(&self, best: &Inputs, is_last: bool) {
        if !is_last {
            self.last_round.borrow_mut().begin(best);
        }
        if let Some((kept, base)) = self.best {
            kept.keep(best, base, is_last);
            if is_last {
                check_best(self.session, kept.trouble());
            }
        }
    }

    fn tried(&self, candidate: &Inputs, outcome: Outcome) {
        self.last_round.borrow_mut().add(candidate, outcome);
    }

    fn is_over(&self, counts: Counts) -> bool {
        self.look.is_some_and(|look| look.is_over(counts))
    }
}

/// Lets `search` ask `oracle`, and remembers the outcomes for the next run of the same job if they are kept `at` a place.
///
/// # Errors
/// As `search`.
pub fn with_store<T>(
    session: &Session,
    oracle: &mut dyn Oracle<Inputs>,
    at: Option<&StoreAt>,
    search: impl FnOnce(&mut dyn Oracle<Inputs>) -> Result<T>,
) -> Result<T> {
    let Some(at) = at else { return search(oracle) };
    let mut stored = StoredOracle::new(oracle, at.open(), at.key());
    let found = search(&mut stored)?;
    check_store(session, stored.store());
    session.count_stored(stored.cached());
    Ok(found)
}

#[cfg(test)]
mod tests;

//! Who judges a candidate.

use super::Outcome;

/// Trouble of the infrastructure (a process could not be started, the disk is full): never an
/// [`Outcome`].
pub type OracleError = Box<dyn std::error::Error + Send + Sync>;

/// What an oracle has to say, or why it cannot.
pub type Answer<T> = Result<T, OracleError>;

/// How far a batch of candidates is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// To the first that fails.
    Failure,
    /// To its end.
    End,
}

impl Until {
    /// Whether a batch of `count` candidates has been run that far.
    pub fn is_over(self, outcomes: &[Outcome], count: usize) -> bool {
        let has_failed = outcomes.last().is_some_and(|last| last.is_fail());
        outcomes.len() >= count || (self == Until::Failure && has_failed)
    }

    /// Leaves out the outcomes of candidates that did not have to be run.
    pub fn cut(self, outcomes: &mut Vec<Outcome>) {
        if self == Until::Failure
            && let Some(first) = outcomes.iter().position(|outcome| outcome.is_fail())
        {
            outcomes.truncate(first + 1);
        }
    }
}

/// What an oracle says to a candidate that is to become the best.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acceptance<C> {
    /// It may.
    AsItIs,
    /// It was this that failed.
    Amended(C),
    /// It was said to fail by a quick look, and does not.
    Refused,
}

/// Runs candidates and answers with outcomes.
pub trait Oracle<C> {
    /// Runs one candidate. An oracle has this or [`Oracle::run`] of its own: each of them is made of the other one.
    ///
    /// # Errors
    /// When the candidate could not be run at all; the search stops.
    fn ask(&mut self, candidate: &C) -> Answer<Outcome> {
        let outcomes = self.run(std::slice::from_ref(candidate), Until::End)?;
        outcomes.first().copied().ok_or_else(|| "the oracle did not answer".into())
    }

    /// Runs `candidates` in order, as far as `until` says; returns the outcomes of those that count. An oracle may run them
    /// in parallel or hand them over in one message; the answer must be as if they had been run one by one.
    ///
    /// # Errors
    /// As [`Oracle::ask`].
    fn run(&mut self, candidates: &[C], until: Until) -> Answer<Vec<Outcome>> {
        let mut outcomes = Vec::with_capacity(candidates.len());
        while !until.is_over(&outcomes, candidates.len()) {
            outcomes.push(self.ask(&candidates[outcomes.len()])?);
        }
        Ok(outcomes)
    }

    /// The outcomes of all up to and including the first that fails.
    ///
    /// # Errors
    /// As [`Oracle::ask`].
    fn ask_until_fail(&mut self, candidates: &[C]) -> Answer<Vec<Outcome>> {
        self.run(candidates, Until::Failure)
    }

    /// The outcomes of all.
    ///
    /// # Errors
    /// As [`Oracle::ask`].
    fn ask_all(&mut self, candidates: &[C]) -> Answer<Vec<Outcome>> {
        self.run(candidates, Until::End)
    }

    /// How many candidates it pays to hand over at once (at least 1); 1 means strictly one by one.
    fn batch(&self) -> usize {
        1
    }

    /// How many it pays to hand over at once of candidates that differ only a little from the best: what
    /// that means is known to those who make them and to the oracle. At least [`Oracle::batch`].
    fn batch_of_variants(&self) -> usize {
        self.batch()
    }

    /// A candidate that was said to fail is to become the best: whether it may. The search goes on from there, whether or
    /// not this oracle was asked about it: it may have been known before.
    ///
    /// # Errors
    /// As [`Oracle::ask`].
    fn accept(&mut self, _candidate: &C) -> Answer<Acceptance<C>> {
        Ok(Acceptance::AsItIs)
    }
}

impl<C, O: Oracle<C> + ?Sized> Oracle<C> for &mut O {
    fn ask(&mut self, candidate: &C) -> Answer<Outcome> {
        (**self).ask(candidate)
    }

    fn run(&mut self, candidates: &[C], until: Until) -> Answer<Vec<Outcome>> {
        (**self).run(candidates, until)
    }

    fn batch(&self) -> usize {
        (**self).batch()
    }

    fn batch_of_variants(&self) -> usize {
        (**self).batch_of_variants()
    }

    fn accept(&mut self, candidate: &C) -> Answer<Acceptance<C>> {
        (**self).accept(candidate)
    }
}

/// A closure as an oracle.
pub struct FromFn<F>(pub F);

impl<C, F: FnMut(&C) -> Outcome> Oracle<C> for FromFn<F> {
    fn ask(&mut self, candidate: &C) -> Answer<Outcome> {
        Ok((self.0)(candidate))
    }
}

//! Who judges a candidate.

use super::Outcome;

/// Trouble of the infrastructure (a process could not be started, the disk is full): never an
/// [`Outcome`].
pub type OracleError = Box<dyn std::error::Error + Send + Sync>;

/// Runs candidates and answers with outcomes.
pub trait Oracle<C> {
    /// Runs one candidate.
    ///
    /// # Errors
    /// When the candidate could not be run at all; the search stops.
    fn ask(&mut self, candidate: &C) -> Result<Outcome, OracleError>;

    /// Runs `candidates` in order until one answers [`Outcome::Fail`]; returns the outcomes of those
    /// that count: all up to and including the first failing one. An oracle may run them in parallel
    /// or hand them over in one message; the answer must be as if they had been run one by one.
    ///
    /// # Errors
    /// As [`Oracle::ask`].
    fn ask_until_fail(&mut self, candidates: &[C]) -> Result<Vec<Outcome>, OracleError> {
        let mut outcomes = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let outcome = self.ask(candidate)?;
            outcomes.push(outcome);
            if outcome.is_fail() {
                break;
            }
        }
        Ok(outcomes)
    }

    /// Runs all of `candidates` and returns their outcomes, in order. An oracle may run them in
    /// parallel or hand them over in one message.
    ///
    /// # Errors
    /// As [`Oracle::ask`].
    fn ask_all(&mut self, candidates: &[C]) -> Result<Vec<Outcome>, OracleError> {
        candidates.iter().map(|candidate| self.ask(candidate)).collect()
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
}

impl<C, O: Oracle<C> + ?Sized> Oracle<C> for &mut O {
    fn ask(&mut self, candidate: &C) -> Result<Outcome, OracleError> {
        (**self).ask(candidate)
    }

    fn ask_until_fail(&mut self, candidates: &[C]) -> Result<Vec<Outcome>, OracleError> {
        (**self).ask_until_fail(candidates)
    }

    fn ask_all(&mut self, candidates: &[C]) -> Result<Vec<Outcome>, OracleError> {
        (**self).ask_all(candidates)
    }

    fn batch(&self) -> usize {
        (**self).batch()
    }

    fn batch_of_variants(&self) -> usize {
        (**self).batch_of_variants()
    }
}

/// A closure as an oracle.
pub struct FromFn<F>(pub F);

impl<C, F: FnMut(&C) -> Outcome> Oracle<C> for FromFn<F> {
    fn ask(&mut self, candidate: &C) -> Result<Outcome, OracleError> {
        Ok((self.0)(candidate))
    }
}

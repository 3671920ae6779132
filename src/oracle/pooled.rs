//! Judges of one candidate at a time that have workers for many.

use super::pool::Pool;
use crate::exec::Interrupt;
use crate::reduce::{Answer, Oracle, Outcome, Until};

/// Judges candidates from any thread; [`Workers`] makes an oracle of it.
pub trait Pooled<C>: Sync {
    /// The workers.
    fn pool(&self) -> &Pool;

    /// Runs one candidate; `interrupt` stops it.
    ///
    /// # Errors
    /// When it cannot be run, or was stopped.
    fn judge(&self, candidate: &C, interrupt: &Interrupt) -> Answer<Outcome>;
}

impl<C, J: Pooled<C>> Pooled<C> for &J {
    fn pool(&self) -> &Pool {
        (**self).pool()
    }

    fn judge(&self, candidate: &C, interrupt: &Interrupt) -> Answer<Outcome> {
        (**self).judge(candidate, interrupt)
    }
}

/// A judge with workers as an oracle.
#[derive(Debug)]
pub struct Workers<J>(pub J);

impl<C: Sync, J: Pooled<C>> Oracle<C> for Workers<J> {
    fn ask(&mut self, candidate: &C) -> Answer<Outcome> {
        self.0.judge(candidate, self.0.pool().interrupt())
    }

    fn run(&mut self, candidates: &[C], until: Until) -> Answer<Vec<Outcome>> {
        let pool = self.0.pool();
        pool.run(candidates, until, |candidate, interrupt| {
            match self.0.judge(candidate, interrupt) {
                // A candidate before this one fails, so that this one was stopped.
                Err(_) if interrupt.is_set() && !pool.interrupt().is_set() => {
                    Ok(Outcome::Unresolved)
                }
                outcome => outcome,
            }
        })
    }

    fn batch(&self) -> usize {
        self.0.pool().batch()
    }
}

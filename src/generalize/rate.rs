//! How often instances fail, and how sure that is.

use crate::reduce::{Outcome, rate};

/// Outcomes of instances, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    /// Instances that failed as the original does.
    pub reproduced: u64,
    /// Instances that passed: counterexamples.
    pub passed: u64,
    /// Instances that are no valid inputs, failed in another way, or ran out of time. They say nothing
    /// about the pattern and are left out of the rate.
    pub unresolved: u64,
}

impl Rate {
    /// Counts one more.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Fail => self.reproduced += 1,
            Outcome::Pass => self.passed += 1,
            Outcome::Unresolved | Outcome::Timeout => self.unresolved += 1,
        }
    }

    /// The instances that count.
    pub fn resolved(&self) -> u64 {
        self.reproduced + self.passed
    }

    /// The share that failed; `None` if none was resolved.
    pub fn share(&self) -> Option<f64> {
        (self.resolved() > 0).then(|| rate::share(self.reproduced, self.resolved()))
    }

    /// The bounds of the true share at 95 % confidence; `(0, 1)` if none was resolved.
    pub fn interval(&self) -> (f64, f64) {
        rate::interval(self.reproduced, self.resolved())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unresolved_outcomes_do_not_count() {
        let mut rate = Rate::default();
        for outcome in [Outcome::Fail, Outcome::Unresolved, Outcome::Timeout, Outcome::Pass] {
            rate.add(outcome);
        }
        assert_eq!(rate.share(), Some(0.5));
        assert_eq!(rate.unresolved, 2);
        assert_eq!(Rate::default().share(), None);
    }
}

//! How often instances fail, and how sure that is.

use crate::reduce::Outcome;

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
        (self.resolved() > 0).then(|| float(self.reproduced) / float(self.resolved()))
    }

    /// The bounds of the true share at 95 % confidence: each is exceeded with a probability of 5 % at
    /// most (C. Clopper and E. Pearson, 1934, one-sided). `(0, 1)` if none was resolved.
    pub fn interval(&self) -> (f64, f64) {
        const DOUBT: f64 = 0.05;
        let (count, hits) = (self.resolved(), self.reproduced);
        if count == 0 {
            return (0.0, 1.0);
        }
        // The chance of this many hits or more grows with the share, that of as few or fewer falls.
        let low = match hits {
            0 => 0.0,
            hits => bisect(|share| 1.0 - at_most(hits - 1, count, share) < DOUBT),
        };
        let high =
            if hits == count { 1.0 } else { bisect(|share| at_most(hits, count, share) > DOUBT) };
        (low, high)
    }
}

/// The number of instances that must all fail so that, at `confidence`, at least `share` of all do.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small positive number"
)]
pub fn tries_for(share: f64, confidence: f64) -> usize {
    ((1.0 - confidence).ln() / share.ln()).ceil().max(1.0) as usize
}

/// The largest number in 0..1 for which `is_below` holds, which holds up to it.
fn bisect(is_below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The probability of at most `hits` hits in `count` tries, each with probability `share`.
fn at_most(hits: u64, count: u64, share: f64) -> f64 {
    if share <= 0.0 {
        return 1.0;
    }
    let (hit, miss) = (share.ln(), (-share).ln_1p());
    let mut ways = 0.0;
    let mut sum = 0.0;
    for k in 0..=hits {
        sum += (ways + float(k) * hit + float(count - k) * miss).exp();
        ways += (float(count - k) / float(k + 1)).ln();
    }
    f64::min(sum, 1.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        let interval = |reproduced, passed| Rate { reproduced, passed, unresolved: 0 }.interval();
        let near = |(low, high): (f64, f64), (want_low, want_high): (f64, f64)| {
            (low - want_low).abs() < 1e-4 && (high - want_high).abs() < 1e-4
        };
        assert!(near(interval(5, 5), (0.2224, 0.7776)));
        assert!(near(interval(0, 10), (0.0, 0.2589)));
        assert!(near(interval(10, 0), (0.7411, 1.0)));
        assert!(near(interval(982, 18), (0.9734, 0.9883)), "{:?}", interval(982, 18));
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }

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

    #[test]
    fn the_example_of_interval_holds() {
        let rate = crate::generalize::Rate { reproduced: 299, passed: 0, unresolved: 3 };
        let (low, high) = rate.interval();
        assert!(low > 0.99 && high > 0.999_999);
    }

    #[test]
    fn the_example_of_tries_for_holds() {
        assert_eq!(super::tries_for(0.99, 0.95), 299);
    }
}

//! The statistics of flaky tests: how often a test fails, and how often a candidate must be run.
//!
//! A flaky test fails with some rate. A candidate counts as failing when its own rate is not below
//! the lowest acceptable one. Running every candidate a fixed number of times would waste most runs
//! on clear cases; Wald's sequential probability ratio test ("Sequential Tests of Statistical
//! Hypotheses", 1945) stops as soon as the runs so far decide at the given risks, and needs fewer
//! runs on average than any other test with the same risks.

use std::hash::{Hash, Hasher};

use crate::reduce::rate;

/// How far below the acceptable rate a rate must be to be told apart from it. Between the two,
/// either answer is right.
const TELLING_FACTOR: f64 = 3.0;

/// The same for what has to fail each time: a result that passes now and then is no regression test.
const TELLING_FROM_ALWAYS: f64 = 1.1;

/// The part of the original rate that a candidate must keep, unless said otherwise.
const DEFAULT_SHARE: f64 = 1.0 / 3.0;

/// Risk of a wrong answer about a candidate, of either kind. A wrong `Pass` costs some size; a `Fail` has to
/// stand the test of a result, too.
const CANDIDATE_RISK: f64 = 0.05;

/// Risk of a wrong answer about the final result.
const RESULT_RISK: f64 = 0.01;

/// How many times the runs of a candidate the final result may take.
const RESULT_RUNS: u32 = 10;

/// So many runs are at hand for a candidate that has to fail each time: more than it takes to be sure.
const ALWAYS_RUNS: u32 = 40;

/// Runs and failures of one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// How often it was run.
    pub runs: u32,
    /// How often it failed in the same way.
    pub failures: u32,
}

impl Tally {
    /// Counts one more run.
    pub fn add(&mut self, failed: bool) {
        self.runs += 1;
        self.failures += u32::from(failed);
    }

    /// The share of failures; 0 without any run.
    pub fn rate(self) -> f64 {
        rate::share(self.failures.into(), self.runs.into())
    }
}

/// Why a flaky test cannot be reduced.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FlakyError {
    /// It did not fail at all.
    #[error("the test did not fail in {runs} runs")]
    Passing {
        /// How often it was run.
        runs: u32,
    },
    /// It fails too seldom for the allowed number of runs.
    #[error(
        "the test is flaky: it fails in {percent:.0} % of its runs, so each candidate needs {needed} runs"
    )]
    TooFewRuns {
        /// How often it fails.
        percent: f64,
        /// How many runs a candidate needs.
        needed: u32,
    },
    /// It fails less often than was asked for.
    #[error("the test fails in {percent:.0} % of its runs, less than the {minimum:.0} % asked for")]
    BelowMinimum {
        /// How often it fails.
        percent: f64,
        /// How often it should.
        minimum: f64,
    },
    /// The lowest rate is no rate.
    #[error("expected a rate above 0 and at most 1, not {0}")]
    NoRate(f64),
}

/// How candidates of a test are judged that fails sometimes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    min_rate: f64,
    /// How many times lower a rate is that can be told from it.
    telling: f64,
    runs: u32,
}

impl Hash for Plan {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.min_rate.to_bits(), self.telling.to_bits(), self.runs).hash(state);
    }
}

impl Plan {
    /// The plan for a test that was run as `original` says. A candidate is run at most `runs` times,
    /// and must fail with at least `min_rate` (a third of the original's rate if not given).
    ///
    /// # Errors
    /// When the test did not fail, or too seldom for what was asked.
    pub fn new(original: Tally, min_rate: Option<f64>, runs: u32) -> Result<Plan, FlakyError> {
        let share = original.rate();
        if original.failures == 0 {
            return Err(FlakyError::Passing { runs: original.runs });
        }
        // Ten failures in ten runs do not tell 90 % from 100 %: whoever asks for more runs gets them.
        if original.failures == original.runs && min_rate.is_none() && runs <= 1 {
            return Ok(Plan::once());
        }
        let needed = rate::tries_to_see(share, CANDIDATE_RISK);
        if runs < needed {
            return Err(FlakyError::TooFewRuns { percent: share * 100.0, needed });
        }
        let min_rate = min_rate.unwrap_or(share * DEFAULT_SHARE);
        if !(min_rate > 0.0 && min_rate <= 1.0) {
            return Err(FlakyError::NoRate(min_rate));
        }
        if rate::interval(original.failures.into(), original.runs.into()).1 < min_rate {
            return Err(FlakyError::BelowMinimum {
                percent: share * 100.0,
                minimum: min_rate * 100.0,
            });
        }
        Ok(Plan { min_rate, telling: TELLING_FACTOR, runs })
    }

    /// The plan for a test that fails every time: one run decides.
    pub fn once() -> Plan {
        Plan { min_rate: 1.0, telling: TELLING_FACTOR, runs: 1 }
    }

    /// The plan for a test that fails every time, with less only by chance: all runs have to fail.
    pub fn always() -> Plan {
        Plan { min_rate: 1.0, telling: TELLING_FROM_ALWAYS, runs: ALWAYS_RUNS }
    }

    /// Whether one run does not decide.
    pub fn is_repeated(&self) -> bool {
        self.runs > 1
    }

    /// The rate that a candidate must have.
    pub fn min_rate(&self) -> f64 {
        self.min_rate
    }

    /// A test of one candidate.
    pub fn candidate(&self) -> SequentialTest {
        SequentialTest::new(self.min_rate, self.telling, CANDIDATE_RISK, self.runs)
    }

    /// A test of the final result: with a risk of 1 %, for which it may run more often.
    pub fn result(&self) -> SequentialTest {
        let runs = match self.runs {
            1 => 1,
            runs => runs.saturating_mul(RESULT_RUNS),
        };
        SequentialTest::new(self.min_rate, self.telling, RESULT_RISK, runs)
    }
}

/// What a [`SequentialTest`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It fails often enough.
    Fail,
    /// It does not.
    Pass,
    /// Run it again.
    RunAgain,
}

/// Wald's sequential probability ratio test, cut off at a number of runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequentialTest {
    tally: Tally,
    min_rate: f64,
    telling: f64,
    runs: u32,
    /// Logarithm of the ratio of the likelihoods: acceptable rate to unacceptable one.
    evidence: f64,
    bound: f64,
}

impl SequentialTest {
    /// A test that tells a rate of at least `min_rate` from one that is at least `telling` times lower, wrong with
    /// at most about `risk` in either direction if `runs` runs are enough for that. At the latest
    /// after them it decides by the rate seen.
    pub fn new(min_rate: f64, telling: f64, risk: f64, runs: u32) -> SequentialTest {
        SequentialTest {
            tally: Tally::default(),
            min_rate,
            telling,
            runs,
            evidence: 0.0,
            bound: ((1.0 - risk) / risk).ln(),
        }
    }

    /// Counts one more run and decides, if it is clear.
    pub fn add(&mut self, failed: bool) -> Decision {
        self.tally.add(failed);
        let (high, low) = (self.min_rate, self.min_rate / self.telling);
        self.evidence += if failed {
            (high / low).ln()
        } else {
            // A test that must always fail is refuted by one pass: the logarithm of 0.
            ((1.0 - high) / (1.0 - low)).ln()
        };
        if self.evidence >= self.bound {
            Decision::Fail
        } else if self.evidence <= -self.bound {
            Decision::Pass
        } else if self.tally.runs < self.runs {
            Decision::RunAgain
        } else if self.tally.rate() >= self.min_rate {
            Decision::Fail
        } else {
            Decision::Pass
        }
    }

    /// The runs so far.
    #[cfg(test)]
    pub fn tally(&self) -> Tally {
        self.tally
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// How often, and with how many runs on average, tests of a subject with this rate say `Fail`.
    fn simulate(test: SequentialTest, rate: f64) -> (f64, f64) {
        const TESTS: u32 = 4000;
        let mut rng = StdRng::seed_from_u64(7);
        let (mut fails, mut runs) = (0, 0);
        for _ in 0..TESTS {
            let mut test = test;
            let decision = loop {
                let decision = test.add(rng.random_bool(rate));
                if decision != Decision::RunAgain {
                    break decision;
                }
            };
            fails += u32::from(decision == Decision::Fail);
            runs += test.tally().runs;
        }
        (f64::from(fails) / f64::from(TESTS), f64::from(runs) / f64::from(TESTS))
    }

    #[test]
    fn the_final_test_is_wrong_at_most_once_in_a_hundred() {
        for min_rate in [0.05, 0.1, 0.3, 0.6] {
            let test = SequentialTest::new(min_rate, TELLING_FACTOR, RESULT_RISK, 100_000);
            let (right, _) = simulate(test, min_rate);
            assert!(right >= 0.985, "{min_rate}: {right}");
            let (wrong, _) = simulate(test, min_rate / TELLING_FACTOR);
            assert!(wrong <= 0.015, "{min_rate}: {wrong}");
        }
    }

    #[test]
    fn clear_cases_are_decided_with_fewer_runs_than_a_fixed_number_would_take() {
        // A fixed test with these risks takes 66 runs.
        let test = SequentialTest::new(0.2, TELLING_FACTOR, CANDIDATE_RISK, 100_000);
        for (rate, most) in [(1.0, 3.0), (0.6, 6.0), (0.0, 20.0)] {
            let (_, runs) = simulate(test, rate);
            assert!(runs <= most, "{rate}: {runs}");
        }
    }

    #[test]
    fn the_number_of_runs_is_bounded() {
        let plan = Plan::new(Tally { runs: 10, failures: 3 }, None, 9).unwrap();
        let mut test = plan.candidate();
        let decisions: Vec<_> = (0..9).map(|at| test.add(at == 4)).collect();
        assert!(decisions[..8].iter().all(|it| *it == Decision::RunAgain));
        assert_eq!(decisions[8], Decision::Fail);
    }

    #[test]
    fn a_stable_test_needs_one_run_unless_more_are_asked_for() {
        let plan = Plan::new(Tally { runs: 10, failures: 10 }, None, 1).unwrap();
        for mut test in [plan.candidate(), plan.result()] {
            assert_eq!(test.add(true), Decision::Fail);
            assert_eq!(test.add(false), Decision::Pass);
        }
        let always = Tally { runs: 10, failures: 10 };
        let repeated = Plan::new(always, None, 50).unwrap();
        assert_eq!(repeated.candidate().add(false), Decision::RunAgain);
    }

    #[test]
    fn what_has_to_fail_each_time_is_refuted_by_one_run_and_proven_by_some() {
        for (test, runs) in [(Plan::always().candidate(), 31), (Plan::always().result(), 49)] {
            let (mut passes, mut fails) = (test, test);
            assert_eq!(passes.add(false), Decision::Pass);
            for run in 1..runs {
                assert_eq!(fails.add(true), Decision::RunAgain, "{run}");
            }
            assert_eq!(fails.add(true), Decision::Fail);
        }
        assert!(Plan::always().is_repeated());
    }

    #[test]
    fn what_cannot_be_reduced_is_refused() {
        let tally = |failures| Tally { runs: 10, failures };
        let error = |tally, rate, runs| Plan::new(tally, rate, runs).unwrap_err();
        assert_eq!(error(tally(0), None, 50), FlakyError::Passing { runs: 10 });
        assert!(matches!(error(tally(5), None, 1), FlakyError::TooFewRuns { needed: 5, .. }));
        assert!(matches!(error(tally(2), Some(0.9), 50), FlakyError::BelowMinimum { .. }));
        for rate in [0.0, -1.0, 1.5, f64::NAN] {
            assert!(matches!(error(tally(5), Some(rate), 50), FlakyError::NoRate(_)));
        }
    }
}

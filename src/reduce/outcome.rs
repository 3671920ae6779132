//! What an oracle answers.

/// The outcome of running one candidate.
///
/// The first three are those of Zeller & Hildebrandt, "Simplifying and Isolating Failure-Inducing
/// Input" (2002).
///
/// ```
/// use cargo_reduce::{Mode, Outcome, dd};
///
/// // What is no number cannot be judged, so the result is one.
/// let found = dd("1200", Mode::Minimize, |text: &str| match text.parse::<u32>() {
///     Ok(number) if number >= 10 => Outcome::Fail,
///     Ok(_) => Outcome::Pass,
///     Err(_) => Outcome::Unresolved,
/// });
/// assert_eq!(found?.failing.len(), 2);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// The original failure is reproduced.
    Fail,
    /// The candidate does not fail.
    Pass,
    /// It fails in another way, does not build, or is no valid input.
    Unresolved,
    /// It ran out of time; counts as [`Outcome::Unresolved`] unless the original failure is a hang
    /// (an oracle for hangs answers [`Outcome::Fail`] itself).
    Timeout,
}

impl Outcome {
    /// Of what does not fail if it does not `fail` like that.
    pub(crate) fn fail_if(fails: bool) -> Self {
        if fails { Outcome::Fail } else { Outcome::Pass }
    }

    /// Whether the original failure was reproduced.
    #[must_use]
    pub fn is_fail(self) -> bool {
        self == Outcome::Fail
    }

    /// Whether it tells a failure from its absence.
    #[must_use]
    pub fn is_resolved(self) -> bool {
        matches!(self, Outcome::Fail | Outcome::Pass)
    }
}

//! When it pays that rustc keeps what it found out about a crate for its next call.
//!
//! To read and to write what was found out costs a call of a small crate more than it saves. A call for
//! a large one becomes many times faster: a candidate differs from the one before it in few places.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Depth;

/// From which time of a plain call on it pays.
const SLOW: Duration = Duration::from_millis(350);
/// To check takes at least one of so many parts of what it takes to link, as a rule.
const CHECKED_PART: u128 = 4;

/// The crate, by its place among those of the subject, counted from the test's, and how far it is compiled.
pub type Step = (usize, Depth);

/// How long calls of rustc take that start from nothing, for all compile folders of a subject: what is compiled with it,
/// such as switches, makes little difference.
#[derive(Debug, Clone, Default)]
pub struct Pace(Arc<Mutex<Measured>>);

#[derive(Debug, Default)]
struct Measured {
    plain: BTreeMap<Step, PlainCall>,
    /// Where calls that kept something have answered otherwise than plain ones.
    spoiled: BTreeSet<Step>,
}

/// A call that kept nothing.
#[derive(Debug)]
struct PlainCall {
    took: Duration,
    /// The bytes of the sources that it was for.
    bytes: usize,
}

impl Pace {
    /// Whether something should be kept for calls for a crate with so many bytes of sources.
    pub fn is_slow(&self, step: Step, bytes: usize) -> bool {
        !self.lock().spoiled.contains(&step) && self.is_longer(step, bytes, SLOW)
    }

    /// Whether a plain call takes longer than that. Where none was seen, the other depth tells: to link takes at least as
    /// long as to check, and that is a good part of it.
    pub fn is_longer(&self, (place, depth): Step, bytes: usize, limit: Duration) -> bool {
        let measured = self.lock();
        let expected = |depth| Some(measured.plain.get(&(place, depth))?.expected(bytes));
        let expected = expected(depth).or_else(|| match depth {
            Depth::Link => expected(Depth::Check),
            Depth::Check => Some(expected(Depth::Link)? / CHECKED_PART),
        });
        expected.is_some_and(|expected| expected > limit.as_micros())
    }

    /// A plain call was over after that time; one with errors only shows that it takes at least so long.
    pub fn was_plain(&self, step: Step, took: Duration, bytes: usize, success: bool) {
        let mut measured = self.lock();
        let is_slower = |known: &PlainCall| known.expected(bytes) <= took.as_micros();
        if success || measured.plain.get(&step).is_none_or(is_slower) {
            measured.plain.insert(step, PlainCall { took, bytes });
        }
    }

    /// From now on all calls for that crate start from nothing.
    pub fn spoil(&self, step: Step) {
        self.lock().spoiled.insert(step);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Measured> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PlainCall {
    /// How many microseconds a call takes for so many bytes: a guess, which the next plain call corrects. It does not go
    /// beyond what was seen: most of a call for a small source has nothing to do with the source.
    fn expected(&self, bytes: usize) -> u128 {
        let (bytes, of) = (bytes.max(1) as u128, self.bytes.max(1) as u128);
        self.took.as_micros() * bytes.min(of) / of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Step = (0, Depth::Check);

    #[test]
    fn large_sources_of_slow_calls_are_worth_it() {
        let pace = Pace::default();
        assert!(!pace.is_slow(STEP, 1_000_000));
        pace.was_plain(STEP, Duration::from_secs(2), 100_000, true);
        assert!(pace.is_slow(STEP, 90_000));
        assert!(!pace.is_slow(STEP, 10_000));
        assert!(pace.is_slow((0, Depth::Link), 90_000));
        assert!(!pace.is_slow((1, Depth::Check), 90_000));
    }

    #[test]
    fn to_check_is_a_part_of_linking() {
        let pace = Pace::default();
        pace.was_plain((0, Depth::Link), Duration::from_secs(2), 100_000, true);
        assert!(pace.is_slow(STEP, 100_000));
        pace.was_plain((0, Depth::Link), Duration::from_secs(1), 100_000, true);
        assert!(!pace.is_slow(STEP, 100_000));
    }

    #[test]
    fn a_call_that_errors_ended_early_says_nothing_about_the_others() {
        let pace = Pace::default();
        pace.was_plain(STEP, Duration::from_secs(2), 100_000, true);
        pace.was_plain(STEP, Duration::from_millis(50), 100_000, false);
        assert!(pace.is_slow(STEP, 100_000));
        pace.was_plain(STEP, Duration::from_millis(50), 100_000, true);
        assert!(!pace.is_slow(STEP, 100_000));
    }

    #[test]
    fn a_call_for_a_tiny_source_says_nothing_about_large_ones() {
        let pace = Pace::default();
        pace.was_plain(STEP, Duration::from_millis(80), 20, true);
        assert!(!pace.is_slow(STEP, 20_000));
        pace.was_plain(STEP, Duration::from_millis(900), 20_000, false);
        assert!(pace.is_slow(STEP, 20_000));
    }

    #[test]
    fn nothing_is_kept_any_more_where_it_went_wrong() {
        let pace = Pace::default();
        pace.was_plain(STEP, Duration::from_secs(2), 100_000, true);
        pace.spoil(STEP);
        assert!(!pace.is_slow(STEP, 100_000));
    }
}

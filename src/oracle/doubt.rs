//! How far loops in one process are believed.
//!
//! What a candidate leaves behind may let later ones pass that fail in a process of their own. So some of
//! those that did not fail are run again in fresh processes; the first of them that fails there casts doubt on
//! all loops of the test.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// So much of the loop's time goes into fresh runs of candidates that did not fail.
const SHARE: u32 = 40;
/// What the first of these is taken to cost.
const FIRST_COST: Duration = Duration::from_millis(5);
/// No batch is as long as a multiple of this, so that not always the same one of a batch is picked.
const STRIDE: usize = 8191;

/// Whether loops in one process are no longer to be believed.
#[derive(Debug, Clone, Default)]
pub struct Doubt(Arc<AtomicBool>);

impl Doubt {
    /// Whether that is so.
    pub fn is_cast(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// From now on that is so.
    pub fn cast(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Fresh runs of candidates that did not fail.
#[derive(Debug, Default)]
pub(super) struct Samples {
    taken: usize,
    cost: Duration,
    looped: Duration,
}

impl Samples {
    /// The loop took so much more time.
    pub(super) fn looped(&mut self, time: Duration) {
        self.looped += time;
    }

    /// A sample took so much time.
    pub(super) fn took(&mut self, time: Duration) {
        self.taken += 1;
        self.cost += time;
    }

    /// Whether the next one is due.
    pub(super) fn is_due(&self) -> bool {
        let taken = u32::try_from(self.taken).unwrap_or(u32::MAX);
        let next = self.cost.checked_div(taken).unwrap_or(FIRST_COST);
        self.looped / SHARE >= self.cost + next
    }

    /// The one of `places` to be taken.
    pub(super) fn pick(&self, places: &[usize]) -> Option<usize> {
        let place = (self.taken * STRIDE).checked_rem(places.len())?;
        Some(places[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_take_a_fortieth_of_the_time_at_most() {
        let mut samples = Samples::default();
        for _ in 0..10_000 {
            samples.looped(Duration::from_millis(1));
            if samples.is_due() {
                samples.took(Duration::from_millis(7));
            }
            assert!(samples.cost <= samples.looped / SHARE + Duration::from_millis(2));
        }
        assert_eq!(samples.taken, 35);
    }

    #[test]
    fn samples_are_taken_from_all_over_a_batch() {
        let places: Vec<usize> = (0..256).collect();
        let mut samples = Samples::default();
        let mut picked = std::collections::BTreeSet::new();
        for _ in 0..256 {
            picked.insert(samples.pick(&places).unwrap());
            samples.took(Duration::ZERO);
        }
        assert_eq!(picked.len(), 256);
        assert_eq!(samples.pick(&[]), None);
    }
}

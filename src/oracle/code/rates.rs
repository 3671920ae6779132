//! Whether candidates are judged faster together or alone.
//!
//! What a call of rustc takes before it comes to the candidate is paid once for all that are compiled
//! together; in return they start from nothing, and those without errors are compiled again for those
//! with errors. Which of it is more depends on the subject, and shows only when both are tried.

use std::time::Duration;

/// The time that a candidate took, as seen last.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rates {
    /// Of one that was compiled alone, as a mean that forgets.
    alone: Option<Duration>,
    /// Of one of several that were compiled together, and how many tokens such a candidate had.
    together: Option<(Duration, usize)>,
}

impl Rates {
    /// So many candidates were judged one by one.
    pub(super) fn were_alone(&mut self, count: usize, took: Duration) {
        let Some(each) = each(took, count) else {
            return;
        };
        // The last ones count as much as all before.
        self.alone = Some(self.alone.map_or(each, |before| (before + each) / 2));
    }

    /// So many candidates with so many tokens were judged together.
    pub(super) fn were_together(&mut self, count: usize, took: Duration, tokens: usize) {
        self.together = each(took, count).map(|each| (each, tokens));
    }

    /// Whether candidates with so many tokens should be compiled together, as far as is known: what was
    /// slower is tried again when they have become a quarter smaller.
    pub(super) fn prefer_together(&self, tokens: usize) -> bool {
        let (Some(alone), Some((together, at))) = (self.alone, self.together) else {
            return true;
        };
        together <= alone || tokens * 4 < at * 3
    }
}

fn each(took: Duration, count: usize) -> Option<Duration> {
    let count = u32::try_from(count).ok().filter(|count| *count > 0)?;
    Some(took / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_is_not_known_is_tried() {
        let mut rates = Rates::default();
        assert!(rates.prefer_together(1_000));
        rates.were_alone(0, SECOND);
        rates.were_alone(10, SECOND);
        assert!(rates.prefer_together(1_000));
    }

    #[test]
    fn the_faster_way_is_taken_until_candidates_are_smaller() {
        let mut rates = Rates::default();
        rates.were_alone(10, SECOND);
        rates.were_together(10, SECOND * 2, 1_000);
        assert!(!rates.prefer_together(1_000) && !rates.prefer_together(750));
        assert!(rates.prefer_together(749));
        rates.were_together(20, SECOND, 749);
        assert!(rates.prefer_together(749));
    }

    #[test]
    fn what_came_last_counts_most() {
        let mut rates = Rates::default();
        rates.were_together(10, SECOND, 1_000);
        rates.were_alone(100, SECOND);
        assert!(!rates.prefer_together(1_000));
        rates.were_alone(2, SECOND);
        assert!(rates.prefer_together(1_000));
    }
}

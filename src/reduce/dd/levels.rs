//! Schedules that try chunks of one size all over the list, then of a smaller size.

use std::iter;
use std::ops::Range;

use super::Schedule;
use super::singles::Singles;

/// Tries all chunks of a size from the back to the front, then those of the next smaller size; unlike
/// ddmin it goes on after a success and does not start again.
#[derive(Debug, Clone)]
pub struct Levels {
    /// Elements in the list.
    len: usize,
    /// The sizes to come, the next one last; each over 1.
    sizes: Vec<usize>,
    /// Where the chunk to try next ends.
    end: usize,
    /// Single elements, when there are no sizes any more.
    singles: Option<Singles>,
}

impl Levels {
    /// Sizes that halve, from half the list on.
    #[must_use]
    pub fn halving(len: usize) -> Self {
        let sizes = iter::successors(Some(len / 2), |size| Some(size / 2));
        Levels::new(len, sizes.take_while(|size| *size > 1).collect())
    }

    /// The sizes of counter-based delta debugging: Zhang et al., "Toward a Better Understanding of
    /// Probabilistic Delta Debugging" (2025), showed that the probabilities of [`ProbDd`](super::ProbDd)
    /// grow by the factor 1 / (1 − 1/e) from round to round whatever the outcomes are, so that the size
    /// is a function of the number of the round. `probability` is the initial one of each element to be
    /// needed, between 0 and 1 (the paper has 0.1).
    #[must_use]
    pub fn counting(len: usize, probability: f64) -> Self {
        let growth = 1.0 / (1.0 - (-1.0f64).exp());
        let probabilities = iter::successors(Some(probability), |last| Some(last * growth));
        let sizes = probabilities.map(|probability| best_size(probability).min(len));
        let mut sizes: Vec<usize> = sizes.take_while(|size| *size > 1).collect();
        sizes.dedup();
        Levels::new(len, sizes)
    }

    /// Tries chunks of `sizes`, which are all over 1.
    fn new(len: usize, mut sizes: Vec<usize>) -> Self {
        sizes.reverse();
        let singles = sizes.is_empty().then(|| Singles::new(len));
        Levels {
            len,
            sizes,
            end: len,
            singles,
        }
    }

    fn chunk(&self) -> Option<Range<usize>> {
        if let Some(singles) = &self.singles {
            return singles.place().map(|place| place..place + 1);
        }
        let size = self.sizes.last()?;
        (self.end > 0).then(|| self.end.saturating_sub(*size)..self.end)
    }

    /// Goes on before the chunk that starts at `start`.
    fn advance(&mut self, start: usize) {
        self.end = start;
        if self.end > 0 {
            return;
        }
        self.end = self.len;
        self.sizes.pop();
        while self.sizes.last().is_some_and(|size| *size >= self.len) {
            self.sizes.pop();
        }
        if self.sizes.is_empty() {
            self.singles = Some(Singles::new(self.len));
        }
    }
}

/// The size of a chunk of elements, each of which is needed with `probability`, whose removal can be
/// expected to win most: s · (1 − p)ˢ is largest at s = −1 / ln(1 − p). At least 1.
pub(super) fn best_size(probability: f64) -> usize {
    if probability >= 1.0 {
        return 1;
    }
    let size = (-1.0 / (-probability).ln_1p()).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it saturates"
    )]
    let size = size as usize;
    size.max(1)
}

impl Schedule for Levels {
    fn propose(&self) -> Option<Vec<Range<usize>>> {
        Some(iter::once(self.chunk()?).collect())
    }

    fn miss(&mut self) {
        if let Some(singles) = &mut self.singles {
            singles.miss();
        } else if let Some(chunk) = self.chunk() {
            self.advance(chunk.start);
        }
    }

    fn hit(&mut self) {
        if let Some(singles) = &mut self.singles {
            singles.hit();
        } else if let Some(chunk) = self.chunk() {
            self.len -= chunk.len();
            self.advance(chunk.start);
        }
    }
}

//! Probabilistic delta debugging.

use std::iter;
use std::ops::Range;

use super::Schedule;
use super::singles::Singles;

/// From this probability on an element counts as needed.
const CERTAIN: f64 = 1.0 - 1e-9;

/// Keeps for each element the probability that it is needed, removes the set that can be expected to
/// win most, and learns from each miss: Wang et al., "Probabilistic Delta Debugging" (2021).
///
/// The set is made of the elements least likely to be needed, which need not be neighbours. A miss of
/// a set S raises the probability p of each of its elements to p / (1 − ∏(1 − pᵢ)), the product over
/// S. When all are certain, single elements are swept until the list is 1-minimal, which the paper
/// leaves out.
#[derive(Debug, Clone)]
pub struct ProbDd {
    /// The probability of each element in the list.
    probabilities: Vec<f64>,
    /// The places to remove next, ascending.
    proposal: Vec<usize>,
    /// Single elements, when all probabilities are certain.
    singles: Option<Singles>,
}

impl ProbDd {
    /// Starts on a list of `len` elements, each needed with `probability` (the paper has 0.1).
    #[must_use]
    pub fn new(len: usize, probability: f64) -> Self {
        let mut schedule = ProbDd {
            probabilities: vec![probability; len],
            proposal: Vec::new(),
            singles: None,
        };
        schedule.choose();
        schedule
    }

    /// Chooses the set to remove next.
    fn choose(&mut self) {
        let mut places: Vec<usize> = (0..self.probabilities.len()).collect();
        places.retain(|place| self.probabilities[*place] < CERTAIN);
        places.sort_by(|a, b| self.probabilities[*a].total_cmp(&self.probabilities[*b]));
        let mut chance = 1.0;
        let mut best = (0, 0.0);
        for (size, place) in (1u32..).zip(&places) {
            chance *= 1.0 - self.probabilities[*place];
            let gain = chance * f64::from(size);
            if gain <= best.1 {
                break;
            }
            best = (size as usize, gain);
        }
        places.truncate(best.0);
        places.sort_unstable();
        self.proposal = places;
        if self.proposal.is_empty() {
            self.singles = Some(Singles::new(self.probabilities.len()));
        }
    }
}

impl Schedule for ProbDd {
    fn propose(&self) -> Option<Vec<Range<usize>>> {
        if let Some(singles) = &self.singles {
            let place = singles.place()?;
            return Some(iter::once(place..place + 1).collect());
        }
        let runs = self.proposal.chunk_by(|place, next| place + 1 == *next);
        Some(runs.map(|run| run[0]..run[0] + run.len()).collect())
    }

    fn miss(&mut self) {
        if let Some(singles) = &mut self.singles {
            return singles.miss();
        }
        let passes: f64 = self
            .proposal
            .iter()
            .map(|place| 1.0 - self.probabilities[*place])
            .product();
        for place in &self.proposal {
            self.probabilities[*place] /= 1.0 - passes;
        }
        self.choose();
    }

    fn hit(&mut self) {
        if let Some(singles) = &mut self.singles {
            return singles.hit();
        }
        let mut removed = self.proposal.iter().peekable();
        let mut place = 0;
        self.probabilities.retain(|_| {
            place += 1;
            removed.next_if(|gone| **gone + 1 == place).is_none()
        });
        self.choose();
    }
}

//! The schedule we use: adaptive group testing in sweeps of alternating direction.

use std::iter;
use std::ops::Range;

use super::Schedule;

/// Removes groups of neighbours, and searches each group that cannot go for its first needed element.
///
/// Where the failure needs a fixed set of elements, finding them is group testing: a group can go if
/// it holds none of them. As in Hwang's generalized binary splitting ("A Method for Detecting All
/// Defective Members in a Population by Group Testing", 1972), a group that misses is halved towards
/// its front until one needed element is found, and the search goes on right behind it. The size of
/// the next group follows the distances between the needed elements found so far, and doubles with
/// each hit, so that k needed elements among n cost about k·log₂(n/k) candidates, and a list in which
/// all are needed about n.
///
/// The first sweep goes from the back to the front, because later elements mostly depend on earlier
/// ones; each further sweep turns round, which takes chains of dependencies in either direction in
/// one go. It ends when each element left was tried alone since the last hit, so that the result is
/// 1-minimal also where the failure needs no fixed set.
///
/// Elements that can only go in pairs would make it walk through the rest of the list one by one, once
/// it has come between the two of a pair. So now and then it tries two at once; each time that this
/// misses it waits about twice as long, an odd number of elements.
///
/// Elements can have weights, such as the lengths of lines: then groups are cut and halved by weight,
/// which needs fewer candidates where a heavy element is needed more often than a light one.
///
/// Without weights the state is a handful of numbers, whatever the length of the list.
#[derive(Debug, Clone)]
pub struct Adaptive {
    /// Elements in the list.
    len: usize,
    /// Elements that this sweep has still to visit, at the far end in its direction.
    ahead: usize,
    /// Elements just behind the sweep that were tried alone since the last hit.
    settled: usize,
    direction: Direction,
    /// The weight of each element in the list; nothing where each is 1.
    weights: Option<Vec<usize>>,
    /// How much weight to try at once; a single element however heavy it is.
    group: usize,
    /// The first elements ahead that cannot all go at once.
    suspects: Option<usize>,
    /// The weight removed since the last element that had to stay.
    gap: usize,
    /// Elements that had to stay since the last hit or the last try of a pair.
    stayed: usize,
    /// After how many of these a pair is tried.
    patience: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Backward,
    Forward,
}

impl Adaptive {
    /// Starts on a list of `len` elements.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Adaptive {
            len,
            ahead: len,
            settled: 0,
            direction: Direction::Backward,
            weights: None,
            group: len,
            suspects: None,
            gap: 0,
            stayed: 0,
            patience: 1,
        }
    }

    /// Starts on a list whose elements have these weights (0 counts as 1).
    ///
    /// ```
    /// use cargo_reduce::reduce::dd::{Adaptive, Schedule};
    ///
    /// let mut schedule = Adaptive::weighted(["a", "bb", "cccccc"].map(str::len).to_vec());
    /// assert_eq!(schedule.propose().as_deref(), Some([0..3].as_slice()));
    /// schedule.miss();
    /// assert_eq!(schedule.propose().as_deref(), Some([2..3].as_slice()), "it has most of the weight");
    /// ```
    #[must_use]
    pub fn weighted(mut weights: Vec<usize>) -> Self {
        for weight in &mut weights {
            *weight = (*weight).max(1);
        }
        let group = weights
            .iter()
            .fold(0, |sum: usize, weight| sum.saturating_add(*weight));
        let len = weights.len();
        Adaptive {
            weights: Some(weights),
            group,
            ..Adaptive::new(len)
        }
    }

    /// How many elements the next proposal takes, from the front of those ahead.
    fn size(&self) -> usize {
        match self.suspects {
            Some(suspects) => self
                .fitting(self.weight(suspects) / 2)
                .clamp(1, suspects - 1),
            None => self.fitting(self.group).max(1).min(self.ahead),
        }
    }

    /// The places of the first `size` elements ahead.
    fn front(&self, size: usize) -> Range<usize> {
        match self.direction {
            Direction::Backward => self.ahead - size..self.ahead,
            Direction::Forward => self.len - self.ahead..self.len - self.ahead + size,
        }
    }

    /// The weight of the first `size` elements ahead.
    fn weight(&self, size: usize) -> usize {
        let Some(weights) = &self.weights else {
            return size;
        };
        weights[self.front(size)]
            .iter()
            .fold(0, |sum, weight| sum.saturating_add(*weight))
    }

    /// How many of the first elements ahead weigh no more than `limit` together.
    fn fitting(&self, limit: usize) -> usize {
        let Some(weights) = &self.weights else {
            return limit.min(self.ahead);
        };
        let ahead = &weights[self.front(self.ahead)];
        let mut left = limit;
        let mut fits = |weight: &&usize| {
            let rest = left.checked_sub(**weight);
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        match self.direction {
            Direction::Backward => ahead.iter().rev().take_while(&mut fits).count(),
            Direction::Forward => ahead.iter().take_while(&mut fits).count(),
        }
    }

    /// The first element ahead has to stay.
    fn keep_first(&mut self) {
        self.ahead -= 1;
        self.settled += 1;
        self.suspects = None;
        self.group = usize::midpoint(self.group.min(self.gap.saturating_mul(2)), self.gap).max(1);
        self.gap = 0;
        self.stayed += 1;
        if self.group == 1 && self.stayed >= self.patience {
            self.group = self.weight(2.min(self.ahead)).max(1);
            self.stayed = 0;
            self.patience = 2 * self.patience + 1;
        }
        if self.ahead == 0 {
            self.turn();
        }
    }

    /// Starts the next sweep, in the other direction, behind what is settled already.
    fn turn(&mut self) {
        self.direction = match self.direction {
            Direction::Backward => Direction::Forward,
            Direction::Forward => Direction::Backward,
        };
        self.ahead = self.len - self.settled;
        self.group = 1;
        self.gap = 0;
    }
}

impl Schedule for Adaptive {
    fn propose(&self) -> Option<Vec<Range<usize>>> {
        let size = self.size();
        (size > 0).then(|| iter::once(self.front(size)).collect())
    }

    fn miss(&mut self) {
        match self.size() {
            0 => {}
            1 => self.keep_first(),
            size => self.suspects = Some(size),
        }
    }

    fn hit(&mut self) {
        let size = self.size();
        let weight = self.weight(size);
        let gone = self.front(size);
        if let Some(weights) = &mut self.weights {
            weights.drain(gone);
        }
        self.len -= size;
        self.ahead -= size;
        self.gap = self.gap.saturating_add(weight);
        self.settled = 0;
        self.stayed = 0;
        self.patience = 1;
        match self.suspects {
            None => self.group = self.group.max(weight).saturating_mul(2),
            // The group without its front half is the list that was tried and missed before.
            Some(suspects) if suspects - size == 1 => return self.keep_first(),
            Some(suspects) => self.suspects = Some(suspects - size),
        }
        if self.ahead == 0 {
            self.turn();
        }
    }
}

//! The schedule we use: adaptive group testing in sweeps of alternating direction.

use std::ops::Range;

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
/// It must end in a list that is 1-minimal: each single element left was tried on the final list, and
/// its removal missed. Its state is a handful of numbers, whatever the length of the list.
///
/// Candidates that it needs for 1,000 elements, and elements left, beside those of ddmin, of sizes that
/// halve from sweep to sweep, of counter-based delta debugging (Zhang et al., "Toward a Better
/// Understanding of Probabilistic Delta Debugging", 2025) and of `ProbDD` (Wang et al., "Probabilistic
/// Delta Debugging", 2021), both from a probability of 0.1, and all five ended by single elements:
///
/// | what fails | ddmin | halving | counting | `ProbDD` | adaptive |
/// |---|---|---|---|---|---|
/// | one trigger | 14 → 1 | 22 → 1 | 115 → 1 | 119 → 1 | 12 → 1 |
/// | first and last | 49 → 2 | 34 → 2 | 125 → 2 | 123 → 2 | 29 → 2 |
/// | 10 scattered | 398 → 10 | 145 → 10 | 183 → 10 | 189 → 10 | 97 → 10 |
/// | 100 scattered | 11313 → 100 | 768 → 100 | 704 → 100 | 718 → 100 | 665 → 100 |
/// | 20 neighbours | 78 → 20 | 72 → 20 | 157 → 20 | 155 → 20 | 75 → 20 |
/// | every second | 127177 → 500 | 2106 → 500 | 2610 → 500 | 2525 → 500 | 1514 → 500 |
/// | all but 10 | 6562 → 990 | 2547 → 990 | 3052 → 990 | 2959 → 990 | 2016 → 990 |
/// | any tenth | 196 → 100 | 171 → 100 | 311 → 100 | 304 → 100 | 121 → 100 |
/// | pairs of neighbours | 102 → 36 | 100 → 54 | 286 → 2 | 309 → 16 | 51 → 4 |
/// | nested pairs | 1606 → 1000 | 1606 → 1000 | 2111 → 1000 | 2027 → 998 | 1017 → 1000 |
/// | a tree, child needs parent | 728 → 10 | 166 → 10 | 213 → 10 | 494 → 10 | 77 → 10 |
/// | a tree, parent needs child | 439 → 10 | 346 → 10 | 548 → 10 | 300 → 10 | 600 → 10 |
/// | one of three, and a pair | 86 → 3 | 50 → 3 | 130 → 3 | 135 → 3 | 34 → 3 |
#[derive(Debug, Clone)]
pub struct Adaptive {
    /// Elements in the list.
    len: usize,
    /// Elements that this sweep has still to visit, at the far end in its direction.
    ahead: usize,
    /// Elements just behind the sweep that were tried alone since the last hit.
    settled: usize,
    direction: Direction,
    /// How many elements to try at once.
    group: usize,
    /// The first elements ahead that cannot all go at once.
    suspects: Option<usize>,
    /// How many were removed since the last element that had to stay.
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
    pub fn new(len: usize) -> Self {
        Adaptive {
            len,
            ahead: len,
            settled: 0,
            direction: Direction::Backward,
            group: len,
            suspects: None,
            gap: 0,
            stayed: 0,
            patience: 1,
        }
    }

    /// What it proposes as long as nothing of it can go.
    pub fn misses(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let mut ahead = self.clone();
        std::iter::from_fn(move || {
            let removed = ahead.propose()?;
            ahead.miss();
            Some(removed)
        })
    }

    /// The proposal behind so many `misses` can go; it comes back.
    pub fn hit_after(&mut self, misses: usize) -> Option<Range<usize>> {
        for _ in 0..misses {
            self.miss();
        }
        let removed = self.propose();
        self.hit();
        removed
    }

    /// How many elements the next proposal takes, from the front of those ahead.
    fn size(&self) -> usize {
        match self.suspects {
            Some(suspects) => suspects / 2,
            None => self.group.max(1).min(self.ahead),
        }
    }

    /// The places of the first `size` elements ahead.
    fn front(&self, size: usize) -> Range<usize> {
        match self.direction {
            Direction::Backward => self.ahead - size..self.ahead,
            Direction::Forward => self.len - self.ahead..self.len - self.ahead + size,
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
            self.group = 2.min(self.ahead).max(1);
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

/// Decides which elements of a list to try to remove next, led by the outcomes so far. It knows only
/// places: each removal is told in places of the list as it is at that moment.
impl Adaptive {
    /// The next removal to try, not empty; nothing at the end. Asking twice gives the same answer.
    pub fn propose(&self) -> Option<Range<usize>> {
        let size = self.size();
        (size > 0).then(|| self.front(size))
    }

    /// The proposed removal did not fail (or was refused); the list stays as it is.
    pub fn miss(&mut self) {
        match self.size() {
            0 => {}
            1 => self.keep_first(),
            size => self.suspects = Some(size),
        }
    }

    /// The proposed removal still fails; the list is now without these elements.
    pub fn hit(&mut self) {
        let size = self.size();
        self.len -= size;
        self.ahead -= size;
        self.gap += size;
        self.settled = 0;
        self.stayed = 0;
        self.patience = 1;
        match self.suspects {
            None => self.group = self.group.max(size).saturating_mul(2),
            // The group without its front half is the list that was tried and missed before.
            Some(suspects) if suspects - size == 1 => return self.keep_first(),
            Some(suspects) => self.suspects = Some(suspects - size),
        }
        if self.ahead == 0 {
            self.turn();
        }
    }
}

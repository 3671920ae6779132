//! What all passes share: the problem, the options, and when to lose patience.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

use super::{Inputs, NodeId};
use crate::reduce::{Problem, Result};

/// Values with at most this many elements (characters, bytes, elements of a sequence) are worked on until nothing in them can
/// be removed; larger ones until patience ends.
const EXHAUSTIVE: usize = 2_000;
/// How many candidates in a row may fail before a pass over a larger value is given up.
const PATIENCE: usize = 150;

/// The problem as passes see it.
pub(super) struct PassContext<'p, 'a> {
    problem: &'p mut Problem<'a, Inputs>,
    /// Values of at most this size are worked on until nothing in them can be removed.
    exhaustive: usize,
    /// Whether a pass stopped before it had tried everything.
    pub(super) gave_up: bool,
    /// How many rounds are over.
    round: u32,
    /// The leaves whose lines were all tried alone, on the best that then was the n-th accepted.
    settled: HashMap<NodeId, u64>,
}

impl<'p, 'a> PassContext<'p, 'a> {
    pub(super) fn new(problem: &'p mut Problem<'a, Inputs>) -> Self {
        let settled = HashMap::new();
        PassContext { problem, exhaustive: EXHAUSTIVE, gave_up: false, round: 0, settled }
    }

    /// Works on values of any size until nothing in them can be removed.
    pub(super) fn without_giving_up(self) -> Self {
        PassContext { exhaustive: usize::MAX, ..self }
    }

    /// The current best.
    pub(super) fn best(&self) -> &Inputs {
        self.problem.best()
    }

    /// How many candidates were accepted so far: whether it moved tells whether a pass helped.
    pub(super) fn accepted(&self) -> u64 {
        self.problem.counts().accepted
    }

    /// Tries one candidate; returns whether it was accepted.
    pub(super) fn consider(&mut self, candidate: Inputs) -> Result<bool> {
        self.problem.consider(candidate)
    }

    /// Tries candidates in order; returns the place of the one that was accepted.
    pub(super) fn consider_first(
        &mut self,
        candidates: impl IntoIterator<Item = Inputs>,
    ) -> Result<Option<usize>> {
        self.problem.consider_first(candidates)
    }

    /// The search in something of this size: without limit unless it is large.
    pub(super) fn within(&mut self, size: usize) -> PatientSearch<'_, 'p, 'a> {
        let limited = (PATIENCE >> self.round.min(3)).max(1);
        let allowed = if size > self.exhaustive { limited } else { usize::MAX };
        PatientSearch { search: self, allowed, left: allowed, is_claimed: true }
    }

    /// The search for joint steps: at most so many misses in a row. What they leave out does not weaken what can be claimed
    /// of the result, which is about elements removed alone.
    pub(super) fn missing_at_most(&mut self, allowed: usize) -> PatientSearch<'_, 'p, 'a> {
        PatientSearch { search: self, allowed, left: allowed, is_claimed: false }
    }

    /// Starts the next round of all passes.
    pub(super) fn next_round(&mut self) {
        self.gave_up = false;
        self.round += 1;
    }

    /// Notes that no line of a leaf can be removed alone from the current best.
    pub(super) fn settle(&mut self, leaf: NodeId) {
        self.settled.insert(leaf, self.accepted());
    }

    /// Whether nothing was accepted since the leaf was settled.
    pub(super) fn is_settled(&self, leaf: NodeId) -> bool {
        self.settled.get(&leaf) == Some(&self.accepted())
    }
}

/// A search that is given up when too many candidates in a row have failed.
///
/// A dense input (nearly all of it is needed) would else cost a run for each of its characters, with
/// little to win.
pub(super) struct PatientSearch<'s, 'p, 'a> {
    search: &'s mut PassContext<'p, 'a>,
    allowed: usize,
    left: usize,
    /// Whether what it leaves untried would have to be claimed as tried.
    is_claimed: bool,
}

impl<'p, 'a> Deref for PatientSearch<'_, 'p, 'a> {
    type Target = PassContext<'p, 'a>;

    fn deref(&self) -> &Self::Target {
        self.search
    }
}

impl DerefMut for PatientSearch<'_, '_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.search
    }
}

impl PatientSearch<'_, '_, '_> {
    /// Whether its patience can come to an end.
    pub(super) fn is_limited(&self) -> bool {
        self.allowed < usize::MAX
    }

    /// Whether nothing more should be tried.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// As [`PassContext::consider_first`], as long as the patience lasts.
    pub(super) fn consider_first(
        &mut self,
        candidates: impl IntoIterator<Item = Inputs>,
    ) -> Result<Option<usize>> {
        let mut tried = 0;
        let counted = candidates.into_iter().inspect(|_| tried += 1).take(self.left);
        let hit = self.search.consider_first(counted)?;
        self.left = if hit.is_some() { self.allowed } else { self.left - tried };
        self.search.gave_up |= self.is_claimed && self.is_spent();
        Ok(hit)
    }
}

//! What has to stay of inputs that are reduced.

use std::collections::{BTreeMap, BTreeSet};

use crate::reduce::inputs::{Inputs, NodeId, Value};
use crate::reduce::{Acceptance, Answer, Oracle, Outcome, Until};

/// What no candidate may be without.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kept<'k> {
    /// Nodes that the user wants to stay; their values are hidden from the search.
    pub whole: Option<&'k BTreeSet<NodeId>>,
    /// Nodes of which something has to be left.
    pub filled: Option<&'k BTreeSet<NodeId>>,
    /// Leaves, with the values that these keep.
    pub values: Option<&'k BTreeMap<NodeId, Value>>,
}

/// What every candidate has to have.
#[derive(Default)]
pub struct Needed {
    /// Assertions that pass, and what the user wants to stay.
    pub checks: BTreeSet<NodeId>,
    /// Leaves, with their values.
    pub values: BTreeMap<NodeId, Value>,
}

impl Needed {
    /// The same for a search.
    pub fn kept(&self) -> Kept<'_> {
        Kept { whole: Some(&self.checks), filled: None, values: Some(&self.values) }
    }
}

impl Kept<'_> {
    fn is_nothing(&self) -> bool {
        self.whole.is_none_or(BTreeSet::is_empty)
            && self.filled.is_none_or(BTreeSet::is_empty)
            && self.values.is_none_or(BTreeMap::is_empty)
    }

    fn is_in(&self, candidate: &Inputs) -> bool {
        let is_whole = self.whole.is_none_or(|whole| {
            whole.is_empty()
                || candidate.nodes().filter(|node| whole.contains(&node.id)).count() == whole.len()
        });
        let is_left = |id: &NodeId| candidate.get(*id).is_some_and(|node| !node.is_trivial());
        let is_same = self.values.is_none_or(|values| {
            values.iter().all(|(id, value)| candidate.value(*id) == Some(value))
        });
        is_whole && is_same && self.filled.is_none_or(|filled| filled.iter().all(is_left))
    }
}

/// Asks another oracle about candidates that have all that is kept; others are not tried.
pub struct Keeping<'k, 'o> {
    oracle: &'o mut dyn Oracle<Inputs>,
    kept: Kept<'k>,
}

impl<'k, 'o> Keeping<'k, 'o> {
    /// Keeps this.
    pub fn new(oracle: &'o mut dyn Oracle<Inputs>, kept: Kept<'k>) -> Self {
        Keeping { oracle, kept }
    }
}

impl Oracle<Inputs> for Keeping<'_, '_> {
    fn ask(&mut self, candidate: &Inputs) -> Answer<Outcome> {
        if self.kept.is_in(candidate) {
            self.oracle.ask(candidate)
        } else {
            Ok(Outcome::Unresolved)
        }
    }

    fn run(&mut self, candidates: &[Inputs], until: Until) -> Answer<Vec<Outcome>> {
        if self.kept.is_nothing() {
            return self.oracle.run(candidates, until);
        }
        let are_whole: Vec<bool> =
            candidates.iter().map(|candidate| self.kept.is_in(candidate)).collect();
        let whole: Vec<Inputs> = candidates
            .iter()
            .zip(&are_whole)
            .filter(|(_, is_whole)| **is_whole)
            .map(|(candidate, _)| candidate.clone())
            .collect();
        let mut answers = self.oracle.run(&whole, until)?.into_iter();
        let outcomes = are_whole.into_iter().map_while(|is_whole| {
            if is_whole { answers.next() } else { Some(Outcome::Unresolved) }
        });
        let mut outcomes = outcomes.collect();
        until.cut(&mut outcomes);
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        self.oracle.batch()
    }

    fn batch_of_variants(&self) -> usize {
        self.oracle.batch_of_variants()
    }

    fn accept(&mut self, candidate: &Inputs) -> Answer<Acceptance<Inputs>> {
        self.oracle.accept(candidate)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::reduce::FromFn;
    use crate::reduce::inputs::{Body, Node, Value};

    fn candidate(ids: &[u32]) -> Inputs {
        let node = |id: &u32| Arc::new(Node { id: NodeId(*id), body: Body::Opaque });
        Inputs(ids.iter().map(node).collect())
    }

    #[test]
    fn candidates_without_a_kept_node_are_not_run() {
        let mut asked = 0;
        let mut oracle = FromFn(|_: &Inputs| {
            asked += 1;
            Outcome::Fail
        });
        let kept = BTreeSet::from([NodeId(1)]);
        let mut keeping = Keeping::new(&mut oracle, Kept { whole: Some(&kept), ..Kept::default() });
        let candidates = [candidate(&[0, 2]), candidate(&[1]), candidate(&[1, 2])];
        let outcomes = keeping.ask_until_fail(&candidates).unwrap();
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail]);
        let outcomes = keeping.ask_all(&candidates).unwrap();
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail, Outcome::Fail]);
        assert_eq!(keeping.ask(&candidates[0]).unwrap(), Outcome::Unresolved);
        assert_eq!(asked, 3);
    }
    #[test]
    fn candidates_in_which_nothing_is_left_of_a_node_are_not_run() {
        let text = |text: &str| {
            let body = Body::Leaf(Value::Text(text.to_owned()));
            Inputs(vec![Arc::new(Node { id: NodeId(0), body })])
        };
        let mut oracle = FromFn(|_: &Inputs| Outcome::Fail);
        let filled = BTreeSet::from([NodeId(0)]);
        let kept = Kept { filled: Some(&filled), ..Kept::default() };
        let outcomes = Keeping::new(&mut oracle, kept).ask_all(&[text(""), text("a")]).unwrap();
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail]);
    }
}

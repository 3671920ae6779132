//! What the user wants to keep inside of an input that is reduced.

use std::collections::BTreeSet;

use crate::reduce::inputs::{Inputs, NodeId};
use crate::reduce::{Oracle, OracleError, Outcome};

/// Asks another oracle about candidates that have all of the kept nodes; others are not tried.
pub struct Keeping<'k, 'o> {
    oracle: &'o mut dyn Oracle<Inputs>,
    kept: &'k BTreeSet<NodeId>,
}

impl<'k, 'o> Keeping<'k, 'o> {
    /// Keeps these nodes; their values are hidden from the search.
    pub fn new(oracle: &'o mut dyn Oracle<Inputs>, kept: &'k BTreeSet<NodeId>) -> Self {
        Keeping { oracle, kept }
    }

    fn has_all(&self, candidate: &Inputs) -> bool {
        self.kept.is_empty() || {
            let nodes = candidate.nodes().filter(|node| self.kept.contains(&node.id));
            nodes.count() == self.kept.len()
        }
    }

    /// The outcomes of all, of which `ask` runs those that have all of the kept nodes.
    fn among(
        &mut self,
        candidates: &[Inputs],
        ask: impl FnOnce(&mut dyn Oracle<Inputs>, &[Inputs]) -> Result<Vec<Outcome>, OracleError>,
    ) -> Result<Vec<Outcome>, OracleError> {
        if self.kept.is_empty() {
            return ask(self.oracle, candidates);
        }
        let are_whole: Vec<bool> =
            candidates.iter().map(|candidate| self.has_all(candidate)).collect();
        let whole: Vec<Inputs> = candidates
            .iter()
            .zip(&are_whole)
            .filter(|(_, is_whole)| **is_whole)
            .map(|(candidate, _)| candidate.clone())
            .collect();
        let mut answers = ask(self.oracle, &whole)?.into_iter();
        let outcomes = are_whole.into_iter().map_while(|is_whole| {
            if is_whole { answers.next() } else { Some(Outcome::Unresolved) }
        });
        Ok(outcomes.collect())
    }
}

impl Oracle<Inputs> for Keeping<'_, '_> {
    fn ask(&mut self, candidate: &Inputs) -> Result<Outcome, OracleError> {
        if self.has_all(candidate) { self.oracle.ask(candidate) } else { Ok(Outcome::Unresolved) }
    }

    fn ask_until_fail(&mut self, candidates: &[Inputs]) -> Result<Vec<Outcome>, OracleError> {
        let mut outcomes = self.among(candidates, |oracle, whole| oracle.ask_until_fail(whole))?;
        if let Some(first) = outcomes.iter().position(|outcome| outcome.is_fail()) {
            outcomes.truncate(first + 1);
        }
        Ok(outcomes)
    }

    fn ask_all(&mut self, candidates: &[Inputs]) -> Result<Vec<Outcome>, OracleError> {
        self.among(candidates, |oracle, whole| oracle.ask_all(whole))
    }

    fn batch(&self) -> usize {
        self.oracle.batch()
    }

    fn batch_of_variants(&self) -> usize {
        self.oracle.batch_of_variants()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::reduce::FromFn;
    use crate::reduce::inputs::{Body, Node};

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
        let mut keeping = Keeping::new(&mut oracle, &kept);
        let candidates = [candidate(&[0, 2]), candidate(&[1]), candidate(&[1, 2])];
        let outcomes = keeping.ask_until_fail(&candidates).unwrap();
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail]);
        let outcomes = keeping.ask_all(&candidates).unwrap();
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail, Outcome::Fail]);
        assert_eq!(keeping.ask(&candidates[0]).unwrap(), Outcome::Unresolved);
        assert_eq!(asked, 3);
    }
}

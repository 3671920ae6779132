//! Tests that say of their inputs that something is wrong, where nobody says what is right for others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::doubt::{is_refusal, open_question, place_in_test};
use super::origin::Derived;
use super::start::Original;
use super::subject::Subject;
use crate::app::config::{Config, Goal};
use crate::oracle::signature::{FailureKind, Match, Signature};
use crate::reduce::inputs::{Body, Holders, Inputs, Node, NodeId, reduce_in_contrast};
use crate::reduce::{Problem, Stop};
use crate::source::Compared;

/// What is no value among the inputs of a test that says of these that something is wrong.
#[derive(Debug, Clone)]
pub struct Unsettled {
    /// Sequences each of whose elements is a check of its own.
    pub checks: BTreeSet<NodeId>,
    /// The values that stand in elements of these.
    pub inside: BTreeMap<NodeId, Vec<NodeId>>,
    /// Sequences of files.
    pub files: BTreeSet<NodeId>,
    /// The value that the test expects, if it is known.
    pub expected: Option<NodeId>,
    /// Whether the inputs are reduced freely where nothing can be removed in this way: the test says what is right for all.
    pub is_for_all: bool,
}

impl Unsettled {
    /// Removes what does not decide whether the test fails.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn reduce(&self, problem: &mut Problem<'_, Inputs>) -> Result<(), Stop> {
        let holders = Holders {
            are_checks: &|id| self.checks.contains(&id),
            stand_in: &|check| self.inside.get(&check).cloned().unwrap_or_default(),
            hold_others: &|id| self.files.contains(&id),
            is_expected: &|id| self.expected == Some(id),
        };
        reduce_in_contrast(problem, &holders)
    }
}

impl Original {
    /// Whether the test says of its inputs that something is wrong, and nobody says what is right for others.
    pub fn is_unsettled(&self, config: &Config, subject: &Subject) -> bool {
        let control = &config.control;
        let is_free = control.match_rule.is_some() || control.passes_with.is_some();
        let is_of_property = subject.derived.as_ref().is_some_and(Derived::is_of_property);
        !is_free
            && !is_of_property
            && config.goal == Goal::Minimize
            && (!matches!(self.rule, Match::Relation)
                || subject.found.compared == Compared::ForSome
                || is_refusal(&self.signature))
            && self.signature.kind != FailureKind::ShouldPanic
            && open_question(subject, &self.signature).is_some()
    }
}

impl Subject {
    /// Whether these inputs are the original ones, but for checks beside the one that fails.
    pub(super) fn has_only_lost_checks(&self, original: &Original, best: &Inputs) -> bool {
        let checks = self.unsettled(&original.signature).checks;
        let mut whole = best.clone();
        for id in checks {
            if let Some(all) = self.found.inputs.get(id) {
                let is_left = |node: &Arc<Node>| all.children().contains(node);
                let left = best.get(id).is_some_and(|left| left.children().iter().all(is_left));
                whole = if left { whole.replace(id, all.body.clone()) } else { whole };
            }
        }
        whole == self.found.inputs
    }

    /// What is no value among the inputs of a test that says of these that something is wrong.
    pub(super) fn unsettled(&self, failure: &Signature) -> Unsettled {
        let found = &self.found;
        let place = place_in_test(self, failure);
        let tables = place.map_or_else(Vec::new, |(file, offset)| {
            let tables = self.krate.tables_around(file, offset).into_iter();
            tables.map(|range| (file, range)).collect()
        });
        let is_table = |node: &Node| {
            let place = found.place(node.id);
            let is_seq = matches!(node.body, Body::Seq(_));
            is_seq && tables.contains(&(place.file, place.range()))
        };
        let tables = found.inputs.nodes().filter(|node| is_table(node)).map(|node| node.id);
        let passed = found.passed.iter().filter_map(|id| found.inputs.get(*id));
        let inside = passed.flat_map(|node| node.children()).map(|check| {
            let place = found.place(check.id);
            let values = found.inputs.leaves().map(|(id, _)| id);
            (check.id, values.filter(|id| place.holds(found.place(*id))).collect())
        });
        Unsettled {
            inside: inside.collect(),
            checks: tables.chain(found.passed.iter().copied()).collect(),
            files: found.opened.roots.iter().copied().collect(),
            expected: None,
            is_for_all: false,
        }
    }
}

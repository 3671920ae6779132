//! What is known of inputs that fail, and of those next to them.

use std::ops::Range;
use std::sync::Arc;

use super::code_job::CodeJob;
use super::expectations::Expectations;
use super::shape::CodeShape;
use crate::jobs::inputs::reaching::End;
use crate::jobs::inputs::start::Start;
use crate::jobs::inputs::subject::Subject;
use crate::reduce::inputs::{Body, Inputs, Neighbour, Node, NodeId};
use crate::source::FileIndex;

/// So many of the runs that pass have a test of their own in the result.
pub(super) const SHOWN: usize = 3;

/// Inputs that fail, and what is known of the test that has them.
#[derive(Clone, Copy)]
pub struct Failing<'a> {
    /// The test and its probe.
    pub start: &'a Start,
    /// The inputs.
    pub best: &'a Inputs,
    /// How candidates are run.
    pub code_job: &'a CodeJob<'a>,
}

/// What was found.
pub struct ContrastResult {
    /// The subject with inputs that are asked for at run time.
    pub shape: Option<CodeShape>,
    /// What there is to say about it.
    pub message: String,
    /// Whether inputs pass, but none in a plain build.
    pub is_refused: bool,
}

impl ContrastResult {
    pub(super) fn nothing(message: String) -> Self {
        ContrastResult { shape: None, message, is_refused: false }
    }

    pub(super) fn of(shape: CodeShape, message: String) -> Self {
        ContrastResult { shape: Some(shape), message, is_refused: false }
    }
}

/// Neighbours that the probe has shown to pass and to fail.
pub(super) struct ChosenRuns<'a> {
    /// The first of those that pass, so many, stay, however far from the failing run: the user's, or those for which the code
    /// computes a value of the expected kind.
    pub(super) given: usize,
    pub(super) passing: Vec<Neighbour>,
    /// Whether those that pass are neighbours of the failing inputs, not of ones that pass.
    pub(super) are_beside_failing: bool,
    pub(super) failing: Vec<Neighbour>,
    pub(super) expectations: &'a Expectations,
    /// What those that pass expect, if that is not what the test expects.
    pub(super) recorded: Option<RecordedValues>,
}

impl ChosenRuns<'_> {
    /// Those that have to pass in a subject, the nearest first.
    pub(super) fn near(&self, shape: &CodeShape) -> impl Iterator<Item = &Neighbour> {
        let runs = shape.contrast.iter().flat_map(|runs| runs.passing.clone());
        // The failing run is the first one.
        runs.filter_map(|run| self.passing.get(run - 1))
    }

    /// Takes these in the place of those that do not have to pass in a subject: they are not next to the failing inputs.
    pub(super) fn go_on_from(&mut self, shape: &CodeShape, others: Vec<Neighbour>) {
        self.passing = self.near(shape).cloned().chain(others).collect();
        self.are_beside_failing = false;
    }

    pub(super) fn nearest(&self, shape: &CodeShape) -> Option<&Neighbour> {
        self.near(shape).next()
    }
}

/// How plain builds of the test with its runs went.
pub(super) enum TriedRuns {
    /// Runs pass, so many of them near the failing one.
    Pass { near: usize, shape: CodeShape },
    /// Why there are none.
    Refused(&'static str),
}

impl TriedRuns {
    pub(super) const NOT_PLAIN: Self = TriedRuns::Refused("not in a plain build");
}

/// What runs expect, each by itself.
pub(super) struct RecordedValues {
    pub file: FileIndex,
    /// The bytes of the value that the test expects.
    pub range: Range<usize>,
    /// That value.
    pub expected: String,
    /// The one of each run that has to pass.
    pub values: Vec<String>,
}

/// The inputs with the statements that the failing run passes by, if there are any: it fails without those, but inputs would
/// pass only because they are gone.
pub(super) fn with_what_is_passed_by(start: &Start, best: &Inputs, end: &End) -> Option<Inputs> {
    let Subject { krate, located, found, .. } = &start.subject;
    let passed_by = krate.passed_by(located, &end.reached);
    if passed_by.is_empty() {
        return None;
    }
    let is_passed_by = |id: NodeId| {
        let place = found.place(id);
        passed_by.iter().any(|(file, range)| place.overlaps(*file, range))
    };
    let is_empty = |node: &&Arc<Node>| matches!(&node.body, Body::Seq(all) if all.is_empty());
    let ids = best.nodes().filter(is_empty).map(|node| node.id);
    let ids: Vec<NodeId> = ids.filter(|id| is_passed_by(*id)).collect();
    Some(found.with_whole(best, &ids))
}

//! What a search found, and how it is written as plain source.

use std::sync::Arc;

use super::compile_plan::CompilePlan;
use super::failing::SHOWN;
use super::shape::Runs;
use crate::app::search_driver::End;
use crate::oracle::code::CodeMatcher;
use crate::probe::runs::of_one_type;
use crate::rust::runs::Contrast;
use crate::rust::{Sources, function_of, operands, runs};

/// What the search found.
#[derive(Clone)]
pub struct ReducedCode {
    /// What it started from.
    pub compile_plan: CompilePlan,
    /// The smallest sources that fail in the same way.
    pub best: Sources,
    /// The failure that was looked for.
    pub matcher: CodeMatcher,
    /// How it ended.
    pub end: End,
    /// Whether the search has removed something.
    has_removed: bool,
    /// The tests that it has beside the failing one, each for a run that has to pass, and which run that is.
    pub passing: Vec<(String, usize)>,
    /// The runs that have to pass.
    pub contrast: Option<Arc<Runs>>,
}

impl ReducedCode {
    /// The best of a search.
    pub(super) fn new(
        compile_plan: &CompilePlan,
        matcher: &CodeMatcher,
        best: Sources,
        end: End,
    ) -> Self {
        ReducedCode {
            has_removed: best.tokens() < compile_plan.shape.sources.tokens(),
            compile_plan: compile_plan.clone(),
            best,
            matcher: matcher.clone(),
            end,
            passing: Vec::new(),
            contrast: compile_plan.shape.contrast.clone(),
        }
    }

    /// Whether something of the `original` is gone, before the search or by it: tests of passing runs may have made more of
    /// it than that.
    pub fn is_smaller_than(&self, original: &Sources) -> bool {
        self.has_removed || self.best.tokens() < original.tokens()
    }

    /// How many of the runs that have to pass are worth a test of their own: none if they expect what the code computes, right
    /// or wrong, where other tests say what is right.
    pub fn shown(&self) -> usize {
        let is_recorded = self.contrast.as_ref().is_some_and(|runs| runs.are_recorded);
        if is_recorded && self.compile_plan.shape.companions.are_telling() { 0 } else { SHOWN }
    }

    /// The same with slices and bytes written so that those of several lengths have the type which they had in the search, if
    /// there are any: references to arrays, which are shorter to read, have another.
    pub fn with_slices(&self) -> Option<ReducedCode> {
        let runs = self.compile_plan.shape.contrast.as_ref()?;
        let own = &runs.contrast.inputs;
        let inputs: Vec<Vec<String>> = own.iter().map(|values| of_one_type(values)).collect();
        if inputs == *own {
            return None;
        }
        let mut found = self.clone();
        let contrast = Contrast { inputs, ..runs.contrast };
        let runs = Runs { contrast, ..Runs::clone(runs) };
        found.compile_plan.shape.contrast = Some(Arc::new(runs));
        Some(found)
    }

    /// The same without anything that is asked for or shown at run time: the `test` has the inputs that fail, and up to
    /// `most` of the runs that have to pass have tests of their own.
    pub fn written_out(&self, test: &str, most: usize) -> ReducedCode {
        let best = operands::hidden_in(&self.best);
        let Some(contrast) = &self.compile_plan.shape.contrast else {
            return ReducedCode { best, ..self.clone() };
        };
        let written = runs::written_out(&best, &contrast.contrast, &contrast.passing, most);
        let mut compile_plan = self.compile_plan.clone();
        compile_plan.shape.contrast = None;
        compile_plan.name = compile_plan.name.alone(function_of(test));
        let path = |name: &str| compile_plan.name.beside_in(&written.sources, name);
        ReducedCode {
            passing: written.passing.iter().map(|(name, run)| (path(name), *run)).collect(),
            compile_plan: compile_plan.clone(),
            best: written.sources,
            ..self.clone()
        }
    }

    /// Whether fewer of these runs, which have to pass, differ in what this source asks for than in the one that the search
    /// started from.
    pub fn tells_fewer_apart(&self, runs: &Runs) -> bool {
        let before = &self.compile_plan.shape.sources;
        let before = runs::written_out(before, &runs.contrast, &runs.passing, SHOWN);
        self.passing.len() < before.passing.len().min(self.shown())
    }

    /// The same with tests that take turns, if there are several that share something outside of the code, and that can be.
    pub fn taking_turns(&self, test: &str) -> Option<ReducedCode> {
        if self.passing.is_empty() || !runs::share_something_outside(&self.best) {
            return None;
        }
        let passing = self.passing.iter().map(|(name, _)| &**name);
        let tests: Vec<&str> = passing.chain([test]).collect();
        Some(ReducedCode { best: runs::taking_turns(&self.best, &tests)?, ..self.clone() })
    }

    /// The sources of the result under the names by which they are compiled here.
    pub fn in_its_files(&self, kept: &Sources) -> Sources {
        let shape = &self.compile_plan.shape;
        match shape.sources.files.first() {
            Some(first) if shape.is_flat() => kept.renamed(&first.path),
            _ => kept.clone(),
        }
    }
}

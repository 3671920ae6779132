//! Runs without a statement of the test: what the statement does for runs that pass has to go on mattering.

use std::ops::Range;

use super::compile_plan::{CompilePlan, compiler_in, count, with_library};
use super::contrast::Trial;
use super::failing::Failing;
use crate::compile::Shortcuts;
use crate::oracle::code::TestName;
use crate::probe::runs::EndedRuns;
use crate::reduce::OracleError;
use crate::rust::Sources;
use crate::rust::runs::{Contrast, DRIVER, Driven, Effects};

/// So many statements of the test can be left out, each in so many of the runs that have to fail then.
const MOST_STATEMENTS: usize = 6;
const MOST_RUNS: usize = 2;

/// Runs that have to fail because a statement is left out, and what is known of all runs then.
pub(super) struct LeftOut {
    pub(super) contrast: Contrast,
    pub(super) library: String,
    pub(super) failing: Vec<usize>,
}

impl Failing<'_> {
    /// The sources with a test that runs each statement which is there for what it does alone only where an input says so,
    /// which all runs do; those inputs.
    pub(super) fn guarded(
        &self,
        sources: &Sources,
        contrast: &Contrast,
    ) -> Option<(Sources, Contrast, Range<usize>)> {
        let (file, test) = self.test(sources)?;
        let first = contrast.inputs.len();
        let effects = Effects::of(&sources.files[file].text, &test)?;
        let (edit, count) = effects.guarded(first, MOST_STATEMENTS);
        let mut contrast = contrast.clone();
        contrast.add_guards(count);
        let guarded = || (sources.edit([(file, &edit)]), contrast, first..first + count);
        (count > 0).then(guarded)
    }
}

impl Trial<'_> {
    /// Copies of these runs, which pass, that fail like the failing one when a statement of the test is left out: a few for each of
    /// the `guards` of `sources`. None if no statement matters in this way.
    pub(super) fn left_out(
        &self,
        sources: &Sources,
        contrast: &Contrast,
        guards: Range<usize>,
        runs: &[usize],
    ) -> Result<Option<LeftOut>, OracleError> {
        if guards.is_empty() || self.ends_process() {
            return Ok(None);
        }
        let first = contrast.runs();
        let (contrast, left_out) = contrast.with_left_out(guards, runs);
        let (code_job, interrupt) = (self.failing.code_job, &self.session.interrupt);
        let code = code_job.subject;
        let compile_plan = CompilePlan::as_it_is(code, Shortcuts::All);
        let compiler = compiler_in("left-out", code_job.config, code, &compile_plan, interrupt);
        let Some((compiler, library)) = with_library(compiler, &contrast.inputs, interrupt) else {
            return Ok(None);
        };
        let all: Vec<usize> = (first..contrast.runs()).collect();
        let driven = Driven { passing: &[], failing: &all, is_marked: false, ends_process: false };
        let Some(driven) = self.failing.driven(sources, driven) else { return Ok(None) };
        let driver = TestName::fixed(&code.test).run_by(DRIVER);
        let with_all = Trial { compiler, ..*self };
        let printed = with_all.printed(&driven, driver.original())?;
        count(self.session, &with_all.compiler);
        let ended = printed.map(|printed| EndedRuns::read(&printed)).unwrap_or_default();
        let mut counts = [0; MOST_STATEMENTS];
        let mut failing: Vec<usize> = ended.failing.iter().map(|failed| failed.run).collect();
        failing.retain(|run| {
            let count = left_out.get(run - first).and_then(|statement| counts.get_mut(*statement));
            count.is_some_and(|count| {
                *count += 1;
                *count <= MOST_RUNS
            })
        });
        Ok((!failing.is_empty()).then_some(LeftOut { contrast, library, failing }))
    }
}

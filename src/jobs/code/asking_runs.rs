//! What runs in each of several runs of a test.

use std::collections::BTreeSet;

use super::code_job::CodeJob;
use super::compile_plan::CompilePlan;
use super::switches::SwitchRun;
use crate::app::session::Session;
use crate::compile::{Compiled, Compiler, Depth, Shortcuts};
use crate::exec::{Interrupt, Job};
use crate::oracle;
use crate::oracle::switches::{SwitchBuild, Values};
use crate::probe::runs::{CHOSEN, TRAIL, Trail};
use crate::reduce::Answer;
use crate::rust::Sources;
use crate::rust::runs::entries;

/// Runs of a test that asks for the inputs of the present one.
pub(super) struct AskingRuns<'a> {
    pub(super) code_job: &'a CodeJob<'a>,
    /// The sources that ask, linked with what they ask.
    pub(super) sources: &'a Sources,
    /// The numbers of the runs, first that of the one that fails.
    pub(super) runs: &'a [usize],
    pub(super) interrupt: &'a Interrupt,
}

/// Does something while the build is made that tells what runs in the runs of these sources; it may set the flag that it is
/// given, if that is not needed.
pub(super) fn with_traced_build<R>(
    session: &Session,
    code_job: &CodeJob<'_>,
    sources: &Sources,
    library: &str,
    meanwhile: impl FnOnce(&Interrupt) -> R,
) -> (R, Option<Answer<SwitchBuild>>) {
    let building = session.interrupt.child();
    let compile_plan = CompilePlan::as_it_is(code_job.subject, Shortcuts::All);
    let compiler = code_job.compiler("traces", &compile_plan, &building).using(library);
    let confine = |job: Job| code_job.confine(job);
    let run = code_job.run(&code_job.subject.test, &confine);
    let (matcher, values) = (&code_job.matcher, Values::All);
    let run = SwitchRun { code_job, matcher, sources, values, run };
    run.build_beside(session, compiler, &building, || meanwhile(&building))
}

/// A job of the run of that number.
fn of_run(job: Job, run: usize) -> Job {
    job.env(CHOSEN, run.to_string())
}

impl AskingRuns<'_> {
    /// Whether the first run, which fails, enters a function or a branch, in which there may be no switch, that no other one
    /// enters, as far as that is told.
    ///
    /// # Errors
    /// When nothing can be compiled or run at all.
    pub(super) fn first_enters_alone(&self, compiler: &Compiler) -> Answer<bool> {
        let entered = self.entered(compiler)?.unwrap_or_default();
        let mut entered = entered.into_iter();
        let first = entered.next().unwrap_or_default();
        let others: BTreeSet<usize> = entered.flatten().collect();
        Ok(!first.is_subset(&others))
    }

    /// Whether each place of a switch runs in that build, in each of the runs; none where that is not told.
    ///
    /// # Errors
    /// When nothing can be compiled or run at all.
    pub(super) fn traces(
        &self,
        build: Option<Answer<SwitchBuild>>,
    ) -> Answer<Vec<Option<Vec<bool>>>> {
        let AskingRuns { code_job, sources, runs, interrupt } = *self;
        let Some(build) = build.transpose()? else {
            return Ok(vec![None; runs.len()]);
        };
        let confines: Vec<_> =
            runs.iter().map(|run| move |job: Job| code_job.confine(of_run(job, *run))).collect();
        let runs: Vec<SwitchRun<'_>> = confines
            .iter()
            .map(|confine| SwitchRun {
                code_job,
                matcher: &code_job.matcher,
                sources,
                values: Values::All,
                run: code_job.run(&code_job.subject.test, confine),
            })
            .collect();
        let jobs: Vec<_> = runs.iter().map(|run| run.job(&[], interrupt, &|_| None)).collect();
        oracle::switches::traces(&jobs, build)
    }

    /// The numbers of the functions and branches that each of the runs enters; nothing where no marks compile.
    fn entered(&self, compiler: &Compiler) -> Answer<Option<Vec<BTreeSet<usize>>>> {
        let AskingRuns { code_job, sources, runs, interrupt } = *self;
        // Not every block takes a mark.
        for with_branches in [true, false] {
            let marked = sources.edit_all(&entries(sources, with_branches).edits);
            let look = |compiled: Compiled| {
                let Some(binary) = &compiled.binary else { return Ok(None) };
                let entered = |run: &usize| -> Answer<BTreeSet<usize>> {
                    let confine = |job: Job| code_job.confine(of_run(job.env(TRAIL, "1"), *run));
                    let run = code_job.run(&code_job.subject.test, &confine);
                    let finished = run.run(binary, interrupt)?.finished;
                    Ok(Trail::read(&finished.stderr.text()).entered)
                };
                runs.iter().map(entered).collect::<Answer<Vec<_>>>().map(Some)
            };
            let found = compiler.with_compiled(&marked, Depth::Link, interrupt, look)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

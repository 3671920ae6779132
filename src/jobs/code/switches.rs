//! The first and largest part of the search: one build with switches.

use std::ops::Range;

use super::clock::Clock;
use super::code_job::CodeJob;
use super::compile_plan::count;
use crate::app::limits::stop_reason;
use crate::app::session::Session;
use crate::compile::Compiler;
use crate::exec::Interrupt;
use crate::oracle;
use crate::oracle::code::{CodeMatcher, TestRun};
use crate::oracle::pool::both;
use crate::oracle::switches::{
    SwitchBuild, SwitchJob, SwitchMode, Switched, Values, build_switches, switch,
};
use crate::reduce::{Answer, Counts, Stop};
use crate::rust::{ObservedValue, Sources, function_of, functions_in};
use crate::source::Tier;

/// A run of the failing test with switches in its sources.
pub struct SwitchRun<'a> {
    /// The job that it is a part of.
    pub code_job: &'a CodeJob<'a>,
    /// The failure that is looked for.
    pub matcher: &'a CodeMatcher,
    /// What the switches are put into.
    pub sources: &'a Sources,
    /// Which values may take the place of what computes them.
    pub values: Values,
    /// How the test is run.
    pub run: TestRun<'a>,
}

/// What edits have to leave: files and bytes in them.
#[derive(Debug, Clone, Copy)]
pub struct Staying<'a> {
    /// As it is.
    pub kept: &'a [(usize, Range<usize>)],
    /// With all that is around it.
    pub held: &'a [(usize, Range<usize>)],
}

impl SwitchRun<'_> {
    /// Does something while the build with switches is made, and hands out both; of the build `None` where switches cannot be
    /// tried. What sets `building` meanwhile, which stops the compiler, does not need it.
    pub fn build_beside<R>(
        &self,
        session: &Session,
        mut compiler: Compiler,
        building: &Interrupt,
        meanwhile: impl FnOnce() -> R,
    ) -> (R, Option<Answer<SwitchBuild>>) {
        let build = || self.build(&mut compiler, building);
        let (done, build) = both(self.code_job.config.workers, meanwhile, build);
        count(session, &compiler);
        (done, build.unwrap_or_else(|panicked| Some(Err(panicked.into()))))
    }

    /// The build with switches; `None` where they cannot be tried.
    fn build(&self, compiler: &mut Compiler, interrupt: &Interrupt) -> Option<Answer<SwitchBuild>> {
        if is_rebuilt(self.code_job) {
            return None;
        }
        let roots = compiler.crates().roots(self.sources);
        Some(build_switches(&self.job(&roots, interrupt, &|_| None), compiler))
    }

    /// Edits that keep the failure at run time in that build, or leave out what never runs, which still have to be judged as
    /// plain source by this compiler; none where that cannot be tried. Of a test that does not always fail only what never runs
    /// goes.
    pub fn edits(
        &self,
        session: &Session,
        Staying { kept, held }: Staying<'_>,
        clock: &Clock,
        build: Answer<SwitchBuild>,
        compiler: &Compiler,
    ) -> Switched {
        let most = self.code_job.config.control.max_candidates;
        let stop = |counts: Counts| stop_reason(&clock.switch_search, counts.candidates, most);
        let roots = compiler.crates().roots(self.sources);
        let tests = [self.run.test, &self.code_job.subject.test].map(function_of);
        let names: Vec<&str> = tests.into_iter().chain([FORMATTING]).collect();
        let above_suspicion = &functions_in(self.sources, &names);
        let job =
            SwitchJob { kept, held, above_suspicion, ..self.job(&roots, &clock.switches, &stop) };
        match build.and_then(|build| switch(&job, build, compiler)) {
            Ok(switched) => {
                session.count_search(switched.counts);
                tell(session, &switched);
                switched
            }
            Err(_) if clock.switches.is_set() => Switched::default(),
            Err(error) => {
                session.warn(format!(
                    "statements cannot be switched off in one build here, so each candidate is compiled (slower): {error}"
                ));
                Switched::default()
            }
        }
    }

    /// What places of a source that fails always yield, as a build with the same library tells it; nothing
    /// where there is none.
    pub fn observed_values(
        &self,
        clock: &Clock,
        compiler: &mut Compiler,
    ) -> Answer<Vec<ObservedValue>> {
        if is_rebuilt(self.code_job) || !self.code_job.original.baseline.is_stable() {
            return Ok(Vec::new());
        }
        let roots = compiler.crates().roots(self.sources);
        oracle::switches::observed_values(&self.job(&roots, &clock.all, &|_| None), compiler)
    }

    /// The same for the compiler, where the crates begin in the files `roots`.
    pub(super) fn job<'j>(
        &'j self,
        roots: &'j [usize],
        interrupt: &'j Interrupt,
        stop: &'j dyn Fn(Counts) -> Option<Stop>,
    ) -> SwitchJob<'j> {
        let CodeJob { config, original, .. } = self.code_job;
        SwitchJob {
            values: self.values,
            kept: &[],
            held: &[],
            above_suspicion: &[],
            taken_back: &self.code_job.taken_back,
            sources: self.sources,
            roots,
            run: self.run.clone(),
            matcher: self.matcher,
            limit: self.code_job.limit,
            workers: config.workers,
            folder: self.code_job.folders.folder(),
            open: self.code_job.folders.open(),
            interrupt,
            stop,
            mode: if original.baseline.is_stable() {
                SwitchMode::Switches
            } else {
                SwitchMode::Flaky
            },
            is_looped: config.control.tier != Some(Tier::Process),
        }
    }
}

/// The function that makes the text of a value, which is there only where a message shows it.
const FORMATTING: &str = "fmt";

pub(super) fn is_rebuilt(code_job: &CodeJob<'_>) -> bool {
    code_job.config.control.tier == Some(Tier::Rebuild)
}

fn tell(session: &Session, switched: &Switched) {
    let candidates = switched.counts.candidates;
    let how = match switched.tier {
        Some(Tier::InProcess) => format!("{candidates} candidates in one process"),
        Some(_) => format!("{candidates} candidates, each in its own process"),
        None => "no candidates".to_owned(),
    };
    session.stage(
        "Removing",
        format!(
            "code at {} of {} places ({} of them run in the test): {how}",
            switched.reductions.len(),
            switched.places - switched.taken_back,
            switched.executed,
        ),
    );
}

//! The contrast: runs of the test with other inputs that go on passing while the code is reduced.

use std::ops::Range;
use std::sync::Arc;

use super::asking_runs::{AskingRuns, with_traced_build};
use super::compile_plan::{CompilePlan, compiler_in, count, with_library};
use super::expectations::Expectations;
use super::failing::{ChosenRuns, ContrastResult, Failing, TriedRuns, with_what_is_passed_by};
use super::nearest::{
    FEWEST, Ranked, TracedRun, by_distance, choose, different_first, direct_first, from_both_ends,
};
use super::shape::{CodeShape, FAILING, Reach, Runs};
use super::symbols::symbols;
use super::with_runs::{sites, that_differ};
use crate::app::config::{Config, ContrastChoice};
use crate::app::failure::Failure;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::compile::{Compiled, Compiler, Depth, Shortcuts};
use crate::exec::Job;
use crate::jobs::inputs::doubt::place_in_test;
use crate::jobs::inputs::reaching::{End, watch};
use crate::jobs::inputs::search_inputs::{Asked, EndOfRun, ask_neighbours};
use crate::jobs::inputs::start::Start;
use crate::jobs::inputs::subject::Subject;
use crate::oracle::code::TestName;
use crate::oracle::signature::FailureKind;
use crate::oracle::switches::SwitchBuild;
use crate::probe::runs::{self, EndedRun, EndedRuns, FailedRun};
use crate::reduce::inputs::{Inputs, Neighbour, NodeId, other_rows, with_texts};
use crate::reduce::{Answer, OracleError, RangeExt};
use crate::rust::Sources;
use crate::rust::runs::{Approach, Contrast, DRIVER, Driven, written_out};
use crate::source::{Cut, FileIndex, FileRange, Harness};

/// So many neighbours have to pass, and so many have to fail, at most: a call of the test each, for every candidate.
const MOST: usize = 12;
const MOST_FAILING: usize = 6;
/// So many are asked whether they pass in a plain build, too.
const MOST_ASKED: usize = 800;
const MOST_ASKED_FAILING: usize = 48;

/// Whether the user wants inputs that pass to be looked for.
pub fn is_wanted(config: &Config) -> bool {
    let asked = config.code.contrast;
    // With another version that passes nothing is left to ask.
    matches!(asked, ContrastChoice::Auto | ContrastChoice::Inputs)
        && config.control.passes_with.is_none()
}

/// The subject with those inputs in its test, which asks for those of the present run where they differ from the
/// neighbours that pass; nothing if none does, or the test cannot be run with several inputs.
///
/// # Errors
/// When candidates cannot be run.
pub fn contrasted(session: &Session, failing: Failing<'_>) -> Result<ContrastResult, Failure> {
    let start = failing.start;
    let subject = &start.subject;
    let kind = start.original.signature.kind;
    let is_told = matches!(kind, FailureKind::Panic | FailureKind::Error);
    if !(is_told || kind.ends_its_process()) || !is_callable(subject) {
        return Ok(ContrastResult::nothing(
            "the test cannot be run with several inputs".to_owned(),
        ));
    }
    let expected = expected_there(start);
    let end = watch(&session.config, start, failing.best)?;
    let whole = end.as_ref().and_then(|end| with_what_is_passed_by(start, failing.best, end));
    let beside = Beside {
        session,
        failing: Failing { best: whole.as_ref().unwrap_or(failing.best), ..failing },
        end: end.as_ref(),
        expectations: Expectations::of(start, end.as_ref()),
        symbols: symbols(&failing.code_job.subject.original.sources),
    };
    let may_differ = |id: NodeId| {
        let is_expected = |(file, place): &FileRange| {
            let within = |it: &Range<usize>| it.covers(place);
            expected.as_ref().is_some_and(|(other, all)| other == file && all.iter().any(within))
        };
        sites(subject, id).is_some_and(|places| !places.iter().all(is_expected))
    };
    let is_in_method = |id: NodeId| {
        let places = sites(subject, id);
        places.is_some_and(|all| all.iter().any(|place| subject.krate.is_in_method(place)))
    };
    // What stands in a method beside the test may be the code that fails, and no run with another value there has a test of
    // its own.
    let is_any_given = !session.config.code.contrast_inputs.is_empty();
    if !is_any_given && subject.found.inputs.nodes().any(|node| is_in_method(node.id)) {
        let is_outside = |id: NodeId| may_differ(id) && !is_in_method(id);
        let found = beside.contrast(&is_outside, &[])?;
        if found.shape.is_some() {
            return Ok(found);
        }
    }
    let found = beside.contrast(&may_differ, &[])?;
    let rows = other_rows(beside.failing.best, &subject.found.inputs);
    if found.shape.is_some() || is_any_given || rows.is_empty() {
        return Ok(found);
    }
    // Other rows of a table have what is expected of them beside them.
    let by_rows = beside.contrast(&|_| false, &rows)?;
    Ok(if by_rows.shape.is_some() { by_rows } else { found })
}

/// What the test expects where it fails, in the assertion or in the branch, and in which file: with another value there it may
/// pass though what it looks at is as wrong.
fn expected_there(start: &Start) -> Option<(FileIndex, Vec<Range<usize>>)> {
    let (file, offset) = place_in_test(&start.subject, &start.original.signature)?;
    let krate = &start.subject.krate;
    let operand = krate.expected_operand(file, offset).map(|operand| operand.range);
    let mut all = krate.expected_in_branches(file, offset);
    all.extend(operand);
    Some((file, all))
}

/// What is the same for all neighbours of the failing inputs.
struct Beside<'a> {
    session: &'a Session,
    failing: Failing<'a>,
    /// How the failing run ends, if that is known.
    end: Option<&'a End>,
    expectations: Expectations,
    /// What texts may hold in the place of a symbol.
    symbols: Vec<char>,
}

impl Beside<'_> {
    /// The subject with neighbours that differ in such inputs, or with these `rows` in the place of the one that fails.
    fn contrast(
        &self,
        may_differ: &dyn Fn(NodeId) -> bool,
        rows: &[Neighbour],
    ) -> Result<ContrastResult, Failure> {
        let Beside { session, failing, end, expectations, symbols } = self;
        let Failing { start, best, .. } = *failing;
        let subject = &start.subject;
        let texts = &session.config.code.contrast_inputs;
        let given = with_texts(best, &subject.found.inputs, texts, may_differ);
        let first = [&given, rows].concat();
        let asked = Asked {
            may_differ,
            first: &first,
            symbols,
            places: expectations.in_probe(start),
            ends_at: end.and_then(|end| EndOfRun::behind(start, end)),
        };
        if first.is_empty()
            && let Some(found) = failing.with_recorded(session, &asked, expectations)?
        {
            return Ok(found);
        }
        let next_to = |inputs: &Inputs| -> Result<_, Failure> {
            let mut found = ask_neighbours(session, start, &asked, inputs)?;
            found.passing = that_differ(subject, best, found.passing);
            found.failing = that_differ(subject, best, found.failing);
            Ok(found)
        };
        let found = next_to(best)?;
        see_given_pass(texts, &given, &found.passing)?;
        let mut message = format!(
            "the test passes with {} of {} inputs similar to the failing one",
            found.passing.len(),
            found.asked
        );
        if found.passing.is_empty() {
            return Ok(ContrastResult::nothing(message));
        }
        let is_given = |next: &Neighbour| given.iter().any(|it| it.inputs == next.inputs);
        let others = |found: Vec<Neighbour>| -> Vec<Neighbour> {
            let others = found.into_iter().filter(|next| !is_given(next));
            choose(others.collect(), MOST_ASKED)
        };
        let mut chosen = ChosenRuns {
            given: given.len(),
            passing: [given.clone(), others(found.passing)].concat(),
            are_beside_failing: true,
            failing: choose(from_both_ends(found.failing), MOST_ASKED_FAILING),
            expectations,
            recorded: None,
        };
        let mut tried = failing.tried(session, &chosen)?;
        if let TriedRuns::Pass { near, shape } = &tried
            && (*near < FEWEST || shape.misses_failure())
            && let Some(nearest) = chosen.nearest(shape)
        {
            // What is next to the nearest one gets as far as that, or further.
            let found = next_to(&nearest.inputs)?;
            let asked = found.asked;
            let others = others(found.passing);
            message =
                format!("{message}, and with {} of {asked} similar to a passing one", others.len());
            chosen.go_on_from(shape, others);
            let again = failing.tried(session, &chosen)?;
            if matches!(again, TriedRuns::Pass { .. }) {
                tried = again;
            }
        }
        Ok(match tried {
            TriedRuns::Pass { shape, .. } => ContrastResult::of(shape, message),
            TriedRuns::Refused(why) => {
                let nothing = ContrastResult::nothing(format!("{message}, but {why}"));
                ContrastResult { is_refused: true, ..nothing }
            }
        })
    }
}

/// Sees that the test passes with all texts that the user has given for that.
fn see_given_pass(
    texts: &[String],
    given: &[Neighbour],
    passing: &[Neighbour],
) -> Result<(), Failure> {
    if given.len() < texts.len() {
        return Err(Failure::error(
            "none of the test's inputs is text, so `--contrast-input` has nothing to replace",
        ));
    }
    let passes = |next: &Neighbour| passing.iter().any(|it| it.inputs == next.inputs);
    match given.iter().zip(texts).find(|(next, _)| !passes(next)) {
        None => Ok(()),
        Some((_, text)) => Err(Failure::error(format!(
            "the test does not pass with {text:?}, so that text cannot be a contrast"
        ))
        .hint("the text of `--contrast-input` replaces the longest text among the inputs")),
    }
}

impl Failing<'_> {
    /// Builds the test with these runs.
    pub(super) fn tried(
        self,
        session: &Session,
        chosen: &ChosenRuns<'_>,
    ) -> Result<TriedRuns, Failure> {
        let cuts = &chosen.expectations.unreached;
        let mut tried = self.tried_without(session, chosen, cuts)?;
        // Types may be known only by what stands behind.
        if !cuts.is_empty() && matches!(tried, TriedRuns::Refused(_)) {
            tried = self.tried_without(session, chosen, &[])?;
        }
        Ok(tried)
    }

    /// The same without these pieces of the test.
    fn tried_without(
        self,
        session: &Session,
        chosen: &ChosenRuns<'_>,
        cuts: &[Cut],
    ) -> Result<TriedRuns, Failure> {
        let Some((sources, contrast)) = self.with_runs(chosen, cuts) else {
            return Ok(TriedRuns::Refused("they cannot be written out in one file"));
        };
        let guarded = self.guarded(&sources, &contrast);
        // Not all statements can be left out.
        let mut tried = TriedRuns::NOT_PLAIN;
        for asking in guarded.into_iter().chain([(sources, contrast, 0..0)]) {
            tried = self.tried_asking(session, chosen, asking)?;
            if matches!(tried, TriedRuns::Pass { .. }) {
                break;
            }
        }
        Ok(tried)
    }

    /// The same with these sources, which ask for inputs.
    fn tried_asking(
        self,
        session: &Session,
        chosen: &ChosenRuns<'_>,
        asking: (Sources, Contrast, Range<usize>),
    ) -> Result<TriedRuns, Failure> {
        let (sources, contrast, guards) = asking;
        let code = self.code_job.subject;
        let compile_plan = CompilePlan::as_it_is(code, Shortcuts::All);
        let interrupt = &session.interrupt;
        let compiler = compiler_in("runs", &session.config, code, &compile_plan, interrupt);
        // A value that is written out need not compile without the test around it.
        let Some((compiler, library)) = with_library(compiler, &contrast.inputs, interrupt) else {
            return Ok(TriedRuns::NOT_PLAIN);
        };
        let trial = Trial { failing: self, session, compiler };
        let asking = Asking { sources, contrast, guards, library };
        let tried = trial.shape(asking, chosen);
        count(session, &trial.compiler);
        tried.map_err(|error| trouble(&error))
    }
}

/// Plain builds of the test with its runs.
pub(super) struct Trial<'a> {
    pub(super) failing: Failing<'a>,
    pub(super) session: &'a Session,
    pub(super) compiler: Compiler,
}

/// Sources that ask for inputs, and the build that tells what of them runs.
struct Traced<'a> {
    sources: &'a Sources,
    build: Option<Answer<SwitchBuild>>,
}

/// Sources that ask for inputs.
struct Asking {
    sources: Sources,
    contrast: Contrast,
    /// The inputs that say whether a statement of the test runs.
    guards: Range<usize>,
    /// The library that knows all of them.
    library: String,
}

impl Trial<'_> {
    /// The subject with a driver for the runs that pass in a plain build.
    fn shape(&self, asking: Asking, chosen: &ChosenRuns<'_>) -> Result<TriedRuns, OracleError> {
        let Asking { mut sources, mut contrast, guards, mut library } = asking;
        let code = self.failing.code_job;
        if !chosen.expectations.are_kept
            && let Some(free) = self.failing.expecting_nothing(&sources)
        {
            sources = free;
        }
        let all: Vec<usize> = (1..contrast.runs()).collect();
        let (passing, failing) = all.split_at(chosen.passing.len().min(all.len()));
        let (ended, build) =
            with_traced_build(self.session, code, &sources, &library, |building| {
                let ended = self.ended(&sources, passing, failing);
                if ended.as_ref().map_or(true, |(_, ended)| ended.passing.is_empty()) {
                    building.set();
                }
                ended
            });
        let (approach, ended) = ended?;
        let EndedRuns { passing, failing } = ended;
        if passing.is_empty() {
            return Ok(TriedRuns::NOT_PLAIN);
        }
        let mut wanted: Vec<usize> =
            passing.iter().map(|ended| ended.run).filter(|run| *run <= chosen.given).collect();
        if wanted.len() < chosen.given {
            return Ok(TriedRuns::Refused(
                "the test does not pass with a given text in a plain build",
            ));
        }
        let nearest = passing.iter().filter_map(|ended| ended.level).min();
        let mark = nearest.zip(approach.as_ref()).and_then(|(level, approach)| {
            (level < approach.entry_level()).then(|| approach.marked_at(level))
        });
        let traced = Traced { sources: &sources, build };
        let (ranked, mut failing) = self.nearest_first(traced, passing, failing, chosen)?;
        let Ranked { mut runs, near, are_alike, all_miss } = ranked;
        runs.retain(|run| !wanted.contains(run));
        wanted.append(&mut runs);
        let mut runs = wanted;
        runs.truncate(MOST);
        failing.truncate(MOST_FAILING);
        if let Some(mut left_out) = self.left_out(&sources, &contrast, guards, &runs)? {
            failing.append(&mut left_out.failing);
            (contrast, library) = (left_out.contrast, left_out.library);
        }
        let driven = Driven {
            passing: &runs,
            failing: &failing,
            is_marked: mark.is_some(),
            ends_process: self.ends_process(),
        };
        let sources = sources.edit_all(&mark);
        let driven = self.failing.driven(&sources, driven);
        let Some(sources) = driven.filter(|_| !runs.is_empty()) else {
            return Ok(TriedRuns::NOT_PLAIN);
        };
        // Where nothing is made of nothing, what makes something else of more may be anything.
        let are_emptied = self.failing.code_job.fails_in_test() && contrast.are_emptied(&runs);
        let are_shown = !written_out(&sources, &contrast, &runs, 1).passing.is_empty();
        let shape = CodeShape {
            crates: code.subject.original.crates.clone(),
            sources,
            contrast: Some(Arc::new(Runs {
                contrast,
                passing: runs,
                are_recorded: chosen.recorded.is_some(),
                reach: Reach::of(approach.is_some() && mark.is_none(), all_miss),
                beyond: approach.and_then(|it| it.missed_by(nearest)),
                say_little: are_alike || are_emptied || !are_shown,
                library,
            })),
            companions: Arc::default(),
        };
        Ok(TriedRuns::Pass { near, shape })
    }

    /// Whether the failing run takes the process with it.
    pub(super) fn ends_process(&self) -> bool {
        self.failing.start.original.signature.kind.ends_its_process()
    }

    /// Which of these runs end as they have to in a plain build, and how near to the place of the failure they come, if
    /// that can be told.
    fn ended(
        &self,
        sources: &Sources,
        passing: &[usize],
        failing: &[usize],
    ) -> Result<(Option<Approach>, EndedRuns), OracleError> {
        let ends_process = self.ends_process();
        let driven = Driven { passing, failing, is_marked: false, ends_process };
        let matcher = &self.failing.code_job.matcher;
        let approach = Approach::of(sources, |place| matcher.stands_at(place));
        // Marks are nothing that all code takes, so there is a build without.
        for approach in approach.map(Some).into_iter().chain([None]) {
            let marked = sources.edit_all(&approach.as_ref().map(Approach::marked_with_entry));
            let Some(driven) = self.failing.driven(&marked, driven) else {
                break;
            };
            let driver = TestName::fixed(&self.failing.code_job.subject.test).run_by(DRIVER);
            if let Some(printed) = self.printed(&driven, driver.original())? {
                return Ok((approach, EndedRuns::read(&printed)));
            }
        }
        Ok((None, EndedRuns::default()))
    }

    /// The runs that pass, those first that differ least from the failing one in what runs, and from each other; and those
    /// that fail as it does.
    fn nearest_first(
        &self,
        Traced { sources, build }: Traced<'_>,
        runs: Vec<EndedRun>,
        alike: Vec<FailedRun>,
        chosen: &ChosenRuns<'_>,
    ) -> Result<(Ranked, Vec<usize>), OracleError> {
        let code_job = self.failing.code_job;
        let others = alike.iter().map(|failed| failed.run);
        let others = others.chain(runs.iter().map(|ended| ended.run));
        let numbers: Vec<usize> = std::iter::once(FAILING).chain(others).collect();
        let asking =
            AskingRuns { code_job, sources, runs: &numbers, interrupt: &self.session.interrupt };
        let traces = asking.traces(build)?;
        let failing_and_passing: Vec<usize> =
            std::iter::once(FAILING).chain(runs.iter().map(|ended| ended.run)).collect();
        let mut traces = traces.into_iter();
        let Some(failing) = traces.next().flatten() else {
            return Ok((Ranked::without_traces(runs), different_first(alike)));
        };
        let alike = direct_first(&failing, alike.into_iter().zip(traces.by_ref()).collect());
        let runs = runs.into_iter().zip(traces).map(|(ended, trace)| {
            // The failing run is the first one.
            let neighbour = chosen.passing.get(ended.run - 1).filter(|_| chosen.are_beside_failing);
            TracedRun { ended, trace, lacks: neighbour.and_then(Neighbour::lacks) }
        });
        let mut ranked = by_distance(&failing, runs);
        // Only there it decides what else is asked, and what is in doubt.
        if code_job.fails_in_test() && !ranked.all_miss {
            let asking = AskingRuns { runs: &failing_and_passing, ..asking };
            ranked.all_miss = asking.first_enters_alone(&self.compiler)?;
        }
        Ok((ranked, alike))
    }

    /// What a test of `sources` prints; `None` if these do not compile.
    pub(super) fn printed(
        &self,
        sources: &Sources,
        test: &str,
    ) -> Result<Option<String>, OracleError> {
        let code_job = self.failing.code_job;
        let confine = |job: Job| code_job.confine(job.env(runs::ASKED, "1"));
        let run = code_job.run(test, &confine);
        let look = |compiled: Compiled| match &compiled.binary {
            Some(binary) => {
                let finished = run.run(binary, &self.session.interrupt)?.finished;
                Ok(Some(finished.stderr.text()))
            }
            None => Ok(None),
        };
        self.compiler.with_compiled(sources, Depth::Link, &self.session.interrupt, look)
    }
}

/// Whether the test is a function that anything can call.
fn is_callable(subject: &Subject) -> bool {
    let facts = &subject.located.facts;
    facts.harness == Harness::Plain && !facts.is_async && facts.should_panic.is_none()
}

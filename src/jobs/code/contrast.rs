//! The contrast: runs of the test with other inputs that go on passing while the code is reduced.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::code_job::{CodeJob, CompilePlan, compiler_in};
use super::subject::{CodeShape, CodeSubject};
use super::switches::traces;
use super::with_runs::sites;
use crate::app::config::{Config, ContrastChoice};
use crate::app::failure::Failure;
use crate::app::session::Session;
use crate::compile::{CompileCounts, Compiled, Compiler, Depth, Shortcuts};
use crate::exec::{Interrupt, Job};
use crate::jobs::inputs::search::trouble;
use crate::jobs::inputs::search_inputs::{Asked, ask_neighbours};
use crate::jobs::inputs::start::Start;
use crate::jobs::inputs::subject::Subject;
use crate::oracle::code::TestName;
use crate::oracle::signature::{FailureKind, Location};
use crate::probe::runs::{self, LIBRARY, library};
use crate::project::TargetKind;
use crate::reduce::OracleError;
use crate::reduce::inputs::{Inputs, Neighbour, NodeId};
use crate::rust::runs::{Contrast, DRIVER};
use crate::rust::{Sources, scan};
use crate::source::{FileIndex, Harness, TestCode};

/// So many neighbours have to pass, and so many have to fail, at most: a call of the test each, for every candidate.
const MOST: usize = 12;
const MOST_FAILING: usize = 6;
/// So many of those in which the same places run, and those that miss up to so many times as many places of the failing
/// run as the nearest one.
const MOST_ALIKE: usize = 2;
const NEAR: usize = 3;
/// So many are asked whether they pass in a plain build, too.
const MOST_ASKED: usize = 160;
const MOST_ASKED_FAILING: usize = 48;
/// So many symbols of the code under test are tried in inputs, and from literals no longer than this.
const MOST_SYMBOLS: usize = 24;
const LONGEST_LITERAL: usize = 4;
/// So many have a test of their own in the result.
const SHOWN: usize = 3;

/// The runs of a test.
#[derive(Debug)]
pub struct Runs {
    /// Their inputs.
    pub contrast: Contrast,
    /// Those that have to pass.
    pub passing: Vec<usize>,
    /// The library that knows them, as `NAME=PATH`.
    pub library: String,
}

impl Runs {
    /// The inputs of a run that differ between some of those that are shown, as Rust source.
    #[must_use]
    pub fn inputs_of(&self, run: usize) -> String {
        let value = |values: &Vec<String>, run: usize| values.get(run).cloned().unwrap_or_default();
        let differing = self.contrast.inputs.iter().filter(|values| {
            let mut shown = self.shown().iter();
            shown.any(|run| value(values, *run) != value(values, 0))
        });
        let texts = differing.map(|values| value(values, run));
        texts.collect::<Vec<String>>().join(", ")
    }

    /// Of these that have to pass the result has a test each.
    #[must_use]
    pub fn shown(&self) -> &[usize] {
        &self.passing[..self.passing.len().min(SHOWN)]
    }
}

/// Inputs that fail, and what is known of the test that has them.
#[derive(Clone, Copy)]
pub struct Failing<'a> {
    /// The code.
    pub code: &'a CodeSubject,
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
}

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
pub fn contrasted(
    session: &mut Session,
    config: &Config,
    failing: Failing<'_>,
) -> Result<ContrastResult, Failure> {
    let Failing {
        code, start, best, ..
    } = failing;
    let subject = &start.subject;
    // After other kinds of failures the process does not go on.
    let kind = start.original.signature.kind;
    if !matches!(kind, FailureKind::Panic | FailureKind::Error) || !is_callable(subject) {
        return Ok(ContrastResult::nothing(
            "the test cannot be run with several inputs".to_owned(),
        ));
    }
    let expectations = Expectations::of(start);
    let may_differ = |id: NodeId| sites(subject, id).is_some();
    let asked = Asked {
        best,
        may_differ: &may_differ,
        symbols: &symbols(&code.original.sources),
        places: expectations.in_probe(start),
    };
    let found = ask_neighbours(session, config, start, asked)?;
    let message = format!(
        "{} of {} neighbours of the inputs pass",
        found.passing.len(),
        found.asked
    );
    let mut chosen = choose(found.passing, MOST_ASKED);
    if chosen.is_empty() {
        return Ok(ContrastResult::nothing(message));
    }
    let passing = chosen.len();
    chosen.extend(choose(found.failing, MOST_ASKED_FAILING));
    let Some((sources, contrast)) = failing.with_runs(&chosen) else {
        return Ok(ContrastResult::nothing(format!(
            "{message}, but they cannot be written side by side"
        )));
    };
    let compile_plan = CompilePlan {
        shape: code.original.clone(),
        shortcuts: Shortcuts::All,
        name: TestName::fixed(&code.test),
    };
    let interrupt = &session.interrupt;
    let compiler = compiler_in("runs", config, code, &compile_plan, interrupt);
    let text = library(&contrast.inputs);
    let shape = match compiler.library(LIBRARY, &text, interrupt) {
        Ok(library) => {
            let trial = Trial {
                failing,
                compiler: RefCell::new(compiler.using(&library)),
                interrupt,
            };
            let shape = trial.shape(sources, contrast, (passing, expectations.are_kept), library);
            let CompileCounts { builds, checks } = trial.compiler.borrow().counts();
            session.count_builds(builds, checks);
            shape.map_err(|error| trouble(&error))?
        }
        // A value that is written out need not compile without the test around it.
        Err(_) => None,
    };
    Ok(match shape {
        Some(shape) => ContrastResult {
            message,
            shape: Some(shape),
        },
        None => ContrastResult::nothing(format!("{message}, but not in a plain build")),
    })
}

/// The symbols that the code looks for: those in its short literals that are no letters, the most frequent first.
fn symbols(sources: &Sources) -> Vec<char> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for file in &sources.files {
        let literals = scan::pieces(&file.text).filter(|piece| piece.kind == scan::PieceKind::Str);
        let inside = literals.filter_map(|piece| short_literal(piece.text));
        for symbol in inside.flat_map(str::chars) {
            if !symbol.is_alphanumeric() && !symbol.is_control() {
                *counts.entry(symbol).or_default() += 1;
            }
        }
    }
    let mut all: Vec<(char, usize)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| Reverse(*count));
    let all = all.into_iter().map(|(symbol, _)| symbol);
    all.take(MOST_SYMBOLS).collect()
}

/// What stands in the quotes of a literal, if that is short.
fn short_literal(text: &str) -> Option<&str> {
    let inside = text.get(text.find(['"', '\''])? + 1..text.len().checked_sub(1)?)?;
    (inside.len() <= LONGEST_LITERAL).then_some(inside)
}

/// Plain builds of the test with its runs.
struct Trial<'a> {
    failing: Failing<'a>,
    compiler: RefCell<Compiler>,
    interrupt: &'a Interrupt,
}

impl Trial<'_> {
    /// The subject with `sources` that ask for inputs, and with a driver for the runs that pass in a plain build.
    fn shape(
        &self,
        mut sources: Sources,
        contrast: Contrast,
        (passing, are_kept): (usize, bool),
        library: String,
    ) -> Result<Option<CodeShape>, OracleError> {
        let Failing { code, .. } = self.failing;
        if !are_kept {
            if let Some((body, marked)) = self.failing.marked(&sources) {
                let printed = self.printed(&marked, &code.test, false)?;
                let cut = printed.and_then(|printed| self.failing.cut(&sources, &body, &printed));
                sources = cut.unwrap_or(sources);
            }
            if let Some(free) = self.failing.expecting_nothing(&sources) {
                sources = free;
            }
        }
        let all: Vec<usize> = (1..contrast.runs()).collect();
        let (passing, failing) = all.split_at(passing.min(all.len()));
        let Some(driven) = self.failing.driven(&sources, (passing, failing)) else {
            return Ok(None);
        };
        let driver = TestName::fixed(&code.test).run_by(DRIVER);
        let printed = self.printed(&driven, driver.original(), true)?;
        let as_said = printed.map_or_else(Vec::new, |printed| runs::as_expected(&printed));
        let of = |runs: &[usize]| -> Vec<usize> {
            let runs = runs.iter().copied().filter(|run| as_said.contains(run));
            runs.collect()
        };
        let mut passing = self.nearest_first(&sources, of(passing))?;
        passing.truncate(MOST);
        let mut failing = of(failing);
        failing.truncate(MOST_FAILING);
        let driven = self.failing.driven(&sources, (&passing, &failing));
        Ok(driven
            .filter(|_| !passing.is_empty())
            .map(|sources| CodeShape {
                crates: code.original.crates.clone(),
                sources,
                contrast: Some(Arc::new(Runs {
                    contrast,
                    passing,
                    library,
                })),
            }))
    }

    /// These runs, those first that differ least from the failing one in what runs, and from each other.
    fn nearest_first(
        &self,
        sources: &Sources,
        runs: Vec<usize>,
    ) -> Result<Vec<usize>, OracleError> {
        let Failing { code, code_job, .. } = self.failing;
        let all = [&[FAILING], &runs[..]].concat();
        let confined =
            |job: Job, run: usize| code_job.confine(job.env(runs::CHOSEN, run.to_string()));
        let mut compiler = self.compiler.borrow_mut();
        let compiling = (&mut *compiler, self.interrupt);
        let traces = traces(code_job, sources, (&code.test, &all), &confined, compiling)?;
        let mut traces = traces.into_iter();
        let Some(failing) = traces.next().flatten() else {
            return Ok(runs);
        };
        Ok(by_distance(&failing, runs.into_iter().zip(traces)))
    }

    /// What a test of `sources` prints; `None` if these do not compile.
    fn printed(
        &self,
        sources: &Sources,
        test: &str,
        is_asked: bool,
    ) -> Result<Option<String>, OracleError> {
        let code_job = self.failing.code_job;
        let confine = |job: Job| {
            code_job.confine(if is_asked {
                job.env(runs::ASKED, "1")
            } else {
                job
            })
        };
        let run = code_job.run(test, &confine);
        let look = |compiled: Compiled| match &compiled.binary {
            Some(binary) => {
                let (_, finished) = run.run(binary, self.interrupt)?;
                Ok(Some(finished.stderr.text()))
            }
            None => Ok(None),
        };
        let compiler = self.compiler.borrow();
        compiler.with_compiled(sources, Depth::Link, self.interrupt, look)
    }
}

/// The number of the run that fails.
const FAILING: usize = 0;

/// Runs in the order of how much they miss of what runs in the failing one: those that part from it early would only
/// keep code that has nothing to do with the failure. Of those with the same trace a few are enough; those that tell
/// of none come only where there are no others.
fn by_distance(
    failing: &[bool],
    runs: impl Iterator<Item = (usize, Option<Vec<bool>>)>,
) -> Vec<usize> {
    let mut seen: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize, usize, usize)> = Vec::new();
    let mut untold = Vec::new();
    for (run, trace) in runs {
        let Some(trace) = trace else {
            untold.push(run);
            continue;
        };
        let count = |ran: bool| {
            let places = trace.iter().zip(failing);
            places
                .filter(|(one, other)| one != other && **one == ran)
                .count()
        };
        // What runs where the failing one has ended is only the price of getting that far.
        let (missed, more) = (count(false), count(true));
        let before = seen.entry(trace).or_default();
        if *before < MOST_ALIKE {
            ranked.push((missed, *before, more, run));
        }
        *before += 1;
    }
    ranked.sort_unstable();
    let Some((nearest, ..)) = ranked.first().copied() else {
        return untold;
    };
    let near = ranked
        .into_iter()
        .filter(|(missed, ..)| *missed <= NEAR * (nearest + 1));
    near.map(|(.., run)| run).collect()
}

impl ContrastResult {
    fn nothing(message: String) -> Self {
        ContrastResult {
            shape: None,
            message,
        }
    }
}

/// Whether the test is a function that anything can call.
fn is_callable(subject: &Subject) -> bool {
    let facts = &subject.located.facts;
    facts.harness == Harness::Plain && !facts.is_async && facts.should_panic.is_none()
}

/// What the test expects.
struct Expectations {
    /// The assertions of its function, by their places in the plain source.
    places: Vec<(FileIndex, usize)>,
    /// Whether the failure is one of an assertion, so that they all stay.
    are_kept: bool,
}

impl Expectations {
    fn of(start: &Start) -> Self {
        let subject = &start.subject;
        let code = match subject.target.choice.kind {
            TargetKind::Lib | TargetKind::Bin => TestCode::Marked,
            _ => TestCode::Crate,
        };
        let all = subject.krate.assertions(code);
        let failed = { start.original.signature.location.as_ref() }
            .and_then(|location| subject.offset_of(location));
        let are_kept = failed.is_some_and(|failed| all.contains(&failed));
        let located = &subject.located;
        let is_here = |(file, offset): &(FileIndex, usize)| {
            *file == located.file && located.span.contains(offset)
        };
        Expectations {
            places: all
                .into_iter()
                .filter(|place| is_here(place) && !are_kept)
                .collect(),
            are_kept,
        }
    }

    /// Their places in the probe.
    fn in_probe(&self, start: &Start) -> Vec<Location> {
        let all = start.subject.expectations(&start.probe.rewritten.files);
        let Some((file, edits)) = { start.probe.rewritten.files.iter() }
            .find(|(file, _)| *file == start.subject.located.file)
        else {
            return Vec::new();
        };
        let text = edits.apply(&start.subject.krate.file(*file).text);
        let name = start.subject.name(*file);
        let here = { self.places.iter() }.filter_map(|(_, offset)| {
            Location::of_offset(name.clone(), &text, edits.to_new(*offset))
        });
        let here: Vec<Location> = here.collect();
        all.into_iter()
            .filter(|place| here.contains(place))
            .collect()
    }
}

/// Some of them, as different from each other as can be: one of each kind of difference at each input in turn, at
/// another place each time.
fn choose(mut passing: Vec<Neighbour>, most: usize) -> Vec<Neighbour> {
    fn numbered<K: Ord>(passing: &[Neighbour], kind: impl Fn(&Neighbour) -> K) -> Vec<usize> {
        let mut seen: BTreeMap<K, usize> = BTreeMap::new();
        let mut number = |next: &Neighbour| {
            let count = seen.entry(kind(next)).or_default();
            *count += 1;
            *count
        };
        passing.iter().map(&mut number).collect()
    }
    let at_place = numbered(&passing, |next| (next.site, next.difference, next.place));
    let mut at_place = at_place.into_iter();
    passing.sort_by_cached_key(|_| at_place.next());
    let of_kind = numbered(&passing, |next| (next.site, next.difference));
    let mut of_kind = of_kind.into_iter();
    passing.sort_by_cached_key(|next| (of_kind.next(), next.difference));
    passing.truncate(most);
    passing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_get_as_far_as_the_failing_one_come_first_and_those_that_do_not_are_left_out() {
        let failing = [true; 6];
        let without = |places: usize| Some((0..6).map(|place| place >= places).collect());
        let runs = [
            (1, without(6)),
            (2, without(1)),
            (3, without(1)),
            (4, without(0)),
            (5, None),
            (6, without(1)),
            (7, without(3)),
        ];
        assert_eq!(by_distance(&failing, runs.into_iter()), [4, 2, 3, 7]);
        let untold = [(1, None), (2, None)];
        assert_eq!(by_distance(&failing, untold.into_iter()), [1, 2]);
    }
}

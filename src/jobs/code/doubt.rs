//! Why the result of a search may fail without the bug, too, and what it still tells apart.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::code_job::CodeJob;
use super::compile_plan::{CompilePlan, compiler_in, count, with_library};
use super::necessity_report::Statement;
use super::package::Kept;
use super::reduced_code::ReducedCode;
use super::shape::{CodeShape, Reach, Telling};
use super::with_runs::linked;
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::compile::{Compiled, Depth, Shortcuts};
use crate::emit::left::statement;
use crate::exec::{Interrupt, Job};
use crate::probe::runs::{TRAIL, Trail};
use crate::project::Diagnostic;
use crate::reduce::{Answer, RangeExt};
use crate::report::Contrast;
use crate::rust::runs::{entries, waits_for_turn};
use crate::rust::{
    OriginalPlace, OriginalRange, Reduction, Sources, function_around, function_of, functions_in,
    ignoring_function, stand_together, statement_around,
};
use crate::source::{asserts, is_item, prints};

/// So many idle steps are tried with all of the code, a build each.
const MOST_STEPS: usize = 8;
/// For so long: the result is there.
const STEPS_TIME: Duration = Duration::from_secs(10);
/// So often is looked whether a step matters, the second time without the assertions that do not compile without it.
const LOOKS_AT_STEP: usize = 2;

/// What settles a doubt.
const SETTLES: &str = "`--also-pass TEST` or `--passes-with NAME@VERSION` settles that";

/// What the result still tells apart, and why it is in doubt, if it is.
pub fn contrasted(
    code_job: &CodeJob<'_>,
    found: &ReducedCode,
) -> (Option<Contrast>, Option<String>) {
    // Runs that no plain test shows are not seen by anybody who has the result.
    let shown = found.contrast.as_ref().filter(|_| !found.passing.is_empty());
    let companions = &found.compile_plan.shape.companions;
    let doubt = match shown {
        None if !companions.names.is_empty() => Some(
            "the passing tests do not run all of the code that the failing test runs, so the reduced code may fail \
             even without the bug",
        ),
        None => Some(
            "no passing test or similar passing input was found, so the reduced code may fail even without the bug",
        ),
        // Other inputs deserve that value by chance only.
        Some(runs) if runs.are_recorded => {
            Some("the passing tests expect whatever the code computes today, which may be wrong")
        }
        Some(runs) if runs.reach == Reach::Elsewhere => Some(
            "with the passing inputs the code that fails does not run, so the reduced code may fail even without the bug",
        ),
        Some(runs) if runs.reach == Reach::Some && code_job.fails_in_test() => Some(
            "no passing input runs all of the code that runs with the failing one, so the reduced code may fail even \
             without the bug",
        ),
        Some(runs) if code_job.fails_in_test() && runs.contrast.are_emptied(&runs.passing) => Some(
            "the test passes only with nothing in the place of an input, which says little of what the code makes of more, so \
             the reduced code may fail even without the bug",
        ),
        Some(runs) if code_job.fails_in_test() && found.tells_fewer_apart(runs) => Some(
            "the reduced code no longer reads all that differs between the inputs that pass, so it may fail even without \
             the bug",
        ),
        Some(_) if code_job.expects_a_value() => Some(
            "the test compares with a fixed value, so other inputs pass only if they give exactly that value, and the \
             reduced code may fail even without the bug",
        ),
        Some(_) => None,
    };
    let are_recorded = shown.is_some_and(|runs| runs.are_recorded);
    // What is recorded may be wrong in all that no other test looks at.
    let is_settled = code_job.is_judged(companions)
        && (code_job.other.is_some()
            || companions.telling == Telling::OfAll
            || !found.contrast.as_ref().is_some_and(|runs| runs.are_recorded));
    let inputs = shown.map(|runs| {
        let chosen: Vec<usize> = found.passing.iter().map(|(_, run)| *run).collect();
        let mut texts = runs.inputs_of(&chosen);
        let passing = texts.split_off(1);
        (texts.concat(), passing)
    });
    let (failing, passing) = inputs.unzip();
    let passing = passing.unwrap_or_default();
    let tests = companions.names.clone();
    let contrast = statement(failing.as_deref(), &passing, are_recorded, &tests)
        .map(|statement| Contrast { failing, passing, tests, statement });
    let doubt = doubt.filter(|_| !is_settled).map(|doubt| format!("{doubt}; {SETTLES}"));
    (contrast, doubt)
}

/// Why the package that is left is in doubt besides: a step of the failing test no longer matters, though it does with all
/// of the code, or a test that has to pass runs none of the code. `why` tells what each statement of its `sources` is there for.
///
/// # Errors
/// When a test cannot be run.
pub fn doubt_in_code(
    session: &Session,
    code_job: &CodeJob<'_>,
    found: &ReducedCode,
    kept: &Kept,
    sources: &Sources,
    why: &[Statement],
) -> Result<Option<String>> {
    if code_job.other.is_some() {
        return Ok(None);
    }
    if code_job.expects_of_its_inputs()
        && let Some(step) =
            idle_step(session, code_job, &idle_steps(found, kept, sources, why), sources)?
    {
        return Ok(Some(format!(
            "the test fails in the same way without `{}`, so what that did may be needed for the bug; {SETTLES}",
            step.text.trim_end_matches(';')
        )));
    }
    if let Some(function) = ignoring(code_job, found, sources) {
        return Ok(Some(format!(
            "`{function}` no longer looks at what the failing test calls it with, so the reduced code may fail even without the \
             bug; {SETTLES}"
        )));
    }
    let unseen = unseen(session, code_job, found, sources)?;
    Ok(unseen.map(|unseen| match unseen {
        Unseen::All(test) => {
            format!("`{test}` passes without any of the code that the failing test runs, so it says nothing of the bug; {SETTLES}")
        }
        Unseen::Function(name) => {
            format!("only the failing test runs `{name}`, so the reduced code may fail even without the bug; {SETTLES}")
        }
    }))
}

/// The function that no longer looks at its arguments, where the failing test compares what comes of them and other tests alone
/// say what is right: they may call it with others, of which it makes the same.
fn ignoring(code_job: &CodeJob<'_>, found: &ReducedCode, sources: &Sources) -> Option<String> {
    let is_told = !found.passing.is_empty() || !code_job.config.code.also_pass.is_empty();
    if is_told || !code_job.fails_in_test() {
        return None;
    }
    let test = found.compile_plan.name.in_sources(sources);
    ignoring_function(&code_job.subject.original.sources, sources, &test)
}

/// What tests that pass do not see of the code that the failing one runs.
enum Unseen {
    /// This test sees nothing of it, but for what both have for themselves: what it looks at became a constant.
    All(String),
    /// None sees this function.
    Function(String),
}

/// What the tests beside the failing one do not see of the code that it runs, if that matters.
fn unseen(
    session: &Session,
    code_job: &CodeJob<'_>,
    found: &ReducedCode,
    sources: &Sources,
) -> Result<Option<Unseen>> {
    let companions = &found.compile_plan.shape.companions;
    if companions.names.is_empty() {
        return Ok(None);
    }
    let shape = CodeShape { sources: sources.clone(), ..found.compile_plan.shape.clone() };
    let compile_plan = CompilePlan { shape, ..found.compile_plan.clone() };
    // The user may have stopped the search, but wants to know what its result is worth.
    let interrupt = Interrupt::new();
    let compiler =
        compiler_in("trails", code_job.config, code_job.subject, &compile_plan, &interrupt);
    let Some((compiler, _)) = with_library(compiler, &[], &interrupt) else { return Ok(None) };
    let entries = entries(sources, false);
    let marked = linked(&compile_plan.shape.crates, &sources.edit_all(&entries.edits));
    let failing = compile_plan.name.in_sources(sources);
    let entered = |compiled: &Compiled, test: &str| -> Answer<BTreeSet<usize>> {
        let Some(binary) = &compiled.binary else { return Ok(BTreeSet::new()) };
        let confine = |job: Job| code_job.confine(job.env(TRAIL, "1"));
        let finished = code_job.run(test, &confine).run(binary, &interrupt)?.finished;
        let mut entered = Trail::read(&finished.stderr.text()).entered;
        entered.retain(|number| !entries.is_test(*number, function_of(&failing)));
        Ok(entered)
    };
    let look = |compiled: Compiled| {
        let own = entered(&compiled, &failing)?;
        let mut unseen = own.clone();
        for test in companions.names.iter().filter(|_| !own.is_empty()) {
            let test = found.compile_plan.companion_in(test, sources);
            let others = entered(&compiled, &test)?;
            if !others.is_empty() && others.is_disjoint(&own) {
                return Ok(Some(Unseen::All(test)));
            }
            unseen.retain(|number| !others.contains(number));
        }
        for (test, _) in &found.passing {
            let others = entered(&compiled, &found.compile_plan.companion_in(test, sources))?;
            unseen.retain(|number| !others.contains(number));
        }
        let unseen = unseen.iter().filter_map(|number| entries.functions.get(*number));
        let names: Vec<&str> = unseen.map(|function| &*function.name).collect();
        Ok(function_that_matters(code_job, &names, sources).map(Unseen::Function))
    };
    let found = compiler.with_compiled(&marked, Depth::Link, &interrupt, look);
    count(session, &compiler);
    found.map_err(|error| trouble(&error))
}

/// The first of these functions, which only the failing test runs, that did not stand beside it in the original, where any
/// wrong value of it would do for the failure, or it is itself what fails; none where the user has named the tests that say
/// what is right.
fn function_that_matters(
    code_job: &CodeJob<'_>,
    names: &[&str],
    sources: &Sources,
) -> Option<String> {
    if !code_job.config.code.also_pass.is_empty() {
        return None;
    }
    let failing = function_of(&code_job.subject.test);
    let place = code_job.matcher.place_in(sources);
    let at = place.and_then(|(file, at)| function_around(&sources.files[file].text, at));
    let any_would_do = place.is_none() || code_job.fails_in_test();
    let mut others = names.iter().filter(|name| any_would_do || at == Some(**name));
    let original = &code_job.subject.original.sources;
    others.find(|name| !stand_together(original, name, failing)).map(|name| (*name).to_owned())
}

/// The first of these idle steps that matters with all of the code, as far as a few builds tell.
fn idle_step<'w>(
    session: &Session,
    code_job: &CodeJob<'_>,
    steps: &[&'w Statement],
    sources: &Sources,
) -> Result<Option<&'w Statement>> {
    if steps.is_empty() {
        return Ok(None);
    }
    let whole = CompilePlan::as_it_is(code_job.subject, Shortcuts::All);
    let interrupt = Interrupt::new().until(Instant::now() + STEPS_TIME);
    let compiler = code_job.compiler("steps", &whole, &interrupt);
    let confine = |job: Job| code_job.confine(job);
    let run = code_job.run_in(&whole, &confine);
    let oracle = code_job.oracle(&compiler, None, &run, &whole, &interrupt);
    let all = &whole.shape.sources;
    let matters = |step: &Statement| -> Answer<bool> {
        let Some(at) = sources.original_range(step.file, &step.part.range) else { return Ok(true) };
        let mut removed = vec![(at.file, removal(all, at))];
        for _ in 0..LOOKS_AT_STEP {
            let without = all.edit_all(&removed);
            let (compiled, verdict) = oracle.observe(&without, &interrupt)?;
            if compiled.success {
                return Ok(!oracle.outcome(&verdict, &without).is_fail());
            }
            removed.extend(assertions_in_error(&compiled, &without, all));
        }
        Ok(true)
    };
    let mut found = steps.get(MOST_STEPS).copied();
    for step in steps.iter().take(MOST_STEPS) {
        let matters = match matters(step) {
            Err(error) if !interrupt.is_set() => return Err(trouble(&error)),
            // Nobody knows.
            Err(_) => true,
            Ok(matters) => matters,
        };
        if matters {
            found = Some(step);
            break;
        }
    }
    count(session, &compiler);
    Ok(found)
}

/// The removal of a statement, with the semicolon behind it.
fn removal(sources: &Sources, OriginalRange { file, mut range }: OriginalRange) -> Reduction {
    range.end += usize::from(sources.files[file].text[range.end..].starts_with(';'));
    Reduction::remove(range)
}

/// Removals of the assertions of all sources that do not compile `without` a step: what that made was only looked at.
fn assertions_in_error(
    compiled: &Compiled,
    without: &Sources,
    all: &Sources,
) -> Vec<(usize, Reduction)> {
    let spans = compiled.errors.iter().flat_map(Diagnostic::primary_spans);
    let places =
        spans.filter_map(|span| without.origin(without.position(span.file.as_str())?, span.start));
    let asserting = places.filter_map(|OriginalPlace { file, offset }| {
        let text = &all.files[file].text;
        let range = statement_around(text, offset)?;
        asserts(&text[range.clone()]).then_some(OriginalRange { file, range })
    });
    asserting.map(|at| (at.file, removal(all, at))).collect()
}

/// The steps of the test that no longer matter, but have to stay, since the test expects what it does of these steps.
fn idle_steps<'w>(
    found: &ReducedCode,
    kept: &Kept,
    sources: &Sources,
    why: &'w [Statement],
) -> Vec<&'w Statement> {
    let test = found.compile_plan.name.in_sources(&kept.sources);
    let functions = functions_in(sources, &[function_of(&test)]);
    let is_step = |it: &&Statement| {
        let covers = |(file, range): &(usize, Range<usize>)| {
            *file == it.file && range.covers(&it.part.range)
        };
        // An assertion that holds changes nothing, nor does what prints, or an item.
        let acts = it.text.contains('(')
            && !is_item(&it.text)
            && !asserts(&it.text)
            && !prints(&it.text)
            && !waits_for_turn(&it.text);
        it.is_idle && acts && functions.iter().any(covers)
    };
    let all: Vec<&Statement> = why.iter().filter(is_step).collect();
    let is_inside = |it: &Statement, around: &Statement| {
        it.file == around.file
            && it.part.range != around.part.range
            && around.part.range.covers(&it.part.range)
    };
    // What stands in one of them goes with it.
    all.iter().copied().filter(|it| !all.iter().any(|around| is_inside(it, around))).collect()
}

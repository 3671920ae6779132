//! The story of `--code`: from a failing test to the smallest package that still fails.

use std::time::Instant;

use super::clock::{Clock, Costs};
use super::code_job::CodeJob;
use super::companions::companions;
use super::difference::show_difference;
use super::doubt::{contrasted, doubt_in_code};
use super::expand::expand;
use super::first_inputs::{Starts, starts};
use super::left_package::LeftPackage;
use super::literals::with_small_literals;
use super::nearest_tests::{WantedTests, nearest_tests};
use super::necessity_report::{REPORT, Statement, explain, write_report};
use super::other::OtherSubject;
use super::package::{Kept, keep, watched_alone};
use super::reduced_code::ReducedCode;
use super::search::search;
use super::shape::{CodeShape, Companions, Reach, Runs};
use super::subject::CodeSubject;
use super::written_out::subject_in;
use crate::app::config::{Config, ContrastChoice};
use crate::app::each::each;
use crate::app::exit::Exit;
use crate::app::failure::{Failure, Result};
use crate::app::find::{Chosen, Wanted, find};
use crate::app::session::Session;
use crate::disk::ResultFolder;
use crate::jobs::inputs::other_version::unlocked;
use crate::jobs::inputs::start::{Original, SCRATCH, results, rule, see_failing, tell_failure};
use crate::oracle::code::CodeMatcher;
use crate::oracle::signature::{Match, Signature};
use crate::report::{Artifacts, Event, NextCommand, NextStep, ReducedFile, Status, Summary};
use crate::rust::Sources;
use crate::source::{Asserted, ExpectedValue};

/// Runs the job.
///
/// # Errors
/// When there is nothing to reduce or the environment prevents it.
pub fn run(session: &Session) -> Result<Exit> {
    let wanted = find(session)?;
    each(session, &wanted, |session, wanted| match wanted {
        Wanted::Built(chosen) => reduce(session, chosen),
        Wanted::Doc(_) | Wanted::OneOf(_) => Err(is_doc_test(wanted.name())),
    })
}

fn is_doc_test(name: &str) -> Failure {
    Failure::error(format!("`{name}` is a doc test, and `--code` cannot reduce code in a comment"))
        .hint("move the code into a `#[test]` function and run `cargo reduce --code` on that test")
}

fn reduce(session: &Session, chosen: &Chosen) -> Result<Exit> {
    let config = &session.config;
    let job = chosen.job(&chosen.binary, &config.test_args);
    let (baseline, signature) = see_failing(session, &job, chosen.runner, &chosen.test)?;
    tell_failure(session, &chosen.test, &chosen.package, &signature);
    let results = results(session, &chosen.test)?;
    let scratch = session.copy(&results, SCRATCH)?;
    session.stage("Building", "a copy, to record how cargo calls the compiler");
    let building = Instant::now();
    let seen = Original::new(signature.clone(), rule(config), baseline);
    let (mut subject, original) = subject_in(session, &scratch, chosen, seen)?;
    let built_in = building.elapsed();
    let before = subject.original.sources.clone();
    let is_in_copy = subject.written_out.is_some();
    let in_tree = if is_in_copy { &original.signature } else { &signature }.clone();
    let original = with_rule(session, &mut subject, original)?;
    let other = OtherSubject::new(session, chosen, &results, &original)?;
    let in_tree = Original { signature: in_tree, ..original.clone() };
    let mut code_job = CodeJob::new(config, &subject, other.as_ref(), &original, &results)?;
    let starts = all_starts(session, chosen, &mut code_job, in_tree)?;
    let config = session.config.after(session.counts().candidates);
    code_job.config = &config;
    let are_pinned = starts.are_pinned || code_job.pins_inputs() || code_job.expects_a_value();
    let costs = Costs {
        build: built_in,
        watching: watched_alone(code_job.config, &original),
        may_have_literals: !are_pinned,
    };
    let limit = code_job.config.control.max_time;
    let clock = Clock::start(&session.interrupt, session.started(), costs, limit);
    let mut apart = config.clone();
    apart.code.keep_layout = true;
    let (found, mut kept) = find_and_keep(session, &mut code_job, &apart, &starts.shapes, &clock)?;
    let are_pinned = are_pinned || !found.passing.is_empty();
    if let Some(interrupt) = clock.for_literals(found.end).filter(|_| !are_pinned) {
        let left = LeftPackage::new(&code_job, &found, &kept);
        kept = with_small_literals(session, &left, &found, &interrupt, kept)?;
    }
    let mut end = explained(session, &code_job, &found, &clock, kept)?;
    // Its place in the sources that the user knows.
    end.kept.signature.location = signature.location;
    conclude(session, &results, &before, &subject, &found, end)
}

/// The failure in the copy of the subject, in which macros are expanded, with how closely candidates must meet it.
fn with_rule(
    session: &Session,
    subject: &mut CodeSubject,
    mut original: Original,
) -> Result<Original> {
    expand(session, subject, &mut original)?;
    original.rule = rule_for(session, subject, &original.signature);
    Ok(original)
}

/// What the search starts from, with all that has to pass along.
fn all_starts(
    session: &Session,
    chosen: &Chosen,
    code_job: &mut CodeJob<'_>,
    in_tree: Original,
) -> Result<Starts> {
    let named = companions(code_job, &session.interrupt)?;
    code_job.find_call(session)?;
    let mut starts = starts(session, chosen, code_job, in_tree)?;
    match wanted_tests(code_job, starts.runs(), &named) {
        Some(wanted) => {
            let found = tests_beside(session, code_job, wanted)?;
            starts.pass_along(&found, code_job);
        }
        None => starts.pass_along(&named, code_job),
    }
    // Tests that the user has not named pass with most wrong values.
    if !code_job.is_judged(&named) && starts.runs().is_none() {
        code_job.hold_values();
    }
    code_job.hold_operands(session)?;
    for shape in &mut starts.shapes {
        *shape = code_job.shape_showing_operands(shape);
    }
    if let Some(message) = starts.message.take() {
        code_job.matcher = code_job.matcher.clone().or_message(message);
    }
    if code_job.original.baseline.is_worded_alike && code_job.pins_inputs() {
        code_job.matcher = code_job.matcher.clone().with_numbers();
    }
    let sources = &code_job.subject.original.sources;
    let files = match sources.files.len() {
        1 => "1 file".to_owned(),
        many => format!("{many} files"),
    };
    session.stage("Reducing", format!("{files}, {} tokens", sources.tokens()));
    Ok(starts)
}

/// What there is to say of a result, in the report beside it, too.
fn explained(
    session: &Session,
    code_job: &CodeJob<'_>,
    found: &ReducedCode,
    clock: &Clock,
    kept: Kept,
) -> Result<Ended> {
    let sources = found.in_its_files(&kept.sources);
    let why = explain(session, code_job, found, &sources, &clock.for_report(found.end))?;
    let (contrast, mut doubt) = contrasted(code_job, found);
    if doubt.is_none() {
        doubt = doubt_in_code(session, code_job, found, &kept, &sources, &why)?;
    }
    let statement = contrast.as_ref().map(|contrast| &*contrast.statement);
    write_report(&kept, statement, doubt.as_deref(), &why, found.end)?;
    if let Some(contrast) = contrast {
        session.tell(&Event::Contrast(contrast));
    }
    Ok(Ended { kept, doubt, why })
}

/// Searches from these shapes, and sees the plain test fail on what was found. Where it does not as one file,
/// the search starts over with the files `apart`.
fn find_and_keep<'c>(
    session: &Session,
    code_job: &mut CodeJob<'c>,
    apart: &'c Config,
    shapes: &[CodeShape],
    clock: &Clock,
) -> Result<(ReducedCode, Kept)> {
    let results = code_job.results;
    let find = |code_job: &CodeJob<'_>| -> Result<_> {
        let found = search(session, code_job, shapes, clock)?;
        let is_smaller = found.is_smaller_than(&code_job.subject.original.sources);
        found.end.or_earlier(is_smaller, results)?;
        session.stage("Confirming", "with `cargo test`");
        let keep_of = |found: &ReducedCode| {
            keep(session, code_job, found, &|kept| {
                let left = LeftPackage::new(code_job, found, kept);
                left.see_others_pass(session, &found.in_its_files(&kept.sources))
            })
        };
        let test = &code_job.subject.test;
        let keep_with = |most: usize| {
            let written = |found: &ReducedCode| {
                let plain = found.written_out(test, most);
                plain.taking_turns(test).unwrap_or(plain)
            };
            let plain = written(&found);
            let (why, other) = match (keep_of(&plain), found.with_slices()) {
                (Err(why), Some(other)) => (why, written(&other)),
                (kept, _) => return (plain, kept),
            };
            match keep_of(&other) {
                Ok(kept) => (other, Ok(kept)),
                Err(_) => (plain, Err(why)),
            }
        };
        let (plain, kept) = keep_with(found.shown());
        let why = match kept {
            Err(why) if !plain.passing.is_empty() => why,
            kept => return Ok((plain, kept)),
        };
        session.warn(format!(
            "the tests with similar inputs cannot stand beside the failing one ({why}), so the result does not show them"
        ));
        Ok(keep_with(0))
    };
    let (found, kept) = find(code_job)?;
    match kept {
        Ok(kept) => return Ok((found, kept)),
        Err(why) if why.status == Status::NotReproduced && found.compile_plan.shape.is_flat() => {
            session.warn(format!(
                "the code does not fail in the same way in a single file ({why}), so the files stay separate"
            ));
        }
        Err(why) => return Err(why),
    }
    code_job.config = apart;
    let (found, kept) = find(code_job)?;
    Ok((found, kept?))
}

/// The tests that pass today and run the same code.
fn tests_beside(
    session: &Session,
    code_job: &CodeJob<'_>,
    wanted: WantedTests,
) -> Result<Companions> {
    let found = nearest_tests(session, code_job, wanted)?;
    let count = found.names.len();
    let of = if found.of_library { " of the library" } else { "" };
    let tests = if count == 1 { "test" } else { "tests" };
    let run = if count == 1 { "runs" } else { "run" };
    session.stage("Contrast", format!("{count} passing {tests}{of} {run} the same code"));
    Ok(found)
}

/// The tests that have to pass along though the user has not named them: any where no other inputs pass that run the code
/// which fails, or those that do say little, or with others the test does not expect what is right; and where no other inputs
/// come to the place of the failure, one that does.
fn wanted_tests(
    code_job: &CodeJob<'_>,
    runs: Option<&Runs>,
    named: &Companions,
) -> Option<WantedTests> {
    // Where the test tells what is wrong, any code does for the places to which no other run comes.
    let are_near = |runs: &Runs| match runs.reach {
        Reach::Elsewhere => false,
        Reach::Some => !code_job.fails_in_test(),
        Reach::All => true,
    };
    // With a text of their own users have said what has to pass.
    let is_given = !code_job.config.code.contrast_inputs.is_empty();
    let has_inputs = runs.is_some_and(|it| is_given || !it.say_little && are_near(it));
    // Tests say what is right, but mostly of little; what the code computes today for inputs like the failing one is not said
    // to be right, but what is left has to go on with it.
    let are_any_near = runs.is_some_and(|runs| runs.reach != Reach::Elsewhere);
    let any = WantedTests::beside_inputs(are_any_near, code_job.fails_in_test());
    match code_job.config.code.contrast {
        _ if code_job.is_judged(named) => None,
        ContrastChoice::Auto if !has_inputs || code_job.expects_of_its_inputs() => Some(any),
        ContrastChoice::Tests => Some(any),
        ContrastChoice::Auto if !is_given => Some(WantedTests::coming_to(runs?.beyond?)),
        ContrastChoice::Auto | ContrastChoice::None | ContrastChoice::Inputs => None,
    }
}

/// How closely candidates must meet the failure: any wrong result would do for the default rule where
/// the test compares with a value, so it must stay the same one.
fn rule_for(session: &Session, subject: &CodeSubject, signature: &Signature) -> Match {
    let is_guarded =
        session.config.control.passes_with.is_some() || !session.config.code.also_pass.is_empty();
    let is_chosen = session.config.control.match_rule.is_some();
    let same = match CodeMatcher::asserted(signature, &subject.original.sources) {
        Some(Asserted::Values(Some(ExpectedValue::WrittenOut)) | Asserted::Shown) if !is_chosen => {
            Match::Exact
        }
        Some(Asserted::Values(Some(ExpectedValue::InVariable))) if !is_chosen => Match::Values,
        // Both are computed: what they have in common may go from both.
        Some(Asserted::Values(None)) if !is_chosen => {
            return Match::Difference.for_sides(signature, rule(&session.config));
        }
        _ => return rule(&session.config),
    };
    let hint =
        if is_guarded { "" } else { "; `--also-pass TEST` names a test that has to keep passing" };
    session.warn(format!(
        "the test compares a result with a fixed value, so only code with exactly the same wrong result counts{hint}"
    ));
    same
}

/// What there is to say at the end.
struct Ended {
    kept: Kept,
    /// Why the result may fail without the bug, too.
    doubt: Option<String>,
    /// What happens without each statement that is left.
    why: Vec<Statement>,
}

fn conclude(
    session: &Session,
    results: &ResultFolder,
    before: &Sources,
    subject: &CodeSubject,
    found: &ReducedCode,
    ended: Ended,
) -> Result<Exit> {
    let Ended { kept, doubt, why } = ended;
    tell_files(session, before, &kept.sources, &why);
    if session.config.code.diff_from_original {
        show_difference(session, subject, found, &kept.sources);
    }
    let status = found.end.status(session, found.is_smaller_than(before));
    let called = session.with(unlocked(&session.config));
    let commands = vec![NextCommand { verb: "Run it", command: kept.left.command(&called.config) }];
    let artifacts = Artifacts {
        package: Some(results.path().to_string()),
        report: Some(results.path().join(REPORT).into_string()),
        debug: Some(Box::new(kept.left.target(&called.config))),
        ..Artifacts::default()
    };
    let counts = session.counts();
    let shows_difference = NextStep {
        option: "--diff-from-original".into(),
        does: "shows what was removed from the code as a unified diff",
    };
    let next =
        if session.config.code.diff_from_original { Vec::new() } else { vec![shows_difference] };
    let mut summary = Summary {
        doubt,
        commands,
        next,
        ..counts.summary(status, Some(kept.signature), artifacts)
    };
    session.publish(results, &kept.folder, &mut summary)?;
    let exit = session.end(summary, session.config.control.strict);
    kept.left.show(&called)?;
    Ok(exit)
}

/// Tells what became of each file, or of all of them where they have become one.
fn tell_files(session: &Session, before: &Sources, kept: &Sources, why: &[Statement]) {
    let befores = &before.files;
    let lines = |text: &str| text.lines().count() as u64;
    let sum = |of: &dyn Fn(&str) -> u64| befores.iter().map(|file| of(&file.text)).sum();
    for (place, after) in kept.files.iter().enumerate() {
        let (files_before, bytes_before, lines_before) = if kept.files.len() == befores.len() {
            let before = &befores[place].text;
            (1, before.len() as u64, lines(before))
        } else {
            let bytes = sum(&|text| text.len() as u64);
            (befores.len(), bytes, sum(&lines))
        };
        let parts = why.iter().filter(|statement| statement.file == place);
        let before = match files_before {
            1 => befores[place].text.to_string(),
            _ => befores.iter().flat_map(|it| ["// ", &*it.path, "\n", &*it.text, "\n"]).collect(),
        };
        session.tell(&Event::File(ReducedFile {
            path: after.path.to_string(),
            files_before,
            bytes_before,
            bytes_after: after.text.len() as u64,
            lines_before,
            lines_after: lines(&after.text),
            before,
            after: after.text.to_string(),
            parts: parts.map(|statement| statement.part.clone()).collect(),
        }));
    }
}

//! The inputs of the test, minimized before its code: with small ones less of the code runs, and it does
//! not have to stay as large as they were.

use std::time::{Duration, Instant};

use super::code_job::CodeJob;
use super::contrast::{self, contrasted};
use super::failing::{ContrastResult, Failing};
use super::literals::{Changed, changes};
use super::shape::{CodeShape, Companions, Reach, Runs};
use super::subject::CodeSubject;
use crate::app::config::{Config, Goal, TestJob};
use crate::app::failure::{Failure, Result};
use crate::app::find::Chosen;
use crate::app::limits::time_limit;
use crate::app::session::Session;
use crate::disk::ResultFolder;
use crate::exec::run_tool;
use crate::jobs::inputs::doubt::open_question;
use crate::jobs::inputs::search_inputs::search;
use crate::jobs::inputs::start::{Original, Start, rule_for, start_with};
use crate::jobs::inputs::subject::{Sources as TestSources, Subject};
use crate::oracle::libtest::{STACK_OVERFLOW, STACK_SIZE, Verdict};
use crate::oracle::signature::Match;
use crate::reduce::Candidate;
use crate::reduce::inputs::Inputs;
use crate::rust::{Reduction, Sources, function_of, with_own_items};
use crate::source::Tier;

/// Where that is done, in the folder of the result.
const FOLDER: &str = "inputs";

/// From how many elements on inputs come first: for less, a build costs more than they do.
const MANY: usize = 24;

/// How long it may take, and which share of the time and of the candidates: the code counts for more.
const LONGEST: Duration = Duration::from_secs(20);
const TIME_SHARE: f64 = 0.15;
const CANDIDATES_SHARE: u64 = 4;

/// The same for the contrast, for which code is compiled a few times: without it all that comes behind is worth less,
/// so that it ends early only where something is wrong, or the user has set a limit.
const LONGEST_CONTRAST: Duration = Duration::from_mins(5);
const CONTRAST_SHARE: f64 = 0.4;

/// How large a stack is tried, in bytes: several times the 2 MiB that a test has by itself.
const ROOMY_STACKS: [u64; 2] = [8 << 20, 4 << 20];

/// What the search starts from.
#[derive(Default)]
pub struct Starts {
    /// The best first: the subject with smaller inputs in its test, and as it is.
    pub shapes: Vec<CodeShape>,
    /// How the message of the failure reads with the smaller inputs, if it repeats one of them.
    pub message: Option<String>,
    /// Whether the inputs have to stay as they are.
    pub are_pinned: bool,
}

impl Starts {
    /// The runs that have to pass, if there are any.
    pub fn runs(&self) -> Option<&Runs> {
        self.shapes.iter().find_map(|shape| shape.contrast.as_deref())
    }

    /// Lets these tests pass along with `failing`: in all shapes, or in new ones before the others if they are of the
    /// library. Where they say what the code has to do, inputs with which the code that fails does not run are not needed.
    pub fn pass_along(&mut self, companions: &Companions, code_job: &CodeJob<'_>) {
        let failing = &code_job.subject.test;
        let is_failure = |place| code_job.matcher.stands_at(place);
        let is_elsewhere =
            |it: &CodeShape| it.contrast.as_ref().is_some_and(|it| it.reach == Reach::Elsewhere);
        self.shapes.retain(|shape| !companions.are_telling() || !is_elsewhere(shape));
        let shapes = self.shapes.iter();
        if companions.of_library {
            let with_tests = shapes.filter_map(|it| it.with_library_tests(companions.clone()));
            let with_tests = with_tests.map(|shape| companions.beside(&shape, failing));
            self.shapes = with_tests.chain(self.shapes.iter().cloned()).collect();
            return;
        }
        let original = &code_job.subject.original.sources;
        let beside = shapes.flat_map(|shape| {
            let alone = companions.with_failing_alone(shape, failing, is_failure);
            let shapes = alone.into_iter().chain([shape.clone()]);
            shapes
                .map(|shape| with_own_inputs(companions.beside(&shape, failing), failing, original))
        });
        self.shapes = beside.collect();
    }
}

/// What the search starts from. `original` is the failure as the user's tree shows it.
///
/// # Errors
/// When the user stops it.
pub fn starts(
    session: &Session,
    chosen: &Chosen,
    code_job: &CodeJob<'_>,
    original: Original,
) -> Result<Starts> {
    let mut starts = if code_job.expects_a_value() && !contrast::is_wanted(&session.config) {
        Starts::default()
    } else {
        with_small_inputs(session, chosen, code_job, original)?
    };
    starts.shapes.push(code_job.subject.original.clone());
    Ok(starts)
}

/// The same shape of the `original` sources with smaller inputs in the test `failing` only, where the tests that pass along
/// share them with it.
fn with_own_inputs(shape: CodeShape, failing: &str, original: &Sources) -> CodeShape {
    let companions = shape.companions.names.iter();
    let companions: Vec<&str> = companions.map(|name| function_of(name)).collect();
    let failing = function_of(failing);
    let own = with_own_items(original, &shape.sources, failing, &companions);
    CodeShape { sources: own.unwrap_or_else(|| shape.sources.clone()), ..shape }
}

/// The subject with smaller inputs in its test, if they are large or the contrast is asked for, and the probe can
/// change them. It still has to be seen to fail.
fn with_small_inputs(
    session: &Session,
    chosen: &Chosen,
    code_job: &CodeJob<'_>,
    original: Original,
) -> Result<Starts> {
    let subject = code_job.subject;
    let is_given = !session.config.code.contrast_inputs.is_empty();
    let none = |why: &str| if is_given { Err(no_contrast(why)) } else { Ok(Starts::default()) };
    let Some((mut inner, inputs)) = wanted(session, chosen, code_job, &original) else {
        return none("this test cannot run with several inputs in one build");
    };
    let is_contrasted = contrast::is_wanted(&inner.config);
    // With others it may rightly fail.
    let are_pinned = is_contrasted && open_question(&inputs, &original.signature).is_some();
    // What a test expects of its inputs it would expect of smaller ones, too.
    let are_kept = are_pinned && code_job.expects_of_its_inputs();
    let (verb, what) = if are_kept {
        ("Keeping", "the inputs as they are: the test may be wrong about any other input")
    } else if are_pinned {
        (
            "Minimizing",
            "the inputs first, as far as the test is likely to be right about smaller ones",
        )
    } else {
        ("Minimizing", "the inputs first, because smaller inputs run less of the code")
    };
    session.stage(verb, what);
    let limit = inner.config.control.max_time.map_or(LONGEST, |limit| LONGEST.min(limit));
    // To build takes as long as it takes, unless the user says otherwise.
    let whole = code_job.config.control.max_time;
    let end = whole.map(|whole| Instant::now() + time_of_both(whole, is_contrasted));
    inner.interrupt = session.interrupt.until_if(end);
    let limit = (!are_kept).then_some(limit);
    let small = minimize(&mut inner, chosen, inputs, original, limit);
    // Where they cannot be made smaller, the code can.
    let (start, mut best) = match small {
        Ok(small) => small,
        Err(failure) => {
            session.count_all_of(&inner);
            is_stopped(session)?;
            let why = failure.to_string();
            let first = why.lines().next().unwrap_or_default();
            session.stage("Keeping", format!("the inputs as they are: {first}"));
            return none(&why);
        }
    };
    let mut whole = start.subject.found.with_whole_statements(&best);
    let mut shapes = Vec::new();
    if is_contrasted {
        // To minimize them may have taken all of its time.
        inner.interrupt = session.interrupt.until_if(end).until(Instant::now() + LONGEST_CONTRAST);
        let contrast = |best: &Inputs| {
            let failing = Failing { start: &start, best, code_job };
            with_contrast(session, &inner, failing, is_given)
        };
        let mut found = contrast(&best)?;
        // What is gone may have told the compiler a type.
        if let Some(whole) = whole.take_if(|_| found.is_refused) {
            best = whole;
            found = contrast(&best)?;
        }
        if is_given && found.shape.is_none() {
            return Err(no_contrast(&found.message));
        }
        shapes.extend(found.shape);
    }
    session.count_all_of(&inner);
    is_stopped(session)?;
    let shape = &subject.original;
    let found = &start.subject.found;
    for inputs in [Some(&best), whole.as_ref()].into_iter().flatten() {
        let sources = edited(&shape.sources, subject, &changes(&start, inputs));
        if let Some(sources) = sources.filter(|sources| sources.key() < shape.sources.key()) {
            shapes.push(CodeShape { sources, ..shape.clone() });
        }
    }
    let (before, after) = (found.shown_size(&found.inputs), found.shown_size(&best));
    if after < before {
        session.stage("Minimized", format!("the inputs from {before} elements to {after}"));
    }
    inner.interrupt = session.interrupt.clone();
    let message = if are_kept { None } else { start.message_with(&inner, &best)? };
    Ok(Starts { shapes, message, are_pinned })
}

/// The subject with the contrast, if there is one; where that is given by the user, trouble ends the job.
fn with_contrast(
    session: &Session,
    inner: &Session,
    failing: Failing<'_>,
    is_given: bool,
) -> Result<ContrastResult> {
    match contrasted(inner, failing) {
        Ok(found) => {
            session.stage("Contrast", &found.message);
            Ok(found)
        }
        Err(error) if is_given => Err(error),
        Err(error) => {
            session.warn(format!("no similar passing input could be found: {error}"));
            Ok(ContrastResult::nothing(String::new()))
        }
    }
}

/// How long inputs and contrast may take together of the `whole` time: both need what is built, which is not cheaper where
/// there is little time.
fn time_of_both(whole: Duration, is_contrasted: bool) -> Duration {
    whole.mul_f64(if is_contrasted { TIME_SHARE + CONTRAST_SHARE } else { TIME_SHARE })
}

/// That a text which the user wants to pass cannot be one that has to.
fn no_contrast(why: &str) -> Failure {
    Failure::error(format!("`--contrast-input` cannot be used here: {why}"))
        .hint("without this option, passing tests that run the same code are used instead")
}

fn is_stopped(session: &Session) -> Result<()> {
    if session.interrupt.is_set() {
        return Err(Failure::interrupted());
    }
    Ok(())
}

/// How it is done, and with what, if it is to be done.
fn wanted(
    session: &Session,
    chosen: &Chosen,
    code_job: &CodeJob<'_>,
    original: &Original,
) -> Option<(Session, Subject)> {
    // What is flaky fails less often with less, and then the code has to be run more often.
    if !original.baseline.is_stable() {
        return None;
    }
    let inner = session.silent(inputs_config(&session.config, code_job.results)?);
    let inputs = large_inputs(&inner, chosen, code_job.subject, original)?;
    Some((inner, inputs))
}

/// How their part of the job is done, if it has to be done.
fn inputs_config(config: &Config, results: &ResultFolder) -> Option<Config> {
    let control = &config.control;
    let is_rebuilt = control.tier == Some(Tier::Rebuild);
    // Then the sources are other ones.
    if is_rebuilt || config.code.expand {
        return None;
    }
    let mut config = config.clone();
    config.job = TestJob::Inputs;
    config.goal = Goal::Minimize;
    config.out = Some(results.own(FOLDER));
    config.control.max_time = control.max_time.map(|time| time.mul_f64(TIME_SHARE));
    config.control.max_candidates = control.max_candidates.map(|most| most / CANDIDATES_SHARE);
    (config.control.max_candidates != Some(0)).then_some(config)
}

/// The inputs of a test that is a function of the user's, if they are large, or to be contrasted.
fn large_inputs(
    session: &Session,
    chosen: &Chosen,
    code: &CodeSubject,
    original: &Original,
) -> Option<Subject> {
    // What the test does before it fails may go.
    let failing = Some((&original.signature, &original.rule));
    let subject = match &code.written_out {
        Some(derived) => Subject::of_derived(session, chosen.target(), derived.clone()),
        None => Subject::without_inputs(session, chosen, TestSources::load(chosen).ok()?),
    };
    let subject = subject.ok()?;
    let subject = subject.reading_inputs(&session.config, failing).ok()?;
    let is_worth_it = subject.found.inputs.size() >= MANY || contrast::is_wanted(&session.config);
    is_worth_it.then_some(subject)
}

/// The smallest inputs that fail in the same way; the ones that there are, if there is no time for it.
fn minimize(
    session: &mut Session,
    chosen: &Chosen,
    inputs: Subject,
    original: Original,
    limit: Option<Duration>,
) -> Result<(Start, Inputs)> {
    let rule = match original.rule {
        Match::Exact => Match::Exact,
        Match::Values => Match::Values,
        _ => rule_for(session, &inputs, &original.signature),
    };
    let mut original = Original { rule, ..original };
    let roomy = roomy_stack(session, chosen, &original)?;
    if let Some((_, took)) = roomy {
        original.baseline.slowest = original.baseline.slowest.max(took);
    }
    let mut start = start_with(session, chosen, inputs, original)?;
    if let Some((stack, _)) = roomy {
        let env = &mut start.probe.binary.env;
        env.insert(STACK_SIZE.to_owned(), stack.to_string());
    }
    let Some(limit) = limit else {
        let best = start.subject.found.inputs.clone();
        return Ok((start, best));
    };
    session.interrupt = session.interrupt.until(Instant::now() + limit);
    let found = search(session, &start, None)?;
    Ok((start, found.best))
}

/// With how large a stack the failure that it overflows still happens, in bytes, and how long that took. The
/// inputs have to fill that: the frames of the code get smaller, too, and it has to overflow then.
///
/// # Errors
/// When the test cannot be run, or it overflows only the stack that it has.
fn roomy_stack(
    session: &Session,
    chosen: &Chosen,
    original: &Original,
) -> Result<Option<(u64, Duration)>> {
    let signature = &original.signature;
    if signature.message != STACK_OVERFLOW {
        return Ok(None);
    }
    let limit = time_limit(&session.config, signature, &original.baseline);
    for stack in ROOMY_STACKS {
        let job = chosen
            .job(&chosen.binary, &session.config.test_args)
            .time(limit)
            .env(STACK_SIZE, stack.to_string());
        let finished = run_tool(&job, &session.interrupt)?;
        if let Verdict::Failed(shown) = chosen.runner.interpret(&finished, &chosen.test)
            && shown.message == STACK_OVERFLOW
        {
            return Ok(Some((stack, finished.wall)));
        }
    }
    Err(Failure::error("the test overflows the stack only where the stack is small"))
}

/// The sources with these changes of files of the user's, as they stand in the copy.
fn edited(sources: &Sources, subject: &CodeSubject, changes: &[Changed<'_>]) -> Option<Sources> {
    let reductions: Option<Vec<_>> = changes
        .iter()
        .map(|Changed { path, text, edits }| {
            let file = subject.position(sources, path)?;
            (&*sources.files[file].text == *text).then(|| (file, Reduction::from(edits)))
        })
        .collect();
    Some(sources.edit_all(&reductions?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_build_may_take_the_time_of_the_contrast_too() {
        let minute = Duration::from_mins(1);
        assert_eq!(time_of_both(minute, false), Duration::from_secs(9));
        assert_eq!(time_of_both(minute, true), Duration::from_secs(33));
    }
}

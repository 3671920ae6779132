//! The search starts from the sources with macros expanded: those that make items, and with `--expand` all.

use super::compile_plan::{CompilePlan, compiler_in, count};
use super::shape::CodeShape;
use super::subject::CodeSubject;
use crate::app::failure::Result;
use crate::app::limits::time_limit;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::compile::{Compiled, Depth, Shortcuts};
use crate::exec::run_tool;
use crate::jobs::inputs::start::Original;
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::{Match, Matcher, Signature};
use crate::project::TestBinary;
use crate::reduce::Answer;
use crate::report::Event;
use crate::rust::{MacroCalls, Sameness, Sources, expanded, function_of, functions_in};

/// Sources that expand to more than so many times what they were are left as they are.
const MOST_TIMES: usize = 4;

/// Expands macros of `subject`, if it then builds and fails in the same way; the failure stands at another place then: all
/// if the user wants that, who is told why all stays as it is; or else those that make items, of which most are not needed
/// where a macro makes the same for many types.
///
/// # Errors
/// When it cannot be compiled or run at all.
pub fn expand(session: &Session, subject: &mut CodeSubject, original: &mut Original) -> Result<()> {
    let plain = &subject.original;
    let is_asked = session.config.code.expand;
    let which = if is_asked { MacroCalls::All } else { MacroCalls::OfItems };
    let crate_of = |file: usize| {
        let path = &*plain.sources.files[file].path;
        let mut crates = plain.crates.all.iter();
        let krate = crates.find(|krate| krate.files.iter().any(|file| file == path))?;
        krate.call.crate_name().map(str::to_owned)
    };
    let mut sources = expanded(&plain.sources, which, &crate_of);
    if !is_asked {
        // The inputs of the test are known by their places there.
        for (file, _) in functions_in(&plain.sources, &[function_of(&subject.test)]) {
            sources.files[file] = plain.sources.files[file].clone();
        }
    }
    if sources.files == plain.sources.files {
        if is_asked {
            session.warn(
                "nothing to expand: the reduced packages call no `macro_rules!` macro of their own; derives and other \
                 procedural macros are never expanded",
            );
        }
        return Ok(());
    }
    if !is_asked && sources.tokens() > MOST_TIMES * plain.sources.tokens() {
        return Ok(());
    }
    session.stage("Expanding", "macros of the reduced packages");
    let shape = CodeShape {
        // From now on, places are those in the expanded sources.
        sources: Sources::new(sources.files, Sameness::Tokens),
        ..plain.clone()
    };
    match failure_of(session, subject, &shape, original)? {
        Ok(shown) => {
            original.signature = shown;
            subject.original = shape;
        }
        Err(why) => {
            let why = format!("macros are not expanded: with expanded macros {why}");
            if is_asked {
                session.warn(why);
            } else {
                session.tell(&Event::Detail(why));
            }
        }
    }
    Ok(())
}

/// The failure that a shape shows, if it is the original one at any place, or what it shows instead.
fn failure_of(
    session: &Session,
    subject: &CodeSubject,
    shape: &CodeShape,
    original: &Original,
) -> Result<Result<Signature, String>> {
    let interrupt = &session.interrupt;
    let as_it_is = CompilePlan::as_it_is(subject, Shortcuts::None);
    let compile_plan = CompilePlan { shape: shape.clone(), ..as_it_is };
    let compiler = compiler_in("expanded", &session.config, subject, &compile_plan, interrupt);
    let look = |compiled: Compiled| {
        let Some(binary) = &compiled.binary else {
            let error = compiled.errors.first().map(|error| &*error.message);
            return Ok(Err(format!("they do not build: {}", error.unwrap_or_default())));
        };
        failure_in(session, subject, binary, original)
    };
    let shown = compiler
        .with_compiled(&shape.sources, Depth::Link, interrupt, look)
        .map_err(|error| trouble(&error))?;
    count(session, &compiler);
    Ok(shown)
}

/// The failure of the test in a binary, if it is the original one at any place, or what it shows instead.
///
/// # Errors
/// When it cannot be run.
pub(super) fn failure_in(
    session: &Session,
    subject: &CodeSubject,
    binary: &TestBinary,
    original: &Original,
) -> Answer<Result<Signature, String>> {
    let limit = time_limit(&session.config, &original.signature, &original.baseline);
    let matcher = Matcher::new(Match::Message, original.signature.clone());
    let job = subject.runner.job(binary, &subject.test, &session.config.test_args);
    let finished = run_tool(&job.time(limit), &session.interrupt)?;
    Ok(match subject.runner.interpret(&finished, &subject.test) {
        Verdict::Failed(shown) if matcher.matches(&shown) => Ok(shown),
        verdict => Err(format!("the test {verdict}")),
    })
}

//! Which call leads to a failure in the standard library: another call of the same function of it is another
//! failure.

use super::config::Config;
use super::failure::Failure;
use super::limits::time_limit;
use super::session::Session;
use super::start::Start;
use crate::exec::run;
use crate::oracle::judge::Call;
use crate::oracle::libtest::{Callers, Verdict, innermost_call, telling_calls};
use crate::oracle::signature::{Kind, Location, Signature};

/// The innermost call outside of the standard library.
#[derive(Debug, Clone)]
pub struct FoundCall {
    /// Where the probe has it.
    pub in_probe: Call,
    /// Where it stands in the original sources.
    pub in_sources: Call,
}

/// Finds the call in the probe with its inputs unchanged. There is none where the test fails elsewhere, where the
/// place does not matter, and where the profile leaves out line tables; then the place in the standard library is
/// all that is compared.
///
/// # Errors
/// When the test cannot be run.
pub fn find_call(
    session: &mut Session,
    config: &Config,
    start: &Start,
) -> Result<Option<FoundCall>, Failure> {
    let Start {
        subject,
        scratch,
        probe,
        original,
        ..
    } = start;
    // rustdoc names the lines of a doc test in its own way.
    let is_doc_test = { subject.derived.as_ref() }.is_some_and(|it| it.doc_test().is_some());
    let is_in_std = is_panic_in_std(&original.signature) && original.rule.looks_at_place();
    let Ok(root) = scratch.root().canonicalize_utf8() else {
        return Ok(None);
    };
    if is_doc_test || !is_in_std {
        return Ok(None);
    }
    let job = { subject.runner }.job(&probe.binary, &subject.test, &config.test_args);
    let limit = time_limit(config, &original.signature, &original.baseline);
    let finished = run(&telling_calls(&job.time(limit)), &session.interrupt)?;
    let verdict = subject.runner.interpret(&finished, &subject.test);
    let Verdict::Failed(shown) = &verdict else {
        return Ok(None);
    };
    let callers = Callers::BesidesStd(&root);
    let Some(place) = innermost_call((&verdict, &finished), shown, callers) else {
        return Ok(None);
    };
    let plain = subject.mapped_back(&shown.clone().at(place.clone()), &probe.rewritten.files);
    let Some(plain) = plain.location.filter(|_| is_panic_in_std(shown)) else {
        return Ok(None);
    };
    session.stage("Found", format!("the call that leads there: {plain}"));
    let at = |place: Location| Call {
        place,
        root: root.clone(),
    };
    Ok(Some(FoundCall {
        in_probe: at(place),
        in_sources: at(plain),
    }))
}

fn is_panic_in_std(shown: &Signature) -> bool {
    shown.kind == Kind::Panic && shown.location.as_ref().is_some_and(Location::is_in_std)
}

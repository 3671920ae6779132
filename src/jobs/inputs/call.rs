//! Which call leads to a failure in the standard library: another call of the same function of it is another
//! failure.

use camino::Utf8Path;

use super::starting_point::{FoundCall, Start};
use crate::app::failure::{Failure, Result};
use crate::app::limits::time_limit;
use crate::app::session::Session;
use crate::exec::run_tool;
use crate::oracle::failure_matcher::Call;
use crate::oracle::libtest::{Callers, Verdict, innermost_call, telling_calls};
use crate::oracle::signature::{FailureKind, Location, Signature};
use crate::project::TestBinary;

/// Finds the call in the probe with its inputs unchanged. There is none where the test fails elsewhere, where the
/// place does not matter, where the profile leaves out line tables, and where optimizations make another one of it
/// than in the `plain` build of the test, if there is one; then the place in the standard library is all that is
/// compared.
///
/// # Errors
/// When the test cannot be run.
pub fn find_call(
    session: &Session,
    start: &Start,
    plain: Option<&TestBinary>,
) -> Result<Option<FoundCall>> {
    let Start { subject, scratch, probe, original, .. } = start;
    // rustdoc names the lines of a doc test in its own way.
    let is_in_std = is_panic_in_std(&original.signature) && original.rule.looks_at_place();
    if subject.doc_test().is_some() || !is_in_std {
        return Ok(None);
    }
    let look = |binary: &TestBinary, root: &Utf8Path| {
        let job = subject.runner.job(binary, &subject.test, &session.config.test_args);
        let limit = time_limit(&session.config, &original.signature, &original.baseline);
        let finished = run_tool(&telling_calls(job.time(limit)), &session.interrupt)?;
        let verdict = subject.runner.interpret(&finished, &subject.test);
        let Verdict::Failed(shown) = &verdict else { return Ok(None) };
        let callers = Callers::BesidesStd(root);
        let call = innermost_call(&verdict, &finished, shown, callers);
        Ok::<_, Failure>(call.filter(|_| is_panic_in_std(shown)))
    };
    let roots = [scratch.root(), session.workspace.root()].map(Utf8Path::canonicalize_utf8);
    let [Ok(root), Ok(workspace)] = roots else { return Ok(None) };
    let Some(in_probe) = look(&probe.binary, &root)? else { return Ok(None) };
    let shown = original.signature.clone().at(in_probe.clone());
    let mapped = subject.mapped_back(&shown, &probe.rewritten.files);
    let in_plain = plain.map(|binary| look(binary, &workspace)).transpose()?;
    let is_told_alike = in_plain.is_none_or(|call| call == mapped.location);
    let Some(in_sources) = mapped.location.filter(|_| is_told_alike) else { return Ok(None) };
    session.stage("Found", format!("the call that leads to the failure: {in_sources}"));
    let at = |place: Location| Call { place, root: root.clone() };
    Ok(Some(FoundCall { in_probe: at(in_probe), in_sources: at(in_sources) }))
}

fn is_panic_in_std(shown: &Signature) -> bool {
    shown.kind == FailureKind::Panic && shown.location.as_ref().is_some_and(Location::is_in_std)
}

//! What every job on the inputs of a test starts with: the failure is seen, the inputs are read, the probe is built.

use super::call::find_call;
use super::crossing::Crossing;
use super::other_version::{OtherProbe, copy_with_other, needs_test_function};
use super::prober::build_probe;
use super::reaching::learn;
pub use super::starting_point::{
    Original, SCRATCH, Start, results, rule, rule_for, see_failing, tell_failure,
};
use super::subject::{Sources, Subject};
use super::{derived, one_of};
use crate::app::failure::Result;
use crate::app::find::{Chosen, Wanted};
use crate::app::session::Session;
use crate::project::TestBinary;

/// Sees the test fail, reads its inputs, and builds the probe.
///
/// # Errors
/// When there is no failure to reduce, no input, or the probe does not build.
pub fn start(session: &Session, wanted: &Wanted) -> Result<Start> {
    let passes_with = &session.config.control.passes_with;
    let chosen = match wanted {
        Wanted::Doc(_) | Wanted::OneOf(_) if passes_with.is_some() => {
            return Err(needs_test_function());
        }
        Wanted::Doc(chosen) => return derived::start_doc_test(session, chosen),
        Wanted::OneOf(tests) => return one_of::start(session, tests),
        Wanted::Built(chosen) => chosen,
    };
    let sources = Sources::load(chosen)?;
    let made = sources.macro_test(&session.config, chosen);
    if let Some(why) = sources.property() {
        return derived::start_property(session, chosen, &sources.krate, why);
    }
    if let Some(made) = made {
        return derived::start_macro(session, chosen, &sources, made);
    }
    let job = chosen.job(&chosen.binary, &session.config.test_args);
    let (baseline, signature) = see_failing(session, &job, chosen.runner, &chosen.test)?;
    let subject =
        Subject::without_inputs(session, chosen, sources)?.watching(session, &job, &baseline)?;
    if baseline.is_stable()
        && let Some(start) =
            derived::start_showing_both_sides(session, chosen, &subject, &signature)?
    {
        return Ok(start);
    }
    tell_failure(session, &chosen.test, &chosen.package, &signature);
    let rule = rule_for(session, &subject, &signature);
    let subject = subject.reading_inputs(&session.config, Some((&signature, &rule)))?;
    let original = Original::new(signature, rule, baseline);
    start_with(session, chosen, subject, original)
}

/// Builds the probe for inputs of a test that was seen to fail.
///
/// # Errors
/// When the probe does not build.
pub fn start_with(
    session: &Session,
    chosen: &Chosen,
    subject: Subject,
    original: Original,
) -> Result<Start> {
    let results = results(session, &chosen.test)?;
    let scratch = session.copy(&results, SCRATCH)?;
    let is_stable = original.baseline.is_stable();
    let other = copy_with_other(session, chosen, &results, is_stable)?;
    session.stage("Building", "the probe");
    let probe = build_probe(session, &subject, &scratch)?;
    let other = OtherProbe::in_copy(session, &subject, other)?;
    let start =
        Start { subject, results, scratch, probe, original, other, crossing: Crossing::default() };
    start.with_call(session, Some(&chosen.binary))?.observing(session)
}

impl Start {
    /// Looks which call leads to the failure, if that is in the standard library; `plain` is the test as the user
    /// builds it.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub fn with_call(mut self, session: &Session, plain: Option<&TestBinary>) -> Result<Self> {
        self.original.call = find_call(session, &self, plain)?;
        self.original.seen = learn(session, &self)?;
        Ok(self)
    }
}

//! The rebuild tier: each candidate is written out and built, for values that are needed at compile
//! time, and wherever the user forces it.

use std::time::Duration;

use super::prober::build_targets;
use super::subject::Subject;
use super::write_out::{empty_lists, write_sources};
use crate::app::session::Session;
use crate::exec::{Confined, Job};
use crate::oracle::failure_matcher::{FailureMatcher, InputMatcher};
use crate::oracle::libtest::{Verdict, at_call};
use crate::project::{Built, Scratch, Snapshot, TestBinary};
use crate::reduce::inputs::{Body, Inputs, Value, unmask};
use crate::reduce::{Answer, Oracle, Outcome};
use crate::source::{Edits, FileIndex, FoundInputs};

/// Sets the limits of a run and confines it.
pub type Confine<'a> = dyn Fn(Job) -> Confined + 'a;

/// Builds and runs candidates, one after the other, in the scratch copy.
pub struct RebuildOracle<'a> {
    /// How cargo is called, who may stop it, and where builds are counted.
    pub session: &'a Session,
    /// What is reduced.
    pub subject: &'a Subject,
    /// Where.
    pub scratch: &'a Scratch,
    /// What stood there, if candidates take it away.
    pub snapshot: &'a Snapshot,
    /// The failure to be met, in the original sources.
    pub matcher: InputMatcher,
    /// Its inputs, and which of them need their types written when they are empty.
    pub found: FoundInputs,
    /// What is hidden in candidates.
    pub base: &'a Inputs,
    /// The time one run may take.
    pub limit: Duration,
    /// Limits and confinement of a run.
    pub confine: &'a Confine<'a>,
}

impl Oracle<Inputs> for RebuildOracle<'_> {
    fn ask(&mut self, candidate: &Inputs) -> Answer<Outcome> {
        let whole = unmask(candidate, self.base);
        let (edits, built) = self.build_typed(&whole)?;
        let own = &self.subject.target.choice;
        let Some(binary) = built.binaries.iter().find(|binary| binary.choice == *own) else {
            return Ok(Outcome::Unresolved);
        };
        let verdict = match self.observe(binary)? {
            Verdict::Failed(shown) => Verdict::Failed(self.subject.mapped_back(&shown, &edits)),
            other => other,
        };
        Ok(self.matcher.outcome(&verdict, &whole))
    }
}

type SourceEdits = Vec<(FileIndex, Edits)>;

impl RebuildOracle<'_> {
    /// Builds a candidate. Where the compiler lacks types, empty lists get those of their elements, as the
    /// probe has them.
    fn build_typed(&mut self, whole: &Inputs) -> Answer<(SourceEdits, Built)> {
        let built = self.build(whole)?;
        let empties = empty_lists(whole);
        if !lacks_types(&built.1) || empties.is_subset(&self.found.typed_empties) {
            return Ok(built);
        }
        let before = self.found.typed_empties.clone();
        self.found.typed_empties.extend(empties);
        let typed = self.build(whole)?;
        if !typed.1.success {
            self.found.typed_empties = before;
        }
        Ok(typed)
    }

    /// Writes a candidate and builds it; nothing is built if it does not compile.
    fn build(&self, whole: &Inputs) -> Answer<(SourceEdits, Built)> {
        let smaller = self.found.write_back(&self.subject.krate, whole);
        self.snapshot.restore_lost()?;
        write_sources(self.subject, self.scratch, &smaller.edits, &smaller, &[])?;
        let choice = std::slice::from_ref(&self.subject.target.choice);
        let Session { config, interrupt, .. } = self.session;
        let mut built = build_targets(config, self.subject, self.scratch, choice, interrupt)?;
        self.session.count_build(built.success);
        if !built.success {
            built.binaries.clear();
        }
        Ok((smaller.edits, built))
    }

    fn observe(&self, binary: &TestBinary) -> Answer<Verdict> {
        let Subject { test, runner, .. } = self.subject;
        let job = (self.confine)(runner.job(binary, test, &self.session.config.test_args));
        let look = |job: &Confined| {
            let finished = job.run(&self.session.interrupt)?;
            Ok((runner.interpret(&finished, test), finished))
        };
        let job = job.map(|job| job.time(self.limit));
        at_call(&job, look, |shown| self.matcher.callers(shown))
    }
}

/// Whether the compiler could not tell the type of something.
fn lacks_types(built: &Built) -> bool {
    const UNKNOWN: [&str; 2] = ["E0282", "E0283"];
    let mut codes = built.errors.iter().filter_map(|error| error.code.as_deref());
    codes.any(|code| UNKNOWN.contains(&code))
}

/// Whether anything is left that could be smaller or simpler.
pub fn has_more_to_lose(open: &Inputs) -> bool {
    open.nodes().any(|node| match &node.body {
        Body::Leaf(Value::Int(int)) => int.magnitude > 0,
        Body::Leaf(Value::Float(float)) => float.0 != 0.0,
        Body::Leaf(Value::Bool(value)) => *value,
        Body::Leaf(Value::Char(_)) => true,
        Body::Leaf(Value::Text(_) | Value::Bytes(_)) | Body::Seq(_) => node.size() > 0,
        Body::Group(_) | Body::Opaque => false,
    })
}

//! Whether a run of the build with switches shows the failure.

use camino::Utf8Path;

use super::build::Build;
use super::candidate::Switching;
use crate::oracle::code::CodeMatcher;
use crate::oracle::failure_matcher::FailureMatcher;
use crate::oracle::libtest::{Callers, Verdict};
use crate::oracle::signature::{Location, Match, Signature};
use crate::probe::switches::LIBRARY;
use crate::reduce::Outcome;
use crate::rust::Sources;

/// Judges runs by where they would fail in the plain sources.
#[derive(Clone, Copy)]
pub struct SwitchMatcher<'a> {
    pub(super) build: &'a Build,
    pub(super) sources: &'a Sources,
    /// The failure that is looked for.
    pub(super) matcher: &'a CodeMatcher,
    /// The failure as the build with switches shows it.
    pub(super) expected: &'a Signature,
    /// Where the sources with switches were compiled.
    pub(super) root: Option<&'a Utf8Path>,
}

impl SwitchMatcher<'_> {
    /// Whether it is the failure that is looked for.
    pub fn is_same(&self, shown: &Signature) -> bool {
        let mut plain = shown.clone();
        if let Some(location) = &mut plain.location
            && let Some(place) = self.plain_place(location)
        {
            *location = place;
        }
        !is_own(shown) && self.matcher.is_same(&plain, self.sources)
    }

    /// A place of the sources with switches in the plain ones.
    fn plain_place(&self, shown: &Location) -> Option<Location> {
        let file = self.build.files.iter().find(|file| file.path == shown.file)?;
        let (from, to) = (&file.instrumented.text, &*self.sources.files[file.file].text);
        shown.moved(from, to, |offset| file.instrumented.edits.to_old(offset))
    }
}

/// Whether the runtime itself panicked: for a stand-in, or because a candidate took too long.
fn is_own(shown: &Signature) -> bool {
    let place = shown.location.as_ref();
    place.is_some_and(|place| place.file.ends_with(&format!("{LIBRARY}.rs")))
}

impl FailureMatcher<Switching> for SwitchMatcher<'_> {
    fn expected(&self) -> &Signature {
        self.expected
    }

    fn rule(&self) -> &Match {
        self.matcher.rule()
    }

    fn callers(&self, shown: &Signature) -> Option<Callers<'_>> {
        let root = self.root.filter(|_| self.matcher.needs_call(shown))?;
        Some(Callers::Below(root))
    }

    fn outcome(&self, verdict: &Verdict, _: &Switching) -> Outcome {
        // Where it stands in the plain sources is asked only if it does not look the same: that takes long in a large file.
        verdict.outcome(|shown| shown == self.expected || self.is_same(shown))
    }
}

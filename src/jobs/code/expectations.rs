//! What the test expects of its inputs: with other inputs it is expected of nobody.

use crate::jobs::inputs::reaching::End;
use crate::jobs::inputs::start::Start;
use crate::oracle::signature::Location;
use crate::reduce::RangeExt;
use crate::source::{Cut, FileIndex, FileRange, edits_of};

/// The assertions of the function of a test.
pub(super) struct Expectations {
    /// The assertions of its function, by their places in the plain source.
    places: Vec<(FileIndex, usize)>,
    /// Whether the failure is one of an assertion, so that they all stay.
    pub(super) are_kept: bool,
    /// What its function does without, as the failing run does not get there.
    pub(super) unreached: Vec<Cut>,
}

impl Expectations {
    /// Those of the test, of which a run has ended like this, if that is known.
    pub(super) fn of(start: &Start, end: Option<&End>) -> Self {
        let subject = &start.subject;
        let code = subject.test_code();
        let mut all = subject.krate.assertions(code);
        let failed = subject.failed_at(&start.original.signature);
        let fails_in = |(file, span): &FileRange| failed == Some((*file, span.start));
        let are_kept = all.iter().any(fails_in);
        // A branch of the test in which it would panic expects something, too.
        all.extend(subject.krate.panics(code).into_iter().filter(|panics| !fails_in(panics)));
        let located = &subject.located;
        let is_here =
            |file: FileIndex, offset: usize| file == located.file && located.span.contains(&offset);
        // One that stands before the place of the failure ends a run early; without it the run may go on to that place. One
        // around it compares what is computed there.
        let fails_at = failed.filter(|(file, offset)| is_here(*file, *offset));
        let is_free = |(file, span): &FileRange| {
            let is_behind = fails_at.is_none_or(|(_, failed)| span.end > failed);
            is_here(*file, span.start) && is_behind && !are_kept
        };
        let free = all.into_iter().filter(is_free);
        let places = free.map(|(file, span)| (file, span.start)).collect();
        let mut unreached = end.map(|end| end.unreached(subject)).unwrap_or_default();
        // Other tests may need its helpers. What is demanded may tell a type, and to find that out a build is too much.
        let is_own = |cut: &Cut| cut.file == located.file && located.span.covers(&cut.range);
        unreached.retain(|cut| is_own(cut) && !cut.is_demand);
        Expectations { places, are_kept, unreached }
    }

    /// Their places in the probe.
    pub(super) fn in_probe(&self, start: &Start) -> Vec<Location> {
        let Start { subject, probe, .. } = start;
        let file = subject.located.file;
        let Some(edits) = edits_of(&probe.rewritten.files, file) else { return Vec::new() };
        let text = edits.apply(&subject.krate.file(file).text);
        let name = subject.name(file);
        let here = self.places.iter().filter_map(|(_, offset)| {
            Location::of_offset(name.clone(), &text, edits.to_new(*offset))
        });
        here.collect()
    }
}

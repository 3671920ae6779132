//! What the test expects of its inputs: with other inputs it is expected of nobody.

use crate::jobs::inputs::start::Start;
use crate::oracle::signature::Location;
use crate::source::{FileIndex, FileRange, edits_of};

/// The assertions of the function of a test.
pub(super) struct Expectations {
    /// The assertions of its function, by their places in the plain source.
    places: Vec<(FileIndex, usize)>,
    /// Whether the failure is one of an assertion, so that they all stay.
    pub(super) are_kept: bool,
}

impl Expectations {
    pub(super) fn of(start: &Start) -> Self {
        let subject = &start.subject;
        let all = subject.krate.assertions(subject.test_code());
        let failed = subject.failed_at(&start.original.signature);
        let fails_in = |(file, span): &FileRange| failed == Some((*file, span.start));
        let are_kept = all.iter().any(fails_in);
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
        Expectations { places: free.map(|(file, span)| (file, span.start)).collect(), are_kept }
    }

    /// Their places in the probe.
    pub(super) fn in_probe(&self, start: &Start) -> Vec<Location> {
        let Start { subject, probe, .. } = start;
        let (file, files) = (subject.located.file, &probe.rewritten.files);
        let Some(edits) = edits_of(files, file) else { return Vec::new() };
        let all = subject.expectations(files);
        let text = edits.apply(&subject.krate.file(file).text);
        let name = subject.name(file);
        let here = self.places.iter().filter_map(|(_, offset)| {
            Location::of_offset(name.clone(), &text, edits.to_new(*offset))
        });
        let here: Vec<Location> = here.collect();
        all.into_iter().filter(|place| here.contains(place)).collect()
    }
}

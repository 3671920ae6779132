//! What candidates have to keep as it was written: tests that have to pass along, what runs the test for several inputs, and
//! assertions that hold before it fails.

use std::ops::Range;

use crate::rust::{Assertions, Sources, assertions_before, functions_named, ranges_of_functions};

/// So many assertions that hold have to stay.
const MOST_HOLDING: usize = 3;

/// Parts of the sources that stay.
#[derive(Debug, Clone, Default)]
pub struct FixedParts {
    /// Functions: their names, and how those of that name were written.
    functions: Vec<(String, Vec<String>)>,
    assertions: Option<Assertions>,
}

impl FixedParts {
    /// The functions of these names, as they stand in `original`.
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n str>, original: &Sources) -> Self {
        let functions = names.map(|name| (name.to_owned(), written(original, name)));
        FixedParts { functions: functions.collect(), assertions: None }
    }

    /// Also the last assertions that hold in a function of `original` before that place: a file and a byte.
    #[must_use]
    pub(super) fn holding(mut self, original: &Sources, place: Option<(usize, usize)>) -> Self {
        self.assertions = place.and_then(|(file, offset)| {
            assertions_before(&original.files[file].text, offset, MOST_HOLDING)
        });
        self
    }

    /// Whether all of it is in `sources`, as it was written.
    pub(super) fn is_in(&self, sources: &Sources) -> bool {
        let mut functions = self.functions.iter();
        let has_all = |assertions: &Assertions| {
            sources.files.iter().any(|file| assertions.are_in(&file.text))
        };
        functions.all(|(name, original)| written(sources, name) == *original)
            && self.assertions.as_ref().is_none_or(has_all)
    }

    /// Where it stands in `sources`: files and bytes in them.
    #[must_use]
    pub fn ranges_in(&self, sources: &Sources) -> Vec<(usize, Range<usize>)> {
        let in_file = |text: &str| {
            let names = self.functions.iter().map(|(name, _)| name);
            let functions = names.flat_map(|name| ranges_of_functions(text, name));
            let assertions = self.assertions.iter().flat_map(|them| them.ranges_in(text));
            functions.chain(assertions).collect::<Vec<_>>()
        };
        let files = sources.files.iter().enumerate();
        files
            .flat_map(|(file, source)| in_file(&source.text).into_iter().map(move |at| (file, at)))
            .collect()
    }
}

/// The functions of that name.
fn written(sources: &Sources, name: &str) -> Vec<String> {
    sources.files.iter().flat_map(|file| functions_named(&file.text, name)).collect()
}

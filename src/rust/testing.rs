//! What the tests of the passes share.

use std::ops::Range;

use super::{Reduction, Sameness, Sources, StandIn, Tree, apply};

/// A subject of one file, `a.rs`.
pub(crate) fn sources_of(text: &str) -> Sources {
    Sources::of_file("a.rs", text, Sameness::Tokens)
}

/// Where a part first stands in a text.
#[track_caller]
pub(crate) fn range_of(text: &str, part: &str) -> Range<usize> {
    let start = text.find(part).unwrap();
    start..start + part.len()
}

/// Removals of the first of each of these parts of a text.
pub(crate) fn removals_of(text: &str, parts: &[&str]) -> Vec<Reduction> {
    parts.iter().map(|part| Reduction::remove(range_of(text, part))).collect()
}

/// One removal of all these parts of a text.
pub(crate) fn without(text: &str, parts: &[&str]) -> Reduction {
    let ranges = parts.iter().map(|part| range_of(text, part));
    ranges.fold(Reduction::default(), Reduction::and_remove)
}

/// The text after each of the reductions that a pass proposes.
pub(crate) fn results(
    propose: impl FnOnce(&Tree<'_>) -> Vec<Reduction>,
    text: &str,
) -> Vec<String> {
    Tree::with(text, StandIn::Loop, |tree| {
        let proposed = propose(tree).into_iter();
        proposed.map(|reduction| apply(text, [&reduction])).collect()
    })
    .unwrap()
}

/// As [`results`], each on one line.
pub(crate) fn lines(propose: impl FnOnce(&Tree<'_>) -> Vec<Reduction>, text: &str) -> Vec<String> {
    results(propose, text).iter().map(|text| on_one_line(text)).collect()
}

/// The text with one blank for all white space between two words.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that a pass proposes what makes `expected` of the text, as one of [`lines`].
pub(crate) fn proposes(
    propose: impl FnOnce(&Tree<'_>) -> Vec<Reduction>,
    text: &str,
    expected: &str,
) {
    let results = lines(propose, text);
    assert!(results.contains(&expected.to_owned()), "{results:#?}");
}

/// Checks that a pass proposes what makes each of these of the text, with the blanks that are left.
pub(crate) fn proposes_all<const N: usize>(
    propose: impl FnOnce(&Tree<'_>) -> Vec<Reduction>,
    text: &str,
    expected: [&str; N],
) {
    let results = results(propose, text);
    for expected in expected {
        assert!(results.iter().any(|result| result == expected), "{expected} in {results:#?}");
    }
}

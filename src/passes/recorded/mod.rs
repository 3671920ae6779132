//! Values that a run has shown, written as expressions.
//!
//! A call that yields the same value whenever it runs can be replaced by that value, and with it goes
//! all that was only there to compute it. The run tells a value by the name of its type and by the text
//! that `Debug` makes of it; where that text comes from a derived `Debug`, an expression for the value
//! can be read off it, led by the definitions of the types in the sources:
//!
//! * [`shown`] reads the text;
//! * [`types`] finds the definitions;
//! * [`written`] writes the expression.
//!
//! What comes out is only proposed: whether it has the right type and the same value is seen when it is
//! compiled and run.

mod shown;
mod types;
mod written;

use std::ops::Range;

use super::{Reduction, Sources};
use types::Types;
use written::Writer;

/// What a place of the sources always yielded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The place of the file.
    pub file: usize,
    /// The expression, as bytes of the file.
    pub range: Range<usize>,
    /// The name of its type, with the path from the crate on.
    pub type_name: String,
    /// The text that `Debug` makes of it.
    pub text: String,
}

/// For each value that can be written its file and the edits that write it in the place of its
/// expression, the shortest first.
pub(super) fn replacements(
    sources: &Sources,
    recorded: &[Recorded],
) -> Vec<(usize, Vec<Reduction>)> {
    let types = Types::of(sources);
    let edits = recorded.iter().map(|value| {
        let path = &sources.files[value.file].path;
        let texts = Writer::new(&types, path).ways(&value.type_name, &value.text);
        let of_place = |text| Reduction::replace(value.range.clone(), text);
        (value.file, texts.into_iter().map(of_place).collect())
    });
    edits
        .filter(|(_, ways): &(usize, Vec<Reduction>)| !ways.is_empty())
        .collect()
}

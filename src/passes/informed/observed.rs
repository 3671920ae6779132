//! Values that a run has shown, written as expressions.
//!
//! A call that yields the same value whenever it runs can be replaced by that value, and with it goes
//! all that was only there to compute it. The run tells a value by the name of its type and by the text
//! that `Debug` makes of it; where that text comes from a derived `Debug`, an expression for the value
//! can be read off it (`DebugValue`), led by the definitions of the types in the sources:
//!
//! * [`types`] finds the definitions;
//! * [`written`] writes the expression;
//! * [`known`] puts it in the place of a parameter;
//! * [`entered`] runs a block alone, with the variables that its head binds.
//!
//! What comes out is only proposed: whether it has the right type and the same value is seen when it is
//! compiled and run.

mod entered;
mod known;
mod types;
mod written;

use crate::rust::{ObservedValue, Reduction, Sources, count_tokens};
use entered::Entered;
use known::Parameters;
use types::Types;
use written::Writer;

/// So many tokens are worth a build.
const LEAST_SAVING: usize = 3;

/// For each value that can be written its file and the edits that write it in the place of its
/// expression, the shortest first.
pub(crate) fn replacements(
    sources: &Sources,
    observed: &[ObservedValue],
) -> Vec<(usize, Vec<Reduction>)> {
    let types = Types::of(sources);
    let parameters = Parameters::of(sources, observed);
    let written = |value: &ObservedValue| {
        let path = &sources.files[value.file].path;
        Writer::new(&types, path).ways(&value.type_name, &value.text)
    };
    let entered = Entered::of(sources, observed, |value| written(value).into_iter().next());
    let is_own = |value: &&ObservedValue| !entered.binds(value.file, &value.range);
    let edits = observed.iter().filter(is_own).map(|value| {
        let before = &sources.files[value.file].text[value.range.clone()];
        let texts = written(value);
        let ways =
            texts.into_iter().flat_map(|text| match parameters.get(value.file, &value.range) {
                Some(parameter) => parameter.known_as(&text),
                None if is_as_good(before, &text) => Vec::new(),
                None => vec![Reduction::replace(value.range.clone(), text)],
            });
        (value.file, ways.collect())
    });
    let blocks = entered.edits.iter().cloned();
    edits
        .filter(|(_, ways): &(usize, Vec<Reduction>)| !ways.is_empty())
        .chain(blocks.map(|(file, edit)| (file, vec![edit])))
        .collect()
}

/// Whether nothing comes of writing `value` for a call: it takes nothing that would not be needed then, and
/// is hardly longer.
fn is_as_good(call: &str, value: &str) -> bool {
    let takes_nothing = call.ends_with("()") && !call.contains('.');
    takes_nothing && count_tokens(call) < count_tokens(value) + LEAST_SAVING
}

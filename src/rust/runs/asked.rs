//! What the sources ask for at run time, and what it is in each run.

use std::ops::Range;

use super::driver::LIBRARY;
use crate::rust::scan;

/// What the runs of a test have for inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Contrast {
    /// For each input what it is in each run, as Rust source; the run that has to fail comes first.
    pub inputs: Vec<Vec<String>>,
}

impl Contrast {
    /// The number of runs.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.inputs.first().map_or(0, Vec::len)
    }

    /// What an input is in a run, as Rust source.
    pub(super) fn value(&self, input: usize, run: usize) -> &str {
        let values = self.inputs.get(input);
        values.and_then(|values| values.get(run)).map_or("()", |value| value)
    }
}

/// A place where an input is asked for.
pub(super) struct Call {
    pub(super) range: Range<usize>,
    pub(super) input: usize,
    /// Whether it is an argument, or a part of a list, as it stands.
    is_argument: bool,
}

impl Call {
    /// Whether it stands in that part of the text.
    pub(super) fn is_in(&self, part: &Range<usize>) -> bool {
        part.start <= self.range.start && self.range.end <= part.end
    }

    /// What stands there in a run. A slice of literals that is no argument needs to be told from an array, and its
    /// sign must not be taken for that of what stands behind it.
    pub(super) fn written(&self, contrast: &Contrast, run: usize) -> String {
        let value = contrast.value(self.input, run);
        if self.is_argument {
            value.to_owned()
        } else if value.starts_with("&[") {
            format!("({value}[..])")
        } else if value.starts_with('-') {
            format!("({value})")
        } else {
            value.to_owned()
        }
    }
}

/// The places of a text where inputs are asked for; a layout may have put spaces into them.
pub(super) fn calls(text: &str) -> Vec<Call> {
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let mut calls = Vec::new();
    for place in 0..tokens.len() {
        let behind: String = tokens[place..].iter().take(7).map(|token| token.text).collect();
        let number = behind
            .strip_prefix(LIBRARY)
            .and_then(|rest| rest.strip_prefix("::input_"))
            .and_then(|rest| rest.strip_suffix("!()"))
            .and_then(|number| number.parse().ok());
        let Some(input) = number else {
            continue;
        };
        let colons = place.saturating_sub(2)..place;
        let leads = tokens[colons.clone()].iter().map(|token| token.text);
        let first = if leads.collect::<String>() == "::" { colons.start } else { place };
        let last = &tokens[place + 6];
        let before = first.checked_sub(1).map(|before| tokens[before].text);
        let behind = tokens.get(place + 7).map(|behind| behind.text);
        calls.push(Call {
            range: tokens[first].start..last.start + last.text.len(),
            input,
            is_argument: matches!(before, Some("(" | "," | "["))
                && matches!(behind, Some(")" | "," | "]")),
        });
    }
    calls
}

//! What a search over the inputs of a test comes to.

use super::last_round::Tried;
use super::why_left::ElementOutcomes;
use crate::jobs::generalize::text_pattern::TextPattern;
use crate::reduce::inputs::{Inputs, IsolatedInput};

/// What the search found.
#[derive(Debug, Default)]
pub struct ReducedInputs {
    /// The smallest inputs that fail in the same way.
    pub best: Inputs,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// What dd found of inputs, where that was asked for.
    pub isolated: Vec<Isolated>,
    /// The patterns of texts, where they were asked for.
    pub patterns: Vec<TextPattern>,
    /// What became of the candidates that were made of the best.
    pub around: Tried,
}

impl ReducedInputs {
    /// A result that is only smaller.
    pub fn new(best: Inputs, interrupted: bool) -> Self {
        ReducedInputs { best, interrupted, ..ReducedInputs::default() }
    }
}

/// What dd found of an input.
#[derive(Debug)]
pub struct Isolated {
    /// Its number.
    pub place: usize,
    /// The passing and the failing variant.
    pub found: IsolatedInput,
    /// What happens with each element of the difference, as far as there was time to try them.
    pub elements: Vec<ElementOutcomes>,
}

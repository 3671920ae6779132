//! The passes in their order.

use super::super::search::PassContext;
use super::{
    characters, counted, elements, equal, indents, indices, lengths, offsets, pairs, places,
    prefixed, scalars, sort, structure, texts, trivial,
};
use crate::reduce::Result;

/// A family of reductions that are tried together.
pub(in crate::reduce::inputs) struct Pass {
    /// Proposes candidates; on return it is the current best that counts.
    pub(in crate::reduce::inputs) run: fn(&mut PassContext) -> Result<()>,
    /// Whether each step it takes removes elements (else it may only simplify values).
    pub(in crate::reduce::inputs) removes: bool,
}

impl Pass {
    const fn removing(run: fn(&mut PassContext) -> Result<()>) -> Pass {
        Pass { run, removes: true }
    }

    const fn simplifying(run: fn(&mut PassContext) -> Result<()>) -> Pass {
        Pass { run, removes: false }
    }
}

/// All passes, in the order in which they run: what removes much for few candidates comes first.
pub(in crate::reduce::inputs) const PASSES: [Pass; 25] = [
    // First of all, as a failure that is not monotone in a length may depend on other inputs too.
    Pass::removing(lengths::keep_ends),
    Pass::simplifying(trivial::empty_inputs),
    Pass::removing(elements::remove_elements),
    Pass::removing(texts::remove_coarse),
    Pass::removing(structure::reduce_units),
    Pass::removing(equal::remove_equal_lines),
    Pass::removing(texts::remove_fine),
    Pass::removing(indices::remove_indexed_elements),
    Pass::removing(pairs::remove_parallel_elements),
    Pass::simplifying(scalars::zero_scalars),
    Pass::simplifying(scalars::lower_scalars),
    Pass::simplifying(characters::simplify_characters),
    Pass::removing(prefixed::remove_prefixed_parts),
    Pass::removing(equal::shorten_equal_texts),
    Pass::simplifying(equal::shorten_equal_words),
    Pass::simplifying(equal::lower_equal_numbers),
    Pass::removing(counted::remove_counted_elements),
    Pass::removing(places::remove_text_before_places),
    Pass::removing(places::remove_elements_before_places),
    Pass::removing(pairs::remove_element_pairs),
    Pass::removing(pairs::remove_character_pairs),
    Pass::simplifying(offsets::close_gaps),
    Pass::simplifying(offsets::lower_pairs),
    Pass::simplifying(sort::sort_elements),
    Pass::removing(texts::remove_lines),
];

/// The passes that shorten a text without changing what stays.
pub(in crate::reduce::inputs) const TEXT_PASSES: [Pass; 4] = [
    Pass::removing(texts::remove_coarse),
    Pass::removing(indents::reduce_blocks),
    Pass::removing(structure::reduce_units),
    Pass::removing(texts::remove_fine),
];

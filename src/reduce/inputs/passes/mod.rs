//! The passes, one a file, and their order.

mod characters;
mod elements;
mod scalars;
mod structure;
mod texts;
mod trivial;

use super::search::Search;
use crate::reduce::Stop;

/// A family of reductions that are tried together.
pub(super) struct Pass {
    /// Proposes candidates; on return it is the current best that counts.
    pub(super) run: fn(&mut Search) -> Result<(), Stop>,
}

/// All passes, in the order in which they run: what removes much for few candidates comes first.
pub(super) const PASSES: [Pass; 8] = [
    Pass {
        run: trivial::empty_inputs,
    },
    Pass {
        run: elements::remove_elements,
    },
    Pass {
        run: texts::remove_coarse,
    },
    Pass {
        run: structure::reduce_units,
    },
    Pass {
        run: texts::remove_fine,
    },
    Pass {
        run: scalars::zero_scalars,
    },
    Pass {
        run: scalars::lower_scalars,
    },
    Pass {
        run: characters::simplify_characters,
    },
];

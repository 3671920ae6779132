//! DDSET: R. Gopinath, A. Kampmann, N. Havrikov, E. Soremekun and A. Zeller, "Abstracting
//! Failure-Inducing Inputs" (2020).

use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::gaps::with_gaps;
use super::options::Options;
use super::pattern::{Instance, Pattern};
use super::search::{Generalized, PatternSearch};
use crate::grammar::{Grammar, Tree};
use crate::reduce::Result;

/// Generalizes the failing text of `tree`: finds the nodes that can be replaced by anything that their
/// nonterminals derive. `ask` runs a text; unresolved outcomes count neither for nor against.
pub fn ddset(
    grammar: &Grammar,
    tree: &Tree,
    ask: &mut dyn Ask,
    options: Options,
    rng: &mut Xoshiro256PlusPlus,
) -> Generalized {
    let tree = if options.gaps { with_gaps(grammar, tree) } else { tree.clone() };
    let pattern = Pattern::new(Arc::new(grammar.clone()), tree, Vec::new());
    let mut search = PatternSearch::new(pattern, ask, options, rng);
    let stopped = search.run().err();
    search.finish(stopped)
}

/// Narrows `pattern` by an instance that passes: the placeholder that is to blame for it is narrowed,
/// or becomes concrete again but for what can be open inside of it. `ask` runs a text.
///
/// # Errors
/// Those of `ask`.
pub fn narrow(
    pattern: &Pattern,
    instance: &Instance,
    ask: &mut dyn Ask,
    options: Options,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Pattern> {
    let mut search = PatternSearch::new(pattern.clone(), ask, options, rng);
    search.take_back(instance)?;
    search.verify()?;
    Ok(search.finish(None).pattern)
}

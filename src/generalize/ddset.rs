//! DDSET: R. Gopinath, A. Kampmann, N. Havrikov, E. Soremekun and A. Zeller, "Abstracting
//! Failure-Inducing Inputs" (2020).

use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::gaps::with_gaps;
use super::pattern::{Instance, Pattern};
use super::search::PatternSearch;
use crate::grammar::{Grammar, Limits, Tree};
use crate::reduce::Stop;
use crate::reduce::rate::tries_to_see;

/// Settings of [`ddset()`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The number of instances of a node that must fail before it is abstract.
    pub tries: usize,
    /// How large generated parts grow.
    pub limits: Limits,
    /// Whether places that need the same text are looked for.
    pub covarying: bool,
    /// Whether it is tried to add elements to lists.
    pub gaps: bool,
    /// Whether a node of which most instances fail is left open for those alone.
    pub narrowing: bool,
}

impl Default for Options {
    /// As many tries as it takes so that, at 95 % confidence, at least 99 % of all instances fail.
    fn default() -> Self {
        let tries = tries_to_see(0.01, 0.05) as usize;
        Options { tries, limits: Limits::default(), covarying: true, gaps: true, narrowing: true }
    }
}

/// A pattern and how well it was tested.
#[derive(Debug)]
pub struct Generalized {
    /// The pattern.
    pub pattern: Pattern,
    /// The number of texts that were run.
    #[cfg(test)]
    pub tests: u64,
    /// Why the search ended early, if it did; the pattern was not checked as a whole then.
    pub stopped: Option<Stop>,
}

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
) -> Result<Pattern, Stop> {
    let mut search = PatternSearch::new(pattern.clone(), ask, options, rng);
    search.take_back(instance)?;
    search.verify()?;
    Ok(search.finish(None).pattern)
}

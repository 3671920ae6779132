//! The smallest derivation of each nonterminal.
//!
//! A fixed point over sizes, as the cost-bounded grammar fuzzer of the Fuzzing Book needs it: a
//! nonterminal without a finite cost derives no finite text.

use super::error::GrammarError;
use super::model::{Alternative, Rule, Symbol};
use crate::reduce::tree::{Nonterminal, Tree, TreeBuilder};

/// How large the smallest expansions are: number of characters first, then number of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    chars: u64,
    nodes: u64,
}

impl Size {
    const ENDLESS: Size = Size { chars: u64::MAX, nodes: u64::MAX };

    fn plus(self, other: Size) -> Size {
        let chars = self.chars.saturating_add(other.chars);
        Size { chars, nodes: self.nodes.saturating_add(other.nodes) }
    }
}

/// Larger smallest trees are refused: nobody writes such a grammar, except to exhaust the memory.
const MOST_NODES: u64 = 1 << 22;

/// What is smallest, for each nonterminal.
pub(super) struct Smallest {
    /// The smallest tree.
    pub(super) trees: Vec<Tree>,
    /// The alternatives, those with the smallest trees first.
    pub(super) simplest_first: Vec<Vec<u32>>,
}

/// Finds the smallest tree of each nonterminal.
///
/// # Errors
/// A nonterminal that derives no finite text, or only enormous ones.
pub(super) fn smallest(rules: &[Rule]) -> Result<Smallest, GrammarError> {
    let (choices, sizes) = cheapest_alternatives(rules)?;
    let order = |rule: &Rule| {
        let mut order: Vec<u32> = (0..).take(rule.alternatives.len()).collect();
        order.sort_by_key(|&place| alternative_size(&rule.alternatives[place as usize], &sizes));
        order
    };
    let trees = (0..rules.len()).map(|start| spell(rules, &choices, start)).collect();
    Ok(Smallest { trees, simplest_first: rules.iter().map(order).collect() })
}

/// Which alternative of each rule is the smallest, the first of equals.
fn cheapest_alternatives(rules: &[Rule]) -> Result<(Vec<usize>, Vec<Size>), GrammarError> {
    let mut sizes = vec![Size::ENDLESS; rules.len()];
    let mut choices = vec![0; rules.len()];
    loop {
        let mut changed = false;
        for (index, rule) in rules.iter().enumerate() {
            for (place, alternative) in rule.alternatives.iter().enumerate() {
                let size = alternative_size(alternative, &sizes);
                if size < sizes[index] {
                    (sizes[index], choices[index], changed) = (size, place, true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    for (rule, size) in rules.iter().zip(&sizes) {
        if size.nodes == u64::MAX {
            return Err(GrammarError::NoFiniteExpansion { rule: rule.name.clone() });
        }
        if size.nodes > MOST_NODES {
            return Err(GrammarError::TooLarge { rule: rule.name.clone() });
        }
    }
    Ok((choices, sizes))
}

fn alternative_size(alternative: &Alternative, sizes: &[Size]) -> Size {
    let own = Size { chars: 0, nodes: 1 };
    alternative.iter().fold(own, |sum, symbol| {
        sum.plus(match symbol {
            Symbol::Text(text) => Size { chars: text.chars().count() as u64, nodes: 1 },
            Symbol::Class(class) if class.is_empty() => Size::ENDLESS,
            Symbol::Class(_) => Size { chars: 1, nodes: 1 },
            Symbol::Nonterminal(nonterminal) => sizes[nonterminal.index()],
        })
    })
}

/// Writes out the tree that `choices` lead to.
fn spell(rules: &[Rule], choices: &[usize], start: usize) -> Tree {
    let mut builder = TreeBuilder::default();
    let start = Symbol::Nonterminal(Nonterminal(u32::try_from(start).unwrap_or(u32::MAX)));
    builder.grow(&start, |builder, symbol, below| {
        match symbol {
            Symbol::Text(text) => builder.terminal(text),
            Symbol::Class(class) => builder.character(class.simplest().unwrap_or_default()),
            Symbol::Nonterminal(symbol) => {
                let choice = choices[symbol.index()];
                builder.enter(*symbol, u32::try_from(choice).unwrap_or(u32::MAX));
                below.extend(&rules[symbol.index()].alternatives[choice]);
            }
        }
        Some(())
    });
    builder.finish()
}

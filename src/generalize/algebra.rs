//! `and`, `or` and `not` of evocative subtrees, as grammars.
//!
//! Which subtrees a derivation contains can be told from the bottom up: a node's state is the set of
//! those nodes of the subtrees that it matches, and of those subtrees that occur in it. There are
//! finitely many states, and each derivation has exactly one; so the nonterminals split into pairs of
//! a nonterminal and a state, and a formula is a set of states of the start symbol. (The product
//! construction for tree automata; J. Thatcher and J. Wright, 1968.)

mod automaton;
mod read;

pub use automaton::AlgebraError;
use automaton::Automaton;

use crate::grammar::{Form, Grammar, NodeKind, Tree, TreeBuilder};

/// A condition on inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// The derivation contains this subtree, its open nodes filled in any way that they allow.
    Contains(Tree),
    /// Both hold.
    And(Box<Formula>, Box<Formula>),
    /// One holds, or both.
    Or(Box<Formula>, Box<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
}

impl Formula {
    /// Both.
    #[must_use]
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(Box::new(self), Box::new(other))
    }

    /// One or both.
    #[must_use]
    pub fn or(self, other: Formula) -> Formula {
        Formula::Or(Box::new(self), Box::new(other))
    }

    /// Not this one. (A method of its own, since a formula is no number or set.)
    #[must_use]
    pub fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// The grammar of the inputs that fulfil the formula. Each derivation of `grammar` that does has
    /// exactly one counterpart.
    ///
    /// # Errors
    /// When there are no such inputs, or the grammar would be too large.
    pub fn grammar(&self, grammar: &Grammar) -> Result<Grammar, AlgebraError> {
        let mut fragments = Vec::new();
        self.collect(grammar, &mut fragments);
        let automaton = Automaton::new(grammar, &fragments)?;
        let states = automaton.run()?;
        let fulfilled = |state| self.holds(&mut 0, &|fragment| automaton.occurs(fragment, state));
        automaton.write(&states, fulfilled)
    }

    fn collect(&self, grammar: &Grammar, fragments: &mut Vec<Tree>) {
        match self {
            Formula::Contains(tree) => fragments.push(nested(grammar, tree)),
            Formula::Not(formula) => formula.collect(grammar, fragments),
            Formula::And(left, right) | Formula::Or(left, right) => {
                left.collect(grammar, fragments);
                right.collect(grammar, fragments);
            }
        }
    }

    /// Whether it holds, where `contains` answers for its fragments, numbered from left to right.
    fn holds(&self, next: &mut usize, contains: &impl Fn(usize) -> bool) -> bool {
        match self {
            Formula::Contains(_) => {
                *next += 1;
                contains(*next - 1)
            }
            Formula::Not(formula) => !formula.holds(next, contains),
            // Both sides are visited, so that the numbers stay right.
            Formula::And(left, right) => left.holds(next, contains) & right.holds(next, contains),
            Formula::Or(left, right) => left.holds(next, contains) | right.holds(next, contains),
        }
    }
}

/// A copy in which lists are nested as their rules say: a shorter list, then an element.
fn nested(grammar: &Grammar, tree: &Tree) -> Tree {
    enum Seed {
        Node(usize),
        /// The list at this node, with its first so many elements.
        List(usize, usize),
    }
    let mut builder = TreeBuilder::with_capacity(tree.len(), tree.text().len());
    builder.grow(Seed::Node(0), |builder, seed, below| {
        match seed {
            Seed::Node(at) => match tree.kind(at) {
                NodeKind::Terminal => builder.terminal(tree.text_of(at)),
                NodeKind::Nonterminal { symbol, .. } if grammar.rule(symbol).is_list() => {
                    below.push(Seed::List(at, tree.children(at).count()));
                }
                kind => {
                    builder.open(kind);
                    below.extend(tree.children(at).map(Seed::Node));
                }
            },
            Seed::List(at, elements) => {
                let symbol = tree.symbol(at)?;
                let fewest = usize::from(grammar.rule(symbol).form == Form::Plus);
                let alternative = u32::from(elements > fewest);
                builder.enter(symbol, alternative);
                below.extend((alternative == 1).then(|| Seed::List(at, elements - 1)));
                let last = elements.checked_sub(1).and_then(|last| tree.children(at).nth(last));
                below.extend(last.map(Seed::Node));
            }
        }
        Some(())
    });
    builder.finish()
}

#[cfg(test)]
mod tests;

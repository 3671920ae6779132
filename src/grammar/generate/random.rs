//! Random expansion.
//!
//! The tree grows at random places. While it is small any alternative may be taken; once as many
//! nonterminals are open as the limit allows, only the cheapest alternatives are, so that it closes.

use std::sync::Arc;

use rand::{Rng, RngExt};

use crate::grammar::{Alternative, CharClass, Grammar, NodeKind, Symbol, Tree, TreeBuilder};
use crate::reduce::tree::{Nonterminal, Rules};

/// How large a tree may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From this number of open nonterminals on, only the cheapest alternatives are taken.
    pub open: usize,
    /// From this number of expansions on too, so that one chain of single nonterminals ends.
    pub expansions: usize,
    /// Whether alternatives that were never taken are preferred.
    pub cover: bool,
}

impl Default for Limits {
    /// Ten open nonterminals, as the Fuzzing Book's fuzzer has it, and 200 expansions.
    fn default() -> Self {
        Limits { open: 10, expansions: 200, cover: false }
    }
}

/// Grows random trees of a grammar.
#[derive(Debug, Clone)]
pub struct Generator<'g> {
    grammar: &'g Grammar,
    limits: Limits,
    /// For each rule the alternatives that may close a tree: the cheapest.
    closing: Vec<Vec<u32>>,
    /// For each rule and alternative whether it was taken.
    covered: Vec<Vec<bool>>,
    /// For each rule which others can occur in its derivations.
    reached: Vec<Vec<bool>>,
}

/// A node while it grows.
struct Growing<'g> {
    symbol: Nonterminal,
    alternative: u32,
    /// Where the children that are nonterminals are; none before the node is expanded.
    children: Vec<Part<'g>>,
}

enum Part<'g> {
    Text(&'g str),
    Char(char),
    Node(usize),
}

impl<'g> Generator<'g> {
    /// Prepares `grammar`.
    pub fn new(grammar: &'g Grammar, limits: Limits) -> Self {
        let covered =
            grammar.rules().iter().map(|rule| vec![false; rule.alternatives.len()]).collect();
        let reached: Vec<Vec<bool>> =
            grammar.nonterminals().map(|symbol| grammar.reachable_from(symbol)).collect();
        let closing = closing_alternatives(grammar, &reached);
        Generator { grammar, limits, closing, covered, reached }
    }

    /// A random tree of `symbol`.
    pub fn generate(&mut self, symbol: Nonterminal, rng: &mut (impl Rng + ?Sized)) -> Tree {
        let mut builder = TreeBuilder::default();
        let nodes = self.grow(symbol, rng);
        self.write(&nodes, &mut builder);
        builder.finish()
    }

    /// The share of the alternatives reachable from the start symbol that were taken so far.
    #[cfg(test)]
    pub fn coverage(&self) -> f64 {
        let reachable = self.grammar.reachable_from(self.grammar.start());
        let rules = self.covered.iter().zip(reachable).filter(|(_, reachable)| *reachable);
        let taken: Vec<bool> = rules.flat_map(|(taken, _)| taken.iter().copied()).collect();
        let count = |all: &[bool]| u32::try_from(all.len()).map_or(f64::INFINITY, f64::from);
        let hit: Vec<bool> = taken.iter().copied().filter(|&taken| taken).collect();
        count(&hit) / count(&taken)
    }

    fn grow(&mut self, symbol: Nonterminal, rng: &mut (impl Rng + ?Sized)) -> Vec<Growing<'g>> {
        let mut nodes = vec![Growing { symbol, alternative: 0, children: Vec::new() }];
        let mut open = vec![0];
        let mut expansions = 0;
        while !open.is_empty() {
            let next = open.swap_remove(rng.random_range(0..open.len()));
            let closing =
                open.len() + 1 >= self.limits.open || expansions >= self.limits.expansions;
            let symbol = nodes[next].symbol;
            let alternative = self.choose(symbol, closing, rng);
            self.covered[symbol.index()][alternative as usize] = true;
            nodes[next].alternative = alternative;
            let symbols = &self.grammar.rule(symbol).alternatives[alternative as usize];
            nodes[next].children = expand(symbols, &mut nodes, &mut open, rng);
            expansions += 1;
        }
        nodes
    }

    fn choose(&self, symbol: Nonterminal, closing: bool, rng: &mut (impl Rng + ?Sized)) -> u32 {
        let pick = |choices: &[u32], rng: &mut _| choices[pick_below(choices.len(), rng)];
        let covered = &self.covered[symbol.index()];
        if closing {
            return pick(&self.closing[symbol.index()], rng);
        }
        if self.limits.cover {
            let new = self.alternatives(symbol, |place, _| !covered[place]);
            let leading = |_, alternative: &Alternative| self.leads_to_new(alternative);
            let wanted = if new.is_empty() { self.alternatives(symbol, leading) } else { new };
            if !wanted.is_empty() {
                return pick(&wanted, rng);
            }
        }
        let count = u32::try_from(covered.len()).unwrap_or(u32::MAX);
        rng.random_range(0..count)
    }

    fn alternatives(
        &self,
        symbol: Nonterminal,
        is_wanted: impl Fn(usize, &Alternative) -> bool,
    ) -> Vec<u32> {
        let alternatives = self.grammar.rule(symbol).alternatives.iter().enumerate();
        let wanted =
            alternatives.zip(0..).filter(|((place, symbols), _)| is_wanted(*place, symbols));
        wanted.map(|(_, number)| number).collect()
    }

    /// Whether an alternative can lead to one that was never taken.
    fn leads_to_new(&self, alternative: &Alternative) -> bool {
        alternative.iter().any(|symbol| {
            let Symbol::Nonterminal(symbol) = symbol else { return false };
            let reached = self.reached[symbol.index()].iter().zip(&self.covered);
            reached.into_iter().any(|(reached, taken)| *reached && taken.contains(&false))
        })
    }

    /// Writes out a grown tree; elements of lists become children of one node.
    fn write(&self, nodes: &[Growing<'_>], builder: &mut TreeBuilder) {
        builder.grow(&Part::Node(0), |builder, part, below| {
            match part {
                Part::Text(text) => builder.terminal(text),
                Part::Char(c) => builder.character(*c),
                Part::Node(node) => {
                    let Growing { symbol, alternative, .. } = nodes[*node];
                    builder.enter(symbol, alternative);
                    if self.grammar.rule(symbol).is_list() {
                        below.extend(elements(nodes, *node).into_iter().rev());
                    } else {
                        below.extend(&nodes[*node].children);
                    }
                }
            }
            Some(())
        });
    }
}

/// Opens the children of an alternative.
fn expand<'g>(
    symbols: &'g Alternative,
    nodes: &mut Vec<Growing<'g>>,
    open: &mut Vec<usize>,
    rng: &mut (impl Rng + ?Sized),
) -> Vec<Part<'g>> {
    let mut parts = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        parts.push(match symbol {
            Symbol::Text(text) => Part::Text(text),
            Symbol::Class(class) => Part::Char(draw(class, rng)),
            Symbol::Nonterminal(symbol) => {
                open.push(nodes.len());
                nodes.push(Growing { symbol: *symbol, alternative: 0, children: Vec::new() });
                Part::Node(nodes.len() - 1)
            }
        });
    }
    parts
}

/// The elements of the list `node`, the last first: the list is its own first child.
fn elements<'p, 'g>(nodes: &'p [Growing<'g>], node: usize) -> Vec<&'p Part<'g>> {
    let list = nodes[node].symbol;
    let mut elements = Vec::new();
    let mut next = Some(node);
    while let Some(node) = next.take() {
        let mut parts = nodes[node].children.iter();
        if let Some(Part::Node(shorter)) = nodes[node].children.first()
            && nodes[*shorter].symbol == list
            && nodes[node].children.len() == 2
        {
            next = Some(*shorter);
            parts.next();
        }
        elements.extend(parts);
    }
    elements
}

/// For each rule the alternatives whose smallest tree is no larger than the smallest of all.
fn closing_alternatives(grammar: &Grammar, reached: &[Vec<bool>]) -> Vec<Vec<u32>> {
    let size = |alternative: &Alternative| -> usize {
        let of = |symbol: &Symbol| match symbol {
            Symbol::Nonterminal(symbol) => grammar.smallest(*symbol).len(),
            Symbol::Text(_) | Symbol::Class(_) => 1,
        };
        alternative.iter().map(of).sum()
    };
    // The smallest trees have the fewest characters first of all, and an alternative with fewer nodes
    // may lead in a circle; so the alternative of the smallest tree counts, and those like it.
    let closing = grammar.nonterminals().map(|symbol| {
        let alternatives = &grammar.rule(symbol).alternatives;
        let NodeKind::Nonterminal { alternative: best, .. } = grammar.smallest(symbol).kind(0)
        else {
            return vec![0];
        };
        let bound = size(&alternatives[best as usize]);
        let recursive = |alternative: &Alternative| {
            alternative.iter().any(|part| match part {
                Symbol::Nonterminal(n) => reached[n.index()][symbol.index()],
                Symbol::Text(_) | Symbol::Class(_) => false,
            })
        };
        (0..)
            .zip(alternatives)
            .filter(|(place, other)| *place == best || size(other) <= bound && !recursive(other))
            .map(|(place, _)| place)
            .collect()
    });
    closing.collect()
}

/// A member of `class`. Of large classes mostly ASCII members are drawn: they matter most to programs
/// and read best.
fn draw(class: &Arc<CharClass>, rng: &mut (impl Rng + ?Sized)) -> char {
    /// Beyond this the members are not equally likely.
    const SMALL: u32 = 256;
    let count = class.count();
    let below = if count > SMALL && rng.random_bool(0.9) {
        let printable = class.ranges().iter().map(|&(low, high)| {
            let high = high.min('\x7f') as u32;
            (high + 1).saturating_sub(low as u32)
        });
        match printable.sum() {
            0 => count,
            ascii => ascii,
        }
    } else {
        count
    };
    class.nth(rng.random_range(0..below.max(1))).unwrap_or_default()
}

fn pick_below(count: usize, rng: &mut (impl Rng + ?Sized)) -> usize {
    rng.random_range(0..count)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::grammar::{BUILTINS, Parser};

    #[test]
    fn every_builtin_parses_what_it_generates() {
        for builtin in BUILTINS {
            let grammar = builtin.grammar();
            let parser = Parser::new(&grammar);
            let mut generator = Generator::new(&grammar, Limits::default());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for _ in 0..30 {
                let tree = generator.generate(grammar.start(), &mut rng);
                assert!(parser.accepts(tree.text()), "{}: {:?}", builtin.name, tree.text());
            }
        }
    }

    #[test]
    fn explosive_grammars_stay_small() {
        let grammar = Grammar::parse_ebnf("s ::= s s s s | '(' s ')' | 'x'").unwrap();
        let mut generator = Generator::new(&grammar, Limits::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..1000 {
            assert!(generator.generate(grammar.start(), &mut rng).len() < 2000);
        }
    }

    #[test]
    fn covering_takes_every_alternative_soon() {
        let grammar = crate::grammar::builtin("json").unwrap();
        let coverage = |cover, trees| {
            let limits = Limits { cover, open: 100, ..Limits::default() };
            let mut generator = Generator::new(&grammar, limits);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            for _ in 0..trees {
                generator.generate(grammar.start(), &mut rng);
            }
            generator.coverage()
        };
        assert!(coverage(true, 20) > 0.95, "{}", coverage(true, 20));
        assert!(coverage(true, 20) >= coverage(false, 20));
    }

    #[test]
    fn the_same_seed_gives_the_same_tree() {
        let grammar = crate::grammar::builtin("html").unwrap();
        let text = |seed| {
            let mut generator = Generator::new(&grammar, Limits::default());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            generator.generate(grammar.start(), &mut rng).text().to_owned()
        };
        assert_eq!(text(5), text(5));
        assert!((0..20).any(|seed| text(seed) != text(5)));
    }
}

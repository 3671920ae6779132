//! Exhaustive generation: how many trees there are, and all of them.

use std::collections::HashMap;
use std::rc::Rc;

use crate::grammar::{Edit, Grammar, NodeKind, Symbol, Tree, TreeBuilder};
use crate::reduce::tree::Nonterminal;

/// The number of derivation trees of `symbol`; `None` if there are infinitely many, or too many to
/// count.
pub fn count(grammar: &Grammar, symbol: Nonterminal) -> Option<u64> {
    let mut known = vec![Count::Unknown; grammar.rules().len()];
    count_of(grammar, symbol, &mut known)
}

#[derive(Clone, Copy)]
enum Count {
    Unknown,
    /// Being counted: to come here again means that there are infinitely many.
    Active,
    Known(Option<u64>),
}

fn count_of(grammar: &Grammar, symbol: Nonterminal, known: &mut [Count]) -> Option<u64> {
    match known[symbol.index()] {
        Count::Known(count) => return count,
        Count::Active => return None,
        Count::Unknown => known[symbol.index()] = Count::Active,
    }
    let mut sum = Some(0u64);
    for alternative in &grammar.rule(symbol).alternatives {
        let mut product = Some(1u64);
        for part in alternative {
            let factor = match part {
                Symbol::Text(_) => Some(1),
                Symbol::Class(class) => Some(u64::from(class.count())),
                Symbol::Nonterminal(symbol) => count_of(grammar, *symbol, known),
            };
            product = product.zip(factor).and_then(|(product, factor)| product.checked_mul(factor));
        }
        sum = sum.zip(product).and_then(|(sum, product)| sum.checked_add(product));
    }
    known[symbol.index()] = Count::Known(sum);
    sum
}

/// Derivation trees of `symbol`, those with few nodes first: all that have at most `most_expansions`
/// expanded nonterminals, but no more than `most_trees`.
pub fn enumerate(
    grammar: &Grammar,
    symbol: Nonterminal,
    most_expansions: usize,
    most_trees: usize,
) -> Vec<Tree> {
    let mut table = Table { grammar, most_trees, known: HashMap::new() };
    let mut found = Vec::new();
    for expansions in 1..=most_expansions {
        found.extend(table.trees(symbol, expansions).iter().map(|tree| flatten(grammar, tree)));
        if found.len() >= most_trees {
            found.truncate(most_trees);
            break;
        }
    }
    found
}

/// All trees by nonterminal and exact number of expansions.
struct Table<'g> {
    grammar: &'g Grammar,
    most_trees: usize,
    known: HashMap<(Nonterminal, usize), Rc<[Tree]>>,
}

impl Table<'_> {
    fn trees(&mut self, symbol: Nonterminal, size: usize) -> Rc<[Tree]> {
        if let Some(known) = self.known.get(&(symbol, size)) {
            return known.clone();
        }
        let mut trees = Vec::new();
        if size > 0 {
            for alternative in 0..self.grammar.rule(symbol).alternatives.len() {
                for tree in expansions(self.grammar, symbol, alternative) {
                    self.fill(&tree, size - 1, &mut trees);
                }
            }
        }
        let trees: Rc<[Tree]> = trees.into();
        self.known.insert((symbol, size), trees.clone());
        trees
    }

    /// Adds the trees that fill the open nodes of `tree` with `budget` expansions in all.
    fn fill(&mut self, tree: &Tree, budget: usize, filled: &mut Vec<Tree>) {
        let open: Vec<(usize, Nonterminal)> = (0..tree.len())
            .filter_map(|at| match tree.kind(at) {
                NodeKind::Open(symbol) => Some((at, symbol)),
                NodeKind::Nonterminal { .. } | NodeKind::Terminal => None,
            })
            .collect();
        let mut partial: Vec<(usize, Vec<Tree>)> = vec![(0, Vec::new())];
        for (place, &(_, symbol)) in open.iter().enumerate() {
            let others = open.len() - place - 1;
            let mut longer = Vec::new();
            for (used, parts) in &partial {
                let rest = (budget - used).saturating_sub(others);
                let sizes = if others == 0 { rest..=rest } else { 1..=rest };
                for size in sizes {
                    let choices = self.trees(symbol, size);
                    let with =
                        |part: &Tree| [parts.as_slice(), std::slice::from_ref(part)].concat();
                    longer.extend(choices.iter().map(|part| (used + size, with(part))));
                    longer.truncate(self.most_trees.saturating_mul(2));
                }
            }
            partial = longer;
        }
        for (_, parts) in partial.into_iter().filter(|(used, _)| *used == budget) {
            let edits: Vec<_> =
                open.iter().zip(&parts).map(|((at, _), part)| (*at, Edit::Replace(part))).collect();
            filled.push(tree.edit(&edits));
        }
        filled.truncate(self.most_trees);
    }
}

/// The trees of one alternative, its nonterminals open, its classes spelled out.
fn expansions(grammar: &Grammar, symbol: Nonterminal, alternative: usize) -> Vec<Tree> {
    let symbols = &grammar.rule(symbol).alternatives[alternative];
    let mut choices: Vec<Vec<char>> = vec![Vec::new()];
    for part in symbols {
        if let Symbol::Class(class) = part {
            let longer = |chosen: &Vec<char>| {
                let chosen = chosen.clone();
                let with = move |c| chosen.iter().copied().chain([c]).collect::<Vec<char>>();
                class.chars().map(with).collect::<Vec<_>>()
            };
            choices = choices.iter().flat_map(longer).collect();
        }
    }
    let tree = |chosen: Vec<char>| {
        let mut chosen = chosen.into_iter();
        let mut builder = TreeBuilder::default();
        let alternative = u32::try_from(alternative).unwrap_or(u32::MAX);
        builder.enter(symbol, alternative);
        for part in symbols {
            match part {
                Symbol::Text(text) => builder.terminal(text),
                Symbol::Class(_) => {
                    let c = chosen.next().unwrap_or_default();
                    builder.character(c);
                }
                Symbol::Nonterminal(open) => builder.graft(&open_tree(*open)),
            }
        }
        builder.finish()
    };
    choices.into_iter().map(tree).collect()
}

/// A copy in which the elements of a list are children of one node.
fn flatten(grammar: &Grammar, tree: &Tree) -> Tree {
    let mut builder = TreeBuilder::with_capacity(tree.len(), tree.text().len());
    // Where open nodes end; a list inside of the same list is left out, and has no one to close.
    let mut ends: Vec<(usize, bool, Option<Nonterminal>)> = Vec::new();
    for at in 0..tree.len() {
        while let Some((_, written, _)) = ends.pop_if(|(end, ..)| *end <= at) {
            if written {
                builder.close();
            }
        }
        let kind = tree.kind(at);
        let symbol = tree.symbol(at).filter(|_| kind != NodeKind::Terminal);
        if symbol.is_none() {
            builder.terminal(tree.text_of(at));
            continue;
        }
        let above = ends.last().and_then(|(_, _, symbol)| *symbol);
        let again = symbol == above && symbol.is_some_and(|list| grammar.rule(list).is_list());
        if !again {
            builder.open(kind);
        }
        ends.push((tree.subtree(at).end, !again, symbol));
    }
    builder.finish()
}

fn open_tree(symbol: Nonterminal) -> Tree {
    let mut builder = TreeBuilder::default();
    builder.open(NodeKind::Open(symbol));
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Parser;

    #[test]
    fn finite_languages_are_counted_and_listed() {
        let grammar = Grammar::parse_ebnf("s ::= [a-c] t? | 'x'; t ::= '0' | '1'").unwrap();
        assert_eq!(count(&grammar, grammar.start()), Some(10));
        let texts: Vec<String> = enumerate(&grammar, grammar.start(), 10, 100)
            .iter()
            .map(|tree| tree.text().to_owned())
            .collect();
        assert_eq!(texts, ["x", "a", "b", "c", "a0", "a1", "b0", "b1", "c0", "c1"]);
        let endless = Grammar::parse_ebnf("s ::= 'x'*").unwrap();
        assert_eq!(count(&endless, endless.start()), None);
    }

    #[test]
    fn enumerated_trees_are_those_that_the_parser_builds() {
        let grammar = Grammar::parse_ebnf("s ::= ('a' | '(' s ')')* 'b'").unwrap();
        let parser = Parser::new(&grammar);
        let trees = enumerate(&grammar, grammar.start(), 13, 500);
        assert!(trees.len() > 20);
        for tree in trees {
            let parsed = parser.parse(tree.text()).unwrap();
            assert_eq!(parsed.len(), tree.len(), "{}", tree.text());
        }
    }
}

//! The sequence of choices of a derivation.
//!
//! One number for each decision, in the order of a leftmost derivation: which alternative (none if
//! there is only one), which character of a class, and before each element of a list that it does not
//! need 1, after the last one 0. The smallest number is always the simplest choice.

use super::model::{Grammar, Symbol};
use super::{CharClass, NodeKind, Tree, TreeBuilder};
use crate::reduce::tree::{Nonterminal, Rules};

/// What is left to say about a tree.
enum Said {
    Node(usize),
    Choice(u32),
}

fn step_to(tree: &Tree, child: usize, symbol: &Symbol) -> Option<Said> {
    match symbol {
        Symbol::Text(_) => None,
        Symbol::Class(class) => {
            tree.text_of(child).chars().next().map(|c| Said::Choice(number_of(class, c)))
        }
        Symbol::Nonterminal(_) => Some(Said::Node(child)),
    }
}

/// The choices that lead to `tree`.
pub(super) fn choices(grammar: &Grammar, tree: &Tree) -> Vec<u32> {
    let mut choices = Vec::new();
    let mut steps = vec![Said::Node(0)];
    while let Some(step) = steps.pop() {
        let at = match step {
            Said::Choice(choice) => {
                choices.push(choice);
                continue;
            }
            Said::Node(at) => at,
        };
        let NodeKind::Nonterminal { symbol, alternative } = tree.kind(at) else { continue };
        let alternatives = &grammar.rule(symbol).alternatives;
        let mut below: Vec<Said> = Vec::new();
        if let Some(fewest) = grammar.fewest_elements(symbol) {
            for (place, element) in tree.children(at).enumerate() {
                if place >= fewest {
                    below.push(Said::Choice(1));
                }
                below.extend(step_to(tree, element, &alternatives[1][1]));
            }
            below.push(Said::Choice(0));
        } else {
            let order = &grammar.simplest_first[symbol.index()];
            let number = order.iter().position(|&other| other == alternative).unwrap_or(0);
            if alternatives.len() > 1 {
                choices.push(u32::try_from(number).unwrap_or(0));
            }
            let children = tree.children(at).zip(&alternatives[alternative as usize]);
            below.extend(children.filter_map(|(child, symbol)| step_to(tree, child, symbol)));
        }
        steps.extend(below.into_iter().rev());
    }
    choices
}

/// The tree that `choices` lead to; `None` if there are too few.
pub(super) fn replay(grammar: &Grammar, root: Nonterminal, choices: &[u32]) -> Option<Tree> {
    enum Seed<'g> {
        Symbol(&'g Symbol),
        /// A list that has so many elements so far.
        More(Nonterminal, usize),
    }
    let mut choices = choices.iter().copied();
    let mut builder = TreeBuilder::default();
    let root = Symbol::Nonterminal(root);
    builder.grow(Seed::Symbol(&root), |builder, seed, below| {
        match seed {
            Seed::Symbol(Symbol::Text(text)) => builder.terminal(text),
            Seed::Symbol(Symbol::Class(class)) => {
                builder.character(member(class, choices.next()?)?);
            }
            Seed::Symbol(Symbol::Nonterminal(list)) if grammar.rule(*list).is_list() => {
                builder.enter(*list, 0);
                below.push(Seed::More(*list, 0));
            }
            Seed::Symbol(Symbol::Nonterminal(symbol)) => {
                let order = &grammar.simplest_first[symbol.index()];
                let number =
                    if order.len() > 1 { choices.next()? as usize % order.len() } else { 0 };
                let alternative = *order.get(number)?;
                builder.enter(*symbol, alternative);
                let symbols = &grammar.rule(*symbol).alternatives[alternative as usize];
                below.extend(symbols.iter().map(Seed::Symbol));
            }
            Seed::More(list, elements) => {
                let fewest = grammar.fewest_elements(list).unwrap_or(0);
                if elements < fewest || choices.next()? % 2 == 1 {
                    below.push(Seed::Symbol(&grammar.rule(list).alternatives[1][1]));
                    below.push(Seed::More(list, elements + 1));
                }
            }
        }
        Some(())
    })?;
    Some(builder.finish())
}

/// The members of a class are numbered in ascending order from the simplest one, which is 0.
fn number_of(class: &CharClass, c: char) -> u32 {
    let count = class.count().max(1);
    (place_of(class, c) + count - simplest_place(class)) % count
}

fn member(class: &CharClass, number: u32) -> Option<char> {
    let count = class.count().max(1);
    class.nth((number % count + simplest_place(class)) % count)
}

fn simplest_place(class: &CharClass) -> u32 {
    class.simplest().map_or(0, |c| place_of(class, c))
}

/// How many members come before `c`.
fn place_of(class: &CharClass, c: char) -> u32 {
    let length = |low: char, high: char| u32::from(high) - u32::from(low) + 1;
    let ranges = class.ranges().iter();
    let full: u32 =
        ranges.clone().filter(|range| range.1 < c).map(|&(low, high)| length(low, high)).sum();
    let within = ranges.clone().find(|range| range.0 <= c && c <= range.1);
    full + within.map_or(0, |&(low, _)| u32::from(c) - u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Generator, Limits, Parser, builtin};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    #[test]
    fn choices_lead_back_to_the_tree() {
        for name in ["json", "html", "arithmetic", "ipv6", "toml"] {
            let grammar = builtin(name).unwrap();
            let mut generator = Generator::new(&grammar, Limits::default());
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
            for _ in 0..50 {
                let tree = generator.generate(grammar.start(), &mut rng);
                let choices = choices(&grammar, &tree);
                let again = replay(&grammar, grammar.start(), &choices).unwrap();
                assert_eq!(again.text(), tree.text(), "{name}");
                assert_eq!(again.len(), tree.len(), "{name}");
            }
        }
    }

    #[test]
    fn zeros_are_the_simplest_text() {
        let grammar = Grammar::parse_ebnf("s ::= '(' s ')' | [!-z] | s s").unwrap();
        assert_eq!(replay(&grammar, grammar.start(), &[0, 0]).unwrap().text(), "0");
        assert_eq!(replay(&grammar, grammar.start(), &[0]), None);
        let tree = Parser::new(&grammar).parse("(0)").unwrap();
        assert_eq!(choices(&grammar, &tree).last(), Some(&0));
    }
}

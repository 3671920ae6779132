//! A grammar as tree reduction sees it.

use std::collections::{HashMap, VecDeque};

use super::choice;
use super::model::{Form, Grammar, Symbol, alone_in};
use crate::reduce::tree::{Nonterminal, Rules, Tree, TreeBuilder};

impl Rules for Grammar {
    fn smallest(&self, symbol: Nonterminal) -> &Tree {
        &self.smallest[symbol.index()]
    }

    fn fewest_elements(&self, symbol: Nonterminal) -> Option<usize> {
        match self.rule(symbol).form {
            Form::Star => Some(0),
            Form::Plus => Some(1),
            Form::Named | Form::Group | Form::Optional => None,
        }
    }

    fn lift(&self, symbol: Nonterminal, tree: &Tree) -> Option<Tree> {
        let path = self.path_between(symbol, tree.symbol(0)?)?;
        let mut builder = TreeBuilder::default();
        // What comes after the way down is empty, and is written once the tree is in its place.
        for (symbol, alternative, place) in &path {
            let alternative_number = u32::try_from(*alternative).unwrap_or(u32::MAX);
            builder.enter(*symbol, alternative_number);
            let symbols = &self.rule(*symbol).alternatives[*alternative];
            self.graft_smallest(&symbols[..*place], &mut builder);
        }
        builder.graft(tree);
        for (symbol, alternative, place) in path.iter().rev() {
            let symbols = &self.rule(*symbol).alternatives[*alternative];
            self.graft_smallest(&symbols[place + 1..], &mut builder);
            builder.close();
        }
        Some(builder.finish())
    }

    fn choices(&self, tree: &Tree) -> Vec<u32> {
        choice::choices(self, tree)
    }

    fn replay(&self, symbol: Nonterminal, choices: &[u32]) -> Option<Tree> {
        choice::replay(self, symbol, choices)
    }
}

impl Grammar {
    /// The rules, alternatives and places in them that lead from `from` down to `to` with nothing
    /// beside it; the shortest way, the first alternatives.
    fn path_between(&self, from: Nonterminal, to: Nonterminal) -> Option<Vec<Link>> {
        let mut above: HashMap<Nonterminal, Link> = HashMap::new();
        let mut pending = VecDeque::from([from]);
        let empty = |symbol| self.smallest(symbol).text().is_empty();
        while let Some(symbol) = pending.pop_front() {
            for (alternative, symbols) in self.rule(symbol).alternatives.iter().enumerate() {
                for (place, below) in alone_in(symbols, empty) {
                    if below != from && !above.contains_key(&below) {
                        above.insert(below, (symbol, alternative, place));
                        pending.push_back(below);
                    }
                }
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while at != from {
            let link = *above.get(&at)?;
            // A list has its elements as children, which its own alternatives do not show.
            if self.rule(link.0).is_list() {
                return None;
            }
            at = link.0;
            path.push(link);
        }
        path.reverse();
        Some(path)
    }

    fn graft_smallest(&self, symbols: &[Symbol], builder: &mut TreeBuilder) {
        for symbol in symbols {
            if let Symbol::Nonterminal(symbol) = symbol {
                builder.graft(self.smallest(*symbol));
            }
        }
    }
}

/// A rule, one of its alternatives, and a place in that.
type Link = (Nonterminal, usize, usize);

//! Patterns: derivation trees with placeholders.

use std::collections::HashMap;
use std::sync::Arc;

use rand::Rng;

use super::raw::RawGrammar;
use crate::grammar::{Edit, Generator, Grammar, NodeKind, Nonterminal, Symbol, Tree, TreeBuilder};
use crate::reduce::tree::ShownNode;

/// A placeholder of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// What it stands for.
    pub symbol: Nonterminal,
    /// The nodes of the concrete tree that it replaces, ascending. Several if the same text is needed
    /// in each of these places.
    pub nodes: Vec<usize>,
}

impl Hole {
    /// In the place of one node.
    pub fn at(node: usize, symbol: Nonterminal) -> Self {
        Hole { symbol, nodes: vec![node] }
    }

    /// Whether the same text is needed in several places.
    pub fn is_covarying(&self) -> bool {
        self.nodes.len() > 1
    }
}

/// An abstract failure-inducing input: a concrete failing text, parts of which may be replaced by
/// anything that their nonterminals derive.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// That of the concrete text, and the rules of narrowed placeholders.
    grammar: Arc<Grammar>,
    concrete: Tree,
    holes: Vec<Hole>,
}

/// An instance of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The whole.
    pub tree: Tree,
    /// What each hole of the pattern was filled with, in order.
    pub parts: Vec<Tree>,
}

impl Pattern {
    /// The pattern of `concrete` with these holes, which must not overlap.
    pub fn new(grammar: Arc<Grammar>, concrete: Tree, mut holes: Vec<Hole>) -> Self {
        holes.sort_by_key(|hole| hole.nodes.first().copied());
        Pattern { grammar, concrete, holes }
    }

    /// Any text of `grammar`.
    pub fn any(grammar: Grammar) -> Self {
        let start = grammar.start();
        let mut concrete = TreeBuilder::with_capacity(1, 0);
        concrete.open(NodeKind::Open(start));
        Pattern::new(Arc::new(grammar), concrete.finish(), vec![Hole::at(0, start)])
    }

    /// The grammar of the placeholders.
    pub fn grammar_used(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// The concrete failing tree it was made from.
    pub fn concrete(&self) -> &Tree {
        &self.concrete
    }

    /// The placeholders, in the order of their first places.
    pub fn holes(&self) -> &[Hole] {
        &self.holes
    }

    /// The same pattern with other holes.
    pub fn with_holes(&self, holes: Vec<Hole>) -> Self {
        Pattern::new(self.grammar.clone(), self.concrete.clone(), holes)
    }

    /// The same pattern with the rules of `grammar`, which are its own and others after them.
    pub(super) fn with_grammar(&self, grammar: Arc<Grammar>) -> Self {
        Pattern::new(grammar, self.concrete.clone(), self.holes.clone())
    }

    /// Whether a hole stands for a part only of what could be in its place.
    pub fn is_narrowed(&self, hole: &Hole) -> bool {
        self.concrete.symbol(hole.nodes[0]) != Some(hole.symbol)
    }

    /// Whether any text of the grammar is an instance.
    pub fn is_open(&self) -> bool {
        let mut holes = self.holes.iter();
        holes.any(|hole| hole.nodes[0] == 0 && !self.is_narrowed(hole))
    }

    /// The tree with its holes open.
    pub fn tree(&self) -> Tree {
        let edits = self
            .places()
            .into_iter()
            .map(|(node, hole)| (node, Edit::Open(self.holes[hole].symbol)));
        self.concrete.edit(&edits.collect::<Vec<_>>())
    }

    /// As [`Pattern::tree`], but places that need the same text keep that of the concrete input: that they
    /// do is beyond a context-free grammar.
    pub fn context_free_tree(&self) -> Tree {
        let apart = self.holes.iter().filter(|hole| !hole.is_covarying());
        self.with_holes(apart.cloned().collect()).tree()
    }

    /// Whether `at` is inside a hole.
    pub fn covers(&self, at: usize) -> bool {
        let mut nodes = self.holes.iter().flat_map(|hole| &hole.nodes);
        nodes.any(|&node| self.concrete.subtree(node).contains(&at))
    }

    /// The nodes that are replaced, ascending, with the numbers of their holes.
    pub(super) fn places(&self) -> Vec<(usize, usize)> {
        let nodes = self.holes.iter().enumerate();
        let mut places: Vec<(usize, usize)> = nodes
            .flat_map(|(hole, Hole { nodes, .. })| nodes.iter().map(move |&node| (node, hole)))
            .collect();
        places.sort_unstable();
        places
    }

    /// A random instance.
    pub fn instance(
        &self,
        generator: &mut Generator<'_>,
        rng: &mut (impl Rng + ?Sized),
    ) -> Instance {
        let parts = self.holes.iter().map(|hole| generator.generate(hole.symbol, rng)).collect();
        self.filled(parts)
    }

    /// The instance whose holes are filled with `parts`, in order.
    pub fn filled(&self, parts: Vec<Tree>) -> Instance {
        let edits: Vec<_> = self
            .places()
            .into_iter()
            .filter_map(|(node, hole)| Some((node, Edit::Replace(parts.get(hole)?))))
            .collect();
        Instance { tree: self.concrete.edit(&edits), parts }
    }

    /// The nodes of the tree as they are shown to people.
    pub fn shown_tree(&self) -> Vec<ShownNode> {
        self.tree().shown(|symbol| self.grammar.shown(symbol))
    }

    /// The grammar of all instances. Placeholders that need the same text in several places are beyond
    /// a context-free grammar; they keep the text of the concrete input.
    pub fn to_grammar(&self) -> Grammar {
        let mut raw = RawGrammar::of(&self.grammar);
        let root = self.concrete.symbol(0).unwrap_or(self.grammar.start());
        let name = format!("{} P", self.grammar.rule(root).name);
        let open: HashMap<usize, Nonterminal> = self
            .holes
            .iter()
            .filter(|hole| !hole.is_covarying())
            .flat_map(|hole| hole.nodes.iter().map(|&node| (node, hole.symbol)))
            .collect();
        let start = raw.add(&name, vec![spell(&self.concrete, &open)]);
        raw.clean(start).unwrap_or_else(|| (*self.grammar).clone())
    }
}

/// The frontier of `tree` as one alternative, neighbouring texts joined.
fn spell(tree: &Tree, open: &HashMap<usize, Nonterminal>) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while at < tree.len() {
        if let Some(&symbol) = open.get(&at) {
            if !text.is_empty() {
                symbols.push(Symbol::Text(std::mem::take(&mut text).into()));
            }
            symbols.push(Symbol::Nonterminal(symbol));
            at = tree.subtree(at).end;
            continue;
        }
        if tree.kind(at) == NodeKind::Terminal {
            text.push_str(tree.text_of(at));
        }
        at += 1;
    }
    if !text.is_empty() {
        symbols.push(Symbol::Text(text.into()));
    }
    symbols
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_to_grammar_holds() -> Result<(), Box<dyn std::error::Error>> {
        use super::{Hole, Pattern};
        use crate::grammar::{Grammar, Parser};
        let grammar = Grammar::parse_ebnf(r#"pair ::= key "=" key; key ::= [a-z]+"#)?;
        let tree = Parser::new(&grammar).parse("a=b")?;
        let hole = Hole { symbol: grammar.nonterminal("key").unwrap(), nodes: vec![1] };
        let pattern = Pattern::new(grammar.into(), tree, vec![hole]);
        assert_eq!(pattern.to_string(), "<key>=b");
        assert!(pattern.to_grammar().to_ebnf().starts_with("<pair P> ::= key \"=b\"\n"));
        Ok(())
    }
}

//! The evocative subtree of a pattern, and the grammar of all texts that contain one of several: R.
//! Gopinath, H. Nemati and A. Zeller, "Input Algebras" (2021).

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::pattern::Pattern;
use super::raw::RawGrammar;
use super::trial::larger_batch;
use crate::grammar::{
    Alternative, Generator, Grammar, Limits, NodeKind, Nonterminal, Symbol, Tree,
};
use crate::reduce::{Outcome, Result};

/// The smallest subtree of `pattern` whose presence in an input causes the failure, holes open.
///
/// From the root down: a child takes the place of its parent if `tries` random inputs that contain it
/// all fail. `ask` runs a text; unresolved outcomes do not count. Where the same text is needed in several
/// places, which no grammar can say, these keep their text.
///
/// # Errors
/// Those of `ask`.
pub fn evocative_subtree(
    pattern: &Pattern,
    ask: &mut dyn Ask,
    tries: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Tree> {
    let grammar = pattern.grammar_used();
    let tree = pattern.context_free_tree();
    let mut at = 0;
    'down: loop {
        for child in tree.children(at) {
            if !matches!(tree.kind(child), NodeKind::Nonterminal { .. }) {
                continue;
            }
            let candidate = tree.extract(child);
            if causes(grammar, &candidate, ask, tries, rng)? {
                at = child;
                continue 'down;
            }
        }
        return Ok(tree.extract(at));
    }
}

/// Whether random inputs that contain `subtree` fail.
fn causes(
    grammar: &Grammar,
    subtree: &Tree,
    ask: &mut dyn Ask,
    tries: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<bool> {
    let evocative = evocative_grammar(grammar, std::slice::from_ref(subtree));
    let mut generator = Generator::new(&evocative, Limits::default());
    let (mut failed, mut left, mut size) = (0, tries.saturating_mul(10), 1);
    while failed < tries && left > 0 {
        let count = size.min(left).min(tries - failed);
        let trees: Vec<Tree> =
            (0..count).map(|_| generator.generate(evocative.start(), rng)).collect();
        let texts: Vec<&str> = trees.iter().map(Tree::text).collect();
        let outcomes = ask.ask_all(&texts)?;
        if outcomes.contains(&Outcome::Pass) {
            return Ok(false);
        }
        failed += outcomes.iter().filter(|outcome| outcome.is_fail()).count();
        left -= count;
        size = larger_batch(size);
    }
    Ok(failed >= tries.div_ceil(4))
}

/// The grammar of the texts of `grammar` whose derivation contains at least one of `subtrees`, its open
/// nodes filled in any way. `<expr F>` is an `<expr>` with one of them inside.
pub fn evocative_grammar(grammar: &Grammar, subtrees: &[Tree]) -> Grammar {
    let mut raw = RawGrammar::of(grammar);
    let targets: Vec<Nonterminal> =
        subtrees.iter().map(|subtree| target_of(grammar, subtree)).collect();
    let reaching = reaching_rules(grammar, &targets, &mut raw);
    let fragments: Vec<Nonterminal> =
        subtrees.iter().map(|subtree| fragment_rules(grammar, subtree, &mut raw)).collect();
    for symbol in grammar.nonterminals() {
        let Some(special) = reaching[symbol.index()] else { continue };
        let here = targets.iter().zip(&fragments).filter(|(target, _)| **target == symbol);
        let mut alternatives: Vec<Alternative> =
            here.map(|(_, fragment)| vec![Symbol::Nonterminal(*fragment)]).collect();
        for alternative in &grammar.rule(symbol).alternatives {
            alternatives.extend(insertions(alternative, &reaching));
        }
        raw.define(special, alternatives);
    }
    let start = reaching[grammar.start().index()];
    start.and_then(|start| raw.clean(start)).unwrap_or_else(|| grammar.clone())
}

/// The nonterminal in whose place `subtree` stands. One that is nothing but a narrowed placeholder
/// stands in that of the start symbol.
fn target_of(grammar: &Grammar, subtree: &Tree) -> Nonterminal {
    let reached = grammar.reachable_from(grammar.start());
    let root = subtree.symbol(0).filter(|root| reached[root.index()]);
    root.unwrap_or(grammar.start())
}

/// Adds a rule `<x F>` for each nonterminal in whose derivations one of `targets` can occur.
fn reaching_rules(
    grammar: &Grammar,
    targets: &[Nonterminal],
    raw: &mut RawGrammar,
) -> Vec<Option<Nonterminal>> {
    let special = |symbol: Nonterminal| {
        let reached = grammar.reachable_from(symbol);
        let reaches = targets.iter().any(|target| reached[target.index()]);
        reaches.then(|| raw.add(&format!("{} F", grammar.rule(symbol).name), Vec::new()))
    };
    grammar.nonterminals().map(special).collect()
}

/// The variants of an alternative in which one nonterminal is sure to contain the fragment.
fn insertions(alternative: &Alternative, reaching: &[Option<Nonterminal>]) -> Vec<Alternative> {
    let mut variants = Vec::new();
    for (place, symbol) in alternative.iter().enumerate() {
        if let Symbol::Nonterminal(symbol) = symbol
            && let Some(special) = reaching[symbol.index()]
        {
            let mut variant = alternative.clone();
            variant[place] = Symbol::Nonterminal(special);
            variants.push(variant);
        }
    }
    variants
}

/// Adds a rule of its own for each expanded node of `subtree`; the last one is that of its root.
fn fragment_rules(grammar: &Grammar, subtree: &Tree, raw: &mut RawGrammar) -> Nonterminal {
    let mut rules = vec![None; subtree.len()];
    let mut root = subtree.symbol(0).unwrap_or(grammar.start());
    // Children come after their parents.
    for at in (0..subtree.len()).rev() {
        let NodeKind::Nonterminal { symbol, .. } = subtree.kind(at) else { continue };
        let part = |child: usize| match subtree.kind(child) {
            NodeKind::Terminal => Some(Symbol::Text(subtree.text_of(child).into())),
            NodeKind::Open(symbol) => Some(Symbol::Nonterminal(symbol)),
            NodeKind::Nonterminal { .. } => rules[child].map(Symbol::Nonterminal),
        };
        let alternative: Alternative = subtree.children(at).filter_map(part).collect();
        // What derives nothing need not be named.
        if alternative.is_empty() && at > 0 {
            continue;
        }
        root = raw.add(&format!("{} F{at}", grammar.rule(symbol).name), vec![alternative]);
        rules[at] = Some(root);
    }
    root
}

//! `and`, `or` and `not` of evocative subtrees, as grammars.
//!
//! Which subtrees a derivation contains can be told from the bottom up: a node's state is the set of
//! those nodes of the subtrees that it matches, and of those subtrees that occur in it. There are
//! finitely many states, and each derivation has exactly one; so the nonterminals split into pairs of
//! a nonterminal and a state, and a formula is a set of states of the start symbol. (The product
//! construction for tree automata; J. Thatcher and J. Wright, 1968.)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::raw::RawGrammar;
use crate::grammar::{
    Alternative, CharClass, Form, Grammar, Kind, Nonterminal, Symbol, Tree, TreeBuilder,
};

/// A condition on inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// The derivation contains this subtree, its open nodes filled in any way.
    Contains(Tree),
    /// Both hold.
    And(Box<Formula>, Box<Formula>),
    /// One holds, or both.
    Or(Box<Formula>, Box<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
}

/// Why there is no grammar of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AlgebraError {
    /// No input fulfils it.
    #[error("no input of the grammar fulfils the formula")]
    Empty,
    /// The grammar would have too many rules.
    #[error("the grammar of the formula would be too large")]
    TooLarge,
}

/// More alternatives than this help nobody.
const MOST_ALTERNATIVES: usize = 200_000;

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
    #[expect(
        clippy::should_implement_trait,
        reason = "it reads like `and` and `or`"
    )]
    pub fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// The grammar of the inputs that fulfil the formula. Each derivation of `grammar` that does has
    /// exactly one counterpart.
    ///
    /// # Errors
    /// When there are no such inputs, or the grammar would be too large.
    ///
    /// ```
    /// # use cargo_reduce::{generalize::Formula, grammar::{Grammar, Parser}};
    /// let grammar = Grammar::parse_ebnf("s ::= d s | d; d ::= a | b; a ::= 'a'; b ::= 'b'")?;
    /// let part = |text: &str, name: &str| {
    ///     let rule = grammar.starting_at(grammar.nonterminal(name).expect("it is there"));
    ///     Parser::new(&rule).parse(text).map(Formula::Contains)
    /// };
    /// let only_a = part("a", "a")?.and(part("b", "b")?.not()).grammar(&grammar)?;
    /// let parser = Parser::new(&only_a);
    /// assert!(parser.accepts("aa") && !parser.accepts("ab"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grammar(&self, grammar: &Grammar) -> Result<Grammar, AlgebraError> {
        let mut fragments = Vec::new();
        self.collect(grammar, &mut fragments);
        let automaton = Automaton::new(grammar, &fragments)?;
        let states = automaton.run()?;
        let fulfilled = |state: State| {
            self.holds(&mut 0, &|fragment| {
                state >> (automaton.nodes.len() + fragment) & 1 == 1
            })
        };
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

/// One bit for each node of the fragments that is matched, then one for each fragment that occurs.
type State = u128;

/// What a child of a fragment's node must be.
enum Wanted {
    Anything,
    Text(String),
    /// Node number so and so.
    Node(usize),
}

/// An expanded node of a fragment.
struct FragmentNode {
    symbol: Nonterminal,
    alternative: usize,
    children: Vec<Wanted>,
}

/// An alternative whose symbols have states, after the state that it gives.
type Expansion = (State, Vec<(Symbol, State)>);

struct Automaton<'g> {
    grammar: &'g Grammar,
    nodes: Vec<FragmentNode>,
    /// The numbers of the roots.
    roots: Vec<usize>,
}

/// A way to write a symbol, the text if it is one, and the state of what it derives.
struct Choice {
    symbol: Symbol,
    text: Option<String>,
    state: State,
}

impl<'g> Automaton<'g> {
    fn new(grammar: &'g Grammar, fragments: &[Tree]) -> Result<Self, AlgebraError> {
        let mut automaton = Automaton {
            grammar,
            nodes: Vec::new(),
            roots: Vec::new(),
        };
        for fragment in fragments {
            let root = automaton.add(fragment, 0);
            automaton.roots.extend(root);
        }
        let bits = automaton.nodes.len() + automaton.roots.len();
        let fits = bits <= State::BITS as usize && automaton.roots.len() == fragments.len();
        if fits {
            Ok(automaton)
        } else {
            Err(AlgebraError::TooLarge)
        }
    }

    /// Numbers the expanded nodes of a fragment, children first.
    fn add(&mut self, fragment: &Tree, at: usize) -> Option<usize> {
        let mut numbers = vec![None; fragment.len()];
        for node in fragment.subtree(at).rev() {
            let Kind::Nonterminal {
                symbol,
                alternative,
            } = fragment.kind(node)
            else {
                continue;
            };
            let wanted = |child: usize| match (fragment.kind(child), numbers[child]) {
                (Kind::Terminal, _) => Wanted::Text(fragment.text_of(child).to_owned()),
                (Kind::Nonterminal { .. }, Some(number)) => Wanted::Node(number),
                (Kind::Open(_) | Kind::Nonterminal { .. }, _) => Wanted::Anything,
            };
            let children = fragment.children(node).map(wanted).collect();
            numbers[node] = Some(self.nodes.len());
            self.nodes.push(FragmentNode {
                symbol,
                alternative: alternative as usize,
                children,
            });
        }
        numbers[at]
    }

    /// The states of each nonterminal, by a fixed point.
    fn run(&self) -> Result<Vec<BTreeSet<State>>, AlgebraError> {
        let mut states = vec![BTreeSet::new(); self.grammar.rules().len()];
        loop {
            let before: usize = states.iter().map(BTreeSet::len).sum();
            for symbol in self.grammar.nonterminals() {
                for alternative in 0..self.grammar.rule(symbol).alternatives.len() {
                    for (state, _) in self.expansions(symbol, alternative, &states)? {
                        states[symbol.index()].insert(state);
                    }
                }
            }
            if states.iter().map(BTreeSet::len).sum::<usize>() == before {
                return Ok(states);
            }
        }
    }

    /// The combinations of states that an alternative can be expanded by, with the state they give.
    /// The symbols of an expansion name their states by an index into those of the nonterminal.
    fn expansions(
        &self,
        symbol: Nonterminal,
        alternative: usize,
        states: &[BTreeSet<State>],
    ) -> Result<Vec<Expansion>, AlgebraError> {
        let symbols = &self.grammar.rule(symbol).alternatives[alternative];
        let mut partial: Vec<Vec<Choice>> = vec![Vec::new()];
        let mut combinations: Vec<Vec<usize>> = vec![Vec::new()];
        for (place, part) in symbols.iter().enumerate() {
            let choices = self.choices(symbol, alternative, place, part, states);
            combinations = combinations
                .iter()
                .flat_map(|before| {
                    (0..choices.len()).map(move |c| [before.as_slice(), &[c]].concat())
                })
                .collect();
            if combinations.len() > MOST_ALTERNATIVES {
                return Err(AlgebraError::TooLarge);
            }
            partial.push(choices);
        }
        let choices = &partial[1..];
        Ok(combinations
            .into_iter()
            .map(|combination| {
                let chosen: Vec<&Choice> = combination
                    .iter()
                    .zip(choices)
                    .map(|(&choice, choices)| &choices[choice])
                    .collect();
                let parts = chosen
                    .iter()
                    .map(|choice| (choice.symbol.clone(), choice.state));
                (self.state(symbol, alternative, &chosen), parts.collect())
            })
            .collect())
    }

    fn choices(
        &self,
        symbol: Nonterminal,
        alternative: usize,
        place: usize,
        part: &Symbol,
        states: &[BTreeSet<State>],
    ) -> Vec<Choice> {
        let plain = |text: String| Choice {
            symbol: Symbol::Text(text.as_str().into()),
            text: Some(text),
            state: 0,
        };
        match part {
            Symbol::Text(text) => vec![plain(text.to_string())],
            Symbol::Nonterminal(below) => {
                let state = |&state| Choice {
                    symbol: part.clone(),
                    text: None,
                    state,
                };
                states[below.index()].iter().map(state).collect()
            }
            Symbol::Class(class) => {
                let wanted = self.characters(symbol, alternative, place);
                let rest = class.minus(&wanted);
                let rest = (!rest.is_empty()).then(|| Choice {
                    symbol: Symbol::Class(Arc::new(rest)),
                    text: None,
                    state: 0,
                });
                let single = wanted
                    .chars()
                    .filter(|&c| class.contains(c))
                    .map(|c| plain(c.to_string()));
                single.chain(rest).collect()
            }
        }
    }

    /// The characters that fragments want at this place.
    fn characters(&self, symbol: Nonterminal, alternative: usize, place: usize) -> CharClass {
        let here = self
            .nodes
            .iter()
            .filter(|node| (node.symbol, node.alternative) == (symbol, alternative));
        let wanted = here.filter_map(|node| match node.children.get(place) {
            Some(Wanted::Text(text)) => Some(text.as_str()),
            _ => None,
        });
        CharClass::of(&wanted.collect::<String>())
    }

    fn state(&self, symbol: Nonterminal, alternative: usize, chosen: &[&Choice]) -> State {
        let node_bits = (1 << self.nodes.len()) - 1;
        let below = chosen
            .iter()
            .fold(0, |bits, choice| bits | choice.state & !node_bits);
        let mut state = below;
        for (number, node) in self.nodes.iter().enumerate() {
            let fits = (node.symbol, node.alternative) == (symbol, alternative)
                && node.children.len() == chosen.len()
                && node
                    .children
                    .iter()
                    .zip(chosen)
                    .all(|(wanted, choice)| match wanted {
                        Wanted::Anything => true,
                        Wanted::Text(text) => choice.text.as_ref() == Some(text),
                        Wanted::Node(number) => choice.state >> number & 1 == 1,
                    });
            state |= State::from(fits) << number;
        }
        for (fragment, root) in self.roots.iter().enumerate() {
            state |= (state >> root & 1) << (self.nodes.len() + fragment);
        }
        state
    }

    /// The grammar of pairs of a nonterminal and a state, from the start symbol in a fulfilled state.
    fn write(
        &self,
        states: &[BTreeSet<State>],
        fulfilled: impl Fn(State) -> bool,
    ) -> Result<Grammar, AlgebraError> {
        let mut raw = RawGrammar::of(self.grammar);
        let mut pairs: BTreeMap<(Nonterminal, State), Nonterminal> = BTreeMap::new();
        for symbol in self.grammar.nonterminals() {
            for (number, &state) in states[symbol.index()].iter().enumerate() {
                let name = format!("{} S{number}", self.grammar.rule(symbol).name);
                pairs.insert((symbol, state), raw.add(&name, Vec::new()));
            }
        }
        let mut rules: BTreeMap<Nonterminal, Vec<Alternative>> = BTreeMap::new();
        for symbol in self.grammar.nonterminals() {
            for alternative in 0..self.grammar.rule(symbol).alternatives.len() {
                for (state, parts) in self.expansions(symbol, alternative, states)? {
                    let part = |(part, state)| match part {
                        Symbol::Nonterminal(below) => Symbol::Nonterminal(pairs[&(below, state)]),
                        other => other,
                    };
                    let expansion = parts.into_iter().map(part).collect();
                    rules
                        .entry(pairs[&(symbol, state)])
                        .or_default()
                        .push(expansion);
                }
            }
        }
        if rules.values().map(Vec::len).sum::<usize>() > MOST_ALTERNATIVES {
            return Err(AlgebraError::TooLarge);
        }
        for (symbol, alternatives) in rules {
            raw.define(symbol, alternatives);
        }
        let start = self.grammar.start();
        let accepted = states[start.index()]
            .iter()
            .filter(|&&state| fulfilled(state));
        let accepted = accepted
            .map(|&state| vec![Symbol::Nonterminal(pairs[&(start, state)])])
            .collect();
        let start = raw.add(&format!("{} S", self.grammar.rule(start).name), accepted);
        raw.clean(start).ok_or(AlgebraError::Empty)
    }
}

/// A copy in which lists are nested as their rules say: a shorter list, then an element.
fn nested(grammar: &Grammar, tree: &Tree) -> Tree {
    enum Step {
        Node(usize),
        /// The list at this node, with its first so many elements.
        List(usize, usize),
        Leave,
    }
    let mut builder = TreeBuilder::with_capacity(tree.len(), tree.text().len());
    let mut steps = vec![Step::Node(0)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Leave => builder.close(),
            Step::Node(at) => match tree.kind(at) {
                Kind::Terminal => builder.terminal(tree.text_of(at)),
                Kind::Nonterminal { symbol, .. } if grammar.rule(symbol).is_list() => {
                    steps.push(Step::List(at, tree.children(at).count()));
                }
                kind => {
                    builder.open(kind);
                    steps.push(Step::Leave);
                    let children: Vec<usize> = tree.children(at).collect();
                    steps.extend(children.into_iter().rev().map(Step::Node));
                }
            },
            Step::List(at, elements) => {
                let Some(symbol) = tree.symbol(at) else {
                    continue;
                };
                let fewest = usize::from(grammar.rule(symbol).form == Form::Plus);
                let alternative = u32::from(elements > fewest);
                builder.open(Kind::Nonterminal {
                    symbol,
                    alternative,
                });
                steps.push(Step::Leave);
                let last = elements
                    .checked_sub(1)
                    .and_then(|last| tree.children(at).nth(last));
                steps.extend(last.map(Step::Node));
                if alternative == 1 {
                    steps.push(Step::List(at, elements - 1));
                }
            }
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::evocative_grammar;
    use crate::grammar::{Edit, Parser, enumerate};

    /// Whether the subtree at `at` is an instance of `fragment` at `part`.
    fn matches(tree: &Tree, at: usize, fragment: &Tree, part: usize) -> bool {
        match fragment.kind(part) {
            Kind::Open(symbol) => tree.symbol(at) == Some(symbol),
            Kind::Terminal => {
                tree.symbol(at).is_none() && tree.text_of(at) == fragment.text_of(part)
            }
            kind @ Kind::Nonterminal { .. } => {
                let children: Vec<usize> = tree.children(at).collect();
                let parts: Vec<usize> = fragment.children(part).collect();
                let is_list = |symbol| symbol == tree.symbol(at);
                (tree.kind(at) == kind
                    || is_list(fragment.symbol(part)) && children.len() == parts.len())
                    && children.len() == parts.len()
                    && children
                        .iter()
                        .zip(parts)
                        .all(|(&at, part)| matches(tree, at, fragment, part))
            }
        }
    }

    fn contains(tree: &Tree, fragment: &Tree) -> bool {
        (0..tree.len()).any(|at| matches(tree, at, fragment, 0))
    }

    /// An unambiguous grammar, and parts of its derivations.
    fn sample(ebnf: &str, text: &str, below: &str, open: &str) -> (Grammar, Tree) {
        let grammar = Grammar::parse_ebnf(ebnf).unwrap();
        let from = grammar.starting_at(grammar.nonterminal(below).unwrap());
        let tree = Parser::new(&from).parse(text).unwrap();
        let open = grammar.nonterminal(open);
        let edits: Vec<_> = (1..tree.len())
            .filter_map(|at| {
                open.filter(|_| tree.symbol(at) == open)
                    .map(|open| (at, Edit::Open(open)))
            })
            .collect();
        let fragment = tree.edit(&edits);
        (grammar, fragment)
    }

    fn agree(grammar: &Grammar, formula: &Formula, holds: impl Fn(&Tree) -> bool) {
        let derived = formula.grammar(grammar).unwrap();
        let parser = Parser::new(&derived);
        let trees = enumerate(grammar, grammar.start(), 10, 3000);
        assert!(trees.len() > 10);
        assert!(trees.iter().any(&holds) && !trees.iter().all(&holds));
        for tree in &trees {
            assert_eq!(parser.accepts(tree.text()), holds(tree), "{}", tree.text());
        }
        // And the other way round: all that the new grammar makes are of the old one, and fulfil it.
        let old = Parser::new(grammar);
        for tree in enumerate(&derived, derived.start(), 10, 1000) {
            assert!(holds(&old.parse(tree.text()).unwrap()), "{}", tree.text());
        }
    }

    const NESTED: &str = "s ::= s a | a; a ::= '(' s ')' | c; c ::= [xy]";

    #[test]
    fn and_or_and_not_agree_with_enumeration() {
        let (grammar, doubled) = sample(NESTED, "((x))", "a", "c");
        let (_, letter) = sample(NESTED, "y", "a", "none");
        let (one, two) = (
            Formula::Contains(doubled.clone()),
            Formula::Contains(letter.clone()),
        );
        let (has_one, has_two) = (
            |tree: &Tree| contains(tree, &doubled),
            |tree: &Tree| contains(tree, &letter),
        );
        agree(&grammar, &one, has_one);
        agree(&grammar, &one.clone().not(), |tree| !has_one(tree));
        agree(&grammar, &one.clone().and(two.clone()), |tree| {
            has_one(tree) && has_two(tree)
        });
        agree(&grammar, &one.clone().or(two.clone()), |tree| {
            has_one(tree) || has_two(tree)
        });
        let neither = one.clone().or(two).not();
        agree(&grammar, &neither, |tree| !has_one(tree) && !has_two(tree));
        let impossible = one.clone().and(one.not());
        assert_eq!(impossible.grammar(&grammar), Err(AlgebraError::Empty));
    }

    #[test]
    fn lists_are_understood() {
        let ebnf = "s ::= '[' e* ']'; e ::= s | c; c ::= [xy]";
        let (grammar, fragment) = sample(ebnf, "[xy]", "s", "c");
        agree(&grammar, &Formula::Contains(fragment.clone()), |tree| {
            contains(tree, &fragment)
        });
        agree(
            &grammar,
            &Formula::Contains(fragment.clone()).not(),
            |tree| !contains(tree, &fragment),
        );
    }

    #[test]
    fn the_evocative_grammar_contains_what_it_should() {
        for (ebnf, text, below) in [
            (NESTED, "((x))", "a"),
            ("s ::= '[' e* ']'; e ::= s | c; c ::= [xy]", "[xy]", "s"),
        ] {
            let (grammar, fragment) = sample(ebnf, text, below, "c");
            let evocative = evocative_grammar(&grammar, std::slice::from_ref(&fragment));
            let parser = Parser::new(&evocative);
            for tree in enumerate(&grammar, grammar.start(), 10, 3000) {
                assert_eq!(
                    parser.accepts(tree.text()),
                    contains(&tree, &fragment),
                    "{}",
                    tree.text()
                );
            }
        }
    }
}

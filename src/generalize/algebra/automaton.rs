//! The automaton that tells from the bottom up which fragments a derivation contains.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::generalize::raw::RawGrammar;
use crate::grammar::{Alternative, CharClass, Form, Grammar, NodeKind, Nonterminal, Symbol, Tree};

/// Why there is no grammar of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AlgebraError {
    /// No input fulfils it.
    #[error("no text of the grammar matches the formula")]
    Empty,
    /// The grammar would have too many rules.
    #[error("the grammar of the formula would be too large")]
    TooLarge,
}

/// More alternatives than this help nobody.
const MOST_ALTERNATIVES: usize = 200_000;

/// Bits: for each node of the fragments whether it is matched, for each narrowed nonterminal whether it
/// derives the text, whether that is empty, and for each fragment whether it occurs.
pub(super) type State = u128;

/// What a child of a fragment's node must be.
enum Wanted {
    Anything,
    Text(String),
    /// What sets this bit.
    Bit(usize),
}

/// An expanded node of a fragment.
struct FragmentNode {
    symbol: Nonterminal,
    alternative: usize,
    children: Vec<Wanted>,
}

/// An alternative whose symbols have states, after the state that it gives.
type Expansion = (State, Vec<(Symbol, State)>);

pub(super) struct Automaton<'g> {
    grammar: &'g Grammar,
    narrowed: Narrowed,
    nodes: Vec<FragmentNode>,
    /// The bits of the roots.
    roots: Vec<usize>,
}

/// The nonterminals that stand for a part of the texts of another one. Their rules are made as those of
/// the other, with less in them.
struct Narrowed {
    symbols: Vec<Nonterminal>,
    /// The classes in their rules.
    classes: Vec<Arc<CharClass>>,
}

impl Narrowed {
    /// Those that `fragments` leave open, and what they are made of.
    fn of(grammar: &Grammar, fragments: &[Tree]) -> Self {
        let usual = grammar.reachable_from(grammar.start());
        let mut is_narrowed = vec![false; grammar.rules().len()];
        for fragment in fragments {
            for at in 0..fragment.len() {
                let NodeKind::Open(symbol) = fragment.kind(at) else { continue };
                let reached = grammar.reachable_from(symbol);
                for other in grammar.nonterminals().map(Nonterminal::index) {
                    is_narrowed[other] |= reached[other] && !usual[other];
                }
                is_narrowed[symbol.index()] |= at == 0 || !usual[symbol.index()];
            }
        }
        let symbols: Vec<Nonterminal> =
            grammar.nonterminals().filter(|symbol| is_narrowed[symbol.index()]).collect();
        let parts = symbols.iter().flat_map(|symbol| &grammar.rule(*symbol).alternatives);
        let classes = parts.flatten().filter_map(|part| match part {
            Symbol::Class(class) => Some(class.clone()),
            _ => None,
        });
        Narrowed { classes: classes.collect(), symbols }
    }

    fn number(&self, symbol: Nonterminal) -> Option<usize> {
        self.symbols.iter().position(|known| *known == symbol)
    }
}

/// A way to write a symbol, the characters if it is some, and the state of what it derives.
struct Choice {
    symbol: Symbol,
    written: Written,
    state: State,
}

/// What a choice says of the text.
enum Written {
    /// This text.
    Text(String),
    /// One of these characters.
    One(Arc<CharClass>),
    /// A text of this nonterminal.
    Any(Nonterminal),
}

impl Written {
    /// Whether it is this text.
    fn is(&self, wanted: &str) -> bool {
        matches!(self, Written::Text(text) if text == wanted)
    }

    /// Whether it is a character of `class` in any case.
    fn is_in(&self, class: &CharClass) -> bool {
        match self {
            Written::Text(text) => {
                let mut chars = text.chars();
                chars.next().is_some_and(|c| class.contains(c)) && chars.next().is_none()
            }
            Written::One(some) => some.minus(class).is_empty(),
            Written::Any(_) => false,
        }
    }
}

impl<'g> Automaton<'g> {
    pub(super) fn new(grammar: &'g Grammar, fragments: &[Tree]) -> Result<Self, AlgebraError> {
        let mut automaton = Automaton {
            grammar,
            narrowed: Narrowed::of(grammar, fragments),
            nodes: Vec::new(),
            roots: Vec::new(),
        };
        for fragment in fragments {
            let root = automaton.add(fragment);
            automaton.roots.extend(root);
        }
        let bits = automaton.root_bit(automaton.roots.len());
        let fits = bits <= State::BITS as usize && automaton.roots.len() == fragments.len();
        if fits { Ok(automaton) } else { Err(AlgebraError::TooLarge) }
    }

    /// Whether a fragment occurs in what has this state.
    pub(super) fn occurs(&self, fragment: usize, state: State) -> bool {
        state >> self.root_bit(fragment) & 1 == 1
    }

    // Nodes come last, so that bits are known before all of them are.

    fn empty_bit(&self) -> usize {
        self.narrowed.symbols.len()
    }

    fn node_bit(&self, node: usize) -> usize {
        self.empty_bit() + 1 + node
    }

    fn root_bit(&self, fragment: usize) -> usize {
        self.node_bit(self.nodes.len()) + fragment
    }

    /// Numbers the expanded nodes of a fragment, children first; the bit of its root.
    fn add(&mut self, fragment: &Tree) -> Option<usize> {
        let mut bits = vec![None; fragment.len()];
        for node in (0..fragment.len()).rev() {
            let (symbol, alternative) = match fragment.kind(node) {
                NodeKind::Terminal => continue,
                NodeKind::Open(symbol) => {
                    bits[node] = self.narrowed.number(symbol);
                    continue;
                }
                NodeKind::Nonterminal { symbol, alternative } => (symbol, alternative as usize),
            };
            let wanted = |child: usize| match (fragment.kind(child), bits[child]) {
                (NodeKind::Terminal, _) => Wanted::Text(fragment.text_of(child).to_owned()),
                (_, Some(bit)) => Wanted::Bit(bit),
                (_, None) => Wanted::Anything,
            };
            let children = fragment.children(node).map(wanted).collect();
            bits[node] = Some(self.node_bit(self.nodes.len()));
            self.nodes.push(FragmentNode { symbol, alternative, children });
        }
        bits[0]
    }

    /// The states of each nonterminal, by a fixed point.
    pub(super) fn run(&self) -> Result<Vec<BTreeSet<State>>, AlgebraError> {
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
                let parts = chosen.iter().map(|choice| (choice.symbol.clone(), choice.state));
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
            written: Written::Text(text),
            state: 0,
        };
        match part {
            Symbol::Text(text) => vec![plain(text.to_string())],
            Symbol::Nonterminal(below) => {
                let state =
                    |&state| Choice { symbol: part.clone(), written: Written::Any(*below), state };
                states[below.index()].iter().map(state).collect()
            }
            Symbol::Class(class) => {
                let wanted = self.characters(symbol, alternative, place);
                let rest = self.cut(class.minus(&wanted)).into_iter().map(|class| Choice {
                    symbol: Symbol::Class(class.clone()),
                    written: Written::One(class),
                    state: 0,
                });
                let single =
                    wanted.chars().filter(|&c| class.contains(c)).map(|c| plain(c.to_string()));
                single.chain(rest).collect()
            }
        }
    }

    /// A class in parts that narrowed rules tell apart.
    fn cut(&self, class: CharClass) -> Vec<Arc<CharClass>> {
        let mut parts = vec![class];
        for narrowed in &self.narrowed.classes {
            let halves = |part: CharClass| {
                let outside = part.minus(narrowed);
                [part.minus(&outside), outside]
            };
            parts = parts.into_iter().flat_map(halves).collect();
            parts.retain(|part| !part.is_empty());
        }
        parts.into_iter().map(Arc::new).collect()
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

    /// The state of a node with these children.
    fn state(&self, symbol: Nonterminal, alternative: usize, chosen: &[&Choice]) -> State {
        let of_one = (1 << self.root_bit(0)) - 1;
        let mut state = chosen.iter().fold(0, |bits, choice| bits | choice.state & !of_one);
        state |= State::from(chosen.is_empty()) << self.empty_bit();
        for (number, narrowed) in self.narrowed.symbols.iter().enumerate() {
            let fits = *narrowed == symbol || self.derives(*narrowed, chosen);
            state |= State::from(fits) << number;
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let fits = |(wanted, choice): (&Wanted, &&Choice)| match wanted {
                Wanted::Anything => true,
                Wanted::Text(text) => choice.written.is(text),
                Wanted::Bit(bit) => choice.state >> bit & 1 == 1,
            };
            let fits = (node.symbol, node.alternative) == (symbol, alternative)
                && node.children.len() == chosen.len()
                && node.children.iter().zip(chosen).all(fits);
            state |= State::from(fits) << self.node_bit(number);
        }
        for (fragment, root) in self.roots.iter().enumerate() {
            state |= (state >> root & 1) << self.root_bit(fragment);
        }
        state
    }

    /// Whether a narrowed nonterminal has an alternative for these children.
    fn derives(&self, narrowed: Nonterminal, chosen: &[&Choice]) -> bool {
        let rule = self.grammar.rule(narrowed);
        let is_by = |alternative: &Alternative| {
            let mut pairs = alternative.iter().zip(chosen);
            alternative.len() == chosen.len() && pairs.all(|(part, choice)| self.fits(part, choice))
        };
        // A list that may be empty is narrowed to one that may not: its first element follows an empty one.
        let is_first = || match (rule.form, &rule.alternatives[..], chosen) {
            (Form::Plus, [least, _], [list, element]) => {
                list.state >> self.empty_bit() & 1 == 1
                    && matches!(&least[..], [part] if self.fits(part, element))
            }
            _ => false,
        };
        rule.alternatives.iter().any(is_by) || is_first()
    }

    /// Whether all of a choice is derived by a part of a narrowed alternative.
    fn fits(&self, part: &Symbol, choice: &Choice) -> bool {
        match part {
            Symbol::Text(text) => choice.written.is(text),
            Symbol::Class(class) => choice.written.is_in(class),
            Symbol::Nonterminal(symbol) => match self.narrowed.number(*symbol) {
                Some(bit) => choice.state >> bit & 1 == 1,
                None => matches!(choice.written, Written::Any(below) if below == *symbol),
            },
        }
    }

    /// The grammar of pairs of a nonterminal and a state, from the start symbol in a fulfilled state.
    pub(super) fn write(
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
                    rules.entry(pairs[&(symbol, state)]).or_default().push(expansion);
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
        let accepted = states[start.index()].iter().filter(|&&state| fulfilled(state));
        let accepted =
            accepted.map(|&state| vec![Symbol::Nonterminal(pairs[&(start, state)])]).collect();
        let start = raw.add(&format!("{} S", self.grammar.rule(start).name), accepted);
        raw.clean(start).ok_or(AlgebraError::Empty)
    }
}

//! Reads one derivation tree off the sets of the recognizer.

use std::rc::Rc;

use super::chart::{Chart, Item, Set, advanced};
use super::compiled::{Compiled, Dot, Next};
use crate::grammar::Grammar;
use crate::reduce::tree::{Nonterminal, Rules, Tree, TreeBuilder};

/// The tree of a text that was recognized: `goal` is the completed goal at its end.
pub(super) fn extract(
    grammar: &Grammar,
    compiled: &Compiled,
    chart: &Chart,
    text: &str,
) -> Option<Tree> {
    let extractor = Extractor { grammar, compiled, chart, text };
    let goal = Item { dot: compiled.goal + 1, origin: 0 };
    let place = chart.set(text.len()).position(goal)?;
    let done = Done { item: goal, end: text.len(), found: Completed::At(place) };
    let root = extractor.split(&done)?.pop()?;
    let mut builder = TreeBuilder::with_capacity(text.len() * 3, text.len());
    extractor.build(root, &mut builder);
    Some(builder.finish())
}

/// A part of a derivation.
#[derive(Debug, Clone)]
enum Child {
    /// A terminal that spans these bytes.
    Terminal(usize, usize),
    /// A nonterminal that derives the empty text.
    Empty(Nonterminal),
    /// A nonterminal, completed.
    Done(Done),
}

/// A completed item at its end.
#[derive(Debug, Clone)]
struct Done {
    item: Item,
    end: usize,
    found: Completed,
}

/// How an item is known to be complete.
#[derive(Debug, Clone)]
enum Completed {
    /// It is in the set, at this place. In a circular grammar an item of the same span that it is made
    /// from must have a smaller place, so that the tree does not go round.
    At(usize),
    /// One of Leo's transitions stepped over it: it is at this place of the chain of items from the
    /// one that was completed up to the one that was put into the set.
    Skipped(Rc<[Item]>, usize),
}

struct Extractor<'a> {
    grammar: &'a Grammar,
    compiled: &'a Compiled,
    chart: &'a Chart,
    text: &'a str,
}

impl Extractor<'_> {
    fn build(&self, root: Child, builder: &mut TreeBuilder) {
        builder.grow(root, |builder, child, below| {
            match child {
                Child::Terminal(start, end) => builder.terminal(&self.text[start..end]),
                Child::Empty(symbol) => builder.graft(self.grammar.smallest(symbol)),
                Child::Done(done) => {
                    let production = self.compiled.production(done.item.dot);
                    let (symbol, alternative) = (production.rule, production.alternative);
                    builder.enter(symbol, alternative);
                    *below = if self.compiled.is_list(symbol) {
                        self.elements(done)
                    } else {
                        self.split(&done).unwrap_or_default()
                    };
                }
            }
            Some(())
        });
    }

    /// The elements of a list. Those that are empty say nothing and are left out.
    fn elements(&self, list: Done) -> Vec<Child> {
        let mut elements = Vec::new();
        let mut next = Some(list);
        while let Some(list) = next.take() {
            let mut parts = self.split(&list).unwrap_or_default();
            elements.extend(parts.pop().filter(|child| !matches!(child, Child::Empty(_))));
            if let Some(Child::Done(shorter)) = parts.pop() {
                next = Some(shorter);
            }
        }
        elements.reverse();
        elements
    }

    /// The children of a completed item.
    fn split(&self, done: &Done) -> Option<Vec<Child>> {
        let mut children = Vec::new();
        let dot = done.item.dot;
        let skipped = matches!(done.found, Completed::Skipped(..));
        let mut found = !skipped && self.split_before(done, dot, done.end, &mut children);
        if !found && let Some(child) = self.below(done) {
            let start = child.item.origin as usize;
            children.push(Child::Done(child));
            found = self.split_before(done, dot - 1, start, &mut children);
        }
        children.reverse();
        found.then_some(children)
    }

    /// The last child of an item that is part of a Leo chain.
    fn below(&self, done: &Done) -> Option<Done> {
        let (chain, place) = match &done.found {
            Completed::Skipped(chain, place) => (chain.clone(), *place),
            Completed::At(place) => {
                let chain = self.chain(done.item, *place, done.end)?;
                let top = chain.len() - 1;
                (chain, top)
            }
        };
        let below = chain[place - 1];
        if place > 1 {
            return Some(Done {
                item: below,
                end: done.end,
                found: Completed::Skipped(chain, place - 1),
            });
        }
        let rule = self.compiled.production(below.dot).rule;
        let set = self.chart.set(done.end);
        let circular = self.compiled.is_circle(rule, rule);
        let limit = if circular { set.position(below)? + 1 } else { set.items.len() };
        self.first_choice(rule, below.origin, done.end, limit)
    }

    /// The chain of items that led to `top`, if it was put into the set by one of Leo's transitions:
    /// the completed item first, `top` last.
    fn chain(&self, top: Item, place: usize, end: usize) -> Option<Rc<[Item]>> {
        let jumps = &self.chart.set(end).jumps;
        let &(_, bottom) = jumps.iter().find(|(item, _)| *item as usize == place)?;
        let mut chain = vec![bottom];
        let mut last = bottom;
        while last != top {
            let rule = self.compiled.production(last.dot).rule;
            last = advanced(self.chart.set(last.origin as usize).waiting_for(rule).next()?);
            chain.push(last);
        }
        Some(chain.into())
    }

    /// Finds the children before `dot`, which end at `end`, and pushes them in reverse; leaves
    /// `children` alone if there are none that fit.
    fn split_before(&self, done: &Done, dot: Dot, end: usize, children: &mut Vec<Child>) -> bool {
        let item = done.item;
        if dot == self.compiled.production(item.dot).first_dot {
            return end == item.origin as usize;
        }
        let before = Item { dot: dot - 1, origin: item.origin };
        let mark = children.len();
        for child in self.children_before(done, before, end) {
            let start = match &child {
                Child::Terminal(start, _) => *start,
                Child::Empty(_) => end,
                Child::Done(child) => child.item.origin as usize,
            };
            children.push(child);
            if self.split_before(done, dot - 1, start, children) {
                return true;
            }
            children.truncate(mark);
        }
        false
    }

    /// What the symbol after `before` can be, if it ends at `end`; the preferred first.
    fn children_before(&self, done: &Done, before: Item, end: usize) -> Vec<Child> {
        let terminal = |length: usize| {
            let start = end.checked_sub(length);
            let start = start.filter(|&start| self.chart.set(start).position(before).is_some());
            start.map(|start| Child::Terminal(start, end)).into_iter().collect()
        };
        match self.compiled.next(before.dot) {
            Next::End => Vec::new(),
            Next::Text(text) => terminal(text.len()),
            Next::Class(_) => {
                terminal(self.text[..end].chars().next_back().map_or(usize::MAX, char::len_utf8))
            }
            Next::Nonterminal(symbol) => self.spans(done, *symbol, before, end),
        }
    }

    fn spans(&self, done: &Done, symbol: Nonterminal, before: Item, end: usize) -> Vec<Child> {
        let set = self.chart.set(end);
        let mut starts: Vec<u32> = self
            .completed(set, symbol)
            .map(|(_, item)| item.origin)
            .filter(|&start| self.chart.set(start as usize).position(before).is_some())
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let rule = self.compiled.production(done.item.dot).rule;
        let is_element = self.compiled.is_list(rule) && self.compiled.is_last(before.dot);
        let circular = self.compiled.is_circle(rule, symbol);
        if !is_element {
            starts.reverse();
        }
        let mut spans: Vec<Child> = Vec::with_capacity(starts.len() + 1);
        for start in starts {
            let whole = start == done.item.origin && end == done.end;
            let limit = match done.found {
                Completed::At(place) if whole && circular => place,
                _ => set.items.len(),
            };
            spans.extend(self.first_choice(symbol, start, end, limit).map(Child::Done));
        }
        if self.compiled.nullable[symbol.index()] && set.position(before).is_some() {
            let place = if is_element { spans.len() } else { 0 };
            spans.insert(place, Child::Empty(symbol));
        }
        spans
    }

    /// The completed items of `symbol` in `set`, with their places.
    fn completed<'s>(
        &'s self,
        set: &'s Set,
        symbol: Nonterminal,
    ) -> impl Iterator<Item = (usize, Item)> + 's {
        set.items.iter().copied().enumerate().filter(move |(_, item)| {
            matches!(self.compiled.next(item.dot), Next::End)
                && self.compiled.production(item.dot).rule == symbol
        })
    }

    /// The first alternative by which `symbol` spans `start..end`, among the items before `limit`.
    fn first_choice(
        &self,
        symbol: Nonterminal,
        start: u32,
        end: usize,
        limit: usize,
    ) -> Option<Done> {
        self.completed(self.chart.set(end), symbol)
            .take_while(|(place, _)| *place < limit)
            .filter(|(_, item)| item.origin == start)
            .min_by_key(|(_, item)| item.dot)
            .map(|(place, item)| Done { item, end, found: Completed::At(place) })
    }
}

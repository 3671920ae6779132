//! The recognizer: one set of items for each place of the text.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::compiled::{Compiled, Dot, Next};
use crate::reduce::tree::Nonterminal;

/// An alternative of which the part before the dot has been seen, since `origin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Item {
    pub(super) dot: Dot,
    /// Byte offset of the text where it was predicted.
    pub(super) origin: u32,
}

/// The items of one place, and indices into them.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub(super) items: Vec<Item>,
    /// Items waiting for a nonterminal, sorted by it.
    waiting: Vec<(Nonterminal, u32)>,
    /// Leo's transitions: for a nonterminal that one item alone waits for, as its last symbol, the
    /// item that completing it leads to in the end.
    leo: Vec<(Nonterminal, Item)>,
    /// The completed items that a Leo transition led to, with the completed item it set out from.
    pub(super) jumps: Vec<(u32, Item)>,
}

impl Set {
    /// The items waiting for `nonterminal`.
    pub(super) fn waiting_for(&self, nonterminal: Nonterminal) -> impl Iterator<Item = Item> {
        let from = self.waiting.partition_point(|&(other, _)| other < nonterminal);
        let waiting =
            self.waiting[from..].iter().take_while(move |(other, _)| *other == nonterminal);
        waiting.map(|&(_, item)| self.items[item as usize])
    }

    pub(super) fn position(&self, item: Item) -> Option<usize> {
        self.items.iter().position(|&other| other == item)
    }
}

/// All sets, by byte offset. Offsets inside a character have none.
#[derive(Debug)]
pub(super) struct Chart {
    pub(super) sets: Vec<Option<Box<Set>>>,
    /// The last offset that was reached.
    pub(super) furthest: usize,
}

impl Chart {
    pub(super) fn set(&self, at: usize) -> &Set {
        static EMPTY: Set =
            Set { items: Vec::new(), waiting: Vec::new(), leo: Vec::new(), jumps: Vec::new() };
        self.sets.get(at).and_then(Option::as_deref).unwrap_or(&EMPTY)
    }
}

/// Fills the sets. Stops early at a place that nothing can be scanned across.
pub(super) fn recognize(compiled: &Compiled, text: &str) -> Chart {
    let mut recognizer = Recognizer {
        compiled,
        text,
        chart: Chart { sets: Vec::with_capacity(text.len() + 1), furthest: 0 },
        ahead: BTreeMap::new(),
        current: Set::default(),
        known: HashSet::default(),
        predicted: vec![None; compiled.nullable.len()],
        at: 0,
    };
    recognizer.run();
    recognizer.chart
}

struct Recognizer<'a> {
    compiled: &'a Compiled,
    text: &'a str,
    chart: Chart,
    /// Items scanned into places that have not been reached.
    ahead: BTreeMap<usize, Vec<Item>>,
    current: Set,
    /// The items of the current set, if there are many.
    known: HashSet<Item, BuildHasherDefault<ItemHasher>>,
    /// Where each nonterminal was predicted last.
    predicted: Vec<Option<u32>>,
    at: usize,
}

impl Recognizer<'_> {
    fn run(&mut self) {
        self.add(Item { dot: self.compiled.goal, origin: 0 });
        loop {
            self.fill();
            self.close();
            let Some((at, items)) = self.ahead.pop_first() else { return };
            self.at = at;
            self.chart.furthest = at;
            for item in items {
                self.add(item);
            }
        }
    }

    fn fill(&mut self) {
        let mut next = 0;
        while let Some(&item) = self.current.items.get(next) {
            match self.compiled.next(item.dot) {
                Next::End => self.complete(item),
                Next::Text(text) => {
                    if self.text[self.at..].starts_with(&**text) {
                        self.scan(item, text.len());
                    }
                }
                Next::Class(class) => {
                    if let Some(c) =
                        self.text[self.at..].chars().next().filter(|&c| class.contains(c))
                    {
                        self.scan(item, c.len_utf8());
                    }
                }
                Next::Nonterminal(nonterminal) => {
                    self.predict(*nonterminal);
                    if self.compiled.nullable[nonterminal.index()] {
                        self.add(advanced(item));
                    }
                }
            }
            next += 1;
        }
    }

    fn add(&mut self, item: Item) {
        if !self.is_known(item) {
            self.current.items.push(item);
        }
    }

    /// Whether `item` is in the current set. Most sets are so small that a look at each item is faster
    /// than a hash.
    fn is_known(&mut self, item: Item) -> bool {
        const FEW: usize = 24;
        if self.current.items.len() < FEW {
            return self.current.items.contains(&item);
        }
        if self.known.is_empty() {
            self.known.extend(self.current.items.iter().copied());
        }
        !self.known.insert(item)
    }

    fn scan(&mut self, item: Item, length: usize) {
        self.ahead.entry(self.at + length).or_default().push(advanced(item));
    }

    fn predict(&mut self, nonterminal: Nonterminal) {
        let origin = offset(self.at);
        if self.predicted[nonterminal.index()].replace(origin) == Some(origin) {
            return;
        }
        let next = self.text[self.at..].chars().next();
        for production in self.compiled.predict(nonterminal, next) {
            self.add(Item { dot: production.first_dot, origin });
        }
    }

    fn complete(&mut self, item: Item) {
        // What is complete without having taken anything was stepped over when it was predicted.
        if item.origin as usize == self.at {
            return;
        }
        let rule = self.compiled.production(item.dot).rule;
        let set = self.chart.sets[item.origin as usize].take();
        let Some(origin) = set else { return };
        if let Some((_, top)) = origin.leo.iter().find(|(other, _)| *other == rule) {
            if !self.is_known(*top) {
                self.current.jumps.push((offset(self.current.items.len()), item));
                self.current.items.push(*top);
            }
        } else {
            origin.waiting_for(rule).for_each(|waiting| self.add(advanced(waiting)));
        }
        self.chart.sets[item.origin as usize] = Some(origin);
    }

    /// Indexes the current set and puts it into the chart.
    fn close(&mut self) {
        let mut set = std::mem::take(&mut self.current);
        self.known.clear();
        for (place, item) in set.items.iter().enumerate() {
            if let Next::Nonterminal(nonterminal) = self.compiled.next(item.dot) {
                set.waiting.push((*nonterminal, offset(place)));
            }
        }
        set.waiting.sort_unstable();
        set.leo = self.transitions(&set);
        set.items.shrink_to_fit();
        self.chart.sets.resize_with(self.at, || None);
        self.chart.sets.push(Some(Box::new(set)));
    }

    /// Leo's transitions out of `set`: the item that is complete once the nonterminal is, followed up
    /// as far as the same holds there.
    fn transitions(&self, set: &Set) -> Vec<(Nonterminal, Item)> {
        let alone = set.waiting.chunk_by(|one, other| one.0 == other.0).filter_map(|group| {
            let &[(nonterminal, only)] = group else { return None };
            let item = set.items[only as usize];
            self.compiled.is_last(item.dot).then_some((nonterminal, item))
        });
        let alone: Vec<(Nonterminal, Item)> = alone.collect();
        alone.iter().map(|&(nonterminal, item)| (nonterminal, self.top(item, &alone))).collect()
    }

    /// Follows `item` upwards; `alone` are the lone items of its own set.
    fn top(&self, mut item: Item, alone: &[(Nonterminal, Item)]) -> Item {
        // A circle of unit rules would have no top, but one of its items has company.
        for _ in 0..=alone.len() {
            let rule = self.compiled.production(item.dot).rule;
            let transitions = if item.origin as usize == self.at {
                alone
            } else {
                &self.chart.set(item.origin as usize).leo
            };
            match transitions.iter().find(|(other, _)| *other == rule) {
                None => break,
                Some(&(_, top)) if item.origin as usize != self.at => return top,
                Some(&(_, above)) => item = above,
            }
        }
        advanced(item)
    }
}

/// The item with the dot one further.
pub(super) fn advanced(item: Item) -> Item {
    Item { dot: item.dot + 1, ..item }
}

/// Texts of four gigabytes are refused before they come here.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Mixes a few words by multiplication; items are no secrets and hashed in the innermost loop.
#[derive(Default)]
pub(super) struct ItemHasher(u64);

impl Hasher for ItemHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

//! A set of small integers that is walked in the same order as the sets of `CPython`.
//!
//! The reference implementation of dd keeps the indices of elements in Python sets and cuts the
//! difference of two such sets in the order in which it is walked. That order is not ascending: an
//! integer stands in the table at its value modulo the table's size or a little behind, and the size
//! depends on how the set came about. The published sequences of calls (24 calls for the 26-character
//! `mystery` input, 8 and 9 in the other modes) follow from it; cut in ascending order the same job
//! takes 25, 10 and 9 calls. So the layout is part of what we conform to: open addressing, runs of
//! linear probes, and the growth policy (`CPython` 3.7 to 3.13, `Objects/setobject.c`).

use std::mem;

/// How many slots behind the first are looked at before the probe jumps.
const LINEAR_PROBES: usize = 9;
/// By how many bits the rest of the hash is shifted for each jump.
const PERTURB_SHIFT: u32 = 5;
/// The smallest table.
const MIN_SIZE: usize = 8;
/// Above this many elements a table grows by the factor 2, else by 4.
const LARGE: usize = 50_000;

/// A slot that was never taken; no integer in the set is as large.
const EMPTY: usize = usize::MAX;
/// A slot that held an integer which was removed.
const REMOVED: usize = usize::MAX - 1;

/// The set.
#[derive(Debug, Clone)]
pub(super) struct HashedSet {
    /// The integers, and [`EMPTY`] and [`REMOVED`] slots; its length is a power of two.
    table: Vec<usize>,
    /// Slots that are not empty.
    filled: usize,
    /// Slots that are taken.
    used: usize,
}

impl Default for HashedSet {
    fn default() -> Self {
        HashedSet { table: vec![EMPTY; MIN_SIZE], filled: 0, used: 0 }
    }
}

impl FromIterator<usize> for HashedSet {
    fn from_iter<I: IntoIterator<Item = usize>>(values: I) -> Self {
        let mut set = HashedSet::default();
        for value in values {
            set.insert(value);
        }
        set
    }
}

impl HashedSet {
    /// The integers, in the order of the table.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.table.iter().copied().filter(|slot| *slot < REMOVED)
    }

    /// This set and `other`.
    pub(super) fn plus(&self, other: &HashedSet) -> HashedSet {
        let mut union = HashedSet::default();
        union.merge(self);
        union.merge(other);
        union
    }

    /// This set without what is in `other`: where `other` is small a copy from which it is taken out,
    /// else a new set that is filled with the rest.
    pub(super) fn minus(&self, other: &HashedSet) -> HashedSet {
        if self.used >> 2 <= other.used {
            return self.iter().filter(|value| !other.contains(*value)).collect();
        }
        let mut rest = HashedSet::default();
        rest.merge(self);
        for value in other.iter() {
            rest.remove(value);
        }
        if rest.filled - rest.used > rest.mask() / 4 {
            rest.resize(rest.growth());
        }
        rest
    }

    fn mask(&self) -> usize {
        self.table.len() - 1
    }

    fn growth(&self) -> usize {
        self.used * if self.used > LARGE { 2 } else { 4 }
    }

    fn contains(&self, value: usize) -> bool {
        let slot = self.probe(value, |slot| slot == EMPTY || slot == value);
        self.table[slot] != EMPTY
    }

    fn insert(&mut self, value: usize) {
        let slot = self.probe(value, |slot| slot == EMPTY || slot == value);
        if self.table[slot] != EMPTY {
            return;
        }
        self.table[slot] = value;
        self.filled += 1;
        self.used += 1;
        if self.filled * 5 >= self.mask() * 3 {
            self.resize(self.growth());
        }
    }

    fn remove(&mut self, value: usize) {
        let slot = self.probe(value, |slot| slot == EMPTY || slot == value);
        if self.table[slot] != EMPTY {
            self.table[slot] = REMOVED;
            self.used -= 1;
        }
    }

    /// Inserts all of `other`, after growing once for both.
    fn merge(&mut self, other: &HashedSet) {
        if other.used == 0 {
            return;
        }
        if (self.filled + other.used) * 5 >= self.mask() * 3 {
            self.resize((self.used + other.used) * 2);
        }
        let is_same_layout = self.table.len() == other.table.len() && other.filled == other.used;
        if self.filled == 0 && is_same_layout {
            self.clone_from(other);
            return;
        }
        for value in other.iter() {
            self.insert(value);
        }
    }

    /// Moves to the smallest table with more than `at_least` slots.
    fn resize(&mut self, at_least: usize) {
        let size = (at_least + 1).next_power_of_two().max(MIN_SIZE);
        let old = mem::replace(&mut self.table, vec![EMPTY; size]);
        for value in old.into_iter().filter(|slot| *slot < REMOVED) {
            let free = self.probe(value, |slot| slot == EMPTY);
            self.table[free] = value;
        }
        self.filled = self.used;
    }

    /// The first slot on the way of `value` that is `wanted`.
    ///
    /// It ends because the table always has an empty slot, and the jumps reach all slots.
    fn probe(&self, value: usize, wanted: impl Fn(usize) -> bool) -> usize {
        let mask = self.mask();
        let mut perturb = value;
        let mut start = value & mask;
        loop {
            let probes = if start + LINEAR_PROBES <= mask { LINEAR_PROBES } else { 0 };
            if let Some(slot) = (start..=start + probes).find(|slot| wanted(self.table[*slot])) {
                return slot;
            }
            perturb >>= PERTURB_SHIFT;
            start = start.wrapping_mul(5).wrapping_add(1 + perturb) & mask;
        }
    }
}

//! An oracle that does not ask twice, not even in the next run.

use super::store::{Key, Store};
use crate::reduce::{Acceptance, Answer, Oracle, Outcome, Until};
use crate::rust::Sources;

/// Answers from a [`Store`] what it can, and asks another oracle the rest.
#[derive(Debug)]
pub struct StoredOracle<O, K> {
    inner: O,
    store: Store,
    key: K,
    cached: u64,
}

impl<O, K> StoredOracle<O, K> {
    /// Keeps the outcomes of `inner` in `store`, each candidate under its `key`.
    pub fn new(inner: O, store: Store, key: K) -> Self {
        StoredOracle { inner, store, key, cached: 0 }
    }

    /// How many outcomes came from the store.
    pub fn cached(&self) -> u64 {
        self.cached
    }

    /// The store, to ask for its trouble.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Gives the oracle back that is asked the rest.
    pub fn into_inner(self) -> O {
        self.inner
    }

    /// The oracle that is asked the rest.
    pub fn inner(&mut self) -> &mut O {
        &mut self.inner
    }
}

/// The keys of sources as candidates of a `job`.
pub fn source_key(job: Key) -> impl Fn(&Sources) -> Key {
    move |candidate| {
        let parts = candidate.files.iter().flat_map(|file| [&*file.path, &*file.text]);
        job.of(&Key::of_parts(parts.map(str::as_bytes)).to_bytes())
    }
}

impl<C: Clone, O: Oracle<C>, K: Fn(&C) -> Key> Oracle<C> for StoredOracle<O, K> {
    fn run(&mut self, candidates: &[C], until: Until) -> Answer<Vec<Outcome>> {
        let keys: Vec<Key> = candidates.iter().map(&self.key).collect();
        let mut known: Vec<Option<Outcome>> = keys.iter().map(|key| self.store.get(*key)).collect();
        let is_fail = |outcome: &Option<Outcome>| outcome.is_some_and(Outcome::is_fail);
        if let (Until::Failure, Some(first)) = (until, known.iter().position(is_fail)) {
            known.truncate(first + 1);
        }
        let places: Vec<usize> = (0..known.len()).filter(|at| known[*at].is_none()).collect();
        let unknown: Vec<C> = places.iter().map(|at| candidates[*at].clone()).collect();
        let asked = self.inner.run(&unknown, until)?;
        if asked.is_empty() && !unknown.is_empty() {
            return Err("the oracle did not answer".into());
        }
        // A candidate that ran out of time may have met a busy machine, and deserves another chance.
        let news = places.iter().map(|at| keys[*at]).zip(asked.iter().copied());
        self.store.insert_all(news.filter(|(_, it)| *it != Outcome::Timeout));
        let count = asked.len();
        for (place, outcome) in places.into_iter().zip(asked) {
            known[place] = Some(outcome);
        }
        let mut outcomes: Vec<Outcome> = known.into_iter().map_while(|outcome| outcome).collect();
        until.cut(&mut outcomes);
        self.cached += outcomes.len().saturating_sub(count) as u64;
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        self.inner.batch()
    }

    fn batch_of_variants(&self) -> usize {
        self.inner.batch_of_variants()
    }

    fn accept(&mut self, candidate: &C) -> Answer<Acceptance<C>> {
        let acceptance = self.inner.accept(candidate)?;
        if matches!(acceptance, Acceptance::Refused) {
            self.store.insert_all([((self.key)(candidate), Outcome::Unresolved)]);
        }
        Ok(acceptance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::FromFn;

    fn key(candidate: u32) -> Key {
        Key::new(&("test", candidate))
    }

    /// Fails from 10 on, runs out of time at 5.
    fn outcome(candidate: u32) -> Outcome {
        match candidate {
            5 => Outcome::Timeout,
            10.. => Outcome::Fail,
            _ => Outcome::Pass,
        }
    }

    /// The outcomes of bundles asked one after the other, and which candidates were run for them.
    fn ask(store: Store, bundles: &[&[u32]]) -> (Vec<Vec<Outcome>>, Vec<u32>, u64) {
        let mut run = Vec::new();
        let inner = FromFn(|candidate: &u32| {
            run.push(*candidate);
            outcome(*candidate)
        });
        let mut oracle = StoredOracle::new(inner, store, |candidate: &u32| key(*candidate));
        let outcomes =
            bundles.iter().map(|bundle| oracle.ask_until_fail(bundle).unwrap()).collect();
        let cached = oracle.cached();
        (outcomes, run, cached)
    }

    #[test]
    fn nothing_is_run_twice_and_the_answers_are_the_same() {
        let bundles: [&[u32]; 4] = [&[1, 3], &[1, 2, 3, 4], &[2, 11, 4], &[7, 11, 8]];
        let (outcomes, run, cached) = ask(Store::in_memory(), &bundles);
        let expected: Vec<Vec<Outcome>> = bundles
            .iter()
            .map(|bundle| {
                let end = bundle.iter().position(|it| outcome(*it).is_fail());
                let counted = &bundle[..end.map_or(bundle.len(), |end| end + 1)];
                counted.iter().map(|it| outcome(*it)).collect()
            })
            .collect();
        assert_eq!(outcomes, expected);
        assert_eq!(run, [1, 3, 2, 4, 11, 7]);
        assert_eq!(cached, 4);
    }

    #[test]
    fn a_second_run_asks_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outcomes");
        let (first, run, _) = ask(Store::open(&path), &[&[1, 2, 12]]);
        assert_eq!(run.len(), 3);
        let (second, run, cached) = ask(Store::open(&path), &[&[1, 2, 12]]);
        assert_eq!((second, run.len(), cached), (first, 0, 3));
    }

    #[test]
    fn running_out_of_time_is_not_remembered() {
        let (_, run, cached) = ask(Store::in_memory(), &[&[5], &[5]]);
        assert_eq!((run, cached), (vec![5, 5], 0));
    }
}

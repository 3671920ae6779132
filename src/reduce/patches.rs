//! Search over a list of patches: which of them can be applied together?
//!
//! A pass proposes patches on the current best; they are independent to the eye, but only the oracle
//! knows which go together. The search grows a set of patches that works, in the way of Shrink Ray's
//! patch applier: with [`Approach::Halves`] large bundles first, split where they fail (few calls when
//! little of the subject matters); with [`Approach::OneByOne`] the largest patch first, in bundles that
//! double while they succeed (few calls when nearly all of it matters). Candidates are handed over
//! ahead of the answers, so that an oracle can run them side by side. Where asking many at once is not
//! much dearer than asking one, [`Approach::SideBySide`] asks all of them on the same subject, and what
//! works alone is then put together.

use std::ops::Range;

use super::{Candidate, Problem, Result};

/// How the list is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approach {
    /// All at once, then halves, quarters, …
    Halves,
    /// Each alone, larger ones first; bundles only while they succeed.
    OneByOne,
    /// As many as it pays to ask at once, each alone; then all that work together.
    SideBySide,
    /// As [`Approach::SideBySide`], for patches that make candidates which are like the best
    /// ([`Oracle::batch_of_variants`](super::Oracle::batch_of_variants)).
    Variants,
}

/// What came of a list of patches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    /// The patches that are part of the new best, ascending.
    pub patches: Vec<usize>,
    /// The patches that failed on their own, whatever else was applied.
    pub refused: Vec<usize>,
}

/// Applies as many of the patches `0..weights.len()` as work together.
///
/// `weights` says how much each patch takes away; `build` makes the candidate in which the given
/// patches (ascending) are applied to the subject that was best at the start, or `None` if they make
/// no sense together.
///
/// # Errors
/// When the search must stop; what was accepted until then is the problem's best.
pub fn apply_patches<C: Candidate>(
    problem: &mut Problem<'_, C>,
    weights: &[usize],
    approach: Approach,
    build: impl Fn(&[usize]) -> Option<C>,
) -> Result<Applied> {
    let search = PatchSearch { problem, weights, build, applied: Applied::default() };
    let mut applied = match approach {
        Approach::Halves => search.halves()?,
        Approach::OneByOne => search.one_by_one()?,
        Approach::SideBySide => search.side_by_side(Width::All)?,
        Approach::Variants => search.side_by_side(Width::Variants)?,
    };
    applied.patches.sort_unstable();
    applied.refused.sort_unstable();
    Ok(applied)
}

struct PatchSearch<'s, 'a, C: Candidate, B> {
    problem: &'s mut Problem<'a, C>,
    weights: &'s [usize],
    build: B,
    applied: Applied,
}

/// Neighbouring patches tried together, and which failed bundle they are a part of.
#[derive(Debug, Clone)]
struct Bundle {
    patches: Range<usize>,
    parent: usize,
}

impl<C: Candidate, B: Fn(&[usize]) -> Option<C>> PatchSearch<'_, '_, C, B> {
    fn halves(mut self) -> Result<Applied> {
        let mut level = vec![Bundle { patches: 0..self.weights.len(), parent: 0 }];
        let mut parents = 1;
        while !level.is_empty() {
            level.retain(|bundle| !bundle.patches.is_empty());
            level.sort_by_key(|bundle| std::cmp::Reverse(self.weight(&bundle.patches)));
            let mut next = Vec::new();
            for bundle in self.try_level(&level)? {
                if bundle.patches.len() == 1 {
                    self.applied.refused.push(bundle.patches.start);
                    continue;
                }
                let middle = self.middle(&bundle.patches);
                next.push(Bundle { patches: bundle.patches.start..middle, parent: parents });
                next.push(Bundle { patches: middle..bundle.patches.end, parent: parents });
                parents += 1;
            }
            level = next;
        }
        Ok(self.applied)
    }

    /// Tries each bundle of a level; returns those that failed.
    fn try_level(&mut self, level: &[Bundle]) -> Result<Vec<Bundle>> {
        let mut failed: Vec<Bundle> = Vec::new();
        let mut open: Vec<Bundle> = level.to_vec();
        while !open.is_empty() {
            let tried: Vec<Range<usize>> =
                open.iter().map(|bundle| bundle.patches.clone()).collect();
            let Some(hit) = self.first_that_works(&tried)? else {
                failed.append(&mut open);
                break;
            };
            let rest = open.split_off(hit + 1);
            let Some(success) = open.pop() else { break };
            failed.append(&mut open);
            // Together with this half the whole bundle failed, so the other half alone cannot work now.
            let (doomed, rest): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|bundle| bundle.parent == success.parent);
            failed.extend(doomed);
            open = rest;
        }
        Ok(failed)
    }

    fn heaviest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.weights.len()).collect();
        order.sort_by_key(|patch| std::cmp::Reverse(self.weights[*patch]));
        order
    }

    fn one_by_one(mut self) -> Result<Applied> {
        let order = self.heaviest_first();
        let mut at = 0;
        let mut bundle = 1;
        while at < order.len() {
            let together = at..(at + bundle).min(order.len());
            let together = Some(together).filter(|range| range.len() > 1);
            let alone = (at..order.len()).map(|place| place..place + 1);
            // All that is tried up to the next success, so that it can be tried side by side.
            let tries: Vec<Range<usize>> = together.into_iter().chain(alone).collect();
            let (build, applied) = (&self.build, &self.applied.patches);
            let candidates =
                tries.iter().map(|range| build(&joined(applied, &order[range.clone()])));
            let (hit, tried) = first_hit(self.problem, candidates)?;
            let misses = tries[..hit.unwrap_or(tried)].iter();
            let refused = misses.filter(|range| range.len() == 1);
            self.applied.refused.extend(refused.map(|range| order[range.start]));
            let Some(success) = hit.map(|hit| tries[hit].clone()) else { break };
            bundle = if success.start == at { 2 * success.len() } else { 1 };
            at = success.end;
            self.applied.patches.extend(&order[success]);
        }
        Ok(self.applied)
    }

    fn side_by_side(mut self, width: Width) -> Result<Applied> {
        let order = self.heaviest_first();
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            let batch = width.batch(self.problem);
            let (now, later) = rest.split_at(batch.min(rest.len()));
            let working = self.each_alone(now)?;
            self.apply_working(&working, width, batch)?;
            rest = later;
        }
        Ok(self.applied)
    }

    /// Those of `patches` that work alone on the best; the others are refused.
    fn each_alone(&mut self, patches: &[usize]) -> Result<Vec<usize>> {
        let mut open = Vec::new();
        let mut candidates = Vec::new();
        for patch in patches {
            let candidate = (self.build)(&joined(&self.applied.patches, &[*patch]));
            match candidate.filter(|candidate| self.problem.is_smaller(candidate)) {
                Some(candidate) => {
                    open.push(*patch);
                    candidates.push(candidate);
                }
                None => self.applied.refused.push(*patch),
            }
        }
        let outcomes = self.problem.ask_all(&candidates)?;
        let (working, refused): (Vec<_>, Vec<_>) =
            open.into_iter().zip(outcomes).partition(|(_, outcome)| outcome.is_fail());
        let patches = |list: Vec<(usize, _)>| list.into_iter().map(|(patch, _)| patch);
        self.applied.refused.extend(patches(refused));
        Ok(patches(working).collect())
    }

    /// Applies all of `patches`, which work alone, or as many of them as work together: the first ones up to each of some cuts,
    /// and all but those between two cuts, are asked at once, as many as fit `batch`; the heaviest that works is applied, and
    /// then the rest.
    fn apply_working(&mut self, patches: &[usize], width: Width, batch: usize) -> Result<()> {
        if patches.is_empty() {
            return Ok(());
        }
        let cuts = width.cuts(patches.len(), batch);
        let mut tried = Vec::new();
        let mut candidates = Vec::new();
        for (part, rest) in parts(patches, &cuts) {
            let candidate = (self.build)(&joined(&self.applied.patches, &part));
            if let Some(candidate) = candidate.filter(|it| self.problem.is_smaller(it)) {
                tried.push((part, rest));
                candidates.push(candidate);
            }
        }
        let outcomes = self.problem.ask_all(&candidates)?;
        let working = tried
            .into_iter()
            .zip(candidates)
            .zip(outcomes)
            .filter(|(_, outcome)| outcome.is_fail())
            .min_by_key(|((_, candidate), _)| candidate.key());
        let Some((((part, rest), candidate), _)) = working else {
            let (first, others) = patches.split_at(cuts[0]);
            // A single one does not go with what was applied.
            if first.len() > 1 {
                self.apply_working(first, width, batch)?;
            }
            return self.apply_working(others, width, batch);
        };
        if self.problem.consider(candidate)? {
            self.applied.patches.extend(part);
        } else if part.len() > 1 {
            // As it is, it is not what it seemed to be among others.
            let (first, second) = part.split_at(part.len() / 2);
            self.apply_working(first, width, batch)?;
            self.apply_working(second, width, batch)?;
        }
        self.apply_working(&rest, width, batch)
    }

    fn first_that_works(&mut self, ranges: &[Range<usize>]) -> Result<Option<usize>> {
        let (build, applied) = (&self.build, &self.applied.patches);
        let candidates = ranges.iter().map(|range| {
            let patches: Vec<usize> = range.clone().collect();
            build(&joined(applied, &patches))
        });
        let (hit, _) = first_hit(self.problem, candidates)?;
        if let Some(hit) = hit {
            self.applied.patches.extend(ranges[hit].clone());
        }
        Ok(hit)
    }

    fn weight(&self, patches: &Range<usize>) -> usize {
        self.weights[patches.clone()].iter().sum()
    }

    /// Where a bundle is cut in two of about the same weight, none of them empty.
    fn middle(&self, patches: &Range<usize>) -> usize {
        let half = self.weight(patches) / 2;
        let mut before = 0;
        for patch in patches.clone() {
            before += self.weights[patch];
            if before >= half {
                return (patch + 1).min(patches.end - 1);
            }
        }
        patches.start + 1
    }
}

/// How many candidates are asked at once.
#[derive(Debug, Clone, Copy)]
enum Width {
    /// As many as any candidates.
    All,
    /// As many as those that are like the best.
    Variants,
}

impl Width {
    fn batch<C: Candidate>(self, problem: &Problem<'_, C>) -> usize {
        match self {
            Width::All => problem.batch(),
            Width::Variants => problem.batch_of_variants(),
        }
    }

    /// Up to where the first ones of so many patches are tried together, ascending; asking many is not for free, unless they
    /// are variants.
    fn cuts(self, patches: usize, batch: usize) -> Vec<usize> {
        let most = match self {
            Width::All => 12,
            Width::Variants => 32,
        };
        let step = patches.div_ceil(most.min(batch));
        (step..patches).step_by(step).chain([patches]).collect()
    }
}

/// Parts of a list, each with what is not in it: what stands before each cut, and, as nearly all go together where two of many
/// do not, all but what stands between two of them.
fn parts(list: &[usize], cuts: &[usize]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut parts: Vec<_> =
        cuts.iter().map(|cut| (list[..*cut].to_vec(), list[*cut..].to_vec())).collect();
    let starts = std::iter::once(&0).chain(cuts);
    // Without the last ones is up to the last cut but one.
    for (start, end) in starts.zip(&cuts[..cuts.len() - 1]) {
        parts.push(([&list[..*start], &list[*end..]].concat(), list[*start..*end].to_vec()));
    }
    parts
}

/// The patches of both lists, ascending.
fn joined(applied: &[usize], patches: &[usize]) -> Vec<usize> {
    let mut all: Vec<usize> = applied.iter().chain(patches).copied().collect();
    all.sort_unstable();
    all
}

/// Hands over the candidates that could be built; returns the place of the one accepted, counted with
/// those that could not, and how many there are.
fn first_hit<C: Candidate>(
    problem: &mut Problem<'_, C>,
    candidates: impl Iterator<Item = Option<C>>,
) -> Result<(Option<usize>, usize)> {
    let mut places = Vec::new();
    let mut seen = 0;
    let built = candidates.enumerate().filter_map(|(place, candidate)| {
        seen = place + 1;
        let candidate = candidate?;
        places.push(place);
        Some(candidate)
    });
    let hit = problem.consider_first(built)?;
    Ok((hit.map(|hit| places[hit]), seen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{Acceptance, Answer, FromFn, Memory, Oracle, Outcome, Until};

    fn search(
        size: usize,
        approach: Approach,
        fails: impl Fn(&[usize]) -> bool,
    ) -> (Applied, Vec<usize>, u64) {
        search_by(size, approach, &mut FromFn(|kept: &Vec<usize>| Outcome::fail_if(fails(kept))))
    }

    fn search_by(
        size: usize,
        approach: Approach,
        oracle: &mut dyn Oracle<Vec<usize>>,
    ) -> (Applied, Vec<usize>, u64) {
        let mut problem = Problem::new((0..size).collect(), oracle, Memory::Remember);
        let applied = apply_patches(&mut problem, &vec![1; size], approach, |patches| {
            Some((0..size).filter(|patch| !patches.contains(patch)).collect())
        })
        .unwrap();
        let counts = problem.counts();
        (applied, problem.into_best(), counts.candidates)
    }

    #[test]
    fn halves_find_two_needles_in_a_thousand_with_few_calls() {
        let (applied, kept, calls) =
            search(1000, Approach::Halves, |kept| kept.contains(&137) && kept.contains(&821));
        assert_eq!(kept, [137, 821]);
        assert_eq!(applied.refused, [137, 821]);
        assert!(calls <= 40, "{calls} calls");
    }

    #[test]
    fn one_by_one_takes_long_runs_in_bundles() {
        let (_, kept, calls) = search(1000, Approach::OneByOne, |kept| kept.contains(&999));
        assert_eq!(kept, [999]);
        assert!(calls <= 50, "{calls} calls");
    }

    #[test]
    fn one_by_one_asks_once_for_each_patch_when_all_fail() {
        let (applied, _, calls) = search(50, Approach::OneByOne, |kept| kept.len() == 50);
        assert!(applied.patches.is_empty());
        assert_eq!(calls, 50);
    }

    #[test]
    fn side_by_side_asks_once_for_each_patch_and_once_for_those_that_work() {
        let (applied, kept, calls) = search(50, Approach::SideBySide, |kept| kept.contains(&7));
        assert_eq!(kept, [7]);
        assert_eq!(applied.refused, [7]);
        assert_eq!(calls, 50);
        let (_, kept, _) = search(50, Approach::SideBySide, |kept| kept.len() >= 20);
        assert_eq!(kept.len(), 20);
    }

    #[test]
    fn those_that_work_together_are_found_among_those_that_work_alone() {
        let (applied, kept, calls) =
            search(64, Approach::SideBySide, |kept| kept.contains(&3) || kept.contains(&40));
        assert_eq!((applied.patches.len(), kept.len()), (63, 1));
        assert!(calls <= 64 + 20, "{calls} calls");
    }

    /// An oracle that takes back what it said of candidates without 9 when they are to be accepted.
    struct Hasty;

    impl Oracle<Vec<usize>> for Hasty {
        fn ask(&mut self, candidate: &Vec<usize>) -> Answer<Outcome> {
            Ok(Outcome::fail_if(candidate.contains(&3)))
        }

        fn batch(&self) -> usize {
            64
        }

        fn accept(&mut self, candidate: &Vec<usize>) -> Answer<Acceptance<Vec<usize>>> {
            let is_right = candidate.contains(&9);
            Ok(if is_right { Acceptance::AsItIs } else { Acceptance::Refused })
        }
    }

    #[test]
    fn what_is_refused_in_the_end_takes_nothing_else_along() {
        let (_, kept, _) = search_by(32, Approach::SideBySide, &mut Hasty);
        assert_eq!(kept, [3, 9]);
    }

    /// An oracle that is asked many candidates at once, and how often it is.
    struct Wide<F> {
        fails: F,
        rounds: usize,
    }

    impl<F: Fn(&[usize]) -> bool> Oracle<Vec<usize>> for Wide<F> {
        fn ask(&mut self, candidate: &Vec<usize>) -> Answer<Outcome> {
            Ok(Outcome::fail_if((self.fails)(candidate)))
        }

        fn run(&mut self, candidates: &[Vec<usize>], _: Until) -> Answer<Vec<Outcome>> {
            self.rounds += 1;
            candidates.iter().map(|kept| self.ask(kept)).collect()
        }

        fn batch(&self) -> usize {
            64
        }
    }

    fn search_wide(fails: impl Fn(&[usize]) -> bool) -> (Vec<usize>, u64, usize) {
        let mut oracle = Wide { fails, rounds: 0 };
        let (_, best, calls) = search_by(64, Approach::SideBySide, &mut oracle);
        (best, calls, oracle.rounds)
    }

    #[test]
    fn of_many_that_work_alone_few_parts_are_asked_at_once() {
        let (kept, calls, rounds) = search_wide(|kept| (0..20).all(|patch| kept.contains(&patch)));
        assert_eq!(kept.len(), 20);
        assert!(calls <= 64 + 11 + 10 && rounds <= 2, "{calls} calls in {rounds} rounds");
        // One of each of eight pairs has to stay.
        let (kept, calls, rounds) = search_wide(|kept| {
            (0..8).all(|pair| kept.contains(&(8 * pair)) || kept.contains(&(8 * pair + 3)))
        });
        assert_eq!(kept.len(), 8);
        assert!(calls <= 64 + 222 && rounds <= 17, "{calls} calls in {rounds} rounds");
    }

    /// An oracle that is asked many candidates at once only if they are like the best.
    struct WideForVariants(Vec<usize>);

    impl Oracle<Vec<usize>> for WideForVariants {
        fn ask(&mut self, candidate: &Vec<usize>) -> Answer<Outcome> {
            let fails = candidate.contains(&3) || candidate.contains(&40);
            Ok(if fails { Outcome::Fail } else { Outcome::Pass })
        }

        fn run(&mut self, candidates: &[Vec<usize>], _: Until) -> Answer<Vec<Outcome>> {
            self.0.push(candidates.len());
            candidates.iter().map(|kept| self.ask(kept)).collect()
        }

        fn batch_of_variants(&self) -> usize {
            100
        }
    }

    #[test]
    fn those_that_are_alike_are_asked_in_two_bundles() {
        let mut oracle = WideForVariants(Vec::new());
        let (applied, ..) = search_by(64, Approach::Variants, &mut oracle);
        assert_eq!((applied.patches.len(), applied.refused.len()), (63, 0));
        // All alone, then the first ones and all but some; what is left then is put together in the same way.
        assert_eq!(oracle.0[..2], [64, 32 + 31]);
        assert!(oracle.0.len() <= 4, "{:?}", oracle.0);
    }

    #[test]
    fn what_stands_before_a_cut_and_all_but_what_stands_between_two_are_parts() {
        assert_eq!(Width::All.cuts(30, 64), [3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
        assert_eq!(Width::Variants.cuts(3, 64), [1, 2, 3]);
        assert_eq!(Width::All.cuts(5, 2), [3, 5]);
        let parts: Vec<_> = parts(&[5, 6, 7], &[1, 2, 3]).into_iter().map(|(it, _)| it).collect();
        assert_eq!(parts, [vec![5], vec![5, 6], vec![5, 6, 7], vec![6, 7], vec![5, 7]]);
    }

    #[test]
    fn one_of_two_alternatives_is_taken() {
        for approach in [Approach::Halves, Approach::OneByOne, Approach::SideBySide] {
            let (_, kept, _) = search(10, approach, |kept| kept.contains(&2) || kept.contains(&7));
            assert_eq!(kept.len(), 1, "{approach:?}");
        }
    }

    #[test]
    fn an_empty_list_asks_nothing() {
        assert_eq!(search(0, Approach::Halves, |_| true).2, 0);
    }
}

//! The schedule: in which order passes take their turns, until none of them brings anything.
//!
//! 1. Halves of large files go. Where no search by switches has decided what is needed, comments go and function bodies are
//!    emptied. The largest reductions of each pass are tried alone: with them goes what the compiler spends its time on. After
//!    a search by switches, tests in which nothing runs go, then what the compiler calls unused, and all else in which nothing
//!    runs; without one, the smallest closed set of items that still fails is searched
//!    ([`keep_closures`](crate::reduce::keep_closures)). Attributes that keep candidates from being compiled together go early.
//! 2. The passes run tier by tier, a tier as long as it makes progress, then the next finer one joins in.
//!    Where the subject must compile, the reductions of all passes are tried in bundles that the compiler
//!    takes ([`repair`](super::repair)): first of those that change nothing that runs, then of the others, those that a
//!    search by switches has decided last. What changes only the inside of functions is tried many at once,
//!    each on its own, where one build can hold all of it. Once the source is small, reductions are tried side by side,
//!    the largest of any pass first.
//! 3. Where the source is still not small, each pass has bundles of its own.
//! 4. What was refused is not proposed again while its surroundings stay the same, until no pass makes
//!    progress. Then all is proposed once more: the result is minimal with respect to every reduction of every
//!    pass. At last values are tried once more.
//!
//! A file is parsed again only after something was accepted.

mod bundles;
mod early;
mod guard;
mod inside;
mod large;
mod prospects;
mod side_by_side;
mod tidy;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use guard::Guard;
pub(crate) use large::cut_large;
use prospects::{Patch, Prospects};

use super::text;
use crate::passes::informed::tolerance::Tolerance;
use crate::passes::pass::{Effect, Tier};
use crate::passes::{Pass, PassId, pass};
use crate::reduce::{Approach, Problem, Result, apply_patches};
use crate::rust::{Check, PassStats, Reduction, Sources, StandIn, Tree};

/// What the schedule may do.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// What stands in for function bodies.
    pub stand_in: StandIn,
    /// Whether a search at run time has already emptied the functions that are not needed.
    pub is_switched: bool,
}

/// Reduces the best of `problem` until no reduction of any pass is accepted.
///
/// # Errors
/// When the search must stop; the problem's best is the result so far.
pub fn reduce(problem: &mut Problem<'_, Sources>, settings: Settings) -> Result<()> {
    run(problem, settings, None)
}

/// As [`reduce`], led by the compiler: for subjects that must compile.
///
/// # Errors
/// As [`reduce`], and when the compiler cannot be asked.
pub fn reduce_checked(
    problem: &mut Problem<'_, Sources>,
    settings: Settings,
    check: &mut dyn Check,
) -> Result<()> {
    run(problem, settings, Some(check))
}

fn run<'s>(
    problem: &'s mut Problem<'_, Sources>,
    settings: Settings,
    check: Option<&'s mut dyn Check>,
) -> Result<()> {
    let mut schedule = Schedule::new(problem, settings, check);
    schedule.start()?;
    schedule.tolerance = match &schedule.check {
        Some(_) => Tolerance::of_compiling(schedule.problem.best()),
        None => Tolerance::probe(schedule.problem)?,
    };
    loop {
        schedule.tiers()?;
        schedule.tidy()?;
        let before = schedule.problem.counts().accepted;
        schedule.refused.clear();
        schedule.put_off.clear();
        schedule.is_last = true;
        schedule.round(Tier::Tokens)?;
        schedule.is_last = false;
        if schedule.problem.counts().accepted > before {
            continue;
        }
        schedule.turn("recorded values", Schedule::write_values)?;
        if schedule.problem.counts().accepted == before {
            return Ok(());
        }
    }
}

/// From how many patches on bundles of untried ones pay: below, single ones cost less.
const MANY: usize = 48;
/// From how many candidates at once on the reductions of all passes are tried side by side, without
/// asking the compiler for bundles first.
const CHEAP: usize = 160;
/// The same where bundles bring little.
const CHEAP_FOR_STALLED: usize = 48;
/// A round of bundles that takes away less than this part of the tokens is not worth another one of the
/// same tier: what it puts off comes again when the source is small, or in the last round.
const LITTLE: usize = 20;

/// After so many proposals the limits are looked at.
const PATCHES_BETWEEN_LOOKS: usize = 256;

struct Schedule<'s, 'a> {
    problem: &'s mut Problem<'a, Sources>,
    check: Option<&'s mut dyn Check>,
    settings: Settings,
    tolerance: Tolerance,
    /// Whether each reduction is tried on its own, so that the result is minimal.
    is_last: bool,
    /// Whether a round of bundles brought little.
    has_stalled: bool,
    /// Digests of reductions that were refused, with what is around them.
    refused: HashSet<u64>,
    /// The same of those that were tried together with others only, or did not compile with them.
    put_off: HashSet<u64>,
    /// When values were tried last: how many candidates had been accepted, and how many tokens were left.
    valued: Option<(u64, usize)>,
    /// How many of its patches a pass could apply when it ran last, and out of how many.
    yields: HashMap<&'static str, (usize, usize)>,
    /// What patches are expected to bring.
    prospects: Prospects,
}

impl<'s, 'a> Schedule<'s, 'a> {
    fn new(
        problem: &'s mut Problem<'a, Sources>,
        settings: Settings,
        check: Option<&'s mut dyn Check>,
    ) -> Self {
        Schedule {
            problem,
            check,
            settings,
            tolerance: Tolerance::default(),
            is_last: false,
            has_stalled: false,
            refused: HashSet::new(),
            put_off: HashSet::new(),
            valued: None,
            yields: HashMap::new(),
            prospects: Prospects::default(),
        }
    }
}

impl Schedule<'_, '_> {
    fn start(&mut self) -> Result<()> {
        if large::has_long(self.problem.best()) {
            self.turn("large files", |schedule| cut_large(schedule.problem))?;
        }
        let is_switched = self.settings.is_switched;
        if is_switched {
            self.turn("idle tests", Self::delete_idle_tests)?;
            self.turn("large parts", Self::delete_large_parts)?;
            self.turn("conditions", Self::settle_conditions)?;
            self.turn_of(PassId::Comments.pass())?;
            // Without what never runs, the compiler knows which items are left over.
            self.turn("unused code", Self::delete_unused)?;
            self.turn("idle parts", Self::delete_idle)?;
            self.turn("calls on the way", Self::shorten_way)?;
        } else {
            self.turn_of(PassId::Comments.pass())?;
            self.turn_of(PassId::Bodies.pass())?;
            self.turn("conditions", Self::settle_conditions)?;
            self.turn("large parts", Self::delete_large_parts)?;
            self.turn("unused code", Self::delete_unused)?;
        }
        if self.check.is_some() {
            self.turn("attributes of crates", Self::delete_attributes_of_crates)?;
        }
        self.turn("shown values", Self::write_shown)?;
        self.turn("concrete types", Self::write_types)?;
        self.turn("large parts", Self::delete_large_parts)?;
        self.turn("long lists", Self::shorten_lists)?;
        if self.is_cheap() {
            self.turn("recorded values", Self::write_values)?;
        }
        if is_switched {
            return Ok(());
        }
        self.turn("item graph", Self::keep_needed_items)
    }

    /// A turn of one of the passes.
    fn turn_of(&mut self, pass: &Pass) -> Result<()> {
        self.turn(pass.name, |schedule| schedule.run(pass))
    }

    /// A turn of something, of which the checker hears.
    fn turn(
        &mut self,
        pass: &'static str,
        run: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (before, tokens) = (self.problem.counts(), self.problem.best().tokens());
        let ended = run(self);
        let after = self.problem.counts();
        if let Some(check) = self.check.as_deref_mut() {
            check.pass_ended(PassStats {
                pass,
                candidates: after.candidates - before.candidates,
                accepted: after.accepted - before.accepted,
                tokens: tokens.saturating_sub(self.problem.best().tokens()),
            });
        }
        ended
    }

    /// Runs the passes tier by tier, each until it makes no progress.
    fn tiers(&mut self) -> Result<()> {
        let tiers = [Tier::Coarse, Tier::Medium, Tier::Fine, Tier::Tokens];
        for tier in tiers {
            while self.round(tier)? {}
            if tier == Tier::Coarse && self.is_much_smaller() {
                self.turn("recorded values", Self::write_values)?;
            }
        }
        if self.check.is_some() && !self.is_cheap() {
            self.put_off.clear();
            while self.pass_by_pass()? {}
        }
        Ok(())
    }

    /// Tries bundles of each pass alone, as long as the source is not small: in those of all passes large
    /// reductions stood in the way of what they overlap with. Whether much went.
    fn pass_by_pass(&mut self) -> Result<bool> {
        let tokens = self.problem.best().tokens();
        for pass in self.open_passes() {
            if self.is_cheap() {
                return Ok(false);
            }
            self.turn(pass.name, |schedule| schedule.run_checked(pass.name, &[pass]))?;
        }
        let gone = tokens - self.problem.best().tokens();
        Ok(gone * LITTLE > tokens)
    }

    /// The passes that know what the tokens mean, and that no search by switches has decided on.
    fn open_passes(&self) -> Vec<&'static Pass> {
        pass::all().filter(|pass| pass.tier < Tier::Tokens && !self.is_decided(pass)).collect()
    }

    /// Runs each pass up to `tier` once; whether it pays to do so again: something was accepted, and
    /// where all of it comes again later, it was not little.
    fn round(&mut self, tier: Tier) -> Result<bool> {
        let (before, tokens) = (self.problem.counts().accepted, self.problem.best().tokens());
        let mut passes: Vec<&Pass> = pass::all().filter(|pass| pass.tier <= tier).collect();
        if self.check.is_some() && !self.is_last {
            self.round_of_bundles(tier, passes)?;
        } else {
            passes.reverse();
            while let Some(pass) = passes.pop() {
                self.side_by_side_if_cheap()?;
                if self.is_cheap() {
                    break;
                }
                self.turn_of(pass)?;
            }
        }
        self.side_by_side_if_cheap()?;
        if tier == Tier::Tokens {
            self.run_on_text()?;
        }
        if self.check.is_some() && !self.is_last && !self.is_cheap() {
            let gone = tokens - self.problem.best().tokens();
            self.has_stalled = gone * LITTLE <= tokens;
            return Ok(!self.has_stalled);
        }
        Ok(self.problem.counts().accepted > before)
    }

    /// Tries bundles, as long as the source is not small.
    fn round_of_bundles(&mut self, tier: Tier, passes: Vec<&Pass>) -> Result<()> {
        let (quiet, others): (Vec<&Pass>, Vec<&Pass>) = passes
            .into_iter()
            .filter(|pass| tier == Tier::Tokens || !self.is_decided(pass))
            .partition(|pass| pass.effect == Effect::Quiet);
        if !self.is_cheap() {
            self.turn("unused code", Self::delete_unused)?;
            self.reduce_functions()?;
        }
        for (name, passes) in [("quiet passes", &quiet), ("other passes", &others)] {
            if !self.is_cheap() && !passes.is_empty() {
                self.turn(name, |schedule| schedule.run_checked(name, passes))?;
            }
            if !self.is_cheap() {
                self.reduce_functions()?;
            }
        }
        Ok(())
    }

    /// Whether a search by switches has already tried what a pass proposes.
    fn is_decided(&self, pass: &Pass) -> bool {
        self.settings.is_switched && pass.effect == Effect::Switched
    }

    /// Whether asking many candidates at once costs little more than asking one.
    fn is_cheap(&self) -> bool {
        let least = if self.has_stalled { CHEAP_FOR_STALLED } else { CHEAP };
        self.check.is_some() && self.problem.batch() >= least
    }

    fn patches_of(&mut self, passes: &[&Pass]) -> Result<Vec<Patch>> {
        // To parse takes longer than to look at the tree.
        self.patches_in_trees(|tree| {
            let mut proposed = Vec::new();
            for pass in passes {
                let reductions = (pass.propose)(tree).into_iter();
                proposed.extend(reductions.map(|reduction| (pass.name, reduction)));
            }
            proposed
        })
    }

    /// What is proposed for the trees of the files, each with a name.
    fn patches_in_trees(
        &mut self,
        propose: impl Fn(&Tree<'_>) -> Vec<(&'static str, Reduction)>,
    ) -> Result<Vec<Patch>> {
        let stand_in = self.settings.stand_in;
        self.patches(|text, should_stop| {
            Tree::with_limit(text, stand_in, should_stop, &propose).unwrap_or_default()
        })
    }

    fn run(&mut self, pass: &Pass) -> Result<()> {
        if self.check.is_some() && !self.is_last {
            return self.run_checked(pass.name, &[pass]);
        }
        let patches = self.patches_of(&[pass])?;
        let (applied, of) = self.yields.get(pass.name).copied().unwrap_or((1, 1));
        let is_promising = pass.tier < Tier::Fine && applied * 2 > of;
        let approach = if self.check.is_some() {
            Approach::SideBySide
        } else if is_promising && patches.len() > MANY {
            Approach::Halves
        } else {
            Approach::OneByOne
        };
        self.search(pass.name, &patches, approach)
    }

    /// For files that are not made of Rust tokens.
    fn run_on_text(&mut self) -> Result<()> {
        let stand_in = self.settings.stand_in;
        for family in text::FAMILIES {
            let patches = self.patches(|text, _| match Tree::with(text, stand_in, |_| ()) {
                Ok(()) => Vec::new(),
                Err(_) => family(text).into_iter().map(|reduction| ("text", reduction)).collect(),
            })?;
            self.search("text", &patches, Approach::Halves)?;
        }
        Ok(())
    }

    /// Takes out white space that nobody needs; the tokens stay.
    fn tidy(&mut self) -> Result<()> {
        let tidy = self.problem.best().rewrite(|_, text| tidy::tidy(text));
        self.problem.consider(tidy)?;
        Ok(())
    }

    /// What is proposed for each of the files, with the name of the pass, without what is known. `propose` is told when
    /// to stop.
    fn patches(
        &mut self,
        propose: impl Fn(&str, &dyn Fn() -> bool) -> Vec<(&'static str, Reduction)>,
    ) -> Result<Vec<Patch>> {
        let base = self.problem.best().clone();
        let files = &base.files;
        let guard = self.check.as_deref().map(|check| Guard::new(check, &base));
        let (problem, stopped) = (RefCell::new(&mut *self.problem), Cell::new(None));
        let should_stop = || match problem.borrow_mut().check_stop() {
            Ok(()) => false,
            Err(stop) => {
                stopped.set(Some(stop));
                true
            }
        };
        let mut patches = Vec::new();
        let mut seen = HashSet::new();
        for (file, source) in files.iter().enumerate() {
            let proposed = propose(&source.text, &should_stop);
            for (place, (name, reduction)) in proposed.into_iter().enumerate() {
                if place % PATCHES_BETWEEN_LOOKS == 0 && should_stop() {
                    break;
                }
                let digest = reduction.digest(name, &source.text);
                let is_new = seen.insert((file, reduction.changes.clone()));
                let is_known = self.refused.contains(&digest) || self.put_off.contains(&digest);
                let is_guarded =
                    || guard.as_ref().is_some_and(|it| it.holds_back(name, file, &reduction));
                if is_new && !is_known && !is_guarded() {
                    patches.push(Patch { file, reduction, pass: name, digest });
                }
            }
            if let Some(stop) = stopped.take() {
                return Err(stop);
            }
        }
        Ok(patches)
    }

    /// Applies as many of some patches as work together, of which nobody knows yet whether they make sense.
    fn search(&mut self, name: &'static str, patches: &[Patch], approach: Approach) -> Result<()> {
        self.search_where(name, patches, approach, self.filter())
    }

    /// Which candidates are worth a run; in the last round all of which nobody is sure.
    fn filter(&self) -> impl Fn(&Sources) -> bool + use<> {
        let tolerance = if self.is_last { self.tolerance.without_doubt() } else { self.tolerance };
        tolerance.filter(self.problem.best())
    }

    /// The same, where only the candidates for which `is_worth_a_run` holds are asked.
    fn search_where(
        &mut self,
        name: &'static str,
        patches: &[Patch],
        approach: Approach,
        is_worth_a_run: impl Fn(&Sources) -> bool,
    ) -> Result<()> {
        let base = self.problem.best().clone();
        let weight = |patch: &Patch| patch.reduction.weight();
        let weights: Vec<usize> = patches.iter().map(weight).collect();
        let applied = apply_patches(self.problem, &weights, approach, |chosen| {
            let edits = chosen.iter().map(|index| &patches[*index]);
            let candidate = base.edit(edits.map(|patch| (patch.file, &patch.reduction)));
            is_worth_a_run(&candidate).then_some(candidate)
        })?;
        self.prospects.learn(name, patches, &applied.refused);
        self.refused.extend(applied.refused.iter().map(|index| patches[*index].digest));
        self.yields.insert(name, (applied.patches.len(), patches.len()));
        Ok(())
    }
}

fn largest_first(patches: &mut [Patch]) {
    patches.sort_by_key(|patch| std::cmp::Reverse(patch.reduction.saving()));
}

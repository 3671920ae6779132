//! Several candidates in one compilation: each becomes a module of one crate.
//!
//! To start, to read `std` and to link is most of what rustc does for a small candidate. So candidates
//! of one file are compiled side by side, as modules. Those that errors point into are turned down, and
//! the others are compiled again (rustc finds errors in stages: names, types, borrows), until the rest
//! builds; then the test of each module is run. What needs the root of a crate for itself does not
//! build in this way: whether it can be used is tried with a candidate that is known to fail.
//!
//! Of candidates that differ only inside of functions even more go together: see [`super::body_variants`].

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::{Duration, Instant};

use super::bodies::{BrokenBodies, MOST_VARIANTS};
use super::oracle::Built;
use super::test_run::RUNS_AT_ONCE;
use super::{CodeOracle, Detail};
use crate::compile::Compiled;
use crate::compile::joined::{as_module, blamed, extern_crates, is_of_crate, join, module_name};
use crate::exec::Interrupt;
use crate::oracle::libtest::Verdict;
use crate::oracle::pool::side_by_side;
use crate::oracle::pooled::{Pooled, Workers};
use crate::oracle::runner::TestRunner;
use crate::reduce::{
    Acceptance, Answer, Candidate, Oracle, Outcome, Until, digest, until_it_compiles,
};
use crate::rust::{Sources, scan};

/// So often the rest is compiled again.
const ROUNDS: usize = 6;

/// How many tokens are compiled together.
const TOKENS_TOGETHER: usize = 160_000;
/// Candidates with more tokens are compiled alone.
const LARGE: usize = 6_000;
/// Candidates that are compiled for longer are compiled alone, with what the compiler keeps of those
/// before. A busy machine alone does not make a small one take so long.
const LONG: Duration = Duration::from_secs(2);
/// How often it is measured at most whether that is faster.
const MEASUREMENTS: usize = 3;
/// How many candidates are compiled together at most.
const MOST_TOGETHER: usize = 384;

/// How candidates are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Batching {
    /// One by one.
    Alone,
    /// Together, if that turns out to work.
    Untried,
    /// Alone, as together they were slower or did not work when a candidate had so many tokens.
    NotNow(usize),
    /// Together.
    Together,
}

impl Batching {
    /// Whether it may pay to compile candidates of so many tokens together: what did not is tried again
    /// when they are a quarter smaller.
    fn may_pay(self, tokens: usize) -> bool {
        match self {
            Batching::Alone => false,
            Batching::NotNow(at) => tokens * 4 < at * 3,
            Batching::Untried | Batching::Together => true,
        }
    }
}

/// So many numbers and commas of lists take the compiler as long as another token.
const NUMBERS_AS_ONE: usize = 16;

/// Whether candidates are judged faster together, when one takes so long, and two in one crate.
///
/// What a second one adds is paid again each time that others of the crate turn out to have errors;
/// alone, errors end a call early, and not all starts from nothing.
fn pays(one: Duration, two: Duration) -> bool {
    two.saturating_sub(one) * 2 < one
}

/// The number of tokens, each string counted as one, and so many numbers of a list.
fn count_pieces(sources: &Sources) -> usize {
    let is_number = |it: &str| it.starts_with(|first: char| first.is_ascii_digit());
    let (mut count, mut listed, mut is_in_list) = (0, 0, false);
    for token in sources.files.iter().flat_map(|file| scan::tokens(&file.text)) {
        let is_listed = if token.text == "," { is_in_list } else { is_number(token.text) };
        is_in_list = is_listed;
        *(if is_listed { &mut listed } else { &mut count }) += 1;
    }
    count + listed / NUMBERS_AS_ONE
}

/// An oracle that compiles several candidates at once where it can.
pub struct Together<'a> {
    pub(super) judge: Workers<CodeOracle<'a>>,
    batching: Batching,
    /// The smallest candidate that failed.
    pub(super) failing: Option<Sources>,
    /// Whether it has failed as a module, too.
    fails_as_module: bool,
    /// How many tokens it has for the compiler, to which a string is but one.
    pieces: usize,
    /// Whether it can only be a whole crate.
    is_of_crate: bool,
    /// Whether functions can have several bodies.
    pub(super) has_bodies: bool,
    /// Those that do not compile.
    pub(super) broken: BrokenBodies,
    /// Digests of candidates that failed as some of several bodies, and were never compiled as they are.
    pub(super) failed_as_variants: HashSet<u128>,
}

impl<'a> Together<'a> {
    /// Judges candidates of `original` as `judge` does.
    pub fn new(judge: CodeOracle<'a>, original: &Sources) -> Self {
        let is_one_file = original.files.len() == 1 && judge.compiler.crates().all.len() == 1;
        let is_libtest = judge.run.runner == TestRunner::Libtest;
        let is_one_test = is_libtest && judge.is_run_once() && judge.other.is_none();
        let batching = if is_one_file && is_one_test { Batching::Untried } else { Batching::Alone };
        Together {
            judge: Workers(judge),
            batching,
            failing: None,
            fails_as_module: false,
            pieces: 0,
            is_of_crate: is_of_crate(original),
            has_bodies: is_libtest,
            broken: BrokenBodies::default(),
            failed_as_variants: HashSet::new(),
        }
    }

    /// Never gives functions several bodies, to see what that brings.
    #[cfg(feature = "bench")]
    #[must_use]
    pub fn with_plain_functions(mut self) -> Self {
        self.has_bodies = false;
        self
    }

    /// What judges one candidate.
    pub fn judge(&self) -> &CodeOracle<'a> {
        &self.judge.0
    }

    /// Compiles each candidate alone from now on. Whether some were compiled together before.
    pub fn stay_alone(&mut self) -> bool {
        self.has_bodies = false;
        std::mem::replace(&mut self.batching, Batching::Alone) == Batching::Together
    }

    /// How many candidates like the one that failed last are compiled together.
    fn size(&self) -> usize {
        let Some(failing) = self.failing.as_ref().filter(|_| self.batching.may_pay(self.pieces))
        else {
            return 1;
        };
        let takes_long = || self.judge().compiler.takes_longer_than(LONG, failing);
        if self.is_of_crate || self.pieces > LARGE || takes_long() {
            return 1;
        }
        (TOKENS_TOGETHER / self.pieces.max(1)).clamp(1, MOST_TOGETHER)
    }

    /// Finds out whether candidates can be compiled together, and whether that pays: with the same one,
    /// which fails, two times and once.
    fn try_out(&mut self) -> Answer<()> {
        let is_open = self.batching != Batching::Together && self.size() > 1;
        let Some(failing) = self.failing.as_ref().filter(|_| is_open) else { return Ok(()) };
        // What stands in the way may go.
        let pays = self.pays(failing)?;
        self.batching = if pays { Batching::Together } else { Batching::NotNow(self.pieces) };
        self.fails_as_module = pays;
        Ok(())
    }

    /// Whether it was no module that failed last, and it does not fail as one: then no candidate like it does, and what was
    /// said of them says nothing.
    fn is_no_module(&mut self) -> Answer<bool> {
        let is_open = self.batching == Batching::Together && !self.fails_as_module;
        let Some(failing) = self.failing.as_ref().filter(|_| is_open) else { return Ok(false) };
        self.fails_as_module = self.time(failing, 1)?.is_some();
        if !self.fails_as_module {
            self.batching = Batching::NotNow(self.pieces);
        }
        Ok(!self.fails_as_module)
    }

    /// Whether two copies of a failing candidate are judged faster together than alone. Other work of the
    /// machine makes single measurements longer, never shorter, so that the shortest ones count.
    fn pays(&self, failing: &Sources) -> Answer<bool> {
        let (mut one, mut two) = (Duration::MAX, Duration::MAX);
        for _ in 0..MEASUREMENTS {
            let times = (self.time(failing, 2)?, self.time(failing, 1)?);
            let (Some(together), Some(alone)) = times else { return Ok(false) };
            (one, two) = (one.min(alone), two.min(together));
            if pays(one, two) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How long it takes to judge so many copies of a failing candidate together; `None` if that does not
    /// work.
    fn time(&self, failing: &Sources, copies: usize) -> Answer<Option<Duration>> {
        let modules: Vec<Sources> = (0..copies).map(|place| as_module(failing, place)).collect();
        let (judge, start) = (self.judge(), Instant::now());
        let all: Vec<usize> = (0..copies).collect();
        let step = judge.step(failing, &modules, &all, judge.pool().interrupt())?;
        let is_fail =
            |(verdict, module): (&Verdict, &Sources)| judge.outcome(verdict, module).is_fail();
        let works = step.is_ok_and(|verdicts| verdicts.iter().zip(&modules).all(is_fail));
        Ok(works.then(|| start.elapsed()))
    }

    fn judge_group(&self, group: &[Sources]) -> Answer<Vec<Outcome>> {
        let interrupt = self.judge().pool().interrupt();
        if self.batching == Batching::Together {
            return self.judge().judge_group(group, interrupt);
        }
        let outcomes = group.iter().map(|one| self.judge().judge(one, interrupt));
        outcomes.collect()
    }

    pub(super) fn remember(&mut self, candidate: &Sources, outcome: Outcome) {
        let is_smaller = |failing: &Sources| candidate.key() < failing.key();
        if outcome.is_fail() && self.failing.as_ref().is_none_or(is_smaller) {
            self.go_on_from(candidate);
        }
    }

    /// The candidates to come are like this one, which fails.
    fn go_on_from(&mut self, failing: &Sources) {
        let is_known = |known: &Sources| digest(known) == digest(failing);
        self.fails_as_module &= self.failing.as_ref().is_some_and(is_known);
        self.pieces = count_pieces(failing);
        self.is_of_crate = self.is_of_crate && is_of_crate(failing);
        self.failing = Some(failing.clone());
    }

    /// The outcomes of candidates, those of modules of one crate where that works.
    fn judge_all(&mut self, candidates: &[Sources]) -> Answer<Vec<Outcome>> {
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        self.try_out()?;
        let mut outcomes = self.judge_groups(candidates)?;
        let is_any = outcomes.iter().any(|outcome| outcome.is_fail());
        if !is_any && self.is_no_module()? {
            outcomes = self.judge_groups(candidates)?;
        }
        for (candidate, outcome) in candidates.iter().zip(&outcomes) {
            self.remember(candidate, *outcome);
        }
        self.fails_as_module |= is_any && self.batching == Batching::Together;
        Ok(outcomes)
    }

    fn judge_groups(&self, candidates: &[Sources]) -> Answer<Vec<Outcome>> {
        let workers = self.judge().pool().workers();
        let size = candidates.len().div_ceil(workers).clamp(1, self.size());
        let groups: Vec<&[Sources]> = candidates.chunks(size).collect();
        let mut outcomes = Vec::with_capacity(candidates.len());
        for group in side_by_side(workers, groups, |group| self.judge_group(group)) {
            outcomes.extend(group??);
        }
        Ok(outcomes)
    }

    /// The outcomes of all.
    fn all(&mut self, candidates: &[Sources]) -> Answer<Vec<Outcome>> {
        let variants = self.judge_variants(candidates)?;
        let others = candidates.iter().zip(&variants).filter(|(_, outcome)| outcome.is_none());
        let others: Vec<Sources> = others.map(|(candidate, _)| candidate.clone()).collect();
        let mut judged = self.judge_all(&others)?.into_iter();
        let outcomes = variants.into_iter().map(|outcome| outcome.or_else(|| judged.next()));
        Ok(outcomes.flatten().collect())
    }
}

impl Oracle<Sources> for Together<'_> {
    fn ask(&mut self, candidate: &Sources) -> Answer<Outcome> {
        let outcome = self.judge.ask(candidate)?;
        self.remember(candidate, outcome);
        Ok(outcome)
    }

    fn run(&mut self, candidates: &[Sources], until: Until) -> Answer<Vec<Outcome>> {
        if until == Until::End || candidates.len() > 1 && self.size() > 1 {
            let mut outcomes = self.all(candidates)?;
            until.cut(&mut outcomes);
            return Ok(outcomes);
        }
        let outcomes = self.judge.ask_until_fail(candidates)?;
        for (candidate, outcome) in candidates.iter().zip(&outcomes) {
            self.remember(candidate, *outcome);
        }
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        match self.size() {
            1 => self.judge.batch(),
            size => self.judge().pool().workers() * size,
        }
    }

    fn batch_of_variants(&self) -> usize {
        if self.has_bodies {
            self.batch().max(self.judge().pool().workers() * MOST_VARIANTS)
        } else {
            self.batch()
        }
    }

    fn accept(&mut self, candidate: &Sources) -> Answer<Acceptance<Sources>> {
        let is_to_be_seen = self.failed_as_variants.remove(&digest(candidate));
        if is_to_be_seen && !self.judge.ask(candidate)?.is_fail() {
            return Ok(Acceptance::Refused);
        }
        // Candidates differ from it by a part, and in the rest to the letter; the same tokens elsewhere will not do.
        self.go_on_from(candidate);
        Ok(Acceptance::AsItIs)
    }
}

impl CodeOracle<'_> {
    /// The outcomes of `candidates`, those compiled together that name the same crates at their root.
    fn judge_group(&self, candidates: &[Sources], interrupt: &Interrupt) -> Answer<Vec<Outcome>> {
        let mut outcomes = vec![Outcome::Unresolved; candidates.len()];
        let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let kept = candidates.iter().enumerate().filter(|(_, it)| self.kept().is_in(it));
        for (place, candidate) in kept {
            alike.entry(extern_crates(candidate)).or_default().push(place);
        }
        let mut groups: Vec<Vec<usize>> = alike.into_values().collect();
        while let Some(group) = groups.pop() {
            if let [one] = group[..] {
                outcomes[one] = self.judge(&candidates[one], interrupt)?;
                continue;
            }
            let numbered = group.iter().enumerate();
            let modules: Vec<Sources> =
                numbered.map(|(number, place)| as_module(&candidates[*place], number)).collect();
            let mut open: Vec<usize> = (0..group.len()).collect();
            let ran = until_it_compiles(
                &mut open,
                ROUNDS,
                |open| self.step(&candidates[group[0]], &modules, open, interrupt),
                |open, files, _| {
                    open.retain(|number| !files.contains(&*modules[*number].files[0].path));
                    Ok(!files.is_empty() && !open.is_empty())
                },
            )?;
            if let Ok(verdicts) = ran {
                for (number, verdict) in open.into_iter().zip(verdicts) {
                    outcomes[group[number]] = self.outcome(&verdict, &modules[number]);
                }
            } else {
                // Nobody knows what is wrong with which of them.
                let (first, second) = open.split_at(open.len() / 2);
                let places = |half: &[usize]| half.iter().map(|number| group[*number]).collect();
                let halves = [second, first].into_iter().filter(|half| !half.is_empty());
                groups.extend(halves.map(places));
            }
        }
        Ok(outcomes)
    }

    /// Builds the open ones in one crate: what became of the test of each, or the files into which errors point.
    fn step(
        &self,
        root: &Sources,
        modules: &[Sources],
        open: &[usize],
        interrupt: &Interrupt,
    ) -> Answer<Result<Vec<Verdict>, BTreeSet<String>>> {
        let joined = join(root, open.iter().map(|place| (*place, &modules[*place])));
        let look = |compiled: Compiled| {
            let Some(binary) = &compiled.binary else {
                let open = open.iter().map(|place| &*modules[*place].files[0].path);
                return Ok(Err(blamed(&compiled.errors, &open.collect())));
            };
            let verdicts = side_by_side(RUNS_AT_ONCE, open, |place| -> Answer<Verdict> {
                let module = &modules[*place];
                let in_module = |inside: &str| format!("{}::{inside}", module_name(*place));
                let test = in_module(&self.name.in_sources(module));
                let run = self.run_of(&test);
                let built = Built { sources: module, binary, run: &run, named: &in_module };
                let once = || self.run_once(&run, binary, interrupt);
                let observed = self.observed(&built, Detail::Outcome, interrupt, once)?;
                Ok(observed.verdict)
            });
            Ok(Ok(verdicts.into_iter().map(|verdict| verdict?).collect::<Answer<_>>()?))
        };
        self.compiler.with_joined(&joined, interrupt, look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::code::tests::{Program, with};
    use crate::rust::Sameness;

    #[test]
    fn to_the_compiler_a_long_string_is_a_small_thing() {
        let sources = Sources::of_file(
            "a.rs",
            "fn a() { b(\"many words, many words\") } // c",
            Sameness::Tokens,
        );
        assert_eq!(count_pieces(&sources), 10);
        assert!(sources.tokens() > 10);
        let list = format!("static A: [u8; 800] = [{}];", "0, ".repeat(800));
        let sources = Sources::of_file("a.rs", list, Sameness::Tokens);
        assert!(count_pieces(&sources) < 120 && sources.tokens() > 1_600);
    }

    #[test]
    fn candidates_like_one_that_is_no_module_are_judged_alone() {
        let text = "mod m { pub fn f() {} pub fn g() {} }\nfn h() {}\n\
                    #[test]\nfn fails() { crate::m::f(); panic!(\"failed\"); }\n";
        Program { edition: "2015", ..Program::new(text) }.with_judge(|judge, base| {
            let mut together = Together::new(judge, base);
            let mut ask = |base: &Sources| {
                assert!(together.accept(base).is_ok());
                together.batching = Batching::Together;
                let parts = ["pub fn g() {}", "fn h() {}", "pub fn f() {}"];
                let outcomes = together.run(&parts.map(|part| with(base, part, "")), Until::End);
                (outcomes.unwrap(), together.batching)
            };
            let outcomes = vec![Outcome::Fail, Outcome::Fail, Outcome::Unresolved];
            assert_eq!(ask(base), (outcomes.clone(), Batching::Together));
            // In a module, that leads elsewhere.
            let (alone, batching) = ask(&with(base, "crate::m", "::m"));
            assert_eq!(alone, outcomes);
            assert_ne!(batching, Batching::Together);
        });
    }

    #[test]
    fn what_the_compiler_would_evaluate_for_ever_does_not_compile() {
        let text = "const fn f() -> u32 { let mut i = 0; while i < 9 { i += 1; } i }\n\
                    const N: u32 = f();\nfn h() {}\n#[test]\nfn fails() { assert!(N == 0) }\n";
        Program::new(text).with_judge(|judge, base| {
            let mut together = Together::new(judge, base);
            assert!(together.accept(base).is_ok());
            together.batching = Batching::Together;
            let candidates = ["i += 1;", "fn h() {}"].map(|part| with(base, part, ""));
            let outcomes = together.run(&candidates, Until::End).unwrap();
            assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail]);
        });
    }

    #[test]
    fn what_was_slower_is_tried_again_with_smaller_candidates() {
        assert!(Batching::Untried.may_pay(1_000) && Batching::Together.may_pay(1_000));
        assert!(!Batching::Alone.may_pay(1));
        let batching = Batching::NotNow(1_000);
        assert!(!batching.may_pay(750) && batching.may_pay(749));
    }

    #[test]
    fn it_pays_where_a_second_candidate_adds_little() {
        let milliseconds = Duration::from_millis;
        assert!(pays(milliseconds(100), milliseconds(120)));
        assert!(pays(milliseconds(100), milliseconds(90)));
        assert!(!pays(milliseconds(100), milliseconds(180)));
    }
}

//! Builds with switches of small programs, with the compiler itself.

use std::collections::BTreeMap;
use std::time::Duration;

use camino::Utf8Path;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::build::{Build, Purpose};
use super::candidate::Layout;
use super::check_edits::written;
use super::tiers::{Limits, SwitchRunner, plain};
use super::*;
use crate::compile::{Compiler, Depth};
use crate::exec::{Access, Interrupt, Job, Policy, Sandbox, run_tool};
use crate::oracle::code::tests::compiler;
use crate::oracle::code::{CodeMatcher, TestRun};
use crate::oracle::libtest::Verdict;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::Match;
use crate::reduce::{Oracle, Outcome};
use crate::rust::switches::{Mode, SwitchKind};
use crate::rust::{Reduction, Sameness, Sources, function_of, functions_in};
use crate::source::Tier;

fn sources(text: &str) -> Sources {
    Sources::of_file("test.rs", text, Sameness::Text)
}

/// A failing test, reduced or ready to be.
struct Subject {
    folder: tempfile::TempDir,
    sources: Sources,
    compiler: Compiler,
    matcher: CodeMatcher,
    /// What each candidate may take.
    limit: Duration,
    /// The tests that have to pass along.
    companions: Vec<String>,
    values: Values,
}

impl Subject {
    /// The program with the failing test `fails`.
    fn new(text: &str, edition: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sources = sources(text);
        let mut compiler = compiler(Utf8Path::from_path(folder.path()).unwrap(), edition);
        let Verdict::Failed(expected) = verdict(&mut compiler, &sources).unwrap() else {
            panic!("the test passes");
        };
        Subject {
            matcher: CodeMatcher::new(Match::Template, expected, &sources),
            folder,
            sources,
            compiler,
            limit: Duration::from_secs(20),
            companions: Vec::new(),
            values: Values::All,
        }
    }

    /// The same with tests that have to pass along.
    fn beside(mut self, companions: &[&str]) -> Self {
        self.companions = companions.iter().copied().map(str::to_owned).collect();
        self.values = Values::Agreed;
        self
    }

    /// Runs `look` with the job of reducing it.
    fn with_job<R>(&mut self, look: impl FnOnce(&SwitchJob<'_>, &mut Compiler) -> R) -> R {
        let sandbox = Sandbox::new(Policy::default()).unwrap();
        let folder = self.folder.path();
        let names: Vec<&str> = self.companions.iter().map(|test| function_of(test)).collect();
        let kept = functions_in(&self.sources, &names);
        let job = SwitchJob {
            kept: &kept,
            held: &[],
            above_suspicion: &functions_in(&self.sources, &["fails"]),
            taken_back: &TakenBack::default(),
            sources: &self.sources,
            roots: &[0],
            run: TestRun {
                test: "fails",
                runner: TestRunner::Libtest,
                args: &[],
                also: &self.companions,
                confine: &|job: Job| sandbox.confine(job, Access::keeping([folder])),
            },
            matcher: &self.matcher,
            limit: self.limit,
            workers: 2,
            folder: self.folder.path(),
            open: self.folder.path(),
            interrupt: &Interrupt::new(),
            stop: &|_| None,
            is_looped: true,
            mode: SwitchMode::Switches,
            values: self.values,
        };
        look(&job, &mut self.compiler)
    }

    /// What comes of doing so much.
    fn switched(&mut self, mode: SwitchMode) -> Switched {
        self.with_job(|job, compiler| {
            let job = SwitchJob { mode, run: job.run.clone(), ..*job };
            let build = build_switches(&job, compiler).unwrap();
            switch(&job, build, compiler).unwrap()
        })
    }

    /// The edits, and what they make of the text.
    fn reduced(&mut self) -> (Switched, String) {
        let switched = self.switched(SwitchMode::Switches);
        let edited = self.edited(&switched.reductions);
        let text = &edited.files[0].text;
        assert_eq!(self.outcome(&edited), Some(Outcome::Fail), "{text}");
        (switched, edited.files[0].text.to_string())
    }

    fn edited(&self, edits: &[(usize, Reduction)]) -> Sources {
        self.sources.edit_all(edits)
    }

    /// What the plain sources do; `None` if they do not compile.
    fn outcome(&mut self, sources: &Sources) -> Option<Outcome> {
        let verdict = verdict(&mut self.compiler, sources)?;
        Some(match verdict.outcome(|shown| self.matcher.is_same(shown, sources)) {
            Outcome::Timeout => Outcome::Unresolved,
            outcome => outcome,
        })
    }
}

fn verdict(compiler: &mut Compiler, sources: &Sources) -> Option<Verdict> {
    let binary = compiler.compile(sources, Depth::Link).unwrap().binary?;
    let job = TestRunner::Libtest.job(&binary, "fails", &[]);
    let finished = run_tool(&job.time(Duration::from_secs(2)), &Interrupt::new()).unwrap();
    Some(TestRunner::Libtest.interpret(&finished, "fails"))
}

const SHOP: &str = include_str!("tests/shop.rs");

#[test]
fn what_never_ran_and_what_is_not_needed_goes_in_one_build() {
    let mut subject = Subject::new(SHOP, "2021");
    let (switched, text) = subject.reduced();
    assert_eq!(switched.tier, Some(Tier::InProcess));
    assert!(switched.executed < switched.places, "{switched:?}");
    assert!(switched.counts.candidates > 10, "{switched:?}");
    for gone in ["left /= 10", "found += 1", "audit(&shop", "retain"] {
        assert!(SHOP.contains(gone) && !text.contains(gone), "{gone} in {text}");
    }
    for kept in ["lines[index]", "fn fails"] {
        assert!(text.contains(kept), "{kept} not in {text}");
    }
    assert!(text.len() * 3 < SHOP.len() * 2, "{text}");
}

#[test]
fn only_coverage_takes_what_never_ran_and_nothing_else() {
    let mut subject = Subject::new(SHOP, "2021");
    let switched = subject.switched(SwitchMode::Coverage);
    assert_eq!(switched.counts.candidates, 0);
    let text = subject.edited(&switched.reductions).files[0].text.to_string();
    assert!(!text.contains("retain") && text.contains("audit(&shop"), "{text}");
}

#[test]
fn what_never_runs_goes_from_a_test_that_fails_now_and_then() {
    let text = "fn f(x: u32) -> u32 { if x > 9 { g() } else { x } } fn g() -> u32 { 7 }\n\
        #[test]\nfn fails() { let many = vec![1; 9999];\n\
        if f(many.as_ptr() as usize as u32 % 2) < 2 { assert!(many.len() % 2 == 0, \"odd\"); } }\n";
    let mut subject = Subject::new(text, "2021");
    let switched = subject.switched(SwitchMode::Flaky);
    assert_eq!((switched.counts.candidates, switched.is_searched), (0, false));
    let edited = subject.edited(&switched.reductions);
    assert!(!edited.files[0].text.contains("{ 7 }"), "{edited:?}");
    assert_eq!(subject.outcome(&edited), Some(Outcome::Fail), "{edited:?}");
}

#[test]
fn what_never_runs_goes_where_switches_hide_the_failure() {
    // The build with switches has the name of the library that they come from in it.
    let text = "fn f(x: u32) -> u32 { if x > 9 { g() } else { x } } fn g() -> u32 { 7 }\n\
        #[test]\nfn fails() { assert!(f(1) > 1 || is_switched(), \"too small\"); }\n\
        fn is_switched() -> bool { let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();\n\
        let name = \"cargo-reduce-rt\".replace('-', \"_\"); program.windows(name.len()).any(|it| it == name.as_bytes()) }\n";
    let mut subject = Subject::new(text, "2021");
    let switched = subject.switched(SwitchMode::Switches);
    assert!(switched.executed > 0 && !switched.is_searched, "{switched:?}");
    let edited = subject.edited(&switched.reductions);
    assert!(!edited.files[0].text.contains("{ 7 }"), "{edited:?}");
    assert_eq!(subject.outcome(&edited), Some(Outcome::Fail), "{edited:?}");
}

#[test]
fn every_edition_can_have_switches() {
    let text = "#![forbid(unsafe_code)]\n#![deny(warnings)]\nmod m { pub fn f(x: usize) -> usize { g(); x } fn g() { h(); } fn h() {} }\n\
        #[test]\nfn fails() { m::f(1); let v = vec![1]; let _ = v[m::f(3)]; }\n";
    for edition in ["2015", "2018", "2021", "2024"] {
        let (switched, text) = Subject::new(text, edition).reduced();
        assert!(switched.counts.candidates > 0, "{edition}: {switched:?}");
        assert!(!text.contains("m::f(1)"), "{edition}: {text}");
    }
}

#[test]
fn threads_and_async_functions_are_reduced_too() {
    let text = "use std::future::Future;\nuse std::sync::Arc;\nuse std::task::{Context, Poll, Wake, Waker};\n\
        struct No;\nimpl Wake for No { fn wake(self: Arc<Self>) {} }\n\
        fn block<F: Future>(f: F) -> F::Output { let mut f = Box::pin(f); let w = Waker::from(Arc::new(No));\n\
        let mut c = Context::from_waker(&w); loop { if let Poll::Ready(r) = f.as_mut().poll(&mut c) { return r; } } }\n\
        async fn sum(n: u32) -> u32 { note(n); let mut s = 0; for i in 0..n { s += i; } s }\n\
        fn note(n: u32) { println!(\"{n}\"); }\n\
        #[test]\nfn fails() {\n let t = std::thread::spawn(|| { note(1); block(async { sum(4).await }) });\n\
        let s = t.join().unwrap();\n note(s);\n let v = [1, 2];\n assert!(s < 6, \"too much\");\n drop(v);\n}\n";
    let (_, text) = Subject::new(text, "2021").reduced();
    assert!(!text.contains("note(s)") && !text.contains("note(n);"), "{text}");
    // What the threads compute is always the same.
    assert!(text.contains("s < 6") && !text.contains("s += i"), "{text}");
}

#[test]
fn a_candidate_without_end_is_ended_by_its_steps() {
    let text = "fn drain(mut n: u64) -> u64 { let mut s = 0; while n > 0 { s += n; n -= 1; } s }\n\
        fn down(n: u64) -> u64 { if n == 0 { return 0; } down(n - 1) }\n\
        #[test]\nfn fails() { let a = drain(4) + down(3); assert_eq!(a, 11); }\n";
    let mut subject = Subject::new(text, "2021");
    subject.limit = Duration::from_mins(5);
    let started = std::time::Instant::now();
    let (switched, text) = subject.reduced();
    assert_eq!(switched.tier, Some(Tier::InProcess));
    // One that is ended by its time takes longer than all of them together do on a busy machine.
    assert!(started.elapsed() < subject.limit, "{text}");
}

#[test]
fn what_calls_yield_and_what_variables_hold_is_told_by_their_texts() {
    let text = "#[derive(Debug)] enum Error { At { byte: usize } }\n\
        fn parse(text: &str) -> Result<Vec<u8>, Error> { let end = text.len() + 0; Err(Error::At { byte: end }) }\n\
        fn show<T>(t: T) -> T { t }\n\
        struct Silent;\n\
        fn count(n: usize) -> usize { n * 2 }\n\
        #[test]\nfn fails() { show(Silent); let _a = show((Silent, 1)); for n in 0..3 { let _b = count(n + 1); }\n\
        parse(\"abc\").unwrap(); }\n";
    let mut subject = Subject::new(text, "2021");
    let values = subject.with_job(|job, compiler| observed_values(job, compiler).unwrap());
    let shown: Vec<(&str, &str, &str)> = values
        .iter()
        .map(|value| (&text[value.range.clone()], &*value.type_name, &*value.text))
        .collect();
    assert_eq!(
        shown,
        [
            (
                "parse(\"abc\")",
                "core::result::Result<alloc::vec::Vec<u8>, subject::Error>",
                "Err(At { byte: 3 })"
            ),
            ("text.len() + 0", "usize", "3"),
            ("text.len()", "usize", "3"),
            ("text", "&str", "\"abc\""),
            // These were others before.
            ("count(n + 1)", "usize", "6"),
            ("n", "usize", "3"),
            ("n", "usize", "2"),
        ]
    );
}

#[test]
fn what_only_the_failing_run_reaches_stays_if_it_is_little() {
    let text = "fn erase(all: &mut Vec<u32>, from: usize) {\n    if from < 2 {\n        all.truncate(from);\n    } else {\n        \
        for it in all.iter_mut().skip(from) {\n            note(it);\n        }\n    }\n}\n\
        fn note(it: &mut u32) {\n    *it += 0;\n}\n\
        #[test]\nfn fails() {\n    let mut all = vec![1, 2, 3];\n    erase(&mut all, 2);\n    assert!(all.len() < 3, \"too long\");\n}\n\
        #[test]\nfn passes() {\n    let mut all = vec![1, 2, 3];\n    erase(&mut all, 1);\n    assert!(all.len() < 3, \"too long\");\n}\n";
    let (_, without) = Subject::new(text, "2021").reduced();
    assert!(!without.contains("note(it);"), "{without}");
    let mut subject = Subject::new(text, "2021").beside(&["passes"]);
    let (switched, with) = subject.reduced();
    let suspects = switched.suspects.iter().map(|suspect| &text[suspect.range.clone()]);
    let suspects: Vec<&str> = suspects.collect();
    assert!(
        suspects[0].starts_with("for it in") || suspects[0].contains("note(it)"),
        "{suspects:?}"
    );
    assert!(with.contains("note(it);") && with.contains("skip(from)"), "{with}");
    // If it is much, the test that passes does another thing.
    let long = text.replace("*it += 0;", &"*it += 0;".repeat(100));
    let mut subject = Subject::new(&long, "2021").beside(&["passes"]);
    let (switched, with) = subject.reduced();
    assert!(switched.suspects.is_empty() && !with.contains("note(it);"), "{with}");
}

#[test]
fn tests_that_pass_along_are_asked_each_time_and_stay_as_they_are() {
    let text = "fn halve(n: i32) -> i32 {\n    let mut half = 0;\n    if n > 0 {\n        half = n / 2;\n    }\n    half\n}\n\
                #[test]\nfn fails() {\n    assert_eq!(halve(-4), -2);\n}\n\
                mod a {\n    mod tests {\n        #[test]\n        fn passes() {\n            let n = 4;\n            if n > 4 {\n                panic!();\n            }\n            \
                assert_eq!(crate::halve(n), 2);\n        }\n    }\n}\n";
    let passing = &text[text.find("fn passes").unwrap()..];
    let mut alone = Subject::new(text, "2021");
    let switched = alone.switched(SwitchMode::Switches);
    let alone = alone.edited(&switched.reductions);
    assert!(!alone.files[0].text.contains("n / 2"), "{}", alone.files[0].text);
    let (switched, beside) = Subject::new(text, "2021").beside(&["a::tests::passes"]).reduced();
    assert!(beside.contains("half = n / 2") && beside.ends_with(passing), "{beside}");
    assert!(switched.is_searched && switched.tier == Some(Tier::InProcess));
}

#[test]
fn values_of_an_earlier_run_are_not_taken_for_those_of_this_one() {
    let text = "fn two() -> u8 { 1 + 1 + 0 }\n#[test]\nfn fails() { let n = two().max(1); panic!(\"no {n}\") }\n";
    let mut subject = Subject::new(text, "2021");
    let first = subject.with_job(|job, compiler| observed_values(job, compiler).unwrap());
    assert!(!first.is_empty());
    subject.sources =
        sources("#[test]\nfn fails() { panic!(\"no 2\") }\nfn f() -> u8 { 1 + 1 + 1 }\n");
    let Verdict::Failed(expected) = verdict(&mut subject.compiler, &subject.sources).unwrap()
    else {
        panic!("the test passes");
    };
    subject.matcher = CodeMatcher::new(Match::Template, expected, &subject.sources);
    let second = subject.with_job(|job, compiler| observed_values(job, compiler).unwrap());
    assert_eq!(second, []);
}

/// Compares `count` random sets of switches with the same sets written out and compiled.
fn compare(count: usize, seed: u64) {
    let mut subject = Subject::new(SHOP, "2021");
    let mut random = SmallRng::seed_from_u64(seed);
    let cases = subject.with_job(|job, compiler| {
        let mut build = Build::make(Purpose::Switch, job, compiler).unwrap();
        let binary = build.binary.take().unwrap();
        let runner = SwitchRunner { job, build: &build, binary: &binary };
        let (trace, shown) = runner.reproduce(&vec![0; build.len()]).unwrap().unwrap();
        runner.keep_values(&trace.values).unwrap();
        let layout = Layout::of(&build);
        let plain = plain(&layout, build.len());
        let limits = Limits::of(&trace);
        let mut fresh = runner.processes(&shown, &plain, limits);
        let mut looped = runner.loops(&shown, &plain, limits).unwrap().unwrap();
        let choices: Vec<(u8, bool)> = build
            .modes()
            .enumerate()
            .map(|(switch, (place, mode))| {
                let is_known =
                    place.kind != SwitchKind::Value || trace.values.contains_key(&switch);
                (place.kind.states(), mode == Mode::Switch && is_known)
            })
            .collect();
        let mut cases = Vec::new();
        for case in 0..count {
            let share = [0.02, 0.05, 0.2][case % 3];
            let mut states = vec![0; build.len()];
            for (state, (most, is_free)) in states.iter_mut().zip(&choices) {
                if *is_free && *most > 0 && random.random_bool(share) {
                    *state = random.random_range(1..=*most);
                }
            }
            let candidate = layout.candidate(states.clone().into());
            let in_process = looped.ask(&candidate).unwrap();
            assert_eq!(in_process, fresh.ask(&candidate).unwrap(), "{states:?}");
            let set = super::search::SwitchStates {
                ran: vec![true; states.len()],
                forbidden: vec![false; states.len()],
                states,
                values: trace.values.clone(),
            };
            let edits = written(&build, &set).into_iter().map(|edit| (edit.file, edit.reduction));
            cases.push((in_process, edits.collect::<Vec<_>>()));
        }
        cases
    });
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (probed, edits) in cases {
        let edited = subject.edited(&edits);
        let Some(rebuilt) = subject.outcome(&edited) else {
            *seen.entry("does not compile").or_default() += 1;
            continue;
        };
        // One of the two may be stopped by its time, the other by its steps.
        let probed = match probed {
            Outcome::Timeout => Outcome::Unresolved,
            probed => probed,
        };
        assert_eq!(probed, rebuilt, "{}", edited.files[0].text);
        let name = match rebuilt {
            Outcome::Fail => "fails",
            Outcome::Pass => "passes",
            _ => "unresolved",
        };
        *seen.entry(name).or_default() += 1;
    }
    let rejected = seen.get("does not compile").copied().unwrap_or(0);
    assert!(rejected * 3 < count, "{seen:?}");
    assert!(seen.contains_key("fails") && seen.contains_key("unresolved"), "{seen:?}");
}

#[test]
fn the_probe_agrees_with_rebuilding() {
    compare(24, 1);
}

#[test]
#[ignore = "compiles 500 programs"]
fn the_probe_agrees_with_rebuilding_on_500_candidates() {
    compare(500, 2);
}

//! Functions with several bodies, compiled by the compiler itself.

use std::collections::BTreeMap;

use super::*;
use crate::oracle::code::tests::{Program, with};
use crate::oracle::pooled::Pooled;
use crate::passes::{self, Tier};
use crate::rust::{StandIn, Tree};

/// A program whose test `fails` panics in `parse`.
const PROGRAM: &str = r#"
struct Scanner<'a> { text: &'a str, at: usize }

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        let at = 0;
        Scanner { text, at }
    }

    fn next(&mut self) -> Option<char> {
        let found = self.text[self.at..].chars().next();
        if let Some(symbol) = found {
            self.at += symbol.len_utf8();
        }
        found
    }
}

trait Parse {
    fn parse(text: &str) -> Self;
    fn twice(text: &str) -> (Self, Self) where Self: Sized {
        (Self::parse(text), Self::parse(text))
    }
}

impl Parse for u32 {
    fn parse(text: &str) -> u32 {
        let mut scanner = Scanner::new(text);
        let mut value = 0;
        while let Some(symbol) = scanner.next() {
            let digit = symbol.to_digit(10).unwrap();
            value = value * 10 + digit;
        }
        value
    }
}

fn halves(text: &str) -> impl Iterator<Item = &str> {
    let middle = text.len() / 2;
    vec![&text[..middle], &text[middle..]].into_iter()
}

#[test]
fn fails() {
    let mut sum = 0;
    for half in halves("12x4") {
        let (first, second) = u32::twice(half);
        sum += first + second;
    }
    assert_eq!(sum, 92);
}
"#;

/// What comes of candidates in one build.
fn together(judge: &CodeOracle<'_>, base: &Sources, all: &[Sources]) -> Vec<Option<Outcome>> {
    let base = Cut::of(base).unwrap();
    let likes = all.iter().map(|candidate| base.compare(candidate).variant().unwrap());
    let cuts: Vec<Cut<'_>> = std::iter::once(base.clone()).chain(likes).collect();
    let observed = judge.judge_bodies(&cuts, Detail::Outcome, &Interrupt::new()).unwrap();
    let outcome = |observed: Option<Observed>| observed.map(|it| it.outcome);
    let mut outcomes: Vec<Option<Outcome>> = observed.into_iter().map(outcome).collect();
    assert_eq!(outcomes.remove(0), Some(Outcome::Fail));
    outcomes
}

/// Sees that candidates of a program, each with another text in one place, have these outcomes in one build.
fn check(program: &Program<'_>, edits: &[(&str, &str)], expected: &[Outcome]) {
    program.with_judge(|judge, base| {
        let all: Vec<Sources> = edits.iter().map(|(old, new)| with(base, old, new)).collect();
        let expected: Vec<Option<Outcome>> = expected.iter().copied().map(Some).collect();
        assert_eq!(together(&judge, base, &all), expected);
    });
}

#[test]
fn several_bodies_answer_as_the_candidates_do_alone() {
    Program::new(PROGRAM).with_judge(|judge, base| {
        let mut all = Vec::new();
        let cut = Cut::of(base).unwrap();
        for pass in passes::all().filter(|pass| pass.tier < Tier::Tokens) {
            let text = &base.files[0].text;
            let proposed = Tree::with(text, StandIn::Panic, pass.propose).unwrap();
            let candidates = proposed.iter().map(|reduction| base.edit([(0, reduction)]));
            let inside = candidates.filter(|candidate| cut.compare(candidate).variant().is_some());
            // A few of each pass: each costs a build of its own here.
            all.extend(inside.take(5));
        }
        assert!(all.len() > 20, "{}", all.len());
        let outcomes = together(&judge, base, &all);
        let mut seen = BTreeMap::new();
        for (candidate, outcome) in all.iter().zip(outcomes) {
            let alone = judge.judge(candidate, &Interrupt::new()).unwrap();
            let text = &candidate.files[0].text;
            assert_eq!(outcome, Some(alone), "{text}");
            *seen.entry(format!("{alone:?}")).or_insert(0) += 1;
        }
        assert!(seen["Fail"] > 1 && seen["Unresolved"] > 1, "{seen:?}");
    });
}

#[test]
fn a_test_that_returns_an_error_fails_with_several_bodies_as_it_does_alone() {
    let text = "fn size(text: &str) -> Result<usize, String> {\n    let mut size = 0;\n    while size < text.len() {\n        \
                size += 1;\n    }\n    Err(format!(\"too large: {size}\"))\n}\n\n#[test]\nfn fails() -> Result<(), String> {\n    \
                size(\"12x4\")?;\n    Ok(())\n}\n";
    let edits = [
        ("let mut size = 0;", "let mut size = 4;"),
        ("Err(format!(\"too large: {size}\"))", "Ok(size)"),
    ];
    check(&Program::new(text), &edits, &[Outcome::Fail, Outcome::Pass]);
}

#[test]
fn an_interrupt_while_the_library_is_compiled_says_nothing_about_bodies() {
    Program::new(PROGRAM).with_judge(|judge, _| {
        let over = Interrupt::new().until(std::time::Instant::now());
        assert!(judge.compiler.has_bodies(&over).is_err());
        assert!(judge.compiler.has_bodies(&Interrupt::new()).unwrap());
    });
}

#[test]
fn reasons_are_those_of_each_candidate_alone() {
    Program::new(PROGRAM).with_judge(|judge, base| {
        let with = |old: &str, new: &str| with(base, old, new);
        let all = [
            with("let at = 0;", "let at = nothing;"),
            with("symbol.to_digit(10).unwrap()", "symbol.to_digit(36).unwrap()"),
            with("assert_eq!(sum, 92);", ""),
            with("found\n    }", "loop {}\n    }"),
            with("struct Scanner<'a> {", "pub struct Scanner<'a> {"),
        ];
        let reasons = judge.reasons_of_variants(base, &all, &Interrupt::new()).unwrap();
        // Alone it may end in another way, and the last one differs outside of functions.
        assert!(reasons[3].is_none() && reasons[4].is_none(), "{reasons:?}");
        for (candidate, together) in all.iter().zip(&reasons).take(3) {
            let alone = judge.reasons(candidate, &Interrupt::new()).unwrap();
            let said = |it: &Observed| (it.outcome, it.error.clone(), it.verdict.clone());
            assert_eq!(together.as_ref().map(said), Some(said(&alone)));
        }
    });
}

#[test]
fn errors_of_all_stages_and_endless_loops_harm_no_other_candidate() {
    let table = [
        ("let at = 0;", "let at = nothing;", Outcome::Unresolved),
        ("let at = 0;", "let at = \"\";", Outcome::Unresolved),
        ("let mut value = 0;", "let value = 0;", Outcome::Unresolved),
        ("found\n    }", "loop {}\n    }", Outcome::Timeout),
        ("assert_eq!(sum, 92);", "", Outcome::Fail),
        ("(Self::parse(text), Self::parse(text))", "", Outcome::Unresolved),
        ("symbol.to_digit(10).unwrap()", "symbol.to_digit(36).unwrap()", Outcome::Unresolved),
        ("value = value * 10 + digit;", "value = digit;", Outcome::Fail),
    ];
    let edits = table.map(|(old, new, _)| (old, new));
    check(&Program::new(PROGRAM), &edits, &table.map(|(.., outcome)| outcome));
}

#[test]
fn loops_that_do_not_end_are_found_out_by_counting() {
    let text = "fn f(x: u8) -> u8 { let mut n = 0; while n < x { n += 1; } n } \
                #[test] fn fails() { g(); assert!(f(3) == 2); } \
                fn g() { std::thread::sleep(std::time::Duration::from_millis(500)); }";
    Program::new(text).with_judge(|judge, base| {
        let endless =
            [("n += 1;", ""), ("n += 1;", "f(x);"), ("n < x", "n < 5"), ("n = 0", "n = 1")];
        let all = endless.map(|(old, new)| with(base, old, new));
        let began = std::time::Instant::now();
        let outcomes = together(&judge, base, &all);
        let expected = [Outcome::Timeout, Outcome::Timeout, Outcome::Fail, Outcome::Fail];
        assert_eq!(outcomes, expected.map(Some));
        // By the clock each of the two would take ten times as long as the base.
        assert!(began.elapsed() < std::time::Duration::from_secs(8), "{:?}", began.elapsed());
    });
}

#[test]
fn an_error_that_points_at_no_body_is_not_held_against_all() {
    Program::new(PROGRAM).with_judge(|judge, base| {
        let with = |old: &str, new: &str| with(base, old, new);
        // Only the linker finds out, and it does not say where.
        let unlinked = "unsafe extern \"C\" { fn cargo_reduce_nowhere() -> usize; } \
                        let at = unsafe { cargo_reduce_nowhere() };";
        let all = [
            with("value = value * 10 + digit;", "value = digit;"),
            with("assert_eq!(sum, 92);", ""),
            with("let at = 0;", unlinked),
            with("let at = 0;", "let at = 0 + 0;"),
        ];
        let fail = Some(Outcome::Fail);
        assert_eq!(together(&judge, base, &all), [fail, fail, None, fail]);
    });
}

#[test]
fn tests_that_have_to_pass_are_run_with_the_same_bodies() {
    let text = "fn f(x: u8) -> u8 { g(); x } fn g() {} #[test] fn fails() { h(); assert!(f(1) == 2); } \
                #[test] fn passes() { i(); assert!(f(1) == 1); } fn h() {} fn i() {}";
    let companions = ["passes".to_owned()];
    let program = Program { companions: &companions, ..Program::new(text) };
    let edits = [("g(); x", "x"), ("g(); x", "g(); 3"), ("h(); ", ""), ("i(); ", "")];
    let (fail, other) = (Outcome::Fail, Outcome::Unresolved);
    check(&program, &edits, &[fail, other, fail, other]);
}

#[test]
fn a_stack_that_is_only_somewhat_too_small_overflows_with_several_bodies() {
    let text = "fn down(n: u32) -> u32 { if n == 0 { return 0; } g(); down(n - 1) + 1 } fn g() {} \
                #[test] fn fails() { down(70_000); }";
    let edits = [("g(); ", ""), ("70_000", "7")];
    check(&Program::new(text), &edits, &[Outcome::Fail, Outcome::Pass]);
}

#[test]
fn items_in_a_body_are_not_those_of_other_bodies() {
    let text = "struct A; impl Iterator for A { type Item = u8; \
                fn next(&mut self) -> Option<u8> { fn one() -> u8 { 1 } Some(one()) } } \
                #[test] fn fails() { assert!(A.next() == Some(2)); }";
    let edits = [
        ("fn one() -> u8 { 1 } ", ""),
        ("Some(one())", "Some(one() + 1)"),
        ("fn one() -> u8 { 1 } Some(one())", "None"),
    ];
    check(&Program::new(text), &edits, &[Outcome::Unresolved, Outcome::Pass, Outcome::Fail]);
}

#[test]
fn several_bodies_work_in_the_2015_edition() {
    let text = "mod a { pub fn f(x: u8) -> u8 { ::b(); x } } fn b() {} \
                #[test] fn fails() { assert!(a::f(1) == 2); }";
    let program = Program { edition: "2015", ..Program::new(text) };
    let edits = [("::b(); x", "x"), ("::b(); x", "::b(); 2"), ("::b(); x", "::b()")];
    check(&program, &edits, &[Outcome::Fail, Outcome::Pass, Outcome::Unresolved]);
}

//! Switches in texts, before and after.

use super::*;
use crate::rust::apply;
use crate::rust::testing::range_of;

/// `text` with all its switches, the runtime's name shortened to `R`.
fn switched(text: &str) -> String {
    let places = find(text).unwrap();
    let modes = vec![Mode::Switch; places.places.len()];
    instrument(text, &places, &modes, 0, &[]).text.replace("::cargo_reduce_rt", "R")
}

/// The body of a function without a result.
fn body(text: &str) -> String {
    let all = switched(&format!("fn f() {{ {text} }}"));
    let start = "fn f() { if R::enter(0) {  ".len();
    all[start..all.len() - "  }}".len()].to_owned()
}

/// `text` written out with the places at `states` in these states; everything ran.
fn written(text: &str, states: &[(usize, u8)]) -> String {
    written_after(text, states, &[])
}

/// As [`written`], but for the places `idle`, which never ran.
fn written_after(text: &str, states: &[(usize, u8)], idle: &[usize]) -> String {
    let places = find(text).unwrap();
    let count = places.places.len();
    let mut all = vec![0; count];
    for (index, state) in states {
        all[*index] = *state;
    }
    let ran: Vec<bool> = (0..count).map(|index| !idle.contains(&index)).collect();
    let chosen = Chosen {
        states: &all,
        ran: &ran,
        modes: &vec![Mode::Switch; count],
        forbidden: &vec![false; count],
        literals: &|_| Some("7u8"),
    };
    let written = reductions(&places, chosen);
    apply(text, written.iter().map(|written| &written.reduction))
}

#[test]
fn statements_are_wrapped() {
    assert_eq!(
        body("a(); b.c()?; if x { d(); }"),
        "if R::on(1) { a(); } if R::on(2) { b.c()?; } \
         if R::on(3) { if (R::on(4) && (x) || R::forced(4)) { R::hit(5);  if R::on(6) { d(); } } }"
    );
}

#[test]
fn a_last_expression_is_a_statement_only_where_its_type_is_known() {
    assert_eq!(
        body("for x in y { z(x) }"),
        "if R::on(1) { for x in y { R::hit(3);  if R::on(4) { z(x) } } }"
    );
    let text = "fn f() -> u8 { g(); h() }";
    assert_eq!(
        switched(text),
        "fn f() -> u8 { if R::enter(0) {  if R::on(1) { g(); } h()  } else { R::Default::default() }}"
    );
}

#[test]
fn a_last_statement_that_returns_stays() {
    let text = "fn f() -> u8 { if a { return 1; } return 2; }";
    assert!(switched(text).ends_with("} return 2;  } else { R::Default::default() }}"));
}

#[test]
fn every_arm_gets_a_guard_and_one_behind_them_takes_the_rest() {
    let text = "fn f(x: E) -> u8 { match x { E::A => 1, E::B if y => 2, z => { 3 } } }";
    let all = switched(text);
    let arms = "match x { E::A if R::on(2) => 1, E::B if R::on(3) && (y) => 2, \
                z if R::on(4) => { R::hit(6);  3 } , _ => R::gone(), }";
    assert!(all.contains(arms), "{all}");
}

#[test]
fn operands_and_branches_are_decided() {
    assert_eq!(
        body("let a = b && c;"),
        "let a = (R::on(1) && (b) || R::forced(1)) && (R::on(2) && (c) || R::forced(2));"
    );
    assert_eq!(
        body("while a() { b() }"),
        "if R::on(1) { while (R::on(2) && (a())) { R::hit(3);  if R::on(4) { b() } } }"
    );
}

#[test]
fn closures_are_counted_with_and_without_braces() {
    let text = "a(|b| C); d(|e| { f });";
    let all = "if R::on(1) { a(|b| { R::hit(2); C }); } if R::on(3) { d(|e| { R::hit(5);  f }); }";
    assert_eq!(body(text), all);
    let text = format!("fn f() {{ {text} }}");
    assert_eq!(written_after(&text, &[], &[2]), text);
}

#[test]
fn a_condition_that_binds_stays() {
    let text = "if let Some(x) = y && z { a(x); }";
    assert_eq!(
        body(text),
        "if R::on(1) { if let Some(x) = y && (R::on(2) && (z) || R::forced(2)) \
         { R::hit(3);  if R::on(4) { a(x); } } }"
    );
}

#[test]
fn long_initial_values_can_be_default() {
    assert_eq!(
        body("let a = B { c: 1, d: 2 }; let f = a;"),
        "let a = if R::on(1) { B { c: 1, d: 2 } } else { R::Default::default() }; let f = a;"
    );
}

#[test]
fn nobody_knows_of_which_type_the_default_for_an_unused_variable_is() {
    let body = |text| body(text).contains("Default::default()");
    assert!(!body("let a = B { c: 1, d: 2 }; let f = g();"));
    assert!(body("let a: B = B { c: 1, d: 2 }; let f = g();"));
    assert!(body("let (a, _) = (B { c: 1, d: 2 }, 1); let f = g();"));
    assert!(body("let a = B { c: 1, d: 2 }; g!(a);"));
}

#[test]
fn what_is_computed_can_be_a_literal() {
    assert_eq!(
        body("f(a.b(1)); let c = Some(d(2)); let e = g();"),
        "if R::on(1) { f((if R::on(2) { R::value(2, a.b(1)) } else { R::literal(2) })); } \
         let c = Some((if R::on(3) { R::value(3, d(2)) } else { R::literal(3) })); let e = g();"
    );
    assert_eq!(written("fn f() { g(a.b(1)); }", &[(2, 1)]), "fn f() { g(7u8); }");
}

#[test]
fn what_the_compiler_evaluates_is_left_alone() {
    for text in [
        "const fn f() { g(); }",
        "const X: u8 = { f(); 1 };",
        "static Y: u8 = if A && B { 1 } else { 2 };",
        "struct S { a: [u8; { f(); 2 }] }",
        "enum E { A = { f(); 1 } }",
        "macro_rules! m { () => { f(); g() } }",
        "unsafe impl GlobalAlloc for A { unsafe fn alloc(&self) { f(); } }",
    ] {
        assert_eq!(switched(text), text);
    }
}

#[test]
fn arguments_of_macros_that_show_their_tokens_are_left_alone() {
    assert_eq!(body("assert!(a && b);"), "if R::on(1) { assert!(a && b); }");
    assert!(body("println!(\"{}\", a && b);").contains("forced"));
}

#[test]
fn no_line_is_added() {
    let text = "fn f() {\n  a();\n  match b {\n    1 => c(),\n    _ => {}\n  }\n}\n";
    assert_eq!(switched(text).lines().count(), text.lines().count());
}

#[test]
fn statements_go_and_bodies_are_emptied() {
    let text = "fn f() { a(); b(); }\nfn g() -> u8 { c(); 1 }";
    assert_eq!(written(text, &[(1, 1)]), "fn f() {  b(); }\nfn g() -> u8 { c(); 1 }");
    assert_eq!(written(text, &[(0, 1), (3, 1)]), "fn f() {}\nfn g() -> u8 { Default::default() }");
}

#[test]
fn a_decided_condition_leaves_one_branch() {
    let text = "fn f() -> u8 { if a { 1 } else { 2 } }";
    assert_eq!(written(text, &[(1, 1)]), "fn f() -> u8 { { 2 } }");
    assert_eq!(written(text, &[(1, 2)]), "fn f() -> u8 { { 1 } }");
    let chain = "fn f() -> u8 { if a { 1 } else if b { 2 } else { 3 } }";
    let places = find(chain).unwrap();
    let second = places.places.iter().rposition(|place| matches!(place.kind, SwitchKind::If(_)));
    assert_eq!(written(chain, &[(second.unwrap(), 2)]), "fn f() -> u8 { if a { 1 } else { 2 } }");
}

#[test]
fn a_decided_operand_leaves_the_other_one() {
    let text = "fn f() -> bool { a && b || c }";
    // `a && b` is 1, `a` 2, `b` 3, `c` 4.
    assert_eq!(written(text, &[(2, 2)]), "fn f() -> bool { b || c }");
    assert_eq!(written(text, &[(1, 1)]), "fn f() -> bool { c }");
    assert_eq!(written(text, &[(4, 2)]), "fn f() -> bool { a && b || true }");
}

#[test]
fn arms_go_and_a_stand_in_takes_the_rest() {
    let text = "fn f() -> u8 { match a { 1 => 2, 3 => 4, _ => 5 } }";
    assert_eq!(written(text, &[(1, 1)]), "fn f() -> u8 { match a {  3 => 4, _ => 5 } }");
    assert_eq!(
        written_after(text, &[], &[2, 3]),
        "fn f() -> u8 { match a { 1 => 2,    _ => panic!(\"removed\"), } }"
    );
}

#[test]
fn what_never_ran_goes_or_gets_a_stand_in() {
    let text = "fn f() { if a { b(); } c(); }\nfn g() -> u8 { d(); 1 }\nfn h() { e(); }";
    let places = find(text).unwrap();
    let idle: Vec<usize> = places
        .places
        .iter()
        .enumerate()
        .filter(|(_, place)| match place.kind {
            SwitchKind::Block => true,
            SwitchKind::Function(_) => place.range.start > 20,
            _ => false,
        })
        .map(|(index, _)| index)
        .collect();
    assert_eq!(
        written_after(text, &[], &idle),
        "fn f() { if a { panic!(\"removed\") } c(); }\nfn g() -> u8 { panic!(\"removed\") }\nfn h() {}"
    );
}

/// The places blamed for an error at `needle` in the instrumented text.
fn blamed(text: &str, needle: &str, reach: Reach) -> Vec<usize> {
    let places = find(text).unwrap();
    let modes = vec![Mode::Switch; places.places.len()];
    let instrumented = instrument(text, &places, &modes, 0, &[]);
    let range = range_of(&instrumented.text, needle);
    let compile_error = InstrumentedError { primary: vec![range.clone()], all: vec![range] };
    let blamed = instrumented.blame(&places, &modes, &compile_error, reach);
    blamed.into_iter().collect()
}

#[test]
fn the_switch_an_error_points_at_is_to_blame() {
    let text = "fn f() -> u8 { g(); h() }\nfn i() { j(k()); }";
    assert_eq!(blamed(text, "::cargo_reduce_rt::Default::default()", Reach::Near), [0]);
    assert_eq!(blamed(text, "k()", Reach::Near), [3]);
    assert_eq!(blamed(text, "k()", Reach::Function), [2, 3]);
}

#[test]
fn an_error_in_a_signature_is_one_of_its_function() {
    let text = "fn f() -> u8 { g(); h() }\nfn i() -> u8 { j(k()); 1 }";
    let places = find(text).unwrap().places;
    let first =
        places.iter().position(|place| &text[place.range.clone()] == " j(k()); 1 ").unwrap();
    assert_eq!(
        blamed(text, "i() -> u8", Reach::Function),
        (first..places.len()).collect::<Vec<_>>()
    );
}

/// The texts of the places of that kind.
fn found<'t>(text: &'t str, kind: &SwitchKind) -> Vec<&'t str> {
    let places = find(text).unwrap().places;
    let places = places.iter().filter(|place| place.kind == *kind);
    places.map(|place| &text[place.range.clone()]).collect()
}

#[test]
fn what_may_be_the_last_statement_stays_as_it_is() {
    let text = "fn f() -> u8 { g(); #[cfg(a)] return 1; #[cfg(not(a))] return 2; }";
    assert_eq!(found(text, &SwitchKind::Statement), [""; 0]);
    let text = "fn f() { g(); #[cfg(a)] return 1; h() }";
    assert_eq!(found(text, &SwitchKind::Statement).len(), 3);
}

#[test]
fn what_a_question_mark_leaves_is_a_value() {
    let text = "fn f() { let a = g(1)?; h(2)?; b(i(3).await); }";
    assert_eq!(found(text, &SwitchKind::Value), ["g(1)?", "i(3).await"]);
}

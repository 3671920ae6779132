//! The worked examples of the reference chapter, as calls that panic.

use std::panic;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::reduce::dd::conformance_tests::without_markup;
use crate::{DdError, Fixed, Mode, Outcome, dd, isolate, maximize, minimize, minimize_args};

const MYSTERY: &str = r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#;

fn mystery(text: &str) {
    let (open, close) = (text.find('('), text.find(')'));
    assert!(open.is_none() || close.is_none() || open > close, "invalid input");
}

fn remove_html_markup(text: &str) -> String {
    let out = without_markup(text);
    assert!(!out.contains(['<', '>']), "markup is left");
    out
}

/// The calls after the first, which finds out how the call fails.
fn calls_of_minimize(input: &str, test: impl Fn(&str)) -> (String, usize) {
    let mut calls = 0;
    let smallest = minimize(input, |text: &str| {
        calls += 1;
        test(text);
    });
    (smallest.expect("it fails"), calls - 1)
}

#[test]
fn minimizing_takes_15_and_9_calls_where_the_reference_takes_24_and_10() {
    assert_eq!(calls_of_minimize(MYSTERY, mystery), ("()".into(), 15));
    let markup = |text: &str| drop(remove_html_markup(text));
    assert_eq!(calls_of_minimize(r#""x > y""#, markup), ("\">".into(), 9));
}

#[test]
fn maximizing_and_isolating_take_the_calls_of_the_reference() {
    let mut calls = 0;
    let mut test = |text: &str| {
        calls += 1;
        mystery(text);
    };
    assert_eq!(maximize(MYSTERY, &mut test).expect("it fails"), r#"V"/+!aF-V4EOz*+s/Q,7)2@0_"#);
    let isolated = isolate(MYSTERY, &mut test).expect("it fails");
    assert_eq!(isolated.passing, "z*+s/Q,7)2@0_");
    assert_eq!(isolated.failing, "(z*+s/Q,7)2@0_");
    assert_eq!(isolated.difference, "(");
    assert_eq!(calls, (1 + 8) + (1 + 9));
}

#[test]
fn strings_are_minimized_in_turn_in_three_calls() {
    let mut seen = Vec::new();
    let string_error = |(part, whole): &(String, String)| {
        seen.push((part.clone(), whole.clone()));
        assert!(!whole.contains(part.as_str()), "no substrings");
    };
    let smallest = minimize_args(("foo".into(), "foobar".into()), string_error);
    assert_eq!(smallest.expect("it fails"), (String::new(), String::new()));
    let expected = [("foo", "foobar"), ("", "foobar"), ("", "")];
    assert!(seen[1..].iter().map(|(part, whole)| (part.as_str(), whole.as_str())).eq(expected));
}

#[test]
fn lists_are_minimized_and_the_limit_stays() {
    let list_error = |(first, second, limit): &(Vec<u8>, Vec<u8>, Fixed<usize>)| {
        assert!(first.len() < second.len() && second.len() < limit.0, "invalid length");
    };
    let args = ((1..=10).collect(), vec![1, 2, 3], Fixed(5));
    assert_eq!(minimize_args(args, list_error).expect("it fails"), (vec![], vec![], Fixed(5)));
}

#[test]
fn an_argument_comes_up_again_after_another_made_room() {
    let too_long = |(first, second): &(Vec<u32>, Vec<u32>)| {
        assert!(first.len() < second.len() || first.is_empty(), "too long");
    };
    let args = ((0..8).collect(), (0..4).collect());
    let (first, second) = minimize_args(args, too_long).expect("it fails");
    assert_eq!((first.len(), second.len()), (1, 0));
}

#[test]
fn other_panics_are_not_mistaken_for_the_failure() {
    let smallest = minimize("key=value;", |text: &str| {
        assert!(text.contains('='), "no value");
        assert!(!text.ends_with(';'), "trailing semicolon");
    });
    assert_eq!(smallest.expect("it fails"), "=;");
}

#[test]
fn a_call_that_returns_is_not_failing() {
    assert!(matches!(minimize("text", |text: &str| text.len()), Err(DdError::NotFailing)));
    assert!(matches!(maximize("text", |text: &str| text.len()), Err(DdError::NotFailing)));
    let pass = |_: &str| Outcome::Pass;
    assert!(matches!(dd("text", Mode::Both, pass), Err(DdError::NotFailing)));
}

#[test]
fn a_call_that_panics_without_elements_is_not_passing() {
    let always = |_: &str| panic!("always");
    assert!(matches!(maximize("text", always), Err(DdError::NotPassing)));
    assert!(matches!(isolate("text", always), Err(DdError::NotPassing)));
    assert_eq!(minimize("text", always).expect("it fails"), "");
}

#[test]
fn a_failure_that_does_not_come_back_is_not_reproducible() {
    let mut calls = 0;
    let counting = |_: &str| {
        calls += 1;
        panic!("call number {calls}");
    };
    assert!(matches!(minimize("text", counting), Err(DdError::NotReproducible)));
    let mut is_first = true;
    let once = |_: &str| assert!(!std::mem::take(&mut is_first), "only once");
    assert!(matches!(isolate("text", once), Err(DdError::NotReproducible)));
}

#[test]
fn equal_candidates_are_called_once() {
    let mut seen = Vec::new();
    dd("aaaaaaaaaaaaaaaa", Mode::Minimize, |text: &str| {
        assert!(!seen.contains(&text.to_owned()), "{text} was asked already");
        seen.push(text.to_owned());
        Outcome::fail_if(text.len() > 4)
    })
    .expect("it fails");
}

#[test]
fn panics_of_other_threads_are_still_reported() {
    static REPORTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let before = Arc::new(panic::take_hook());
    let report = Arc::clone(&before);
    panic::set_hook(Box::new(move |info| {
        if info.payload_as_str().is_some_and(|text| text.starts_with("reported")) {
            REPORTED.lock().expect("no panic while locked").push(info.to_string());
        } else {
            report(info);
        }
    }));
    let smallest = minimize("ab", |text: &str| {
        let other = thread::spawn(|| panic!("reported by another thread"));
        assert!(other.join().is_err());
        assert!(text.is_empty(), "not reported");
    });
    assert_eq!(smallest.expect("it fails").len(), 1);
    assert!(!REPORTED.lock().expect("no panic while locked").is_empty());
}

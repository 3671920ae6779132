//! The general algorithm against the published worked examples, call by call.
//!
//! The sequences of calls are those printed in the chapter "Reducing Failure-Inducing Inputs" of "The
//! Debugging Book" (Zeller), without its first call of each job, which repeats the whole input.

use super::general::Difference;
use super::{DdError, Kept, Mode, dd};
use crate::reduce::{FromFn, Memory, Outcome, Problem};

const MYSTERY: &str = r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#;

/// What dd ended with, and the calls it made.
#[derive(Debug)]
struct Run {
    passing: String,
    failing: String,
    difference: String,
    calls: Vec<(String, Outcome)>,
}

fn run(input: &str, mode: Mode, judge: fn(&str) -> Outcome) -> Result<Run, DdError> {
    let elements: Vec<char> = input.chars().collect();
    let text = |kept: &Kept| kept.of(&elements).into_iter().collect::<String>();
    let mut calls = Vec::new();
    let mut oracle = FromFn(|text: &String| {
        calls.push((text.clone(), judge(text)));
        judge(text)
    });
    let mut problem = Problem::new(input.into(), &mut oracle, Memory::Remember);
    let Difference { passing, failing } =
        dd(elements.len(), mode, |kept| problem.ask(&text(kept)))?;
    drop(problem);
    Ok(Run {
        difference: text(&failing.minus(&passing)),
        passing: text(&passing),
        failing: text(&failing),
        calls,
    })
}

fn mystery(text: &str) -> Outcome {
    match (text.find('('), text.find(')')) {
        (Some(open), Some(close)) if open < close => Outcome::Fail,
        _ => Outcome::Pass,
    }
}

/// A text without its markup; some is left where there are quotes outside of tags.
pub(crate) fn without_markup(text: &str) -> String {
    let (mut tag, mut quote, mut out) = (false, false, String::new());
    for character in text.chars() {
        match character {
            '<' if !quote => tag = true,
            '>' if !quote => tag = false,
            '"' => quote = !quote,
            '\'' if tag => quote = !quote,
            _ if !tag => out.push(character),
            _ => {}
        }
    }
    out
}

/// Fails where markup is left in the text.
pub(crate) fn remove_html_markup(text: &str) -> Outcome {
    Outcome::fail_if(without_markup(text).contains(['<', '>']))
}

/// Checks the calls, where `!` stands for those that fail.
fn assert_calls(run: &Run, expected: &[&str]) {
    let calls: Vec<String> = run
        .calls
        .iter()
        .map(|(text, outcome)| format!("{}{text}", if outcome.is_fail() { "!" } else { "" }))
        .collect();
    assert_eq!(calls, expected);
}

#[test]
fn mystery_is_minimized_in_24_calls() {
    let run = run(MYSTERY, Mode::Minimize, mystery).expect("it fails");
    assert_calls(
        &run,
        &[
            "",
            r#"!V"/+!aF-(V4EOz*+s/Q,7)2@0_"#,
            r#"V"/+!aF-(V4EO"#,
            "z*+s/Q,7)2@0_",
            "!-(V4EOz*+s/Q,7)2@0_",
            "*+s/Q,7)2@0_",
            "!-(V4EOz7)2@0_",
            "7)2@0_",
            "-(V4EOz",
            "!-(V47)2@0_",
            "-(V4@0_",
            "!-(V47)2",
            "-7)2",
            "(V4",
            "-47)2",
            "!-(V7)2",
            "-(V2",
            "!(V7)",
            "7)",
            "(V",
            "!(7)",
            "!()",
            ")",
            "(",
        ],
    );
    assert_eq!((run.passing.as_str(), run.failing.as_str()), ("", "()"));
    assert_eq!(run.difference, "()");
}

#[test]
fn mystery_is_maximized_in_8_calls() {
    let run = run(MYSTERY, Mode::Maximize, mystery).expect("it fails");
    assert_calls(
        &run,
        &[
            "",
            r#"!V"/+!aF-(V4EOz*+s/Q,7)2@0_"#,
            "z*+s/Q,7)2@0_",
            "!-(V4EOz*+s/Q,7)2@0_",
            r#"V"/+!aFz*+s/Q,7)2@0_"#,
            r#"V"/+!aF4EOz*+s/Q,7)2@0_"#,
            r#"V"/+!aF-4EOz*+s/Q,7)2@0_"#,
            r#"V"/+!aF-V4EOz*+s/Q,7)2@0_"#,
        ],
    );
    assert_eq!(run.passing, r#"V"/+!aF-V4EOz*+s/Q,7)2@0_"#);
    assert_eq!(run.difference, "(");
}

#[test]
fn mystery_is_isolated_in_9_calls() {
    let run = run(MYSTERY, Mode::Both, mystery).expect("it fails");
    assert_calls(
        &run,
        &[
            "",
            r#"!V"/+!aF-(V4EOz*+s/Q,7)2@0_"#,
            r#"V"/+!aF-(V4EO"#,
            "z*+s/Q,7)2@0_",
            r#"V"/+!aFz*+s/Q,7)2@0_"#,
            "!-(V4EOz*+s/Q,7)2@0_",
            "!-(Vz*+s/Q,7)2@0_",
            "!(Vz*+s/Q,7)2@0_",
            "!(z*+s/Q,7)2@0_",
        ],
    );
    assert_eq!((run.passing.as_str(), run.failing.as_str()), ("z*+s/Q,7)2@0_", "(z*+s/Q,7)2@0_"));
    assert_eq!(run.difference, "(");
}

#[test]
fn markup_is_minimized_in_10_calls() {
    let run = run(r#""x > y""#, Mode::Minimize, remove_html_markup).expect("it fails");
    assert_calls(
        &run,
        &["", r#"!"x > y""#, r#"!"x >"#, r#""x"#, " >", "x >", r#"!" >"#, r#"!">"#, ">", r#"""#],
    );
    assert_eq!(run.failing, r#"">"#);
}

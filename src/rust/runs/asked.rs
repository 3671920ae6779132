//! What the sources ask for at run time, and what it is in each run.

use std::ops::Range;

use super::driver::LIBRARY;
use crate::reduce::RangeExt;
use crate::rust::{Reduction, scan};

/// What the runs of a test have for inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Contrast {
    /// For each input what it is in each run, as Rust source; the run that has to fail comes first.
    pub inputs: Vec<Vec<String>>,
    /// So many of the runs behind that one have inputs that the user wants.
    pub wanted: usize,
}

impl Contrast {
    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.inputs.first().map_or(0, Vec::len)
    }

    /// Adds inputs that are `true` in all runs.
    pub fn add_guards(&mut self, count: usize) {
        let guards = std::iter::repeat_n(vec!["true".to_owned(); self.runs()], count);
        self.inputs.extend(guards);
    }

    /// The same with a copy of each of these runs for each of the inputs `guards`, in which that is `false`; for each
    /// copy the place of its guard among these.
    pub fn with_left_out(&self, guards: Range<usize>, runs: &[usize]) -> (Self, Vec<usize>) {
        let mut contrast = self.clone();
        let mut left_out = Vec::new();
        for guard in guards.clone() {
            for run in runs {
                for (number, values) in contrast.inputs.iter_mut().enumerate() {
                    let own = values.get(*run).cloned().unwrap_or_default();
                    values.push(if number == guard { "false".to_owned() } else { own });
                }
                left_out.push(guard - guards.start);
            }
        }
        (contrast, left_out)
    }

    /// Whether each of these runs has an empty text or list where the one that fails has something.
    pub fn are_emptied(&self, runs: &[usize]) -> bool {
        let is_emptied = |values: &Vec<String>, run: usize| {
            let is_empty = |run: usize| values.get(run).is_some_and(|value| is_empty(value));
            is_empty(run) && !is_empty(0)
        };
        let mut runs = runs.iter();
        runs.all(|run| self.inputs.iter().any(|values| is_emptied(values, *run)))
    }

    /// Whether an input is `true` in the run that fails and in these.
    pub(super) fn is_true(&self, input: usize, runs: &[usize]) -> bool {
        std::iter::once(&0).chain(runs).all(|run| self.value(input, *run) == "true")
    }

    /// What an input is in a run, as Rust source.
    pub(super) fn value(&self, input: usize, run: usize) -> &str {
        let values = self.inputs.get(input);
        values.and_then(|values| values.get(run)).map_or("()", |value| value)
    }
}

/// Whether a value is an empty text or list.
fn is_empty(value: &str) -> bool {
    is_empty_list(value) || matches!(value, "\"\"" | "b\"\"")
}

pub(super) fn is_empty_list(value: &str) -> bool {
    matches!(value, "[]" | "&[]" | "vec![]")
}

/// A place where an input is asked for.
pub(super) struct Call {
    pub(super) range: Range<usize>,
    pub(super) input: usize,
    /// Whether it is an argument, or a part of a list, as it stands.
    is_argument: bool,
    /// Whether what stands around it takes all of it, whatever it is.
    is_whole: bool,
}

impl Call {
    /// Whether it stands in that part of the text.
    pub(super) fn is_in(&self, part: &Range<usize>) -> bool {
        part.covers(&self.range)
    }

    /// What stands there in a run. A slice of literals that is no argument needs to be told from an array, and its
    /// sign must not be taken for that of what stands behind it.
    pub(super) fn written(&self, contrast: &Contrast, run: usize) -> String {
        let value = contrast.value(self.input, run);
        let is_slice = value.starts_with("&[") && !self.is_argument;
        let value = if is_slice { format!("{value}[..]") } else { value.to_owned() };
        let is_torn = value.starts_with(['&', '-']) && !self.is_argument && !self.is_whole;
        if is_torn { format!("({value})") } else { value }
    }
}

/// The places of a text where inputs are asked for; a layout may have put spaces into them.
pub(super) fn calls(text: &str) -> Vec<Call> {
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let mut calls = Vec::new();
    for place in 0..tokens.len() {
        let behind: String = tokens[place..].iter().take(7).map(|token| token.text).collect();
        let number = behind
            .strip_prefix(LIBRARY)
            .and_then(|rest| rest.strip_prefix("::input_"))
            .and_then(|rest| rest.strip_suffix("!()"))
            .and_then(|number| number.parse().ok());
        let Some(input) = number else {
            continue;
        };
        let colons = place.saturating_sub(2)..place;
        let leads = tokens[colons.clone()].iter().map(|token| token.text);
        let first = if leads.collect::<String>() == "::" { colons.start } else { place };
        let last = &tokens[place + 6];
        let before = first.checked_sub(1).map(|before| tokens[before].text);
        let behind = tokens.get(place + 7).map(|behind| behind.text);
        calls.push(Call {
            range: tokens[first].start..last.start + last.text.len(),
            input,
            is_argument: matches!(before, Some("(" | "," | "["))
                && matches!(behind, Some(")" | "," | "]")),
            is_whole: matches!(before, Some("in" | "=" | "return" | "=>"))
                && matches!(behind, Some("{" | ";" | "," | "}")),
        });
    }
    calls
}

/// The edit that lets statements stand alone which run where an input says so, if that is true in the run that fails and in
/// these.
pub(super) fn unguarded(text: &str, contrast: &Contrast, runs: &[usize]) -> Reduction {
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let mut edit = Reduction::default();
    for call in calls(text).iter().filter(|call| contrast.is_true(call.input, runs)) {
        let first = tokens.partition_point(|token| token.start < call.range.start);
        let open = tokens.partition_point(|token| token.start < call.range.end);
        let keyword = first.checked_sub(1).map(|before| &tokens[before]);
        let (Some(keyword), Some(open)) = (keyword, tokens.get(open)) else { continue };
        let inside = open.start + open.text.len();
        let is_guard = keyword.text == "if" && open.text == "{";
        let Some(end) = scan::end_of_group(&text[inside..], open.text).filter(|_| is_guard) else {
            continue;
        };
        let close = inside + end;
        let next = tokens.partition_point(|token| token.start <= close);
        if tokens.get(next).is_some_and(|next| next.text == "else") {
            continue;
        }
        let is_ended = text[inside..close].trim_end().ends_with([';', '}']);
        edit = edit.and_remove(keyword.start..inside);
        edit = edit.and_replace(close..close + 1, if is_ended { "" } else { ";" });
    }
    edit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;

    #[test]
    fn runs_in_which_an_input_became_empty_are_known() {
        let values = |values: [&str; 4]| values.map(str::to_owned).to_vec();
        let inputs = vec![
            values(["3", "3", "6", "3"]),
            values(["\"ab\"", "\"\"", "\"\"", "\"b\""]),
            values(["vec![]", "vec![]", "vec![]", "vec![]"]),
        ];
        let contrast = Contrast { inputs, ..Contrast::default() };
        assert!(contrast.are_emptied(&[1, 2]));
        assert!(!contrast.are_emptied(&[1, 3]));
    }

    #[test]
    fn a_value_stands_in_parentheses_only_where_what_is_around_it_would_take_a_part() {
        let inputs = vec![["&[-1]", "-1"].map(str::to_owned).to_vec()];
        let contrast = Contrast { inputs, ..Contrast::default() };
        let asked = "::cargo_reduce_runs::input_0!()";
        for (around, slice, number) in [
            ("for x in # {}", "for x in &[-1][..] {}", "for x in -1 {}"),
            ("let a = #;", "let a = &[-1][..];", "let a = -1;"),
            ("f(#)", "f(&[-1])", "f(-1)"),
            ("#.len()", "(&[-1][..]).len()", "(-1).len()"),
            ("a = # + 1;", "a = (&[-1][..]) + 1;", "a = (-1) + 1;"),
        ] {
            let text = around.replace('#', asked);
            let call = &calls(&text)[0];
            let written = |run: usize| {
                let edit = Reduction::replace(call.range.clone(), call.written(&contrast, run));
                apply(&text, [&edit])
            };
            assert_eq!((written(0), written(1)), (slice.to_owned(), number.to_owned()));
        }
    }

    #[test]
    fn a_statement_that_is_left_out_in_no_shown_run_stands_alone() {
        let values = |values: &[&str]| values.iter().map(|it| (*it).to_owned()).collect();
        let mut contrast = Contrast { inputs: vec![values(&["1", "2"])], ..Contrast::default() };
        contrast.add_guards(2);
        let (contrast, left_out) = contrast.with_left_out(1..3, &[1]);
        assert_eq!(left_out, [0, 1]);
        let expected = [
            values(&["1", "2", "2", "2"]),
            values(&["true", "true", "false", "true"]),
            values(&["true", "true", "true", "false"]),
        ];
        assert_eq!(contrast.inputs, expected);
        let guard = |number: usize| format!("if ::cargo_reduce_runs::input_{number}!()");
        let text = format!("{} {{ a.b(); }} {} {{ c() }} d()", guard(1), guard(2));
        let edit = unguarded(&text, &contrast, &[1]);
        assert_eq!(apply(&text, [&edit]), " a.b();   c() ; d()");
        let is_kept =
            |text: &str, runs: &[usize]| unguarded(text, &contrast, runs) == Reduction::default();
        assert!(is_kept(&format!("{} {{ a.b(); }}", guard(1)), &[1, 2]));
        assert!(is_kept(&format!("{} {{ a }} else {{ b }}", guard(1)), &[1]));
        assert!(is_kept(&format!("{} {{ a }}", guard(0)), &[1]));
    }
}

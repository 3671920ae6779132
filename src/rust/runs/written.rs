//! The result of a search with several runs as plain source.

use std::collections::HashSet;
use std::ops::Range;

use super::asked::{Call, Contrast, calls, is_empty_list, unguarded};
use super::driver::{DRIVER, TestFunction, functions};
use super::own_module::Helpers;
use super::reach::unmarked;
use crate::rust::{Reduction, Sources, count_tokens, scan, statement_around};
use crate::source::asserts;

/// Inputs that are so many times as long as those that fail, if these are not shorter than so many bytes, are shown last.
const TIMES: usize = 3;
const SHORT: usize = 8;

/// Sources with a plain test for each run.
#[derive(Debug, Clone)]
pub struct Written {
    /// The sources.
    pub sources: Sources,
    /// The names of the functions that have to pass, and which runs they are.
    pub passing: Vec<(String, usize)>,
}

/// Writes the inputs of the failing run where the `sources` ask for them, and a copy of the test for each of the first `most`
/// of the other `runs` that differ in what is still asked for in the place of the driver, those with very long inputs last that
/// nobody wants, with functions of its own where those beside the test ask for inputs. There are no copies where other code
/// asks for them.
pub fn written_out(sources: &Sources, contrast: &Contrast, runs: &[usize], most: usize) -> Written {
    let marks: Vec<Reduction> = sources.files.iter().map(|file| unmarked(&file.text)).collect();
    let sources = &sources.edit(marks.iter().enumerate());
    let files = sources.files.iter();
    let guards: Vec<Reduction> = files.map(|it| unguarded(&it.text, contrast, runs)).collect();
    let sources = &sources.edit(guards.iter().enumerate());
    let mut passing = Vec::new();
    let mut edits = Vec::new();
    let asked: Vec<Vec<Call>> = sources.files.iter().map(|file| calls(&file.text)).collect();
    let count: usize = asked.iter().map(Vec::len).sum();
    for (file, calls) in asked.iter().enumerate() {
        let text = &sources.files[file].text;
        let mut edit = Reduction::default();
        for call in calls {
            edit = edit.and_replace(call.range.clone(), call.written(contrast, 0));
        }
        if let Some((driver, test)) = driver_and_test(text) {
            // What is asked for in another file would be that of the failing run.
            let is_all = calls.len() == count;
            let helpers = is_all.then(|| Helpers::of(text, &test, calls)).flatten();
            let all: &[usize] = if helpers.is_some() { runs } else { &[] };
            let mut seen = HashSet::new();
            let mut is_new = |run: usize| {
                let values = calls.iter().map(|call| contrast.value(call.input, run));
                seen.insert(values.collect::<Vec<_>>())
            };
            is_new(0);
            // What does nothing shows nothing, and with its last element a list may lose its type.
            let is_emptied = |run: usize| {
                let mut values =
                    calls.iter().map(|it| [0, run].map(|run| contrast.value(it.input, run)));
                values.any(|[failing, passing]| is_empty_list(passing) && !is_empty_list(failing))
            };
            let is_shown = |run: usize| run < contrast.runs() && !is_emptied(run);
            let all = all.iter().copied().filter(|run| is_shown(*run) && is_new(*run));
            let mut all: Vec<usize> = all.collect();
            let length = |run| -> usize {
                calls.iter().map(|call| contrast.value(call.input, run).len()).sum()
            };
            all.sort_by_key(|run| {
                *run > contrast.wanted && length(*run) > TIMES * length(0).max(SHORT)
            });
            all.truncate(most);
            let copied = Copied::new(text, &test, contrast, calls, helpers.unwrap_or_default());
            let mut copies = String::new();
            for (number, run) in all.iter().enumerate() {
                let name = passing_name(&test.name, number, all.len());
                copies += "\n\n";
                copies += &copied.test(&name, *run);
                passing.push((copied.path(name, *run), *run));
            }
            if let Some(shared) = copied.shared.as_ref().filter(|_| !all.is_empty()) {
                edit = shared.split_off(&test, &copied.inside, contrast);
            }
            // The driver calls it without the attribute, too.
            let attribute = attribute_of(text, &test);
            let start = test.item.start;
            edit = edit.and_replace(start..start, attribute);
            edit = edit.and_replace(driver, copies);
        }
        edits.push((file, edit));
    }
    Written { sources: sources.edit_all(&edits), passing }
}

/// A test of which each run gets a copy.
struct Copied<'a> {
    text: &'a str,
    test: &'a TestFunction,
    contrast: &'a Contrast,
    calls: &'a [Call],
    /// What the test itself asks for.
    inside: Vec<&'a Call>,
    helpers: Helpers<'a>,
    shared: Option<Shared>,
}

impl<'a> Copied<'a> {
    fn new(
        text: &'a str,
        test: &'a TestFunction,
        contrast: &'a Contrast,
        calls: &'a [Call],
        helpers: Helpers<'a>,
    ) -> Self {
        let inside = calls.iter().filter(|call| call.is_in(&test.item)).collect::<Vec<_>>();
        let shared = Shared::of(text, test, contrast, &inside).filter(|_| helpers.is_empty());
        Copied { text, test, contrast, calls, inside, helpers, shared }
    }

    /// The test of a run, along with its helpers if it needs its own.
    fn test(&self, name: &str, run: usize) -> String {
        let Copied { text, test, contrast, .. } = self;
        if let Some(shared) = &self.shared {
            return shared.test(text, test, name, |input| contrast.value(input, run));
        }
        let written = |part: Range<usize>| {
            written(text, part, self.calls, |call| call.written(contrast, run))
        };
        let rest = written(test.name_range.end..test.item.end);
        let own = format!("{}{name}{rest}", head_of(text, test));
        if self.needs_helpers(run) { self.helpers.module(name, &own, written) } else { own }
    }

    /// How it is called beside the test that fails.
    fn path(&self, name: String, run: usize) -> String {
        if self.needs_helpers(run) { format!("{name}::{name}") } else { name }
    }

    /// Whether its helpers ask for something else than those of the failing run.
    fn needs_helpers(&self, run: usize) -> bool {
        let outside = self.calls.iter().filter(|call| !call.is_in(&self.test.item));
        let mut inputs = outside.map(|call| call.input);
        inputs.any(|input| self.contrast.value(input, run) != self.contrast.value(input, 0))
    }
}

fn passing_name(test: &str, number: usize, count: usize) -> String {
    match count {
        1 => format!("{test}_passes"),
        _ => format!("{test}_passes_{}", number + 1),
    }
}

/// A test of more tokens is one function with the inputs as parameters, and a call for each run.
const LONG: usize = 32;

/// The function that the tests of all runs call.
struct Shared {
    name: String,
    /// The inputs that it takes, and their types.
    parameters: Vec<(usize, &'static str)>,
    output: String,
}

impl Shared {
    /// The body of a long test, if the types of its inputs are known.
    fn of(text: &str, test: &TestFunction, contrast: &Contrast, calls: &[&Call]) -> Option<Self> {
        let is_asserted = |call: &&Call| {
            let statement = statement_around(text, call.range.start);
            statement.is_some_and(|range| asserts(&text[range]))
        };
        // What an assertion compares is how it is known.
        if count_tokens(&text[test.item.clone()]) < LONG || calls.iter().any(is_asserted) {
            return None;
        }
        let mut inputs: Vec<usize> = calls.iter().map(|call| call.input).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let typed = inputs.into_iter().map(|input| {
            let values = contrast.inputs.get(input)?;
            Some((input, type_of(values)?))
        });
        Some(Shared {
            name: format!("{}_with", test.name),
            parameters: typed.collect::<Option<_>>()?,
            output: test.output.clone(),
        })
    }

    fn parameter(&self, input: usize) -> String {
        match self.parameters.len() {
            1 => "input".to_owned(),
            _ => format!("input_{input}"),
        }
    }

    fn call<'c>(&self, value: impl Fn(usize) -> &'c str) -> String {
        let values = self.parameters.iter().map(|(input, _)| value(*input));
        format!("{}({})", self.name, values.collect::<Vec<_>>().join(", "))
    }

    /// The test of a run.
    fn test<'c>(
        &self,
        text: &str,
        test: &TestFunction,
        name: &str,
        value: impl Fn(usize) -> &'c str,
    ) -> String {
        let between = &text[test.name_range.end..test.body];
        format!("{}{name}{between}{{ {} }}", head_of(text, test), self.call(value))
    }

    /// The edit that lets the test call the function, which gets its body.
    fn split_off(&self, test: &TestFunction, calls: &[&Call], contrast: &Contrast) -> Reduction {
        let parameters = self
            .parameters
            .iter()
            .map(|(input, type_name)| format!("{}: {type_name}", self.parameter(*input)));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let call = self.call(|input| contrast.value(input, 0));
        let (name, output) = (&self.name, &self.output);
        let head = format!("{{ {call} }}\n\nfn {name}({parameters}){output} ");
        let edit = Reduction::replace(test.body..test.body, head);
        calls.iter().fold(edit, |edit, call| {
            edit.and_replace(call.range.clone(), self.parameter(call.input))
        })
    }
}

/// The type of literals, if they have one by themselves.
fn type_of(values: &[String]) -> Option<&'static str> {
    let is_text = |value: &String| {
        value.starts_with('"') || value.starts_with("r\"") || value.starts_with("r#")
    };
    if values.iter().all(is_text) {
        Some("&'static str")
    } else if values.iter().all(|value| value.starts_with('\'')) {
        Some("char")
    } else if values.iter().all(|value| value == "true" || value == "false") {
        Some("bool")
    } else {
        None
    }
}

/// What stands before the name of a test, and makes a test of the function.
fn head_of(text: &str, test: &TestFunction) -> String {
    attribute_of(text, test).to_owned() + &text[test.item.start..test.name_range.start]
}

/// What makes a test of the function, if it has lost that.
fn attribute_of(text: &str, test: &TestFunction) -> &'static str {
    let head = &text[test.item.start..test.name_range.start];
    let mut words = scan::pieces(head).filter(|piece| piece.kind == scan::PieceKind::Word);
    if words.any(|word| word.text == "test") { "" } else { "#[test]\n" }
}

/// A part of a text with what stands there in a run for all that is asked for in it.
fn written(
    text: &str,
    part: Range<usize>,
    calls: &[Call],
    value: impl Fn(&Call) -> String,
) -> String {
    let mut made = String::new();
    let mut done = part.start;
    for call in calls {
        if call.is_in(&part) {
            made += &text[done..call.range.start];
            made += &value(call);
            done = call.range.end;
        }
    }
    made + &text[done..part.end]
}

/// The bytes of the driver, and the test that it runs.
fn driver_and_test(text: &str) -> Option<(Range<usize>, TestFunction)> {
    let functions = functions(text);
    let driver = functions.iter().find(|function| function.name == DRIVER)?;
    let body = &text[driver.name_range.end..driver.item.end];
    let words = scan::pieces(body).filter(|piece| piece.kind == scan::PieceKind::Word);
    let name = words.last()?.text;
    // The nearest before it, for several modules may have one of that name.
    let before = functions.iter().rev();
    let test = before
        .filter(|function| function.item.end <= driver.item.start)
        .find(|function| function.name == name)?;
    Some((driver.item.clone(), test.clone()))
}

#[cfg(test)]
mod tests {
    use super::super::driver::{Driven, driver, input};
    use super::*;
    use crate::rust::Sameness;

    fn sources(text: &str) -> Sources {
        Sources::of_file("src/lib.rs", text, Sameness::Tokens)
    }

    /// Runs that differ in one input.
    fn contrast_of(values: &[&str]) -> Contrast {
        let values = values.iter().map(|value| (*value).to_owned());
        Contrast { inputs: vec![values.collect()], ..Contrast::default() }
    }

    fn contrast() -> Contrast {
        contrast_of(&["\"'é'\"", "\"'a'\"", "\"\""])
    }

    fn with_driver(test: &str) -> String {
        let function = functions(test).pop().unwrap();
        let driven =
            Driven { passing: &[1, 2], failing: &[], is_marked: false, ends_process: false };
        test.to_owned() + &driver(&function, driven)
    }

    /// The test with one run that passes.
    fn text_of(test: &str, contrast: &Contrast) -> String {
        let written = written_out(&sources(&with_driver(test)), contrast, &[1], 3);
        written.sources.files[0].text.to_string()
    }

    #[test]
    fn each_run_becomes_a_test_of_its_own() {
        let test = format!("#[test]\nfn splits() {{\n    split({});\n}}", input(0));
        let written = written_out(&sources(&with_driver(&test)), &contrast(), &[1, 2], 3);
        assert_eq!(
            &*written.sources.files[0].text,
            "#[test]\nfn splits() {\n    split(\"'é'\");\n}\n\n\n#[test]\nfn splits_passes_1() {\n    \
             split(\"'a'\");\n}\n\n#[test]\nfn splits_passes_2() {\n    split(\"\");\n}\n"
        );
        assert_eq!(
            written.passing,
            [("splits_passes_1".to_owned(), 1), ("splits_passes_2".to_owned(), 2)]
        );
    }

    #[test]
    fn a_run_with_an_empty_list_has_no_test() {
        let test = format!("#[test] fn splits() {{ for it in {} {{ split(it) }} }}", input(0));
        let contrast = contrast_of(&["&[\"a\"]", "&[]", "&[\"b\"]"]);
        let written = written_out(&sources(&with_driver(&test)), &contrast, &[1, 2], 3);
        assert_eq!(written.passing, [("splits_passes".to_owned(), 2)]);
    }

    #[test]
    fn runs_that_no_longer_differ_have_one_test() {
        let test = format!("#[test] fn splits() {{ split({}) }}", input(0));
        let contrast = contrast_of(&["\"a\"", "\"b\"", "\"b\"", "\"a\"", "\"c\"", "\"d\""]);
        let written = written_out(&sources(&with_driver(&test)), &contrast, &[1, 2, 3, 4, 5], 2);
        let runs: Vec<usize> = written.passing.iter().map(|(_, run)| *run).collect();
        assert_eq!(runs, [1, 4]);
    }

    #[test]
    fn very_long_inputs_are_shown_only_where_there_are_no_others() {
        let test = format!("#[test] fn splits() {{ split({}) }}", input(0));
        let long = format!("\"{}\"", "a".repeat(40));
        let contrast = contrast_of(&["\"a=\"", &long, "\"=\"", "\"a=b\""]);
        let shown = |contrast: &Contrast| -> Vec<usize> {
            let written = written_out(&sources(&with_driver(&test)), contrast, &[1, 2, 3], 2);
            written.passing.iter().map(|(_, run)| *run).collect()
        };
        assert_eq!(shown(&contrast), [2, 3]);
        assert_eq!(shown(&Contrast { wanted: 1, ..contrast }), [1, 2]);
    }

    #[test]
    fn a_layout_may_put_spaces_into_what_asks_for_an_input() {
        let test = "#[test] fn splits() { split(:: cargo_reduce_runs :: input_0 ! ()) }";
        let text = text_of(test, &contrast());
        assert!(text.contains("fn splits() { split(\"'é'\") }"), "{text}");
        assert!(text.contains("fn splits_passes() { split(\"'a'\") }"), "{text}");
    }

    #[test]
    fn a_slice_that_is_no_argument_is_written_as_one() {
        let test = "#[test] fn sums() { sum(::cargo_reduce_runs::input_0!()); \
                    ::cargo_reduce_runs::input_0!().iter().sum() }";
        let text = text_of(test, &contrast_of(&["&[]", "&[1]"]));
        assert!(text.contains("{ sum(&[]); (&[][..]).iter()"), "{text}");
        assert!(text.contains("{ sum(&[1]); (&[1][..]).iter()"), "{text}");
    }

    #[test]
    fn a_function_that_only_the_driver_made_a_test_is_one_again() {
        let test = format!("fn splits() {{ split({}) }}", input(0));
        let text = text_of(&test, &contrast());
        assert_eq!(text.matches("#[test]\nfn splits").count(), 2, "{text}");
    }

    #[test]
    fn a_long_test_becomes_a_function_that_takes_its_inputs() {
        let test = format!(
            "#[test]\nfn splits() -> R {{ for part in {}.lines() {{ let a = split(part); if a.is_some() {{ \
             use_it(a); }} }} Ok(()) }}",
            input(0)
        );
        let text = text_of(&test, &contrast());
        let call = |value: &str| format!("() -> R {{ splits_with(\"{value}\") }}");
        assert!(text.contains(&format!("#[test]\nfn splits{}", call("'é'"))), "{text}");
        assert!(text.contains(&format!("#[test]\nfn splits_passes{}", call("'a'"))), "{text}");
        let body = "fn splits_with(input: &'static str) -> R { for part in input.lines() {";
        assert!(text.contains(body), "{text}");
        assert_eq!(text.matches("lines()").count(), 1);
    }

    #[test]
    fn a_long_test_that_asserts_something_of_its_inputs_is_copied() {
        let test = format!(
            "#[test]\nfn splits() {{ let mut all = Vec::new(); for part in [1, 2, 3, 4] {{ all.push(part); }} \
             assert!(all.contains({})); }}",
            input(0)
        );
        let text = text_of(&test, &contrast());
        assert!(!text.contains("splits_with"), "{text}");
        assert!(text.contains("assert!(all.contains(\"'a'\"))"), "{text}");
    }

    #[test]
    fn a_run_has_helpers_of_its_own_where_these_ask_for_inputs() {
        let test = format!(
            "mod tests {{ fn other() {{}} fn helper() -> u8 {{ split({}) }} fn outer() -> u8 {{ super::f(helper()) }} #[test] fn fine() {{ helper(); }} \
             #[test] fn splits() {{ other(); outer() }} {}}}",
            input(0),
            driver(
                &functions("#[test] fn splits() {}")[0],
                Driven { passing: &[1, 2], failing: &[], is_marked: false, ends_process: false }
            )
        );
        let written = written_out(&sources(&test), &contrast(), &[1, 2], 1);
        let text = &written.sources.files[0].text;
        assert_eq!(written.passing, [("splits_passes::splits_passes".to_owned(), 1)]);
        assert!(text.contains("fn helper() -> u8 { split(\"'é'\") }"), "{text}");
        let (_, module) = text.split_once("mod splits_passes {\nuse super::*;\n").unwrap();
        assert!(module.starts_with("fn helper() -> u8 { split(\"'a'\") }"), "{module}");
        assert!(module.contains("fn outer() -> u8 { super::super::f(helper()) }"), "{module}");
        assert!(module.contains("#[test] fn splits_passes() { other(); outer() }"), "{module}");
        // Neither what asks for nothing nor another test that calls the helper.
        assert!(!module.contains("fn other") && !module.contains("fn fine"), "{module}");
    }

    #[test]
    fn inputs_of_methods_are_those_of_the_failing_run_so_there_is_no_copy() {
        let test = format!(
            "impl A {{ fn helper() {{ split({}) }} }}\n#[test] fn splits() {{ A::helper() }}",
            input(0)
        );
        let written = written_out(&sources(&with_driver(&test)), &contrast(), &[1], 3);
        let text = &written.sources.files[0].text;
        assert!(written.passing.is_empty());
        assert!(text.contains("split(\"'é'\")"), "{text}");
        assert!(!text.contains(DRIVER), "{text}");
    }
}

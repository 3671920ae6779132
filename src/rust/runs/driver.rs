//! The test that runs another one for all of its runs.

use std::ops::Range;

use syn::{ItemFn, ReturnType};

use crate::rust::{OriginalPlace, Sources, StandIn, Tree};

/// The name of the driver.
pub const DRIVER: &str = "cargo_reduce_all_runs";

/// The library that knows the runs, as the sources name it.
pub const LIBRARY: &str = "cargo_reduce_runs";

/// The function of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFunction {
    /// Its name.
    pub name: String,
    /// The bytes of the item.
    pub item: Range<usize>,
    /// The bytes of its name.
    pub name_range: Range<usize>,
    /// Where its body begins.
    pub body: usize,
    /// What it returns, with the arrow; empty if that is nothing.
    pub output: String,
}

/// The function without parameters in a file of `sources` whose name comes from that place.
pub fn test_function(
    sources: &Sources,
    file: usize,
    name_at: OriginalPlace,
) -> Option<TestFunction> {
    let is_it =
        |function: &TestFunction| sources.origin(file, function.name_range.start) == Some(name_at);
    functions(&sources.files[file].text).into_iter().find(is_it)
}

/// The functions of a text that a driver can call.
pub(crate) fn functions(text: &str) -> Vec<TestFunction> {
    let look = |tree: &Tree<'_>| {
        let items = tree.items();
        let functions = items.filter_map(|item| match item {
            syn::Item::Fn(function) if is_callable(function) => Some(function),
            _ => None,
        });
        functions
            .map(|function| TestFunction {
                name: function.sig.ident.to_string(),
                item: tree.range(function),
                name_range: tree.range(&function.sig.ident),
                body: tree.range(&function.block).start,
                output: match &function.sig.output {
                    ReturnType::Default => String::new(),
                    output @ ReturnType::Type(..) => format!(" {}", tree.text_of(output)),
                },
            })
            .collect()
    };
    Tree::with(text, StandIn::Panic, look).unwrap_or_default()
}

fn is_callable(function: &ItemFn) -> bool {
    let signature = &function.sig;
    signature.inputs.is_empty()
        && signature.asyncness.is_none()
        && signature.generics.params.is_empty()
}

/// The runs that a driver calls the test for.
#[derive(Debug, Clone, Copy)]
pub struct Driven<'a> {
    /// Those that have to pass.
    pub passing: &'a [usize],
    /// Those that have to fail like the first one.
    pub failing: &'a [usize],
    /// Whether one of those that pass has to come to the mark in the sources.
    pub is_marked: bool,
    /// Whether the first one ends the process, so that no others can be seen to fail like it.
    pub ends_process: bool,
}

/// The driver of a test.
pub fn driver(test: &TestFunction, driven: Driven<'_>) -> String {
    let TestFunction { name, output, .. } = test;
    let Driven { passing, failing, is_marked, ends_process } = driven;
    let call = match (ends_process, is_marked) {
        (true, _) => format!("all_before_end(&{passing:?}, {is_marked}, {name})"),
        (false, true) => format!("all_reaching(&{passing:?}, &{failing:?}, {name})"),
        (false, false) => format!("all(&{passing:?}, &{failing:?}, {name})"),
    };
    format!("\n#[test]\nfn {DRIVER}(){output} {{\n    ::{LIBRARY}::{call}\n}}\n")
}

/// What stands in the sources for an input that differs between the runs.
pub fn input(number: usize) -> String {
    format!("::{LIBRARY}::input_{number}!()")
}

/// What names the library in the root of a crate of the edition of 2015.
pub fn imported() -> String {
    format!("\nextern crate {LIBRARY};\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_returns_what_the_test_returns() {
        let text = "#[test] fn it_fails() -> Result<(), E> { Ok(()) } fn with(a: u8) {}";
        let all = functions(text);
        assert_eq!(all.len(), 1);
        let driven =
            Driven { passing: &[1, 3], failing: &[2], is_marked: false, ends_process: false };
        assert_eq!(
            driver(&all[0], driven),
            "\n#[test]\nfn cargo_reduce_all_runs() -> Result<(), E> {\n    \
             ::cargo_reduce_runs::all(&[1, 3], &[2], it_fails)\n}\n"
        );
        let driven = Driven { ends_process: true, ..driven };
        let text = driver(&all[0], driven);
        assert!(text.contains("::all_before_end(&[1, 3], false, it_fails)"), "{text}");
    }
}

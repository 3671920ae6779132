//! Tests made by `proptest!` and quickcheck: their failing values written out as a plain test.
//!
//! The values come from what proptest prints or keeps (`ranges = [(1, 2)], n = 5`). The plain test
//! binds them by the same patterns and runs the same body, with `prop_assert!` as `assert!`.

mod find;
mod quickcheck;
mod values;
mod variants;

pub use find::PropertyTest;
pub use values::failing_values;

use super::locate::test_path;
use super::{Crate, Edits, FileIndex, NotLocated};
use crate::reduce::RangeExt;

/// A plain test that stands for a property test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainTest {
    /// The edits that put it into the file of the property test, behind the macro call.
    pub edits: Edits,
    /// The file.
    pub file: FileIndex,
    /// The name that the test harness gives it.
    pub test: String,
}

impl Crate {
    /// The property test that [`Crate::find_test`] could not locate.
    pub fn property_test(&self, not_located: &NotLocated) -> Option<PropertyTest> {
        let NotLocated::Proptest { test, file, span } = not_located else { return None };
        let (module, function) = test.rsplit_once("::").unwrap_or(("", test));
        let module = module.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
        find::property_test(self, *file, span, function, module.collect())
    }

    /// A plain test of the property with the values that the run has printed; `None` if one is missing.
    pub fn plain_property(&self, not_located: &NotLocated, printed: &str) -> Option<PlainTest> {
        let printed = self.with_variants(printed);
        match not_located {
            NotLocated::Quickcheck { test, file, span } => {
                self.plain_quickcheck(test, (*file, span), &printed)
            }
            _ => self.plain_test(&self.property_test(not_located)?, &failing_values(&printed)),
        }
    }

    /// A plain test of the same body with the given values, as proptest prints them: pairs of a
    /// pattern and a value. `None` if an argument has no value.
    pub fn plain_test(
        &self,
        property: &PropertyTest,
        failing: &[(String, String)],
    ) -> Option<PlainTest> {
        let text = &self.file(property.file).text;
        let name = format!("plain_{}", property.function);
        let mut source = format!("#[test]\nfn {name}() {{\n");
        for argument in &property.arguments {
            let pattern = text[argument.pattern.clone()].trim();
            let (_, value) = failing.iter().find(|(name, _)| same(name, pattern))?;
            let strategy = argument.strategy.clone().or(argument.ty.clone());
            let strategy = strategy.map_or("", |range| &text[range]);
            let binding = values::binding(value, strategy, &self.behind(strategy));
            let ty = match (&argument.ty, binding.ty) {
                (Some(ty), _) => format!(": {}", &text[ty.clone()]),
                (None, Some(ty)) => format!(": {ty}"),
                (None, None) => String::new(),
            };
            let binding = format!("    let {pattern}{ty} = {};\n", binding.value);
            source.push_str(&binding);
        }
        let body = property.plain_body(text);
        let body = if property.returns {
            let error = "proptest::test_runner::TestCaseError";
            let run =
                format!("    let run = || -> Result<(), {error}> {{{body}        Ok(())\n    }};");
            run + "\n    run().unwrap();\n"
        } else {
            body.trim_start_matches('\n').trim_end().to_owned() + "\n"
        };
        source.push_str(&body);
        source.push('}');
        let test = test_path(&property.module, &name);
        Some(self.plain_behind(property.file, property.call.end, &source, test))
    }

    /// A plain test behind the macro call or function that ends there.
    pub(super) fn plain_behind(
        &self,
        file: FileIndex,
        end: usize,
        source: &str,
        test: String,
    ) -> PlainTest {
        let mut edits = Edits::default();
        edits.insert(self.end_of_call(file, end), format!("\n\n{}", source.trim_end()));
        PlainTest { edits, file, test }
    }

    /// Behind a call or item that ends there, and the semicolon that may end it.
    pub(super) fn end_of_call(&self, file: FileIndex, end: usize) -> usize {
        end + usize::from(self.file(file).text[end..].starts_with(';'))
    }
}

impl PropertyTest {
    /// The body between its braces, with plain assertions.
    fn plain_body(&self, text: &str) -> String {
        let inside = self.body.start + 1..self.body.end - 1;
        let mut edits = Edits::default();
        for name in &self.asserts {
            let plain = text[name.clone()].trim_start_matches("prop_").to_owned();
            edits.replace(name.counted_from(inside.start), plain);
        }
        for (call, condition) in &self.assumptions {
            let plain = format!("if !({}) {{ return; }}", &text[condition.clone()]);
            edits.replace(call.counted_from(inside.start), plain);
        }
        edits.apply(&text[inside])
    }
}

/// Whether two patterns are the same but for blanks and `mut`.
fn same(a: &str, b: &str) -> bool {
    let bare = |pattern: &str| -> String {
        let words = pattern.split_whitespace().filter(|word| *word != "mut");
        words.collect()
    };
    bare(a) == bare(b)
}

#[cfg(test)]
mod tests;

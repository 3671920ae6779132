//! The way into the test for the loop.

use super::copy::{Copy, RUNTIME};
use crate::source::{Harness, Located, test_path};

/// The name of the function that runs the test in a loop.
const PROBE: &str = "__cargo_reduce_probe";

/// How the test is run for one candidate after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A test of this name calls it again and again.
    Test(String),
    /// It cannot be called by name: each candidate needs a process of its own.
    None(String),
}

/// Puts a test that runs `located` in a loop right behind it.
pub(super) fn add(copy: &mut Copy<'_>, located: &Located) -> Entry {
    match &located.facts.harness {
        Harness::Plain | Harness::Attribute(_) => {}
        Harness::Cases { attribute, .. } => {
            return Entry::None(format!("`#[{attribute}]` makes cases of the test"));
        }
        Harness::None => return Entry::None("the function has no test attribute".to_owned()),
    }
    let function = &copy.krate.file(located.file).text[located.name_span.clone()];
    let call = format!(
        " #[test] #[allow(warnings)] fn {PROBE}() {{ \
         {RUNTIME}::drive(|| {RUNTIME}::Report::report({function}())) }}"
    );
    copy.insert(located.file, located.span.end, call);
    Entry::Test(test_path(&located.module, PROBE))
}

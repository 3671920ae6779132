//! The assertions in the code of tests.

use std::ops::Range;

use syn::Macro;
use syn::spanned::Spanned;
use syn::visit::Visit;

use super::expected::is_written_out;
use super::exprs::macros;
use super::parse::{look_at_file, range};
use super::scan::words;
use super::strength::{Strength, strength};
use super::tokens::{called_macro, compared, is_assertion, is_panic, is_print};
use super::{Crate, Edits, FileIndex, FileRange, Located, arguments};
use crate::reduce::RangeExt;

/// Which code is that of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestCode {
    /// The whole crate: it is a target that only holds tests.
    Crate,
    /// Items that are compiled for tests only.
    Marked,
}

impl Crate {
    /// The assertions in the code of tests: `assert!`, `assert_eq!` and others whose names begin so.
    pub fn assertions(&self, code: TestCode) -> Vec<FileRange> {
        self.macros_called(code, is_assertion)
    }

    /// Where the code of tests panics by itself.
    pub fn panics(&self, code: TestCode) -> Vec<FileRange> {
        self.macros_called(code, is_panic)
    }

    fn macros_called(&self, code: TestCode, is_wanted: fn(&str) -> bool) -> Vec<FileRange> {
        self.file_indices()
            .flat_map(|file| {
                let calls = calls_of(&self.file(file).text, is_wanted).into_iter();
                calls.map(move |call| (file, call.span))
            })
            .filter(|(file, span)| self.is_test_code_at(code, *file, span.start))
            .collect()
    }

    /// The bytes of all tests but that one.
    pub fn other_tests(&self, located: &Located) -> Vec<FileRange> {
        let tests = self.items.iter().filter(|item| item.is_test);
        let others = tests.filter(|item| (item.file, &item.span) != (located.file, &located.span));
        others.map(|item| (item.file, item.span.clone())).collect()
    }

    /// Whether this byte stands in the code of tests.
    pub fn is_test_code_at(&self, code: TestCode, file: FileIndex, offset: usize) -> bool {
        let mut around = self.items_around(file, offset..offset + 1);
        code == TestCode::Crate || around.any(|item| item.is_test || item.is_test_only)
    }
}

/// Whether there is a call of an assertion in a text.
pub fn asserts(text: &str) -> bool {
    words(text).any(|word| ["assert", "assert_eq", "assert_ne", "panic"].contains(&word))
}

/// Whether a statement does nothing but print.
pub fn prints(statement: &str) -> bool {
    words(statement).next().is_some_and(|name| is_print(name) && statement.starts_with(name))
}

/// The edits that let the assertions of the standard library within these bytes of a text compute what they compare,
/// but expect nothing: what a failing run does not reach is expected by nobody.
pub fn expecting_nothing(text: &str, within: Range<usize>) -> Edits {
    look_at_file(text, |tree, base| {
        let mut edits = Edits::default();
        for mac in macros(|it| it.visit_file(&tree)) {
            expect_nothing(mac, base, &within, &mut edits);
        }
        edits
    })
}

fn expect_nothing(mac: &Macro, base: usize, within: &Range<usize>, edits: &mut Edits) {
    let plain = called_macro(mac, base).filter(|_| mac.path.get_ident().is_some());
    let Some((name, call)) = plain.filter(|(_, call)| within.covers(call)) else { return };
    let sign = match name.as_str() {
        "assert" => "",
        "assert_eq" => " == ",
        "assert_ne" => " != ",
        _ => return,
    };
    let arguments = arguments(&mac.tokens).unwrap_or_default();
    let compared = compared(&name);
    if arguments.len() < compared || matches!(mac.delimiter, syn::MacroDelimiter::Brace(_)) {
        return;
    }
    // The operands stay where they are: a failure in them is known by its place.
    let mut end = call.start;
    let mut between = "_ = ".to_owned();
    for operand in arguments.iter().take(compared) {
        let range = range(operand.span(), base);
        let is_loose = compared > 1 && strength(operand) < Strength::Prefix;
        between.push_str(if is_loose { "(" } else { "" });
        edits.replace(end..range.start, between);
        between = format!("{}{sign}", if is_loose { ")" } else { "" });
        end = range.end;
    }
    between.truncate(between.len() - sign.len());
    edits.replace(end..call.end, between);
}

/// The call of an assertion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Assertion {
    /// The bytes of the call.
    pub span: Range<usize>,
    /// The bytes of what it computes, but for values that are written out.
    pub operands: Vec<Range<usize>>,
}

/// The calls of assertions in a file, those inside of others too.
pub(crate) fn assertions_of(text: &str) -> Vec<Assertion> {
    calls_of(text, is_assertion)
}

/// The calls of macros with such names.
fn calls_of(text: &str, is_wanted: fn(&str) -> bool) -> Vec<Assertion> {
    look_at_file(text, |tree, base| {
        let calls = macros(|it| it.visit_file(&tree)).into_iter().filter_map(|mac| {
            let (name, span) = called_macro(mac, base).filter(|(name, _)| is_wanted(name))?;
            let arguments = arguments(&mac.tokens);
            let operands = arguments.iter().flatten().take(compared(&name));
            let operands = operands.filter(|operand| !is_written_out(operand));
            let operands = operands.map(|operand| range(operand.span(), base)).collect();
            Some(Assertion { span, operands })
        });
        calls.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests::krate;

    #[test]
    fn what_is_compared_is_still_computed_where_nothing_is_expected() {
        let text = "fn f() { assert_eq!(g(), 1 + 1, \"no\"); assert!(h()) }";
        let edits = expecting_nothing(text, 0..text.len());
        assert_eq!(edits.apply(text), "fn f() { _ = g() == (1 + 1); _ = h() }");
        assert_eq!(edits.to_new(text.find("g()").unwrap()), "fn f() { _ = ".len());
        assert!(expecting_nothing(text, 0..9).is_empty());
    }

    #[test]
    fn assertions_of_tests_are_found_by_their_place() {
        let text = "fn f(x: u8) { assert!(x > 0) }\n#[cfg(test)]\nmod tests {\n    fn g() { my::assert_same!(1) }\n    \
            #[test]\n    fn t() { { assert_eq!(1, 2); } panic!() }\n}\n";
        let krate = krate(&[("/p/src/lib.rs", text)]);
        let all = |code: TestCode| {
            let all = krate.assertions(code).into_iter();
            all.map(|(_, span)| &text[span]).collect::<Vec<_>>()
        };
        let panics = krate.panics(TestCode::Marked).into_iter();
        assert_eq!(panics.map(|(_, span)| &text[span]).collect::<Vec<_>>(), ["panic!()"]);
        let marked = ["my::assert_same!(1)", "assert_eq!(1, 2)"];
        assert_eq!(all(TestCode::Marked), marked);
        assert_eq!(all(TestCode::Crate), [&["assert!(x > 0)"][..], &marked].concat());
    }
}

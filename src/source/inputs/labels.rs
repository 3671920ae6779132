//! What only stands in the messages of a test: the names of the cases of a table, and what a helper is called by.

use std::ops::Range;

use quote::ToTokens;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat};

use super::steering::{is_error, says_why};
use crate::reduce::RangeExt;
use crate::source::exprs::{exprs, functions};
use crate::source::idents::mentions;
use crate::source::parse::{look_at, look_at_file, range};
use crate::source::patterns::{typed, variable};
use crate::source::tables::tables_of;
use crate::source::tokens::{
    compared, expressions, is_assertion, is_panic, is_print, last_name, plain,
};

/// The bytes in a file of values that go into nothing but what a test says when it fails.
pub(super) fn labels(text: &str) -> Vec<Range<usize>> {
    look_at_file(text, |tree, base| {
        let all = exprs(|it| it.visit_file(&tree));
        let mut found = Vec::new();
        for expr in &all {
            let Expr::ForLoop(it) = expr else { continue };
            let said = said(&names_of(&it.pat), &it.body);
            if said.is_empty() {
                continue;
            }
            for table in tables_of(&tree, base, vec![&it.expr]) {
                let parts =
                    table.elements.iter().flat_map(|element| parts_of(text, element, &said));
                found.extend(parts);
            }
        }
        for function in functions(|it| it.visit_file(&tree)) {
            let inputs = function.sig.inputs.iter();
            let names: Vec<_> = inputs.map(|input| name_of(&typed(input)?.pat)).collect();
            // A helper only says what some of its arguments hold.
            let said = said(&names, &function.block);
            for expr in &all {
                let Expr::Call(call) = expr else { continue };
                let is_called =
                    matches!(&*call.func, Expr::Path(it) if it.path.is_ident(&function.sig.ident));
                let said = said.iter().filter_map(|place| call.args.get(*place));
                found.extend(said.filter(|_| is_called).map(|it| range(it.span(), base)));
            }
        }
        found
    })
}

/// The bytes of these parts of a row.
fn parts_of(text: &str, row: &Range<usize>, places: &[usize]) -> Vec<Range<usize>> {
    let parts = |row: Expr| {
        let Expr::Tuple(row) = row else { return Vec::new() };
        let parts = places.iter().filter_map(|place| row.elems.get(*place));
        parts.map(|part| range(part.span(), 0)).collect()
    };
    let parts = look_at(&text[row.clone()], Expr::parse, parts).unwrap_or_default();
    parts.into_iter().map(|part| part.offset_by(row.start)).collect()
}

/// The names that a pattern binds to the parts of a tuple.
fn names_of(pattern: &Pat) -> Vec<Option<String>> {
    match pattern {
        Pat::Reference(it) => names_of(&it.pat),
        Pat::Tuple(it) => it.elems.iter().map(name_of).collect(),
        _ => Vec::new(),
    }
}

fn name_of(pattern: &Pat) -> Option<String> {
    variable(pattern).filter(|it| it.subpat.is_none()).map(|it| plain(&it.ident))
}

/// The places of the names that stand in messages, and nowhere else in this code.
fn said(names: &[Option<String>], code: &Block) -> Vec<usize> {
    let mut sayings = Sayings::default();
    sayings.visit_block(code);
    let all: Vec<String> = mentions(code.to_token_stream()).collect();
    let is_said = |name: &String| {
        let count = |mentions: &[String]| mentions.iter().filter(|it| *it == name).count();
        count(&all) > 0 && count(&all) == count(&sayings.mentions)
    };
    let places = names.iter().enumerate();
    let said = places.filter(|(_, name)| name.as_ref().is_some_and(is_said));
    said.map(|(place, _)| place).collect()
}

/// The names in messages.
#[derive(Default)]
struct Sayings {
    mentions: Vec<String>,
    /// Whether what is made here is a message.
    is_message: bool,
}

impl<'ast> Visit<'ast> for Sayings {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let outer = self.is_message;
        match expr {
            Expr::MethodCall(call) => {
                self.visit_expr(&call.receiver);
                let method = call.method.to_string();
                self.is_message = says_why(&method) || method == "expect";
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Call(call) if is_error(expr) => {
                self.is_message = true;
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            _ => visit::visit_expr(self, expr),
        }
        self.is_message = outer;
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = last_name(&mac.path);
        let first = match name.as_str() {
            "format" if self.is_message => 0,
            name if is_panic(name) || is_print(name) => 0,
            name if is_assertion(name) => compared(name),
            _ => return,
        };
        let arguments = expressions(&mac.tokens).into_iter().flatten().skip(first);
        self.mentions.extend(arguments.flat_map(|it| mentions(it.to_token_stream())));
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = labels(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_of_cases_are_labels_where_nothing_else_reads_them() {
        let table = "fn t() { let all = [(\"a\", 1), (\"b\", 2)]; for (name, n) in all { LOOP } }";
        let check_loop = |body, expected| check(&table.replace("LOOP", body), expected);
        check_loop("assert_eq!(f(n), n, \"{name} is wrong\");", &["\"a\"", "\"b\""]);
        check_loop(
            "assert!(f(n) > 1, \"{}: {}\", name, n); println!(\"{name}\");",
            &["\"a\"", "\"b\""],
        );
        check_loop("assert_eq!(f(name), n, \"{name} is wrong\");", &[]);
        check_loop("assert_eq!(f(n), 1);", &[]);
        check_loop("let name = format!(\"{name}!\"); f(&name, n);", &[]);
    }

    #[test]
    fn what_a_helper_only_says_is_a_label() {
        let helper = "fn check(name: &str, text: &str) -> R { let a = f(text).map_err(|e| format!(\"{name}: {e}\"))?; \
            if a.is_empty() { return Err(format!(\"{name} of {text}\")); } Ok(()) }";
        let calls =
            "fn t() -> R { check(\"a\", \"b\")?; lib::check(\"c\", \"d\"); check(\"e\", TEXT) }";
        check(&format!("{helper} {calls}"), &["\"a\"", "\"e\""]);
        let other = "fn check(name: &str) { g(&format!(\"{name}\")); h(Err(name)); }";
        check(&format!("{other} {calls}"), &[]);
    }
}

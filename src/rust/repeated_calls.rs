//! Statements of a test that call the same checking code one after the other: each is a check of its own, as a row of
//! a table is.

use std::ops::Range;

use syn::{Expr, Pat};

use super::free_functions::{FreeFunction, free_functions};
use super::{StandIn, Tree, scan};
use crate::reduce::RangeExt;
use crate::source::Table;

/// The longest run of statements of a test of a text, at least two, that call the closure of the test or the function in
/// which the byte `place` stands, as the rows of a table.
pub(super) fn repeated_calls(text: &str, test: &FreeFunction<'_>, place: usize) -> Option<Table> {
    let start = test.range.start;
    let look = |tree: &Tree<'_>| {
        let is_closure = |it: &&syn::Local| {
            let init = it.init.as_ref().map(|init| &*init.expr);
            init.is_some_and(|init| {
                matches!(init, Expr::Closure(_))
                    && tree.range(init).offset_by(start).contains(&place)
            })
        };
        let closure = tree.locals().find(is_closure).and_then(|local| match &local.pat {
            Pat::Ident(name) => Some(name.ident.to_string()),
            _ => None,
        });
        let name = closure.or_else(|| function_at(text, test, place))?;
        let all = tree.outermost_statements().iter().map(|it| tree.range(it).offset_by(start));
        let all: Vec<Range<usize>> = all.collect();
        let runs = all.chunk_by(|one, next| {
            calls(&text[one.clone()], &name) == calls(&text[next.clone()], &name)
        });
        let runs = runs.filter(|run| calls(&text[run[0].clone()], &name));
        runs.max_by_key(|run| run.len()).map(<[_]>::to_vec)
    };
    let elements = Tree::with(&text[test.range.clone()], StandIn::Panic, look).ok().flatten()?;
    let [first, .., last] = elements.as_slice() else { return None };
    let range = first.start..last.end;
    Some(Table { range, elements, length: None, constant: None })
}

/// The name of the innermost function around a place, if that is not the test.
fn function_at(text: &str, test: &FreeFunction<'_>, place: usize) -> Option<String> {
    let all = free_functions(text, |name| name != test.name).into_iter();
    let around = all.filter(|it| it.body.contains(&place));
    around.min_by_key(|it| it.body.len()).map(|it| it.name.to_owned())
}

/// Whether a statement is a call of the function or closure of that name, and binds nothing.
fn calls(statement: &str, name: &str) -> bool {
    let mut tokens = scan::tokens(statement);
    tokens.next().is_some_and(|token| token.text == name)
        && tokens.next().is_some_and(|token| token.text == "(")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<Vec<&str>> {
        let test = free_functions(text, |name| name == "t").into_iter().next().unwrap();
        let table = repeated_calls(text, &test, text.find("assert").unwrap())?;
        Some(table.elements.into_iter().map(|it| &text[it]).collect())
    }

    #[test]
    fn calls_of_what_fails_that_stand_behind_each_other_are_rows() {
        let text = "#[test] fn t() -> R { let check = |n: u8| { assert!(f(n)); Ok(()) }; check(0)?; other(); check(1)?; check(2)?; Ok(()) }";
        assert_eq!(found(text).unwrap(), ["check(1)?;", "check(2)?;"]);
        let text = "fn check(a: &str) { assert!(f(a)); } #[test] fn t() { check(\"a\"); check(\"b\"); check(\"c\") }";
        assert_eq!(found(text).unwrap(), ["check(\"a\");", "check(\"b\");", "check(\"c\")"]);
    }

    #[test]
    fn what_is_called_once_or_elsewhere_has_no_rows() {
        assert!(found("#[test] fn t() { let check = |n| assert!(n); check(0); }").is_none());
        assert!(
            found("#[test] fn t() { let x = check(1); let y = check(2); assert!(x); }").is_none()
        );
    }
}

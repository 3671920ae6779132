//! Which expression fails at a place that a panic names.
//!
//! A panic names the start of an expression: of all of `a[i]`, of which `a` may be cut down to
//! something else; newer compilers name the bracket of some. What identifies the expression is the
//! token that makes it fail: the bracket, the operator, the name of the method, the `!` of the macro.

use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Macro};

use super::around::item_around;
use super::free_functions::outermost_function;
use super::runs::LIBRARY;
use super::{StandIn, Tree};
use crate::source::{arguments, compared, flat, is_written_out, last_name, without_debug};

/// What stands where a panic happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failing {
    /// The tokens that can have failed: those of all expressions that start there, or the place itself.
    pub anchors: Vec<usize>,
    /// Whether it is not known what stands there, as in the arguments of some macros.
    pub is_unknown: bool,
    /// What an assertion there compares, its literals and values that are written out blanked.
    pub assertion: Option<String>,
}

/// What stands in `text` at the byte `offset`, which a panic names.
pub fn failing_at(text: &str, offset: usize) -> Failing {
    // To parse a file, or a long implementation, takes longer than to run a test, and there are many candidates.
    let function = outermost_function(text, &(offset..offset + 1));
    let item = function.unwrap_or_else(|| item_around(text, offset));
    let mut failing = failing_in(&text[item.clone()], offset - item.start);
    if failing.is_unknown {
        return failing_in(text, offset);
    }
    failing.anchors.iter_mut().for_each(|anchor| *anchor += item.start);
    failing
}

/// As above, in a text that is parsed as a whole.
fn failing_in(text: &str, offset: usize) -> Failing {
    let look = |tree: &Tree<'_>| {
        let calls = tree.macros();
        let here = calls.into_iter().find(|call| tree.range(&call.path).start == offset);
        let mut anchors: Vec<usize> = tree
            .exprs()
            .filter_map(|expr| {
                let anchor = anchor(tree, expr);
                let is_here = || anchor == Some(offset) || names_method_at(tree, expr, offset);
                if tree.range(expr).start == offset { anchor } else { is_here().then_some(offset) }
            })
            .chain(here.map(|call| tree.range(&call.bang_token).start))
            .collect();
        anchors.sort_unstable();
        anchors.dedup();
        Failing { is_unknown: anchors.is_empty(), anchors, assertion: here.and_then(assertion) }
    };
    let mut failing = Tree::with(text, StandIn::Panic, look).unwrap_or(Failing {
        anchors: Vec::new(),
        is_unknown: true,
        assertion: None,
    });
    if failing.anchors.is_empty() {
        failing.anchors.push(offset);
    }
    failing
}

/// The token that makes an expression fail, if it can.
fn anchor(tree: &Tree<'_>, expr: &Expr) -> Option<usize> {
    let token = match expr {
        Expr::Binary(expr) => tree.range(&expr.op),
        Expr::Call(expr) => tree.span(expr.paren_token.span.open()),
        Expr::Index(expr) => tree.span(expr.bracket_token.span.open()),
        Expr::Unary(expr) => tree.range(&expr.op),
        // Parentheses belong to the place, and may go.
        Expr::Paren(expr) => return anchor(tree, &expr.expr),
        _ => return None,
    };
    Some(token.start)
}

/// Whether the method that an expression calls is named there: a panic that it passes on to its caller names that place.
fn names_method_at(tree: &Tree<'_>, expr: &Expr, offset: usize) -> bool {
    matches!(expr, Expr::MethodCall(call) if tree.range(&call.method).start == offset)
}

/// The condition of an assertion, or both sides.
fn operands(call: &Macro) -> Option<Vec<Expr>> {
    let name = last_name(&call.path);
    if !["assert", "assert_eq", "assert_ne"].contains(&without_debug(&name)) {
        return None;
    }
    Some(arguments(&answered(call.tokens.clone()))?.into_iter().take(compared(&name)).collect())
}

/// What stands for a literal.
const BLANK: &str = "_";

/// What an assertion compares, as text.
fn assertion(call: &Macro) -> Option<String> {
    let words: Vec<String> = operands(call)?
        .iter()
        .map(|arg| {
            // The runs of a test may each expect a value of their own.
            if is_written_out(arg) {
                return BLANK.to_owned();
            }
            let tokens = flat(arg.to_token_stream());
            let shown = tokens.map(|token| match token {
                TokenTree::Literal(_) => BLANK.to_owned(),
                TokenTree::Ident(word) if word == "true" || word == "false" => BLANK.to_owned(),
                other => other.to_token_stream().to_string(),
            });
            let shown = without_root(shown.collect());
            without_signs(shown).join(" ")
        })
        .collect();
    Some(words.join(" , "))
}

/// These tokens without `crate::`: so begin paths to what was another crate before all became one.
fn without_root(tokens: Vec<String>) -> Vec<String> {
    let mut plain = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        if token == "crate" {
            tokens.nth(1);
        } else {
            plain.push(token);
        }
    }
    plain
}

/// These tokens without the signs of blanked numbers.
fn without_signs(tokens: Vec<String>) -> Vec<String> {
    let mut plain: Vec<String> = Vec::new();
    for token in tokens {
        if token == BLANK && plain.last().is_some_and(|last| last == "-") {
            plain.pop();
        }
        plain.push(token);
    }
    plain
}

/// The same with a literal where the input of the present run is asked for.
fn answered(tokens: TokenStream) -> TokenStream {
    let mut plain: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let token = match token {
            TokenTree::Ident(word) if word == LIBRARY => {
                // The colons before its name, and all that makes a macro call of it.
                plain.truncate(plain.len().saturating_sub(2));
                tokens.nth(4);
                Literal::u8_unsuffixed(0).into()
            }
            TokenTree::Group(group) => {
                Group::new(group.delimiter(), answered(group.stream())).into()
            }
            other => other,
        };
        plain.push(token);
    }
    plain.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor_texts(text: &str) -> Vec<String> {
        let place = text.find('§').unwrap();
        let text = text.replace('§', "");
        let failing = failing_at(&text, place);
        let at = |anchor: &usize| text[*anchor..].chars().take(3).collect();
        failing.anchors.iter().map(at).collect()
    }

    #[test]
    fn the_token_that_fails_is_found() {
        assert_eq!(anchor_texts("fn f() { §a.b.c[i + 1]; }"), ["[i "]);
        assert_eq!(anchor_texts("fn f() { a.§unwrap(); }"), ["unw"]);
        assert_eq!(anchor_texts("fn f() { §a * 3 }"), ["* 3"]);
        assert_eq!(anchor_texts("fn f() { §panic!(\"x\") }"), ["!(\""]);
        assert_eq!(anchor_texts("fn f() { assert!(§g(1)) }"), ["(1)"]);
        assert_eq!(anchor_texts("fn f() { §(a - b) as u8 }"), ["- b"]);
        assert_eq!(anchor_texts("fn f() { let §x; }"), ["x; "]);
        assert_eq!(anchor_texts("fn f() { a.b§[c[i]] }"), ["[c["]);
    }

    #[test]
    fn what_names_the_place_is_known() {
        let is_unknown = |text: &str| {
            let place = text.find('§').unwrap();
            failing_at(&text.replace('§', ""), place).is_unknown
        };
        assert!(!is_unknown("impl A { fn f(&self) { self.a§[i]; } }"));
        assert!(!is_unknown("mod m { impl A { fn f(&self) { self.a().§unwrap(); } } }"));
        assert!(is_unknown("fn f() { let §x; }"));
    }

    #[test]
    fn expressions_that_start_together_cannot_be_told_apart() {
        assert_eq!(anchor_texts("fn f() { §a[i][j] }"), ["[i]", "[j]"]);
    }

    #[test]
    fn an_assertion_compares_the_same_where_a_crate_has_become_a_module() {
        let assertion = |text: &str| failing_at(text, 9).assertion;
        let apart = assertion("fn f() { assert_eq!(a::g(b::N), 5) }");
        assert!(apart.is_some());
        assert_eq!(apart, assertion("fn f() { assert_eq!(crate::a::g(crate::b::N), 5) }"));
        assert_ne!(apart, assertion("fn f() { assert_eq!(crate::a::h(crate::b::N), 5) }"));
    }

    #[test]
    fn an_assertion_compares_the_same_when_only_literals_differ() {
        let assertion = |text: &str| failing_at(text, 9).assertion;
        let one = assertion("fn f() { assert_eq!(g(\"long\", x), 5, \"{x}\") }");
        assert_eq!(one.as_deref(), Some("g _ , x , _"));
        assert_eq!(one, assertion("fn f() { assert_eq!(g(\"\", x), 1) }"));
        assert_ne!(one, assertion("fn f() { assert_eq!(x, 1) }"));
        assert_eq!(assertion("fn f() { panic!() }"), None);
        let asked = "fn f() { assert_eq!(g(::cargo_reduce_runs::input_0!(), x), 5) }";
        assert_eq!(one, assertion(asked));
        let one = assertion("fn f() { assert_eq!(g(true, -1), x - 5) }");
        let asked = "fn f() { assert_eq!(g(::cargo_reduce_runs::input_0!(), 1), x - 2) }";
        assert_eq!(one, assertion(asked));
        let one = assertion("fn f() { assert_eq!(x, Set::from([\"a\", \"b\"])) }");
        let asked = "fn f() { assert_eq!(x, Set::from([::cargo_reduce_runs::input_0!(), \"b\"])) }";
        assert_eq!(one, assertion(asked));
    }
}

//! What the condition of an `assert!` is about.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, UnOp};

use super::assertion::assertion_at;
use super::expected::{Scope, is_written_out};
use super::exprs::children;
use super::parse::range;
use super::tokens::{at_commas, is_constant_name, last_name, without_debug};

/// How the message of an `assert!` begins that has none of its own.
pub const ASSERTION: &str = "assertion failed: ";

/// An `assert!`, and the values that its condition is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssertedCondition {
    /// The bytes of expressions, whose values decide.
    pub operands: Vec<Range<usize>>,
    /// Where the condition ends.
    pub end: usize,
    /// Where its message ends, before the quote, and all of its arguments, if it has a plain one.
    pub message: Option<(usize, usize)>,
}

impl AssertedCondition {
    /// That of the `assert!` which starts at the byte `offset` of a source; `None` if there is none, or it has a
    /// message that is not written as plain text.
    pub fn at(text: &str, offset: usize) -> Option<Self> {
        assertion_at(text, offset, |name, arguments, Scope { base, .. }| {
            if without_debug(name) != "assert" {
                return None;
            }
            let condition = arguments.first()?;
            let mut operands = Vec::new();
            add_operands(condition, true, base, &mut operands);
            let message = match arguments.iter().nth(1) {
                None => None,
                Some(message) => {
                    let literal = range(message.span(), base);
                    let is_plain = matches!(message, Expr::Lit(it) if matches!(it.lit, Lit::Str(_)))
                        && text[literal.clone()].starts_with('"');
                    let end = range(arguments.last()?.span(), base).end;
                    Some(is_plain.then_some((literal.end - 1, end))?)
                }
            };
            let end = range(condition.span(), base).end;
            Some(AssertedCondition { operands, end, message })
        })
    }
}

/// Adds the operands of an expression: what a condition compares, what it hands to a function, and what it asks a question
/// of. What a condition itself is, the failure tells.
fn add_operands(expr: &Expr, is_condition: bool, base: usize, found: &mut Vec<Range<usize>>) {
    let mut parts = |is_condition: bool| {
        for part in children(expr) {
            add_operands(part, is_condition, base, found);
        }
    };
    match expr {
        Expr::Path(path) if is_constant_name(&last_name(&path.path)) => {}
        _ if is_written_out(expr) => {}
        Expr::Unary(it) if matches!(it.op, UnOp::Deref(_)) => found.push(range(expr.span(), base)),
        Expr::Paren(_) | Expr::Unary(_) => parts(is_condition),
        Expr::Binary(it) => parts(is_condition && matches!(it.op, BinOp::And(_) | BinOp::Or(_))),
        Expr::Reference(_) | Expr::Cast(_) => parts(false),
        Expr::Call(call) if is_condition => {
            call.args.iter().for_each(|argument| add_operands(argument, false, base, found));
        }
        Expr::MethodCall(_) if is_condition => parts(false),
        Expr::Macro(call) if is_condition && call.mac.path.is_ident("matches") => {
            let first = at_commas(call.mac.tokens.clone()).into_iter().next();
            if let Some(first) = first.and_then(|it| syn::parse2(it.into_iter().collect()).ok()) {
                add_operands(&first, false, base, found);
            }
        }
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => found.push(range(expr.span(), base)),
        Expr::Call(_) | Expr::MethodCall(_) => found.push(range(expr.span(), base)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands(assertion: &str) -> Option<Vec<String>> {
        let text = format!("#[test]\nfn a() {{ {assertion}; }}\n");
        let found = AssertedCondition::at(&text, text.find("assert")?)?;
        Some(found.operands.into_iter().map(|range| text[range].to_owned()).collect())
    }

    #[test]
    fn a_condition_is_about_what_it_compares_and_asks() {
        for (condition, expected) in [
            ("good > bad", &["good", "bad"][..]),
            ("parse(\"a\").is_ok()", &["parse(\"a\")"]),
            ("!set.contains(&key)", &["set", "key"]),
            ("(mean(&all) - 3.5).abs() < 1e-6", &["(mean(&all) - 3.5).abs()"]),
            (
                "mean(&all) - low < LIMIT && is_close(a.x, b[1])",
                &["mean(&all)", "low", "a.x", "b[1]"],
            ),
            ("matches!(next(it), Some(Token::End { .. }))", &["next(it)"]),
            ("f(x) == Some(3)", &["f(x)"]),
            ("*flag || all.iter().any(|it| it.is_odd())", &["*flag", "all.iter()"]),
            ("true", &[]),
        ] {
            assert_eq!(
                operands(&format!("assert!({condition})")).unwrap(),
                expected,
                "{condition}"
            );
        }
    }

    #[test]
    fn a_message_is_known_if_it_is_plain() {
        let text = "#[test] fn a() { assert!(b > c, \"{} is \\\"less\\\"\", d.e(f, g)); }";
        let found = AssertedCondition::at(text, text.find("assert").unwrap()).unwrap();
        let (quote, end) = found.message.unwrap();
        assert_eq!((&text[quote..quote + 2], &text[end..]), ("\",", "); }"));
        assert_eq!(&text[..found.end], "#[test] fn a() { assert!(b > c");
        assert_eq!(operands("assert!(b > c, MESSAGE)"), None);
        assert_eq!(operands("assert_eq!(b, c)"), None);
    }
}

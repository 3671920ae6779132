//! Literals.

use std::ops::Range;

use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Swaps a string for an empty one, removes halves, quarters and smaller parts of it, swaps a number
/// for 0, and writes `!true` as `false`.
pub(crate) const PASS: Pass = Pass {
    name: "literals",
    about: "empty and shorten strings, set numbers to 0",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f() { g(\"a b\", 12u8) }",
    after: "fn f() { g(\"\", 12u8) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        reductions.extend(opposite(tree, expr));
        let Expr::Lit(expr) = expr else { continue };
        let range = tree.range(expr);
        let simplest = match &expr.lit {
            Lit::Str(_) => "\"\"",
            Lit::ByteStr(_) => "b\"\"",
            Lit::Int(_) => "0",
            Lit::Float(_) => "0.",
            _ => continue,
        };
        if simplest.len() < range.len() {
            reductions.push(Reduction::replace(range.clone(), simplest));
        }
        if simplest.ends_with('"') {
            reductions.extend(parts(tree.text, &range).into_iter().map(Reduction::remove));
        }
    }
    reductions
}

/// `false` for `!true`.
fn opposite(tree: &Tree<'_>, expr: &Expr) -> Option<Reduction> {
    let Expr::Unary(ExprUnary { op: UnOp::Not(_), expr: operand, .. }) = expr else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) = &**operand else { return None };
    Some(Reduction::replace(tree.range(expr), (!value.value).to_string()))
}

/// A string is cut into at most so many parts.
const MOST_PARTS: usize = 64;

/// Halves, quarters, … of what stands between the quotes of a string without a prefix, whatever its suffix is; escapes
/// stay whole.
fn parts(text: &str, literal: &Range<usize>) -> Vec<Range<usize>> {
    let source = &text[literal.clone()];
    let quotes = (source.find('"').filter(|open| *open <= 1), source.rfind('"'));
    let (Some(open), Some(close)) = quotes else { return Vec::new() };
    let inside = literal.start + open + 1..literal.start + close;
    let mut starts = Vec::new();
    let mut is_escaped = false;
    for (at, symbol) in text[inside.clone()].char_indices() {
        if !is_escaped {
            starts.push(inside.start + at);
        }
        is_escaped = !is_escaped && symbol == '\\';
    }
    let mut parts = Vec::new();
    let mut count = 2;
    while count <= MOST_PARTS && count <= starts.len() {
        for part in 0..count {
            let start = starts[part * starts.len() / count];
            let next = starts.get((part + 1) * starts.len() / count);
            parts.push(start..next.copied().unwrap_or(inside.end));
        }
        count *= 2;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;

    #[test]
    fn what_is_not_true_is_false() {
        proposes(propose, "fn f() { g(!true) }", "fn f() { g(false) }");
    }

    #[test]
    fn strings_are_cut_between_characters_and_escapes() {
        let text = r#"f("aé\n\"")"#;
        let texts: Vec<&str> =
            parts(text, &(2..text.len() - 1)).into_iter().map(|part| &text[part]).collect();
        assert_eq!(texts, ["aé", r#"\n\""#, "a", "é", r"\n", r#"\""#]);
    }

    #[test]
    fn raw_strings_are_only_emptied() {
        let text = "r\"ab\"";
        assert_eq!(parts(text, &(0..5)), [2..3, 3..4]);
        assert!(parts("r#\"ab\"#", &(0..7)).is_empty());
    }

    #[test]
    fn a_suffix_is_no_part_of_a_string() {
        assert_eq!(parts("\"ab\"é", &(0..6)), [1..2, 2..3]);
        assert!(parts("\"\"é", &(0..4)).is_empty());
    }
}

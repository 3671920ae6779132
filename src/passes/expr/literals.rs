//! Literals.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Expr, ExprArray, ExprLit, ExprUnary, Lit, UnOp};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Swaps a string for an empty one, removes halves, quarters and smaller parts of it, swaps a number
/// for 0, the numbers of a long list in parts, and writes `!true` as `false`.
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
    // The literals of long lists, by where they start.
    let mut listed = HashSet::new();
    for expr in tree.exprs() {
        if let Expr::Array(list) = expr {
            let open = open_literals(tree, list);
            if open.len() > MOST_PARTS {
                reductions.extend(halvings(open.len(), 1).map(|part| {
                    let open = open[part].iter();
                    open.fold(Reduction::default(), |all, (range, simplest)| {
                        all.and_replace(range.clone(), *simplest)
                    })
                }));
                listed.extend(open.into_iter().map(|(range, _)| range.start));
            }
        }
    }
    for expr in tree.exprs() {
        reductions.extend(opposite(tree, expr));
        let Expr::Lit(expr) = expr else { continue };
        let Some((range, simplest)) = simpler(tree, expr) else { continue };
        if !listed.contains(&range.start) {
            reductions.push(Reduction::replace(range.clone(), simplest));
        }
        if simplest.ends_with('"') {
            reductions.extend(parts(tree.text, &range).into_iter().map(Reduction::remove));
        }
    }
    reductions
}

/// Where a literal stands and the simplest one that can stand there, if that is shorter.
fn simpler(tree: &Tree<'_>, literal: &ExprLit) -> Option<(Range<usize>, &'static str)> {
    let simplest = match &literal.lit {
        Lit::Str(_) => "\"\"",
        Lit::ByteStr(_) => "b\"\"",
        Lit::Int(_) => "0",
        Lit::Float(_) => "0.",
        _ => return None,
    };
    let range = tree.range(literal);
    (simplest.len() < range.len()).then_some((range, simplest))
}

/// The elements of a list that are literals and could be simpler, each with the simplest one.
fn open_literals(tree: &Tree<'_>, list: &ExprArray) -> Vec<(Range<usize>, &'static str)> {
    let literals = list.elems.iter().filter_map(|element| match element {
        Expr::Lit(literal) => simpler(tree, literal),
        _ => None,
    });
    literals.collect()
}

/// `false` for `!true`.
fn opposite(tree: &Tree<'_>, expr: &Expr) -> Option<Reduction> {
    let Expr::Unary(ExprUnary { op: UnOp::Not(_), expr: operand, .. }) = expr else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) = &**operand else { return None };
    Some(Reduction::replace(tree.range(expr), (!value.value).to_string()))
}

/// A string, or a list, is cut into at most so many parts.
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
    let halvings = halvings(starts.len(), 2);
    halvings
        .map(|part| starts[part.start]..starts.get(part.end).copied().unwrap_or(inside.end))
        .collect()
}

/// So many things in `count` parts of about the same length, in twice as many, and so on, as long as none is empty.
fn halvings(length: usize, count: usize) -> impl Iterator<Item = Range<usize>> {
    let counts = std::iter::successors(Some(count), |count| Some(2 * count));
    let counts = counts.take_while(move |count| *count <= MOST_PARTS && *count <= length);
    counts.flat_map(move |count| {
        (0..count).map(move |part| part * length / count..(part + 1) * length / count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn what_is_not_true_is_false() {
        proposes(propose, "fn f() { g(!true) }", "fn f() { g(false) }");
    }

    #[test]
    fn the_literals_of_a_long_list_are_simpler_in_parts() {
        let list = |from: usize| {
            let elements = (0..200).map(|it| if it < from { "0" } else { "12" });
            format!("const A: [u8; N] = [{}];", elements.collect::<Vec<_>>().join(", "))
        };
        let all = results(propose, &list(0));
        // All of them, halves, and so on.
        assert_eq!(all.len(), 127);
        assert_eq!((&all[0], &all[1]), (&list(200), &list(100)));
        // Of few that are left each is tried alone.
        assert_eq!(results(propose, &list(136)).len(), 64);
        assert_eq!(results(propose, &list(135)).len(), 127);
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

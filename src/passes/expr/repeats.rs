//! Lists that hold one value again and again.

use std::collections::BTreeMap;

use syn::{Expr, UnOp};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Writes a list of literals as one of them, the one that it has most often, with their count; likewise one of equal elements.
pub(crate) const PASS: Pass = Pass {
    name: "repeats",
    about: "write a list as one of its elements and their count",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "static A: [u8; 5] = [0, 1, 0, 2, 0];",
    after: "static A: [u8; 5] = [0; 5];",
    propose,
};

/// From so many elements on.
const LEAST: usize = 3;

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        let Expr::Array(array) = expr else { continue };
        let count = array.elems.len();
        let mut often: BTreeMap<&str, usize> = BTreeMap::new();
        for element in &array.elems {
            *often.entry(tree.text_of(element)).or_default() += 1;
        }
        let is_made_of_one = often.len() == 1 || array.elems.iter().all(is_literal);
        let most = often.iter().max_by_key(|(_, times)| **times);
        if let Some((element, _)) = most.filter(|_| count >= LEAST && is_made_of_one) {
            reductions.push(Reduction::replace(tree.range(expr), format!("[{element}; {count}]")));
        }
    }
    reductions
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(it) => matches!(it.op, UnOp::Neg(_)) && is_literal(&it.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn lists_of_literals_and_of_equal_elements_are_written_by_their_count() {
        let text =
            "const A: [[i8; 3]; 3] = [[1, -2, -2], f(), f()]; const B: [u8; 3] = [g(), g(), g()];";
        let expected = [
            "const A: [[i8; 3]; 3] = [[-2; 3], f(), f()]; const B: [u8; 3] = [g(), g(), g()];",
            "const A: [[i8; 3]; 3] = [[1, -2, -2], f(), f()]; const B: [u8; 3] = [g(); 3];",
        ];
        assert_eq!(results(propose, text), expected);
        assert!(results(propose, "fn f() { g([1, 1], [a, b, a], [1; 3]) }").is_empty());
    }
}

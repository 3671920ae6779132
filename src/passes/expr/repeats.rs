//! Lists that hold one value again and again.

use std::collections::BTreeMap;

use syn::{Expr, UnOp};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Writes a list of literals as one of them, the one that it has most often, with their count, and a long one along with the
/// few others; likewise a list of equal elements.
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
/// At least so many elements are the same for each other one: to set that takes seven tokens, and one of a list two.
const OTHERS: usize = 8;

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
        if let Some((element, times)) = most.filter(|_| count >= LEAST && is_made_of_one) {
            let all = format!("[{element}; {count}]");
            reductions.push(Reduction::replace(tree.range(expr), &*all));
            if (1..=count / OTHERS).contains(&(count - times)) {
                let elements = array.elems.iter().map(|it| tree.text_of(it)).enumerate();
                let others = elements.filter(|(_, it)| it != element);
                let others = others.map(|(place, it)| format!("list[{place}] = {it}; "));
                let list = others.collect::<String>();
                let list = format!("{{ let mut list = {all}; {list}list }}");
                reductions.push(Reduction::replace(tree.range(expr), list));
            }
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
    fn a_long_list_with_few_other_literals_names_them() {
        let list = |elements: &str| format!("static A: [u8; 40] = [{elements}];");
        let few = list(&format!("7, {}9", "1, ".repeat(38)));
        let expected = [
            "static A: [u8; 40] = [1; 40];",
            "static A: [u8; 40] = { let mut list = [1; 40]; list[0] = 7; list[39] = 9; list };",
        ];
        assert_eq!(results(propose, &few), expected);
        let many = list(&"1, 2, 1, 1, ".repeat(10));
        assert_eq!(results(propose, &many), expected[..1]);
    }

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

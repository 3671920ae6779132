//! Return types.

use std::ops::Range;

use syn::visit::Visit;
use syn::{Expr, ReturnType, Stmt};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::own_exprs;

/// Removes a return type: alone, with the last expression of the body, with all of that but a part which does
/// something, and with all that is in the body.
pub(crate) const PASS: Pass = Pass {
    name: "return-types",
    about: "remove return types and the returned values",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f() -> u8 { 1 + 2 }",
    after: "fn f() {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions: Vec<Reduction> = tree
        .return_types()
        .filter(|output| matches!(output, ReturnType::Type(..)))
        .map(|output| Reduction::remove(tree.range(output)))
        .collect();
    for (signature, block) in tree.functions() {
        if matches!(signature.output, ReturnType::Type(..)) {
            let inside = tree.inside(&block.brace_token.span);
            let output = tree.range(&signature.output);
            if let [before @ .., Stmt::Expr(value, None)] = &block.stmts[..] {
                let whole = tree.range(value);
                let without = Reduction::remove(output.clone());
                if !before.is_empty() {
                    reductions.push(without.clone().and_remove(whole.clone()));
                }
                reductions.extend(acts(tree, value).into_iter().take(MOST).map(|act| {
                    without
                        .clone()
                        .and_remove(whole.start..act.start)
                        .and_replace(act.end..whole.end, ";")
                }));
            }
            reductions.push(Reduction::remove(output).and_remove(inside));
        }
    }
    reductions
}

/// So many parts of a last expression are looked at.
const MOST: usize = 8;

/// What an expression does besides having a value, calls and what can panic, outer ones first; not what closures do.
fn acts(tree: &Tree<'_>, value: &Expr) -> Vec<Range<usize>> {
    let is_act = |expr: &&Expr| match expr {
        // What is indexed may have no size.
        Expr::Reference(part) => matches!(&*part.expr, Expr::Index(_)),
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Binary(_) | Expr::Index(_) => {
            true
        }
        _ => false,
    };
    let acts = own_exprs(|it| it.visit_expr(value)).into_iter().filter(is_act);
    acts.map(|expr| tree.range(expr)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes};

    #[test]
    fn what_stands_before_the_value_may_stay() {
        proposes(propose, "fn f() -> u8 { g(); 1 }", "fn f() { g(); }");
    }

    #[test]
    fn a_call_in_the_value_may_become_a_statement() {
        let text = "fn f() -> R { Ok(A { a: g()?.h(|| i()) }) }";
        for call in ["Ok(A { a: g()?.h(|| i()) })", "g()?.h(|| i())", "g()"] {
            proposes(propose, text, &format!("fn f() {{ {call}; }}"));
        }
        assert!(!lines(propose, text).contains(&"fn f() { i(); }".to_owned()));
    }

    #[test]
    fn so_may_what_can_panic() {
        let text = "fn f() -> R { Ok(A { a: 0 - b[1] as u8 }) }";
        for part in ["0 - b[1] as u8", "b[1]"] {
            proposes(propose, text, &format!("fn f() {{ {part}; }}"));
        }
        proposes(propose, "fn f() -> R { Ok((0, &a[1..])) }", "fn f() { &a[1..]; }");
    }
}

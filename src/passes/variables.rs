//! Variables for constants.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, Member, Pat, Stmt};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a `let`, or the pattern of an arm along with its `match`, and lets a constant stand for the
/// variables that it binds.
pub(super) const PASS: Pass = Pass {
    name: "variables",
    about: "swap variables for constants, and remove what binds them",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "fn f() { match g() { A(at) => h(B { at, by: at + 1 }) } }",
    after: "fn f() { h(B { at: 0, by: 0 + 1 }) }",
    propose,
};

/// What may stand for a variable.
const CONSTANTS: [&str; 5] = ["0", "\"\"", "false", "()", "Default::default()"];

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let labels = labels(tree);
    let mut reductions = Vec::new();
    for expr in walk::exprs(tree) {
        for (pattern, body) in bodies(expr) {
            let kept = Reduction::keep(tree.range(expr), tree.range(&body));
            let names = names(pattern);
            reductions.extend(with_constants(tree, &kept, (&names, body), &labels));
        }
    }
    for block in walk::blocks(tree) {
        for (place, statement) in block.stmts.iter().enumerate() {
            let Stmt::Local(local) = statement else {
                continue;
            };
            let removed = Reduction::remove(tree.range(local));
            let rest = &block.stmts[place + 1..];
            let rest = rest.iter().map(ToTokens::to_token_stream).collect();
            let names = names(&local.pat);
            reductions.extend(with_constants(tree, &removed, (&names, rest), &labels));
        }
    }
    reductions
}

/// The patterns that bind variables for one of the bodies of an expression, with that body.
fn bodies(expr: &Expr) -> Vec<(&Pat, TokenStream)> {
    match expr {
        Expr::Match(expr) => { expr.arms.iter() }
            .map(|arm| (&arm.pat, arm.body.to_token_stream()))
            .collect(),
        Expr::If(expr) => match &*expr.cond {
            Expr::Let(condition) => vec![(&*condition.pat, expr.then_branch.to_token_stream())],
            _ => Vec::new(),
        },
        Expr::ForLoop(expr) => vec![(&*expr.pat, expr.body.to_token_stream())],
        _ => Vec::new(),
    }
}

/// The variables that a pattern binds.
fn names(pattern: &Pat) -> HashSet<String> {
    struct Names(HashSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
            self.0.insert(node.ident.to_string());
            visit::visit_pat_ident(self, node);
        }
    }
    let mut names = Names(HashSet::new());
    names.visit_pat(pattern);
    names.0
}

/// Where names of fields stand in struct expressions and patterns; whether the name is also that of
/// the variable.
fn labels(tree: &Tree<'_>) -> HashMap<usize, bool> {
    let expressions = walk::exprs(tree).into_iter().filter_map(|expr| match expr {
        Expr::Struct(expr) => Some(&expr.fields),
        _ => None,
    });
    let expressions = { expressions.flatten() }.map(|it| (&it.member, it.colon_token.is_none()));
    let patterns = { walk::patterns(tree).into_iter() }.filter_map(|pattern| match pattern {
        Pat::Struct(pattern) => Some(&pattern.fields),
        _ => None,
    });
    let patterns = { patterns.flatten() }.map(|it| (&it.member, false));
    { expressions.chain(patterns) }
        .filter_map(|(member, is_short)| match member {
            Member::Named(name) => Some((tree.span(name.span()).start, is_short)),
            Member::Unnamed(_) => None,
        })
        .collect()
}

/// `base` with each of the constants in the place of the variables in a scope; nothing if there are
/// none.
fn with_constants(
    tree: &Tree<'_>,
    base: &Reduction,
    (names, scope): (&HashSet<String>, TokenStream),
    labels: &HashMap<usize, bool>,
) -> Vec<Reduction> {
    let uses = uses(tree, names, &scope);
    let uses: Vec<(Range<usize>, &str)> = { uses.iter() }
        .filter_map(|(place, name)| match labels.get(&place.start) {
            None => Some((place.clone(), "")),
            Some(true) => Some((place.clone(), name.as_str())),
            Some(false) => None,
        })
        .collect();
    if uses.is_empty() {
        return Vec::new();
    }
    let with = |constant: &&str| {
        uses.iter().fold(base.clone(), |reduction, (place, label)| {
            let colon = if label.is_empty() { "" } else { ": " };
            reduction.and_replace(place.clone(), format!("{label}{colon}{constant}"))
        })
    };
    CONSTANTS.iter().map(with).collect()
}

/// The words of a scope that are one of `names`, those behind a `.` left out.
fn uses(
    tree: &Tree<'_>,
    names: &HashSet<String>,
    scope: &TokenStream,
) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut is_member = false;
    for token in walk::flat_tokens(scope) {
        if let TokenTree::Ident(word) = &token {
            let name = word.to_string();
            if !is_member && names.contains(&name) {
                found.push((tree.span(word.span()), name));
            }
        }
        is_member = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply};

    fn results(text: &str) -> Vec<String> {
        let look = |tree: &Tree<'_>| {
            let apply = |it: &Reduction| apply(text, [it]);
            propose(tree).iter().map(apply).collect()
        };
        Tree::with(text, StandIn::Panic, look).unwrap()
    }

    #[test]
    fn a_let_goes_with_its_variables() {
        let text = "fn f() { let (a, b) = g(); S { a, b: c.b + b } }";
        let expected = "fn f() {  S { a: 0, b: c.b + 0 } }";
        assert_eq!(results(text).len(), CONSTANTS.len());
        assert!(
            results(text).contains(&expected.to_owned()),
            "{:?}",
            results(text)
        );
    }

    #[test]
    fn patterns_go_with_what_they_take_apart() {
        let texts = results("fn f() { if let A(a) = b { g(a) } for i in c { g(i) } }");
        for expected in [
            "fn f() { { g(\"\") } for i in c { g(i) } }",
            "fn f() { if let A(a) = b { g(a) } { g(0) } }",
        ] {
            assert!(
                texts.contains(&expected.to_owned()),
                "{expected} in {texts:?}"
            );
        }
    }

    #[test]
    fn what_binds_nothing_that_is_used_is_left_to_others() {
        assert!(results("fn f() { let a = g(); match b { C => d } }").is_empty());
    }
}

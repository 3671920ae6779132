//! Parameters of functions.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Expr, FnArg};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a parameter: alone, and with the arguments at its place in all calls by that name (and in
/// the other functions of that name: a trait's method and what implements it).
pub(super) const PASS: Pass = Pass {
    name: "parameters",
    about: "remove parameters with their arguments",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f(a: u8, b: u8) {} fn g() { f(1, 2) }",
    after: "fn f(b: u8) {} fn g() { f(2) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    let signatures = walk::signatures(tree);
    let mut by_name: HashMap<String, Vec<Vec<Range<usize>>>> = HashMap::new();
    for signature in &signatures {
        let name = signature.ident.to_string();
        let places = tree.elements(&signature.inputs);
        let has_receiver = matches!(signature.inputs.first(), Some(FnArg::Receiver(_)));
        let named: Vec<_> = places
            .iter()
            .skip(usize::from(has_receiver))
            .cloned()
            .collect();
        by_name.entry(name).or_default().push(named);
        reductions.extend(places.into_iter().map(Reduction::remove));
    }
    let mut names: Vec<_> = by_name.into_iter().collect();
    names.sort_by(|(a, _), (b, _)| a.cmp(b));
    let calls = calls(tree);
    for (name, functions) in names {
        let uses = functions
            .iter()
            .chain(calls.get(&name).into_iter().flatten());
        let uses: Vec<_> = uses.collect();
        let arity = functions.iter().map(Vec::len).max().unwrap_or(0);
        for place in 0..arity {
            let ranges = uses.iter().filter_map(|list| list.get(place)).cloned();
            let together = ranges.fold(Reduction::default(), Reduction::and_remove);
            if together.changes.len() > 1 {
                reductions.push(together);
            }
        }
    }
    reductions.sort_by_key(Reduction::start);
    reductions
}

/// The arguments of calls and method calls, by the name of what is called.
fn calls(tree: &Tree<'_>) -> HashMap<String, Vec<Vec<Range<usize>>>> {
    let mut calls: HashMap<String, Vec<_>> = HashMap::new();
    for expr in walk::exprs(tree) {
        let (name, args) = match expr {
            Expr::Call(call) => {
                let Expr::Path(func) = &*call.func else {
                    continue;
                };
                let Some(last) = func.path.segments.last() else {
                    continue;
                };
                (&last.ident, &call.args)
            }
            Expr::MethodCall(call) => (&call.method, &call.args),
            _ => continue,
        };
        calls
            .entry(name.to_string())
            .or_default()
            .push(tree.elements(args));
    }
    calls
}

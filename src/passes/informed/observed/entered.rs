//! Blocks whose heads bind variables of known values: a loop, as it is run the last time, an `if let`, the arm of
//! a `match`, a function or a closure that the test leads to. The block alone is run, with these values.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use quote::ToTokens;
use syn::{Block, Expr, Pat};

use crate::passes::item::inline_into_test::{Frame, Variable, frames};
use crate::rust::patchwork::Patchwork;
use crate::rust::switches::shapes::bound_variables;
use crate::rust::{ObservedValue, Reduction, Sources, StandIn, Tree};
use crate::source::mentioned;

/// The blocks that can be run alone.
pub(crate) struct Entered {
    /// The places of variables that heads bind, by their file.
    variables: HashSet<(usize, Range<usize>)>,
    /// For each block its file and the edit that leaves it alone.
    pub(crate) edits: Vec<(usize, Reduction)>,
}

/// A block with a head, by places in the text.
struct Scope {
    /// The expression that it is a part of.
    whole: Range<usize>,
    /// What stands between its braces.
    inside: Range<usize>,
    /// All names that the head binds.
    bound: Vec<Range<usize>>,
    /// Those that the block uses.
    variables: Vec<Variable>,
}

impl Entered {
    /// The blocks in `sources` of which all variables that they use are `recorded` with a value that
    /// `written` can write.
    pub(crate) fn of(
        sources: &Sources,
        observed: &[ObservedValue],
        written: impl Fn(&ObservedValue) -> Option<String>,
    ) -> Self {
        let mut entered = Entered { variables: HashSet::new(), edits: Vec::new() };
        for (file, source) in sources.files.iter().enumerate() {
            let here = observed.iter().filter(|value| value.file == file);
            let observed: HashMap<&Range<usize>, &ObservedValue> =
                here.map(|value| (&value.range, value)).collect();
            if observed.is_empty() {
                continue;
            }
            let known = |name: &Range<usize>| observed.get(name).and_then(|value| written(value));
            // A file that is not made of tokens has none. To write a value is to parse, too, which does not go
            // while the tree is looked at.
            let look = |tree: &Tree<'_>| (scopes(tree), frames(tree));
            let (scopes, frames) =
                Tree::with(&source.text, StandIn::Panic, look).unwrap_or_default();
            let edits = scopes.iter().filter_map(|scope| scope.alone(&source.text, known)).chain(
                frames.iter().filter_map(|frame| entered_by_test(frame, &source.text, known)),
            );
            entered.edits.extend(edits.map(|edit| (file, edit)));
            let bound = scopes.into_iter().flat_map(|scope| scope.bound);
            entered.variables.extend(bound.map(|name| (file, name)));
        }
        entered
    }

    /// Whether the variable of a head is named there.
    pub(crate) fn binds(&self, file: usize, place: &Range<usize>) -> bool {
        self.variables.contains(&(file, place.clone()))
    }
}

impl Scope {
    fn new(tree: &Tree<'_>, whole: &Expr, pattern: &Pat, block: &Block) -> Self {
        let bound = bound_variables(pattern).into_iter();
        Scope {
            whole: tree.range(whole),
            inside: tree.inside(&block.brace_token.span),
            bound: bound.map(|variable| tree.range(&variable.ident)).collect(),
            variables: Variable::used(tree, pattern, &mentioned(block.to_token_stream())),
        }
    }

    /// The edit that leaves it alone, if all that it uses is `known`.
    fn alone(
        &self,
        text: &str,
        known: impl Fn(&Range<usize>) -> Option<String>,
    ) -> Option<Reduction> {
        let mut alone = Patchwork::of(text);
        alone.push("{ ");
        bind(&self.variables, text, known, &mut alone)?;
        alone.copy(self.inside.clone());
        alone.push(" }");
        Some(alone.instead_of(self.whole.clone(), Reduction::default()))
    }
}

/// The edit that lets the test run a function, if all that this uses is `known`.
fn entered_by_test(
    frame: &Frame,
    text: &str,
    known: impl Fn(&Range<usize>) -> Option<String>,
) -> Option<Reduction> {
    let mut lets = Patchwork::of(text);
    bind(&frame.variables, text, known, &mut lets)?;
    Some(frame.instead_of_test(lets))
}

/// Adds a `let` for each of the variables, if all of them are `known`. Without any, the block alone is what passes
/// propose.
fn bind(
    variables: &[Variable],
    text: &str,
    known: impl Fn(&Range<usize>) -> Option<String>,
    lets: &mut Patchwork<'_>,
) -> Option<()> {
    variables.first()?;
    for Variable { name, is_mutable } in variables {
        lets.push(if *is_mutable { "let mut " } else { "let " });
        lets.push(&text[name.clone()]);
        lets.push(" = ");
        lets.push(&known(name)?);
        lets.push("; ");
    }
    Some(())
}

/// All blocks with heads that bind something, outer ones first.
fn scopes(tree: &Tree<'_>) -> Vec<Scope> {
    let mut scopes = Vec::new();
    for expr in tree.exprs() {
        let mut add = |pattern: &Pat, block: &Block| {
            scopes.push(Scope::new(tree, expr, pattern, block));
        };
        match expr {
            Expr::ForLoop(repeated) => add(&repeated.pat, &repeated.body),
            Expr::While(repeated) => {
                if let Expr::Let(condition) = &*repeated.cond {
                    add(&condition.pat, &repeated.body);
                }
            }
            Expr::If(choice) => {
                if let Expr::Let(condition) = &*choice.cond {
                    add(&condition.pat, &choice.then_branch);
                }
            }
            Expr::Match(choice) => {
                for arm in &choice.arms {
                    if let Expr::Block(body) = &*arm.body {
                        add(&arm.pat, &body.block);
                    }
                }
            }
            _ => {}
        }
    }
    scopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;
    use crate::rust::testing::sources_of;

    /// What is made of `text` where its variables `a` and `b` are 1 and 2.
    fn entered(text: &str) -> Vec<String> {
        let observed = ["a", "b"].iter().zip(["1", "2"]).flat_map(|(name, value)| {
            let places = text.match_indices(name);
            places.map(|(start, _)| ObservedValue {
                file: 0,
                range: start..start + 1,
                type_name: "u8".to_owned(),
                text: value.to_owned(),
            })
        });
        let observed: Vec<ObservedValue> = observed.collect();
        let found = Entered::of(&sources_of(text), &observed, |value| Some(value.text.clone()));
        found.edits.iter().map(|(_, edit)| apply(text, [edit])).collect()
    }

    #[test]
    fn the_block_is_run_with_what_its_head_has_bound() {
        for (before, after) in [
            ("fn f() { for (i, a) in g() { h(a) } }", "fn f() { { let a = 1; h(a) } }"),
            (
                "fn f() { while let Some((mut a, b)) = g() { a -= b; } }",
                "fn f() { { let mut a = 1; let b = 2; a -= b; } }",
            ),
            (
                "fn f() { if let S { a, .. } = g() { h(a) } else { i() } }",
                "fn f() { { let a = 1; h(a) } }",
            ),
            ("fn f() { match g() { S(b) => { h(b) } _ => {} } }", "fn f() { { let b = 2; h(b) } }"),
        ] {
            let left = entered(before).into_iter();
            let left: Vec<String> =
                left.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
            assert_eq!(left, [after]);
        }
    }

    #[test]
    fn the_test_runs_what_it_led_to() {
        for (before, after) in [
            (
                "fn f(a: u8) -> S { g(a); S } #[test] fn t() { f(h()); }",
                "fn f(a: u8) -> S {panic!(\"removed\")} #[test] fn t() {let a = 1;  g(a); }",
            ),
            (
                "fn f() -> F { |a, _| { g(a); } } #[test] fn t() { f()(h(), 1); }",
                "fn f() -> F { |a, _| {panic!(\"removed\")} } #[test] fn t() {let a = 1;  g(a); }",
            ),
        ] {
            assert_eq!(entered(before), [after]);
        }
    }

    #[test]
    fn what_is_not_known_or_not_used_stays() {
        assert!(entered("fn f() { for (c, a) in g() { h(a, c) } }").is_empty());
        assert!(entered("fn f() { for a in g() { h() } }").is_empty());
    }
}

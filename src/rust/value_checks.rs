//! Checks of the values with which a statement fails: an `if` or `while` that compares one of them before it is used
//! or changed. Where such a check is wrong the code fails in the same way without it, and nobody sees why.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::visit::Visit;
use syn::{Block, Expr, Local, Member, Stmt};

use super::free_functions::outermost_function;
use super::literals_of::is_part;
use super::scan;
use super::{Reduction, Sources, StandIn, Tree};
use crate::reduce::RangeExt;
use crate::source::Strength;

/// So far the values that a statement works with are followed through variables.
const LEVELS: usize = 2;
/// What leaves the block in which it stands.
const JUMPS: [&str; 3] = ["return", "break", "continue"];

/// A check of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueCheck {
    /// The place of its file.
    pub file: usize,
    /// The whole `if`, where that only leaves; else its head, with the condition; or the `let` of what it compares.
    pub range: Range<usize>,
    /// The last statement that uses or changes the value behind the check: without that there is nothing to check.
    pub guarded: Range<usize>,
}

/// Values by their names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Names {
    variables: BTreeSet<String>,
    fields: BTreeSet<String>,
}

/// The checks in `sources` of the values with which the expression at a place of them fails: a file and a byte.
pub fn value_checks(sources: &Sources, (file, offset): (usize, usize)) -> Vec<ValueCheck> {
    let text = &sources.files[file].text;
    let Some(function) = outermost_function(text, &(offset..offset + 1)) else {
        return Vec::new();
    };
    let place = offset - function.start;
    let look = |tree: &Tree<'_>| Names::of_expr_at(tree, place);
    let names = Tree::with(&text[function.clone()], StandIn::Panic, look);
    let Some(names) = names.ok().flatten() else { return Vec::new() };
    let mut found = Vec::new();
    for (other, source) in sources.files.iter().enumerate() {
        let has_field = || names.fields.iter().any(|name| source.text.contains(name));
        if other != file && !has_field() {
            continue;
        }
        let own = (other == file).then_some(&function);
        let look = |tree: &Tree<'_>| checks_in(tree, other, &names, own);
        found.extend(Tree::with(&source.text, StandIn::Panic, look).unwrap_or_default());
    }
    found
}

/// Whether a reduction of a text takes something from the check at `range`, and leaves what it guards.
pub fn changes_check(
    text: &str,
    range: &Range<usize>,
    guarded: &Range<usize>,
    reduction: &Reduction,
) -> bool {
    let takes_guarded = || reduction.changes.iter().any(|change| change.range.covers(guarded));
    let now = reduction.text_over(text, range).filter(|_| !takes_guarded());
    let all =
        |text: &str| scan::tokens(text).map(|token| token.text.to_owned()).collect::<Vec<_>>();
    now.is_some_and(|now| !is_part(&said(&text[range.clone()]), &all(&now)))
}

/// The tokens of the head of a check, and where it leaves.
fn said(text: &str) -> Vec<String> {
    let mut is_head = true;
    let said = scan::tokens(text).filter(|token| {
        is_head = is_head && token.text != "{";
        is_head || JUMPS.contains(&token.text)
    });
    said.map(|token| token.text.to_owned()).collect()
}

impl<'a> Visit<'a> for Names {
    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        let name = path.path.get_ident().map(ToString::to_string);
        let is_variable =
            |name: &String| name != "self" && name.starts_with(|it: char| !it.is_uppercase());
        self.variables.extend(name.filter(is_variable));
    }

    fn visit_expr_field(&mut self, field: &'a syn::ExprField) {
        if let Member::Named(name) = &field.member {
            self.fields.insert(name.to_string());
        }
        self.visit_expr(&field.base);
    }
}

impl Names {
    /// The names of the values of the expression at a place of a function.
    fn of_expr_at(tree: &Tree<'_>, place: usize) -> Option<Self> {
        let around = tree.exprs().filter(|expr| {
            let range = tree.range(*expr);
            range.contains(&place) && !tree.text[range].contains('{')
        });
        let expr = around.max_by_key(|expr| tree.range(*expr).len())?;
        // What is assigned is not what fails.
        let expr = match expr {
            Expr::Assign(assign) if tree.range(&*assign.left).contains(&place) => &*assign.left,
            expr => expr,
        };
        let mut names = Names::of(|new| new.visit_expr(expr));
        for _ in 0..LEVELS {
            let lets = tree.lets_before(place, |name| names.variables.contains(name));
            let values: Vec<&Expr> = lets.filter_map(|it| Some(&*it.init.as_ref()?.expr)).collect();
            let short = values.into_iter().filter(|value| !tree.text_of(*value).contains('{'));
            short.for_each(|value| names.visit_expr(value));
        }
        Some(names)
    }

    fn of(visit: impl FnOnce(&mut Self)) -> Self {
        let mut names = Names::default();
        visit(&mut names);
        names
    }

    /// Whether some are among these, too.
    fn are_among(&self, others: &Names) -> bool {
        !self.variables.is_disjoint(&others.variables) || !self.fields.is_disjoint(&others.fields)
    }
}

/// The checks of a file. In the function `own` stands what fails.
fn checks_in(
    tree: &Tree<'_>,
    file: usize,
    names: &Names,
    own: Option<&Range<usize>>,
) -> Vec<ValueCheck> {
    let mut found = Vec::new();
    for (_, function) in tree.functions() {
        let whole = tree.range(function);
        let is_own = own.is_some_and(|own| own.covers(&whole));
        let text = &tree.text[whole.clone()];
        if !is_own && !names.fields.iter().any(|name| text.contains(name)) {
            continue;
        }
        let local = names.of_function(tree, function, is_own);
        for block in tree.blocks().filter(|block| whole.covers(&tree.range(*block))) {
            for Guarding { parts, guarded } in guarding(tree, block, &local) {
                let check = |range| ValueCheck { file, range, guarded: guarded.clone() };
                found.extend(parts.into_iter().map(check));
            }
        }
    }
    found
}

impl Names {
    /// The fields, and the variables of a function by which they are known there; with its other ones, if it is the one that
    /// fails.
    fn of_function(&self, tree: &Tree<'_>, function: &Block, is_own: bool) -> Self {
        let mut names = Names { variables: BTreeSet::new(), fields: self.fields.clone() };
        let whole = tree.range(function);
        for block in tree.blocks().filter(|block| whole.covers(&tree.range(*block))) {
            for it in tree.lets(block) {
                let value = it.local.init.as_ref().map(|init| &*init.expr);
                let is_field = value.is_some_and(|value| {
                    matches!(value, Expr::Field(_))
                        && names.are_among(&Names::of(|new| new.visit_expr(value)))
                });
                let variables = it.variables.iter().filter(|_| is_field);
                names.variables.extend(variables.map(|(name, _)| (*name).to_owned()));
            }
        }
        if is_own {
            names.variables.extend(self.variables.iter().cloned());
        }
        names
    }
}

/// A check among the statements of a block: the variables that it compares, it, and what it guards.
struct Guarding {
    parts: Vec<Range<usize>>,
    guarded: Range<usize>,
}

/// The checks among the statements of a block.
fn guarding(tree: &Tree<'_>, block: &Block, names: &Names) -> Vec<Guarding> {
    let mut found = Vec::new();
    for (place, statement) in block.stmts.iter().enumerate() {
        let Stmt::Expr(expr, _) = statement else { continue };
        let (condition, body, otherwise) = match expr {
            Expr::If(it) => (&*it.cond, &it.then_branch, it.else_branch.as_ref()),
            Expr::While(it) => (&*it.cond, &it.body, None),
            _ => continue,
        };
        let compared = Names::of(|new| new.visit_expr(condition));
        if !compares(condition) || !is_plain(condition) || !names.are_among(&compared) {
            continue;
        }
        let whole = tree.range(expr);
        let only_leaves = matches!(expr, Expr::If(_)) && otherwise.is_none() && leaves(body);
        let otherwise = match otherwise.map(|(_, otherwise)| &**otherwise) {
            Some(Expr::Block(it)) => &it.block.stmts[..],
            _ => &[],
        };
        let behind = if only_leaves { &block.stmts[place + 1..] } else { &body.stmts };
        let mut uses = behind.iter().chain(otherwise).rev();
        let is_use = |it: &&Stmt| names.are_among(&Names::of(|new| new.visit_stmt(it)));
        let Some(guarded) = uses.find(is_use).map(|it| tree.range(it)) else { continue };
        let lets = tree.lets_before(whole.start, |name| compared.variables.contains(name));
        let is_plain_let =
            |local: &&Local| local.init.as_ref().is_some_and(|it| is_plain(&it.expr));
        let mut parts: Vec<Range<usize>> =
            lets.filter(is_plain_let).map(|local| tree.range(local)).collect();
        let end = if only_leaves { whole.end } else { tree.range(condition).end };
        parts.push(whole.start..end);
        found.push(Guarding { parts, guarded });
    }
    found
}

/// Whether a condition compares something.
fn compares(condition: &Expr) -> bool {
    match condition {
        Expr::Binary(it) => {
            Strength::of_operator(it.op) == Strength::Compare
                || compares(&it.left)
                || compares(&it.right)
        }
        Expr::Unary(it) => compares(&it.expr),
        Expr::Paren(it) => compares(&it.expr),
        _ => false,
    }
}

/// Whether an expression calls nothing that it gives something, and binds nothing.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Binary(it) => is_plain(&it.left) && is_plain(&it.right),
        Expr::Index(it) => is_plain(&it.expr) && is_plain(&it.index),
        Expr::Unary(it) => is_plain(&it.expr),
        Expr::Paren(it) => is_plain(&it.expr),
        Expr::Field(it) => is_plain(&it.base),
        Expr::Reference(it) => is_plain(&it.expr),
        Expr::Cast(it) => is_plain(&it.expr),
        Expr::MethodCall(it) => it.args.is_empty() && is_plain(&it.receiver),
        _ => false,
    }
}

/// Whether a block ends by leaving what is around it.
fn leaves(block: &Block) -> bool {
    let last = block.stmts.last();
    last.is_some_and(|last| {
        matches!(last, Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{range_of, sources_of, without};

    const TEXT: &str = "impl P { fn param(&mut self, byte: u8) { if byte == b';' { let idx = self.count; \
                        if idx == MOST { log(); return; } self.params[idx] = self.param; self.count += 1; self.other = 0; } \
                        else if self.other > 3 { self.other = 1; } } \
                        fn end(&mut self, n: usize) { let at = self.count; if n > 3 { return; } if at < self.limit() { self.find(n); self.params[at] = self.param; } \
                        while self.count + 1 < at { self.idle(); } if self.is(at) { return; } self.params[at] = 0; } \
                        fn other(at: usize) { if at > 7 { return; } g(at); } }";

    fn found() -> Vec<ValueCheck> {
        let failing = TEXT.find("self.params[at]").unwrap();
        value_checks(&sources_of(TEXT), (0, failing))
    }

    #[test]
    fn an_if_that_compares_a_value_before_it_is_used_or_changed_checks_it() {
        let found = found();
        let texts: Vec<(&str, &str)> =
            found.iter().map(|it| (&TEXT[it.range.clone()], &TEXT[it.guarded.clone()])).collect();
        assert_eq!(
            texts,
            [
                ("let idx = self.count;", "self.count += 1;"),
                ("if idx == MOST { log(); return; }", "self.count += 1;"),
                ("let at = self.count;", "self.params[at] = self.param;"),
                ("if at < self.limit()", "self.params[at] = self.param;"),
            ]
        );
    }

    #[test]
    fn a_check_stays_as_long_as_what_it_guards() {
        let found = found();
        let changes = |check: &ValueCheck, parts: &[&str]| {
            changes_check(TEXT, &check.range, &check.guarded, &without(TEXT, parts))
        };
        for changed in [
            &["if idx == MOST { log(); return; }"][..],
            &[
                "{ let idx = self.count; if idx == MOST { log(); return; } self.params[idx] = self.param; ",
            ],
            &["return; } self.params[idx]"],
            &["== MOST"],
        ] {
            assert!(changes(&found[1], changed), "{changed:?}");
        }
        for free in [
            &["log(); "][..],
            &["self.params[idx] = self.param;"],
            &["if idx == MOST { log(); return; }", "self.count += 1;"],
            &[
                "if byte == b';' { let idx = self.count; if idx == MOST { log(); return; } self.params[idx] = self.param; self.count += 1; self.other = 0; } else",
            ],
        ] {
            assert!(!changes(&found[1], free), "{free:?}");
        }
        let value = |parts| changes(&found[0], parts);
        assert!(
            value(&["self.count; if idx"])
                && !value(&["self.count += 1;", "let idx = self.count;"])
        );
        assert!(changes(&found[3], &["if at < self.limit() { self.find(n); "]));
        assert!(!changes(&found[3], &["self.find(n); "]));
    }

    #[test]
    fn what_stands_behind_else_is_guarded_too() {
        let text = "const MOST: usize = 3; fn f(a: &[u8], i: usize) -> u8 { if a.len() == MOST { g() } if i > a.len() { 0 } else { a[i] } }";
        let found = value_checks(&sources_of(text), (0, text.find("a[i]").unwrap()));
        let texts: Vec<[&str; 2]> =
            found.iter().map(|it| [&text[it.range.clone()], &text[it.guarded.clone()]]).collect();
        assert_eq!(texts, [["if i > a.len()", "a[i]"]]);
    }

    #[test]
    fn what_is_assigned_is_not_checked() {
        let text = "fn f(a: &mut [u8], i: usize, n: u8) { if n > 3 { return; } let j = i - 1; if i > 4 { return; } a[j] = n; }";
        let found = value_checks(&sources_of(text), (0, text.find("a[j]").unwrap()));
        let ranges: Vec<Range<usize>> = found.into_iter().map(|it| it.range).collect();
        assert_eq!(ranges, [range_of(text, "if i > 4 { return; }")]);
    }
}

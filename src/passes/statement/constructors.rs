//! What is put together only to be taken apart.

use std::ops::Range;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMatch, Local, Member, Pat, PatIdent, Path, Token, UnOp};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::patchwork::Patchwork;
use crate::rust::{Reduction, Tree};
use crate::source::{ends_in, last_word};

/// Swaps a `match`, an `if let` or a `for` over a value that is written out for the body that is run, with
/// variables for what the pattern binds, and a part that is taken of such a value for that part.
pub(crate) const PASS: Pass = Pass {
    name: "constructors",
    about: "simplify matches on values that are written out",
    tier: Tier::Fine,
    effect: Effect::Quiet,
    before: "fn f() { match Some((g(), 1)) { Some((a, _)) => h(a), None => {} } }",
    after: "fn f() { { let a = g(); h(a) } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let exprs = tree.exprs();
    let of_exprs = exprs.flat_map(|expr| match expr {
        Expr::Match(choice) => arms(tree, choice),
        _ => { scope(tree, expr).or_else(|| part(tree, expr)) }.into_iter().collect(),
    });
    let of_locals = tree.locals().filter_map(|local| unpacked(tree, local));
    of_exprs.chain(of_locals).collect()
}

/// A variable, or what else a pattern binds without a condition, and its value.
struct Binding<'t> {
    pattern: &'t Pat,
    value: &'t Expr,
    /// Whether the variable refers to the value.
    is_reference: bool,
}

/// What `pattern` binds where it is matched with `value`; `None` where that cannot be told.
fn bindings<'t>(pattern: &'t Pat, value: &'t Expr) -> Option<Vec<Binding<'t>>> {
    let mut found = Vec::new();
    bind(pattern, value, false, &mut found)?;
    Some(found)
}

fn bind<'t>(
    pattern: &'t Pat,
    value: &'t Expr,
    is_reference: bool,
    found: &mut Vec<Binding<'t>>,
) -> Option<()> {
    match (pattern, value) {
        (Pat::Wild(_), _) => {}
        (Pat::Paren(pattern), _) => bind(&pattern.pat, value, is_reference, found)?,
        (_, Expr::Paren(value)) => bind(pattern, &value.expr, is_reference, found)?,
        (Pat::Reference(pattern), Expr::Reference(value)) => {
            bind(&pattern.pat, &value.expr, false, found)?;
        }
        (Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Tuple(_), Expr::Reference(value)) => {
            bind(pattern, &value.expr, true, found)?;
        }
        (Pat::TupleStruct(pattern), Expr::Call(value)) => {
            is_named(&pattern.path, &value.func)?;
            bind_all(&pattern.elems, &value.args, is_reference, found)?;
        }
        (Pat::Tuple(pattern), Expr::Tuple(value)) => {
            bind_all(&pattern.elems, &value.elems, is_reference, found)?;
        }
        (Pat::Slice(pattern), Expr::Array(value)) => {
            bind_all(&pattern.elems, &value.elems, is_reference, found)?;
        }
        (Pat::Struct(pattern), Expr::Struct(value)) => {
            is_last(&pattern.path, &value.path)?;
            for field in &pattern.fields {
                let mut values = value.fields.iter();
                let value = values.find(|value| value.member == field.member)?;
                bind(&field.pat, &value.expr, is_reference, found)?;
            }
        }
        (Pat::Path(pattern), _) => is_named(&pattern.path, value)?,
        (Pat::Lit(pattern), Expr::Lit(value)) => {
            let texts = [pattern.to_token_stream(), value.to_token_stream()];
            let [one, other] = texts.map(|tokens| tokens.to_string());
            (one == other).then_some(())?;
        }
        (Pat::Ident(pattern), _) if is_constant(&pattern.ident.to_string()) => {
            let Expr::Path(path) = value else { return None };
            let last = path.path.segments.last()?;
            (last.ident == pattern.ident).then_some(())?;
        }
        (Pat::Ident(PatIdent { subpat: None, .. }), _) | (Pat::Tuple(_), Expr::Path(_)) => {
            found.push(Binding { pattern, value, is_reference });
        }
        _ => return None,
    }
    Some(())
}

fn bind_all<'t>(
    patterns: &'t Punctuated<Pat, Token![,]>,
    values: &'t Punctuated<Expr, Token![,]>,
    is_reference: bool,
    found: &mut Vec<Binding<'t>>,
) -> Option<()> {
    let rest = patterns.iter().position(|pattern| matches!(pattern, Pat::Rest(_)));
    let skipped = match rest {
        Some(_) => (values.len() + 1).checked_sub(patterns.len())?,
        None if patterns.len() == values.len() => 0,
        None => return None,
    };
    for (place, pattern) in patterns.iter().enumerate() {
        let is_behind = rest.is_some_and(|rest| rest < place);
        if rest == Some(place) {
            continue;
        }
        let place = if is_behind { place + skipped - 1 } else { place };
        bind(pattern, values.get(place)?, is_reference, found)?;
    }
    Some(())
}

fn is_named(path: &Path, value: &Expr) -> Option<()> {
    match value {
        Expr::Path(value) => is_last(path, &value.path),
        _ => None,
    }
}

fn is_last(one: &Path, other: &Path) -> Option<()> {
    (last_word(one)? == last_word(other)?).then_some(())
}

/// Whether a name in a pattern is one of a constant or a variant.
fn is_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The bodies of a `match` that the value leads to.
fn arms(tree: &Tree<'_>, choice: &ExprMatch) -> Vec<Reduction> {
    let arms = choice.arms.iter().filter_map(|arm| {
        let bound = bindings(&arm.pat, &choice.expr)?;
        with_variables(tree, &bound, tree.range(choice), &arm.body)
    });
    arms.collect()
}

/// The body of an `if let` whose pattern matches, or of a `for` that is run once.
fn scope(tree: &Tree<'_>, expr: &Expr) -> Option<Reduction> {
    let (bound, body) = match expr {
        Expr::If(choice) => {
            let Expr::Let(condition) = &*choice.cond else { return None };
            let bound = bindings(&condition.pat, &condition.expr)?;
            (bound, &choice.then_branch)
        }
        Expr::ForLoop(repeated) => {
            let bound = Binding {
                pattern: &repeated.pat,
                value: only(&repeated.expr)?,
                is_reference: false,
            };
            (vec![bound], &repeated.body)
        }
        _ => return None,
    };
    let body = tree.range(body);
    let inside = body.start + 1..body.end;
    in_scope(tree, &bound, tree.range(expr), inside, "")
}

/// The body of an arm that stands for `whole`, with the variables.
fn with_variables(
    tree: &Tree<'_>,
    bound: &[Binding<'_>],
    whole: Range<usize>,
    body: &Expr,
) -> Option<Reduction> {
    let range = tree.range(body);
    match body {
        Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
            in_scope(tree, bound, whole, range.start + 1..range.end, "")
        }
        _ => in_scope(tree, bound, whole, range, " }"),
    }
}

/// A part of the body, up to its end, with the variables before it, and after it what closes them.
fn in_scope(
    tree: &Tree<'_>,
    bound: &[Binding<'_>],
    whole: Range<usize>,
    body: Range<usize>,
    close: &str,
) -> Option<Reduction> {
    // Without any, the body alone is what another pass proposes.
    if bound.is_empty() {
        return None;
    }
    let lets = lets(tree, "{ ", bound);
    let closed = Reduction::replace(body.end..whole.end, close);
    Some(lets.instead_of(whole.start..body.start, closed))
}

/// A `let` for each variable of one that binds several.
fn unpacked(tree: &Tree<'_>, local: &Local) -> Option<Reduction> {
    let init = local.init.as_ref()?;
    if matches!(&local.pat, Pat::Ident(_)) {
        return None;
    }
    let bound = bindings(&local.pat, &init.expr)?;
    let lets = lets(tree, "", &bound);
    Some(lets.instead_of(tree.range(local), Reduction::default()))
}

/// The only element of what is gone through.
fn only(values: &Expr) -> Option<&Expr> {
    match values {
        Expr::Paren(values) => only(&values.expr),
        Expr::Array(array) if array.elems.len() == 1 => array.elems.first(),
        Expr::MethodCall(call) if call.method == "into_iter" => only(&call.receiver),
        _ => wrapped(values, &["Some", "Ok", "once"]),
    }
}

/// The argument of a call of one of these.
fn wrapped<'t>(value: &'t Expr, names: &[&str]) -> Option<&'t Expr> {
    let Expr::Call(call) = value else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let is_one = names.iter().any(|name| ends_in(&path.path, name)) && call.args.len() == 1;
    call.args.first().filter(|_| is_one)
}

/// The part that is taken of a value that is written out.
fn part(tree: &Tree<'_>, expr: &Expr) -> Option<Reduction> {
    let part = match expr {
        Expr::Field(field) => member(&field.base, &field.member),
        Expr::Index(indexed) => element(&indexed.expr, &indexed.index),
        Expr::Unary(unary) => match (&unary.op, &*unary.expr) {
            (UnOp::Deref(_), Expr::Reference(reference)) => Some(&*reference.expr),
            _ => None,
        },
        Expr::MethodCall(call) => wrapped(&call.receiver, &["Some", "Ok", "Err"]),
        Expr::Try(tried) => wrapped(&tried.expr, &["Some", "Ok"]),
        _ => None,
    };
    Some(Reduction::keep(tree.range(expr), tree.range(part?)))
}

fn member<'t>(value: &'t Expr, member: &Member) -> Option<&'t Expr> {
    match (value, member) {
        (Expr::Paren(value), _) => self::member(&value.expr, member),
        (Expr::Tuple(tuple), Member::Unnamed(index)) => tuple.elems.get(index.index as usize),
        (Expr::Call(call), Member::Unnamed(index)) => call.args.get(index.index as usize),
        (Expr::Struct(value), _) => {
            let mut fields = value.fields.iter();
            fields.find(|field| field.member == *member).map(|field| &field.expr)
        }
        _ => None,
    }
}

fn element<'t>(value: &'t Expr, index: &Expr) -> Option<&'t Expr> {
    let (Expr::Array(array), Expr::Lit(index)) = (value, index) else { return None };
    match &index.lit {
        syn::Lit::Int(index) => array.elems.get(index.base10_parse().ok()?),
        _ => None,
    }
}

/// A `let` for each variable, behind what stands before them.
fn lets<'t>(tree: &'t Tree<'_>, before: &str, bound: &[Binding<'_>]) -> Patchwork<'t> {
    let mut lets = Patchwork::of(tree.text);
    lets.push(before);
    for binding in bound {
        lets.push("let ");
        lets.copy(tree.range(binding.pattern));
        lets.push(if binding.is_reference { " = &" } else { " = " });
        lets.copy(tree.range(binding.value));
        lets.push("; ");
    }
    lets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes};

    fn in_body(before: &str, after: &str) {
        let function = |body: &str| format!("fn f() {{ {body} }}");
        proposes(propose, &function(before), &function(after));
    }

    #[test]
    fn the_arm_that_matches_is_run_with_what_it_binds() {
        in_body(
            "match Some((1,)) { Some(item) => { g(item.0); } _ => {} }",
            "{ let item = (1,); g(item.0); }",
        );
        in_body(
            "h(match (&A { b: g(), c: 1 }) { A { b, .. } => b + 1 })",
            "h({ let b = &g(); b + 1 })",
        );
        in_body(
            "if let (1, [mut a, .., b]) = (1, [g(), 2, 3]) { h(a, b) } else { i() }",
            "{ let mut a = g(); let b = 3; h(a, b) }",
        );
    }

    #[test]
    fn another_arm_is_not() {
        let text = "fn f() { match A::B(1) { C(a) => g(a), B(2) => h(), None => i() } }";
        assert_eq!(lines(propose, text), [""; 0]);
    }

    #[test]
    fn a_loop_over_one_element_is_run_once() {
        in_body("for a in Some(g()) { h(a) }", "{ let a = g(); h(a) }");
        in_body("for (a, b) in [c].into_iter() { h(a) }", "{ let (a, b) = c; h(a) }");
    }

    #[test]
    fn variables_get_their_own_values() {
        in_body("let (a, (b, _)) = (g(), (1, h())); i()", "let a = g(); let b = 1; i()");
        in_body("let Some(a) = Some(1) else { return }; i()", "let a = 1; i()");
    }

    #[test]
    fn a_part_stands_for_the_whole() {
        for (before, after) in [
            ("(1, g()).1", "g()"),
            ("&A { b: c }.b[d..];", "&c[d..];"),
            ("(A { b: 1 }).b", "1"),
            ("A(1, 2).0", "1"),
            ("[1, 2][1]", "2"),
            ("*&g()", "g()"),
            ("Some(1).unwrap_or(2)", "1"),
            ("Ok(1)?", "1"),
        ] {
            in_body(before, after);
        }
    }
}

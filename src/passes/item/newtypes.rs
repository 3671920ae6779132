//! Structs around a single field.

use std::ops::Range;

use syn::{Expr, Ident, ImplItem, Item, ItemStruct, Stmt, Type};

use crate::passes::{Effect, Pass, Tier};
use crate::reduce::RangeExt;
use crate::rust::patchwork::Patchwork;
use crate::rust::{Reduction, Tree};
use crate::source::{last_word, types_in};

/// Removes a struct around a single field, with its inherent impls: the type of the field stands in the place of the
/// type, with the argument of a generic one, and what it is made of in the place of the value, also where a function
/// without parameters makes that.
pub(crate) const PASS: Pass = Pass {
    name: "newtypes",
    about: "unwrap structs that have a single field",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "struct S<A> { a: A } fn f(x: S<u8>) { S { a: x.a }; }",
    after: "fn f(x: u8) { x; }",
    propose,
};

/// So many accesses of a field of that name are taken to be of this struct.
const MOST_ACCESSES: usize = 256;

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    tree.items()
        .filter_map(|item| match item {
            Item::Struct(item) => unwrap(tree, item),
            _ => None,
        })
        .collect()
}

fn unwrap(tree: &Tree<'_>, item: &ItemStruct) -> Option<Reduction> {
    let mut fields = item.fields.iter();
    let (Some(field), None) = (fields.next(), fields.next()) else { return None };
    let mut parameters = item.generics.type_params();
    let (parameter, None) = (parameters.next(), parameters.next()) else { return None };
    let inner = inner_type(tree, &field.ty, parameter.map(|it| &it.ident))?;
    let mut reduction = Reduction::remove(tree.range(item));
    let name = &item.ident;
    for other in tree.inherent_impls(name) {
        reduction = reduction.and_remove(tree.range(other));
    }
    for ty in tree.types_named(name) {
        let argument = argument(ty).map(|argument| tree.range(argument));
        if let Some(text) = with_argument(tree, &inner, argument.as_ref()) {
            reduction = text.instead_of(tree.range(ty), reduction);
        }
    }
    for expr in tree.calls_through(name).chain(tree.literals_of(name)) {
        reduction = match (made_of(expr), made_by(tree, name, expr)) {
            (Some(value), _) => reduction.and_keep(tree.range(expr), tree.range(value)),
            (None, Some(value)) => tree.replace_expr(reduction, tree.range(expr), value),
            (None, None) => reduction,
        };
    }
    let field = field.ident.as_ref().map_or("0".to_owned(), ToString::to_string);
    for expr in tree.accesses_of(&field).take(MOST_ACCESSES) {
        if let Expr::Field(access) = expr {
            reduction = reduction.and_keep(tree.range(expr), tree.range(&access.base));
        }
    }
    Some(reduction)
}

/// A part of the text of a type.
enum Part {
    /// As it stands there.
    Copy(Range<usize>),
    /// The argument for a parameter.
    Argument,
}

/// The type of the only field, in which the parameter of the struct stands for an argument.
fn inner_type(tree: &Tree<'_>, ty: &Type, parameter: Option<&Ident>) -> Option<Vec<Part>> {
    let mentions = parameter.map_or_else(Vec::new, |parameter| tree.mentions(ty, parameter));
    let mut parts = Vec::new();
    for range in plain_type(tree, ty)? {
        let mut start = range.start;
        let is_inside = |it: &&Range<usize>| range.covers(it);
        for mention in mentions.iter().filter(is_inside) {
            parts.extend([Part::Copy(start..mention.start), Part::Argument]);
            start = mention.end;
        }
        parts.push(Part::Copy(start..range.end));
    }
    Some(parts)
}

/// The type with that argument, if it needs none or there is one.
fn with_argument<'t>(
    tree: &Tree<'t>,
    parts: &[Part],
    argument: Option<&Range<usize>>,
) -> Option<Patchwork<'t>> {
    let mut text = Patchwork::of(tree.text);
    for part in parts {
        text.copy(match part {
            Part::Copy(range) => range.clone(),
            Part::Argument => argument?.clone(),
        });
    }
    Some(text)
}

/// The parts of a field's type that name it anywhere: without the lifetime of a reference; `None` if that is not enough.
fn plain_type(tree: &Tree<'_>, ty: &Type) -> Option<Vec<Range<usize>>> {
    let whole = tree.range(ty);
    let (parts, rest) = match ty {
        Type::Reference(reference) => {
            let sign = tree.range(&reference.and_token);
            let rest =
                reference.mutability.map_or(tree.range(&reference.elem), |it| tree.range(&it));
            (vec![sign, rest.start..whole.end], rest.start..whole.end)
        }
        _ => (vec![whole.clone()], whole),
    };
    (!tree.text[rest].contains('\'')).then_some(parts)
}

/// `u8` of `S<u8>`.
fn argument(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let types = types_in(&path.path.segments.last()?.arguments);
    types.first().copied()
}

/// `x` of `S(x)`, of `S { a: x }`, of `S::new(x)`.
fn made_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Call(call) => call.args.last(),
        Expr::Struct(literal) => literal.fields.first().map(|field| &field.expr),
        _ => None,
    }
}

/// The value around which a function without parameters makes the struct: `x` of `fn new() -> S { S(x) }` for `S::new()`.
fn made_by<'t>(tree: &Tree<'t>, name: &Ident, expr: &Expr) -> Option<&'t Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(called) = &*call.func else { return None };
    let called = last_word(&called.path)?;
    let functions = tree.inherent_impls(name).flat_map(|block| match block {
        Item::Impl(block) => &block.items[..],
        _ => &[],
    });
    functions.into_iter().find_map(|function| match function {
        ImplItem::Fn(function) if function.sig.ident == *called => {
            match &function.block.stmts[..] {
                [Stmt::Expr(value, None)] => made_of(value),
                _ => None,
            }
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn a_plain_one_is_its_field() {
        proposes(
            propose,
            "struct T<'a> { v: &'a mut str } fn f<'b>(a: &'b mut str) -> R<&str, T<'b>> { Ok((a, T { v: a })) } fn g(t: T) { t.v.len() }",
            "fn f<'b>(a: &'b mut str) -> R<&str, &mut str> { Ok((a, a)) } fn g(t: &mut str) { t.len() }",
        );
        proposes(
            propose,
            "struct P(Vec<u8>); impl P { fn n(&self) {} } fn f(p: &P) { p.0.len(); P(vec![]) }",
            "fn f(p: &Vec<u8>) { p.len(); vec![] }",
        );
    }

    #[test]
    fn a_generic_one_is_its_field_with_the_argument() {
        proposes(
            propose,
            "struct T<A> { root: Box<N<A>> } struct M { t: T<u8> } impl<B> Tr for T<B> { fn f(t: &T<B>) { t.root.g() } }",
            "struct M { t: Box<N<u8>> } impl<B> Tr for Box<N<B>> { fn f(t: &Box<N<B>>) { t.g() } }",
        );
    }

    #[test]
    fn a_function_without_parameters_makes_it() {
        proposes(
            propose,
            "struct T { root: N } impl T { fn new() -> T { T { root: N::A } } } fn f() { T::new().root.g() }",
            "fn f() { N::A.g() }",
        );
    }

    #[test]
    fn a_type_that_holds_other_lifetimes_stays() {
        let text = "struct T<'a> { v: Cow<'a, str> } struct U<'a>(&'a [&'a str]); fn f(t: T) {}";
        assert_eq!(results(propose, text), [""; 0]);
    }
}

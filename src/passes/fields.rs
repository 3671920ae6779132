//! Fields of structs and variants.

use syn::{Expr, Fields, Item, Member, Pat};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a field alone and with its mentions in struct expressions and patterns, and all fields of a
/// type at once.
pub(super) const PASS: Pass = Pass {
    name: "fields",
    about: "remove fields with what fills them",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "struct S { a: u8, b: u8 } fn f() -> S { S { a: 1, b: 2 } }",
    after: "struct S { b: u8 } fn f() -> S { S { b: 2 } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for fields in walk::fields(tree) {
        match fields {
            Fields::Named(fields) => {
                for (field, range) in fields.named.iter().zip(tree.elements(&fields.named)) {
                    let alone = Reduction::remove(range);
                    let together = field
                        .ident
                        .as_ref()
                        .map(|name| with_mentions(tree, alone.clone(), name));
                    reductions.extend(together.filter(|together| *together != alone));
                    reductions.push(alone);
                }
            }
            Fields::Unnamed(fields) => {
                reductions.extend(
                    tree.elements(&fields.unnamed)
                        .into_iter()
                        .map(Reduction::remove),
                );
            }
            Fields::Unit => {}
        }
    }
    for item in walk::items(tree) {
        reductions.extend(tuple_fields(tree, item));
        reductions.extend(without_fields(tree, item));
    }
    for variant in walk::variants(tree) {
        if !variant.fields.is_empty() {
            reductions.push(Reduction::remove(tree.range(&variant.fields)));
        }
    }
    reductions
}

/// Removes the field `name` from struct expressions and patterns as well.
fn with_mentions(tree: &Tree<'_>, mut reduction: Reduction, name: &syn::Ident) -> Reduction {
    let is_named = |member: &Member| matches!(member, Member::Named(member) if member == name);
    for expr in walk::exprs(tree) {
        let Expr::Struct(expr) = expr else { continue };
        for (field, range) in expr.fields.iter().zip(tree.elements(&expr.fields)) {
            if is_named(&field.member) {
                reduction = reduction.and_remove(range);
            }
        }
    }
    for pattern in walk::patterns(tree) {
        let Pat::Struct(pattern) = pattern else {
            continue;
        };
        for (field, range) in pattern.fields.iter().zip(tree.elements(&pattern.fields)) {
            if is_named(&field.member) {
                reduction = reduction.and_remove(range);
            }
        }
    }
    reduction
}

/// Removes a field of a tuple struct with the arguments at its place.
fn tuple_fields(tree: &Tree<'_>, item: &Item) -> Vec<Reduction> {
    let Item::Struct(item) = item else {
        return Vec::new();
    };
    let Fields::Unnamed(fields) = &item.fields else {
        return Vec::new();
    };
    let is_it = |path: &syn::Path| {
        path.segments
            .last()
            .is_some_and(|last| last.ident == item.ident)
    };
    let mut reductions: Vec<Reduction> = tree
        .elements(&fields.unnamed)
        .into_iter()
        .map(Reduction::remove)
        .collect();
    for expr in walk::exprs(tree) {
        let Expr::Call(call) = expr else { continue };
        if matches!(&*call.func, Expr::Path(func) if is_it(&func.path)) {
            add_places(&mut reductions, tree.elements(&call.args));
        }
    }
    for pattern in walk::patterns(tree) {
        if let Pat::TupleStruct(pattern) = pattern
            && is_it(&pattern.path)
        {
            add_places(&mut reductions, tree.elements(&pattern.elems));
        }
    }
    reductions.retain(|reduction| reduction.changes.len() > 1);
    reductions
}

fn add_places(reductions: &mut [Reduction], places: Vec<std::ops::Range<usize>>) {
    for (reduction, place) in reductions.iter_mut().zip(places) {
        *reduction = std::mem::take(reduction).and_remove(place);
    }
}

/// Makes a struct a unit struct.
fn without_fields(tree: &Tree<'_>, item: &Item) -> Option<Reduction> {
    let Item::Struct(item) = item else {
        return None;
    };
    let range = tree.range(&item.fields);
    let is_named = matches!(item.fields, Fields::Named(_));
    (item.fields != Fields::Unit)
        .then(|| Reduction::replace(range, if is_named { ";" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply};

    #[test]
    fn a_field_of_a_tuple_struct_goes_with_its_argument() {
        let text = "struct S(u8, u16); fn f() { S(1, 2); }";
        let results = Tree::with(text, StandIn::Loop, |tree| {
            propose(tree)
                .iter()
                .map(|reduction| apply(text, [reduction]))
                .collect::<Vec<_>>()
        });
        let expected = "struct S( u16); fn f() { S( 2); }".to_owned();
        assert!(results.unwrap().contains(&expected));
    }

    #[test]
    fn a_struct_that_has_no_fields_needs_no_braces() {
        let texts = |text: &str| {
            let texts = |tree: &Tree<'_>| {
                let results = propose(tree)
                    .into_iter()
                    .map(|reduction| apply(text, [&reduction]));
                results.collect::<Vec<_>>()
            };
            Tree::with(text, StandIn::Loop, texts).unwrap()
        };
        assert_eq!(texts("struct S {}"), ["struct S ;"]);
        assert_eq!(texts("struct S();"), ["struct S;"]);
        assert!(texts("struct S;").is_empty());
    }
}

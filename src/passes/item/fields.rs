//! Fields of structs and variants.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Expr, Fields, Ident, Item, ItemStruct, Member, Pat, Path};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::names::last_word;
use crate::rust::{Reduction, Tree};

/// Removes a field alone and with its mentions in struct expressions and patterns, and all fields of a
/// type at once.
pub(crate) const PASS: Pass = Pass {
    name: "fields",
    about: "remove fields and their values",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "struct S { a: u8, b: u8 } fn f() -> S { S { a: 1, b: 2 } }",
    after: "struct S { b: u8 } fn f() -> S { S { b: 2 } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let (owners, mentions) = (owners(tree), mentions(tree));
    let mut reductions = Vec::new();
    for fields in tree.fields() {
        let list = match fields {
            Fields::Named(fields) => &fields.named,
            Fields::Unnamed(fields) => &fields.unnamed,
            Fields::Unit => continue,
        };
        let owner = owners.get(&tree.range(fields).start);
        for (field, range) in list.iter().zip(tree.elements(list)) {
            let alone = Reduction::remove(range);
            let key = field
                .ident
                .as_ref()
                .zip(owner)
                .map(|(name, owner)| (owner.to_string(), name.to_string()));
            if let Some(mentions) = key.and_then(|key| mentions.get(&key)) {
                let mentions = tree.counted(mentions).cloned();
                reductions.push(mentions.fold(alone.clone(), Reduction::and_remove));
            }
            reductions.push(alone);
        }
    }
    for item in tree.items() {
        reductions.extend(tuple_fields(tree, item));
        reductions.extend(without_fields(tree, item));
    }
    for variant in tree.variants() {
        if !variant.fields.is_empty() {
            reductions.push(Reduction::remove(tree.range(&variant.fields)));
        }
    }
    reductions
}

/// The names of structs, unions and variants by the places of their fields.
fn owners<'t>(tree: &Tree<'t>) -> HashMap<usize, &'t Ident> {
    let structs = tree.items().filter_map(|item| match item {
        Item::Struct(item) => Some((tree.range(&item.fields).start, &item.ident)),
        _ => None,
    });
    let variants = tree.variants();
    let variants = variants.map(|variant| (tree.range(&variant.fields).start, &variant.ident));
    structs.chain(variants).collect()
}

/// What fills or takes fields in struct expressions and patterns, by the name of the struct or variant and that of the
/// field.
fn mentions(tree: &Tree<'_>) -> HashMap<(String, String), Vec<Range<usize>>> {
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    let mut add = |path: &Path, member: &Member, range: Range<usize>| {
        let Some(owner) = last_word(path).map(ToString::to_string) else { return };
        let own = (owner == "Self").then(|| tree.self_name(range.start)).flatten();
        let owner = own.map_or(owner, ToOwned::to_owned);
        if let Member::Named(name) = member {
            found.entry((owner, name.to_string())).or_default().push(range);
        }
    };
    for expr in tree.exprs() {
        if let Expr::Struct(expr) = expr {
            let fields = expr.fields.iter().zip(tree.elements(&expr.fields));
            fields.for_each(|(field, range)| add(&expr.path, &field.member, range));
        }
    }
    for pattern in tree.patterns() {
        if let Pat::Struct(pattern) = pattern {
            let fields = pattern.fields.iter().zip(tree.elements(&pattern.fields));
            fields.for_each(|(field, range)| add(&pattern.path, &field.member, range));
        }
    }
    found
}

/// Removes a field of a tuple struct with the arguments at its place.
fn tuple_fields(tree: &Tree<'_>, item: &Item) -> Vec<Reduction> {
    let Item::Struct(ItemStruct { ident: name, fields: Fields::Unnamed(fields), .. }) = item else {
        return Vec::new();
    };
    let ranges = tree.elements(&fields.unnamed).into_iter();
    let mut reductions: Vec<Reduction> = ranges.map(Reduction::remove).collect();
    let arguments = tree.calls_of(name).filter_map(|expr| match expr {
        Expr::Call(call) => Some(tree.elements(&call.args)),
        _ => None,
    });
    let parts = tree.patterns_of(name).filter_map(|pattern| match pattern {
        Pat::TupleStruct(pattern) => Some(tree.elements(&pattern.elems)),
        _ => None,
    });
    for places in arguments.chain(parts) {
        for (reduction, place) in reductions.iter_mut().zip(places) {
            *reduction = std::mem::take(reduction).and_remove(place);
        }
    }
    reductions.retain(|reduction| reduction.changes.len() > 1);
    reductions
}

/// Makes a struct a unit struct.
fn without_fields(tree: &Tree<'_>, item: &Item) -> Option<Reduction> {
    let Item::Struct(item) = item else { return None };
    let range = tree.range(&item.fields);
    let is_named = matches!(item.fields, Fields::Named(_));
    (!matches!(item.fields, Fields::Unit))
        .then(|| Reduction::replace(range, if is_named { ";" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn a_field_of_a_tuple_struct_goes_with_its_argument() {
        let text = "struct S(u8, u16); fn f() { S(1, 2); }";
        proposes(propose, text, "struct S( u16); fn f() { S( 2); }");
    }

    #[test]
    fn a_struct_that_has_no_fields_needs_no_braces() {
        let texts = |text| results(propose, text);
        assert_eq!(texts("struct S {}"), ["struct S ;"]);
        assert_eq!(texts("struct S();"), ["struct S;"]);
        assert!(texts("struct S;").is_empty());
    }
}

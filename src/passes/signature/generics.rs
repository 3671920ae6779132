//! Generic parameters.

use std::ops::Range;

use syn::{
    AngleBracketedGenericArguments, GenericArgument, GenericParam, Generics, Ident, ImplItem, Item,
    PathArguments, TraitItem,
};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a generic parameter: alone, and, if it is a lifetime or a number, with its uses. In its item those of a lifetime go,
/// or become `'static`, those of a number become 0, and the argument at its place goes wherever the item is named.
pub(crate) const PASS: Pass = Pass {
    name: "generics",
    about: "remove generic parameters, lifetimes and numbers with their uses",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "struct S<'a, B>(&'a B); fn f(x: S<'static, u8>) {}",
    after: "struct S<B>(& B); fn f(x: S<u8>) {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let alone = tree.generics().flat_map(|generics| parameters(tree, generics));
    let mut reductions: Vec<Reduction> = alone.map(Reduction::remove).collect();
    for owner in owners(tree) {
        reductions.extend(with_uses(tree, &owner));
    }
    reductions
}

/// What declares parameters.
pub(super) struct Owner<'t> {
    /// Implementations have none.
    pub(super) name: Option<&'t Ident>,
    pub(super) generics: &'t Generics,
    pub(super) range: Range<usize>,
}

/// All that declares parameters.
pub(super) fn owners<'t>(tree: &Tree<'t>) -> Vec<Owner<'t>> {
    let mut owners = Vec::new();
    let mut add = |name, generics: &'t Generics, range| {
        if !generics.params.is_empty() {
            owners.push(Owner { name, generics, range });
        }
    };
    for item in tree.items() {
        if let Some((name, generics)) = of_item(item) {
            add(name, generics, tree.range(item));
        }
    }
    for item in tree.impl_items() {
        if let ImplItem::Fn(function) = item {
            add(Some(&function.sig.ident), &function.sig.generics, tree.range(item));
        }
    }
    for item in tree.trait_items() {
        match item {
            TraitItem::Fn(function) => {
                add(Some(&function.sig.ident), &function.sig.generics, tree.range(item));
            }
            TraitItem::Type(named) => add(Some(&named.ident), &named.generics, tree.range(item)),
            _ => {}
        }
    }
    owners
}

/// The ranges of the parameters; a parameter that is alone takes the `<>` along.
fn parameters(tree: &Tree<'_>, generics: &Generics) -> Vec<Range<usize>> {
    if generics.params.len() == 1 {
        return vec![tree.range(generics)];
    }
    tree.elements(&generics.params)
}

fn of_item(item: &Item) -> Option<(Option<&Ident>, &Generics)> {
    Some(match item {
        Item::Enum(item) => (Some(&item.ident), &item.generics),
        Item::Fn(item) => (Some(&item.sig.ident), &item.sig.generics),
        Item::Impl(item) => (None, &item.generics),
        Item::Struct(item) => (Some(&item.ident), &item.generics),
        Item::Trait(item) => (Some(&item.ident), &item.generics),
        Item::Type(item) => (Some(&item.ident), &item.generics),
        Item::Union(item) => (Some(&item.ident), &item.generics),
        _ => return None,
    })
}

/// What is left without a lifetime or a number and its uses, for each of them.
fn with_uses(tree: &Tree<'_>, owner: &Owner<'_>) -> Vec<Reduction> {
    let Owner { name, generics, range } = owner;
    let ranges = parameters(tree, generics);
    let mut places = [0, 0];
    let mut reductions = Vec::new();
    for (parameter, removed) in generics.params.iter().zip(ranges) {
        let is_lifetime = matches!(parameter, GenericParam::Lifetime(_));
        let place = places[usize::from(is_lifetime)];
        places[usize::from(is_lifetime)] += 1;
        let alone = Reduction::remove(removed);
        let without = match parameter {
            GenericParam::Type(_) => continue,
            GenericParam::Lifetime(parameter) => {
                without_lifetime(tree, range, &parameter.lifetime.ident, alone)
            }
            GenericParam::Const(parameter) => {
                let mentions = tree.words_in(&parameter.ident.to_string(), range);
                mentions.fold(alone, |all, word| all.and_replace(word.range.clone(), "0"))
            }
        };
        let arguments = name.map_or(Vec::new(), |name| {
            let same_kind = generics
                .params
                .iter()
                .filter(|other| matches!(other, GenericParam::Lifetime(_)) == is_lifetime);
            argument_ranges(tree, name, place, same_kind.count(), is_lifetime)
        });
        reductions.push(arguments.into_iter().fold(without, Reduction::and_remove));
    }
    reductions
}

fn without_lifetime(
    tree: &Tree<'_>,
    range: &Range<usize>,
    name: &Ident,
    mut reduction: Reduction,
) -> Reduction {
    for word in tree.words_in(&name.to_string(), range) {
        let mention = &word.range;
        let before = tree.text[..mention.start].trim_end_matches('\'');
        if before.len() == mention.start {
            continue;
        }
        let lifetime = before.len()..mention.end;
        let text = if before.trim_end().ends_with('&') { "" } else { "'static" };
        reduction = reduction.and_replace(lifetime, text);
    }
    reduction
}

/// Where the item is named with all its arguments: the ranges of the argument at `place`.
fn argument_ranges(
    tree: &Tree<'_>,
    name: &Ident,
    place: usize,
    arity: usize,
    is_lifetime: bool,
) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for list in lists(tree, name) {
        let same_kind: Vec<Range<usize>> = list
            .args
            .iter()
            .zip(tree.elements(&list.args))
            .filter(|(argument, _)| fits(argument, is_lifetime))
            .map(|(_, range)| range)
            .collect();
        if same_kind.len() != arity {
            continue;
        }
        let is_only = list.args.len() == 1;
        ranges.push(if is_only { tree.range(list) } else { same_kind[place].clone() });
    }
    ranges
}

/// Where something is named with arguments.
pub(super) fn lists<'t>(
    tree: &Tree<'t>,
    name: &Ident,
) -> impl Iterator<Item = &'t AngleBracketedGenericArguments> {
    let segments = tree.paths_through(name).flat_map(|path| &path.segments);
    segments.filter(move |segment| segment.ident == *name).filter_map(|segment| {
        match &segment.arguments {
            PathArguments::AngleBracketed(list) => Some(list),
            _ => None,
        }
    })
}

pub(super) fn fits(argument: &GenericArgument, is_lifetime: bool) -> bool {
    match argument {
        GenericArgument::Lifetime(_) => is_lifetime,
        GenericArgument::Type(_) | GenericArgument::Const(_) => !is_lifetime,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;

    #[test]
    fn a_lifetime_goes_with_its_references_and_arguments() {
        let text = "struct S<'a>(&'a u8); fn f<'b>(s: S<'b>) {}";
        proposes(propose, text, "struct S(& u8); fn f<'b>(s: S) {}");
    }
}

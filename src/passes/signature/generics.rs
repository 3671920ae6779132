//! Generic parameters.

use std::ops::Range;

use quote::ToTokens;
use syn::{
    GenericArgument, GenericParam, Generics, Ident, Item, ItemImpl, PathArguments, Type,
    TypeParamBound, WherePredicate,
};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a generic parameter: alone, and with its uses. In its item the uses become `()`, or else `u8`,
/// the type of the numbers that are there, or the type that is given for it somewhere, or one that implements what
/// is demanded of it (those of a lifetime go, or become `'static`), what is demanded of it goes, and so does the
/// argument at its place wherever the item is named. A parameter of an implementation that is this argument goes in
/// the same way.
pub(crate) const PASS: Pass = Pass {
    name: "generics",
    about: "remove generic parameters and their uses",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "struct S<A: Copy, B>(A, B); fn f(x: S<u8, u16>) {}",
    after: "struct S<B>((), B); fn f(x: S<u16>) {}",
    propose,
};

/// What stands for a type.
pub(super) const STAND_INS: [&str; 2] = ["()", "u8"];
/// So many of those that implement a trait are tried.
const IMPLEMENTORS: usize = 2;

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for generics in tree.generics() {
        for removed in parameters(tree, generics) {
            reductions.push(Reduction::remove(removed));
        }
    }
    for item in tree.items() {
        let Some((name, generics)) = owner(item) else { continue };
        reductions.extend(with_uses(tree, item, name, generics));
    }
    for item in tree.impl_items() {
        if let syn::ImplItem::Fn(item) = item {
            reductions.extend(with_uses(tree, item, Some(&item.sig.ident), &item.sig.generics));
        }
    }
    for item in tree.trait_items() {
        match item {
            syn::TraitItem::Fn(item) => {
                reductions.extend(with_uses(tree, item, Some(&item.sig.ident), &item.sig.generics));
            }
            syn::TraitItem::Type(item) => {
                reductions.extend(with_uses(tree, item, Some(&item.ident), &item.generics));
            }
            _ => {}
        }
    }
    reductions
}

/// The ranges of the parameters; a parameter that is alone takes the `<>` along.
fn parameters(tree: &Tree<'_>, generics: &Generics) -> Vec<Range<usize>> {
    if generics.params.len() == 1 {
        return vec![tree.range(generics)];
    }
    tree.elements(&generics.params)
}

pub(super) fn owner(item: &Item) -> Option<(Option<&Ident>, &Generics)> {
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

fn with_uses(
    tree: &Tree<'_>,
    item: &(impl ToTokens + 'static),
    name: Option<&Ident>,
    generics: &Generics,
) -> Vec<Reduction> {
    let ranges = parameters(tree, generics);
    let mut places = [0, 0];
    let mut reductions = Vec::new();
    for (parameter, range) in generics.params.iter().zip(ranges) {
        let is_lifetime = matches!(parameter, GenericParam::Lifetime(_));
        let place = places[usize::from(is_lifetime)];
        places[usize::from(is_lifetime)] += 1;
        let alone = Reduction::remove(range);
        let without = match parameter {
            GenericParam::Lifetime(parameter) => {
                vec![without_lifetime(tree, item, &parameter.lifetime.ident, alone)]
            }
            GenericParam::Type(parameter) => {
                without_type_parameter(tree, item, name, generics, (place, &parameter.ident), alone)
            }
            GenericParam::Const(parameter) => {
                let mentions = tree.mentions(item, &parameter.ident).into_iter();
                vec![mentions.fold(alone, |reduction, mention| reduction.and_replace(mention, "0"))]
            }
        };
        let arguments = name.map_or(Vec::new(), |name| {
            let same_kind = generics
                .params
                .iter()
                .filter(|other| matches!(other, GenericParam::Lifetime(_)) == is_lifetime);
            argument_ranges(tree, name, place, same_kind.count(), is_lifetime)
        });
        reductions.extend(without.into_iter().map(|reduction| {
            let arguments = arguments.iter().cloned();
            arguments.fold(reduction, Reduction::and_remove)
        }));
    }
    reductions
}

/// The item without a type among its parameters, which is the one at `place` among those, and with another type in its
/// place.
fn without_type_parameter(
    tree: &Tree<'_>,
    item: &(impl ToTokens + 'static),
    name: Option<&Ident>,
    generics: &Generics,
    (place, parameter): (usize, &Ident),
    mut alone: Reduction,
) -> Vec<Reduction> {
    let types = |of: &Generics| of.type_params().count() + of.const_params().count();
    let argument = name.map(|name| Argument { of: name, place, arity: types(generics) });
    without_demands(tree, generics, parameter, &mut alone);
    let instead = |text| {
        let reduction = without_type(tree, item, parameter, text, &alone);
        match &argument {
            Some(argument) => argument.without_in_impls(tree, text, reduction),
            None => reduction,
        }
    };
    let mut demanded = demands(generics, parameter);
    demanded.extend(argument.iter().flat_map(|argument| argument.demands(tree)));
    let given = argument.iter().filter_map(|argument| argument.given(tree));
    let others = given.chain(implementors(tree, &demanded));
    let mut texts = STAND_INS.to_vec();
    for other in others {
        if !texts.contains(&other) {
            texts.push(other);
        }
    }
    texts.into_iter().map(instead).collect()
}

/// The argument of an item for one of its types.
struct Argument<'t> {
    of: &'t Ident,
    /// Which one of how many.
    place: usize,
    arity: usize,
}

impl Argument<'_> {
    /// The argument of this type, if it is the item with all its arguments.
    fn in_type<'a>(&self, named: &'a Type) -> Option<&'a Type> {
        let Type::Path(path) = named else { return None };
        let last = path.path.segments.last()?;
        let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
        let types: Vec<&GenericArgument> =
            list.args.iter().filter(|argument| fits(argument, false)).collect();
        match types.get(self.place)? {
            GenericArgument::Type(given) if last.ident == *self.of && types.len() == self.arity => {
                Some(given)
            }
            _ => None,
        }
    }

    /// The implementations of the item, with their argument.
    fn impls<'t>(&self, tree: &'t Tree<'_>) -> Vec<(&'t ItemImpl, &'t Type)> {
        let given = |item: &'t Item| match item {
            Item::Impl(block) => Some((block, self.in_type(&block.self_ty)?)),
            _ => None,
        };
        tree.impls_for(self.of).filter_map(given).collect()
    }

    /// What the first implementation for a certain type has for it.
    fn given<'t>(&self, tree: &Tree<'t>) -> Option<&'t str> {
        let is_certain = |(block, given): &(&ItemImpl, &Type)| parameter_of(block, given).is_none();
        let (_, given) = self.impls(tree).into_iter().find(is_certain)?;
        Some(tree.text_of(given))
    }

    /// What implementations of the item demand of it.
    fn demands<'t>(&self, tree: &'t Tree<'_>) -> Vec<&'t Ident> {
        let impls = self.impls(tree).into_iter();
        let demanded = impls.filter_map(|(block, given)| {
            let (_, name) = parameter_of(block, given)?;
            Some(demands(&block.generics, name))
        });
        demanded.flatten().collect()
    }

    /// Removes the parameters of implementations that are the argument.
    fn without_in_impls(
        &self,
        tree: &Tree<'_>,
        instead: &str,
        mut reduction: Reduction,
    ) -> Reduction {
        for (block, given) in self.impls(tree) {
            let Some((index, name)) = parameter_of(block, given) else { continue };
            let range = &parameters(tree, &block.generics)[index];
            reduction = reduction.and_remove(range.clone());
            without_demands(tree, &block.generics, name, &mut reduction);
            reduction = without_type(tree, block, name, instead, &reduction);
        }
        reduction
    }
}

/// Which parameter of an implementation a type is.
fn parameter_of<'t>(block: &'t ItemImpl, given: &Type) -> Option<(usize, &'t Ident)> {
    let Type::Path(path) = given else { return None };
    let mut parameters = block.generics.params.iter().enumerate();
    parameters.find_map(|(index, parameter)| match parameter {
        GenericParam::Type(parameter) if path.path.is_ident(&parameter.ident) => {
            Some((index, &parameter.ident))
        }
        _ => None,
    })
}

/// The traits that the parameter `name` has to implement.
pub(super) fn demands<'t>(generics: &'t Generics, name: &Ident) -> Vec<&'t Ident> {
    let parameters = generics.type_params();
    let own = parameters
        .filter(|parameter| parameter.ident == *name)
        .flat_map(|parameter| &parameter.bounds);
    let clause = generics.where_clause.iter();
    let predicates = clause.flat_map(|clause| &clause.predicates);
    let others = predicates
        .filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) if is_about(&predicate.bounded_ty, name) => {
                Some(&predicate.bounds)
            }
            _ => None,
        })
        .flatten();
    let named = |bound: &'t TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => Some(&bound.path.segments.last()?.ident),
        _ => None,
    };
    own.chain(others).filter_map(named).collect()
}

/// The types for which one of these traits is implemented, a few of them.
pub(super) fn implementors<'t>(tree: &Tree<'t>, demanded: &[&Ident]) -> Vec<&'t str> {
    let implementor = |item: &Item| match item {
        Item::Impl(block) if block.generics.params.is_empty() => {
            Some((tree.range(block).start, tree.text_of(&block.self_ty)))
        }
        _ => None,
    };
    let few = |name: &&Ident| tree.impls_of_trait(name).filter_map(implementor).take(IMPLEMENTORS);
    let mut all: Vec<(usize, &str)> = demanded.iter().flat_map(few).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(|(_, text)| text).take(IMPLEMENTORS).collect()
}

pub(super) fn is_about(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

/// Removes the predicates of which `name` is the subject.
fn without_demands(tree: &Tree<'_>, generics: &Generics, name: &Ident, reduction: &mut Reduction) {
    let Some(clause) = &generics.where_clause else { return };
    let is_subject = |predicate: &WherePredicate| match predicate {
        WherePredicate::Type(predicate) => is_about(&predicate.bounded_ty, name),
        _ => false,
    };
    if clause.predicates.iter().all(is_subject) {
        *reduction = std::mem::take(reduction).and_remove(tree.range(clause));
        return;
    }
    for (predicate, range) in clause.predicates.iter().zip(tree.elements(&clause.predicates)) {
        if is_subject(predicate) {
            *reduction = std::mem::take(reduction).and_remove(range);
        }
    }
}

fn without_type(
    tree: &Tree<'_>,
    item: &(impl ToTokens + 'static),
    name: &Ident,
    instead: &str,
    reduction: &Reduction,
) -> Reduction {
    let mentions = tree.mentions(item, name).into_iter();
    mentions.fold(reduction.clone(), |reduction, mention| {
        let is_prefix = tree.text[mention.end..].trim_start().starts_with("::");
        if is_prefix {
            reduction.and_replace(mention, format!("<{instead}>"))
        } else {
            reduction.and_replace(mention, instead)
        }
    })
}

fn without_lifetime(
    tree: &Tree<'_>,
    item: &(impl ToTokens + 'static),
    name: &Ident,
    mut reduction: Reduction,
) -> Reduction {
    for mention in tree.mentions(item, name) {
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
    for path in tree.paths_through(name) {
        for segment in path.segments.iter().filter(|segment| segment.ident == *name) {
            let PathArguments::AngleBracketed(list) = &segment.arguments else { continue };
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
    }
    ranges
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

    #[test]
    fn what_is_demanded_of_a_type_goes_with_it() {
        let text = "fn f<T>(t: T) where T: Copy {}";
        proposes(propose, text, "fn f(t: ()) {}");
    }

    #[test]
    fn numbers_may_stand_for_a_type() {
        let text = "impl<T> S<T> { fn f(t: T, u: T::A) {} }";
        proposes(propose, text, "impl S<()> { fn f(t: (), u: <()>::A) {} }");
        proposes(propose, text, "impl S<u8> { fn f(t: u8, u: <u8>::A) {} }");
    }

    #[test]
    fn implementations_lose_their_parameter_along() {
        let text = "struct S<A>(Vec<A>); impl<A: C> S<A> { fn f(a: A) {} } impl S<u32> {} impl<B> Default for S<B> {}";
        for expected in ["()", "u32"] {
            let expected = format!(
                "struct S(Vec<{expected}>); impl S {{ fn f(a: {expected}) {{}} }} impl S {{}} impl Default for S {{}}"
            );
            proposes(propose, text, &expected);
        }
    }

    #[test]
    fn a_type_that_implements_what_is_demanded_may_stand_for_another() {
        let text = "enum E<A> { V(A) } impl<B: Sized + Tr> E<B> {} trait Tr {} impl Tr for f64 {} impl<T> Tr for [T] {}";
        let expected =
            "enum E { V(f64) } impl E {} trait Tr {} impl Tr for f64 {} impl<T> Tr for [T] {}";
        proposes(propose, text, expected);
    }

    #[test]
    fn a_path_that_starts_with_the_parameter_stays_a_path() {
        let text = "fn f<T: Tr>(t: T::A) {}";
        proposes(propose, text, "fn f(t: <()>::A) {}");
    }
}

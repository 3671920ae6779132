//! Generic parameters that always stand for the same type.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, GenericArgument, GenericParam, Generics, Ident, Item, Type,
    TypeParamBound, WherePredicate,
};

use super::generics::{Owner, fits, lists, owners};
use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Puts a type into the place of a generic parameter: of it alone, with those of implementations that are given for it, and of
/// all parameters that are given for it or that it is given for, wherever they are declared. They go with their bounds, and
/// what is given for them goes. It is a type that is given somewhere, or a default, or one that implements what is demanded, or
/// `()` or `u8`.
pub(crate) const PASS: Pass = Pass {
    name: "concrete-types",
    about: "replace a generic parameter by one type throughout the code",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "struct S<T>(T); impl<U: Copy> S<U> { fn f(u: U) {} } fn g<V>(s: S<V>) {}",
    after: "struct S(()); impl S { fn f(u: ()) {} } fn g(s: S) {}",
    propose,
};

/// What stands for any type.
const STAND_INS: [&str; 2] = ["()", "u8"];
/// So many of those that implement a trait are tried.
const IMPLEMENTORS: usize = 2;
/// So many of those that are given are tried.
const GIVEN: usize = 2;
/// So many owners of a parameter of the same name may end before the place in the one around it.
const INNER: usize = 8;

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let declared = Declared::of(tree);
    let links = Links::of(tree, &declared);
    let alone = (0..declared.parameters.len()).map(|it| links.alone(&declared, it));
    let groups: BTreeSet<Vec<usize>> = links.groups().into_iter().chain(alone).collect();
    groups.iter().flat_map(|group| without(tree, &declared, &links, group)).collect()
}

/// For each group of parameters that stand for the same type everywhere, the ways to do without them, one for each type.
pub(crate) fn ways(tree: &Tree<'_>) -> Vec<Vec<Reduction>> {
    let declared = Declared::of(tree);
    let links = Links::of(tree, &declared);
    links.groups().iter().map(|group| without(tree, &declared, &links, group)).collect()
}

/// A parameter that is a type.
struct Parameter<'t> {
    owner: usize,
    /// Its place among all parameters of the owner.
    place: usize,
    /// Its place among those that are no lifetimes.
    nth: usize,
    name: &'t Ident,
    default: Option<&'t Type>,
}

/// All parameters that are types.
struct Declared<'t> {
    owners: Vec<Owner<'t>>,
    parameters: Vec<Parameter<'t>>,
    /// The parameters of a name, by where their owners begin.
    by_name: HashMap<String, Vec<usize>>,
}

impl<'t> Declared<'t> {
    fn of(tree: &Tree<'t>) -> Self {
        let mut owners = owners(tree);
        owners.sort_by_key(|owner| owner.range.start);
        let mut parameters = Vec::new();
        let mut by_name = HashMap::<String, Vec<usize>>::new();
        for (owner, Owner { generics, .. }) in owners.iter().enumerate() {
            let types = generics.params.iter().enumerate();
            let types = types.filter(|(_, it)| !matches!(it, GenericParam::Lifetime(_)));
            for (nth, (place, parameter)) in types.enumerate() {
                let GenericParam::Type(parameter) = parameter else { continue };
                let default = parameter.default.as_ref().map(|(_, default)| default);
                let name = &parameter.ident;
                by_name.entry(name.to_string()).or_default().push(parameters.len());
                parameters.push(Parameter { owner, place, nth, name, default });
            }
        }
        Declared { owners, parameters, by_name }
    }

    fn owner(&self, parameter: usize) -> &Owner<'t> {
        &self.owners[self.parameters[parameter].owner]
    }

    /// The parameter of that name that is known at a place.
    fn known_at(&self, name: &str, place: usize) -> Option<usize> {
        let named = self.by_name.get(name)?;
        let after = named.partition_point(|it| self.owner(*it).range.start <= place);
        let mut near = named[..after].iter().rev().take(INNER);
        near.find(|it| place < self.owner(**it).range.end).copied()
    }

    /// Whether a type names a parameter.
    fn is_named_in(&self, tree: &Tree<'_>, named: &Type) -> bool {
        let range = tree.range(named);
        let mut words = tree.words_within(&range);
        words.any(|word| self.known_at(&tree.text[word.range.clone()], word.range.start).is_some())
    }
}

/// What is given for the parameters.
struct Links<'t> {
    /// For each parameter, the parameters that are given for it.
    given: Vec<Vec<usize>>,
    /// For each parameter, the other types that are.
    types: Vec<BTreeSet<&'t str>>,
    /// The parameters of which some types name others.
    mixed: BTreeSet<usize>,
    /// For each owner, where it is named with arguments.
    lists: Vec<Vec<&'t AngleBracketedGenericArguments>>,
}

impl<'t> Links<'t> {
    fn of(tree: &Tree<'t>, declared: &Declared<'t>) -> Self {
        let mut links = Links {
            given: vec![Vec::new(); declared.parameters.len()],
            types: vec![BTreeSet::new(); declared.parameters.len()],
            mixed: BTreeSet::new(),
            lists: vec![Vec::new(); declared.owners.len()],
        };
        let mut owners = HashMap::<&Ident, Vec<usize>>::new();
        for (owner, Owner { name, .. }) in declared.owners.iter().enumerate() {
            if let Some(name) = name {
                owners.entry(name).or_default().push(owner);
            }
        }
        // Where several things have a name, nobody knows which one is meant.
        for (name, owners) in owners.iter().filter(|(_, owners)| owners.len() == 1) {
            links.lists[owners[0]] = lists(tree, name).collect();
        }
        for parameter in 0..declared.parameters.len() {
            links.add(tree, declared, parameter);
        }
        links
    }

    /// Adds what is given for a parameter.
    fn add(&mut self, tree: &Tree<'t>, declared: &Declared<'t>, parameter: usize) {
        let Parameter { owner, nth, default, .. } = declared.parameters[parameter];
        for list in &self.lists[owner] {
            let given = types_of(list).nth(nth);
            let given = match given {
                Some(GenericArgument::Type(Type::Infer(_))) => continue,
                Some(GenericArgument::Type(given)) => Some(given),
                _ => default,
            };
            let Some(given) = given else { continue };
            let range = tree.range(given);
            match declared.known_at(&tree.text[range.clone()], range.start) {
                Some(other) => self.given[parameter].push(other),
                None if declared.is_named_in(tree, given) => {
                    self.mixed.insert(parameter);
                }
                None => {
                    self.types[parameter].insert(tree.text_of(given));
                }
            }
        }
    }

    /// The parameters that stand for the same type, if they are several.
    fn groups(&self) -> Vec<Vec<usize>> {
        let is_one = |it: usize| self.types[it].len() < 2 && !self.mixed.contains(&it);
        let mut near = vec![Vec::new(); self.given.len()];
        for (parameter, given) in self.given.iter().enumerate().filter(|(it, _)| is_one(*it)) {
            for other in given.iter().filter(|it| is_one(**it)) {
                near[parameter].push(*other);
                near[*other].push(parameter);
            }
        }
        let mut is_seen = vec![false; near.len()];
        let mut groups = Vec::new();
        for first in 0..near.len() {
            let (mut group, mut open) = (Vec::new(), vec![first]);
            while let Some(parameter) = open.pop() {
                if !std::mem::replace(&mut is_seen[parameter], true) {
                    group.push(parameter);
                    open.extend(&near[parameter]);
                }
            }
            if group.len() > 1 {
                group.sort_unstable();
                groups.push(group);
            }
        }
        groups
    }

    /// A parameter and those of implementations that are given for it.
    fn alone(&self, declared: &Declared<'_>, parameter: usize) -> Vec<usize> {
        let given = self.given[parameter].iter().copied();
        let of_impls = given.filter(|it| declared.owner(*it).name.is_none());
        let group: BTreeSet<usize> = of_impls.chain([parameter]).collect();
        group.into_iter().collect()
    }
}

/// The arguments that are no lifetimes.
fn types_of(list: &AngleBracketedGenericArguments) -> impl Iterator<Item = &GenericArgument> {
    list.args.iter().filter(|argument| fits(argument, false))
}

/// The code without these parameters, with different types in their place.
fn without(
    tree: &Tree<'_>,
    declared: &Declared<'_>,
    links: &Links<'_>,
    group: &[usize],
) -> Vec<Reduction> {
    let parameters = || group.iter().map(|it| (*it, &declared.parameters[*it]));
    let mut by_owner = BTreeMap::<usize, Vec<&Parameter<'_>>>::new();
    for (_, parameter) in parameters() {
        by_owner.entry(parameter.owner).or_default().push(parameter);
    }
    let demanded = parameters()
        .flat_map(|(it, parameter)| demands(declared.owner(it).generics, parameter.name));
    let demanded: BTreeSet<&Ident> = demanded.collect();
    let is_certain = |default: &&Type| !declared.is_named_in(tree, default);
    let given = group.iter().flat_map(|it| &links.types[*it]).copied().take(GIVEN);
    let mut defaults = parameters().filter_map(|(_, it)| it.default.filter(is_certain));
    let default = defaults.next().map(|default| tree.text_of(default));
    let mut types: Vec<&str> = Vec::new();
    for text in given.chain(default).chain(implementors(tree, &demanded)).chain(STAND_INS) {
        if !types.contains(&text) {
            types.push(text);
        }
    }
    let mut removed = Reduction::default();
    for (owner, parameters) in &by_owner {
        removed = without_parameters(tree, &declared.owners[*owner], parameters, removed);
        for list in &links.lists[*owner] {
            let is_gone = |nth: usize| parameters.iter().any(|it| it.nth == nth);
            let places = list.args.iter().enumerate().filter(|(_, it)| fits(it, false));
            let places = places.enumerate().filter(|(nth, _)| is_gone(*nth));
            let places: BTreeSet<usize> = places.map(|(_, (place, _))| place).collect();
            removed = without_elements(tree, *list, &list.args, &places, removed);
        }
    }
    let mentions = by_owner.iter().flat_map(|(owner, parameters)| {
        let range = &declared.owners[*owner].range;
        parameters.iter().flat_map(|it| tree.words_in(&it.name.to_string(), range))
    });
    let mentions: Vec<&Range<usize>> = mentions.map(|word| &word.range).collect();
    let with = |text: &&str| {
        mentions.iter().fold(removed.clone(), |reduction, mention| {
            let is_prefix = tree.text[mention.end..].trim_start().starts_with("::");
            let text = if is_prefix { format!("<{text}>") } else { (*text).to_owned() };
            reduction.and_replace((*mention).clone(), text)
        })
    };
    types.iter().map(with).collect()
}

/// An owner without some of its parameters and what is demanded of them.
fn without_parameters(
    tree: &Tree<'_>,
    owner: &Owner<'_>,
    parameters: &[&Parameter<'_>],
    removed: Reduction,
) -> Reduction {
    let generics = owner.generics;
    let places = parameters.iter().map(|it| it.place).collect();
    let removed = without_elements(tree, generics, &generics.params, &places, removed);
    let Some(clause) = &generics.where_clause else { return removed };
    let is_subject = |predicate: &WherePredicate| match predicate {
        WherePredicate::Type(it) => {
            parameters.iter().any(|parameter| is_about(&it.bounded_ty, parameter.name))
        }
        _ => false,
    };
    let predicates = clause.predicates.iter().enumerate();
    let places = predicates.filter(|(_, it)| is_subject(it)).map(|(place, _)| place).collect();
    without_elements(tree, clause, &clause.predicates, &places, removed)
}

/// Removes elements of a list, with all that is around the list where none is left.
fn without_elements<T: ToTokens + 'static, P: ToTokens + 'static>(
    tree: &Tree<'_>,
    around: &(impl ToTokens + 'static),
    list: &Punctuated<T, P>,
    places: &BTreeSet<usize>,
    removed: Reduction,
) -> Reduction {
    if places.is_empty() {
        return removed;
    }
    if places.len() == list.len() {
        return removed.and_remove(tree.range(around));
    }
    let kept: Vec<usize> = (0..list.len()).filter(|place| !places.contains(place)).collect();
    places.iter().fold(removed, |removed, place| {
        let element = tree.range(&list[*place]);
        let next = kept.iter().find(|it| *it > place).map(|_| tree.range(&list[place + 1]).start);
        let range = match next {
            Some(next) => element.start..next,
            None => tree.range(&list[place - 1]).end..element.end,
        };
        removed.and_remove(range)
    })
}

/// The traits that the parameter `name` has to implement.
fn demands<'t>(generics: &'t Generics, name: &Ident) -> Vec<&'t Ident> {
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
fn implementors<'t>(tree: &Tree<'t>, demanded: &BTreeSet<&Ident>) -> Vec<&'t str> {
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

fn is_about(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes};

    #[test]
    fn what_is_given_somewhere_stands_for_all() {
        let text = "struct N<E, I = u32>([I; 2], E); struct G<E, I: Ix = u32> { n: Vec<N<E, I>> } \
                    impl<E, I> G<E, I> where I: Ix { fn m(&self) -> I { I::max() } } fn f(g: G<i8>) {}";
        proposes(
            propose,
            text,
            "struct N<E>([u32; 2], E); struct G<E> { n: Vec<N<E>> } \
             impl<E> G<E> { fn m(&self) -> u32 { <u32>::max() } } fn f(g: G<i8>) {}",
        );
        proposes(
            propose,
            text,
            "struct N<I = u32>([I; 2], i8); struct G<I: Ix = u32> { n: Vec<N<I>> } \
             impl<I> G<I> where I: Ix { fn m(&self) -> I { I::max() } } fn f(g: G) {}",
        );
    }

    #[test]
    fn several_of_an_owner_go_at_once() {
        let text = "struct A<'a, T, U, V>(&'a T, U, V); fn f<X>(a: A<X, X, u8>, b: A<_, _, u16>) where X: C, u8: D {}";
        proposes(
            propose,
            text,
            "struct A<'a, V>(&'a (), (), V); fn f(a: A<u8>, b: A<u16>) where u8: D {}",
        );
    }

    #[test]
    fn what_stands_for_different_types_stays() {
        let text = "struct A<T>(T); fn f<X>(a: A<X>, b: A<u8>, c: A<u16>) {} struct B<T>(T); fn g<Y>(b: B<Y>, c: B<Vec<Y>>) {}";
        assert!(lines(|tree| ways(tree).concat(), text).is_empty());
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

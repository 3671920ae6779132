//! What the compiler calls unused, as a list of removals.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::{ImplItem, Item, ItemImpl, Type};

use crate::passes::PassId;
use crate::reduce::RangeExt;
use crate::rust::{Reduction, Sources, StandIn, Tree, scan};
use crate::source::{item_name, last_word};

/// The passes whose removals are looked through; of equal ones the first one's counts.
const REMOVALS: [PassId; 7] = [
    PassId::Items,
    PassId::Members,
    PassId::Statements,
    PassId::TrimUse,
    PassId::Variants,
    PassId::Fields,
    PassId::Locals,
];

/// Those of them that take away a whole item or member. They are for its name only: that something within
/// is unused says nothing of it.
const WHOLE: [PassId; 2] = [PassId::Items, PassId::Members];

/// Those of them that take away nothing that runs, where it is unused: a variant gives its number to others.
const DEFINITIONS: [PassId; 3] = [PassId::Items, PassId::Members, PassId::TrimUse];

/// What stands before the name of a type or trait.
const DEFINES: [&str; 5] = ["struct", "enum", "union", "trait", "type"];

/// A removal of what is unused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Removal {
    /// The place of its file.
    pub(crate) file: usize,
    /// What it changes.
    pub(crate) reduction: Reduction,
    /// Whether it takes away a definition or an import, so that nothing runs that did not. Others take away
    /// values that nobody reads, and what is done to get them.
    pub(crate) is_definition: bool,
}

impl Removal {
    /// As an edit of the sources.
    pub(crate) fn edit(&self) -> (usize, &Reduction) {
        (self.file, &self.reduction)
    }
}

/// For each place the smallest removal that takes it away, but for
/// those that were refused. With all that is in them go implementations of which all is unused, and those
/// of types and traits that are unused themselves.
pub(crate) fn removals(
    sources: &Sources,
    places: &[(usize, Range<usize>)],
    stand_in: StandIn,
    refused: &HashSet<u64>,
) -> Vec<Removal> {
    let names = UnusedNames::of(sources, places);
    let mut found = Vec::new();
    for (file, source) in sources.files.iter().enumerate() {
        let here: Vec<&Range<usize>> =
            places.iter().filter(|(place, _)| *place == file).map(|(_, range)| range).collect();
        if here.is_empty() && !names.are_in(&source.text) {
            continue;
        }
        let removals = Tree::with(&source.text, stand_in, |tree| {
            let mut chosen = smallest(tree, &here);
            let of_file = names.of_file(file, &source.text);
            let is_of = |it: &ItemImpl| of_file.has(tree.range(it).start, it);
            let idle = impls(tree).filter(|it| is_of(it) || is_idle(tree, it, &chosen));
            let idle: Vec<Range<usize>> = idle.map(|it| tree.range(it)).collect();
            chosen.extend(idle.into_iter().map(|it| (true, Reduction::remove(it))));
            chosen
        });
        let mut chosen = removals.unwrap_or_default();
        chosen.retain(|(_, removal)| !refused.contains(&digest(removal, &source.text)));
        found.extend(chosen.into_iter().map(|(is_definition, reduction)| Removal {
            file,
            reduction,
            is_definition,
        }));
    }
    found
}

/// What stands at a place if it is the name of a type or trait where that is defined.
fn defined_name<'t>(text: &'t str, place: &Range<usize>) -> Option<&'t str> {
    let before = text.get(..place.start)?.trim_end();
    let is_definition = DEFINES.iter().any(|word| before.ends_with(word));
    text.get(place.clone()).filter(|_| is_definition)
}

/// The smallest of the removals in question for each place, and whether it takes away a definition.
fn smallest(tree: &Tree<'_>, places: &[&Range<usize>]) -> Vec<(bool, Reduction)> {
    if places.is_empty() {
        return Vec::new();
    }
    let heads = heads(tree);
    // What a call of a macro defines mostly has its name from there.
    let calls = tree.items().filter(|item| matches!(item, Item::Macro(it) if it.ident.is_none()));
    let calls: Vec<Range<usize>> = calls.map(|item| tree.range(item)).collect();
    let all: Vec<(PassId, Reduction)> = REMOVALS
        .into_iter()
        .flat_map(|id| {
            let proposed = (id.pass().propose)(tree).into_iter();
            proposed.map(move |removal| (id, removal))
        })
        .collect();
    let smallest_of = |place: &Range<usize>| {
        let is_head = heads.contains(place) || calls.iter().any(|call| call.covers(place));
        // With all that only made or implemented it.
        all.iter()
            .filter(|(pass, _)| is_head || !WHOLE.contains(pass))
            .filter_map(|(pass, removal)| Some((taking(removal, place)?, pass, removal)))
            .min_by_key(|(size, _, removal)| (*size, Reverse(removal.saving())))
            .map(|(_, pass, removal)| (DEFINITIONS.contains(pass), removal.clone()))
    };
    let mut chosen: Vec<(bool, Reduction)> =
        places.iter().filter_map(|place| smallest_of(place)).collect();
    chosen.dedup();
    chosen
}

/// The names of items and members; all that a `use` declares.
fn heads(tree: &Tree<'_>) -> Vec<Range<usize>> {
    let members = tree.impl_items().filter_map(|member| match member {
        ImplItem::Const(member) => Some(&member.ident),
        ImplItem::Type(member) => Some(&member.ident),
        _ => None,
    });
    let functions = tree.signatures().map(|it| &it.ident);
    let names = members.chain(functions).map(|name| tree.span(name.span()));
    let items = tree.items().filter_map(|item| match item {
        Item::Use(item) => Some(tree.range(&item.tree)),
        _ => item_name(item).map(|name| tree.span(name.span())),
    });
    names.chain(items).collect()
}

/// How many bytes around `place` go with all of it; `None` if something is left of it.
fn taking(removal: &Reduction, place: &Range<usize>) -> Option<usize> {
    let removed = removal.changes.iter().filter(|change| change.text.is_empty());
    removed
        .map(|change| &change.range)
        .filter(|range| range.covers(place))
        .map(ExactSizeIterator::len)
        .min()
}

fn impls<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = &'t ItemImpl> {
    tree.items().filter_map(|item| match item {
        Item::Impl(item) => Some(item),
        _ => None,
    })
}

/// Names of types and traits that are unused.
struct UnusedNames<'t> {
    /// Those that no other type or trait has.
    alone: HashSet<&'t str>,
    /// The others, each with its file and the place where it is defined.
    shared: Vec<(usize, usize, &'t str)>,
}

impl<'t> UnusedNames<'t> {
    fn of(sources: &'t Sources, places: &[(usize, Range<usize>)]) -> Self {
        let mut defined: HashMap<&str, usize> = HashMap::new();
        for name in sources.files.iter().flat_map(|file| definitions(&file.text)) {
            *defined.entry(name).or_default() += 1;
        }
        let (mut alone, mut shared) = (HashSet::new(), Vec::new());
        for (file, range) in places {
            let Some(name) = defined_name(&sources.files[*file].text, range) else { continue };
            if defined.get(name).is_none_or(|count| *count < 2) {
                alone.insert(name);
            } else {
                shared.push((*file, range.start, name));
            }
        }
        UnusedNames { alone, shared }
    }

    /// Whether a text has one of them.
    fn are_in(&self, text: &str) -> bool {
        let shared = self.shared.iter().map(|(.., name)| name);
        self.alone.iter().chain(shared).any(|name| text.contains(name))
    }

    /// Those that can be meant in one of the files.
    fn of_file(&self, file: usize, text: &str) -> NamesOfFile<'_, 't> {
        let shared = self.shared.iter().filter(|(of, ..)| *of == file);
        let braces = scan::braces(text);
        let shared = shared.map(|(_, place, name)| (innermost(&braces, *place), *name));
        NamesOfFile { alone: &self.alone, shared: shared.collect(), braces }
    }
}

/// Names of types and traits that are unused, as one file can mean them.
struct NamesOfFile<'n, 't> {
    alone: &'n HashSet<&'t str>,
    /// Each with the braces in which it is defined.
    shared: HashSet<(Option<Range<usize>>, &'t str)>,
    braces: Vec<Range<usize>>,
}

impl NamesOfFile<'_, '_> {
    /// Whether what stands at `place` implements a trait, or something for a type, of one of these names. A
    /// name that others have, too, is meant beside its definition only.
    fn has(&self, place: usize, item: &ItemImpl) -> bool {
        let of_type = match &*item.self_ty {
            Type::Path(ty) => Some(&ty.path),
            _ => None,
        };
        let of_trait = item.trait_.as_ref().map(|(path, _)| path);
        of_type.into_iter().chain(of_trait).filter_map(last_word).any(|last| {
            let name = last.to_string();
            self.alone.contains(&*name) || self.is_beside(place, &name)
        })
    }

    fn is_beside(&self, place: usize, name: &str) -> bool {
        !self.shared.is_empty() && {
            let around = innermost(&self.braces, place);
            self.shared.iter().any(|(of, known)| *of == around && *known == name)
        }
    }
}

/// The smallest pair of braces around a place.
fn innermost(braces: &[Range<usize>], place: usize) -> Option<Range<usize>> {
    let around = braces.iter().filter(|pair| pair.contains(&place));
    around.min_by_key(|pair| pair.len()).cloned()
}

/// The names of all types and traits that are defined in a text.
fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    scan::words(text).filter(move |word| DEFINES.contains(&std::mem::replace(&mut before, word)))
}

/// Whether it only has members that go.
fn is_idle(tree: &Tree<'_>, item: &ItemImpl, going: &[(bool, Reduction)]) -> bool {
    let is_gone = |member: &ImplItem| {
        let range = tree.range(member);
        going.iter().any(|(_, removal)| taking(removal, &range).is_some())
    };
    item.trait_.is_none() && item.items.iter().all(is_gone)
}

/// Those of the removals that can be made together, the largest first: an implementation goes with all that
/// is unused in it.
pub(crate) fn apart(found: &[Removal]) -> Vec<&Removal> {
    let mut all: Vec<&Removal> = found.iter().collect();
    all.sort_by_key(|removal| Reverse(removal.reduction.weight()));
    let edits: Vec<(usize, &Reduction)> = all.iter().map(|removal| removal.edit()).collect();
    crate::rust::apart(&edits).into_iter().map(|index| all[index]).collect()
}

/// Stands for a removal of what is unused in `text`.
pub(crate) fn digest(removal: &Reduction, text: &str) -> u64 {
    removal.digest("unused code", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{range_of, sources_of};

    #[test]
    fn an_implementation_goes_with_all_that_is_unused_in_it() {
        let text = "impl A { fn a() {} fn b() {} } fn c() {}";
        let remove = |part: &str| {
            let reduction = Reduction::remove(range_of(text, part));
            Removal { file: 0, reduction, is_definition: true }
        };
        let found = ["fn a() {}", "impl A { fn a() {} fn b() {} }", "fn c() {}"].map(remove);
        let apart = apart(&found);
        assert_eq!(apart, [&found[1], &found[2]]);
    }

    #[test]
    fn a_call_of_a_macro_goes_with_what_it_defines() {
        let text = "macro_rules! getters { ($($name:ident)*) => {} } impl A { getters!(x); } getters!(u8 i8); fn f() { g!(h); }";
        let sources = sources_of(text);
        let places = ["u8", "i8", "h"].map(|name| (0, range_of(text, name)));
        let found = removals(&sources, &places, StandIn::Panic, &HashSet::new());
        let ranges: Vec<&Range<usize>> =
            found.iter().map(|it| &it.reduction.changes[0].range).collect();
        assert_eq!(ranges, [&range_of(text, "getters!(u8 i8);"), &range_of(text, "g!(h);")]);
    }

    #[test]
    fn implementations_go_with_their_type_and_with_their_last_member() {
        let text = "trait Gone {} struct Dead; impl Shown for Dead {} struct Alive; \
                    impl Alive { fn a() {} fn b() {} } impl Alive { fn c() {} fn d() {} } \
                    impl Gone for Alive {}";
        let sources = sources_of(text);
        let names = ["Dead", "a()", "b()", "c()", "Gone"];
        let places = names.map(|name| {
            let start = text.find(name).unwrap();
            (0, start..start + name.trim_end_matches("()").len())
        });
        let found = removals(&sources, &places, StandIn::Panic, &HashSet::new());
        let edited = sources.edit(apart(&found).into_iter().map(Removal::edit));
        let words: Vec<&str> = edited.files[0].text.split_whitespace().collect();
        assert_eq!(words.join(" "), "struct Alive; impl Alive { fn d() {} }");
    }

    #[test]
    fn of_types_with_one_name_only_the_implementations_beside_the_unused_one_go() {
        let text = "mod a { struct S; impl T for S {} } mod b { struct S; impl T for S {} } struct U; \
                    mod c { impl T for super::U {} }";
        let sources = sources_of(text);
        let place = |part: &str| {
            let start = text.find(part).unwrap() + "struct ".len();
            (0, start..start + 1)
        };
        let places = [place("struct S"), place("struct U")];
        let found = removals(&sources, &places, StandIn::Panic, &HashSet::new());
        let left =
            sources.edit(apart(&found).into_iter().map(Removal::edit)).files[0].text.to_string();
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(words.join(" "), "mod a { } mod b { struct S; impl T for S {} } mod c { }");
    }

    #[test]
    fn the_smallest_removal_of_an_unused_name_is_chosen() {
        let text =
            "struct A { used: u8, unused: u8 } impl A { fn dead(&self) {} fn alive(&self) {} }";
        let sources = sources_of(text);
        let places = ["unused", "dead"].map(|name| (0, range_of(text, name)));
        let found = removals(&sources, &places, StandIn::Panic, &HashSet::new());
        let edited = sources.edit(found.iter().map(Removal::edit));
        let words: Vec<&str> = edited.files[0].text.split_whitespace().collect();
        assert_eq!(words.join(" "), "struct A { used: u8 } impl A { fn alive(&self) {} }");
        assert_eq!([found[0].is_definition, found[1].is_definition], [false, true]);
        let refused = HashSet::from([digest(&found[0].reduction, text)]);
        let rest = removals(&sources, &places, StandIn::Panic, &refused);
        assert_eq!(rest, &found[1..]);
    }
}

//! Who has which name: the words of a text, and the nodes that are found by one.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Item, Pat, Path, Type};

use super::Tree;
use super::index::All;
pub(crate) use crate::source::last_word;

/// What stands before a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lead {
    /// A dot: it is a member.
    Dot,
    /// `::`: it belongs to what is before that.
    Colons,
    /// Something else.
    Other,
}

/// A word of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Where it stands.
    pub(crate) range: Range<usize>,
    /// Behind what.
    pub(crate) lead: Lead,
}

/// The words of a text by their spelling, each in the order of the text, and the places of nodes in their lists by
/// name.
#[derive(Default)]
pub(crate) struct Names {
    words: OnceCell<Words>,
    implementors: OnceCell<Vec<(Range<usize>, String)>>,
    calls: OnceCell<ByName>,
    functions: OnceCell<ByName>,
    accesses: OnceCell<ByName>,
    paths: OnceCell<HashMap<usize, u32>>,
    segments: OnceCell<ByName>,
    types: OnceCell<ByName>,
    literals: OnceCell<ByName>,
    patterns: OnceCell<ByName>,
    impls: OnceCell<ByName>,
    trait_impls: OnceCell<ByName>,
}

/// All words in the order of the text, and the places of each name among them.
#[derive(Default)]
struct Words {
    all: Vec<Word>,
    by_name: ByName,
}

type ByName = HashMap<String, Vec<u32>>;

impl<'t> Tree<'t> {
    /// The words within a range.
    pub(crate) fn words_within(
        &self,
        range: &Range<usize>,
    ) -> impl Iterator<Item = &Word> + use<'_, 't> {
        let all = &self.all_words().all;
        let [from, to] = [range.start, range.end]
            .map(|place| all.partition_point(|word| word.range.start < place));
        self.counted(&all[from..to.max(from)])
    }

    /// The words of that name within a range.
    pub(crate) fn words_in(
        &self,
        name: &str,
        range: &Range<usize>,
    ) -> impl Iterator<Item = &Word> + use<'_, 't> {
        let Words { all, by_name } = self.all_words();
        let places = by_name.get(name).map_or(&[][..], Vec::as_slice);
        let [from, to] = [range.start, range.end]
            .map(|place| places.partition_point(|word| all[*word as usize].range.start < place));
        let places = self.counted(&places[from..to.max(from)]);
        places.map(|word| &all[*word as usize])
    }

    /// The word behind the `::` that follows a word.
    pub(crate) fn word_behind(&self, word: &Word) -> Option<&Word> {
        let next = self.all_words().all.get(self.place_of(word) + 1)?;
        let is_next = self.text[word.range.end..next.range.start].trim() == "::";
        is_next.then_some(next)
    }

    /// The words that lead to a word, each followed by `::`, and where the first one stands.
    pub(crate) fn path_to(&self, word: &Word) -> (usize, Vec<&'t str>) {
        let all = &self.all_words().all;
        let (mut first, mut path) = (self.place_of(word), Vec::new());
        while let Some(before) = first.checked_sub(1).map(|before| &all[before])
            && all[first].lead == Lead::Colons
            && self.word_behind(before) == Some(&all[first])
        {
            path.push(&self.text[before.range.clone()]);
            first -= 1;
        }
        path.reverse();
        (all[first].range.start, path)
    }

    fn place_of(&self, word: &Word) -> usize {
        self.count(1);
        let all = &self.all_words().all;
        all.partition_point(|other| other.range.start < word.range.start)
    }

    /// What `Self` stands for at a place: the name of the type that is implemented something for.
    pub(crate) fn self_name(&self, place: usize) -> Option<&str> {
        /// So many implementations may end before the place in the one around it.
        const INNER: usize = 8;
        let impls = self.names().implementors.get_or_init(|| {
            let named = self.items().filter_map(|item| match item {
                Item::Impl(block) => {
                    Some((self.range(item), name_of_type(&block.self_ty)?.to_string()))
                }
                _ => None,
            });
            named.collect()
        });
        let after = impls.partition_point(|(range, _)| range.start <= place);
        let near = impls[..after].iter().rev().take(INNER);
        near.into_iter().find(|(range, _)| place < range.end).map(|(_, name)| name.as_str())
    }

    /// All words of that name.
    pub(crate) fn words(&self, name: &dyn ToString) -> impl Iterator<Item = &Word> + use<'_, 't> {
        self.words_in(&name.to_string(), &(0..self.text.len()))
    }

    /// The places of all words `name` within `node`.
    pub(crate) fn mentions<N: ToTokens + 'static>(
        &self,
        node: &N,
        name: &Ident,
    ) -> Vec<Range<usize>> {
        let words = self.words_in(&name.to_string(), &self.range(node));
        words.map(|word| word.range.clone()).collect()
    }

    /// The path that begins at a place.
    fn path_at(&self, start: usize) -> Option<&'t Path> {
        let paths = self.names().paths.get_or_init(|| {
            let first = |path: &Path| Some(self.span(path.segments.first()?.ident.span()).start);
            let paths = (0_u32..).zip(self.paths());
            paths.filter_map(|(place, path)| Some((first(path)?, place))).collect()
        });
        let place = paths.get(&start)?;
        Some(self.nodes.paths[*place as usize]).filter(|path| path.leading_colon.is_none())
    }

    /// The paths within a range, but for those from the root of all crates.
    pub(crate) fn paths_within(
        &self,
        range: &Range<usize>,
    ) -> impl Iterator<Item = &'t Path> + use<'_, 't> {
        self.words_within(range).filter_map(|word| self.path_at(word.range.start))
    }

    /// Those of them that begin with that name.
    pub(crate) fn paths_from(
        &self,
        name: &str,
        range: &Range<usize>,
    ) -> impl Iterator<Item = &'t Path> {
        let words = self.words_in(name, range);
        words.filter_map(|word| self.path_at(word.range.start))
    }

    fn names(&self) -> &Names {
        self.lookups.get(Names::default)
    }

    fn all_words(&self) -> &Words {
        self.names().words.get_or_init(|| {
            let mut words = Words::default();
            self.add_words(self.tokens.clone(), &mut words);
            words
        })
    }

    fn add_words(&self, tokens: TokenStream, words: &mut Words) {
        // The sign before the next token, and the one that stands directly before that.
        let (mut joint, mut sign) = (None, None);
        for token in self.counted(tokens) {
            if let TokenTree::Punct(punct) = &token {
                joint =
                    sign.and_then(|(sign, spacing)| (spacing == Spacing::Joint).then_some(sign));
                sign = Some((punct.as_char(), punct.spacing()));
                continue;
            }
            match &token {
                TokenTree::Group(group) => self.add_words(group.stream(), words),
                TokenTree::Ident(word) => {
                    let lead = match (joint, sign) {
                        (Some(':'), Some((':', _))) => Lead::Colons,
                        // Two of them are a range.
                        (before, Some(('.', _))) if before != Some('.') => Lead::Dot,
                        _ => Lead::Other,
                    };
                    let range = self.span(word.span());
                    let places = words.by_name.entry(word.to_string()).or_default();
                    places.extend(u32::try_from(words.all.len()));
                    words.all.push(Word { range, lead });
                }
                _ => {}
            }
            (joint, sign) = (None, None);
        }
    }
}

impl<'t> Tree<'t> {
    /// The implementations for the type of that name that are of no trait.
    pub(crate) fn inherent_impls(&self, name: &Ident) -> impl Iterator<Item = &'t Item> {
        let is_inherent =
            |item: &&Item| matches!(item, Item::Impl(block) if block.trait_.is_none());
        self.impls_for(name).filter(is_inherent)
    }
}

macro_rules! found_by_name {
    ($($(#[$doc:meta])* $find:ident: $node:ident in $list:ident by $name:ident as $cell:ident;)*) => {
        impl<'t> Tree<'t> {
            $(
                $(#[$doc])*
                pub(crate) fn $find(&self, name: &dyn ToString) -> impl Iterator<Item = &'t syn::$node> + use<'_, 't> {
                    let found = self.names().$cell.get_or_init(|| by_name(self.$list(), $name));
                    let places = found.get(&name.to_string()).map_or(&[][..], Vec::as_slice);
                    self.counted(places).map(|place| self.nodes.$list[*place as usize])
                }
            )*
        }
    };
}

found_by_name! {
    /// Calls of functions and methods of that name, whatever they belong to.
    calls_of: Expr in exprs by called as calls;
    /// Calls of functions by a path that has it for one of its words.
    calls_through: Expr in exprs by words_of_function as functions;
    /// Accesses of the field of that name or number.
    accesses_of: Expr in exprs by accessed as accesses;
    /// Paths that have it for one of their words.
    paths_through: Path in paths by all_words_of as segments;
    /// Types of that name, whatever they belong to.
    types_named: Type in types by name_of_type as types;
    /// Struct expressions of that name.
    literals_of: Expr in exprs by name_of_literal as literals;
    /// Patterns that name a struct, a variant or a variable of that name.
    patterns_of: Pat in patterns by name_of_pattern as patterns;
    /// Implementations for the type of that name, of traits or not.
    impls_for: Item in items by implementing as impls;
    /// Implementations of the trait of that name.
    impls_of_trait: Item in items by implemented as trait_impls;
}

fn by_name<'s, 't: 's, N: 't, I: IntoIterator<Item: ToString>>(
    nodes: All<'s, 't, N>,
    names: impl Fn(&'t N) -> I,
) -> ByName {
    let mut found = ByName::new();
    for (place, node) in (0_u32..).zip(nodes) {
        for name in names(node) {
            let places = found.entry(name.to_string()).or_default();
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
    }
    found
}

/// The name of the function or method that an expression calls.
pub(crate) fn called(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Call(call) => match &*call.func {
            Expr::Path(func) => last_word(&func.path),
            _ => None,
        },
        Expr::MethodCall(call) => Some(&call.method),
        _ => None,
    }
}

fn words_of_function(expr: &Expr) -> impl Iterator<Item = &Ident> {
    let path = match expr {
        Expr::Call(call) => match &*call.func {
            Expr::Path(func) => Some(&func.path),
            _ => None,
        },
        _ => None,
    };
    path.into_iter().flat_map(all_words_of)
}

fn accessed(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Field(access) => Some(access.member.to_token_stream().to_string()),
        _ => None,
    }
}

fn all_words_of(path: &Path) -> impl Iterator<Item = &Ident> {
    path.segments.iter().map(|segment| &segment.ident)
}

/// The last word of a type that is a path.
pub(crate) fn name_of_type(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(ty) => last_word(&ty.path),
        _ => None,
    }
}

fn name_of_literal(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Struct(literal) => last_word(&literal.path),
        _ => None,
    }
}

fn name_of_pattern(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Path(pattern) => last_word(&pattern.path),
        Pat::Struct(pattern) => last_word(&pattern.path),
        Pat::TupleStruct(pattern) => last_word(&pattern.path),
        Pat::Ident(pattern) => Some(&pattern.ident),
        _ => None,
    }
}

fn implementing(item: &Item) -> Option<&Ident> {
    match item {
        Item::Impl(block) => name_of_type(&block.self_ty),
        _ => None,
    }
}

fn implemented(item: &Item) -> Option<&Ident> {
    match item {
        Item::Impl(block) => last_word(&block.trait_.as_ref()?.0),
        _ => None,
    }
}

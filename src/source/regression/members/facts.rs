//! What the sources of a reduced test make and read of their own types.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::spanned::Spanned;

use crate::reduce::RangeExt;
use crate::source::FileIndex;
use crate::source::parse::range;

/// A file of the sources.
pub(super) struct View {
    pub file: FileIndex,
    pub text: String,
    /// The bytes of the items that are needed.
    pub needed: Vec<Range<usize>>,
    /// The bytes of the methods in them that are not.
    pub left: Vec<Range<usize>>,
}

/// Parts with commas between them: variants, arms, fields, parameters, arguments.
pub(super) struct List {
    pub file: FileIndex,
    pub parts: Vec<Range<usize>>,
}

/// One part of a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Which list.
    pub list: usize,
    /// Which part of it.
    pub part: usize,
}

/// A field by the names of the type and its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FieldOf {
    pub owner: String,
    pub field: String,
}

/// A field of a type that may do without it.
pub(super) struct Field {
    pub place: Place,
    /// The generic parameters that it names.
    pub generics: BTreeSet<String>,
}

/// A value without whose computation nothing else changes, or another one.
#[derive(PartialEq, Eq)]
pub(super) enum Value {
    Constant,
    Variable(String),
    Other,
}

/// A field in a literal.
pub(super) struct Filled {
    pub place: Place,
    pub value: Value,
    /// The function in which the literal stands.
    pub function: String,
}

/// The parameters of a function; `self` and patterns have no name.
pub(super) struct Parameters {
    pub list: usize,
    pub names: Vec<Option<String>>,
}

/// A call by the name of a function.
pub(super) struct Call {
    pub list: usize,
    pub arguments: Vec<Value>,
}

/// A variant that a type may do without.
pub(super) struct Variant {
    pub place: Place,
    /// The arms for it.
    pub arms: Vec<Place>,
}

/// What is made and read, by names: what is read of one type counts for all that have a field of that name.
#[derive(Default)]
pub(super) struct Facts {
    pub lists: Vec<List>,
    /// The fields of types that would be the same to all others without them.
    pub fields: BTreeMap<FieldOf, Field>,
    /// Fields that are read.
    pub reads: BTreeSet<String>,
    pub filled: BTreeMap<FieldOf, Vec<Filled>>,
    /// By `name` or `Type::name`; `None` where there are several.
    pub functions: BTreeMap<String, Option<Parameters>>,
    pub calls: BTreeMap<String, Vec<Call>>,
    /// Names that are mentioned as a value.
    pub values: BTreeSet<String>,
    /// How many times a function reads a variable.
    pub variables: BTreeMap<(String, String), usize>,
    pub variants: BTreeMap<String, Variant>,
    /// All names that are mentioned other than by the pattern of an arm.
    pub mentioned: BTreeSet<String>,
    /// Whether a value is turned into a number.
    pub has_casts: bool,
}

impl Facts {
    /// The variants that nothing makes, and the arms for them, where another variant and another arm are left.
    pub(super) fn unmade(&self) -> BTreeSet<Place> {
        let unmade = self.variants.iter().filter(|(name, _)| !self.mentioned.contains(*name));
        let mut unmade: Vec<&Variant> = unmade.map(|(_, variant)| variant).collect();
        let places = |it: &&Variant| it.arms.iter().copied().chain([it.place]).collect::<Vec<_>>();
        let mut times: BTreeMap<usize, usize> = BTreeMap::new();
        for place in unmade.iter().flat_map(places) {
            *times.entry(place.list).or_default() += 1;
        }
        let is_whole = |place: Place| times[&place.list] == self.lists[place.list].parts.len();
        unmade.retain(|it| !self.has_casts && !places(it).into_iter().any(is_whole));
        unmade.iter().flat_map(places).collect()
    }

    /// Whether no field that is read names a generic parameter which `field` does.
    pub(super) fn needs_generics(&self, owner: &str, field: &Field) -> bool {
        let others = self.fields.iter().filter(|(of, _)| self.reads.contains(&of.field));
        let others = others.filter(|(of, _)| of.owner == owner);
        let named: BTreeSet<&String> = others.flat_map(|(_, other)| &other.generics).collect();
        !field.generics.iter().all(|it| named.contains(it))
    }
}

/// A file that is walked.
pub(super) struct Walk<'w> {
    pub facts: &'w mut Facts,
    pub view: &'w View,
    /// The byte from which the spans of its tree are counted.
    pub base: usize,
}

impl Walk<'_> {
    pub fn range(&self, node: &impl Spanned) -> Range<usize> {
        range(node.span(), self.base)
    }

    pub fn is_needed(&self, item: &syn::Item) -> bool {
        let own = self.range(item);
        self.view.needed.iter().any(|it| it.overlaps(&own))
    }

    pub fn list<'n, N: Spanned + 'n>(&mut self, parts: impl IntoIterator<Item = &'n N>) -> usize {
        let parts = parts.into_iter().map(|part| self.range(part)).collect();
        self.facts.lists.push(List { file: self.view.file, parts });
        self.facts.lists.len() - 1
    }
}

//! What the sources of a reduced test make and read of their own types.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, FnArg, Generics, Member, Pat, Path, Token, Type};

use crate::reduce::RangeExt;
use crate::source::parse::{look_at_file, range};
use crate::source::tokens::{arguments, flat, plain};
use crate::source::{FileIndex, idents};

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
    owner: String,
    pub field: String,
}

/// A field of a type that may do without it.
pub(super) struct Field {
    pub place: Place,
    /// The generic parameters that it names.
    generics: BTreeSet<String>,
    owner: String,
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

struct Variant {
    place: Place,
    arms: Vec<Place>,
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
    variants: BTreeMap<String, Variant>,
    /// All names that are mentioned other than by the pattern of an arm.
    mentioned: BTreeSet<String>,
    /// Whether a value is turned into a number.
    has_casts: bool,
}

impl Facts {
    pub(super) fn of(views: &[View]) -> Self {
        let mut facts = Facts::default();
        let shows_debug = views.iter().any(|view| {
            view.needed
                .iter()
                .any(|it| view.text.get(it.clone()).is_some_and(|it| it.contains(":?")))
        });
        for view in views {
            facts.walk(view, |walk, file| Definitions { walk, shows_debug }.visit_file(file));
        }
        for view in views {
            facts.walk(view, |walk, file| {
                Uses::of(walk).visit_file(file);
            });
        }
        facts
    }

    fn walk(&mut self, view: &View, look: impl FnOnce(Walk<'_>, &syn::File)) {
        look_at_file(&view.text, |file, base| look(Walk { facts: self, view, base }, &file));
    }

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
    pub(super) fn needs_generics(&self, field: &Field) -> bool {
        let others = self.fields.iter().filter(|(of, _)| self.reads.contains(&of.field));
        let others = others.filter(|(of, _)| of.owner == field.owner);
        let named: BTreeSet<&String> = others.flat_map(|(_, other)| &other.generics).collect();
        !field.generics.iter().all(|it| named.contains(it))
    }
}

/// A file that is walked.
struct Walk<'w> {
    facts: &'w mut Facts,
    view: &'w View,
    base: usize,
}

impl Walk<'_> {
    fn range(&self, node: &impl Spanned) -> Range<usize> {
        range(node.span(), self.base)
    }

    fn is_needed(&self, item: &syn::Item) -> bool {
        let own = self.range(item);
        self.view.needed.iter().any(|it| it.overlaps(&own))
    }

    fn list<'n, N: Spanned + 'n>(&mut self, parts: impl IntoIterator<Item = &'n N>) -> usize {
        let parts = parts.into_iter().map(|part| self.range(part)).collect();
        self.facts.lists.push(List { file: self.view.file, parts });
        self.facts.lists.len() - 1
    }
}

/// Finds the types.
struct Definitions<'w> {
    walk: Walk<'w>,
    shows_debug: bool,
}

impl<'ast> Visit<'ast> for Definitions<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if self.walk.is_needed(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let derived = ["Debug", "Clone", "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];
        let is_plain = |it: &syn::Variant| it.discriminant.is_none() && are_derived(&it.attrs, &[]);
        if !are_derived(&item.attrs, &derived)
            || !item.generics.params.is_empty()
            || !item.variants.iter().all(is_plain)
        {
            return;
        }
        let list = self.walk.list(&item.variants);
        for (part, variant) in item.variants.iter().enumerate() {
            let name = plain(&variant.ident);
            let own = Variant { place: Place { list, part }, arms: Vec::new() };
            // Of two with one name it is not known which one is made.
            if self.walk.facts.variants.insert(name.clone(), own).is_some() {
                self.walk.facts.mentioned.insert(name);
            }
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let derived: &[&str] =
            if self.shows_debug { &["Clone", "Copy"] } else { &["Clone", "Copy", "Debug"] };
        let syn::Fields::Named(fields) = &item.fields else { return };
        let is_plain = |it: &syn::Field| are_derived(&it.attrs, &[]);
        if !are_derived(&item.attrs, derived) || !fields.named.iter().all(is_plain) {
            return;
        }
        let list = self.walk.list(&fields.named);
        for (part, field) in fields.named.iter().enumerate() {
            let owner = plain(&item.ident);
            let name = field.ident.as_ref().map(plain).unwrap_or_default();
            let generics = generics_in(&field.ty, &item.generics);
            let of = FieldOf { owner: owner.clone(), field: name.clone() };
            let own = Field { place: Place { list, part }, generics, owner };
            if self.walk.facts.fields.insert(of, own).is_some() {
                self.walk.facts.reads.insert(name);
            }
        }
    }
}

/// Whether attributes are only documentation, and derives of these traits.
fn are_derived(attributes: &[Attribute], traits: &[&str]) -> bool {
    attributes.iter().all(|attribute| {
        let paths = Punctuated::<Path, Token![,]>::parse_terminated;
        let is_known = |path: &Path| traits.iter().any(|it| path.is_ident(it));
        let are_known = |paths: Punctuated<Path, Token![,]>| paths.iter().all(is_known);
        attribute.path().is_ident("doc")
            || attribute.path().is_ident("derive")
                && attribute.parse_args_with(paths).is_ok_and(are_known)
    })
}

/// The generic parameters that a type names.
fn generics_in(of: &Type, generics: &Generics) -> BTreeSet<String> {
    let words = idents::of_text(&of.to_token_stream().to_string());
    let names = generics.params.iter().map(|parameter| match parameter {
        syn::GenericParam::Lifetime(it) => plain(&it.lifetime.ident),
        syn::GenericParam::Type(it) => plain(&it.ident),
        syn::GenericParam::Const(it) => plain(&it.ident),
    });
    names.filter(|name| words.contains(name)).collect()
}

/// Finds what is made and read.
struct Uses<'w> {
    walk: Walk<'w>,
    /// The function that is walked.
    function: String,
    /// The type whose implementation is walked.
    owner: Option<String>,
    /// Whether a trait says what parameters its functions have.
    is_of_trait: bool,
    /// The variables of the function.
    bound: BTreeSet<String>,
}

impl<'w> Uses<'w> {
    fn of(walk: Walk<'w>) -> Self {
        let (function, bound) = (String::new(), BTreeSet::new());
        Uses { walk, function, owner: None, is_of_trait: false, bound }
    }

    /// What `path` names, with the type for what belongs to one.
    fn name_of(&self, path: &Path) -> Option<String> {
        let owner = |name: String| if name == "Self" { self.owner.clone() } else { Some(name) };
        let mut words = path.segments.iter().rev().map(|segment| plain(&segment.ident));
        let last = words.next()?;
        match words.next().filter(|word| word.starts_with(char::is_uppercase)) {
            Some(of) => Some(format!("{}::{last}", owner(of)?)),
            None => owner(last),
        }
    }

    fn function(&mut self, name: &str, signature: &syn::Signature) {
        let key = self.owner.as_ref().map_or(name.to_owned(), |owner| format!("{owner}::{name}"));
        let names = signature.inputs.iter().map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(it) => Some(plain(&it.ident)),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        let parameters =
            Parameters { list: self.walk.list(&signature.inputs), names: names.collect() };
        let before = self.walk.facts.functions.remove(&key);
        let is_free = before.is_none() && !self.is_of_trait && signature.receiver().is_none();
        let own = is_free.then_some(parameters);
        self.walk.facts.functions.insert(key.clone(), own);
        self.function = key;
    }

    fn value(&self, expr: &Expr) -> Value {
        let constant = |is: bool| if is { Value::Constant } else { Value::Other };
        match expr {
            Expr::Path(path) => match path.path.get_ident().map(plain) {
                Some(name) if self.bound.contains(&name) => Value::Variable(name),
                name => constant(name.is_some_and(|it| it == "None")),
            },
            _ => constant(is_constant(expr)),
        }
    }

    fn read(&mut self, variable: String) {
        let reads = &mut self.walk.facts.variables;
        *reads.entry((self.function.clone(), variable)).or_default() += 1;
    }

    fn literal(&mut self, literal: &syn::ExprStruct) {
        let owner = self.name_of(&literal.path);
        let list = self.walk.list(&literal.fields);
        for (part, field) in literal.fields.iter().enumerate() {
            if let (Some(owner), Member::Named(name)) = (&owner, &field.member) {
                let place = Place { list, part };
                let (value, function) = (self.value(&field.expr), self.function.clone());
                let of = FieldOf { owner: owner.clone(), field: plain(name) };
                let filled = self.walk.facts.filled.entry(of).or_default();
                filled.push(Filled { place, value, function });
            }
            self.visit_expr(&field.expr);
        }
        self.visit_path(&literal.path);
        literal.rest.iter().for_each(|rest| self.visit_expr(rest));
    }
}

/// A value that is written out, and what only copies it.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Reference(it) => is_constant(&it.expr),
        Expr::Unary(it) => is_constant(&it.expr),
        Expr::Array(it) => it.elems.iter().all(is_constant),
        Expr::Tuple(it) => it.elems.iter().all(is_constant),
        Expr::Call(it) => {
            let name = it.func.to_token_stream().to_string();
            matches!(&*name, "Some" | "String :: from") && it.args.iter().all(is_constant)
        }
        Expr::MethodCall(it) => {
            let copies = ["to_string", "to_owned", "into", "to_vec", "as_bytes"];
            copies.iter().any(|name| it.method == name)
                && it.args.is_empty()
                && is_constant(&it.receiver)
        }
        Expr::Macro(it) => {
            let elements = arguments(&it.mac.tokens);
            it.mac.path.is_ident("vec") && elements.is_some_and(|it| it.iter().all(is_constant))
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if self.walk.is_needed(item) {
            visit::visit_item(self, item);
        }
    }

    // What they define is no use of it.
    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.visit_fields(&variant.fields);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.visit_type(&field.ty);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Type::Path(path) = &*item.self_ty {
            self.owner = path.path.segments.last().map(|it| plain(&it.ident));
        }
        self.is_of_trait = item.trait_.is_some();
        visit::visit_item_impl(self, item);
        (self.owner, self.is_of_trait) = (None, false);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let outer = (self.function.clone(), self.bound.clone());
        self.function(&plain(&item.sig.ident), &item.sig);
        self.bound = names_bound(|all| all.visit_item_fn(item));
        visit::visit_item_fn(self, item);
        (self.function, self.bound) = outer;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let own = self.walk.range(item);
        if self.walk.view.left.iter().any(|it| it.overlaps(&own)) {
            return;
        }
        self.function(&plain(&item.sig.ident), &item.sig);
        self.bound = names_bound(|all| all.visit_impl_item_fn(item));
        visit::visit_impl_item_fn(self, item);
        self.bound.clear();
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let list = self.walk.list(&expr.arms);
        self.visit_expr(&expr.expr);
        for (part, arm) in expr.arms.iter().enumerate() {
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(it) => (&*it.pat, Some(&*it.guard)),
                pattern => (pattern, None),
            };
            let variant =
                variant_in(pattern).and_then(|it| self.walk.facts.variants.get_mut(&plain(it)));
            match (variant, pattern) {
                (None, pattern) => self.visit_pat(pattern),
                (Some(variant), pattern) => {
                    variant.arms.push(Place { list, part });
                    match pattern {
                        Pat::Struct(it) => it.fields.iter().for_each(|it| self.visit_field_pat(it)),
                        Pat::TupleStruct(it) => it.elems.iter().for_each(|it| self.visit_pat(it)),
                        _ => {}
                    }
                }
            }
            if let Some(guard) = guard {
                self.visit_expr(guard);
            }
            self.visit_expr(&arm.body);
        }
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        if let Member::Named(name) = &field.member {
            self.walk.facts.reads.insert(plain(name));
        }
        self.visit_pat(&field.pat);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Struct(literal) => return self.literal(literal),
            Expr::Field(field) => {
                if let Member::Named(name) = &field.member {
                    self.walk.facts.reads.insert(plain(name));
                }
            }
            Expr::Call(call) => {
                if let Expr::Path(path) = &*call.func
                    && let Some(name) = self.name_of(&path.path)
                {
                    let arguments = call.args.iter().map(|it| self.value(it)).collect();
                    let list = self.walk.list(&call.args);
                    if self.bound.contains(&name) {
                        self.read(name.clone());
                    }
                    let calls = self.walk.facts.calls.entry(name).or_default();
                    calls.push(Call { list, arguments });
                    self.visit_path(&path.path);
                    return call.args.iter().for_each(|it| self.visit_expr(it));
                }
            }
            Expr::Path(path) => {
                let name = self.name_of(&path.path).unwrap_or_default();
                if self.bound.contains(&name) {
                    self.read(name);
                } else {
                    self.walk.facts.values.insert(name);
                }
            }
            Expr::Cast(_) => self.walk.facts.has_casts = true,
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if let Some(arguments) = arguments(&mac.tokens) {
            return arguments.iter().for_each(|it| self.visit_expr(it));
        }
        for token in flat(mac.tokens.clone()) {
            let text = token.to_string();
            for name in idents::of_text(&text) {
                let facts = &mut *self.walk.facts;
                facts.mentioned.insert(name.clone());
                facts.reads.insert(name.clone());
                facts.values.insert(name.clone());
                self.read(name);
            }
        }
    }

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        for name in idents::captured(&literal.token().to_string()) {
            self.read(name);
        }
    }

    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.walk.facts.mentioned.insert(plain(ident));
    }
}

/// The name of the variant for which a pattern stands, if it is one.
fn variant_in(pattern: &Pat) -> Option<&syn::Ident> {
    let path = match pattern {
        Pat::Path(it) => &it.path,
        Pat::TupleStruct(it) => &it.path,
        Pat::Struct(it) => &it.path,
        Pat::Ident(it) if it.subpat.is_none() => return Some(&it.ident),
        _ => return None,
    };
    path.segments.last().map(|it| &it.ident)
}

/// The variables that a node binds, its parameters among them.
fn names_bound<'n>(
    start: impl FnOnce(&mut crate::source::exprs::BoundIdents<'n>),
) -> BTreeSet<String> {
    let bound = crate::source::bound_idents(start);
    bound.into_iter().map(|it| plain(&it.ident)).collect()
}

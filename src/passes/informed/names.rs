//! Which names a source defines and mentions, as far as that can be seen without resolving any.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Generics, Item, Member};

use crate::source::{LiveSpans, flat, item_name, too_deep};

/// Names that mean something without being defined in the source.
const PRELUDE: [&str; 32] = [
    "AsMut", "AsRef", "Box", "Clone", "Copy", "Debug", "Default", "Drop", "Eq", "Err", "Fn",
    "FnMut", "FnOnce", "From", "FromIterator", "Hash", "Into", "IntoIterator", "Iterator", "None",
    "Ok", "Option", "Ord", "PartialEq", "PartialOrd", "Result", "Send", "Sized", "Some", "String",
    "Sync", "Vec",
];

/// What a name is the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Namespace {
    /// A type, a trait, a constant, a variant or a parameter of types.
    Type,
    /// A variable, or a function that is called by its name alone.
    Value,
    /// A function that is called as a method, or behind its type.
    Method,
    /// A field.
    Field,
}

const NAMESPACES: [Namespace; 4] =
    [Namespace::Type, Namespace::Value, Namespace::Method, Namespace::Field];

/// A name, and what of.
pub(super) type Name = (Namespace, String);

/// The names in some texts.
#[derive(Debug, Default)]
pub(super) struct NameFacts {
    /// What can be mentioned elsewhere.
    defined: HashSet<Name>,
    /// Words in macros: what these define cannot be seen.
    perhaps: HashSet<String>,
    /// What has to be defined somewhere; of variables those that their own function does not bind.
    pub(super) mentioned: HashSet<Name>,
    /// Variables that are bound in functions.
    bound: HashSet<Name>,
    /// Whether a type or an implementation has a parameter that it does not use.
    pub(super) has_idle_parameter: bool,
}

impl NameFacts {
    /// What is in these files; `None` if one of them does not parse.
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<Self> {
        let mut facts = NameFacts::default();
        for text in texts {
            if too_deep(text).is_some() {
                return None;
            }
            let _live = LiveSpans::new();
            let file = syn::parse_file(text).ok()?;
            Visitor { facts: &mut facts, function: None }.visit_file(&file);
            let words = words(file.to_token_stream()).filter(|word| is_clear(word));
            facts.mentioned.extend(words.map(|word| (Namespace::Type, word)));
        }
        Some(facts)
    }

    /// The names that may be defined here.
    pub(super) fn definable(&self) -> impl Iterator<Item = Name> {
        let of_all = |word: &String| NAMESPACES.map(|namespace| (namespace, word.clone()));
        self.defined.iter().cloned().chain(self.perhaps.iter().flat_map(of_all))
    }

    /// The names that are missing where their definitions, or what binds them, are gone. What is mentioned and never defined
    /// comes from elsewhere.
    pub(super) fn needed(&self) -> impl Iterator<Item = &Name> {
        let all = self.defined.union(&self.bound);
        all.filter(|name| !self.mentioned.contains(*name) || self.defined.contains(*name))
    }

    fn define(&mut self, namespace: Namespace, name: &impl ToString) {
        self.defined.insert((namespace, name.to_string()));
    }

    fn mention(&mut self, namespace: Namespace, name: &impl ToString) {
        self.mentioned.insert((namespace, name.to_string()));
    }
}

fn words(tokens: TokenStream) -> impl Iterator<Item = String> {
    flat(tokens).filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    })
}

/// Whether a word is the name of a type or constant. Names in lower case may be variables, methods or fields.
fn is_clear(word: &str) -> bool {
    word.starts_with(|symbol: char| symbol.is_ascii_uppercase()) && !PRELUDE.contains(&word)
}

/// Whether one of the types that `generics` are parameters for stands neither in `uses` nor in bounds of another one.
fn has_idle_parameter(generics: &Generics, uses: TokenStream) -> bool {
    let mut words: Vec<String> = words(uses).collect();
    words.extend(self::words(generics.to_token_stream()));
    words.extend(self::words(generics.where_clause.to_token_stream()));
    let count = |name: &str| words.iter().filter(|word| *word == name).count();
    generics.type_params().any(|param| count(&param.ident.to_string()) == 1)
}

struct Visitor<'f> {
    facts: &'f mut NameFacts,
    /// What the outermost function around binds, and what it mentions of values.
    function: Option<Function>,
}

#[derive(Default)]
struct Function {
    bound: HashSet<String>,
    mentioned: HashSet<String>,
}

impl Visitor<'_> {
    /// Looks into a function, the values of which are its own.
    fn in_function(&mut self, look: impl FnOnce(&mut Self)) {
        if self.function.is_some() {
            return look(self);
        }
        self.function = Some(Function::default());
        look(self);
        let Some(Function { bound, mentioned }) = self.function.take() else { return };
        let free = mentioned.difference(&bound).cloned().map(|name| (Namespace::Value, name));
        self.facts.mentioned.extend(free);
        self.facts.bound.extend(bound.into_iter().map(|name| (Namespace::Value, name)));
    }

    fn bind(&mut self, name: &impl ToString) {
        if let Some(function) = &mut self.function {
            function.bound.insert(name.to_string());
        }
    }

    fn mention_field(&mut self, member: &Member) {
        if let Member::Named(name) = member {
            self.facts.mention(Namespace::Field, name);
        }
    }
}

/// What is seen of nodes of each kind, before what is in them.
macro_rules! see {
    ($($visit:ident($kind:ident): |$this:ident, $node:ident| $seen:expr;)*) => {$(
        fn $visit(&mut self, $node: &'ast syn::$kind) {
            let $this = &mut *self;
            $seen;
            visit::$visit(self, $node);
        }
    )*};
}

/// Functions, the values of which are their own.
macro_rules! look_into {
    ($($visit:ident($kind:ident);)*) => {$(
        fn $visit(&mut self, node: &'ast syn::$kind) {
            self.in_function(|this| visit::$visit(this, node));
        }
    )*};
}

impl<'ast> Visit<'ast> for Visitor<'_> {
    fn visit_item(&mut self, node: &'ast Item) {
        match node {
            Item::Use(_) => {
                for token in flat(node.to_token_stream()) {
                    self.facts.define(Namespace::Type, &token);
                    self.facts.define(Namespace::Value, &token);
                }
            }
            Item::Macro(_) | Item::Verbatim(_) => {
                self.facts.perhaps.extend(words(node.to_token_stream()));
            }
            Item::Fn(node) => self.facts.define(Namespace::Value, &node.sig.ident),
            Item::Mod(_) => {}
            item => {
                if let Some(name) = item_name(item) {
                    self.facts.define(Namespace::Type, name);
                    self.facts.define(Namespace::Value, name);
                }
            }
        }
        let is_idle = match node {
            Item::Struct(node) => has_idle_parameter(&node.generics, node.fields.to_token_stream()),
            Item::Enum(node) => has_idle_parameter(&node.generics, node.variants.to_token_stream()),
            Item::Impl(node) => {
                let of = node.trait_.as_ref().map(|implemented| &implemented.1);
                let head = [of.to_token_stream(), node.self_ty.to_token_stream()];
                has_idle_parameter(&node.generics, head.into_iter().collect())
            }
            _ => false,
        };
        self.facts.has_idle_parameter |= is_idle;
        visit::visit_item(self, node);
    }

    fn visit_expr_path(&mut self, node: &'ast syn::ExprPath) {
        let segments: Vec<String> =
            node.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match (&segments[..], &mut self.function) {
            ([name], Some(function)) if node.qself.is_none() && !is_clear(name) => {
                function.mentioned.insert(name.clone());
            }
            ([.., of, name], _) if is_clear(of) && !is_clear(name) => {
                self.facts.mention(Namespace::Method, name);
            }
            _ => {}
        }
        visit::visit_expr_path(self, node);
    }

    look_into! {
        visit_item_fn(ItemFn);
        visit_impl_item_fn(ImplItemFn);
        visit_trait_item_fn(TraitItemFn);
    }

    see! {
        visit_impl_item_macro(ImplItemMacro): |this, it| this.facts.perhaps.extend(words(it.to_token_stream()));
        visit_trait_item_macro(TraitItemMacro): |this, it| this.facts.perhaps.extend(words(it.to_token_stream()));
        visit_signature(Signature): |this, it| this.facts.define(Namespace::Method, &it.ident);
        visit_receiver(Receiver): |this, it| this.bind(&"self");
        visit_pat_ident(PatIdent): |this, it| this.bind(&it.ident);
        visit_expr_method_call(ExprMethodCall): |this, it| this.facts.mention(Namespace::Method, &it.method);
        visit_field(Field): |this, it| it.ident.iter().for_each(|name| this.facts.define(Namespace::Field, name));
        visit_expr_field(ExprField): |this, it| this.mention_field(&it.member);
        visit_field_value(FieldValue): |this, it| this.mention_field(&it.member);
        visit_field_pat(FieldPat): |this, it| this.mention_field(&it.member);
        visit_type_param(TypeParam): |this, it| this.facts.define(Namespace::Type, &it.ident);
        visit_const_param(ConstParam): |this, it| this.facts.define(Namespace::Type, &it.ident);
        visit_variant(Variant): |this, it| this.facts.define(Namespace::Type, &it.ident);
        visit_trait_item_type(TraitItemType): |this, it| this.facts.define(Namespace::Type, &it.ident);
        visit_trait_item_const(TraitItemConst): |this, it| this.facts.define(Namespace::Type, &it.ident);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> NameFacts {
        NameFacts::of([text]).unwrap()
    }

    fn mentioned(text: &str, namespace: Namespace) -> Vec<String> {
        let names = facts(text).mentioned.into_iter().filter(|(of, _)| *of == namespace);
        let mut names: Vec<String> = names.map(|(_, name)| name).collect();
        names.sort();
        names
    }

    #[test]
    fn variables_belong_to_the_function_that_binds_them() {
        let text = "fn f(a: u8, (b, _): (u8, u8)) { let c = |d: u8| a + b + d; c(e); g(a); m!(h); S::i(S { j: 1 }.j); } \
                    impl S { fn k(&self) { self.l().n } fn o() { self } }";
        assert_eq!(mentioned(text, Namespace::Value), ["e", "g", "self"]);
        assert_eq!(mentioned(text, Namespace::Method), ["i", "l"]);
        assert_eq!(mentioned(text, Namespace::Field), ["j", "n"]);
    }

    #[test]
    fn what_comes_from_elsewhere_is_not_needed_here() {
        let text = "use a::b; fn c(d: u8) { b(); drop(d); e(); } m! { fn e() {} }";
        let facts = facts(text);
        let needed: HashSet<&str> = facts
            .needed()
            .filter(|(namespace, _)| *namespace == Namespace::Value)
            .map(|(_, name)| name.as_str())
            .collect();
        assert!(needed.is_superset(&HashSet::from(["b", "c", "d"])), "{needed:?}");
        assert!(!needed.contains("drop"));
    }

    #[test]
    fn macros_among_the_members_of_a_type_may_define_any_name() {
        let definable = |text: &str| facts(text).definable().collect::<HashSet<Name>>();
        let method = (Namespace::Method, "a".to_owned());
        assert!(definable("impl S { m! { fn a() {} } }").contains(&method));
        assert!(definable("trait T { m! { a } }").contains(&method));
        assert!(!definable("impl S { fn b() { m! { a } } }").contains(&method));
    }

    #[test]
    fn parameters_of_types_are_used_by_what_is_behind_them() {
        let idle = |text: &str| facts(text).has_idle_parameter;
        assert!(idle("struct S<T>;"));
        assert!(idle("enum E<T: Copy> { A }"));
        assert!(idle("impl<T> S for U {}"));
        assert!(!idle("struct S<T>(T); impl<T> S<T> { fn f<U>() {} } enum E<T> { A(Vec<T>) }"));
        assert!(!idle("impl<I: Iterator<Item = T>, T> S for I {}"));
        assert!(!idle("impl<I, T> S for I where I: Iterator<Item = T> {}"));
    }
}

//! Everything of one kind in a tree, in the order of the text, outer before inner.

use syn::visit::{self, Visit};

use super::Tree;

macro_rules! collect {
    ($($(#[$doc:meta])* $name:ident: $node:ident by $visit:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name<'t>(tree: &'t Tree<'_>) -> Vec<&'t syn::$node> {
            struct Found<'t>(Vec<&'t syn::$node>);
            impl<'t> Visit<'t> for Found<'t> {
                fn $visit(&mut self, node: &'t syn::$node) {
                    self.0.push(node);
                    visit::$visit(self, node);
                }
            }
            let mut found = Found(Vec::new());
            found.visit_file(&tree.file);
            for arg in tree.macro_args.iter().flatten() {
                found.visit_expr(arg);
            }
            found.0
        }
    )*};
}

collect! {
    /// Arms of `match`.
    arms: Arm by visit_arm;
    /// Angle-bracketed generic arguments.
    angle_args: AngleBracketedGenericArguments by visit_angle_bracketed_generic_arguments;
    /// Attributes, doc comments among them.
    attributes: Attribute by visit_attribute;
    /// Blocks, function bodies among them.
    blocks: Block by visit_block;
    /// `for<'a>`.
    bound_lifetimes: BoundLifetimes by visit_bound_lifetimes;
    /// Expressions.
    exprs: Expr by visit_expr;
    /// Fields with names, and those of tuples.
    fields: Fields by visit_fields;
    /// Generic parameters with their where-clause.
    generics: Generics by visit_generics;
    /// Items of `extern` blocks.
    foreign_items: ForeignItem by visit_foreign_item;
    /// Items of impls.
    impl_items: ImplItem by visit_impl_item;
    /// Items, those in modules and bodies among them.
    items: Item by visit_item;
    /// `let` statements.
    locals: Local by visit_local;
    /// Calls of macros and `macro_rules!`.
    macros: Macro by visit_macro;
    /// Paths.
    paths: Path by visit_path;
    /// Patterns.
    patterns: Pat by visit_pat;
    /// `-> T`, or nothing.
    return_types: ReturnType by visit_return_type;
    /// Heads of functions.
    signatures: Signature by visit_signature;
    /// Statements.
    statements: Stmt by visit_stmt;
    /// Items of traits.
    trait_items: TraitItem by visit_trait_item;
    /// Types.
    types: Type by visit_type;
    /// `use` trees, the parts of groups among them.
    use_trees: UseTree by visit_use_tree;
    /// Variants of enums.
    variants: Variant by visit_variant;
}

/// The functions that have a body, wherever they stand.
#[must_use]
pub fn functions<'t>(tree: &'t Tree<'_>) -> Vec<(&'t syn::Signature, &'t syn::Block)> {
    let free = items(tree).into_iter().filter_map(|item| match item {
        syn::Item::Fn(item) => Some((&item.sig, &*item.block)),
        _ => None,
    });
    let in_impls = impl_items(tree).into_iter().filter_map(|item| match item {
        syn::ImplItem::Fn(item) => Some((&item.sig, &item.block)),
        _ => None,
    });
    let in_traits = trait_items(tree).into_iter().filter_map(|item| match item {
        syn::TraitItem::Fn(item) => Some((&item.sig, item.default.as_ref()?)),
        _ => None,
    });
    free.chain(in_impls).chain(in_traits).collect()
}

/// Lists of bounds: of type parameters, where-clauses, traits, `dyn`, `impl` and associated types.
#[must_use]
pub fn bound_lists<'t>(tree: &'t Tree<'_>) -> Vec<&'t Bounds> {
    let mut found = BoundLists(Vec::new());
    found.visit_file(&tree.file);
    found.0
}

/// Bounds joined by `+`.
pub type Bounds = syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>;

struct BoundLists<'t>(Vec<&'t Bounds>);

impl<'t> Visit<'t> for BoundLists<'t> {
    fn visit_type_param(&mut self, node: &'t syn::TypeParam) {
        self.0.push(&node.bounds);
        visit::visit_type_param(self, node);
    }

    fn visit_predicate_type(&mut self, node: &'t syn::PredicateType) {
        self.0.push(&node.bounds);
        visit::visit_predicate_type(self, node);
    }

    fn visit_item_trait(&mut self, node: &'t syn::ItemTrait) {
        self.0.push(&node.supertraits);
        visit::visit_item_trait(self, node);
    }

    fn visit_trait_item_type(&mut self, node: &'t syn::TraitItemType) {
        self.0.push(&node.bounds);
        visit::visit_trait_item_type(self, node);
    }

    fn visit_type_trait_object(&mut self, node: &'t syn::TypeTraitObject) {
        self.0.push(&node.bounds);
        visit::visit_type_trait_object(self, node);
    }

    fn visit_type_impl_trait(&mut self, node: &'t syn::TypeImplTrait) {
        self.0.push(&node.bounds);
        visit::visit_type_impl_trait(self, node);
    }

    fn visit_constraint(&mut self, node: &'t syn::Constraint) {
        self.0.push(&node.bounds);
        visit::visit_constraint(self, node);
    }
}

/// What an item is called; none for imports, implementations and calls of macros.
#[must_use]
pub fn item_name(item: &syn::Item) -> Option<&syn::Ident> {
    use syn::Item;
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Mod(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

/// All tokens within `node`, those inside brackets among them; brackets themselves are left out.
#[must_use]
pub fn flat_tokens(node: &impl quote::ToTokens) -> Vec<proc_macro2::TokenTree> {
    fn flatten(tokens: proc_macro2::TokenStream, flat: &mut Vec<proc_macro2::TokenTree>) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(group) => flatten(group.stream(), flat),
                token => flat.push(token),
            }
        }
    }
    let mut flat = Vec::new();
    flatten(node.to_token_stream(), &mut flat);
    flat
}

/// Whether a field of a struct expression stands at a place that is written without its value.
#[must_use]
pub fn is_short_field(tree: &Tree<'_>, place: &std::ops::Range<usize>) -> bool {
    exprs(tree).into_iter().any(|expr| match expr {
        syn::Expr::Struct(expr) => { expr.fields.iter() }
            .any(|field| field.colon_token.is_none() && tree.range(field) == *place),
        _ => false,
    })
}

/// What has to stand before a value in the place of a variable: its name, where a field of a struct
/// expression is written without its value.
#[must_use]
pub fn field_label(
    tree: &Tree<'_>,
    place: &std::ops::Range<usize>,
    name: &proc_macro2::Ident,
) -> String {
    if is_short_field(tree, place) {
        format!("{name}: ")
    } else {
        String::new()
    }
}

/// The functions that a harness runs: `#[test]`, `#[tokio::test]`.
#[must_use]
pub fn tests<'t>(tree: &'t Tree<'_>) -> Vec<&'t syn::ItemFn> {
    let is_test = |attribute: &syn::Attribute| {
        let last = attribute.path().segments.last();
        last.is_some_and(|last| last.ident == "test")
    };
    let test = |item: &'t syn::Item| match item {
        syn::Item::Fn(function) => function.attrs.iter().any(is_test).then_some(function),
        _ => None,
    };
    items(tree).into_iter().filter_map(test).collect()
}

/// The places of all identifiers called `name` within `node`.
#[must_use]
pub fn mentions(
    tree: &Tree<'_>,
    node: &impl quote::ToTokens,
    name: &proc_macro2::Ident,
) -> Vec<std::ops::Range<usize>> {
    flat_tokens(node)
        .into_iter()
        .filter(|token| matches!(token, proc_macro2::TokenTree::Ident(ident) if ident == name))
        .map(|token| tree.span(token.span()))
        .collect()
}

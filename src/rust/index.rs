//! What passes ask a tree for: its nodes by kind, where they stand, and which of them have a name. All of it is found in
//! one walk, or at the first question, so that the work of a pass grows as the source does.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, File, Pat, Token, Type};

use super::lookups::Lookups;
use crate::source::{Arguments, is_test};

/// After so many steps the limit is asked.
const STEPS: u64 = 1 << 12;

/// The nodes of a tree, and what was looked up so far.
pub struct Index<'t> {
    pub(super) nodes: Nodes<'t>,
    /// Where the nodes of the lists stand, once that was asked, by their place in memory and their type: nodes of
    /// other types, or made on the way, are not among them.
    ranges: RefCell<HashMap<Key, Option<Range<usize>>, BuildHasherDefault<Mix>>>,
    /// Names, scopes and the like.
    pub(super) lookups: Lookups,
    steps: Cell<u64>,
    is_over: Cell<bool>,
    should_stop: &'t dyn Fn() -> bool,
}

type Key = (usize, TypeId);

impl<'t> Index<'t> {
    pub(crate) fn of(
        file: &'t File,
        macro_args: &'t [Arguments],
        should_stop: &'t dyn Fn() -> bool,
    ) -> Self {
        let mut nodes = Nodes::default();
        nodes.visit_file(file);
        for arg in macro_args.iter().flatten() {
            nodes.visit_expr(arg);
        }
        let mut ranges = HashMap::default();
        nodes.keys(&mut |key| {
            ranges.insert(key, None);
        });
        Index {
            nodes,
            ranges: RefCell::new(ranges),
            lookups: Lookups::default(),
            steps: Cell::new(0),
            is_over: Cell::new(false),
            should_stop,
        }
    }

    /// The range of a node, found by `find` unless it is known.
    pub(crate) fn known_range<T: ToTokens + 'static>(
        &self,
        node: &T,
        find: impl FnOnce() -> Range<usize>,
    ) -> Range<usize> {
        let key = key_of(node);
        self.count(1);
        let known = self.ranges.borrow().get(&key).cloned();
        match known {
            Some(Some(range)) => range,
            None => find(),
            Some(None) => {
                let range = find();
                self.ranges.borrow_mut().insert(key, Some(range.clone()));
                range
            }
        }
    }

    /// Counts steps, and asks now and then whether to stop.
    pub(crate) fn count(&self, steps: usize) {
        let (before, steps) = (self.steps.get(), steps as u64);
        self.steps.set(before + steps);
        if before / STEPS != (before + steps) / STEPS && (self.should_stop)() {
            self.is_over.set(true);
        }
    }

    /// Goes through nodes or names, counting them, until it is time to stop.
    pub(crate) fn counted<'s, I: IntoIterator>(&'s self, all: I) -> Counted<'s, 't, I::IntoIter> {
        Counted { index: self, all: all.into_iter() }
    }
}

/// What stands for a node: a boxed one is the node itself.
fn key_of<T: 'static>(node: &T) -> Key {
    let any: &dyn Any = node;
    if let Some(node) = any.downcast_ref::<Box<Expr>>() {
        return key_of(&**node);
    }
    if let Some(node) = any.downcast_ref::<Box<Type>>() {
        return key_of(&**node);
    }
    if let Some(node) = any.downcast_ref::<Box<Pat>>() {
        return key_of(&**node);
    }
    if let Some(node) = any.downcast_ref::<Box<Block>>() {
        return key_of(&**node);
    }
    (std::ptr::from_ref(node).addr(), TypeId::of::<T>())
}

/// Mixes the words of a key, which are different enough already.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// An iterator whose steps are counted, and that ends when it is time to stop.
#[derive(Clone)]
pub struct Counted<'s, 't, I> {
    index: &'s Index<'t>,
    all: I,
}

impl<I: Iterator> Iterator for Counted<'_, '_, I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.index.count(1);
        self.all.next().filter(|_| !self.index.is_over.get())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.all.size_hint().1)
    }
}

/// Goes through the nodes of a kind.
pub type All<'s, 't, N> = Counted<'s, 't, std::iter::Copied<std::slice::Iter<'s, &'t N>>>;

macro_rules! nodes {
    (
        $($(#[$doc:meta])* $name:ident: $node:ident by $visit:ident;)*
        ; $($bounds:ident of $bounded:ident by $visit_bounds:ident;)*
    ) => {
        /// The nodes by kind, each in the order of the text, outer before inner, those in arguments of macros last.
        #[derive(Default)]
        pub(super) struct Nodes<'t> {
            $(pub(super) $name: Vec<&'t syn::$node>,)*
            /// What is bounded: lists of bounds are no nodes.
            bound_lists: Vec<&'t Bounds>,
        }

        impl Nodes<'_> {
            fn keys(&self, add: &mut impl FnMut(Key)) {
                $(self.$name.iter().for_each(|node| add(key_of(*node)));)*
            }
        }

        impl<'t> Visit<'t> for Nodes<'t> {
            $(fn $visit(&mut self, node: &'t syn::$node) {
                self.$name.push(node);
                visit::$visit(self, node);
            })*

            $(fn $visit_bounds(&mut self, node: &'t syn::$bounded) {
                self.bound_lists.push(&node.$bounds);
                visit::$visit_bounds(self, node);
            })*

            /// The block behind `else` is no expression: nothing but another `if` can stand there.
            fn visit_expr_if(&mut self, node: &'t syn::ExprIf) {
                self.visit_expr(&node.cond);
                self.visit_block(&node.then_branch);
                match node.else_branch.as_ref().map(|(_, otherwise)| &**otherwise) {
                    Some(syn::Expr::Block(block)) => visit::visit_expr_block(self, block),
                    Some(otherwise) => self.visit_expr(otherwise),
                    None => {}
                }
            }

            /// Nor is the body of a closure that says what it returns: that has to be a block.
            fn visit_expr_closure(&mut self, node: &'t syn::ExprClosure) {
                match &*node.body {
                    syn::Expr::Block(block) if matches!(node.output, syn::ReturnType::Type(..)) => {
                        node.inputs.iter().for_each(|input| self.visit_pat(input));
                        self.visit_return_type(&node.output);
                        visit::visit_expr_block(self, block);
                    }
                    _ => visit::visit_expr_closure(self, node),
                }
            }

            /// The text of a comment is no expression either.
            fn visit_meta_name_value(&mut self, _: &'t syn::MetaNameValue) {}
        }

        impl<'t> Index<'t> {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> All<'_, 't, syn::$node> {
                    self.counted(self.nodes.$name.iter().copied())
                }
            )*
        }
    };
}

nodes! {
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
    ;
    bounds of TypeParam by visit_type_param;
    supertraits of ItemTrait by visit_item_trait;
    bounds of TraitItemType by visit_trait_item_type;
    bounds of TypeTraitObject by visit_type_trait_object;
    bounds of TypeImplTrait by visit_type_impl_trait;
    bounds of Constraint by visit_constraint;
}

/// Bounds joined by `+`.
pub type Bounds = Punctuated<syn::TypeParamBound, Token![+]>;

impl<'t> Index<'t> {
    /// Lists of bounds: of type parameters, traits, `dyn`, `impl` and associated types.
    pub fn bound_lists(&self) -> All<'_, 't, Bounds> {
        self.counted(self.nodes.bound_lists.iter().copied())
    }

    /// How many nodes, tokens and names were looked at so far.
    #[cfg(test)]
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// The functions that are items of their own.
    pub fn item_functions(&self) -> impl Iterator<Item = &'t syn::ItemFn> {
        self.items().filter_map(|item| match item {
            syn::Item::Fn(function) => Some(function),
            _ => None,
        })
    }

    /// The functions that have a body, wherever they stand.
    pub fn functions(&self) -> impl Iterator<Item = (&'t syn::Signature, &'t Block)> {
        let free = self.item_functions().map(|item| (&item.sig, &*item.block));
        let in_impls = self.impl_items().filter_map(|item| match item {
            syn::ImplItem::Fn(item) => Some((&item.sig, &item.block)),
            _ => None,
        });
        let in_traits = self.trait_items().filter_map(|item| match item {
            syn::TraitItem::Fn(item) => Some((&item.sig, item.default.as_ref()?)),
            _ => None,
        });
        free.chain(in_impls).chain(in_traits)
    }

    /// The modules.
    pub fn modules(&self) -> impl Iterator<Item = &'t syn::ItemMod> {
        self.items().filter_map(|item| match item {
            syn::Item::Mod(module) => Some(module),
            _ => None,
        })
    }

    /// The functions that a harness runs: `#[test]`, `#[tokio::test]`.
    pub fn tests(&self) -> impl Iterator<Item = &'t syn::ItemFn> {
        self.item_functions().filter(|function| is_test(function))
    }
}

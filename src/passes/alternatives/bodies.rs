//! Where the bodies of functions are.

use std::ops::Range;

use syn::visit::{self, Visit};
use syn::{Attribute, Block, Signature};

use crate::passes::switches::shapes;
use crate::passes::{NotTokens, Sources, StandIn, Tree};

/// The bytes between the braces of functions that can have another body beside their own, in order.
/// Functions inside of functions belong to the body around them.
///
/// # Errors
/// When the text is not made of Rust tokens.
pub fn bodies(text: &str) -> Result<Vec<Range<usize>>, NotTokens> {
    Tree::with(text, StandIn::Panic, |tree| {
        let mut finder = Finder {
            tree,
            found: Vec::new(),
        };
        finder.visit_file(&tree.file);
        finder.found.sort_by_key(|range| range.start);
        finder.found
    })
}

/// A source cut at the bodies of its functions.
#[derive(Debug, Clone)]
pub struct Cut<'s> {
    /// The source.
    pub sources: &'s Sources,
    /// The bodies: the place of the file, and the bytes.
    pub(super) bodies: Vec<(usize, Range<usize>)>,
}

impl<'s> Cut<'s> {
    /// Finds the bodies; `None` in what is not made of Rust tokens.
    #[must_use]
    pub fn of(sources: &'s Sources) -> Option<Self> {
        let mut all = Vec::new();
        for (file, source) in sources.files.iter().enumerate() {
            let found = bodies(&source.text).ok()?;
            all.extend(found.into_iter().map(|range| (file, range)));
        }
        Some(Cut {
            sources,
            bodies: all,
        })
    }

    /// How many functions have a body that can be another one.
    #[must_use]
    pub fn functions(&self) -> usize {
        self.bodies.len()
    }

    /// Cuts another source; `None` if it is not the same as this one around its bodies.
    #[must_use]
    pub fn like<'o>(&self, other: &'o Sources) -> Option<Cut<'o>> {
        let other = Cut::of(other)?;
        let is_like = self.bodies.len() == other.bodies.len() && self.around().eq(other.around());
        is_like.then_some(other)
    }

    /// How many bytes the bodies have that differ from those of a source that is like this one.
    #[must_use]
    pub fn bytes_beside(&self, base: &Cut<'_>) -> usize {
        let bodies = 0..self.bodies.len();
        bodies
            .map(|body| (self.text(body), base.text(body)))
            .filter(|(own, other)| own != other)
            .map(|(own, _)| own.len())
            .sum()
    }

    /// The text of a body.
    pub(super) fn text(&self, body: usize) -> &'s str {
        let (file, range) = &self.bodies[body];
        &self.sources.files[*file].text[range.clone()]
    }

    /// The files with what stands around their bodies.
    fn around(&self) -> impl Iterator<Item = (usize, &'s str)> {
        let files = self.sources.files.iter().enumerate();
        files.flat_map(move |(file, source)| {
            let here = self.bodies.iter().filter(move |(place, _)| *place == file);
            let ends = here.clone().map(|(_, range)| range.start);
            let starts = here.map(|(_, range)| range.end);
            let starts = std::iter::once(0).chain(starts);
            let ends = ends.chain(std::iter::once(source.text.len()));
            let text: &'s str = &source.text;
            starts
                .zip(ends)
                .map(move |(start, end)| (file, &text[start..end]))
        })
    }
}

struct Finder<'t> {
    tree: &'t Tree<'t>,
    found: Vec<Range<usize>>,
}

impl Finder<'_> {
    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        // Where a body decides what type is returned, it only compiles with the right one beside it.
        let is_free = !shapes::is_untouchable(signature, attributes)
            && shapes::has_free_start(attributes)
            && !shapes::returns_opaque(&signature.output)
            && !has_impl(block);
        if is_free {
            self.found.push(self.tree.inside(&block.brace_token.span));
        }
    }
}

/// Whether there are items in a block that may only be there once.
fn has_impl(block: &Block) -> bool {
    struct Look(bool);
    impl Visit<'_> for Look {
        fn visit_item_impl(&mut self, _: &syn::ItemImpl) {
            self.0 = true;
        }
    }
    let mut look = Look(false);
    look.visit_block(block);
    look.0
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        // What picks a body allocates.
        if !shapes::is_allocator(item) {
            visit::visit_item_impl(self, item);
        }
    }

    // What the compiler evaluates.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{Sameness, SourceFile};

    fn found(text: &str) -> Vec<&str> {
        let bodies = bodies(text).unwrap();
        bodies.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn functions_of_all_kinds_have_bodies() {
        let text = "fn a() {1} mod b { impl C { pub async fn d(&self) {2 ; fn e() {} } } \
                    trait F { fn g() {3} fn h(); } impl F for C { fn g() {4} } }";
        assert_eq!(found(text), ["1", "2 ; fn e() {} ", "3", "4"]);
    }

    #[test]
    fn bodies_that_stand_for_more_than_themselves_are_left_alone() {
        let alone = [
            "const fn a() -> u8 {1}",
            "fn a() -> impl Fn() {|| ()}",
            "fn a() { #![allow(x)] }",
            "fn a() { impl B for C {} }",
            "unsafe impl GlobalAlloc for A { unsafe fn alloc(&self) {1} }",
            "const A: u8 = { fn b() {} 1 };",
            "macro_rules! a { () => { fn b() {} } }",
        ];
        for text in alone {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn sources_are_alike_if_only_bodies_differ() {
        let base = sources("fn a() { b(); } fn c() { 1; }");
        let cut = Cut::of(&base).unwrap();
        for (text, bodies) in [
            ("fn a() {} fn c() { 1; }", Some(["", " 1; "])),
            ("fn a() {\"}\"; } fn c() {;}", Some(["\"}\"; ", ";"])),
            (
                "fn a() { b(); { 2 } } fn c() { 1; }",
                Some([" b(); { 2 } ", " 1; "]),
            ),
            ("fn a() { b(); }", None),
            ("fn a() { b(); } fn d() { 1; }", None),
            ("fn a() { b(); } fn c() { 1; } ", None),
            ("fn a() { b(); ", None),
            ("fn a() { b(); } fn c() { 1; } fn d() {}", None),
        ] {
            let other = sources(text);
            let like = cut.like(&other);
            let found = like.as_ref().map(|like| [like.text(0), like.text(1)]);
            assert_eq!(found, bodies, "{text}");
        }
    }

    #[test]
    fn only_bodies_that_differ_count() {
        let (base, other) = (
            sources("fn a() {1} fn b() {2}"),
            sources("fn a() {1} fn b() {}"),
        );
        let (base, other) = (Cut::of(&base).unwrap(), Cut::of(&other).unwrap());
        assert_eq!(
            (base.bytes_beside(&other), other.bytes_beside(&base)),
            (1, 0)
        );
    }

    fn sources(text: &str) -> Sources {
        let file = SourceFile {
            path: "a.rs".into(),
            text: text.into(),
        };
        Sources::new(vec![file], Sameness::Tokens)
    }
}

//! Where the bodies of functions are.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use proc_macro2::Span;
use syn::parse::Parse;
use syn::token::Brace;
use syn::visit::{self, Visit};
use syn::{AttrStyle, Attribute, Block, FnArg, GenericParam, Item, Pat, Safety, Signature};

use crate::rust::switches::shapes;
use crate::rust::{NotTokens, Sources, StandIn, Tree, scan};
use crate::source::look_at;

/// The bytes between the braces of functions that can have another body beside their own, in order.
/// Functions inside of functions belong to the body around them.
///
/// # Errors
/// When the text is not made of Rust tokens.
pub fn bodies(text: &str) -> Result<Vec<Range<usize>>, NotTokens> {
    Ok(with_loops(text, 0)?.into_iter().map(|body| body.range).collect())
}

/// A body of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Body {
    /// The place of its file.
    pub(crate) file: usize,
    /// The bytes between its braces.
    pub(crate) range: Range<usize>,
    /// Where what its loops repeat begins: bytes after the start.
    pub(crate) loops: Vec<usize>,
    /// How it can be the body of a function of its own.
    pub(crate) own: Option<OwnFunction>,
}

/// A function beside another one, with the same signature but for the name, that the other calls with its own arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnFunction {
    /// What stands between the name and the body: generics, parameters, and so on.
    pub(crate) signature: Range<usize>,
    /// What a call has in front of the name.
    pub(crate) path: &'static str,
    /// What a call has behind the name.
    pub(crate) arguments: String,
}

/// The bodies of a file, with their loops.
fn with_loops(text: &str, file: usize) -> Result<Vec<Body>, NotTokens> {
    Tree::with(text, StandIn::Panic, |tree| {
        let mut finder = Finder { tree, file, path: None, found: Vec::new() };
        finder.visit_file(tree.file);
        finder.found.sort_by_key(|body| body.range.start);
        finder.found
    })
}

/// A source cut at the bodies of its functions.
#[derive(Debug, Clone)]
pub struct Cut<'s> {
    /// The source.
    pub sources: &'s Sources,
    /// The bodies, in order; of those that are the same as in the source it was compared with, the loops are left out.
    pub(crate) bodies: Vec<Body>,
}

impl<'s> Cut<'s> {
    /// Finds the bodies; `None` in what is not made of Rust tokens.
    pub fn of(sources: &'s Sources) -> Option<Self> {
        let mut all = Vec::new();
        for (file, source) in sources.files.iter().enumerate() {
            all.extend(with_loops(&source.text, file).ok()?);
        }
        Some(Cut { sources, bodies: all })
    }

    /// How many functions have a body that can be another one.
    pub fn functions(&self) -> usize {
        self.bodies.len()
    }

    /// Cuts another source in the same places. Only bodies that differ are parsed: there are many candidates,
    /// and all but a few bytes of each are those of the best.
    pub fn compare<'o>(&self, other: &'o Sources) -> Likeness<'o> {
        let Some(bodies) = self.aligned(other) else { return Likeness::Different };
        let mut other = Cut { sources: other, bodies };
        for body in 0..self.bodies.len() {
            let text = other.text(body);
            if self.text(body) == text {
                continue;
            }
            let look = |block: Block| {
                let loops = loops(&block, |span| span.byte_range().end - "{".len());
                (!has_impl(&block)).then_some(loops)
            };
            match look_at(&format!("{{{text}}}"), Block::parse, look) {
                Err(_) => return Likeness::Broken,
                Ok(None) => return Likeness::Different,
                Ok(Some(loops)) => other.bodies[body].loops = loops,
            }
        }
        Likeness::Variant(other)
    }

    /// The bodies of a source that is the same as this one around them.
    fn aligned(&self, other: &Sources) -> Option<Vec<Body>> {
        if self.sources.files.len() != other.files.len() {
            return None;
        }
        let mut found = Vec::with_capacity(self.bodies.len());
        let files = self.sources.files.iter().zip(&other.files);
        for (file, (own, other)) in files.enumerate() {
            let (own, other): (&str, &str) = (&own.text, &other.text);
            let (mut done, mut at) = (0, 0);
            for body in self.bodies.iter().filter(|body| body.file == file).map(|it| &it.range) {
                let rest = other[at..].strip_prefix(&own[done..body.start])?;
                let same = rest.strip_prefix(&own[body.clone()]);
                let length = match same.filter(|rest| rest.starts_with('}')) {
                    Some(_) => body.len(),
                    None => scan::end_of_group(rest, "{")?,
                };
                let start = other.len() - rest.len();
                found.push(Body {
                    file,
                    range: start..start + length,
                    loops: Vec::new(),
                    own: None,
                });
                (done, at) = (body.end, start + length);
            }
            if other[at..] != own[done..] {
                return None;
            }
        }
        Some(found)
    }

    /// How many bytes the bodies have that differ from those of a source that is like this one.
    pub fn bytes_beside(&self, base: &Cut<'_>) -> usize {
        self.differing(base).map(|body| self.text(body).len()).sum()
    }

    /// The bodies that another source, cut in the same places, has otherwise.
    pub fn differing<'o>(&'o self, other: &'o Cut<'_>) -> impl Iterator<Item = usize> + 'o {
        (0..self.bodies.len()).filter(|body| self.text(*body) != other.text(*body))
    }

    /// What tells the text around the bodies from others.
    pub fn digest_around(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (file, source) in self.sources.files.iter().enumerate() {
            let mut done = 0;
            for Body { range, .. } in self.bodies.iter().filter(|body| body.file == file) {
                source.text[done..range.start].hash(&mut hasher);
                done = range.end;
            }
            source.text[done..].hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The text of a body.
    pub(crate) fn text(&self, body: usize) -> &'s str {
        let Body { file, range, .. } = &self.bodies[body];
        &self.sources.files[*file].text[range.clone()]
    }
}

/// What another source has in common with one that is cut.
#[derive(Debug, Clone)]
pub enum Likeness<'o> {
    /// All that is around the bodies: here it is, cut in the same places.
    Variant(Cut<'o>),
    /// All that is around the bodies, but one of them is not Rust.
    Broken,
    /// Not all that is around the bodies, or one of them cannot stand beside another.
    Different,
}

#[cfg(test)]
impl<'o> Likeness<'o> {
    /// The other source, if it can stand beside the one that it was compared with.
    pub fn variant(self) -> Option<Cut<'o>> {
        match self {
            Likeness::Variant(cut) => Some(cut),
            Likeness::Broken | Likeness::Different => None,
        }
    }
}

struct Finder<'t> {
    tree: &'t Tree<'t>,
    file: usize,
    /// By which path functions call those beside them; `None` where there cannot be others.
    path: Option<&'static str>,
    found: Vec<Body>,
}

impl Finder<'_> {
    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        // Where a body decides what type is returned, it only compiles with the right one beside it.
        let is_free = !shapes::is_untouchable(signature, attributes)
            && shapes::has_free_start(attributes)
            && !shapes::returns_opaque(&signature.output)
            && !has_impl(block);
        if is_free {
            let range = self.tree.inside(&block.brace_token.span);
            let loops = loops(block, |span| self.tree.span(span).end - range.start);
            let own = self.own_function(attributes, signature, range.start);
            self.found.push(Body { file: self.file, range, loops, own });
        }
    }

    /// How the body of a function, which begins there, can be that of another one.
    fn own_function(
        &self,
        attributes: &[Attribute],
        signature: &Signature,
        body: usize,
    ) -> Option<OwnFunction> {
        // They would see another caller, or be called in another way.
        let is_called_otherwise = !matches!(signature.safety, Safety::Default)
            || signature.asyncness.is_some()
            || signature.abi.is_some()
            || signature.variadic.is_some()
            || attributes.iter().any(|attribute| attribute.path().is_ident("track_caller"));
        let arguments: Option<Vec<String>> = signature.inputs.iter().map(argument).collect();
        let (path, arguments) = (self.path?, arguments?.join(", "));
        let generics = signature.generics.params.iter().filter_map(|generic| match generic {
            GenericParam::Lifetime(_) => None,
            GenericParam::Type(it) => Some(it.ident.to_string()),
            GenericParam::Const(it) => Some(it.ident.to_string()),
        });
        let generics: Vec<String> = generics.collect();
        let generics = match &generics[..] {
            [] => String::new(),
            generics => format!("::<{}>", generics.join(", ")),
        };
        let start = self.tree.span(signature.ident.span()).end;
        (!is_called_otherwise).then(|| OwnFunction {
            signature: start..body - "{".len(),
            path,
            arguments: format!("{generics}({arguments})"),
        })
    }
}

/// What hands a parameter on, if it has a name for that.
fn argument(parameter: &FnArg) -> Option<String> {
    match parameter {
        FnArg::Receiver(receiver) if receiver.attrs.is_empty() => Some("self".to_owned()),
        FnArg::Typed(typed) if typed.attrs.is_empty() => match &*typed.pat {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                Some(name.ident.to_string())
            }
            _ => None,
        },
        FnArg::Receiver(_) | FnArg::Typed(_) => None,
    }
}

/// Where what the loops of a block repeat begins, in order; `end` says where a span ends. What the compiler evaluates, and
/// items, which may be evaluated by it, are left out.
fn loops(block: &Block, end: impl Fn(Span) -> usize) -> Vec<usize> {
    struct Look<E> {
        end: E,
        found: Vec<usize>,
    }
    impl<E: Fn(Span) -> usize> Look<E> {
        fn add(&mut self, attributes: &[Attribute], brace: Brace) {
            // An attribute in front of the first statement has to stay in front.
            if !attributes.iter().any(|it| matches!(it.style, AttrStyle::Inner(_))) {
                self.found.push((self.end)(brace.span.open()));
            }
        }
    }
    impl<'ast, E: Fn(Span) -> usize> Visit<'ast> for Look<E> {
        fn visit_expr_loop(&mut self, node: &'ast syn::ExprLoop) {
            self.add(&node.attrs, node.body.brace_token);
            visit::visit_expr_loop(self, node);
        }

        fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
            self.add(&node.attrs, node.body.brace_token);
            visit::visit_expr_while(self, node);
        }

        fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
            self.add(&node.attrs, node.body.brace_token);
            visit::visit_expr_for_loop(self, node);
        }

        fn visit_item(&mut self, _: &'ast syn::Item) {}
        fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
        fn visit_expr_repeat(&mut self, _: &'ast syn::ExprRepeat) {}
        fn visit_type(&mut self, _: &'ast syn::Type) {}
        fn visit_pat(&mut self, _: &'ast syn::Pat) {}
        fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    }
    let mut look = Look { end, found: Vec::new() };
    look.visit_block(block);
    look.found.sort_unstable();
    look.found
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
    shapes::visit_functions!();

    fn visit_item(&mut self, item: &'ast Item) {
        let path = match item {
            // A trait says what there is.
            Item::Impl(item) if item.trait_.is_some() => None,
            Item::Impl(_) | Item::Trait(_) => Some("Self::"),
            _ => Some(""),
        };
        let around = std::mem::replace(&mut self.path, path);
        visit::visit_item(self, item);
        self.path = around;
    }

    // What the compiler evaluates.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of as sources;

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
    fn loops_are_found_where_nothing_is_evaluated_by_the_compiler() {
        let text = "fn a() { let é = loop { while let A { .. } = { b } {c} }; \
                    for _ in [(); { loop {} 1 }] { || loop {d} } const E: () = loop {}; }";
        let base = sources(&format!("fn o() {{}} {text}"));
        let base = Cut::of(&base).unwrap();
        let places = |cut: &Cut<'_>, body: usize| {
            let loops = cut.bodies[body].loops.iter();
            loops.map(|at| cut.text(body)[*at..].chars().take(2).collect::<String>()).collect()
        };
        let expected = [" w", "c}", " |", "d}"];
        let found: Vec<String> = places(&base, 1);
        assert_eq!(found, expected);
        let other = sources(&format!("fn o() {{ loop {{}} }} {}", text.replace("b }", "f }")));
        let other = base.compare(&other).variant().unwrap();
        let found: Vec<String> = places(&other, 1);
        assert_eq!(found, expected);
        assert_eq!(other.bodies[0].loops, [" loop {".len()]);
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
    fn bodies_become_functions_where_these_can_be_called_with_the_same_arguments() {
        let calls = |text: &str| {
            let sources = sources(text);
            let bodies = Cut::of(&sources).unwrap().bodies.into_iter();
            bodies
                .map(|it| it.own.map(|own| format!("{}NAME{}", own.path, own.arguments)))
                .collect()
        };
        let found: Vec<Option<String>> = calls(
            "impl<T> A<T> { fn a<'a, U, const N: usize>(&'a mut self, mut b: U) -> T {1} }
             trait B { fn c(self) {2} } mod d { fn e<F: Fn()>(f: F) where F: Copy {3} fn f() {4} }",
        );
        let expected =
            ["Self::NAME::<U, N>(self, b)", "Self::NAME(self)", "NAME::<F>(f)", "NAME()"];
        assert_eq!(found, expected.map(|it| Some(it.to_owned())));
        let alone = calls(
            "impl A for B { fn a() {1} } fn b((c, d): (u8, u8)) {2} fn e(_: u8) {3} async fn f() {4}
             unsafe fn g() {5} extern \"C\" fn h() {6} #[track_caller] fn i() {7} fn j(ref k: A) {8}",
        );
        assert_eq!(alone, vec![None::<String>; 8]);
    }

    #[test]
    fn sources_are_alike_if_only_bodies_differ() {
        let base = sources("fn a() { b(); } fn c() { 1; }");
        let cut = Cut::of(&base).unwrap();
        for (text, bodies) in [
            ("fn a() {} fn c() { 1; }", Some(["", " 1; "])),
            ("fn a() {\"}\"; } fn c() {;}", Some(["\"}\"; ", ";"])),
            ("fn a() { b(); { 2 } } fn c() { 1; }", Some([" b(); { 2 } ", " 1; "])),
            // The end of a body that is gone is found however much is like it.
            ("fn a() { b(); b(); } fn c() { 1; }", Some([" b(); b(); ", " 1; "])),
            ("fn a() { impl A for B {} } fn c() { 1; }", None),
            ("fn a() { #![allow(a)] } fn c() { 1; }", None),
            ("fn a() { b(); }", None),
            ("fn a() { b(); } fn d() { 1; }", None),
            ("fn a() { b(); } fn c() { 1; } ", None),
            ("fn a() { b(); ", None),
            ("fn a() { b(); } fn c() { 1; } fn d() {}", None),
        ] {
            let other = sources(text);
            let like = cut.compare(&other).variant();
            let found = like.as_ref().map(|like| [like.text(0), like.text(1)]);
            assert_eq!(found, bodies, "{text}");
        }
    }

    #[test]
    fn a_body_that_does_not_parse_is_not_a_difference_around_it() {
        let base = sources("fn a() { b(); } fn c() { 1; }");
        let cut = Cut::of(&base).unwrap();
        let is_broken = |text: &str| matches!(cut.compare(&sources(text)), Likeness::Broken);
        assert!(is_broken("fn a() { b( } fn c() { 1; }"));
        assert!(is_broken("fn a() { if = } fn c() { 2 }"));
        assert!(!is_broken("fn a() { b( } fn d() { 1; }"));
    }

    #[test]
    fn what_is_alike_is_cut_as_it_would_be_alone() {
        let base =
            sources("mod m { fn a() { x('}'); } } trait T { fn b() { \"}\" } const fn c() {} }");
        let cut = Cut::of(&base).unwrap();
        for (from, to) in
            [("x('}');", ""), ("\"}\"", "{'{'}"), ("x('}');", "} {"), ("{} }", "{1} }")]
        {
            let other = sources(&base.files[0].text.replace(from, to));
            let bodies =
                |cut: Cut<'_>| cut.bodies.into_iter().map(|it| it.range).collect::<Vec<_>>();
            let alone = Cut::of(&other).map(bodies);
            let like = cut.compare(&other).variant().map(bodies);
            assert!(like.is_none() || like == alone, "{to}");
            assert_eq!(like.is_none(), to == "} {" || to == "{1} }", "{to}");
        }
    }

    #[test]
    fn only_bodies_that_differ_count() {
        let (base, other) = (sources("fn a() {1} fn b() {2}"), sources("fn a() {1} fn b() {}"));
        let (base, other) = (Cut::of(&base).unwrap(), Cut::of(&other).unwrap());
        assert_eq!((base.bytes_beside(&other), other.bytes_beside(&base)), (1, 0));
    }
}

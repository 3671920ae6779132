//! A Rust file as text and tree: structure from syn, places as byte ranges of the text.

use std::ops::{Deref, Range};

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, File, Item, ItemMod, Macro};

use super::Sources;
use super::index::Index;
use crate::reduce::RangeExt;
use crate::source::{Arguments, LiveSpans, arguments, prelude_len, too_deep};

/// The text has no tree.
#[derive(Debug, thiserror::Error)]
pub enum NotTokens {
    /// It cannot even be cut into tokens (an unclosed bracket or string).
    #[error("not Rust tokens: {0}")]
    Lexical(#[from] proc_macro2::LexError),
    /// A recursion over its tree might exhaust the stack.
    #[error("nested too deeply")]
    TooDeep,
}

/// What stands in for the body of a function that has to return something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandIn {
    /// `loop {}`: nothing is run, only compiled.
    Loop,
    /// A panic with a message of its own, for code that is run: it ends at once, and is never taken
    /// for the failure that is looked for.
    Panic,
}

impl StandIn {
    /// It as an expression of any type.
    pub fn expr(self) -> &'static str {
        match self {
            StandIn::Loop => "loop {}",
            StandIn::Panic => "panic!(\"removed\")",
        }
    }
}

/// A parsed file, and the index of what is in it. Items that syn cannot parse are kept as [`Item::Verbatim`]; the rest
/// of the file has its structure all the same.
pub struct Tree<'t> {
    /// The text that was parsed.
    pub text: &'t str,
    /// All its tokens; the structure drops some that mean nothing, such as a `where` before nothing.
    pub tokens: TokenStream,
    /// Its structure.
    pub file: &'t File,
    /// The arguments of macro calls that read like a list of expressions (`assert!`, `vec!`, …).
    pub macro_args: &'t [Arguments],
    /// What stands in for function bodies.
    pub stand_in: StandIn,
    index: Index<'t>,
    offset: usize,
}

/// What is asked of a tree is mostly asked of its index: the nodes by kind.
impl<'t> Deref for Tree<'t> {
    type Target = Index<'t>;

    fn deref(&self) -> &Index<'t> {
        &self.index
    }
}

impl<'t> Tree<'t> {
    /// Parses `text` and hands the tree to `look`.
    ///
    /// The spans of the tree live in a table of this thread that only grows, so it is cleared when
    /// `look` is done.
    ///
    /// # Errors
    /// When the text is not made of Rust tokens.
    pub fn with<R>(
        text: &str,
        stand_in: StandIn,
        look: impl FnOnce(&Tree<'_>) -> R,
    ) -> Result<R, NotTokens> {
        Tree::with_limit(text, stand_in, &|| false, look)
    }

    /// What `look` sees in each of the sources that is made of tokens, told its place.
    pub fn each<'s, R>(
        sources: &'s Sources,
        mut look: impl FnMut(usize, &Tree<'_>) -> R + 's,
    ) -> impl Iterator<Item = (usize, R)> + 's {
        sources.files.iter().enumerate().filter_map(move |(file, source)| {
            let seen = Tree::with(&source.text, StandIn::Panic, |tree| look(file, tree));
            Some((file, seen.ok()?))
        })
    }

    /// As [`Tree::with`], asking now and then whether to stop: the nodes and names that are gone through end early
    /// then, so that what `look` makes of them is incomplete.
    ///
    /// # Errors
    /// When the text is not made of Rust tokens.
    pub fn with_limit<R>(
        text: &str,
        stand_in: StandIn,
        should_stop: &dyn Fn() -> bool,
        look: impl FnOnce(&Tree<'_>) -> R,
    ) -> Result<R, NotTokens> {
        if too_deep(text).is_some() {
            return Err(NotTokens::TooDeep);
        }
        let offset = prelude_len(text);
        let _live = LiveSpans::new();
        let tokens = text[offset..].parse::<TokenStream>()?;
        let file = parse_leniently(tokens.clone());
        let mut macros = MacroArgs::default();
        macros.visit_file(&file);
        let tree = Tree {
            text,
            tokens,
            file: &file,
            macro_args: &macros.0,
            stand_in,
            index: Index::of(&file, &macros.0, should_stop),
            offset,
        };
        Ok(look(&tree))
    }

    /// What stands before the first token: a byte order mark, a `#!` line, and front matter.
    pub fn preamble(&self) -> Range<usize> {
        0..self.offset
    }

    /// The statements of the outermost function; none where there is no function.
    pub fn outermost_statements(&self) -> &'t [syn::Stmt] {
        let outer = self.functions().max_by_key(|(_, body)| self.range(*body).len());
        outer.map_or(&[], |(_, body)| &body.stmts)
    }

    /// The byte range of a node.
    pub fn range<T: ToTokens + 'static>(&self, node: &T) -> Range<usize> {
        self.index.known_range(node, || self.range_of_tokens(node))
    }

    /// The byte range of a node, found by going through its tokens.
    fn range_of_tokens(&self, node: &impl ToTokens) -> Range<usize> {
        let mut tokens = node.to_token_stream().into_iter();
        let Some(first) = tokens.next() else { return 0..0 };
        let start = self.span(first.span()).start;
        self.index.count(tokens.size_hint().0);
        let last = tokens.last().map_or_else(|| first.span(), |token| token.span());
        start..self.span(last).end
    }

    /// The byte range of a span.
    pub fn span(&self, span: Span) -> Range<usize> {
        let range = span.byte_range();
        range.offset_by(self.offset)
    }

    /// The text of a node.
    pub fn text_of<T: ToTokens + 'static>(&self, node: &T) -> &'t str {
        &self.text[self.range(node)]
    }

    /// The ranges to remove, one for each element of a list: the element with one separator.
    pub fn elements<T: ToTokens + 'static, P: ToTokens + 'static>(
        &self,
        list: &Punctuated<T, P>,
    ) -> Vec<Range<usize>> {
        let mut before: Option<Range<usize>> = None;
        let mut ranges = Vec::with_capacity(list.len());
        for pair in list.pairs() {
            let element = self.range(*pair.value());
            let after = pair.punct().map(|punct| self.range(*punct));
            ranges.push(match (&before, &after) {
                (_, Some(after)) => element.start..after.end,
                (Some(before), None) => before.start..element.end,
                (None, None) => element,
            });
            before = after;
        }
        ranges
    }

    /// The inside of a pair of brackets.
    pub fn inside(&self, brackets: &proc_macro2::extra::DelimSpan) -> Range<usize> {
        self.span(brackets.open()).end..self.span(brackets.close()).start
    }
}

fn parse_leniently(tokens: TokenStream) -> File {
    let mut file = File { shebang: None, frontmatter: None, attrs: Vec::new(), items: Vec::new() };
    let parse = |input: ParseStream| {
        file.attrs = Attribute::parse_inner(input).unwrap_or_default();
        file.items = parse_items(input);
        Ok(())
    };
    // Half-read brackets of items that do not parse count as an error at the end; the items are there.
    drop(parse.parse2(tokens));
    file
}

/// Parses item by item; one that does not parse becomes verbatim, up to its `;` or `}`, but for a module,
/// whose other items have nothing to do with the one in it that does not.
fn parse_items(input: ParseStream) -> Vec<Item> {
    use syn::parse::discouraged::Speculative;
    let mut items = Vec::new();
    while !input.is_empty() {
        let fork = input.fork();
        if let Ok(item) = fork.parse::<Item>() {
            input.advance_to(&fork);
            items.push(item);
            continue;
        }
        let fork = input.fork();
        if let Ok(module) = parse_module(&fork) {
            input.advance_to(&fork);
            items.push(Item::Mod(module));
            continue;
        }
        let mut tokens = TokenStream::new();
        while let Ok(token) = input.parse::<TokenTree>() {
            let is_end = ends_item(&token);
            tokens.extend([token]);
            if is_end {
                break;
            }
        }
        items.push(Item::Verbatim(tokens));
    }
    items
}

fn parse_module(input: ParseStream) -> syn::Result<ItemMod> {
    let mut attrs = input.call(Attribute::parse_outer)?;
    let (vis, unsafety) = (input.parse()?, input.parse()?);
    let (mod_token, ident) = (input.parse()?, input.parse()?);
    let content;
    let braces = syn::braced!(content in input);
    attrs.extend(content.call(Attribute::parse_inner)?);
    Ok(ItemMod {
        attrs,
        vis,
        unsafety,
        mod_token,
        ident,
        content: Some((braces, parse_items(&content))),
        semi: None,
    })
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    }
}

#[derive(Default)]
struct MacroArgs(Vec<Arguments>);

impl<'ast> Visit<'ast> for MacroArgs {
    fn visit_macro(&mut self, node: &'ast Macro) {
        let Some(args) = arguments(&node.tokens) else { return };
        for arg in &args {
            self.visit_expr(arg);
        }
        self.0.push(args);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item_texts(text: &str) -> Vec<String> {
        Tree::with(text, StandIn::Loop, |tree| {
            tree.file.items.iter().map(|item| tree.text_of(item).to_owned()).collect()
        })
        .unwrap()
    }

    #[test]
    fn places_are_right_after_a_byte_order_mark_a_shebang_and_non_ascii_text() {
        let text = "\u{feff}#!/usr/bin/env run\n// é\nfn a() {} /* ü */ struct B;";
        assert_eq!(item_texts(text), ["fn a() {}", "struct B;"]);
    }

    #[test]
    fn front_matter_is_no_rust() {
        let text = "#!/usr/bin/env cargo\n---\n[dependencies]\n---\nfn a() {}";
        assert_eq!(item_texts(text), ["fn a() {}"]);
    }

    #[test]
    fn an_item_that_does_not_parse_leaves_the_others_their_structure() {
        let text = "struct A; fn b(x: (dyn ?Sized + !Send)) {} struct C;";
        let kinds = Tree::with(text, StandIn::Loop, |tree| {
            tree.file.items.iter().map(|item| matches!(item, Item::Struct(_))).collect::<Vec<_>>()
        });
        assert_eq!(kinds.unwrap(), [true, false, true]);
        assert_eq!(item_texts(text)[1], "fn b(x: (dyn ?Sized + !Send)) {}");
    }

    #[test]
    fn a_module_keeps_its_structure_around_an_item_that_does_not_parse() {
        let text = "#[a] pub mod m { #![b] struct A; struct B(Box<Fn(u8) -> u8>); mod n { fn c() {} } } struct D;";
        let names = Tree::with(text, StandIn::Loop, |tree| {
            assert_eq!(tree.text_of(&tree.file.items[0]), text.strip_suffix(" struct D;").unwrap());
            let items = tree.items();
            let names = items.filter_map(crate::source::item_name);
            names.map(ToString::to_string).collect::<Vec<_>>()
        });
        assert_eq!(names.unwrap(), ["m", "A", "n", "c", "D"]);
    }

    #[test]
    fn an_element_goes_with_one_separator() {
        let ranges = |text: &str| {
            Tree::with(text, StandIn::Loop, |tree| {
                let Item::Enum(item) = &tree.file.items[0] else { panic!("an enum") };
                tree.elements(&item.variants)
                    .iter()
                    .map(|range| text[range.clone()].to_owned())
                    .collect::<Vec<_>>()
            })
            .unwrap()
        };
        assert_eq!(ranges("enum E { A, B }"), ["A,", ", B"]);
        assert_eq!(ranges("enum E { A, B, }"), ["A,", "B,"]);
        assert_eq!(ranges("enum E { A }"), ["A"]);
    }

    #[test]
    fn text_that_is_not_made_of_tokens_is_refused() {
        assert!(Tree::with("fn f( {", StandIn::Loop, |_| ()).is_err());
    }
}

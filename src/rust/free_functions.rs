//! Functions of a text, found by its brackets alone: to parse a large source takes much longer, and this is asked of
//! every candidate.

use std::ops::Range;

use super::{SourceFile, Sources};
use crate::reduce::RangeExt;
use crate::source::scan::{Piece, PieceKind, tokens};

/// A free function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeFunction<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its bytes, from its attributes on.
    pub range: Range<usize>,
    /// Those of its body, brackets included.
    pub body: Range<usize>,
    /// In how many blocks and modules it stands, the place where the innermost one starts last.
    pub within: Vec<usize>,
}

/// The free functions that `is_wanted` by their names, in the order in which they end. Those in impls, in traits and in calls
/// and definitions of macros are none.
pub fn free_functions(text: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<FreeFunction<'_>> {
    let mut found = Vec::new();
    functions(text, |function, around| {
        if !around.iter().any(|it| it.item.holds_members()) && is_wanted(function.name) {
            found.push(function);
        }
    });
    found
}

/// The free functions of this name, each with its file and the place of that.
pub(super) fn functions_named<'s>(
    sources: &'s Sources,
    name: &'s str,
) -> impl Iterator<Item = (usize, &'s SourceFile, FreeFunction<'s>)> {
    sources.files.iter().enumerate().flat_map(move |(at, file)| {
        let named = free_functions(&file.text, |it| it == name).into_iter();
        named.map(move |function| (at, file, function))
    })
}

/// Whether free functions of these two names stand in one module.
pub fn stand_together(sources: &Sources, one: &str, other: &str) -> bool {
    let within = |name| functions_named(sources, name).map(|(file, _, it)| (file, it.within));
    let others: Vec<_> = within(other).collect();
    within(one).any(|place| others.contains(&place))
}

/// Whether there is a free function of this name.
pub(super) fn has_function(text: &str, name: &str) -> bool {
    !free_functions(text, |it| it == name).is_empty()
}

/// The methods and associated functions of inherent implementations and of those of traits, outside of other such and of macros,
/// each with the last word of its type.
pub fn methods(text: &str) -> Vec<(&str, FreeFunction<'_>)> {
    let mut found = Vec::new();
    functions(text, |function, around| {
        let mut holders = around.iter().filter(|it| it.item.holds_members());
        let (holder, others) = (holders.next(), holders.next());
        let Some(holder) = holder.filter(|_| others.is_none()) else { return };
        let is_direct = function.within.last() == Some(&holder.start);
        let head = holder.item.start.map(|start| &text[start..holder.start]);
        if let Some(of) = head.and_then(implemented).filter(|_| is_direct) {
            found.push((of, function));
        }
    });
    found
}

/// The bytes of the outermost function around a part of a text, be it a method; `None` if there is none.
pub fn outermost_function(text: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let mut outermost = None;
    functions(text, |function, _| {
        if function.range.covers(part) {
            outermost = Some(function.range);
        }
    });
    outermost
}

/// The last word of the type for which an implementation is that begins so.
fn implemented(head: &str) -> Option<&str> {
    let (mut depth, mut is_impl, mut last) = (0_usize, false, None);
    for token in tokens(head) {
        match token.text {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            "where" => break,
            "impl" if depth == 0 => is_impl = true,
            // Numbers are words, too.
            word if depth == 0 && word.starts_with(|it: char| it == '_' || it.is_alphabetic()) => {
                last = Some(word);
            }
            _ => {}
        }
    }
    last.filter(|_| is_impl)
}

/// Calls `found` with each function that has a body, in the order in which they end, and the brackets around it.
fn functions<'t>(text: &'t str, mut found: impl FnMut(FreeFunction<'t>, &[Bracket<'t>])) {
    let mut open: Vec<Bracket<'t>> = Vec::new();
    let mut item = Item::default();
    for piece in tokens(text) {
        let is_between_items = open.last().is_none_or(|it| it.is_brace);
        match (piece.kind, piece.text) {
            (PieceKind::Symbol, bracket @ ("{" | "(" | "[")) => {
                let is_brace = bracket == "{";
                item.start.get_or_insert(piece.start);
                open.push(Bracket { start: piece.start, is_brace, item });
                if is_brace {
                    item = Item::default();
                }
            }
            (PieceKind::Symbol, "}" | ")" | "]") => {
                let Some(bracket) = open.pop() else { continue };
                item = bracket.item;
                if !bracket.is_brace {
                    // An inner attribute is no part of the item behind it.
                    if item.kind == Kind::InnerAttribute {
                        item = Item::default();
                    }
                    continue;
                }
                let end = piece.start + piece.text.len();
                if let Item { start: Some(start), kind: Kind::Function(name), .. } = item {
                    let within = open.iter().filter(|around| around.is_brace);
                    let function = FreeFunction {
                        name,
                        range: start..end,
                        body: bracket.start..end,
                        within: within.map(|around| around.start).collect(),
                    };
                    found(function, &open);
                }
                item = Item::default();
            }
            (PieceKind::Symbol, ";") if is_between_items => item = Item::default(),
            _ => {
                item.start.get_or_insert(piece.start);
                if is_between_items {
                    item.read(&piece);
                }
            }
        }
    }
}

/// A bracket that is open.
struct Bracket<'t> {
    start: usize,
    is_brace: bool,
    /// What it is a part of.
    item: Item<'t>,
}

/// What is known of an item or a statement so far.
#[derive(Clone, Copy, Default)]
struct Item<'t> {
    start: Option<usize>,
    kind: Kind<'t>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind<'t> {
    /// Nothing is known.
    #[default]
    Open,
    /// An attribute comes next.
    Attribute,
    InnerAttribute,
    /// The name comes next.
    Fn,
    Function(&'t str),
    /// An impl, a trait or a macro.
    HoldsMembers,
    Other,
}

impl<'t> Item<'t> {
    fn holds_members(&self) -> bool {
        self.kind == Kind::HoldsMembers
    }

    fn read(&mut self, piece: &Piece<'t>) {
        let known =
            if self.kind == Kind::Attribute && piece.text != "!" { Kind::Open } else { self.kind };
        self.kind = match (known, piece.text) {
            (Kind::Open, "#") => Kind::Attribute,
            (Kind::Attribute, _) => Kind::InnerAttribute,
            (Kind::Fn, name) if piece.kind == PieceKind::Word => Kind::Function(name),
            (Kind::Fn, _) => Kind::Other,
            (Kind::Open, "fn") => Kind::Fn,
            (Kind::Open, "impl" | "trait") => Kind::HoldsMembers,
            (Kind::Open | Kind::Other, "!") => Kind::HoldsMembers,
            (Kind::Open, "mod" | "struct" | "enum" | "union" | "use" | "let" | "match" | "if") => {
                Kind::Other
            }
            (known, _) => known,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        free_functions(text, |_| true).into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn functions_are_found_with_their_attributes_wherever_they_stand() {
        let text = "use a::{b, c}; #[test] #[ignore = \"}\"] pub(crate) fn t() -> [u8; 2] where (): X { m! { fn no() {} } } \
                    mod m { /* } */ const N: u8 = { fn n() {} 1 }; async fn u<F: Fn(u8)>(f: F) { if a { b } else { c } } }";
        let found = free_functions(text, |_| true);
        assert_eq!(found.iter().map(|it| it.name).collect::<Vec<_>>(), ["t", "n", "u"]);
        assert!(text[found[0].range.clone()].starts_with("#[test] #[ignore"));
        assert!(text[found[0].range.clone()].ends_with("{} } }"));
        assert!(text[found[0].body.clone()].starts_with("{ m!"));
        assert!(found[0].within.is_empty());
        assert_eq!(found[2].within, [text.find("{ /*").unwrap()]);
    }

    #[test]
    fn an_inner_attribute_makes_no_macro_of_what_stands_behind_it() {
        let text = "#![warn(a)] #![doc = \"b\"] mod m { #![allow(c)] #[test] fn t() {} } fn u() {}";
        let found = free_functions(text, |_| true);
        assert_eq!(found.iter().map(|it| it.name).collect::<Vec<_>>(), ["t", "u"]);
        assert_eq!(&text[found[0].range.clone()], "#[test] fn t() {}");
        assert_eq!(
            names("#![allow(a)] impl A { fn b() {} } #[doc(hidden)] m! { fn c() {} }"),
            [""; 0]
        );
    }

    #[test]
    fn members_and_what_macros_hold_are_none() {
        assert_eq!(names("impl A { fn b() { fn c() {} } } trait T { fn d() {} } fn e() {}"), ["e"]);
        assert_eq!(
            names("macro_rules! m { () => { fn f() {} } } m!(fn g() {}); unsafe fn h() {}"),
            ["h"]
        );
        assert_eq!(names("fn a(f: fn() -> u8, x: impl Fn()) { } fn b();"), ["a"]);
    }

    #[test]
    fn methods_are_found_with_the_type_that_has_them() {
        let text = "mod m { impl<T: A<u8>> a::B<T> where T: C { fn d(self) { fn no() {} } } } impl E for F { fn g() {} } \
                    trait H { fn no() {} } m! { impl I { fn no() {} } } impl J for [K; 2] { fn l() {} }";
        let found: Vec<_> = methods(text).into_iter().map(|(of, it)| (of, it.name)).collect();
        assert_eq!(found, [("B", "d"), ("F", "g"), ("K", "l")]);
    }

    #[test]
    fn brackets_that_do_not_match_are_no_trouble() {
        assert_eq!(names("} fn a() {} ) fn b() { ( }"), ["a"]);
    }
}

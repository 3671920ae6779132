//! A constant in which the text stands that varies: in the test it becomes a variable.

use std::ops::Range;

use proc_macro2::TokenTree;
use syn::parse::Parse;
use syn::spanned::Spanned;

use super::draft::Draft;
use crate::reduce::RangeExt;
use crate::source::parse::{look_at, look_at_tokens};
use crate::source::tokens::{each_token, signs_before};
use crate::source::{Crate, Edits, FileIndex, Located, ValuePlace, idents};

/// A constant or static that only the test itself names.
pub(super) struct Constant {
    /// Which item it is.
    pub(super) item: usize,
    name: String,
    /// What it is called as a variable of the test.
    variable: String,
    file: FileIndex,
    /// The bytes of its type.
    ty: Range<usize>,
    /// The bytes of its value.
    value: Range<usize>,
}

impl Constant {
    /// The one around `place`, if nothing else that the test reaches names it.
    pub(super) fn around(
        krate: &Crate,
        located: &Located,
        place: &ValuePlace,
        body: &Range<usize>,
    ) -> Option<Self> {
        let (index, item) = krate.items.iter().enumerate().find(|(_, item)| {
            item.kind.is_constant() && item.holds(place.file, place.range().start)
        })?;
        let reached = krate.reached(located);
        let mut others = reached
            .iter()
            .filter(|other| **other != index && **other != located.item)
            .map(|other| &krate.items[*other]);
        if others.any(|other| krate.names_in(other).contains(&item.name)) {
            return None;
        }
        let (ty, value) = parts(krate.text_of(item))?;
        let start = item.span.start;
        let moved = |range: Range<usize>| range.offset_by(start);
        Some(Constant {
            item: index,
            variable: idents::free_name(krate.slice(located.file, body), &item.name.to_lowercase()),
            name: item.name.clone(),
            file: item.file,
            ty: moved(ty),
            value: moved(value),
        })
    }

    /// Renames it in the test, but for what is changed there anyway.
    pub(super) fn rename(&self, krate: &Crate, located: &Located, edits: &mut Edits) {
        let start = located.span.start;
        for range in mentions(krate.slice(located.file, &located.span), &self.name) {
            let range = range.offset_by(start);
            if !edits.overlaps(&range) {
                edits.replace(range, self.variable.as_str());
            }
        }
    }

    /// Writes it as a variable.
    pub(super) fn write(&self, indent: &str, draft: &mut Draft<'_>) {
        draft.push(&format!("\n{indent}    let {}: ", self.variable));
        draft.piece(self.file, &self.ty);
        draft.push(" = ");
        draft.piece(self.file, &self.value);
        draft.push(";");
    }

    /// Whether the end of a body, with its closing brace, names it nevertheless.
    pub(super) fn is_named_in(&self, rest: &str) -> bool {
        idents::of_text(&format!("{{{rest}")).contains(&self.name)
    }
}

/// The bytes of the type and of the value of a constant or static.
fn parts(item: &str) -> Option<(Range<usize>, Range<usize>)> {
    look_at(item, syn::Item::parse, |item| {
        let (ty, value) = match &item {
            syn::Item::Const(item) => (item.ty.span(), item.expr.span()),
            syn::Item::Static(item) => (item.ty.span(), item.expr.span()),
            _ => return None,
        };
        Some((ty.byte_range(), value.byte_range()))
    })
    .ok()?
}

/// Where `name` is mentioned alone, not as a part of a path or as a field.
fn mentions(text: &str, name: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    look_at_tokens(text, |tokens| {
        each_token(tokens, &mut |tokens, at| {
            let (signs, token) = (signs_before(tokens, at), &tokens[at]);
            let is_part = signs.ends_with("::") || signs == ".";
            if !is_part && matches!(token, TokenTree::Ident(ident) if ident == name) {
                found.push(token.span().byte_range());
            }
        });
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_alone_is_a_mention() {
        let text = "fn t() { let x: u8 = f(LIMIT, o.LIMIT, m::LIMIT); assert!(LIMIT.is_empty()); S { a: LIMIT } }";
        let found = mentions(text, "LIMIT");
        let before = found.iter().map(|range| &text[range.start - 2..range.start]);
        assert_eq!(before.collect::<Vec<_>>(), ["f(", "!(", ": "]);
    }

    #[test]
    fn the_type_and_the_value_are_told_apart() {
        let text = "/// Docs.\npub static TEXT: &[&str] = &[\"a\", \"b\"];";
        let (ty, value) = parts(text).unwrap();
        assert_eq!((&text[ty], &text[value]), ("&[&str]", "&[\"a\", \"b\"]"));
    }
}

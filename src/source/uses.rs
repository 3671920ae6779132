//! Where a name is used, and where lint levels are set, found in the tokens of whole files.

use std::ops::Range;

use syn::spanned::Spanned;

use super::idents::captured;
use super::item::{Item, ItemKind};
use super::parse::{look_at, prelude_len, range, then_anything};
use super::scan::{Piece, PieceKind, tokens};
use super::{Crate, FileIndex};
use crate::reduce::RangeExt;

/// A piece of a file.
pub type FileRange = (FileIndex, Range<usize>);

impl Crate {
    /// The places that use the constant `name`, by its last path segment, in `scope` or everywhere.
    /// `definition` is its name where it is defined. `None` if the name alone does not tell: it is
    /// defined a second time, or a format string captures it.
    pub fn uses_of(
        &self,
        name: &str,
        definition: &FileRange,
        scope: Option<&FileRange>,
    ) -> Option<Vec<FileRange>> {
        let mut uses = Vec::new();
        for index in self.file_indices() {
            let text = &self.file(index).text;
            if scope.is_some_and(|(file, _)| *file != index) || !text.contains(name) {
                continue;
            }
            let tokens: Vec<_> = tokens(text).collect();
            let in_scope =
                |range: &Range<usize>| scope.is_none_or(|(_, scope)| scope.covers(range));
            let mut is_in_use = false;
            for (at, token) in tokens.iter().enumerate() {
                if !in_scope(&token.range()) {
                    continue;
                }
                is_in_use = match token.text {
                    "use" => true,
                    ";" => false,
                    _ => is_in_use,
                };
                let is_captured = || captured(token.text).iter().any(|captured| captured == name);
                if token.kind == PieceKind::Str && is_captured() {
                    return None;
                }
                let is_definition = (index, &token.range()) == (definition.0, &definition.1);
                if token.text != name || is_in_use || is_definition {
                    continue;
                }
                match usage(&tokens, at) {
                    Usage::Value => uses.push((index, token.range())),
                    Usage::Definition => return None,
                    Usage::Other => {}
                }
            }
        }
        Some(uses)
    }

    /// The words `deny` and `forbid` of lint attributes, in all files.
    pub fn strict_lints(&self) -> Vec<FileRange> {
        let mut words = Vec::new();
        for index in self.file_indices() {
            let text = &self.file(index).text;
            if !text.contains("deny") && !text.contains("forbid") {
                continue;
            }
            let tokens: Vec<_> = tokens(text).collect();
            let strict = tokens.windows(3).filter(|window| {
                let [before, word, after] = [0, 1, 2].map(|place| window[place].text);
                matches!(word, "deny" | "forbid") && matches!(before, "[" | ",") && after == "("
            });
            words.extend(strict.map(|window| (index, window[1].range())));
        }
        words
    }

    /// The function or method that encloses a place.
    pub fn function_around(&self, place: &FileRange) -> Option<FileRange> {
        self.function_item(place).map(|item| (item.file, item.span.clone()))
    }

    /// Whether the innermost function around a place is a method.
    pub fn is_in_method(&self, place: &FileRange) -> bool {
        self.function_item(place).is_some_and(|item| item.kind == ItemKind::Method)
    }

    fn function_item(&self, (file, range): &FileRange) -> Option<&Item> {
        let is_function = |item: &&Item| matches!(item.kind, ItemKind::Fn | ItemKind::Method);
        let around = self.items_around(*file, range.clone()).filter(is_function);
        around.min_by_key(|item| item.span.len())
    }
}

impl Crate {
    /// The path literals in the `include` macros of a piece of a file.
    pub(crate) fn included_paths(
        &self,
        file: FileIndex,
        within: &Range<usize>,
    ) -> Vec<(Range<usize>, String)> {
        let text = &self.file(file).text[within.clone()];
        if !text.contains("include") {
            return Vec::new();
        }
        let tokens: Vec<_> = tokens(text).collect();
        let includes = tokens.windows(4).filter_map(|window| {
            let name = window[0].text;
            let is_include = matches!(name, "include_str" | "include_bytes" | "include")
                && window[1].text == "!";
            let path = is_include.then(|| syn::parse_str::<syn::LitStr>(window[3].text).ok())??;
            let literal = window[3].range();
            let literal = literal.offset_by(within.start);
            Some((literal, path.value()))
        });
        includes.collect()
    }

    /// The `#![…]` attributes at the top of a file, without documentation.
    pub(crate) fn inner_attributes(&self, file: FileIndex) -> Vec<Range<usize>> {
        let text = &self.file(file).text;
        let base = prelude_len(text);
        let parser = then_anything(syn::Attribute::parse_inner);
        let ranges = look_at(&text[base..], parser, |attributes| {
            let code = attributes.iter().filter(|attribute| !attribute.path().is_ident("doc"));
            code.map(|attribute| range(attribute.span(), base)).collect()
        });
        ranges.unwrap_or_default()
    }
}

enum Usage {
    Value,
    Definition,
    Other,
}

fn usage(tokens: &[Piece<'_>], at: usize) -> Usage {
    const DEFINING: [&str; 10] =
        ["const", "static", "fn", "let", "mut", "ref", "struct", "enum", "mod", "type"];
    let text = |place: Option<usize>| place.and_then(|at| tokens.get(at)).map_or("", |it| it.text);
    let before = [1, 2].map(|distance| text(at.checked_sub(distance)));
    let after = [1, 2].map(|distance| text(Some(at + distance)));
    if DEFINING.contains(&before[0]) {
        return Usage::Definition;
    }
    let is_field = before[0] == "." && before[1] != ".";
    let is_macro = after[0] == "!" && after[1] != "=";
    if is_field || after[0] == ":" || is_macro {
        return Usage::Other;
    }
    Usage::Value
}

#[cfg(test)]
mod tests {
    use super::super::tests::krate;
    use super::*;

    fn uses(text: &str) -> Option<Vec<usize>> {
        let krate = krate(&[("tests/a.rs", text)]);
        let at = text.find("LIMIT").unwrap();
        let uses = krate.uses_of("LIMIT", &(FileIndex(0), at..at + 5), None)?;
        Some(uses.into_iter().map(|(_, range)| range.start - at).collect())
    }

    #[test]
    fn values_count_but_fields_imports_and_macros_do_not() {
        assert_eq!(
            uses("const LIMIT: u8 = 1; fn f() { m!(LIMIT, x.LIMIT, 0..LIMIT) }"),
            Some(vec![27, 46])
        );
        assert_eq!(
            uses("const LIMIT: u8 = 1; use a::{LIMIT}; fn f() { S { LIMIT: 1 } }"),
            Some(vec![])
        );
    }

    #[test]
    fn a_second_definition_or_a_capture_makes_it_unclear() {
        assert_eq!(uses("const LIMIT: u8 = 1; fn f() { let LIMIT = 2; }"), None);
        assert_eq!(uses("const LIMIT: u8 = 1; fn f() { print!(\"{LIMIT:?}\") }"), None);
    }

    #[test]
    fn strict_lints_are_found_in_any_attribute() {
        let text = "#![deny(unused)]\n#![cfg_attr(x, forbid(unsafe_code))]\nfn deny() { deny(1) }";
        let found = krate(&[("src/lib.rs", text)]).strict_lints();
        let words: Vec<&str> = found.into_iter().map(|(_, range)| &text[range]).collect();
        assert_eq!(words, ["deny", "forbid"]);
    }
}

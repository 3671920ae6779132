//! A file cut into the texts of its items without parsing it: candidates share most of them.

use std::borrow::Cow;
use std::ops::Range;

use super::scan;

/// What tells of which kind an item is.
const KEYWORDS: [&str; 13] = [
    "fn", "impl", "trait", "mod", "struct", "enum", "union", "const", "static", "type", "use",
    "extern", "macro_rules",
];

/// Whether a statement is an item: it does nothing where it stands.
pub fn is_item(statement: &str) -> bool {
    KEYWORDS.contains(&scan::first_word(statement))
}

/// The texts of the items of a file in order, those in modules that are written there among them, and each member of an
/// implementation or a trait as if it were the only one. The head of such a module is a text, too, as if the rest of it stood in
/// another file, and that of an implementation, as if there were no members. Where braces do not match, or stand in types, it
/// may be cut wrongly.
pub(crate) fn item_texts(text: &str) -> Vec<Cow<'_, str>> {
    let mut cut = Cut { text, items: Vec::new(), start: 0, heads: Vec::new() };
    let mut depth = 0_usize;
    let mut closed = None;
    let mut keyword = None;
    for token in scan::tokens(text) {
        let end = token.start + token.text.len();
        if let Some(end) = closed.take()
            && token.text != ";"
        {
            cut.end_at(end);
            keyword = None;
        }
        match (token.text, keyword) {
            ("{", Some("mod" | "impl" | "trait")) if depth == 0 => {
                cut.open(token.start, keyword != Some("mod"));
                keyword = None;
            }
            ("}", _) if depth == 0 => {
                cut.close(token.start);
                keyword = None;
            }
            (";", _) if depth == 0 => {
                cut.end_at(end);
                keyword = None;
            }
            ("{" | "(" | "[", _) => depth += 1,
            ("}" | ")" | "]", _) => {
                depth = depth.saturating_sub(1);
                closed = Some(end).filter(|_| depth == 0 && token.text == "}");
            }
            (word, None) if depth == 0 && KEYWORDS.contains(&word) => keyword = Some(word),
            _ => {}
        }
    }
    cut.end_at(text.len());
    cut.items
}

/// A text that is being cut.
struct Cut<'t> {
    text: &'t str,
    items: Vec<Cow<'t, str>>,
    /// Where the next item begins.
    start: usize,
    /// What is around it: the heads of implementations and traits, and nothing for modules.
    heads: Vec<Option<Range<usize>>>,
}

impl Cut<'_> {
    /// An item, or a member, ends there.
    fn end_at(&mut self, end: usize) {
        let item = &self.text[self.start..end];
        self.start = end;
        if item.trim().is_empty() {
            return;
        }
        self.items.push(match self.heads.last() {
            Some(Some(head)) => Cow::Owned(format!("{} {{{item}}}", &self.text[head.clone()])),
            _ => Cow::Borrowed(item),
        });
    }

    /// What began last is a module, or has members; they stand behind the brace at `brace`.
    fn open(&mut self, brace: usize, has_members: bool) {
        let head = self.start..brace;
        let end = if has_members { "{}" } else { ";" };
        self.items.push(Cow::Owned(format!("{}{end}", &self.text[head.clone()])));
        self.heads.push(has_members.then_some(head));
        self.start = brace + 1;
    }

    /// What was opened last ends with the brace at `brace`.
    fn close(&mut self, brace: usize) {
        self.end_at(brace);
        self.heads.pop();
        self.start = brace + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_among_statements_are_told_by_their_keyword() {
        assert!(is_item("fn f() { g() }") && is_item("use a::b;"));
        assert!(!is_item("f();") && !is_item("let used = f();"));
    }

    #[test]
    fn each_item_has_a_text_of_its_own() {
        let text = "#![allow(a)] use a::{b, c}; #[cfg(test)] pub mod m { //! Of it.\n \
                    struct S; unsafe impl S { const C: u8 = 1; fn f() -> impl T { mod n {} } } } \
                    static T: S = S {}; m! { mod o {} } fn g() -> impl U {}";
        let texts = item_texts(text);
        let trimmed: Vec<&str> = texts.iter().map(|item| item.trim()).collect();
        assert_eq!(
            trimmed,
            [
                "#![allow(a)] use a::{b, c};",
                "#[cfg(test)] pub mod m ;",
                "//! Of it.\n struct S;",
                "unsafe impl S {}",
                "unsafe impl S  { const C: u8 = 1;}",
                "unsafe impl S  { fn f() -> impl T { mod n {} }}",
                "static T: S = S {};",
                "m! { mod o {} }",
                "fn g() -> impl U {}",
            ]
        );
        assert!(trimmed.iter().all(|item| syn::parse_file(item).is_ok()));
    }
}

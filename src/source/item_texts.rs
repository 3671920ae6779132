//! A file cut into the texts of its items without parsing it: candidates share most of them.

use std::borrow::Cow;
use std::ops::Range;

use super::scan;

/// The texts of the items of a file in order, those in modules that are written there among them; the head of such a module is
/// one, too, as if the rest of it stood in another file. Where braces do not match, or stand in types, it may be cut wrongly.
pub(crate) fn item_texts(text: &str) -> Vec<Cow<'_, str>> {
    let mut items = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    let mut closed = None;
    let mut last = ["", ""];
    for token in scan::tokens(text) {
        let end = token.start + token.text.len();
        if let Some(end) = closed.take()
            && token.text != ";"
        {
            items.extend(item(text, start..end));
            start = end;
        }
        match token.text {
            "{" if depth == 0 && last[0] == "mod" => {
                items.push(Cow::Owned(format!("{};", &text[start..token.start])));
                start = end;
            }
            "}" if depth == 0 => {
                items.extend(item(text, start..token.start));
                start = end;
            }
            ";" if depth == 0 => {
                items.extend(item(text, start..end));
                start = end;
            }
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                closed = Some(end).filter(|_| depth == 0 && token.text == "}");
            }
            _ => {}
        }
        last = [last[1], token.text];
    }
    items.extend(item(text, start..text.len()));
    items
}

fn item(text: &str, range: Range<usize>) -> Option<Cow<'_, str>> {
    let item = &text[range];
    (!item.trim().is_empty()).then_some(Cow::Borrowed(item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_has_a_text_of_its_own() {
        let text = "#![allow(a)] use a::{b, c}; #[cfg(test)] pub mod m { //! Of it.\n \
                    struct S; impl S { fn f() { mod n {} } } } static T: S = S {}; m! { mod o {} } fn g() {}";
        let texts = item_texts(text);
        let trimmed: Vec<&str> = texts.iter().map(|item| item.trim()).collect();
        assert_eq!(
            trimmed,
            [
                "#![allow(a)] use a::{b, c};",
                "#[cfg(test)] pub mod m ;",
                "//! Of it.\n struct S;",
                "impl S { fn f() { mod n {} } }",
                "static T: S = S {};",
                "m! { mod o {} }",
                "fn g() {}",
            ]
        );
        assert!(trimmed.iter().all(|item| syn::parse_file(item).is_ok()));
    }
}

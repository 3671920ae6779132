//! The names that a piece of source mentions.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parse;

use super::parse::look_at;
use super::tokens::{flat, plain};

/// All identifiers in `text`, those in macro arguments and in the captures of format strings
/// (`"{name}"`) too. Empty if `text` has no tokens.
pub(crate) fn of_text(text: &str) -> BTreeSet<String> {
    // What cannot be lexed mentions nothing.
    look_at(text, TokenStream::parse, mentioned).unwrap_or_default()
}

/// All identifiers among `tokens`, as [`of_text`] finds them.
pub(crate) fn mentioned(tokens: TokenStream) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for token in flat(tokens) {
        match token {
            TokenTree::Ident(ident) => _ = names.insert(plain(&ident)),
            TokenTree::Literal(literal) => names.extend(captured(&literal.to_string())),
            _ => {}
        }
    }
    names
}

/// A name that `body` does not use, `wanted` if it does not.
pub(crate) fn free_name(body: &str, wanted: &str) -> String {
    let taken = of_text(body);
    numbered(wanted, |name| !taken.contains(name))
}

/// The first of a name, that name with the number 2, and so on that is free.
pub(crate) fn numbered(name: &str, is_free: impl Fn(&String) -> bool) -> String {
    let others = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(others).find(is_free).unwrap_or_default()
}

/// The names that the tokens of a macro call may define: what stands behind `fn`, `static`, `const`,
/// `struct`, `enum`, `ref` and the like.
pub(crate) fn defined_in(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let collect = |tokens: TokenStream| definitions(tokens, &mut names);
    // What cannot be lexed defines nothing.
    let _ = look_at(text, TokenStream::parse, collect);
    names
}

fn definitions(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let defining = ["fn", "static", "const", "struct", "enum", "ref", "type", "trait", "mod"];
    let (mut is_next, mut is_lifetime) = (false, false);
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if is_next && ident != "mut" {
                    names.insert(plain(&ident));
                }
                is_next = !is_lifetime && defining.iter().any(|word| ident == word);
                is_lifetime = false;
            }
            TokenTree::Group(group) => definitions(group.stream(), names),
            TokenTree::Punct(punct) => is_lifetime = punct.as_char() == '\'',
            TokenTree::Literal(_) => {}
        }
    }
}

/// Names between `{` and `}` or `:` in a literal, as in `"{name:>5}"`.
pub(crate) fn captured(literal: &str) -> Vec<String> {
    if !literal.ends_with(['"', '#']) {
        return Vec::new();
    }
    let name = |part: &str| {
        let end = part.find(|c: char| !(c == '_' || c.is_alphanumeric())).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let is_capture = rest.starts_with(['}', ':']) && !name.starts_with(char::is_numeric);
        (is_capture && !name.is_empty()).then(|| name.to_owned())
    };
    literal.split('{').skip(1).filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_macro_call_defines() {
        let text = "lazy_static! { static ref TABLE: &'static str = make(|x: &'static u8| x); }";
        let names: Vec<String> = defined_in(text).into_iter().collect();
        assert_eq!(names, ["TABLE", "ref"]);
    }

    #[test]
    fn macro_arguments_and_captures_count_but_strings_and_comments_do_not() {
        let text = r#"fn f() { println!("{LIMIT:?} of text", g(h)); /* comment */ "raw"; }"#;
        let names: Vec<String> = of_text(text).into_iter().collect();
        assert_eq!(names, ["LIMIT", "f", "fn", "g", "h", "println"]);
    }
}

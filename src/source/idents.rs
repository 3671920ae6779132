//! The names that a piece of source mentions.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parse;
use syn::visit::Visit;

use super::parse::{look_at, look_at_tokens};
use super::patterns::bound_names;
use super::scan::first_word;
use super::tokens::{each_token, flat, is_char, plain};

/// All identifiers in `text`, those in macro arguments and in the captures of format strings
/// (`"{name}"`) too. Empty if `text` has no tokens.
pub(crate) fn of_text(text: &str) -> BTreeSet<String> {
    look_at_tokens(text, mentioned)
}

/// All identifiers among `tokens`, as [`of_text`] finds them.
pub(crate) fn mentioned(tokens: TokenStream) -> BTreeSet<String> {
    mentions(tokens).collect()
}

/// The same as often as they are there.
pub(crate) fn mentions(tokens: TokenStream) -> impl Iterator<Item = String> {
    flat(tokens).flat_map(|token| match token {
        TokenTree::Ident(ident) => vec![plain(&ident)],
        TokenTree::Literal(literal) => captured(&literal.to_string()),
        _ => Vec::new(),
    })
}

/// The names by which the item `text` mentions others: not those of its variables, unless it calls or opens something of
/// that name, too, and not those of fields that get values (`Point { x: 1 }`). A function that is handed over by the name of
/// a variable is not told from that.
pub(crate) fn of_item(text: &str) -> BTreeSet<String> {
    let (mut names, mut called) = (BTreeSet::new(), BTreeSet::new());
    look_at_tokens(text, |tokens| {
        but_for_labels(tokens.clone(), &mut names);
        called_in(tokens, &mut called);
    });
    // What is no item keeps all of its names.
    let variables = look_at(text, syn::Item::parse, |item| variables(&item)).unwrap_or_default();
    names.retain(|name| !variables.contains(name) || called.contains(name));
    names
}

/// The names among `tokens` but for those of fields and arguments, which stand first or behind a comma, before a colon.
fn but_for_labels(tokens: TokenStream, names: &mut BTreeSet<String>) {
    each_token(tokens, &mut |tokens, at| {
        let is_first = at.checked_sub(1).is_none_or(|before| is_char(&tokens[before], ','));
        let is_before_colon = tokens.get(at + 1).is_some_and(|next| is_char(next, ':'));
        match &tokens[at] {
            TokenTree::Ident(_) if is_first && is_before_colon && !is_path(tokens, at) => {}
            TokenTree::Ident(ident) => _ = names.insert(plain(ident)),
            TokenTree::Literal(literal) => names.extend(captured(&literal.to_string())),
            TokenTree::Punct(_) | TokenTree::Group(_) => {}
        }
    });
}

/// The variables that patterns bind: what begins with another letter may be a constant.
fn variables(item: &syn::Item) -> BTreeSet<String> {
    let names = bound_names(|it| it.visit_item(item)).into_iter();
    names.filter(|name| name.starts_with(char::is_lowercase)).collect()
}

/// The names that stand before parentheses, `::` or `!`, but for methods.
fn called_in(tokens: TokenStream, called: &mut BTreeSet<String>) {
    each_token(tokens, &mut |tokens, at| {
        let is_method = at.checked_sub(1).is_some_and(|before| is_char(&tokens[before], '.'));
        match (&tokens[at], tokens.get(at + 1)) {
            (TokenTree::Ident(ident), Some(TokenTree::Group(group)))
                if group.delimiter() == Delimiter::Parenthesis && !is_method =>
            {
                called.insert(plain(ident));
            }
            (TokenTree::Ident(ident), Some(next)) if is_char(next, '!') || is_path(tokens, at) => {
                called.insert(plain(ident));
            }
            _ => {}
        }
    });
}

/// Whether `::` stands behind the token.
fn is_path(tokens: &[TokenTree], at: usize) -> bool {
    tokens.get(at + 1..at + 3).is_some_and(|two| two.iter().all(|token| is_char(token, ':')))
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
    look_at_tokens(text, |tokens| definitions(tokens, &mut names));
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
        let name = first_word(part);
        let rest = &part[name.len()..];
        let is_capture = rest.starts_with(['}', ':']) && !name.starts_with(char::is_numeric);
        (is_capture && !name.is_empty()).then(|| name.to_owned())
    };
    literal.split('{').skip(1).filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_an_item_mention_no_other_item() {
        let names = of_item(
            "fn t() { let data = data(1); for change in &all { match change { Set(prefix, n) => g(prefix, n), LIMIT => {} } } \
             let at = 1; assert!(at(2) && |it| it.n()); other(at); let json = json::parse(\"{prefix}\"); let list = list![]; \
             let p = P { tags: x, ports: ports(1) }; }",
        );
        assert!(names.contains("ports") && names.contains("x") && !names.contains("tags"));
        for mentioned in ["data", "g", "LIMIT", "at", "all", "other", "json", "list"] {
            assert!(names.contains(mentioned), "{mentioned}: {names:?}");
        }
        for own in ["change", "prefix", "n"] {
            assert!(!names.contains(own), "{own}: {names:?}");
        }
    }

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

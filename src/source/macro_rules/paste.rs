//! `paste!` of the crates paste and pastey, by which macros make the names of tests: `[<expect_ $name _ok>]`.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use crate::source::tokens::plain;
use crate::source::{is_char, last_word};

/// Whether a path names a macro that pastes words together.
pub(super) fn is_paste(path: &syn::Path) -> bool {
    let is_of = |name: &str| path.segments.len() > 1 && path.segments[0].ident == name;
    last_word(path).is_some_and(|name| {
        name == "paste" || matches!(plain(name).as_str(), "item" | "expr") && is_of("paste")
    })
}

/// The tokens with each `[<…>]` as the name that it stands for; `None` where that is none.
pub(super) fn pasted(tokens: TokenStream) -> Option<TokenStream> {
    let made = tokens.into_iter().map(|token| {
        let TokenTree::Group(group) = token else { return Some(token) };
        if let Some(words) = words_in(&group) {
            return name_of(&words, &group).map(TokenTree::Ident);
        }
        let mut inside = Group::new(group.delimiter(), pasted(group.stream())?);
        inside.set_span(group.span());
        Some(TokenTree::Group(inside))
    });
    made.collect()
}

/// What stands in `[<…>]`.
fn words_in(group: &Group) -> Option<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let [first, words @ .., last] = &tokens[..] else { return None };
    let is_pasted =
        group.delimiter() == Delimiter::Bracket && is_char(first, '<') && is_char(last, '>');
    is_pasted.then(|| words.to_vec())
}

/// The name that words make together.
fn name_of(words: &[TokenTree], place: &Group) -> Option<Ident> {
    let mut parts: Vec<String> = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word {
            TokenTree::Ident(ident) => parts.push(plain(ident)),
            TokenTree::Literal(literal) => parts.push(match syn::parse_str(&literal.to_string()) {
                Ok(syn::Lit::Str(text)) => text.value().replace('-', "_"),
                Ok(syn::Lit::Char(char)) => char.value().to_string(),
                Ok(syn::Lit::Int(int)) => int.base10_digits().to_owned(),
                _ => return None,
            }),
            TokenTree::Punct(_) if is_char(word, ':') => {
                let Some(TokenTree::Ident(form)) = words.next() else { return None };
                let part = parts.pop()?;
                parts.push(in_form(&part, &form.to_string())?);
            }
            TokenTree::Punct(_) | TokenTree::Group(_) => return None,
        }
    }
    let mut name = syn::parse_str::<Ident>(&parts.concat()).ok()?;
    name.set_span(place.span());
    Some(name)
}

/// A word in another case.
fn in_form(word: &str, form: &str) -> Option<String> {
    let is_start = |at: usize| word[..at].chars().next_back().is_none_or(|before| before == '_');
    Some(match form {
        "lower" => word.to_lowercase(),
        "upper" => word.to_uppercase(),
        "snake" => {
            let parts = word.char_indices().map(|(at, char)| {
                let is_apart = char.is_uppercase() && !is_start(at);
                format!("{}{char}", if is_apart { "_" } else { "" })
            });
            parts.collect::<String>().to_lowercase()
        }
        "camel" => {
            let is_after_upper =
                |at: usize| word[..at].chars().next_back().is_some_and(char::is_uppercase);
            let parts = word.char_indices().filter(|(_, char)| *char != '_').map(|(at, char)| {
                if is_start(at) {
                    char.to_uppercase().to_string()
                } else if is_after_upper(at) {
                    char.to_lowercase().to_string()
                } else {
                    char.to_string()
                }
            });
            parts.collect()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_one_name() {
        for (before, after) in [
            ("fn [<a_ r#type _ 2 _ok>]() { [1, 2] }", "fn a_type_2_ok () { [1 , 2] }"),
            ("[< t_ InvalidChar:snake _ \"a-b\" >]", "t_invalid_char_a_b"),
            ("[<get_it:camel>] [<get_IT:lower>] [<get:upper>]", "GetIt get_it GET"),
            ("a < b > c", "a < b > c"),
        ] {
            let made = pasted(before.parse().unwrap()).unwrap().to_string();
            let after: TokenStream = after.parse().unwrap();
            assert_eq!(made, after.to_string(), "{before}");
        }
        assert!(pasted("[<a env!(\"X\")>]".parse().unwrap()).is_none());
    }
}

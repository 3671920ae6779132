//! The names by which an expression computes.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use crate::source::idents::mentioned;
use crate::source::tokens::is_char;

/// The names among `tokens` that stand for what is computed with. A macro that makes a value of the notation in its
/// tokens only makes data, so its own name does not count, only those in the tokens.
pub(super) fn computing(tokens: TokenStream) -> BTreeSet<String> {
    mentioned(without_macros(tokens))
}

/// The tokens with groups in the place of macro calls.
fn without_macros(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let inner = without_macros(group.stream());
                let mut inner = proc_macro2::Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                kept.push(inner.into());
            }
            TokenTree::Punct(bang)
                if bang.as_char() == '!'
                    && matches!(tokens.get(at + 1), Some(TokenTree::Group(_)))
                    && matches!(kept.last(), Some(TokenTree::Ident(_))) =>
            {
                without_path(&mut kept);
            }
            token => kept.push(token.clone()),
        }
    }
    kept.into_iter().collect()
}

/// Takes the path off that the tokens end in.
fn without_path(tokens: &mut Vec<TokenTree>) {
    while matches!(tokens.last(), Some(TokenTree::Ident(_))) {
        tokens.pop();
        if matches!(tokens.as_slice(), [.., a, b] if is_char(a, ':') && is_char(b, ':')) {
            tokens.truncate(tokens.len() - 2);
        } else {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_macros_do_not_count_but_those_in_their_tokens() {
        let tokens: TokenStream = "f(a::made!({ x: [b!(y)] }), !z)".parse().unwrap();
        let names: Vec<String> = computing(tokens).into_iter().collect();
        assert_eq!(names, ["f", "x", "y", "z"]);
    }
}

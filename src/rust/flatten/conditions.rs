//! Conditions that hold for one crate of a subject and not for another: that it is compiled for tests, and its
//! features.
//!
//! The one crate that all become is compiled for tests, with the features of all of them. A condition that asks
//! for what does not hold where it stands becomes one that never holds.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, LitStr, Meta};

use crate::rust::Tree;
use crate::source::{each_token, is_char};

/// A condition that never holds.
pub(crate) const NEVER: &str = "any()";

/// What does not hold in a crate, and does in the one that all become.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unmet {
    /// Whether it is not compiled for tests.
    pub(crate) is_without_tests: bool,
    /// The features that only others have.
    pub(crate) features: BTreeSet<String>,
}

impl Unmet {
    /// Where the tokens behind `cfg`, `cfg_attr` or `cfg!` ask for it.
    pub(crate) fn asked(&self, tree: &Tree<'_>, condition: TokenStream) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        each_token(condition, &mut |tokens, place| {
            let TokenTree::Ident(word) = &tokens[place] else { return };
            match value_behind(&tokens[place + 1..]) {
                None if self.is_without_tests && word == "test" => {
                    found.push(tree.span(word.span()));
                }
                Some((value, end)) if word == "feature" && self.features.contains(&value) => {
                    found.push(tree.span(word.span()).start..tree.span(end.span()).end);
                }
                _ => {}
            }
        });
        found
    }

    /// The text of a `#[cfg(…)]` as it has to read in the one crate.
    pub(crate) fn settled(&self, tree: &Tree<'_>, attribute: &Attribute) -> String {
        let Meta::List(list) = &attribute.meta else { return tree.text_of(attribute).to_owned() };
        let (written, start) = (tree.text_of(attribute), tree.range(attribute).start);
        let (mut text, mut at) = (String::new(), 0);
        for asked in self.asked(tree, list.tokens.clone()) {
            text += &written[at..asked.start - start];
            text += NEVER;
            at = asked.end - start;
        }
        text + &written[at..]
    }
}

/// The text in `= "text"`, if that comes next, and its token.
fn value_behind(tokens: &[TokenTree]) -> Option<(String, &TokenTree)> {
    let [TokenTree::Punct(sign), value @ TokenTree::Literal(literal), ..] = tokens else {
        return None;
    };
    let text = syn::parse_str::<LitStr>(&literal.to_string()).ok()?.value();
    (sign.as_char() == '=').then_some((text, value))
}

/// The condition in what stands behind a word: `cfg(…)`, `cfg_attr(…, …)`, `cfg!(…)`.
pub(crate) fn condition_behind(
    word: &proc_macro2::Ident,
    behind: &[TokenTree],
) -> Option<TokenStream> {
    match behind {
        [TokenTree::Group(group), ..] if word == "cfg" => Some(group.stream()),
        [mark, TokenTree::Group(group), ..] if word == "cfg" && is_char(mark, '!') => {
            Some(group.stream())
        }
        [TokenTree::Group(group), ..] if word == "cfg_attr" => {
            let tokens = group.stream().into_iter();
            Some(tokens.take_while(|token| !is_char(token, ',')).collect())
        }
        _ => None,
    }
}

//! Names of crates in paths, which become modules.

use proc_macro2::{TokenStream, TokenTree};

use super::pieces::Swap;
use super::whole::{CrateRoot, Flat};
use crate::passes::Tree;

/// Names of crates in paths.
pub(super) struct Names<'n, 's> {
    pub(super) flat: &'n Flat<'s>,
    pub(super) tree: &'n Tree<'n>,
    /// The crate that they stand in, if it becomes a module.
    pub(super) library: Option<&'n CrateRoot>,
    pub(super) swaps: &'n mut Vec<Swap>,
}

impl Names<'_, '_> {
    /// Looks for names in tokens.
    pub(super) fn stream(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (place, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.stream(group.stream()),
                TokenTree::Ident(word) if is_colon(tokens.get(place + 1)) => {
                    let before = place.checked_sub(1).and_then(|place| tokens.get(place));
                    self.word(word, before);
                }
                _ => {}
            }
        }
    }

    /// A word with `::` behind it.
    fn word(&mut self, word: &proc_macro2::Ident, before: Option<&TokenTree>) {
        let place = self.tree.span(word.span());
        if word == "crate" {
            if let Some(library) = self.library {
                let text = format!("::{}", library.name);
                self.swaps.push(Swap::text(place.end..place.end, text));
            }
        } else if self.flat.is_library(word) && !is_colon(before) && !is_dot(before) {
            self.swaps
                .push(Swap::text(place.start..place.start, "crate::"));
        }
    }
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

fn is_dot(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '.' | '$'))
}

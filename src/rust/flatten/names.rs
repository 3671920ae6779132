//! Names of crates in paths, which become modules, conditions, and paths of files.

use std::path::Path;

use proc_macro2::{Spacing, Span, TokenStream, TokenTree};
use syn::LitStr;

use super::conditions::{NEVER, Unmet, condition_behind};
use super::flat::{CrateRoot, Flat};
use super::old_root::OldRoot;
use super::pieces::Swap;
use crate::rust::Tree;
use crate::source::{each_token, is_char, relative, tidy};

/// Names of crates in paths.
pub(crate) struct Names<'n, 's> {
    pub(crate) flat: &'n Flat<'s>,
    pub(crate) tree: &'n Tree<'n>,
    /// The crate that they stand in, if it becomes a module.
    pub(crate) library: Option<&'n CrateRoot>,
    /// The root of the crate that they stand in, if that is one of 2015.
    pub(crate) old: Option<&'n OldRoot>,
    /// What does not hold there.
    pub(crate) unmet: &'n Unmet,
    /// The folder of their file.
    pub(crate) folder: &'n Path,
    pub(crate) swaps: &'n mut Vec<Swap>,
}

impl Names<'_, '_> {
    /// Looks for names in tokens.
    pub(crate) fn stream(&mut self, tokens: TokenStream) {
        each_token(tokens, &mut |tokens, place| {
            let TokenTree::Ident(word) = &tokens[place] else { return };
            let (before, behind) = (&tokens[..place], &tokens[place + 1..]);
            if let Some(condition) = condition_behind(word, behind) {
                let asked = self.unmet.asked(self.tree, condition).into_iter();
                self.swaps.extend(asked.map(|range| Swap::text(range, NEVER)));
            }
            if is_path_sign(behind) {
                self.word(word, before);
            } else if self.is_old_try(word, behind) {
                let start = self.tree.span(word.span()).start;
                self.swaps.push(Swap::text(start..start, "r#"));
            } else if is_call_for_text(word) {
                self.path_of_text(behind);
            } else {
                self.old_path(word, before);
            }
        });
    }

    /// A word with `::` behind it, and what stands before it.
    fn word(&mut self, word: &proc_macro2::Ident, before: &[TokenTree]) {
        let place = self.tree.span(word.span());
        if word == "crate" {
            if let Some(library) = self.library {
                let text = format!("::{}", library.name);
                self.swaps.push(Swap::text(place.end..place.end, text));
            }
            return;
        }
        if !self.flat.is_library(word) || self.is_own_name(word) {
            return self.old_path(word, before);
        }
        let Some((sign, before)) = path_sign_before(before) else {
            if !is_member(before) {
                self.swaps.push(Swap::text(place.start..place.start, "crate::"));
            }
            return;
        };
        // `::name`, and not the end of a longer path.
        if !ends_with_name(before) {
            let start = self.tree.span(sign).start;
            self.swaps.push(Swap::text(start..start, "crate"));
        }
    }

    /// Whether it is the name of the crate of 2015 that it stands in, which does not know itself by that: it is a module of it.
    fn is_own_name(&self, word: &proc_macro2::Ident) -> bool {
        self.old.is_some() && self.library.is_some_and(|library| word == &library.name)
    }

    /// A word in code of 2015, where `::name` is a path from the root of the crate.
    fn old_path(&mut self, word: &proc_macro2::Ident, before: &[TokenTree]) {
        if let Some(path) = self.old.and_then(|old| old.path_to(word))
            && let Some((sign, before)) = path_sign_before(before)
            && !ends_with_name(before)
        {
            let start = self.tree.span(sign).start;
            self.swaps.push(Swap::text(start..start, path));
        }
    }

    /// Whether it is a call of `try!`, a keyword since the edition of 2018.
    fn is_old_try(&self, word: &proc_macro2::Ident, behind: &[TokenTree]) -> bool {
        self.old.is_some()
            && word == "try"
            && matches!(behind, [mark, TokenTree::Group(_), ..] if is_char(mark, '!'))
    }

    /// What stands behind `include_str` or `include_bytes`: paths start at the folder of their file.
    fn path_of_text(&mut self, behind: &[TokenTree]) {
        let [mark, TokenTree::Group(group), ..] = behind else { return };
        let Ok(path) = syn::parse2::<LitStr>(group.stream()) else { return };
        // The one file stands in a package of its own: what is above the package of the test is lost.
        let is_at_root = self.flat.folder.components().count() < 2;
        if is_char(mark, '!')
            && is_at_root
            && self.folder != self.flat.folder
            && !path.value().starts_with('/')
        {
            let place = self.tree.span(path.span());
            let moved = relative(self.flat.folder, &tidy(&self.folder.join(path.value())));
            let moved = moved.to_string_lossy();
            self.swaps.push(Swap::text(place, format!("{moved:?}")));
        }
    }
}

fn is_call_for_text(word: &proc_macro2::Ident) -> bool {
    word == "include_str" || word == "include_bytes"
}

/// Whether the first tokens are `::`.
fn is_path_sign(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(one), TokenTree::Punct(two), ..]
        if one.as_char() == ':' && one.spacing() == Spacing::Joint && two.as_char() == ':')
}

/// The `::` that the tokens end with, and what stands before it.
fn path_sign_before(tokens: &[TokenTree]) -> Option<(Span, &[TokenTree])> {
    let (before, sign) = tokens.split_at_checked(tokens.len().checked_sub(2)?)?;
    is_path_sign(sign).then(|| (sign[0].span(), before))
}

/// Whether a path goes on behind the tokens.
fn ends_with_name(tokens: &[TokenTree]) -> bool {
    match tokens {
        [.., TokenTree::Ident(word)] => !is_keyword(word),
        [before @ .., TokenTree::Punct(sign)] if sign.as_char() == '>' => {
            let arrow = |token: &TokenTree| {
                matches!(token, TokenTree::Punct(one)
                    if matches!(one.as_char(), '-' | '=') && one.spacing() == Spacing::Joint)
            };
            !before.last().is_some_and(arrow)
        }
        _ => false,
    }
}

/// Words that may stand before a path.
fn is_keyword(word: &proc_macro2::Ident) -> bool {
    let before_paths = [
        "use", "in", "return", "as", "impl", "dyn", "for", "mut", "const", "if", "match", "while",
        "else", "break", "where", "ref", "let",
    ];
    before_paths.iter().any(|keyword| word == keyword)
}

/// Whether the tokens make what follows a method or a variable of a macro: the dot of a call, and not that of a range.
fn is_member(before: &[TokenTree]) -> bool {
    match before {
        [.., first, second] if is_char(second, '.') => !is_char(first, '.'),
        [.., last] => is_char(last, '.') || is_char(last, '$'),
        [] => false,
    }
}

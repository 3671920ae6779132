//! The text that an arm makes of what its fragments stand for.

use proc_macro2::{Delimiter, Ident, Spacing, TokenTree};
use syn::Macro;

use crate::rust::Tree;
use crate::rust::patchwork::Patchwork;
use crate::source::macro_rules::{Definition, Fragment, Transcript};

/// A text under way.
struct Text<'t, 'k> {
    /// The file that holds the call.
    tree: &'t Tree<'t>,
    made: Patchwork<'t>,
    /// What `$crate` stands for.
    krate: &'k str,
}

/// What a call of that macro makes, where `krate` is the path to the crate of the macro; `None` where this is not understood.
pub(crate) fn transcribed<'t>(
    tree: &'t Tree<'t>,
    call: &Macro,
    definition: &Definition,
    krate: &str,
) -> Option<Patchwork<'t>> {
    let mut text = Text { tree, made: Patchwork::of(tree.text), krate };
    text.call(definition, &call.tokens)?;
    Some(text.made)
}

impl Transcript for Text<'_, '_> {
    fn token(&mut self, token: &TokenTree) {
        self.made.push(&token.to_string());
        if !is_joint(token) {
            self.made.push(" ");
        }
    }

    fn fragment(&mut self, fragment: &Fragment, is_torn: bool) {
        let (Some(first), Some(last)) = (fragment.tokens.first(), fragment.tokens.last()) else {
            return;
        };
        let range = self.tree.span(first.span()).start..self.tree.span(last.span()).end;
        if range == self.tree.span(first.span()) && is_comment(&self.tree.text[range.clone()]) {
            // An attribute, or a part of it.
            fragment.tokens.iter().for_each(|token| self.token(token));
            return;
        }
        if is_torn {
            self.made.push("(");
        }
        self.made.copy(range);
        self.made.push(match last {
            _ if is_torn => ") ",
            last if is_joint(last) => "",
            _ => " ",
        });
    }

    fn other_name(&mut self, name: &Ident) {
        if name == "crate" {
            self.made.push(&format!("{} ", self.krate));
        } else {
            self.made.push(&format!("${name} "));
        }
    }

    fn group(
        &mut self,
        delimiter: Delimiter,
        inside: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let (open, close) = brackets(delimiter);
        self.made.push(open);
        inside(self)?;
        self.made.push(close);
        Some(())
    }
}

/// Whether a sign is one with the next one.
fn is_joint(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint)
}

/// Whether tokens are written as a comment that documents something.
fn is_comment(text: &str) -> bool {
    text.starts_with("//") || text.starts_with("/*")
}

fn brackets(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ") "),
        Delimiter::Brace => ("{ ", "} "),
        Delimiter::Bracket => ("[", "] "),
        Delimiter::None => ("", ""),
    }
}

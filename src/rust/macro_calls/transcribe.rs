//! The text that an arm makes of what its fragments stand for.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

use crate::rust::Tree;
use crate::rust::patchwork::Patchwork;
use crate::source::macro_rules::{Binding, Bindings, Fragment, Piece, pieces, repetitions};

/// A text under way.
pub(crate) struct Transcript<'t> {
    /// The file that holds the call.
    tree: &'t Tree<'t>,
    text: Patchwork<'t>,
}

impl<'t> Transcript<'t> {
    /// What `body` makes of `bindings`; `None` where this is not understood.
    pub(crate) fn of(
        tree: &'t Tree<'t>,
        body: TokenStream,
        bindings: &Bindings,
    ) -> Option<Patchwork<'t>> {
        let mut transcript = Transcript {
            tree,
            text: Patchwork::of(tree.text),
        };
        transcript.body(body, bindings)?;
        Some(transcript.text)
    }

    fn body(&mut self, tokens: TokenStream, bindings: &Bindings) -> Option<()> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for piece in pieces(&tokens)? {
            match piece {
                Piece::Name(name) => self.name(&name.to_string(), bindings)?,
                Piece::Repetition(group, separator) => {
                    self.repeat(&group.stream(), separator, bindings)?;
                }
                Piece::Group(group) => {
                    let (open, close) = brackets(group.delimiter());
                    self.push(open);
                    self.body(group.stream(), bindings)?;
                    self.push(close);
                }
                Piece::Token(token) => self.token(token),
            }
        }
        Some(())
    }

    /// `$name`; a name that the pattern does not know may be one of a macro in the body.
    fn name(&mut self, name: &str, bindings: &Bindings) -> Option<()> {
        match bindings.get(name) {
            Some(Binding::One(fragment)) => self.fragment(fragment),
            Some(Binding::Many(_)) => return None,
            None if name == "crate" => self.push("crate "),
            None => {
                self.push("$");
                self.push(name);
                self.push(" ");
            }
        }
        Some(())
    }

    fn fragment(&mut self, fragment: &Fragment) {
        let (Some(first), Some(last)) = (fragment.tokens.first(), fragment.tokens.last()) else {
            return;
        };
        let range = self.tree.span(first.span()).start..self.tree.span(last.span()).end;
        let is_wrapped = fragment.is_expr && fragment.tokens.len() > 1;
        if is_wrapped {
            self.push("(");
        }
        self.text.copy(range);
        self.push(if is_wrapped { ") " } else { " " });
    }

    /// One turn for each that the fragments in it have.
    fn repeat(
        &mut self,
        body: &TokenStream,
        separator: &[TokenTree],
        bindings: &Bindings,
    ) -> Option<()> {
        for (turn, bindings) in repetitions(body, bindings)?.iter().enumerate() {
            if turn > 0 {
                for token in separator {
                    self.token(token);
                }
            }
            self.body(body.clone(), bindings)?;
        }
        Some(())
    }

    fn token(&mut self, token: &TokenTree) {
        self.push(&token.to_string());
        let is_joint =
            matches!(token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
        if !is_joint {
            self.push(" ");
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push(text);
    }
}

fn brackets(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ") "),
        Delimiter::Brace => ("{ ", "} "),
        Delimiter::Bracket => ("[", "] "),
        Delimiter::None => ("", ""),
    }
}

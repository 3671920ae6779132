//! What an arm makes of a call that it matches.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use super::matching::{Binding, Bindings, Fragment, repetitions};
use super::rules::{Piece, pieces};
use crate::source::tokens::holds_together;

/// Where what an arm makes goes.
pub(crate) trait Transcript: Sized {
    fn token(&mut self, token: &TokenTree);

    /// What a name of the pattern stands for.
    fn fragment(&mut self, fragment: &Fragment);

    /// `$crate`, or a name that the pattern does not know; `None` where that is not understood.
    fn other_name(&mut self, name: &Ident) -> Option<()>;

    /// Brackets around what `inside` makes.
    fn group(
        &mut self,
        delimiter: Delimiter,
        inside: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()>;

    /// What `body` makes of `bindings`; `None` where this is not understood.
    fn body(&mut self, body: TokenStream, bindings: &Bindings) -> Option<()> {
        let tokens: Vec<TokenTree> = body.into_iter().collect();
        for piece in pieces(&tokens)? {
            match piece {
                Piece::Name(name) => match bindings.get(&name.to_string()) {
                    Some(Binding::One(fragment)) => self.fragment(fragment),
                    Some(Binding::Many(_)) => return None,
                    None => self.other_name(name)?,
                },
                Piece::Repetition(group, separator) => {
                    let turns = repetitions(&group.stream(), bindings)?;
                    for (turn, bindings) in turns.iter().enumerate() {
                        let between = separator.iter().filter(|_| turn > 0);
                        between.for_each(|token| self.token(token));
                        self.body(group.stream(), bindings)?;
                    }
                }
                Piece::Group(group) => {
                    self.group(group.delimiter(), |inside| inside.body(group.stream(), bindings))?;
                }
                Piece::Token(token) => self.token(token),
            }
        }
        Some(())
    }
}

impl Transcript for TokenStream {
    fn token(&mut self, token: &TokenTree) {
        self.extend([token.clone()]);
    }

    fn fragment(&mut self, fragment: &Fragment) {
        self.extend(whole(fragment));
    }

    fn other_name(&mut self, name: &Ident) -> Option<()> {
        // The definition stands in the crate of the call.
        (name == "crate").then(|| self.extend([TokenTree::Ident(name.clone())]))
    }

    fn group(
        &mut self,
        delimiter: Delimiter,
        inside: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let mut made = TokenStream::new();
        inside(&mut made)?;
        self.extend([TokenTree::Group(Group::new(delimiter, made))]);
        Some(())
    }
}

/// The tokens of a fragment. An expression that another operator could tear apart gets parentheses,
/// since the compiler takes it as a whole.
fn whole(fragment: &Fragment) -> TokenStream {
    let tokens: TokenStream = fragment.tokens.iter().cloned().collect();
    let is_whole = || syn::parse2(tokens.clone()).is_ok_and(|expr| holds_together(&expr));
    if !fragment.is_expr || is_whole() {
        return tokens;
    }
    TokenTree::Group(Group::new(Delimiter::Parenthesis, tokens)).into()
}

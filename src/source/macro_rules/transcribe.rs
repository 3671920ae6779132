//! What an arm makes of a call that it matches.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};

use super::matching::{Binding, Bindings, Fragment, matches, repetitions};
use super::rules::{Definition, Piece, pieces};
use crate::source::{Strength, is_char, strength};

/// Where what an arm makes goes.
pub(crate) trait Transcript: Sized {
    fn token(&mut self, token: &TokenTree);

    /// What a name of the pattern stands for, in parentheses if it `is_torn`: what stands beside it would tear it apart.
    fn fragment(&mut self, fragment: &Fragment, is_torn: bool);

    /// `$crate`, or a name that the pattern does not know: one of a macro that the body defines perhaps.
    fn other_name(&mut self, name: &Ident);

    /// Brackets around what `inside` makes.
    fn group(
        &mut self,
        delimiter: Delimiter,
        inside: impl FnOnce(&mut Self) -> Option<()>,
    ) -> Option<()>;

    /// What a call with these tokens makes, by the first arm that they match; `None` where this is not understood.
    fn call(&mut self, definition: &Definition, tokens: &TokenStream) -> Option<()> {
        let mut arms = definition.arms.iter();
        let (arm, bindings) = arms.find_map(|arm| Some((arm, matches(arm, tokens.clone())?)))?;
        self.body(arm.body.clone(), &bindings)
    }

    /// What `body` makes of `bindings`; `None` where this is not understood.
    fn body(&mut self, body: TokenStream, bindings: &Bindings) -> Option<()> {
        let tokens: Vec<TokenTree> = body.into_iter().collect();
        let pieces = pieces(&tokens)?;
        for (at, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Name(name) => match bindings.get(&name.to_string()) {
                    Some(Binding::One(fragment)) => {
                        let before = at.checked_sub(1).map(|before| &pieces[before]);
                        let needed = needed_between(before, pieces.get(at + 1));
                        self.fragment(fragment, fragment.strength() < needed);
                    }
                    Some(Binding::Many(_)) => return None,
                    None => self.other_name(name),
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

    fn fragment(&mut self, fragment: &Fragment, is_torn: bool) {
        let tokens: TokenStream = fragment.tokens.iter().cloned().collect();
        if is_torn {
            self.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, tokens))]);
        } else {
            self.extend(tokens);
        }
    }

    fn other_name(&mut self, name: &Ident) {
        // The definition stands in the crate of the call.
        let dollar = TokenTree::Punct(Punct::new('$', Spacing::Alone));
        self.extend((name != "crate").then_some(dollar));
        self.extend([TokenTree::Ident(name.clone())]);
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

impl Fragment {
    /// How strongly its tokens hold together: to the compiler an expression is one whatever stands around it.
    fn strength(&self) -> Strength {
        if !self.is_expr || self.tokens.len() < 2 {
            return Strength::Atom;
        }
        let tokens = self.tokens.iter().cloned().collect();
        syn::parse2(tokens).map_or(Strength::Block, |expr| strength(&expr))
    }
}

/// What an expression between two pieces of a body has to hold together like.
fn needed_between(before: Option<&Piece<'_>>, after: Option<&Piece<'_>>) -> Strength {
    let is_sign = |piece: Option<&Piece<'_>>, signs: &[char]| match piece {
        Some(Piece::Token(token)) => signs.iter().any(|sign| is_char(token, *sign)),
        _ => false,
    };
    let is_apart = |piece: Option<&Piece<'_>>| piece.is_none() || is_sign(piece, &[',', ';']);
    if is_sign(after, &['.', '?']) || matches!(after, Some(Piece::Group(_))) {
        Strength::Field
    } else if is_apart(before) && is_apart(after) {
        Strength::Block
    } else {
        Strength::Prefix
    }
}

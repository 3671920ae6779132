//! What an arm makes of a call that it matches.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Expr;

use super::matching::{Binding, Bindings, Fragment, repetitions};
use super::rules::{Piece, pieces};

/// The tokens that `body` stands for; `None` where it is not understood.
pub(super) fn transcribed(body: TokenStream, bindings: &Bindings) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut made = TokenStream::new();
    for piece in pieces(&tokens)? {
        match piece {
            Piece::Name(name) => match bindings.get(&name.to_string()) {
                Some(Binding::One(fragment)) => made.extend(whole(fragment)),
                // The definition stands in the crate of the call.
                None if name == "crate" => made.extend([TokenTree::Ident(name.clone())]),
                Some(Binding::Many(_)) | None => return None,
            },
            Piece::Repetition(group, separator) => {
                for (turn, bindings) in repetitions(&group.stream(), bindings)?.iter().enumerate() {
                    if turn > 0 {
                        made.extend(separator.iter().cloned());
                    }
                    made.extend(transcribed(group.stream(), bindings)?);
                }
            }
            Piece::Group(group) => {
                let inside = transcribed(group.stream(), bindings)?;
                made.extend([TokenTree::Group(Group::new(group.delimiter(), inside))]);
            }
            Piece::Token(token) => made.extend([token.clone()]),
        }
    }
    Some(made)
}

/// The tokens of a fragment. An expression that another operator could tear apart gets parentheses,
/// since the compiler takes it as a whole.
fn whole(fragment: &Fragment) -> TokenStream {
    let tokens: TokenStream = fragment.tokens.iter().cloned().collect();
    if !fragment.is_expr || is_whole(tokens.clone()) {
        return tokens;
    }
    TokenTree::Group(Group::new(Delimiter::Parenthesis, tokens)).into()
}

fn is_whole(tokens: TokenStream) -> bool {
    use Expr as E;
    matches!(
        syn::parse2::<E>(tokens),
        Ok(E::Lit(_)
            | E::Path(_)
            | E::Call(_)
            | E::MethodCall(_)
            | E::Field(_)
            | E::Index(_)
            | E::Macro(_)
            | E::Paren(_)
            | E::Tuple(_)
            | E::Array(_)
            | E::Repeat(_)
            | E::Reference(_)
            | E::Block(_)
            | E::Unary(_))
    )
}

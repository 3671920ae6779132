//! Reading the text that `Debug` makes of a value.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::source::{at_commas, is_char};

/// A value as its text shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A number, with its sign; also `NaN` and `inf`.
    Number(String),
    /// A text or character, as a literal.
    Literal(String),
    /// A name with fields.
    Named(String, Vec<(String, Shown)>),
    /// A name with values in parentheses, or alone.
    Called(String, Vec<Shown>),
    /// Values in parentheses.
    Tuple(Vec<Shown>),
    /// Values in square brackets.
    List(Vec<Shown>),
    /// Values in braces.
    Set(Vec<Shown>),
    /// Pairs in braces.
    Map(Vec<(Shown, Shown)>),
}

/// Reads a text; `None` if it is not of the form that derived implementations and those of the standard
/// library have.
pub(crate) fn read(text: &str) -> Option<Shown> {
    let tokens: TokenStream = text.parse().ok()?;
    value(&tokens.into_iter().collect::<Vec<TokenTree>>())
}

fn value(tokens: &[TokenTree]) -> Option<Shown> {
    match tokens {
        [TokenTree::Literal(literal)] => Some(literal_or_number(&literal.to_string())),
        [TokenTree::Punct(sign), rest] if sign.as_char() == '-' => {
            match value(std::slice::from_ref(rest))? {
                Shown::Number(number) => Some(Shown::Number(format!("-{number}"))),
                _ => None,
            }
        }
        [TokenTree::Ident(name)] if name == "NaN" || name == "inf" => {
            Some(Shown::Number(name.to_string()))
        }
        [TokenTree::Ident(name)] => Some(Shown::Called(name.to_string(), Vec::new())),
        [TokenTree::Ident(name), TokenTree::Group(group)] => of_name(&name.to_string(), group),
        [TokenTree::Group(group)] => alone(group),
        _ => None,
    }
}

fn literal_or_number(literal: &str) -> Shown {
    if literal.starts_with(|first: char| first.is_ascii_digit()) {
        Shown::Number(literal.to_owned())
    } else {
        Shown::Literal(literal.to_owned())
    }
}

fn of_name(name: &str, group: &Group) -> Option<Shown> {
    let parts = at_commas(group.stream());
    match group.delimiter() {
        Delimiter::Parenthesis => Some(Shown::Called(name.to_owned(), values(&parts)?)),
        Delimiter::Brace => {
            let fields = parts.iter().map(|part| match &part[..] {
                [TokenTree::Ident(field), colon, rest @ ..] if is_char(colon, ':') => {
                    Some((field.to_string(), value(rest)?))
                }
                _ => None,
            });
            Some(Shown::Named(name.to_owned(), fields.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

fn alone(group: &Group) -> Option<Shown> {
    let parts = at_commas(group.stream());
    match group.delimiter() {
        Delimiter::Parenthesis => Some(Shown::Tuple(values(&parts)?)),
        Delimiter::Bracket => Some(Shown::List(values(&parts)?)),
        Delimiter::Brace => match pairs(&parts) {
            Some(pairs) => Some(Shown::Map(pairs)),
            None => Some(Shown::Set(values(&parts)?)),
        },
        Delimiter::None => None,
    }
}

/// Key and value of each part.
fn pairs(parts: &[Vec<TokenTree>]) -> Option<Vec<(Shown, Shown)>> {
    let pair = |part: &Vec<TokenTree>| {
        let colon = part.iter().position(|token| is_char(token, ':'))?;
        Some((value(&part[..colon])?, value(&part[colon + 1..])?))
    };
    parts.iter().map(pair).collect()
}

fn values(parts: &[Vec<TokenTree>]) -> Option<Vec<Shown>> {
    parts.iter().map(|part| value(part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_texts_are_read() {
        let shown = read("Err(Unclosed { depth: 2, at: -6.5, why: \"a, \\\"b\" })").unwrap();
        let Shown::Called(name, inner) = shown else { panic!("{shown:?}") };
        assert_eq!(name, "Err");
        assert_eq!(
            inner,
            [Shown::Named(
                "Unclosed".into(),
                vec![
                    ("depth".into(), Shown::Number("2".into())),
                    ("at".into(), Shown::Number("-6.5".into())),
                    ("why".into(), Shown::Literal("\"a, \\\"b\"".into())),
                ]
            )]
        );
    }

    #[test]
    fn lists_maps_sets_and_tuples_are_told_apart() {
        let one = || Shown::Number("1".into());
        assert_eq!(read("[1, 1]"), Some(Shown::List(vec![one(), one()])));
        assert_eq!(read("{1: 1}"), Some(Shown::Map(vec![(one(), one())])));
        assert_eq!(read("{1}"), Some(Shown::Set(vec![one()])));
        assert_eq!(read("(1,)"), Some(Shown::Tuple(vec![one()])));
        assert_eq!(read("None"), Some(Shown::Called("None".into(), vec![])));
    }

    #[test]
    fn what_is_left_out_or_made_up_is_no_value() {
        for text in ["A { .. }", "a b", "1.5s", "<function>", "A { a: 1, .. }"] {
            let shown = read(text);
            assert!(
                !matches!(shown, Some(Shown::Named(..) | Shown::Called(..))),
                "{text}: {shown:?}"
            );
        }
    }
}

//! The values that proptest prints, as Rust expressions.

use proc_macro2::{Delimiter, TokenTree};

use crate::source::parse::{look_at_tokens, range};
use crate::source::scan::{PieceKind, pieces};
use crate::source::tokens::each_token;
use crate::source::{Edits, INTEGERS};

/// Takes `ranges = [(1, 2)], n = 5` apart: the part of a line after `minimal failing input:` or
/// `shrinks to`. Values may hold commas and equals signs inside brackets and quotes.
pub fn failing_values(printed: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for part in top_level(printed, ',') {
        let mut sides = top_level(part, '=').into_iter();
        match (sides.next(), sides.next()) {
            (Some(name), Some(value)) => {
                pairs.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            _ => return Vec::new(),
        }
    }
    pairs
}

/// Splits at a char outside of brackets and quotes.
pub(super) fn top_level(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start) = (0_usize, 0);
    let mut parts = Vec::new();
    for piece in pieces(text).filter(|piece| piece.kind == PieceKind::Symbol) {
        match piece.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            sign if depth == 0 && sign.starts_with(separator) => {
                parts.push(&text[start..piece.start]);
                start = piece.range().end;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A value and the type that its variable needs.
pub(super) struct Binding {
    pub value: String,
    pub ty: Option<String>,
}

/// The expression for a value printed by `Debug`, made by `strategy`, with the functions that stand `behind` it.
pub(super) fn binding(printed: &str, strategy: &str, behind: &str) -> Binding {
    let collections = [
        ("hash_set", "HashSet", "<_>"),
        ("btree_set", "BTreeSet", "<_>"),
        ("hash_map", "HashMap", "<_, _>"),
        ("btree_map", "BTreeMap", "<_, _>"),
        ("vec_deque", "VecDeque", "<_>"),
    ];
    let is_made = |(function, ty, _): &(&str, &str, &str)| {
        strategy.contains(function) || strategy.contains(ty)
    };
    let collection = collections.into_iter().find(is_made);
    let makes_strings =
        [strategy, behind].iter().any(|it| it.contains('"') || it.contains("String"));
    let rewritten = rewritten(printed, makes_strings);
    let is_braced = printed.starts_with('{') || printed.starts_with('[');
    match collection.filter(|_| is_braced) {
        Some((_, ty, of)) => Binding {
            value: format!("{}.into_iter().collect()", as_list(&rewritten)),
            ty: Some(format!("std::collections::{ty}{of}")),
        },
        None => Binding { value: with_suffix(rewritten, strategy), ty: None },
    }
}

/// A whole number with the suffix that the range of the strategy has, as `5u64` for `0u64..9`.
fn with_suffix(value: String, strategy: &str) -> String {
    let is_number = value.trim_start_matches('-').chars().all(|char| char.is_ascii_digit());
    let start = strategy.split("..").next().unwrap_or("").trim();
    let digits = start.trim_start_matches(|c: char| c == '-' || c == '_' || c.is_ascii_digit());
    if is_number && INTEGERS.contains(&digits) && strategy.contains("..") {
        value + digits
    } else {
        value
    }
}

/// `{1, 2}` as `[1, 2]`, and `{1: 2}` as `[(1, 2)]`.
fn as_list(braced: &str) -> String {
    let inside = braced.trim_start_matches("vec!");
    let inside = &inside[1..inside.len().saturating_sub(1).max(1)];
    let elements = top_level(inside, ',').into_iter().map(|element| {
        match top_level(element, ':').as_slice() {
            [key, value] => format!("({}, {})", key.trim(), value.trim()),
            _ => element.trim().to_owned(),
        }
    });
    let elements: Vec<String> = elements.filter(|element| !element.is_empty()).collect();
    format!("[{}]", elements.join(", "))
}

/// Lists become vectors, and texts strings where the strategy makes strings.
fn rewritten(printed: &str, makes_strings: bool) -> String {
    let mut edits = Edits::default();
    // What has no tokens stays as it is; the compiler will say more.
    look_at_tokens(printed, |tokens| {
        each_token(tokens, &mut |tokens, at| {
            let place = range(tokens[at].span(), 0);
            match &tokens[at] {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    edits.insert(place.start, "vec!");
                }
                TokenTree::Literal(literal)
                    if makes_strings && literal.to_string().starts_with('"') =>
                {
                    edits.insert(place.end, ".to_string()");
                }
                TokenTree::Ident(ident) if ident == "inf" => edits.replace(place, "f64::INFINITY"),
                TokenTree::Ident(ident) if ident == "NaN" => edits.replace(place, "f64::NAN"),
                _ => {}
            }
        });
    });
    edits.apply(printed)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_failing_values_holds() {
        let values = crate::source::failing_values("(a, b) = (1, 2), s = \"x, y = z\"");
        assert_eq!(values[0], ("(a, b)".to_owned(), "(1, 2)".to_owned()));
        assert_eq!(values[1], ("s".to_owned(), "\"x, y = z\"".to_owned()));
    }
}

//! Literals of a function that stand for its inputs: they go with their statement, or stay.

use std::ops::Range;

use super::scan::{Piece, PieceKind, pieces};
use super::{Change, Reduction};
use crate::reduce::{RangeExt, touched};
use crate::source::is_constant_name;

/// Whether a reduction changes literals of the function at `range` of a text otherwise than by taking whole statements away,
/// or what they are handed to, such as a parameter or field that is not needed.
pub fn changes_literals(text: &str, range: &Range<usize>, reduction: &Reduction) -> bool {
    let is_within = |change: &Change| range.covers(&change.range);
    let changes = &reduction.changes;
    changes.iter().all(is_within)
        && changes.iter().any(|change| {
            let (old, new) = (literals(&text[change.range.clone()]), literals(&change.text));
            !is_part(&old, &new) && !takes_statements(text, change)
        })
}

/// Where the literals of the function at `range` of a text stand, in order.
pub fn literals_in(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let all = literal_pieces(&text[range.clone()]).map(|literal| {
        let start = range.start + literal.start;
        start..start + literal.text.len()
    });
    all.collect()
}

/// Whether a reduction takes a part of one of these `literals` away and leaves the rest.
pub fn cuts_literal(literals: &[Range<usize>], reduction: &Reduction) -> bool {
    reduction
        .changes
        .iter()
        .any(|Change { range, .. }| touched(literals, range).any(|literal| !range.covers(literal)))
}

/// Whether a change of a text writes literals that did not stand there.
pub fn adds_literals(text: &str, change: &Change) -> bool {
    !is_part(&literals(&change.text), &literals(&text[change.range.clone()]))
}

/// The literals of a text, in order.
fn literals(text: &str) -> Vec<&str> {
    literal_pieces(text).map(|literal| literal.text).collect()
}

fn literal_pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    pieces(text).filter(is_literal)
}

/// Whether a piece is a literal, or stands for one.
pub(super) fn is_literal(piece: &Piece<'_>) -> bool {
    match piece.kind {
        PieceKind::Str => true,
        PieceKind::Word => is_value(piece.text),
        _ => false,
    }
}

/// Whether a word is a number, or the name of a value, of a constant, or of an input that is asked for at run time.
fn is_value(word: &str) -> bool {
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    matches!(word, "true" | "false")
        || is_constant_name(word)
        || is_number(word)
        || word.strip_prefix("input_").is_some_and(is_number)
}

/// Whether all of `part` stands in `whole`, in this order.
pub(super) fn is_part<T: PartialEq>(part: &[T], whole: &[T]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|one| rest.any(|other| other == one))
}

/// Whether a change takes away statements and leaves nothing in their place.
fn takes_statements(text: &str, change: &Change) -> bool {
    let before = text[..change.range.start].trim_end();
    let old = text[change.range.clone()].trim();
    let is_end =
        old.ends_with([';', '}']) || text[change.range.end..].trim_start().starts_with('}');
    change.text.trim().is_empty() && before.ends_with(['{', '}', ';']) && is_end && !is_element(old)
}

/// Whether a text begins or ends as an element of a list does.
fn is_element(text: &str) -> bool {
    text.starts_with([',', '.', '?']) || text.ends_with(',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::range_of;

    const TEXT: &str = "fn t() { let list = vec![1, 2]; if true { go(\"a\", list) } f(\"b\", 0.9).g(); last(3) } fn f() { 4 }";

    fn changes(old: &str, new: &str) -> bool {
        let end = TEXT.find(" fn f").unwrap();
        changes_literals(TEXT, &(0..end), &Reduction::replace(range_of(TEXT, old), new))
    }

    #[test]
    fn literals_go_with_their_statement() {
        for statement in
            ["let list = vec![1, 2];", "f(\"b\", 0.9).g();", "last(3)", "go(\"a\", list)"]
        {
            assert!(!changes(statement, ""), "{statement}");
        }
        assert!(!changes("if true { go(\"a\", list) } f(\"b\", 0.9).g();", ""));
    }

    #[test]
    fn literals_of_what_stays_are_neither_changed_nor_taken_away() {
        for (old, new) in [
            ("0.9", "0."),
            ("1, ", ""),
            (", 0.9", ""),
            ("\"a\"", "\"\""),
            ("true", "false"),
            ("f(\"b\", 0.9)", "None"),
            ("vec![1, 2]", "vec![]"),
            ("f(\"b\", 0.9)", "f(::l::input_7!(), 0.9)"),
        ] {
            assert!(changes(old, new), "{old}");
        }
        let text = "fn t() { f([0; MOST]); }";
        let other = Reduction::replace(range_of(text, "MOST"), "0");
        assert!(changes_literals(text, &(0..text.len()), &other), "a constant");
    }

    #[test]
    fn a_part_of_a_literal_does_not_go_alone() {
        let text = "fn t() { f(\"a b\", 10); } fn f() { \"c d\" }";
        let literals = literals_in(text, &(0..text.find(" fn f").unwrap()));
        let cuts = |old: &str| cuts_literal(&literals, &Reduction::remove(range_of(text, old)));
        for part in [" b", "f(\"a", "1", "b\", "] {
            assert!(cuts(part), "{part}");
        }
        for whole in ["\"a b\"", ", 10", "f(\"a b\", 10);", " d"] {
            assert!(!cuts(whole), "{whole}");
        }
    }

    #[test]
    fn what_is_around_literals_may_change() {
        for (old, new) in [
            (".g()", ""),
            ("vec![1, 2]", "[1, 2]"),
            ("f(\"b\", 0.9).g()", "{ let x = 7; h(\"b\", 0.9) }"),
            ("if true { go(\"a\", list) }", "{ true; go(\"a\", list) }"),
        ] {
            assert!(!changes(old, new), "{old}");
        }
        let four = TEXT.find('4').unwrap();
        let test = 0..TEXT.find(" fn f").unwrap();
        let outside = Reduction::replace(four..four + 1, "0");
        assert!(!changes_literals(TEXT, &test, &outside));
        let argument = TEXT.find(", 0.9").unwrap();
        let with_parameter = outside.and_remove(argument..argument + ", 0.9".len());
        assert!(!changes_literals(TEXT, &test, &with_parameter));
    }
}

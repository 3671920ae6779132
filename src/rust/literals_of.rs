//! Literals of a function that stand for its inputs: they go with their statement, or stay.

use std::collections::HashMap;
use std::ops::Range;

use syn::Expr;

use super::scan::{Piece, PieceKind, pieces, tokens};
use super::{Change, Reduction, StandIn, Tree};
use crate::reduce::{RangeExt, touched};
use crate::source::is_constant_name;

/// The literals of a function that stand for its inputs.
#[derive(Debug, Clone, Default)]
pub struct InputLiterals {
    /// Where the function stands.
    function: Range<usize>,
    /// Where they stand, in order.
    places: Vec<Range<usize>>,
    /// The variables that hold some of them, with these.
    variables: HashMap<String, Vec<String>>,
}

impl InputLiterals {
    /// Those of the function at that place of a text.
    pub fn of(text: &str, function: Range<usize>) -> Self {
        let places = literal_pieces(&text[function.clone()]).map(|literal| {
            let start = function.start + literal.start;
            let sign = usize::from(is_signed(&text[..start]));
            start - sign..start + literal.text.len()
        });
        InputLiterals { places: places.collect(), function, variables: HashMap::new() }
    }

    /// Also what has them by a variable: that stays as they do.
    #[must_use]
    pub fn with_variables(mut self, text: &str) -> Self {
        let function = &text[self.function.clone()];
        let look = |tree: &Tree<'_>| {
            let lets =
                tree.locals().filter_map(|local| Some((&local.pat, &*local.init.as_ref()?.expr)));
            let loops = tree.exprs().filter_map(|expr| match expr {
                Expr::ForLoop(it) => Some((&*it.pat, &*it.expr)),
                _ => None,
            });
            let mut all: Vec<_> = lets.chain(loops).collect();
            all.sort_by_key(|(pattern, _)| tree.range(*pattern).start);
            for (pattern, value) in all {
                let held = self.held_in(tree.text_of(value)).into_iter();
                let held: Vec<String> = held.map(str::to_owned).collect();
                if !held.is_empty() {
                    let names = tree.bound_by(pattern).into_iter();
                    self.variables.extend(names.map(|name| (name.to_owned(), held.clone())));
                }
            }
        };
        // Nothing is known of what cannot be read.
        let _ = Tree::with(function, StandIn::Panic, look);
        self
    }

    /// Whether a reduction of the `text` takes a part of one of them away, or changes one otherwise than by taking whole
    /// statements away, or what they are handed to, such as a parameter or field that is not needed.
    pub fn are_changed_by(&self, text: &str, reduction: &Reduction) -> bool {
        self.are_cut_by(reduction) || {
            let changes = &reduction.changes;
            changes.iter().all(|change| self.function.covers(&change.range))
                && changes.iter().any(|change| {
                    let old = self.held_in(&text[change.range.clone()]);
                    !is_part(&old, &self.held_in(&change.text)) && !takes_statements(text, change)
                })
        }
    }

    /// Whether a reduction takes a part of a literal away and leaves the rest.
    fn are_cut_by(&self, reduction: &Reduction) -> bool {
        reduction.changes.iter().any(|Change { range, .. }| {
            touched(&self.places, range).any(|literal| !range.covers(literal))
        })
    }

    /// The literals of a text, be they in variables, in order.
    fn held_in<'a>(&'a self, text: &'a str) -> Vec<&'a str> {
        let mut held = Vec::new();
        let mut is_member = false;
        for token in tokens(text) {
            match self.variables.get(token.text).filter(|_| !is_member) {
                Some(of_variable) => held.extend(of_variable.iter().map(String::as_str)),
                None if is_literal(&token) => held.push(token.text),
                None => {}
            }
            is_member = token.text == ".";
        }
        held
    }
}

/// Whether a change of a text writes literals that did not stand there.
pub fn adds_literals(text: &str, change: &Change) -> bool {
    !is_part(&literals(&change.text), &literals(&text[change.range.clone()]))
}

/// Whether a change of a text takes the sign of a number that no signed type holds without it: to most compilers that is an
/// error, and to a reader another number.
pub fn takes_needed_sign(text: &str, change: &Change) -> bool {
    let is_sign = |text: &str| text.trim_end().ends_with('-');
    let number = tokens(&text[change.range.end..]).next();
    is_sign(&text[change.range.clone()])
        && !is_sign(&change.text)
        && number.is_some_and(|number| is_least(number.text))
}

/// Whether a word is a number of which only the negative one is of a signed type: 128, 32768, ….
fn is_least(word: &str) -> bool {
    let digits = word.chars().filter(|it| *it != '_').map_while(|it| it.to_digit(10));
    let number =
        digits.fold(0_u128, |all, digit| all.saturating_mul(10).saturating_add(u128::from(digit)));
    [8, 16, 32, 64, 128].iter().any(|bits| number == 1 << (bits - 1))
}

/// The literals of a text, in order.
fn literals(text: &str) -> Vec<&str> {
    literal_pieces(text).map(|literal| literal.text).collect()
}

fn literal_pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    pieces(text).filter(is_literal)
}

/// Whether a text ends in the sign of the number behind it.
fn is_signed(before: &str) -> bool {
    let is_operand = |last: char| last.is_alphanumeric() || matches!(last, '_' | ')' | ']' | '"');
    before.strip_suffix('-').is_some_and(|before| !before.trim_end().ends_with(is_operand))
}

/// Whether a piece of a text is a literal, or the name of a value.
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
        let literals = InputLiterals::of(TEXT, 0..end);
        literals.are_changed_by(TEXT, &Reduction::replace(range_of(TEXT, old), new))
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
        assert!(InputLiterals::of(text, 0..text.len()).are_changed_by(text, &other), "a constant");
    }

    #[test]
    fn a_part_of_a_literal_does_not_go_alone() {
        let text = "fn t() { f(\"a b\", 10); } fn f() { \"c d\" }";
        let literals = InputLiterals::of(text, 0..text.find(" fn f").unwrap());
        let cuts = |old: &str| literals.are_cut_by(&Reduction::remove(range_of(text, old)));
        for part in [" b", "f(\"a", "1", "b\", "] {
            assert!(cuts(part), "{part}");
        }
        for whole in ["\"a b\"", ", 10", "f(\"a b\", 10);", " d"] {
            assert!(!cuts(whole), "{whole}");
        }
        let text = "fn t() { f(-10, a - 20) }";
        let literals = InputLiterals::of(text, 0..text.len());
        let cuts = |old: &str| literals.are_cut_by(&Reduction::remove(range_of(text, old)));
        assert!(cuts("-") && !cuts("-10") && !cuts("- "));
    }

    #[test]
    fn the_least_numbers_keep_their_sign() {
        let text = "f(-2_147_483_648i32, -5, a - 128)";
        let takes = |old: &str, new: &str| {
            let reduction = Reduction::replace(range_of(text, old), new);
            reduction.changes.iter().any(|change| takes_needed_sign(text, change))
        };
        assert!(takes("-", "") && takes("f(-", "g(") && takes("a -", "a +"));
        assert!(!takes("-2_147_483_648i32", "2") && !takes("f(-", "g(-") && !takes(", -", ", "));
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
        let literals = InputLiterals::of(TEXT, 0..TEXT.find(" fn f").unwrap());
        let outside = Reduction::replace(four..four + 1, "0");
        assert!(!literals.are_changed_by(TEXT, &outside));
        let argument = TEXT.find(", 0.9").unwrap();
        let with_parameter = outside.and_remove(argument..argument + ", 0.9".len());
        assert!(!literals.are_changed_by(TEXT, &with_parameter));
    }

    #[test]
    fn what_variables_hold_stays_where_it_is_handed_on() {
        let text = "fn t() { let a = size(10, 20); let b = a.turned(); let c = C::new(); \
                    for (s, t) in [(a, b), (b, a)] { c.put(s, t.a).go(); } c.last(a) }";
        let literals = InputLiterals::of(text, 0..text.len()).with_variables(text);
        let changes = |old: &str, new: &str| {
            literals.are_changed_by(text, &Reduction::replace(range_of(text, old), new))
        };
        for (old, new) in
            [("(s,", "((),"), ("t.a", "0"), ("b, a)]", "b, b)]"), ("a.turned()", "size(1, 2)")]
        {
            assert_eq!(changes(old, new), new != "b, b)]", "{old}");
        }
        for (old, new) in
            [(".go()", ""), ("c.last(a)", ""), ("c.last(a)", "a"), ("(a) }", "(size(10, 20)) }")]
        {
            assert!(!changes(old, new), "{old}");
        }
        assert!(!changes("c.put(s, t.a)", "put(c, s, t.a)"));
    }
}

//! Parameters without a name, which methods of traits may have in the edition of 2015.

use std::ops::Range;

use super::scan::{Piece, tokens};

/// The bytes of the parameters that have a type only, in functions anywhere in a text.
pub fn nameless_parameters(text: &str) -> Vec<Range<usize>> {
    let tokens = Tokens::of(text);
    (0..tokens.0.len()).flat_map(|place| tokens.nameless_parameters(place)).collect()
}

/// The text with blanks in the place of parameters without a name, so that syn can parse it, and all else stays where it
/// is; `None` if there are none.
pub(super) fn without_nameless_parameters(text: &str) -> Option<String> {
    let nameless = nameless_parameters(text);
    let mut blank = String::with_capacity(text.len());
    let mut done = 0;
    for range in &nameless {
        // One within another: brackets that do not fit.
        if range.start < done {
            return None;
        }
        blank.push_str(&text[done..range.start]);
        blank.extend(std::iter::repeat_n(' ', range.len()));
        done = range.end;
    }
    blank.push_str(&text[done..]);
    (!nameless.is_empty()).then_some(blank)
}

/// The tokens of a text, by their places.
pub(crate) struct Tokens<'t>(pub(crate) Vec<Piece<'t>>);

impl<'t> Tokens<'t> {
    /// Those of a text.
    pub(crate) fn of(text: &'t str) -> Self {
        Tokens(tokens(text).collect())
    }

    /// The one at that place; nothing behind the last one.
    pub(crate) fn text(&self, place: usize) -> &str {
        self.0.get(place).map_or("", |token| token.text)
    }

    /// The one in front of that place.
    pub(crate) fn before(&self, place: usize) -> &str {
        place.checked_sub(1).map_or("", |before| self.text(before))
    }

    /// Those of the function whose `fn` stands here, each with the comma behind it.
    fn nameless_parameters(&self, place: usize) -> Vec<Range<usize>> {
        if self.text(place) != "fn" || self.text(place + 1) == "(" {
            return Vec::new();
        }
        let mut depth = 0_usize;
        let open = (place + 2..self.0.len()).find(|at| {
            match self.text(*at) {
                "<" => depth += 1,
                ">" if self.before(*at) != "-" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && matches!(self.text(*at), "(" | "{" | ";")
        });
        let Some(open) = open.filter(|open| self.text(*open) == "(") else {
            return Vec::new();
        };
        let (mut first, mut depth, mut has_name) = (open + 1, 0_usize, false);
        let mut nameless = Vec::new();
        for at in open + 1..self.0.len() {
            match self.text(at) {
                "(" | "[" | "<" | "{" => depth += 1,
                end @ ("," | ")") if depth == 0 => {
                    if first < at && !has_name && self.before(at) != "self" {
                        let end = self.0[at].start + usize::from(end == ",");
                        nameless.push(self.0[first].start..end);
                    }
                    (first, has_name) = (at + 1, false);
                    if self.text(at) == ")" {
                        break;
                    }
                }
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                ">" if self.before(at) != "-" => depth = depth.saturating_sub(1),
                ":" if depth == 0 && self.before(at) != ":" && self.text(at + 1) != ":" => {
                    has_name = true;
                }
                _ => {}
            }
        }
        nameless
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_name_is_blank_and_all_else_where_it_was() {
        let text =
            "trait T { fn a(&self, u8, e: E<u8, u8>, &mut [u8]) -> u8; fn b(U); fn c(x: fn(u8)); }";
        let blank = without_nameless_parameters(text).unwrap();
        let expected =
            "trait T { fn a(&self,     e: E<u8, u8>,          ) -> u8; fn b( ); fn c(x: fn(u8)); }";
        assert_eq!(blank, expected);
        assert_eq!(without_nameless_parameters("fn a(b: u8, self, _: c::D) {}"), None);
    }
}

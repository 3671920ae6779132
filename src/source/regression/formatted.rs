//! Where the characters of a text stood before it was formatted.

/// The characters that two texts have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formatted {
    /// Where each stands in the new text, and where it stood in the old one; in order.
    places: Vec<(usize, usize)>,
}

impl Formatted {
    /// Of a text and what a formatter has made of it; `None` if that differs in more than blanks, commas and braces.
    pub(super) fn new(old: &str, new: &str) -> Option<Self> {
        let mut places = Vec::new();
        let characters = |text: &'_ str| -> Vec<(usize, char)> {
            text.char_indices().filter(|(_, it)| !it.is_whitespace()).collect()
        };
        let (before, after) = (characters(old), characters(new));
        let (mut left, mut right) = (before.iter().peekable(), after.iter().peekable());
        let is_free =
            |it: Option<&&(usize, char)>| it.is_some_and(|(_, it)| matches!(it, ',' | '{' | '}'));
        loop {
            match (left.peek(), right.peek()) {
                (None, None) => return Some(Formatted { places }),
                (Some((from, was)), Some((to, is))) if was == is => {
                    places.push((*to, *from));
                    left.next();
                    right.next();
                }
                (_, free) if is_free(free) => drop(right.next()),
                (free, _) if is_free(free) => drop(left.next()),
                _ => return None,
            }
        }
    }

    /// Where the character at `offset` of the new text stood in the old one.
    pub(super) fn before(&self, offset: usize) -> Option<usize> {
        let place = self.places.binary_search_by_key(&offset, |(new, _)| *new).ok()?;
        Some(self.places[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_found_where_they_stood() {
        let old = "f(\n    1,\n    g(2),\n);\nuse a::{b};\n";
        let new = "f(1, g(2));\nuse a::b;\n";
        let formatted = Formatted::new(old, new).unwrap();
        let at = |text: &str, words: &str| text.find(words).unwrap();
        for words in ["f(", "1", "g(2)", "use", "b"] {
            assert_eq!(formatted.before(at(new, words)), Some(at(old, words)), "{words}");
        }
        assert_eq!(formatted.before(at(new, " g")), None);
        assert_eq!(Formatted::new("a(1)", "a(2)"), None);
    }
}

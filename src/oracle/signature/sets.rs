//! Sets and maps in messages, whose elements a hash table shows in another order each time.

use std::iter::Peekable;
use std::str::Chars;

/// What stands between two brackets, or around all of these.
#[derive(Default)]
struct Between {
    open: Option<char>,
    /// The elements before the last one.
    elements: Vec<String>,
    last: String,
}

impl Between {
    fn end_element(&mut self) {
        let element = std::mem::take(&mut self.last);
        self.elements.push(element.trim().to_owned());
    }

    /// All of it in one line; sorted if it is in braces, which `close` ends.
    fn text(mut self, close: Option<char>) -> String {
        if self.open.is_none() {
            self.elements.push(self.last);
        } else if !self.last.trim().is_empty() {
            self.end_element();
        }
        if (self.open, close) == (Some('{'), Some('}')) {
            self.elements.sort_unstable();
        }
        let inside = self.elements.join(", ");
        self.open.into_iter().collect::<String>() + &inside + &close.into_iter().collect::<String>()
    }
}

/// A message in which what stands in braces, as debug output shows it, is sorted, to be compared with another one.
pub(super) fn with_sorted_sets(message: &str) -> String {
    let mut open = vec![Between::default()];
    let mut rest = message.chars().peekable();
    while let Some(next) = rest.next() {
        let depth = open.len();
        let Some(inner) = open.last_mut() else { break };
        match next {
            '{' | '[' | '(' => open.push(Between { open: Some(next), ..Between::default() }),
            '}' | ']' | ')' if depth > 1 => {
                let text = open.pop().map(|inner| inner.text(Some(next))).unwrap_or_default();
                if let Some(outer) = open.last_mut() {
                    outer.last += &text;
                }
            }
            ',' if depth > 1 => inner.end_element(),
            '"' => {
                inner.last.push(next);
                push_quoted(&mut rest, &mut inner.last);
            }
            _ => inner.last.push(next),
        }
    }
    open.into_iter().map(|inner| inner.text(None)).collect()
}

/// Goes on behind the quote that ends a text.
fn push_quoted(rest: &mut Peekable<Chars<'_>>, text: &mut String) {
    while let Some(next) = rest.next() {
        text.push(next);
        match next {
            '"' => return,
            '\\' => text.extend(rest.next()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_maps_are_sorted_and_lists_are_not() {
        let sorted = with_sorted_sets;
        assert_eq!(sorted(r#"left: {"b, c", "a}"}"#), r#"left: {"a}", "b, c"}"#);
        assert_eq!(sorted("{2: [3, 1], 1: {\"y\", \"x\"}}"), "{1: {\"x\", \"y\"}, 2: [3, 1]}");
        assert_eq!(sorted("{\n    b,\n    a,\n}, c"), "{a, b}, c");
        assert_eq!(sorted("it failed, too: (b, a)"), "it failed, too: (b, a)");
        assert_eq!(sorted("} and {b, a"), "} and {b, a");
    }
}

//! Messages with everything blanked that depends on the input.
//!
//! One pass from left to right, no regular expressions: the in-process tier makes a template for
//! every failing candidate, so this has to be about as fast as reading the message.

use std::ops::Range;

use super::blank::{cut_off_end, list_end, number_end, path_end, quoted_end};
use crate::source::scan::is_word;

/// What the standard library puts behind a text that it has cut off.
pub(super) const CUT_OFF: &str = "[...]";

/// What stands for a number.
const NUMBER: char = '#';

/// Back-ticked text in messages of the standard library that is part of the message, not of the
/// input.
const KEPT: [&str; 14] = [
    "None",
    "Some",
    "Ok",
    "Err",
    "Option::unwrap()",
    "Option::expect()",
    "Result::unwrap()",
    "Result::expect()",
    "Result::unwrap_err()",
    "Result::expect_err()",
    "Result::into_ok()",
    "left == right",
    "left != right",
    "left matches right",
];

/// The template of a message: numbers, addresses, absolute paths, quoted and back-ticked text and
/// the elements of lists are blanked; words stay, and so do the names of types, variants and fields
/// in debug output.
pub fn template(message: &str) -> String {
    let mut scanner = Scanner::new(message);
    while scanner.step().is_some() {}
    scanner.template
}

/// The template of a message, and the bytes of what it has blanked, quotes included.
pub(super) fn scan(message: &str) -> (String, Vec<Range<usize>>) {
    let mut scanner = Scanner::new(message);
    let mut blanks = Vec::new();
    loop {
        let start = scanner.at;
        match scanner.step() {
            Some(true) => blanks.push(start..scanner.at),
            Some(false) => {}
            None => return (scanner.template, blanks),
        }
    }
}

/// Whether back-ticked text is part of messages of the standard library.
pub(super) fn is_kept(text: &str) -> bool {
    KEPT.contains(&text)
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The character before `at`.
    before: Option<char>,
    template: String,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        Scanner { text, at: 0, before: None, template: String::with_capacity(text.len()) }
    }

    /// Takes one token, and tells whether it is one that varies; `None` at the end.
    fn step(&mut self) -> Option<bool> {
        let rest = &self.text[self.at..];
        let next = rest.chars().next()?;
        let blanked = match next {
            '0'..='9' | '-' | 'a'..='f' | 'A'..='F' => self.blanked(rest, number_end, NUMBER),
            '"' | '\'' | '`' => self.quoted(rest, next),
            'r' => self.raw_string(rest),
            '[' | '{' => self.list(rest, next),
            '/' => self.blanked(rest, path_end, '/'),
            _ => false,
        };
        if !blanked {
            self.template.push(next);
            self.advance(next.len_utf8());
        }
        Some(blanked)
    }

    /// Puts `mark` in the place of that whose end is found, if it is there and no part of a word.
    fn blanked(&mut self, rest: &str, end: fn(&str) -> Option<usize>, mark: char) -> bool {
        if self.is_inside_word() {
            return false;
        }
        let Some(end) = end(rest) else { return false };
        self.template.push(mark);
        self.advance(end);
        true
    }

    fn quoted(&mut self, rest: &str, quote: char) -> bool {
        // In a word, it is an apostrophe.
        if quote == '\'' && self.is_inside_word() {
            return false;
        }
        let Some(mut end) = quoted_end(rest, quote) else { return self.cut_off(rest, quote) };
        let inside = &rest[1..end - 1];
        // The standard library cuts long texts off.
        if quote == '`' && rest[end..].starts_with(CUT_OFF) {
            end += CUT_OFF.len();
        }
        self.template.push(quote);
        if quote == '`' && is_kept(inside) {
            self.template.push_str(inside);
        }
        self.template.push(quote);
        self.advance(end);
        true
    }

    fn cut_off(&mut self, rest: &str, quote: char) -> bool {
        let Some(end) = cut_off_end(rest, quote) else { return false };
        self.template.push(quote);
        self.advance(end);
        true
    }

    /// A raw string is blanked to what a plain one is, since a shorter value may need no raw string.
    fn raw_string(&mut self, rest: &str) -> bool {
        let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
        let open = 1 + hashes;
        if self.is_inside_word() || !rest[open..].starts_with('"') {
            return false;
        }
        let close = format!("\"{}", "#".repeat(hashes));
        let Some(length) = rest[open + 1..].find(&close) else { return false };
        self.template.push_str("\"\"");
        self.advance(open + 1 + length + close.len());
        true
    }

    fn list(&mut self, rest: &str, open: char) -> bool {
        // `name[i]` is an index, and `Name { field: value }` a struct, whose names stay.
        if open == '[' && self.is_inside_word() {
            return false;
        }
        if open == '{' && rest[1..].starts_with(char::is_whitespace) && self.follows_name() {
            return false;
        }
        let Some(end) = list_end(rest) else { return false };
        self.template.push_str(if open == '[' { "[]" } else { "{}" });
        self.advance(end);
        true
    }

    fn advance(&mut self, length: usize) {
        self.at += length;
        self.before = self.text[..self.at].chars().next_back();
    }

    fn is_inside_word(&self) -> bool {
        self.before.is_some_and(is_word)
    }

    /// Whether what was just read is a name and one space.
    fn follows_name(&self) -> bool {
        let mut before = self.text[..self.at].chars().rev();
        before.next() == Some(' ') && before.next().is_some_and(|it| it == '>' || is_word(it))
    }
}

#[cfg(test)]
mod tests;

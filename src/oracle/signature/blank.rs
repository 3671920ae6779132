//! Where the parts of a message end that depend on the input.
//!
//! Each function gets a text that begins with the part and answers its length in bytes, or `None`
//! when the text only looked like one.

use crate::source::scan::{first_word, is_word};

/// How long a word of hexadecimal digits must be to be taken for an address or a digest.
const HEX_WORD: usize = 8;

/// A number: with sign, fraction, exponent, prefix (`0x`) and unit or type (`5ms`, `7usize`); or a
/// long word of hexadecimal digits.
pub(super) fn number_end(text: &str) -> Option<usize> {
    let sign = usize::from(text.starts_with('-'));
    let digits = &text[sign..];
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return if sign == 0 { hex_word_end(text) } else { None };
    }
    let bytes = digits.as_bytes();
    let mut end = 0;
    while let Some(next) = digits[end..].chars().next() {
        let followed_by_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        let is_part = match next {
            '.' => followed_by_digit,
            '+' | '-' => followed_by_digit && is_exponent(bytes, end),
            _ => is_word(next),
        };
        if !is_part {
            break;
        }
        end += next.len_utf8();
    }
    Some(sign + end)
}

/// Whether a sign at `at` belongs to the exponent of a decimal number.
fn is_exponent(bytes: &[u8], at: usize) -> bool {
    at >= 2
        && matches!(bytes[at - 1], b'e' | b'E')
        && bytes[..at - 1].iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_'))
}

fn hex_word_end(text: &str) -> Option<usize> {
    let word = first_word(text).as_bytes();
    let is_hex = word.len() >= HEX_WORD
        && word.iter().all(u8::is_ascii_hexdigit)
        && word.iter().any(u8::is_ascii_digit);
    is_hex.then_some(word.len())
}

/// A text between two of the same quotes, the quotes included.
///
/// Debug output escapes the quote in the text, display output does not. So a closing quote counts
/// only where a word cannot go on, which in both is true for the real one.
pub(super) fn quoted_end(text: &str, quote: char) -> Option<usize> {
    // The quote itself as a character (`'''`), and a backslash that was not escaped.
    if quote != '"' && text[1..].starts_with(quote) && text[2..].starts_with(quote) {
        return Some(3);
    }
    if text.starts_with(r"'\'") && !text[3..].starts_with('\'') {
        return Some(3);
    }
    let mut escaped = false;
    let mut last = None;
    for (at, character) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if character == '\\' && quote != '`' {
            escaped = true;
        } else if character == quote {
            last = Some(at + 1);
            if !text[at + 1..].starts_with(is_word) {
                return last;
            }
        }
    }
    // A lone `'` is an apostrophe more often than a quote.
    last.filter(|_| quote != '\'')
}

/// A text whose closing quote is missing because it was cut off: to the end of the line. A quote
/// before a space is taken for a quote that is talked about.
pub(super) fn cut_off_end(text: &str, quote: char) -> Option<usize> {
    let is_opening = !text[1..].starts_with(char::is_whitespace) && text.len() > 1;
    (quote != '\'' && is_opening).then(|| text.find('\n').unwrap_or(text.len()))
}

/// A list, set or map in debug output, its brackets included.
pub(super) fn list_end(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut at = 0;
    let mut before = None;
    while let Some(next) = text[at..].chars().next() {
        let mut length = next.len_utf8();
        match next {
            '"' | '\'' => {
                let in_word = before.is_some_and(|it: char| it.is_alphanumeric() && it != 'b');
                if next == '"' || !in_word {
                    length = quoted_end(&text[at..], next).unwrap_or(length);
                }
            }
            '[' => open.push(']'),
            '{' => open.push('}'),
            '(' => open.push(')'),
            ']' | '}' | ')' => {
                if open.pop() != Some(next) {
                    return None;
                }
                if open.is_empty() {
                    return Some(at + length);
                }
            }
            _ => {}
        }
        at += length;
        before = Some(next);
    }
    None
}

/// An absolute path of at least two parts.
pub(super) fn path_end(text: &str) -> Option<usize> {
    let end = text
        .find(|it: char| {
            !(it.is_alphanumeric() || matches!(it, '/' | '.' | '_' | '-' | '+' | '@' | '~'))
        })
        .unwrap_or(text.len());
    let path = text[..end].trim_end_matches('.');
    let parts = path.split('/').skip(1).filter(|part| !part.is_empty());
    (parts.count() >= 2 && !path.starts_with("//")).then_some(path.len())
}

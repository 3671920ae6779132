//! Characters that nobody sees, or that change what others look like, made visible.

/// The same text where control characters, and those that turn the direction of what follows, are written as escapes.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

fn is_hidden(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_no_text = matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe;
    turns || is_no_text || c == '\u{feff}' || (c.is_control() && !matches!(c, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_written_out() {
        assert_eq!(visible("a\n\tb é 日"), "a\n\tb é 日");
        assert_eq!(visible("\0\u{1b}[31m\r\n"), "\\u{0}\\u{1b}[31m\\u{d}\n");
        assert_eq!(visible("\u{202e}x\u{feff}\u{ffff}"), "\\u{202e}x\\u{feff}\\u{ffff}");
    }
}

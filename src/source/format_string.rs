//! The texts of a format string between its placeholders, which can change while those stay.

use std::ops::Range;

use syn::LitStr;

/// A text between the placeholders of a format string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatText {
    /// Its bytes in the source of the literal.
    pub range: Range<usize>,
    /// What it prints: escapes and doubled braces are resolved.
    pub text: String,
}

/// The texts in `literal`, the source of a plain or raw string literal, in order and none of them empty;
/// `None` if it is no valid format string.
pub fn format_texts(literal: &str) -> Option<Vec<FormatText>> {
    let inside = inside(literal)?;
    let is_raw = literal.starts_with('r');
    let mut texts = Vec::new();
    let mut start = inside.start;
    let mut chars = literal[inside.clone()]
        .char_indices()
        .map(|(at, char)| (inside.start + at, char))
        .peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map(|(_, char)| *char);
        match char {
            '\\' if !is_raw => skip_escape(&mut chars),
            '{' | '}' if next == Some(char) => drop(chars.next()),
            '{' => {
                texts.push(start..at);
                start = chars.find(|(_, char)| *char == '}')?.0 + 1;
            }
            '}' => return None,
            _ => {}
        }
    }
    texts.push(start..inside.end);
    let is_some = |range: &Range<usize>| !range.is_empty();
    let text_of = |range: Range<usize>| {
        let text = value(literal, &range)?.replace("{{", "{").replace("}}", "}");
        Some(FormatText { range, text })
    };
    texts.into_iter().filter(is_some).map(text_of).collect()
}

/// The value of the format string in `literal` with new `texts` in the place of its own.
pub fn with_format_texts<'t>(
    literal: &str,
    texts: impl IntoIterator<Item = &'t str>,
) -> Option<String> {
    let inside = inside(literal)?;
    let mut changed = String::new();
    let mut copied = inside.start;
    for (old, new) in format_texts(literal)?.into_iter().zip(texts) {
        changed += &value(literal, &(copied..old.range.start))?;
        changed += &new.replace('{', "{{").replace('}', "}}");
        copied = old.range.end;
    }
    changed += &value(literal, &(copied..inside.end))?;
    Some(changed)
}

/// What stands between the quotes.
fn inside(literal: &str) -> Option<Range<usize>> {
    let (open, close) = match literal.strip_prefix('r') {
        Some(raw) => (raw.find('"')? + 2, raw.find('"')? + 1),
        None => (1, 1),
    };
    let inside = open..literal.len().checked_sub(close)?;
    // What is no literal may end in a longer char, or at once.
    literal.get(inside.clone()).map(|_| inside)
}

fn skip_escape(chars: &mut impl Iterator<Item = (usize, char)>) {
    if let Some((_, 'u')) = chars.next() {
        // `\u{1f600}`: these braces are no placeholder.
        chars.find(|(_, char)| *char == '}');
    }
}

/// What a part of the literal means.
fn value(literal: &str, range: &Range<usize>) -> Option<String> {
    let source = literal.get(range.clone())?;
    if literal.starts_with('r') {
        return Some(source.to_owned());
    }
    let whole: LitStr = syn::parse_str(&format!("\"{source}\"")).ok()?;
    Some(whole.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(literal: &str) -> Option<Vec<String>> {
        let texts = format_texts(literal)?;
        Some(texts.into_iter().map(|text| text.text).collect())
    }

    #[test]
    fn texts_stand_between_placeholders() {
        let literal = r#""{}. {name:>5}\n\u{e9}{{x}}""#;
        assert_eq!(texts(literal).unwrap(), [". ", "\n\u{e9}{x}"]);
        assert_eq!(texts("\"{}\"").unwrap(), [""; 0]);
        assert_eq!(texts("\"plain\"").unwrap(), ["plain"]);
    }

    #[test]
    fn a_raw_string_has_no_escapes() {
        let literal = r###"r##"{{"a\n": {x}}}"##"###;
        assert_eq!(texts(literal).unwrap(), ["{\"a\\n\": ", "}"]);
        let changed = with_format_texts(literal, ["", "{"]);
        assert_eq!(changed.unwrap(), "{x}{{");
    }

    #[test]
    fn what_is_no_format_string_has_no_texts() {
        assert_eq!(texts("\"a } b\""), None);
        assert_eq!(texts("\"a {b\""), None);
    }

    #[test]
    fn the_example_of_with_format_texts_holds() {
        let changed = with_format_texts(r#""a\n{}: {x:?}!""#, ["b", "", "}"]);
        assert_eq!(changed.as_deref(), Some("b{}{x:?}}}"));
    }
}

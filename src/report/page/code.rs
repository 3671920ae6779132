//! Source as spans: what is a keyword, a string, a comment, and which parts were left out once.

use std::ops::Range;

use serde::Serialize;

use super::cut::Cut;
use crate::reduce::Outcome;
use crate::report::Part;
use crate::report::phrases::grouped;
use crate::report::visible::visible;
use crate::source::scan::{PieceKind, pieces};

/// A text to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Code {
    head: Vec<Span>,
    /// How much is left out between head and tail, in words; empty where nothing is.
    omitted: String,
    tail: Vec<Span>,
}

/// A piece of a text, or a part with pieces in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Span {
    /// What it is, as a class of the style sheet; empty for what has none.
    class: &'static str,
    text: String,
    /// What happens without it; empty for what is no part.
    without: String,
    spans: Vec<Span>,
}

/// Parts that stand deeper in each other are not marked.
const DEEPEST: usize = 40;

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// As Rust.
    Rust,
    /// As anything else.
    Plain,
}

impl Code {
    /// Up to about `most` bytes of `text`, in which `parts` are marked.
    pub(super) fn new(text: &str, language: Language, parts: &[Part], most: usize) -> Code {
        let cut = Cut::of(text, most);
        let tokens = tokens(text, language);
        let mut sorted: Vec<&Part> = parts.iter().filter(|part| !part.range.is_empty()).collect();
        sorted.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
        let spans =
            |range: &Range<usize>| Marked { text, tokens: &tokens }.spans(range, &sorted, 0);
        let omitted = match cut.middle().len() {
            0 => String::new(),
            bytes => format!(
                "{} of {} bytes left out",
                grouped(bytes as u64),
                grouped(text.len() as u64)
            ),
        };
        Code { head: spans(&cut.head), omitted, tail: spans(&cut.tail) }
    }
}

/// A token that is shown in a colour.
struct Token {
    range: Range<usize>,
    class: &'static str,
}

struct Marked<'t> {
    text: &'t str,
    tokens: &'t [Token],
}

impl Marked<'_> {
    /// The spans of a range, with those `parts` that lie in it; they are in the order of their starts, larger ones
    /// first.
    fn spans(&self, range: &Range<usize>, parts: &[&Part], depth: usize) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut at = range.start;
        let mut rest = parts;
        while let Some((part, after)) = rest.split_first() {
            let inside = after.partition_point(|it| it.range.start < part.range.end);
            // One that overlaps another cannot be marked.
            if part.range.start >= at && part.range.end <= range.end && depth < DEEPEST {
                self.add(&mut spans, at..part.range.start);
                let (class, said) = class_and_words(part);
                spans.push(Span {
                    class,
                    text: String::new(),
                    without: shortened(said),
                    spans: self.spans(&part.range, &after[..inside], depth + 1),
                });
                at = part.range.end;
                rest = &after[inside..];
            } else {
                rest = after;
            }
        }
        self.add(&mut spans, at..range.end);
        spans
    }

    /// Adds the tokens of a range.
    fn add(&self, spans: &mut Vec<Span>, range: Range<usize>) {
        let first = self.tokens.partition_point(|token| token.range.end <= range.start);
        for token in &self.tokens[first..] {
            let start = token.range.start.max(range.start);
            let end = token.range.end.min(range.end);
            if start >= end {
                break;
            }
            let text = visible(&self.text[start..end]);
            match spans.last_mut() {
                Some(last) if last.class == token.class && last.spans.is_empty() => {
                    last.text.push_str(&text);
                }
                _ => spans.push(Span {
                    class: token.class,
                    text,
                    without: String::new(),
                    spans: Vec::new(),
                }),
            }
        }
    }
}

/// What no candidate was without alone.
pub(super) const UNTRIED: &str = "untried";

/// What happens without a part: a class of the style sheet, and words.
pub(super) fn class_and_words(part: &Part) -> (&'static str, &str) {
    let Some(without) = &part.without else {
        return (UNTRIED, "it was not tried alone");
    };
    let class = match without.outcome {
        Outcome::Pass => "passes",
        Outcome::Fail => "fails",
        Outcome::Unresolved | Outcome::Timeout => "differs",
    };
    (class, &without.said)
}

/// What happens without a part, as far as it can be read at a glance.
pub(super) fn shortened(said: &str) -> String {
    const LONGEST: usize = 300;
    let text = visible(said);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The tokens of a text, which together are all of it.
fn tokens(text: &str, language: Language) -> Vec<Token> {
    if language == Language::Plain {
        return vec![Token { range: 0..text.len(), class: "" }];
    }
    let mut tokens: Vec<Token> = Vec::new();
    for piece in pieces(text) {
        let next = text[piece.range().end..].chars().next();
        let class = match piece.kind {
            PieceKind::Comment => "comment",
            PieceKind::Str => "string",
            PieceKind::Word => class_of_word(piece.text, next),
            PieceKind::Space | PieceKind::Symbol => "",
        };
        match tokens.last_mut() {
            Some(last) if last.class == class => last.range.end = piece.range().end,
            _ => tokens.push(Token { range: piece.range(), class }),
        }
    }
    tokens
}

fn class_of_word(word: &str, next: Option<char>) -> &'static str {
    const KEYWORDS: &[&str] = &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum",
        "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
        "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
        "true", "type", "unsafe", "use", "where", "while",
    ];
    let first = word.chars().next();
    match next {
        _ if KEYWORDS.contains(&word) => "keyword",
        _ if first.is_some_and(|c| c.is_ascii_digit()) => "number",
        Some('(' | '!') => "call",
        _ if first.is_some_and(char::is_uppercase) => "type",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Without;

    fn part(range: Range<usize>, outcome: Option<Outcome>) -> Part {
        let without = outcome.map(|outcome| Without { outcome, said: "said".into() });
        Part { range, without }
    }

    fn flat(spans: &[Span]) -> String {
        let one = |span: &Span| match (span.class, span.without.is_empty()) {
            ("", true) => span.text.clone(),
            (class, true) => format!("<{class} {}>", span.text),
            (class, false) => format!("[{class}: {}]", flat(&span.spans)),
        };
        spans.iter().map(one).collect()
    }

    fn shown(text: &str, parts: &[Part]) -> String {
        flat(&Code::new(text, Language::Rust, parts, 1_000).head)
    }

    #[test]
    fn rust_is_told_apart() {
        assert_eq!(
            shown("let x = Foo::new(1, \"a\"); // x", &[]),
            "<keyword let> x = <type Foo>::<call new>(<number 1>, <string \"a\">); <comment // x>"
        );
    }

    #[test]
    fn parts_stand_in_strings_and_in_each_other() {
        let parts = [
            part(1..2, Some(Outcome::Pass)),
            part(2..4, Some(Outcome::Unresolved)),
            part(5..9, None),
            part(6..7, Some(Outcome::Pass)),
        ];
        assert_eq!(
            shown("\"a\\n\" 12;3", &parts),
            "<string \">[passes: <string a>][differs: <string \\n>]<string \">[untried:  \
             [passes: <number 1>]<number 2>;]<number 3>"
        );
    }

    #[test]
    fn what_overlaps_is_not_marked() {
        let parts = [part(0..3, None), part(2..5, None)];
        assert_eq!(shown("abcdef", &parts), "[untried: abc]def");
    }

    #[test]
    fn of_a_long_text_the_middle_is_left_out() {
        let code = Code::new(&"ab ".repeat(1_000), Language::Rust, &[], 100);
        assert_eq!(code.omitted, "2,900 of 3,000 bytes left out");
        assert!(!code.tail.is_empty());
    }
}

//! The one door to syn: text in, tree inside a closure, byte offsets out.
//!
//! The table behind `proc_macro2` spans is thread-local and only grows, so a tree lives no longer
//! than the closure that looks at it; what is kept are byte ranges.

use std::cell::Cell;
use std::ops::Range;

use proc_macro2::{Span, TokenStream};
use syn::parse::{ParseStream, Parser};

use super::nameless::without_nameless_parameters;
use crate::reduce::RangeExt;

/// Why a text could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseFailure {
    /// Where in the text.
    pub offset: usize,
    /// What the parser says.
    pub message: String,
}

thread_local! {
    /// How many times somebody looks at spans of this thread, one inside of the other.
    static LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// As long as one of these lives, spans of its thread are valid; with the last of them the table behind them is cleared.
#[derive(Debug)]
pub(crate) struct LiveSpans(());

impl LiveSpans {
    /// Spans that are made from now on are valid as long as this lives.
    pub(crate) fn new() -> Self {
        LOOKS.set(LOOKS.get() + 1);
        LiveSpans(())
    }
}

impl Drop for LiveSpans {
    fn drop(&mut self) {
        LOOKS.set(LOOKS.get() - 1);
        if LOOKS.get() == 0 {
            proc_macro2::extra::invalidate_current_thread_spans();
        }
    }
}

/// Parses `text` with `parser` and hands the tree to `look`; spans are only valid inside `look`, and
/// must not leave it. Parameters without a name, which syn does not take, are not in the tree.
pub(crate) fn look_at<P: Parser + Copy, R>(
    text: &str,
    parser: P,
    look: impl FnOnce(P::Output) -> R,
) -> Result<R, ParseFailure> {
    let without_nameless = |failure| {
        let blank = without_nameless_parameters(text);
        blank.and_then(|blank| parse(&blank, parser).ok()).ok_or(failure)
    };
    let _live = LiveSpans::new();
    parse(text, parser).or_else(without_nameless).map(look)
}

/// A parser that takes what stands behind for any tokens.
pub(crate) fn then_anything<T>(
    first: impl Fn(ParseStream<'_>) -> syn::Result<T> + Copy,
) -> impl Fn(ParseStream<'_>) -> syn::Result<T> + Copy {
    move |input: ParseStream<'_>| {
        let first = first(input)?;
        input.parse::<TokenStream>()?;
        Ok(first)
    }
}

/// Whether syn takes a whole file as it is.
pub(crate) fn is_file(text: &str) -> bool {
    let _live = LiveSpans::new();
    parse(&text[prelude_len(text)..], <syn::File as syn::parse::Parse>::parse).is_ok()
}

/// The tree of a text. Somebody has to look at spans meanwhile.
fn parse<P: Parser>(text: &str, parser: P) -> Result<P::Output, ParseFailure> {
    if let Some(offset) = too_deep(text) {
        return Err(ParseFailure { offset, message: format!("more than {DEEPEST} levels deep") });
    }
    parser.parse_str(text).map_err(|error| ParseFailure {
        offset: error.span().byte_range().start,
        message: error.to_string(),
    })
}

/// As [`look_at`], for a whole file: `look` gets its tree, and the byte from which the spans in it are counted. What
/// cannot be parsed shows nothing.
pub(crate) fn look_at_file<R: Default>(text: &str, look: impl FnOnce(syn::File, usize) -> R) -> R {
    let base = prelude_len(text);
    let look = |tree| look(tree, base);
    look_at(&text[base..], <syn::File as syn::parse::Parse>::parse, look).unwrap_or_default()
}

/// As [`look_at`], for tokens of any kind. What cannot be cut into tokens shows nothing.
pub(crate) fn look_at_tokens<R: Default>(text: &str, look: impl FnOnce(TokenStream) -> R) -> R {
    look_at(text, <TokenStream as syn::parse::Parse>::parse, look).unwrap_or_default()
}

/// A stack that the trees of all texts fit that are parsed.
pub(crate) const STACK_BYTES: usize = 128 << 20;

/// Brackets in brackets, or operators in a row, that are still parsed: trees are walked by recursion.
const DEEPEST: usize = 400;

/// Where a text nests so deeply that the recursion over its tree might exhaust the stack. Strings and comments are
/// taken for code: nothing that people write comes near the limit either way.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut most) = (0_usize, vec![0_usize]);
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                most.push(0);
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if most.len() > 1 {
                    most.pop();
                }
                // Blocks follow each other in `else if` chains, too.
                if byte == b'}' && !followed_by_else(&text[offset + 1..]) {
                    most.last_mut().into_iter().for_each(|run| *run = 0);
                }
            }
            b';' | b',' => most.last_mut().into_iter().for_each(|run| *run = 0),
            b'!' | b'-' | b'&' | b'*' | b'+' | b'/' | b'%' | b'^' | b'|' | b'<' | b'=' | b'.'
            | b'?' => {
                most.last_mut().into_iter().for_each(|run| *run += 1);
            }
            b'e' if text[offset..].starts_with("else if") => {
                most.last_mut().into_iter().for_each(|run| *run += 1);
            }
            _ => {}
        }
        if depth > DEEPEST || most.last().is_some_and(|run| *run > 8 * DEEPEST) {
            return Some(offset);
        }
    }
    None
}

fn followed_by_else(text: &str) -> bool {
    text.trim_start().starts_with("else")
}

/// The bytes before the first token that are no Rust: a byte order mark, a `#!` line, and front matter between two
/// lines of dashes.
pub(crate) fn prelude_len(text: &str) -> usize {
    let after_mark = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - after_mark.len();
    // `#![attr]` is an attribute, also with blanks or comments between `#!` and `[`.
    let is_script =
        after_mark.strip_prefix("#!").is_some_and(|rest| !skip_blank(rest).starts_with('['));
    let line = if is_script { after_mark.find('\n').unwrap_or(after_mark.len()) } else { 0 };
    mark + line + front_matter(&after_mark[line..])
}

/// The length of the front matter that `text` begins with, 0 if there is none.
fn front_matter(text: &str) -> usize {
    let body = text.trim_start();
    let inside = body.trim_start_matches('-');
    let dashes = &body[..body.len() - inside.len()];
    if dashes.len() < 3 {
        return 0;
    }
    let close = format!("\n{dashes}");
    let before_inside = text.len() - inside.len();
    let end = inside.find(&close).map(|at| at + close.len());
    end.map_or(0, |end| before_inside + end)
}

/// `text` without leading white space and comments.
fn skip_blank(text: &str) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        let after = if let Some(comment) = trimmed.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(comment) = trimmed.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else {
            return trimmed;
        };
        rest = after;
    }
}

/// The byte range of `span`, moved by `base`.
pub(crate) fn range(span: Span, base: usize) -> Range<usize> {
    let range = span.byte_range();
    range.offset_by(base)
}

#[cfg(test)]
mod tests {
    use syn::parse::Parse;
    use syn::spanned::Spanned;

    use super::*;

    #[test]
    fn spans_are_valid_though_another_text_was_looked_at_meanwhile() {
        let text = "fn a() {} fn b() {}";
        let inner = |file: syn::File| {
            look_at("fn c() {}", syn::File::parse, |_| ()).unwrap();
            range(file.items[1].span(), 0)
        };
        assert_eq!(&text[look_at(text, syn::File::parse, inner).unwrap()], "fn b() {}");
    }

    #[test]
    fn spans_are_bytes_also_after_wide_chars() {
        let text = "fn é() { \"ü\" }  fn b() {}";
        let ranges = look_at(text, syn::File::parse, |file| {
            file.items.iter().map(|item| range(item.span(), 0)).collect::<Vec<_>>()
        });
        let texts: Vec<&str> = ranges.unwrap().into_iter().map(|range| &text[range]).collect();
        assert_eq!(texts, ["fn é() { \"ü\" }", "fn b() {}"]);
    }

    #[test]
    fn a_mark_and_a_shebang_are_skipped_but_not_an_attribute() {
        assert_eq!(prelude_len("\u{feff}fn a() {}"), 3);
        assert_eq!(prelude_len("#!/usr/bin/env run\nfn a() {}"), 18);
        assert_eq!(prelude_len("#![allow(unused)]\n"), 0);
        assert_eq!(prelude_len("#! // note\n [allow(unused)]\n"), 0);
        assert_eq!(prelude_len("#!/usr/bin/env cargo\n---\n[package]\n---\nfn a() {}"), 38);
        assert_eq!(prelude_len("fn a() { ---1 }"), 0);
    }

    #[test]
    fn a_failure_names_its_offset() {
        let failure = look_at("fn a() { let }", syn::File::parse, |_| ()).unwrap_err();
        assert_eq!(failure.offset, 13);
    }
}

//! The comment `// reduce: keep`: what the user wants to stay as it is.
//!
//! Behind code it keeps the inputs on its line, with all of what is opened there; on a line of its own it keeps what
//! begins below: a statement, an item, an element of a list, a call of a chain.

use std::collections::BTreeSet;
use std::ops::Range;

use super::found::{FoundInputs, Skipped};
use super::twins;
use crate::reduce::inputs::{Node, NodeId};
use crate::source::position::{blanks_before, start_of_line};
use crate::source::scan::{Piece, PieceKind, is_word, pieces, tokens};
use crate::source::{Crate, FileRange};

/// What is said of inputs that are left alone for that.
const WHY: &str = "kept by a comment `reduce: keep`";

impl Crate {
    /// What comments keep, in all files.
    pub(super) fn kept(&self) -> Vec<FileRange> {
        let kept = self.file_indices().flat_map(|file| {
            let ranges = kept_in(&self.file(file).text).into_iter();
            ranges.map(move |range| (file, range))
        });
        kept.collect()
    }
}

impl FoundInputs {
    /// Leaves alone what is kept: inputs as a whole, and parts of others.
    pub(super) fn keep(&mut self, kept: &[FileRange]) {
        if kept.is_empty() {
            return;
        }
        let is_kept =
            |id: NodeId| kept.iter().any(|(file, range)| self.place(id).is_in(*file, range));
        let are_kept = |id: &NodeId| {
            is_kept(*id) || self.twins.get(id).into_iter().flatten().any(|id| is_kept(*id))
        };
        let ids: BTreeSet<NodeId> = self.inputs.ids().filter(are_kept).collect();
        let is_whole = |node: &Node| ids.contains(&node.id);
        let roots: BTreeSet<NodeId> =
            self.inputs.0.iter().filter(|root| is_whole(root)).map(|root| root.id).collect();
        let skipped = roots.iter().map(|root| self.place(*root)).map(|place| Skipped {
            file: place.file,
            span: place.range(),
            why: WHY,
        });
        let skipped: Vec<Skipped> = skipped.collect();
        self.skipped.extend(skipped);
        self.inputs.0 = twins::without(&self.inputs.0, &roots);
        self.kept = self.inputs.ids().filter(|id| ids.contains(id)).collect();
        let places = &self.places;
        self.boundary.retain(|crossing| {
            let place = &places[crossing.id.0 as usize];
            !kept.iter().any(|(file, range)| place.overlaps(*file, range))
        });
    }
}

/// The bytes of a file that comments keep.
fn kept_in(text: &str) -> Vec<Range<usize>> {
    let mut comments = pieces(text).filter_map(|piece| comment_in(&piece)).peekable();
    if comments.peek().is_none() {
        return Vec::new();
    }
    let tokens = with_depths(text);
    comments.filter_map(|comment| kept_by(text, &tokens, &comment)).collect()
}

/// The bytes of `// reduce: keep` in a piece of a text, if that is a comment and no documentation.
fn comment_in(piece: &Piece<'_>) -> Option<Range<usize>> {
    let starts_with = |marks: &[&str]| marks.iter().any(|mark| piece.text.starts_with(mark));
    let is_doc = starts_with(&["///", "//!", "/**", "/*!"]) && !starts_with(&["////", "/***"]);
    let says_keep = |comment: &str| {
        let words = comment.trim_start_matches('/').trim_start().strip_prefix("reduce:");
        let after = words.and_then(|words| words.trim_start().strip_prefix("keep"));
        after.is_some_and(|after| !after.starts_with(is_word))
    };
    let mut starts = piece.text.match_indices("//").map(|(at, _)| at);
    let start = starts.find(|at| says_keep(&piece.text[*at..]))?;
    let is_comment = piece.kind == PieceKind::Comment && !is_doc;
    is_comment.then(|| piece.start + start..piece.range().end)
}

/// A token, and how many brackets are open around it.
struct Token<'t> {
    text: &'t str,
    range: Range<usize>,
    depth: usize,
}

impl Token<'_> {
    fn is_open(&self) -> bool {
        matches!(self.text, "(" | "[" | "{")
    }

    fn is_close(&self) -> bool {
        matches!(self.text, ")" | "]" | "}")
    }
}

fn with_depths(text: &str) -> Vec<Token<'_>> {
    let mut open = 0_usize;
    let tokens = tokens(text).map(|piece| {
        let mut token = Token { text: piece.text, range: piece.range(), depth: open };
        if token.is_open() {
            open += 1;
        } else if token.is_close() {
            open = open.saturating_sub(1);
            token.depth = open;
        }
        token
    });
    tokens.collect()
}

/// What one comment keeps.
fn kept_by(text: &str, tokens: &[Token<'_>], comment: &Range<usize>) -> Option<Range<usize>> {
    let line = start_of_line(text, comment.start);
    if blanks_before(text, comment.start).is_some() {
        let first = tokens.iter().position(|token| token.range.start >= comment.end)?;
        return Some(tokens[first].range.start..end_of(text, &tokens[first..]));
    }
    let on_line =
        tokens.iter().filter(|token| token.range.start < comment.start && line < token.range.end);
    let lowest = on_line.clone().map(|token| token.depth).min()?;
    // What is opened on the line belongs to it up to its end.
    let is_left_open = on_line.clone().next_back().is_some_and(Token::is_open);
    let close = tokens.iter().find(|token| {
        is_left_open
            && token.is_close()
            && token.range.start >= comment.end
            && token.depth <= lowest
    });
    Some(line..close.map_or(comment.start, |close| close.range.end))
}

/// Where that ends which begins with the first of these tokens.
fn end_of(text: &str, tokens: &[Token<'_>]) -> usize {
    let Some(first) = tokens.first() else { return text.len() };
    let mut end = first.range.end;
    for (index, token) in tokens.iter().enumerate() {
        if token.depth < first.depth {
            break;
        }
        if token.depth > first.depth {
            continue;
        }
        let begins_line = || text[end..token.range.start].contains('\n');
        match token.text {
            _ if token.is_close() && index == 0 => break,
            "." if first.text == "." && index > 0 && begins_line() => break,
            ";" | "," => return token.range.end,
            _ => {}
        }
        end = token.range.end;
        let next = tokens[index + 1..].iter().find(|next| next.depth <= first.depth);
        if token.text == "}" && next.is_none_or(|next| !goes_on(text, end, next)) {
            break;
        }
    }
    end
}

/// Whether what ends with a brace goes on with `next`.
fn goes_on(text: &str, end: usize, next: &Token<'_>) -> bool {
    let is_same_line = !text[end..next.range.start].contains('\n');
    is_same_line || matches!(next.text, "else" | "." | "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn keeps(text: &str, expected: &[&str]) {
        let kept = kept_in(text);
        let shown: Vec<&str> = kept.iter().map(|range| text[range.clone()].trim()).collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn behind_code_it_keeps_the_line_and_what_is_opened_there() {
        keeps("f(\n  1,\n  2, // reduce: keep\n  3);", &["2,"]);
        keeps(
            "let a = vec![ // reduce: keep\n  1,\n  2];\nlet b = 3;",
            &["let a = vec![ // reduce: keep\n  1,\n  2]"],
        );
        keeps("b\n .a(1)\n .b(2) // reduce: keep, for the name\n .c(3);", &[".b(2)"]);
    }

    #[test]
    fn above_code_it_keeps_what_begins_there() {
        keeps("// reduce: keep\nlet a = S {\n  b: 1,\n};\nf(2);", &["let a = S {\n  b: 1,\n};"]);
        keeps("f(vec![\n  // reduce: keep\n  g(1, 2),\n  3]);", &["g(1, 2),"]);
        keeps("f(vec![\n  3,\n  // reduce: keep\n  g(1, 2)\n]);", &["g(1, 2)"]);
        keeps("b\n // reduce: keep\n .a(1, [2])\n .b(2);", &[".a(1, [2])"]);
        keeps("// reduce: keep\nfn f() {\n  1\n}\nfn g() {}", &["fn f() {\n  1\n}"]);
        keeps("// reduce: keep\nif a { 1 }\nelse { 2 }\n3", &["if a { 1 }\nelse { 2 }"]);
    }

    #[test]
    fn only_a_comment_counts() {
        keeps("let a = \"// reduce: keep\";", &[]);
        keeps("// reduce: keeper\nf(1);", &[]);
        keeps("//reduce:keep\nf(1);\nf(2);", &["f(1);"]);
    }
}

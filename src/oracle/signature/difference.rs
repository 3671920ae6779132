//! In what both sides of a comparison differ.
//!
//! What agrees on both sides is right, and has nothing to do with the failure: it may go from both. The parts that
//! differ are the failure. Where the test says what it expects, each part that is left has to be one that the original
//! sides differ in; where it computes both sides, it has to be of the same sort.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

use super::blank::number_end;
use super::kind::sides;
use crate::reduce::RangeExt;
use crate::source::scan::{first_word, is_word};

/// More tokens than this that do not agree at either end are not compared one by one.
const MOST: usize = 3_000;

/// Longer texts are documents, of which parts may go.
const SHORT: usize = 100;

/// Fewer tokens say another thing in another order.
const SHIFTED: usize = 6;

/// What the standard library says of sides that should be equal.
const EQUAL: &str = "`left == right`";

/// The parts in which the left and the right side of a comparison differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    parts: BTreeSet<Part>,
    /// The sorts of tokens in them.
    sorts: BTreeSet<String>,
    /// Whether, wherever they differ, as much stands on the other side.
    only_replaces: bool,
    /// The quotes and brackets that only one side has, and not in pairs.
    unpaired: BTreeSet<char>,
    /// The texts on the right side that the left one has not, and whether they are some of several short ones.
    texts: BTreeSet<String>,
    are_several: bool,
}

/// What stands on the left side, and what in its place on the right.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    left: Vec<String>,
    right: Vec<String>,
    /// Whether it is all of the white space between words of one text: at the ends of a text it mostly means something else.
    is_between_words: bool,
}

impl Part {
    /// Whether this is the same difference as another one, which may stand elsewhere.
    fn is(&self, original: &Part) -> bool {
        let is_same = (&self.left, &self.right) == (&original.left, &original.right);
        (is_same || self.is_shifted(original))
            && (self.is_between_words || !original.is_between_words)
    }

    /// Whether one side lacks the same, of which another part stands first: between `<a/>` and `<p/>` the lack of `<b/>` can
    /// be seen as that of `b/><`, at the end of the text it cannot.
    fn is_shifted(&self, original: &Part) -> bool {
        let [lacked, others] = if self.left.is_empty() {
            [[&self.right, &original.right], [&self.left, &original.left]]
        } else {
            [[&self.left, &original.left], [&self.right, &original.right]]
        };
        let [now, was] = lacked;
        others.iter().all(|side| side.is_empty())
            && now.len() == was.len()
            && was.len() >= SHIFTED
            && (1..was.len())
                .any(|at| now[at..] == was[..was.len() - at] && now[..at] == was[was.len() - at..])
    }

    /// What stands on one side at the place of what stands on the other.
    fn mirrored(&self) -> Part {
        let Part { left, right, is_between_words } = self.clone();
        Part { left: right, right: left, is_between_words }
    }
}

impl Difference {
    /// That of the sides that a message shows, if it says that these should be equal.
    pub(crate) fn of(message: &str) -> Option<Self> {
        let (left, right) = sides(message).filter(|_| message.contains(EQUAL))?;
        let (left, right) = (Side::of(left), Side::of(right));
        let (left_texts, right_texts) = (texts(&left.tokens), texts(&right.tokens));
        let is_short = |text: &String| text.len() <= SHORT && !text.contains("\\n");
        let mut difference = Difference {
            parts: BTreeSet::new(),
            sorts: BTreeSet::new(),
            only_replaces: true,
            unpaired: BTreeSet::new(),
            are_several: right_texts.len() > 1 && right_texts.iter().all(is_short),
            texts: right_texts.difference(&left_texts).cloned().collect(),
        };
        let changes = changes(&left.tokens, &right.tokens);
        let of_left = changes.iter().flat_map(|change| &left.tokens[change.left.clone()]);
        let of_right = changes.iter().flat_map(|change| &right.tokens[change.right.clone()]);
        difference.unpaired.extend(unpaired(of_left));
        difference.unpaired.extend(unpaired(of_right));
        for change in changes {
            let sorts = left.sorts(&change.left).chain(right.sorts(&change.right));
            difference.sorts.extend(sorts.filter(|sort| !is_separator(sort)).map(str::to_owned));
            difference.only_replaces &= change.left.len() == change.right.len();
            let between = left.between_words(&change.left).zip(right.between_words(&change.right));
            let is_between_words = between.is_some();
            let (of_left, of_right) =
                between.unwrap_or_else(|| (left.trimmed(change.left), right.trimmed(change.right)));
            difference.parts.insert(Part {
                is_between_words,
                left: left.words(of_left),
                right: right.words(of_right),
            });
        }
        Some(difference)
    }

    /// Whether the sides differ in nothing else than in parts of `original`; what has moved there from one place to another
    /// still has, and a text that the right side alone has is as it was there: `"https://a/", ""` may be found nowhere in
    /// `https://a/','https://b/`. Quotes and brackets that only one side has are pairs as long as they were: where `"a b"` is
    /// wanted instead of `a b`, `b"` instead of `b` is another failure.
    pub(crate) fn is_part_of(&self, original: &Difference) -> bool {
        let moves = |part: &&Part| original.has(&part.mirrored());
        self.parts.is_empty() == original.parts.is_empty()
            && self.unpaired.is_subset(&original.unpaired)
            && (!original.are_several || self.texts.is_subset(&original.texts))
            && self.parts.iter().all(|part| original.has(part))
            && self.parts.iter().filter(moves).all(|part| self.has(&part.mirrored()))
    }

    fn has(&self, part: &Part) -> bool {
        self.parts.iter().any(|known| part.is(known))
    }

    /// Whether what the sides differ in is made of the same sorts of tokens; where one stood in the place of another, it still
    /// does: `[]` instead of `[0]` is another failure than `[7, 6]` instead of `[7, 0]`.
    pub(crate) fn is_like(&self, original: &Difference) -> bool {
        self.is_part_of(original)
            || !self.parts.is_empty()
                && self.sorts.is_subset(&original.sorts)
                && (self.only_replaces || !original.only_replaces)
    }
}

/// Where two lists of tokens differ.
pub(crate) struct Change {
    pub(crate) left: Range<usize>,
    pub(crate) right: Range<usize>,
}

/// The places at which two lists of tokens differ.
pub(crate) fn changes(left: &[&str], right: &[&str]) -> Vec<Change> {
    let same = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(left, right)| left == right).count()
    };
    let before = same(&mut left.iter().zip(right));
    let (left_rest, right_rest) = (&left[before..], &right[before..]);
    let behind = same(&mut left_rest.iter().rev().zip(right_rest.iter().rev()));
    let left_rest = &left_rest[..left_rest.len() - behind];
    let right_rest = &right_rest[..right_rest.len() - behind];
    if left_rest.is_empty() && right_rest.is_empty() {
        return Vec::new();
    }
    if left_rest.len().max(right_rest.len()) > MOST {
        return vec![Change {
            left: before..before + left_rest.len(),
            right: before..before + right_rest.len(),
        }];
    }
    let shifted = |range: Range<usize>| range.offset_by(before);
    let ops = operations(left_rest, right_rest).into_iter();
    ops.filter(|op| op.tag() != DiffTag::Equal)
        .map(|op| Change { left: shifted(op.old_range()), right: shifted(op.new_range()) })
        .collect()
}

/// What makes `right` of `left`, after E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
pub(crate) fn operations(left: &[&str], right: &[&str]) -> Vec<DiffOp> {
    capture_diff_slices(Algorithm::Myers, left, right)
}

/// Numbers, words, escaped characters and other characters.
pub(crate) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut is_inside_word = false;
    while let Some(first) = rest.chars().next() {
        let number = if is_inside_word { None } else { number_end(rest) };
        let length = number.unwrap_or_else(|| token_end(rest, first));
        let (token, behind) = rest.split_at(length);
        is_inside_word = token.starts_with(is_word);
        tokens.push(token);
        rest = behind;
    }
    tokens
}

fn token_end(text: &str, first: char) -> usize {
    if is_word(first) {
        return first_word(text).len();
    }
    if first != '\\' {
        return first.len_utf8();
    }
    match text[1..].chars().next() {
        // One end of a line.
        Some('r') if text[2..].starts_with("\\n") => 4,
        Some('u') if text[2..].starts_with('{') => text.find('}').map_or(2, |end| end + 1),
        Some('x') => text.len().min(4),
        Some(escaped) => 1 + escaped.len_utf8(),
        None => 1,
    }
}

/// The quotes and brackets in some tokens that are not in pairs: the closing one for the brackets of that kind.
fn unpaired<'t>(tokens: impl Iterator<Item = &'t &'t str>) -> BTreeSet<char> {
    let mut open: BTreeMap<char, isize> = BTreeMap::new();
    for mark in tokens.filter_map(|token| token.chars().last()) {
        match mark {
            '(' => *open.entry(')').or_default() += 1,
            '[' => *open.entry(']').or_default() += 1,
            '{' => *open.entry('}').or_default() += 1,
            '<' => *open.entry('>').or_default() += 1,
            ')' | ']' | '}' | '>' => *open.entry(mark).or_default() -= 1,
            '"' | '\'' | '`' => *open.entry(mark).or_default() ^= 1,
            _ => {}
        }
    }
    open.into_iter().filter(|(_, count)| *count != 0).map(|(mark, _)| mark).collect()
}

/// What stands in quotes.
fn texts(tokens: &[&str]) -> BTreeSet<String> {
    let parts = tokens.split(|token| *token == "\"");
    parts.skip(1).step_by(2).map(<[&str]>::concat).collect()
}

/// Whether a token only stands between others.
fn is_separator(token: &str) -> bool {
    matches!(token, "," | "\"" | "[" | "]" | "{" | "}" | "(" | ")")
}

/// One side of a comparison.
struct Side<'t> {
    tokens: Vec<&'t str>,
    /// Whether each of them stands in quotes.
    is_quoted: Vec<bool>,
}

impl<'t> Side<'t> {
    fn of(text: &'t str) -> Self {
        let tokens = tokens(text);
        let mut is_in_quotes = false;
        let is_quoted = tokens.iter().map(|token| {
            is_in_quotes ^= *token == "\"";
            is_in_quotes
        });
        Side { is_quoted: is_quoted.collect(), tokens }
    }

    fn words(&self, part: Range<usize>) -> Vec<String> {
        self.tokens[part].iter().map(|token| (*token).to_owned()).collect()
    }

    /// What stands for each token of a part where both sides are computed: numbers, and words in quotes, may be others.
    fn sorts(&self, part: &Range<usize>) -> impl Iterator<Item = &'t str> {
        part.clone().map(|at| match self.tokens[at] {
            token if number_end(token) == Some(token.len()) => "0",
            token if self.is_quoted[at] && token.starts_with(is_word) => "a",
            token => token,
        })
    }

    /// All of the white space around a part that is nothing else, if it has words of the same text on both sides.
    fn between_words(&self, part: &Range<usize>) -> Option<Range<usize>> {
        let all = &self.tokens;
        let is_blank = |at: &usize| matches!(all[*at], " " | r"\n" | r"\r\n" | r"\t" | r"\r");
        // The quote that ends a text counts as no part of it.
        let is_word = |at: usize| self.is_quoted[at] && all[at] != "\"" && !is_blank(&at);
        let start = (0..part.start).rfind(|at| !is_blank(at))?;
        let end = (part.end..all.len()).find(|at| !is_blank(at))?;
        let is_between = part.clone().all(|at| is_blank(&at)) && is_word(start) && is_word(end);
        is_between.then_some(start + 1..end)
    }

    /// A part without what stands between it and its neighbours: `, 3` and `3, ` are the same.
    fn trimmed(&self, part: Range<usize>) -> Range<usize> {
        let is_between = |at: &usize| matches!(self.tokens[*at], "," | " ") && !self.is_quoted[*at];
        let start = part.clone().find(|at| !is_between(at)).unwrap_or(part.start);
        let end = (start..part.end).rfind(|at| !is_between(at));
        end.map_or(part, |end| start..end + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(left: &str, right: &str) -> Difference {
        Difference::of(&format!(
            "assertion `left == right` failed\n  left: {left}\n right: {right}"
        ))
        .unwrap()
    }

    #[test]
    fn tokens_are_numbers_words_and_characters() {
        assert_eq!(
            tokens(r#"Ok("a1 -2.5\n\u{e9}é")"#),
            ["Ok", "(", "\"", "a1", " ", "-2.5", r"\n", r"\u{e9}", "é", "\"", ")"]
        );
        assert_eq!(tokens(r"\n\r\n\r"), [r"\n", r"\r\n", r"\r"]);
    }

    #[test]
    fn what_agrees_is_no_part_of_it() {
        let original = difference(r#""a 1\nb 2\nc 3""#, r#""a 1\nb 7\nc 3""#);
        assert!(difference(r#""b 2""#, r#""b 7""#).is_part_of(&original));
        assert!(!difference(r#""b 2""#, r#""b 8""#).is_part_of(&original));
        assert!(!difference(r#"" b 2""#, r#""b 7""#).is_part_of(&original));
        assert!(!difference(r#""c 3\nb 2""#, r#""b 7""#).is_part_of(&original));
    }

    #[test]
    fn what_is_missing_is_the_same_wherever_it_begins() {
        let original = difference(r#""<a/>\n<p>c</p>\n""#, r#""<a/>\n<b>1</b>\n<p>c</p>\n""#);
        assert!(difference(r#""<a/>\n""#, r#""<a/>\n<b>1</b>\n""#).is_part_of(&original));
        assert!(!difference(r#""<a/>\n""#, r#""<a/>\n<b>1</b>""#).is_part_of(&original));
        let short = difference(r#""a-b""#, r#""a-+-b""#);
        assert!(!difference(r#""a""#, r#""a-+""#).is_part_of(&short));
    }

    #[test]
    fn quotes_and_brackets_that_one_side_lacks_stay_pairs() {
        let original = difference(r#""{a} b""#, r#""\"{a} b\"""#);
        assert!(difference(r#""b""#, r#""\"b\"""#).is_part_of(&original));
        assert!(!difference(r#""b""#, r#""b\"""#).is_part_of(&original));
        assert!(!difference(r#""b""#, r#""\"b""#).is_part_of(&original));
        let nested = difference("a(b)", "a((b))");
        assert!(difference("(b)", "((b))").is_part_of(&nested));
        assert!(!difference("b)", "(b)").is_part_of(&nested));
        let unpaired = difference("a(b", "a((b");
        assert!(difference("b", "(b").is_part_of(&unpaired));
    }

    #[test]
    fn white_space_between_words_stays_there() {
        let original = difference(r#""one\ntwo\n""#, r#""one\n\ntwo\n""#);
        assert!(difference(r#""a\nb""#, r#""a\n\nb""#).is_part_of(&original));
        assert!(!difference(r#""""#, r#""\n""#).is_part_of(&original));
        assert!(!difference(r#""one\n""#, r#""one\n\n""#).is_part_of(&original));
        assert!(!difference(r#""ab""#, r#""a\nb""#).is_part_of(&original));
        let at_the_end = difference(r#""one\n""#, r#""one""#);
        assert!(difference(r#""\n""#, r#""""#).is_part_of(&at_the_end));
    }

    #[test]
    fn an_element_is_the_same_wherever_it_stands() {
        let original = difference("[1, 2, 3]", "[1, 2]");
        assert!(difference("[3]", "[]").is_part_of(&original));
        assert!(difference("[3, 1]", "[1]").is_part_of(&original));
        assert!(!difference("[2]", "[]").is_part_of(&original));
    }

    #[test]
    fn of_several_texts_one_that_is_missing_stays_as_it_is() {
        let original =
            difference(r#"["x", "a://b','a://c", "y"]"#, r#"["x", "a://b", "a://c", "y"]"#);
        let is_part = |left: &str, right: &str| difference(left, right).is_part_of(&original);
        assert!(is_part(r#"["a://b','a://c"]"#, r#"["a://b", "a://c"]"#));
        assert!(!is_part(r#"["a://','"]"#, r#"["a://", ""]"#));
        assert!(
            !is_part(r#"["a"]"#, r#"["b", "a"]"#)
                && !is_part(r#"["x", "a://b','a"]"#, r#"["x", "a://b", "a"]"#)
        );
    }

    #[test]
    fn what_moves_does_not_only_go() {
        let original = difference(r#""|one.org/|!/ b""#, r#""|one.org/!/| c""#);
        assert!(difference(r#""|org/|!/""#, r#""|org/!/|""#).is_part_of(&original));
        assert!(!difference(r#""org//""#, r#""org//|""#).is_part_of(&original));
        assert!(difference(r#""b""#, r#""c""#).is_part_of(&original));
    }

    #[test]
    fn of_two_computed_sides_only_the_sort_matters() {
        let original = difference(r#""one; \r\ntwo""#, r#""one;\r\ntwo""#);
        assert!(difference(r#"" ""#, r#""""#).is_like(&original));
        assert!(!difference(r#""\r\n""#, r#""""#).is_like(&original));
        let numbers = difference("[1, 2, 3, 5]", "[1, 2, 4, 5]");
        assert!(difference("[0]", "[1]").is_like(&numbers));
        assert!(!difference("[0]", "[]").is_like(&numbers));
        assert!(difference("[0]", "[]").is_like(&difference("[1, 2, 3]", "[1, 4]")));
        assert!(!difference("Err(Empty)", "Ok(3)").is_like(&numbers));
    }
}

//! Cutting a text into blocks, lines and tokens, without a grammar.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in super::super) enum Token {
    /// A run of white space.
    Space,
    /// A run of letters, digits and `_`.
    Word,
    /// A run of one punctuation (or other) character.
    Mark(char),
}

/// Blocks: what is between blank lines, each with the blank lines after it.
pub(in super::super) fn blocks(chars: &[char]) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    for (idx, window) in chars.windows(3).enumerate() {
        if window[0] == '\n' && window[1] == '\n' && window[2] != '\n' {
            cuts.push(idx + 2);
        }
    }
    between(cuts, chars.len())
}

/// Lines, each with its line end.
pub(in super::super) fn lines(chars: &[char]) -> Vec<Range<usize>> {
    let cuts = chars.iter().enumerate().filter(|&(_, &c)| c == '\n').map(|(idx, _)| idx + 1);
    between(cuts, chars.len())
}

/// Sections: what begins with a line that begins so.
pub(in super::super) fn sections(chars: &[char], mark: &[char]) -> Vec<Range<usize>> {
    let cuts = lines(chars).into_iter().map(|line| line.start);
    between(cuts.filter(|start| chars[*start..].starts_with(mark)), chars.len())
}

/// What some lines of a text begin with, and not half of them: those that may begin sections, with the rarest first.
pub(in super::super) fn marks(chars: &[char]) -> Vec<Vec<char>> {
    let lines = lines(chars);
    let mut counts: BTreeMap<&[char], usize> = BTreeMap::new();
    for line in &lines {
        let first = tokens(&chars[line.clone()]).into_iter().next().unwrap_or_default();
        *counts.entry(&chars[line.start..line.start + first.end]).or_default() += 1;
    }
    let is_mark = |(mark, count): &(&[char], usize)| {
        *count > 1 && count * 2 <= lines.len() && !mark.contains(&'\n')
    };
    let mut marks: Vec<(&[char], usize)> = counts.into_iter().filter(is_mark).collect();
    marks.sort_by_key(|(_, count)| *count);
    marks.into_iter().map(|(mark, _)| mark.to_vec()).collect()
}

/// What stands below a line that stands so far to the right, or less far, each with that line and the one that closes it.
pub(in super::super) fn indented(chars: &[char], by: usize) -> Vec<Range<usize>> {
    let begins = |line: &Range<usize>| {
        let line = &chars[line.clone()];
        indent(line).is_some_and(|here| {
            let is_closing = line[here..].starts_with(&['<', '/']) || "}])".contains(line[here]);
            here < by || here == by && !is_closing
        })
    };
    let cuts = lines(chars).into_iter().filter(begins).map(|line| line.start);
    between(cuts, chars.len())
}

/// How far lines stand to the right below which others stand further, ascending.
pub(in super::super) fn indents(chars: &[char]) -> BTreeSet<usize> {
    let all: Vec<usize> =
        lines(chars).into_iter().filter_map(|line| indent(&chars[line])).collect();
    all.windows(2).filter(|pair| pair[0] < pair[1]).map(|pair| pair[0]).collect()
}

/// How many blanks a line begins with; `None` if it is blank.
pub(in super::super) fn indent(line: &[char]) -> Option<usize> {
    let indent = line.iter().take_while(|symbol| matches!(symbol, ' ' | '\t')).count();
    line[indent..].iter().any(|symbol| !symbol.is_whitespace()).then_some(indent)
}

/// Tokens: words, white space, runs of the same mark.
pub(in super::super) fn tokens(chars: &[char]) -> Vec<Range<usize>> {
    let cuts = (1..chars.len()).filter(|&idx| token(chars[idx - 1]) != token(chars[idx]));
    between(cuts, chars.len())
}

/// What kind of token a character belongs to.
pub(in super::super) fn token(c: char) -> Token {
    if c.is_whitespace() {
        Token::Space
    } else if c.is_alphanumeric() || c == '_' {
        Token::Word
    } else {
        Token::Mark(c)
    }
}

/// The ranges that lie between ascending cuts.
fn between(cuts: impl IntoIterator<Item = usize>, end: usize) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut ranges = Vec::new();
    for cut in cuts.into_iter().chain([end]) {
        if cut > start {
            ranges.push(start..cut);
            start = cut;
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(split: fn(&[char]) -> Vec<Range<usize>>, text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        split(&chars).into_iter().map(|range| chars[range].iter().collect()).collect()
    }

    #[test]
    fn blocks_keep_their_blank_lines() {
        assert_eq!(cut(blocks, "a\nb\n\n\nc\n\nd"), ["a\nb\n\n\n", "c\n\n", "d"]);
        assert_eq!(cut(blocks, ""), [""; 0]);
    }

    #[test]
    fn lines_keep_their_ends() {
        assert_eq!(cut(lines, "a\n\nb"), ["a\n", "\n", "b"]);
    }

    #[test]
    fn sections_begin_with_lines_that_begin_alike() {
        let text = "--- a\n@@ 1 @@\n+b\n-c\n@@ 2 @@\n+d\n e\n f\n";
        let chars: Vec<char> = text.chars().collect();
        let marks: Vec<String> = marks(&chars).iter().map(|it| it.iter().collect()).collect();
        assert_eq!(marks, [" ", "+", "@@"]);
        let by_at = cut(|chars| sections(chars, &['@', '@']), text);
        assert_eq!(by_at, ["--- a\n", "@@ 1 @@\n+b\n-c\n", "@@ 2 @@\n+d\n e\n f\n"]);
    }

    #[test]
    fn what_stands_further_to_the_right_goes_with_the_line_above_and_the_one_that_closes_it() {
        let text = "<a>\n  <b x>\n    1\n  </b>\n  <b/>\n\n  c {\n    d\n  }\n</a>\n";
        let chars: Vec<char> = text.chars().collect();
        assert_eq!(indents(&chars).into_iter().collect::<Vec<_>>(), [0, 2]);
        let by_two = cut(|chars| indented(chars, 2), text);
        let expected =
            ["<a>\n", "  <b x>\n    1\n  </b>\n", "  <b/>\n\n", "  c {\n    d\n  }\n", "</a>\n"];
        assert_eq!(by_two, expected);
        assert_eq!(cut(|chars| indented(chars, 0), text), [text]);
    }

    #[test]
    fn tokens_are_words_spaces_and_runs_of_marks() {
        assert_eq!(cut(tokens, "ab_1 \t=={é}"), ["ab_1", " \t", "==", "{", "é", "}"]);
    }
}

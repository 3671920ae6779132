//! Cutting a text into blocks, lines and tokens, without a grammar.

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
    fn tokens_are_words_spaces_and_runs_of_marks() {
        assert_eq!(cut(tokens, "ab_1 \t=={é}"), ["ab_1", " \t", "==", "{", "é", "}"]);
    }
}

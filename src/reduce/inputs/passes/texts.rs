//! Parts of texts: blocks, lines, words, characters.

use std::ops::Range;

use crate::reduce::Result;
use crate::reduce::inputs::chunks::{remove_chunks, remove_classes};
use crate::reduce::inputs::search::{PassContext, PatientSearch};
use crate::reduce::inputs::text::{TextLeaf, Token, blocks, lines, text_leaves, token, tokens};

/// Into how many parts a text is cut at most, at the first look.
const COARSE: usize = 16;

/// Removes large parts of texts: all lines that start alike, runs of blocks and of lines. It finds out at low cost whether the
/// text can be cut between any two lines at all.
pub(in super::super) fn remove_coarse(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        remove_kinds(search, leaf, lines, first_word)?;
        for split in [blocks, lines] {
            let chars = leaf.chars(search.best());
            let units = runs(&split(&chars), COARSE);
            remove_ranges(&mut search.within(chars.len()), leaf, &chars, units)?;
        }
        shorten_runs(search, leaf)?;
    }
    Ok(())
}

/// A run of the same mark that is longer is shortened in large steps: the brackets of deep nesting would else go pair by pair.
const LONG_RUN: usize = 256;

/// Shortens long runs of the same mark, as long as that halves the text.
fn shorten_runs(search: &mut PassContext, leaf: TextLeaf) -> Result<()> {
    loop {
        let chars = leaf.chars(search.best());
        let cut = |token: Range<usize>| {
            let is_run = matches!(self::token(chars[token.start]), Token::Mark(_));
            let is_long = is_run && token.len() > LONG_RUN;
            let size = token.len().div_ceil(if is_long { COARSE } else { 1 });
            let starts = token.clone().step_by(size);
            starts.map(move |start| start..(start + size).min(token.end))
        };
        let tokens = tokens(&chars);
        let units: Vec<_> = tokens.iter().cloned().flat_map(cut).collect();
        if units.len() == tokens.len() {
            return Ok(());
        }
        remove_ranges(&mut search.missing_at_most(4 * COARSE), leaf, &chars, units)?;
        if leaf.chars(search.best()).len() > chars.len() / 2 {
            return Ok(());
        }
    }
}

/// Joins neighbours, so that at most `most` ranges are left.
fn runs(ranges: &[Range<usize>], most: usize) -> Vec<Range<usize>> {
    let size = ranges.len().div_ceil(most).max(1);
    ranges.chunks(size).map(|run| run[0].start..run[run.len() - 1].end).collect()
}

/// Removes lines, words and characters.
pub(in super::super) fn remove_fine(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        remove_kinds(search, leaf, tokens, |token_chars| token_chars.first().map(|&c| token(c)))?;
        for split in [lines, tokens, characters] {
            let chars = leaf.chars(search.best());
            remove_ranges(&mut search.within(chars.len()), leaf, &chars, split(&chars))?;
        }
    }
    Ok(())
}

/// Removes lines of texts so large that the other passes gave them up, without a limit of patience:
/// at the end no line of any text can be removed alone.
pub(in super::super) fn remove_lines(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        let chars = leaf.chars(search.best());
        if search.within(chars.len()).is_limited() && !search.is_settled(leaf.id) {
            remove_ranges(&mut search.within(0), leaf, &chars, lines(&chars))?;
            search.settle(leaf.id);
        }
    }
    Ok(())
}

fn characters(chars: &[char]) -> Vec<Range<usize>> {
    (0..chars.len()).map(|idx| idx..idx + 1).collect()
}

/// The first word of a line (or its first mark): lines of a log or script that start alike are of
/// one kind.
fn first_word(line: &[char]) -> Option<Vec<char>> {
    tokens(line).first().map(|range| line[range.clone()].to_vec())
}

fn remove_kinds<K: Eq + std::hash::Hash + Ord + Clone>(
    search: &mut PassContext,
    leaf: TextLeaf,
    split: fn(&[char]) -> Vec<Range<usize>>,
    kind: impl Fn(&[char]) -> Option<K>,
) -> Result<()> {
    let chars = leaf.chars(search.best());
    let class_of = |range: &Range<usize>| kind(&chars[range.clone()]);
    remove_classes(search, split(&chars), class_of, |base, kept| {
        let left: Vec<char> = kept.into_iter().flat_map(|range| chars[range].to_vec()).collect();
        leaf.with_chars(base, &left)
    })
}

/// Removes units, given as ranges of the leaf's characters.
fn remove_ranges(
    search: &mut PatientSearch,
    leaf: TextLeaf,
    chars: &[char],
    units: Vec<Range<usize>>,
) -> Result<()> {
    let lengths = leaf.lengths(chars, units);
    remove_chunks(search, lengths, |base, lengths, removed| {
        let start: usize = lengths[..removed.start].iter().sum();
        let end = start + lengths[removed].iter().sum::<usize>();
        leaf.without(base, start..end)
    })
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{inputs, reduce_within, text, the_text};

    use super::*;

    #[test]
    fn long_runs_of_brackets_go_in_large_steps() {
        let long = format!("x: {}{}\n", "[".repeat(12_000), "]".repeat(12_000));
        let best = reduce_within(150, inputs([text(&long)]), remove_coarse, |inputs| {
            the_text(inputs).matches('[').count() >= 1_000
        });
        assert!(best.size() < 1_100, "{}", best.size());
    }
}

//! Parts of texts: blocks, lines, words, characters.

use std::ops::Range;

use crate::reduce::Stop;
use crate::reduce::inputs::Inputs;
use crate::reduce::inputs::chunks::{remove_chunks, remove_classes};
use crate::reduce::inputs::search::{Patience, Search};
use crate::reduce::inputs::text::{TextLeaf, blocks, lines, text_leaves, token, tokens};

/// Removes large parts of texts: runs of blocks and of lines, not less than a sixteenth of the text.
/// It finds out at low cost whether the text can be cut between any two lines at all.
pub(in super::super) fn remove_coarse(search: &mut Search) -> Result<(), Stop> {
    for leaf in text_leaves(search.best()) {
        for split in [blocks, lines] {
            let chars = leaf.chars(search.best());
            let units = split(&chars);
            let smallest = (units.len() / 16).max(1);
            let mut patience = search.patience(chars.len());
            remove_ranges(search, leaf, &chars, units, smallest, &mut patience)?;
        }
    }
    Ok(())
}

/// Removes lines (without a limit of patience), then words and characters.
pub(in super::super) fn remove_fine(search: &mut Search) -> Result<(), Stop> {
    for leaf in text_leaves(search.best()) {
        remove_kinds(search, leaf, lines, first_word)?;
        let chars = leaf.chars(search.best());
        let mut no_limit = search.patience(0);
        remove_ranges(search, leaf, &chars, lines(&chars), 1, &mut no_limit)?;

        remove_kinds(search, leaf, tokens, |token_chars| {
            token_chars.first().map(|&c| token(c))
        })?;
        for split in [tokens, characters] {
            let chars = leaf.chars(search.best());
            let mut patience = search.patience(chars.len());
            remove_ranges(search, leaf, &chars, split(&chars), 1, &mut patience)?;
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
    tokens(line)
        .first()
        .map(|range| line[range.clone()].to_vec())
}

fn remove_kinds<K: Eq + std::hash::Hash + Ord + Clone>(
    search: &mut Search,
    leaf: TextLeaf,
    split: fn(&[char]) -> Vec<Range<usize>>,
    kind: impl Fn(&[char]) -> Option<K>,
) -> Result<(), Stop> {
    let chars = leaf.chars(search.best());
    let class_of = |range: &Range<usize>| kind(&chars[range.clone()]);
    remove_classes(search, split(&chars), class_of, |base, kept| {
        joined(base, leaf, &chars, kept)
    })?;
    Ok(())
}

fn remove_ranges(
    search: &mut Search,
    leaf: TextLeaf,
    chars: &[char],
    units: Vec<Range<usize>>,
    smallest: usize,
    patience: &mut Patience,
) -> Result<(), Stop> {
    let build = |base: &Inputs, kept: Vec<Range<usize>>| joined(base, leaf, chars, kept);
    remove_chunks(search, units, smallest, patience, build)?;
    Ok(())
}

/// The candidate in which only these ranges are left of the leaf.
fn joined(base: &Inputs, leaf: TextLeaf, chars: &[char], kept: Vec<Range<usize>>) -> Inputs {
    let mut left = Vec::with_capacity(chars.len());
    for range in kept {
        left.extend_from_slice(&chars[range]);
    }
    leaf.with_chars(base, &left)
}

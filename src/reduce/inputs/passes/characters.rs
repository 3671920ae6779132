//! Characters of texts to simpler ones; bytes of binary data to 0.
//!
//! `"Café 7\u{200b}!"` → `"aaaa 0 !"`

use std::ops::Range;

use crate::reduce::Result;
use crate::reduce::inputs::Inputs;
use crate::reduce::inputs::chunks::remove_adaptively;
use crate::reduce::inputs::order::{byte_rank, char_rank};
use crate::reduce::inputs::search::{PassContext, PatientSearch};
use crate::reduce::inputs::text::{TextLeaf, text_leaves};

use super::scalars::SIMPLE_CHARS;

/// How many characters a text may have for each to be tried with each simple character.
const SHORT: usize = 100;
/// So many different characters are too many to change one after the other at first.
const MANY: usize = 32;

/// Simplifies each text: all characters that allow it to the simplest of their kind, in chunks; then
/// equal characters together, several at a time; then, in short texts, one by one.
pub(in super::super) fn simplify_characters(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        let chars = leaf.chars(search.best());
        let search = &mut search.within(chars.len());
        if leaf.is_bytes && !is_readable(&chars) {
            flatten(search, leaf, |_| '\0')?;
        }
        flatten(search, leaf, simplest_of_kind)?;
        if !search.is_spent() {
            merge_distinct(search, leaf)?;
            change_equal(search, leaf)?;
        }
        if leaf.chars(search.best()).len() <= SHORT {
            change_each(search, leaf)?;
        }
    }
    Ok(())
}

/// Whether bytes look like text that a person has written.
pub(super) fn is_readable(chars: &[char]) -> bool {
    chars.iter().all(|&c| matches!(c, ' '..='~' | '\n' | '\t' | '\r'))
}

/// A letter becomes `a`, a digit `0`, white space a space; the rest stays.
fn simplest_of_kind(c: char) -> char {
    match c {
        c if c.is_alphabetic() => 'a',
        c if c.is_numeric() => '0',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}

/// Changes as many characters as possible, in chunks.
fn flatten(search: &mut PatientSearch, leaf: TextLeaf, simplest: fn(char) -> char) -> Result<()> {
    let chars = leaf.chars(search.best());
    let flat: Vec<char> = chars.iter().map(|&c| simpler_of(leaf, c, simplest(c))).collect();
    let changed: Vec<usize> = (0..chars.len()).filter(|&idx| chars[idx] != flat[idx]).collect();
    let build = |base: &Inputs, changed: &[usize], flattened: Range<usize>| {
        let mut candidate = leaf.chars(base);
        for &idx in &changed[flattened] {
            candidate[idx] = flat[idx];
        }
        leaf.with_chars(base, &candidate)
    };
    remove_adaptively(search, changed, build)
}

fn simpler_of(leaf: TextLeaf, old: char, new: char) -> char {
    if rank(leaf, new) < rank(leaf, old) { new } else { old }
}

fn rank(leaf: TextLeaf, c: char) -> u32 {
    match u8::try_from(u32::from(c)) {
        Ok(byte) if leaf.is_bytes => byte_rank(byte),
        _ => char_rank(c),
    }
}

/// Changes all occurrences of several characters to the simplest one, where many characters differ:
/// data may need its length, but hardly ever that variety.
fn merge_distinct(search: &mut PatientSearch, leaf: TextLeaf) -> Result<()> {
    let simplest = |old| simpler_chars(leaf, old).next();
    let distinct = distinct_chars(search, leaf);
    let changed: Vec<char> = distinct.into_iter().filter(|&old| simplest(old).is_some()).collect();
    if changed.len() < MANY {
        return Ok(());
    }
    let build = |base: &Inputs, changed: &[char], merged: Range<usize>| {
        let merged = &changed[merged];
        let chars: Vec<char> = leaf
            .chars(base)
            .into_iter()
            .map(|c| if merged.contains(&c) { simplest(c).unwrap_or(c) } else { c })
            .collect();
        leaf.with_chars(base, &chars)
    };
    remove_adaptively(search, changed, build)
}

fn distinct_chars(search: &PassContext, leaf: TextLeaf) -> Vec<char> {
    let mut distinct = leaf.chars(search.best());
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Changes all occurrences of a character together.
fn change_equal(search: &mut PatientSearch, leaf: TextLeaf) -> Result<()> {
    for old in distinct_chars(search, leaf) {
        let chars = leaf.chars(search.best());
        let base = search.best().clone();
        let candidates = simpler_chars(leaf, old).map(|new| {
            let changed: Vec<char> =
                chars.iter().map(|&c| if c == old { new } else { c }).collect();
            leaf.with_chars(&base, &changed)
        });
        search.consider_first(candidates)?;
    }
    Ok(())
}

/// Changes characters one by one.
fn change_each(search: &mut PatientSearch, leaf: TextLeaf) -> Result<()> {
    for idx in 0..leaf.chars(search.best()).len() {
        let chars = leaf.chars(search.best());
        let Some(&old) = chars.get(idx) else { break };
        let base = search.best().clone();
        let candidates = simpler_chars(leaf, old).map(|new| {
            let mut changed = chars.clone();
            changed[idx] = new;
            leaf.with_chars(&base, &changed)
        });
        search.consider_first(candidates)?;
    }
    Ok(())
}

/// What to try instead of a character, simplest first.
fn simpler_chars(leaf: TextLeaf, old: char) -> impl Iterator<Item = char> {
    let lower_case = old.to_lowercase().chain(old.to_uppercase());
    SIMPLE_CHARS
        .chars()
        .filter(move |c| !leaf.is_bytes || c.is_ascii())
        .chain(lower_case.filter(move |c| !leaf.is_bytes || c.is_ascii()))
        .filter(move |&new| rank(leaf, new) < rank(leaf, old))
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::Value;
    use crate::reduce::inputs::testing::{
        bytes, inputs, oracle_for, reduce_within, text, the_text,
    };
    use crate::reduce::{Memory, Problem};

    use super::*;

    #[test]
    fn letters_become_a_and_digits_0() {
        let all = inputs([text("Café 7\t<x1>")]);
        let best = reduce_within(75, all, simplify_characters, |inputs| {
            let text = the_text(inputs);
            text.chars().count() == 11 && text.contains('<') && text.ends_with("1>")
        });
        assert_eq!(the_text(&best), "aaaaaaa<a1>");
    }

    #[test]
    fn a_variety_that_does_not_matter_goes_in_few_accepted_steps() {
        let data: Vec<u8> = (0..=255).cycle().take(2_560).collect();
        let all = inputs([bytes(&data)]);
        // As in a checksum, no byte can change alone; equal ones can change together.
        let mut oracle = oracle_for(|inputs: &Inputs| match inputs.leaves().next() {
            Some((_, Value::Bytes(bytes))) => {
                bytes.len() == data.len()
                    && (256..bytes.len()).all(|at| bytes[at] == bytes[at - 256])
            }
            _ => false,
        });
        let mut problem = Problem::new(all, &mut oracle, Memory::Forget);
        simplify_characters(&mut PassContext::new(&mut problem)).unwrap();
        let accepted = problem.counts().accepted;
        assert!(accepted <= 20, "{accepted} accepted");
    }

    #[test]
    fn bytes_that_do_not_matter_become_zero() {
        let data: Vec<u8> = (0..=255).collect();
        let best = reduce_within(60, inputs([bytes(&data)]), simplify_characters, |inputs| {
            matches!(inputs.leaves().next(), Some((_, crate::reduce::inputs::Value::Bytes(bytes)))
                if bytes.len() == 256 && bytes[200] == 200)
        });
        let mut expected = vec![0; 256];
        expected[200] = 200;
        assert_eq!(best, inputs([bytes(&expected)]));
    }
}

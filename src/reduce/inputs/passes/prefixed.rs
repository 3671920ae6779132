//! A number lowered while what it measures, right behind it, goes along.
//!
//! `b"\x06abcdefxyz"` → `b"\0xyz"`, `"$5\r\nhello!"` → `"$0\r\n!"`, and a byte whose lowest bits say that a
//! table of 3 · 2⁸ bytes follows is lowered together with the table.
//!
//! No format is known here. Three relations are tried, which cover most binary formats: a length (in
//! units of 1 to 4 bytes) before its data, an exponent (packed into a byte with other flags) before a
//! table, and a flag before an optional part.

use std::ops::Range;

use crate::reduce::Result;
use crate::reduce::inputs::numbers::written_numbers;
use crate::reduce::inputs::search::{PassContext, PatientSearch};
use crate::reduce::inputs::text::{TextLeaf, text_leaves};

use super::characters::is_readable;

/// Binary data longer than this is left alone: each candidate is a copy.
const LONGEST: usize = 20_000;
/// Texts longer than this are left alone: numbers in them are seldom lengths.
const LONGEST_TEXT: usize = 2_000;
/// Data shorter than this has no tables worth a try.
const SHORTEST_WITH_TABLE: usize = 16;
/// How many candidates may fail in a row.
const MOST_MISSES: usize = 1_000;
/// How many texts are tried, the longest first.
const MOST_TEXTS: usize = 4;
/// How many numbers of a leaf are tried.
const MOST_NUMBERS: usize = 64;
/// How far behind the number its data may begin, in characters.
const FARTHEST: usize = 4;
/// The largest unit of a length, in bytes.
const LARGEST_UNIT: usize = 4;
/// Tables smaller than this are left to the passes that remove bytes alone.
const SMALLEST_TABLE: usize = 4;

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Decimal,
    LittleEndian,
    BigEndian,
}

/// A number that may say how much follows.
#[derive(Debug, Clone)]
struct Prefix {
    form: Form,
    place: Range<usize>,
    value: usize,
}

/// What to write instead of a number, and what to remove behind it.
struct Cut {
    place: Range<usize>,
    number: Vec<char>,
    removed: Range<usize>,
}

impl Cut {
    fn apply(&self, chars: &[char]) -> Vec<char> {
        [
            &chars[..self.place.start],
            &self.number,
            &chars[self.place.end..self.removed.start],
            &chars[self.removed.end..],
        ]
        .concat()
    }
}

/// Lowers lengths, exponents and flags together with what stands behind them, the largest removal
/// first: where a failing run is dear (a hang), few large steps matter more than few candidates.
pub(in super::super) fn remove_prefixed_parts(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()).into_iter().take(MOST_TEXTS) {
        let chars = leaf.chars(search.best());
        let is_binary = is_binary(leaf, &chars);
        let longest = if is_binary { LONGEST } else { LONGEST_TEXT };
        if chars.len() > longest {
            continue;
        }
        if is_binary && chars.len() >= SHORTEST_WITH_TABLE {
            remove_tables(&mut search.missing_at_most(MOST_MISSES), leaf)?;
        }
        remove_measured(&mut search.missing_at_most(MOST_MISSES), leaf)?;
    }
    Ok(())
}

fn is_binary(leaf: TextLeaf, chars: &[char]) -> bool {
    leaf.is_bytes && !is_readable(chars)
}

/// Lowers each length as far as it goes.
fn remove_measured(search: &mut PatientSearch, leaf: TextLeaf) -> Result<()> {
    let mut seen = 0;
    loop {
        let chars = leaf.chars(search.best());
        let Some(prefix) = prefixes(leaf, &chars).into_iter().nth(seen) else { return Ok(()) };
        let cuts: Vec<Cut> = measured_cuts(leaf, &chars, &prefix);
        if !consider_cuts(search, leaf, &chars, &cuts)? {
            seen += 1;
        }
        if search.is_spent() || seen >= MOST_NUMBERS {
            return Ok(());
        }
    }
}

/// Removes tables and optional parts, all large ones before any smaller one.
fn remove_tables(search: &mut PatientSearch, leaf: TextLeaf) -> Result<()> {
    let mut size = leaf.chars(search.best()).len().next_power_of_two();
    while size >= SMALLEST_TABLE && !search.is_spent() {
        let chars = leaf.chars(search.best());
        let cuts = table_cuts(&chars, size);
        if !consider_cuts(search, leaf, &chars, &cuts)? {
            size = next_smaller(size);
        }
    }
    Ok(())
}

/// The sizes of tables: powers of two, times 1 or 3 (three bytes for a colour or a point).
fn next_smaller(size: usize) -> usize {
    if size.is_power_of_two() { size / 4 * 3 } else { size / 3 * 2 }
}

/// Tries the cuts in order; returns whether one was accepted.
fn consider_cuts(
    search: &mut PatientSearch,
    leaf: TextLeaf,
    chars: &[char],
    cuts: &[Cut],
) -> Result<bool> {
    let base = search.best().clone();
    let candidates = cuts.iter().map(|cut| leaf.with_chars(&base, &cut.apply(chars)));
    Ok(search.consider_first(candidates)?.is_some())
}

/// The numbers that may be the length of something behind them.
fn prefixes(leaf: TextLeaf, chars: &[char]) -> Vec<Prefix> {
    let fits = |prefix: &Prefix| prefix.value > 0 && prefix.value <= chars.len() - prefix.place.end;
    let mut prefixes: Vec<Prefix> = written_numbers(chars)
        .into_iter()
        .filter(|(int, _)| !int.negative)
        .filter_map(|(int, place)| {
            Some(Prefix { form: Form::Decimal, place, value: usize::try_from(int.magnitude).ok()? })
        })
        .collect();
    if is_binary(leaf, chars) {
        prefixes.extend((0..chars.len()).flat_map(|start| binary_prefixes(chars, start)));
    }
    prefixes.retain(fits);
    prefixes
}

/// The binary numbers of 1, 2 and 4 bytes that begin here and need all of their bytes but the first
/// or last.
fn binary_prefixes(chars: &[char], start: usize) -> Vec<Prefix> {
    let prefix = |form, width: usize| {
        let place = start..start + width;
        let bytes = chars.get(place.clone())?;
        let fold = |value: usize, &c: &char| value << 8 | c as usize;
        let value = match form {
            Form::LittleEndian => bytes.iter().rev().fold(0, fold),
            _ => bytes.iter().fold(0, fold),
        };
        Some(Prefix { form, place, value })
    };
    let widths = [
        prefix(Form::LittleEndian, 1),
        prefix(Form::LittleEndian, 2),
        prefix(Form::BigEndian, 2),
        prefix(Form::LittleEndian, 4),
        prefix(Form::BigEndian, 4),
    ];
    // A wide number below 256 would repeat what its one significant byte alone does.
    let is_needed = |prefix: &Prefix| prefix.place.len() == 1 || prefix.value > 255;
    widths.into_iter().flatten().filter(is_needed).collect()
}

impl Prefix {
    /// How it is written with another value, in as many bytes (or as few digits) as needed.
    fn written(&self, value: usize) -> Vec<char> {
        let width = self.place.len();
        let bytes = value.to_le_bytes();
        let byte = |place: usize| char::from(bytes[place]);
        match self.form {
            Form::Decimal => value.to_string().chars().collect(),
            Form::LittleEndian => (0..width).map(byte).collect(),
            Form::BigEndian => (0..width).rev().map(byte).collect(),
        }
    }
}

/// The number lowered by all, a half, a quarter, …, and as many units removed.
fn measured_cuts(leaf: TextLeaf, chars: &[char], prefix: &Prefix) -> Vec<Cut> {
    let units = if is_binary(leaf, chars) { LARGEST_UNIT } else { 1 };
    let halves = std::iter::successors(Some(prefix.value), |&by| (by > 1).then_some(by / 2));
    let mut cuts = Vec::new();
    for by in halves {
        for unit in 1..=units {
            let number = prefix.written(prefix.value - by);
            cuts.extend(cuts_behind(chars, &prefix.place, &number, by * unit));
        }
    }
    cuts
}

/// The bytes that are not 0 lowered, and a part of this size removed behind.
fn table_cuts(chars: &[char], size: usize) -> Vec<Cut> {
    let significant = chars.iter().enumerate().filter(|&(_, &c)| c != '\0').take(MOST_NUMBERS);
    let mut cuts = Vec::new();
    for (idx, &c) in significant {
        for lower in lower_bytes(c) {
            cuts.extend(cuts_behind(chars, &(idx..idx + 1), &[lower], size));
        }
    }
    cuts
}

/// What a byte may become if an exponent or a flag in it is lowered: 0, one bit cleared, 1 less.
fn lower_bytes(c: char) -> Vec<char> {
    let code = u8::try_from(c).unwrap_or(u8::MAX);
    let cleared = (0..8).rev().map(|bit| code & !(1 << bit));
    let mut lower: Vec<u8> = std::iter::once(0)
        .chain(cleared)
        .chain([code.saturating_sub(1)])
        .filter(|&lower| lower < code)
        .collect();
    let mut seen = [false; 256];
    lower.retain(|&byte| !std::mem::replace(&mut seen[usize::from(byte)], true));
    lower.into_iter().map(char::from).collect()
}

/// The cuts of `size` characters that begin at most [`FARTHEST`] behind a number, without those that
/// give the same result as an earlier one.
fn cuts_behind(chars: &[char], place: &Range<usize>, number: &[char], size: usize) -> Vec<Cut> {
    let starts = place.end..=place.end + FARTHEST;
    let fits = |start: &usize| size > 0 && start + size <= chars.len();
    let is_new = |&start: &usize| start == place.end || chars[start - 1] != chars[start - 1 + size];
    starts
        .filter(fits)
        .filter(is_new)
        .map(|start| Cut {
            place: place.clone(),
            number: number.to_vec(),
            removed: start..start + size,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::Value;
    use crate::reduce::inputs::testing::{bytes, inputs, reduce_within, text, the_text};

    use super::*;

    fn the_bytes(inputs: &crate::reduce::inputs::Inputs) -> &[u8] {
        match inputs.leaves().next() {
            Some((_, Value::Bytes(bytes))) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_length_goes_down_with_its_data() {
        let mut data = vec![1, 0x2c, 1, 0xff];
        data.extend([7; 300]);
        data.extend([0xee, 0xee]);
        let best = reduce_within(600, inputs([bytes(&data)]), remove_prefixed_parts, |inputs| {
            let [1, low, high, 0xff, rest @ ..] = the_bytes(inputs) else { return false };
            let length = usize::from(u16::from_le_bytes([*low, *high]));
            rest.get(length..) == Some(&[0xee, 0xee])
        });
        assert_eq!(the_bytes(&best), [1, 0, 0, 0xff, 0xee, 0xee]);
    }

    #[test]
    fn a_written_length_goes_down_with_the_text_behind_it() {
        let all = inputs([text("$13\r\nhello, friend!\r\nend")]);
        let best = reduce_within(10, all, remove_prefixed_parts, |inputs| {
            let rest = the_text(inputs).strip_prefix('$');
            let Some((length, data)) = rest.and_then(|rest| rest.split_once("\r\n")) else {
                return false;
            };
            length.parse().is_ok_and(|length: usize| {
                data.get(length..).is_some_and(|left| left.ends_with("!\r\nend") && left.len() == 6)
            })
        });
        assert_eq!(the_text(&best), "$0\r\n!\r\nend");
    }

    #[test]
    fn a_table_goes_with_the_bits_that_say_its_size() {
        let mut data = b"\x01HD\xf7\0\0".to_vec();
        data.extend([0; 768]);
        data.extend(b"\0\0;");
        let best = reduce_within(300, inputs([bytes(&data)]), remove_prefixed_parts, |inputs| {
            let data = the_bytes(inputs);
            let table = match data.get(3) {
                Some(flags @ 0x80..) => 3 << (1 + (flags & 7)),
                _ => 0,
            };
            data.starts_with(b"\x01HD") && data.get(8 + table..) == Some(b";")
        });
        assert_eq!(the_bytes(&best).len(), 9);
    }
}

//! Which symbols may stand in for others in inputs similar to those that fail.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::rust::{Sources, scan};

/// So many symbols of the code under test are tried in inputs, and from literals no longer than this.
const MOST_SYMBOLS: usize = 24;
const LONGEST_LITERAL: usize = 4;

/// The symbols that the code looks for: those in its short literals that are no letters, the most frequent first.
pub(super) fn symbols(sources: &Sources) -> Vec<char> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for file in &sources.files {
        let literals = scan::pieces(&file.text).filter(|piece| piece.kind == scan::PieceKind::Str);
        for literal in literals.filter_map(|piece| short_literal(piece.text)) {
            for symbol in literal.chars().filter(|symbol| is_sign(*symbol)) {
                *counts.entry(symbol).or_default() += 1;
            }
        }
    }
    let mut all: Vec<(char, usize)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| Reverse(*count));
    let all = all.into_iter().map(|(symbol, _)| symbol);
    all.take(MOST_SYMBOLS).collect()
}

/// Whether people write it in texts, and it is no letter.
fn is_sign(symbol: char) -> bool {
    !symbol.is_alphanumeric() && (!symbol.is_control() || "\n\r\t".contains(symbol))
}

/// What a literal means, if that is short.
fn short_literal(text: &str) -> Option<String> {
    let start = text.find(['"', '\''])?;
    let quote = text[start..].chars().next()?;
    scan::unquoted(&text[start..], quote).filter(|inside| inside.len() <= LONGEST_LITERAL)
}

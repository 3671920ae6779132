//! Reductions of text that cannot be cut into Rust tokens.

use crate::rust::scan::PieceKind;
use crate::rust::{Reduction, scan};

/// The families, coarse ones first.
pub(crate) const FAMILIES: [fn(&str) -> Vec<Reduction>; 3] = [lines, pieces, characters];

pub(crate) fn lines(text: &str) -> Vec<Reduction> {
    let mut start = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let range = start..start + line.len();
            start = range.end;
            Reduction::remove(range)
        })
        .collect()
}

pub(crate) fn pieces(text: &str) -> Vec<Reduction> {
    scan::pieces(text)
        .filter(|piece| piece.kind != PieceKind::Space)
        .map(|piece| Reduction::remove(piece.range()))
        .collect()
}

pub(crate) fn characters(text: &str) -> Vec<Reduction> {
    text.char_indices()
        .map(|(start, symbol)| Reduction::remove(start..start + symbol.len_utf8()))
        .collect()
}

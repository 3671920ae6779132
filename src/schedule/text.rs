//! Reductions of text that cannot be cut into Rust tokens, and those of any text that only take something away.

use crate::passes::all;
use crate::rust::scan::PieceKind;
use crate::rust::{Reduction, SourceFile, StandIn, Tree, scan};

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

/// What is proposed to be taken out of a file, with nothing put in its place.
pub fn removals(file: &SourceFile) -> Vec<Reduction> {
    let text = &*file.text;
    let proposed = |tree: &Tree<'_>| all().flat_map(|pass| (pass.propose)(tree)).collect();
    let of_tree = file.is_rust().then(|| Tree::with(text, StandIn::Loop, proposed));
    let mut all: Vec<Reduction> = match of_tree {
        Some(Ok(proposed)) => proposed,
        _ => FAMILIES.iter().flat_map(|family| family(text)).collect(),
    };
    all.retain(|it| it.changes.iter().all(|change| change.text.is_empty()));
    // Where several do away with the same place, the simplest tells more.
    all.sort_by_key(|it| it.changes.len());
    all
}

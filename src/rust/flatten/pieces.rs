//! A file as pieces: what is copied, and what stands there instead.

use std::ops::Range;

use crate::reduce::keep_outermost;
use crate::rust::Piece;

/// A part of a file that is replaced.
pub(crate) struct Swap {
    pub(crate) range: Range<usize>,
    pub(crate) by: Vec<Piece>,
}

impl Swap {
    pub(crate) fn text(range: Range<usize>, text: impl Into<String>) -> Self {
        Swap { range, by: vec![Piece::Made(text.into())] }
    }
}

/// The pieces of a file with swaps; those within others are dropped.
pub(crate) fn applied(file: usize, len: usize, mut swaps: Vec<Swap>) -> Vec<Piece> {
    keep_outermost(&mut swaps, |swap| &swap.range);
    let mut pieces = Vec::new();
    let mut copied = 0;
    for swap in swaps {
        let range = copied..swap.range.start;
        pieces.push(Piece::Copied { file, range });
        pieces.extend(swap.by);
        copied = swap.range.end;
    }
    pieces.push(Piece::Copied { file, range: copied..len });
    pieces
}

/// Cuts the pieces of a file before the first copy of what stands at or behind `start`.
pub(crate) fn cut(pieces: Vec<Piece>, of: usize, start: usize) -> (Vec<Piece>, Vec<Piece>) {
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Copied { file, range } if tail.is_empty() && file == of && range.end > start => {
                let middle = range.start.max(start);
                head.push(Piece::Copied { file, range: range.start..middle });
                tail.push(Piece::Copied { file, range: middle..range.end });
            }
            piece if tail.is_empty() => head.push(piece),
            piece => tail.push(piece),
        }
    }
    (head, tail)
}

//! White space that nobody needs.

use crate::rust::scan;

/// One space or line break where there was white space, none at the ends.
pub(super) fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for piece in scan::pieces(text.trim()) {
        match piece.kind {
            scan::PieceKind::Space if piece.text.contains('\n') => tidy.push('\n'),
            scan::PieceKind::Space => tidy.push(' '),
            _ => tidy.push_str(piece.text),
        }
    }
    tidy.push('\n');
    tidy
}

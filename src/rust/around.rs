//! What stands around a place of a text, found by its tokens alone: the text need not be parsed.

use std::ops::Range;

use crate::source::scan::{Piece, PieceKind, tokens};

/// A statement of more tokens is no line that one knows a place by.
const MOST_TOKENS: usize = 32;

/// The name of the innermost function in whose body a byte of a text stands, wherever that is defined.
pub fn function_around(text: &str, offset: usize) -> Option<&str> {
    let mut open: Vec<Option<&str>> = Vec::new();
    // A function whose body has not begun, and how many brackets are open where it is defined.
    let mut head: Option<(&str, usize)> = None;
    let mut is_after_fn = false;
    for piece in tokens(text).take_while(|piece| piece.start < offset) {
        match (piece.kind, piece.text) {
            (PieceKind::Symbol, "{") => {
                let body = head.filter(|(_, depth)| *depth == open.len());
                open.push(body.map(|(name, _)| name));
                head = head.filter(|_| body.is_none());
            }
            (PieceKind::Symbol, "(" | "[") => open.push(None),
            (PieceKind::Symbol, "}" | ")" | "]") => {
                open.pop();
            }
            (PieceKind::Symbol, ";") => head = head.filter(|(_, depth)| *depth < open.len()),
            (PieceKind::Word, name) if is_after_fn => head = Some((name, open.len())),
            _ => {}
        }
        is_after_fn = piece.text == "fn";
    }
    open.into_iter().rev().find_map(|name| name)
}

/// The short statement, or head of one with a block, in which a byte of a text stands.
pub fn statement_around(text: &str, offset: usize) -> Option<Range<usize>> {
    let is_end = |piece: &Piece<'_>| {
        piece.kind == PieceKind::Symbol && matches!(piece.text, ";" | "{" | "}")
    };
    let mut statement: Vec<Piece<'_>> = Vec::new();
    for piece in tokens(text) {
        match is_end(&piece) {
            true if piece.start > offset => break,
            true => statement.clear(),
            false => statement.push(piece),
        }
    }
    let (first, last) = (statement.first()?, statement.last()?);
    let range = first.start..last.start + last.text.len();
    (statement.len() <= MOST_TOKENS && range.contains(&offset)).then_some(range)
}

/// The item in which a byte of a text stands: of the file, or of the innermost module written there.
pub fn item_around(text: &str, offset: usize) -> Range<usize> {
    let (mut start, mut depth) = (0, 0_usize);
    let mut before = ["", ""];
    for piece in tokens(text) {
        let is_end = match (piece.kind, piece.text) {
            (PieceKind::Symbol, "{") if depth == 0 && before[0] == "mod" => true,
            (PieceKind::Symbol, "(" | "[" | "{") => {
                depth += 1;
                false
            }
            (PieceKind::Symbol, close @ (")" | "]" | "}")) => {
                depth = depth.saturating_sub(1);
                depth == 0 && close == "}"
            }
            (PieceKind::Symbol, ";") => depth == 0,
            _ => false,
        };
        if is_end {
            let end = piece.range().end;
            if end > offset {
                return start..end;
            }
            start = end;
        }
        before = [before[1], piece.text];
    }
    start..text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_function_around_a_place_is_known_by_its_name() {
        let text = "impl A { fn a(&self, f: fn(u8) -> u8) -> [u8; { 1 }] where B: C { fn b(); x1(|| { x2() }) } } \
                    mod m { fn c() { fn d() { x3 } x4 } x5 }";
        let around = |place: &str| function_around(text, text.find(place).unwrap());
        let all = ["x1", "x2", "x3", "x4", "x5", "1 }"].map(around);
        assert_eq!(all, [Some("a"), Some("a"), Some("d"), Some("c"), None, None]);
    }

    #[test]
    fn a_statement_ends_where_a_block_begins() {
        let text = "fn f() { let a = b[1].c; if d(2) { e(3) } match g { h => i(4), } j(); }";
        let around = |place: &str| {
            statement_around(text, text.find(place).unwrap()).map(|range| &text[range])
        };
        let all = ["[1", "(2", "3", "4", "; }"].map(around);
        let expected = ["let a = b[1].c", "if d(2)", "e(3)", "h => i(4),"].map(Some);
        assert_eq!(all[..4], expected);
        assert_eq!(all[4], None);
        let long = format!("fn f() {{ g({}) }}", "a, ".repeat(40));
        assert_eq!(statement_around(&long, 12), None);
    }

    #[test]
    fn the_item_around_a_place_may_be_in_a_module() {
        let text = "use a::b; mod m { #[x] fn c() -> [u8; { 1 }] { if d { e } } impl F { fn g() { h } } } \
                    fn i() { mod j { fn k() {} } }";
        let around = |place: &str| text[item_around(text, text.find(place).unwrap())].trim();
        assert_eq!(around("b;"), "use a::b;");
        assert_eq!(around("e }"), "#[x] fn c() -> [u8; { 1 }] { if d { e } }");
        assert_eq!(around("h }"), "impl F { fn g() { h } }");
        assert_eq!(around("k()"), "fn i() { mod j { fn k() {} } }");
    }
}

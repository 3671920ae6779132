//! Sources laid out as people do.

use super::scan::{self, Piece};
use crate::source::{LiveSpans, printed, too_deep};

/// The text laid out by prettyplease; `None` if syn cannot parse it, or keeps a part of it as mere
/// tokens, which prettyplease refuses. Comments get lost.
pub fn pretty(text: &str) -> Option<String> {
    if too_deep(text).is_some() {
        return None;
    }
    let _live = LiveSpans::new();
    printed(&syn::parse_file(text).ok()?)
}

/// As [`pretty`], but without the commas and semicolons that only the layout puts in, so that the text
/// has no more tokens than before.
pub fn pretty_and_tight(text: &str) -> Option<String> {
    let laid_out = pretty(text)?;
    Some(without_new_separators(text, &laid_out).unwrap_or(laid_out))
}

/// As [`pretty_and_tight`], or at least [`indented`].
pub fn laid_out(text: &str) -> String {
    pretty_and_tight(text).unwrap_or_else(|| indented(text))
}

/// The text with each line indented by the brackets around it: for sources that [`pretty`] cannot parse.
/// Tokens and line breaks stay.
fn indented(text: &str) -> String {
    let mut indented = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut pieces = scan::pieces(text).peekable();
    while let Some(piece) = pieces.next() {
        let is_bracket = |piece: &Piece<'_>, brackets: [&str; 3]| {
            piece.kind == scan::PieceKind::Symbol && brackets.contains(&piece.text)
        };
        if piece.kind == scan::PieceKind::Space && piece.text.contains('\n') {
            indented.push('\n');
            if let Some(next) = pieces.peek() {
                let closes = usize::from(is_bracket(next, ["}", ")", "]"]));
                indented.push_str(&"    ".repeat(depth.saturating_sub(closes)));
            }
            continue;
        }
        depth += usize::from(is_bracket(&piece, ["{", "(", "["]));
        depth = depth.saturating_sub(usize::from(is_bracket(&piece, ["}", ")", "]"])));
        indented.push_str(piece.text);
    }
    indented
}

/// `after` without the separators that `before` has not; `None` if they differ in other tokens, too.
fn without_new_separators(before: &str, after: &str) -> Option<String> {
    let is_separator = |piece: &Piece<'_>| matches!(piece.text, "," | ";");
    let mut old = scan::tokens(before).peekable();
    let mut kept = String::with_capacity(after.len());
    for piece in scan::pieces(after) {
        if piece.kind.is_token() {
            // The layout leaves some out, too.
            let is_left_out = |it: &Piece<'_>| is_separator(it) && it.text != piece.text;
            while old.next_if(is_left_out).is_some() {}
            if old.next_if(|it| it.text == piece.text).is_none() {
                if is_separator(&piece) {
                    continue;
                }
                return None;
            }
        }
        kept.push_str(piece.text);
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_pretty_holds() {
        assert_eq!(super::pretty("fn f( ){x}").as_deref(), Some("fn f() {\n    x\n}\n"));
        assert_eq!(super::pretty("fn f("), None);
        assert_eq!(super::pretty("static A: u8;"), None);
        // What the compiler rejects, prettyplease does not take either.
        assert_eq!(super::pretty("macro_rules! m { () = {} }"), None);
        assert_eq!(super::pretty("macro_rules! m { () => {} () => {} }"), None);
        assert!(super::pretty("macro_rules! m { () => {}; [$a:ty] => () }").is_some());
    }

    #[test]
    fn the_example_of_pretty_and_tight_holds() {
        let tight = super::pretty_and_tight("struct A{a:u8,b:u8}");
        assert_eq!(tight.as_deref(), Some("struct A {\n    a: u8,\n    b: u8\n}\n"));
    }

    #[test]
    fn the_example_of_indented_holds() {
        let indented = super::indented("trait A {\ntype B\nfn f(\nx y)\n}\n");
        assert_eq!(indented, "trait A {\n    type B\n    fn f(\n        x y)\n}\n");
    }
}

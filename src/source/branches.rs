//! Branches of a test that say that something is wrong: `if value != expected { panic!(..) }`.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Expr, ExprBinary};

use super::exprs::{children, exprs};
use super::parse::{look_at_file, range};
use super::scan::{PieceKind, tokens};
use super::{Crate, FileIndex};

impl Crate {
    /// The bytes of what is compared for being equal in the conditions of the branches around a byte of a source, and may be
    /// what is expected there: the sides with values of their own, if only one has any.
    pub fn expected_in_branches(&self, file: FileIndex, offset: usize) -> Vec<Range<usize>> {
        let text = &self.file(file).text;
        look_at_file(text, |tree, base| {
            let mut found = Vec::new();
            for expr in exprs(|it| it.visit_file(&tree)) {
                if let Expr::If(it) = expr
                    && range(it.then_branch.span(), base).contains(&offset)
                {
                    add_expected(&it.cond, text, base, &mut found);
                }
            }
            found
        })
    }
}

/// Adds what the comparisons in a condition expect.
fn add_expected(condition: &Expr, text: &str, base: usize, found: &mut Vec<Range<usize>>) {
    match condition {
        Expr::Binary(it) if matches!(it.op, BinOp::Eq(_) | BinOp::Ne(_)) => {
            let sides = [&it.left, &it.right].map(|side| range(side.span(), base));
            let mut valued = sides.into_iter().filter(|side| has_values(&text[side.clone()]));
            if let (Some(expected), None) = (valued.next(), valued.next()) {
                found.push(expected);
            }
        }
        Expr::Binary(ExprBinary { op: BinOp::And(_) | BinOp::Or(_), .. })
        | Expr::Paren(_)
        | Expr::Unary(_) => {
            for part in children(condition) {
                add_expected(part, text, base, found);
            }
        }
        _ => {}
    }
}

/// Whether literals stand in a text.
fn has_values(text: &str) -> bool {
    tokens(text).any(|piece| {
        piece.kind == PieceKind::Str || piece.text.starts_with(|first: char| first.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests::krate;

    #[track_caller]
    fn expected(condition: &str, wanted: &[&str]) {
        let text = format!("#[test] fn t() {{ if {condition} {{ panic!(\"\") }} }}");
        let krate = krate(&[("tests/a.rs", &text)]);
        let found = krate.expected_in_branches(FileIndex(0), text.find("panic").unwrap());
        let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, wanted, "{condition}");
    }

    #[test]
    fn the_side_with_values_of_its_own_is_expected() {
        expected("a.b != Some(C::new(1))", &["Some(C::new(1))"]);
        expected("x.is_none() || !(\"a\" == y)", &["\"a\""]);
        // Nobody knows which of them.
        expected("f(1) != 2", &[]);
        expected("parse(\"a\").is_none()", &[]);
        expected("a < 1", &[]);
    }
}

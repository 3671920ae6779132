//! Branches of a test that say that something is wrong: `if value != expected { panic!(..) }`.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Expr};

use super::exprs::exprs;
use super::parse::{look_at_file, range};
use super::scan::{PieceKind, tokens};
use super::{Crate, FileIndex};

impl Crate {
    /// The bytes of what is compared for being equal in the conditions of the branches around a byte of a source, and may be
    /// what is expected there: the sides with values of their own, if only one has any.
    pub fn expected_in_branches(&self, file: FileIndex, offset: usize) -> Vec<Range<usize>> {
        expected_in_branches(&self.file(file).text, offset)
    }
}

fn expected_in_branches(text: &str, offset: usize) -> Vec<Range<usize>> {
    look_at_file(text, |tree, base| {
        let mut look = Look { text, base, found: Vec::new() };
        for expr in exprs(|it| it.visit_file(&tree)) {
            if let Expr::If(it) = expr
                && range(it.then_branch.span(), base).contains(&offset)
            {
                look.condition(&it.cond);
            }
        }
        look.found
    })
}

struct Look<'t> {
    text: &'t str,
    base: usize,
    found: Vec<Range<usize>>,
}

impl Look<'_> {
    fn condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Paren(inner) => self.condition(&inner.expr),
            Expr::Unary(it) => self.condition(&it.expr),
            Expr::Binary(it) => match it.op {
                BinOp::And(_) | BinOp::Or(_) => {
                    self.condition(&it.left);
                    self.condition(&it.right);
                }
                BinOp::Eq(_) | BinOp::Ne(_) => {
                    let sides = [&it.left, &it.right].map(|side| range(side.span(), self.base));
                    let valued =
                        sides.into_iter().filter(|side| has_values(&self.text[side.clone()]));
                    let valued: Vec<Range<usize>> = valued.collect();
                    if let [expected] = &valued[..] {
                        self.found.push(expected.clone());
                    }
                }
                _ => {}
            },
            _ => {}
        }
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

    #[track_caller]
    fn expected(condition: &str, wanted: &[&str]) {
        let text = format!("#[test] fn t() {{ if {condition} {{ panic!(\"\") }} }}");
        let found = expected_in_branches(&text, text.find("panic").unwrap());
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

//! Sums and products with a number that was reduced to nothing: `0 + i % 3` is `i % 3`, and `n * 0` is `0`.

use std::ops::Range;

use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprParen};

use super::outline::Function;
use crate::source::inputs::calls_nothing;
use crate::source::parse::{look_at, range};
use crate::source::tokens::arguments;
use crate::source::{Edits, Strength, strength};

/// Writes such sums of `function` without it.
pub(super) fn simplify(text: &str, function: &Function, edits: &mut Edits) {
    for sum in sums(text, function) {
        let Some(side) = sum.left(text, edits) else { continue };
        let is_atom = sum.are_atoms[usize::from(side == sum.right)];
        let whole = if is_atom { sum.brackets.as_ref().unwrap_or(&sum.whole) } else { &sum.whole };
        let (start, end) = (whole.start, whole.end);
        let _ = edits.cover(start..side.start, "") && edits.cover(side.end..end, "");
    }
}

/// An operation with two sides.
struct Sum {
    op: BinOp,
    whole: Range<usize>,
    left: Range<usize>,
    right: Range<usize>,
    /// The brackets around it.
    brackets: Option<Range<usize>>,
    /// Whether each side calls nothing.
    are_calm: [bool; 2],
    /// Whether each side needs no brackets anywhere.
    are_atoms: [bool; 2],
}

impl Sum {
    /// The side that it is equal to, if the other one was reduced.
    fn left(&self, text: &str, edits: &Edits) -> Option<Range<usize>> {
        if edits.covers(&self.whole) {
            return None;
        }
        let is = |side: &Range<usize>, number: &str| {
            let own = edits.within(side);
            let literal = syn::parse_str::<syn::LitInt>(&own.apply(&text[side.clone()]));
            !own.is_empty() && literal.is_ok_and(|it| it.base10_digits() == number)
        };
        let (left, right) = (&self.left, &self.right);
        let side = match self.op {
            BinOp::Add(_) if is(left, "0") => right,
            BinOp::Add(_) | BinOp::Sub(_) if is(right, "0") => left,
            BinOp::Mul(_) if is(left, "1") || is(right, "0") && self.are_calm[0] => right,
            BinOp::Mul(_) if is(right, "1") || is(left, "0") && self.are_calm[1] => left,
            BinOp::Div(_) if is(right, "1") => left,
            BinOp::Div(_) | BinOp::Rem(_) if is(left, "0") && self.are_calm[1] => left,
            _ => return None,
        };
        Some(side.clone())
    }
}

/// Those in a function, inner ones first.
fn sums(text: &str, function: &Function) -> Vec<Sum> {
    let text = &text[function.span.clone()];
    let mut found = Sums { base: function.span.start, found: Vec::new() };
    if look_at(text, syn::ItemFn::parse, |it| found.visit_item_fn(&it)).is_err() {
        // It was parsed before.
        let _ = look_at(text, syn::ImplItemFn::parse, |it| found.visit_impl_item_fn(&it));
    }
    found.found
}

struct Sums {
    base: usize,
    found: Vec<Sum>,
}

impl<'ast> Visit<'ast> for Sums {
    fn visit_expr_paren(&mut self, paren: &'ast ExprParen) {
        visit::visit_expr_paren(self, paren);
        if let (Expr::Binary(_), Some(sum)) = (&*paren.expr, self.found.last_mut()) {
            sum.brackets = Some(range(paren.span(), self.base));
        }
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        for argument in arguments(&invoked.tokens).iter().flatten() {
            Visit::visit_expr(self, argument);
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        visit::visit_expr_binary(self, binary);
        let bytes = |expr: &Expr| range(expr.span(), self.base);
        self.found.push(Sum {
            op: binary.op,
            whole: range(binary.span(), self.base),
            left: bytes(&binary.left),
            right: bytes(&binary.right),
            brackets: None,
            are_calm: [&binary.left, &binary.right].map(|side| calls_nothing(side)),
            are_atoms: [&binary.left, &binary.right].map(|side| strength(side) >= Strength::Field),
        });
    }
}

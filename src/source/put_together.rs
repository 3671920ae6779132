//! Expected values that functions beside the test put together of literals: `vec![span(1, 8), span(10, 20)]`.

use std::collections::BTreeSet;

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, Item, ItemFn, Stmt, parse_quote};

use super::expected::{Scope, is_written_out, items};
use super::exprs::{bare, children};
use super::inputs::is_constructor;
use super::patterns::parameters;
use super::tokens::called_name;

impl Scope<'_> {
    /// Whether an operand is made of literals, by functions of the file that do nothing but put values together.
    pub(super) fn is_put_together(&self, operand: &Expr) -> bool {
        match bare(operand) {
            list @ (Expr::Array(_) | Expr::Tuple(_)) => self.are_put_together(children(list)),
            Expr::Macro(call) if call.mac.path.is_ident("vec") => {
                let elements = super::arguments(&call.mac.tokens);
                elements.is_some_and(|elements| self.are_put_together(&elements))
            }
            Expr::Call(call) if self.puts_together(call) => call.args.iter().all(is_written_out),
            Expr::Call(call) if is_constructor(&call.func) => self.are_put_together(&call.args),
            operand => is_written_out(operand),
        }
    }

    fn are_put_together<'e>(&self, parts: impl IntoIterator<Item = &'e Expr>) -> bool {
        let mut parts = parts.into_iter().peekable();
        parts.peek().is_some() && parts.all(|part| self.is_put_together(part))
    }

    /// Whether it calls a function of the file that would be a value if its parameters were literals.
    fn puts_together(&self, call: &ExprCall) -> bool {
        let Some(name) = called_name(&call.func).filter(|_| !call.args.is_empty()) else {
            return false;
        };
        items(&self.file.items).any(|item| match item {
            Item::Fn(function) if function.sig.ident == *name => makes_a_value(function),
            _ => false,
        })
    }
}

fn makes_a_value(function: &ItemFn) -> bool {
    let [Stmt::Expr(body, None)] = function.block.stmts.as_slice() else { return false };
    let mut body = body.clone();
    Filled(parameters(&function.sig)).visit_expr_mut(&mut body);
    is_written_out(&body)
}

/// Puts a literal in the place of each of these variables.
struct Filled(BTreeSet<String>);

impl VisitMut for Filled {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path)
                if path.path.get_ident().is_some_and(|it| self.0.contains(&it.to_string())) =>
            {
                *expr = parse_quote!(0);
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::source::{Asserted, ExpectedValue, asserted_at};

    fn is_written(function: &str, expected: &str) -> bool {
        let items = format!(
            "{function} #[test] fn t() {{ let all = [at(1, 5), at(3, 8)]; assert_eq!(merged(&all), {expected}) }}"
        );
        let asserted = asserted_at(&items, items.find("assert_eq").unwrap());
        asserted == Some(Asserted::Values(Some(ExpectedValue::WrittenOut)))
    }

    #[test]
    fn a_function_that_only_fills_in_fields_writes_a_value_out() {
        let fills =
            "fn at(from: u8, to: u8) -> Span { Span { from, to, name: \"a\".to_string() } }";
        assert!(is_written(fills, "vec![at(1, 8)]"));
        assert!(is_written(fills, "Ok(at(1, 8))"));
        assert!(!is_written(fills, "vec![other(1, 8)]"));
        assert!(!is_written(fills, "all.to_vec()"));
        let computes = "fn at(from: u8, to: u8) -> Span { Span::parse(from, to) }";
        assert!(!is_written(computes, "vec![at(1, 8)]"));
    }
}

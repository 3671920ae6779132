//! Long lists whose elements are made of literals alone: what an element looks like, with holes for its
//! literals.
//!
//! Such elements need no code of their own in the probe: `(7, "a")`, `Put { key: 7 }` and `Del(7)` are
//! taken apart by a pattern that reads as they do, and put together again.

use quote::ToTokens;
use syn::{Expr, Member};

use super::read;
use crate::source::ValueKind;
use crate::source::tokens::{is_constant_name, last_name};

/// Lists with fewer elements are left alone.
const LONG: usize = 200;
/// So many different shapes, and a list is no table.
const MOST_SHAPES: usize = 64;

/// How an element is made: the text around its literals, and what these are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowShape {
    /// What stands before, between and behind the literals.
    around: Vec<String>,
    /// The kinds of the literals.
    pub kinds: Vec<ValueKind>,
}

impl RowShape {
    fn new() -> Self {
        RowShape { around: vec![String::new()], kinds: Vec::new() }
    }

    /// The element, with what `hole` gives for each of its literals.
    pub fn with(&self, hole: impl Fn(usize) -> String) -> String {
        let mut text = String::new();
        for (place, before) in self.around.iter().enumerate() {
            text.push_str(before);
            if place < self.kinds.len() {
                text.push_str(&hole(place));
            }
        }
        text
    }

    fn text(&mut self, text: &str) {
        if let Some(last) = self.around.last_mut() {
            last.push_str(text);
        }
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Option<()> {
        self.text("(");
        for expr in exprs {
            self.expr(expr)?;
            self.text(", ");
        }
        self.text(")");
        Some(())
    }

    /// Adds an expression; none if it is more than literals in tuples and constructors.
    fn expr(&mut self, expr: &Expr) -> Option<()> {
        match expr {
            Expr::Lit(literal) => self.literal(read::literal(&literal.lit, false)?.0),
            Expr::Unary(unary) => self.literal(read::literal(read::negative(unary)?, true)?.0),
            Expr::Paren(paren) => self.expr(&paren.expr),
            Expr::Tuple(tuple) => self.all(&tuple.elems),
            Expr::Path(path) if is_pattern(&path.path) => {
                self.text(&expr.to_token_stream().to_string());
                Some(())
            }
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if is_pattern(&path.path) => {
                    self.text(&path.path.to_token_stream().to_string());
                    self.all(&call.args)
                }
                _ => None,
            },
            Expr::Struct(it) if it.rest.is_none() => {
                self.text(&it.path.to_token_stream().to_string());
                self.text(" { ");
                for field in &it.fields {
                    let Member::Named(name) = &field.member else { return None };
                    self.text(&format!("{name}: "));
                    self.expr(&field.expr)?;
                    self.text(", ");
                }
                self.text("}");
                Some(())
            }
            _ => None,
        }
    }

    fn literal(&mut self, kind: ValueKind) -> Option<()> {
        use ValueKind::{Bool, Byte, Char, Float, Int, Str};
        if !matches!(kind, Str | Char | Byte | Int | Float | Bool) {
            return None;
        }
        self.kinds.push(kind);
        self.around.push(String::new());
        Some(())
    }
}

/// Whether a path looks as if it named a variant or a struct; a constant is no pattern for any type.
fn is_pattern(path: &syn::Path) -> bool {
    let name = last_name(path);
    name.starts_with(char::is_uppercase) && !is_constant_name(&name)
}

/// The shapes of the elements of a long list; none if it is short, or holds other things than literals
/// in tuples and constructors.
pub(super) fn row_shapes<'e>(
    elements: impl ExactSizeIterator<Item = &'e Expr>,
) -> Option<Vec<RowShape>> {
    if elements.len() < LONG {
        return None;
    }
    let mut shapes = Vec::new();
    for element in elements {
        let mut shape = RowShape::new();
        shape.expr(element)?;
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
        if shapes.len() > MOST_SHAPES {
            return None;
        }
    }
    Some(shapes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(element: &str, count: usize) -> Option<Vec<RowShape>> {
        let elements = vec![syn::parse_str::<Expr>(element).unwrap(); count];
        row_shapes(elements.iter())
    }

    #[test]
    fn a_shape_reads_as_the_element_does() {
        for (element, shown) in [
            ("(7, \"a\", -1.5)", "(?, ?, ?, )"),
            ("(true,)", "(?, )"),
            ("Del(7)", "Del(?, )"),
            ("Op::Clear", "Op :: Clear"),
            ("Put { key: 7, to: ('c', b'x') }", "Put { key: ?, to: (?, ?, ), }"),
        ] {
            let shapes = shapes(element, LONG).unwrap();
            assert_eq!(shapes.len(), 1);
            assert_eq!(shapes[0].with(|_| "?".to_owned()), shown);
        }
    }

    #[test]
    fn what_is_computed_is_no_row() {
        for element in [
            "(f(7), 1)",
            "(MAX, 1)",
            "String::from(\"a\")",
            "(\"a\".to_owned(), 1)",
            "[1, 2]",
            "(b\"a\", 1)",
            "(x, 1)",
        ] {
            assert_eq!(shapes(element, LONG), None, "{element}");
        }
        assert_eq!(shapes("(1, 2)", LONG - 1), None);
    }
}

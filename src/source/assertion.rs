//! What an assertion that fails compares.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Token};

use super::inputs::is_constructor;
use super::parse::{look_at, prelude_len, range};
use super::{Crate, FileIndex};

impl Crate {
    /// Whether an `assert_eq!` or `assert_ne!` that starts at this byte compares with a value that is
    /// written out: then any other value of the other side makes it fail, also one that has nothing
    /// to do with the original failure.
    #[must_use]
    pub fn compares_with_literal(&self, file: FileIndex, offset: usize) -> bool {
        let text = &self.file(file).text;
        let base = prelude_len(text);
        let look = |tree: syn::File| {
            let mut search = Search {
                offset,
                base,
                found: false,
            };
            search.visit_file(&tree);
            search.found
        };
        look_at(&text[base..], <syn::File as syn::parse::Parse>::parse, look).unwrap_or(false)
    }
}

struct Search {
    offset: usize,
    base: usize,
    found: bool,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let start = mac
            .path
            .segments
            .first()
            .map(|segment| range(segment.ident.span(), self.base).start);
        let name = mac
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string());
        let is_comparison = matches!(name.as_deref(), Some("assert_eq" | "assert_ne"));
        if start == Some(self.offset) && is_comparison {
            let arguments =
                Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone());
            self.found |=
                arguments.is_ok_and(|arguments| arguments.iter().take(2).any(is_written_out));
        }
        visit::visit_macro(self, mac);
    }
}

/// Only literals, and what puts them together; at least one of them.
fn is_written_out(expr: &Expr) -> bool {
    let all = |parts: &mut dyn Iterator<Item = &Expr>| {
        let mut parts = parts.peekable();
        parts.peek().is_some() && parts.all(is_written_out)
    };
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => is_written_out(&unary.expr),
        Expr::Reference(reference) => is_written_out(&reference.expr),
        Expr::Paren(paren) => is_written_out(&paren.expr),
        Expr::Array(array) => all(&mut array.elems.iter()),
        Expr::Tuple(tuple) => all(&mut tuple.elems.iter()),
        Expr::Call(call) => is_constructor(&call.func) && all(&mut call.args.iter()),
        Expr::MethodCall(call) => is_written_out(&call.receiver) && call.args.is_empty(),
        Expr::Macro(mac) if mac.mac.path.is_ident("vec") => {
            let elements =
                Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.mac.tokens.clone());
            elements.is_ok_and(|elements| all(&mut elements.iter()))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn compares(assertion: &str) -> bool {
        let text = format!("#[test]\nfn a() {{\n    {assertion};\n}}\n");
        let krate = Crate::load(Path::new("/p/tests/a.rs"), Path::new("/p"), |_| {
            Ok(text.clone())
        })
        .unwrap();
        krate.compares_with_literal(FileIndex(0), text.find("assert").unwrap())
    }

    #[test]
    fn a_side_that_is_written_out_is_found() {
        assert!(compares("assert_eq!(f(\"a\"), 5)"));
        assert!(compares("assert_ne!(Some(\"x\".to_string()), g())"));
        assert!(compares("assert_eq!(f(1), vec![1, 2], \"message\")"));
    }

    #[test]
    fn two_results_of_calls_are_not() {
        assert!(!compares("assert_eq!(decode(encode(\"a\")), text)"));
        assert!(!compares("assert_eq!(f(1), model(1))"));
        assert!(!compares("assert!(f(1) == 2)"));
    }
}

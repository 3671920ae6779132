//! What an assertion that fails compares.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
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
        self.assertion_at(file, offset, |name, arguments| {
            matches!(name, "assert_eq" | "assert_ne")
                && arguments.iter().take(2).any(is_written_out)
        })
        .unwrap_or(false)
    }

    /// The source text of the condition of an `assert!` that starts at this byte.
    #[must_use]
    pub fn asserted(&self, file: FileIndex, offset: usize) -> Option<&str> {
        let text = &self.file(file).text;
        let base = prelude_len(text);
        self.assertion_at(file, offset, |_, arguments| {
            let condition = arguments.first()?;
            Some(range(condition.span(), base))
        })?
        .map(|range| &text[range])
    }

    /// What `look` sees in the name and the arguments of the macro that is called at this byte.
    fn assertion_at<T>(
        &self,
        file: FileIndex,
        offset: usize,
        look: impl Fn(&str, &Arguments) -> T,
    ) -> Option<T> {
        let text = &self.file(file).text;
        let base = prelude_len(text);
        let parse = <syn::File as syn::parse::Parse>::parse;
        look_at(&text[base..], parse, |tree| {
            let mut search = Search {
                offset,
                base,
                look,
                seen: None,
            };
            search.visit_file(&tree);
            search.seen
        })
        .ok()?
    }
}

type Arguments = Punctuated<Expr, Token![,]>;

struct Search<F, T> {
    offset: usize,
    base: usize,
    look: F,
    seen: Option<T>,
}

impl<'ast, T, F: Fn(&str, &Arguments) -> T> Visit<'ast> for Search<F, T> {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let mut segments = mac.path.segments.iter();
        let (first, last) = (segments.clone().next(), segments.next_back());
        let start = first.map(|segment| range(segment.ident.span(), self.base).start);
        let arguments = Arguments::parse_terminated.parse2(mac.tokens.clone());
        if let (true, Some(name), Ok(arguments)) = (start == Some(self.offset), last, arguments) {
            self.seen = Some((self.look)(&name.ident.to_string(), &arguments));
        }
        visit::visit_macro(self, mac);
    }
}

/// Only literals, and what puts them together; at least one of them.
pub(super) fn is_written_out(expr: &Expr) -> bool {
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
            let elements = Arguments::parse_terminated.parse2(mac.mac.tokens.clone());
            elements.is_ok_and(|elements| all(&mut elements.iter()))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn krate(assertion: &str) -> (Crate, usize) {
        let text = format!("#[test]\nfn a() {{\n    {assertion};\n}}\n");
        let krate = Crate::load(Path::new("/p/tests/a.rs"), Path::new("/p"), |_| {
            Ok(text.clone())
        })
        .unwrap();
        (krate, text.find("assert").unwrap())
    }

    fn compares(assertion: &str) -> bool {
        let (krate, offset) = krate(assertion);
        krate.compares_with_literal(FileIndex(0), offset)
    }

    #[test]
    fn the_condition_is_shown_as_it_is_written() {
        let (krate, offset) = krate("assert!(f(\"a\") < 2, \"why\")");
        assert_eq!(krate.asserted(FileIndex(0), offset), Some("f(\"a\") < 2"));
        assert_eq!(krate.asserted(FileIndex(0), offset + 1), None);
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

//! The tables through which a test goes: each of their elements is a check of its own.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

use super::expected::THE_SAME;
use super::parse::{look_at_file, range};
use super::{Crate, FileIndex, last_word};

impl Crate {
    /// The bytes of the lists that the loops around a byte of a source go through, where they are written out.
    pub fn tables_around(&self, file: FileIndex, offset: usize) -> Vec<Range<usize>> {
        tables_around(&self.file(file).text, offset)
    }
}

fn tables_around(text: &str, offset: usize) -> Vec<Range<usize>> {
    look_at_file(text, |tree, base| {
        let mut loops = Loops { base, offset, lists: Vec::new(), names: Vec::new() };
        loops.visit_file(&tree);
        let Loops { mut lists, names, .. } = loops;
        let mut values = Values { base, names, lists: Vec::new() };
        values.visit_file(&tree);
        lists.extend(values.lists);
        lists
    })
}

/// What the loops around a byte go through.
struct Loops {
    base: usize,
    offset: usize,
    lists: Vec<Range<usize>>,
    names: Vec<String>,
}

impl Loops {
    fn goes_through(&mut self, list: &Expr, body: Range<usize>) {
        if !body.contains(&self.offset) {
            return;
        }
        match without_adapters(list) {
            Expr::Path(path) => self.names.extend(last_word(&path.path).map(ToString::to_string)),
            list => self.lists.extend(list_range(list, self.base)),
        }
    }
}

impl<'ast> Visit<'ast> for Loops {
    fn visit_expr_for_loop(&mut self, it: &'ast syn::ExprForLoop) {
        self.goes_through(&it.expr, range(it.body.span(), self.base));
        visit::visit_expr_for_loop(self, it);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let (true, Some(Expr::Closure(closure))) = (call.method == "for_each", call.args.first())
        {
            self.goes_through(&call.receiver, range(closure.body.span(), self.base));
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// The lists that variables and constants of these names hold.
struct Values {
    base: usize,
    names: Vec<String>,
    lists: Vec<Range<usize>>,
}

impl Values {
    fn holds(&mut self, name: &syn::Ident, value: &Expr) {
        if self.names.iter().any(|wanted| name == wanted) {
            self.lists.extend(list_range(without_adapters(value), self.base));
        }
    }
}

impl<'ast> Visit<'ast> for Values {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let pattern = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        if let (Pat::Ident(name), Some(init)) = (pattern, &local.init) {
            self.holds(&name.ident, &init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.holds(&item.ident, &item.expr);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.holds(&item.ident, &item.expr);
    }
}

/// An expression without what only goes through its elements; a reference belongs to the list that it is of.
fn without_adapters(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => without_adapters(&paren.expr),
        Expr::Reference(reference) if !matches!(*reference.expr, Expr::Array(_)) => {
            without_adapters(&reference.expr)
        }
        Expr::MethodCall(call) if THE_SAME.iter().any(|name| call.method == name) => {
            without_adapters(&call.receiver)
        }
        expr => expr,
    }
}

/// The bytes of a list that is written out.
fn list_range(expr: &Expr, base: usize) -> Option<Range<usize>> {
    match expr {
        Expr::Array(_) | Expr::Reference(_) => Some(range(expr.span(), base)),
        Expr::Macro(mac) if mac.mac.path.is_ident("vec") => Some(range(expr.span(), base)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn tables(text: &str, expected: &[&str]) {
        let found = tables_around(text, text.find("assert").unwrap());
        let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_lists_of_the_loops_around_a_byte_are_found() {
        tables("fn f() { for a in [1, 2] { assert!(g(a)) } for b in [3] {} }", &["[1, 2]"]);
        tables("fn f() { for a in vec![1].iter() { { assert!(g(a)) } } }", &["vec![1]"]);
        tables("fn f() { &[(1, 2)].iter().for_each(|a| assert!(g(a))); }", &["[(1, 2)]"]);
        tables("fn f() { for a in g(&[1]) { assert!(a) } }", &[]);
    }

    #[test]
    fn a_table_may_be_held_by_a_variable_or_a_constant() {
        tables(
            "fn f() { let all: [u8; 1] = [1]; for a in &all { assert!(g(a)) } let b = [3]; }",
            &["[1]"],
        );
        tables("const ALL: &[u8] = &[1];\nfn f() { for a in ALL { assert!(g(a)) } }", &["&[1]"]);
    }
}

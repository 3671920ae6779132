//! The expressions of a node, and other nodes of one kind in it.

use syn::visit::{self, Visit};
use syn::{
    BinOp, Expr, ImplItemFn, ItemConst, ItemFn, ItemMacro, ItemStatic, Local, Macro, Pat, PatIdent,
    Stmt, Type,
};

use super::tokens::sign_of;

/// All expressions of a node, outer ones first. `start` visits the node.
pub(crate) fn exprs<'e>(start: impl FnOnce(&mut Exprs<'e>)) -> Vec<&'e Expr> {
    let mut found = Exprs { found: Vec::new(), is_own: false };
    start(&mut found);
    found.found
}

/// The expressions that run where a node runs, outer ones first: what stands in closures and items runs elsewhere. `start`
/// visits the node.
pub(crate) fn own_exprs<'e>(start: impl FnOnce(&mut Exprs<'e>)) -> Vec<&'e Expr> {
    let mut found = Exprs { found: Vec::new(), is_own: true };
    start(&mut found);
    found.found
}

/// An expression without the calls of methods that only go through its elements, as the name of each `is_adapter` says; a
/// reference belongs to the list that it is of.
pub(crate) fn without_adapters(expr: &Expr, is_adapter: fn(&str) -> bool) -> &Expr {
    match expr {
        Expr::Paren(paren) => without_adapters(&paren.expr, is_adapter),
        Expr::Reference(reference) if !matches!(*reference.expr, Expr::Array(_)) => {
            without_adapters(&reference.expr, is_adapter)
        }
        Expr::MethodCall(call) if is_adapter(&call.method.to_string()) => {
            without_adapters(&call.receiver, is_adapter)
        }
        expr => expr,
    }
}

/// Functions that find all nodes of one kind in another one, outer ones first; `start` visits that.
macro_rules! find_all {
    ($($(#[$doc:meta])* $name:ident: $finder:ident, $visit:ident($node:ident);)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name<'e>(start: impl FnOnce(&mut $finder<'e>)) -> Vec<&'e $node> {
            let mut found = $finder(Vec::new());
            start(&mut found);
            found.0
        }

        pub(crate) struct $finder<'e>(Vec<&'e $node>);

        impl<'e> Visit<'e> for $finder<'e> {
            fn $visit(&mut self, node: &'e $node) {
                self.0.push(node);
                visit::$visit(self, node);
            }
        }
    )*};
}

find_all! {
    /// The calls of macros.
    macros: Macros, visit_macro(Macro);
    /// The functions that belong to no type.
    functions: Functions, visit_item_fn(ItemFn);
    /// Those that belong to a type.
    methods: Methods, visit_impl_item_fn(ImplItemFn);
    /// The constants that belong to no type.
    constants: Constants, visit_item_const(ItemConst);
    /// The statics.
    statics: Statics, visit_item_static(ItemStatic);
    /// The definitions of macros, and calls that stand where items do.
    item_macros: ItemMacros, visit_item_macro(ItemMacro);
    /// The statements that bind variables.
    locals: Locals, visit_local(Local);
    /// The variables that patterns bind, and constants in patterns.
    bound_idents: BoundIdents, visit_pat_ident(PatIdent);
}

/// Functions that find the nodes of one kind right inside of one of the same kind, in their order.
macro_rules! find_children {
    ($($(#[$doc:meta])* $name:ident: $visit:ident($node:ident);)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(node: &$node) -> Vec<&$node> {
            struct Children<'e>(Vec<&'e $node>);
            impl<'e> Visit<'e> for Children<'e> {
                fn $visit(&mut self, node: &'e $node) {
                    self.0.push(node);
                }
            }
            let mut children = Children(Vec::new());
            visit::$visit(&mut children, node);
            children.0
        }
    )*};
}

find_children! {
    /// The expressions right inside of one.
    children: visit_expr(Expr);
    /// The patterns right inside of one.
    child_patterns: visit_pat(Pat);
    /// The types right inside of one.
    child_types: visit_type(Type);
}

/// What an expression sets or changes, and by what: the sides of `a = b` and of `a += b`.
pub(crate) fn assigned(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match expr {
        Expr::Assign(it) => Some((&it.left, &it.right)),
        Expr::Binary(it) if is_assignment(&it.op) => Some((&it.left, &it.right)),
        _ => None,
    }
}

/// Whether an operator changes the variable on its left.
pub(crate) fn is_assignment(op: &BinOp) -> bool {
    let sign = sign_of(op);
    sign.ends_with('=') && !matches!(sign.as_str(), "==" | "!=" | "<=" | ">=")
}

/// What is lent to be changed, by `&mut` of it.
pub(crate) fn lent(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Reference(reference) if reference.mutability.is_some() => Some(&reference.expr),
        _ => None,
    }
}

/// The call of a macro that a statement is.
pub(crate) fn macro_of(statement: &Stmt) -> Option<&Macro> {
    match statement {
        Stmt::Macro(call) => Some(&call.mac),
        Stmt::Expr(Expr::Macro(call), _) => Some(&call.mac),
        _ => None,
    }
}

/// Whether a node can leave its block or function (`return`, `break`, `continue`; `?` is none of these). `start` visits the
/// node.
pub(crate) fn leaves<'e>(start: impl FnOnce(&mut Exprs<'e>)) -> bool {
    let leaves = |it: &Expr| matches!(it, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
    own_exprs(start).into_iter().any(leaves)
}

/// Finds [`exprs`] and [`own_exprs`].
pub(crate) struct Exprs<'e> {
    found: Vec<&'e Expr>,
    is_own: bool,
}

impl<'e> Visit<'e> for Exprs<'e> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        if self.is_own && matches!(expr, Expr::Closure(_) | Expr::Async(_)) {
            return;
        }
        self.found.push(expr);
        visit::visit_expr(self, expr);
    }

    fn visit_item(&mut self, item: &'e syn::Item) {
        if !self.is_own {
            visit::visit_item(self, item);
        }
    }
}

/// An expression without references and parentheses around it.
pub(crate) fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Reference(reference) => bare(&reference.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        expr => expr,
    }
}

//! Which variables of a function hold what the code under test has made, and which go into it.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Local, Pat};

use super::names::computing;
use super::tested::{Tested, is_made_by_type};

use crate::source::exprs::children;
use crate::source::idents::mentioned;
use crate::source::patterns::{bound, named_closure};
use crate::source::tokens::{expressions, plain};

/// What the variables of a function hold.
pub(super) struct Scope<'t> {
    tested: &'t Tested,
    /// Those that hold what the code under test has made.
    pub(super) made_by_tested: BTreeSet<String>,
    pub(super) locals: BTreeSet<String>,
    /// Those whose value goes into a call of the code under test.
    pub(super) flowing: BTreeSet<String>,
    is_grown: bool,
}

impl<'t> Scope<'t> {
    /// What the variables of a function with this body hold.
    pub(super) fn of(tested: &'t Tested, body: &Block) -> Self {
        let mut scope = Scope {
            tested,
            made_by_tested: BTreeSet::new(),
            locals: BTreeSet::new(),
            flowing: BTreeSet::new(),
            is_grown: true,
        };
        while std::mem::take(&mut scope.is_grown) {
            scope.visit_block(body);
        }
        scope
    }

    /// Whether the code under test has a hand in an expression.
    pub(super) fn is_tested(&self, tokens: impl ToTokens) -> bool {
        self.are_tested(&computing(tokens.to_token_stream()))
    }

    /// Whether an expression names the code under test itself.
    pub(super) fn calls_tested(&self, tokens: impl ToTokens) -> bool {
        let names = computing(tokens.to_token_stream());
        names.iter().any(|name| self.tested.is_tested(name))
    }

    pub(super) fn are_tested(&self, names: &BTreeSet<String>) -> bool {
        let is_one =
            |name: &String| self.made_by_tested.contains(name) || self.tested.is_tested(name);
        names.iter().any(is_one)
    }

    fn made(&mut self, names: BTreeSet<String>) {
        for name in names {
            self.is_grown |= self.made_by_tested.insert(name);
        }
    }

    /// The names go into a call of the code under test.
    fn flows(&mut self, names: &BTreeSet<String>) {
        for name in names {
            if !self.flowing.contains(name) {
                self.flowing.insert(name.clone());
                self.is_grown = true;
            }
        }
    }

    /// `pattern` is bound to (a part of) `value`.
    fn bind(&mut self, pattern: &Pat, value: &Expr) {
        let names = bound(pattern);
        let used = computing(value.to_token_stream());
        self.locals.extend(names.iter().cloned());
        if self.are_tested(&used) {
            return self.made(names);
        }
        if names.iter().any(|name| self.flowing.contains(name)) {
            self.flows(&used);
        }
    }

    /// A statement changes the variable at the bottom of `changed` by `arguments`.
    fn change<'e>(&mut self, changed: &Expr, arguments: impl IntoIterator<Item = &'e Expr>) {
        let Some(object) = root(changed) else { return };
        for argument in arguments {
            let used = computing(argument.to_token_stream());
            if self.are_tested(&used) && self.locals.contains(&object) {
                self.made(BTreeSet::from([object.clone()]));
            } else if self.flowing.contains(&object) {
                self.flows(&used);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Scope<'_> {
    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
        }
        if let (Pat::Type(typed), Some(init)) = (&local.pat, &local.init)
            && self.is_tested(&typed.ty)
        {
            // Else the type only goes by another name there.
            if mentioned(init.expr.to_token_stream()).iter().any(|name| is_made_by_type(name)) {
                self.made(bound(&local.pat));
            }
            self.flows(&computing(init.expr.to_token_stream()));
        }
        visit::visit_local(self, local);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        for argument in arguments(expr, &|tokens| self.are_tested(&tokens)) {
            let used = computing(argument.to_token_stream());
            self.flows(&used);
        }
        match expr {
            Expr::MethodCall(call) => {
                if self.is_tested(&call.turbofish) {
                    self.flows(&computing(call.receiver.to_token_stream()));
                }
                self.change(&call.receiver, call.args.iter());
            }
            Expr::Binary(binary) => self.change(&binary.left, [&*binary.right]),
            Expr::Assign(assign) => self.change(&assign.left, [&*assign.right]),
            _ => {}
        }
        for (pattern, value) in bindings(expr) {
            self.bind(pattern, value);
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        match expressions(&mac.tokens) {
            Some(arguments) => {
                for argument in &arguments {
                    self.visit_expr(argument);
                }
            }
            // What a macro does with tokens that are no expressions is not known.
            None => self.flows(&computing(mac.tokens.clone())),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The patterns that an expression itself binds, each with where its value comes from: the parameters of closures come
/// from what these are handed to.
pub(super) fn bindings(expr: &Expr) -> Vec<(&Pat, &Expr)> {
    match expr {
        Expr::ForLoop(looped) => vec![(&*looped.pat, &*looped.expr)],
        Expr::Let(binding) => vec![(&*binding.pat, &*binding.expr)],
        Expr::Match(matched) => matched.arms.iter().map(|arm| (&arm.pat, &*matched.expr)).collect(),
        Expr::MethodCall(call) => {
            let closures = call.args.iter().filter_map(|argument| match argument {
                Expr::Closure(closure) => Some(closure),
                _ => None,
            });
            let parameters = closures.flat_map(|closure| &closure.inputs);
            parameters.map(|pattern| (pattern, &*call.receiver)).collect()
        }
        _ => Vec::new(),
    }
}

/// The closures that a block gives a name.
pub(super) fn named_closures(block: &syn::Block) -> Vec<(String, &syn::ExprClosure)> {
    let closures = block.stmts.iter().filter_map(|statement| match statement {
        syn::Stmt::Local(local) => named_closure(local),
        _ => None,
    });
    closures.map(|(name, closure)| (plain(name), closure)).collect()
}

/// What an expression itself hands to the code under test.
pub(super) fn arguments<'e>(
    expr: &'e Expr,
    are_tested: &dyn Fn(BTreeSet<String>) -> bool,
) -> Vec<&'e Expr> {
    let is_tested = |tokens: &dyn ToTokens| are_tested(computing(tokens.to_token_stream()));
    match expr {
        Expr::Call(call) if is_tested(&call.func) => call.args.iter().collect(),
        Expr::MethodCall(call) if is_tested(&call.receiver) => call.args.iter().collect(),
        Expr::Struct(made) if is_tested(&made.path) => {
            made.fields.iter().map(|field| &field.expr).collect()
        }
        Expr::Assign(assign)
            if !matches!(&*assign.left, Expr::Path(_)) && is_tested(&assign.left) =>
        {
            vec![&assign.right]
        }
        _ => Vec::new(),
    }
}

/// The variable at the bottom of a chain of calls, fields and indices.
pub(crate) fn root(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(plain),
        Expr::MethodCall(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Try(_)
        | Expr::Await(_)
        | Expr::Paren(_)
        | Expr::Reference(_)
        | Expr::Unary(_) => root(children(expr).first()?),
        _ => None,
    }
}

//! Finding the places of a text: a walk over its tree.

use std::mem::discriminant;
use std::ops::Range;

use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Pat, Stmt};

use super::place::{Arms, Branches, Guard, Operand, SwitchKind, SwitchPlace, SwitchPlaces};
use super::shapes;
use crate::rust::{NotTokens, StandIn, Tree, count_tokens};
use crate::source::arguments;

/// The places of `text`.
///
/// # Errors
/// When the text is not made of Rust tokens.
pub fn find(text: &str) -> Result<SwitchPlaces, NotTokens> {
    Tree::with(text, StandIn::Panic, |tree| {
        let mut collector = Collector::new(tree);
        collector.visit_file(tree.file);
        collector.finish()
    })
}

/// Whether the value of an expression or block is known to be `()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Unit,
    Unknown,
}

impl Value {
    fn unit_if(is_unit: bool) -> Self {
        if is_unit { Value::Unit } else { Value::Unknown }
    }
}

/// Collects places in the order in which it meets them.
struct Collector<'t> {
    tree: &'t Tree<'t>,
    found: SwitchPlaces,
}

impl<'t> Collector<'t> {
    fn new(tree: &'t Tree<'t>) -> Self {
        Collector { tree, found: SwitchPlaces::default() }
    }

    /// The places, outer ones before those in them.
    fn finish(self) -> SwitchPlaces {
        let SwitchPlaces { places, mut matches } = self.found;
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|index| {
            let range = &places[*index].range;
            (range.start, std::cmp::Reverse(range.end), *index)
        });
        let mut new_index = vec![0; places.len()];
        for (new, old) in order.iter().enumerate() {
            new_index[*old] = new;
        }
        for arms in &mut matches {
            for place in &mut arms.places {
                *place = new_index[*place];
            }
        }
        let places = order.iter().map(|index| places[*index].clone()).collect();
        SwitchPlaces { places, matches }
    }

    fn add(&mut self, kind: SwitchKind, range: Range<usize>) {
        let tokens = count_tokens(&self.tree.text[range.clone()]);
        self.found.places.push(SwitchPlace { kind, range, tokens });
    }

    fn function(
        &mut self,
        attributes: &[syn::Attribute],
        signature: &syn::Signature,
        block: &Block,
    ) {
        if shapes::is_untouchable(signature, attributes) {
            return;
        }
        if shapes::has_free_start(attributes) && !block.stmts.is_empty() {
            let emptied = shapes::emptied(signature, attributes);
            let inside = self.inside(block);
            for name in shapes::plain_parameters(signature) {
                self.add(SwitchKind::Variable(inside.start), self.tree.range(name));
            }
            self.add(SwitchKind::Function(emptied), inside);
        }
        let value = Value::unit_if(shapes::is_unit(&signature.output));
        self.statements(block, value);
    }

    fn inside(&self, block: &Block) -> Range<usize> {
        self.tree.inside(&block.brace_token.span)
    }

    /// A block that may never run although what is around it does.
    fn counted(&mut self, block: &Block, value: Value) {
        if !block.stmts.is_empty() {
            self.add(SwitchKind::Block, self.inside(block));
        }
        self.statements(block, value);
    }

    /// What a pattern binds for a block.
    fn bound(&mut self, pattern: &Pat, block: &Block) {
        if block.stmts.is_empty() {
            return;
        }
        let start = self.inside(block).start;
        for name in shapes::bound_variables(pattern) {
            self.add(SwitchKind::Variable(start), self.tree.range(&name.ident));
        }
    }

    fn statements(&mut self, block: &Block, value: Value) {
        // What has an attribute may not be there: then the one before it is the last.
        let is_certain =
            |statement: &Stmt| !self.tree.text[self.tree.range(statement)].starts_with('#');
        let last = block.stmts.iter().rposition(is_certain).unwrap_or(0);
        for (index, statement) in block.stmts.iter().enumerate() {
            let is_tail = index >= last;
            match statement {
                Stmt::Local(local) => {
                    let after = self.tree.range(local).end..self.inside(block).end;
                    self.local(local, after);
                }
                Stmt::Item(item) => self.visit_item(item),
                Stmt::Macro(call) => {
                    let ends = call.semi_token.is_some();
                    if (ends && !is_tail) || (is_tail && value == Value::Unit) {
                        self.add(SwitchKind::Statement, self.tree.range(call));
                    }
                    self.visit_macro(&call.mac);
                }
                Stmt::Expr(expr, semi) => {
                    // The last statement of a block with a value must not return: it stays.
                    if !is_tail || value == Value::Unit {
                        self.add(SwitchKind::Statement, self.tree.range(statement));
                    }
                    let is_unit = semi.is_none() && (!is_tail || value == Value::Unit);
                    if semi.is_some() {
                        self.inside_of(expr);
                    } else {
                        self.expr(expr, Value::unit_if(is_unit));
                    }
                }
            }
        }
    }

    /// A variable, which can be named in the bytes `after` it.
    fn local(&mut self, local: &syn::Local, after: Range<usize>) {
        let Some(init) = &local.init else { return };
        match init.diverge.as_ref().map(|(_, otherwise)| &**otherwise) {
            Some(Expr::Block(otherwise)) => self.counted(&otherwise.block, Value::Unknown),
            Some(_) => {}
            None => {
                let range = self.tree.range(&init.expr);
                // Anything shorter is not longer than what would stand there instead.
                let is_long = count_tokens(&self.tree.text[range.clone()]) > 7;
                if is_long && self.has_known_type(&local.pat, after) {
                    self.add(SwitchKind::Initial, range);
                }
            }
        }
        self.visit_expr(&init.expr);
    }

    /// Whether something else than its initial value may say the type of what a pattern binds, which is named in the bytes
    /// `after` it or nowhere.
    fn has_known_type(&self, pattern: &Pat, after: Range<usize>) -> bool {
        let Pat::Ident(variable) = pattern else { return true };
        self.tree.words_in(&variable.ident.to_string(), &after).next().is_some()
    }

    /// The places in an expression whose own value is of no interest, or is switched already.
    fn inside_of(&mut self, expr: &Expr) {
        match expr {
            Expr::Try(expr) => self.inside_of(&expr.expr),
            Expr::Await(expr) => self.inside_of(&expr.base),
            _ if shapes::computes(expr) => visit::visit_expr(self, expr),
            _ => self.visit_expr(expr),
        }
    }

    fn expr(&mut self, expr: &Expr, value: Value) {
        match expr {
            Expr::If(expr) => self.if_else(expr, value, None),
            Expr::Match(expr) => self.arms(expr, value),
            Expr::Block(expr) => self.statements(&expr.block, value),
            Expr::Unsafe(expr) => self.statements(&expr.block, value),
            Expr::Paren(expr) => self.expr(&expr.expr, value),
            Expr::Async(expr) => self.counted(&expr.block, Value::Unknown),
            Expr::Loop(expr) => self.counted(&expr.body, Value::Unit),
            Expr::ForLoop(expr) => {
                self.visit_expr(&expr.expr);
                self.bound(&expr.pat, &expr.body);
                self.counted(&expr.body, Value::Unit);
            }
            Expr::While(expr) => {
                if let Expr::Let(condition) = &*expr.cond {
                    self.bound(&condition.pat, &expr.body);
                }
                if !shapes::binds(&expr.cond) {
                    self.add(SwitchKind::While, self.tree.range(&expr.cond));
                }
                self.inside_of(&expr.cond);
                self.counted(&expr.body, Value::Unit);
            }
            Expr::Closure(expr) => match &*expr.body {
                Expr::Block(body) => {
                    for input in &expr.inputs {
                        self.bound(input, &body.block);
                    }
                    self.counted(&body.block, Value::Unknown);
                }
                body => {
                    self.add(SwitchKind::Closure, self.tree.range(body));
                    self.visit_expr(body);
                }
            },
            Expr::Binary(expr) if is_logical(expr) => self.operands(expr),
            _ if shapes::computes(expr) => {
                self.value(expr, value);
                visit::visit_expr(self, expr);
            }
            Expr::Try(inner) => {
                self.value(expr, value);
                self.inside_of(&inner.expr);
            }
            Expr::Await(inner) => {
                self.value(expr, value);
                self.inside_of(&inner.base);
            }
            Expr::Repeat(expr) => self.visit_expr(&expr.expr),
            Expr::Const(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }

    /// What yields a value that may be of interest.
    fn value(&mut self, expr: &Expr, value: Value) {
        let range = self.tree.range(expr);
        // A literal takes one or two.
        if value == Value::Unknown && count_tokens(&self.tree.text[range.clone()]) > 3 {
            self.add(SwitchKind::Value, range);
        }
    }

    fn if_else(&mut self, expr: &syn::ExprIf, value: Value, before: Option<usize>) {
        let whole = self.tree.range(expr);
        let otherwise = expr.else_branch.as_ref();
        if !shapes::binds(&expr.cond) && !matches!(&*expr.cond, Expr::Lit(_)) {
            let branches = Branches {
                whole,
                then: self.tree.range(&expr.then_branch),
                otherwise: otherwise.map(|(_, otherwise)| self.tree.range(otherwise)),
                before,
            };
            self.add(SwitchKind::If(branches), self.tree.range(&expr.cond));
        }
        if let Expr::Let(condition) = &*expr.cond {
            self.bound(&condition.pat, &expr.then_branch);
        }
        self.inside_of(&expr.cond);
        let is_unit = value == Value::Unit || otherwise.is_none();
        self.counted(&expr.then_branch, Value::unit_if(is_unit));
        match otherwise.map(|(token, otherwise)| (self.tree.range(token).start, &**otherwise)) {
            Some((start, Expr::If(otherwise))) => self.if_else(otherwise, value, Some(start)),
            Some((_, Expr::Block(otherwise))) => self.counted(&otherwise.block, value),
            _ => {}
        }
    }

    fn operands(&mut self, expr: &syn::ExprBinary) {
        let whole = self.tree.range(expr);
        let is_and = matches!(expr.op, BinOp::And(_));
        for (operand, other) in [(&expr.left, &expr.right), (&expr.right, &expr.left)] {
            let is_chain = matches!(&**operand, Expr::Binary(inner) if discriminant(&inner.op) == discriminant(&expr.op));
            if !is_chain && !shapes::binds(operand) {
                let operand_kind =
                    Operand { is_and, whole: whole.clone(), other: self.tree.range(other) };
                self.add(SwitchKind::Operand(operand_kind), self.tree.range(operand));
            }
            self.inside_of(operand);
        }
    }

    fn arms(&mut self, expr: &syn::ExprMatch, value: Value) {
        self.visit_expr(&expr.expr);
        let owner = self.found.matches.len();
        self.found.matches.push(Arms {
            close: self.tree.span(expr.brace_token.span.close()).start,
            lacks_comma: expr.arms.last().is_some_and(|arm| arm.comma.is_none()),
            catches_all: Vec::new(),
            places: Vec::new(),
        });
        let has_choice = expr.arms.len() > 1;
        for arm in &expr.arms {
            let body = self.tree.range(&arm.body);
            if let Some(guard) = self.guard(arm).filter(|_| has_choice) {
                let arms = &mut self.found.matches[owner];
                arms.places.push(self.found.places.len());
                arms.catches_all.push(shapes::catches_all(arm));
                let kind = SwitchKind::Arm { owner, guard, body: body.clone() };
                self.add(kind, self.tree.range(arm));
            }
            if let Pat::Guard(pattern) = &arm.pat {
                self.visit_expr(&pattern.guard);
            }
            if value == Value::Unit && !is_empty_block(&arm.body) {
                self.add(SwitchKind::ArmBody, body);
            }
            match &*arm.body {
                Expr::Block(block) => {
                    self.bound(&arm.pat, &block.block);
                    self.counted(&block.block, value);
                }
                body => self.expr(body, value),
            }
        }
    }

    fn guard(&self, arm: &syn::Arm) -> Option<Guard> {
        match &arm.pat {
            Pat::Guard(pattern) if shapes::binds(&pattern.guard) => None,
            Pat::Guard(pattern) => Some(Guard::Some(self.tree.range(&pattern.guard))),
            pattern => Some(Guard::None(self.tree.range(pattern).end)),
        }
    }
}

fn is_logical(expr: &syn::ExprBinary) -> bool {
    matches!(expr.op, BinOp::And(_) | BinOp::Or(_))
}

fn is_empty_block(expr: &Expr) -> bool {
    matches!(expr, Expr::Block(block) if block.block.stmts.is_empty())
        || matches!(expr, Expr::Tuple(tuple) if tuple.elems.is_empty())
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.expr(expr, Value::Unknown);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.statements(block, Value::Unknown);
    }

    shapes::visit_functions!();

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if !shapes::has_plain_arguments(&call.path) {
            return;
        }
        for arg in arguments(&call.tokens).iter().flatten() {
            self.visit_expr(arg);
        }
    }

    // What the compiler evaluates, and what is no code.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        _: &'ast syn::AngleBracketedGenericArguments,
    ) {
    }
}

//! What an expression has to be like at a place: which parentheses and labels a value needs that takes the place of
//! another one.

use std::collections::HashMap;
use std::ops::Range;

use syn::{BinOp, Expr, Member, Pat, Type};

use super::{Reduction, Tree};
use crate::source::{Strength, strength};

/// The expressions of a tree by their places.
pub(crate) struct Places {
    slots: HashMap<Range<usize>, Slot>,
    /// Where words stand that are no uses of a variable.
    labels: HashMap<usize, Label>,
}

/// What an expression has to be like.
#[derive(Debug, Clone, Copy)]
struct Slot {
    least: Strength,
    /// Whether a brace would begin a block.
    is_before_block: bool,
}

/// Anything does.
const ANY: Slot = Slot { least: Strength::Block, is_before_block: false };

/// What stands before and after a value at its new place.
pub(crate) struct Fit {
    pub(crate) before: String,
    pub(crate) after: &'static str,
}

/// What a word is at a place, besides or instead of being the use of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    /// The name of a field and of its value, as in `S { a }`.
    Short,
    /// The name of a field of a struct expression or pattern.
    Field,
    /// A variable that a pattern binds.
    Bound,
}

impl Tree<'_> {
    /// Puts a copy of the expression `value` in the place of a name or another expression: in parentheses where it
    /// would fall apart there, behind the name of its field where that was the name of the value, too.
    pub(crate) fn replace_expr(
        &self,
        reduction: Reduction,
        place: Range<usize>,
        value: &Expr,
    ) -> Reduction {
        let fit = self.fit(&place, value);
        reduction.and_copy(place, self.text, self.range(value), &fit.before, fit.after)
    }

    /// What has to stand around `value` in this place.
    pub(crate) fn fit(&self, place: &Range<usize>, value: &Expr) -> Fit {
        let mut before = self.label_before_value(place);
        let needs_brackets = match self.places().slots.get(place) {
            Some(slot) => {
                strength(value) < slot.least || slot.is_before_block && shows_brace(value)
            }
            None if before.is_empty() => strength(value) < Strength::Field,
            None => false,
        };
        if needs_brackets {
            before.push('(');
        }
        Fit { before, after: if needs_brackets { ")" } else { "" } }
    }

    /// Puts a copy of the type `value` in the place of the name of a type.
    pub(crate) fn replace_type(
        &self,
        reduction: Reduction,
        place: Range<usize>,
        value: &Type,
    ) -> Reduction {
        let (before, after) = (&self.text[..place.start], &self.text[place.end..]);
        let is_sum = match value {
            Type::ImplTrait(value) => value.bounds.len() > 1,
            Type::TraitObject(value) => value.bounds.len() > 1,
            _ => false,
        };
        let (before, after) = if after.trim_start().starts_with("::") {
            ("<", ">")
        } else if is_sum && before.trim_end().ends_with('&') {
            ("(", ")")
        } else {
            ("", "")
        };
        reduction.and_copy(place, self.text, self.range(value), before, after)
    }

    /// What the word at a place is, if more than a use.
    pub(crate) fn label(&self, place: &Range<usize>) -> Option<Label> {
        self.places().labels.get(&place.start).copied()
    }

    /// What has to stand before a value in the place of a variable: its name, where a field of a struct expression is
    /// written without its value.
    pub(crate) fn label_before_value(&self, place: &Range<usize>) -> String {
        match self.label(place) {
            Some(Label::Short) => format!("{}: ", &self.text[place.clone()]),
            _ => String::new(),
        }
    }

    fn places(&self) -> &Places {
        self.lookups.get(|| Places::of(self))
    }
}

impl Places {
    fn of(tree: &Tree<'_>) -> Self {
        let mut places = Places { slots: HashMap::new(), labels: HashMap::new() };
        for expr in tree.exprs() {
            places.slots.entry(tree.range(expr)).or_insert(ANY);
            places.add_parts(tree, expr);
            if let Expr::Struct(literal) = expr {
                for field in &literal.fields {
                    let is_short = field.colon_token.is_none();
                    let label = if is_short { Label::Short } else { Label::Field };
                    places.add_label(tree, &field.member, label);
                }
            }
        }
        for pattern in tree.patterns() {
            match pattern {
                Pat::Struct(pattern) => {
                    let fields = pattern.fields.iter();
                    fields.for_each(|field| {
                        let is_short = field.colon_token.is_none();
                        let label = if is_short { Label::Bound } else { Label::Field };
                        places.add_label(tree, &field.member, label);
                    });
                }
                Pat::Ident(pattern) => {
                    let place = tree.span(pattern.ident.span()).start;
                    places.labels.entry(place).or_insert(Label::Bound);
                }
                _ => {}
            }
        }
        places
    }

    fn add_label(&mut self, tree: &Tree<'_>, member: &Member, label: Label) {
        if let Member::Named(name) = member {
            self.labels.insert(tree.span(name.span()).start, label);
        }
    }

    /// Adds what the parts of an expression have to be like.
    fn add_parts(&mut self, tree: &Tree<'_>, expr: &Expr) {
        use Strength::{Assign, Atom, Cast, Compare, Field, Or, Prefix, Range};
        match expr {
            Expr::Binary(binary) => {
                let own = Strength::of_operator(binary.op);
                let left = match binary.op {
                    // `a as u8 < b` would be the beginning of generic arguments.
                    BinOp::Lt(_) | BinOp::Shl(_) => Prefix,
                    _ if matches!(own, Assign | Compare) => own.stronger(),
                    _ => own,
                };
                self.want(tree, &binary.left, left);
                self.want(tree, &binary.right, if own == Assign { own } else { own.stronger() });
            }
            Expr::Assign(assign) => self.want(tree, &assign.left, Range),
            Expr::Range(range) => {
                let ends = [&range.start, &range.end];
                ends.into_iter().flatten().for_each(|end| self.want(tree, end, Or));
            }
            Expr::Cast(cast) => self.want(tree, &cast.expr, Cast),
            Expr::Unary(unary) => self.want(tree, &unary.expr, Prefix),
            Expr::Reference(reference) => self.want(tree, &reference.expr, Prefix),
            Expr::RawAddr(reference) => self.want(tree, &reference.expr, Prefix),
            Expr::MethodCall(call) => self.want(tree, &call.receiver, Field),
            Expr::Field(access) => self.want(tree, &access.base, Field),
            Expr::Index(indexed) => self.want(tree, &indexed.expr, Field),
            Expr::Try(tried) => self.want(tree, &tried.expr, Field),
            Expr::Await(awaited) => self.want(tree, &awaited.base, Field),
            Expr::Call(call) => self.want(tree, &call.func, Atom),
            Expr::If(choice) => self.want_before_block(tree, &choice.cond),
            Expr::While(repeated) => self.want_before_block(tree, &repeated.cond),
            Expr::Match(choice) => self.want_before_block(tree, &choice.expr),
            Expr::ForLoop(repeated) => self.want_before_block(tree, &repeated.expr),
            Expr::Let(condition) => {
                let slot = Slot { least: Compare, is_before_block: true };
                self.slots.insert(tree.range(&condition.expr), slot);
            }
            _ => {}
        }
    }

    fn want(&mut self, tree: &Tree<'_>, part: &Expr, least: Strength) {
        self.slots.insert(tree.range(part), Slot { least, ..ANY });
    }

    fn want_before_block(&mut self, tree: &Tree<'_>, part: &Expr) {
        let is_before_block = true;
        self.slots.insert(tree.range(part), Slot { is_before_block, ..ANY });
    }
}

/// Whether an expression has braces that no other brackets are around, so that before a block they would be taken for it.
fn shows_brace(expr: &Expr) -> bool {
    match expr {
        Expr::Assign(assign) => shows_brace(&assign.left) || shows_brace(&assign.right),
        Expr::Await(awaited) => shows_brace(&awaited.base),
        Expr::Binary(binary) => shows_brace(&binary.left) || shows_brace(&binary.right),
        Expr::Call(call) => shows_brace(&call.func),
        Expr::Cast(cast) => shows_brace(&cast.expr),
        Expr::Field(access) => shows_brace(&access.base),
        Expr::Index(indexed) => shows_brace(&indexed.expr),
        Expr::MethodCall(call) => shows_brace(&call.receiver),
        Expr::Range(range) => {
            [&range.start, &range.end].into_iter().flatten().any(|end| shows_brace(end))
        }
        Expr::Reference(reference) => shows_brace(&reference.expr),
        Expr::Try(tried) => shows_brace(&tried.expr),
        Expr::Unary(unary) => shows_brace(&unary.expr),
        other => strength(other) <= Strength::Assign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{StandIn, apply};

    /// `body` with the value of `let x` in the place of `x`.
    fn inlined(value: &str, body: &str) -> String {
        let text = format!("fn f() {{ let x = {value}; {body} }}");
        let replaced = Tree::with(&text, StandIn::Loop, |tree| {
            let local = tree.locals().next().unwrap();
            let value = &local.init.as_ref().unwrap().expr;
            let place = text.rfind('x').unwrap();
            let reduction = Reduction::remove(tree.range(local));
            apply(&text, [&tree.replace_expr(reduction, place..place + 1, value)])
        });
        let replaced = replaced.unwrap();
        let inside = replaced.trim_start_matches("fn f() {").trim_end_matches('}');
        inside.trim().to_owned()
    }

    #[test]
    fn parentheses_stand_where_the_place_needs_them() {
        for (value, body, expected) in [
            ("1 + 2", "x * 3", "(1 + 2) * 3"),
            ("1 * 2", "x + 3", "1 * 2 + 3"),
            ("1 - 2", "3 - x", "3 - (1 - 2)"),
            ("1 - 2", "x - 3", "1 - 2 - 3"),
            ("a == b", "x == c", "(a == b) == c"),
            ("1 + 2", "g(x)", "g(1 + 2)"),
            ("1 + 2", "y = x", "y = 1 + 2"),
            ("&a", "x.b()", "(&a).b()"),
            ("a", "x.b()", "a.b()"),
            ("a.b", "x(1)", "(a.b)(1)"),
            ("|a| b", "x(1)", "(|a| b)(1)"),
            ("a as u8", "x < 1", "(a as u8) < 1"),
            ("S { a: 1 }", "if x == b {}", "if (S { a: 1 }) == b {}"),
            ("S { a: 1 }", "match x { _ => {} }", "match (S { a: 1 }) { _ => {} }"),
            ("g(S { a: 1 })", "match x { _ => {} }", "match g(S { a: 1 }) { _ => {} }"),
            ("a && b", "if let true = x {}", "if let true = (a && b) {}"),
            ("1 + 2", "m!(a => x)", "m!(a => (1 + 2))"),
            ("1 + 2", "assert!(x)", "assert!(1 + 2)"),
            ("0..n", "for i in x {}", "for i in 0..n {}"),
        ] {
            assert_eq!(inlined(value, body), expected, "{value}, {body}");
        }
    }

    #[test]
    fn a_field_keeps_its_label() {
        assert_eq!(inlined("1 + 2", "S { x }"), "S { x: 1 + 2 }");
        assert_eq!(inlined("1 + 2", "S { y: x }"), "S { y: 1 + 2 }");
    }
}

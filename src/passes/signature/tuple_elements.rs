//! Elements of tuples that nothing reads.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Block, Expr, Ident, Local, Pat, PatTuple, ReturnType, Signature, Stmt, Type};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::names::called;
use crate::rust::{Reduction, Tree};
use crate::source::own_exprs;

/// Removes an element of a tuple for which all that take the tuple apart have `_`: from the patterns, from wherever the
/// tuple is made (the ends of blocks, branches, arms, and of the functions that are called there), and from the types
/// that these return. A tuple of one element is the element.
pub(crate) const PASS: Pass = Pass {
    name: "tuple-elements",
    about: "remove elements of tuples that nothing reads",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f() -> (u8, bool) { (1, true) } fn g() { let (a, _) = f(); }",
    after: "fn f() -> u8 { 1 } fn g() { let a = f(); }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let makers = Makers::of(tree);
    let mut reductions: Vec<Reduction> = Vec::new();
    for local in tree.locals() {
        let Some((pattern, value)) = taken_apart(local) else { continue };
        for place in 0..pattern.elems.len() {
            let element = Element { place, arity: pattern.elems.len() };
            let mut removal = Removal::new(tree, &makers, element);
            if removal.pattern(pattern).and_then(|()| removal.value(value)).is_some()
                && !reductions.contains(&removal.reduction)
            {
                reductions.push(removal.reduction);
            }
        }
    }
    reductions
}

/// The tuple that a `let` takes apart, and the value.
fn taken_apart(local: &Local) -> Option<(&PatTuple, &Expr)> {
    let Pat::Tuple(pattern) = &local.pat else { return None };
    Some((pattern, &local.init.as_ref()?.expr))
}

/// What is called by which name where a tuple is returned.
struct Makers<'t> {
    /// The functions; `None` where several have the name.
    functions: BTreeMap<&'t Ident, Option<(&'t Signature, &'t Block)>>,
    /// Where the tuples are taken apart that functions of that name return.
    patterns: BTreeMap<&'t Ident, Vec<&'t PatTuple>>,
}

impl<'t> Makers<'t> {
    fn of(tree: &Tree<'t>) -> Self {
        let mut makers = Makers { functions: BTreeMap::new(), patterns: BTreeMap::new() };
        for (signature, block) in tree.functions() {
            let known = makers.functions.entry(&signature.ident);
            known.and_modify(|it| *it = None).or_insert(Some((signature, block)));
        }
        for (pattern, value) in tree.locals().filter_map(taken_apart) {
            if let Some(name) = called(value) {
                makers.patterns.entry(name).or_default().push(pattern);
            }
        }
        makers
    }
}

/// Which element of how many.
#[derive(Clone, Copy)]
struct Element {
    place: usize,
    arity: usize,
}

/// An element on its way out. What it cannot be taken out of ends it with `None`.
struct Removal<'p, 't> {
    tree: &'p Tree<'t>,
    makers: &'p Makers<'t>,
    element: Element,
    /// The functions, and the places of the patterns, that it is taken out of.
    functions: BTreeSet<&'t Ident>,
    patterns: BTreeSet<usize>,
    reduction: Reduction,
}

impl<'p, 't> Removal<'p, 't> {
    fn new(tree: &'p Tree<'t>, makers: &'p Makers<'t>, element: Element) -> Self {
        Removal {
            tree,
            makers,
            element,
            functions: BTreeSet::new(),
            patterns: BTreeSet::new(),
            reduction: Reduction::default(),
        }
    }

    /// Out of a list between parentheses.
    fn list<T, P>(&mut self, whole: Range<usize>, list: &Punctuated<T, P>) -> Option<()>
    where
        T: ToTokens + 'static,
        P: ToTokens + 'static,
    {
        let Element { place, arity } = self.element;
        if list.len() != arity {
            return None;
        }
        let reduction = std::mem::take(&mut self.reduction);
        self.reduction = if arity == 2 {
            reduction.and_keep(whole, self.tree.range(&list[1 - place]))
        } else {
            reduction.and_remove(self.tree.elements(list)[place].clone())
        };
        Some(())
    }

    /// Out of a pattern that does not read it.
    fn pattern(&mut self, pattern: &PatTuple) -> Option<()> {
        let is_unread = matches!(pattern.elems.get(self.element.place), Some(Pat::Wild(_)));
        let range = self.tree.range(pattern);
        if is_unread && !self.patterns.insert(range.start) {
            return Some(());
        }
        is_unread.then(|| self.list(range, &pattern.elems))?
    }

    /// Out of what makes the tuple.
    fn value(&mut self, value: &'t Expr) -> Option<()> {
        match value {
            Expr::Tuple(tuple) => self.list(self.tree.range(tuple), &tuple.elems),
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Block(block) => self.end(&block.block),
            Expr::If(choice) => {
                self.end(&choice.then_branch)?;
                self.value(&choice.else_branch.as_ref()?.1)
            }
            Expr::Match(choice) => choice.arms.iter().try_for_each(|arm| self.value(&arm.body)),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Macro(_) => Some(()),
            _ => self.function(called(value)?),
        }
    }

    /// Out of what a block ends with.
    fn end(&mut self, block: &'t Block) -> Option<()> {
        match block.stmts.last()? {
            Stmt::Expr(value, None) => self.value(value),
            // It does not get there.
            _ => Some(()),
        }
    }

    /// Out of what the function of that name returns, and all that take this apart.
    fn function(&mut self, name: &'t Ident) -> Option<()> {
        let (signature, block) = (*self.makers.functions.get(name)?)?;
        if !self.functions.insert(name) {
            return Some(());
        }
        let ReturnType::Type(_, returned) = &signature.output else { return None };
        let Type::Tuple(returned) = &**returned else { return None };
        self.list(self.tree.range(returned), &returned.elems)?;
        self.end(block)?;
        for expr in own_exprs(|it| it.visit_block(block)) {
            if let Expr::Return(returned) = expr {
                self.value(returned.expr.as_ref()?)?;
            }
        }
        let patterns = self.makers.patterns.get(name).into_iter().flatten();
        patterns.copied().try_for_each(|pattern| self.pattern(pattern))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn it_goes_wherever_the_tuple_is_made() {
        proposes(
            propose,
            "fn f() { let (a, _) = match g() { 1 => (h(), true), 2 => { i(); (j(), false) } _ => panic!() }; k(a) }",
            "fn f() { let a = match g() { 1 => h(), 2 => { i(); j() } _ => panic!() }; k(a) }",
        );
        proposes(
            propose,
            "impl S { fn f(&self) -> (A, B, C) { if a { return (A, B, C); } self.g().f() } } fn h(s: S) { let (a, _, c) = s.f(); let (d, _, _) = S::f(&s); }",
            "impl S { fn f(&self) -> (A, C) { if a { return (A, C); } self.g().f() } } fn h(s: S) { let (a, c) = s.f(); let (d, _) = S::f(&s); }",
        );
    }

    #[test]
    fn what_is_read_anywhere_stays() {
        for text in [
            "fn f() -> (u8, u8) { (1, 2) } fn g() { let (a, _) = f(); let (_, b) = f(); }",
            "fn f() { let (a, _) = g; }",
            "fn f() { let (a, b) = (1, 2); }",
        ] {
            assert_eq!(results(propose, text), [""; 0]);
        }
    }
}

//! Functions.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use syn::{Block, Expr, FnArg, Ident, ImplItem, Item, Pat, Signature, Stmt, Type};

use crate::passes::{Effect, Pass, Tier};
use crate::reduce::RangeExt;
use crate::rust::names::{Lead, name_of_type};
use crate::rust::patchwork::Patchwork;
use crate::rust::places::Label;
use crate::rust::runs::DRIVER;
use crate::rust::scopes::Module;
use crate::rust::{Reduction, Tree};

/// Puts the body of a function in the place of its calls, with the arguments in the place of its
/// parameters, and removes the function. Functions of traits and those that call themselves stay. Where
/// several functions have the name, calls by the name of the type are told apart, and other calls are
/// taken to be the only one. Where runs have to pass along, functions that do more than to hand on what they are given stay, too:
/// who reads the result knows them by their names, and finds there what has to be mended.
pub(crate) const PASS: Pass = Pass {
    name: "functions",
    about: "inline functions into their callers",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "fn f(a: u8) -> u8 { a + 1 } fn g() { h(f(2)) }",
    after: "fn g() { h(2 + 1) }",
    propose,
};

/// So many calls are taken to be the only one, one after the other.
const MOST_CALLS: usize = 8;

/// A function that can be inlined.
pub(super) struct Function<'t> {
    pub(super) signature: &'t Signature,
    pub(super) block: &'t Block,
    item: Range<usize>,
    /// What `Self` stands for.
    own_type: Option<&'t Type>,
}

/// A call of a function: all of it, and its arguments, the receiver first.
#[derive(Clone)]
pub(super) struct Call<'t> {
    pub(super) whole: Range<usize>,
    arguments: Vec<&'t Expr>,
}

/// Calls by the name of what is called and the number of arguments, and by the word before the name in its path.
pub(super) type Calls<'t> = HashMap<(&'t Ident, usize), BTreeMap<Option<&'t Ident>, Vec<Call<'t>>>>;

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let functions = functions(tree);
    let mut homonyms: HashMap<&Ident, usize> = HashMap::new();
    for function in &functions {
        *homonyms.entry(&function.signature.ident).or_default() += 1;
    }
    let calls = calls(tree);
    let has_contrast = has_contrast(tree);
    let inline = |function: &Function<'_>| {
        if has_contrast && !hands_on(function.block) {
            return Vec::new();
        }
        let is_alone = homonyms[&function.signature.ident] == 1;
        let groups = function.callers(tree, &calls, is_alone).into_iter();
        let reductions = groups.filter_map(|calls| function.inlined(tree, calls));
        reductions.collect::<Vec<_>>()
    };
    functions.iter().flat_map(inline).collect()
}

pub(super) fn functions<'t>(tree: &Tree<'t>) -> Vec<Function<'t>> {
    let mut functions = Vec::new();
    let mut add = |item, signature, block, own_type| {
        functions.push(Function { signature, block, item, own_type });
    };
    for item in tree.items() {
        match item {
            Item::Fn(function) => add(tree.range(item), &function.sig, &*function.block, None),
            Item::Impl(block) if block.trait_.is_none() => {
                for member in &block.items {
                    if let ImplItem::Fn(function) = member {
                        let own_type = Some(&*block.self_ty);
                        add(tree.range(member), &function.sig, &function.block, own_type);
                    }
                }
            }
            _ => {}
        }
    }
    functions
}

pub(super) fn calls<'t>(tree: &Tree<'t>) -> Calls<'t> {
    let mut calls = Calls::new();
    for expr in tree.exprs() {
        let (name, of, arguments): (_, _, Vec<&Expr>) = match expr {
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else { continue };
                let mut words = path.path.segments.iter().rev().map(|segment| &segment.ident);
                let Some(name) = words.next() else { continue };
                (name, words.next(), call.args.iter().collect())
            }
            Expr::MethodCall(call) => {
                let receiver = std::iter::once(&*call.receiver);
                (&call.method, None, receiver.chain(&call.args).collect())
            }
            _ => continue,
        };
        let of_name = calls.entry((name, arguments.len())).or_default();
        let whole = tree.range(expr);
        of_name.entry(of).or_default().push(Call { whole, arguments });
    }
    calls
}

impl<'t> Function<'t> {
    /// What may be all calls of the function.
    pub(super) fn callers(
        &self,
        tree: &Tree<'t>,
        calls: &Calls<'t>,
        is_alone: bool,
    ) -> Vec<Vec<Call<'t>>> {
        let name = &self.signature.ident;
        let Some(calls) = calls.get(&(name, self.signature.inputs.len())) else {
            return Vec::new();
        };
        if is_alone {
            let all: Vec<Call<'t>> = calls.values().flatten().cloned().collect();
            // Mentioned elsewhere it is needed as a value, or something else has its name.
            let is_all = tree.words(name).count() == all.len() + 1;
            return if is_all { vec![all] } else { Vec::new() };
        }
        // It does not call itself, as far as one can tell.
        let of = |of: Option<&'t Ident>| {
            let all = calls.get(&of).map_or(&[][..], Vec::as_slice);
            all.iter().filter(|call| !self.holds(call)).cloned()
        };
        let own: Vec<Call<'t>> = self
            .own_type
            .and_then(name_of_type)
            .into_iter()
            .flat_map(|own_name| of(Some(own_name)))
            .collect();
        if !own.is_empty() {
            return vec![own];
        }
        of(None).map(|call| vec![call]).take(MOST_CALLS).collect()
    }

    /// Whether a call stands in the function itself.
    fn holds(&self, call: &Call<'_>) -> bool {
        self.item.covers(&call.whole)
    }

    fn inlined(&self, tree: &Tree<'t>, calls: Vec<Call<'t>>) -> Option<Reduction> {
        let returns = tree.words_in("return", &tree.range(self.block)).next().is_some();
        let calls_itself = calls.iter().any(|call| self.holds(call));
        if calls.is_empty() || calls_itself || returns || self.signature.asyncness.is_some() {
            return None;
        }
        let value = match self.block.stmts.as_slice() {
            [Stmt::Expr(value, None)] => Some(value),
            _ => None,
        };
        let removed = Reduction::remove(self.item.clone());
        calls.into_iter().try_fold(removed, |reduction, call| {
            let text = self.body(tree, &call, value)?;
            Some(text.instead_of(call.whole, reduction))
        })
    }

    /// The function goes, and what `does` stands for this call, which is the only one; `end` behind it.
    pub(super) fn done_instead(
        &self,
        tree: &Tree<'t>,
        call: Call<'t>,
        does: &'t Expr,
        end: &str,
    ) -> Option<Reduction> {
        let mut text = self.body(tree, &call, Some(does))?;
        text.push(end);
        Some(text.instead_of(call.whole, Reduction::remove(self.item.clone())))
    }

    /// The body of the function as this call runs it, or the `value` within; `None` if a parameter is a pattern.
    fn body(
        &self,
        tree: &Tree<'t>,
        call: &Call<'t>,
        value: Option<&'t Expr>,
    ) -> Option<Patchwork<'t>> {
        let parameters = self.signature.inputs.iter().map(name_of);
        let parameters = parameters.collect::<Option<Vec<String>>>()?;
        let [from, to] = [&self.item, &call.whole].map(|place| tree.module_around(place));
        let from = Some(from).filter(|from| from.path != to.path);
        let argument = |word: &str| {
            let place = parameters.iter().position(|parameter| parameter == word)?;
            call.arguments.get(place).copied()
        };
        let mut text = Patchwork::of(tree.text);
        let (range, after) = match value {
            Some(value) => {
                let range = tree.range(value);
                // A parameter alone is what it stands for.
                let value = argument(&tree.text[range.clone()]).unwrap_or(value);
                let fit = tree.fit(&call.whole, value);
                text.push(&fit.before);
                (range, fit.after)
            }
            None => (tree.range(self.block), ""),
        };
        let is_alone = |place: &Range<usize>| *place == range;
        let mut done = range.start;
        for word in tree.words_within(&range) {
            let (place, name) = (&word.range, &tree.text[word.range.clone()]);
            if word.lead != Lead::Other
                || tree.label(place).is_some_and(|label| label != Label::Short)
            {
                continue;
            }
            text.copy(done..place.start);
            done = place.end;
            if let Some(argument) = argument(name) {
                let fit = tree.fit(place, argument);
                let (before, after) =
                    if is_alone(place) { ("", "") } else { (&*fit.before, fit.after) };
                text.push(before);
                text.copy(tree.range(argument));
                text.push(after);
            } else if let Some(own_type) = self.own_type.filter(|_| name == "Self") {
                text.push(path_to(
                    from,
                    &name_of_type(own_type).map(ToString::to_string).unwrap_or_default(),
                ));
                text.copy(tree.range(own_type));
            } else {
                text.push(path_to(from, name));
                done = place.start;
            }
        }
        text.copy(done..range.end);
        text.push(after);
        Some(text)
    }
}

/// Whether runs have to pass along: there are several tests, or one that calls another for several inputs.
fn has_contrast(tree: &Tree<'_>) -> bool {
    tree.tests().nth(1).is_some() || tree.tests().any(|test| test.sig.ident == DRIVER)
}

/// Whether a function does no more than to have a plain value, or to call one function with plain values.
fn hands_on(block: &Block) -> bool {
    match block.stmts.as_slice() {
        [] | [Stmt::Macro(_)] => true,
        [Stmt::Expr(Expr::Call(call), _)] => is_plain(&call.func) && call.args.iter().all(is_plain),
        [Stmt::Expr(Expr::MethodCall(call), _)] => {
            is_plain(&call.receiver) && call.args.iter().all(is_plain)
        }
        [Stmt::Expr(value, _)] => is_plain(value),
        _ => false,
    }
}

/// Whether nothing is computed for a value.
pub(super) fn is_plain(value: &Expr) -> bool {
    match value {
        Expr::Path(_) | Expr::Lit(_) | Expr::Macro(_) => true,
        Expr::Field(field) => is_plain(&field.base),
        Expr::Reference(reference) => is_plain(&reference.expr),
        Expr::Paren(paren) => is_plain(&paren.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        Expr::Struct(made) => made.fields.iter().all(|field| is_plain(&field.expr)),
        _ => false,
    }
}

/// What has to stand before the name of an item of another module so that it is found.
fn path_to<'m>(from: Option<&'m Module>, name: &str) -> &'m str {
    from.filter(|from| from.names.contains(name)).map_or("", |from| &from.path)
}

/// The name of a parameter; `None` if it is a pattern.
fn name_of(parameter: &FnArg) -> Option<String> {
    match parameter {
        FnArg::Receiver(_) => Some("self".to_owned()),
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) if name.subpat.is_none() => Some(name.ident.to_string()),
            Pat::Wild(_) => Some("_".to_owned()),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes_all, results};

    #[test]
    fn a_method_gets_its_receiver_and_type() {
        let text = "impl A<u8> { fn f(self, at: u8) -> E { E { at, by: self.by, of: Self::N } } } \
                    fn g(a: A<u8>) { a.f(1); }";
        assert_eq!(
            results(propose, text),
            ["impl A<u8> {  } fn g(a: A<u8>) { E { at: 1, by: a.by, of: A<u8>::N }; }"]
        );
    }

    #[test]
    fn a_body_of_several_statements_becomes_a_block() {
        let text = "fn f(a: u8) { g(a); h(a) } fn i() { f(1 + 2) }";
        assert_eq!(results(propose, text), [" fn i() { { g(1 + 2); h(1 + 2) } }"]);
    }

    #[test]
    fn items_are_named_by_their_path_in_another_module() {
        let text =
            "struct E; impl E { fn f(self) { E::g(Self); h::E } } mod a { fn b(e: T) { e.f() } }";
        assert_eq!(
            results(propose, text),
            ["struct E; impl E {  } mod a { fn b(e: T) { { crate::E::g(crate::E); h::E } } }"]
        );
    }

    #[test]
    fn functions_of_the_same_name_are_told_apart() {
        let text = "impl A { fn new() -> A { A(B::new()) } } impl B { fn new() -> B { B } } fn f() { A::new(); }";
        assert_eq!(
            results(propose, text),
            [
                "impl A {  } impl B { fn new() -> B { B } } fn f() { A(B::new()); }",
                "impl A { fn new() -> A { A(B) } } impl B {  } fn f() { A::new(); }",
            ]
        );
        let text = "impl A { fn f(self) { self.b.f() } } impl B { fn f(self) { 1 } } fn g(a: A) { a.f(); }";
        let expected = [
            "impl A {  } impl B { fn f(self) { 1 } } fn g(a: A) { a.b.f(); }",
            "impl A { fn f(self) { 1 } } impl B {  } fn g(a: A) { a.f(); }",
        ];
        proposes_all(propose, text, expected);
    }

    #[test]
    fn what_calls_itself_returns_early_or_is_a_value_stays() {
        assert!(results(propose, "fn f(a: u8) { f(a) } fn g() { f(1) }").is_empty());
        assert!(results(propose, "fn f(a: u8) { return } fn g() { f(1) }").is_empty());
        assert!(results(propose, "fn f(a: u8) {} fn g() { f(1); h(f) }").is_empty());
        assert!(results(propose, "fn f((a, b): C) {} fn g() { f(1) }").is_empty());
    }

    #[test]
    fn where_runs_pass_along_only_what_hands_on_is_inlined() {
        let alone = " #[test] fn t() { f(1) }";
        let beside = format!("{alone} #[test] fn u() {{}}");
        let driven = format!(" fn t() {{ f(1); f(2) }} #[test] fn {DRIVER}() {{ t() }}");
        let inlined = |text: &str, tests: &str| results(propose, &(text.to_owned() + tests)).len();
        for text in ["fn f(a: u8) { g(a, &S.b) }", "fn f(a: u8) -> u8 { S.a }", "fn f(a: u8) {}"] {
            assert_eq!(inlined(text, &beside), 1, "{text}");
        }
        for text in
            ["fn f(a: u8) -> u8 { a + 1 }", "fn f(a: u8) { g(h(a)) }", "fn f(a: u8) { g(); h(a) }"]
        {
            assert_eq!(inlined(text, alone), 1, "{text}");
            assert_eq!([&beside, &driven].map(|tests| inlined(text, tests)), [0, 0], "{text}");
        }
    }
}

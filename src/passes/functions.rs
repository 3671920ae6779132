//! Functions.

use std::ops::Range;

use proc_macro2::{Ident, Spacing, TokenTree};
use syn::{Block, Expr, FnArg, ImplItem, Item, Pat, Signature, Stmt};

use super::patchwork::Patchwork;
use super::scopes::Module;
use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Puts the body of a function in the place of its calls, with the arguments in the place of its
/// parameters, and removes the function. Functions of traits and those that call themselves stay. Where
/// several functions have the name, calls by the name of the type are told apart, and other calls are
/// taken to be the only one.
pub(super) const PASS: Pass = Pass {
    name: "functions",
    about: "inline functions into their callers",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "fn f(a: u8) -> u8 { a + 1 } fn g() { h(f(2)) }",
    after: "fn g() { h((2 + 1)) }",
    propose,
};

/// So many calls are taken to be the only one, one after the other.
const MOST_CALLS: usize = 8;

/// A function that can be inlined.
struct Function<'t> {
    signature: &'t Signature,
    block: &'t Block,
    item: Range<usize>,
    /// What `Self` stands for.
    own_type: Option<Range<usize>>,
}

impl Function<'_> {
    /// Whether a call stands in the function itself.
    fn holds(&self, call: &Call<'_>) -> bool {
        self.item.start <= call.whole.start && call.whole.end <= self.item.end
    }

    /// The first word of its `Self`.
    fn own_name(&self, tree: &Tree<'_>) -> String {
        let own_type = self.own_type.clone().unwrap_or(0..0);
        let is_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
        let text = &tree.text[own_type];
        text.split(|symbol| !is_word(symbol))
            .next()
            .unwrap_or_default()
            .to_owned()
    }
}

/// A call of a function: all of it, and its arguments, the receiver first.
struct Call<'t> {
    whole: Range<usize>,
    arguments: Vec<&'t Expr>,
    /// What stands before the name, if it is called by a path of several words.
    of: Option<String>,
}

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let all: Vec<TokenTree> = walk::flat_tokens(&tree.file);
    let modules = Module::all(tree);
    let functions = functions(tree);
    let inline = |function| {
        let groups = callers(tree, function, &functions, &all).into_iter();
        groups.filter_map(|calls| inlined(tree, function, calls, &modules))
    };
    functions.iter().flat_map(inline).collect()
}

fn functions<'t>(tree: &'t Tree<'_>) -> Vec<Function<'t>> {
    let mut functions = Vec::new();
    for item in walk::items(tree) {
        match item {
            Item::Fn(function) => functions.push(Function {
                signature: &function.sig,
                block: &function.block,
                item: tree.range(item),
                own_type: None,
            }),
            Item::Impl(block) if block.trait_.is_none() => {
                let own_type = Some(tree.range(&block.self_ty));
                functions.extend(block.items.iter().filter_map(|member| match member {
                    ImplItem::Fn(function) => Some(Function {
                        signature: &function.sig,
                        block: &function.block,
                        item: tree.range(member),
                        own_type: own_type.clone(),
                    }),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    functions
}

/// What may be all calls of a function.
fn callers<'t>(
    tree: &'t Tree<'_>,
    function: &Function<'_>,
    functions: &[Function<'_>],
    all: &[TokenTree],
) -> Vec<Vec<Call<'t>>> {
    let name = &function.signature.ident;
    let mut calls = calls(tree, name, function.signature.inputs.len());
    let is_alone = { functions.iter() }.filter(|other| other.signature.ident == *name);
    if is_alone.count() == 1 {
        let mentions = all
            .iter()
            .filter(|token| matches!(token, TokenTree::Ident(word) if word == name));
        // Mentioned elsewhere it is needed as a value, or something else has its name.
        let is_all = mentions.count() == calls.len() + 1;
        return if is_all { vec![calls] } else { Vec::new() };
    }
    // It does not call itself, as far as one can tell.
    calls.retain(|call| !function.holds(call));
    let own_name = function.own_name(tree);
    let is_own = |call: &Call<'_>| call.of.as_ref() == Some(&own_name);
    let (own, others): (Vec<_>, Vec<_>) = calls.into_iter().partition(is_own);
    if !own.is_empty() {
        return vec![own];
    }
    let others = others.into_iter().filter(|call| call.of.is_none());
    others.map(|call| vec![call]).take(MOST_CALLS).collect()
}

fn inlined(
    tree: &Tree<'_>,
    function: &Function<'_>,
    calls: Vec<Call<'_>>,
    modules: &[Module],
) -> Option<Reduction> {
    let is_plain = function.signature.asyncness.is_none()
        && !has_word(function.block, "return")
        && !calls.iter().any(|call| function.holds(call));
    if !is_plain || calls.is_empty() {
        return None;
    }
    let mut reduction = Reduction::remove(function.item.clone());
    for call in calls {
        let home = Module::around(modules, &function.item);
        let is_away = home.map(|home| &home.path)
            != Module::around(modules, &call.whole).map(|module| &module.path);
        let mut inlined = Inlined::new(tree, home.filter(|_| is_away));
        inlined.body(function, &call)?;
        reduction = inlined.text.instead_of(call.whole, reduction);
    }
    Some(reduction)
}

fn has_word(block: &Block, word: &str) -> bool {
    let tokens = walk::flat_tokens(block);
    tokens
        .iter()
        .any(|token| matches!(token, TokenTree::Ident(other) if other == word))
}

fn calls<'t>(tree: &'t Tree<'_>, name: &Ident, count: usize) -> Vec<Call<'t>> {
    let call = |expr: &'t Expr| {
        let (arguments, of): (Vec<&Expr>, Option<String>) = match expr {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if path.path.segments.last()?.ident == *name => {
                    let before = path.path.segments.iter().rev().nth(1);
                    let of = before.map(|before| before.ident.to_string());
                    (call.args.iter().collect(), of)
                }
                _ => return None,
            },
            Expr::MethodCall(call) if call.method == *name => {
                let receiver = std::iter::once(&*call.receiver);
                (receiver.chain(&call.args).collect(), None)
            }
            _ => return None,
        };
        (arguments.len() == count).then(|| Call {
            whole: tree.range(expr),
            arguments,
            of,
        })
    };
    walk::exprs(tree).into_iter().filter_map(call).collect()
}

/// What stands in the place of a call.
struct Inlined<'t> {
    tree: &'t Tree<'t>,
    /// The module that the copies come from, if they go to another one.
    from: Option<&'t Module>,
    text: Patchwork<'t>,
}

impl<'t> Inlined<'t> {
    fn new(tree: &'t Tree<'_>, from: Option<&'t Module>) -> Self {
        Inlined {
            tree,
            from,
            text: Patchwork::of(tree.text),
        }
    }

    /// The body of the function as this call runs it; `None` if a parameter is not a plain name.
    fn body(&mut self, function: &Function<'_>, call: &Call<'_>) -> Option<()> {
        let names: Option<Vec<String>> = { function.signature.inputs.iter() }
            .map(|parameter| match parameter {
                FnArg::Receiver(_) => Some("self".to_owned()),
                FnArg::Typed(typed) => match &*typed.pat {
                    Pat::Ident(name) if name.subpat.is_none() => Some(name.ident.to_string()),
                    Pat::Wild(_) => Some("_".to_owned()),
                    _ => None,
                },
            })
            .collect();
        let names = names?;
        let (range, is_atom) = match function.block.stmts.as_slice() {
            [Stmt::Expr(expr, None)] => (self.tree.range(expr), is_atom(expr)),
            _ => (self.tree.range(function.block), true),
        };
        self.text.push(if is_atom { "" } else { "(" });
        let mut done = range.start;
        for (place, word) in words(self.tree, function.block, &range) {
            let argument = names.iter().position(|name| word == *name);
            let own_type = function.own_type.clone().filter(|_| word == "Self");
            if argument.is_none() && own_type.is_none() {
                if let Some(path) = self.path_to(&word) {
                    self.text.copy(done..place.start);
                    done = place.start;
                    self.text.push(path);
                }
                continue;
            }
            self.text.copy(done..place.start);
            done = place.end;
            if walk::is_short_field(self.tree, &place) {
                self.text.copy(place);
                self.text.push(": ");
            }
            if let Some(argument) = argument.and_then(|index| call.arguments.get(index)) {
                self.argument(argument);
            } else {
                let path = self.path_to(&function.own_name(self.tree));
                self.text.push(path.unwrap_or_default());
                self.text.copy(own_type?);
            }
        }
        self.text.copy(done..range.end);
        self.text.push(if is_atom { "" } else { ")" });
        Some(())
    }

    /// What has to stand before the name of an item so that it is found from the other module.
    fn path_to(&self, word: &str) -> Option<&'t str> {
        let from = self.from.filter(|from| from.names.contains(word))?;
        Some(&from.path)
    }

    fn argument(&mut self, argument: &Expr) {
        let is_atom = is_atom(argument);
        self.text.push(if is_atom { "" } else { "(" });
        self.text.copy(self.tree.range(argument));
        self.text.push(if is_atom { "" } else { ")" });
    }
}

/// Whether an expression needs no parentheses wherever it stands.
fn is_atom(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Array(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Try(_)
            | Expr::Tuple(_)
    )
}

/// The words within a range of a block that name variables or types: not those behind a `.` or `::`.
fn words(tree: &Tree<'_>, block: &Block, range: &Range<usize>) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let (mut is_member, mut is_colon) = (false, false);
    for token in walk::flat_tokens(block) {
        if let TokenTree::Ident(word) = &token {
            let place = tree.span(word.span());
            if !is_member && range.contains(&place.start) {
                found.push((place, word.to_string()));
            }
        }
        is_member = match &token {
            TokenTree::Punct(punct) if punct.as_char() == '.' => true,
            // The second of two.
            TokenTree::Punct(punct) if punct.as_char() == ':' => is_colon,
            _ => false,
        };
        is_colon = matches!(&token, TokenTree::Punct(punct)
            if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply};

    fn results(text: &str) -> Vec<String> {
        let look = |tree: &Tree<'_>| {
            let reductions = propose(tree);
            reductions.iter().map(|it| apply(text, [it])).collect()
        };
        Tree::with(text, StandIn::Panic, look).unwrap()
    }

    #[test]
    fn a_method_gets_its_receiver_and_type() {
        let text = "impl A<u8> { fn f(self, at: u8) -> E { E { at, by: self.by, of: Self::N } } } \
                    fn g(a: A<u8>) { a.f(1); }";
        assert_eq!(
            results(text),
            ["impl A<u8> {  } fn g(a: A<u8>) { (E { at: 1, by: a.by, of: A<u8>::N }); }"]
        );
    }

    #[test]
    fn a_body_of_several_statements_becomes_a_block() {
        let text = "fn f(a: u8) { g(a); h(a) } fn i() { f(1 + 2) }";
        assert_eq!(results(text), [" fn i() { { g((1 + 2)); h((1 + 2)) } }"]);
    }

    #[test]
    fn items_are_named_by_their_path_in_another_module() {
        let text =
            "struct E; impl E { fn f(self) { E::g(Self); h::E } } mod a { fn b(e: T) { e.f() } }";
        assert_eq!(
            results(text),
            ["struct E; impl E {  } mod a { fn b(e: T) { { crate::E::g(crate::E); h::E } } }"]
        );
    }

    #[test]
    fn functions_of_the_same_name_are_told_apart() {
        let text = "impl A { fn new() -> A { A(B::new()) } } impl B { fn new() -> B { B } } fn f() { A::new(); }";
        assert_eq!(
            results(text),
            [
                "impl A {  } impl B { fn new() -> B { B } } fn f() { A(B::new()); }",
                "impl A { fn new() -> A { A(B) } } impl B {  } fn f() { A::new(); }",
            ]
        );
        let text = "impl A { fn f(self) { self.b.f() } } impl B { fn f(self) { 1 } } fn g(a: A) { a.f(); }";
        let results = results(text);
        for expected in [
            "impl A {  } impl B { fn f(self) { 1 } } fn g(a: A) { a.b.f(); }",
            "impl A { fn f(self) { 1 } } impl B {  } fn g(a: A) { a.f(); }",
        ] {
            assert!(results.contains(&expected.to_owned()), "{results:#?}");
        }
    }

    #[test]
    fn what_calls_itself_returns_early_or_is_a_value_stays() {
        assert!(results("fn f(a: u8) { f(a) } fn g() { f(1) }").is_empty());
        assert!(results("fn f(a: u8) { return } fn g() { f(1) }").is_empty());
        assert!(results("fn f(a: u8) {} fn g() { f(1); h(f) }").is_empty());
        assert!(results("fn f((a, b): C) {} fn g() { f(1) }").is_empty());
    }
}

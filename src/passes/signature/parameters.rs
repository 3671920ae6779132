//! Parameters of functions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use syn::{Expr, FnArg, GenericParam, Pat, PatIdent, Signature};

use crate::passes::{Effect, Pass, Tier};
use crate::reduce::RangeExt;
use crate::rust::names::called;
use crate::rust::{Reduction, Tree};
use crate::source::typed;

/// Removes a parameter: alone, and with the arguments at its place in all calls by that name (and in
/// the other functions of that name: a trait's method and what implements it), or only in those with as
/// many. Generic parameters that only its type names go with it. Where all calls give the same word or literal, that stands
/// in the place of the parameter.
pub(crate) const PASS: Pass = Pass {
    name: "parameters",
    about: "remove parameters and their arguments",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f(a: u8, b: u8) {} fn g() { f(1, 2) }",
    after: "fn f(b: u8) {} fn g() { f(2) }",
    propose,
};

/// The parameters of a function but for `self`.
struct Function<'t> {
    signature: &'t Signature,
    parameters: Vec<Range<usize>>,
    /// What stands between its braces, if it has a body.
    body: Option<Range<usize>>,
}

impl<'t> Function<'t> {
    fn new(tree: &Tree<'_>, signature: &'t Signature, body: Option<Range<usize>>) -> Self {
        let all = tree.elements(&signature.inputs).into_iter();
        let parameters = all.skip(usize::from(has_receiver(signature))).collect();
        Function { signature, parameters, body }
    }

    /// The generic parameters that nothing in the signature names but the parameter at that place.
    fn generics_of(&self, tree: &Tree<'_>, place: usize) -> Vec<Range<usize>> {
        let Some(parameter) = self.parameters.get(place) else { return Vec::new() };
        let generics = &self.signature.generics.params;
        let is_only_there = |generic: &GenericParam| {
            let GenericParam::Type(generic) = generic else { return false };
            let mut mentions = tree.mentions(self.signature, &generic.ident);
            mentions.retain(|mention| *mention != tree.range(&generic.ident));
            let is_inside = |mention: &Range<usize>| parameter.covers(mention);
            !mentions.is_empty() && mentions.iter().all(is_inside)
        };
        let gone = generics
            .iter()
            .zip(tree.elements(generics))
            .filter(|(generic, _)| is_only_there(generic));
        gone.map(|(_, range)| range).collect()
    }

    /// What is `removed` with the parameter at that place, and what all calls give for it wherever the function uses it, if
    /// that is the same word, path or literal. What the function hands on to itself does not count.
    fn with_given(
        &self,
        tree: &Tree<'_>,
        place: usize,
        given: &[&Argument<'_>],
        removed: &Reduction,
    ) -> Option<Reduction> {
        let parameter = self.signature.inputs.iter().filter_map(typed).nth(place)?;
        let Pat::Ident(PatIdent { ident, .. }) = &*parameter.pat else { return None };
        let (name, body) = (ident.to_string(), self.body.as_ref()?);
        let text = |argument: &Argument<'_>| tree.text_of(argument.value);
        let is_own = |it: &Argument<'_>| body.contains(&it.range.start) && text(it) == name;
        let mut others = given.iter().copied().filter(|argument| !is_own(argument));
        let first = others.next().filter(|it| is_known_everywhere(tree, it.value))?;
        if !others.all(|other| text(other) == text(first)) {
            return None;
        }
        let mut uses = tree.uses(&name, body).peekable();
        uses.peek()?;
        let replaced = |reduction, usage| tree.replace_expr(reduction, usage, first.value);
        Some(uses.fold(removed.clone(), replaced))
    }
}

/// The arguments of a call.
struct Call<'t> {
    args: Vec<Argument<'t>>,
    is_method: bool,
}

/// An argument, and what goes with it: the comma, too.
struct Argument<'t> {
    value: &'t Expr,
    range: Range<usize>,
}

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    let mut by_name: BTreeMap<String, Vec<Function<'_>>> = BTreeMap::new();
    let mut bodies: HashMap<usize, Range<usize>> = tree
        .functions()
        .map(|(signature, block)| (tree.range(signature).start, tree.range(block)))
        .collect();
    for signature in tree.signatures() {
        let name = signature.ident.to_string();
        let alone = tree.elements(&signature.inputs).into_iter();
        reductions.extend(alone.map(Reduction::remove));
        let body = bodies.remove(&tree.range(signature).start);
        let function = Function::new(tree, signature, body);
        by_name.entry(name).or_default().push(function);
    }
    let calls = calls(tree);
    for (name, functions) in &by_name {
        let functions: Vec<&Function<'_>> = functions.iter().collect();
        let calls = calls.get(name).map_or(&[][..], Vec::as_slice);
        let args: Vec<&[Argument<'_>]> = calls.iter().map(|call| &*call.args).collect();
        reductions.extend(with_arguments(tree, &functions, &args));
        let arities: BTreeSet<usize> =
            functions.iter().map(|function| function.parameters.len()).collect();
        for arity in arities {
            let functions: Vec<&Function<'_>> = functions
                .iter()
                .copied()
                .filter(|function| function.parameters.len() == arity)
                .collect();
            let takes_self = functions.iter().any(|it| has_receiver(it.signature));
            let calls = calls.iter().filter_map(|call| call.of(arity, takes_self));
            let args: Vec<&[Argument<'_>]> = calls.collect();
            reductions.extend(with_arguments(tree, &functions, &args));
        }
    }
    reductions.sort_by_key(Reduction::start);
    reductions
}

/// Removes what is at each place of these functions and calls, with and without the generic parameters
/// that nothing else names.
fn with_arguments(
    tree: &Tree<'_>,
    functions: &[&Function<'_>],
    calls: &[&[Argument<'_>]],
) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    let arity = functions.iter().map(|function| function.parameters.len());
    for place in 0..arity.max().unwrap_or(0) {
        let parameters = functions.iter().filter_map(|function| function.parameters.get(place));
        let given: Vec<&Argument<'_>> = calls.iter().filter_map(|args| args.get(place)).collect();
        let ranges = parameters.chain(given.iter().map(|argument| &argument.range)).cloned();
        let together = ranges.fold(Reduction::default(), Reduction::and_remove);
        let generics = functions.iter().map(|it| it.generics_of(tree, place));
        let more = generics.flatten();
        let with_generics = more.fold(together.clone(), Reduction::and_remove);
        if let [function] = functions {
            reductions.extend(function.with_given(tree, place, &given, &with_generics));
        }
        if with_generics != together {
            reductions.push(with_generics);
        }
        if together.changes.len() > 1 {
            reductions.push(together);
        }
    }
    reductions
}

/// Whether an expression is a literal, or a word or path that is no variable.
fn is_known_everywhere(tree: &Tree<'_>, value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.get_ident().is_none_or(|name| {
            let is_lower = name.to_string().starts_with(char::is_lowercase);
            *name != "self" && !(is_lower && tree.patterns_of(name).next().is_some())
        }),
        _ => false,
    }
}

impl<'t> Call<'t> {
    /// The arguments, if it may be one of a function with so many parameters besides `self`.
    fn of(&self, arity: usize, takes_self: bool) -> Option<&[Argument<'t>]> {
        let is_path_with_self = takes_self && !self.is_method && self.args.len() == arity + 1;
        if is_path_with_self {
            return Some(&self.args[1..]);
        }
        (self.args.len() == arity).then_some(&*self.args)
    }
}

fn has_receiver(signature: &Signature) -> bool {
    matches!(signature.inputs.first(), Some(FnArg::Receiver(_)))
}

/// Calls and method calls, by the name of what is called.
fn calls<'t>(tree: &Tree<'t>) -> HashMap<String, Vec<Call<'t>>> {
    let mut calls: HashMap<String, Vec<_>> = HashMap::new();
    for expr in tree.exprs() {
        let (args, is_method) = match expr {
            Expr::Call(call) => (&call.args, false),
            Expr::MethodCall(call) => (&call.args, true),
            _ => continue,
        };
        let Some(name) = called(expr) else { continue };
        let ranges = tree.elements(args);
        let args = args.iter().zip(ranges).map(|(value, range)| Argument { value, range });
        calls.entry(name.to_string()).or_default().push(Call { args: args.collect(), is_method });
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes, results};

    #[test]
    fn functions_of_the_same_name_may_have_other_parameters() {
        proposes(
            propose,
            "impl A { fn f(&self, a: u8, b: u8) {} } impl B { fn f(&self, c: u8) { x.f(1, 2); A::f(x, 3, 4); y.f(5) } }",
            "impl A { fn f(&self, b: u8) {} } impl B { fn f(&self, c: u8) { x.f( 2); A::f(x, 4); y.f(5) } }",
        );
    }

    #[test]
    fn what_all_calls_give_stands_in_the_place_of_the_parameter() {
        proposes(
            propose,
            "fn f<P: Fn(u8)>(a: u8, p: P) { p(a); f(a, p) } fn g() { f(1, h); f(2, h) }",
            "fn f<>(a: u8) { h(a); f(a) } fn g() { f(1); f(2) }",
        );
        let results =
            results(propose, "fn f(a: u8, b: u8) { g(a, b); } fn h() { f(1, 2); f(3, i()) }");
        let is_used = |result: &String| result.contains("g(1") || result.contains(", i()); }");
        assert!(!results.iter().any(is_used), "{results:?}");
        // A variable means nothing elsewhere.
        let results = lines(propose, "fn f(a: u8) { g(a); } fn h(b: u8) { f(b); }");
        assert!(!results.iter().any(|result| result.contains("g(b)")), "{results:?}");
    }

    #[test]
    fn a_generic_parameter_goes_with_what_alone_has_its_type() {
        proposes(
            propose,
            "fn f<T, F: Fn(T)>(t: T, f: F) {} fn g() { f(1, h) }",
            "fn f<T>(t: T) {} fn g() { f(1) }",
        );
        proposes(
            propose,
            "fn f<T>(t: &T, u: u8) {} fn g() { f(1, h) }",
            "fn f<>( u: u8) {} fn g() { f( h) }",
        );
    }
}

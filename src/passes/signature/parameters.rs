//! Parameters of functions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use syn::{Expr, FnArg, GenericParam, Signature};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::last_word;

/// Removes a parameter: alone, and with the arguments at its place in all calls by that name (and in
/// the other functions of that name: a trait's method and what implements it), or only in those with as
/// many. Generic parameters that only its type names go with it.
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
}

impl<'t> Function<'t> {
    fn new(tree: &Tree<'_>, signature: &'t Signature) -> Self {
        let all = tree.elements(&signature.inputs).into_iter();
        Function { signature, parameters: all.skip(usize::from(has_receiver(signature))).collect() }
    }

    /// The generic parameters that nothing in the signature names but the parameter at that place.
    fn generics_of(&self, tree: &Tree<'_>, place: usize) -> Vec<Range<usize>> {
        let Some(parameter) = self.parameters.get(place) else { return Vec::new() };
        let generics = &self.signature.generics.params;
        let is_only_there = |generic: &GenericParam| {
            let GenericParam::Type(generic) = generic else { return false };
            let mut mentions = tree.mentions(self.signature, &generic.ident);
            mentions.retain(|mention| *mention != tree.range(&generic.ident));
            let is_inside = |mention: &Range<usize>| {
                parameter.start <= mention.start && mention.end <= parameter.end
            };
            !mentions.is_empty() && mentions.iter().all(is_inside)
        };
        let gone = generics
            .iter()
            .zip(tree.elements(generics))
            .filter(|(generic, _)| is_only_there(generic));
        gone.map(|(_, range)| range).collect()
    }
}

/// The arguments of a call.
struct Call {
    args: Vec<Range<usize>>,
    is_method: bool,
}

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    let mut by_name: BTreeMap<String, Vec<Function<'_>>> = BTreeMap::new();
    for signature in tree.signatures() {
        let name = signature.ident.to_string();
        let alone = tree.elements(&signature.inputs).into_iter();
        reductions.extend(alone.map(Reduction::remove));
        let function = Function::new(tree, signature);
        by_name.entry(name).or_default().push(function);
    }
    let calls = calls(tree);
    for (name, functions) in &by_name {
        let functions: Vec<&Function<'_>> = functions.iter().collect();
        let calls = calls.get(name).map_or(&[][..], Vec::as_slice);
        let args: Vec<&[Range<usize>]> = calls.iter().map(|call| &*call.args).collect();
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
            let args: Vec<&[Range<usize>]> = calls.collect();
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
    calls: &[&[Range<usize>]],
) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    let arity = functions.iter().map(|function| function.parameters.len());
    for place in 0..arity.max().unwrap_or(0) {
        let parameters = functions.iter().map(|function| &*function.parameters);
        let lists = parameters.chain(calls.iter().copied());
        let ranges = lists.filter_map(|list| list.get(place)).cloned();
        let together = ranges.fold(Reduction::default(), Reduction::and_remove);
        let generics = functions.iter().map(|it| it.generics_of(tree, place));
        let more = generics.flatten();
        let with_generics = more.fold(together.clone(), Reduction::and_remove);
        if with_generics != together {
            reductions.push(with_generics);
        }
        if together.changes.len() > 1 {
            reductions.push(together);
        }
    }
    reductions
}

impl Call {
    /// The arguments, if it may be one of a function with so many parameters besides `self`.
    fn of(&self, arity: usize, takes_self: bool) -> Option<&[Range<usize>]> {
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
fn calls(tree: &Tree<'_>) -> HashMap<String, Vec<Call>> {
    let mut calls: HashMap<String, Vec<_>> = HashMap::new();
    for expr in tree.exprs() {
        let (name, args, is_method) = match expr {
            Expr::Call(call) => {
                let Expr::Path(func) = &*call.func else { continue };
                let Some(last) = last_word(&func.path) else { continue };
                (last, &call.args, false)
            }
            Expr::MethodCall(call) => (&call.method, &call.args, true),
            _ => continue,
        };
        calls
            .entry(name.to_string())
            .or_default()
            .push(Call { args: tree.elements(args), is_method });
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;

    #[test]
    fn functions_of_the_same_name_may_have_other_parameters() {
        proposes(
            propose,
            "impl A { fn f(&self, a: u8, b: u8) {} } impl B { fn f(&self, c: u8) { x.f(1, 2); A::f(x, 3, 4); y.f(5) } }",
            "impl A { fn f(&self, b: u8) {} } impl B { fn f(&self, c: u8) { x.f( 2); A::f(x, 4); y.f(5) } }",
        );
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

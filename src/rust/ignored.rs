//! Arguments that functions no longer look at.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::{Pat, Signature};

use super::{Sources, Tree, calls_of, defined_functions, function_of, functions_in};
use crate::source::{mentioned, typed};

/// What a function looks at.
struct Looks {
    name: String,
    /// How many arguments it takes, the receiver among them.
    arguments: usize,
    /// Whether it has arguments beside the receiver, and names one of them.
    has_others: bool,
    names_one: bool,
}

/// The first function that a test calls and that names none of its arguments, be there a receiver or not, though all of that
/// name did `before`: what it computes is no longer about them.
pub fn ignoring_function(before: &Sources, now: &Sources, test: &str) -> Option<String> {
    let called = called_in(now, function_of(test));
    let [before, now] = [before, now].map(|sources| looks(sources, &called));
    let ignores = |it: &&Looks| {
        let is_like = |other: &&Looks| other.name == it.name && other.arguments == it.arguments;
        let mut were = before.iter().filter(is_like).peekable();
        it.has_others
            && !now.iter().filter(is_like).any(|it| it.names_one)
            && were.peek().is_some()
            && were.all(|it| it.names_one)
    };
    now.iter().find(ignores).map(|it| it.name.clone())
}

/// The names of functions and methods of the sources that a test calls.
fn called_in(sources: &Sources, test: &str) -> BTreeSet<String> {
    let defined = defined_functions(sources);
    let bodies = functions_in(sources, &[test]).into_iter();
    let called =
        bodies.flat_map(|(file, range)| calls_of(&sources.files[file].text[range], &defined));
    // It begins with its own name.
    called.filter(|name| name != test).collect()
}

/// What the functions and methods of these names look at.
fn looks(sources: &Sources, names: &BTreeSet<String>) -> Vec<Looks> {
    let files = Tree::each(sources, |_, tree| {
        let named = tree.functions().filter(|(head, _)| names.contains(&head.ident.to_string()));
        let looks = named.map(|(head, body)| Looks::of(head, &mentioned(body.to_token_stream())));
        looks.collect::<Vec<Looks>>()
    });
    files.flat_map(|(_, looks)| looks).collect()
}

impl Looks {
    fn of(head: &Signature, used: &BTreeSet<String>) -> Self {
        let others = head.inputs.iter().filter_map(typed);
        // Of other patterns a part may be named.
        let is_named = |pattern: &Pat| match pattern {
            Pat::Ident(variable) => used.contains(&variable.ident.to_string()),
            Pat::Wild(_) => false,
            _ => true,
        };
        Looks {
            name: head.ident.to_string(),
            arguments: head.inputs.len(),
            names_one: others.clone().any(|other| is_named(&other.pat)),
            has_others: others.count() > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of;

    #[test]
    fn a_function_that_a_test_calls_looks_at_one_of_its_arguments() {
        let before = "impl A { fn cut(&mut self, from: u8, to: u8) -> A { if from > self.a + to { B } else { C } } fn put(&mut self, _: u8) {} } \
                      #[test] fn t() { let mut a = A::new(); a.put(1); assert_eq!(a.cut(1, 2), C); }";
        let ignoring = |old: &str, new: &str| {
            let now = before.replace(old, new);
            assert_ne!(now, before);
            ignoring_function(&sources_of(before), &sources_of(&now), "tests::t")
        };
        assert_eq!(ignoring("from > self.a + to", "self.a > 0"), Some("cut".to_owned()));
        let without_names = "fn cut(&mut self, _: u8, _: u8) -> A { B }";
        let whole =
            "fn cut(&mut self, from: u8, to: u8) -> A { if from > self.a + to { B } else { C } }";
        assert_eq!(ignoring(whole, without_names), Some("cut".to_owned()));
        assert_eq!(ignoring("from > self.a + to", "to > 0"), None);
        // It takes others, or is not called.
        assert_eq!(ignoring(whole, "fn cut(&mut self, _: u8) -> A { B }"), None);
        let now = before.replace("from > self.a + to", "true").replace("a.cut(1, 2)", "a");
        assert_eq!(ignoring_function(&sources_of(before), &sources_of(&now), "t"), None);
    }
}

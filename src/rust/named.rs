//! Functions by their names, to see whether they are what they were.

use quote::ToTokens;
use syn::Item;

use super::{StandIn, Tree};

/// The functions of that name, wherever they stand in a text: their tokens, but for commas, of which a
/// layout puts in some.
pub fn functions_named(text: &str, name: &str) -> Vec<String> {
    let look = |tree: &Tree<'_>| {
        let items = tree.items();
        let named = items.filter_map(|item| match item {
            Item::Fn(function) if function.sig.ident == name => Some(function),
            _ => None,
        });
        let texts = named.map(|function| {
            let text = function.to_token_stream().to_string();
            let dense: String = text.split_whitespace().collect();
            // The modules around it may go.
            dense.replace(',', "").replace("super::", "")
        });
        texts.collect()
    };
    Tree::with(text, StandIn::Panic, look).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_functions_named_holds() {
        use crate::rust::functions_named;

        let one = functions_named("mod m { #[test] fn f() { g(1, 2,) } }", "f");
        assert_eq!(one, functions_named("#[test] fn f() { g(1, 2) }", "f"));
        assert_eq!(
            one,
            functions_named("mod m { #[test] fn f() { super::g(1, 2) } }", "f")
        );
        assert_ne!(one, functions_named("#[test] fn f() {}", "f"));
    }
}

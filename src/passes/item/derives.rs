//! Parts of attributes.

use proc_macro2::{TokenStream, TokenTree};
use syn::Token;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes one part of a list in an attribute: a derive, a feature, a lint.
pub(crate) const PASS: Pass = Pass {
    name: "derives",
    about: "remove parts of derive, feature and other attribute lists",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "#[derive(Clone, Debug)] struct A;",
    after: "#[derive(Debug)] struct A;",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    tree.attributes()
        .filter_map(|attribute| attribute.meta.require_list().ok())
        .filter_map(|list| parts_at_commas(&list.tokens))
        .filter(|parts| parts.len() > 1)
        .flat_map(|parts| tree.elements(&parts))
        .map(Reduction::remove)
        .collect()
}

/// What stands between commas, whatever it is; `None` where something is missing.
fn parts_at_commas(tokens: &TokenStream) -> Option<Punctuated<TokenStream, Token![,]>> {
    let part = |input: ParseStream| {
        let mut tokens = vec![input.parse::<TokenTree>()?];
        while !input.is_empty() && !input.peek(Token![,]) {
            tokens.push(input.parse()?);
        }
        Ok(tokens.into_iter().collect())
    };
    let parts = |input: ParseStream| Punctuated::parse_terminated_with(input, part);
    parts.parse2(tokens.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes};

    #[test]
    fn the_only_part_goes_with_the_attribute_whatever_stands_before_it() {
        assert_eq!(lines(propose, "#[derive(Debug)] struct A;"), [""; 0]);
        let text = "#[derive(Clone, Copy)] struct A; #[derive(Debug)] struct B;";
        let [first, second] = ["Copy", "Clone"].map(|left| text.replacen("Clone, Copy", left, 1));
        assert_eq!(lines(propose, text), [first.replace("(Copy", "( Copy"), second]);
    }

    #[test]
    fn parts_may_be_of_any_kind() {
        let text = "#[case(1, 2 => 3)] #[cfg(any(a, b), not(c),)] fn f() {}";
        proposes(propose, text, "#[case(1)] #[cfg(any(a, b), not(c),)] fn f() {}");
        proposes(propose, text, "#[case(1, 2 => 3)] #[cfg(any(a, b), )] fn f() {}");
    }
}

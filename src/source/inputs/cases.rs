//! Test cases given as arguments of attributes: `#[case(…)]` of rstest, `#[test_case(…)]`.

use std::ops::Range;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Attribute, Expr, FnArg, ItemFn, Lit, Meta, Signature, Token};

use super::walk::Walk;
use crate::source::parse::{range, then_anything};
use crate::source::patterns::typed;
use crate::source::tokens::{last_name, plain};
use crate::source::{Crate, Harness, Located};

const VALUES: &str = "a value of `#[values]` is part of the test's name; write the case as a plain `#[test]` to reduce it";

/// Walks the arguments of the case that the harness calls `name`; of all cases if that is not clear.
pub(super) fn walk_cases(walk: &mut Walk<'_, '_>, function: &ItemFn, name: &str) {
    let (chosen, _) = split_cases(&function.attrs, name);
    for argument in chosen.into_iter().filter_map(arguments).flatten() {
        walk.visit_expr(&argument);
    }
    for argument in function.sig.inputs.iter().filter_map(typed) {
        for values in argument.attrs.iter().filter(|it| is_named(it, "values")) {
            walk.skip(values, VALUES);
        }
    }
}

impl Located {
    /// The attributes that make other cases of the same function, with the blanks behind them.
    pub(crate) fn other_cases(&self, krate: &Crate) -> Vec<Range<usize>> {
        let Harness::Cases { case: Some(case), .. } = &self.facts.harness else {
            return Vec::new();
        };
        let text = &krate.file(self.file).text;
        let ranges = |function: ItemFn| {
            let (_, others) = split_cases(&function.attrs, case);
            let with_blanks = |attribute: &Attribute| {
                let range = range(attribute.span(), self.span.start);
                let after = &text[range.end..];
                range.start..text.len() - after.trim_start().len()
            };
            others.into_iter().map(with_blanks).collect()
        };
        self.look_at(krate, ranges).unwrap_or_default()
    }
}

/// The case that the harness calls `name`, and the others; if it is not clear which one that is, it
/// may be any.
pub(crate) fn split_cases<'a>(
    attributes: &'a [Attribute],
    name: &str,
) -> (Vec<&'a Attribute>, Vec<&'a Attribute>) {
    let cases: Vec<&Attribute> = attributes.iter().filter(|it| is_case(it)).collect();
    let numbered = number_of(name).and_then(|number| number.checked_sub(1));
    let is_it = |(index, case): &(usize, &Attribute)| match numbered {
        Some(number) => *index == number,
        None => description_of(case).is_some_and(|text| as_name(&text) == name.trim_matches('_')),
    };
    let chosen = cases.iter().copied().enumerate().find(is_it);
    let Some((index, case)) = chosen else { return (cases, Vec::new()) };
    let mut others = cases;
    others.remove(index);
    (vec![case], others)
}

fn is_named(attribute: &Attribute, name: &str) -> bool {
    last_name(attribute.path()) == name
}

fn is_case(attribute: &Attribute) -> bool {
    // rstest also knows `#[case::description(…)]`.
    let first = attribute.path().segments.first().map(|segment| plain(&segment.ident));
    matches!(first.as_deref(), Some("case" | "test_case")) || is_named(attribute, "test_case")
}

/// The 2 of `case_2_of_something` or `test_case_2`.
fn number_of(name: &str) -> Option<usize> {
    let name = name.strip_prefix("test_").unwrap_or(name);
    let digits = name.strip_prefix("case_")?.split('_').next()?;
    digits.parse().ok()
}

/// The text behind the `;` of `#[test_case(1, 2; "text")]`.
fn description_of(case: &Attribute) -> Option<String> {
    let Meta::List(list) = &case.meta else { return None };
    let parser = |input: syn::parse::ParseStream<'_>| {
        Punctuated::<Expr, Token![,]>::parse_separated_nonempty(input)?;
        input.parse::<Token![;]>()?;
        input.parse::<Lit>()
    };
    match parser.parse2(list.tokens.clone()).ok()? {
        Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

/// A description as the name of a test.
fn as_name(description: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric();
    let words = description.split(|c| !is_word(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_").to_lowercase()
}

/// What a case gives to the function for its argument at `place`.
pub(crate) fn case_argument(case: &Attribute, function: &Signature, place: usize) -> Option<Expr> {
    if !is_case(case) {
        return None;
    }
    let is_marked = |argument: &&FnArg| {
        typed(argument).is_some_and(|typed| typed.attrs.iter().any(|it| is_named(it, "case")))
    };
    let before = function.inputs.iter().take(place);
    let this = function.inputs.iter().nth(place)?;
    // rstest marks the arguments that get one, for `test_case` all do.
    let place = if is_marked(&this) { before.filter(is_marked).count() } else { before.count() };
    arguments(case)?.into_iter().nth(place)
}

/// The arguments of a case, without the description or expected result that may follow them.
fn arguments(case: &Attribute) -> Option<Punctuated<Expr, Token![,]>> {
    let Meta::List(list) = &case.meta else { return None };
    let parser = then_anything(Punctuated::parse_separated_nonempty);
    parser.parse2(list.tokens.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(name: &str) -> Vec<String> {
        let function: ItemFn = syn::parse_quote! {
            #[test_case(1; "the First one")]
            #[test_case(2, "x"; "second")]
            fn t() {}
        };
        let (chosen, others) = split_cases(&function.attrs, name);
        assert_eq!(chosen.len() + others.len(), 2);
        let text = |case: &&Attribute| description_of(case).unwrap();
        chosen.iter().map(text).collect()
    }

    #[test]
    fn a_case_is_known_by_its_number_or_its_description() {
        assert_eq!(chosen("case_2"), ["second"]);
        assert_eq!(chosen("test_case_1_the_first_one"), ["the First one"]);
        assert_eq!(chosen("_the_first_one"), ["the First one"]);
        assert_eq!(chosen("unknown").len(), 2);
    }
}

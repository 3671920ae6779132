//! Test cases given as arguments of attributes: `#[case(…)]` of rstest, `#[test_case(…)]`.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Attribute, Expr, Meta, Token};

use super::walk::Walk;
use crate::source::load::plain;

/// Walks the arguments of the case that the harness calls `name`; of all cases if that is not clear.
pub(super) fn walk_cases(walk: &mut Walk<'_, '_>, attributes: &[Attribute], name: &str) {
    let cases: Vec<&Attribute> = attributes.iter().filter(|it| is_case(it)).collect();
    let numbered = number_of(name).and_then(|number| cases.get(number.checked_sub(1)?));
    match numbered {
        Some(case) => walk_case(walk, case),
        None => cases.into_iter().for_each(|case| walk_case(walk, case)),
    }
}

fn is_case(attribute: &Attribute) -> bool {
    // rstest also knows `#[case::description(…)]`.
    let names: Vec<String> = attribute
        .path()
        .segments
        .iter()
        .map(|segment| plain(&segment.ident))
        .collect();
    names
        .first()
        .is_some_and(|name| name == "case" || name == "test_case")
        || names.last().is_some_and(|name| name == "test_case")
}

/// The 2 of `case_2_of_something`.
fn number_of(name: &str) -> Option<usize> {
    let digits = name.strip_prefix("case_")?.split('_').next()?;
    digits.parse().ok()
}

fn walk_case(walk: &mut Walk<'_, '_>, case: &Attribute) {
    let Meta::List(list) = &case.meta else { return };
    // A description or an expected result follows the arguments.
    let parser = |input: syn::parse::ParseStream<'_>| {
        let arguments = Punctuated::<Expr, Token![,]>::parse_separated_nonempty(input)?;
        input.parse::<proc_macro2::TokenStream>()?;
        Ok(arguments)
    };
    if let Ok(arguments) = parser.parse2(list.tokens.clone()) {
        for argument in &arguments {
            walk.visit_expr(argument);
        }
    }
}

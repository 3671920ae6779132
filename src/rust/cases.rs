//! One case of a test that has several, as a plain test: `#[rstest]`, `#[test_case(…)]`.
//!
//! The other cases go at once, the arguments become variables that every pass can reduce, and the macro
//! is no longer needed. The same holds for `#[values(…)]` and for what fixtures give. What makes a test
//! besides (a result behind `=>`, `#[future]`) stays with the macro.

use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ItemFn, Lit, Meta, PatType, Token};

use super::case_arguments::{Lets, expressions, is_called, named, variable};
use super::{Reduction, StandIn, Tree};
use crate::source::{is_test, split_cases, typed};

/// The function whose name is at `place` as a plain test of the case that the harness calls `case`
/// (`case_1::n_2_x`), or of its only one if that is empty.
pub fn plain_case(text: &str, place: usize, case: &str) -> Option<Reduction> {
    let find = |tree: &Tree<'_>| {
        let is_it = |function: &&ItemFn| tree.span(function.sig.ident.span()).start == place;
        plain(tree, tree.item_functions().find(is_it)?, case)
    };
    Tree::with(text, StandIn::Panic, find).ok()?
}

fn plain(tree: &Tree<'_>, function: &ItemFn, name: &str) -> Option<Reduction> {
    let parameters = function.sig.inputs.iter().map(typed);
    let parameters: Vec<&PatType> = parameters.collect::<Option<_>>()?;
    let (case, values) = parts(name, &parameters)?;
    let mut values = values.into_iter();
    let (chosen, others) = split_cases(&function.attrs, case);
    let (case, macros) = match (&chosen[..], case.is_empty()) {
        ([case], false) => (Some(*case), [chosen, others].concat()),
        ([], true) => (None, Vec::new()),
        _ => return None,
    };
    let rstest = named(&function.attrs, "rstest");
    let is_test_case = case.is_some_and(|case| is_called(case, "test_case"));
    let mut arguments = case.map_or(Some(Vec::new()), arguments)?.into_iter();
    let mut lets = Lets::new(tree);
    for parameter in parameters {
        if is_test_case || named(&parameter.attrs, "case").is_some() {
            lets.add(parameter, &arguments.next()?);
        } else if let Some(list) = named(&parameter.attrs, "values") {
            lets.add(parameter, &value(list, parameter, values.next()?)?);
        } else {
            lets.add_fixture(parameter)?;
        }
    }
    if arguments.next().is_some() {
        return None;
    }
    let maker = rstest.or(case.filter(|_| is_test_case))?;
    let open = tree.span(function.block.brace_token.span.open()).end;
    let inputs = tree.inside(&function.sig.paren_token.span);
    let mut reduction = lets.text.instead_of(open..open, Reduction::remove(inputs));
    for attribute in macros.into_iter().chain(rstest) {
        let is_kept = std::ptr::eq(attribute, maker) && !is_test(function);
        let text = if is_kept { "#[test]" } else { "" };
        reduction = reduction.and_replace(tree.range(attribute), text);
    }
    Some(reduction)
}

/// What the harness calls the case, and each of its listed values: `case_1`, `n_2_x`.
fn parts<'n>(name: &'n str, parameters: &[&PatType]) -> Option<(&'n str, Vec<&'n str>)> {
    let listed =
        parameters.iter().filter(|parameter| named(&parameter.attrs, "values").is_some()).count();
    let mut parts: Vec<&str> = name.split("::").filter(|part| !part.is_empty()).collect();
    let values = parts.split_off(parts.len().checked_sub(listed)?);
    match parts[..] {
        [] => Some(("", values)),
        [case] => Some((case, values)),
        _ => None,
    }
}

/// The value of `#[values(…)]` that the harness calls `n_2_x`: the second one of `n`.
fn value(list: &Attribute, parameter: &PatType, name: &str) -> Option<Expr> {
    let numbered = name.strip_prefix(&variable(parameter)?)?.strip_prefix('_')?;
    let number: usize = numbered.split('_').next()?.parse().ok()?;
    let values = expressions(list)?;
    values.into_iter().nth(number.checked_sub(1)?)
}

/// The arguments of a case, if it has no expected result.
fn arguments(case: &Attribute) -> Option<Vec<Expr>> {
    let Meta::List(list) = &case.meta else { return Some(Vec::new()) };
    let parser = |input: ParseStream<'_>| {
        let mut arguments: Vec<Expr> = Vec::new();
        while !input.is_empty() && !input.peek(Token![;]) {
            arguments.push(input.parse()?);
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        // A description.
        if input.parse::<Option<Token![;]>>()?.is_some() {
            input.parse::<Lit>()?;
        }
        Ok(arguments)
    };
    parser.parse2(list.tokens.clone()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;

    fn made(text: &str, case: &str) -> Option<String> {
        let place = text.find("fn x").unwrap() + 3;
        let plain = plain_case(text, place, case)?;
        let made = apply(text, [&plain]);
        Some(made.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn one_case_becomes_a_plain_test() {
        let text = "#[rstest] #[case(1, \"a\")] #[case(f(2), \"b\")] fn x(#[case] mut n: u8, #[case] s: &str) { g(n, s) }";
        assert_eq!(
            made(text, "case_2").unwrap(),
            "#[test] fn x() { let mut n: u8 = f(2); let s: &str = \"b\"; g(n, s) }"
        );
        assert_eq!(made(text, "case_3"), None);
    }

    #[test]
    fn fixtures_are_called_and_texts_are_parsed() {
        let text = "#[rstest] #[case::named(\"1\")] #[tokio::test] async fn x(shop: Shop, #[case] n: u8) {}";
        assert_eq!(
            made(text, "case_1_named").unwrap(),
            "#[tokio::test] async fn x() { let shop: Shop = shop::default(); let n: u8 = \"1\".parse().unwrap();}"
        );
    }

    #[test]
    fn listed_values_are_those_of_the_name() {
        let text = "#[rstest] #[case(1)] fn x(#[case] a: u8, #[values(f(2), 3)] b: u8, #[values(\"x\")] c: &str) {}";
        assert_eq!(
            made(text, "case_1::b_1_f_2_::c_1__x_").unwrap(),
            "#[test] fn x() { let a: u8 = 1; let b: u8 = f(2); let c: &str = \"x\";}"
        );
        assert_eq!(made(text, "case_1::b_1_f_2_"), None);
        let text = "#[rstest] fn x(#[values(1, 2)] mut n: u8) {}";
        assert_eq!(made(text, "n_2_2").unwrap(), "#[test] fn x() { let mut n: u8 = 2;}");
        assert_eq!(made(text, "n_3_2"), None);
    }

    #[test]
    fn fixtures_get_what_they_have_by_default_and_from_others() {
        let text = "#[fixture] fn size(#[default(7)] n: u8) -> u8 { n } #[fixture] #[once] fn shop(size: u8, #[default(\"1\")] m: u8) -> Shop { }";
        let with = |parameter: &str| {
            let made = made(&format!("{text} #[rstest] fn x({parameter}) {{}}"), "")?;
            Some(made.split_once("let ")?.1.to_owned())
        };
        assert_eq!(
            with("_shop: &Shop").unwrap(),
            "_shop: &Shop = &shop(size(7), \"1\".parse().unwrap());}"
        );
        assert_eq!(
            with("#[from(shop)] #[with(1, 2)] s: &Shop").unwrap(),
            "s: &Shop = &shop(1, 2);}"
        );
        assert_eq!(
            with("size: u8, #[from(size)] b: u8").unwrap(),
            "size: u8 = size(7); let b: u8 = self::size(7);}"
        );
        assert_eq!(with("other: u8").unwrap(), "other: u8 = other::default();}");
        assert_eq!(
            with("#[with(1, 2)] other: u8").unwrap(),
            "other: u8 = other::partial_2(1, 2);}"
        );
        assert_eq!(with("#[future] size: u8"), None);
    }

    #[test]
    fn test_cases_without_a_result_become_plain_tests() {
        let text = "#[test_case(1, 2; \"one\")] #[test_case(3, 4; \"three\")] fn x(a: u8, b: u8) { a / b; }";
        assert_eq!(
            made(text, "three").unwrap(),
            "#[test] fn x() { let a: u8 = 3; let b: u8 = 4; a / b; }"
        );
        assert_eq!(made("#[test_case(1 => 2; \"one\")] fn x(a: u8) -> u8 { a }", "one"), None);
    }

    #[test]
    fn what_is_more_than_a_case_stays() {
        assert_eq!(made("#[rstest] #[case(1, 2)] fn x(#[case] n: u8) {}", "case_1"), None);
        assert_eq!(made("#[test] fn x() {}", ""), None);
    }
}

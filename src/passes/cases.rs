//! One case of a test that has several, as a plain test: `#[rstest]`, `#[test_case(…)]`.
//!
//! The other cases go at once, the arguments become variables that every pass can reduce, and the macro
//! is no longer needed. What makes a test besides its cases (`#[values]`, a result behind `=>`) stays
//! with the macro.

use std::ops::Range;

use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, FnArg, Item, ItemFn, Lit, Meta, PatType, Token, Type};

use super::{Reduction, StandIn, Tree, walk};
use crate::source::split_cases;

/// The function whose name is at `place` as a plain test of the case that the harness calls `case`, or of
/// its only one if that is empty.
#[must_use]
pub fn plain_case(text: &str, place: usize, case: &str) -> Option<Reduction> {
    let find = |tree: &Tree<'_>| {
        let mut items = walk::items(tree).into_iter();
        let function = items.find_map(|item| match item {
            Item::Fn(function) if tree.span(function.sig.ident.span()).start == place => {
                Some(function)
            }
            _ => None,
        })?;
        plain(tree, function, case)
    };
    Tree::with(text, StandIn::Panic, find).ok()?
}

fn plain(tree: &Tree<'_>, function: &ItemFn, case: &str) -> Option<Reduction> {
    let (chosen, others) = split_cases(&function.attrs, case);
    let (case, macros) = match (&chosen[..], case.is_empty()) {
        ([case], false) => (Some(*case), [chosen, others].concat()),
        ([], true) => (None, Vec::new()),
        _ => return None,
    };
    let rstest = function.attrs.iter().find(|it| is_called(it, "rstest"));
    let is_test_case = case.is_some_and(|case| is_called(case, "test_case"));
    let mut arguments = case.map_or(Some(Vec::new()), arguments)?.into_iter();
    let mut lets = Lets::default();
    for parameter in &function.sig.inputs {
        let FnArg::Typed(parameter) = parameter else {
            return None;
        };
        if is_test_case || parameter.attrs.iter().any(|it| is_called(it, "case")) {
            lets.add(tree, parameter, &arguments.next()?);
        } else {
            lets.add_fixture(tree, parameter)?;
        }
    }
    if arguments.next().is_some() {
        return None;
    }
    let maker = rstest.or(case.filter(|_| is_test_case))?;
    let open = tree.span(function.block.brace_token.span.open()).end;
    let inputs = tree.inside(&function.sig.paren_token.span);
    let mut reduction = Reduction::remove(inputs).and_made(open..open, lets.text, lets.copies);
    for attribute in macros.into_iter().chain(rstest) {
        let is_kept = std::ptr::eq(attribute, maker) && !is_test(&function.attrs);
        let text = if is_kept { "#[test]" } else { "" };
        reduction = reduction.and_replace(tree.range(attribute), text);
    }
    Some(reduction)
}

fn is_called(attribute: &Attribute, name: &str) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| segment.ident == name)
}

/// Whether an attribute makes it a test without the macro for cases.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| is_called(it, "test"))
}

/// The arguments of a case, if it has no expected result.
fn arguments(case: &Attribute) -> Option<Vec<Expr>> {
    let Meta::List(list) = &case.meta else {
        return Some(Vec::new());
    };
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

/// Parameters as variables.
#[derive(Default)]
struct Lets {
    text: String,
    /// Which parts of the text are copies, and of what.
    copies: Vec<(usize, Range<usize>)>,
}

impl Lets {
    fn copy(&mut self, tree: &Tree<'_>, node: &impl ToTokens) {
        self.copies.push((self.text.len(), tree.range(node)));
        self.text.push_str(tree.text_of(node));
    }

    /// `let pattern: Type = `
    fn open(&mut self, tree: &Tree<'_>, parameter: &PatType) {
        self.text.push_str(" let ");
        self.copy(tree, &parameter.pat);
        if !tree.text_of(&parameter.ty).contains("impl") {
            self.text.push_str(": ");
            self.copy(tree, &parameter.ty);
        }
        self.text.push_str(" = ");
    }

    fn add(&mut self, tree: &Tree<'_>, parameter: &PatType, argument: &Expr) {
        self.open(tree, parameter);
        self.copy(tree, argument);
        if is_parsed(tree, parameter, argument) {
            self.text.push_str(".parse().unwrap()");
        }
        self.text.push(';');
    }

    /// A parameter that a fixture of the same name gives.
    fn add_fixture(&mut self, tree: &Tree<'_>, parameter: &PatType) -> Option<()> {
        let syn::Pat::Ident(pattern) = &*parameter.pat else {
            return None;
        };
        if !parameter.attrs.is_empty() {
            return None;
        }
        self.open(tree, parameter);
        let name = pattern.ident.to_string();
        self.text.push_str(name.trim_start_matches('_'));
        self.text.push_str("();");
        Some(())
    }
}

/// Whether rstest makes a value of a text with `FromStr`.
fn is_parsed(tree: &Tree<'_>, parameter: &PatType, argument: &Expr) -> bool {
    let is_text = matches!(
        argument,
        Expr::Lit(ExprLit {
            lit: Lit::Str(_),
            ..
        })
    );
    is_text
        && matches!(&*parameter.ty, Type::Path(_))
        && !tree.text_of(&parameter.ty).contains("str")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::apply;

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
            "#[tokio::test] async fn x() { let shop: Shop = shop(); let n: u8 = \"1\".parse().unwrap();}"
        );
        let text = "#[rstest] fn x(shop: Shop) {}";
        assert_eq!(
            made(text, "").unwrap(),
            "#[test] fn x() { let shop: Shop = shop();}"
        );
    }

    #[test]
    fn test_cases_without_a_result_become_plain_tests() {
        let text = "#[test_case(1, 2; \"one\")] #[test_case(3, 4; \"three\")] fn x(a: u8, b: u8) { a / b; }";
        assert_eq!(
            made(text, "three").unwrap(),
            "#[test] fn x() { let a: u8 = 3; let b: u8 = 4; a / b; }"
        );
        assert_eq!(
            made(
                "#[test_case(1 => 2; \"one\")] fn x(a: u8) -> u8 { a }",
                "one"
            ),
            None
        );
    }

    #[test]
    fn what_is_more_than_a_case_stays() {
        assert_eq!(
            made("#[rstest] fn x(#[values(1, 2)] n: u8) {}", "n_1_1"),
            None
        );
        assert_eq!(made("#[test] fn x() {}", ""), None);
    }
}

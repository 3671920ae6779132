//! What the test is called in a candidate: the modules around it are a part of its name, and candidates
//! may have fewer of them.

use std::borrow::Cow;

use crate::rust::{OriginalPlace, Sources, scan};
use crate::source::beside;

/// The name of a test, and the function that it belongs to.
#[derive(Debug, Clone)]
pub struct TestName {
    /// The name in the original.
    original: String,
    /// The function, if its name may change with the modules around it.
    function: Option<Function>,
    /// The function beside it that runs it for several inputs, if there is one: the test is run by that.
    driver: Option<&'static str>,
}

#[derive(Debug, Clone)]
struct Function {
    /// Where its name is written in the original: another function of that name is another test.
    places: Vec<OriginalPlace>,
    /// What the test's name has behind that of the function: `::case_1`.
    rest: String,
}

/// A function in a text.
struct FoundFunction<'t> {
    /// The modules around it.
    modules: Vec<&'t str>,
    name: &'t str,
    /// Where its name is.
    start: usize,
}

impl TestName {
    /// A name that all candidates have.
    pub fn fixed(test: &str) -> Self {
        TestName { original: test.to_owned(), function: None, driver: None }
    }

    /// The same test, run by a function beside its own.
    #[must_use]
    pub fn run_by(mut self, driver: &'static str) -> Self {
        self.original = beside(&self.original, driver);
        self.driver = Some(driver);
        self
    }

    /// What runs it for several inputs, if anything does.
    pub fn driver(&self) -> Option<&'static str> {
        self.driver
    }

    /// The test alone, whose function has that name.
    #[must_use]
    pub fn alone(&self, function: &str) -> Self {
        TestName {
            original: beside(&self.original, function),
            function: self.function.clone(),
            driver: None,
        }
    }

    /// The name of a test of `original`; it follows the function where all is in one file.
    pub fn following(test: &str, original: &Sources) -> Self {
        let mut name = TestName::fixed(test);
        let [file] = &original.files[..] else { return name };
        let fits = functions(&file.text).filter_map(|found| {
            let rest = test.strip_prefix(&found.path())?;
            let is_whole = rest.is_empty() || rest.starts_with("::");
            let place = original.origin(0, found.start).filter(|_| is_whole)?;
            Some((rest, place))
        });
        let fits: Vec<(&str, OriginalPlace)> = fits.collect();
        // Behind the function's name is what a macro made of it; modules are in front.
        let Some(rest) = fits.iter().map(|(rest, _)| *rest).min_by_key(|it| it.len()) else {
            return name;
        };
        name.function = Some(Function {
            places: fits.iter().filter(|fit| fit.0 == rest).map(|fit| fit.1).collect(),
            rest: rest.to_owned(),
        });
        name
    }

    /// The name of another test of `original`, which follows its function if this one does.
    #[must_use]
    pub fn companion(&self, test: &str, original: &Sources) -> Self {
        match self.function {
            Some(_) => TestName::following(test, original),
            None => TestName::fixed(test),
        }
    }

    /// The name of a function that stands beside the test in a candidate.
    pub fn beside_in(&self, sources: &Sources, function: &str) -> String {
        beside(&self.in_sources(sources), function)
    }

    /// The name in the original.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// Where the function's name is in the one file of `sources`, and what the test's name has behind it.
    pub fn function_in(&self, sources: &Sources) -> Option<(usize, &str)> {
        let found = self.find(sources)?;
        Some((found.start, &self.function.as_ref()?.rest))
    }

    /// The name in a candidate.
    pub fn in_sources(&self, sources: &Sources) -> Cow<'_, str> {
        match (self.find(sources), &self.function) {
            (Some(found), Some(function)) => {
                let path = found.path() + &function.rest;
                Cow::Owned(self.driver.map_or(path.clone(), |driver| beside(&path, driver)))
            }
            _ => Cow::Borrowed(&self.original),
        }
    }

    fn find<'s>(&self, sources: &'s Sources) -> Option<FoundFunction<'s>> {
        let (Some(function), [file]) = (&self.function, &sources.files[..]) else { return None };
        functions(&file.text).find(|found| {
            let origin = sources.origin(0, found.start);
            origin.is_some_and(|origin| function.places.contains(&origin))
        })
    }
}

impl FoundFunction<'_> {
    fn path(&self) -> String {
        let segments = self.modules.iter().copied().chain([self.name]);
        let segments = segments.map(|name| name.strip_prefix("r#").unwrap_or(name));
        segments.collect::<Vec<_>>().join("::")
    }
}

/// The functions of a text that stand in modules or at its root.
fn functions(text: &str) -> impl Iterator<Item = FoundFunction<'_>> {
    let tokens = scan::tokens(text);
    // For each open brace the module that it opens, if it does.
    let mut braces: Vec<Option<&str>> = Vec::new();
    let (mut second, mut last) = ("", "");
    tokens.filter_map(move |token| {
        let mut found = None;
        match token.text {
            "{" => braces.push((second == "mod").then_some(last)),
            "}" => drop(braces.pop()),
            name if last == "fn" && token.kind == scan::PieceKind::Word => {
                let modules: Option<Vec<&str>> = braces.iter().copied().collect();
                found = modules.map(|modules| FoundFunction { modules, name, start: token.start });
            }
            _ => {}
        }
        (second, last) = (last, token.text);
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{self, sources_of as sources};

    const TEXT: &str = "mod a { mod tests { #[test] fn x() { fn y() {} } } } fn x() {}";

    fn without(original: &Sources, parts: &[&str]) -> Sources {
        original.edit([(0, &testing::without(&original.files[0].text, parts))])
    }

    #[test]
    fn a_test_loses_the_modules_around_it() {
        let original = sources(TEXT);
        let name = TestName::following("a::tests::x", &original);
        assert_eq!(name.in_sources(&original), "a::tests::x");
        let without_inner = without(&original, &["mod tests {", "} } fn"]);
        assert_eq!(name.in_sources(&without_inner), "a::x");
        let without_outer = without(&original, &["mod a {"]);
        assert_eq!(name.in_sources(&without_outer), "tests::x");
    }

    #[test]
    fn companions_lose_their_modules_where_the_test_does() {
        let original = sources("mod tests { fn x() {} fn y() {} }");
        let moved = without(&original, &["mod tests {"]);
        let name = TestName::following("tests::x", &original);
        let companion = name.companion("tests::y", &original);
        assert_eq!(companion.in_sources(&moved), "y");
        let companion = TestName::fixed("tests::x").companion("tests::y", &original);
        assert_eq!(companion.in_sources(&moved), "tests::y");
    }

    #[test]
    fn another_function_of_that_name_is_another_test() {
        let original = sources(TEXT);
        let name = TestName::following("a::tests::x", &original);
        let gone = without(&original, &["mod a { mod tests { #[test] fn x() { fn y() {} } } }"]);
        assert_eq!(name.in_sources(&gone), "a::tests::x");
    }

    #[test]
    fn a_test_that_is_run_by_another_one_is_called_as_that() {
        let original = sources("mod tests { fn x() {} fn all() {} }");
        let moved = without(&original, &["mod tests {"]);
        let name = TestName::following("tests::x", &original).run_by("all");
        assert_eq!(name.in_sources(&original), "tests::all");
        assert_eq!(name.in_sources(&moved), "all");
        assert_eq!(name.alone("x").in_sources(&moved), "x");
        let fixed = TestName::fixed("tests::x").run_by("all");
        assert_eq!(fixed.original(), "tests::all");
        assert_eq!(fixed.alone("x").original(), "tests::x");
    }

    #[test]
    fn what_a_macro_adds_to_the_name_stays() {
        let original = sources("mod tests { #[rstest] #[case(1)] fn x(#[case] n: u8) {} }");
        let name = TestName::following("tests::x::case_1", &original);
        let moved = without(&original, &["mod tests {"]);
        assert_eq!(name.in_sources(&moved), "x::case_1");
    }

    #[test]
    fn tests_that_no_function_stands_for_keep_their_names() {
        let original = sources("mod tests { tests! { x } }");
        let name = TestName::following("tests::x", &original);
        let moved = without(&original, &["mod tests {"]);
        assert_eq!(name.in_sources(&moved), "tests::x");
        let fixed = TestName::fixed("a::tests::x");
        assert_eq!(fixed.in_sources(&without(&sources(TEXT), &["mod a {"])), "a::tests::x");
    }
}

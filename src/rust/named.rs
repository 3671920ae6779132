//! Functions by their names, to see whether they are what they were.

use std::collections::BTreeSet;
use std::ops::Range;

use quote::ToTokens;
use syn::{Expr, Stmt};

use super::free_functions::{FreeFunction, free_functions, methods};
use super::literals_of::is_part;
use super::{Sources, StandIn, Tree, function_around, scan};
use crate::reduce::RangeExt;
use crate::source::{self, asserts, last_name};

/// So many tokens a statement has at most that asserts something inside.
const SHORT: usize = 80;

/// The name of the function of a test.
pub fn function_of(test: &str) -> &str {
    test.rsplit("::").next().unwrap_or(test)
}

/// Stands between the type and the name of a method.
const OF_TYPE: &str = "::";

/// The functions of these names, wherever they stand in a text, each with its name; a method is called as in `Type::method`.
/// Of a name that no function has, the calls of macros that make one.
pub fn functions_of<'t, 'n>(
    text: &'t str,
    names: &'n [impl AsRef<str>],
) -> impl Iterator<Item = (&'n str, &'t str)> {
    let named = functions_and_calls(text, names).into_iter();
    named.map(|(name, range)| (name, &text[range]))
}

/// The bytes of the functions of one of these names.
fn ranges_of_functions(text: &str, names: &[impl AsRef<str>]) -> Vec<Range<usize>> {
    functions_and_calls(text, names).into_iter().map(|(_, range)| range).collect()
}

/// The functions and macros of these names, and the calls of macros that have one of the other names first.
fn functions_and_calls<'n>(
    text: &str,
    names: &'n [impl AsRef<str>],
) -> Vec<(&'n str, Range<usize>)> {
    let named = |name: &str| names.iter().map(AsRef::as_ref).find(|named| *named == name);
    let is_named = |name: &str| named(name).is_some();
    let functions = free_functions(text, is_named).into_iter();
    let functions = functions.filter_map(|it| Some((named(it.name)?, it.range)));
    let mut found: Vec<(&str, Range<usize>)> = functions.collect();
    if names.iter().any(|name| name.as_ref().contains(OF_TYPE)) {
        let methods = methods(text).into_iter();
        found.extend(
            methods.filter_map(|(of, it)| Some((named(&method_of(of, it.name))?, it.range))),
        );
    }
    let has_all = |found: &[(&str, Range<usize>)]| {
        names.iter().all(|name| found.iter().any(|(function, _)| *function == name.as_ref()))
    };
    if has_all(&found) && !text.contains("macro_rules") {
        return found;
    }
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let macros = macros(text, &tokens).into_iter();
    found.extend(macros.filter_map(|(name, range)| Some((named(name)?, range))));
    if has_all(&found) {
        return found;
    }
    let is_function = |name: &str| found.iter().any(|(function, _)| *function == name);
    let calls = tokens.windows(5).filter_map(|call| {
        let [of, sign, open, name, next] = call else { return None };
        let is_call = sign.text == "!" && matches!(next.text, "," | "=" | "=>" | ":" | ";" | ")");
        let named = named(name.text).filter(|name| is_call && !is_function(name))?;
        let end = name.start + scan::end_of_group(&text[name.start..], open.text)?;
        Some((named, of.start..end + 1))
    });
    let calls: Vec<(&str, Range<usize>)> = calls.collect();
    found.extend(calls);
    found
}

/// The definitions of macros in a text of these tokens, each with its name.
fn macros<'t>(text: &'t str, tokens: &[scan::Piece<'t>]) -> Vec<(&'t str, Range<usize>)> {
    let definitions = tokens.windows(4).filter_map(|start| {
        let [keyword, sign, name, open] = start else { return None };
        let is_definition = keyword.text == "macro_rules" && sign.text == "!";
        let inside = open.start + open.text.len();
        let end = is_definition.then(|| scan::end_of_group(&text[inside..], open.text))??;
        Some((name.text, keyword.start..inside + end + 1))
    });
    definitions.collect()
}

/// The definitions of constants and statics in a text of these tokens, each with its name.
fn constants<'t>(text: &'t str, tokens: &[scan::Piece<'t>]) -> Vec<(&'t str, Range<usize>)> {
    let definitions = tokens.windows(3).filter_map(|start| {
        let [keyword, name, colon] = start else { return None };
        let is_definition = matches!(keyword.text, "const" | "static") && colon.text == ":";
        let end = is_definition.then(|| scan::end_of_statement(&text[colon.start..]))??;
        Some((name.text, keyword.start..colon.start + end))
    });
    definitions.collect()
}

/// A constant, and what stands in its list; its whole value if that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRows {
    /// The name of the constant.
    pub name: String,
    rows: Vec<String>,
}

impl TestRows {
    /// Those of the constants of a text.
    fn all(text: &str) -> Vec<(Self, Range<usize>)> {
        let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
        let found = constants(text, &tokens).into_iter();
        let with_rows = found.map(|(name, range)| {
            let value = text[range.clone()].split_once('=').map_or("", |(_, value)| value);
            (TestRows { name: name.to_owned(), rows: elements(value) }, range)
        });
        with_rows.collect()
    }

    /// Whether for `all` of them some sources have a constant of that name with some of its rows, and nothing else.
    pub fn are_some_left(all: &[TestRows], sources: &Sources) -> bool {
        if all.is_empty() {
            return true;
        }
        let files = sources.files.iter().flat_map(|file| TestRows::all(&file.text));
        let left: Vec<TestRows> = files.map(|(rows, _)| rows).collect();
        all.iter().all(|rows| left.iter().any(|left| left.is_part_of(rows)))
    }

    fn is_part_of(&self, original: &TestRows) -> bool {
        self.name == original.name && !self.rows.is_empty() && is_part(&self.rows, &original.rows)
    }
}

/// The elements of a list that a constant is; the whole value if it is none.
fn elements(value: &str) -> Vec<String> {
    let list = value.trim_start().trim_start_matches('&').trim_start();
    let inside = list.strip_prefix('[').and_then(|rest| {
        let end = scan::end_of_group(rest, "[")?;
        (rest[end + 1..].trim() == ";").then_some(&rest[..end])
    });
    let Some(inside) = inside else { return vec![dense_text(value)] };
    let (mut rows, mut start, mut open) = (Vec::new(), 0, 0_usize);
    for piece in scan::tokens(inside) {
        match piece.text {
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" => open = open.saturating_sub(1),
            "," if open == 0 => {
                rows.push(dense_text(&inside[start..piece.start]));
                start = piece.range().end;
            }
            _ => {}
        }
    }
    rows.push(dense_text(&inside[start..]));
    rows.retain(|row| !row.is_empty());
    rows
}

/// The constants of tests that are named in functions or macros of these names: what a passing test goes through, row by
/// row. Of tests are those in modules for tests, and those of which `is_of_tests` says so by file and byte.
pub fn rows_of_tests(
    sources: &Sources,
    names: &[impl AsRef<str>],
    is_of_tests: impl Fn(usize, usize) -> bool,
) -> Vec<TestRows> {
    let functions = functions_in(sources, names).into_iter();
    let texts = functions.map(|(file, range)| &sources.files[file].text[range]);
    let named: BTreeSet<&str> = texts.flat_map(scan::words).collect();
    let mut found = Vec::new();
    for (file, source) in sources.files.iter().enumerate() {
        let text: &str = &source.text;
        let modules = scan::braces(text).into_iter().filter(|it| is_for_tests(text, it.start - 1));
        let modules: Vec<Range<usize>> = modules.collect();
        let of_tests = TestRows::all(text).into_iter().filter(|(rows, range)| {
            // Of an empty list nothing can be left.
            !rows.rows.is_empty()
                && named.contains(&*rows.name)
                && (is_of_tests(file, range.start) || modules.iter().any(|it| it.covers(range)))
        });
        found.extend(of_tests.map(|(rows, _)| rows));
    }
    found
}

/// The macros of the sources that make the functions of these names, or are called in them, and assert something: they say
/// what is right.
pub fn asserting_macros(sources: &Sources, names: &[impl AsRef<str>]) -> Vec<String> {
    let files = sources.files.iter();
    let all: Vec<(&str, &str)> = files
        .flat_map(|file| {
            let tokens: Vec<scan::Piece<'_>> = scan::tokens(&file.text).collect();
            macros(&file.text, &tokens).into_iter().map(|(name, at)| (name, &file.text[at]))
        })
        .collect();
    let functions = functions_in(sources, names).into_iter();
    let mut open: Vec<&str> =
        functions.map(|(file, range)| &sources.files[file].text[range]).collect();
    let defines = |text: &str| {
        let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
        let is_named = |name: &str| names.iter().any(|it| it.as_ref() == name);
        tokens.windows(2).any(|pair| pair[0].text == "fn" && is_named(pair[1].text))
    };
    let makers = all.iter().filter(|(_, text)| defines(text));
    let mut called: BTreeSet<&str> = makers.clone().map(|(name, _)| *name).collect();
    open.extend(makers.map(|(_, text)| *text));
    while let Some(text) = open.pop() {
        let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
        let calls = tokens.windows(2).filter(|pair| pair[1].text == "!").map(|pair| pair[0].text);
        for name in calls {
            let texts = all.iter().filter(|(defined, _)| *defined == name);
            if called.insert(name) {
                open.extend(texts.map(|(_, text)| text));
            }
        }
    }
    let asserting = all.iter().filter(|(name, text)| called.contains(name) && asserts(text));
    asserting.map(|(name, _)| (*name).to_owned()).collect()
}

/// As [`ranges_of_functions`], in all files of some sources: each with the place of its file.
pub fn functions_in(sources: &Sources, names: &[impl AsRef<str>]) -> Vec<(usize, Range<usize>)> {
    let files = sources.files.iter().enumerate();
    let functions = files.flat_map(|(file, source)| {
        let ranges = ranges_of_functions(&source.text, names).into_iter();
        ranges.map(move |range| (file, range))
    });
    functions.collect()
}

/// The functions beside those of these `names` that they call, and that assert something: they say what is right, too. What
/// others call than tests is no such helper.
pub fn asserting_helpers(text: &str, names: &[&str]) -> Vec<String> {
    helpers(text, names, |_| false)
}

/// Whether a byte of a text stands in a test, or in a helper of it that asserts something.
pub fn is_in_test_or_helper(text: &str, offset: usize, test: &str) -> bool {
    let around = function_around(text, offset);
    around.is_some_and(|it| {
        it == test || asserting_helpers(text, &[test]).iter().any(|name| name == it)
    })
}

/// As [`asserting_helpers`], and among what is compiled for tests only also those in other modules, and those that assert
/// nothing: they make what is asserted of. Such are the functions of modules for tests, and those of which `is_of_tests` says so
/// by the byte at which they begin; of the methods there those that assert something.
pub fn helpers_of_tests(
    text: &str,
    names: &[&str],
    is_of_tests: impl Fn(usize) -> bool,
) -> Vec<String> {
    let is_only_for_tests = |function: &FreeFunction<'_>| {
        is_of_tests(function.range.start) || is_in_tests(text, function)
    };
    helpers(text, names, is_only_for_tests)
}

/// Whether a module around a function is compiled for tests only.
fn is_in_tests(text: &str, function: &FreeFunction<'_>) -> bool {
    function.within.iter().any(|open| is_for_tests(text, *open))
}

/// Whether the brace at `open` begins what is compiled for tests only.
fn is_for_tests(text: &str, open: usize) -> bool {
    let head = text[..open].rsplit(['{', '}', ';']).next().unwrap_or_default();
    dense_text(head).contains("#[cfg(test)]")
}

fn helpers(
    text: &str,
    names: &[&str],
    is_only_for_tests: impl Fn(&FreeFunction<'_>) -> bool,
) -> Vec<String> {
    let all = free_functions(text, |_| true);
    let methods: Vec<(&str, FreeFunction<'_>)> = methods(text)
        .into_iter()
        .filter(|(_, it)| is_only_for_tests(it) && asserts(&text[it.body.clone()]))
        .collect();
    let mut asserting: BTreeSet<String> = BTreeSet::new();
    let words_in = |function: &FreeFunction<'_>| words(&text[function.body.clone()]);
    let is_named = |function: &&FreeFunction<'_>| names.contains(&function.name);
    let mut callers: Vec<&FreeFunction<'_>> = all.iter().filter(is_named).collect();
    let mut helpers: Vec<&FreeFunction<'_>> = Vec::new();
    while let Some(caller) = callers.pop() {
        let called = words_in(caller);
        for (of, method) in methods.iter().filter(|(_, it)| called.contains(it.name)) {
            if asserting.insert(method_of(of, method.name)) {
                callers.push(method);
            }
        }
        for function in &all {
            // A test that has the name of something that is called is none.
            let is_test = text[function.range.start..function.body.start].contains("#[test]");
            let is_new = !names.contains(&function.name) && !helpers.contains(&function);
            let is_new = is_new && !is_test;
            let is_beside = function.within == caller.within;
            let says = || is_beside && asserts(&text[function.body.clone()]);
            if is_new && called.contains(function.name) && (says() || is_only_for_tests(function)) {
                helpers.push(function);
                callers.push(function);
            }
        }
    }
    let is_for_tests = |helper: &&&FreeFunction<'_>| {
        let uses = |place: &Range<usize>| words(&text[place.clone()]).contains(helper.name);
        let is_test = |it: &FreeFunction<'_>| {
            text[it.range.start..it.body.start].starts_with("#[")
                || helpers.contains(&it)
                || is_in_tests(text, it)
                || is_only_for_tests(it)
        };
        is_only_for_tests(helper) || all.iter().all(|it| is_test(it) || !uses(&it.body))
    };
    let helpers = helpers.iter().filter(is_for_tests).map(|helper| helper.name.to_owned());
    helpers.chain(asserting).collect()
}

fn method_of(of: &str, name: &str) -> String {
    format!("{of}{OF_TYPE}{name}")
}

fn words(text: &str) -> BTreeSet<&str> {
    scan::words(text).collect()
}

/// The words in the bodies of functions of that name.
pub fn words_of_functions(text: &str, name: &str) -> BTreeSet<String> {
    let look = |tree: &Tree<'_>| {
        let named = tree.functions().filter(|(head, _)| head.ident == name);
        named.flat_map(|(_, body)| scan::words(tree.text_of(body))).map(str::to_owned).collect()
    };
    Tree::with(text, StandIn::Panic, look).unwrap_or_default()
}

/// Assertions of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assertions {
    /// The name of the function.
    pub function: String,
    /// What they are, as [`functions_of`] writes them.
    pub texts: Vec<String>,
}

impl Assertions {
    /// Whether a function of that name in a text has all of them, one after the other.
    pub fn are_in(&self, text: &str) -> bool {
        let has_all = |(_, function): (&str, &str)| {
            let function = dense_text(function);
            let mut rest = &function[..];
            self.texts.iter().all(|assertion| {
                let found = rest.split_once(assertion.as_str());
                found.is_some_and(|(_, behind)| {
                    rest = behind;
                    true
                })
            })
        };
        functions_of(text, &[&self.function]).any(has_all)
    }

    /// The bytes of them in a text.
    pub fn ranges_in(&self, text: &str) -> Vec<Range<usize>> {
        let look = |tree: &Tree<'_>| -> Vec<Range<usize>> {
            let named = tree.functions().filter(|(head, _)| head.ident == self.function);
            let statements = named.flat_map(|(_, body)| &body.stmts);
            let own = statements.filter(|it| is_assertion(it) && self.texts.contains(&dense(it)));
            own.map(|statement| tree.range(statement)).collect()
        };
        let functions = ranges_of_functions(text, &[&self.function]).into_iter();
        let inside = functions.flat_map(|function| {
            let found = Tree::with(&text[function.clone()], StandIn::Panic, look);
            let moved = move |range: Range<usize>| range.offset_by(function.start);
            found.unwrap_or_default().into_iter().map(moved)
        });
        inside.collect()
    }
}

/// The assertions that are statements of the function around a place, and stand before that: the last ones, `most` of
/// them at most; nothing if there are none.
pub fn assertions_before(text: &str, offset: usize, most: usize) -> Option<Assertions> {
    let look = |tree: &Tree<'_>| {
        let (head, body) = tree
            .functions()
            .filter(|(_, body)| tree.range(*body).contains(&offset))
            .min_by_key(|(_, body)| tree.range(*body).len())?;
        let before = body
            .stmts
            .iter()
            .take_while(|statement| tree.range(*statement).end <= offset)
            .filter(|statement| is_assertion(statement));
        let all: Vec<String> = before.map(dense).collect();
        Some(Assertions {
            function: head.ident.to_string(),
            texts: all[all.len().saturating_sub(most)..].to_vec(),
        })
    };
    let found = Tree::with(text, StandIn::Panic, look).ok().flatten();
    found.filter(|found| !found.texts.is_empty())
}

/// Whether a statement is an assertion, or a short one that asserts something inside, such as in the arms of a `match`.
fn is_assertion(statement: &Stmt) -> bool {
    match statement {
        Stmt::Macro(_) => is_plain_assertion(statement),
        Stmt::Expr(Expr::Match(_) | Expr::If(_) | Expr::ForLoop(_) | Expr::Block(_), _) => {
            let text = statement.to_token_stream().to_string();
            asserts(&text) && scan::tokens(&text).count() <= SHORT
        }
        _ => false,
    }
}

/// Whether a statement is the call of an assertion.
pub(super) fn is_plain_assertion(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Macro(call) if source::is_assertion(&last_name(&call.mac.path)))
}

pub(super) fn dense(node: &impl ToTokens) -> String {
    dense_text(&node.to_token_stream().to_string())
}

/// The tokens of a text without what a layout may change; the modules around them may go.
pub fn dense_text(text: &str) -> String {
    let tokens = scan::tokens(text);
    let dense: String = tokens.map(|token| token.text).collect();
    dense.replace(',', "").replace("super::", "")
}

#[cfg(test)]
mod tests {
    use super::{dense_text, functions_of};

    fn named(text: &str, name: &str) -> Vec<String> {
        functions_of(text, &[name]).map(|(_, function)| dense_text(function)).collect()
    }

    #[test]
    fn a_macro_that_is_called_for_a_name_makes_its_function() {
        use crate::rust::named::ranges_of_functions;

        let text = "test!(a, \"x\", B(1)); mod m { test! { c => 1 } } fn c() { d!(a) }";
        let of = |name| named(text, name);
        assert_eq!(of("a"), [dense_text("test!(a, \"x\", B(1))"), dense_text("d!(a)")]);
        assert_eq!(of("c"), [dense_text("fn c() { d!(a) }")]);
        let ranges = ranges_of_functions(text, &["a", "c"]);
        assert_eq!(&text[ranges[1].clone()], "test!(a, \"x\", B(1))");
    }

    #[test]
    fn helpers_that_assert_for_tests_are_found_through_others() {
        use super::asserting_helpers;

        let text = "fn f() { assert!(a()) } fn g() { f() } #[test] fn t() { check(1); f(); plain() } \
                    fn check(n: u8) { assert_eq!(n, h()); deep() } fn deep() { panic!() } fn plain() {} \
                    mod m { fn check() { assert!(true) } } #[test] fn u() { check(2) }";
        assert_eq!(asserting_helpers(text, &["t"]), ["check", "deep"]);
        assert!(asserting_helpers(text, &["g"]).is_empty());
    }

    #[test]
    fn helpers_in_a_module_for_tests_need_not_assert() {
        use super::helpers_of_tests;

        let text = "fn made() -> u8 { 1 } #[test] fn t() { made(); } #[cfg(test)] mod m { use super::*; \
                    fn many(n: u8) -> u8 { one() + n } fn one() -> u8 { made() } fn other() { one(); } \
                    #[test] fn u() { assert_eq!(many(2), 3); } }";
        let of = |text: &str, name| helpers_of_tests(text, &[name], |_| false);
        assert_eq!(of(text, "u"), ["many", "one"]);
        assert!(of(text, "t").is_empty());
        let util = "mod tests { mod util { pub fn req() { super::super::parse() } } #[test] fn t() { util::req(); } } \
                    fn parse() {}";
        assert_eq!(of(&format!("#[cfg(test)] {util}"), "t"), ["req"]);
        assert!(of(util, "t").is_empty());
        // What has its name elsewhere is something else.
        let util = format!("{util} fn f(req: u8) {{ req }}");
        let is_of_tests = |at: usize| at < util.find("fn parse").unwrap();
        assert_eq!(helpers_of_tests(&util, &["t"], is_of_tests), ["req"]);
    }

    #[test]
    fn assertions_before_a_place_are_those_of_its_function() {
        use crate::rust::assertions_before;

        let text = "#[test] fn t() { assert!(a()); let b = c(); assert_eq!(b, 1); d(); assert!(b > 1); } \
                    fn u() { assert!(e()) }";
        let offset = text.find("assert!(b > 1)").unwrap();
        let both = assertions_before(text, offset, 2).unwrap();
        assert_eq!(both.texts, ["assert!(a());", "assert_eq!(b1);"]);
        assert_eq!(both.function, "t");
        assert_eq!(assertions_before(text, offset, 1).unwrap().texts, ["assert_eq!(b1);"]);
        assert_eq!(assertions_before(text, 0, 1), None);
        let inside = "fn t() { match a() { Ok(_) => panic!(), Err(e) => assert_eq!(e, E) } if b() { c() } assert!(d()) }";
        let offset = inside.find("assert!(d").unwrap();
        let found = assertions_before(inside, offset, 3).unwrap();
        assert_eq!(found.texts, ["matcha(){Ok(_)=>panic!()Err(e)=>assert_eq!(eE)}"]);
        assert_eq!(found.ranges_in(inside).len(), 1);
        assert!(both.are_in("fn t() { assert! (a()); let b = c(); assert_eq!(b, 1); }"));
        assert!(!both.are_in("fn t() { let b = c(); assert_eq!(b, 1); assert!(a()); }"));
        let ranges = both.ranges_in(text).into_iter().map(|range| &text[range]);
        assert_eq!(ranges.collect::<Vec<_>>(), ["assert!(a());", "assert_eq!(b, 1);"]);
        assert!(!both.are_in("fn u() { assert!(a()); assert_eq!(b, 1); }"));
    }

    #[test]
    fn words_are_those_of_the_bodies_of_functions_of_that_name() {
        use crate::rust::words_of_functions;

        let words = words_of_functions("fn t() { A::b(\"c\").d() } fn u() { e() }", "t");
        assert_eq!(words.into_iter().collect::<Vec<_>>(), ["A", "b", "d"]);
    }

    #[test]
    fn the_example_of_functions_of_holds() {
        use crate::rust::named::ranges_of_functions;

        let one = named("mod m { #[test] fn f() { g(1, 2,) } }", "f");
        assert_eq!(one, named("#[test] fn f() { g(1, 2) }", "f"));
        assert_eq!(one, named("mod m { #[test] fn f() { super::g(1, 2) } }", "f"));
        assert_ne!(one, named("#[test] fn f() {}", "f"));
        let text = "mod m { fn f() {} } #[test] fn f() { g() }";
        let ranges = ranges_of_functions(text, &["f"]).into_iter().map(|range| &text[range]);
        assert_eq!(ranges.collect::<Vec<_>>(), ["fn f() {}", "#[test] fn f() { g() }"]);
    }
}

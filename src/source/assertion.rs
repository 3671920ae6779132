//! What an assertion that fails compares.

use std::ops::Range;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Block, Expr, ExprBinary, Pat};

use super::expected::{ExpectedValue, Head, Scope, is_test, is_written_out};
use super::exprs::{exprs, functions, macros, methods};
use super::inputs::calls_nothing;
use super::parse::{look_at_file, range};
use super::scan::{Piece, PieceKind, tokens};
use super::tokens::{
    called_macro, ends_in, is_assertion, is_constant_name, is_order, last_name, without_debug,
};
use super::{Arguments, Crate, Edits, FileIndex, arguments};

/// What an assertion looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asserted {
    /// A condition, or that a branch of the test is not taken: that panics.
    Condition,
    /// What an assertion of another library, or a macro of the test's own, compares: its message shows that in its own way.
    Shown,
    /// That two values are equal that the test computes: nothing is written out.
    Relation,
    /// That of two such values one is less, or another one: with other inputs they may rightly not be.
    Inequality,
    /// That a value is less or more than one that is written out, as a tolerance is: with other inputs it may rightly not be.
    Bound,
    /// Two values; where the one stands that it expects, if it stands in the source.
    Values(Option<ExpectedValue>),
}

/// The operand of an assertion that is written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedOperand {
    /// Its bytes.
    pub range: Range<usize>,
    /// Whether it comes first.
    pub is_left: bool,
    /// The bytes of the whole assertion.
    pub assertion: Range<usize>,
}

/// What the assertion that starts at the byte `offset` of a source looks at; `None` if there is none.
pub fn asserted_at(text: &str, offset: usize) -> Option<Asserted> {
    assertion_at(text, offset, |name, arguments, scope| {
        match without_debug(name) {
            "assert" => match arguments.first() {
                Some(Expr::Binary(it))
                    if ![&it.left, &it.right].into_iter().any(|side| calls_nothing(side)) =>
                {
                    let is_equality = matches!(it.op, BinOp::Eq(_));
                    Some(if is_equality { Asserted::Relation } else { Asserted::Inequality })
                }
                Some(Expr::Binary(it)) if is_bound(it) => Some(Asserted::Bound),
                _ => Some(Asserted::Condition),
            },
            "assert_eq" | "assert_ne" => {
                let operands: Vec<&Expr> = arguments.iter().take(2).collect();
                let expected = operands.iter().find_map(|it| scope.expected_value(it, &operands));
                let is_inequality = expected.is_none() && name.ends_with("_ne");
                Some(if is_inequality { Asserted::Inequality } else { Asserted::Values(expected) })
            }
            _ if is_assertion(name) => Some(Asserted::Shown),
            // Elsewhere it is what the code under test does.
            "panic" | "unreachable" if scope.is_test => Some(Asserted::Condition),
            // A macro that a test calls, and that panics, asserts something.
            _ if scope.is_test => Some(Asserted::Shown),
            _ => None,
        }
    })
}

/// Whether a comparison asks for less or more than a number or constant.
fn is_bound(comparison: &ExprBinary) -> bool {
    let is_constant = |side: &Expr| match side {
        Expr::Path(path) if is_constant_name(&last_name(&path.path)) => true,
        _ => is_written_out(side),
    };
    is_order(&comparison.op)
        && [&comparison.left, &comparison.right].into_iter().any(|side| is_constant(side))
}

impl Crate {
    /// What the assertion looks at that starts at this byte, if there is one. Where it compares with a value that stands in
    /// the source, any other value of the other side makes it fail, also one that has nothing to do with the original
    /// failure.
    pub fn asserted_in(&self, file: FileIndex, offset: usize) -> Option<Asserted> {
        asserted_at(&self.file(file).text, offset)
    }

    /// The operand that is written out in the `assert_eq!` that starts at this byte, if one of them is.
    pub fn expected_operand(&self, file: FileIndex, offset: usize) -> Option<ExpectedOperand> {
        assertion_at(&self.file(file).text, offset, |name, arguments, Scope { base, .. }| {
            let mut operands = arguments.iter().take(2).enumerate();
            let (place, operand) = operands.find(|(_, operand)| is_written_out(operand))?;
            let end = range(arguments.last()?.span(), base).end;
            let range = range(operand.span(), base);
            let is_left = place == 0;
            let assertion = offset..end;
            name.ends_with("assert_eq").then_some(ExpectedOperand { range, is_left, assertion })
        })
    }

    /// What makes of the `assert!(a == b)` that starts at this byte one that shows both sides; `None` if there is none.
    pub fn showing_both_sides(&self, file: FileIndex, offset: usize) -> Option<Edits> {
        let text = &self.file(file).text;
        assertion_at(text, offset, |name, arguments, Scope { base, .. }| {
            let Some(Expr::Binary(it)) = arguments.first() else { return None };
            if without_debug(name) != "assert" || !matches!(it.op, BinOp::Eq(_)) {
                return None;
            }
            let mut edits = Edits::default();
            edits.insert(offset + text[offset..].find('!')?, "_eq");
            edits.replace(range(it.left.span(), base).end..range(it.op.span(), base).end, ",");
            Some(edits)
        })
    }

    /// Whether what starts at this byte runs where something returned an error: in `Err(why) => panic!("{why}")`, or in
    /// `.unwrap_or_else(|why| panic!("{why}"))`.
    pub fn is_in_error_branch(&self, file: FileIndex, offset: usize) -> bool {
        let text = &self.file(file).text;
        look_at_file(text, |tree, base| {
            let is_in = |branch: &dyn ToTokens| range(branch.span(), base).contains(&offset);
            exprs(|it| it.visit_file(&tree)).into_iter().any(|expr| match expr {
                Expr::Match(it) => it.arms.iter().any(|arm| is_error(&arm.pat) && is_in(&arm.body)),
                Expr::If(it) => {
                    let is_for_error = matches!(&*it.cond, Expr::Let(it) if is_error(&it.pat));
                    is_for_error && is_in(&it.then_branch)
                }
                Expr::MethodCall(call) if call.method == "unwrap_or_else" => {
                    // Of an option, it is handed nothing.
                    let is_told =
                        |it: &Expr| matches!(it, Expr::Closure(it) if !it.inputs.is_empty());
                    call.args.iter().any(|argument| is_told(argument) && is_in(argument))
                }
                _ => false,
            })
        })
    }

    /// The source text of the condition of an `assert!` that starts at this byte.
    pub fn asserted(&self, file: FileIndex, offset: usize) -> Option<&str> {
        self.asserted_range(file, offset).map(|range| &self.file(file).text[range])
    }

    /// The bytes of that condition.
    pub fn asserted_range(&self, file: FileIndex, offset: usize) -> Option<Range<usize>> {
        assertion_at(&self.file(file).text, offset, |_, arguments, scope| {
            let condition = arguments.first()?;
            Some(range(condition.span(), scope.base))
        })
    }
}

/// Whether a pattern is one of an error.
fn is_error(pattern: &Pat) -> bool {
    matches!(pattern, Pat::TupleStruct(it) if ends_in(&it.path, "Err"))
}

/// Whether a text begins with the call of a macro: to parse all of a file takes much longer than to see that.
fn calls_macro(text: &str) -> bool {
    let path = |piece: &Piece<'_>| piece.kind == PieceKind::Word || piece.text == ":";
    tokens(text).find(|piece| !path(piece)).is_some_and(|piece| piece.text == "!")
}

/// What `look` sees in the name and the arguments of the macro that is called at this byte.
pub(super) fn assertion_at<T>(
    text: &str,
    offset: usize,
    look: impl FnOnce(&str, &Arguments, Scope<'_>) -> Option<T>,
) -> Option<T> {
    if !calls_macro(text.get(offset..)?) {
        return None;
    }
    look_at_file(text, |tree, base| {
        let mut calls = macros(|it| it.visit_file(&tree)).into_iter();
        let (name, mac) = calls.find_map(|mac| {
            let (name, call) = called_macro(mac, base)?;
            (call.start == offset).then_some((name, mac))
        })?;
        let is_around = |block: &Block| range(block.span(), base).contains(&offset);
        let mut functions = functions(|it| it.visit_file(&tree)).into_iter();
        let mut methods = methods(|it| it.visit_file(&tree)).into_iter();
        let function = functions.rfind(|it| is_around(&it.block));
        let method = methods.rfind(|it| is_around(&it.block));
        let heads = [
            function.map(|it| (Head { attributes: &it.attrs, signature: &it.sig }, &*it.block)),
            method.map(|it| (Head { attributes: &it.attrs, signature: &it.sig }, &it.block)),
        ];
        let innermost =
            heads.into_iter().flatten().max_by_key(|(_, block)| range(block.span(), base).start);
        let is_test = function.is_some_and(is_test);
        let scope = Scope { file: &tree, base, function: innermost, is_test };
        look(&name, &arguments(&mac.tokens)?, scope)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests;

    /// What the first assertion looks at among these statements of a test.
    fn asserted(statements: &str) -> Option<Asserted> {
        let text = format!("#[test]\nfn a() {{\n    {statements};\n}}\n");
        asserted_at(&text, text.find("assert").unwrap())
    }

    #[test]
    fn the_condition_is_shown_as_it_is_written() {
        let text = "fn a() { assert!(f(\"a\") < 2, \"why\"); }";
        let krate = tests::krate(&[("/p/tests/a.rs", text)]);
        let offset = text.find("assert").unwrap();
        assert_eq!(krate.asserted(FileIndex(0), offset), Some("f(\"a\") < 2"));
        assert_eq!(krate.asserted(FileIndex(0), offset + 1), None);
    }

    #[test]
    fn an_equality_is_shown_with_both_sides() {
        let shown = |assertion: &str| {
            let text = format!("fn a() {{ {assertion} }}");
            let krate = tests::krate(&[("/p/tests/a.rs", &text)]);
            let edits = krate.showing_both_sides(FileIndex(0), 9)?;
            Some(edits.apply(&text)[9..].strip_suffix(" }")?.to_owned())
        };
        for (assertion, both) in [
            ("assert!(f(\"a\") == b, \"why {b}\");", "assert_eq!(f(\"a\"), b, \"why {b}\");"),
            ("std::assert!(a as u8 ==\n    2)", "std::assert_eq!(a as u8,\n    2)"),
            ("debug_assert! { a == b }", "debug_assert_eq! { a, b }"),
        ] {
            assert_eq!(shown(assertion).as_deref(), Some(both));
        }
        for other in ["assert!(a != b)", "assert!(a == b && c)", "assert_ne!(a == b, c)"] {
            assert_eq!(shown(other), None, "{other}");
        }
    }

    #[test]
    fn branches_that_are_taken_for_errors_are_told_from_others() {
        let in_branch = |statements: &str| {
            let text = format!("fn a() {{\n    {statements}\n}}\n");
            let krate = tests::krate(&[("/p/tests/a.rs", &text)]);
            krate.is_in_error_branch(FileIndex(0), text.find("panic").unwrap())
        };
        let errors = [
            "let x = match f() { Ok(x) => x, Err(why) => panic!(\"{why}\") };",
            "match f() { Ok(x) => x, Err(why) => { g(); panic!(\"{why}\") } };",
            "if let Err(why) = f() { panic!(\"{why}\"); }",
            "let x = f().unwrap_or_else(|why| panic!(\"{why}\"));",
        ];
        assert_eq!(errors.map(in_branch), [true; 4]);
        let others = [
            "let x = match f() { Err(_) => 3, Ok(why) => panic!(\"{why}\") };",
            "if let Some(why) = f() { panic!(\"{why}\"); }",
            "let x = f().unwrap_or_else(|| panic!(\"no\"));",
            "panic!(\"{}\", f())",
        ];
        assert_eq!(others.map(in_branch), [false; 4]);
    }

    #[test]
    fn a_side_that_is_written_out_is_found() {
        let written_out = Some(Asserted::Values(Some(ExpectedValue::WrittenOut)));
        for assertion in [
            "assert_eq!(f(\"a\"), 5)",
            "assert_ne!(Some(\"x\".to_string()), g())",
            "assert_eq!(f(1), vec![1, 2], \"message\")",
            "assert_eq!(f(1), None)",
            "assert_eq!(&[1, 0][..], &*f(1))",
            "assert_eq!(f(1), Err(Error::Late))",
            "assert_eq!(Vec::<u8>::new(), f(1))",
            "assert_eq!(f(1), [Point::new(0.0, 1.0), geo::Point::from_pair((1, 2))])",
        ] {
            assert_eq!(asserted(assertion), written_out, "{assertion}");
        }
        for assertion in [
            "assert_eq!(f(1), Point::new(a, b))",
            "assert_eq!(f(1), Color::parse(\"red\"))",
            "assert_eq!(f(1), MAX)",
            "assert_eq!(f(1), Color::Red.code())",
            "assert_eq!(decode(encode(\"a\")), text)",
            "assert_eq!(f(1), model(1))",
            "assert!(f(1) == 2)",
        ] {
            assert_ne!(asserted(assertion), written_out, "{assertion}");
        }
    }

    #[test]
    fn that_two_results_differ_need_not_hold_for_other_inputs() {
        for (assertion, expected) in [
            ("assert_ne!(f(x), x)", Asserted::Inequality),
            ("assert!(f(x) < g(x))", Asserted::Inequality),
            ("assert!((f(x) - y).abs() < 0.01)", Asserted::Bound),
            ("assert!(error <= f64::EPSILON)", Asserted::Bound),
            ("assert!(error > -1.0)", Asserted::Bound),
            ("assert!(error < 2.0 * f64::EPSILON)", Asserted::Bound),
            ("assert!(a < b)", Asserted::Condition),
            ("assert!(f(x) == g(x))", Asserted::Relation),
            ("assert_eq!(f(x), g(x))", Asserted::Values(None)),
        ] {
            assert_eq!(asserted(assertion), Some(expected), "{assertion}");
        }
    }

    #[test]
    fn an_input_is_expected_where_one_call_returns_it_for_some_inputs_only() {
        let expected = Some(Asserted::Values(Some(ExpectedValue::InVariable)));
        let frost = "let frost = \"-3\";";
        for assertion in [
            "assert_eq!(colder(frost, \"1\"), frost)",
            "let found = all.colder(&frost).unwrap(); assert_eq!(frost, found)",
        ] {
            assert_eq!(asserted(&format!("{frost} {assertion}")), expected, "{assertion}");
        }
        for assertion in [
            "assert_eq!(decode(&encode(frost)), frost)",
            "let it = encode(frost); assert_eq!(decode(it), frost)",
            "assert_eq!(a(frost), frost); } fn a() {",
        ] {
            let free = Some(Asserted::Values(None));
            assert_eq!(asserted(&format!("{frost} {assertion}")), free, "{assertion}");
        }
    }

    #[test]
    fn the_example_of_asserted_at_holds() {
        let text = "fn f() { assert_eq!(g(), Some(1)); assert!(h()) }";
        assert_eq!(asserted_at(text, 9), Some(Asserted::Values(Some(ExpectedValue::WrittenOut))));
        assert_eq!(asserted_at(text, 35), Some(Asserted::Condition));
        assert_eq!(asserted_at(text, 10), None);
    }

    #[test]
    fn what_another_macro_compares_in_a_test_it_shows() {
        let text = "fn f() { same!(g(), 1); } #[test] fn t() { same!(g(), 1); diff::assert_diff!(g(), 1) }";
        let at = |from: &str, what: &str| {
            let start = text.find(from).unwrap();
            asserted_at(text, start + text[start..].find(what).unwrap())
        };
        assert_eq!(at("fn t", "same!"), Some(Asserted::Shown));
        assert_eq!(at("fn t", "diff::"), Some(Asserted::Shown));
        // It is the code under test that panics.
        assert_eq!(at("fn f", "same!"), None);
    }
}

//! Marks that tell how near to the place of the failure a run gets.
//!
//! A run that passes without ever coming there says nothing of why the other one fails: any code that passes would do
//! for it. The mark goes where the innermost statement around that place begins to which a run that passes has come.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::{BinOp, Block, Expr, ExprBinary, Stmt};

use super::driver::LIBRARY;
use crate::rust::{OriginalPlace, Reduction, Sources, StandIn, Tree, scan};

/// What the marks are called in the library.
pub(super) const REACHED: &str = "reached";
const ENTERED: &str = "entered";

/// The macros that do nothing but fail.
const FAILING: [&str; 4] = ["panic", "unreachable", "todo", "unimplemented"];

/// The statements around the place of a failure within its function, the innermost first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approach {
    file: usize,
    around: Vec<Around>,
    /// Where the first statement of the function begins.
    entry: usize,
    /// Whether what stands at the place does nothing but fail.
    only_fails: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Around {
    range: Range<usize>,
    /// Whether it is an expression that has to become a block, to take a statement in.
    is_alone: bool,
}

impl Approach {
    /// The approach to the first of these original places that is still there, if that is in a function that can
    /// tell.
    pub fn of(sources: &Sources, is_place: impl Fn(OriginalPlace) -> bool) -> Option<Self> {
        let (file, offset) = sources.find(is_place)?;
        let text = &sources.files[file].text;
        let (around, entry) = around(text, offset)?;
        let mut at = scan::tokens(&text[offset..]).map(|token| token.text);
        let only_fails =
            at.next().is_some_and(|it| FAILING.contains(&it)) && at.next() == Some("!");
        Some(Approach { file, around, entry, only_fails })
    }

    /// The number of the innermost mark to which a run that passes can come, if the `nearest` one of some runs is not that.
    pub fn missed_by(&self, nearest: Option<usize>) -> Option<usize> {
        let innermost = usize::from(self.only_fails);
        (nearest > Some(innermost)).then_some(innermost)
    }

    /// The edit that marks all of them, each with its number.
    pub fn marked(&self) -> (usize, Reduction) {
        let all = 0..self.around.len();
        let edit = all.fold(Reduction::default(), |edit, level| self.add(edit, level));
        (self.file, edit)
    }

    /// The same with a mark where the function is entered: one that stops before comes no nearer than that.
    pub fn marked_with_entry(&self) -> (usize, Reduction) {
        let (file, edit) = self.marked();
        let is_marked = self.around.iter().any(|it| it.range.start == self.entry);
        let mark = format!("::{LIBRARY}::{REACHED}!({}); ", self.entry_level());
        let entry = self.entry..self.entry;
        (file, if is_marked { edit } else { edit.and_replace(entry, mark) })
    }

    /// The number of the mark where the function is entered.
    pub fn entry_level(&self) -> usize {
        self.around.len()
    }

    /// The edit that marks one of them.
    pub fn marked_at(&self, level: usize) -> (usize, Reduction) {
        (self.file, self.add(Reduction::default(), level))
    }

    fn add(&self, edit: Reduction, level: usize) -> Reduction {
        let Some(Around { range, is_alone }) = self.around.get(level) else {
            return edit;
        };
        let mark = format!("::{LIBRARY}::{REACHED}!({level}); ");
        let Range { start, end } = *range;
        if *is_alone {
            edit.and_replace(start..start, format!("{{ {mark}")).and_replace(end..end, " }")
        } else {
            edit.and_replace(start..start, mark)
        }
    }
}

/// What stands around a byte in its function, and where the first statement of that begins.
fn around(text: &str, offset: usize) -> Option<(Vec<Around>, usize)> {
    let look = |tree: &Tree<'_>| {
        let contains = |range: &Range<usize>| range.contains(&offset);
        let functions =
            tree.functions().map(|(head, body)| (head, tree.range(body), start(tree, body)));
        let (head, body, entry) = functions
            .filter(|(_, body, _)| contains(body))
            .min_by_key(|(_, body, _)| body.len())?;
        // A constant function calls no others.
        if head.constness.is_some() {
            return None;
        }
        let statements = tree.statements().filter(|it| !matches!(it, Stmt::Item(_)));
        let statements =
            statements.map(|statement| Around { range: tree.range(statement), is_alone: false });
        let arms = tree.arms().map(|arm| &*arm.body);
        let closures = tree.exprs().filter_map(|expr| match expr {
            Expr::Closure(closure) => Some(&*closure.body),
            _ => None,
        });
        // What stands behind `&&` or `||` need not run with what stands before.
        let operands = tree.exprs().filter_map(|expr| match expr {
            Expr::Binary(ExprBinary { op: BinOp::And(_) | BinOp::Or(_), right, .. }) => {
                Some(&**right)
            }
            _ => None,
        });
        let alone = arms.chain(closures).chain(operands);
        let alone = alone.filter(|body| !matches!(body, Expr::Block(_) | Expr::Let(_)));
        let alone = alone.map(|body| Around { range: tree.range(body), is_alone: true });
        let is_inside = |it: &Around| contains(&it.range) && body.contains(&it.range.start);
        let mut around: Vec<Around> = statements.chain(alone).filter(is_inside).collect();
        around.sort_by_key(|it| it.range.len());
        Some((around, entry))
    };
    let found = Tree::with(text, StandIn::Panic, look).ok()?;
    found.filter(|(around, _)| !around.is_empty())
}

/// Marks at the beginning of functions and of branches, each with its number.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    /// The edits that put them there, by files.
    pub edits: Vec<(usize, Reduction)>,
    /// The functions, by number, of those in others the outermost; the branches are numbered behind them.
    pub functions: Vec<Entered>,
}

/// A function that tells that it is entered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entered {
    /// Its name.
    pub name: String,
    /// Whether it can be a test: it stands in no `impl` and no `trait`, and takes nothing.
    can_be_test: bool,
}

impl Entries {
    /// Whether the function of that number is the test of this name, or a part of it.
    pub fn is_test(&self, number: usize, name: &str) -> bool {
        self.functions.get(number).is_some_and(|it| it.can_be_test && it.name == name)
    }
}

/// Where functions and branches of a file begin.
#[derive(Default)]
struct Starts {
    functions: Vec<(Entered, usize)>,
    branches: Vec<usize>,
}

impl Starts {
    fn of(tree: &Tree<'_>) -> Self {
        let (running, constant): (Vec<_>, Vec<_>) =
            tree.functions().partition(|(head, _)| head.constness.is_none());
        let bodies = |all: &[(_, &Block)]| -> Vec<Range<usize>> {
            all.iter().map(|(_, body)| tree.range(*body)).collect()
        };
        let (run, constant) = (bodies(&running), bodies(&constant));
        let is_in = |all: &[Range<usize>], at: usize| all.iter().any(|body| body.contains(&at));
        let blocks = tree.exprs().flat_map(blocks_of).map(|block| start(tree, block));
        let free: BTreeSet<usize> =
            tree.item_functions().map(|item| tree.range(&item.block).start).collect();
        let in_order = running.iter().map(|(head, body)| (tree.range(*body), head, body));
        let mut in_order: Vec<_> = in_order.collect();
        in_order.sort_by_key(|(range, ..)| range.start);
        let mut outermost = (0, Entered::default());
        let functions = in_order.into_iter().map(|(range, head, body)| {
            // One in another one is a part of that.
            if range.start >= outermost.0 {
                let can_be_test = free.contains(&range.start) && head.inputs.is_empty();
                outermost = (range.end, Entered { name: head.ident.to_string(), can_be_test });
            }
            (outermost.1.clone(), start(tree, body))
        });
        Starts {
            functions: functions.collect(),
            branches: blocks.filter(|at| is_in(&run, *at) && !is_in(&constant, *at)).collect(),
        }
    }
}

/// Marks at the beginning of all functions that can tell, and of the blocks in them if that is wanted.
pub fn entries(sources: &Sources, with_branches: bool) -> Entries {
    let texts = sources.files.iter().map(|file| &file.text);
    let starts = texts.map(|text| Tree::with(text, StandIn::Panic, Starts::of).unwrap_or_default());
    let starts: Vec<Starts> = starts.collect();
    let functions = starts.iter().flat_map(|file| &file.functions);
    let all: Vec<Entered> = functions.map(|(function, _)| function.clone()).collect();
    let (mut function, mut branch) = (0.., all.len()..);
    let edits = starts.iter().enumerate().map(|(file, Starts { functions, branches })| {
        let functions = functions.iter().map(|(_, at)| *at).zip(function.by_ref());
        let branches = branches.iter().copied().filter(|_| with_branches).zip(branch.by_ref());
        let edit = functions.chain(branches).fold(Reduction::default(), |edit, (at, number)| {
            edit.and_replace(at..at, format!("::{LIBRARY}::{ENTERED}!({number}); "))
        });
        (file, edit)
    });
    Entries { edits: edits.collect(), functions: all }
}

/// Where the statements of a block begin, behind its inner attributes.
fn start(tree: &Tree<'_>, block: &Block) -> usize {
    let first = block.stmts.first().map(|first| tree.range(first).start);
    first.unwrap_or_else(|| tree.range(block).end - 1)
}

/// What an expression runs or does not run.
fn blocks_of(expr: &Expr) -> impl Iterator<Item = &Block> {
    let (first, second) = match expr {
        Expr::If(it) => {
            let otherwise = it.else_branch.as_ref().and_then(|(_, otherwise)| match &**otherwise {
                Expr::Block(it) => Some(&it.block),
                _ => None,
            });
            (Some(&it.then_branch), otherwise)
        }
        Expr::While(it) => (Some(&it.body), None),
        Expr::ForLoop(it) => (Some(&it.body), None),
        Expr::Loop(it) => (Some(&it.body), None),
        // Of an arm, or a closure.
        Expr::Block(it) => (Some(&it.block), None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

/// The edit that takes the marks out of a text again, with the blocks that were made for them, and what names their
/// library.
pub(super) fn unmarked(text: &str) -> Reduction {
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let texts = |range: Range<usize>| -> Vec<&str> {
        let all = tokens.get(range).unwrap_or_default();
        all.iter().map(|token| token.text).collect()
    };
    let end_of = |token: usize| tokens[token].start + tokens[token].text.len();
    let mut edit = Reduction::default();
    for place in 0..tokens.len() {
        if texts(place..place + 4) == ["extern", "crate", LIBRARY, ";"] {
            edit = edit.and_remove(tokens[place].start..end_of(place + 3));
        }
        if texts(place..place + 5) != [LIBRARY, ":", ":", REACHED, "!"] {
            continue;
        }
        // `!(0);`, and the colons that lead to it.
        let mut last = place + 7;
        if texts(last + 1..last + 2) == [";"] {
            last += 1;
        }
        let first =
            if texts(place.saturating_sub(2)..place) == [":", ":"] { place - 2 } else { place };
        edit = edit.and_remove(tokens[first].start..end_of(last));
        let Some(open) = first.checked_sub(1).filter(|open| tokens[*open].text == "{") else {
            continue;
        };
        let before = texts(open.saturating_sub(2)..open).concat();
        let is_operand = matches!(&*before, "&&" | "||");
        let is_closure = before.ends_with('|') && !is_operand;
        let mut depth = 0_usize;
        let mut close = None;
        let mut is_alone = before == "=>" || is_closure || is_operand;
        for (number, token) in tokens.iter().enumerate().skip(open) {
            match token.text {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => {
                    depth -= 1;
                    if depth == 0 {
                        close = Some(number);
                        break;
                    }
                }
                ";" if depth == 1 && number > last => is_alone = false,
                _ => {}
            }
        }
        if let Some(close) = close.filter(|close| is_alone && *close > last + 1) {
            let behind = tokens.get(close + 1).map(|token| token.text);
            let inside = &text[end_of(last)..tokens[close].start];
            let (start, end) = match behind {
                _ if is_operand && !is_right_operand(&before, inside) => ("(", ")"),
                Some("," | "}") => ("", ""),
                _ if is_closure || is_operand => ("", ""),
                _ => ("", ","),
            };
            let brace = |token: usize| tokens[token].start..end_of(token);
            edit = edit.and_replace(brace(open), start).and_replace(brace(close), end);
        }
    }
    edit
}

/// Whether all of an expression stands on the right of the operator where it stands behind that without parentheses.
fn is_right_operand(operator: &str, expr: &str) -> bool {
    match syn::parse_str(&format!("a {operator} {expr}")) {
        Ok(Expr::Binary(ExprBinary { op, left, .. })) => {
            let is_same = matches!((op, operator), (BinOp::And(_), "&&") | (BinOp::Or(_), "||"));
            is_same && matches!(*left, Expr::Path(_))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::driver::imported;
    use super::*;
    use crate::rust::{Sameness, apply};

    fn approach(text: &str) -> Option<(String, Approach)> {
        let offset = text.find('§')?;
        let text = text.replace('§', "");
        let sources = Sources::of_file("src/lib.rs", &*text, Sameness::Tokens);
        let place = OriginalPlace { file: 0, offset };
        Some((text, Approach::of(&sources, |it| it == place)?))
    }

    fn marked(text: &str, level: usize) -> String {
        let (text, approach) = approach(text).unwrap();
        apply(&text, [&approach.marked_at(level).1])
    }

    const TEXT: &str = "fn f(a: &[u8]) -> u8 { g(); if a.is_empty() { h(); a§[0] } else { 1 } }";

    #[test]
    fn runs_that_pass_come_to_a_statement_unless_it_only_fails() {
        let level = |text: &str, at: &str| {
            let sources = crate::rust::testing::sources_of(text);
            let place = text.find(at).unwrap();
            let approach = Approach::of(&sources, |it| it.offset == place).unwrap();
            approach.missed_by(Some(9)).unwrap()
        };
        assert_eq!(level("fn f(a: usize) { if a > 1 { g(a - 1); } }", "a - 1"), 0);
        assert_eq!(level("fn f(a: usize) { if a > 1 { assert!(a == 2); } }", "assert"), 0);
        assert_eq!(level("fn f(a: usize) { if a > 1 { unreachable!(); } }", "unreachable"), 1);
    }

    #[test]
    fn the_innermost_statement_around_the_place_comes_first() {
        assert_eq!(
            marked(TEXT, 0),
            "fn f(a: &[u8]) -> u8 { g(); if a.is_empty() { h(); ::cargo_reduce_runs::reached!(0); a[0] } \
             else { 1 } }"
        );
        assert_eq!(
            marked(TEXT, 1),
            "fn f(a: &[u8]) -> u8 { g(); ::cargo_reduce_runs::reached!(1); if a.is_empty() { h(); a[0] } \
             else { 1 } }"
        );
        let (text, approach) = approach(TEXT).unwrap();
        assert_eq!(approach.around.len(), 2);
        let all = apply(&text, [&approach.marked().1]);
        assert_eq!(all.matches(REACHED).count(), 2);
        let with_entry = apply(&text, [&approach.marked_with_entry().1]);
        assert!(with_entry.contains("{ ::cargo_reduce_runs::reached!(2); g();"), "{with_entry}");
    }

    #[test]
    fn arms_closures_and_operands_become_blocks_until_the_marks_are_gone() {
        for text in [
            "fn f() { match a() { Some(i) => b§[i], None => {} } }",
            "fn f() { match a() { Some(i) => b§[i] } }",
            "fn f() { a().map(|i| b§[i], c) }",
            "fn f() -> bool { a() && b§[i] || c() }",
            "fn f() { if let Some(i) = a() && b§[i] {} }",
        ] {
            let marked = marked(text, 0);
            assert!(marked.contains("{ ::cargo_reduce_runs::reached!(0); b[i] }"), "{marked}");
            let plain = apply(&marked, [&unmarked(&marked)]);
            let without = |text: &str| text.replace([' ', '§'], "").replace(",}", "}");
            assert_eq!(without(&plain), without(text));
        }
        for (inside, plain) in [("a || b", "(a || b)"), ("a == b", "a == b"), ("return", "return")]
        {
            let marked =
                format!("fn f() {{ c && {{ ::cargo_reduce_runs::reached!(0); {inside} }}; }}");
            let expected = format!("fn f() {{ c && {plain}; }}");
            let dense = |text: &str| text.replace(' ', "");
            assert_eq!(dense(&apply(&marked, [&unmarked(&marked)])), dense(&expected));
        }
        let marked = marked(TEXT, 0);
        let marked = marked + &imported();
        let plain = apply(&marked, [&unmarked(&marked)]);
        assert_eq!(plain.replace([' ', '\n'], ""), TEXT.replace([' ', '§'], ""));
    }

    fn entries_of(text: &str, with_branches: bool) -> Entries {
        entries(&Sources::of_file("src/lib.rs", text, Sameness::Tokens), with_branches)
    }

    fn names(entries: &Entries) -> Vec<&str> {
        entries.functions.iter().map(|function| &*function.name).collect()
    }

    #[test]
    fn all_functions_tell_that_they_are_entered() {
        let text = "fn a() {} impl B { const fn c() {} fn d(&self) { #![allow(x)] e() } }";
        let entries = entries_of(text, false);
        assert_eq!(names(&entries), ["a", "d"]);
        assert_eq!(
            apply(text, [&entries.edits[0].1]),
            "fn a() {::cargo_reduce_runs::entered!(0); } impl B { const fn c() {} fn d(&self) { #![allow(x)] \
             ::cargo_reduce_runs::entered!(1); e() } }"
        );
    }

    #[test]
    fn a_function_inside_of_another_one_is_a_part_of_that() {
        let text = "#[test] fn t() { closure(1); fn closure(n: u8) { f(n); } } fn f(_: u8) {}";
        assert_eq!(names(&entries_of(text, false)), ["t", "t", "f"]);
    }

    #[test]
    fn a_method_is_no_part_of_a_free_function_behind_it_nor_a_test_of_its_name() {
        let text = "impl A { fn new() {} fn t(&self) {} } #[test] fn t() {} fn f(t: u8) {}";
        let entries = entries_of(text, false);
        assert_eq!(names(&entries), ["new", "t", "t", "f"]);
        let tests: Vec<usize> = (0..5).filter(|number| entries.is_test(*number, "t")).collect();
        assert_eq!(tests, [2]);
    }

    #[test]
    fn branches_tell_so_with_numbers_behind_those_of_functions() {
        let text = "fn a() { if b() { c() } else { match d() { 1 => {} _ => e() } } } const fn b() { loop {} } fn f() {}";
        let entries = entries_of(text, true);
        assert_eq!(names(&entries), ["a", "f"]);
        let mark = |number: usize| format!("::cargo_reduce_runs::entered!({number}); ");
        assert_eq!(
            apply(text, [&entries.edits[0].1]),
            format!(
                "fn a() {{ {}if b() {{ {}c() }} else {{ {}match d() {{ 1 => {{{}}} _ => e() }} }} }} const fn b() \
                 {{ loop {{}} }} fn f() {{{}}}",
                mark(0),
                mark(2),
                mark(3),
                mark(4),
                mark(1)
            )
        );
    }

    #[test]
    fn a_constant_function_cannot_tell_and_nothing_else_than_a_function_can() {
        assert_eq!(approach("const fn f() { a§[0] }"), None);
        assert_eq!(approach("const A: u8 = a§[0];"), None);
        assert!(approach("mod m { impl A { fn f() { const B: u8 = 1; a§[0] } } }").is_some());
    }
}

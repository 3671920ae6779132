//! The statements of a test by which it decides what its failing assertion looks at.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::visit::Visit;
use syn::{Block, Expr, ExprForLoop, Pat, Stmt};

use super::literals_of::{is_literal, is_part};
use super::scan::{self, PieceKind};
use super::{Reduction, Sources, StandIn, Tree};
use crate::reduce::RangeExt;
use crate::source::{own_exprs, prints};

/// What the function of a test works with.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Deciding {
    /// The statements in front of its failing assertion that can change what that looks at: without them, it would expect what
    /// nobody has to give.
    pub steps: Vec<Range<usize>>,
    /// The variables in front of it that lead from the inputs to what it looks at: without a call among them, it would look at
    /// something else.
    pub derived: Vec<Range<usize>>,
    /// Those of the variables in front of it that change on the way: what they are made of stands in no other place.
    pub changing: Vec<Range<usize>>,
    /// The initial values of variables that hold literals.
    pub values: Vec<Range<usize>>,
}

/// Which statements in front of a failing assertion decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// All that can change what it looks at, and the ways out.
    All,
    /// The ways out before it is reached, which are how the test passes: without them it fails whatever the code does.
    WaysOut,
}

/// A failing assertion of which it is asked what decides on it.
#[derive(Debug, Clone, Copy)]
pub struct Failing {
    /// The place where it fails.
    pub place: usize,
    /// What is wanted.
    pub steps: Steps,
}

/// A statement of the test.
struct Step<'t> {
    range: Range<usize>,
    words: BTreeSet<&'t str>,
    /// The variables that it introduces.
    binds: BTreeSet<&'t str>,
    is_mut: bool,
    is_let: bool,
    /// Whether it ends a loop or the test.
    is_way_out: bool,
    /// The value that these get, if that holds a literal.
    value: Option<Range<usize>>,
}

/// Those of the function at `function` of a text, with an assertion that fails, if one does.
pub fn deciding(text: &str, function: &Range<usize>, failing: Option<Failing>) -> Deciding {
    let written = &text[function.clone()];
    let place = failing.and_then(|failing| failing.place.checked_sub(function.start));
    let look = |tree: &Tree<'_>| {
        let all = tree.outermost_statements().iter();
        let steps: Vec<Step<'_>> = all.map(|it| step(tree, written, it)).collect();
        (steps, place.and_then(|place| way_to(tree, written, place)))
    };
    let (steps, way) = Tree::with(written, StandIn::Panic, look).unwrap_or_default();
    let moved = |range: &Range<usize>| range.offset_by(function.start);
    let values = steps.iter().filter_map(|step| step.value.as_ref().map(moved)).collect();
    let mut found = Deciding { values, ..Deciding::default() };
    let Some((before, asserting)) = way else {
        return found;
    };
    let bound: BTreeSet<&str> = before.iter().flat_map(|step| &step.binds).copied().collect();
    let changing = before.iter().filter(|step| step.is_mut);
    let changing: BTreeSet<&str> = changing.flat_map(|step| &step.binds).copied().collect();
    let are_all = failing.is_some_and(|failing| failing.steps == Steps::All);
    let deciding = before.iter().filter(|step| step.is_way_out);
    let deciding = deciding.chain(Some(&asserting).filter(|_| are_all));
    let mut needed: BTreeSet<&str> =
        deciding.flat_map(|step| step.words.intersection(&bound)).copied().collect();
    // A variable that is made of one that changes may be a way to change that.
    loop {
        let known = needed.len();
        for step in before.iter().rev() {
            if step.changes(&needed, &changing) || !step.binds.is_disjoint(&needed) {
                needed.extend(step.words.intersection(&bound));
                needed.extend(&step.binds);
            }
        }
        if needed.len() == known {
            break;
        }
    }
    let (changes, others): (Vec<_>, Vec<_>) =
        before.iter().partition(|step| step.is_way_out || step.changes(&needed, &changing));
    let derived = others.iter().filter(|step| step.is_let && !step.binds.is_disjoint(&needed));
    found.derived.extend(derived.clone().map(|step| moved(&step.range)));
    found.changing.extend(derived.filter(|step| step.is_mut).map(|step| moved(&step.range)));
    found.steps.extend(changes.iter().map(|step| moved(&step.range)));
    found
}

impl Step<'_> {
    /// Whether it may change one of these variables, of which some are `changing`.
    fn changes(&self, needed: &BTreeSet<&str>, changing: &BTreeSet<&str>) -> bool {
        self.words.iter().any(|word| {
            needed.contains(word)
                && !self.binds.contains(word)
                && (!self.is_let || changing.contains(word))
        })
    }
}

/// The steps on the way to a place of a function, the heads of loops around it among them, and the outermost statement
/// that stands there.
fn way_to<'t>(tree: &Tree<'_>, text: &'t str, place: usize) -> Option<(Vec<Step<'t>>, Step<'t>)> {
    let is_around = |range: Range<usize>| range.contains(&place);
    let mut blocks: Vec<&Block> =
        tree.blocks().filter(|block| is_around(tree.range(*block))).collect();
    blocks.sort_by_key(|block| tree.range(*block).start);
    let heads = tree.exprs().filter_map(|expr| match expr {
        Expr::ForLoop(it) if is_around(tree.range(&it.body)) => Some(head(tree, text, it)),
        _ => None,
    });
    let mut steps: Vec<Step<'t>> = heads.collect();
    let mut asserting = None;
    for block in blocks {
        let at = block.stmts.iter().position(|statement| is_around(tree.range(statement)));
        let Some(at) = at else { break };
        // What only prints decides nothing.
        let before = block.stmts[..at].iter().filter(|it| !prints(&text[tree.range(*it)]));
        steps.extend(before.map(|statement| step(tree, text, statement)));
        asserting.get_or_insert_with(|| step(tree, text, &block.stmts[at]));
    }
    steps.sort_by_key(|step| step.range.start);
    Some((steps, asserting?))
}

/// What the head of a loop binds.
fn head<'t>(tree: &Tree<'_>, text: &'t str, around: &ExprForLoop) -> Step<'t> {
    let (pattern, range) = (tree.range(&*around.pat), tree.range(&*around.expr));
    Step {
        words: words(&text[range.clone()]),
        binds: words(&text[pattern]),
        range,
        is_mut: false,
        is_let: true,
        is_way_out: false,
        value: None,
    }
}

fn step<'t>(tree: &Tree<'_>, text: &'t str, statement: &Stmt) -> Step<'t> {
    let range = tree.range(statement);
    let mut step = Step {
        words: words(&text[range.clone()]),
        is_way_out: is_way_out(statement),
        range,
        binds: BTreeSet::new(),
        is_mut: false,
        is_let: false,
        value: None,
    };
    if let Stmt::Local(local) = statement {
        let pattern = match &local.pat {
            Pat::Type(typed) => tree.range(&*typed.pat),
            pattern => tree.range(pattern),
        };
        step.binds = words(&text[pattern]);
        let value = local.init.as_ref().map(|init| &*init.expr);
        let is_lent = matches!(value, Some(Expr::Reference(it)) if it.mutability.is_some());
        step.is_mut = step.binds.remove("mut") || is_lent;
        step.is_let = true;
        let value = value.map(|value| tree.range(value));
        step.value =
            value.filter(|value| scan::tokens(&text[value.clone()]).any(|it| is_literal(&it)));
    }
    step
}

/// Whether a statement can end the loop around it, or the function.
fn is_way_out(statement: &Stmt) -> bool {
    use Expr::{Break, ForLoop, Loop, Return, While};
    let is_loop = matches!(statement, Stmt::Expr(ForLoop(_) | Loop(_) | While(_), _));
    let is_exit = |expr: &&Expr| matches!(expr, Return(_)) || !is_loop && matches!(expr, Break(_));
    own_exprs(|it| it.visit_stmt(statement)).iter().any(is_exit)
}

/// The words of a text, be they in format strings.
fn words(text: &str) -> BTreeSet<&str> {
    let all = text.split(|c| !scan::is_word(c));
    all.filter(|word| !word.is_empty()).collect()
}

/// Whether a reduction of a text takes a literal, a call or an assignment from the statement at `range`.
pub fn changes_step(text: &str, range: &Range<usize>, reduction: &Reduction) -> bool {
    reduction
        .text_over(text, range)
        .is_some_and(|now| !is_part(&said(&text[range.clone()]), &said(&now)))
}

/// Whether a reduction of a text takes one of these calls from the statement at `range`, and puts no other in its place.
pub fn loses_call(
    text: &str,
    range: &Range<usize>,
    calls: &[String],
    reduction: &Reduction,
) -> bool {
    let calls_more = || reduction.changes.iter().any(|change| change.text.contains('('));
    let now = reduction.text_over(text, range).filter(|_| !calls_more());
    now.is_some_and(|now| !is_part(calls, &said(&now)))
}

/// The calls in a text of functions with one of these names, in order.
pub fn calls_of(text: &str, names: &BTreeSet<String>) -> Vec<String> {
    said(text).into_iter().filter(|word| names.contains(word)).collect()
}

/// The names of the functions that are defined in these sources.
pub fn defined_functions(sources: &Sources) -> BTreeSet<String> {
    let of_file = |text: &str| -> Vec<String> {
        let words: Vec<&str> = scan::tokens(text).map(|token| token.text).collect();
        let named = words.windows(2).filter(|pair| pair[0] == "fn");
        named.map(|pair| pair[1].to_owned()).collect()
    };
    sources.files.iter().flat_map(|file| of_file(&file.text)).collect()
}

/// The literals, the names of what is called, the assignments and the exits of a text, in order.
fn said(text: &str) -> Vec<String> {
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let next = |place: usize| tokens.get(place + 1).map_or("", |token| token.text);
    let said = tokens.iter().enumerate().filter(|(place, token)| {
        let is_called = token.kind == PieceKind::Word && matches!(next(*place), "(" | "!");
        is_literal(token) || is_called || matches!(token.text, "=" | "break" | "return")
    });
    said.map(|(_, token)| token.text.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{range_of, without};

    const TEXT: &str = "#[test] fn t() { let n = 3; let other = 4; let mut q: Q<u8> = Q::default(); let limit = n; \
                        q.push(\"a\", n); let mut log = L::new(); let all = q.iter_mut(); for x in all { *x = 2; } log.add(7); \
                        println!(\"{q}\"); let first = q.pop(); assert_eq!(q.pop(), Some(0)); assert_eq!(q.peek(), 1); q.push(\"b\", 5); }";

    fn failing_at(text: &str, assertion: &str) -> Option<Failing> {
        text.find(assertion).map(|place| Failing { place, steps: Steps::All })
    }

    fn found(text: &str) -> (Vec<&str>, Vec<&str>) {
        let Deciding { steps, values, .. } =
            deciding(text, &(0..text.len()), failing_at(text, "assert_eq!(q.peek"));
        let texts = |all: Vec<Range<usize>>| all.into_iter().map(|it| &text[it]).collect();
        (texts(steps), texts(values))
    }

    #[test]
    fn steps_within_the_loop_that_asserts_decide_as_those_before_it_do() {
        let text = "fn t() { let a = size(1); let b = size(2); for (s, r) in [(a, b)] { let mut q = Q::new(); q.put(s); \
                    let other = r; { let x = q.put(r); q.idle(); assert!(x > 0); q.put(b); } } q.put(a); }";
        let steps = deciding(text, &(0..text.len()), failing_at(text, "assert!")).steps;
        let steps: Vec<&str> = steps.into_iter().map(|it| &text[it]).collect();
        assert_eq!(steps, ["q.put(s);", "let x = q.put(r);", "q.idle();"]);
    }

    #[test]
    fn what_changes_the_variables_of_the_failing_assertion_decides_and_so_do_their_literals() {
        let (steps, values) = found(TEXT);
        assert_eq!(
            steps,
            [
                "q.push(\"a\", n);",
                "let all = q.iter_mut();",
                "for x in all { *x = 2; }",
                "let first = q.pop();",
                "assert_eq!(q.pop(), Some(0));"
            ]
        );
        assert_eq!(values, ["3", "4"]);
        assert!(deciding(TEXT, &(0..TEXT.len()), None).steps.is_empty());
    }

    #[test]
    fn variables_that_lead_to_what_the_assertion_looks_at_keep_their_calls_of_the_code() {
        let text = "fn t() { let doc = parse(\"ab\").unwrap(); let a = doc.first(); let b = a.next().unwrap(); let n = a.len(); \
                    assert!(b.next().is_none()); } fn parse() {} impl D { fn first() {} fn next() {} }";
        let end = text.find(" fn parse").unwrap();
        let derived = deciding(text, &(0..end), failing_at(text, "assert!")).derived;
        let texts: Vec<&str> = derived.iter().map(|it| &text[it.clone()]).collect();
        let b = "let b = a.next().unwrap();";
        assert_eq!(texts, ["let doc = parse(\"ab\").unwrap();", "let a = doc.first();", b]);
        let names = defined_functions(&crate::rust::testing::sources_of(text));
        let calls = calls_of(b, &names);
        assert_eq!(calls, ["next"]);
        let loses = |parts: &[&str]| loses_call(text, &derived[2], &calls, &without(text, parts));
        assert!(
            loses(&[b]) && loses(&[".next().unwrap(); let n"]) && !loses(&[".unwrap(); let n"])
        );
        let inlined =
            without(text, &[b]).and_replace(range_of(text, "b.next().is"), "a.next().next().is");
        assert!(!loses_call(text, &derived[2], &calls, &inlined));
    }

    #[test]
    fn what_is_filled_through_a_reference_decides_too() {
        let text = "fn t() { let ends = &mut [0; 9]; let mut r = R::new(); let x = r.read(\"a\", ends); r.reset(); \
                    let y = r.read(\"b\", ends); assert_eq!(ends[0], 3); }";
        let steps = deciding(text, &(0..text.len()), failing_at(text, "assert_eq")).steps;
        let steps: Vec<&str> = steps.into_iter().map(|it| &text[it]).collect();
        let [first, second] = ["let x = r.read(\"a\", ends);", "let y = r.read(\"b\", ends);"];
        assert_eq!(steps, [first, "r.reset();", second]);
    }

    #[test]
    fn ways_out_before_the_assertion_decide_with_what_leads_to_them() {
        let text = "fn t() { let tree = grow(3); let mut left = tree.walk(); let mut rows = vec![]; \
                    loop { let l = left.next(); let r = rows.len(); if l.is_none() { break; } rows.push(f(r)); \
                    assert!(rows.len() < 9); } }";
        let assertion = text.find("assert!").unwrap();
        let failing = Failing { place: assertion, steps: Steps::WaysOut };
        let Deciding { steps, derived, changing, .. } =
            deciding(text, &(0..text.len()), Some(failing));
        let texts = |all: &[Range<usize>]| -> Vec<&str> {
            all.iter().map(|it| &text[it.clone()]).collect()
        };
        let way_out = "if l.is_none() { break; }";
        assert_eq!(texts(&steps), ["let l = left.next();", way_out]);
        assert_eq!(texts(&derived), ["let tree = grow(3);", "let mut left = tree.walk();"]);
        assert_eq!(texts(&changing), ["let mut left = tree.walk();"]);
        let changes = |part: &str| changes_step(text, &steps[1], &without(text, &[part]));
        assert!(changes("break;") && changes(way_out) && !changes("rows.push(f(r));"));
    }

    #[test]
    fn a_step_keeps_its_literals_calls_and_assignments_whatever_its_form() {
        let step = "let all = q.iter_mut(); for x in all { *x = 2; }";
        let range = range_of(TEXT, step);
        let changes = |part: &str| changes_step(TEXT, &range, &without(TEXT, &[part]));
        for changed in [step, "*x = 2;", ".iter_mut()", "log = L::new(); let all = q.iter_mut();"] {
            assert!(changes(changed), "{changed}");
        }
        for free in [": Q<u8>", "let other = 4;", "log.add(7);", "#[test] "] {
            assert!(!changes(free), "{free}");
        }
    }
}

//! Which side of a comparison a value goes to: `assert_eq!(area(&[(0, 0), (w, h)]), w * h / 2)` says something of all `w` and
//! `h`, but of no other points, and with no other divisor.

use std::collections::BTreeSet;
use std::ops::Range;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, Lit, Local, Macro, Signature, Stmt};

use super::assertion::assertion_at;
use super::exprs::{assigned, bare, children, exprs, lent};
use super::idents::mentioned;
use super::inputs::root;
use super::item::{Item, ItemKind};
use super::methods::is_search;
use super::parse::range;
use super::patterns::bound;
use super::tokens::{expressions, without_debug};
use super::{Crate, FileIndex, TestCode, ValuePlace};
use crate::reduce::RangeExt;

/// The two sides of a comparison, and what they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    file: FileIndex,
    /// The bytes of the function around it.
    function: Range<usize>,
    both: [Side; 2],
    flows: Vec<Flow>,
    /// Whether one says something of just these inputs of both: takes a single element of a list, as in `all[0]`, counts
    /// from something, as in `text.len() - 3`, or takes a text apart itself, as in `text.lines().count()`: which texts that
    /// reads as the code under test does, nobody says.
    pub is_for_some: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Side {
    operand: Range<usize>,
    /// The names it comes from.
    names: BTreeSet<String>,
}

/// Values that go into variables.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Flow {
    /// The bytes of what they are computed by.
    range: Range<usize>,
    from: BTreeSet<String>,
    to: BTreeSet<String>,
    /// The names of what it counts from.
    counts_from: BTreeSet<String>,
}

impl Crate {
    /// The sides of the comparison of two computed values that starts at this byte, in `code` of tests.
    pub fn sides(&self, file: FileIndex, offset: usize, code: TestCode) -> Option<Sides> {
        assertion_at(&self.file(file).text, offset, |name, arguments, scope| {
            let base = scope.base;
            let operands = match (without_debug(name), arguments.first()?) {
                ("assert_eq", _) => [arguments.first()?, arguments.get(1)?],
                ("assert", Expr::Binary(it)) if matches!(it.op, BinOp::Eq(_)) => {
                    [&*it.left, &*it.right]
                }
                _ => return None,
            };
            let (_, block) = scope.function?;
            let mut flows = Flows { base, flows: Vec::new() };
            flows.visit_block(block);
            let flows = flows.flows;
            let both = operands.map(|operand| Side {
                operand: range(operand.span(), base),
                names: sources(mentioned(operand.to_token_stream()), &flows),
            });
            let mut sides = Sides {
                file,
                function: range(block.span(), base),
                both,
                flows,
                is_for_some: false,
            };
            let in_operands = operands.iter().flat_map(|it| exprs(|all| all.visit_expr(it)));
            let all = exprs(|it| it.visit_block(block)).into_iter().chain(in_operands);
            let picks = |expr: &Expr| {
                sides.picks_one(expr) && sides.of(&range(expr.span(), base)) != [false; 2]
            };
            let counted = operands.iter().flat_map(|it| counts_from(it)).chain(sides.counted());
            let counts = counted.into_iter().any(|name| sides.is_of_both(&name));
            let reads = |expr: &Expr| {
                let [left, right] = sides.of(&range(expr.span(), base));
                takes_apart(expr) && left != right
            };
            sides.is_for_some = counts
                || all.into_iter().any(|expr| picks(expr) || reads(expr))
                || self.helper_reads(code, &sides);
            Some(sides)
        })
    }

    /// Whether one side alone comes from a function of the tests that takes a text apart.
    fn helper_reads(&self, code: TestCode, sides: &Sides) -> bool {
        let reads = |item: &Item| {
            let look = |_: &Signature, block: &Block| {
                exprs(|it| it.visit_block(block)).into_iter().any(takes_apart)
            };
            self.look_at_function(item, look).unwrap_or(false)
        };
        let is_of_one = |item: &&Item| {
            let [left, right] = sides.named(&item.name);
            left != right && self.is_test_code_at(code, item.file, item.span.start)
        };
        self.items_of(ItemKind::Fn).filter(is_of_one).any(reads)
    }

    /// To which sides the value at a place goes, as far as that is known.
    pub fn sides_of(&self, sides: &Sides, place: &ValuePlace) -> [bool; 2] {
        let range = place.range();
        if place.file == sides.file && sides.function.covers(&range) {
            return sides.of(&range);
        }
        let around = self.items_around(place.file, range).filter(|item| item.owner.is_none());
        around.last().map_or([false; 2], |item| sides.named(&item.name))
    }
}

impl Sides {
    fn named(&self, name: &str) -> [bool; 2] {
        self.both.each_ref().map(|side| side.names.contains(name))
    }

    fn of(&self, range: &Range<usize>) -> [bool; 2] {
        self.both.each_ref().map(|side| {
            let goes_there =
                |flow: &Flow| flow.range.covers(range) && !flow.to.is_disjoint(&side.names);
            side.operand.covers(range) || self.flows.iter().any(goes_there)
        })
    }

    fn is_of_both(&self, name: &str) -> bool {
        self.named(name) == [true; 2]
    }

    /// The names of what the values of a side count from.
    fn counted(&self) -> impl Iterator<Item = String> {
        let goes_there =
            |flow: &&Flow| self.both.iter().any(|side| !flow.to.is_disjoint(&side.names));
        self.flows.iter().filter(goes_there).flat_map(|flow| flow.counts_from.iter().cloned())
    }

    fn picks_one(&self, expr: &Expr) -> bool {
        let (list, place) = match expr {
            Expr::Index(index) => (&*index.expr, &*index.index),
            Expr::MethodCall(call) if call.method == "nth" || call.method == "get" => {
                let Some(place) = call.args.first() else { return false };
                (&*call.receiver, place)
            }
            _ => return false,
        };
        matches!(place, Expr::Lit(_)) && root(list).is_some_and(|name| self.is_of_both(&name))
    }
}

/// Whether an expression takes a text apart: looks in it for a text or character that is written out, splits it, or reads a
/// number of it.
fn takes_apart(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else { return false };
    let name = call.method.to_string();
    match call.args.first().map(bare) {
        None => ["lines", "parse", "split_whitespace"].contains(&&*name),
        Some(Expr::Lit(it)) if matches!(it.lit, Lit::Str(_) | Lit::Char(_)) => is_search(&name),
        Some(Expr::Closure(_)) => name.contains("split"),
        Some(_) => false,
    }
}

/// The names of what an expression itself counts from: `text.len() - 3`. What it hands to a call, that may count from, too.
fn counts_from(expr: &Expr) -> BTreeSet<String> {
    match expr {
        Expr::Binary(it) if matches!(it.op, BinOp::Add(_) | BinOp::Sub(_)) => {
            let sides = children(expr);
            let mut names: BTreeSet<String> = sides.iter().flat_map(|it| counts_from(it)).collect();
            if sides.into_iter().any(|side| matches!(side, Expr::Lit(_))) {
                names.append(&mut mentioned(expr.to_token_stream()));
            }
            names
        }
        Expr::Binary(_) | Expr::Paren(_) | Expr::Reference(_) | Expr::Cast(_) | Expr::Unary(_) => {
            children(expr).into_iter().flat_map(counts_from).collect()
        }
        Expr::MethodCall(it) => counts_from(&it.receiver),
        _ => BTreeSet::new(),
    }
}

/// The names, and all those that their values come from.
fn sources(mut names: BTreeSet<String>, flows: &[Flow]) -> BTreeSet<String> {
    loop {
        let before = names.len();
        for flow in flows.iter().filter(|flow| !flow.to.is_disjoint(&names)).collect::<Vec<_>>() {
            names.extend(flow.from.iter().cloned());
        }
        if names.len() == before {
            return names;
        }
    }
}

struct Flows {
    base: usize,
    flows: Vec<Flow>,
}

impl Flows {
    fn add(
        &mut self,
        value: &(impl ToTokens + Spanned),
        to: BTreeSet<String>,
        counts_from: BTreeSet<String>,
    ) {
        if !to.is_empty() {
            let from = mentioned(value.to_token_stream());
            self.flows.push(Flow { range: range(value.span(), self.base), from, to, counts_from });
        }
    }

    /// What a statement changes, by what it hands over.
    fn statement(&mut self, expr: &Expr) {
        match expr {
            Expr::MethodCall(call) => {
                let to = root(&call.receiver).into_iter().collect();
                self.add(&call.args, to, BTreeSet::new());
                self.statement(&call.receiver);
            }
            Expr::Call(call) => {
                let to = call.args.iter().filter_map(|argument| root(lent(argument)?)).collect();
                self.add(&call.args, to, BTreeSet::new());
            }
            Expr::Try(inner) => self.statement(&inner.expr),
            Expr::Await(inner) => self.statement(&inner.base),
            _ => {}
        }
    }

    /// What decides how often, or whether, a body runs goes into all that it changes.
    fn header(&mut self, header: &Expr, mut bound: BTreeSet<String>, whole: &Expr) {
        let before = self.flows.len();
        visit::visit_expr(self, whole);
        bound.extend(self.flows[before..].iter().flat_map(|flow| flow.to.iter().cloned()));
        self.add(header, bound, BTreeSet::new());
    }
}

impl<'ast> Visit<'ast> for Flows {
    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            self.add(&init.expr, bound(&local.pat), counts_from(&init.expr));
        }
        visit::visit_local(self, local);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(expr, _) = statement {
            self.statement(expr);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.statement(&arm.body);
        visit::visit_arm(self, arm);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Some((object, _)) = assigned(expr) {
            self.add(expr, root(object).into_iter().collect(), BTreeSet::new());
        }
        match expr {
            Expr::Let(it) => self.add(&it.expr, bound(&it.pat), BTreeSet::new()),
            Expr::ForLoop(it) => return self.header(&it.expr, bound(&it.pat), expr),
            Expr::While(it) => return self.header(&it.cond, BTreeSet::new(), expr),
            Expr::If(it) => return self.header(&it.cond, BTreeSet::new(), expr),
            Expr::Match(it) => {
                let arms = it.arms.iter().flat_map(|arm| bound(&arm.pat)).collect();
                return self.header(&it.expr, arms, expr);
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        for argument in expressions(&mac.tokens).into_iter().flatten() {
            self.visit_expr(&argument);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests::{found, krate};

    /// The inputs of a test with this body, each with whether it goes to the left and to the right side, and whether a
    /// side picks an element.
    fn sides_of(body: &str) -> (Vec<(String, [bool; 2])>, bool) {
        let text = format!(
            "use lib::area;\nfn words(text: &str) -> usize {{ text.split(' ').count() }}\nconst ALL: &[i32] = &[7, 8];\nfn half(n: i32) -> i32 {{ n / 2 }}\n#[test]\nfn t() {{ {body} }}\n"
        );
        let krate = krate(&[("tests/a.rs", &text)]).testing(BTreeSet::from(["lib".to_owned()]));
        let found = found(&krate, "t");
        let sides =
            krate.sides(FileIndex(0), text.find("assert").unwrap(), TestCode::Crate).unwrap();
        let leaves = found.inputs.nodes().filter(|node| node.children().is_empty());
        let all = leaves.map(|node| {
            let place = found.place(node.id);
            (text[place.range()].to_owned(), krate.sides_of(&sides, place))
        });
        (all.collect(), sides.is_for_some)
    }

    fn check(body: &str, both: &[&str], one: &[&str]) {
        let (all, _) = sides_of(body);
        let of = |wanted: usize| {
            let of = |sides: &[bool; 2]| usize::from(sides[0]) + usize::from(sides[1]) == wanted;
            let all = all.iter().filter(|(_, sides)| of(sides));
            all.map(|(text, _)| text.as_str()).collect::<Vec<_>>()
        };
        assert_eq!((of(2), of(1)), (both.to_vec(), one.to_vec()), "{body}");
    }

    #[test]
    fn an_input_of_both_sides_is_told_from_those_of_one() {
        check(
            "let (w, h) = (4, 3); assert_eq!(area(&[(1, w), (h, 1)]), w * h)",
            &["4", "3"],
            &["1", "1"],
        );
        check(
            "let w = 4; let want = (w + 5) / 2; let got = area(w); assert_eq!(got, want)",
            &["4"],
            &["5", "2"],
        );
        check("let all = [3, 4]; assert!(area(&all) == all.iter().sum())", &["3", "4"], &[]);
        check("assert_eq!(area(ALL), half(ALL[1]))", &["7", "8"], &[]);
        check("assert_eq!(area(ALL), half(5))", &[], &["7", "8", "5"]);
    }

    #[test]
    fn what_a_variable_is_built_by_goes_where_it_goes() {
        check(
            "let mut a = area(0); let mut b = 0; for n in [6, 7] { a.push(n); b += n + 1; } assert_eq!(a.sum(), b)",
            &["6", "7"],
            &["0"],
        );
        check(
            "let mut a = area(0); fill(&mut a, 5); let b = a.copy(); assert_eq!(a, b)",
            &["0", "5"],
            &[],
        );
    }

    #[test]
    fn what_is_said_of_these_inputs_says_nothing_of_others() {
        for (body, is_for_some) in [
            ("let all = [3, 4]; assert_eq!(area(&all), all.len() - 1)", true),
            ("let s = \"ab\"; let n = s.len() + 2; let got = area(s); assert_eq!(got, n)", true),
            ("let all = [3, 4]; assert_eq!(area(&all).next(), all.iter().nth(1))", true),
            ("let w = 3; assert_eq!(area(w + 1), w * w / 2)", false),
            ("let all = [3, 4]; assert_eq!(area(&all), (all[0] + all[1]) / 2)", true),
            ("let all = [3, 4]; let got = area(&all); assert_eq!(got[0], half(3))", false),
        ] {
            assert_eq!(sides_of(body).1, is_for_some, "{body}");
        }
        let reads = |body: &str| sides_of(&format!("let s = \"a b\"; {body}")).1;
        assert!(reads("assert_eq!(area(s), s.split(' ').count())"));
        assert!(reads("let want = words(s); assert_eq!(area(s), want)"));
        assert!(!reads("let n = words(s); assert_eq!(area(n), n + n)"));
        assert!(!reads("assert_eq!(area(area(s)), s.trim())"));
        assert!(!reads("let all = area(s); assert_eq!(all.find(7), all.last().parse(2))"));
    }
}

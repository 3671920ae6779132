//! Literals that only steer test code: they never reach the code under test, so they are no inputs.

use std::ops::Range;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Local, Pat};

use super::macros;
use super::names::computing;
use super::scope::{Scope, root};
use crate::source::exprs::{assigned, bare, children, exprs, macro_of};
use crate::source::methods::{is_mixing, is_search, takes_part};
use crate::source::parse::range;
use crate::source::patterns::bound;
use crate::source::tokens::{
    expressions, is_assertion, is_order, is_panic, last_name, last_two_words, sign_of,
};

/// The bytes in the body of a function, whose text starts at `base`, that hold no inputs: patterns that texts are
/// searched for, offsets into results, tolerances, counters.
pub(super) fn literals(scope: &Scope<'_>, body: &Block, base: usize) -> Literals {
    let mut steering = Steering {
        scope,
        base,
        // Nothing in a helper that only computes is known to go into the code under test by itself.
        knows_flow: !scope.flowing.is_empty(),
        found: Literals::default(),
    };
    steering.visit_block(body);
    steering.found
}

/// Where literals stand that only steer a test.
#[derive(Default)]
pub(super) struct Literals {
    /// Those that hold what the test expects, too, or what comes before.
    pub all: Vec<Range<usize>>,
    /// Those of them that no test expects: words of its own errors, buffers, random numbers, the environment.
    pub never_expected: Vec<Range<usize>>,
}

impl Literals {
    /// All of a function that makes random numbers.
    pub(super) fn of_generator(body: Range<usize>) -> Self {
        Literals { all: vec![body.clone()], never_expected: vec![body] }
    }
}

struct Steering<'s> {
    scope: &'s Scope<'s>,
    base: usize,
    knows_flow: bool,
    found: Literals,
}

impl Steering<'_> {
    fn skip(&mut self, expr: &Expr) {
        self.found.all.push(range(expr.span(), self.base));
    }

    fn skip_unexpected(&mut self, expr: &Expr) {
        self.found.never_expected.push(range(expr.span(), self.base));
        self.skip(expr);
    }

    /// Whether what is changed only counts or collects within the test.
    fn is_own(&self, object: &Expr) -> bool {
        let knows_flow = self.knows_flow;
        root(object).is_some_and(|name| {
            knows_flow
                && self.scope.locals.contains(&name)
                && !self.scope.flowing.contains(&name)
                && !self.scope.made_by_tested.contains(&name)
        })
    }

    /// Whether an expression asks how long a variable of the function is.
    fn is_length(&self, expr: &Expr) -> bool {
        let Expr::MethodCall(call) = expr else { return false };
        let is_local = root(&call.receiver).is_some_and(|name| self.scope.locals.contains(&name));
        is_local && call.args.is_empty() && ["len", "count"].iter().any(|name| call.method == name)
    }

    /// The literals of an operand of an assertion that are handed to nothing.
    fn operand(&mut self, expr: &Expr) {
        match expr {
            Expr::MethodCall(call) if takes_part(&call.method.to_string()) => {
                self.operand(&call.receiver);
                call.args.iter().for_each(|argument| self.skip(argument));
            }
            Expr::Index(index) => {
                self.operand(&index.expr);
                if !self.scope.is_tested(&index.index) {
                    self.skip(&index.index);
                }
            }
            Expr::Binary(binary) => {
                for side in [&binary.left, &binary.right] {
                    if is_order(&binary.op) && is_fraction(side) {
                        // With another tolerance, the test would pass whatever the code does.
                        self.skip_unexpected(side);
                    } else if is_number(side) {
                        self.skip(side);
                    } else {
                        self.operand(side);
                    }
                }
            }
            Expr::Closure(_)
            | Expr::Field(_)
            | Expr::Reference(_)
            | Expr::Paren(_)
            | Expr::Unary(_) => children(expr).into_iter().for_each(|it| self.operand(it)),
            Expr::MethodCall(call) => {
                self.operand(&call.receiver);
                call.args.iter().for_each(|argument| match argument {
                    Expr::Closure(_) => self.operand(argument),
                    argument => self.visit_expr(argument),
                });
            }
            expr => self.visit_expr(expr),
        }
    }
}

impl<'ast> Visit<'ast> for Steering<'_> {
    fn visit_local(&mut self, local: &'ast Local) {
        let names = bound(&local.pat);
        if let Some(init) = &local.init {
            let used = computing(init.expr.to_token_stream());
            let is_own = self.knows_flow
                && names.is_disjoint(&self.scope.flowing)
                && names.is_disjoint(&self.scope.made_by_tested)
                && !names.is_empty();
            let is_counter = is_own && is_number(&init.expr) && !self.scope.are_tested(&used);
            let is_buffer = is_buffer(local) && names.is_disjoint(&self.scope.flowing);
            if is_buffer {
                return self.skip_unexpected(&init.expr);
            }
            if is_counter {
                return self.skip(&init.expr);
            }
        }
        visit::visit_local(self, local);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Some((object, value)) = assigned(expr)
            && self.is_own(object)
            && !self.scope.is_tested(value)
        {
            return self.skip(value);
        }
        match expr {
            Expr::Binary(binary) if is_mixing_operator(&binary.op) => {
                for side in [&binary.left, &binary.right] {
                    if matches!(&**side, Expr::Lit(_)) {
                        self.skip_unexpected(side);
                    }
                }
            }
            // An assertion by hand.
            Expr::If(it) if only_panics(&it.then_branch) => {
                self.operand(&it.cond);
                self.visit_block(&it.then_branch);
                if let Some((_, otherwise)) = &it.else_branch {
                    self.visit_expr(otherwise);
                }
                return;
            }
            // Begun with 0, a loop has one turn more.
            Expr::ForLoop(it) => {
                if let Expr::Range(range) = bare(&it.expr)
                    && let Some(start) = &range.start
                    && matches!(&**start, Expr::Lit(it) if is_one(&it.lit))
                {
                    self.skip_unexpected(start);
                }
            }
            // The places of a list over and over, as in `NAMES[n % 4]`.
            Expr::Binary(binary)
                if matches!(binary.op, syn::BinOp::Rem(_))
                    && is_number(&binary.right)
                    && !is_number(&binary.left) =>
            {
                self.skip(&binary.right);
            }
            // A unit, in which a helper counts what it is given.
            Expr::Binary(binary)
                if matches!(binary.op, syn::BinOp::Mul(_) | syn::BinOp::Div(_))
                    && !self.knows_flow =>
            {
                let sides = [&binary.left, &binary.right];
                if !sides.iter().all(|side| is_number(side)) {
                    sides.into_iter().filter(|side| is_number(side)).for_each(|it| {
                        self.skip_unexpected(it);
                    });
                }
            }
            // An offset into what the code under test has made, or from a length on.
            Expr::Binary(binary)
                if matches!(binary.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_)) =>
            {
                for (side, other) in [(&binary.left, &binary.right), (&binary.right, &binary.left)]
                {
                    if is_number(side) && (self.is_length(other) || self.scope.is_tested(other)) {
                        self.skip(side);
                    }
                }
            }
            // A place in a list of the test's own.
            Expr::Index(index) if is_number(&index.index) && !self.scope.is_tested(&index.expr) => {
                self.skip(&index.index);
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let is_pure = !self.scope.is_tested(&call.receiver);
                let is_pattern = call.args.len() == 1 && is_chars(&call.args[0]);
                if is_pure && (is_search(&name) || is_mixing(&name)) || is_pattern {
                    call.args.iter().for_each(|argument| self.skip_unexpected(argument));
                }
                let said = call.args.iter().filter(|_| says_why(&name));
                let said: Vec<&Expr> = said.filter(|it| !self.scope.calls_tested(it)).collect();
                for argument in said {
                    self.skip_unexpected(argument);
                }
            }
            // What the test says of itself when it fails.
            Expr::Return(syn::ExprReturn { expr: Some(said), .. })
            | Expr::Try(syn::ExprTry { expr: said, .. })
                if is_error(said) && !self.scope.calls_tested(said) =>
            {
                return self.skip_unexpected(said);
            }
            Expr::Call(call) if is_environment(&call.func) => {
                call.args.iter().for_each(|argument| self.skip_unexpected(argument));
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let is_assertion = is_assertion(&last_name(&mac.path));
        if let Some((element, length)) = macros::repeated(&mac.tokens) {
            self.visit_expr(&element);
            self.visit_expr(&length);
        }
        for argument in expressions(&mac.tokens).into_iter().flatten() {
            if is_assertion {
                self.operand(&argument);
            } else {
                self.visit_expr(&argument);
            }
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether a literal is the number 1.
fn is_one(literal: &syn::Lit) -> bool {
    matches!(literal, syn::Lit::Int(it) if it.base10_digits() == "1")
}

/// Whether an expression makes an error.
pub(super) fn is_error(expr: &Expr) -> bool {
    matches!(expr, Expr::Call(call) if matches!(&*call.func, Expr::Path(it) if it.path.is_ident("Err")))
}

/// Whether a method is told what to say where there is no value.
pub(super) fn says_why(method: &str) -> bool {
    matches!(method, "ok_or" | "ok_or_else" | "map_err")
}

/// Whether a variable is made for something else to be written into, as in `let mut buffer = [0; 512];`.
fn is_buffer(local: &Local) -> bool {
    let Pat::Ident(name) = &local.pat else { return false };
    let init = local.init.as_ref().map(|init| &*init.expr);
    name.mutability.is_some()
        && matches!(init, Some(Expr::Repeat(it)) if is_number(&it.expr) && is_number(&it.len))
}

/// Whether a function steps from one number to one that looks random: it mixes what it changes.
pub(super) fn is_generator(body: &Block) -> bool {
    let mixes = |expr: &Expr| match expr {
        Expr::Binary(it) => matches!(sign_of(&it.op).as_str(), "^=" | "<<=" | ">>="),
        Expr::Assign(it) => match &*it.right {
            Expr::MethodCall(call) => is_mixing(&call.method.to_string()),
            Expr::Binary(it) => matches!(sign_of(&it.op).as_str(), "^" | "<<" | ">>"),
            _ => false,
        },
        _ => false,
    };
    exprs(|it| it.visit_block(body)).into_iter().any(mixes)
}

/// Whether an expression is a literal that is no text.
pub(super) fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => {
            !matches!(literal.lit, syn::Lit::Str(_) | syn::Lit::ByteStr(_) | syn::Lit::CStr(_))
        }
        Expr::Unary(unary) => is_number(&unary.expr),
        _ => false,
    }
}

/// Whether an operator does.
fn is_mixing_operator(op: &syn::BinOp) -> bool {
    matches!(sign_of(op).as_str(), "^" | "<<" | ">>" | "&" | "^=" | "<<=" | ">>=" | "&=" | "%=")
}

/// Whether an expression is a list of characters: of methods, only those of texts take one, as what to look for.
fn is_chars(expr: &Expr) -> bool {
    let is_char = |it: &Expr| matches!(it, Expr::Lit(syn::ExprLit { lit: syn::Lit::Char(_), .. }));
    match expr {
        Expr::Array(array) => !array.elems.is_empty() && array.elems.iter().all(is_char),
        Expr::Reference(reference) => is_chars(&reference.expr),
        _ => false,
    }
}

/// Whether an expression is a literal of a number that may be no whole one.
fn is_fraction(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(syn::ExprLit { lit: syn::Lit::Float(_), .. }))
}

/// Whether a block does nothing but panic.
fn only_panics(block: &Block) -> bool {
    match block.stmts.as_slice() {
        [only] => macro_of(only).is_some_and(|mac| is_panic(&last_name(&mac.path))),
        _ => false,
    }
}

/// Whether a function asks for the environment of the process.
fn is_environment(function: &Expr) -> bool {
    last_two_words(function).is_some_and(|(module, name)| module == "env" && name.contains("var"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::source::tests::{found, krate, no_files};

    /// The literals of the test that are inputs, with the code under test in the crate `lib`.
    fn inputs_of(body: &str) -> Vec<String> {
        inputs(body, false)
    }

    fn inputs(body: &str, expects: bool) -> Vec<String> {
        inputs_in(&format!("use lib::parse;\n#[test]\nfn t() {{ {body} }}\n"), expects)
    }

    fn inputs_in(text: &str, expects: bool) -> Vec<String> {
        let krate = krate(&[("tests/a.rs", text)]).testing(BTreeSet::from(["lib".to_owned()]));
        let found = if expects {
            krate.inputs_where(&krate.find_test("t").unwrap(), None, true, no_files)
        } else {
            found(&krate, "t")
        };
        let leaves = found.inputs.nodes().filter(|node| node.children().is_empty());
        leaves.map(|node| text[found.place(node.id).range()].to_owned()).collect()
    }

    #[test]
    fn a_place_in_a_list_of_the_test_is_no_input() {
        let body = "let words: Vec<&str> = \"a b\".split(' ').collect(); parse(words[1], 7); \
                    let made = parse(\"c\", 8); made[9];";
        assert_eq!(inputs_of(body), ["\"a b\"", "7", "\"c\"", "8", "9"]);
    }

    #[test]
    fn buffers_and_what_makes_random_numbers_are_no_inputs() {
        let text = "use lib::parse;\n#[test]\nfn t() { let mut dice = Dice(5); parse(dice.next()); parse(serve(\"a\")); }\n\
            struct Dice(u64);\nimpl Dice { fn next(&mut self) -> f64 {\n\
            self.0 ^= self.0 << 13; self.0 ^= self.0 >> 7; (self.0 % 360) as f64 / 100.0 - 1.5 } }\n\
            fn serve(answer: &str) { std::thread::spawn(move || { let mut all = [0; 512]; read(&mut all); send(answer, \"b\"); }); }\n";
        assert_eq!(inputs_in(text, false), ["5", "\"a\"", "\"b\""]);
    }

    #[test]
    fn what_a_test_says_of_itself_is_no_input() {
        let body = "let made = parse(\"a\").map_err(|why| format!(\"no: {why}\"))?; \
                    if made != 3 { return Err(format!(\"{made} of {}\", 4)); } \
                    made.next().ok_or(\"nothing\")?; Err(\"end\")?; parse(\"b\").expect(\"some\");";
        let inputs = inputs_of(body);
        let said = |it: &String| {
            ["no:", "of", "nothing", "end", "some"].iter().any(|said| it.contains(said))
        };
        assert!(!inputs.iter().any(said), "{inputs:?}");
        assert!(
            ["\"a\"", "\"b\""].iter().all(|it| inputs.contains(&(*it).to_owned())),
            "{inputs:?}"
        );
    }

    #[test]
    fn what_a_test_says_of_itself_is_none_where_another_version_judges() {
        let body = "let mut buffer = [0_u8; 64]; let made = parse(\"a\").map_err(|why| format!(\"no: {why}\"))?; \
                    connect().read(&mut buffer); if made != 3 { return Err(format!(\"{made} of {}\", 4)); } \
                    let seed = made ^ 99; assert_eq!(made.len(), 5);";
        assert_eq!(inputs(body, true), ["\"a\"", "3", "5"]);
    }

    #[test]
    fn characters_that_are_looked_for_are_no_input() {
        let body = "let made = parse(\"a;b\"); if made.contains([';', ',']) { parse(\"c\"); } \
                    lib::split(\"d\", &['e']);";
        assert_eq!(inputs(body, true), ["\"a;b\"", "\"c\"", "\"d\"", "'e'"]);
    }

    #[test]
    fn a_tolerance_is_no_input_whoever_asks_for_it() {
        let body = "if (0.5 - parse(\"a\", 7)).abs() > 0.001 { panic!(\"no\"); } \
                    assert!((parse(\"b\", 8.5) - 1.5).abs() <= 0.002);";
        assert_eq!(inputs_of(body), ["\"a\"", "7", "\"b\"", "8.5"]);
        assert_eq!(inputs(body, true), ["0.5", "\"a\"", "7", "\"b\"", "8.5", "1.5"]);
    }

    #[test]
    fn a_unit_of_a_helper_is_no_input() {
        let text = "use lib::parse;\n#[test]\nfn t() { parse(at(8, 30)); parse(3 * 4); }\n\
            fn at(hour: u32, minute: u32) -> u32 { hour * 60 + minute }\n";
        assert_eq!(inputs_in(text, false), ["8", "30", "3", "4"]);
    }

    #[test]
    fn a_loop_that_begins_with_one_does_not_begin_earlier() {
        let body = "for n in 1..=25 { parse(n); } for n in (2..9).rev() { parse(n); } parse(1);";
        assert_eq!(inputs(body, true), ["25", "2", "9", "1"]);
    }

    #[test]
    fn what_is_added_to_a_result_is_no_input() {
        let body = "let made = parse(\"a\", 7); let mut buffer = vec![0_u8; made.len() + 3]; \
                    lib::fill(&mut buffer, made.len() - 4); lib::cut(made, 2 + 5); \
                    let own = [8, 9]; parse(\"a\", own.len() + 6);";
        let inputs = inputs_of(body);
        assert!(
            ["\"a\"", "7", "0_u8", "2", "5"].iter().all(|it| inputs.contains(&(*it).to_owned())),
            "{inputs:?}"
        );
        assert!(!inputs.iter().any(|it| ["3", "4", "6"].contains(&it.as_str())), "{inputs:?}");
    }
}

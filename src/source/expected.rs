//! Which operands of an assertion are values that stand in the source: written out there, or held by a
//! variable that is for nothing else. Any other value in their place makes the assertion fail, too.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Attribute, Block, Expr, Ident, Item, ItemFn, ItemMod, Pat, Signature};

use super::calls_around::{most_calls_around, values_of};
use super::exprs::{bare, children, constants, exprs, locals, statics};
use super::inputs::{case_argument, is_constructor, is_data, only_converts};
use super::methods::goes_through;
use super::patterns::{bound, typed};
use super::tokens::{called_name, compared, flat, is_assertion, is_constant_name, last_two_words};
use super::{ends_in, is_char, last_word};

/// Through how many variables a table is followed to where it stands.
const DEPTH: u32 = 2;

/// Where a value stands that an assertion expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedValue {
    /// In the assertion itself: it is no input.
    WrittenOut,
    /// Where a variable gets it from: it is an input like others.
    InVariable,
}

/// Where an assertion stands.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The whole file.
    pub file: &'a syn::File,
    /// What is counted to the bytes that its spans tell.
    pub base: usize,
    /// The function around it.
    pub function: Option<(Head<'a>, &'a Block)>,
    /// Whether that is a test.
    pub is_test: bool,
}

/// What stands before the body of a function.
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    pub attributes: &'a [Attribute],
    pub signature: &'a Signature,
}

impl Scope<'_> {
    /// Where the value of an operand stands in the source that is compared with the `others`, if it does.
    pub(super) fn expected_value(&self, operand: &Expr, others: &[&Expr]) -> Option<ExpectedValue> {
        if is_written_out(operand)
            || self.is_put_together(operand)
            || self.has_literals_of_its_own(operand)
        {
            return Some(ExpectedValue::WrittenOut);
        }
        let variables = variables(operand);
        let is_expected = only_converts(operand)
            && !variables.is_empty()
            && variables.iter().all(|variable| {
                (self.is_constant(&variable.name) && self.is_no_input(variable))
                    || (self.holds_literals(&variable.name, DEPTH)
                        && (self.is_only_expected(variable)
                            || others.iter().any(|other| self.is_one_call_of(variable, other))))
            });
        is_expected.then_some(ExpectedValue::InVariable)
    }

    /// Whether an operand is made of literals, one of which at least stands nowhere else in the function, in a way in which
    /// other values are made there, too: `nets(&["10.0.0.0/8"])`. `model(5)` beside `fast(5)` is computed of the same value.
    fn has_literals_of_its_own(&self, operand: &Expr) -> bool {
        let mut made = MadeOfLiterals::default();
        made.add(operand);
        let Some((_, block)) = self.function.filter(|_| !made.is_made_of_more) else {
            return false;
        };
        let tokens = block.to_token_stream();
        let is_only_here = |one: &String| occurrences(&tokens, one) == made.count(one);
        made.literals.iter().any(is_only_here) && !made.functions.iter().all(is_only_here)
    }

    /// Whether there is a constant of that name whose value is written out.
    fn is_constant(&self, name: &str) -> bool {
        let constants = constants(|it| it.visit_file(self.file)).into_iter();
        let statics = statics(|it| it.visit_file(self.file)).into_iter();
        let all = constants.map(|it| (&it.ident, &it.expr));
        let mut all = all.chain(statics.map(|it| (&it.ident, &it.expr)));
        all.any(|(other, value)| other == name && is_written_out(value))
    }

    /// Whether a constant is used in assertions only, but for other tests.
    fn is_no_input(&self, constant: &Variable) -> bool {
        let test = self.function.map(|(function, _)| &function.signature.ident);
        let uses = |item: &Item| constant.uses(item.to_token_stream());
        items(&self.file.items)
            .filter(|item| match item {
                Item::Fn(function) => Some(&function.sig.ident) == test || !is_test(function),
                Item::Use(_) => false,
                _ => true,
            })
            .all(|item| uses(item) == 0)
    }

    /// Whether every variable of that name holds what is written out.
    fn holds_literals(&self, name: &str, depth: u32) -> bool {
        let bindings = self.bindings(name, depth);
        !bindings.is_empty() && !bindings.contains(&false)
    }

    /// Whether what is written out goes into each of the variables of that name, followed through `depth` other variables.
    fn bindings(&self, name: &str, depth: u32) -> Vec<bool> {
        let Some((function, block)) = self.function else { return Vec::new() };
        let binds = |pattern: &Pat| bound(pattern).contains(name);
        let arguments = function.signature.inputs.iter().enumerate();
        let arguments = arguments
            .filter(|(_, argument)| typed(argument).is_some_and(|typed| binds(&typed.pat)))
            .map(|(place, _)| self.is_called_with_literals(function, place));
        let locals = locals(|it| it.visit_block(block)).into_iter();
        let locals = locals
            .filter(|local| binds(&local.pat))
            .map(|local| local.init.as_ref().is_some_and(|init| is_written_out(&init.expr)));
        let exprs = exprs(|it| it.visit_block(block)).into_iter();
        let others = exprs.filter_map(|expr| match expr {
            Expr::ForLoop(it) if binds(&it.pat) => Some(self.is_table(&it.expr, depth)),
            Expr::Closure(it) if it.inputs.iter().any(binds) => Some(false),
            _ => None,
        });
        arguments.chain(locals).chain(others).collect()
    }

    /// Whether the function gets what is written out for its argument at `place`, in a call or as a test case.
    fn is_called_with_literals(&self, function: Head<'_>, place: usize) -> bool {
        let case = |attribute| case_argument(attribute, function.signature, place);
        let is_call = |expr: &Expr| match expr {
            Expr::Call(call) if called_name(&call.func) == Some(&function.signature.ident) => {
                call.args.get(place).is_some_and(is_written_out)
            }
            _ => false,
        };
        function.attributes.iter().filter_map(case).any(|argument| is_written_out(&argument))
            || exprs(|it| it.visit_file(self.file)).into_iter().any(is_call)
    }

    /// Whether elements of an expression are written out: `[1, 2].iter()`, `&CASES`, `cases`.
    fn is_table(&self, expr: &Expr, depth: u32) -> bool {
        match bare(expr) {
            Expr::MethodCall(call) if goes_through(&call.method.to_string()) => {
                self.is_table(&call.receiver, depth)
            }
            Expr::Path(path) => last_word(&path.path).is_some_and(|last| {
                let name = last.to_string();
                self.is_constant(&name) || (depth > 0 && self.holds_literals(&name, depth - 1))
            }),
            expr => is_written_out(expr),
        }
    }

    /// Whether an expression is one call of the code under test with a variable: `colder(frost, warm)` is `frost` for some
    /// values of it only, while `decode(encode(text))` should be `text` for all, and what a function beside the test does,
    /// is not known.
    fn is_one_call_of(&self, variable: &Variable, expr: &Expr) -> bool {
        let Some((_, block)) = self.function else { return false };
        let is_helper = |name: &Ident| self.has_function(name);
        let most = most_calls_around(&variable.name, expr, block, &is_helper);
        // That it holds for each row of a table says more.
        most == Some(1) && values_of(block, &variable.name).next().is_some()
    }

    /// Whether there is a function of that name in the file.
    fn has_function(&self, name: &Ident) -> bool {
        let mut all = items(&self.file.items);
        all.any(|item| matches!(item, Item::Fn(function) if function.sig.ident == *name))
    }

    /// Whether a variable is used in assertions only, for what they expect.
    fn is_only_expected(&self, variable: &Variable) -> bool {
        let Some((function, block)) = self.function else { return false };
        let arguments = function.signature.inputs.iter().filter_map(typed);
        let arguments = arguments.filter(|typed| bound(&typed.pat).contains(&variable.name));
        let bound_inside = self.bindings(&variable.name, DEPTH).len() - arguments.count();
        variable.uses(block.to_token_stream()) == bound_inside
    }
}

/// Sees whether an expression is made of literals alone, and by which functions.
#[derive(Default)]
struct MadeOfLiterals {
    literals: Vec<String>,
    functions: Vec<String>,
    is_made_of_more: bool,
}

impl MadeOfLiterals {
    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Lit(literal) => self.literals.push(literal.to_token_stream().to_string()),
            Expr::Call(call) if matches!(*call.func, Expr::Path(_)) => {
                self.functions.extend(called_name(&call.func).map(ToString::to_string));
                call.args.iter().for_each(|argument| self.add(argument));
            }
            Expr::Macro(call) if call.mac.path.is_ident("vec") => {
                match super::arguments(&call.mac.tokens) {
                    Some(elements) => elements.iter().for_each(|element| self.add(element)),
                    None => self.is_made_of_more = true,
                }
            }
            Expr::Path(_) => self.is_made_of_more |= !is_constructor(expr),
            Expr::Macro(_) | Expr::Closure(_) | Expr::Block(_) => self.is_made_of_more = true,
            _ => children(expr).into_iter().for_each(|part| self.add(part)),
        }
    }

    fn count(&self, one: &String) -> usize {
        self.literals.iter().chain(&self.functions).filter(|it| *it == one).count()
    }
}

/// How often a literal or a name stands among tokens.
fn occurrences(tokens: &TokenStream, one: &str) -> usize {
    let is_one =
        |token: &TokenTree| !matches!(token, TokenTree::Punct(_)) && token.to_string() == one;
    flat(tokens.clone()).filter(is_one).count()
}

/// Items, and instead of modules the items in these.
pub(super) fn items(all: &[Item]) -> Box<dyn Iterator<Item = &Item> + '_> {
    Box::new(all.iter().flat_map(|item| match item {
        Item::Mod(ItemMod { content: Some((_, inside)), .. }) => items(inside),
        item => Box::new(std::iter::once(item)),
    }))
}

/// Whether a function is a test, by an attribute such as `#[test]` or `#[tokio::test]`.
pub(crate) fn is_test(function: &ItemFn) -> bool {
    function.attrs.iter().any(|attribute| ends_in(attribute.path(), "test"))
}

/// A variable, or a field of one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Variable {
    name: String,
    field: Option<String>,
}

impl Variable {
    /// How often it is named in `tokens`, but for what assertions expect and say.
    fn uses(&self, tokens: TokenStream) -> usize {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut count = 0;
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at..] {
                [TokenTree::Ident(name), bang, TokenTree::Group(group), ..]
                    if is_char(bang, '!') && is_assertion(&name.to_string()) =>
                {
                    count += self.uses_in_assertion(&name.to_string(), group.stream());
                    at += 3;
                    continue;
                }
                [TokenTree::Group(group), ..] => count += self.uses(group.stream()),
                [TokenTree::Ident(ident), rest @ ..] if *ident == self.name => {
                    let before = tokens[..at].last();
                    let is_other =
                        before.is_some_and(|before| is_char(before, '.') || defines(before));
                    count +=
                        usize::from(!is_other && self.is_meant(rest) && !self.is_counted(rest));
                }
                _ => {}
            }
            at += 1;
        }
        count
    }

    /// Whether the variable, with what follows its name, is this one or holds it.
    fn is_meant(&self, rest: &[TokenTree]) -> bool {
        match (&self.field, rest) {
            (Some(field), [dot, member, ..]) if is_char(dot, '.') => member.to_string() == *field,
            _ => true,
        }
    }

    /// Whether what follows its name asks only how much there is of it.
    fn is_counted(&self, rest: &[TokenTree]) -> bool {
        const FIELD: usize = 2;
        let behind =
            if self.field.is_some() { rest.get(FIELD..).unwrap_or_default() } else { rest };
        let [dot, TokenTree::Ident(method), TokenTree::Group(arguments), ..] = behind else {
            return false;
        };
        is_char(dot, '.')
            && arguments.stream().is_empty()
            && ["len", "is_empty"].iter().any(|name| method == name)
    }

    fn uses_in_assertion(&self, name: &str, arguments: TokenStream) -> usize {
        let Some(operands) = super::arguments(&arguments) else { return self.uses(arguments) };
        let operands = operands.iter().take(compared(name));
        operands
            .filter(|operand| !only_converts(operand))
            .map(|operand| self.uses(operand.to_token_stream()))
            .sum()
    }
}

/// Whether the name of a constant is what follows.
fn defines(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(keyword) if keyword == "const" || keyword == "static")
}

/// The variables in an expression.
fn variables(expr: &Expr) -> Vec<Variable> {
    let name = |expr: &Expr| match expr {
        Expr::Path(path) if !is_constructor(expr) => path.path.get_ident().map(ToString::to_string),
        Expr::Path(path) => {
            let last = last_word(&path.path).map(ToString::to_string);
            last.filter(|name| is_constant_name(name))
        }
        _ => None,
    };
    if let Some(name) = name(expr) {
        return vec![Variable { name, field: None }];
    }
    if let Expr::Field(field) = expr
        && let Some(name) = name(&field.base)
    {
        return vec![Variable { name, field: Some(field.member.to_token_stream().to_string()) }];
    }
    let mut found: Vec<_> = children(expr).into_iter().flat_map(variables).collect();
    if let Expr::Closure(closure) = expr {
        let is_bound = |name: &str| closure.inputs.iter().any(|input| bound(input).contains(name));
        found.retain(|variable| !is_bound(&variable.name));
    }
    found
}

/// Only literals and values without parts, and what puts them together; at least one of them.
pub(crate) fn is_written_out(expr: &Expr) -> bool {
    literals_in(expr).is_some_and(|count| count > 0)
}

/// How many literals and values without parts, such as `None`, an expression is made of; none if there is more in it than
/// these.
fn literals_in(expr: &Expr) -> Option<usize> {
    fn all<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> Option<usize> {
        parts.into_iter().map(literals_in).sum()
    }
    match expr {
        Expr::Lit(_) => Some(1),
        // `1.0 / 3.0` and `[1, 2][..]`, as well as `[0; 4]`.
        Expr::Unary(_)
        | Expr::Reference(_)
        | Expr::Paren(_)
        | Expr::Cast(_)
        | Expr::Binary(_)
        | Expr::Repeat(_)
        | Expr::Array(_)
        | Expr::Index(_)
        | Expr::Range(_)
        | Expr::Tuple(_) => all(children(expr)),
        Expr::Struct(it) if it.rest.is_none() => all(children(expr)),
        Expr::Path(path) if is_constructor(expr) => Some(usize::from(!is_constant(path))),
        Expr::Call(call) if is_constructor(&call.func) && call.args.is_empty() => Some(1),
        Expr::Call(call) if is_constructor(&call.func) || makes_a_value(&call.func) => {
            all(&call.args)
        }
        Expr::MethodCall(call) if matches!(*call.receiver, Expr::Path(_)) => None,
        Expr::MethodCall(call) if call.args.is_empty() => literals_in(&call.receiver),
        Expr::Macro(mac) if mac.mac.path.is_ident("vec") => {
            all(&super::arguments(&mac.mac.tokens)?)
        }
        Expr::Macro(mac) if is_data(&mac.mac) => Some(1),
        _ => None,
    }
}

/// Whether a function of a type only puts a value together, by its name: `Point::new`, `Color::from_rgb`.
fn makes_a_value(function: &Expr) -> bool {
    last_two_words(function).is_some_and(|(owner, name)| {
        let is_made = matches!(name.as_str(), "new" | "from" | "of")
            || ["from_", "new_", "with_"].iter().any(|start| name.starts_with(start));
        is_made && owner.starts_with(char::is_uppercase)
    })
}

/// Whether it may be the name of a constant: `MAX`, `N`.
fn is_constant(path: &syn::ExprPath) -> bool {
    last_word(&path.path).is_none_or(|last| !last.to_string().contains(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use crate::source::{Asserted, ExpectedValue, asserted_at};

    /// Where the value stands that the first `assert_eq!` of these items expects.
    fn expected(items: &str) -> Option<ExpectedValue> {
        match asserted_at(items, items.find("assert_eq").unwrap()) {
            Some(Asserted::Values(expected)) => expected,
            _ => None,
        }
    }

    fn in_test(body: &str) -> Option<ExpectedValue> {
        expected(&format!("#[test] fn t() {{ {body} }}"))
    }

    #[test]
    fn a_column_of_expected_values() {
        for body in [
            "for (n, want) in [(1, \"I\"), (9, \"IX\")] { assert_eq!(f(n), want, \"{n}\"); }",
            "for (n, want) in [(1, [2]), (9, [4])] { assert!(want.len() > 0); assert_eq!(f(n, want.len()), want); }",
            "for c in [Case { of: 1, is: [2] }] { assert_eq!(f(c.of, c.is.len()), c.is) }",
            "let all = [(1, 2)]; for (i, &(n, want)) in all.iter().enumerate() { assert_eq!(want, f(n)) }",
            "for c in &[Case { of: 1, is: 2 }] { assert_eq!(f(c.of), c.is) }",
            "for c in CASES { assert_eq!(f(c.0), Some(c.1)) } const CASES: [(u8, u8); 1] = [(1, 2)];",
        ] {
            assert_eq!(in_test(body), Some(ExpectedValue::InVariable), "{body}");
        }
    }

    #[test]
    fn a_variable_or_argument_that_is_only_expected() {
        for items in [
            "#[test] fn t() { let want = [1, 2]; assert_eq!(f(\"a\"), want) }",
            "fn check(of: &str, is: u8) { assert_eq!(f(of), is) } #[test] fn t() { check(\"a\", 5) }",
            "#[rstest] #[case(\"a\", 5)] fn t(#[case] of: &str, db: Db, #[case] is: u8) { assert_eq!(f(of), is) }",
            "#[test_case(\"a\", Some(5); \"five\")] fn t(of: &str, is: Option<u8>) { assert_eq!(f(of), is) }",
            "#[test] fn t() { const WANT: &str = \"a\"; assert_eq!(f(), WANT) }",
            "#[test] fn t() { for (of, is) in [(1, Some(\"a\"))] { assert_eq!(f(of), is.map(|is| is.to_owned())) } }",
        ] {
            assert_eq!(expected(items), Some(ExpectedValue::InVariable), "{items}");
        }
    }

    #[test]
    fn what_is_made_of_literals_that_nothing_else_gets() {
        for (body, is_written) in [
            (
                "let all = nets(&[\"a\", \"b\"]); assert_eq!(join(&all), nets(&[\"ab\", \"b\"]))",
                true,
            ),
            ("assert_eq!(parse(\"2 + 3\"), parse(\"5\").unwrap())", true),
            ("let all = nets(&[\"a\", \"b\"]); assert_eq!(join(&all), nets(&[\"a\"]))", false),
            ("assert_eq!(fast(5), model(5))", false),
            ("assert_eq!(fast(5), model(5, n))", false),
            ("assert_eq!(fast(x), model(x))", false),
        ] {
            assert_eq!(in_test(body) == Some(ExpectedValue::WrittenOut), is_written, "{body}");
        }
    }

    #[test]
    fn what_is_put_in_too_or_computed_is_not() {
        for items in [
            "#[test] fn t() { let text = \"a\"; assert_eq!(decode(encode(text)), text) }",
            "#[test] fn t() { let text = \"a\"; let code = encode(text); assert_eq!(decode(code), text) }",
            "#[test] fn t() { const TEXT: &str = \"a\"; let code = encode(TEXT); assert_eq!(decode(code), TEXT) }",
            "const TEXT: &str = \"a\"; #[test] fn t() { assert_eq!(f(&g()), TEXT) } fn g() -> T { e(TEXT) }",
            "#[test] fn t() { let want = model(5); assert_eq!(f(5), want) }",
            "#[test] fn t() { for n in [1, 2] { assert_eq!(f(n), n.map(|n| g(n))) } }",
            "#[test] fn t() { for n in [1, 2] { assert_eq!(f(n), n) } }",
            "fn check(of: &str, is: u8) { assert_eq!(f(of), is) } #[test] fn t() { check(\"a\", g()) }",
            "#[rstest] #[case(5)] fn t(#[case] of: u8, #[values(1, 2)] is: u8) { assert_eq!(f(of), is) }",
            "#[test] fn t() { for c in c.iter() { assert_eq!(f(1), c) } }",
            "#[test] fn t() { for c in cases() { assert_eq!(f(c.of), c.is) } }",
        ] {
            assert_ne!(expected(items), Some(ExpectedValue::InVariable), "{items}");
        }
    }
}

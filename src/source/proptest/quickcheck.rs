//! Properties that quickcheck tries: the failing arguments that it prints, written out as a plain test.
//!
//! `#[quickcheck] fn p(n: u8) -> bool { f(n) == n }` that fails for 7 is `let n: u8 = 7; assert!(f(n) == n);`. A body that
//! cannot be written so stays a function, which the test calls.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenTree};
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Block, Expr, ItemFn, ReturnType, Stmt, Type};

use super::PlainTest;
use super::find::from_function;
use super::values::binding;
use crate::reduce::RangeExt;
use crate::source::exprs::{exprs, macros, own_exprs};
use crate::source::item::ItemKind;
use crate::source::parse::{look_at, range};
use crate::source::patterns::typed;
use crate::source::tokens::called_name;
use crate::source::{Crate, Edits, FileIndex, Harness, Located, NotLocated, beside};

const NAME: &str = "quickcheck";

/// What a property says whether it holds by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Nothing,
    Bool,
    TestResult,
    Result,
}

impl Verdict {
    fn of(output: &ReturnType) -> Option<Self> {
        let ReturnType::Type(_, ty) = output else { return Some(Verdict::Nothing) };
        let Type::Path(path) = &**ty else { return None };
        match path.path.segments.last()?.ident.to_string().as_str() {
            "bool" => Some(Verdict::Bool),
            "TestResult" => Some(Verdict::TestResult),
            "Result" => Some(Verdict::Result),
            _ => None,
        }
    }

    /// An expression that fails where this `call` of the property does.
    fn asserted(self, call: &str) -> String {
        match self {
            Verdict::Nothing => call.to_owned(),
            Verdict::Bool => format!("assert!({call})"),
            Verdict::TestResult => format!("assert!(!{call}.is_failure())"),
            Verdict::Result => format!("{call}.unwrap()"),
        }
    }
}

impl Crate {
    /// The same answer, or that quickcheck makes the test, so that its arguments are what is random.
    pub fn unless_quickcheck(
        &self,
        located: Result<Located, NotLocated>,
    ) -> Result<Located, NotLocated> {
        let (test, file, span) = match &located {
            Ok(it)
                if it.facts.is_quickcheck()
                    || it.facts.harness == Harness::Plain && self.call_in(it).is_some() =>
            {
                (it.test.clone(), it.file, it.span.clone())
            }
            Err(NotLocated::Macro { test, name, file, span }) if name == NAME => {
                (test.clone(), *file, span.clone())
            }
            _ => return located,
        };
        Err(NotLocated::Quickcheck { test, file, span })
    }

    /// A plain test of the property with these arguments, as quickcheck prints them.
    pub(super) fn plain_quickcheck(
        &self,
        test: &str,
        place: (FileIndex, &Range<usize>),
        arguments: &str,
    ) -> Option<PlainTest> {
        let (file, span) = place;
        let text = &self.file(file).text;
        let name = test.rsplit("::").next().unwrap_or(test);
        let item = self.items.iter().find(|item| item.file == file && item.span == *span)?;
        let new_name = format!("plain_{name}");
        let source = if item.kind == ItemKind::MacroCall {
            let call = &text[span.clone()];
            property(&call[function_in(call, name)?], &new_name, arguments)
        } else {
            let text = &text[span.clone()];
            let by_hand =
                look_at(text, ItemFn::parse, |it| by_hand(text, &it, &new_name, arguments));
            by_hand.ok()?.or_else(|| property(text, &new_name, arguments))
        }?;
        Some(self.plain_behind(file, span.end, &source, beside(test, &new_name)))
    }

    /// The call by which a test starts quickcheck itself.
    fn call_in(&self, located: &Located) -> Option<Range<usize>> {
        located.look_at(self, |it| Call::of(&it).map(|call| call.range))?
    }
}

/// The bytes of a function in the tokens of a macro call.
fn function_in(call: &str, name: &str) -> Option<Range<usize>> {
    let look = |item: syn::ItemMacro| {
        let tokens: Vec<TokenTree> = item.mac.tokens.into_iter().collect();
        let function = from_function(&tokens, name)?;
        let is_body = |token: &&TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let body = function.iter().find(is_body)?;
        Some(range(function[0].span(), 0).start..range(body.span(), 0).end)
    };
    look_at(call, syn::ItemMacro::parse, look).ok()?
}

/// The plain test of a property that is a function of its own.
fn property(text: &str, name: &str, arguments: &str) -> Option<String> {
    let look = |function: ItemFn| {
        let verdict = Verdict::of(&function.sig.output)?;
        let values = split(arguments);
        let parameters: Vec<_> = function.sig.inputs.iter().collect();
        if values.len() != parameters.len() {
            return None;
        }
        let head = format!("#[test]\nfn {name}() {{\n");
        if let Some(body) = plain_body(text, &function, verdict) {
            let mut lets = Vec::new();
            for (parameter, value) in parameters.iter().zip(&values) {
                let parameter = typed(parameter)?;
                let ty = &text[range(parameter.ty.span(), 0)];
                let pattern = &text[range(parameter.pat.span(), 0)];
                let value = binding(value, ty, "").value;
                lets.push(format!("    let {pattern}: {ty} = {value};\n"));
            }
            return Some(format!("{head}{}{body}\n}}", lets.concat()));
        }
        let inner = &text[range(function.sig.span(), 0).start..range(function.block.span(), 0).end];
        let types = parameters.iter().filter_map(|it| typed(it));
        let types: Vec<&str> = types.map(|it| &text[range(it.ty.span(), 0)]).collect();
        let call = called(&function.sig.ident.to_string(), &values, &types);
        Some(format!("{head}    {inner}\n    {};\n}}", verdict.asserted(&call)))
    };
    look_at(text, ItemFn::parse, look).ok()?
}

/// The body between its braces as that of a test; `None` where it leaves early, or says more than that it holds.
fn plain_body(text: &str, function: &ItemFn, verdict: Verdict) -> Option<String> {
    let block = range(function.block.span(), 0);
    let inside = block.start + 1..block.end - 1;
    let mut edits = Edits::default();
    let at = |range: Range<usize>| range.counted_from(inside.start);
    if verdict != Verdict::Nothing {
        let Some(Stmt::Expr(tail, None)) = function.block.stmts.last() else { return None };
        let returned = returned(&function.block)?;
        let is_discarded = |expr: &Range<usize>| {
            text[expr.clone()].replace(' ', "").ends_with("TestResult::discard()")
        };
        let held = match verdict {
            Verdict::Bool if returned.is_empty() => tail,
            Verdict::TestResult if returned.iter().all(is_discarded) => of_bool(tail)?,
            _ => return None,
        };
        for value in returned {
            edits.remove(at(value));
        }
        let (tail, held) = (range(tail.span(), 0), range(held.span(), 0));
        edits.replace(at(tail), format!("assert!({});", &text[held]));
    }
    Some(edits.apply(&text[inside]).trim_start_matches('\n').trim_end().to_owned())
}

/// The bytes of what `return` gives in a body; `None` where that is left early by other ways.
fn returned(body: &Block) -> Option<Vec<Range<usize>>> {
    let is_return = |token: TokenTree| matches!(token, TokenTree::Ident(it) if it == "return");
    let mut calls = macros(|it| it.visit_block(body)).into_iter();
    if calls.any(|call| call.tokens.clone().into_iter().any(is_return)) {
        return None;
    }
    let exits = own_exprs(|it| it.visit_block(body)).into_iter().filter_map(|expr| match expr {
        Expr::Return(it) => Some(it.expr.as_ref().map(|value| range(value.span(), 0))),
        Expr::Try(_) => Some(None),
        _ => None,
    });
    exits.collect()
}

/// The condition in `TestResult::from_bool(condition)`.
fn of_bool(tail: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = tail else { return None };
    let is_it = called_name(&call.func)? == "from_bool";
    call.args.first().filter(|_| is_it)
}

/// The plain test of a test that starts quickcheck itself: it calls the property instead.
fn by_hand(text: &str, test: &ItemFn, name: &str, arguments: &str) -> Option<String> {
    let call = Call::of(test)?;
    let values = split(arguments);
    if values.len() != call.types.len() {
        return None;
    }
    let types: Vec<&str> = call.types.iter().map(|range| &text[range.clone()]).collect();
    let property = called(&text[call.property.clone()], &values, &types);
    let mut edits = Edits::default();
    edits.replace(range(test.sig.ident.span(), 0), name);
    edits.replace(call.range, call.verdict.asserted(&property));
    Some(edits.apply(text))
}

fn called(property: &str, values: &[String], types: &[&str]) -> String {
    let values = values.iter().zip(types).map(|(value, ty)| binding(value, ty, "").value);
    format!("{property}({})", values.collect::<Vec<_>>().join(", "))
}

fn split(arguments: &str) -> Vec<String> {
    let parts = super::values::top_level(arguments, ',').into_iter();
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// `quickcheck(property as fn(u8) -> bool)`, or the same as a method.
struct Call {
    range: Range<usize>,
    property: Range<usize>,
    types: Vec<Range<usize>>,
    verdict: Verdict,
}

impl Call {
    fn of(test: &ItemFn) -> Option<Self> {
        exprs(|it| it.visit_block(&test.block)).into_iter().find_map(|expr| {
            let argument = match expr {
                Expr::Call(call) if called_name(&call.func).is_some_and(|name| name == NAME) => {
                    call.args.first()
                }
                Expr::MethodCall(call) if call.method == NAME => call.args.first(),
                _ => None,
            };
            Call::new(expr, argument?)
        })
    }

    fn new(whole: &Expr, argument: &Expr) -> Option<Self> {
        let Expr::Cast(cast) = argument else { return None };
        let Type::FnPtr(ty) = &*cast.ty else { return None };
        Some(Call {
            range: range(whole.span(), 0),
            property: range(cast.expr.span(), 0),
            types: ty.inputs.iter().map(|it| range(it.ty.span(), 0)).collect(),
            verdict: Verdict::of(&ty.output)?,
        })
    }
}

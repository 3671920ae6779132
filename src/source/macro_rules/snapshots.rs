//! Snapshots as plain comparisons: `assert_snapshot!(page, @"a")`, `expect![["a"]].assert_eq(&page)`.
//!
//! The text of a snapshot belongs to the inputs of the test, so that smaller inputs need another one; where it is compared
//! by `assert_eq!`, it changes along with them.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Expr, Stmt};

use crate::source::exprs::macro_of;
use crate::source::tokens::{at_commas, is_char, last_name};

/// Gives the text of the snapshot of that name: a file of its own, next to the source.
pub(super) type Stored<'s> = dyn FnMut(&str) -> Option<String> + 's;

/// What compares as the statement does, and the name of its macro.
pub(super) fn comparison(
    statement: &Stmt,
    stored: &mut Stored<'_>,
) -> Option<(&'static str, Stmt)> {
    match statement {
        Stmt::Expr(Expr::MethodCall(call), _) => of_expected(call),
        statement => of_macro(macro_of(statement)?, stored),
    }
}

fn of_macro(mac: &syn::Macro, stored: &mut Stored<'_>) -> Option<(&'static str, Stmt)> {
    let (name, is_shown) = match last_name(&mac.path).as_str() {
        "assert_snapshot" => ("assert_snapshot", true),
        "assert_debug_snapshot" => ("assert_debug_snapshot", false),
        _ => return None,
    };
    let mut arguments = at_commas(mac.tokens.clone());
    let inline = arguments.pop_if(|last| last.first().is_some_and(|it| is_char(it, '@')));
    let inline = match inline.as_deref() {
        Some([_, TokenTree::Literal(literal)]) => Some(text_of(literal)?),
        Some(_) => return None,
        None => None,
    };
    let (named, value) = match arguments.as_slice() {
        [value] => (None, value),
        [named, value] => match named.as_slice() {
            [TokenTree::Literal(literal)] => (Some(text_of(literal)?), value),
            _ => return None,
        },
        _ => return None,
    };
    let expected = match (inline, named) {
        (Some(inline), None) => dedented(&inline),
        (Some(_), Some(_)) => return None,
        (None, named) => stored(&named.unwrap_or_default())?,
    };
    let expected = expected.trim_end();
    let value: Expr = syn::parse2(value.iter().cloned().collect()).ok()?;
    Some((
        name,
        if is_shown {
            // A snapshot is stored without the line end behind it.
            syn::parse_quote!(assert_eq!(#value.to_string().trim_end(), #expected);)
        } else {
            syn::parse_quote!(assert_eq!(format!("{:#?}", #value), #expected);)
        },
    ))
}

fn of_expected(call: &syn::ExprMethodCall) -> Option<(&'static str, Stmt)> {
    let Expr::Macro(expected) = &*call.receiver else { return None };
    if last_name(&expected.mac.path) != "expect" || call.args.len() != 1 {
        return None;
    }
    let value = &call.args[0];
    let expected = dedented(&written(expected.mac.tokens.clone())?);
    match call.method.to_string().as_str() {
        "assert_eq" => Some(("expect", syn::parse_quote!(assert_eq!(#value, #expected);))),
        "assert_debug_eq" => {
            Some(("expect", syn::parse_quote!(assert_eq!(format!("{:#?}\n", #value), #expected);)))
        }
        _ => None,
    }
}

/// The text in `[["a"]]`, or in no brackets.
fn written(tokens: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    match tokens.as_slice() {
        [] => Some(String::new()),
        [TokenTree::Group(group)] => written(group.stream()),
        [TokenTree::Literal(literal)] => text_of(literal),
        _ => None,
    }
}

fn text_of(literal: &proc_macro2::Literal) -> Option<String> {
    let literal: syn::LitStr = syn::parse_str(&literal.to_string()).ok()?;
    Some(literal.value())
}

/// The text without the line end before it, and without the blanks that all of its lines begin with.
fn dedented(text: &str) -> String {
    let Some(text) = text.strip_prefix('\n') else { return text.to_owned() };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let left = text.split_inclusive('\n').map(|line| {
        // The last line may be nothing but the indentation of the code.
        if line.len() <= indent { line.trim_start_matches(' ') } else { &line[indent..] }
    });
    left.collect()
}

/// The text in a file that stores a snapshot, behind what is said about it.
pub(super) fn of_file(content: &str) -> Option<String> {
    let rest = content.strip_prefix("---\n")?;
    let (_, text) = rest.split_once("\n---\n")?;
    Some(text.to_owned())
}

//! Literals in the arguments of macros.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, Macro, Token};

use super::walk::Walk;
use super::{asserts, file, lazy, tokens};
use crate::reduce::inputs::Value;
use crate::source::tokens::{expressions, is_panic, is_print, last_name};
use crate::source::{FileUse, SeqForm, ValueKind};

const FORMAT_STRING: &str = "a format string, needed at compile time";

/// Walks a macro call.
pub(super) fn call(walk: &mut Walk<'_, '_>, mac: &Macro) {
    let is_comparison = |name: &str| {
        ["assert_", "debug_assert_", "prop_assert_"].iter().any(|start| name.starts_with(start))
    };
    match last_name(&mac.path).as_str() {
        "vec" => vector(walk, mac),
        "matches" | "assert_matches" | "debug_assert_matches" | "assert_let" => {
            matches_pattern(walk, mac);
        }
        "format" | "format_args" => arguments(walk, mac, formatted),
        name if is_print(name) => arguments(walk, mac, printed),
        "write" | "writeln" => arguments(walk, mac, written),
        name if is_panic(name) => arguments(walk, mac, asserts::messages),
        "include_str" => file::include(walk, mac, FileUse::IncludeStr),
        "include_bytes" => file::include(walk, mac, FileUse::IncludeBytes),
        "concat" => concat(walk, mac),
        name if lazy::is_macro(name) => lazy::walk_macro(walk, mac),
        // They only look at their tokens, at compile time.
        "include" | "env" | "option_env" | "stringify" | "line" | "column" | "file"
        | "module_path" | "cfg" | "compile_error" | "asm" => {}
        "assert" | "debug_assert" | "prop_assert" => arguments(walk, mac, asserts::condition),
        name if is_comparison(name) => arguments(walk, mac, asserts::comparison),
        name => unknown(walk, mac, name),
    }
}

/// Walks arguments that are expressions.
fn arguments(walk: &mut Walk<'_, '_>, mac: &Macro, inside: fn(&mut Walk<'_, '_>, &[Expr])) {
    match expressions(&mac.tokens) {
        Some(arguments) => inside(walk, &arguments),
        None => walk.skip(&mac.tokens, "arguments that cannot be parsed"),
    }
}

/// A macro of which it is not known what it does.
fn unknown(walk: &mut Walk<'_, '_>, mac: &Macro, name: &str) {
    let ids = walk.ids(|walk| match expressions(&mac.tokens) {
        Some(arguments) => arguments.iter().for_each(|argument| walk.visit_expr(argument)),
        None => tokens::walk_macro(walk, mac.tokens.clone()),
    });
    if !ids.is_empty() {
        walk.found.macro_arguments.push((name.to_owned(), ids));
    }
}

/// All but the first are formatted into the first.
fn written(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    if let Some((target, arguments)) = arguments.split_first() {
        walk.visit_expr(target);
        formatted(walk, arguments);
    }
}

/// The first one is a format string.
fn formatted(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    let (Some(format), Some(last)) = (arguments.first(), arguments.last()) else { return };
    let end = walk.range(last.span()).end;
    match format {
        Expr::Lit(literal) => walk.format_string(&literal.lit, end),
        _ => walk.skip(format, FORMAT_STRING),
    }
    format_arguments(walk, arguments);
}

/// As [`formatted`], but nobody reads the result.
fn printed(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    if let Some(format) = arguments.first() {
        walk.skip(format, "a format string that is only printed");
    }
    format_arguments(walk, arguments);
}

/// All but the format string.
fn format_arguments(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    for argument in arguments.iter().skip(1) {
        // `name = value`
        match argument {
            Expr::Assign(named) => walk.visit_expr(&named.right),
            argument => walk.visit_expr(argument),
        }
    }
}

/// `vec![a, b]` is a sequence; in `vec![x; n]` both are inputs of their own.
fn vector(walk: &mut Walk<'_, '_>, mac: &Macro) {
    let Some(elements) = expressions(&mac.tokens) else {
        return match repeated(&mac.tokens) {
            Some((element, count)) => {
                walk.visit_expr(&element);
                walk.visit_expr(&count);
            }
            None => tokens::walk_macro(walk, mac.tokens.clone()),
        };
    };
    if elements.is_empty() {
        return;
    }
    let range = walk.range(mac.span());
    walk.list(range, SeqForm::Vec, &elements);
}

/// The parts of `x; n`.
pub(super) fn repeated(tokens: &TokenStream) -> Option<(Expr, Expr)> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let element = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok((element, input.parse()?))
    };
    parser.parse2(tokens.clone()).ok()
}

/// The first argument is an expression, the rest a pattern.
fn matches_pattern(walk: &mut Walk<'_, '_>, mac: &Macro) {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let value: Expr = input.parse()?;
        Ok((value, input.parse::<TokenStream>()?))
    };
    match parser.parse2(mac.tokens.clone()) {
        Ok((value, pattern)) => {
            walk.visit_expr(&value);
            walk.skip(&pattern, "a pattern, needed at compile time");
        }
        Err(_) => tokens::walk_macro(walk, mac.tokens.clone()),
    }
}

/// `concat!` of literals is one text.
fn concat(walk: &mut Walk<'_, '_>, mac: &Macro) {
    let range = walk.range(mac.span());
    match file::joined(mac, &walk.files.package_dir) {
        Some(text) => walk.leaf(range, ValueKind::Str, Value::Text(text)),
        None => walk.skip(&mac.tokens, "parts of a `concat!` that only the compiler knows"),
    }
}

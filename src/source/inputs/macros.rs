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

/// What a macro does with its arguments.
enum Role {
    /// Makes a vector of them.
    Vec,
    /// Compares the first two.
    Comparison,
    /// Checks the first.
    Condition,
    /// Matches the first with a pattern.
    Matches,
    /// Formats them: the first is a format string.
    Format,
    /// As [`Role::Format`], but nobody reads the result.
    Print,
    /// Formats all but the first into the first.
    Write,
    /// They are a message.
    Message,
    /// Reads a file.
    Include(FileUse),
    /// Joins literals.
    Concat,
    /// Makes statics that are filled when they are first used.
    Lazy,
    /// Only looks at its tokens, at compile time.
    CompileTime,
    /// Anything else.
    Unknown,
}

impl Role {
    fn of(name: &str) -> Self {
        match name {
            "vec" => Role::Vec,
            "matches" => Role::Matches,
            "format" | "format_args" => Role::Format,
            name if is_print(name) => Role::Print,
            "write" | "writeln" => Role::Write,
            name if is_panic(name) => Role::Message,
            "include_str" => Role::Include(FileUse::IncludeStr),
            "include_bytes" => Role::Include(FileUse::IncludeBytes),
            "concat" => Role::Concat,
            name if lazy::is_macro(name) => Role::Lazy,
            "include" | "env" | "option_env" | "stringify" | "line" | "column" | "file"
            | "module_path" | "cfg" | "compile_error" | "asm" => Role::CompileTime,
            "assert" | "debug_assert" | "prop_assert" => Role::Condition,
            "assert_matches" | "debug_assert_matches" | "assert_let" => Role::Matches,
            _ if name.starts_with("assert_")
                || name.starts_with("debug_assert_")
                || name.starts_with("prop_assert_") =>
            {
                Role::Comparison
            }
            _ => Role::Unknown,
        }
    }
}

/// Walks a macro call.
pub(super) fn call(walk: &mut Walk<'_, '_>, mac: &Macro) {
    let name = last_name(&mac.path);
    match Role::of(&name) {
        Role::Vec => vector(walk, mac),
        Role::Include(usage) => file::include(walk, mac, usage),
        Role::Concat => concat(walk, mac),
        Role::Lazy => lazy::walk_macro(walk, mac),
        Role::CompileTime => {}
        Role::Matches => matches_pattern(walk, mac),
        Role::Unknown => {
            let ids = walk.ids(|walk| arguments(walk, &Role::Unknown, mac));
            if !ids.is_empty() {
                walk.found.macro_arguments.push((name, ids));
            }
        }
        role => arguments(walk, &role, mac),
    }
}

fn arguments(walk: &mut Walk<'_, '_>, role: &Role, mac: &Macro) {
    match expressions(&mac.tokens) {
        Some(arguments) => with_expressions(walk, role, &arguments),
        None => unparsed(walk, role, mac.tokens.clone()),
    }
}

fn with_expressions(walk: &mut Walk<'_, '_>, role: &Role, arguments: &[Expr]) {
    match role {
        Role::Comparison => asserts::comparison(walk, arguments),
        Role::Condition => asserts::condition(walk, arguments),
        Role::Message => asserts::messages(walk, arguments),
        Role::Format => formatted(walk, arguments),
        Role::Print => printed(walk, arguments),
        Role::Write => {
            let (target, arguments) = arguments.split_at(arguments.len().min(1));
            for target in target {
                walk.visit_expr(target);
            }
            formatted(walk, arguments);
        }
        _ => arguments.iter().for_each(|argument| walk.visit_expr(argument)),
    }
}

fn formatted(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    let (Some(format), Some(last)) = (arguments.first(), arguments.last()) else { return };
    let end = walk.range(last.span()).end;
    match format {
        Expr::Lit(literal) => walk.format_string(&literal.lit, end),
        _ => walk.skip(format, FORMAT_STRING),
    }
    format_arguments(walk, arguments);
}

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

fn unparsed(walk: &mut Walk<'_, '_>, role: &Role, arguments: TokenStream) {
    if !matches!(role, Role::Unknown) {
        return walk.skip(&arguments, "arguments that cannot be parsed");
    }
    tokens::walk_macro(walk, arguments);
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

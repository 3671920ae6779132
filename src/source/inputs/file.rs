//! Inputs that are files.

use std::path::{Path, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Lit, Macro};

use super::walk::Walk;
use crate::reduce::inputs::{Body, Value};
use crate::source::exprs::bare;
use crate::source::tidy;
use crate::source::tokens::{expressions, last_two_words};
use crate::source::{FileUse, ValueKind};

/// `include_str!` or `include_bytes!`.
pub(super) fn include(walk: &mut Walk<'_, '_>, mac: &Macro, usage: FileUse) {
    let arguments = expressions(&mac.tokens).unwrap_or_default();
    let path = match arguments.as_slice() {
        [path] => constant_text(path, &walk.files.package_dir),
        _ => None,
    };
    let Some(path) = path else {
        return walk.skip(&mac.tokens, "a path that only the compiler knows");
    };
    let path = tidy(&walk.files.source_dir.join(path));
    let range = walk.range(mac.span());
    push(walk, path, range, usage);
}

/// Whether a function of `std::fs` that reads a whole file, or opens one, is named.
pub(super) fn is_read(function: &Expr) -> bool {
    last_two_words(function).is_some_and(|(module, name)| {
        matches!(
            (&*module, &*name),
            ("fs", "read" | "read_to_string") | ("File", "open") | ("", "read_to_string")
        )
    })
}

/// A call that reads a file: its content is the input if the path is a literal.
pub(super) fn call(walk: &mut Walk<'_, '_>, call: &syn::ExprCall) {
    let known = match call.args.first() {
        Some(argument) if call.args.len() == 1 => {
            let argument = bare(argument);
            constant_text(argument, &walk.files.package_dir).map(|path| (argument, path))
        }
        _ => None,
    };
    let Some((argument, path)) = known else { return visit::visit_expr_call(walk, call) };
    let path = tidy(&walk.files.package_dir.join(path));
    let range = walk.range(argument.span());
    if !push(walk, path, range, FileUse::Path) {
        walk.visit_expr(argument);
    }
}

fn push(
    walk: &mut Walk<'_, '_>,
    path: PathBuf,
    range: std::ops::Range<usize>,
    usage: FileUse,
) -> bool {
    let Ok(content) = (walk.files.read)(&path) else { return false };
    let value = Value::of_content(content);
    let id = walk.place(range, ValueKind::File(usage));
    walk.found.files.insert(id, path);
    walk.push(id, Body::Leaf(value));
    true
}

/// The text of a literal, or of a `concat!` of literals.
fn constant_text(expr: &Expr, package_dir: &Path) -> Option<String> {
    match expr {
        Expr::Lit(literal) => literal_text(&literal.lit),
        Expr::Macro(call) if call.mac.path.is_ident("concat") => joined(&call.mac, package_dir),
        Expr::Macro(call) if call.mac.path.is_ident("env") => {
            let name = call.mac.parse_body::<syn::LitStr>().ok()?;
            (name.value() == "CARGO_MANIFEST_DIR")
                .then(|| package_dir.to_str().map(str::to_owned))?
        }
        _ => None,
    }
}

/// The text of a `concat!`.
pub(super) fn joined(mac: &Macro, package_dir: &Path) -> Option<String> {
    expressions(&mac.tokens)?.iter().map(|part| constant_text(part, package_dir)).collect()
}

/// What `concat!` makes of a literal.
fn literal_text(lit: &Lit) -> Option<String> {
    match lit {
        Lit::Str(text) => Some(text.value()),
        Lit::Char(char) => Some(char.value().to_string()),
        Lit::Int(number) => Some(number.base10_digits().to_owned()),
        Lit::Bool(value) => Some(value.value.to_string()),
        _ => None,
    }
}

//! Lists on the heap of which a test only reads: `let all = vec![1]; all.iter()` does with `let all = [1];`.

use std::ops::Range;

use syn::parse::Parse;
use syn::{Expr, Pat, Stmt};

use super::outline::{Function, Statement, What};
use super::unused::Names;
use crate::source::Edits;
use crate::source::parse::look_at;
use crate::source::tokens::expressions;

const VEC: &str = "vec!";

/// What may stand behind the name of a list that needs no heap.
const READS: [&str; 11] = [
    "[", ".chunks(", ".contains(", ".first()", ".get(", ".is_empty()", ".iter()", ".last()",
    ".len()", ".to_vec()", ".windows(",
];

/// Writes such lists of `function` as arrays, if these edits change anything in it.
pub(super) fn unbox(text: &str, function: &Function, edits: &mut Edits) {
    if edits.within(&function.span).is_empty() {
        return;
    }
    let names = Names::of(text, function);
    let mut found = Vec::new();
    function.body.each(&mut |statement| found.extend(list_of(text, statement, edits)));
    for list in found {
        if names.mentions(&list.name, edits).all(|mention| is_read(text, mention, &list)) {
            edits.cover(list.vec, "");
        }
    }
}

struct List {
    name: String,
    pattern: Range<usize>,
    /// The bytes of `vec!`.
    vec: Range<usize>,
}

/// The list that a statement binds to a variable, if that holds several elements or one.
fn list_of(text: &str, statement: &Statement, edits: &Edits) -> Option<List> {
    let What::Let { pattern, .. } = &statement.what else { return None };
    let start = pattern.end + text[pattern.end..statement.range.end].find(VEC)?;
    let vec = start..start + VEC.len();
    if edits.covers(&vec) || !text[vec.end..].starts_with('[') {
        return None;
    }
    let edited = edits.edited(text, &statement.range);
    let name = look_at(&edited, Stmt::parse, |statement| {
        let Stmt::Local(local) = statement else { return None };
        let Pat::Ident(name) = local.pat else { return None };
        let Expr::Macro(value) = *local.init?.expr else { return None };
        let is_list = value.mac.path.is_ident("vec")
            && expressions(&value.mac.tokens).is_some_and(|elements| !elements.is_empty());
        (is_list && name.mutability.is_none() && name.by_ref.is_none())
            .then(|| name.ident.to_string())
    });
    Some(List { name: name.ok()??, pattern: pattern.clone(), vec })
}

/// Whether a mention of the list only reads it.
fn is_read(text: &str, mention: &Range<usize>, list: &List) -> bool {
    *mention == list.pattern
        || READS.iter().any(|reads| text[mention.end..].starts_with(reads))
        || text[..mention.start].ends_with(" in &")
}

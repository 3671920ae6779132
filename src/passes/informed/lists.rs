//! Long lists: the tables of a program, most rows of which a failure has no need of. Where one of them is a large part of a
//! source, all that comes later is as much faster without.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use syn::Expr;

use crate::rust::{Reduction, Tree};

/// From so many elements on a list is long.
const LONG: usize = 16;
/// Which part of a source it is then at least: one of so many.
const PART: usize = 16;
/// In how many groups of elements, each beside the next, one list is cut.
const GROUPS: usize = 32;
/// From so many elements on, what a macro is told in brackets is a list.
const SHORTEST: usize = 4;

/// Removes groups of elements of long lists, which hold a large part of the source.
pub(crate) fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let lists = tree.exprs().filter_map(|expr| match expr {
        Expr::Array(array) => Some(tree.elements(&array.elems)),
        _ => None,
    });
    let is_large = |list: &Vec<Range<usize>>| {
        let bytes = list.iter().map(Range::len).sum::<usize>();
        list.len() >= LONG && bytes * PART > tree.text.len()
    };
    let mut groups = Vec::new();
    for list in lists.chain(told_to_macros(tree)).filter(is_large) {
        for group in list.chunks(list.len().div_ceil(GROUPS)) {
            let removal = group.iter().cloned().fold(Reduction::default(), Reduction::and_remove);
            groups.push(removal);
        }
    }
    groups
}

/// The elements of the innermost lists in each call of a macro, all of a call at once: what stands between commas in brackets.
fn told_to_macros<'t>(tree: &'t Tree<'_>) -> impl Iterator<Item = Vec<Range<usize>>> + 't {
    tree.macros().filter(|call| !call.path.is_ident("macro_rules")).map(|call| {
        let mut found = Vec::new();
        innermost(tree, call.tokens.clone(), &mut found);
        found
    })
}

/// Adds the elements of the lists among `tokens` that hold no longer ones; whether there are any.
fn innermost(tree: &Tree<'_>, tokens: TokenStream, found: &mut Vec<Range<usize>>) -> bool {
    let mut elements: Vec<Range<usize>> = Vec::new();
    let mut is_outer = false;
    let mut begins = true;
    for token in tokens {
        let place = tree.span(token.span());
        if let TokenTree::Group(group) = &token {
            is_outer |= innermost(tree, group.stream(), found);
        }
        let is_comma = matches!(&token, TokenTree::Punct(it) if it.as_char() == ',');
        match elements.last_mut() {
            // A comma goes with what stands before it.
            Some(last) if !begins => last.end = place.end,
            _ => elements.push(place),
        }
        begins = is_comma;
    }
    let is_list = !is_outer && elements.len() >= SHORTEST;
    if is_list {
        found.append(&mut elements);
    }
    is_outer || is_list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::lines;

    #[test]
    fn only_lists_that_are_long_and_large_are_cut() {
        let rows: Vec<String> = (0..40).map(|row| format!("row({row})")).collect();
        let list = format!("static A: [u8; 40] = [{}];", rows.join(", "));
        let results = lines(propose, &list);
        assert_eq!(results.len(), 20);
        let has = |result: usize, row: &str| results[result].contains(row);
        assert!(!has(0, "row(1)") && has(0, "row(2)") && has(19, "row(37)") && !has(19, "row(38)"));
        assert_eq!(lines(propose, "fn f() { g([1, 2, 3]) }").len(), 0);
        let state = "State { 1 => A, 2 => B, 3..=4 => (C, D), 5 => E, },";
        let table = lines(propose, &format!("table!(name, {{ {} }});", state.repeat(6)));
        assert_eq!(table.len(), 24);
        assert!(table[2].contains("State { 1 => A, 2 => B, 5 => E, },"), "{}", table[2]);
        let beside = format!("{list} fn f() {{ {} }}", "g();".repeat(4000));
        assert_eq!(lines(propose, &beside).len(), 0);
    }
}

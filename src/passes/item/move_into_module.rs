//! What is around a module.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Item, ItemMod};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::import_parts::imports_all_around;
use crate::rust::{Reduction, Tree};
use crate::source::item_name;

/// Opens a module before its first neighbour, and closes it after the last one: where only its items
/// name them, no path has to lead out of the module any more. The module keeps its name, which may be
/// a part of the test's.
pub(crate) const PASS: Pass = Pass {
    name: "move-into-module",
    about: "move the items around a module into it",
    tier: Tier::Fine,
    effect: Effect::Quiet,
    before: "struct A; mod m { use super::*; fn f(a: A) {} fn g(b: super::A) {} }",
    after: "mod m { struct A; fn f(a: A) {} fn g(b: A) {} }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    widen_in(tree, &tree.file.items, true, &mut reductions);
    reductions
}

/// Looks at the modules among `items`, which may be those of the root of the crate.
fn widen_in(tree: &Tree<'_>, items: &[Item], is_root: bool, reductions: &mut Vec<Reduction>) {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let Some((_, inside)) = &module.content else { continue };
        reductions.extend(widen(tree, items, is_root, module));
        widen_in(tree, inside, false, reductions);
    }
}

fn widen(tree: &Tree<'_>, items: &[Item], is_root: bool, module: &ItemMod) -> Option<Reduction> {
    let (braces, inside) = module.content.as_ref()?;
    let (whole, inner) = (tree.range(module), tree.inside(&braces.span));
    let (first, last) = (tree.range(items.first()?), tree.range(items.last()?));
    let mut reduction = Reduction::default();
    if first.start < whole.start {
        let head = whole.start..inner.start;
        reduction = reduction
            .and_copy(first.start..first.start, tree.text, head.clone(), "", " ")
            .and_remove(head);
    }
    if whole.end < last.end {
        reduction =
            reduction.and_remove(inner.end..whole.end).and_replace(last.end..last.end, " }");
    }
    let around = items.iter().filter_map(item_name).map(ToString::to_string).collect();
    let before = reduction.clone();
    for import in inside.iter().filter(|item| imports_all_around(item, is_root)) {
        reduction = reduction.and_remove(tree.range(import));
    }
    for prefix in prefixes(tree, &inner, is_root, &around) {
        reduction = reduction.and_remove(prefix);
    }
    let is_shorter = reduction != before && items.len() > 1;
    is_shorter.then_some(reduction)
}

/// The `super::` and, at the root of the crate, `crate::` of paths in `inner` that lead to names `around`.
fn prefixes(
    tree: &Tree<'_>,
    inner: &Range<usize>,
    is_root: bool,
    around: &HashSet<String>,
) -> Vec<Range<usize>> {
    let paths = tree.paths_within(inner);
    let starts = paths.filter_map(|path| {
        let mut segments = path.segments.iter();
        let (first, second) = (segments.next()?, segments.next()?);
        let leads_out = first.ident == "super" || is_root && first.ident == "crate";
        let is_named = around.contains(&second.ident.to_string());
        let range = tree.range(first).start..tree.range(second).start;
        (leads_out && is_named).then_some(range)
    });
    starts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::lines;

    #[test]
    fn the_module_is_closed_after_what_follows_it() {
        assert_eq!(
            lines(
                propose,
                "#![a] struct A; #[cfg(test)] mod m { fn f() { super::g(crate::A) } } fn g(a: A) {}"
            ),
            ["#![a] #[cfg(test)] mod m { struct A; fn f() { g(A) } fn g(a: A) {} }"]
        );
    }

    #[test]
    fn only_super_leads_to_what_is_around_an_inner_module() {
        assert_eq!(
            lines(propose, "mod n { struct A; mod m { fn f() { super::A; crate::n::A } } }"),
            ["mod n { mod m { struct A; fn f() { A; crate::n::A } } }"]
        );
    }

    #[test]
    fn modules_that_do_not_name_what_is_around_them_stay() {
        assert_eq!(lines(propose, "struct A; mod m { fn f() {} }"), [""; 0]);
        assert_eq!(lines(propose, "mod m { fn f() { crate::m::f() } }"), [""; 0]);
    }
}

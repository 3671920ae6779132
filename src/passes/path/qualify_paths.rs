//! Imports that take more words than they save.

use syn::Path;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::scopes::Import;
use crate::rust::{Reduction, Tree, count_tokens};

/// Takes an import out and writes the whole path where its name is used, or imports all that is in
/// what it names and drops the name in front of what was used of it. Either is proposed only where it
/// saves tokens.
pub(crate) const PASS: Pass = Pass {
    name: "qualify-paths",
    about: "replace imports by full paths or by glob imports",
    tier: Tier::Fine,
    effect: Effect::Quiet,
    before: "use std::io; fn f() -> io::Result<()> {}",
    after: "fn f() -> std::io::Result<()> {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for import in tree.imports() {
        let home = tree.module_around(&import.removed);
        let uses: Vec<&Path> = tree
            .paths_from(&import.name, &home.range)
            .filter(|path| tree.module_around(&tree.range(*path)).path == home.path)
            .collect();
        reductions.extend(written_out(tree, import, &uses));
        reductions.extend(all_of_it(tree, import, &uses));
    }
    reductions
}

/// The import goes, its path stands where its name was.
fn written_out(tree: &Tree<'_>, import: &Import, uses: &[&Path]) -> Option<Reduction> {
    let saved = count_tokens(&tree.text[import.removed.clone()]);
    let is_shorter = !uses.is_empty() && count_tokens(&import.prefix) * uses.len() < saved;
    is_shorter.then(|| {
        let removed = Reduction::remove(import.removed.clone());
        uses.iter().fold(removed, |reduction, path| {
            let start = tree.range(*path).start;
            reduction.and_replace(start..start, &import.prefix)
        })
    })
}

/// `name::*` is imported, and `name::` goes in front of everything.
fn all_of_it(tree: &Tree<'_>, import: &Import, uses: &[&Path]) -> Option<Reduction> {
    const LEAST: usize = 2;
    let leads = uses.iter().all(|path| path.segments.len() > 1);
    (leads && uses.len() >= LEAST).then(|| {
        let end = import.word.end;
        let all = Reduction::replace(end..end, "::*");
        uses.iter().fold(all, |reduction, path| {
            reduction.and_remove(tree.range(*path).start..tree.range(&path.segments[1]).start)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn everything_is_imported_of_a_module_that_is_named_often() {
        let text = "use std::fmt; fn f(a: fmt::A, b: fmt::B) {}";
        assert_eq!(results(propose, text), ["use std::fmt::*; fn f(a: A, b: B) {}"]);
    }

    #[test]
    fn a_part_of_a_group_is_written_out_only_where_that_is_shorter() {
        assert!(results(propose, "use a::{b, c}; fn f(x: b) {}").is_empty());
        let text = "use d::{a::b::{c}, e}; fn f(x: e, y: c) {}";
        assert!(results(propose, text).is_empty(), "{:?}", results(propose, text));
        let alone = "use a::{self, b::c}; use d::e; fn f(x: e, y: c) {}";
        assert_eq!(results(propose, alone), ["use a::{self, b::c};  fn f(x: d::e, y: c) {}"]);
    }

    #[test]
    fn names_in_other_modules_are_not_meant() {
        let text = "use std::io; mod m { fn f(x: io::A) {} }";
        assert!(results(propose, text).is_empty(), "{:?}", results(propose, text));
    }
}

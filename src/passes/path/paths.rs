//! Paths from the root of the crate, or from around a module.

use syn::Path;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes the `crate::`, `self::` and `super::` that a path begins with, and all of it but its end.
pub(crate) const PASS: Pass = Pass {
    name: "paths",
    about: "shorten paths from the root of the crate",
    tier: Tier::Fine,
    effect: Effect::Quiet,
    before: "mod m { struct A; fn f(a: self::A, b: super::B) {} }",
    after: "mod m { struct A; fn f(a: A, b: super::B) {} }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let paths = tree.paths();
    paths.flat_map(|path| shorter(tree, path)).collect()
}

fn shorter(tree: &Tree<'_>, path: &Path) -> Vec<Reduction> {
    let leads = |name: &str| ["crate", "self", "super"].contains(&name);
    let leading =
        path.segments.iter().take_while(|segment| leads(&segment.ident.to_string())).count();
    let last = path.segments.len().saturating_sub(1);
    if leading == 0 || leading > last {
        return Vec::new();
    }
    let start = tree.range(path).start;
    let from = |place: usize| Reduction::remove(start..tree.range(&path.segments[place]).start);
    let mut reductions = vec![from(last)];
    if leading < last {
        reductions.push(from(leading));
    }
    reductions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing;

    #[test]
    fn only_what_leads_to_a_name_goes() {
        assert_eq!(
            testing::lines(propose, "fn f() { crate::m::g(); m::g(); self.a }"),
            ["fn f() { g(); m::g(); self.a }", "fn f() { m::g(); m::g(); self.a }"]
        );
    }
}

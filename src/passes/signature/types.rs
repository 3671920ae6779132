//! Types.

use std::ops::Range;

use syn::Type;
use syn::visit::{self, Visit};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Swaps a type for `()`, or for one of the types it is made of.
pub(crate) const PASS: Pass = Pass {
    name: "types",
    about: "swap types for () or for one of their parts",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "struct S(Box<[u8]>);",
    after: "struct S([u8]);",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for ty in tree.types() {
        let whole = tree.range(ty);
        if whole.len() > 2 {
            reductions.push(Reduction::replace(whole.clone(), "()"));
        }
        for part in parts(tree, ty) {
            reductions.push(Reduction::keep(whole.clone(), part));
        }
        if let Type::Path(path) = ty
            && let Some(qself) = &path.qself
            && qself.as_token.is_some()
        {
            let (subject, last) = (tree.text_of(&qself.ty), path.path.segments.last());
            let short = last.map(|last| format!("{subject}::{}", tree.text_of(last)));
            reductions.extend(short.map(|short| Reduction::replace(whole, short)));
        }
    }
    reductions
}

/// The types directly inside `ty`.
fn parts(tree: &Tree<'_>, ty: &Type) -> Vec<Range<usize>> {
    struct Parts<'p, 't>(&'p Tree<'t>, Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Parts<'_, '_> {
        fn visit_type(&mut self, node: &'ast Type) {
            self.1.push(self.0.range(node));
        }
    }
    let mut parts = Parts(tree, Vec::new());
    visit::visit_type(&mut parts, ty);
    parts.1
}

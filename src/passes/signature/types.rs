//! Types.

use syn::Type;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::child_types;

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
        let parts = child_types(ty).into_iter();
        reductions.extend(parts.map(|part| Reduction::keep(whole.clone(), tree.range(part))));
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

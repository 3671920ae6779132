//! Macros of the crate's own that want literals: they accept what asks the runtime for one.

use std::collections::{BTreeMap, BTreeSet};

use super::copy::Copy;
use crate::reduce::inputs::NodeId;

/// Widens the fragments of the macros whose arguments are rewritten.
pub(super) fn widen(copy: &mut Copy<'_>, excluded: &BTreeSet<NodeId>) {
    let mut arguments: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    for (name, ids) in &copy.found.macro_arguments {
        let nodes = ids.clone().map(NodeId);
        arguments.entry(name).or_default().extend(nodes);
    }
    for (name, nodes) in arguments {
        if nodes.iter().all(|id| excluded.contains(id)) {
            continue;
        }
        for fragment in copy.krate.literal_fragments(name) {
            copy.replace(fragment.file, fragment.word.clone(), fragment.wider);
            copy.site(fragment.file, fragment.word, nodes.clone());
        }
    }
}

/// What stands in the arguments of macros: there a call is put into parentheses, so that it is one token
/// tree as the literal was.
pub(super) fn in_arguments(copy: &Copy<'_>) -> BTreeSet<NodeId> {
    let ids = copy.found.macro_arguments.iter();
    ids.flat_map(|(_, ids)| ids.clone()).map(NodeId).collect()
}

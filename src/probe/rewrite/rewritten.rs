//! The instrumented copy, made step by step.

use std::collections::{BTreeMap, BTreeSet};

use super::copy::{Copy, Site};
use super::entry::Entry;
use super::{boundary, constants, entry, fragments, marks, nodes};
use crate::reduce::inputs::NodeId;
use crate::source::{Crate, Edits, FileIndex, FoundInputs, Located};

/// The instrumented copy of a crate.
#[derive(Debug, Clone)]
pub struct Rewritten {
    /// What changes in which file.
    pub files: Vec<(FileIndex, Edits)>,
    /// The nodes whose value (or kept elements) the runtime decides.
    pub probed: BTreeSet<NodeId>,
    /// How the test is run in a loop.
    pub entry: Entry,
    /// What was rewritten where, to take it back.
    pub(super) sites: Vec<Site>,
}

/// Rewrites `krate` so that the inputs in `found`, but for those in `excluded`, are chosen at run
/// time. `runtime` is the path of the runtime's source, as a `#[path]` attribute names it.
pub fn rewrite(
    krate: &Crate,
    found: &FoundInputs,
    located: &Located,
    excluded: &BTreeSet<NodeId>,
    runtime: &str,
) -> Rewritten {
    let mut copy =
        Copy { krate, found, edits: BTreeMap::new(), sites: Vec::new(), probed: BTreeSet::new() };
    marks::add(&mut copy, located);
    let constants = constants::convertible(krate, found, excluded);
    boundary::open(&mut copy, excluded);
    // Uses come first: what is inserted at one offset stands in the order of insertion, and the `()`
    // after a name belongs inside what is wrapped around it.
    constants::rewrite_uses(&mut copy, &constants);
    nodes::rewrite_nodes(&mut copy, &found.inputs.0, excluded, &constants);
    constants::rewrite_definitions(&mut copy, &constants);
    boundary::close(&mut copy, excluded);
    fragments::widen(&mut copy, excluded);
    relax_lints(&mut copy);
    let entry = entry::add(&mut copy, located);
    add_runtime(&mut copy, runtime);
    Rewritten {
        files: copy.edits.into_iter().collect(),
        probed: copy.probed,
        entry,
        sites: copy.sites,
    }
}

/// A lint that is an error in the original must not stop the copy.
fn relax_lints(copy: &mut Copy<'_>) {
    for (file, word) in copy.krate.strict_lints() {
        let level = match word.len() {
            4 => "warn",
            _ => "allow ",
        };
        copy.replace(file, word, level);
    }
}

fn add_runtime(copy: &mut Copy<'_>, runtime: &str) {
    let root = FileIndex(0);
    let end = copy.krate.file(root).text.len();
    copy.insert(root, end, format!("\n#[path = {runtime:?}] mod __cargo_reduce;\n"));
}

//! The copy in the making.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::entry::Entry;
use super::{boundary, constants, entry, fragments, marks, nodes};
use crate::reduce::inputs::NodeId;
use crate::source::{Crate, Edits, FileIndex, FoundInputs, Located};

/// The module of the runtime, as the rewritten code names it.
pub(super) const RUNTIME: &str = "crate::__cargo_reduce";

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

/// A rewritten piece of the original text, and the nodes to take back if it is rejected.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) file: FileIndex,
    pub(super) range: Range<usize>,
    pub(super) nodes: Vec<NodeId>,
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

/// The copy in the making.
pub(super) struct Copy<'c> {
    pub(super) krate: &'c Crate,
    pub(super) found: &'c FoundInputs,
    pub(super) edits: BTreeMap<FileIndex, Edits>,
    pub(super) sites: Vec<Site>,
    pub(super) probed: BTreeSet<NodeId>,
}

impl Copy<'_> {
    pub(super) fn insert(&mut self, file: FileIndex, offset: usize, text: impl Into<String>) {
        self.edits.entry(file).or_default().insert(offset, text);
    }

    pub(super) fn replace(
        &mut self,
        file: FileIndex,
        range: Range<usize>,
        text: impl Into<String>,
    ) {
        self.edits.entry(file).or_default().replace(range, text);
    }

    pub(super) fn site(&mut self, file: FileIndex, range: Range<usize>, nodes: Vec<NodeId>) {
        self.sites.push(Site { file, range, nodes });
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

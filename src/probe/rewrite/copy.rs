//! The copy in the making.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::reduce::inputs::NodeId;
use crate::source::{Crate, Edits, FileIndex, FileUse, FoundInputs, ValueKind};

/// The module of the runtime, as the rewritten code names it.
pub(in crate::probe) const RUNTIME: &str = "crate::__cargo_reduce";

/// A rewritten piece of the original text, and the nodes to take back if it is rejected.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) file: FileIndex,
    pub(super) range: Range<usize>,
    pub(super) nodes: Vec<NodeId>,
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

/// The function of the runtime that gives a leaf of this kind.
pub(super) fn runtime_function(kind: ValueKind) -> Option<&'static str> {
    Some(match kind {
        ValueKind::Str | ValueKind::File(FileUse::IncludeStr) => "text",
        ValueKind::Bytes | ValueKind::File(FileUse::IncludeBytes) => "bytes",
        ValueKind::CStr => "cstr",
        ValueKind::Char => "character",
        ValueKind::Byte | ValueKind::Int | ValueKind::Float => "num",
        ValueKind::Bool => "boolean",
        ValueKind::File(FileUse::Path) => "path",
        ValueKind::File(FileUse::Opened)
        | ValueKind::Files
        | ValueKind::Seq(_)
        | ValueKind::Format
        | ValueKind::FormatText
        | ValueKind::Group
        | ValueKind::Opaque
        | ValueKind::Observed(_) => return None,
    })
}

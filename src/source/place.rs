//! Where an input stands in the source, and what it is there.

use std::ops::Range;

use serde::Serialize;

use crate::reduce::RangeExt;
use crate::reduce::inputs::Value;

/// A file of a crate, by its place in [`Crate::files`](super::Crate::files).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileIndex(pub u32);

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// `"…"`, `r"…"`, or a `concat!` of literals.
    Str,
    /// `b"…"`, `br"…"`.
    Bytes,
    /// `c"…"`, `cr"…"`.
    CStr,
    /// `'x'`.
    Char,
    /// `b'x'`.
    Byte,
    /// An integer literal, with its sign.
    Int,
    /// A floating-point literal, with its sign.
    Float,
    /// `true` or `false`.
    Bool,
    /// A file that the source names; the file's content is the value.
    File(FileUse),
    /// Files of a folder that the failing run opens; the place is the name of the test.
    Files,
    /// A sequence.
    Seq(SeqForm),
    /// A format string; its texts between the placeholders are its parts.
    Format,
    /// A text between the placeholders of a format string; the place is its part of the literal.
    FormatText,
    /// An element with reducible parts.
    Group,
    /// An element without reducible parts.
    Opaque,
    /// An expression whose value is known when the test runs, by what that is.
    Observed(&'static str),
}

/// How a file gets into the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileUse {
    /// `include_str!("…")`; the place is the whole macro call.
    IncludeStr,
    /// `include_bytes!("…")`; the place is the whole macro call.
    IncludeBytes,
    /// A literal path given to a function of `std::fs`; the place is the path literal.
    Path,
    /// The failing run opens it; the place is the name of the test.
    Opened,
}

/// How a sequence is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeqForm {
    /// `vec![a, b]`.
    Vec,
    /// `[a, b]`.
    Array,
    /// `&[a, b]`.
    Slice,
    /// Statements on one object; each element is a statement with its semicolon.
    Statements,
    /// Calls on a builder, `new().a(1).b(2)`; each element is a call from its dot on. The place starts
    /// where the chain starts.
    Chain,
    /// The elements of a bracketed list inside the tokens of a macro.
    Tokens,
}

impl ValueKind {
    /// That of the literal which a value is written as.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Text(_) => ValueKind::Str,
            Value::Bytes(_) => ValueKind::Bytes,
            Value::Char(_) => ValueKind::Char,
            Value::Int(_) => ValueKind::Int,
            Value::Float(_) => ValueKind::Float,
            Value::Bool(_) => ValueKind::Bool,
        }
    }

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            ValueKind::Str | ValueKind::Format | ValueKind::FormatText => "str",
            ValueKind::Bytes | ValueKind::CStr => "bytes",
            ValueKind::Char => "char",
            ValueKind::Byte | ValueKind::Int => "int",
            ValueKind::Float => "float",
            ValueKind::Bool => "bool",
            ValueKind::File(_) => "file",
            ValueKind::Files => "files",
            ValueKind::Seq(_) => "seq",
            ValueKind::Group => "group",
            ValueKind::Opaque => "opaque",
            ValueKind::Observed(name) => name,
        }
    }
}

/// How candidates of an input are run, from the fastest way to the slowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// In a loop within the test binary.
    InProcess,
    /// In a process of the probe build for each.
    Process,
    /// One build for each: the value may be needed at compile time.
    Rebuild,
}

impl Tier {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Tier::InProcess => "in-process",
            Tier::Process => "process",
            Tier::Rebuild => "rebuild",
        }
    }
}

/// Where a node stands and what it is. Small, since there is one for each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValuePlace {
    /// The file.
    pub file: FileIndex,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// What it is.
    pub kind: ValueKind,
    /// How fast it can be tried.
    pub tier: Tier,
    /// The function or item it stands in, by its place in [`FoundInputs::owners`](super::FoundInputs::owners).
    pub owner: u32,
}

/// A number of which there are never so many.
pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl ValuePlace {
    /// What stands at these bytes.
    pub(super) fn new(
        file: FileIndex,
        range: &Range<usize>,
        kind: ValueKind,
        tier: Tier,
        owner: u32,
    ) -> Self {
        ValuePlace { file, start: small(range.start), end: small(range.end), kind, tier, owner }
    }

    /// The byte range in the file.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether another place is a part of it.
    pub fn holds(&self, other: &ValuePlace) -> bool {
        other.is_in(self.file, &self.range())
    }

    /// Whether it is within these bytes of a file.
    pub(super) fn is_in(&self, file: FileIndex, range: &Range<usize>) -> bool {
        self.file == file && range.covers(&self.range())
    }

    /// Whether it has something in common with these bytes of a file.
    pub fn overlaps(&self, file: FileIndex, range: &Range<usize>) -> bool {
        self.file == file && self.range().overlaps(range)
    }
}

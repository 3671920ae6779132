//! A crate: its files, its module tree, its items.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use syn::parse::Parse;
use syn::{Block, ImplItemFn, ItemFn, Signature};

use super::item::{Item, ItemKind};
use super::parse::look_at;
use super::{FileIndex, LineColumn, LineIndex, SourceError};
use crate::reduce::RangeExt;

/// One source file.
#[derive(Debug, Clone)]
pub struct CrateFile {
    /// Where it was read from: the directory of the crate's root joined with what the `mod` items say.
    pub path: PathBuf,
    /// Its content, a byte order mark included.
    pub text: String,
    /// Its lines.
    pub lines: LineIndex,
}

impl CrateFile {
    pub(crate) fn new(path: PathBuf, text: String) -> Self {
        let lines = LineIndex::new(&text);
        CrateFile { path, text, lines }
    }

    /// The line and column of a byte offset.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        self.lines.line_column(&self.text, offset)
    }
}

/// The sources of one crate (a library, a binary, an integration test), from its root file down.
///
/// Modules under `cfg` are kept whatever their condition; a file that is missing or broken in such a
/// module is no error, since the compiler may never look at it.
#[derive(Debug, Default)]
pub struct Crate {
    pub(crate) files: Vec<CrateFile>,
    pub(crate) items: Vec<Item>,
    pub(crate) troubles: Vec<SourceError>,
    pub(crate) package_dir: PathBuf,
    /// The names of the crates that it tests.
    pub(crate) tested: BTreeSet<String>,
}

impl Crate {
    /// Tells by which names the crates go that the tests of this one are for.
    #[must_use]
    pub fn testing(mut self, tested: BTreeSet<String>) -> Self {
        self.tested = tested;
        self
    }

    /// The files, the root first.
    pub fn files(&self) -> &[CrateFile] {
        &self.files
    }

    /// One file.
    pub fn file(&self, index: FileIndex) -> &CrateFile {
        &self.files[index.0 as usize]
    }

    /// The files by their places among them.
    pub fn file_indices(&self) -> impl Iterator<Item = FileIndex> + use<> {
        (0..).map(FileIndex).take(self.files.len())
    }

    /// The items of that kind.
    pub(super) fn items_of(&self, kind: ItemKind) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.kind == kind)
    }

    /// The items around these bytes of a file.
    pub(super) fn items_around(
        &self,
        file: FileIndex,
        range: Range<usize>,
    ) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.file == file && item.span.covers(&range))
    }

    /// These bytes of a file.
    pub(super) fn slice(&self, file: FileIndex, range: &Range<usize>) -> &str {
        &self.file(file).text[range.clone()]
    }

    /// The text of an item.
    pub(super) fn text_of(&self, item: &Item) -> &str {
        self.slice(item.file, &item.span)
    }

    /// What `look` sees in a function or method; `None` for other items.
    pub(super) fn look_at_function<R>(
        &self,
        item: &Item,
        look: impl FnOnce(&Signature, &Block) -> R,
    ) -> Option<R> {
        let text = self.text_of(item);
        // It was parsed before, as part of its file.
        match item.kind {
            ItemKind::Fn => look_at(text, ItemFn::parse, |it| look(&it.sig, &it.block)).ok(),
            ItemKind::Method => {
                look_at(text, ImplItemFn::parse, |it| look(&it.sig, &it.block)).ok()
            }
            _ => None,
        }
    }

    /// The file that was read from `path`.
    pub fn file_at(&self, path: &Path) -> Option<FileIndex> {
        let index = self.files.iter().position(|file| file.path == path)?;
        Some(FileIndex(u32::try_from(index).ok()?))
    }

    /// Modules that could not be read or parsed.
    pub fn troubles(&self) -> &[SourceError] {
        &self.troubles
    }
}

//! The smallest inputs so far as sources on disk.

use std::cell::RefCell;
use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};

use super::start::Start;
use super::subject::Subject;
use crate::disk::{BestFile, BestSoFar, DiskError, ResultFolder};
use crate::reduce::inputs::{Inputs, unmask};
use crate::source::WriteBack;

/// The best of all searches for one result.
#[derive(Debug)]
pub struct BestInputs<'a> {
    /// Where the result goes.
    pub results: &'a ResultFolder,
    subject: &'a Subject,
    best: RefCell<BestSoFar>,
}

impl<'a> BestInputs<'a> {
    /// That of a search from this start.
    pub fn of(start: &'a Start) -> Self {
        BestInputs {
            results: &start.results,
            subject: &start.subject,
            best: RefCell::new(start.results.best()),
        }
    }

    /// Keeps these inputs, in any case if they are the last; what is hidden in them is that of `base`.
    pub fn keep(&self, inputs: &Inputs, base: &Inputs, is_last: bool) {
        self.best.borrow_mut().keep(|| self.files(&unmask(inputs, base)), is_last);
    }

    /// Why they could not be kept, if that was so.
    pub fn trouble(&self) -> Option<DiskError> {
        self.best.borrow_mut().trouble()
    }

    /// The user's files with these inputs.
    fn files(&self, whole: &Inputs) -> Vec<BestFile> {
        let subject = self.subject;
        let WriteBack { edits, files, .. } = subject.found.write_back(&subject.krate, whole);
        let sources = edits.iter().map(|(file, edits)| {
            let edited = subject.edited(*file, edits);
            (subject.named(edited.path), edited.after.into_bytes())
        });
        let data = files.into_iter().filter_map(|(path, content): (PathBuf, Vec<u8>)| {
            let path = Utf8Path::from_path(&path)?;
            Some((subject.named(path), content))
        });
        sources.chain(data).collect::<Vec<(Utf8PathBuf, _)>>()
    }
}

//! The subject of an inputs job: the crate of the test, its function, its inputs.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::failure::Failure;
use super::find::Chosen;
use super::session::Session;
use crate::oracle::signature::{Location, Signature};
use crate::reduce::inputs::{Inputs, NodeId, Value};
use crate::report::{Event, Input, Tier};
use crate::source::{
    Crate, Edits, FileIndex, Found, Kind, LineColumn, LineIndex, Located, NotLocated, write_literal,
};

/// What is being reduced.
#[derive(Debug)]
pub struct Subject {
    /// The test.
    pub chosen: Chosen,
    /// The crate it stands in.
    pub krate: Crate,
    /// Its function.
    pub located: Located,
    /// Its inputs.
    pub found: Found,
    /// The folder relative to which rustc names files: the workspace's root.
    pub root: Utf8PathBuf,
}

impl Subject {
    /// Reads the sources of the test's crate and finds its inputs.
    ///
    /// # Errors
    /// When a source cannot be read or parsed, the test has no function, or no inputs.
    pub fn load(session: &Session, chosen: &Chosen) -> Result<Self, Failure> {
        let root = chosen.binary.src_path.as_std_path();
        let krate = Crate::load(root, chosen.binary.cwd.as_std_path(), |path| {
            fs::read_to_string(path)
        })
        .map_err(|error| unreadable(&error.to_string()))?;
        let located = krate
            .find_test(&chosen.test)
            .map_err(|error| not_located(&krate, &error))?;
        let found = krate.inputs(&located, |path| fs::read(path));
        let subject = Subject {
            chosen: chosen.clone(),
            krate,
            located,
            found,
            root: session.workspace.root().to_owned(),
        };
        if subject.found.inputs.0.is_empty() {
            return Err(subject.nothing_to_reduce());
        }
        Ok(subject)
    }

    /// Tells the user what can be reduced and what is left alone.
    pub fn tell(&self, session: &mut Session, tier_of: impl Fn(NodeId) -> Tier) {
        for (id, input) in self.found.inputs.0.iter().enumerate() {
            let place = self.found.place(input.id);
            let line = self.line_column(place.file, place.range().start).line;
            session.tell(&Event::Input(Input {
                id,
                kind: place.kind.name().to_owned(),
                file: self.name(place.file).into_string(),
                line: u32::try_from(line).unwrap_or(u32::MAX),
                elements: input.size(),
                tier: tier_of(input.id),
            }));
        }
        for (id, skipped) in (self.found.inputs.0.len()..).zip(&self.found.skipped) {
            let line = self.line_column(skipped.file, skipped.span.start).line;
            let why = format!("{}:{line}: {}", self.name(skipped.file), skipped.why);
            session.tell(&Event::Skipped { id, why });
        }
    }

    /// A file as rustc names it: relative to the workspace's root where it can be.
    #[must_use]
    pub fn name(&self, file: FileIndex) -> Utf8PathBuf {
        self.named(&self.path(file))
    }

    /// A path as rustc names it.
    #[must_use]
    pub fn named(&self, path: &Utf8Path) -> Utf8PathBuf {
        path.strip_prefix(&self.root)
            .map_or_else(|_| path.to_owned(), Utf8Path::to_owned)
    }

    /// Where a file stands.
    #[must_use]
    pub fn path(&self, file: FileIndex) -> Utf8PathBuf {
        let path = &self.krate.file(file).path;
        Utf8PathBuf::from_path_buf(path.clone())
            .unwrap_or_else(|path| path.to_string_lossy().into_owned().into())
    }

    /// An input of a candidate as Rust source; the content of a file as a literal.
    #[must_use]
    pub fn text_of(&self, candidate: &Inputs, id: NodeId) -> String {
        let place = self.found.place(id);
        if let (Kind::File(_), Some(value)) = (place.kind, candidate.value(id)) {
            let kind = if matches!(value, Value::Text(_)) {
                Kind::Str
            } else {
                Kind::Bytes
            };
            return write_literal("", kind, value);
        }
        let text = &self.krate.file(place.file).text;
        let range = place.range();
        let written = self.found.write_back(&self.krate, candidate);
        match written.edits.iter().find(|(file, _)| *file == place.file) {
            Some((_, edits)) => {
                edits.apply(text)[edits.to_new(range.start)..edits.to_new(range.end)].to_owned()
            }
            None => text[range].to_owned(),
        }
    }

    /// The same failure with its place mapped back from an edited copy of the sources to the original.
    #[must_use]
    pub fn mapped_back(&self, signature: &Signature, edited: &[(FileIndex, Edits)]) -> Signature {
        let mut mapped = signature.clone();
        if let Some(location) = &mut mapped.location {
            let place = edited
                .iter()
                .find(|(file, _)| self.name(*file) == location.file.as_str());
            if let Some((file, edits)) = place
                && let Some(original) = self.original_place(*file, edits, location)
            {
                *location = original;
            }
        }
        mapped
    }

    fn original_place(
        &self,
        file: FileIndex,
        edits: &Edits,
        location: &Location,
    ) -> Option<Location> {
        let text = edits.apply(&self.krate.file(file).text);
        let place = LineColumn {
            line: location.line as usize,
            column: location.column as usize,
        };
        let new = LineIndex::new(&text).offset(&text, place)?;
        self.location(file, edits.to_old(new)?)
    }

    /// A byte of an original file as rustc names it.
    #[must_use]
    pub fn location(&self, file: FileIndex, offset: usize) -> Option<Location> {
        let place = self.line_column(file, offset);
        Some(Location::new(
            self.name(file).into_string(),
            u32::try_from(place.line).ok()?,
            u32::try_from(place.column).ok()?,
        ))
    }

    /// The byte of a source that rustc names so.
    #[must_use]
    pub fn offset_of(&self, location: &Location) -> Option<(FileIndex, usize)> {
        let place = LineColumn {
            line: location.line as usize,
            column: location.column as usize,
        };
        let files = (0..).map(FileIndex).take(self.krate.files().len());
        let file = files
            .into_iter()
            .find(|file| self.name(*file) == location.file.as_str())?;
        let source = self.krate.file(file);
        Some((file, source.lines.offset(&source.text, place)?))
    }

    fn line_column(&self, file: FileIndex, offset: usize) -> LineColumn {
        self.krate.file(file).line_column(offset)
    }

    fn nothing_to_reduce(&self) -> Failure {
        let place = self.line_column(self.located.file, self.located.span.start);
        let mut failure = Failure::error(format!(
            "nothing to reduce in `{}` ({}:{}): it reaches no literal, sequence or file that can be an input",
            self.chosen.test,
            self.name(self.located.file),
            place.line,
        ));
        for skipped in self.found.skipped.iter().take(3) {
            let line = self.line_column(skipped.file, skipped.span.start).line;
            failure = failure.hint(format!(
                "left alone: {}:{line}: {}",
                self.name(skipped.file),
                skipped.why
            ));
        }
        failure
    }
}

fn unreadable(error: &str) -> Failure {
    Failure::error(format!(
        "cannot read the sources of the test's crate: {error}"
    ))
    .hint("sources must be UTF-8 and parse as Rust")
}

fn not_located(krate: &Crate, error: &NotLocated) -> Failure {
    let mut failure = Failure::error(error.to_string());
    for trouble in krate.troubles() {
        failure = failure.hint(format!("a source could not be read: {trouble}"));
    }
    failure
}

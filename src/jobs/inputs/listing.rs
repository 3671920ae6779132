//! The inputs as the user is told of them.

use camino::Utf8Path;

use super::subject::Subject;
use crate::app::session::Session;
use crate::reduce::inputs::{Inputs, NodeId, Value};
use crate::report::{Event, Input};
use crate::source::{Origin, Tier, ValueKind, edits_of, write_literal};

impl Subject {
    /// An input of a candidate as Rust source; the content of a file as a literal.
    pub fn text_of(&self, candidate: &Inputs, id: NodeId) -> String {
        let place = self.found.place(id);
        if let (ValueKind::File(_), Some(value)) = (place.kind, candidate.value(id)) {
            let kind =
                if matches!(value, Value::Text(_)) { ValueKind::Str } else { ValueKind::Bytes };
            return write_literal("", kind, value);
        }
        if let Some(text) = self.found.written(candidate, id) {
            return text;
        }
        if place.kind == ValueKind::Files {
            return self.text_of_files(candidate, id);
        }
        let text = &self.krate.file(place.file).text;
        let range = place.range();
        let written = self.found.write_back(&self.krate, candidate);
        match edits_of(&written.edits, place.file) {
            Some(edits) => {
                edits.apply(text)[edits.to_new(range.start)..edits.to_new(range.end)].to_owned()
            }
            None => text[range].to_owned(),
        }
    }

    /// The names and contents of files that are inputs.
    fn text_of_files(&self, candidate: &Inputs, id: NodeId) -> String {
        let list = candidate.get(id);
        let files = list.iter().flat_map(|list| list.children()).map(|file| {
            let path = self.found.files.get(&file.id);
            let name = path.and_then(|path| path.file_name()).unwrap_or_default();
            format!("{}: {}", name.to_string_lossy(), self.text_of(candidate, file.id))
        });
        files.collect::<Vec<_>>().join("\n")
    }

    /// Tells the user what can be reduced and what is left alone.
    pub fn tell(&self, session: &Session, tier_of: impl Fn(NodeId) -> Tier) {
        for input in &self.found.inputs.0 {
            if self.found.passed.contains(&input.id) {
                continue;
            }
            session.tell(&Event::Input(Input {
                elements: Some(input.size()),
                tier: tier_of(input.id),
                ..self.input(input.id)
            }));
        }
        for (id, skipped) in (self.numbers.count()..).zip(&self.found.skipped) {
            let (file, place) = self.users_place(skipped.file, skipped.span.start);
            let why = format!("{file}:{}: {}", place.line, skipped.why);
            session.tell(&Event::Skipped { id, why });
        }
    }

    /// Files that the failing run reads and that are not reduced, as the user knows them.
    pub fn unreduced_files(&self) -> Vec<String> {
        let paths = self.unreduced.iter().filter_map(|path| Utf8Path::from_path(path));
        paths.map(|path| self.named(path).into_string()).collect()
    }

    /// Tells the user at which places values may cross the boundary, of which only a run knows more.
    pub fn tell_boundary(&self, session: &Session) {
        for place in &self.found.boundary {
            session.tell(&Event::Input(self.input(place.id)));
        }
    }

    /// An input, or a place at the boundary, as far as the source tells.
    fn input(&self, id: NodeId) -> Input {
        let place = self.found.place(id);
        let (file, shown) = self.users_place(place.file, place.range().start);
        let is_generated = self.derived.as_ref().is_some_and(|derived| {
            derived.is_generated(&self.path(place.file), place.range().start)
        });
        let origin = match self.found.origin(id) {
            Origin::Literal if is_generated => Origin::Generated,
            origin => origin,
        };
        let path = self.found.files.get(&id).and_then(|path| Utf8Path::from_path(path));
        Input {
            id: self.numbers.of(&self.found, id),
            kind: place.kind.name().to_owned(),
            file: file.into_string(),
            line: u32::try_from(shown.line).unwrap_or(u32::MAX),
            elements: None,
            origin: origin.name().to_owned(),
            path: path.map(|path| self.named(path).into_string()),
            tier: Tier::Process,
        }
    }
}

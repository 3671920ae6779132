//! Files that are not all text: values that are reduced as the inputs of a test are.

use std::ascii::escape_default;
use std::sync::Arc;

use super::ScriptJob;
use crate::app::files::{FileContent, Shown, search};
use crate::app::search_driver::Searched;
use crate::exec::Interrupt;
use crate::oracle::pool::Pool;
use crate::oracle::pooled::{Pooled, Workers};
use crate::oracle::script::{FileBytes, ScriptOracle};
use crate::oracle::store::Key;
use crate::oracle::stored::StoredOracle;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value, reduce_inputs};
use crate::reduce::{Answer, KnownOutcomes, Outcome};
use crate::report::{Part, Without};
use crate::rust::Sources;

/// The parts of a file behind so many are not told of.
const MOST_PARTS: usize = 300;

/// Reduces the files as strings of bytes or characters.
pub fn search_values(
    job: &ScriptJob<'_>,
    script: ScriptOracle,
    asked: Key,
    given: &[FileContent],
) -> Searched<Vec<FileContent>> {
    let names: Vec<String> = given.iter().map(|file| file.name.clone()).collect();
    let inputs = values(given, given);
    let key = |candidate: &Inputs| {
        let files = files(&names, candidate);
        asked.of(&Key::of_parts(files.iter().map(|file| &*file.bytes)).to_bytes())
    };
    let values = ValuesOracle { script, names: names.clone() };
    let oracle = StoredOracle::new(Workers(values), job.store(), key);
    let found = search(
        job,
        &inputs,
        oracle,
        Shown { files: |best: &Inputs| Some(files(&names, best)), size: Inputs::size },
        |problem| reduce_inputs(problem).map(drop),
    );
    found.map(|best| files(&names, best))
}

/// What became of `best` without each byte or character of its files, as far as it is `known`; `given` are the files
/// at the beginning.
pub fn tried_bytes(
    given: &[FileContent],
    best: &[FileContent],
    known: &KnownOutcomes,
    said: fn(Outcome) -> &'static str,
) -> Vec<Vec<Part>> {
    let inputs = values(given, best);
    let parts = inputs.0.iter().map(|node| {
        let mut end = 0;
        elements(node)
            .into_iter()
            .take(MOST_PARTS)
            .map(|Element { shown, rest }| {
                let range = end..end + shown;
                end = range.end;
                let outcome = known.outcome(&inputs.with_value(node.id, rest));
                let without =
                    outcome.map(|outcome| Without { outcome, said: said(outcome).to_owned() });
                Part { range, without }
            })
            .collect()
    });
    parts.collect()
}

/// One element of a file.
struct Element {
    /// How many bytes it takes where the file is shown.
    shown: usize,
    /// The file without it.
    rest: Value,
}

fn elements(node: &Node) -> Vec<Element> {
    let Some(value) = node.value() else { return Vec::new() };
    let shown: Vec<usize> = match value {
        Value::Text(text) => text.chars().map(char::len_utf8).collect(),
        Value::Bytes(bytes) => bytes.iter().map(|byte| escape_default(*byte).len()).collect(),
        _ => Vec::new(),
    };
    let elements = shown.into_iter().zip(value.without_each());
    elements.map(|(shown, rest)| Element { shown, rest }).collect()
}

/// Judges files that are values, not sources.
struct ValuesOracle {
    script: ScriptOracle,
    names: Vec<String>,
}

impl Pooled<Inputs> for ValuesOracle {
    fn pool(&self) -> &Pool {
        Pooled::<Sources>::pool(&self.script)
    }

    fn judge(&self, candidate: &Inputs, interrupt: &Interrupt) -> Answer<Outcome> {
        let files = files(&self.names, candidate);
        self.script.judge_files(&bytes_of(&files), interrupt)
    }
}

/// Files as values: those that were texts when they were `given` as such.
fn values(given: &[FileContent], files: &[FileContent]) -> Inputs {
    let nodes = given.iter().zip(files).enumerate().map(|(place, (given, file))| {
        let id = NodeId::at(place);
        let value = match std::str::from_utf8(&file.bytes) {
            Ok(text) if given.is_text() => Value::Text(text.to_owned()),
            _ => Value::Bytes(file.bytes.clone()),
        };
        Arc::new(Node { id, body: Body::Leaf(value) })
    });
    Inputs(nodes.collect())
}

fn files(names: &[String], inputs: &Inputs) -> Vec<FileContent> {
    let bytes = inputs.0.iter().map(|node| node.value().map_or_else(Vec::new, Value::content));
    names.iter().cloned().zip(bytes).map(|(name, bytes)| FileContent { name, bytes }).collect()
}

/// The files as the oracle takes them.
pub fn bytes_of(files: &[FileContent]) -> Vec<FileBytes<'_>> {
    files.iter().map(|file| FileBytes { name: &file.name, bytes: &file.bytes }).collect()
}

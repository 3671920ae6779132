//! Files that are not all text: values that are reduced as the inputs of a test are.

use std::sync::Arc;

use crate::app::files::{FileContent, FilesJob, ReducedFiles, search};
use crate::exec::Interrupt;
use crate::oracle::pool::Pool;
use crate::oracle::pooled::{Pooled, Workers};
use crate::oracle::script::{FileBytes, ScriptOracle};
use crate::oracle::store::Key;
use crate::oracle::stored::StoredOracle;
use crate::reduce::inputs::{Body, Inputs, InputsOptions, Node, NodeId, Value, reduce_inputs};
use crate::reduce::{OracleError, Outcome};
use crate::rust::Sources;

/// Reduces the files as strings of bytes or characters.
pub fn search_values(
    job: &FilesJob<'_>,
    script: ScriptOracle,
    asked: Key,
    given: &[FileContent],
) -> ReducedFiles<Vec<FileContent>> {
    let names: Vec<String> = given.iter().map(|file| file.name.clone()).collect();
    let nodes = given.iter().enumerate().map(|(place, file)| {
        let id = NodeId(u32::try_from(place).unwrap_or(u32::MAX));
        Arc::new(Node { id, body: Body::Leaf(value(&file.bytes)) })
    });
    let inputs = Inputs(nodes.collect());
    let key = |candidate: &Inputs| {
        let files = files(&names, candidate);
        asked.of(&Key::of_parts(files.iter().map(|file| &*file.bytes)).to_bytes())
    };
    let values = ValuesOracle { script, names: names.clone() };
    let mut oracle = StoredOracle::new(Workers(values), job.store(), key);
    let mut found = search(
        job,
        &inputs,
        &mut oracle,
        |best| (Some(files(&names, best)), best.size()),
        |problem| reduce_inputs(problem, &InputsOptions::default()).map(drop),
    );
    found.count_stored(oracle.cached());
    job.check_store(oracle.store());
    let ReducedFiles { best, counts, ended, known } = found;
    ReducedFiles { best: files(&names, &best), counts, ended, known }
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

    fn judge(&self, candidate: &Inputs, interrupt: &Interrupt) -> Result<Outcome, OracleError> {
        let files = files(&self.names, candidate);
        self.script.judge_files(&bytes_of(&files), interrupt)
    }
}

fn value(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::Text(text.to_owned()),
        Err(_) => Value::Bytes(bytes.to_vec()),
    }
}

fn files(names: &[String], inputs: &Inputs) -> Vec<FileContent> {
    let bytes = inputs.0.iter().map(|node| match &node.body {
        Body::Leaf(Value::Text(text)) => text.as_bytes().to_vec(),
        Body::Leaf(Value::Bytes(bytes)) => bytes.clone(),
        _ => Vec::new(),
    });
    names.iter().cloned().zip(bytes).map(|(name, bytes)| FileContent { name, bytes }).collect()
}

/// The files as the oracle takes them.
pub fn bytes_of(files: &[FileContent]) -> Vec<FileBytes<'_>> {
    files.iter().map(|file| FileBytes { name: &file.name, bytes: &file.bytes }).collect()
}

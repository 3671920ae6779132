//! A second test, which runs the reduced one on a table of texts or on all texts of a strategy.

use std::collections::BTreeMap;
use std::ops::Range;

use super::beside::{changed_items, indent_of};
use super::constant::Constant;
use super::draft::Draft;
use super::frame::{Frame, Head, Instances, InstancesTest, NoInstancesTest};
use super::pieced::Regression;
use crate::reduce::inputs::{Inputs, NodeId, Value};
use crate::source::assertions::assertions_of;
use crate::source::write_back::FileInputs;
use crate::source::{Crate, Edits, FileIndex, FileUse, FoundInputs, Located, ValueKind, idents};

impl FoundInputs {
    /// Adds a test of instances behind the reduced test of `regression`; returns its name.
    ///
    /// # Errors
    /// When there can be none.
    pub fn add_instances(
        &self,
        krate: &Crate,
        located: &Located,
        candidate: &Inputs,
        test: &InstancesTest,
        regression: &mut Regression,
    ) -> Result<String, NoInstancesTest> {
        let head = Head::of(krate, located, &test.instances)?;
        let body = located.body(krate).ok_or(NoInstancesTest::NotPlain)?;
        let constant = self.constant_around(krate, located, &body, test.node)?;
        let variable = idents::free_name(&krate.file(located.file).text[body.clone()], "instance");
        let mut edits = self.with_variable(krate, candidate, test.node, &variable, regression);
        krate.leave_out(located, &self.unreached, &mut edits);
        // What a test that should panic asserts may be what should fail.
        if !head.is_to_panic {
            leave_out_expectations(krate, located, test.failure, &mut edits);
        }
        if let Some(constant) = &constant {
            constant.rename(krate, located, edits.entry(located.file).or_default());
        }
        let function = free_function(regression, &test.instances);
        let frame = Frame { variable: &variable, function: &function, head };
        let is_beside = regression.insert_at.is_some();
        let indent = is_beside.then(|| indent_of(krate, located));
        let indent = indent.unwrap_or_default();
        let mut draft = Draft::new(krate, &edits);
        draft.push(&indented(&frame.before(test), indent));
        if is_beside {
            let own = constant.as_ref().map(|constant| constant.item);
            let changed = changed_items(krate, located, &edits);
            for index in changed.into_iter().filter(|index| Some(*index) != own) {
                let item = &krate.items[index];
                draft.push("\n");
                draft.piece(item.file, &item.span);
            }
        }
        if let Some(constant) = &constant {
            constant.write(indent, &mut draft);
        }
        let start = draft.text.len();
        draft.piece(located.file, &(body.start + 1..body.end));
        if constant.is_some_and(|constant| constant.is_named_in(&draft.text[start..])) {
            return Err(NoInstancesTest::Elsewhere);
        }
        draft.push(&indented(&frame.after(test), indent));
        Ok(regression.append(draft.into_regression(function, String::new())))
    }

    /// The constant that holds the text, if it stands outside of the body of the test.
    fn constant_around(
        &self,
        krate: &Crate,
        located: &Located,
        body: &Range<usize>,
        node: NodeId,
    ) -> Result<Option<Constant>, NoInstancesTest> {
        let place = self.place(node);
        match place.kind {
            ValueKind::File(FileUse::Path | FileUse::Opened) => {
                return Err(NoInstancesTest::Elsewhere);
            }
            ValueKind::CStr => return Err(NoInstancesTest::CString),
            ValueKind::FormatText => return Err(NoInstancesTest::FormatString),
            _ => {}
        }
        if place.file == located.file && body.contains(&place.range().start) {
            return Ok(None);
        }
        let constant = Constant::around(krate, located, place, body);
        constant.map(Some).ok_or(NoInstancesTest::Elsewhere)
    }

    /// The edits of the reduced test with a variable in the place of a text.
    fn with_variable(
        &self,
        krate: &Crate,
        candidate: &Inputs,
        node: NodeId,
        variable: &str,
        regression: &Regression,
    ) -> BTreeMap<FileIndex, Edits> {
        let file_inputs = FileInputs::Apart(&regression.function);
        let written = match candidate.value(node) {
            Some(Value::Bytes(_)) => format!("{variable}.as_bytes()"),
            _ => variable.to_owned(),
        };
        let written = self.write_variable(krate, candidate, file_inputs, node, &written);
        written.edits.into_iter().collect()
    }
}

/// `text` with `indent` before each line that is not empty, but for the first.
fn indented(text: &str, indent: &str) -> String {
    text.replace('\n', &format!("\n{indent}")).replace(&format!("\n{indent}\n"), "\n\n")
}

/// A name for the next test of `regression`.
fn free_function(regression: &Regression, instances: &Instances) -> String {
    let kind = match instances {
        Instances::Table(_) => "instances",
        Instances::Regex(_) => "property",
    };
    let first = format!("{}_{kind}", regression.function);
    idents::numbered(&first, |name| !regression.more.contains(name))
}

/// Replaces assertions by what they compute, but for the one that is the failure.
fn leave_out_expectations(
    krate: &Crate,
    located: &Located,
    failure: Option<(FileIndex, usize)>,
    edits: &mut BTreeMap<FileIndex, Edits>,
) {
    let edits = edits.entry(located.file).or_default();
    for call in assertions_of(&krate.file(located.file).text) {
        let is_inside = located.span.contains(&call.span.start);
        if !is_inside || failure == Some((located.file, call.span.start)) {
            continue;
        }
        let (open, close) = match call.operands.len() {
            0 | 1 => ("{ let _ = &(", "); }"),
            _ => ("{ let _ = (&(", ")); }"),
        };
        // What stands between the operands.
        let mut pieces = Vec::new();
        let mut from = call.span.start;
        for (number, operand) in call.operands.iter().enumerate() {
            pieces.push((from..operand.start, if number == 0 { open } else { "), &(" }));
            from = operand.end;
        }
        let rest = if call.operands.is_empty() { "{}" } else { close };
        pieces.push((from..call.span.end, rest));
        if pieces.iter().any(|(range, _)| edits.overlaps(range)) {
            continue;
        }
        for (range, text) in pieces {
            edits.replace(range, text);
        }
    }
}

//! A second test, which runs the reduced one on a table of texts or on all texts of a strategy.

use std::collections::BTreeMap;

use super::Regression;
use super::beside::{changed_items, indent_of};
use super::draft::Draft;
use crate::reduce::inputs::{Inputs, NodeId, Value};
use crate::source::assertions::assertions_of;
use crate::source::write_back::FileInputs;
use crate::source::{
    Crate, Edits, FileIndex, Found, Harness, Kind, Located, idents, write_literal,
};

/// What a test of instances runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instances {
    /// These texts.
    Table(Vec<String>),
    /// All texts that match this regular expression, by way of proptest.
    Regex(String),
}

/// A test of instances of a pattern.
#[derive(Debug, Clone)]
pub struct InstancesTest {
    /// The text that varies.
    pub node: NodeId,
    /// The pattern, as it is shown.
    pub pattern: String,
    /// What it runs on.
    pub instances: Instances,
    /// Where the failure happens, if that is in the test itself: an assertion there stays. Others are
    /// left out, since what they expect holds for the original text only.
    pub failure: Option<(FileIndex, usize)>,
}

/// Why there is no test of instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoInstancesTest {
    /// Another attribute than `#[test]` makes the test, or it should panic.
    #[error("the test is no plain `#[test]` function")]
    NotPlain,
    /// It is a C string, which no text can be written for.
    #[error("the text is a C string")]
    CString,
    /// The text stands in a constant or helper.
    #[error("the text stands outside of the test function")]
    Elsewhere,
}

/// A longer pattern is cut in the comment.
const PATTERN_CHARS: usize = 200;

impl Found {
    /// Adds a test of instances behind the reduced test of `regression`; returns its name.
    ///
    /// # Errors
    /// When there can be none.
    pub fn add_instances(
        &self,
        (krate, located): (&Crate, &Located),
        candidate: &Inputs,
        test: &InstancesTest,
        regression: &mut Regression,
    ) -> Result<String, NoInstancesTest> {
        let facts = &located.facts;
        if facts.harness != Harness::Plain || facts.should_panic.is_some() || facts.is_async {
            return Err(NoInstancesTest::NotPlain);
        }
        let body = located.body(krate).ok_or(NoInstancesTest::NotPlain)?;
        let place = self.place(test.node);
        let is_inside = place.file == located.file && body.contains(&place.range().start);
        if !is_inside || matches!(place.kind, Kind::File(crate::source::FileUse::Path)) {
            return Err(NoInstancesTest::Elsewhere);
        }
        if place.kind == Kind::CStr {
            return Err(NoInstancesTest::CString);
        }
        let text = &krate.file(located.file).text;
        let variable = free_name(&text[body.clone()]);
        let file_inputs = FileInputs::Apart(&regression.function);
        let written = match candidate.value(test.node) {
            Some(Value::Bytes(_)) => format!("{variable}.as_bytes()"),
            _ => variable.clone(),
        };
        let written = self.write_variable(krate, candidate, file_inputs, (test.node, &written));
        let mut edits: BTreeMap<FileIndex, Edits> = written.edits.into_iter().collect();
        leave_out_expectations(krate, located, test.failure, &mut edits);
        let function = free_function(regression, &test.instances);
        let frame = Frame {
            variable: &variable,
            function: &function,
            returned: text[located.name_span.end..body.start]
                .split_once("->")
                .map(|(_, returned)| returned.trim()),
        };
        let mut draft = Draft::new(krate, &edits);
        let indent = if regression.insert_at.is_some() {
            indent_of(krate, located)
        } else {
            ""
        };
        draft.push(&indented(&frame.before(test), indent));
        if regression.insert_at.is_some() {
            for index in changed_items(krate, located, &edits) {
                let item = &krate.items[index];
                draft.push("\n");
                draft.piece(item.file, &item.span);
            }
        }
        draft.piece(located.file, &(body.start + 1..body.end));
        draft.push(&indented(&frame.after(test), indent));
        Ok(regression.append(draft.into_regression(function, String::new())))
    }
}

/// What stands around the body of the test.
struct Frame<'f> {
    /// The name of the text that varies.
    variable: &'f str,
    /// The name of the new test.
    function: &'f str,
    /// What the original test returns.
    returned: Option<&'f str>,
}

impl Frame<'_> {
    /// The head of a function with the body of the test.
    fn before(&self, test: &InstancesTest) -> String {
        let Frame {
            variable, function, ..
        } = self;
        let pattern: String = test.pattern.chars().take(PATTERN_CHARS).collect();
        let pattern = pattern.replace('\n', "\\n").replace('\r', "\\r");
        let which = match &test.instances {
            Instances::Table(_) => "Texts",
            Instances::Regex(_) => "Any text",
        };
        let arrow =
            { self.returned }.map_or_else(String::new, |returned| format!("-> {returned} "));
        format!(
            "\n\n// {which} of the pattern {pattern}\nfn {function}_check({variable}: &'static str) {arrow}{{"
        )
    }

    /// The test that calls it.
    fn after(&self, test: &InstancesTest) -> String {
        let Frame {
            variable, function, ..
        } = self;
        let check = format!("{function}_check");
        match &test.instances {
            Instances::Table(texts) => {
                let rows: Vec<String> = texts.iter().map(|text| literal(text)).collect();
                let rows = rows.join(",\n        ");
                let fails = if self.returned.is_some() {
                    format!("!matches!(std::panic::catch_unwind(|| {check}(instance)), Ok(Ok(_)))")
                } else {
                    format!("std::panic::catch_unwind(|| {check}(instance)).is_err()")
                };
                format!(
                    "\n\n#[test]\nfn {function}() {{\n    let instances = [\n        {rows},\n    ];\n    \
                     let mut failing = instances.to_vec();\n    failing.retain(|&instance| {fails});\n    \
                     assert!(failing.is_empty(), \"{{}} of {{}} fail: {{:?}}\", failing.len(), instances.len(), failing);\n}}"
                )
            }
            Instances::Regex(regex) => {
                let unwrap = if self.returned.is_some() {
                    ".unwrap()"
                } else {
                    ""
                };
                format!(
                    "\n\nproptest::proptest! {{\n    #[test]\n    fn {function}({variable} in {}) {{\n        \
                     {check}(Box::leak({variable}.into_boxed_str())){unwrap};\n    }}\n}}",
                    literal(regex)
                )
            }
        }
    }
}

/// `text` with `indent` before each line that is not empty, but for the first.
fn indented(text: &str, indent: &str) -> String {
    text.replace('\n', &format!("\n{indent}"))
        .replace(&format!("\n{indent}\n"), "\n\n")
}

fn literal(text: &str) -> String {
    write_literal("", Kind::Str, &Value::Text(text.to_owned()))
}

/// A name that the body does not use.
fn free_name(body: &str) -> String {
    let taken = idents::of_text(body);
    let others = (2..).map(|number| format!("instance_{number}"));
    let mut names = std::iter::once("instance".to_owned()).chain(others);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}

/// A name for the next test of `regression`.
fn free_function(regression: &Regression, instances: &Instances) -> String {
    let kind = match instances {
        Instances::Table(_) => "instances",
        Instances::Regex(_) => "property",
    };
    let first = format!("{}_{kind}", regression.function);
    let others = (2..).map(|number| format!("{first}_{number}"));
    let mut names = std::iter::once(first.clone()).chain(others);
    names
        .find(|name| !regression.more.contains(name))
        .unwrap_or_default()
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
            pieces.push((
                from..operand.start,
                if number == 0 { open } else { "), &(" },
            ));
            from = operand.end;
        }
        let rest = if call.operands.is_empty() {
            "{}"
        } else {
            close
        };
        pieces.push((from..call.span.end, rest));
        let overlaps = |edit: &crate::source::Edit| {
            pieces
                .iter()
                .any(|(range, _)| edit.range.start < range.end && range.start < edit.range.end)
        };
        if edits.iter().any(overlaps) {
            continue;
        }
        for (range, text) in pieces {
            edits.replace(range, text);
        }
    }
}

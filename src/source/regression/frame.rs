//! A test of instances, and what stands around the body of the reduced test in it.

use crate::reduce::inputs::{NodeId, Value};
use crate::source::{Crate, FileIndex, Harness, Located, ValueKind, write_literal};

/// A longer pattern is cut in the comment.
const PATTERN_CHARS: usize = 200;

/// What the failing of a property test says where the original should have panicked.
pub const DOES_NOT_PANIC: &str = "does not panic";

/// The start of what the failing of a table says where the original should have panicked: all rows.
pub fn none_panics(rows: usize) -> String {
    format!("{rows} of {rows} do not panic")
}

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
    /// The test is one case of several, or no function at all.
    #[error("the test is one case of several, or no function of its own")]
    NotPlain,
    /// proptest runs no async functions.
    #[error("proptest runs no async functions")]
    Async,
    /// It is a C string, which no text can be written for.
    #[error("the text is a C string")]
    CString,
    /// It is a part of a format string, which the compiler must know.
    #[error("the text is part of a format string")]
    FormatString,
    /// The text stands in a helper, or in a constant that others use too.
    #[error("the text stands outside of the test function, in what others use too")]
    Elsewhere,
}

/// What the original test says of itself.
pub(super) struct Head<'k> {
    /// The attributes of the test, if others than `#[test]` make it.
    attributes: Option<&'k str>,
    is_async: bool,
    /// It fails where nothing panics.
    pub(super) is_to_panic: bool,
    /// What it returns.
    returned: Option<&'k str>,
}

impl<'k> Head<'k> {
    /// That of a test which can be repeated with other texts.
    pub(super) fn of(
        krate: &'k Crate,
        located: &Located,
        instances: &Instances,
    ) -> Result<Self, NoInstancesTest> {
        let facts = &located.facts;
        let is_property = matches!(instances, Instances::Regex(_));
        let attributes = match facts.harness {
            Harness::Plain => None,
            Harness::Attribute(_) => Some(located.span.start..located.name_span.start),
            Harness::Cases { .. } | Harness::None => return Err(NoInstancesTest::NotPlain),
        };
        let is_to_panic = facts.should_panic.is_some();
        if attributes.is_some() && is_to_panic {
            return Err(NoInstancesTest::NotPlain);
        }
        if facts.is_async && is_property {
            return Err(NoInstancesTest::Async);
        }
        let body = located.body(krate).ok_or(NoInstancesTest::NotPlain)?;
        let text = &krate.file(located.file).text;
        let signature = &text[located.name_span.end..body.start];
        Ok(Head {
            attributes: attributes.map(|range| &text[range]),
            is_async: facts.is_async,
            is_to_panic,
            returned: signature.split_once("->").map(|(_, returned)| returned.trim()),
        })
    }

    /// The head of the new test up to its name.
    fn before_name(&self) -> &'k str {
        self.attributes.unwrap_or("#[test]\nfn ")
    }
}

/// What stands around the body of the test.
pub(super) struct Frame<'f> {
    /// The name of the text that varies.
    pub(super) variable: &'f str,
    /// The name of the new test.
    pub(super) function: &'f str,
    /// What is known of the original.
    pub(super) head: Head<'f>,
}

impl Frame<'_> {
    /// The head of a function with the body of the test.
    pub(super) fn before(&self, test: &InstancesTest) -> String {
        let Frame { variable, function, head } = self;
        let pattern: String = test.pattern.chars().take(PATTERN_CHARS).collect();
        let pattern = pattern.replace('\n', "\\n").replace('\r', "\\r");
        let which = match &test.instances {
            Instances::Table(_) => "Texts",
            Instances::Regex(_) => "Any text",
        };
        let arrow = head.returned.map_or_else(String::new, |returned| format!("-> {returned} "));
        let is_async = if head.is_async { "async " } else { "" };
        format!(
            "\n\n// {which} of the pattern {pattern}\n{is_async}fn {function}_check({variable}: &'static str) {arrow}{{"
        )
    }

    /// The test that calls it.
    pub(super) fn after(&self, test: &InstancesTest) -> String {
        match &test.instances {
            Instances::Table(texts) => self.table(texts),
            Instances::Regex(regex) => self.property(regex),
        }
    }

    fn table(&self, texts: &[String]) -> String {
        let Frame { function, head, .. } = self;
        let rows: Vec<String> = texts.iter().map(|text| literal(text)).collect();
        let rows = rows.join(",\n        ");
        let collect = if head.is_async {
            self.collect_async()
        } else {
            let caught = format!("std::panic::catch_unwind(|| {function}_check(instance))");
            format!(
                "    let mut failing = instances.to_vec();\n    failing.retain(|&instance| {});\n",
                self.fails(&caught)
            )
        };
        let verb = if head.is_to_panic { "do not panic" } else { "fail" };
        format!(
            "\n\n{}{function}() {{\n    let instances = [\n        {rows},\n    ];\n{collect}    \
             assert!(failing.is_empty(), \"{{}} of {{}} {verb}: {{:?}}\", failing.len(), instances.len(), failing);\n}}",
            head.before_name()
        )
    }

    /// Panics are caught wherever the future goes on; no crate is needed for that.
    fn collect_async(&self) -> String {
        let poll = "std::future::Future::poll(run.as_mut(), context)";
        format!(
            "    let mut failing = Vec::new();\n    for instance in instances {{\n        \
                 let mut run = Box::pin({}_check(instance));\n        \
                 let outcome = std::future::poll_fn(|context| {{\n            \
                     match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {poll})) {{\n                \
                         Ok(polled) => polled.map(Ok),\n                \
                         Err(panic) => std::task::Poll::Ready(Err(panic)),\n            \
                     }}\n        \
                 }})\n        .await;\n        \
                 if {} {{\n            failing.push(instance);\n        }}\n    }}\n",
            self.function,
            self.fails("outcome")
        )
    }

    /// Whether what was caught is the failure.
    fn fails(&self, caught: &str) -> String {
        let Head { is_to_panic, returned, .. } = &self.head;
        match (is_to_panic, returned) {
            (true, _) => format!("{caught}.is_ok()"),
            (false, Some(_)) => format!("!matches!({caught}, Ok(Ok(_)))"),
            (false, None) => format!("{caught}.is_err()"),
        }
    }

    fn property(&self, regex: &str) -> String {
        let Frame { variable, function, head } = self;
        let call = format!("{function}_check(Box::leak({variable}.into_boxed_str()))");
        let call = match (head.is_to_panic, head.returned) {
            (true, _) => format!(
                "assert!(std::panic::catch_unwind(|| {call}).is_err(), \"{DOES_NOT_PANIC}\")"
            ),
            (false, Some(_)) => format!("{call}.unwrap()"),
            (false, None) => call,
        };
        format!(
            "\n\nproptest::proptest! {{\n    #[test]\n    fn {function}({variable} in {}) {{\n        {call};\n    }}\n}}",
            literal(regex)
        )
    }
}

fn literal(text: &str) -> String {
    write_literal("", ValueKind::Str, &Value::Text(text.to_owned()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_none_panics_holds() {
        assert_eq!(crate::source::none_panics(8), "8 of 8 do not panic");
    }
}

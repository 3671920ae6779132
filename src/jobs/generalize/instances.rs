//! The tests of instances that go into the regression test.

use std::collections::BTreeSet;

use super::text_pattern::TextPattern;
use crate::app::config::PatternConfig;
use crate::app::failure::{Failure, Result};
use crate::app::session::Session;
use crate::jobs::inputs::reduced_inputs::ReducedInputs;
use crate::jobs::inputs::start::Start;
use crate::reduce::inputs::Value;
use crate::source::{FileIndex, Instances, InstancesTest};

/// Rows of a table.
const ROWS: usize = 8;
/// A longer text is no good row.
const LONGEST: usize = 100;

/// Sees to it that a property test can be built, if one is wanted.
///
/// # Errors
/// When the package does not use proptest.
pub fn check_property(session: &Session, start: &Start, wanted: &PatternConfig) -> Result<()> {
    let target = &start.subject.target;
    if wanted.property.is_none() || session.workspace.depends_on(&target.manifest_path, "proptest")
    {
        return Ok(());
    }
    Err(Failure::error(format!(
        "--property proptest: the package `{}` does not depend on proptest",
        target.package
    ))
    .hint("run `cargo add --dev proptest`, or leave out the option"))
}

/// The tests of the patterns: a table of instances each, and a property if that is wanted.
pub fn instances_tests(
    session: &Session,
    start: &Start,
    found: &ReducedInputs,
    wanted: &PatternConfig,
) -> Vec<InstancesTest> {
    let subject = &start.subject;
    let failure = subject.failed_at(&start.original.signature);
    let mut tests = Vec::new();
    for pattern in &found.patterns {
        let Some(text) = found.best.value(pattern.node).and_then(Value::as_text) else { continue };
        let rows = rows(pattern, text);
        // A text that does not matter is no further test.
        if rows.is_empty() || pattern.is_open {
            continue;
        }
        tests.push(test(pattern, Instances::Table(rows), failure));
        if wanted.property.is_none() {
            continue;
        }
        match pattern.instances.to_regex() {
            Ok(regex) => tests.push(test(pattern, Instances::Regex(regex), failure)),
            Err(why) => {
                session.warn(format!("cannot write a property test for {}: {why}", pattern.text));
            }
        }
    }
    tests
}

fn test(
    pattern: &TextPattern,
    instances: Instances,
    failure: Option<(FileIndex, usize)>,
) -> InstancesTest {
    InstancesTest { node: pattern.node, pattern: pattern.text.clone(), instances, failure }
}

/// Instances that have failed, those that can be read if there are some; none if there is only the text
/// itself.
fn rows(pattern: &TextPattern, text: &str) -> Vec<String> {
    let failing = pattern.run.iter().filter(|(_, outcome)| outcome.is_fail());
    let texts: BTreeSet<(usize, &str)> = failing
        .map(|(text, _)| (text.chars().count(), text.as_str()))
        .filter(|(length, other)| *length <= LONGEST && *other != text)
        .collect();
    let is_plain = |c: char| c.is_ascii_graphic() || c == ' ' || c == '\n';
    let readable = texts.iter().filter(|(_, text)| text.chars().all(is_plain));
    let readable: Vec<&str> = readable.map(|(_, text)| *text).collect();
    let rows = if readable.len() >= ROWS / 2 {
        readable
    } else {
        texts.into_iter().map(|(_, text)| text).collect()
    };
    // Short ones are often alike; so they are taken from all lengths.
    let step = rows.len().div_ceil(ROWS).max(1);
    rows.into_iter().step_by(step).map(str::to_owned).collect()
}

//! Which tests a report in the format of JUnit says have failed.

use std::fs;

use camino::Utf8Path;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::chosen::{Chosen, Wanted};
use super::failure::{Failure, Result};
use super::listing::build_and_list;
use super::session::Session;
use super::since::recent;
use crate::project::{TargetKind, TestTarget};
use crate::report::Status;

/// The tests that have failed by a report.
///
/// # Errors
/// When the report cannot be read or names no test that is here, or the tests cannot be built.
pub fn find_reported(
    session: &Session,
    targets: &[TestTarget],
    report: &Utf8Path,
) -> Result<Vec<Wanted>> {
    let cases = failed_cases(report)?;
    if cases.is_empty() {
        let message = format!("the report `{report}` lists no failed test");
        return Err(Failure::new(Status::NotFailing, message));
    }
    let tests = build_and_list(session, targets)?;
    let mut found: Vec<Wanted> = Vec::new();
    for case in &cases {
        let is_it = |test: &&Wanted| matches!(test, Wanted::Built(chosen) if case.is(chosen));
        let before = found.len();
        found.extend(tests.iter().filter(is_it).cloned());
        if found.len() == before {
            session.warn(format!(
                "no test here is called `{}` in `{}`, as in the report",
                case.name, case.class
            ));
        }
    }
    if found.is_empty() {
        return Err(Failure::error(format!("none of the failed tests in `{report}` exists here"))
            .hint(
                "run `cargo reduce` in the same folder and with the same features as the tests",
            ));
    }
    recent(session, found)
}

/// A test that has failed, as a report names it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FailedCase {
    /// What nextest calls the binary, or the module of the test, or anything.
    class: String,
    /// The test, with or without its module.
    name: String,
}

/// The tests that have failed by the report in `file`.
///
/// # Errors
/// When it cannot be read, is no such report, or names none.
fn failed_cases(file: &Utf8Path) -> Result<Vec<FailedCase>> {
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::error(format!("cannot read the report `{file}`: {error}")))?;
    parse(&text).map_err(|error| {
        Failure::error(format!("`{file}` is not a JUnit report: {error}"))
            .hint("`cargo nextest run --profile ci` writes a JUnit report if that profile sets `junit = { path = \"junit.xml\" }`")
    })
}

fn parse(text: &str) -> Result<Vec<FailedCase>, quick_xml::Error> {
    let mut reader = Reader::from_str(text);
    let mut case = None;
    let mut failed = Vec::new();
    loop {
        match reader.read_event()? {
            Event::Start(tag) if tag.name().as_ref() == "testcase" => case = Some(case_of(&tag)?),
            // A test that was run once more and passed then has `flakyFailure`.
            Event::Start(tag) | Event::Empty(tag)
                if matches!(tag.name().as_ref(), "failure" | "error") =>
            {
                failed.extend(case.take());
            }
            Event::End(tag) if tag.name().as_ref() == "testcase" => case = None,
            Event::Eof => return Ok(failed),
            _ => {}
        }
    }
}

fn case_of(tag: &BytesStart<'_>) -> Result<FailedCase, quick_xml::Error> {
    let mut case = FailedCase { class: String::new(), name: String::new() };
    for attribute in tag.attributes() {
        let attribute = attribute?;
        let value = || attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0);
        match attribute.key.as_ref() {
            "classname" => case.class = value()?.into_owned(),
            "name" => case.name = value()?.into_owned(),
            _ => {}
        }
    }
    Ok(case)
}

impl FailedCase {
    /// Whether it is that test: nextest names the binary and the test, other tools the module and the function, whatever
    /// stands before.
    fn is(&self, chosen: &Chosen) -> bool {
        let whole = format!("{}::{}", self.class, self.name);
        let is_named = |separator: &str| {
            whole.strip_suffix(&chosen.test).is_some_and(|before| before.ends_with(separator))
        };
        whole == format!("{}::{}", binary_id(chosen), chosen.test)
            || (self.class != binary_id(chosen) && is_named("::"))
    }
}

/// What nextest calls the binary of a test.
fn binary_id(chosen: &Chosen) -> String {
    let package = chosen.package.rsplit('#').next().unwrap_or_default();
    let package = package.split('@').next().unwrap_or_default();
    let choice = &chosen.binary.choice;
    let name = choice.name.as_deref().unwrap_or_default();
    match choice.kind {
        TargetKind::Lib | TargetKind::Doc => package.to_owned(),
        TargetKind::Test => format!("{package}::{name}"),
        TargetKind::Bin => format!("{package}::bin/{name}"),
        TargetKind::Example => format!("{package}::example/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_and_errors_are_read_and_what_passed_in_the_end_is_not() {
        let report = r#"<?xml version="1.0"?>
            <testsuites><testsuite name="p::t">
            <testcase name="a&lt;b&gt;" classname="p::t"><failure type="x">no</failure></testcase>
            <testcase name="passes" classname="p::t"/>
            <testcase name="m::b" classname="p::t"><error/></testcase>
            <testcase name="flaky" classname="p::t"><flakyFailure/></testcase>
            </testsuite></testsuites>"#;
        let failed = parse(report).unwrap();
        let names: Vec<&str> = failed.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["a<b>", "m::b"]);
        assert_eq!(failed[1].class, "p::t");
        assert!(parse("<testsuites><testcase name=").is_err());
    }
}

//! Events as a report in the format of JUnit, which many services show.

use std::io::Write;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event as Xml};

use super::gathered::{Gathered, TestResult};
use super::{Detail, Event, Reporter};

/// Writes the report when it is dropped, since that is one document, and hands all that happens to another reporter.
pub struct Junit {
    out: Box<dyn Write + Send>,
    log: Box<dyn Reporter>,
    gathered: Gathered,
    results: Vec<TestResult>,
}

impl Junit {
    /// Mostly for standard output.
    pub fn new(out: impl Write + Send + 'static, log: Box<dyn Reporter>) -> Junit {
        Junit { out: Box::new(out), log, gathered: Gathered::default(), results: Vec::new() }
    }
}

impl Reporter for Junit {
    fn detail(&self) -> Detail {
        self.log.detail()
    }

    fn report(&mut self, event: &Event) {
        self.log.report(event);
        self.results.extend(self.gathered.take(event));
    }
}

impl Drop for Junit {
    fn drop(&mut self) {
        // A stream that is closed cannot be told of its own error.
        let _ = document(&mut self.out, &self.results);
        let _ = self.out.flush();
    }
}

fn document(out: &mut dyn Write, results: &[TestResult]) -> std::io::Result<()> {
    let mut xml = Writer::new_with_indent(out, b' ', 2);
    xml.write_event(Xml::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let errors = results.iter().filter(|result| result.summary.error.is_some()).count();
    let tests = results.len().to_string();
    let failures = (results.len() - errors).to_string();
    let errors = errors.to_string();
    let suite = BytesStart::new("testsuite").with_attributes([
        ("name", "cargo-reduce"),
        ("tests", &tests),
        ("failures", &failures),
        ("errors", &errors),
    ]);
    xml.write_event(Xml::Start(BytesStart::new("testsuites")))?;
    xml.write_event(Xml::Start(suite))?;
    for result in results {
        test_case(&mut xml, result)?;
    }
    xml.write_event(Xml::End(BytesEnd::new("testsuite")))?;
    xml.write_event(Xml::End(BytesEnd::new("testsuites")))?;
    writeln!(xml.get_mut())
}

fn test_case(xml: &mut Writer<&mut dyn Write>, result: &TestResult) -> std::io::Result<()> {
    let summary = &result.summary;
    let time = format!("{}.{:03}", summary.elapsed_ms / 1000, summary.elapsed_ms % 1000);
    let case = [("classname", result.package.as_str()), ("name", result.name()), ("time", &time)];
    xml.write_event(Xml::Start(BytesStart::new("testcase").with_attributes(case)))?;
    let kind = result.failure().map(|it| it.kind.to_string());
    let tag = if summary.error.is_some() { "error" } else { "failure" };
    let headline = printable(&result.headline());
    let attributes = [("type", kind.as_deref().unwrap_or("none")), ("message", &headline)];
    xml.write_event(Xml::Start(BytesStart::new(tag).with_attributes(attributes)))?;
    xml.write_event(Xml::Text(BytesText::new(&printable(&result.text()))))?;
    xml.write_event(Xml::End(BytesEnd::new(tag)))?;
    xml.write_event(Xml::End(BytesEnd::new("testcase")))
}

/// The text with what XML cannot hold in any form replaced.
fn printable(text: &str) -> String {
    let is_held = |letter: char| matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|letter| if is_held(letter) { letter } else { '\u{fffd}' }).collect()
}

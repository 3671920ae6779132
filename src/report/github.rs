//! Events for a workflow of GitHub: annotations beside the code, and a summary of the job.

use std::fmt::Write as _;
use std::io::Write;

use super::gathered::{Gathered, TestResult};
use super::{Detail, Event, Reporter};

/// Writes workflow commands to one stream and a summary in Markdown to another, and hands all that happens to another
/// reporter, for the log.
pub struct Github {
    commands: Box<dyn Write + Send>,
    summary: Box<dyn Write + Send>,
    log: Box<dyn Reporter>,
    /// What the paths of the workspace are prefixed with to be paths of the repository: empty, or ending in a slash.
    prefix: String,
    gathered: Gathered,
}

impl Github {
    /// Mostly for standard output and the file that `GITHUB_STEP_SUMMARY` names. `folder` is that of the workspace in the
    /// repository; empty where they are the same.
    pub fn new(
        commands: impl Write + Send + 'static,
        summary: impl Write + Send + 'static,
        log: Box<dyn Reporter>,
        folder: &str,
    ) -> Github {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Github {
            commands: Box::new(commands),
            summary: Box::new(summary),
            log,
            prefix,
            gathered: Gathered::default(),
        }
    }

    fn annotations(&self, result: &TestResult) -> String {
        let place = result.place().map(|place| {
            let file = property(&format!("{}{}", self.prefix, place.file));
            format!("file={file},line={},col={},", place.line, place.column)
        });
        let place = place.unwrap_or_default();
        let title = property(&result.headline());
        let mut text =
            format!("::error {place}title={title}::{}\n", data(result.text().trim_end()));
        if let Some(doubt) = &result.summary.doubt {
            let _ = writeln!(text, "::warning {place}title=in doubt::{}", data(doubt));
        }
        text
    }
}

impl Reporter for Github {
    fn detail(&self) -> Detail {
        self.log.detail()
    }

    fn report(&mut self, event: &Event) {
        self.log.report(event);
        if let Some(result) = self.gathered.take(event) {
            let annotations = self.annotations(&result);
            let _ = self.commands.write_all(annotations.as_bytes());
            let _ = self.commands.flush();
            let _ = self.summary.write_all(markdown(&result).as_bytes());
            let _ = self.summary.flush();
        }
    }
}

/// What the summary of the job says of a test.
fn markdown(result: &TestResult) -> String {
    let mut text = format!("### {}\n\n", result.headline());
    let summary = &result.summary;
    if let Some(signature) = result.failure() {
        let place = signature.location.as_ref().map(|at| format!(" at `{at}`")).unwrap_or_default();
        let _ = write!(text, "{}{place}\n\n{}", signature.kind, fenced("text", &signature.message));
    }
    for input in &result.inputs {
        let place = input.place.as_ref().map(|place| format!("`{place}`"));
        let place = place.unwrap_or_else(|| "An input".to_owned());
        let text_left = &input.reduced.text;
        if text_left.is_empty() {
            let _ = write!(text, "{place} was removed: the test fails without it.\n\n");
        } else {
            let _ = write!(text, "{place} was reduced to\n\n{}", fenced("rust", text_left));
        }
    }
    if let Some(doubt) = &summary.doubt {
        let _ = write!(text, "> **In doubt:** {doubt}\n\n");
    }
    if let Some(path) = &summary.artifacts.regression_test {
        let _ = write!(text, "The regression test is `{path}`");
        match std::fs::read_to_string(path) {
            Ok(test) => _ = write!(text, ":\n\n{}", fenced("rust", &test)),
            Err(_) => text.push_str(".\n\n"),
        }
    }
    text
}

/// A block of code, fenced by more backticks than it has in a row.
fn fenced(language: &str, code: &str) -> String {
    let longest = code.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n\n", code.trim_end_matches('\n'))
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

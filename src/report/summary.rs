//! The end of a job in words.

use std::borrow::Cow;
use std::fmt::Write;

use anstyle::Style;
use camino::{Utf8Path, Utf8PathBuf};

use super::gathered::TestResult;
use super::lines::{duration, indented, kind_and_place, status, styled_status};
use super::phrases::{BAD, GOOD, WARNING, counted};
use super::{Artifacts, NextCommand, NextStep, Status, Summary};

/// What is said of a job that has found a passing and a failing input.
pub(super) const DIFFERENCE_FOUND: &str = "found a passing and a failing input";

/// How it ended, what is in doubt, where the results are, and what to do next. Paths below `folder` are shown from there.
/// `has_difference` says whether the result is a passing and a failing input.
pub(super) fn summary(summary: &Summary, folder: &Utf8Path, has_difference: bool) -> String {
    if summary.is_never_begun() {
        // The error message has said all.
        return String::new();
    }
    let (style, verb, result) = end(summary, has_difference);
    let what = format!("{result}: {}", effort(summary));
    let mut text = styled_status(style, verb, &what);
    if let Some(signature) = &summary.signature {
        text.push_str(&styled_status(BAD, "Fails with", &kind_and_place(signature)));
        text.push_str(&indented(&signature.message));
    }
    if let Some(why) = &summary.doubt {
        text.push_str(&doubt(why));
    }
    if let Some(first) = summary.unreduced.first() {
        let more = match summary.unreduced.len() - 1 {
            0 => String::new(),
            more => format!(" and {}", counted(more as u64, "more file")),
        };
        let what = format!("{first}{more}, read by the failing test");
        text.push_str(&styled_status(WARNING, "Not reduced", &what));
    }
    text.push_str(&column("Written", &written(&summary.artifacts, folder)));
    for NextCommand { verb, command } in &summary.commands {
        text.push_str(&status(verb, command));
    }
    let widest = summary.next.iter().map(|step| step.option.len()).max().unwrap_or_default();
    let next = summary.next.iter();
    let next = next.map(|NextStep { option, does }| format!("{option:widest$}  {does}"));
    text.push_str(&column("Next", &next.collect::<Vec<_>>()));
    text
}

/// How it ended, and how that is shown.
fn end(summary: &Summary, has_difference: bool) -> (Style, &'static str, String) {
    let (style, verb, result) = match summary.status {
        Status::Reduced | Status::Minimal if has_difference => (GOOD, "Finished", DIFFERENCE_FOUND),
        Status::Reduced => (GOOD, "Finished", "reduced"),
        Status::Minimal if !summary.unreduced.is_empty() => {
            (WARNING, "Finished", "already minimal, except for the files it reads")
        }
        Status::Minimal => (GOOD, "Finished", "already minimal"),
        Status::Limited if summary.candidates + summary.cached == 0 => {
            (WARNING, "Stopped", "no smaller input was tried")
        }
        Status::Limited => (WARNING, "Stopped", "before anything could be removed"),
        Status::NotFailing => (BAD, "Stopped", "it does not fail"),
        Status::NotReproduced => (BAD, "Stopped", "the failure did not come back"),
        Status::Flaky => (BAD, "Stopped", "the test fails only sometimes"),
        Status::Interrupted if !summary.confirmed && summary.artifacts == Artifacts::default() => {
            (WARNING, "Interrupted", "no smaller result yet")
        }
        Status::Interrupted => (WARNING, "Interrupted", "this is the best result so far"),
        Status::Error => (BAD, "Stopped", "could not be reduced"),
    };
    let is_doubted =
        summary.doubt.is_some() && summary.status == Status::Reduced && !has_difference;
    let (style, result) = match (is_doubted, summary.confirmed) {
        (true, true) => (WARNING, "reduced and confirmed, but in doubt".to_owned()),
        (true, false) => (WARNING, "reduced, in doubt".to_owned()),
        (false, true) => (style, format!("{result}, confirmed")),
        (false, false) => (style, result.to_owned()),
    };
    (style, verb, result)
}

/// What was tried for it, and how long that took.
fn effort(summary: &Summary) -> String {
    let mut what = counted(summary.candidates, "candidate");
    for (count, noun) in [(summary.builds, "build"), (summary.checks, "check")] {
        if count > 0 {
            let _ = write!(what, ", {}", counted(count, noun));
        }
    }
    let _ = write!(what, " in {}", duration(summary.elapsed_ms));
    match summary.cached {
        0 => {}
        1 => what.push_str("; 1 repeated candidate skipped"),
        many => {
            let _ = write!(what, "; {many} repeated candidates skipped");
        }
    }
    what
}

/// Why a result is in doubt, and below it the command that settles that.
pub(super) fn doubt(doubt: &str) -> String {
    let settled = doubt.split_once("; `cargo ").and_then(|(why, rest)| {
        let (command, how) = rest.split_once('`')?;
        Some((why, command, how.trim_start()))
    });
    let Some((why, command, how)) = settled else {
        return styled_status(WARNING, "In doubt", doubt);
    };
    let mut text = styled_status(WARNING, "In doubt", why);
    text.push_str(&styled_status(WARNING, "Settle it", &format!("cargo {command}")));
    if let Some((_, how)) = how.split_once("settles it").filter(|(_, how)| !how.is_empty()) {
        text.push_str(&indented(how.trim_start_matches([',', ' '])));
    }
    text
}

/// The files that were written; what stands in a package that is shown is not shown itself, but for what is to be read.
fn written(artifacts: &Artifacts, folder: &Utf8Path) -> Vec<String> {
    let Artifacts { regression_test, package, report, page, .. } = artifacts;
    let holds = |package: &&String| {
        regression_test.as_ref().is_some_and(|test| Utf8Path::new(test).starts_with(package))
    };
    let package = package.as_ref().filter(|package| !holds(package));
    let paths = [regression_test.as_ref(), package, report.as_ref(), page.as_ref()];
    paths.into_iter().flatten().map(|path| seen_from(folder, path).into_owned()).collect()
}

/// A path as it is written where the user stands, if that is shorter: `../../target` in a member of a workspace.
pub fn seen_from<'p>(folder: &Utf8Path, path: &'p str) -> Cow<'p, str> {
    let path = Utf8Path::new(path);
    for (up, above) in folder.ancestors().enumerate() {
        if let Ok(below) = path.strip_prefix(above) {
            if up == 0 {
                return below.as_str().into();
            }
            let seen = Utf8PathBuf::from("../".repeat(up)).join(below).into_string();
            return if seen.len() < path.as_str().len() {
                seen.into()
            } else {
                path.as_str().into()
            };
        }
    }
    path.as_str().into()
}

/// Lines below each other, the first of them beside a word.
fn column(verb: &str, lines: &[String]) -> String {
    let verbs = std::iter::once(verb).chain(std::iter::repeat(""));
    lines.iter().zip(verbs).map(|(line, verb)| status(verb, line)).collect()
}

/// What became of each of several tests.
pub(super) fn overview(results: &[TestResult]) -> String {
    if results.is_empty() {
        return String::new();
    }
    let reduced = results.iter().filter(|result| result.summary.error.is_none()).count();
    let head = format!("{reduced} of {}", counted(results.len() as u64, "test"));
    let mut text = status("Reduced", &head);
    for result in results {
        let Summary { candidates, builds, elapsed_ms, .. } = result.summary;
        let (style, mark) = match &result.summary {
            summary if summary.error.is_some() => (BAD, "Not reduced"),
            summary if summary.doubt.is_some() => (WARNING, "In doubt"),
            _ => (GOOD, "Done"),
        };
        let headline = match &result.summary.error {
            Some(error) => format!("{}: {error}", result.test),
            None => result.headline(),
        };
        let counts = format!(
            "{headline}; {}, {} in {}",
            counted(candidates, "candidate"),
            counted(builds, "build"),
            duration(elapsed_ms)
        );
        text.push_str(&styled_status(style, mark, &counts));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_seen_from_the_folder_where_that_is_shorter() {
        let seen = |path| seen_from(Utf8Path::new("/home/u/all/crates/app"), path);
        assert_eq!(seen("/home/u/all/crates/app/src/a.rs"), "src/a.rs");
        assert_eq!(seen("/home/u/all/target/reduce/t"), "../../target/reduce/t");
        assert_eq!(seen("/tmp/out"), "/tmp/out");
        assert_eq!(seen("src/a.rs"), "src/a.rs");
        assert_eq!(seen_from(Utf8Path::new(""), "/tmp/out"), "/tmp/out");
    }
}

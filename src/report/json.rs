//! Events as lines of JSON.

use std::io::Write;

use super::{Event, NextCommand, Reporter};

/// Milliseconds between two lines that only tell of progress.
const PROGRESS_INTERVAL: u64 = 100;

/// Writes one JSON object a line to `out`, and what is for people only to `log`.
#[derive(Debug)]
pub struct Json<O, L> {
    out: O,
    log: L,
    next_progress: u64,
}

impl<O: Write, L: Write> Json<O, L> {
    /// Mostly for standard output and standard error.
    pub fn new(out: O, log: L) -> Json<O, L> {
        Json { out, log, next_progress: 0 }
    }

    /// Whether this event comes too soon after another of its kind.
    fn is_too_soon(&mut self, event: &Event) -> bool {
        let Event::Progress { elapsed_ms, .. } = event else {
            return false;
        };
        if *elapsed_ms < self.next_progress {
            return true;
        }
        self.next_progress = elapsed_ms + PROGRESS_INTERVAL;
        false
    }
}

impl<O: Write, L: Write> Reporter for Json<O, L> {
    fn report(&mut self, event: &Event) {
        if self.is_too_soon(event) {
            return;
        }
        let said = match event {
            Event::Stage { verb, what } => format!("{verb} {what}\n"),
            Event::Test { number, of, name } => format!("Test {number} of {of}: {name}\n"),
            Event::Contrast(contrast) => format!("Contrast {}\n", contrast.statement),
            Event::Warning(warning) => format!("warning: {warning}\n"),
            Event::Summary(summary) => {
                let line = |it: &NextCommand| format!("{} {}\n", it.verb, it.command);
                summary.commands.iter().map(line).collect()
            }
            _ => String::new(),
        };
        let _ = self.log.write_all(said.as_bytes());
        // Those that are for people only are no JSON.
        if let Ok(line) = serde_json::to_string(event) {
            let _ = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::signature::{FailureKind, Location, Signature};
    use crate::reduce::Outcome;
    use crate::report::{
        Artifacts, Difference, Pattern, ReducedFile, ReducedInput, Status, Summary, testing,
    };

    fn lines(events: &[Event]) -> (String, String) {
        let (mut out, mut log) = (Vec::new(), Vec::new());
        let mut json = Json::new(&mut out, &mut log);
        for event in events {
            json.report(event);
        }
        (String::from_utf8(out).unwrap(), String::from_utf8(log).unwrap())
    }

    #[track_caller]
    fn check(event: Event, expected: &str) {
        assert_eq!(lines(&[event]).0, format!("{expected}\n"));
    }

    fn signature() -> Signature {
        Signature::new(FailureKind::ShouldPanic, "m").at(Location::new("src/lib.rs", 10, 5))
    }

    #[test]
    fn every_event_has_its_documented_form() {
        let json = r#"{"kind":"should-panic","message":"m","location":"src/lib.rs:10:5"}"#;
        check(
            Event::Failure { test: "t".into(), package: "p".into(), signature: signature() },
            &format!(r#"{{"reason":"failure","test":"t","package":"p","signature":{json}}}"#),
        );
        check(
            Event::Input(testing::input(0, "tests/a.rs", 7)),
            r#"{"reason":"input","id":0,"kind":"str","file":"tests/a.rs","line":7,"elements":9684,"origin":"literal","tier":"in-process"}"#,
        );
        check(
            Event::Progress { candidates: 120, elements: 310, elapsed_ms: 5, best: "x".into() },
            r#"{"reason":"progress","candidates":120,"elements":310,"elapsed_ms":5}"#,
        );
        check(
            Event::Reduced(ReducedInput {
                elements_before: 9684,
                elements_after: 11,
                text: "\"é\\n\"".into(),
                original: "\"éa\"".into(),
                ..ReducedInput::default()
            }),
            r#"{"reason":"reduced","id":0,"elements_before":9684,"elements_after":11,"text":"\"é\\n\""}"#,
        );
        check(
            Event::File(ReducedFile {
                path: "a.rs".into(),
                files_before: 1,
                bytes_before: 4,
                bytes_after: 3,
                lines_before: 2,
                lines_after: 1,
                ..ReducedFile::default()
            }),
            r#"{"reason":"file","path":"a.rs","bytes_before":4,"bytes_after":3,"lines_before":2,"lines_after":1}"#,
        );
        check(
            Event::Difference(Difference {
                id: 1,
                passing: "a".into(),
                failing: "ab".into(),
                difference: "b".into(),
                ..Difference::default()
            }),
            r#"{"reason":"difference","id":1,"passing":"a","failing":"ab","difference":"b"}"#,
        );
        check(
            Event::Pattern(Pattern {
                pattern: "(<expr>)".into(),
                grammar: "calc".into(),
                instances: 10,
                reproduced: 9,
                unresolved: 1,
                interval: [0.5, 1.0],
                legend: "s ::= \"(\" expr \")\"".into(),
                ..Pattern::default()
            }),
            r#"{"reason":"pattern","id":0,"pattern":"(<expr>)","grammar":"calc","instances":10,"reproduced":9,"unresolved":1,"interval":[0.5,1.0]}"#,
        );
        check(
            Event::Instance { id: 0, text: "(1)".into(), outcome: Outcome::Fail },
            r#"{"reason":"instance","id":0,"text":"(1)","outcome":"Fail"}"#,
        );
        check(
            Event::Skipped { id: 3, why: "w".into() },
            r#"{"reason":"skipped","id":3,"why":"w"}"#,
        );
        check(
            Event::OtherFailure { signature: signature(), path: "p".into() },
            &format!(r#"{{"reason":"other-failure","signature":{json},"path":"p"}}"#),
        );
    }

    #[test]
    fn the_summary_leaves_out_what_was_not_written() {
        let summary = Summary {
            status: Status::NotReproduced,
            builds: 3,
            candidates: 512,
            cached: 40,
            elapsed_ms: 7,
            artifacts: Artifacts { regression_test: Some("r.rs".into()), ..Artifacts::default() },
            ..Summary::default()
        };
        check(
            Event::Summary(summary),
            r#"{"reason":"summary","status":"not-reproduced","confirmed":false,"doubt":null,"signature":null,"builds":3,"checks":0,"candidates":512,"cached":40,"elapsed_ms":7,"artifacts":{"regression_test":"r.rs"}}"#,
        );
    }

    #[test]
    fn what_is_for_people_goes_to_the_log() {
        let stage = Event::Stage { verb: "Building".into(), what: "the probe".into() };
        let (out, log) = lines(&[stage, Event::Warning("slow".into())]);
        assert_eq!(out, "");
        assert_eq!(log, "Building the probe\nwarning: slow\n");
    }

    #[test]
    fn progress_is_told_now_and_then() {
        let progress = |elapsed_ms| Event::Progress {
            candidates: elapsed_ms,
            elements: 1,
            elapsed_ms,
            best: String::new(),
        };
        let events: Vec<Event> = (0..1000).map(progress).collect();
        assert_eq!(lines(&events).0.lines().count(), 10);
    }
}

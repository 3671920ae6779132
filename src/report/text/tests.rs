use std::io;

use anstream::StripStream;

use super::*;
use crate::oracle::signature::{FailureKind, Location, Signature};
use crate::reduce::Outcome;
use crate::reduce::tree::{ShownKind, ShownNode};
use crate::report::testing::{self, Shared};
use crate::report::{
    Artifacts, Difference, NextCommand, NextStep, Pattern, ReducedInput, Status, Summary,
};

/// What goes to standard output and to standard error, without colours.
fn shown(verbosity: Verbosity, events: &[Event]) -> (String, String) {
    struct Plain(Shared);
    impl io::Write for Plain {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut plain = StripStream::new(Vec::new());
            plain.write_all(bytes)?;
            self.0.write_all(&plain.into_inner())?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (out, log) = (Shared::default(), Shared::default());
    let mut text = Text::new(Plain(out.clone()), Plain(log.clone()), verbosity);
    for event in events {
        text.report(event);
    }
    (out.text(), log.text())
}

fn input() -> Event {
    Event::Input(testing::input(3, "tests/a.rs", 17))
}

fn reduced(text: &str) -> Event {
    let number = ReducedInput { id: 3, text: text.into(), ..ReducedInput::default() };
    let (elements_before, original) = (9684, "ORIGINAL".into());
    Event::Reduced(ReducedInput { elements_before, elements_after: 1, original, ..number })
}

fn number(text: &str, original: &str) -> Event {
    let (text, original) = (text.into(), original.into());
    Event::Reduced(ReducedInput { id: 3, text, original, ..ReducedInput::default() })
}

#[test]
fn what_has_not_changed_takes_one_line_and_a_number_says_what_it_was() {
    let (out, _) = shown(Verbosity::Quiet, &[input(), number("0", "0")]);
    assert_eq!(out, " --> tests/a.rs:17: unchanged: 0\n");
    let (out, _) = shown(Verbosity::Quiet, &[input(), number("0", "2500")]);
    assert!(out.ends_with("17 | 0\n   |\n   = was 2500\n"), "{out}");
    let (out, _) = shown(Verbosity::Quiet, &[input(), number("", "v.push(1);")]);
    assert_eq!(out, " --> tests/a.rs:17: removed\n");
    let long = "x".repeat(100) + "\ny";
    let (out, _) = shown(Verbosity::Quiet, &[input(), number(&long, &long)]);
    let start = "x".repeat(60);
    assert_eq!(out, format!(" --> tests/a.rs:17: unchanged: {start} …\n"));
}

fn failure(message: &str) -> Event {
    let location = Location::new("src/lib.rs", 10, 5);
    Event::Failure {
        test: "a::b".into(),
        package: "p".into(),
        signature: Signature::new(FailureKind::Panic, message).at(location),
    }
}

#[test]
fn a_reduced_input_is_shown_at_its_place() {
    let (out, log) = shown(Verbosity::Quiet, &[input(), reduced("r\"(\n\"")]);
    assert_eq!(
        out,
        concat!(
            "  --> tests/a.rs:17\n",
            "   |\n",
            "   - ORIGINAL\n",
            "17 + r\"(\n",
            "   + \"\n",
            "   |\n",
            "   = 9684 elements before, 1 element now\n",
        )
    );
    assert_eq!(log, "");
}

#[test]
fn inputs_are_the_result_of_a_listing_and_part_of_the_story_else() {
    let line = "       Input 3: str at tests/a.rs:17, 9684 elements, in-process\n";
    let of = |verbosity| shown(verbosity, &[input()]);
    assert_eq!(of(Verbosity::Listing), (line.to_owned(), String::new()));
    assert_eq!(of(Verbosity::Verbose), (String::new(), line.to_owned()));
    assert_eq!(of(Verbosity::Normal), (String::new(), line.to_owned()));
    assert_eq!(of(Verbosity::Quiet), (String::new(), String::new()));
}

#[test]
fn quiet_leaves_results_and_warnings() {
    let stage = Event::Stage { verb: "Building".into(), what: "the probe".into() };
    let events = [stage, failure("x"), Event::Warning("careful".into()), input(), reduced("1")];
    let (out, log) = shown(Verbosity::Quiet, &events);
    assert_eq!(log, "warning: careful\n");
    assert!(out.contains("17 + 1\n"));
    let (_, log) = shown(Verbosity::Normal, &events);
    assert!(log.starts_with("    Building the probe\n     Failure a::b\n"), "{log}");
}

#[test]
fn long_messages_are_cut() {
    let message = format!("{}\n{}", "é".repeat(500), "line\n".repeat(20));
    let (_, log) = shown(Verbosity::Normal, &[failure(&message)]);
    assert!(log.contains("panic at src/lib.rs:10:5\n"));
    assert!(log.contains("é…\n"));
    assert!(log.ends_with("… and 13 lines\n"), "{log}");
    assert_eq!(log.lines().count(), 2 + 8 + 1);
}

#[test]
fn the_summary_says_how_it_ended_and_what_was_written() {
    let summary = Summary {
        status: Status::Reduced,
        confirmed: true,
        signature: Some(Signature::new(FailureKind::Exit, "exit status 3")),
        builds: 3,
        checks: 1,
        candidates: 512,
        cached: 40,
        elapsed_ms: 2345,
        artifacts: Artifacts { regression_test: Some("out/r.rs".into()), ..Artifacts::default() },
        ..Summary::default()
    };
    let (_, log) = shown(Verbosity::Normal, &[Event::Summary(summary.clone())]);
    assert_eq!(
        log,
        "    Finished reduced, confirmed: 512 candidates, 3 builds, \
         1 check in 2.3 s; 40 repeated candidates skipped\n  Fails with exit\n             exit status 3\n     \
         Written out/r.rs\n"
    );
    let doubted = Summary {
        doubt: Some(
            "nobody has said so; `cargo reduce t --passes-with p@newest` settles it, if so".into(),
        ),
        next: vec![
            NextStep { option: "--write".into(), does: "adds it" },
            NextStep { option: "--generalize".into(), does: "finds others" },
        ],
        commands: vec![NextCommand { verb: "Run it", command: "cargo test r".into() }],
        artifacts: Artifacts {
            package: Some("out".into()),
            page: Some("out/report.html".into()),
            ..summary.artifacts.clone()
        },
        ..summary.clone()
    };
    let (_, log) = shown(Verbosity::Normal, &[Event::Summary(doubted.clone())]);
    let end = "    In doubt nobody has said so\n   Settle it cargo reduce t --passes-with p@newest\n             \
               if so\n     Written out/r.rs\n             out/report.html\n      Run it cargo test r\n        \
               Next --write       adds it\n             --generalize  finds others\n";
    assert!(log.ends_with(end), "{log}");
    let (_, log) = shown(Verbosity::Quiet, &[Event::Summary(doubted)]);
    assert!(
        log.starts_with("    In doubt nobody has said so\n") && log.lines().count() == 3,
        "{log}"
    );
    let minimal = Summary { status: Status::Minimal, ..summary.clone() };
    let reading =
        Summary { unreduced: vec!["data/a.bin".into(), "data/b.bin".into()], ..minimal.clone() };
    let (_, log) = shown(Verbosity::Normal, &[Event::Summary(reading)]);
    assert!(!log.contains("already minimal, confirmed"), "{log}");
    assert!(log.contains("data/a.bin and 1 more file, read by the failing test"), "{log}");
    let interrupted = Summary { status: Status::Interrupted, ..summary };
    let nothing =
        Summary { confirmed: false, artifacts: Artifacts::default(), ..interrupted.clone() };
    for (summary, expected) in [
        (minimal, "already minimal"),
        (interrupted, "this is the best result so far, confirmed"),
        (nothing, "no smaller result yet: 512"),
    ] {
        let (_, log) = shown(Verbosity::Normal, &[Event::Summary(summary)]);
        assert!(log.contains(expected), "{log}");
    }
}

#[test]
fn differences_patterns_and_instances_are_results() {
    let difference = Event::Difference(Difference {
        id: 3,
        passing: "\"a\"".into(),
        failing: "\"ab\"".into(),
        difference: "\"b\"".into(),
        ..Difference::default()
    });
    let pattern = Event::Pattern(Pattern {
        id: 3,
        pattern: "(<expr>)".into(),
        grammar: "calc".into(),
        instances: 100,
        reproduced: 97,
        unresolved: 3,
        interval: [0.9696, 1.0],
        legend: "a\nb\nc\nd\ne\nf\ng\nh\ni\n".into(),
        tree: vec![ShownNode { depth: 0, label: "<tree>".into(), kind: ShownKind::Nonterminal }],
        ..Pattern::default()
    });
    let instance = Event::Instance { id: 3, text: "(4)".into(), outcome: Outcome::Fail };
    let (out, log) = shown(Verbosity::Quiet, &[input(), difference, pattern, instance]);
    assert!(out.contains("17 | passes: \"a\"\n   | fails:  \"ab\"\n"), "{out}");
    assert!(
        out.contains(
            "by the grammar `calc`: 97 of 97 instances fail in the same way, so 97 to 100 %"
        ),
        "{out}"
    );
    assert!(out.contains("; 3 more are not valid input"), "{out}");
    assert!(out.contains("     h\n     … and 1 line (use -v to see all)"), "{out}");
    assert!(out.ends_with("        Fail \"(4)\"\n"), "{out}");
    assert_eq!(log, "");
}

#[test]
fn of_several_tests_there_is_an_overview() {
    let (_, log) = shown(Verbosity::Normal, &[failure("m"), input(), reduced("1"), Event::End]);
    assert!(!log.contains("of 1 test"), "{log}");
    let end = |error: Option<&str>, doubt: Option<&str>| {
        Event::Summary(Summary {
            status: Status::Reduced,
            confirmed: true,
            doubt: doubt.map(str::to_owned),
            error: error.map(str::to_owned),
            builds: 3,
            candidates: 512,
            elapsed_ms: 900,
            ..Summary::default()
        })
    };
    let story = |end| [failure("m"), input(), reduced("1"), end];
    let mut events = [story(end(None, None)), story(end(None, Some("why")))].concat();
    events.push(Event::Test { number: 3, of: 3, name: "c".into() });
    events.extend([end(Some("it passes"), None), Event::End]);
    let (_, log) = shown(Verbosity::Normal, &events);
    let overview = "     Reduced 2 of 3 tests\n        \
                    Done a::b fails with 1 element instead of 9684; 512 candidates, 3 builds in 900 ms\n    \
                    In doubt a::b fails with 1 element instead of 9684; 512 candidates, 3 builds in 900 ms\n \
                    Not reduced c: it passes; 512 candidates, 3 builds in 900 ms\n";
    assert!(log.ends_with(overview), "{log}");
}

#[test]
fn colours_are_there_unless_taken_out() {
    let (out, log) = (Shared::default(), Shared::default());
    let mut text = Text::new(out.clone(), log.clone(), Verbosity::Normal);
    text.report(&Event::Warning("careful".into()));
    assert!(log.text().contains("\u{1b}["));
}

#[test]
fn a_result_that_stays_large_does_not_flood_the_screen() {
    let long = format!("{}\n{}", "a".repeat(1_500), "b\n".repeat(100));
    let (out, _) = shown(Verbosity::Quiet, &[input(), reduced(&long)]);
    assert!(out.lines().count() < 40, "{} lines", out.lines().count());
    assert!(out.contains("… and 577 characters, in the files named below"), "{out}");
}

//! Tests of the reports that tell of one test as a whole.

use super::testing::{self, Shared};
use super::*;
use crate::oracle::signature::{FailureKind, Location, Signature};

fn signature() -> Signature {
    let message = "50 % <of>:\n\u{1b}[1m`it`";
    Signature::new(FailureKind::Panic, message).at(Location::new("src/lib.rs", 10, 5))
}

/// What is told of a test that is reduced, in doubt.
fn reduced() -> Vec<Event> {
    vec![
        Event::Failure { test: "a::t".into(), package: "p".into(), signature: signature() },
        Event::Input(testing::input(0, "tests/a.rs", 7)),
        Event::Reduced(ReducedInput {
            elements_before: 20,
            elements_after: 2,
            text: "\"``\"".into(),
            original: "\"…\"".into(),
            ..ReducedInput::default()
        }),
        Event::Summary(Summary { doubt: Some("who knows".into()), ..summary_of(Status::Reduced) }),
    ]
}

fn summary_of(status: Status) -> Summary {
    Summary {
        status,
        confirmed: status == Status::Reduced,
        signature: (status == Status::Reduced).then(signature),
        builds: 3,
        candidates: 12,
        elapsed_ms: 1_062,
        artifacts: Artifacts {
            regression_test: Some("/no/such/reduced_t.rs".into()),
            ..Artifacts::default()
        },
        ..Summary::default()
    }
}

fn failed() -> Event {
    Event::Summary(Summary {
        error: Some("it passes".into()),
        artifacts: Artifacts::default(),
        ..summary_of(Status::NotFailing)
    })
}

#[test]
fn annotations_stand_where_it_fails_and_say_what_is_left() {
    let (commands, summary) = (Shared::default(), Shared::default());
    let mut github = Github::new(commands.clone(), summary.clone(), Box::new(Silent), "crates/a,b");
    for event in reduced() {
        github.report(&event);
    }
    github.report(&failed());
    let at = "file=crates/a%2Cb/src/lib.rs,line=10,col=5,";
    let text = "panic at src/lib.rs:10:5: 50 %25 <of>:%0A\u{1b}[1m`it`%0Atests/a.rs:7 was reduced to \"``\"%0A\
                in doubt: who knows%0Athe regression test is /no/such/reduced_t.rs";
    assert_eq!(
        commands.text(),
        format!(
            "::error {at}title=a%3A%3At fails with 2 elements instead of 20::{text}\n\
             ::warning {at}title=in doubt::who knows\n\
             ::error title=cargo reduce was not reduced%3A it passes::\n"
        )
    );
    assert_eq!(
        summary.text(),
        "### a::t fails with 2 elements instead of 20\n\n\
         panic at `src/lib.rs:10:5`\n\n```text\n50 % <of>:\n\u{1b}[1m`it`\n```\n\n\
         `tests/a.rs:7` was reduced to\n\n```rust\n\"``\"\n```\n\n\
         > **In doubt:** who knows\n\n\
         The regression test is `/no/such/reduced_t.rs`.\n\n\
         ### cargo reduce was not reduced: it passes\n\n"
    );
}

#[test]
fn a_report_for_build_servers_is_one_document() {
    let out = Shared::default();
    let mut junit = Junit::new(out.clone(), Box::new(Silent));
    for event in reduced() {
        junit.report(&event);
    }
    junit.report(&failed());
    assert_eq!(out.text(), "");
    drop(junit);
    assert_eq!(
        out.text(),
        r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="cargo-reduce" tests="2" failures="1" errors="1">
    <testcase classname="p" name="a::t" time="1.062">
      <failure type="panic" message="a::t fails with 2 elements instead of 20">panic at src/lib.rs:10:5: 50 % &lt;of&gt;:
�[1m`it`
tests/a.rs:7 was reduced to &quot;``&quot;
in doubt: who knows
the regression test is /no/such/reduced_t.rs
</failure>
    </testcase>
    <testcase classname="" name="cargo reduce" time="1.062">
      <error type="none" message="cargo reduce was not reduced: it passes"></error>
    </testcase>
  </testsuite>
</testsuites>
"#
    );
}

mod browser;

use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::oracle::signature::{FailureKind, Location, Signature};
use crate::reduce::Outcome;
use crate::reduce::tree::{ShownKind, ShownNode};
use crate::report::{
    Artifacts, Contrast, Difference, NextCommand, NextStep, Part, Pattern, ReducedFile,
    ReducedInput, Silent, Status, Step, Without, testing,
};

/// What a hostile program puts into all that it says.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u{0}\u{1b}[2J\u{202e}\"'&amp;{{ \
                       7 * 7 }}";

fn signature(message: &str) -> Signature {
    Signature::new(FailureKind::Panic, message).at(Location::new("src/lib.rs", 10, 5))
}

fn failure(test: &str, message: &str) -> Event {
    Event::Failure { test: test.into(), package: "p".into(), signature: signature(message) }
}

fn input(file: &str) -> Event {
    Event::Input(testing::input(0, file, 7))
}

fn reduced(text: &str, original: &str, said: &str) -> Event {
    let without = |outcome, said: &str| Some(Without { outcome, said: said.into() });
    Event::Reduced(ReducedInput {
        id: 0,
        elements_before: original.len(),
        elements_after: text.len(),
        text: text.into(),
        original: original.into(),
        parts: vec![
            Part { range: 1..2, without: without(Outcome::Pass, "the test passes") },
            Part { range: 2..3, without: without(Outcome::Unresolved, said) },
            Part { range: 3..4, without: None },
        ],
    })
}

fn summary(page: &str) -> Summary {
    Summary {
        status: Status::Reduced,
        confirmed: true,
        doubt: Some(
            "nobody has said so; `cargo reduce t --passes-with p@newest` settles it".into(),
        ),
        unreduced: vec!["data.bin".into()],
        signature: Some(signature("after")),
        builds: 3,
        candidates: 1512,
        cached: 40,
        elapsed_ms: 2345,
        artifacts: Artifacts {
            regression_test: Some("out/r.rs".into()),
            page: Some(page.into()),
            ..Artifacts::default()
        },
        commands: vec![NextCommand { verb: "Run it", command: "cargo test r".into() }],
        next: vec![NextStep { option: "--write".into(), does: "adds the test" }],
        ..Summary::default()
    }
}

/// Everything there is to tell, with that text wherever a program says something.
fn whole_story(said: &str) -> Vec<Event> {
    let text = || said.to_owned();
    let node = |depth, label: &str, kind| ShownNode { depth, label: label.into(), kind };
    vec![
        Event::Sandbox { protection: "landlock".into(), described: "landlock".into(), gaps: None },
        failure(said, said),
        input(said),
        Event::Step(Step { is_first: true, elements: 100, ..Step::default() }),
        Event::Step(Step { candidates: 10, elements: 4, elapsed_ms: 50, ..Step::default() }),
        Event::Progress { candidates: 20, elements: 4, elapsed_ms: 90, best: String::new() },
        reduced(&format!("\"abc{said}\""), said, said),
        Event::File(ReducedFile {
            path: text(),
            files_before: 2,
            bytes_before: 400,
            bytes_after: 30,
            lines_before: 20,
            lines_after: 2,
            before: text(),
            after: text(),
            ..ReducedFile::default()
        }),
        Event::Difference(Difference {
            id: 0,
            passing: text(),
            failing: text(),
            difference: "vec![21]".to_owned(),
            parts: vec![Part {
                range: 5..7,
                without: Some(Without { outcome: Outcome::Pass, said: text() }),
            }],
        }),
        Event::Contrast(Contrast {
            failing: Some(text()),
            passing: vec![text()],
            tests: vec![text()],
            statement: text(),
        }),
        Event::Pattern(Pattern {
            id: 0,
            pattern: format!("(<expr>){said}"),
            grammar: text(),
            instances: 10,
            reproduced: 9,
            unresolved: 1,
            interval: [0.5, 1.0],
            legend: text(),
            tree: vec![
                node(0, "<start>", ShownKind::Nonterminal),
                node(1, said, ShownKind::Text),
                node(1, "<expr>", ShownKind::Open),
            ],
            ..Pattern::default()
        }),
        Event::Instance { id: 0, text: text(), outcome: Outcome::Fail },
        Event::OtherFailure { signature: signature(said), path: text() },
        Event::Warning(text()),
        Event::Skipped { id: 9, why: text() },
    ]
}

fn page_of(events: &[Event]) -> String {
    let mut collected = Collected::default();
    for event in events {
        collected.add(event);
    }
    render(&View::new(&collected, &summary("report.html"))).unwrap()
}

/// The elements of the page, in their order, with the attributes as they are written.
fn elements(html: &str) -> Vec<String> {
    let without = |text: &str, name: &str| {
        let (before, rest) = text.split_once(&format!("<{name}>")).unwrap();
        let (_, after) = rest.split_once(&format!("</{name}>")).unwrap();
        format!("{before}{after}")
    };
    let html = without(&without(html, "style"), "script");
    let parts = html.split('<').skip(1);
    parts.map(|part| part.split_once('>').expect("a tag ends").0.to_owned()).collect()
}

/// Sees that each element is closed where it has to be.
fn check_nesting(html: &str) {
    let mut open: Vec<String> = Vec::new();
    for element in elements(html) {
        let name: String = element.split([' ', '/']).find(|word| !word.is_empty()).unwrap().into();
        if element.starts_with('!') || ["meta", "input"].contains(&&*name) || element.ends_with('/')
        {
            continue;
        }
        if element.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(&*name), "{open:?}");
        } else {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn the_page_shows_all_that_was_told() {
    let html = page_of(&whole_story("plain"));
    check_nesting(&html);
    let headings = [
        "In doubt",
        "Not reduced",
        "The failure",
        "Before and after",
        "Passing and failing",
        "Pattern",
        "Contrast",
        "The search",
        "Reproduce and go on",
        "Other failures found on the way",
        "Notes",
    ];
    let places: Vec<usize> =
        headings.iter().map(|it| html.find(&format!(">{it}</h2>")).expect(it)).collect();
    assert!(places.is_sorted(), "{places:?}");
    // Lines end between words, not behind the hyphens of an option.
    let command = ["cargo", "reduce", "t", "--passes-with", "p@newest"];
    let words = command.map(|word| format!("<span>{word}</span> ")).concat();
    assert!(html.contains(&format!("<code>{words}</code>")), "{html}");
    assert!(
        html.contains(r#"<span class="part passes" data-without="the test passes">"#),
        "{html}"
    );
    assert!(html.contains(r#"data-without="plain"><span class="number">21</span>"#), "{html}");
    assert!(html.contains("found a passing and a failing input"), "{html}");
    assert!(html.contains(r#"<span class="placeholder">&lt;expr&gt;</span>"#), "{html}");
    assert!(html.contains("1,512"), "{html}");
}

#[test]
fn the_page_needs_nothing_else() {
    let html = page_of(&whole_story("plain"));
    for word in ["http:", "https:", " src=", "@import", "url(", "<link"] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn what_a_program_says_is_never_taken_for_the_page() {
    let (plain, hostile) = (page_of(&whole_story("x")), page_of(&whole_story(HOSTILE)));
    check_nesting(&hostile);
    let scripts = |html: &str| html.matches("<script").count();
    assert_eq!(scripts(&hostile), 1);
    assert!(!hostile.contains("<img") && !hostile.contains("49"), "{hostile}");
    let is_shown = |c: char| c == '\n' || c == '\t' || !(c.is_control() || c == '\u{202e}');
    assert!(hostile.chars().all(is_shown));
    // The same elements, but for those that a longer text is cut into.
    let attributes = |html: &str| {
        let names = elements(html).into_iter().filter(|it| it.contains('='));
        let names = names.map(|it| it.split('"').step_by(2).collect::<Vec<_>>().join("…"));
        names.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(attributes(&plain), attributes(&hostile));
}

#[test]
fn large_inputs_are_cut() {
    let large = "0123456789 \"<&\n".repeat(70_000);
    let html = page_of(&whole_story(&large));
    check_nesting(&html);
    assert!(html.len() < 500_000, "{}", html.len());
    assert!(html.contains("of 1,050,000 bytes left out"));
    let many: Vec<Event> = std::iter::once(failure("t", "m"))
        .chain((0..300).map(|_| reduced("\"abc\"", &large[..5_000], "so")))
        .collect();
    let html = page_of(&many);
    assert!(html.len() < 700_000, "{}", html.len());
}

#[test]
fn each_test_has_a_page_of_its_own() {
    let mut story = whole_story("what it said first");
    story.push(failure("second", "m"));
    let html = page_of(&story);
    assert!(html.contains("<h1>second</h1>"), "{html}");
    assert!(!html.contains("what it said first") && html.contains("landlock"), "{html}");
}

#[test]
fn the_page_is_told_of_when_its_job_has_ended() {
    let pages = Rc::new(RefCell::new(Vec::new()));
    let noted = Rc::clone(&pages);
    let mut page =
        Page::new(Box::new(Silent), move |path| noted.borrow_mut().push(path.to_owned()));
    page.report(&failure("t", "m"));
    let summary = summary("out/report.html");
    assert!(page.page(&summary).unwrap().unwrap().contains("<h1>t</h1>"));
    assert_eq!(pages.borrow().len(), 0);
    page.report(&Event::Summary(summary));
    assert_eq!(*pages.borrow(), ["out/report.html"]);
}

#[test]
fn what_ends_without_a_result_has_no_page() {
    let mut page = Page::new(Box::new(Silent), |_| panic!("there is none"));
    let mut summary = summary("");
    summary.artifacts = Artifacts::default();
    page.report(&Event::Summary(summary));
}

#[test]
fn how_far_a_search_was_before_its_last_step_is_not_its_end() {
    let step = |is_first, candidates, elements| {
        Event::Step(Step { is_first, candidates, elements, elapsed_ms: candidates, what: None })
    };
    let progress =
        Event::Progress { candidates: 4, elements: 16, elapsed_ms: 4, best: String::new() };
    let story = [failure("t", "m"), step(true, 0, 90), progress, step(false, 5, 15)];
    let mut collected = Collected::default();
    for event in &story {
        collected.add(event);
    }
    assert_eq!(collected.last, None);
}

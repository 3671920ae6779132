//! What the page shows, as plain data for the template.

use std::borrow::Cow;

use camino::Utf8Path;
use serde::Serialize;

use super::code::{Code, Language};
use super::collected::Collected;
use super::curve::{Asked, Curve};
use super::cut::{label, name};
use super::subject::{PartView, SubjectView, input_of, part_views, subjects};
use super::tree::{Nested, nested};
use crate::oracle::signature::Signature;
use crate::report::lines::{duration, kind_and_place, rate};
use crate::report::phrases::grouped;
use crate::report::summary::{DIFFERENCE_FOUND, seen_from};
use crate::report::visible::visible;
use crate::report::{Difference, Event, Input, Pattern, Status, Summary};

/// Bytes of a message that are shown.
const MESSAGE: usize = 4_000;
/// Bytes of a pattern, its grammar, or one side of a difference that are shown.
const TEXT: usize = 8_000;
/// Instances that are shown.
const INSTANCES: usize = 40;

/// The whole page.
#[derive(Debug, Default, Serialize)]
pub(super) struct View {
    test: String,
    package: String,
    /// How it ended: a class for its colour, and words.
    status: Status,
    verdict: &'static str,
    before: Option<Failed>,
    after: Option<Failed>,
    doubt: Vec<Words>,
    /// The command in the doubt that settles it; empty where there is none.
    settles: String,
    /// Figures: what, and how much.
    figures: Vec<Named>,
    subjects: Vec<SubjectView>,
    curve: Option<Curve>,
    contrast: Option<ContrastView>,
    differences: Vec<DifferenceView>,
    patterns: Vec<PatternView>,
    /// Other failures found on the way.
    others: Vec<Other>,
    warnings: Vec<Vec<Words>>,
    skipped: Vec<String>,
    unreduced: Vec<String>,
    commands: Vec<Named>,
    /// Options, and what they do.
    next: Vec<Named>,
    files: Vec<Named>,
    sandbox: String,
    version: &'static str,
}

/// A failure.
#[derive(Debug, Serialize)]
struct Failed {
    place: String,
    message: Code,
}

/// Words of a sentence, which may be code.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Words {
    text: String,
    is_code: bool,
}

/// A figure, a command or a path, and what it is.
#[derive(Debug, Serialize)]
struct Named {
    name: Cow<'static, str>,
    text: String,
}

/// What passes beside the failure.
#[derive(Debug, Serialize)]
struct ContrastView {
    failing: Option<Code>,
    passing: Vec<Code>,
    tests: Vec<String>,
}

#[derive(Debug, Serialize)]
struct DifferenceView {
    place: String,
    passing: Code,
    failing: Code,
    difference: Code,
    parts: Vec<PartView>,
}

#[derive(Debug, Serialize)]
struct PatternView {
    place: String,
    text: Vec<Words>,
    rate: Vec<Words>,
    grammar: Code,
    tree: Option<Nested>,
    instances: Vec<Instance>,
}

#[derive(Debug, Serialize)]
struct Instance {
    text: String,
    outcome: String,
    class: &'static str,
}

#[derive(Debug, Serialize)]
struct Other {
    failed: Failed,
    path: String,
}

impl View {
    /// The page about what was `told`, which ended with `summary`.
    pub(super) fn new(collected: &Collected, summary: &Summary) -> View {
        let mut view = View::of_summary(summary);
        // Those that were known and not run again count, too.
        let (all, with_repeats) = (summary.candidates + summary.cached, summary.cached > 0);
        let (asked, left) = (Asked { all, with_repeats }, left(&collected.events));
        view.curve = Curve::new(&collected.steps, collected.last.as_ref(), asked, left);
        // Files of the result are named as seen from the page, which stands beside them.
        let page = summary.artifacts.page.as_ref().map(Utf8Path::new);
        let folder = page.and_then(Utf8Path::parent).unwrap_or(Utf8Path::new(""));
        view.subjects = subjects(&collected.events, folder);
        for event in &collected.events {
            view.add(event, &collected.events);
        }
        let is_found = matches!(view.status, Status::Reduced | Status::Minimal);
        if is_found && !view.differences.is_empty() {
            view.verdict = DIFFERENCE_FOUND;
        }
        for other in &mut view.others {
            other.path = seen_from(folder, &other.path).into_owned();
        }
        view
    }

    fn of_summary(summary: &Summary) -> View {
        let named = |name: &'static str, text| Named { name: name.into(), text };
        let count = |name, count| named(name, grouped(count));
        let mut figures = vec![
            count("candidates", summary.candidates),
            count("builds", summary.builds),
            count("checks", summary.checks),
            count("repeats skipped", summary.cached),
        ];
        figures.retain(|figure| figure.text != "0");
        figures.push(named("time", duration(summary.elapsed_ms)));
        let artifacts = &summary.artifacts;
        let files = [
            ("regression test", &artifacts.regression_test),
            ("package", &artifacts.package),
            ("report", &artifacts.report),
        ];
        let files = files
            .into_iter()
            .filter_map(|(name, path)| path.as_ref().map(|path| named(name, visible(path))));
        let commands = summary.commands.iter();
        let commands = commands.map(|next| named(next.verb, visible(&next.command)));
        let next = summary.next.iter();
        let next = next.map(|it| Named { name: it.option.clone(), text: it.does.to_owned() });
        let doubt = summary.doubt.as_deref().map(words).unwrap_or_default();
        let settles = doubt.iter().find(|word| word.is_code && word.text.starts_with("cargo "));
        View {
            status: summary.status,
            verdict: verdict(summary),
            after: summary.signature.as_ref().map(Failed::new),
            settles: settles.map(|word| word.text.clone()).unwrap_or_default(),
            doubt,
            figures,
            unreduced: summary.unreduced.iter().map(|path| label(path)).collect(),
            commands: commands.collect(),
            next: next.collect(),
            files: files.collect(),
            version: env!("CARGO_PKG_VERSION"),
            ..View::default()
        }
    }

    fn add(&mut self, event: &Event, all: &[Event]) {
        match event {
            Event::Sandbox { described, .. } => self.sandbox = label(described),
            Event::Warning(text) => self.warnings.push(words(text)),
            Event::Failure { test, package, signature } => {
                self.test = name(test);
                self.package = name(package);
                self.before = Some(Failed::new(signature));
            }
            Event::Contrast(contrast) => {
                let code = |text: &String| Code::new(text, Language::Rust, &[], TEXT);
                self.contrast = Some(ContrastView {
                    failing: contrast.failing.as_ref().map(code),
                    passing: contrast.passing.iter().map(code).collect(),
                    tests: contrast.tests.iter().map(|test| label(test)).collect(),
                });
            }
            Event::Difference(it) => self.differences.push(DifferenceView::new(it, all)),
            Event::Pattern(it) => self.patterns.push(PatternView::new(it, all)),
            Event::Instance { text, outcome, .. } => {
                if let Some(pattern) = self.patterns.last_mut()
                    && pattern.instances.len() < INSTANCES
                {
                    pattern.instances.push(Instance {
                        text: label(text),
                        outcome: format!("{outcome:?}"),
                        class: if outcome.is_fail() { "fails" } else { "passes" },
                    });
                }
            }
            Event::Skipped { why, .. } => {
                let why = label(why);
                if !self.skipped.contains(&why) {
                    self.skipped.push(why);
                }
            }
            Event::OtherFailure { signature, path } => {
                self.others.push(Other { failed: Failed::new(signature), path: name(path) });
            }
            // They are subjects, steps, or nothing to keep.
            _ => {}
        }
    }
}

impl Failed {
    fn new(signature: &Signature) -> Failed {
        Failed {
            place: label(&kind_and_place(signature)),
            message: Code::new(&signature.message, Language::Plain, &[], MESSAGE),
        }
    }
}

impl DifferenceView {
    fn new(it: &Difference, all: &[Event]) -> DifferenceView {
        let code = |text: &str| Code::new(text, Language::Rust, &[], TEXT);
        DifferenceView {
            place: place_of(it.id, all),
            passing: code(&it.passing),
            failing: code(&it.failing),
            difference: Code::new(&it.difference, Language::Rust, &it.parts, TEXT),
            parts: part_views(&it.parts, &it.difference),
        }
    }
}

impl PatternView {
    fn new(it: &Pattern, all: &[Event]) -> PatternView {
        let legend = if it.is_open { "" } else { &it.legend };
        PatternView {
            place: place_of(it.id, all),
            text: placeholders(it),
            rate: words(&rate(it)),
            grammar: Code::new(legend, Language::Plain, &[], TEXT),
            tree: nested(&it.tree),
            instances: Vec::new(),
        }
    }
}

/// The pattern, its placeholders told apart from its text by the names in its tree.
fn placeholders(it: &Pattern) -> Vec<Words> {
    use crate::reduce::tree::ShownKind;
    let open = it.tree.iter().filter(|node| node.kind == ShownKind::Open);
    let mut names = open.map(|node| &*node.label);
    let mut name = names.next();
    let mut all = Vec::new();
    let mut rest = &*it.pattern;
    while let Some((start, open)) = name.and_then(|open| Some((rest.find(open)?, open))) {
        all.push(Words { text: label(&rest[..start]), is_code: false });
        all.push(Words { text: label(open), is_code: true });
        rest = &rest[start + open.len()..];
        name = names.next();
    }
    all.push(Words { text: label(rest), is_code: false });
    all.retain(|words| !words.text.is_empty());
    all
}

/// Where an input stands.
fn place_of(id: usize, all: &[Event]) -> String {
    let place = |input: &Input| name(&format!("{}:{}", input.file, input.line));
    input_of(id, all).map(place).unwrap_or_default()
}

/// A text as words, those between backticks as code.
fn words(text: &str) -> Vec<Words> {
    let parts = text.split('`').enumerate();
    let words = parts.map(|(place, part)| Words { text: label(part), is_code: place % 2 == 1 });
    words.filter(|words| !words.text.is_empty()).collect()
}

/// The elements that are left of all inputs, if inputs were reduced.
fn left(events: &[Event]) -> Option<usize> {
    let sizes = events.iter().filter_map(|event| match event {
        Event::Reduced(input) => Some(input.elements_after),
        _ => None,
    });
    sizes.reduce(|one, other| one + other)
}

fn verdict(summary: &Summary) -> &'static str {
    match summary.status {
        Status::Reduced if summary.doubt.is_some() => "reduced, in doubt",
        Status::Reduced => "reduced",
        Status::Minimal => "already minimal",
        Status::Limited => "stopped before anything could be removed",
        Status::Interrupted => "interrupted, this is the best result so far",
        Status::NotFailing => "it does not fail",
        Status::NotReproduced => "the failure did not come back",
        Status::Flaky => "the test fails only sometimes",
        Status::Error => "could not be reduced",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code() {
        let all = words("why; `cargo reduce t` settles it");
        let code: Vec<&str> =
            all.iter().filter(|word| word.is_code).map(|word| &*word.text).collect();
        assert_eq!((all.len(), code), (3, vec!["cargo reduce t"]));
    }
}

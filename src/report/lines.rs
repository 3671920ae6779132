//! The words for each event.
//!
//! The layout is cargo's: what happens stands in a column of twelve, what it happens to beside it.
//! Everything can be understood without colours.

use std::fmt::Write;

use anstyle::Style;

use super::phrases::{BAD, FRAME, GOOD, InputLine, WARNING, at, counted};
use super::snippet::{few_lines, snippet};
use super::visible::visible;
use super::{Difference, Input, Pattern, ReducedFile, ReducedInput, Step};
use crate::oracle::signature::{FailureKind, Signature};
use crate::reduce::Outcome;
use crate::reduce::tree::{ShownKind, ShownNode};

/// Lines of the grammar of a pattern that are shown.
const RULE_LINES: usize = 8;

/// Lines of a message that are shown.
const MESSAGE_LINES: usize = 8;

/// Characters of a line of a message that are shown.
const MESSAGE_WIDTH: usize = 160;

pub(super) fn status(verb: &str, what: &str) -> String {
    styled_status(GOOD, verb, what)
}

pub(super) fn styled_status(style: Style, verb: &str, what: &str) -> String {
    if verb.is_empty() {
        return format!("{verb:>12} {what}\n");
    }
    format!("{style}{verb:>12}{style:#} {what}\n")
}

pub(super) fn warning(warning: &str) -> String {
    format!("{WARNING}warning{WARNING:#}: {warning}\n")
}

pub(super) fn failure(test: &str, signature: &Signature) -> String {
    let mut text = styled_status(BAD, "Failure", test);
    text.push_str(&indented(&kind_and_place(signature)));
    text.push_str(&indented(&signature.message));
    text
}

pub(super) fn other_failure(signature: &Signature, path: &str) -> String {
    let what = format!("{}, saved in {path}", kind_and_place(signature));
    let mut text = styled_status(WARNING, "Also found", &what);
    text.push_str(&indented(&signature.message));
    text
}

pub(super) fn kind_and_place(signature: &Signature) -> String {
    let kind = match signature.kind {
        FailureKind::ShouldPanic => "no panic, although the test should panic".to_owned(),
        FailureKind::Timeout => "does not finish in time".to_owned(),
        FailureKind::Ice => "internal compiler error".to_owned(),
        FailureKind::Script => "exit code 0 of the command".to_owned(),
        plain => plain.to_string(),
    };
    match &signature.location {
        Some(location) => format!("{kind} at {location}"),
        None => kind,
    }
}

/// What a step has taken away, where that was asked for.
pub(super) fn step(step: &Step) -> String {
    let Some(what) = &step.what else { return String::new() };
    let left = counted(step.elements as u64, "element");
    status("Step", &format!("{}, {left} left", visible(what)))
}

/// What became of a candidate.
pub(super) fn tried(outcome: Outcome, what: &str) -> String {
    styled_status(style_of(outcome), &format!("{outcome:?}"), &visible(what))
}

fn style_of(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Fail => BAD,
        Outcome::Pass => GOOD,
        Outcome::Unresolved | Outcome::Timeout => WARNING,
    }
}

/// A message below the second column, cut where it is too long to be read.
pub(super) fn indented(message: &str) -> String {
    let mut text = String::new();
    let message = visible(message);
    let mut lines = message.lines();
    for line in lines.by_ref().take(MESSAGE_LINES) {
        text.push_str("             ");
        match line.char_indices().nth(MESSAGE_WIDTH) {
            Some((end, _)) => {
                text.push_str(&line[..end]);
                text.push('…');
            }
            None => text.push_str(line),
        }
        text.push('\n');
    }
    let rest = lines.count();
    if rest > 0 {
        let _ = writeln!(text, "             … and {}", counted(rest as u64, "line"));
    }
    text
}

pub(super) fn input(input: &Input) -> String {
    let Input { id, kind, .. } = input;
    let place = at(Some(&InputLine::of(input)));
    let elements = input.elements.map_or_else(
        || "size known only when it runs".to_owned(),
        |elements| counted(elements as u64, "element"),
    );
    let origin = match (input.origin.as_str(), &input.path) {
        // What stands in the source needs no word.
        ("literal", _) => String::new(),
        (origin, Some(path)) => format!(", {origin} from {path}"),
        (origin, None) => format!(", {origin}"),
    };
    let what = format!("{id}: {kind} at {place}{origin}, {elements}, {}", input.tier.name());
    status("Input", &what)
}

pub(super) fn skipped(place: Option<&InputLine>, why: &str) -> String {
    styled_status(WARNING, "Skipped", &format!("{}: {why}", at(place)))
}

pub(super) fn reduced(place: Option<&InputLine>, it: &ReducedInput) -> String {
    let in_one_line = |what: &str| format!("{FRAME} -->{FRAME:#} {}: {what}\n", at(place));
    let was = first_words(&it.original);
    match (it.elements_before as u64, it.elements_after as u64) {
        _ if it.text == it.original => in_one_line(&format!("unchanged: {was}")),
        // Statements go as a whole.
        _ if it.text.is_empty() => in_one_line("removed"),
        // Numbers and the like are too small to be counted.
        (0, 0) => snippet(place, None, &it.text, &format!("was {was}")),
        (before, after) => {
            let note = change(before, after, "element");
            snippet(place, Some(&it.original), &it.text, &note)
        }
    }
}

/// The beginning of a source, on one line.
fn first_words(source: &str) -> String {
    const LONGEST: usize = 60;
    let line = source.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(LONGEST).collect();
    if shown.len() == source.len() {
        return shown;
    }
    shown + " …"
}

pub(super) fn file(file: &ReducedFile, path: &str) -> String {
    let lines = change(file.lines_before, file.lines_after, "line");
    let bytes = change(file.bytes_before, file.bytes_after, "byte");
    let made = match file.files_before {
        1 => String::new(),
        files => format!("{files} files in one, "),
    };
    status("Reduced", &format!("{path}: {made}{lines}; {bytes}")) + &few_lines(&file.after)
}

pub(super) fn difference(place: Option<&InputLine>, it: &Difference) -> String {
    let note = format!("only in the failing one: {}", visible(&it.difference));
    let both = format!("passes: {}\nfails:  {}", it.passing, it.failing);
    snippet(place, None, &both, &note)
}

/// A pattern, how sure it is, and what its placeholders stand for: the first rules of it, or all of
/// them and the tree.
pub(super) fn pattern(place: Option<&InputLine>, it: &Pattern, in_full: bool) -> String {
    let mut text = snippet(place, None, &it.pattern, &rate(it));
    let rules = it.legend.lines().count();
    let shown = match (in_full, it.is_open) {
        (true, _) => rules,
        // What the whole grammar says tells nothing of the failure.
        (false, true) => 0,
        (false, false) => RULE_LINES,
    };
    let mut line = |line: &str| {
        let _ = writeln!(text, "     {line}");
    };
    for rule in it.legend.lines().take(shown) {
        line(rule);
    }
    if rules > shown && !it.is_open {
        let rest = counted((rules - shown) as u64, "line");
        line(&format!("… and {rest} (use -v to see all)"));
    }
    if in_full {
        line("derivation tree:");
        for ShownNode { depth, label, kind } in &it.tree {
            let mark = if *kind == ShownKind::Open { " …" } else { "" };
            line(&format!("  {:1$}{label}{mark}", "", 2 * depth));
        }
    }
    text
}

/// How many instances of a pattern fail.
pub(super) fn rate(it: &Pattern) -> String {
    if it.legend.is_empty() {
        return format!(
            "by the grammar `{}`, no part of it can be replaced by others of its kind",
            it.grammar
        );
    }
    let [low, high] = it.interval;
    let resolved = it.instances - it.unresolved;
    let what = if it.is_open { "any text of the grammar fails: " } else { "" };
    let mut note = format!(
        "{what}by the grammar `{}`: {} of {} fail in the same way",
        it.grammar,
        it.reproduced,
        counted(resolved, "instance"),
    );
    if resolved > 0 {
        let _ = write!(
            note,
            ", so {} to {} % of all do (95 % confidence)",
            percent(low),
            percent(high)
        );
    }
    if it.unresolved > 0 {
        let are = match it.unresolved {
            1 => "is not valid input or fails",
            _ => "are not valid input or fail",
        };
        let _ = write!(note, "; {} more {are} in another way", it.unresolved);
    }
    note
}

/// A share in percent, with as many decimals as tell it from 0 and 1.
fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

pub(super) fn instance(text: &str, outcome: Outcome) -> String {
    styled_status(style_of(outcome), &format!("{outcome:?}"), &format!("{text:?}"))
}

/// What became of a number: `12 elements before, 1 element now`.
pub(super) fn change(before: u64, after: u64, noun: &str) -> String {
    format!("{} before, {} now", counted(before, noun), counted(after, noun))
}

pub(super) fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..120_000 => format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100),
        _ => format!("{} min {} s", milliseconds / 60_000, milliseconds / 1000 % 60),
    }
}

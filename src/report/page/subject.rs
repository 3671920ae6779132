//! The inputs and files of a job, before and after.

use camino::Utf8Path;
use serde::Serialize;

use super::code::{Code, Language, UNTRIED, class_and_words, shortened};
use super::cut::{self, label};
use crate::report::phrases::grouped;
use crate::report::summary::seen_from;
use crate::report::{Event, Input, Part, ReducedFile};

/// Bytes of a text as it was that are shown, unless there are many.
const BEFORE: usize = 6_000;
/// Bytes of all texts as they were.
const ALL_BEFORE: usize = 60_000;
/// Bytes of a result that are shown.
const AFTER: usize = 20_000;
/// Bytes of all results.
const ALL_AFTER: usize = 60_000;
/// Subjects that are shown.
const MOST_SUBJECTS: usize = 200;

/// An input or a file.
#[derive(Debug, Serialize)]
pub(super) struct SubjectView {
    /// Its place.
    name: String,
    /// What it is, if it is more than a file.
    about: String,
    /// Its sizes before and after: what is counted, and how many.
    sizes: Vec<Size>,
    is_unchanged: bool,
    /// Whether parts are lines rather than characters.
    has_lines: bool,
    before: Code,
    after: Code,
    /// Whether nothing is left of it.
    is_gone: bool,
    /// What happens without each part, in numbers: of how many parts each outcome came.
    outcomes: Vec<OutcomeCount>,
    parts: Vec<PartView>,
}

#[derive(Debug, Serialize)]
struct Size {
    noun: &'static str,
    before: String,
    after: String,
    /// What is left, in percent.
    percent: f64,
}

#[derive(Debug, Serialize)]
struct OutcomeCount {
    class: &'static str,
    said: String,
}

/// A part of a text, and what happens without it.
#[derive(Debug, Serialize)]
pub(super) struct PartView {
    text: Code,
    class: &'static str,
    said: String,
}

/// The input with this number.
pub(super) fn input_of(id: usize, events: &[Event]) -> Option<&Input> {
    events.iter().find_map(|event| match event {
        Event::Input(input) if input.id == id => Some(input),
        _ => None,
    })
}

/// All that events tell of, in their order, with files as seen from `folder`.
pub(super) fn subjects(events: &[Event], folder: &Utf8Path) -> Vec<SubjectView> {
    let is_one = |event: &&Event| matches!(event, Event::Reduced(_) | Event::File(_));
    let count = events.iter().filter(is_one).count().max(1);
    let budget =
        Budget { before: BEFORE.min(ALL_BEFORE / count), after: AFTER.min(ALL_AFTER / count) };
    let views = events.iter().filter_map(|event| match event {
        Event::Reduced(reduced) => {
            let id = reduced.id;
            let (name, about) = input_of(id, events).map_or_else(
                || (format!("input {id}"), String::new()),
                |input| {
                    let read = input.path.as_ref().map(|path| format!(" from {path}"));
                    let about = format!(
                        "input {id}: {}, {}{}, {}",
                        input.kind,
                        input.origin,
                        read.unwrap_or_default(),
                        input.tier.name()
                    );
                    (format!("{}:{}", input.file, input.line), about)
                },
            );
            let (before, after) = (reduced.elements_before, reduced.elements_after);
            let sizes = vec![Size::new("element", before as u64, after as u64)];
            let (before, after) = (&reduced.original, &reduced.text);
            let texts = Texts { before, after, language: Language::Rust };
            Some(SubjectView::new(&name, &about, sizes, &texts, &reduced.parts, &budget))
        }
        Event::File(file) => Some(file_view(file, folder, &budget)),
        _ => None,
    });
    views.take(MOST_SUBJECTS).collect()
}

fn file_view(file: &ReducedFile, folder: &Utf8Path, budget: &Budget) -> SubjectView {
    let language = match file.path.rsplit_once('.') {
        Some((_, "rs")) => Language::Rust,
        _ => Language::Plain,
    };
    let about = match file.files_before {
        0 | 1 => String::new(),
        files => format!("{files} files in one"),
    };
    let sizes = vec![
        Size::new("line", file.lines_before, file.lines_after),
        Size::new("byte", file.bytes_before, file.bytes_after),
    ];
    let texts = Texts { before: &file.before, after: &file.after, language };
    let name = seen_from(folder, &file.path);
    SubjectView::new(&name, &about, sizes, &texts, &file.parts, budget)
}

/// How many bytes of one text are shown.
struct Budget {
    before: usize,
    after: usize,
}

/// A text as it was and as it is.
struct Texts<'t> {
    before: &'t str,
    after: &'t str,
    language: Language,
}

impl SubjectView {
    fn new(
        name: &str,
        about: &str,
        sizes: Vec<Size>,
        texts: &Texts<'_>,
        parts: &[Part],
        budget: &Budget,
    ) -> SubjectView {
        let Texts { before, after, language } = *texts;
        SubjectView {
            name: cut::name(name),
            about: label(about),
            sizes,
            is_unchanged: before == after,
            has_lines: parts.iter().any(|part| part.range.len() > 12),
            before: Code::new(before, language, &[], budget.before),
            after: Code::new(after, language, parts, budget.after),
            is_gone: after.is_empty(),
            outcomes: counted_outcomes(parts),
            parts: part_views(parts, after),
        }
    }
}

/// How many parts lead to what, in words of the job where these are the same for all of them.
fn counted_outcomes(parts: &[Part]) -> Vec<OutcomeCount> {
    let classes = [
        ("passes", "it does not fail"),
        ("differs", "it fails in another way"),
        ("fails", "it fails in the same way"),
        (UNTRIED, "not known, because it was not tried alone"),
    ];
    let counts = classes.into_iter().filter_map(|(class, in_general)| {
        let mut these = parts.iter().map(class_and_words).filter(|(of, _)| *of == class).peekable();
        let first = these.peek()?.1;
        let (count, is_one) = these.fold((0, true), |(count, is_one), (_, said)| {
            (count + 1, is_one && said == first && class != UNTRIED)
        });
        let said = shortened(if is_one { first } else { in_general });
        let said = match parts.len() {
            1 => format!("without this part, {said}"),
            all => {
                let (count, all) = (grouped(count), grouped(all as u64));
                format!("{count} of {all} parts: without it, {said}")
            }
        };
        Some(OutcomeCount { class, said })
    });
    counts.collect()
}

/// The parts of `text`, and what happens without each.
pub(super) fn part_views(parts: &[Part], text: &str) -> Vec<PartView> {
    // What is left out is not there to be pointed at.
    let shown = parts.iter().filter(|part| part.range.end <= text.len());
    shown.map(|part| PartView::new(part, text)).collect()
}

impl PartView {
    fn new(part: &Part, text: &str) -> PartView {
        const LONGEST: usize = 400;
        let shown = text.get(part.range.clone()).unwrap_or_default();
        let (class, said) = class_and_words(part);
        PartView {
            text: Code::new(shown, Language::Plain, &[], LONGEST),
            class,
            said: shortened(said),
        }
    }
}

impl Size {
    fn new(noun: &'static str, before: u64, after: u64) -> Size {
        let share = |part: u64| f64::from(u32::try_from(part).unwrap_or(u32::MAX));
        let percent = if before == 0 { 100.0 } else { 100.0 * share(after) / share(before) };
        Size { noun, before: grouped(before), after: grouped(after), percent: percent.min(100.0) }
    }
}

//! Which bytes go when elements of a sequence are removed.

use std::ops::Range;

use super::Edits;
use super::position::start_of_line;

/// What stands between the elements.
pub(crate) enum Gap {
    /// Separators; all elements stand in the bytes `inside`.
    Separators {
        /// The bytes between the brackets.
        inside: Range<usize>,
    },
    /// Blanks; each element is a call of a chain.
    Blanks,
    /// Nothing; each element is a statement, alone on its lines or not.
    Lines,
}

/// The bytes between the brackets of a list that takes up `whole`.
pub(crate) fn inside(text: &str, whole: &Range<usize>, elements: &[Range<usize>]) -> Range<usize> {
    let first = elements.first().map_or(whole.end, |element| element.start);
    let open = text[whole.start..first].rfind(['[', '(', '{']);
    let start = open.map_or(first, |at| whole.start + at + 1);
    start..whole.end.saturating_sub(1).max(start)
}

/// The ranges to remove, in order. Where nothing is kept between brackets, all between them goes.
pub(crate) fn ranges(
    text: &str,
    elements: &[Range<usize>],
    is_kept: &[bool],
    gap: &Gap,
) -> Vec<Range<usize>> {
    let removed = elements.iter().zip(is_kept).filter(|(_, kept)| !**kept);
    let removed = removed.map(|(element, _)| element);
    match gap {
        Gap::Lines => without_overlap(removed.map(|it| with_lines(text, it))),
        Gap::Blanks => without_overlap(removed.map(|it| text[..it.start].trim_end().len()..it.end)),
        Gap::Separators { inside } if !is_kept.contains(&true) => vec![inside.clone()],
        Gap::Separators { .. } => list_runs(elements, is_kept),
    }
}

/// What to replace by what, so that a list that took several lines stands on one: the rest of its elements,
/// which `edits` changes, fits there and no comment stands between them. `None` if it does not.
pub(crate) fn one_line(
    text: &str,
    edits: &Edits,
    elements: &[Range<usize>],
    is_kept: &[bool],
    inside: &Range<usize>,
) -> Option<Vec<(Range<usize>, &'static str)>> {
    const WIDTH: usize = 80;
    if !text[inside.clone()].contains('\n') || has_comment(text, elements, inside) {
        return None;
    }
    let kept = elements.iter().zip(is_kept).filter(|(_, kept)| **kept);
    let kept: Vec<&Range<usize>> = kept.map(|(element, _)| element).collect();
    let (first, last) = (kept.first()?, kept.last()?);
    let mut width = inside.start - start_of_line(text, inside.start);
    for range in &kept {
        let element = edits.edited(text, range);
        width += element.len() + ", ".len();
        if element.contains('\n') || width > WIDTH {
            return None;
        }
    }
    let between = kept.windows(2).map(|pair| (pair[0].end..pair[1].start, ", "));
    let start = (inside.start..first.start, "");
    let end = (last.end..inside.end, "");
    let gaps = [start].into_iter().chain(between).chain([end]);
    Some(gaps.filter(|(gap, _)| !gap.is_empty()).collect())
}

/// Whether a comment stands beside an element.
fn has_comment(text: &str, elements: &[Range<usize>], inside: &Range<usize>) -> bool {
    let starts = elements.iter().map(|element| element.start);
    let ends = elements.iter().map(|element| element.end);
    let from = [inside.start].into_iter().chain(ends);
    let to = starts.chain([inside.end]);
    from.zip(to).any(|(from, to)| text[from..to].contains('/'))
}

/// The runs of removed elements of a list, along with what separates them.
pub(crate) fn list_runs(elements: &[Range<usize>], is_kept: &[bool]) -> Vec<Range<usize>> {
    runs(is_kept).map(|run| list_run(elements, &run)).collect()
}

/// The runs of removed elements.
fn runs(is_kept: &[bool]) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + is_kept[from..].iter().position(|kept| !kept)?;
        let end =
            is_kept[start..].iter().position(|kept| *kept).map_or(is_kept.len(), |at| start + at);
        from = end;
        Some(start..end)
    })
}

/// A run before a kept element goes up to that, which takes its place; a run at the end goes from
/// the end of the last kept element, whose separator the last removed one leaves.
fn list_run(elements: &[Range<usize>], run: &Range<usize>) -> Range<usize> {
    if let Some(next) = elements.get(run.end) {
        return elements[run.start].start..next.start;
    }
    let before = run.start.checked_sub(1);
    let start = before.map_or(elements[0].start, |before| elements[before].end);
    start..elements[run.end - 1].end
}

/// A statement with its lines if it is alone on them, else with the blanks after it.
pub(crate) fn with_lines(text: &str, statement: &Range<usize>) -> Range<usize> {
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r');
    let before = text[..statement.start].trim_end_matches(is_blank);
    let after = text[statement.end..].trim_start_matches(is_blank);
    let rest = text.len() - after.len();
    if (before.is_empty() || before.ends_with('\n')) && after.starts_with('\n') {
        return before.len()..rest + 1;
    }
    if after.starts_with('\n') {
        return before.len()..statement.end;
    }
    statement.start..rest
}

fn without_overlap(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut end = 0;
    let cut = ranges.map(|range| {
        let range = range.start.max(end)..range.end;
        end = range.end;
        range
    });
    cut.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Removes the elements of `text` (the words of lower-case letters) that are not in `kept`.
    fn remove(text: &str, kept: &[&str], lines: bool) -> String {
        let words = regex::Regex::new(if lines { r"[a-z]+\(\);" } else { "[a-z]+" }).unwrap();
        let elements: Vec<Range<usize>> = words.find_iter(text).map(|word| word.range()).collect();
        let is_kept: Vec<bool> =
            elements.iter().map(|range| kept.contains(&&text[range.clone()])).collect();
        let gap = if lines {
            Gap::Lines
        } else {
            Gap::Separators { inside: inside(text, &(0..text.len()), &elements) }
        };
        let mut edits = Edits::default();
        for range in ranges(text, &elements, &is_kept, &gap) {
            edits.remove(range);
        }
        edits.apply(text)
    }

    #[test]
    fn elements_go_with_their_separators() {
        assert_eq!(remove("[a, b, c]", &["b", "c"], false), "[b, c]");
        assert_eq!(remove("[a, b, c]", &["a", "c"], false), "[a, c]");
        assert_eq!(remove("[a, b, c]", &["a"], false), "[a]");
        assert_eq!(remove("[a, b, c,]", &["a"], false), "[a,]");
        assert_eq!(remove("&[a, b]", &[], false), "&[]");
    }

    #[test]
    fn elements_on_lines_of_their_own_go_with_their_lines() {
        let text = "[\n    a,\n    b,\n    c,\n]";
        assert_eq!(remove(text, &["a", "c"], false), "[\n    a,\n    c,\n]");
        assert_eq!(remove(text, &["b"], false), "[\n    b,\n]");
        assert_eq!(remove(text, &[], false), "[]");
    }

    #[test]
    fn what_is_left_of_a_list_stands_on_one_line_where_it_fits() {
        let shortened = |text: &str, is_kept: &[bool]| {
            let words = regex::Regex::new("[a-z]+").unwrap();
            let elements: Vec<_> = words.find_iter(text).map(|word| word.range()).collect();
            let mut edits = Edits::default();
            edits.replace(elements[1].clone(), "new");
            let inside = inside(text, &(0..text.len()), &elements);
            let line = one_line(text, &edits, &elements, is_kept, &inside)?;
            for (range, with) in line {
                edits.replace(range, with);
            }
            Some(edits.apply(text))
        };
        let text = "[\n    a,\n    b, c,\n]";
        assert_eq!(shortened(text, &[true, true, false]).unwrap(), "[a, new]");
        assert_eq!(shortened(text, &[false, true, true]).unwrap(), "[new, c]");
        assert_eq!(shortened("[a, b, c]", &[true, true, false]), None);
        assert_eq!(shortened("[\n a, // one\n b]", &[false, true]), None);
        let long = format!("[\n a,\n b,\n {}]", "c".repeat(80));
        assert_eq!(shortened(&long, &[false, true, true]), None);
    }

    #[test]
    fn statements_go_with_their_lines() {
        let text = "{\n    a();\n    b(); c();\n    d();\n}";
        assert_eq!(remove(text, &["b();", "c();"], true), "{\n    b(); c();\n}");
        assert_eq!(
            remove(text, &["a();", "c();", "d();"], true),
            "{\n    a();\n    c();\n    d();\n}"
        );
        assert_eq!(remove(text, &["a();", "b();"], true), "{\n    a();\n    b();\n}");
        assert_eq!(remove(text, &[], true), "{\n    \n}");
    }
}

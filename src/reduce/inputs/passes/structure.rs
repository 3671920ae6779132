//! Balanced units of texts: brackets, quotes, tags.
//!
//! `{"a": [1, {"b": 2}], "c": "x"}` → `{"b": 2}` if only that matters.
//!
//! Top-down as in hierarchical delta debugging: the elements of a unit are reduced as a list
//! (separators included), the unit is removed, its content or one of the units inside is hoisted in
//! its place (Picireny's hoisting), and the pass goes on with what is left inside.

use std::iter;
use std::ops::Range;

use crate::reduce::Result;
use crate::reduce::inputs::Inputs;
use crate::reduce::inputs::chunks::{remove_chunks, without};
use crate::reduce::inputs::search::{PassContext, PatientSearch};
use crate::reduce::inputs::text::{TextLeaf, Unit, Units, text_leaves};

/// Reduces the units of each text.
pub(in super::super) fn reduce_units(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        reduce_leaf(search, leaf)?;
    }
    Ok(())
}

fn reduce_leaf(search: &mut PassContext, leaf: TextLeaf) -> Result<()> {
    let search = &mut search.within(leaf.chars(search.best()).len());
    let mut place = 0;
    let mut text = Text::read(search.best(), leaf);
    while !search.is_spent() {
        let Some(unit) = text.units.get(place) else { return Ok(()) };
        let before = search.accepted();
        remove_unit(search, &text, unit)?;
        if search.accepted() == before {
            remove_elements(search, &text, place, unit)?;
        }
        if search.accepted() == before {
            shorten(search, &text, place, unit)?;
        }
        if search.accepted() > before {
            // What comes before this place does not change any more, so the place stays valid.
            text = Text::read(search.best(), leaf);
        } else {
            place += 1;
        }
    }
    Ok(())
}

/// A text with its units.
struct Text {
    leaf: TextLeaf,
    chars: Vec<char>,
    units: Units,
}

impl Text {
    fn read(inputs: &Inputs, leaf: TextLeaf) -> Text {
        let chars = leaf.chars(inputs);
        let units = Units::of(&chars);
        Text { leaf, chars, units }
    }

    /// The candidate in which `range` is replaced by `parts` of the same text.
    fn splice(
        &self,
        base: &Inputs,
        range: Range<usize>,
        parts: impl IntoIterator<Item = Range<usize>>,
    ) -> Inputs {
        let mut chars = Vec::with_capacity(self.chars.len());
        chars.extend_from_slice(&self.chars[..range.start]);
        for part in parts {
            chars.extend_from_slice(&self.chars[part]);
        }
        chars.extend_from_slice(&self.chars[range.end..]);
        self.leaf.with_chars(base, &chars)
    }
}

impl Text {
    /// What stands behind the first colon (or `=`) of an element.
    fn value_of(&self, element: &Element, children: &[Unit]) -> Option<Range<usize>> {
        let mut places = outside(element.text.clone(), children);
        let mark = places.find(|&idx| matches!(self.chars[idx], ':' | '='))?;
        let spaces =
            self.chars[mark + 1..element.text.end].iter().take_while(|c| c.is_whitespace());
        Some(mark + 1 + spaces.count()..element.text.end)
    }

    /// The candidate in which a map `{k: v, l: w}` is a list `[v, w]`; if the unit is none, one that
    /// is not smaller.
    fn without_keys(&self, base: &Inputs, unit: Unit, values: Vec<Range<usize>>) -> Inputs {
        if self.chars.get(unit.start) != Some(&'{') || values.is_empty() {
            return base.clone();
        }
        let values: Vec<&[char]> = values.into_iter().map(|value| &self.chars[value]).collect();
        let list = values.join(&',');
        let mut chars = self.chars[..unit.start].to_vec();
        chars.push('[');
        chars.extend(list);
        chars.push(']');
        chars.extend_from_slice(&self.chars[unit.end..]);
        self.leaf.with_chars(base, &chars)
    }
}

/// Removes the unit, or all but its opening and closing parts.
fn remove_unit(search: &mut PatientSearch, text: &Text, unit: Unit) -> Result<()> {
    let base = search.best().clone();
    let kept = [vec![], vec![unit.opening(), unit.closing()]];
    let candidates = kept.into_iter().map(|parts| text.splice(&base, unit.range(), parts));
    search.consider_first(candidates)?;
    Ok(())
}

/// Puts something shorter in the place of the unit: one of the units directly inside, its content,
/// the value of a `key: value` element, its values without their keys, or its opening part.
fn shorten(search: &mut PatientSearch, text: &Text, place: usize, unit: Unit) -> Result<()> {
    let base = search.best().clone();
    let children = text.units.children(place);
    let elements = elements(&text.chars, unit, &children);
    let values = || elements.iter().filter_map(|element| text.value_of(element, &children));
    let parts = children.iter().map(|child| child.range());
    let parts = parts.chain(iter::once(unit.content())).chain(values());
    let shorter = parts.chain(iter::once(unit.opening()));
    let candidates = shorter
        .map(|part| text.splice(&base, unit.range(), [part]))
        .chain(iter::once_with(|| text.without_keys(&base, unit, values().collect())));
    search.consider_first(candidates)?;
    Ok(())
}

/// Removes elements of the unit's content, with the separators before them.
fn remove_elements(
    search: &mut PatientSearch,
    text: &Text,
    place: usize,
    unit: Unit,
) -> Result<()> {
    let elements = elements(&text.chars, unit, &text.units.children(place));
    if elements.len() < 2 {
        return Ok(());
    }
    let build = |base: &Inputs, elements: &[Element], removed: Range<usize>| {
        let kept = without(elements, removed);
        let first = kept.first().map(|element| element.text.clone());
        let others = kept.iter().skip(1).map(|element| element.separator.start..element.text.end);
        text.splice(base, unit.content(), first.into_iter().chain(others))
    };
    remove_chunks(search, elements, build)
}

/// An element of a list in a text, and what separates it from the one before.
#[derive(Debug, Clone)]
struct Element {
    separator: Range<usize>,
    text: Range<usize>,
}

/// The elements of a unit's content: what stands between commas or semicolons; without them, each
/// unit inside with the text before it.
fn elements(chars: &[char], unit: Unit, children: &[Unit]) -> Vec<Element> {
    let content = unit.content();
    let outside = || outside(content.clone(), children);
    let separator = [',', ';'].into_iter().find(|&mark| outside().any(|idx| chars[idx] == mark));
    let cuts: Vec<Range<usize>> = match separator {
        Some(mark) => outside().filter(|&idx| chars[idx] == mark).map(|idx| idx..idx + 1).collect(),
        None => children.iter().map(|child| child.end..child.end).collect(),
    };
    let mut elements = Vec::with_capacity(cuts.len() + 1);
    let mut before = content.start..content.start;
    for cut in cuts.into_iter().chain(iter::once(content.end..content.end)) {
        if separator.is_some() || before.end < cut.start {
            elements.push(Element { separator: before.clone(), text: before.end..cut.start });
        }
        before = cut;
    }
    elements
}

/// The places in `range` that are in none of the units.
fn outside(range: Range<usize>, units: &[Unit]) -> impl Iterator<Item = usize> {
    let within = |unit: &&Unit| unit.start >= range.start && unit.end <= range.end;
    let starts = units.iter().filter(within).map(|unit| unit.end);
    let ends = units.iter().filter(within).map(|unit| unit.start);
    let gaps = iter::once(range.start).chain(starts).zip(ends.chain(iter::once(range.end)));
    let gaps: Vec<Range<usize>> = gaps.map(|(start, end)| start..end).collect();
    gaps.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{inputs, reduce_within, text, the_text};

    use super::*;

    #[track_caller]
    fn check(original: &str, fails: impl Fn(&str) -> bool, expected: &str, most: u64) {
        let best = reduce_within(most, inputs([text(original)]), reduce_units, |inputs| {
            fails(the_text(inputs))
        });
        assert_eq!(the_text(&best), expected);
    }

    #[test]
    fn a_nested_unit_is_hoisted() {
        check(
            r#"{"a": [1, {"b": 2}], "c": "x"}"#,
            |text| text.contains(r#"{"b": 2}"#),
            r#"{"b": 2}"#,
            50,
        );
    }

    #[test]
    fn a_map_becomes_a_list_and_a_value_stands_for_its_map() {
        let valid = [r#"{"k": {"x": 7}}"#, r#"[{"x": 7}]"#, "[7]"];
        let fails = |text: &str| valid.contains(&text);
        check(r#"{"k": {"x": 7}}"#, fails, "[7]", 30);
    }

    #[test]
    fn elements_go_with_their_separators() {
        let fails = |text: &str| {
            !text.contains(",,")
                && !text.contains("(,")
                && !text.contains(",)")
                && text.starts_with("f(")
                && text.contains("{7}")
        };
        check("f(1,{2},3,{7},x,[y,z])", fails, "f({7})", 30);
    }

    #[test]
    fn an_opening_goes_with_its_closing() {
        let balanced = |text: &str| {
            text.matches("<b>").count() == text.matches("</b>").count() && text.contains("x<i>")
        };
        check("<p><b>one x<i> two</b></p>", balanced, "one x<i>", 40);
    }
}

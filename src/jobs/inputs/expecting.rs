//! A side of a comparison that stands in an input, though no literal of its own says so: a row of a table that is read from
//! a file, or a file with the result.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::origin::Derived;
use super::probe_run::ProbeRun;
use super::starting_point::{Start, pinned};
use super::subject::Subject;
use crate::app::failure::Result;
use crate::app::session::Session;
use crate::oracle::signature::{Match, sides};
use crate::reduce::inputs::{Body, Int, Node, NodeId, Value};
use crate::source::Compared;

/// Texts that mean something in few languages.
const OTHERS: [&str; 4] = ["0", "a", "x y", "7z"];
/// In so many values a side is looked for.
const MOST_VALUES: usize = 64;

impl Start {
    /// Holds on to the wrong result where what it should be stands in an input.
    ///
    /// # Errors
    /// When the probe cannot be run.
    pub(super) fn expecting(&mut self, session: &Session) -> Result<()> {
        if !matches!(self.original.rule, Match::Relation) {
            return Ok(());
        }
        self.keep_last_operations();
        let is_expected =
            ProbeRun::new(&session.config, self, &session.interrupt)?.expects_of_an_input()?;
        if is_expected || !self.keep_what_one_side_comes_from() {
            self.pin(session);
            return Ok(());
        }
        let run = ProbeRun::new(&session.config, self, &session.interrupt)?;
        let is_property = self.subject.derived.as_ref().is_some_and(Derived::is_of_property);
        if !is_property && run.fails_with_others()? {
            self.subject.found.compared = Compared::ForSome;
        }
        Ok(())
    }

    /// Keeps the inputs that only one side of the failing comparison comes from: of those it says something, and nothing of
    /// others in their place. Whether there are inputs of both, or nobody knows of which the sides come.
    fn keep_what_one_side_comes_from(&mut self) -> bool {
        let Some((file, offset)) = self.subject.failed_at(&self.original.signature) else {
            return true;
        };
        let code = self.subject.test_code();
        let Subject { found, krate, .. } = &mut self.subject;
        let Some(sides) = krate.sides(file, offset, code) else { return true };
        if sides.is_for_some {
            found.compared = Compared::ForSome;
        }
        let sides_of = |id: NodeId| {
            let twins = found.twins.get(&id).into_iter().flatten();
            let places = twins.chain([&id]).map(|id| krate.sides_of(&sides, found.place(*id)));
            places.fold([false; 2], |all, one| [all[0] || one[0], all[1] || one[1]])
        };
        let known = found.inputs.nodes().map(|node| (node.id, sides_of(node.id)));
        let (both, one): (Vec<_>, Vec<_>) = known
            .filter(|(_, sides)| *sides != [false; 2])
            .partition(|(_, sides)| *sides == [true; 2]);
        if both.is_empty() {
            return one.is_empty();
        }
        found.kept.extend(one.iter().map(|(id, _)| *id));
        true
    }

    /// Keeps the last operation of sequences behind which both sides are looked at: it may be what makes them equal (`Send`,
    /// `Flush`), so that without it they differ whatever the code does.
    fn keep_last_operations(&mut self) {
        let Some((file, offset)) = self.subject.failed_at(&self.original.signature) else { return };
        let Subject { found, krate, .. } = &mut self.subject;
        let around = krate.tables_around(file, offset);
        let name = |node: &Arc<Node>| {
            let place = found.place(node.id);
            let text = &krate.file(place.file).text[place.range()];
            text.split(['(', '{']).next().unwrap_or_default().trim().to_owned()
        };
        let is_variant = |name: &String| {
            name.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase))
        };
        let last = found.inputs.nodes().filter_map(|node| {
            let Body::Seq(elements) = &node.body else { return None };
            let place = found.place(node.id);
            let is_around = place.file == file && around.contains(&place.range());
            let names: BTreeSet<String> = elements.iter().map(name).collect();
            let are_operations = names.len() > 1 && names.iter().all(is_variant);
            elements.last().filter(|_| are_operations && !is_around).map(|last| last.id)
        });
        let last: Vec<NodeId> = last.collect();
        found.kept.extend(last);
    }

    /// Takes one side of the failing comparison for a value that is expected, not computed.
    pub(super) fn pin(&mut self, session: &Session) {
        self.subject.found.compared = Compared::Expected;
        self.original.rule = pinned(session, &self.original.signature, Match::Values);
    }
}

impl ProbeRun<'_> {
    /// Whether one of two sides that should be equal stands in an input, and the other one is the result: with another word
    /// there, only the side that stands there is another one.
    pub(super) fn expects_of_an_input(&self) -> Result<bool> {
        let Start { subject, original, .. } = self.start;
        let inputs = &subject.found.inputs;
        let Some((left, right)) = sides(&original.signature.message) else { return Ok(false) };
        for (side, is_left) in [(bare(right), false), (bare(left), true)] {
            let given = self.given(side);
            let values = inputs.leaves().filter_map(|(id, value)| another_value(id, value, side));
            for changed in values.take(MOST_VALUES) {
                let others = given.iter().filter(|(id, _)| *id != changed.0);
                let candidate =
                    others.chain([&changed]).fold(inputs.clone(), |inputs, (id, value)| {
                        inputs.with_value(*id, value.clone())
                    });
                let shown = self.shown_at_call(Some(&candidate), |job| job)?;
                let shown = shown.filter(|it| it.location == original.signature.location);
                let now = shown.as_ref().and_then(|shown| sides(&shown.message));
                let is_alone = match now {
                    Some((now, still)) if is_left => now != left && still == right,
                    Some((now, still)) => now == left && still != right,
                    // There are only two of them: the other one is what the result is.
                    None => matches!(changed.1, Value::Bool(_)),
                };
                if is_alone {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the comparison fails with any other texts as well: `print(parse(text)) == text` says something of texts that can
    /// be parsed, and `decode(encode(text)) == text` of all. Others stand in the place of what is expected back. Where that is
    /// no text, and it fails with all of them in the same way, the texts have nothing to do with it.
    fn fails_with_others(&self) -> Result<bool> {
        let Start { subject, original, .. } = self.start;
        let inputs = &subject.found.inputs;
        let sides = sides(&original.signature.message).map_or_else(Vec::new, |(a, b)| vec![a, b]);
        let all = || inputs.leaves().filter(|(_, value)| matches!(value, Value::Text(_)));
        let is_side = |value: &Value| sides.iter().any(|side| is_shown(value, bare(side)));
        let mut texts: Vec<NodeId> =
            all().filter(|(_, value)| is_side(value)).map(|(id, _)| id).collect();
        let is_of_texts = !texts.is_empty();
        if !is_of_texts {
            texts = all().map(|(id, _)| id).collect();
        }
        if texts.is_empty() {
            return Ok(false);
        }
        let matcher = original.matcher(subject);
        let mut is_other = false;
        for other in OTHERS {
            let others = texts.iter().fold(inputs.clone(), |all, id| all.with_text(*id, other));
            let shown = self.shown_at_call(Some(&others), |job| job)?;
            let at_place = shown.filter(|it| it.location == original.signature.location);
            let Some(shown) = at_place else { return Ok(false) };
            is_other |= is_of_texts || !matcher.is_same(&shown, inputs);
        }
        Ok(is_other)
    }

    /// The values that were seen at one place only, and that are this side, with another word in them: the test may hold the
    /// same value at other places.
    fn given(&self, side: &str) -> Vec<(NodeId, Value)> {
        let observed = self.start.subject.found.observed_inputs();
        let given = observed.leaves().filter(|(_, value)| is_shown(value, side));
        given.filter_map(|(id, value)| another_value(id, value, side)).collect()
    }
}

/// What a side of a comparison shows within `Some(…)`, `Ok(…)` and the like.
fn bare(side: &str) -> &str {
    let inside = ["Some(", "Ok(", "Err("].iter().find_map(|head| side.strip_prefix(head));
    inside.and_then(|it| it.strip_suffix(')')).map_or(side, bare)
}

/// Whether a side of a comparison shows this text.
fn is_shown(value: &Value, side: &str) -> bool {
    match value {
        Value::Text(text) => [text, text.trim()].iter().any(|it| format!("{it:?}") == side),
        _ => false,
    }
}

/// The leaf with another value, if it is or tells what this side of a comparison shows.
fn another_value(id: NodeId, value: &Value, side: &str) -> Option<(NodeId, Value)> {
    let other = match value {
        Value::Text(text) => value.with_text(&with_another(text, side)?),
        Value::Bool(it) if it.to_string() == side => Value::Bool(!it),
        Value::Int(int) if !int.negative && int.magnitude.to_string() == side => {
            Value::Int(Int::new(false, if int.magnitude == 0 { 1 } else { int.magnitude - 1 }))
        }
        _ => return None,
    };
    Some((id, other))
}

/// A text in which another word or number stands wherever there is what this side of a comparison shows; `None` if that
/// stands nowhere.
fn with_another(text: &str, side: &str) -> Option<String> {
    let side = side.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(side);
    if !side.contains(char::is_alphanumeric) {
        return None;
    }
    let shown = format!("{text:?}");
    let mut chars: Vec<char> = text.chars().collect();
    let places = characters(text, 1);
    let mut is_there = false;
    let joins = |one: Option<char>, other: Option<char>| {
        [one, other].iter().all(|it| it.is_some_and(char::is_alphanumeric))
    };
    for (start, _) in shown.match_indices(side) {
        let end = start + side.len();
        let first = places.partition_point(|place| place.start < start);
        let behind = places.partition_point(|place| place.end <= end);
        let before = first.checked_sub(1).map(|at| chars[at]);
        let is_part = joins(before, side.chars().next())
            || joins(side.chars().last(), chars.get(behind).copied());
        let last = (first..behind).rev().find(|at| chars[*at].is_alphanumeric());
        if let Some(at) = last.filter(|_| !is_part) {
            chars[at] = match chars[at] {
                '0' => '1',
                '1'..='9' => '0',
                'x' => 'y',
                _ => 'x',
            };
            is_there = true;
        }
    }
    is_there.then(|| chars.into_iter().collect())
}

/// The bytes that show each character of a text in debug output, which begins at `start`.
fn characters(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut at = start;
    text.chars()
        .map(|it| {
            // In a text, the other quote is no special character.
            let length = match it {
                '\'' => 1,
                it => it.escape_debug().map(char::len_utf8).sum(),
            };
            at += length;
            at - length..at
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{bare, with_another};

    #[test]
    fn a_side_is_looked_for_without_what_wraps_it() {
        assert_eq!(bare(r#"Ok(Some("Nf6+"))"#), r#""Nf6+""#);
        assert_eq!(bare("Some(Point(1, 2))"), "Point(1, 2)");
        assert_eq!(bare("None"), "None");
    }

    #[test]
    fn another_word_stands_where_a_side_is_shown() {
        let another = |text: &str, side: &str| with_another(text, side);
        assert_eq!(another("a b | \"c\"\nd", r#""\"c\"""#).as_deref(), Some("a b | \"x\"\nd"));
        assert_eq!(another("7 17 | 7", "7").as_deref(), Some("0 17 | 0"));
        assert_eq!(another("8\n7\n8", "7").as_deref(), Some("8\n0\n8"));
        assert_eq!(another("17", "7"), None);
        assert_eq!(another("-", r#""-""#), None);
    }
}

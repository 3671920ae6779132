//! Parts of a text, or operations, removed while the numbers that are places behind them move along.
//!
//! `("one two three", slice(8, 11))` → `("thr", slice(0, 3))`; `[Insert(0, "ab"), Remove(3)]` → `[Remove(1)]`

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::reduce::Result;
use crate::reduce::inputs::chunks::{remove_chunks, without};
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::text::{TextLeaf, text_leaves};
use crate::reduce::inputs::{Inputs, Int, Node, NodeId, Value};

use super::elements::{length, remove_each_along, sequences};

/// How many texts, and how many sequences, are tried.
const MOST: usize = 8;
/// How many candidates in a row may fail.
const MISSES: usize = 120;
/// Sequences longer than this are left alone.
const LONGEST: usize = 64;
/// More numbers than this are hardly all places.
const MOST_PLACES: usize = 256;

/// Removes parts of each text; numbers that may be places in it move along: all of them, or those of one other input.
pub(in super::super) fn remove_text_before_places(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()).into_iter().take(MOST) {
        let chars = leaf.chars(search.best());
        let measures: &[Measure] = if leaf.is_bytes || chars.iter().all(char::is_ascii) {
            &[Measure::Characters]
        } else {
            &[Measure::Characters, Measure::Bytes]
        };
        for measure in measures {
            for scope in scopes(search.best(), &chars, *measure) {
                remove_before(search, leaf, *measure, &scope)?;
            }
        }
    }
    Ok(())
}

/// In what places in a text are counted.
#[derive(Debug, Clone, Copy)]
enum Measure {
    Characters,
    Bytes,
}

impl Measure {
    fn of(self, chars: &[char]) -> u128 {
        match self {
            Measure::Characters => chars.len() as u128,
            Measure::Bytes => chars.iter().map(|it| it.len_utf8() as u128).sum(),
        }
    }
}

/// The groups of numbers that may be places in a text: all, and if there are several inputs, those of each.
fn scopes(inputs: &Inputs, chars: &[char], measure: Measure) -> Vec<Vec<NodeId>> {
    let end = measure.of(chars);
    let is_place = |value: &Value| matches!(value, Value::Int(int) if is_within(*int, end));
    let of_root = |root: &Arc<Node>| -> Vec<NodeId> {
        let alone = Inputs(vec![Arc::clone(root)]);
        alone.leaves().filter(|(_, value)| is_place(value)).map(|(id, _)| id).collect()
    };
    let mut scopes: Vec<Vec<NodeId>> = inputs.0.iter().map(of_root).collect();
    scopes.retain(|scope| !scope.is_empty() && scope.len() <= MOST_PLACES);
    if scopes.len() > 1 {
        scopes.insert(0, scopes.concat());
    }
    scopes
}

fn is_within(int: Int, end: u128) -> bool {
    !int.negative && int.magnitude > 0 && int.magnitude <= end
}

fn remove_before(
    search: &mut PassContext,
    leaf: TextLeaf,
    measure: Measure,
    scope: &[NodeId],
) -> Result<()> {
    let chars = leaf.chars(search.best());
    remove_chunks(&mut search.missing_at_most(MISSES), chars, |base, chars, removed| {
        let start = measure.of(&chars[..removed.start]);
        let end = start + measure.of(&chars[removed.clone()]);
        let moved = moved(base, scope, |place| {
            (place > start).then(|| if place < end { start } else { place - (end - start) })
        });
        leaf.with_chars(&moved, &without(chars, removed))
    })
}

/// The candidate in which the numbers of `scope` are what `place` makes of them.
fn moved(base: &Inputs, scope: &[NodeId], place: impl Fn(u128) -> Option<u128>) -> Inputs {
    scope.iter().fold(base.clone(), |inputs, id| match base.value(*id) {
        Some(Value::Int(int)) if !int.negative => match place(int.magnitude) {
            Some(magnitude) => inputs.with_value(*id, Value::Int(int.with_magnitude(magnitude))),
            None => inputs,
        },
        _ => inputs,
    })
}

/// Removes each element of a sequence; the numbers behind it that are places behind its own move down by what it may have
/// put there, or up by what it may have taken away.
pub(in super::super) fn remove_elements_before_places(search: &mut PassContext) -> Result<()> {
    for id in sequences(search.best()).into_iter().take(MOST) {
        if (2..=LONGEST).contains(&length(search.best(), id)) {
            remove_each_along(search, id, moved_along)?;
        }
    }
    Ok(())
}

/// The inputs without an operation, with the numbers behind it moved.
fn moved_along<'f>(
    element: &Arc<Node>,
    fewer: &'f Inputs,
) -> Box<dyn Iterator<Item = Inputs> + 'f> {
    let Some((from, amounts)) = place_and_amounts(element) else {
        return Box::new(std::iter::empty());
    };
    let is_later =
        |(leaf, value): &(NodeId, &Value)| *leaf > element.id && matches!(value, Value::Int(_));
    let later = fewer.leaves().filter(is_later).map(|(leaf, _)| leaf);
    let later: Vec<NodeId> = later.take(MOST_PLACES).collect();
    if later.is_empty() {
        return Box::new(std::iter::empty());
    }
    Box::new(amounts.into_iter().flat_map(move |by| {
        let down = moved(fewer, &later, |place| {
            (place > from).then(|| place.saturating_sub(by).max(from))
        });
        let up = moved(fewer, &later, |place| (place >= from).then(|| place.saturating_add(by)));
        [down, up]
    }))
}

/// Where an operation may take place, and by how much it may move what stands behind.
fn place_and_amounts(element: &Arc<Node>) -> Option<(u128, BTreeSet<u128>)> {
    let alone = Inputs(vec![Arc::clone(element)]);
    let mut ints = Vec::new();
    let mut put: BTreeSet<u128> = BTreeSet::new();
    for (_, value) in alone.leaves() {
        match value {
            Value::Int(int) if !int.negative => ints.push(int.magnitude),
            Value::Text(text) => {
                put.extend([text.chars().count() as u128, text.len() as u128]);
            }
            Value::Bytes(bytes) => {
                put.insert(bytes.len() as u128);
            }
            Value::Char(it) => {
                put.insert(it.len_utf8() as u128);
            }
            _ => {}
        }
    }
    let (first, rest) = ints.split_first()?;
    let taken: BTreeSet<u128> = rest.iter().flat_map(|int| [*int, int.abs_diff(*first)]).collect();
    let mut amounts: BTreeSet<u128> = [1].into_iter().chain(put.iter().copied()).collect();
    amounts.extend(&taken);
    // What replaces something moves the rest by the difference.
    amounts.extend(taken.iter().flat_map(|taken| put.iter().map(|put| put.abs_diff(*taken))));
    amounts.remove(&0);
    Some((*first, amounts))
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{
        group, inputs, int, numbers, reduce_by, reduce_within, seq, text, the_text,
    };

    use super::*;

    #[test]
    fn a_place_in_a_text_stays_on_what_it_points_at() {
        let words = "the quick brown fox jumps over the lazy dog ".repeat(8);
        let at = words.find("lazy").unwrap() as i128;
        let all = inputs([text(&words), group([int(at), int(at + 4)])]);
        let best = reduce_within(60, all, remove_text_before_places, |inputs| {
            let places = numbers(inputs);
            let at = |place: i128| usize::try_from(place).unwrap();
            the_text(inputs).get(at(places[0])..at(places[1])).is_some_and(|it| it.contains("az"))
        });
        assert_eq!((the_text(&best), &numbers(&best)[..]), ("az", &[0, 2][..]));
    }

    #[test]
    fn places_are_counted_in_characters_or_in_bytes() {
        let all = inputs([text("äöü, é!"), int(10)]);
        let (best, _) = reduce_by(all, remove_text_before_places, |inputs| {
            let at = usize::try_from(numbers(inputs)[0]).unwrap();
            at >= 2 && the_text(inputs).get(at - 2..at) == Some("é")
        });
        assert_eq!((the_text(&best), numbers(&best)[0]), ("é", 2));
    }

    /// Edits of a text, each a place, how much is taken away there, and what is put there.
    fn edited(inputs: &Inputs) -> Option<Vec<char>> {
        let mut content: Vec<char> = "0123456789".chars().collect();
        for edit in inputs.0[0].children() {
            let alone = Inputs(vec![Arc::clone(edit)]);
            let ints = numbers(&alone);
            let at = usize::try_from(ints[0]).ok()?;
            let end = at + usize::try_from(ints[1]).ok()?;
            if end > content.len() {
                return None;
            }
            content.splice(at..end, the_text(&alone).chars());
        }
        Some(content)
    }

    /// Expects that these edits are reduced to the one that puts an `x` before the 8.
    fn leaves_the_last(edits: impl IntoIterator<Item = (i128, i128, &'static str)>) {
        let edits = edits.into_iter();
        let edits = edits.map(|(at, gone, put)| group([int(at), int(gone), text(put)]));
        let best =
            reduce_within(20, inputs([seq(edits)]), remove_elements_before_places, |inputs| {
                let content = edited(inputs).map(String::from_iter);
                content.is_some_and(|content| content.contains("7x8"))
            });
        assert_eq!(numbers(&best), [8, 0]);
    }

    #[test]
    fn an_edit_goes_while_later_ones_stay_where_they_were() {
        leaves_the_last([(2, 0, "abc"), (1, 2, ""), (9, 0, "x")]);
    }

    #[test]
    fn a_replacement_goes_while_later_ones_stay_where_they_were() {
        leaves_the_last([(1, 5, "abc"), (6, 0, "x")]);
    }
}

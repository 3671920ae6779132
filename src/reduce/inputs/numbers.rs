//! All integers of the inputs: those that are leaves, and those written inside texts.

use std::collections::BTreeMap;
use std::ops::Range;

use super::text::{TextLeaf, text_leaves};
use super::{Inputs, Int, NodeId, Value};

/// Texts longer than this are not searched for numbers.
const LONGEST_TEXT: usize = 2_000;

/// Where an integer stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NumberPlace {
    /// It is a leaf.
    Leaf(NodeId),
    /// It is written in decimal in a text, at these characters.
    Text(TextLeaf, Range<usize>),
}

/// Integers of the same value, which may mean the same thing.
#[derive(Debug, Clone)]
pub(super) struct Equal {
    pub(super) value: Int,
    pub(super) places: Vec<NumberPlace>,
}

/// The integers, equal ones together: the largest value first.
pub(super) fn equal_numbers(inputs: &Inputs) -> Vec<Equal> {
    let mut groups: BTreeMap<(u128, bool), Vec<NumberPlace>> = BTreeMap::new();
    for (id, value) in inputs.leaves() {
        if let Value::Int(int) = value {
            groups.entry((int.magnitude, int.negative)).or_default().push(NumberPlace::Leaf(id));
        }
    }
    for leaf in text_leaves(inputs) {
        let chars = leaf.chars(inputs);
        if chars.len() > LONGEST_TEXT {
            continue;
        }
        for (int, range) in written_numbers(&chars) {
            let key = (int.magnitude, int.negative);
            groups.entry(key).or_default().push(NumberPlace::Text(leaf, range));
        }
    }
    let equal =
        |((magnitude, negative), places)| Equal { value: Int::new(negative, magnitude), places };
    groups.into_iter().rev().map(equal).collect()
}

/// The decimal numbers in a text. A minus sign belongs to a number unless a word stands before it.
pub(super) fn written_numbers(chars: &[char]) -> Vec<(Int, Range<usize>)> {
    let mut numbers = Vec::new();
    let mut idx = 0;
    while idx < chars.len() {
        let start = idx;
        idx += chars[idx..].iter().take_while(|c| c.is_ascii_digit()).count();
        let digits: String = chars[start..idx].iter().collect();
        if let Ok(magnitude) = digits.parse() {
            let negative = is_minus(&chars[..start]);
            numbers.push((
                Int::new(negative, magnitude),
                start - usize::from(negative && magnitude > 0)..idx,
            ));
        }
        idx = idx.max(start + 1);
    }
    numbers
}

fn is_minus(before: &[char]) -> bool {
    match before {
        [.., word, '-'] => !word.is_alphanumeric(),
        ['-'] => true,
        _ => false,
    }
}

/// What to write in a text, and where.
type Edit = (Range<usize>, Int);

/// The candidate in which the integers at these places have other values.
pub(super) fn with_numbers<'c>(
    inputs: &Inputs,
    changes: impl IntoIterator<Item = (&'c [NumberPlace], Int)>,
) -> Inputs {
    let mut leaves: BTreeMap<NodeId, Int> = BTreeMap::new();
    let mut texts: BTreeMap<NodeId, (TextLeaf, Vec<Edit>)> = BTreeMap::new();
    for (places, int) in changes {
        for place in places {
            match place {
                NumberPlace::Leaf(id) => {
                    leaves.insert(*id, int);
                }
                NumberPlace::Text(leaf, range) => {
                    let (_, edits) = texts.entry(leaf.id).or_insert((*leaf, Vec::new()));
                    edits.push((range.clone(), int));
                }
            }
        }
    }
    let mut candidate = inputs.clone();
    for (id, int) in leaves {
        if matches!(candidate.value(id), Some(Value::Int(_))) {
            candidate = candidate.with_value(id, Value::Int(int));
        }
    }
    for (leaf, edits) in texts.into_values() {
        candidate = with_edits(&candidate, leaf, edits);
    }
    candidate
}

fn with_edits(inputs: &Inputs, leaf: TextLeaf, mut edits: Vec<Edit>) -> Inputs {
    let mut chars = leaf.chars(inputs);
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, int) in edits {
        if range.end <= chars.len() {
            chars.splice(range, int.to_string().chars());
        }
    }
    leaf.with_chars(inputs, &chars)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{inputs, int, text};
    use super::*;

    #[test]
    fn equal_numbers_are_found_in_leaves_and_texts() {
        let all = inputs([int(12), text("a 12, -7 x-3"), int(-7)]);
        let groups = equal_numbers(&all);
        let found: Vec<(String, usize)> =
            groups.iter().map(|group| (group.value.to_string(), group.places.len())).collect();
        assert_eq!(found, [("12".into(), 2), ("-7".into(), 2), ("3".into(), 1)]);
        let changes =
            [(&groups[0].places[..], Int::from(0)), (&groups[1].places[..], Int::from(5))];
        assert_eq!(with_numbers(&all, changes), inputs([int(0), text("a 0, 5 x-3"), int(5)]));
    }
}

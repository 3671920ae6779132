//! Inputs next to given ones: each differs from them in one element.

use std::collections::HashSet;

use super::{Body, Float, Inputs, Int, NodeId, Value};

/// How many elements of one value are changed, spread over the value.
const MOST_PLACES: usize = 48;
/// What stands in for an element, besides those of the same value: a letter, a digit, a blank, a sign, and what
/// takes more than one byte.
const SYMBOLS: [char; 6] = ['a', 'B', '0', ' ', '-', 'é'];
/// So many other symbols of a text stand in for each of its symbols.
const MOST_SYMBOLS: usize = 8;

/// How an input differs from the one it is next to, from the least difference on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difference {
    /// An element is another one.
    Replaced,
    /// An element is not there.
    Removed,
    /// An element is there twice.
    Doubled,
    /// There is an element more.
    Inserted,
    /// There is nothing left of the value.
    Emptied,
}

/// Inputs next to others.
#[derive(Debug, Clone)]
pub struct Neighbour {
    /// The inputs.
    pub inputs: Inputs,
    /// The one that differs.
    pub site: NodeId,
    /// At which of its elements.
    pub place: usize,
    /// How it differs.
    pub difference: Difference,
}

/// The neighbours of `inputs` that differ in one of the nodes that `may_differ`, each once.
#[must_use]
pub fn neighbours(inputs: &Inputs, may_differ: impl Fn(NodeId) -> bool) -> Vec<Neighbour> {
    let mut all = Vec::new();
    for node in inputs.nodes().filter(|node| may_differ(node.id)) {
        let mut add = |body: Body, place: usize, difference: Difference| {
            all.push(Neighbour {
                inputs: inputs.replace(node.id, body),
                site: node.id,
                place,
                difference,
            });
        };
        match &node.body {
            Body::Leaf(value) => {
                for (value, place, difference) in values(value) {
                    add(Body::Leaf(value), place, difference);
                }
            }
            Body::Seq(children) => {
                for place in spread(children.len()) {
                    let mut others = children.clone();
                    others.remove(place);
                    add(Body::Seq(others), place, Difference::Removed);
                }
            }
            Body::Group(_) | Body::Opaque => {}
        }
    }
    let mut seen = HashSet::from([inputs.clone()]);
    all.retain(|next| seen.insert(next.inputs.clone()));
    all
}

type Changed = (Value, usize, Difference);

fn values(value: &Value) -> Vec<Changed> {
    let replaced = |values: Vec<Value>| -> Vec<Changed> {
        { values.into_iter() }
            .map(|value| (value, 0, Difference::Replaced))
            .collect()
    };
    match value {
        Value::Text(text) => {
            let symbols: Vec<char> = text.chars().collect();
            let text = |symbols: &[char]| Value::Text(symbols.iter().collect());
            sequences(&symbols, &stand_ins(&symbols), text)
        }
        Value::Bytes(bytes) => {
            let mut others: Vec<u8> = bytes.iter().copied().chain([0, b'a', 0xff]).collect();
            others.sort_unstable();
            others.dedup();
            others.truncate(MOST_SYMBOLS);
            sequences(bytes, &others, |bytes| Value::Bytes(bytes.to_vec()))
        }
        Value::Char(_) => replaced(SYMBOLS.map(Value::Char).to_vec()),
        Value::Int(int) => replaced(ints(*int).into_iter().map(Value::Int).collect()),
        Value::Float(Float(float)) => {
            let others = [float + 1.0, float - 1.0, float / 2.0, 1.0, 0.0, -float];
            replaced(others.map(|other| Value::Float(Float(other))).to_vec())
        }
        Value::Bool(is) => replaced(vec![Value::Bool(!is)]),
    }
}

/// Numbers above and below.
fn ints(int: Int) -> Vec<Int> {
    let Int {
        negative,
        magnitude,
    } = int;
    let magnitudes = [
        magnitude.checked_add(1),
        magnitude.checked_sub(1),
        magnitude.checked_add(2),
        magnitude.checked_sub(2),
        Some(magnitude / 2),
        magnitude.checked_mul(2),
        Some(1),
        Some(0),
    ];
    let magnitudes = magnitudes.into_iter().flatten();
    magnitudes
        .map(|magnitude| Int::new(negative, magnitude))
        .collect()
}

/// What stands in for the symbols of a text: others of it, and one of each kind.
fn stand_ins(symbols: &[char]) -> Vec<char> {
    let mut own = Vec::new();
    for symbol in symbols {
        if !own.contains(symbol) && !SYMBOLS.contains(symbol) {
            own.push(*symbol);
        }
        if own.len() == MOST_SYMBOLS {
            break;
        }
    }
    SYMBOLS.into_iter().chain(own).collect()
}

/// Each element replaced, removed and doubled.
fn sequences<T: Copy + PartialEq>(
    elements: &[T],
    stand_ins: &[T],
    value: impl Fn(&[T]) -> Value,
) -> Vec<Changed> {
    let mut all = Vec::new();
    let edited = |place: usize, instead: &[T]| {
        value(&[&elements[..place], instead, &elements[place + 1..]].concat())
    };
    for place in spread(elements.len()) {
        let element = elements[place];
        for other in stand_ins.iter().filter(|other| **other != element) {
            all.push((edited(place, &[*other]), place, Difference::Replaced));
        }
        all.push((edited(place, &[]), place, Difference::Removed));
        if let Some(other) = stand_ins.iter().find(|other| **other != element) {
            all.push((
                edited(place, &[*other, element]),
                place,
                Difference::Inserted,
            ));
        }
        all.push((
            edited(place, &[element, element]),
            place,
            Difference::Doubled,
        ));
    }
    all.push((value(&[]), 0, Difference::Emptied));
    all
}

/// So many places of `length` at most, the first and the last among them.
fn spread(length: usize) -> impl Iterator<Item = usize> {
    let count = length.min(MOST_PLACES);
    (0..count).map(move |number| number * (length - 1) / (count - 1).max(1))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{inputs, int, seq, text};
    use super::*;

    #[test]
    fn each_element_of_a_text_is_replaced_removed_and_doubled() {
        let all = neighbours(&inputs([text("\"")]), |_| true);
        let texts: Vec<&str> = { all.iter() }
            .filter_map(|next| next.inputs.value(NodeId(0))?.as_text())
            .collect();
        assert_eq!(texts, ["a", "B", "0", " ", "-", "é", "", "a\"", "\"\""]);
    }

    #[test]
    fn numbers_have_neighbours_on_both_sides() {
        let all = neighbours(&inputs([int(3)]), |_| true);
        let numbers: Vec<u128> = { all.iter() }
            .filter_map(|next| match next.inputs.value(NodeId(0)) {
                Some(Value::Int(int)) => Some(int.magnitude),
                _ => None,
            })
            .collect();
        assert_eq!(numbers, [4, 2, 5, 1, 6, 0]);
    }

    #[test]
    fn elements_of_sequences_go_one_at_a_time_and_sites_can_be_chosen() {
        let both = inputs([seq([int(1), int(2)]), text("x")]);
        let all = neighbours(&both, |id| id == NodeId(0));
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|next| next.inputs.size() == both.size() - 1));
    }

    #[test]
    fn long_texts_have_a_bounded_number_of_neighbours() {
        let long = "ab".repeat(5_000);
        let all = neighbours(&inputs([text(&long)]), |_| true);
        assert!(all.len() <= MOST_PLACES * (MOST_SYMBOLS + SYMBOLS.len() + 3) + 1);
        assert!(all.iter().any(|next| next.place == long.len() - 1));
    }
}

//! Inputs next to given ones: each differs from them in one element, or in the same one of several texts.

use std::collections::{BTreeMap, HashSet};
use std::mem::discriminant;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::text::{lines, tokens};
use super::{Body, Float, Inputs, Int, Node, NodeId, Value};

/// How many elements of one value are changed, spread over the value.
const MOST_PLACES: usize = 48;
/// What stands in for an element, besides those of the same value: a letter, a digit, a blank, the end of a line, a sign,
/// and what takes more than one byte.
const SYMBOLS: [char; 7] = ['a', 'B', '0', ' ', '\n', '-', 'é'];
/// So many other symbols of a text stand in for each of its symbols.
const MOST_SYMBOLS: usize = 8;
/// So often a value is there in its own place: what works in blocks takes whole ones another way than what is left over.
const TIMES: [usize; 7] = [3, 4, 5, 6, 8, 16, 32];
/// So many numbers in a text are changed.
const MOST_NUMBERS: usize = 8;
/// Of a text of so many tokens, or else lines, any that stand side by side are left out.
const UNITS: RangeInclusive<usize> = 3..=40;
/// Of a sequence of at most so many values any two change places.
const SHORT: usize = 8;
/// As long as it gets by that, at most.
const LONGEST_REPEATED: usize = 256;

/// How an input differs from the one it is next to, from the least difference on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difference {
    /// An element is another one.
    Replaced,
    /// An element is not there, or it and the next one are not.
    Removed,
    /// An element has changed places with another one.
    Exchanged,
    /// An element is there twice.
    Doubled,
    /// There is an element more.
    Inserted,
    /// Some that stand side by side are there twice.
    Continued,
    /// All of it is there several times.
    Repeated,
    /// There is nothing left of the value.
    Emptied,
    /// It is as it was before it was minimized.
    Restored,
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

impl Neighbour {
    /// The element of the other inputs that it lacks, or has another one for: of which input, and its place there.
    pub fn lacks(&self) -> Option<(NodeId, usize)> {
        let is_lacking = matches!(self.difference, Difference::Replaced | Difference::Removed);
        is_lacking.then_some((self.site, self.place))
    }
}

/// The neighbours of `inputs` that differ in one of the nodes that `may_differ`, each once. Some of these `symbols`
/// stand in for each element of a text, too, and next to it.
pub fn neighbours(
    inputs: &Inputs,
    symbols: &[char],
    may_differ: impl Fn(NodeId) -> bool,
) -> Vec<Neighbour> {
    let mut all = exchanged(inputs, &may_differ);
    all.extend(prolonged(inputs, &may_differ));
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
                for (value, place, difference) in values(value, symbols) {
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

/// Inputs in which two values of a sequence have changed places: any two of a short one, else those that stand side by side.
fn exchanged(inputs: &Inputs, may_differ: impl Fn(NodeId) -> bool) -> Vec<Neighbour> {
    let mut all = Vec::new();
    for node in inputs.nodes() {
        let Body::Seq(children) = &node.body else { continue };
        let farthest = if children.len() <= SHORT { children.len() } else { 2 };
        let pairs = (1..farthest).flat_map(|apart| {
            let places = spread(children.len() - apart);
            places.map(move |place| (place, place + apart))
        });
        for (place, next) in pairs {
            let (one, next) = (&children[place], &children[next]);
            let are_values = [one, next].iter().all(|it| matches!(it.body, Body::Leaf(_)));
            if are_values && may_differ(one.id) && may_differ(next.id) {
                let inputs = inputs.replace(one.id, next.body.clone());
                let inputs = inputs.replace(next.id, one.body.clone());
                let difference = Difference::Exchanged;
                all.push(Neighbour { inputs, site: one.id, place, difference });
            }
        }
    }
    all
}

/// Inputs in which all of a few texts begin or end with one more symbol, the same one: what compares them finds something that
/// they have in common.
fn prolonged(inputs: &Inputs, may_differ: impl Fn(NodeId) -> bool) -> Vec<Neighbour> {
    let texts: Vec<(NodeId, &String)> = inputs
        .leaves()
        .filter_map(|(id, value)| match value {
            Value::Text(text) if may_differ(id) => Some((id, text)),
            _ => None,
        })
        .collect();
    let (Some((site, _)), 2..=SHORT) = (texts.first(), texts.len()) else { return Vec::new() };
    let with = |prolong: &dyn Fn(&str) -> String| Neighbour {
        inputs: texts.iter().fold(inputs.clone(), |inputs, (id, text)| {
            inputs.with_value(*id, Value::Text(prolong(text)))
        }),
        site: *site,
        place: 0,
        difference: Difference::Inserted,
    };
    let mut signs: Vec<char> = SYMBOLS.to_vec();
    signs.extend(texts.iter().filter_map(|(_, text)| text.chars().next()));
    let both = |sign: &char| {
        [with(&|text: &str| format!("{sign}{text}")), with(&|text: &str| format!("{text}{sign}"))]
    };
    signs.iter().flat_map(both).collect()
}

/// Inputs between `best` and the `original` ones, from which these were minimized: one of them as it was, all that are left
/// as they were, and the neighbours of the original ones.
pub fn between(
    best: &Inputs,
    original: &Inputs,
    symbols: &[char],
    may_differ: impl Fn(NodeId) -> bool,
) -> Vec<Neighbour> {
    let mut all = Vec::new();
    for (place, (new, old)) in best.0.iter().zip(&original.0).enumerate() {
        if new == old {
            continue;
        }
        let mut restored = best.clone();
        restored.0[place] = Arc::clone(old);
        all.push(Neighbour {
            inputs: restored,
            site: old.id,
            place,
            difference: Difference::Restored,
        });
    }
    let restored = original.leaves().fold(best.clone(), |inputs, (id, value)| {
        if inputs.value(id).is_some() { inputs.with_value(id, value.clone()) } else { inputs }
    });
    if let Some(site) = differing(best, &restored).first().copied() {
        let difference = Difference::Restored;
        all.push(Neighbour { inputs: restored, site, place: 0, difference });
    }
    all.extend(neighbours(original, symbols, &may_differ));
    let can_be_told = |next: &Neighbour| {
        let ids = differing(best, &next.inputs);
        ids.into_iter().all(&may_differ)
    };
    all.retain(can_be_told);
    all
}

/// The `best` inputs with each other row of a table in the place of one that is left: an element of a sequence of the
/// `original` inputs that is no longer there, if it looks the same but for its values.
pub fn other_rows(best: &Inputs, original: &Inputs) -> Vec<Neighbour> {
    let mut all = Vec::new();
    for node in best.nodes() {
        let (Body::Seq(rows), Some(before)) = (&node.body, original.get(node.id)) else { continue };
        let Body::Seq(before) = &before.body else { continue };
        let Some(last) = rows.last() else { continue };
        let is_left = |row: &Arc<Node>| rows.iter().any(|it| it.id == row.id);
        let others: Vec<&Arc<Node>> = before.iter().filter(|row| !is_left(row)).collect();
        for place in spread(others.len()) {
            let Some(body) = with_values_of(last, others[place]) else { continue };
            let inputs = best.replace(last.id, body);
            let difference = Difference::Restored;
            all.push(Neighbour { inputs, site: last.id, place, difference });
        }
    }
    all
}

/// What is in a node with the values of another one of the same form.
fn with_values_of(node: &Node, other: &Node) -> Option<Body> {
    let parts = |all: &[Arc<Node>], others: &[Arc<Node>]| -> Option<Vec<Arc<Node>>> {
        let parts = all.iter().zip(others).map(|(part, other)| {
            let body = with_values_of(part, other)?;
            Some(Arc::new(Node { id: part.id, body }))
        });
        (all.len() == others.len()).then(|| parts.collect())?
    };
    match (&node.body, &other.body) {
        (Body::Leaf(one), Body::Leaf(value)) if discriminant(one) == discriminant(value) => {
            Some(Body::Leaf(value.clone()))
        }
        (Body::Group(all), Body::Group(others)) => parts(all, others).map(Body::Group),
        (Body::Seq(all), Body::Seq(others)) => parts(all, others).map(Body::Seq),
        _ => None,
    }
}

/// Inputs with each of these texts in the place of what was the longest one in the `original` inputs, of which `best`
/// have been made.
pub fn with_texts(
    best: &Inputs,
    original: &Inputs,
    texts: &[String],
    may_differ: impl Fn(NodeId) -> bool,
) -> Vec<Neighbour> {
    let length = |id: NodeId| original.value(id).and_then(Value::as_text).map(str::len);
    let ids = best.ids().filter(|id| may_differ(*id) && length(*id).is_some());
    let Some(site) = ids.max_by_key(|id| length(*id)) else { return Vec::new() };
    let of = |text: &String| Neighbour {
        inputs: best.with_text(site, text),
        site,
        place: 0,
        difference: Difference::Replaced,
    };
    texts.iter().map(of).collect()
}

/// The outermost nodes in which inputs differ that cannot be told apart by what is in them alone.
pub fn differing(one: &Inputs, other: &Inputs) -> Vec<NodeId> {
    fn walk(one: &[Arc<Node>], other: &[Arc<Node>], ids: &mut Vec<NodeId>) {
        for (one, other) in one.iter().zip(other) {
            if one == other {
                continue;
            }
            match (&one.body, &other.body) {
                (Body::Group(ones), Body::Group(others)) | (Body::Seq(ones), Body::Seq(others))
                    if ones.iter().map(|it| it.id).eq(others.iter().map(|it| it.id)) =>
                {
                    walk(ones, others, ids);
                }
                _ => ids.push(one.id),
            }
        }
    }
    let mut ids = Vec::new();
    walk(&one.0, &other.0, &mut ids);
    ids
}

type Changed = (Value, usize, Difference);

fn values(value: &Value, symbols: &[char]) -> Vec<Changed> {
    let replaced = |values: Vec<Value>| -> Vec<Changed> {
        values.into_iter().map(|value| (value, 0, Difference::Replaced)).collect()
    };
    match value {
        Value::Text(text) => {
            let own: Vec<char> = text.chars().collect();
            let text = |symbols: &[char]| Value::Text(symbols.iter().collect());
            let mut all = other_numbers(&own);
            all.extend(other_parts(&units(&own), &own, &text));
            all.extend(sequences(&own, &stand_ins(&own, symbols), text));
            all
        }
        Value::Bytes(bytes) => {
            let mut others: Vec<u8> = bytes.iter().copied().chain([0, b'a', 0xff]).collect();
            others.sort_unstable();
            others.dedup();
            others.truncate(MOST_SYMBOLS);
            let symbols = symbols.iter().filter_map(|symbol| u8::try_from(*symbol).ok());
            let symbols: Vec<u8> = symbols.filter(|symbol| !others.contains(symbol)).collect();
            others.extend(symbols);
            let value = |bytes: &[u8]| Value::Bytes(bytes.to_vec());
            let mut all = other_parts(&units_of_bytes(bytes), bytes, &value);
            all.extend(sequences(bytes, &others, value));
            all
        }
        Value::Char(_) => replaced(SYMBOLS.map(Value::Char).to_vec()),
        Value::Int(int) => replaced(ints(*int).into_iter().map(Value::Int).collect()),
        Value::Float(Float(float)) => {
            let others = [float + 1.0, float - 1.0, float / 2.0, 1.0, 0.0, -float];
            let mut others: Vec<f64> = others.into_iter().chain(other_digits(*float)).collect();
            others.sort_by(|one, other| (one - float).abs().total_cmp(&(other - float).abs()));
            replaced(others.into_iter().map(|other| Value::Float(Float(other))).collect())
        }
        Value::Bool(is) => replaced(vec![Value::Bool(!is)]),
    }
}

/// Numbers that have another digit in one place: what rounds them finds these near.
fn other_digits(float: f64) -> Vec<f64> {
    const MOST_DIGITS: usize = 8;
    let text = float.to_string();
    let places = text.char_indices().filter(|(_, symbol)| symbol.is_ascii_digit());
    let numbers = places.take(MOST_DIGITS).flat_map(|(place, _)| {
        let others = ['0', '1', '4', '5', '9'].into_iter();
        let text = &text;
        others.filter_map(move |digit| {
            let mut other = text.clone();
            other.replace_range(place..=place, digit.encode_utf8(&mut [0]));
            other.parse().ok()
        })
    });
    numbers.collect()
}

/// Texts in which a number is another one: what a text says is often decided by its numbers.
fn other_numbers(text: &[char]) -> Vec<Changed> {
    let runs = text.chunk_by(|one, next| one.is_ascii_digit() && next.is_ascii_digit());
    let mut end = 0;
    let numbers = runs.filter_map(|run| {
        end += run.len();
        let number: u64 = run.iter().collect::<String>().parse().ok()?;
        Some((end - run.len()..end, number))
    });
    let numbers: Vec<(Range<usize>, u64)> = numbers.collect();
    // One that stands there several times may have to be the same at all places.
    let mut places: BTreeMap<u64, Vec<Range<usize>>> = BTreeMap::new();
    for (range, number) in &numbers {
        places.entry(*number).or_default().push(range.clone());
    }
    places.retain(|_, ranges| ranges.len() > 1);
    let mut everywhere: Vec<(Vec<Range<usize>>, u64)> =
        places.into_iter().map(|(number, ranges)| (ranges, number)).collect();
    everywhere.sort_by_key(|(ranges, _)| ranges[0].start);
    everywhere.truncate(MOST_NUMBERS);
    let alone = numbers.into_iter().take(MOST_NUMBERS);
    let alone = alone.map(|(range, number)| (vec![range], number));
    let mut all = Vec::new();
    for (ranges, number) in alone.chain(everywhere) {
        let width = |range: &Range<usize>| if text[range.start] == '0' { range.len() } else { 0 };
        all.extend(ints(Int::new(false, u128::from(number))).into_iter().map(|other| {
            let mut symbols = text.to_vec();
            for range in ranges.iter().rev() {
                let other = format!("{:0width$}", other.magnitude, width = width(range));
                symbols.splice(range.clone(), other.chars());
            }
            (Value::Text(symbols.into_iter().collect()), ranges[0].start, Difference::Replaced)
        }));
    }
    all
}

/// What a text is made of: its tokens, or its lines where it has too many tokens.
fn units(text: &[char]) -> Vec<Range<usize>> {
    let fits = |units: &Vec<Range<usize>>| UNITS.contains(&units.len());
    [tokens(text), lines(text)].into_iter().find(fits).unwrap_or_default()
}

/// The units of the text that the bytes are, or each of a few bytes.
fn units_of_bytes(bytes: &[u8]) -> Vec<Range<usize>> {
    let Ok(text) = str::from_utf8(bytes) else {
        let few = Some(bytes.len()).filter(|length| UNITS.contains(length));
        return (0..few.unwrap_or_default()).map(|at| at..at + 1).collect();
    };
    let symbols: Vec<char> = text.chars().collect();
    let mut starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    starts.push(bytes.len());
    let units = units(&symbols).into_iter();
    units.map(|unit| starts[unit.start]..starts[unit.end]).collect()
}

/// Sequences without some units that stand side by side: what a text says in several words is there or not; and those in which two
/// or three units are there twice: a list has an element more, with what parts it from the next.
fn other_parts<T: Copy>(
    units: &[Range<usize>],
    elements: &[T],
    value: &impl Fn(&[T]) -> Value,
) -> Vec<Changed> {
    let runs =
        (0..units.len()).flat_map(|first| (first..units.len()).map(move |last| (first, last)));
    let without = runs.map(|(first, last)| {
        let (before, behind) = (&elements[..units[first].start], &elements[units[last].end..]);
        (value(&[before, behind].concat()), units[first].start, Difference::Removed)
    });
    let parts = [2, 3].into_iter().flat_map(|count| units.windows(count));
    let doubled = parts.map(|part| {
        let (start, end) = (part[0].start, part[part.len() - 1].end);
        (value(&[&elements[..end], &elements[start..]].concat()), start, Difference::Continued)
    });
    without.chain(doubled).collect()
}

/// Numbers above and below.
fn ints(int: Int) -> Vec<Int> {
    let Int { negative, magnitude } = int;
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
    magnitudes.map(|magnitude| Int::new(negative, magnitude)).collect()
}

/// What stands in for the symbols of a text: one of each kind, others of it, and `symbols`.
fn stand_ins(text: &[char], symbols: &[char]) -> Vec<char> {
    let mut all = SYMBOLS.to_vec();
    let mut add = |symbols: &[char], most: usize| {
        for symbol in symbols {
            if all.len() < most && !all.contains(symbol) {
                all.push(*symbol);
            }
        }
    };
    add(text, SYMBOLS.len() + MOST_SYMBOLS);
    add(symbols, usize::MAX);
    all
}

/// Each element replaced, removed and doubled, the latter two with the next one as well, and others between them.
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
        if place + 1 < elements.len() {
            // What takes two of them, such as an escape, or an element of a list with what parts it from the next.
            let without = value(&[&elements[..place], &elements[place + 2..]].concat());
            all.push((without, place, Difference::Removed));
            let twice = value(&[&elements[..place + 2], &elements[place..]].concat());
            all.push((twice, place, Difference::Continued));
        }
        for other in stand_ins.iter().filter(|other| **other != element) {
            let inserted = edited(place, &[*other, element]);
            all.push((inserted, place, Difference::Inserted));
        }
        all.push((edited(place, &[element, element]), place, Difference::Doubled));
    }
    for other in stand_ins {
        let appended = value(&[elements, &[*other]].concat());
        all.push((appended, elements.len(), Difference::Inserted));
    }
    let repeated = TIMES.iter().filter(|times| elements.len() * **times <= LONGEST_REPEATED);
    for (place, times) in repeated.enumerate() {
        all.push((value(&elements.repeat(*times)), place, Difference::Repeated));
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
    use super::super::testing::{bytes, inputs, int, seq, text};
    use super::*;

    #[test]
    fn each_element_of_a_text_is_replaced_removed_and_doubled_and_all_of_it_repeated() {
        let all = neighbours(&inputs([text("\"")]), &['('], |_| true);
        let texts: Vec<&str> =
            all.iter().filter_map(|next| next.inputs.value(NodeId(0))?.as_text()).collect();
        let replaced = ["a", "B", "0", " ", "\n", "-", "é", "("];
        assert!(texts.starts_with(&replaced), "{texts:?}");
        for other in ["", "(\"", "\"(", "\"\"", "\"\"\"", "\"\"\"\"\"\"\"\""] {
            assert_eq!(texts.iter().filter(|text| **text == other).count(), 1, "{other}");
        }
    }

    #[test]
    fn a_list_gets_an_element_more() {
        let has = |list: &str, other: &str| {
            let all = neighbours(&inputs([text(list)]), &[], |_| true);
            all.iter().any(|next| next.inputs == inputs([text(other)]))
        };
        assert!(has("=0.7", "=0.7.7") && has("[1]", "[1]1]"));
        assert!(has("ab, cd", "ab, cd, cd") && !has("ab, cd", "ab, cd, ab"));
    }

    #[test]
    fn several_texts_begin_or_end_with_the_same_symbol() {
        let all = neighbours(&inputs([text("a"), int(1), text("b")]), &[], |_| true);
        let has = |one: &str, other: &str| {
            all.iter().any(|next| next.inputs == inputs([text(one), int(1), text(other)]))
        };
        assert!(has("Ba", "Bb") && has("a-", "b-") && has("ba", "bb"));
    }

    #[test]
    fn other_rows_stand_in_for_one_that_is_left() {
        let original = inputs([seq([seq([text("a"), int(1)]), seq([text("b"), int(2)]), int(3)])]);
        let Body::Seq(rows) = &original.0[0].body else { panic!() };
        let best = original.replace(original.0[0].id, Body::Seq(vec![Arc::clone(&rows[0])]));
        let all = other_rows(&best, &original);
        // A number is no row of two values.
        assert_eq!(all.len(), 1);
        let row = all[0].inputs.nodes().find(|node| node.id == rows[0].id).unwrap();
        let Body::Seq(values) = &row.body else { panic!() };
        assert_eq!(all[0].inputs.value(values[0].id).unwrap().as_text(), Some("b"));
        assert!(other_rows(&original, &original).is_empty());
    }

    #[test]
    fn two_elements_of_a_text_that_stand_side_by_side_go_together() {
        let all = neighbours(&inputs([text("a\\nb")]), &[], |_| true);
        let without = |gone: &str| all.iter().find(|next| next.inputs == inputs([text(gone)]));
        for (gone, place) in [("nb", 0), ("ab", 1), ("a\\", 2), ("a\\n", 3)] {
            assert_eq!(without(gone).unwrap().lacks(), Some((NodeId(0), place)), "{gone}");
        }
    }

    #[test]
    fn words_and_lines_of_a_text_that_stand_side_by_side_go_together() {
        let has = |text_before: &str, gone: &str| {
            let all = neighbours(&inputs([text(text_before)]), &[], |_| true);
            all.iter().any(|next| next.inputs == inputs([text(gone)]))
        };
        assert!(has("one two(3, 4) five", "one two five") && has("one two(3, 4) five", "one five"));
        let long = "a b c d e f g h i j k l m n o p q r s t u v\nthe second line\n<third>\n";
        assert!(has(long, &long.replace("the second line\n", "")));
    }

    #[test]
    fn bytes_of_a_symbol_or_word_go_together() {
        let has = |before: &[u8], gone: &[u8]| {
            let node = |of: &[u8]| inputs([bytes(of)]);
            let all = neighbours(&node(before), &[], |_| true);
            all.iter().any(|next| next.inputs == node(gone))
        };
        assert!(has(b"\xef\xbb\xbf[one]two=2", b"[one]two=2"));
        assert!(has(b"\xff\xfe\xfda-b", b"a-b"));
    }

    #[test]
    fn numbers_have_neighbours_on_both_sides() {
        let all = neighbours(&inputs([int(3)]), &[], |_| true);
        let numbers: Vec<u128> = all
            .iter()
            .filter_map(|next| match next.inputs.value(NodeId(0)) {
                Some(Value::Int(int)) => Some(int.magnitude),
                _ => None,
            })
            .collect();
        assert_eq!(numbers, [4, 2, 5, 1, 6, 0]);
    }

    #[test]
    fn numbers_in_a_text_have_neighbours_as_well() {
        let all = neighbours(&inputs([text("9/08")]), &[], |_| true);
        let with = |other: &str| all.iter().find(|next| next.inputs == inputs([text(other)]));
        for (other, place) in [("10/08", 0), ("8/08", 0), ("9/09", 2), ("9/07", 2)] {
            assert_eq!(with(other).unwrap().lacks(), Some((NodeId(0), place)), "{other}");
        }
    }

    #[test]
    fn elements_of_sequences_go_one_at_a_time_and_sites_can_be_chosen() {
        let both = inputs([seq([int(1), int(2)]), text("x")]);
        let all = neighbours(&both, &[], |id| id == NodeId(0));
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|next| next.inputs.size() == both.size() - 1));
    }

    #[test]
    fn values_of_a_sequence_change_places() {
        let all = neighbours(&inputs([seq([int(3), int(2), int(1)])]), &[], |_| true);
        let exchanged = all.iter().filter(|next| next.difference == Difference::Exchanged);
        let values = |next: &Neighbour| -> Vec<Option<Value>> {
            (1..4).map(|id| next.inputs.value(NodeId(id)).cloned()).collect()
        };
        let number = |it: u128| Some(Value::Int(Int::new(false, it)));
        let all: Vec<_> = exchanged.map(values).collect();
        assert_eq!(all, [[2, 3, 1], [3, 1, 2], [1, 2, 3]].map(|all| all.map(number)));
    }

    #[test]
    fn inputs_that_were_minimized_are_restored_one_at_a_time() {
        let original = inputs([seq([int(1), int(2)]), int(3)]);
        let best = original.replace(NodeId(0), Body::Seq(Vec::new()));
        let best = best.with_value(NodeId(3), Value::Int(Int::new(false, 0)));
        let all = between(&best, &original, &[], |_| true);
        let restored = |node: usize| {
            let mut inputs = best.clone();
            inputs.0[node] = Arc::clone(&original.0[node]);
            inputs
        };
        assert_eq!(all[0].inputs, restored(0));
        assert_eq!(all[1].inputs, restored(1));
        assert_eq!(differing(&best, &all[0].inputs), [NodeId(0)]);
        assert_eq!(differing(&best, &original), [NodeId(0), NodeId(3)]);
        let only = between(&best, &original, &[], |id| id == NodeId(3));
        assert!(only.iter().all(|next| next.inputs.0[0] == best.0[0]) && !only.is_empty());
    }

    #[test]
    fn values_that_are_left_are_restored_together_though_others_are_gone() {
        let original = inputs([seq([text("ab"), text("c"), text("d")])]);
        let gone = original.0[0].children()[2].id;
        let left: Vec<_> = original.0[0].children()[..2].to_vec();
        let short = original.replace(NodeId(0), Body::Seq(left));
        let best = short.leaves().fold(short.clone(), |inputs, (id, _)| inputs.with_text(id, ""));
        let all = between(&best, &original, &[], |id| id != NodeId(0) && id != gone);
        assert!(all.iter().any(|next| next.inputs == short), "{all:?}");
    }

    #[test]
    fn given_texts_take_the_place_of_the_longest_one() {
        let original = inputs([text("ab"), text("abc"), int(3)]);
        let best = original.with_text(NodeId(1), "");
        let all = with_texts(&best, &original, &["x".to_owned()], |_| true);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].inputs, original.with_text(NodeId(1), "x"));
        let none = with_texts(&best, &original, &["x".to_owned()], |id| id == NodeId(2));
        assert!(none.is_empty());
    }

    #[test]
    fn a_number_that_stands_in_a_text_several_times_changes_everywhere_at_once() {
        let all = neighbours(&inputs([text("-17,7 +17,7")]), &[], |_| true);
        let has = |other: &str| all.iter().any(|next| next.inputs == inputs([text(other)]));
        assert!(has("-18,7 +18,7") && has("-17,6 +17,6") && has("-18,7 +17,7"));
    }

    #[test]
    fn long_texts_have_a_bounded_number_of_neighbours() {
        let long = "ab".repeat(5_000);
        let all = neighbours(&inputs([text(&long)]), &[], |_| true);
        let stand_ins = MOST_SYMBOLS + SYMBOLS.len();
        assert!(all.len() <= MOST_PLACES * (2 * stand_ins + 2) + stand_ins + 1);
        assert!(all.iter().any(|next| next.place == long.len() - 1));
    }
}

//! How often words stand in inputs, and in what the code makes of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::oracle::signature::tokens;
use crate::reduce::inputs::{Inputs, Node, NodeId, Value};
use crate::rust::scan::{self, PieceKind};

/// How often each token was in what is reduced, and how often it still is.
pub(super) struct Words {
    had: BTreeMap<String, usize>,
    has: BTreeMap<String, usize>,
}

impl Words {
    /// Those of all inputs, as they are shown, without those of the `expected` value.
    pub(super) fn apart_from(expected: NodeId, best: &Inputs, candidate: &Inputs) -> Self {
        let of = |inputs: &Inputs| {
            let shown = leaves_apart(inputs, Some(expected)).map(|(_, value)| match value {
                Value::Text(text) => format!("{text:?}"),
                Value::Int(int) => int.magnitude.to_string(),
                value => format!("{value:?}"),
            });
            counted(&shown.collect::<Vec<_>>().join("\n"))
        };
        Words { had: of(best), has: of(candidate) }
    }

    /// Those of the inputs that are changed: a number that also stands in another one was none of that.
    pub(super) fn of_changed_inputs(expected: NodeId, best: &Inputs, candidate: &Inputs) -> Self {
        let is_same = |(one, other): &(&Arc<Node>, &Arc<Node>)| one == other;
        let pairs = best.0.iter().zip(&candidate.0).filter(|pair| !is_same(pair));
        let (before, after): (Vec<_>, Vec<_>) =
            pairs.map(|(one, other)| (Arc::clone(one), Arc::clone(other))).unzip();
        Words::apart_from(expected, &Inputs(before), &Inputs(after))
    }

    /// Those of each of the texts that are changed but for that of the `expected` value.
    pub(super) fn of_changed_texts(
        expected: NodeId,
        best: &Inputs,
        candidate: &Inputs,
    ) -> Vec<Self> {
        let changed = leaves_apart(best, Some(expected)).filter_map(|(id, before)| {
            match (before, candidate.value(id)) {
                (Value::Text(before), Some(Value::Text(after))) if before != after => Some(Words {
                    had: counted(&format!("{before:?}")),
                    has: counted(&format!("{after:?}")),
                }),
                _ => None,
            }
        });
        changed.collect()
    }

    /// Whether a word was among them.
    pub(super) fn had(&self, word: &str) -> bool {
        self.had.contains_key(word)
    }

    /// Whether the result may lack a word so often, and `lacked` it so often before: each that it lacks is still here, and
    /// each that it no longer lacks has gone. If they never were here, they say nothing.
    pub(super) fn explain(&self, word: &str, lacked: usize, lacks: usize) -> bool {
        let (had, has) = (count_of(word, &self.had), count_of(word, &self.has));
        had < lacked || has >= lacks && had.saturating_sub(has) >= lacked.saturating_sub(lacks)
    }

    /// Whether the result, which becomes `now`, loses more of them than what is gone: what came from these one by one still
    /// does.
    pub(super) fn are_hidden(&self, left: &str, now: &str) -> bool {
        let [before, after] = [left, now].map(|shown| counted(&without_field_names(shown)));
        let is_hidden = |(word, count): (&String, &usize)| {
            self.had.get(word) == Some(count) && count_of(word, &after) < count_of(word, &self.has)
        };
        before.iter().any(is_hidden)
    }
}

/// The leaves of inputs without those of the `expected` value.
pub(super) fn leaves_apart(
    inputs: &Inputs,
    expected: Option<NodeId>,
) -> impl Iterator<Item = (NodeId, &Value)> {
    let whole = expected.and_then(|id| inputs.get(id));
    inputs.leaves().filter(move |(id, _)| whole.is_none_or(|whole| !whole.contains(*id)))
}

/// A shown value without the names of its fields, which come from no input.
fn without_field_names(shown: &str) -> String {
    let pieces: Vec<scan::Piece<'_>> = scan::tokens(shown).collect();
    let is_name = |place: usize| {
        let is_behind = |by: usize| pieces.get(place + by).is_some_and(|piece| piece.text == ":");
        pieces[place].kind == PieceKind::Word && is_behind(1) && !is_behind(2)
    };
    let values = (0..pieces.len()).filter(|place| !is_name(*place));
    values.map(|place| pieces[place].text).collect::<Vec<_>>().join(" ")
}

/// How often each token is in a text, but for quotes.
fn counted(text: &str) -> BTreeMap<String, usize> {
    counts(tokens(text).into_iter().filter(|token| *token != "\"" && *token != "\n"))
}

pub(super) fn count_of(word: &str, counts: &BTreeMap<String, usize>) -> usize {
    counts.get(word).copied().unwrap_or(0)
}

/// How often each word is there.
pub(super) fn counts(words: impl Iterator<Item = impl AsRef<str>>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word.as_ref().to_owned()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{inputs, seq, text};
    use crate::reduce::inputs::{Body, NodeId};

    #[test]
    fn what_the_result_lacks_goes_with_what_makes_it_and_stays_with_it() {
        let words = |before: &str, after: &str| Words { had: counted(before), has: counted(after) };
        assert!(words("a + b + c", "a + b").explain("+", 2, 1));
        assert!(!words("a + b + c", "a b").explain("+", 2, 1));
        assert!(!words("a + b + c", "a + b + c").explain("+", 2, 1));
        assert!(!words("a + b + c", "a + b").explain("+", 2, 2));
        // What there was too little of says nothing.
        assert!(words("a", "b").explain("+", 1, 1));
    }

    #[test]
    fn names_of_fields_hide_nothing() {
        let words = Words { had: counted("<size>1</size> <a>"), has: counted("<size>1</size>") };
        let (left, now) = ("[P { size: 1 }, P { size: 2 }]", "[P { size: 1 }]");
        assert!(!words.are_hidden(left, now));
        assert!(words.are_hidden(r#"["size", "size"]"#, r#"["size"]"#));
    }

    #[test]
    fn a_number_that_also_stands_in_another_input_is_not_hidden() {
        let best = inputs([seq([text("a 7"), text("b")]), text("8")]);
        let candidate = best.replace(NodeId(0), Body::Seq(best.0[0].children()[1..].to_vec()));
        let (left, now) = ("[a 7 on 8, b]", "[b]");
        let expected = NodeId(9);
        assert!(Words::apart_from(expected, &best, &candidate).are_hidden(left, now));
        assert!(!Words::of_changed_inputs(expected, &best, &candidate).are_hidden(left, now));
    }
}

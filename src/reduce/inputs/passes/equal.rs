//! Equal values changed together, as they may mean the same thing.
//!
//! `([(12, 5), (12, 9)], "node 12")` → `([(0, 5), (0, 9)], "node 0")`

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::reduce::Result;
use crate::reduce::inputs::chunks::{remove_chunks, without};
use crate::reduce::inputs::lower::lower;
use crate::reduce::inputs::numbers::{NumberPlace, equal_numbers, with_numbers};
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::text::{TextLeaf, Token, lines, text_leaves, token, tokens};
use crate::reduce::inputs::{Inputs, NodeId, Value};

/// How many groups of equal values are worked on.
const MOST: usize = 64;

/// Lowers the numbers that occur several times, all occurrences together; and those in texts, also if
/// they occur once.
pub(in super::super) fn lower_equal_numbers(search: &mut PassContext) -> Result<()> {
    let mut above = None;
    for _ in 0..MOST {
        // Groups change with each step; they are visited in descending order of their value.
        let next = equal_numbers(search.best()).into_iter().find(|group| {
            above.is_none_or(|above| group.value.magnitude < above)
                && group.value.magnitude > 0
                && (group.places.len() > 1 || matches!(group.places[..], [NumberPlace::Text(..)]))
        });
        let Some(group) = next else { break };
        above = Some(group.value.magnitude);
        let original = search.best().clone();
        lower(&mut search.within(0), group.value, |_, int| {
            with_numbers(&original, [(&group.places[..], int)])
        })?;
    }
    Ok(())
}

/// Shortens texts that occur several times, all occurrences together.
pub(in super::super) fn shorten_equal_texts(search: &mut PassContext) -> Result<()> {
    let mut groups: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    for (id, value) in search.best().leaves() {
        if let Value::Text(text) = value
            && !text.is_empty()
        {
            groups.entry(text.clone()).or_default().push(id);
        }
    }
    for (text, ids) in groups.into_iter().filter(|(_, ids)| ids.len() > 1).take(MOST) {
        let chars: Vec<char> = text.chars().collect();
        remove_chunks(&mut search.within(chars.len()), chars, |base, chars, removed| {
            let text: String = without(chars, removed).into_iter().collect();
            with_texts(base, &ids, &text)
        })?;
    }
    Ok(())
}

fn with_texts(base: &Inputs, ids: &[NodeId], text: &str) -> Inputs {
    ids.iter().fold(base.clone(), |inputs, &id| inputs.with_value(id, Value::Text(text.to_owned())))
}

/// Removes lines that occur several times in all texts, all occurrences of a line together: two texts that are compared may have
/// to stay alike.
pub(in super::super) fn remove_equal_lines(search: &mut PassContext) -> Result<()> {
    let leaves = text_leaves(search.best());
    let of_leaf = |leaf: &TextLeaf, inputs: &Inputs| -> Vec<Vec<char>> {
        let chars = leaf.chars(inputs);
        lines(&chars).into_iter().map(|line| chars[line].to_vec()).collect()
    };
    let mut counts: BTreeMap<Vec<char>, usize> = BTreeMap::new();
    let all: Vec<Vec<char>> = leaves.iter().flat_map(|leaf| of_leaf(leaf, search.best())).collect();
    for line in &all {
        *counts.entry(line.clone()).or_default() += 1;
    }
    let mut repeated: Vec<Vec<char>> = Vec::new();
    for line in all {
        if counts.remove(&line).is_some_and(|count| count > 1) {
            repeated.push(line);
        }
    }
    let size = repeated.len();
    remove_chunks(&mut search.within(size), repeated, |base, repeated, removed| {
        let gone: BTreeSet<&Vec<char>> = repeated[removed].iter().collect();
        leaves.iter().fold(base.clone(), |inputs, leaf| {
            let kept = of_leaf(leaf, &inputs).into_iter().filter(|line| !gone.contains(line));
            leaf.with_chars(&inputs, &kept.flatten().collect::<Vec<char>>())
        })
    })
}

/// Shortens words that occur several times in one text, all occurrences together: to nothing, to one
/// letter, or by a letter.
pub(in super::super) fn shorten_equal_words(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        let chars = leaf.chars(search.best());
        if search.within(chars.len()).is_limited() {
            continue;
        }
        let mut groups: BTreeMap<&[char], usize> = BTreeMap::new();
        for range in
            tokens(&chars).into_iter().filter(|range| token(chars[range.start]) == Token::Word)
        {
            *groups.entry(&chars[range]).or_default() += 1;
        }
        for (word, _) in groups.into_iter().filter(|&(_, count)| count > 1).take(MOST) {
            let shorter = (0..word.len()).map(|idx| without(word, idx..idx + 1));
            let simple = ["", "a", "b", "0", "1"].into_iter().map(|text| text.chars().collect());
            let base = search.best().clone();
            let chars = leaf.chars(&base);
            let places: Vec<Range<usize>> =
                tokens(&chars).into_iter().filter(|range| chars[range.clone()] == *word).collect();
            let candidates = simple
                .chain(shorter)
                .map(|new: Vec<char>| leaf.with_chars(&base, &replaced(&chars, &places, &new)));
            search.consider_first(candidates)?;
        }
    }
    Ok(())
}

fn replaced(chars: &[char], places: &[Range<usize>], new: &[char]) -> Vec<char> {
    let mut result = Vec::with_capacity(chars.len());
    let mut from = 0;
    for place in places {
        result.extend_from_slice(&chars[from..place.start]);
        result.extend_from_slice(new);
        from = place.end;
    }
    result.extend_from_slice(&chars[from..]);
    result
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{
        group, inputs, int, numbers, reduce_by, reduce_within, seq, text, the_text,
    };

    use super::*;

    #[test]
    fn equal_numbers_go_down_together_also_in_texts() {
        let all = inputs([seq([group([int(812), int(7)])]), int(812), text("node 812")]);
        let best = reduce_within(40, all, lower_equal_numbers, |inputs| {
            let numbers = numbers(inputs);
            numbers[0] == numbers[2]
                && the_text(inputs) == format!("node {}", numbers[0])
                && numbers[0] > 2
        });
        assert_eq!(numbers(&best), [3, 7, 3]);
        assert_eq!(the_text(&best), "node 3");
    }

    #[test]
    fn equal_texts_are_shortened_together() {
        let all = inputs([text("lab-edge"), int(1), text("lab-edge")]);
        let best = reduce_within(12, all, shorten_equal_texts, |inputs| {
            let texts: Vec<&Value> = inputs.leaves().map(|(_, value)| value).collect();
            texts[0] == texts[2] && *texts[0] != Value::Text(String::new())
        });
        assert_eq!(best.size(), 2);
    }

    #[test]
    fn equal_lines_go_from_all_texts_together() {
        let lines = (0..64).map(|number| format!("line {number}\n")).collect::<Vec<_>>().concat();
        let all = inputs([text(&format!("{lines}=\n{lines}")), text(&lines)]);
        let best = reduce_within(40, all, remove_equal_lines, |inputs| {
            let texts: Vec<&str> =
                inputs.leaves().filter_map(|(_, value)| value.as_text()).collect();
            let (left, right) = texts[0].split_once("=\n").unwrap_or_default();
            left == right && left == texts[1] && left.contains("line 40\n")
        });
        assert_eq!(best.size(), 3 * "line 40\n".len() + "=\n".len());
    }

    #[test]
    fn equal_words_of_a_text_are_shortened_together() {
        let all = inputs([text("<each>x</each>")]);
        let (best, _) = reduce_by(all, shorten_equal_words, |inputs| {
            let text = the_text(inputs);
            let name: String = text.chars().skip(1).take_while(|&c| c != '>').collect();
            !name.is_empty() && text.ends_with(&format!("</{name}>"))
        });
        assert_eq!(the_text(&best), "<a>x</a>");
    }
}

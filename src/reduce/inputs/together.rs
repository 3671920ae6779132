//! Parts of inputs that go along with what a test expects of them.
//!
//! Where a test compares a result with a value that stands in it, an element can only go together with the part of the
//! expected value that it makes. Which part that is, a run of the candidate shows; who has seen it says how the expected
//! value has to change.

use std::ops::Range;
use std::sync::Arc;

use super::chunks::without;
use super::passes::{elements_of, sequences};
use super::text::{blocks, lines, text_leaves, tokens};
use super::{Body, Inputs, Node, NodeId};
use crate::reduce::{Problem, Stop};

/// A text of more parts than this is left alone: each costs a run of its own.
const MOST_UNITS: usize = 2_000;

/// How a candidate has to change elsewhere to be the same failure as the best of the problem, if that can be told.
pub type Amend<'a> =
    dyn FnMut(&mut Problem<'_, Inputs>, &Inputs) -> Result<Option<Inputs>, Stop> + 'a;

/// Removes elements and parts of texts, each along with what `amend` says.
///
/// Where the result stays as it is, nobody knows whether a right result would: what is gone may be the very thing that the
/// code overlooks. So only that goes alone which `may_go_alone` names: elements of sequences each of which is a check of its
/// own, and lines of texts (comments, blank lines).
///
/// # Errors
/// When the search must stop.
pub fn reduce_together(
    problem: &mut Problem<Inputs>,
    may_go_alone: &dyn Fn(NodeId) -> bool,
    amend: &mut Amend<'_>,
) -> Result<(), Stop> {
    let mut together = Together { problem, amend, may_go_alone: false };
    for id in sequences(together.problem.best()) {
        together.may_go_alone = may_go_alone(id);
        let elements = |inputs: &Inputs| elements_of(inputs, id).unwrap_or_default();
        together.remove(&elements, &|base, kept: &[Arc<Node>]| {
            base.replace(id, Body::Seq(kept.to_vec()))
        })?;
    }
    for leaf in text_leaves(together.problem.best()) {
        let splits: [(Split, bool); 4] =
            [(blocks, true), (lines, true), (tokens, false), (characters, false)];
        for (split, are_lines) in splits {
            let units = |inputs: &Inputs| -> Vec<Vec<char>> {
                let chars = leaf.chars(inputs);
                let parts = split(&chars).into_iter();
                parts.map(|part| chars[part].to_vec()).collect()
            };
            let is_one = units(together.problem.best()).len() < 2;
            together.may_go_alone = are_lines && !is_one && may_go_alone(leaf.id);
            together.remove(&units, &|base, kept: &[Vec<char>]| {
                leaf.with_chars(base, &kept.concat())
            })?;
        }
    }
    Ok(())
}

/// Cuts a text into units.
type Split = fn(&[char]) -> Vec<Range<usize>>;

fn characters(chars: &[char]) -> Vec<Range<usize>> {
    (0..chars.len()).map(|at| at..at + 1).collect()
}

struct Together<'t, 'p, 'a> {
    problem: &'t mut Problem<'p, Inputs>,
    amend: &'t mut Amend<'a>,
    /// Whether units may go although the result stays.
    may_go_alone: bool,
}

impl Together<'_, '_, '_> {
    /// Removes units in chunks, large ones first, from the end: later ones depend on earlier ones more often than the
    /// other way round.
    fn remove<T: Clone>(
        &mut self,
        units_of: &dyn Fn(&Inputs) -> Vec<T>,
        build: &dyn Fn(&Inputs, &[T]) -> Inputs,
    ) -> Result<(), Stop> {
        let mut size = units_of(self.problem.best()).len();
        if size > MOST_UNITS {
            return Ok(());
        }
        // Halves down to pairs and fours: a size such as three leaves out what goes by twos.
        size = size.next_power_of_two();
        while size > 0 {
            let mut end = units_of(self.problem.best()).len();
            while end > 0 {
                let units = units_of(self.problem.best());
                end = end.min(units.len());
                let start = end.saturating_sub(size);
                let candidate = build(self.problem.best(), &without(&units, start..end));
                self.consider(&candidate)?;
                end = start;
            }
            size /= 2;
        }
        Ok(())
    }

    fn consider(&mut self, candidate: &Inputs) -> Result<(), Stop> {
        if self.may_go_alone && self.problem.consider(candidate.clone())? {
            return Ok(());
        }
        if let Some(amended) = (self.amend)(self.problem, candidate)? {
            self.problem.consider(amended)?;
        }
        Ok(())
    }
}

/// The inputs without these characters of texts and elements of sequences; characters are counted.
pub fn lacking(
    inputs: &Inputs,
    characters: &[(NodeId, Vec<usize>)],
    elements: &[(NodeId, Vec<usize>)],
) -> Inputs {
    let mut left = inputs.clone();
    for leaf in text_leaves(inputs) {
        let gone = characters.iter().find(|(id, _)| *id == leaf.id);
        if let Some((_, gone)) = gone {
            left = leaf.with_chars(&left, &kept(&leaf.chars(inputs), gone));
        }
    }
    for (id, gone) in elements {
        if let Some(all) = elements_of(&left, *id) {
            left = left.replace(*id, Body::Seq(kept(&all, gone)));
        }
    }
    left
}

fn kept<T: Clone>(all: &[T], gone: &[usize]) -> Vec<T> {
    let stays = all.iter().enumerate().filter(|(at, _)| !gone.contains(at));
    stays.map(|(_, one)| one.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::super::testing::{inputs, oracle_for, text};
    use super::*;
    use crate::reduce::Memory;

    /// Two texts of which the second one has to be the first one in capitals, but for a wrong `x`.
    fn fails(inputs: &Inputs) -> bool {
        let texts = texts(inputs);
        texts[0].contains('x') && texts[0].to_uppercase() == texts[1].replace('x', "X")
    }

    fn texts(inputs: &Inputs) -> Vec<String> {
        let texts = inputs.leaves().filter_map(|(_, value)| match value {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    }

    #[test]
    fn a_part_of_the_input_goes_with_the_part_of_the_expected_value_that_it_makes() {
        let all =
            inputs([text("one two\nthree x four\nfive"), text("ONE TWO\nTHREE x FOUR\nFIVE")]);
        let mut oracle = oracle_for(fails);
        let mut problem = Problem::new(all, &mut oracle, Memory::Forget);
        let mut runs = 0;
        let mut amend = |_: &mut Problem<'_, Inputs>, candidate: &Inputs| {
            runs += 1;
            let shown = texts(candidate)[0].to_uppercase().replace('X', "x");
            let id = candidate.0[1].id;
            Ok(Some(candidate.with_value(id, Value::Text(shown))))
        };
        reduce_together(&mut problem, &|_| false, &mut amend).unwrap();
        assert_eq!(texts(problem.best()), ["x", "x"]);
        assert!(runs < 60, "{runs} runs");
    }

    #[test]
    fn characters_and_elements_are_taken_out_by_their_number() {
        let all = inputs([text("aéb")]);
        let left = lacking(&all, &[(all.0[0].id, vec![1])], &[]);
        assert_eq!(texts(&left), ["ab"]);
    }
}

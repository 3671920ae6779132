//! Parts of inputs that go along with what a test expects of them.
//!
//! Where a test compares a result with a value that stands in it, an element can only go together with the part of the
//! expected value that it makes. Which part that is, a run of the candidate shows; who has seen it says how the expected
//! value has to change.

use std::ops::Range;
use std::sync::Arc;

use super::chunks::without;
use super::passes::{elements_of, sequences};
use super::text::{
    Container, TextLeaf, blocks, bracketed, containers, indented, indents, lines, marks, sections,
    text_leaves, tokens,
};
use super::{Body, Inputs, Node, NodeId};
use crate::reduce::{Problem, Result};

/// A text of more parts than this is left alone: each costs a run of its own.
const MOST_UNITS: usize = 2_000;

/// In a text of more brackets than this, no elements between these are removed, unless it is data: they are found anew for each.
const MOST_CONTAINERS: usize = 512;

/// So many elements of a list may make one of the result together.
const NEIGHBOURS: [usize; 2] = [2, 3];
/// In lists longer than this, they are not looked for.
const MOST_NEIGHBOURS: usize = 64;

/// What a candidate comes to, beside the best of the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amended {
    /// The same result: nothing tells of what is gone.
    Unchanged,
    /// The same failure as that of the best, with these changes elsewhere.
    To(Inputs),
    /// Something else, or it cannot be told.
    Other,
}

/// How a candidate has to change elsewhere to be the same failure as the best of the problem.
pub type Amend<'a> = dyn FnMut(&mut Problem<'_, Inputs>, &Inputs) -> Result<Amended> + 'a;

/// A part of a text.
#[derive(Debug, Clone, Copy)]
pub struct PartOfText<'a> {
    /// All parts.
    pub all: &'a [Vec<char>],
    /// Which one it is.
    pub at: usize,
}

/// Whether an element of this sequence, or this part of a text, may go though the result stays.
pub type MayGoAlone<'a> = dyn Fn(NodeId, Option<PartOfText<'_>>) -> bool + 'a;

/// What goes of texts that are data: JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfData {
    /// As of other texts.
    Parts,
    /// Only elements of their lists and objects: a part of these may have its place in nothing that the code reads as
    /// before.
    Elements,
}

/// What may go.
#[derive(Clone, Copy)]
pub struct WhatGoes<'a> {
    /// What goes of texts that are data.
    pub of_data: OfData,
    /// What goes though the result stays.
    pub alone: &'a MayGoAlone<'a>,
    /// The value that the test expects: parts of it only go along with others.
    pub expected: Option<NodeId>,
}

/// Removes elements and parts of texts, each along with what `amend` says.
///
/// Where the result stays as it is, nobody knows whether a right result would: what is gone may be the very thing that the
/// code overlooks. So only that goes alone which `goes` names: elements of sequences each of which is a check of its
/// own, and lines of texts (comments, blank lines). Nothing else goes beside others either if it would not change the
/// result alone; but for blanks, which go along with words.
///
/// # Errors
/// When the search must stop.
pub fn reduce_together(
    problem: &mut Problem<Inputs>,
    goes: WhatGoes<'_>,
    amend: &mut Amend<'_>,
) -> Result<()> {
    let WhatGoes { of_data, alone: may_go_alone, expected } = goes;
    let mut together = Together { problem, amend };
    let is_open = |id: &NodeId| Some(*id) != expected;
    for id in sequences(together.problem.best()).into_iter().filter(is_open) {
        let are_free = may_go_alone(id, None);
        let elements = Units {
            of: &|inputs| elements_of(inputs, id).unwrap_or_default(),
            build: &|base, kept: &[Arc<Node>]| base.replace(id, Body::Seq(kept.to_vec())),
            goes_alone: &|_, _| are_free,
            goes_along: &|_, _| are_free,
        };
        together.remove(&elements)?;
        together.remove_neighbours(&elements)?;
    }
    let leaves = text_leaves(together.problem.best()).into_iter();
    for leaf in leaves.filter(|leaf| is_open(&leaf.id)) {
        let is_data = containers(&leaf.chars(together.problem.best())).is_some();
        if is_data && of_data == OfData::Elements {
            let may_go =
                |all: &[Vec<char>], at| may_go_alone(leaf.id, Some(PartOfText { all, at }));
            let find = |chars: &[char]| containers(chars).unwrap_or_default();
            together.remove_elements(leaf, &find, &may_go)?;
            continue;
        }
        for mark in marks(&leaf.chars(together.problem.best())) {
            together.remove_parts(leaf, &|chars| sections(chars, &mark), [&NEVER, &NEVER])?;
        }
        for by in indents(&leaf.chars(together.problem.best())) {
            together.remove_parts(leaf, &|chars| indented(chars, by), [&NEVER, &NEVER])?;
        }
        if bracketed(&leaf.chars(together.problem.best())).len() <= MOST_CONTAINERS {
            together.remove_elements(leaf, &bracketed, &NEVER)?;
        }
        let splits: [(Split, bool); 4] =
            [(blocks, true), (lines, true), (tokens, false), (characters, false)];
        for (split, are_lines) in splits {
            let may_go =
                |all: &[Vec<char>], at| may_go_alone(leaf.id, Some(PartOfText { all, at }));
            let are_several = split(&leaf.chars(together.problem.best())).len() > 1;
            let goes_alone = |all: &[Vec<char>], at| are_lines && are_several && may_go(all, at);
            let goes_along = |all: &[Vec<char>], at: usize| {
                (are_lines || all[at].iter().all(|it| it.is_whitespace())) && may_go(all, at)
            };
            together.remove_parts(leaf, &split, [&goes_alone, &goes_along])?;
        }
    }
    Ok(())
}

/// Cuts a text into units.
type Split = fn(&[char]) -> Vec<Range<usize>>;

/// Characters; `\r\n` is one.
fn characters(chars: &[char]) -> Vec<Range<usize>> {
    let mut units: Vec<Range<usize>> = Vec::new();
    for (at, it) in chars.iter().enumerate() {
        match units.last_mut() {
            Some(last) if *it == '\n' && chars[last.clone()] == ['\r'] => last.end += 1,
            _ => units.push(at..at + 1),
        }
    }
    units
}

/// Whether one of these units may go.
type MayGo<'m, T> = dyn Fn(&[T], usize) -> bool + 'm;

/// No part of a text may go without another one.
const NEVER: fn(&[Vec<char>], usize) -> bool = |_, _| false;

/// What can be removed of one value.
struct Units<'u, T> {
    /// The units that are left.
    of: &'u dyn Fn(&Inputs) -> Vec<T>,
    /// The inputs with nothing but these units.
    build: &'u dyn Fn(&Inputs, &[T]) -> Inputs,
    /// Whether a unit may go although the result stays.
    goes_alone: &'u MayGo<'u, T>,
    /// Whether it may do so beside others.
    goes_along: &'u MayGo<'u, T>,
}

struct Together<'t, 'p, 'a> {
    problem: &'t mut Problem<'p, Inputs>,
    amend: &'t mut Amend<'a>,
}

impl Together<'_, '_, '_> {
    /// Removes units in chunks, large ones first, from the end: later ones depend on earlier ones more often than the
    /// other way round.
    fn remove<T: Clone>(&mut self, units: &Units<'_, T>) -> Result<()> {
        let mut size = (units.of)(self.problem.best()).len();
        if size > MOST_UNITS {
            return Ok(());
        }
        // Halves down to pairs and fours: a size such as three leaves out what goes by twos.
        size = size.next_power_of_two();
        while size > 0 {
            let mut end = (units.of)(self.problem.best()).len();
            while end > 0 {
                let all = (units.of)(self.problem.best());
                end = end.min(all.len());
                let start = end.saturating_sub(size);
                self.remove_chunk(units, &all, start..end)?;
                end = start;
            }
            size /= 2;
        }
        Ok(())
    }

    /// Removes such parts of a text, of which some may go although the result stays, or do so beside others.
    fn remove_parts(
        &mut self,
        leaf: TextLeaf,
        split: &dyn Fn(&[char]) -> Vec<Range<usize>>,
        [goes_alone, goes_along]: [&MayGo<'_, Vec<char>>; 2],
    ) -> Result<()> {
        self.remove(&Units {
            of: &|inputs| {
                let chars = leaf.chars(inputs);
                split(&chars).into_iter().map(|part| chars[part].to_vec()).collect()
            },
            build: &|base, kept: &[Vec<char>]| leaf.with_chars(base, &kept.concat()),
            goes_alone,
            goes_along,
        })
    }

    /// Removes elements of what `find` finds in a text, those of outer lists and objects first. Elements of lists that
    /// `may_go` may do so although the result stays.
    fn remove_elements(
        &mut self,
        leaf: TextLeaf,
        find: &dyn Fn(&[char]) -> Vec<Container>,
        may_go: &MayGo<'_, Vec<char>>,
    ) -> Result<()> {
        let container = |inputs: &Inputs, place: usize| -> Option<(Vec<char>, Container)> {
            let chars = leaf.chars(inputs);
            let found = find(&chars).into_iter().nth(place)?;
            Some((chars, found))
        };
        for place in 0.. {
            let Some((chars, found)) = container(self.problem.best(), place) else {
                return Ok(());
            };
            let is_list = found.is_list(&chars);
            let goes_alone = |all: &[Vec<char>], at: usize| is_list && may_go(all, at);
            self.remove(&Units {
                of: &|inputs| {
                    let Some((chars, found)) = container(inputs, place) else { return Vec::new() };
                    found.elements.into_iter().map(|it| chars[it].to_vec()).collect()
                },
                build: &|base, kept: &[Vec<char>]| {
                    let Some((chars, found)) = container(base, place) else { return base.clone() };
                    leaf.with_chars(base, &found.with(&chars, kept))
                },
                goes_alone: &goes_alone,
                goes_along: &goes_alone,
            })?;
        }
        Ok(())
    }

    /// Removes units that stand side by side, at any place: they may make one element of the result together.
    fn remove_neighbours<T: Clone>(&mut self, units: &Units<'_, T>) -> Result<()> {
        for size in NEIGHBOURS {
            let mut end = (units.of)(self.problem.best()).len();
            while end >= size && end <= MOST_NEIGHBOURS {
                let all = (units.of)(self.problem.best());
                end = end.min(all.len());
                if end >= size {
                    self.remove_chunk(units, &all, end - size..end)?;
                }
                end = end.saturating_sub(1);
            }
        }
        Ok(())
    }

    fn remove_chunk<T: Clone>(
        &mut self,
        units: &Units<'_, T>,
        all: &[T],
        chunk: Range<usize>,
    ) -> Result<()> {
        let candidate = (units.build)(self.problem.best(), &without(all, chunk.clone()));
        let go_alone = chunk.clone().all(|at| (units.goes_alone)(all, at));
        if go_alone && self.problem.consider(candidate.clone())? {
            return Ok(());
        }
        let Amended::To(amended) = (self.amend)(self.problem, &candidate)? else { return Ok(()) };
        let is_one = chunk.len() == 1 || !self.problem.ask(&amended)?.is_fail();
        let silent = if is_one { Vec::new() } else { self.silent(units, all, chunk.clone())? };
        if silent.is_empty() {
            return self.problem.consider(amended).map(drop);
        }
        let is_left = |(at, _): &(usize, &T)| !chunk.contains(at) || silent.contains(at);
        let kept: Vec<T> =
            all.iter().enumerate().filter(is_left).map(|(_, unit)| unit.clone()).collect();
        let candidate = (units.build)(self.problem.best(), &kept);
        if let Amended::To(amended) = (self.amend)(self.problem, &candidate)? {
            self.problem.consider(amended)?;
        }
        Ok(())
    }

    /// The units of a chunk without each of which the result is the same, so that the code may overlook them.
    fn silent<T: Clone>(
        &mut self,
        units: &Units<'_, T>,
        all: &[T],
        chunk: Range<usize>,
    ) -> Result<Vec<usize>> {
        let mut silent = Vec::new();
        for at in chunk.filter(|at| !(units.goes_along)(all, *at)) {
            let candidate = (units.build)(self.problem.best(), &without(all, at..at + 1));
            if (self.amend)(self.problem, &candidate)? == Amended::Unchanged {
                silent.push(at);
            }
        }
        Ok(silent)
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
    use super::super::testing::{inputs, int, numbers, oracle_for, seq, text};
    use super::*;
    use crate::reduce::Memory;

    const NOTHING_ALONE: WhatGoes<'_> =
        WhatGoes { of_data: OfData::Elements, alone: &|_, _| false, expected: None };

    /// Two texts of which the second one has to be the first one in capitals, but for a wrong `x`.
    fn fails(inputs: &Inputs) -> bool {
        let texts = texts(inputs);
        texts[0].contains('x') && texts[0].to_uppercase() == texts[1].replace('x', "X")
    }

    fn texts(inputs: &Inputs) -> Vec<String> {
        inputs.leaves().filter_map(|(_, value)| value.as_text().map(str::to_owned)).collect()
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
            Ok(Amended::To(candidate.with_value(id, Value::Text(shown))))
        };
        reduce_together(&mut problem, NOTHING_ALONE, &mut amend).unwrap();
        assert_eq!(texts(problem.best()), ["x", "x"]);
        assert!(runs < 60, "{runs} runs");
    }

    #[test]
    fn data_loses_whole_elements_and_keeps_those_that_do_not_change_the_result() {
        let data = r#"{"unit": "g", "all": [{"name": "a", "n": 3}, {"name": "b"}, {"name": "c", "n": 9}]}"#;
        let all = inputs([text(data), text("a c")]);
        // `b` has no number, and should not be named; that of `a` goes with its name.
        let names = |text: &str| -> Vec<String> {
            let all = text.split("name\": \"").skip(1);
            all.map(|it| it[..1].to_owned()).collect()
        };
        let mut oracle = oracle_for(|inputs| texts(inputs)[0].contains("\"b\""));
        let mut problem = Problem::new(all, &mut oracle, Memory::Forget);
        let mut amend = |problem: &mut Problem<'_, Inputs>, candidate: &Inputs| {
            let (before, now) = (texts(problem.best()), texts(candidate));
            let (before, now) = (names(&before[0]), names(&now[0]));
            let id = candidate.0[1].id;
            let expected: Vec<String> = now.iter().filter(|it| *it != "b").cloned().collect();
            Ok(match () {
                () if before == now => Amended::Unchanged,
                () => Amended::To(candidate.with_value(id, Value::Text(expected.join(" ")))),
            })
        };
        reduce_together(&mut problem, NOTHING_ALONE, &mut amend).unwrap();
        assert_eq!(texts(problem.best()), [r#"{"unit": "g", "all": [ {"name": "b"}]}"#, ""]);
    }

    #[test]
    fn elements_of_lists_in_data_go_alone_where_they_may() {
        let all = inputs([text(r#"{"unit": "g", "all": [{"n": 1}, {"n": 2}, {"n": 3}]}"#)]);
        let mut oracle = oracle_for(|inputs| texts(inputs)[0].contains('2'));
        let mut problem = Problem::new(all, &mut oracle, Memory::Forget);
        let mut amend = |_: &mut Problem<'_, Inputs>, _: &Inputs| Ok(Amended::Unchanged);
        let is_other = |_, part: Option<PartOfText<'_>>| {
            part.is_some_and(|part| !part.all[part.at].contains(&'1'))
        };
        let goes = WhatGoes { alone: &is_other, ..NOTHING_ALONE };
        reduce_together(&mut problem, goes, &mut amend).unwrap();
        assert_eq!(texts(problem.best()), [r#"{"unit": "g", "all": [{"n": 1}, {"n": 2}]}"#]);
    }

    #[test]
    fn of_the_expected_text_nothing_goes_alone() {
        let all = inputs([text("a b"), text("c d")]);
        let expected = Some(all.0[1].id);
        let mut oracle = oracle_for(|_| true);
        let mut problem = Problem::new(all, &mut oracle, Memory::Forget);
        let mut amend =
            |_: &mut Problem<'_, Inputs>, candidate: &Inputs| Ok(Amended::To(candidate.clone()));
        let goes = WhatGoes { expected, ..NOTHING_ALONE };
        reduce_together(&mut problem, goes, &mut amend).unwrap();
        assert_eq!(texts(problem.best()), ["", "c d"]);
    }

    #[test]
    fn what_does_not_change_the_result_does_not_go_beside_what_does() {
        let all = inputs([seq([1, 2, 3, 4, 5, 6].map(int))]);
        let list = all.0[0].id;
        // The code overlooks 4, which the test expects.
        let result = |inputs: &Inputs| {
            let mut left = numbers(inputs);
            left.retain(|value| *value != 4);
            left
        };
        let mut oracle = oracle_for(|_| true);
        let mut problem = Problem::new(all, &mut oracle, Memory::Forget);
        let mut amend = |problem: &mut Problem<'_, Inputs>, candidate: &Inputs| {
            let is_same = result(problem.best()) == result(candidate);
            Ok(if is_same { Amended::Unchanged } else { Amended::To(candidate.clone()) })
        };
        reduce_together(&mut problem, NOTHING_ALONE, &mut amend).unwrap();
        assert_eq!(numbers(problem.best()), [4]);
        assert_eq!(elements_of(problem.best(), list).unwrap().len(), 1);
    }

    #[test]
    fn characters_and_elements_are_taken_out_by_their_number() {
        let all = inputs([text("aéb")]);
        let left = lacking(&all, &[(all.0[0].id, vec![1])], &[]);
        assert_eq!(texts(&left), ["ab"]);
    }
}

//! Inputs of a test that says that something is wrong, where nobody says what is right for others.
//!
//! A test may ask something of one text: that it is refused, or that it is not. Most smaller texts fail such a test too, and
//! rightly so. What says that a part of the text matters is that the test *passes* without it. So what decides is looked for
//! first: the smallest parts without which the test passes. They stay as they are. The rest goes as long as the test
//! fails with what decides and passes without any of it: then what is left is known to be fine, but for what decides.
//!
//! Where everything decides, as in a text in which each character counts, nothing goes.

mod deciding;
mod runs;
mod spans;

use std::ops::Range;
use std::sync::Arc;

use super::text::{TextLeaf, Unit, Units, containers, lines, text_leaves};
use super::together::{Amended, OfData, PartOfText, WhatGoes, reduce_together};
use super::{Body, Inputs, Node, NodeId};
use crate::reduce::{Outcome, Problem, RangeExt, Result};
use deciding::{Deciding, Definition, Part, Piece, STAND_INS, Words, around, parts_of};
use runs::{Runs, are_apart, parts_of_units, parts_that_decide, structured_that_decide, words};
use spans::remove_spans;

/// So many other failures are looked for.
const MOST_FAILURES: usize = 16;
/// In a part of more units than this, none is looked for.
const MOST_JOINED: usize = 16;
/// In a text of more words than this, none is replaced.
const MOST_WORDS: usize = 600;

/// A text of more words than this is long.
const LONG_TEXT: usize = 600;
/// Cuts a text into units.
type Split = fn(&[char]) -> Vec<Range<usize>>;

/// Which sequences are no values.
pub struct Holders<'a> {
    /// Those whose elements are checks of their own.
    pub are_checks: &'a dyn Fn(NodeId) -> bool,
    /// The values that stand in a check, and not elsewhere.
    pub stand_in: &'a dyn Fn(NodeId) -> Vec<NodeId>,
    /// Those that only hold others, as files.
    pub hold_others: &'a dyn Fn(NodeId) -> bool,
    /// Whether the test expects the value: with another one in its place it passes whatever the code does.
    pub is_expected: &'a dyn Fn(NodeId) -> bool,
}

/// Removes checks that do not fail, and parts of values that do not decide.
///
/// # Errors
/// When the search must stop.
pub fn reduce_in_contrast(problem: &mut Problem<'_, Inputs>, holders: &Holders<'_>) -> Result<()> {
    // Each file of a folder is a check of its own, as each row of a table is. Where a check counts them, it goes first.
    let may_go = |id| (holders.are_checks)(id) || (holders.hold_others)(id);
    let original = problem.best().clone();
    loop {
        let accepted = problem.counts().accepted;
        let alone = &|id, _: Option<PartOfText<'_>>| may_go(id);
        let goes = WhatGoes { of_data: OfData::Parts, alone, expected: None };
        reduce_together(problem, goes, &mut |_, _| Ok(Amended::Other))?;
        if problem.counts().accepted == accepted {
            break;
        }
    }
    empty_what_is_gone(problem, &original, holders)?;
    let is_compared = problem.best().nodes().any(|node| (holders.is_expected)(node.id));
    for _ in 0..MOST_FAILURES {
        remove_beside_large_parts(problem, holders, is_compared)?;
        // In the whole text, as what is left of it may be fine only for what is gone with a larger unit.
        let mut deciding = Vec::new();
        let mut is_changed = false;
        for (split, detail) in [(lines as Split, Detail::Lines), (smallest, Detail::Words)] {
            let search = Search { holders, split, detail, coarser: &deciding, is_compared };
            deciding = search.find_all(problem)?;
            is_changed = remove_other_failure(problem, &deciding, split)?;
            if is_changed {
                break;
            }
        }
        if !is_changed {
            let accepted = problem.counts().accepted;
            let goes_on = decides_by_length(problem, &deciding)?
                || deciding.iter().any(|one| matches!(one, Deciding::Elements { .. }));
            remove_others(problem, deciding)?;
            if !goes_on || problem.counts().accepted == accepted {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Removes what does not decide of long texts in which a part of their structure decides: to look at all that is smaller takes
/// long in them.
fn remove_beside_large_parts(
    problem: &mut Problem<'_, Inputs>,
    holders: &Holders<'_>,
    is_compared: bool,
) -> Result<()> {
    let detail = Detail::Structure;
    let search = Search { holders, split: smallest, detail, coarser: &[], is_compared };
    let deciding = search.find_all(problem)?;
    let in_text = |it: &Deciding| matches!(it, Deciding::Text { .. }) && it.is_value();
    if deciding.iter().any(in_text) { remove_others(problem, deciding) } else { Ok(()) }
}

/// Leaves nothing of the values that only stand in checks which are gone: to try them one by one takes as long as it does
/// for those that are left.
fn empty_what_is_gone(
    problem: &mut Problem<'_, Inputs>,
    original: &Inputs,
    holders: &Holders<'_>,
) -> Result<()> {
    let best = problem.best().clone();
    let checks = original.nodes().filter(|node| (holders.are_checks)(node.id));
    let all = checks.flat_map(|node| node.children());
    let gone = all.filter(|check| best.get(check.id).is_none());
    let values = gone.flat_map(|check| (holders.stand_in)(check.id));
    let emptied = values.fold(best.clone(), |left, id| match best.value(id) {
        Some(value) => left.with_value(id, value.trivial()),
        None => left,
    });
    if emptied != best {
        problem.consider(emptied)?;
    }
    Ok(())
}

/// Whether only one part decides, and does so by its length: the test passes without any other part that is as long. Of what is
/// left then, less may decide.
fn decides_by_length(problem: &mut Problem<'_, Inputs>, all: &[Deciding]) -> Result<bool> {
    let mut found = None;
    for one in all {
        let Deciding::Text { leaf, pieces, .. } = one else { continue };
        for part in parts_of(pieces) {
            if found.replace((*leaf, part.range)).is_some() {
                return Ok(false);
            }
        }
    }
    let Some((leaf, part)) = found else { return Ok(false) };
    let chars = leaf.chars(problem.best());
    let ends = [&chars[part.len()..], &chars[..chars.len() - part.len()]];
    for left in ends {
        if problem.ask(&leaf.with_chars(problem.best(), left))? != Outcome::Pass {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes a unit of a part that decides, if it is the cause of another failure, which the test would show without the rest
/// of the part; whether there was one. Without it, less decides: another unit alone. Else it may be what closes the others.
fn remove_other_failure(
    problem: &mut Problem<'_, Inputs>,
    all: &[Deciding],
    split: Split,
) -> Result<bool> {
    for one in all {
        let Deciding::Text { leaf, pieces, .. } = one else { continue };
        let chars = leaf.chars(problem.best());
        let units = split(&chars);
        for Part { range: part, .. } in parts_of(pieces) {
            let inside: Vec<&Range<usize>> =
                units.iter().filter(|unit| part.covers(unit)).collect();
            // Nothing is wrong with nothing.
            let mut beside = chars[..part.start].iter().chain(&chars[part.end..]);
            let is_all = beside.all(|it| it.is_whitespace());
            if is_all || !(2..=MOST_JOINED).contains(&inside.len()) {
                continue;
            }
            for unit in inside.iter().rev() {
                let lacking = |gone: &[&Range<usize>]| {
                    let is_gone = |at: usize| gone.iter().any(|unit| unit.contains(&at));
                    let left = (0..chars.len()).filter(|at| !is_gone(*at)).map(|at| chars[at]);
                    leaf.with_chars(problem.best(), &left.collect::<Vec<_>>())
                };
                let left = lacking(&[*unit]);
                let others = inside.iter().filter(|other| *other != unit);
                let less: Vec<Inputs> = others.map(|other| lacking(&[*unit, *other])).collect();
                let only =
                    [&chars[..part.start], &chars[(*unit).clone()], &chars[part.end..]].concat();
                let only = leaf.with_chars(problem.best(), &only);
                if problem.ask(&only)? == Outcome::Unresolved
                    && problem.ask_all(&less)?.contains(&Outcome::Pass)
                    && problem.consider(left)?
                {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Removes what does not decide among units of texts and elements of lists.
fn remove_others(problem: &mut Problem<'_, Inputs>, mut all: Vec<Deciding>) -> Result<()> {
    if !all.iter().any(Deciding::is_value) {
        return Ok(());
    }
    for one in &mut all {
        one.learn_stand_ins(problem)?;
    }
    let contrast = |problem: &mut Problem<'_, Inputs>, candidate: &Inputs| {
        if !all.iter().all(|one| one.is_in(candidate)) || !problem.is_smaller(candidate) {
            return Ok(false);
        }
        for one in &all {
            if !passes_without(problem, one, candidate)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let mut amend = |problem: &mut Problem<'_, Inputs>, candidate: &Inputs| {
        let has_contrast = contrast(problem, candidate)?;
        Ok(if has_contrast { Amended::To(candidate.clone()) } else { Amended::Other })
    };
    loop {
        let accepted = problem.counts().accepted;
        let goes = WhatGoes { of_data: OfData::Parts, alone: &|_, _| false, expected: None };
        reduce_together(problem, goes, &mut amend)?;
        if problem.counts().accepted == accepted {
            remove_spans(problem, &mut |problem, candidate| contrast(problem, candidate))?;
        }
        if problem.counts().accepted == accepted {
            return Ok(());
        }
    }
}

/// Whether the test passes with a candidate that lacks what decides, or has something else there.
fn passes_without(
    problem: &mut Problem<'_, Inputs>,
    deciding: &Deciding,
    candidate: &Inputs,
) -> Result<bool> {
    for without in deciding.without(candidate) {
        let outcomes = problem.ask_all(&without)?;
        if outcomes.iter().all(|outcome| *outcome == Outcome::Pass) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How what decides is looked for.
struct Search<'a> {
    holders: &'a Holders<'a>,
    split: Split,
    detail: Detail,
    /// What was found with larger units.
    coarser: &'a [Deciding],
    /// Whether the test compares a result with a value that it expects.
    is_compared: bool,
}

/// In which parts what decides is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// In those that long texts have by their structure.
    Structure,
    /// In runs of lines.
    Lines,
    /// In runs of the smallest units.
    Words,
}

impl Search<'_> {
    /// Looks for it in all values.
    fn find_all(&self, problem: &mut Problem<'_, Inputs>) -> Result<Vec<Deciding>> {
        let mut all = Vec::new();
        for root in problem.best().clone().0 {
            self.find(problem, &root, &mut all)?;
        }
        Ok(all)
    }

    /// Looks for it in a value that is there in each candidate.
    fn find(
        &self,
        problem: &mut Problem<'_, Inputs>,
        node: &Arc<Node>,
        all: &mut Vec<Deciding>,
    ) -> Result<()> {
        let known = self.coarser.iter().find(|one| one.id() == node.id);
        match &node.body {
            _ if (self.holders.is_expected)(node.id) => {
                all.push(Deciding::Whole(Arc::clone(node)));
            }
            Body::Seq(_) if (self.holders.are_checks)(node.id) => {
                all.push(Deciding::Whole(Arc::clone(node)));
            }
            // Of one element alone, a part may decide.
            Body::Seq(elements) if elements.len() != 1 && !(self.holders.hold_others)(node.id) => {
                match known {
                    None if self.detail == Detail::Structure => {
                        all.push(Deciding::Whole(Arc::clone(node)));
                    }
                    Some(known) => all.push(known.clone()),
                    None => all.push(elements_that_decide(problem, node, elements)?),
                }
            }
            Body::Seq(children) | Body::Group(children) => {
                for child in children {
                    self.find(problem, child, all)?;
                }
            }
            Body::Leaf(_) => {
                let only = Inputs(vec![Arc::clone(node)]);
                if let Some(leaf) = text_leaves(&only).into_iter().next() {
                    // A record that lacks something may be in the same result, and only for the same bug.
                    if self.is_compared && containers(&leaf.chars(&only)).is_some() {
                        all.push(Deciding::Whole(Arc::clone(node)));
                        return Ok(());
                    }
                    let finer = self.pieces_that_decide(problem, leaf, known)?;
                    let whole = || Deciding::Whole(Arc::clone(node));
                    all.push(finer.or_else(|| known.cloned()).unwrap_or_else(whole));
                }
            }
            Body::Opaque => {}
        }
        Ok(())
    }

    /// The pieces of a text that decide, in those that are `known` to; `None` if it is too long, or nothing smaller decides in
    /// one of them.
    fn pieces_that_decide(
        &self,
        problem: &mut Problem<'_, Inputs>,
        leaf: TextLeaf,
        known: Option<&Deciding>,
    ) -> Result<Option<Deciding>> {
        let chars = leaf.chars(problem.best());
        let units = (self.split)(&chars);
        if self.detail == Detail::Structure && units.len() <= LONG_TEXT {
            return Ok(None);
        }
        let coarser: Vec<Range<usize>> = match known {
            Some(Deciding::Text { pieces, .. }) if !pieces.is_empty() => {
                pieces.iter().map(|piece| piece.start..piece.start + piece.chars.len()).collect()
            }
            _ => std::iter::once(0..chars.len()).collect(),
        };
        let inside: Vec<Range<usize>> = coarser
            .iter()
            .map(|piece| {
                let first = units.partition_point(|unit| unit.end <= piece.start);
                first..units.partition_point(|unit| unit.start < piece.end)
            })
            .collect();
        let build = |kept: &[Range<usize>], base: &Inputs| {
            let kept: Vec<char> =
                kept.iter().flat_map(|unit| chars[unit.clone()].to_vec()).collect();
            leaf.with_chars(base, &kept)
        };
        // Without what is between two words or lines, both would be another one.
        let are_words = words(&chars).len() > 1;
        let may_go = |part: &Range<usize>| {
            let run = units[part.start].start..units[part.end - 1].end;
            let (before, behind) = (chars[..run.start].last(), chars.get(run.end));
            let is_word = |it: Option<&char>| it.is_some_and(|it| it.is_alphanumeric());
            let joins_words = part.len() > 1 && is_word(before) && is_word(behind);
            let ends = chars[run.clone()].iter().filter(|it| **it == '\n').count();
            let are_lines = before.is_none_or(|it| *it == '\n') && chars[run.end - 1] == '\n';
            !are_words || !joins_words && (ends == 0 || are_lines)
        };
        // Half of a pair leaves the other half to be read as something else, and may hide what is behind it.
        let pairs: Vec<Unit> = Units::of(&chars).nested().collect();
        let is_balanced = |part: &Range<usize>| {
            let run = units[part.start].start..units[part.end - 1].end;
            pairs.iter().all(|pair| run.covers(&pair.opening()) == run.covers(&pair.closing()))
        };
        let parts = parts_of_units(&chars, &units);
        let whole = |part: &Range<usize>| may_go(part) && is_balanced(part);
        let mut found = Vec::new();
        for may_go in [&whole as &dyn Fn(&Range<usize>) -> bool, &may_go] {
            let runs =
                Runs { inside: &inside, build: &build, may_go, parts: &parts, are_few: true };
            if self.detail == Detail::Structure {
                found = structured_that_decide(problem, &units, &runs)?;
                break;
            }
            let Some(parts) = parts_that_decide(problem, &units, &runs)? else { return Ok(None) };
            found = parts;
            if !found.is_empty() {
                break;
            }
        }
        let parts = found;
        let mut parts: Vec<Range<usize>> =
            parts.iter().map(|part| units[part.start].start..units[part.end - 1].end).collect();
        let may_lack = !parts.is_empty();
        if self.detail == Detail::Words && !may_lack && are_words {
            parts = words_that_decide(problem, leaf, &chars)?;
        }
        if coarser.iter().any(|piece| are_apart(piece, &parts)) && known.is_some() {
            return Ok(None);
        }
        let pieces = pieces_of(&chars, parts, may_lack);
        let definitions = Definition::all(&chars, &pieces);
        let is_data = containers(&chars).is_some();
        let words = Words::of(&chars);
        Ok(Some(Deciding::Text { leaf, words, pieces, definitions, is_data }))
    }
}

/// The words of a text in whose places something else lets the test pass, although without them it does not: what a
/// document has to have, of a kind that is refused.
fn words_that_decide(
    problem: &mut Problem<'_, Inputs>,
    leaf: TextLeaf,
    chars: &[char],
) -> Result<Vec<Range<usize>>> {
    let mut words = words(chars);
    words.retain(|word| chars[word.start].is_alphanumeric());
    if words.len() > MOST_WORDS {
        return Ok(Vec::new());
    }
    let with = |word: &Range<usize>, other: char| {
        leaf.with_chars(
            problem.best(),
            &[&chars[..word.start], &[other], &chars[word.end..]].concat(),
        )
    };
    let others: Vec<Inputs> =
        words.iter().flat_map(|word| STAND_INS.map(|other| with(word, other))).collect();
    let outcomes = problem.ask_all(&others)?;
    let passes = outcomes.chunks(STAND_INS.len()).map(|some| some.contains(&Outcome::Pass));
    Ok(words.into_iter().zip(passes).filter(|(_, passes)| *passes).map(|(word, _)| word).collect())
}

/// The pieces that parts of a text make which stand side by side.
fn pieces_of(chars: &[char], parts: Vec<Range<usize>>, may_lack: bool) -> Vec<Piece> {
    let mut pieces: Vec<(Range<usize>, Vec<Range<usize>>)> = Vec::new();
    for part in parts {
        match pieces.last_mut() {
            Some((whole, parts)) if part.start <= whole.end => {
                whole.end = whole.end.max(part.end);
                parts.push(part);
            }
            _ => pieces.push((part.clone(), vec![part])),
        }
    }
    let part = |range: Range<usize>| Part { range, may_lack, stand_ins: Vec::new() };
    let piece = |(whole, parts): (Range<usize>, Vec<Range<usize>>)| Piece {
        start: whole.start,
        chars: chars[whole.clone()].to_vec(),
        around: around(chars, &whole),
        parts: parts.iter().map(|it| part(it.counted_from(whole.start))).collect(),
    };
    pieces.into_iter().map(piece).collect()
}

/// The elements of a list that decide.
fn elements_that_decide(
    problem: &mut Problem<'_, Inputs>,
    list: &Arc<Node>,
    elements: &[Arc<Node>],
) -> Result<Deciding> {
    let build = |kept: &[Arc<Node>], base: &Inputs| base.replace(list.id, Body::Seq(kept.to_vec()));
    let all = 0..elements.len();
    let runs =
        Runs { inside: &[all], build: &build, may_go: &|_| true, parts: &[], are_few: false };
    let Some(parts) = parts_that_decide(problem, elements, &runs)? else {
        return Ok(Deciding::Whole(Arc::clone(list)));
    };
    Ok(Deciding::Elements { list: list.id, all: elements.to_vec(), parts })
}

/// Words, signs and white space; the characters of what is nothing but one of these.
fn smallest(chars: &[char]) -> Vec<Range<usize>> {
    let words = words(chars);
    if words.len() > 1 { words } else { (0..chars.len()).map(|at| at..at + 1).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::super::testing::{Plan, group, inputs, int, numbers, seq, text, the_text};
    use super::*;
    use crate::reduce::{FromFn, Memory};

    fn reduced(plans: impl IntoIterator<Item = Plan>, fails: fn(&Inputs) -> bool) -> Inputs {
        let ends = |inputs: &Inputs| if fails(inputs) { Outcome::Fail } else { Outcome::Pass };
        reduced_by(plans, ends)
    }

    fn reduced_by(
        plans: impl IntoIterator<Item = Plan>,
        ends: impl FnMut(&Inputs) -> Outcome,
    ) -> Inputs {
        let mut oracle = FromFn(ends);
        let mut problem = Problem::new(inputs(plans), &mut oracle, Memory::Forget);
        let holders = Holders {
            stand_in: &|_| Vec::new(),
            are_checks: &|id| id == NodeId(0),
            hold_others: &|_| false,
            is_expected: &|_| false,
        };
        reduce_in_contrast(&mut problem, &holders).unwrap();
        problem.into_best()
    }

    /// A list of numbers, of which a code refuses those with an exponent; it is right to refuse other things.
    fn is_refused(inputs: &Inputs) -> bool {
        let text = the_text(inputs);
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
        let mut words = text.split(' ').filter(|word| !word.is_empty());
        words.next() != Some("numbers") || !words.all(is_number)
    }

    #[test]
    fn what_is_left_is_fine_but_for_what_decides() {
        let all = text("numbers 12 13 45 1e5 17 180 34");
        let best = reduced([seq([]), all], is_refused);
        assert_eq!(the_text(&best), "numbers 1e5");
    }

    #[test]
    fn words_go_whole_though_what_would_be_left_is_one_of_another_place() {
        // A mark is refused that begins before 18: at 17 wrongly, at 7 rightly.
        let ends = |inputs: &Inputs| {
            let text = the_text(inputs);
            let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
            let place = words.iter().position(|word| *word == "mark");
            match place.map(|at| words.get(at + 1).and_then(|it| it.parse::<u32>().ok())) {
                None | Some(Some(18..)) => Outcome::Pass,
                Some(Some(_)) => Outcome::Fail,
                Some(None) => Outcome::Unresolved,
            }
        };
        let best = reduced_by([seq([]), text("from 7 mark 17 to 90")], ends);
        assert!(the_text(&best).contains("mark 17"), "{}", the_text(&best));
    }

    #[test]
    fn what_a_text_has_to_have_decides_where_something_else_would_do() {
        // Each field has to be there.
        let ends = |inputs: &Inputs| {
            let text = the_text(inputs);
            let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
            match words.iter().rposition(|word| *word == "total:") {
                Some(at) if words.get(at + 1) == Some(&"1e4") => Outcome::Fail,
                Some(at) if words.get(at + 1).is_some_and(|it| it.parse::<u32>().is_ok()) => {
                    Outcome::Pass
                }
                _ => Outcome::Unresolved,
            }
        };
        let best = reduced_by([seq([]), text("name: x total: 1e4 rest: y")], ends);
        assert_eq!(the_text(&best), "total: 1e4");
    }

    #[test]
    fn records_that_a_comparison_does_not_show_lose_nothing() {
        // A record without a price is found, too, which the test does not expect.
        let found = |inputs: &Inputs| {
            let text = the_text(inputs);
            let records = text.split('{').skip(1);
            records.filter(|it| !it.contains("price") || it.contains("\": 9")).count()
        };
        let data = r#"[{"price": 9, "a": 1}, {"a": 2}, {"price": 3}]"#;
        let mut oracle = FromFn(|inputs: &Inputs| match found(inputs) {
            2 => Outcome::Fail,
            _ => Outcome::Pass,
        });
        let mut problem = Problem::new(inputs([int(1), text(data)]), &mut oracle, Memory::Forget);
        let holders = Holders {
            stand_in: &|_| Vec::new(),
            are_checks: &|_| false,
            hold_others: &|_| false,
            is_expected: &|id| id == NodeId(0),
        };
        reduce_in_contrast(&mut problem, &holders).unwrap();
        assert_eq!(the_text(problem.best()), data);
    }

    #[test]
    fn files_that_do_not_fail_go_with_the_check_that_counts_them() {
        let parts = |inputs: &Inputs, at: usize| inputs.0[at].children().len();
        let mut oracle = FromFn(|inputs: &Inputs| {
            let has_failing = inputs
                .leaves()
                .any(|(_, value)| matches!(value, Value::Text(text) if text.contains('#')));
            match (parts(inputs, 0), parts(inputs, 1)) {
                (3, 1) | (_, 0) => {}
                _ => return Outcome::Unresolved,
            }
            if has_failing { Outcome::Fail } else { Outcome::Pass }
        });
        let files = seq(["a = 1", "b = 2 # c", "d"].map(text));
        let mut problem = Problem::new(inputs([files, seq([int(3)])]), &mut oracle, Memory::Forget);
        let holders = Holders {
            stand_in: &|_| Vec::new(),
            are_checks: &|id| id == NodeId(4),
            hold_others: &|id| id == NodeId(0),
            is_expected: &|_| false,
        };
        reduce_in_contrast(&mut problem, &holders).unwrap();
        assert_eq!([parts(problem.best(), 0), parts(problem.best(), 1)], [1, 0]);
    }

    #[test]
    fn what_decides_may_stand_at_other_places_too() {
        // A line without `=` is a comment.
        let is_refused = |inputs: &Inputs| {
            let value = |line: &str| line.split_once(" = ").map(|(_, value)| value.to_owned());
            the_text(inputs).lines().filter_map(value).any(|value| value.contains('µ'))
        };
        let lines = "# of times\nkeep = 30s\nwait = 40 ms\nstep = 250 µs\nstop = 2h\nwarm = 1min\n";
        let best = reduced([seq([]), text(lines)], is_refused);
        assert_eq!(the_text(&best).lines().count(), 1, "{}", the_text(&best));
    }

    #[test]
    fn a_number_with_its_signs_is_one_word() {
        let text: Vec<char> = "a well-known 1.5e-10, -2 at 12:30 x:a: b".chars().collect();
        let words: Vec<String> =
            words(&text).into_iter().map(|word| text[word].iter().collect()).collect();
        assert_eq!(
            words,
            [
                "a", " ", "well-known", " ", "1.5e-10", ",", " ", "-", "2", " ", "at", " ",
                "12:30", " ", "x:a", ":", " ", "b"
            ]
        );
    }

    #[test]
    fn what_stands_behind_an_element_may_decide_together() {
        // Nothing may stand behind the list; a comma with nothing behind it is refused rightly.
        let ends = |inputs: &Inputs| {
            let text = the_text(inputs);
            let is_closed = text.starts_with("{\"list\": [") && text.ends_with('}');
            match text.split_once(']').map(|(_, behind)| behind.trim_end_matches('}').trim()) {
                Some("") if is_closed => Outcome::Pass,
                Some(behind) if is_closed && behind.starts_with(',') && behind.ends_with('"') => {
                    Outcome::Fail
                }
                _ => Outcome::Unresolved,
            }
        };
        let numbers: Vec<String> = (100..160).map(|number| number.to_string()).collect();
        let list = numbers.join(", ");
        let all = format!("{{\"list\": [{list}],\n\"at\": \"a b c d e\",\n\"by\": \"f g h\"\n}}");
        let best = reduced_by([seq([]), text(&all)], ends);
        assert!(the_text(&best).len() < 60, "{}", the_text(&best));
    }

    #[test]
    fn blocks_go_whole() {
        let last_text = |inputs: &Inputs| match inputs.leaves().last() {
            Some((_, Value::Text(text))) => text.clone(),
            _ => String::new(),
        };
        // Subtitles, each with a number, times and a text; what follows the times is refused, rightly where it is no position.
        let is_time = |time: &str| {
            let mut parts = time.split([':', ',']);
            parts.clone().count() == 4 && parts.all(|it| it.parse::<u32>().is_ok())
        };
        let is_read = |block: &str| {
            let mut lines = block.trim_start_matches('\n').splitn(3, '\n');
            lines.next().is_some_and(|it| it.parse::<u32>().is_ok())
                && lines.next().is_some_and(|it| {
                    let mut times = it.split(" --> ");
                    times.next().is_some_and(is_time) && times.next().is_some_and(is_time)
                })
                && lines.next().is_some()
        };
        let ends = |inputs: &Inputs| {
            let text = last_text(inputs);
            let mut blocks = text.split_terminator("\n\n");
            Outcome::fail_if(!blocks.all(|it| !it.contains(char::is_alphanumeric) || is_read(it)))
        };
        let block = |number: u32, place: &str| {
            format!(
                "{number}\n00:03:{number},408 --> 00:04:{number},033{place}\nLine {number} of it.\n\n"
            )
        };
        let texts = (10..40).map(|number| {
            block(number, if number == 29 { " X1:120 X2:600 Y1:400 Y2:440" } else { "" })
        });
        let options = seq([text("--by"), text("2000")]);
        let best = reduced_by([seq([]), options, text(&texts.collect::<String>())], ends);
        assert_eq!(
            last_text(&best),
            "29\n00:03:29,408 --> 00:04:29,033 X1:120 X2:600 Y1:400 Y2:440\n"
        );
    }

    #[test]
    fn words_that_stand_apart_are_not_joined() {
        // The code takes the blank before a block away; the test asks for two texts that are not one.
        let joins = |inputs: &Inputs| {
            let text = the_text(inputs);
            text.contains("{{ name }}(") || text.contains("{{ name }} {##}(")
        };
        let text_before = "Dear {{ name }},\nKey: {{ name }} {##}({{ key }})\n";
        let best = reduced([seq([]), text(text_before)], joins);
        assert_eq!(the_text(&best), "{{ name }} {##}({{ key }})");
    }

    #[test]
    fn a_part_that_is_needed_to_read_the_others_is_not_all_that_decides() {
        // Without its first word nothing of it is read, and an exponent is refused together with its name.
        let is_refused = |inputs: &Inputs| {
            let text = the_text(inputs);
            let mut words = text.split(' ').filter(|word| !word.is_empty());
            words.next() == Some("numbers")
                && words
                    .collect::<Vec<_>>()
                    .chunks(2)
                    .any(|pair| pair.len() < 2 || pair[1] == "1e5")
        };
        let all = text("numbers a 12 b 13 c 45 d 1e5 e 17 f 180 g 34");
        let best = reduced([seq([]), all], is_refused);
        assert!(the_text(&best).contains("d 1e5"), "{}", the_text(&best));
        assert!(the_text(&best).len() < 20, "{}", the_text(&best));
    }

    #[test]
    fn what_is_left_is_fine_by_itself() {
        // What is closed has to be open, and `<` stands before a name; the first error is the one that is told.
        let ends = |inputs: &Inputs| {
            let text = the_text(inputs);
            let mut open = 0;
            for (at, it) in text.char_indices() {
                match it {
                    '#' => return Outcome::Fail,
                    '(' => open += 1,
                    ')' if open == 0 => return Outcome::Unresolved,
                    ')' => open -= 1,
                    '<' if !text[at + 1..].starts_with(char::is_alphabetic) => {
                        return Outcome::Unresolved;
                    }
                    _ => {}
                }
            }
            Outcome::Pass
        };
        let best = reduced_by([seq([]), text("(one 1)\n(two x #y)(2) (three 3)\n(four 4)")], ends);
        assert_eq!(the_text(&best), "#");
    }

    #[test]
    fn with_another_word_in_its_place_the_test_passes_too() {
        // A line is a comment or has an equals sign, and in comments an apostrophe is refused.
        let ends = |inputs: &Inputs| {
            let is_wrong = |line: &str| {
                line.contains('\'')
                    || !line.is_empty() && !line.starts_with('#') && !line.contains('=')
            };
            if the_text(inputs).lines().any(is_wrong) { Outcome::Fail } else { Outcome::Pass }
        };
        let best = reduced_by([seq([]), text("a = 1\n# it doesn't work\nb = 2")], ends);
        assert_eq!(the_text(&best), "# doesn't");
    }

    #[test]
    fn what_decides_by_its_length_gets_shorter() {
        let best = reduced([seq([]), text("abcd;.ef.")], |inputs| the_text(inputs).len() >= 4);
        assert_eq!(the_text(&best).len(), 4);
    }

    #[test]
    fn another_failure_goes_before_it_decides_too() {
        let ends = |inputs: &Inputs| match the_text(inputs).chars().find(|it| "#%".contains(*it)) {
            Some('#') => Outcome::Fail,
            Some(_) => Outcome::Unresolved,
            None => Outcome::Pass,
        };
        let best = reduced_by([seq([]), text("one\ntwo # 2\nthree\nfour % 4\nfive")], ends);
        assert_eq!(the_text(&best), "#");
    }

    #[test]
    fn what_closes_others_does_not_go_as_another_failure() {
        // An optional field holds no comma; what is open has to be closed, or a comma behind its value is told first.
        let ends = |inputs: &Inputs| {
            let text: String = the_text(inputs).split_whitespace().collect();
            let Some(rest) = text.strip_prefix("(a:1").and_then(|it| it.strip_suffix(")")) else {
                return if text.contains("b:some(6,") {
                    Outcome::Fail
                } else {
                    Outcome::Unresolved
                };
            };
            match rest {
                "" | "b:some(6)" => Outcome::Pass,
                rest if rest.starts_with("b:some(6,") => Outcome::Fail,
                _ => Outcome::Unresolved,
            }
        };
        let best = reduced_by([seq([]), text("(\na:1\nb:some(\n6,\n)\n)\n")], ends);
        let left: String = the_text(&best).split_whitespace().collect();
        assert_eq!(left, "(a:1b:some(6,))");
    }

    #[test]
    fn where_each_part_decides_all_of_it_stays() {
        let is_accepted = |inputs: &Inputs| the_text(inputs).len().is_multiple_of(4);
        let best = reduced([seq([]), text("QUJDREVGiYV=")], is_accepted);
        assert_eq!(the_text(&best), "QUJDREVGiYV=");
    }

    #[test]
    fn of_checks_the_one_that_fails_is_left_as_it_is() {
        let row = |number: i128| group([int(number), text("a b c d e f")]);
        let is_there = |inputs: &Inputs| numbers(inputs).contains(&612);
        let best = reduced([seq((600..700).map(row))], is_there);
        assert_eq!(numbers(&best), [612]);
        assert_eq!(the_text(&best), "a b c d e f");
    }

    #[test]
    fn inside_of_the_only_element_that_decides_others_go() {
        let row = |first: i128| group([int(0), seq((first..first + 5).map(int))]);
        let needs = |inputs: &Inputs| numbers(inputs).contains(&17);
        let best = reduced([seq([]), seq([row(10), row(15), row(20)])], needs);
        assert_eq!(numbers(&best), [0, 17]);
    }

    #[test]
    fn of_elements_that_decide_together_some_stay_as_they_are() {
        let texts = |inputs: &Inputs| -> Vec<String> {
            let text = |(_, value): (_, &Value)| match value {
                Value::Text(text) => Some(text.clone()),
                _ => None,
            };
            inputs.leaves().filter_map(text).collect()
        };
        // Versions in order: a number with a letter is compared as text, and a version with such a part is older than without.
        let is_older = |one: &str, other: &str| match (one.split_once('r'), other.split_once('r')) {
            (Some(one), Some(other)) => one < other,
            (one, other) => one.is_some() && other.is_none() || one == other && one.is_none(),
        };
        let ends = |inputs: &Inputs| {
            let versions = texts(inputs);
            let are_sorted = versions.windows(2).all(|pair| is_older(&pair[0], &pair[1]));
            if are_sorted { Outcome::Pass } else { Outcome::Fail }
        };
        let numbers = (11..136).step_by(3);
        let versions = numbers.map(|number| text(&format!("1.2.r{number}")));
        let best = reduced_by([seq([]), seq(versions)], ends);
        assert_eq!(texts(&best), ["1.2.r89", "1.2.r101"]);
    }

    #[test]
    fn sections_go_whole() {
        // Hunks of a patch that touch each other are refused; the lines of each are counted.
        let ends = |inputs: &Inputs| {
            let text = the_text(inputs);
            let mut lines = text.lines().peekable();
            let mut end = 0;
            while let Some(head) = lines.next() {
                let Some((start, count)) =
                    head.strip_prefix("@@ ").and_then(|it| it.split_once(','))
                else {
                    return Outcome::Unresolved;
                };
                let (Ok(start), Ok(count)) = (start.parse::<usize>(), count.parse::<usize>())
                else {
                    return Outcome::Unresolved;
                };
                for _ in 0..count {
                    if lines.next_if(|it| it.starts_with(' ')).is_none() {
                        return Outcome::Unresolved;
                    }
                }
                if start <= end {
                    return Outcome::Fail;
                }
                end = start + count;
            }
            Outcome::Pass
        };
        let hunk =
            |start: usize, count: usize| format!("@@ {start},{count}\n{}", " line\n".repeat(count));
        let hunks = [(1, 7), (19, 5), (39, 8), (59, 9), (89, 7), (145, 7), (152, 6), (169, 9)];
        let all: String = hunks.map(|(start, count)| hunk(start, count)).concat();
        let best = reduced_by([seq([]), text(&all)], ends);
        let left = [hunk(145, 7), hunk(152, 6)].concat();
        assert_eq!(the_text(&best), left.trim_end_matches("line\n"));
    }

    #[test]
    fn elements_that_do_not_decide_go_and_numbers_stay() {
        let needs = |inputs: &Inputs| {
            let all = numbers(inputs);
            all.contains(&17) && all.contains(&612)
        };
        let best = reduced([seq([]), seq((0..700).map(int))], needs);
        assert_eq!(numbers(&best), [17, 612]);
    }
}

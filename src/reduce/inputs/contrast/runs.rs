//! Runs of units without which a test passes.

use std::ops::Range;

use crate::reduce::inputs::Inputs;
use crate::reduce::inputs::text::{Container, blocks, bracketed, marks, sections, tokens};
use crate::reduce::{Outcome, Problem, RangeExt, Result};

/// A value of more parts than this stays as it is: each costs a run.
const MOST_UNITS: usize = 4_000;
/// So many parts by structure are looked at, the shortest ones.
const MOST_STRUCTURED: usize = 2_000;
/// So many elements at the end of a list are looked at together.
const MOST_BEHIND: usize = 16;
/// In a value of at most so many parts, runs are looked at wherever they begin.
const FEW_UNITS: usize = 120;
/// And in other ones those of so many units; so long runs are looked at of each length, longer ones of each power of two.
const SHORT: usize = 8;

/// Words, signs and white space. `1.5e-10`, `12:30`, `xmlns:a` and `well-known` are one word.
pub(super) fn words(chars: &[char]) -> Vec<Range<usize>> {
    let is_sign = |one: &Range<usize>| one.len() == 1 && "+-.':".contains(chars[one.start]);
    let is_word = |one: &Range<usize>| chars[one.start].is_alphanumeric();
    let mut words: Vec<Range<usize>> = Vec::new();
    for token in tokens(chars) {
        if let [.., word, sign] = &mut words[..]
            && is_word(word)
            && is_word(&token)
            && is_sign(sign)
        {
            word.end = token.end;
            words.pop();
        } else {
            words.push(token);
        }
    }
    words
}

/// Whether a run has nothing in common with others.
pub(super) fn are_apart(part: &Range<usize>, others: &[Range<usize>]) -> bool {
    others.iter().all(|other| part.end <= other.start || other.end <= part.start)
}

/// Which runs of units are looked at.
pub(super) struct Runs<'a, T> {
    /// They lie in one of these.
    pub(super) inside: &'a [Range<usize>],
    /// The inputs with nothing but these units.
    pub(super) build: &'a dyn Fn(&[T], &Inputs) -> Inputs,
    /// Whether a run can go alone that is no part of the structure.
    pub(super) may_go: &'a dyn Fn(&Range<usize>) -> bool,
    /// Those that are parts of the whole by its structure: one of these is rather meant than one that is as long and begins
    /// within another part.
    pub(super) parts: &'a [Range<usize>],
    /// Whether of long runs one is enough: two mostly decide by their length alone.
    pub(super) are_few: bool,
}

impl<T: Clone> Runs<'_, T> {
    /// The inputs without a run of these units.
    fn lacking(&self, units: &[T], run: &Range<usize>, base: &Inputs) -> Inputs {
        (self.build)(&[&units[..run.start], &units[run.end..]].concat(), base)
    }
}

/// The parts by structure without which the test passes, shorter ones first and each apart from these, in order.
pub(super) fn structured_that_decide<T: Clone>(
    problem: &mut Problem<'_, Inputs>,
    units: &[T],
    runs: &Runs<'_, T>,
) -> Result<Vec<Range<usize>>> {
    let mut parts: Vec<&Range<usize>> = runs.parts.iter().collect();
    parts.sort_by_key(|part| part.len());
    parts.truncate(MOST_STRUCTURED);
    let best = problem.best().clone();
    let candidates: Vec<Inputs> =
        parts.iter().map(|part| runs.lacking(units, part, &best)).collect();
    let outcomes = problem.ask_all(&candidates)?;
    let mut all: Vec<Range<usize>> = Vec::new();
    for (part, outcome) in parts.into_iter().zip(outcomes) {
        if outcome == Outcome::Pass && are_apart(part, &all) {
            all.push(part.clone());
        }
    }
    all.sort_by_key(|part| part.start);
    Ok(all)
}

/// The runs of units without which the test passes, shorter ones first and each apart from these, in order; `None` if there
/// are too many units. Shorter ones are not all: without the first word a text may be read no further.
pub(super) fn parts_that_decide<T: Clone>(
    problem: &mut Problem<'_, Inputs>,
    units: &[T],
    runs: &Runs<'_, T>,
) -> Result<Option<Vec<Range<usize>>>> {
    let Runs { inside, may_go, parts: structured, are_few, .. } = *runs;
    let count: usize = inside.iter().map(ExactSizeIterator::len).sum();
    if count > MOST_UNITS {
        return Ok(None);
    }
    let best = problem.best().clone();
    let mut all: Vec<Range<usize>> = Vec::new();
    let (mut size, mut shorter) = (1, 0);
    while size <= count {
        let step = if count <= FEW_UNITS || size <= SHORT { 1 } else { size / 2 };
        let starts = inside
            .iter()
            .flat_map(|it| (it.start..(it.end + 1).saturating_sub(size)).step_by(step));
        let is_within = |it: &Range<usize>| inside.iter().any(|whole| whole.covers(it));
        let meant = structured.iter().filter(|it| (shorter + 1..=size).contains(&it.len()));
        let meant = meant.filter(|it| is_within(it)).cloned();
        let others = starts.map(|start| start..start + size).filter(|it| may_go(it));
        let parts: Vec<Range<usize>> =
            meant.chain(others).filter(|part| are_apart(part, &all)).collect();
        let lacking = |part: &Range<usize>| runs.lacking(units, part, &best);
        let candidates: Vec<Inputs> = parts.iter().map(lacking).collect();
        let outcomes = problem.ask_all(&candidates)?;
        for (mut part, outcome) in parts.into_iter().zip(outcomes) {
            if outcome != Outcome::Pass {
                continue;
            }
            for (first, last) in [(1, 0), (0, 1)] {
                let ends = |part: &Range<usize>| part.start + first..part.end - last;
                while ends(&part).len() > size / 2
                    && may_go(&ends(&part))
                    && problem.ask(&lacking(&ends(&part)))? == Outcome::Pass
                {
                    part = ends(&part);
                }
            }
            let is_another =
                are_few && part.len() > SHORT && all.iter().any(|known| known.len() > SHORT);
            if are_apart(&part, &all) && !is_another {
                all.push(part);
            }
        }
        shorter = size;
        size = if size < SHORT { size + 1 } else { 2 * size };
    }
    all.sort_by_key(|part| part.start);
    Ok(Some(all))
}

/// The units of the blocks and sections of a text, and of the elements between its brackets, one or all behind another.
pub(super) fn parts_of_units(chars: &[char], units: &[Range<usize>]) -> Vec<Range<usize>> {
    let blocks = blocks(chars).into_iter();
    let sections = marks(chars).into_iter().flat_map(|mark| sections(chars, &mark));
    let elements =
        bracketed(chars).into_iter().flat_map(|Container { content, elements, .. }| {
            // With what separates it from the next one.
            let with_next = elements.iter().map(|it| it.start..content.end.min(it.end + 1));
            // Without the last of them, what separates it from the one before would stand there for nothing.
            let end = elements.last().map_or(0, |last| last.end);
            let behind = elements.iter().rev().skip(1).take(MOST_BEHIND);
            let all_behind = behind.map(|it| it.end..end);
            with_next.chain(all_behind).collect::<Vec<_>>()
        });
    let of_units = |part: Range<usize>| {
        let start = units.binary_search_by_key(&part.start, |unit| unit.start).ok()?;
        let last = units.binary_search_by_key(&part.end, |unit| unit.end).ok()?;
        Some(start..last + 1)
    };
    blocks
        .chain(sections)
        .chain(elements)
        .filter_map(of_units)
        .filter(|part| !part.is_empty())
        .collect()
}

//! What agrees on both sides of a comparison goes from the inputs and from the expected value together.
//!
//! A run of a candidate shows what the code under test makes of it. Where that is what it made of the best, but for parts
//! that are gone, the same parts go from the expected value: what is left of it is as right or wrong as before.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::debugged::{Losing, read};
use super::lost::lost_with;
use super::missing::Missing;
use super::subject::Subject;
use super::words::{Words, count_of, counts, leaves_apart};
use crate::oracle::in_process::InProcessOracle;
use crate::oracle::libtest::Verdict;
use crate::oracle::process::ProcessOracle;
use crate::oracle::signature::{Signature, changes, sides, tokens};
use crate::reduce::inputs::{
    Amended, Body, Inputs, Node, NodeId, OfData, PartOfText, Value, WhatGoes, lacking,
    reduce_together, tables,
};
use crate::reduce::{Problem, Stop};
use crate::rust::scan::{self, PieceKind};
use crate::source::Edits;

/// What is known of the value that the failing comparison expects.
#[derive(Clone)]
pub struct ExpectedValue<'a> {
    /// How candidates have to change there.
    pub amend: &'a AmendBy<'a>,
    /// The text that is nothing else, if it is one of the inputs.
    pub text: Option<NodeId>,
    /// Sequences whose elements may go though the result stays: each is a check of its own.
    pub may_go_alone: BTreeSet<NodeId>,
    /// Whether lines of texts may go though the result stays.
    pub lines_may_go: bool,
    /// What the result lacks.
    pub missing: Missing,
}

/// How a candidate, the second of the two, has to change to be the same failure as the best.
pub type AmendBy<'a> = dyn Fn(&Inputs, &Inputs) -> Result<Amended, Stop> + 'a;

impl ExpectedValue<'_> {
    /// Removes parts of the inputs, each along with what is expected of it.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn reduce(&self, problem: &mut Problem<'_, Inputs>, original: &Inputs) -> Result<(), Stop> {
        let is_text = |id| original.value(id).is_some();
        let may_go_alone = |id, part: Option<PartOfText<'_>>| {
            let is_overlooked = part.is_some_and(|part| self.missing.may_need(part));
            self.may_go_alone.contains(&id) || (self.lines_may_go && is_text(id) && !is_overlooked)
        };
        let goes =
            WhatGoes { of_data: OfData::Elements, alone: &may_go_alone, expected: self.text };
        reduce_together(problem, goes, &mut |problem, candidate| {
            problem.count_observed()?;
            (self.amend)(problem.best(), candidate)
        })
    }
}

/// What runs candidates to see what they show.
pub enum Observer {
    /// One process, again and again.
    InLoop(Box<InProcessOracle>),
    /// A process for each.
    Fresh(Box<ProcessOracle>),
}

/// Says how expected values change with candidates.
pub struct Agreement<'a> {
    /// Shows what becomes of candidates.
    observer: Observer,
    /// The failure of the best, as the probe shows it.
    expected: &'a Signature,
    /// The inputs, the one that most likely is expected last.
    order: Vec<NodeId>,
    /// The inputs unchanged.
    original: &'a Inputs,
    /// What the result lacks.
    missing: Missing,
    /// The value that is expected, if it is among the inputs.
    expects: Option<NodeId>,
    /// What the best shows.
    best: Option<(Inputs, String)>,
}

impl<'a> Agreement<'a> {
    /// For the inputs of a subject.
    pub fn new(
        subject: &Subject,
        original: &'a Inputs,
        observer: Observer,
        expected: &'a Signature,
    ) -> Self {
        let mut order: Vec<NodeId> = original.ids().collect();
        order.sort_by_key(|id| {
            let place = subject.found.place(*id);
            (place.file, place.start, std::cmp::Reverse(place.end))
        });
        let mut agreement = Agreement {
            observer,
            expected,
            order,
            original,
            missing: lacked(expected),
            expects: None,
            best: None,
        };
        agreement.expects = sides(&expected.message)
            .and_then(|(_, right)| agreement.shown(original, right))
            .map(|(expected, _)| expected);
        agreement
    }

    /// The message of a candidate's failure, if that is one of the comparison.
    fn observe(&mut self, candidate: &Inputs) -> Result<Option<String>, Stop> {
        let verdict = match &mut self.observer {
            Observer::InLoop(looped) => looped.observe(candidate)?,
            Observer::Fresh(process) => Some(process.observe(candidate)?),
        };
        Ok(match verdict {
            Some(Verdict::Failed(shown)) if shown.location == self.expected.location => {
                Some(shown.message)
            }
            _ => None,
        })
    }

    /// The expected value, and where its parts stand in the text that shows it.
    fn shown(&self, inputs: &Inputs, right: &str) -> Option<(NodeId, Shown)> {
        let nodes = self.order.iter().rev().filter_map(|id| inputs.get(*id));
        let shown = nodes.filter_map(|node| Some((node, Shown::find(node, right)?)));
        // Of those that tell as much of it the last one, as a whole.
        let is_less = |(known, best): &(&Arc<Node>, Shown), (node, shown): &(&Arc<Node>, Shown)| {
            let (most, next) = (best.rank(), shown.rank());
            next < most || next == most && !node.contains(known.id)
        };
        let most = shown.reduce(|best, next| if is_less(&best, &next) { best } else { next });
        most.map(|(node, shown)| (node.id, shown))
    }

    /// The candidate without the elements of the expected list that the result loses, the first shown side where it becomes the
    /// second, and that list.
    fn lacking_elements(
        &self,
        candidate: &Inputs,
        [left, now, right]: [&str; 3],
    ) -> Option<(Inputs, NodeId)> {
        let losing = Losing::of(left, now, right)?;
        let mut nodes = self.order.iter().rev().filter_map(|id| candidate.get(*id));
        let list = nodes.find(|node| losing.is_shown_by(node))?;
        Some((lacking(candidate, &[], &[(list.id, losing.lost)]), list.id))
    }

    /// The value that is expected, if it is among the inputs.
    pub fn expected(&self) -> Option<NodeId> {
        self.expects
    }

    /// The input that is the expected value and nothing else, if that is a text.
    pub fn expected_text(&self) -> Option<NodeId> {
        let (_, right) = sides(&self.expected.message)?;
        let text = |id: &NodeId| self.original.value(*id)?.as_text().map(|it| format!("{it:?}"));
        self.expects.filter(|id| text(id).is_some_and(|text| text == right))
    }

    /// The sequences each of whose elements has an expected value of its own.
    pub fn tables(&self) -> BTreeSet<NodeId> {
        self.expected().map_or_else(BTreeSet::new, |expected| tables(self.original, expected))
    }

    /// What the result lacks.
    pub fn missing(&self) -> &Missing {
        &self.missing
    }

    /// Whether what the result lacks may count the lines of these inputs, so that it would be another number without one.
    fn may_be_counted(&self, inputs: &Inputs) -> bool {
        let texts = || {
            leaves_apart(inputs, self.expects).filter_map(|(_, value)| match value {
                Value::Text(text) => Some(text),
                _ => None,
            })
        };
        let lines = || texts().map(|text| text.lines().count()).max().unwrap_or(0);
        let says = |number: &str| texts().any(|text| text.contains(number));
        self.missing.is_of_numbers() && self.missing.may_count(lines(), says)
    }

    /// Whether the test says by itself what is wrong with what it shows.
    fn is_report(&self) -> bool {
        self.expected.is_report()
    }

    /// Whether the result tells of the inputs: `None`, `false` or an empty list is there without them, too.
    pub fn shows_input(&self) -> bool {
        if self.is_report() {
            return true;
        }
        let left = sides(&self.expected.message).map_or("", |(left, _)| left);
        left.contains(|it: char| it.is_ascii_digit()) || left.replace("\"\"", "").contains('"')
    }

    /// The candidate with an expected value that lacks what its result lacks. What the result lacks even before stays
    /// in the inputs if it was there: without it nobody would expect it.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn amend(&mut self, best: &Inputs, candidate: &Inputs) -> Result<Amended, Stop> {
        if self.best.as_ref().is_none_or(|(known, _)| known != best) {
            let shown = self.observe(best)?;
            self.best = shown.map(|message| (best.clone(), message));
        }
        let best_shows = self.best.as_ref().map(|(_, message)| message.clone());
        let Some(before) = &best_shows else { return Ok(Amended::Other) };
        let Some(after) = self.observe(candidate)? else { return Ok(Amended::Other) };
        if *before == after {
            return Ok(Amended::Unchanged);
        }
        if self.is_report() {
            return Ok(self.reported(best, candidate, before, &after));
        }
        if self.may_be_counted(best) {
            return Ok(Amended::Other);
        }
        // An empty text is a case of its own, of which the test says nothing.
        if candidate.leaves().any(|(id, it)| is_empty(it) && !best.value(id).is_some_and(is_empty))
        {
            return Ok(Amended::Other);
        }
        let (Some((left, right)), Some((now, still))) = (sides(before), sides(&after)) else {
            return Ok(Amended::Other);
        };
        if right == still
            && let Some(lacking) = self.lacking_elements(candidate, [left, now, right])
        {
            let words = Words::of_changed_inputs(lacking.1, best, candidate);
            let is_right = !words.are_hidden(left, now);
            return Ok(if is_right { Amended::To(lacking.0) } else { Amended::Other });
        }
        let Some(edits) = lost_with(left, now, right) else { return Ok(Amended::Other) };
        let less = edits.apply(right);
        // The input itself is expected back.
        if less == still {
            return Ok(Amended::To(candidate.clone()));
        }
        let shown = (right == still).then(|| self.shown(candidate, right)).flatten();
        let Some((expected, shown)) = shown else { return Ok(Amended::Other) };
        let words = Words::apart_from(expected, best, candidate);
        let missing = [(left, right), (now, &*less)].map(|(left, right)| {
            let missing = Missing::between(left, right);
            counts(missing.tokens_of(|word| words.had(word)).into_iter())
        });
        let by_text = Words::of_changed_texts(expected, best, candidate);
        let [lacked, lacks] = &missing;
        let is_explained_by = |words: &Words| {
            lacked.iter().all(|(word, count)| words.explain(word, *count, count_of(word, lacks)))
        };
        let is_explained = is_explained_by(&words)
            && by_text.iter().all(is_explained_by)
            && !Words::of_changed_inputs(expected, best, candidate).are_hidden(left, now);
        let amended = || shown.edited(candidate, right, &edits).map(Amended::To);
        Ok(is_explained.then(amended).flatten().unwrap_or(Amended::Other))
    }
}

impl Agreement<'_> {
    /// As [`Agreement::amend`], for a report that was `before` and is `after`.
    fn reported(&self, best: &Inputs, candidate: &Inputs, before: &str, after: &str) -> Amended {
        let missing = &self.missing;
        let needed = |inputs: &Inputs| -> BTreeSet<String> {
            let lines = inputs.leaves().flat_map(|(_, value)| match value {
                // What the test looks for is no place where it comes from.
                Value::Text(text) if !missing.is(text) => text.lines().map(str::to_owned).collect(),
                Value::Int(int) => vec![int.magnitude.to_string()],
                _ => Vec::new(),
            });
            lines.filter(|line| missing.has_word_in(line)).collect()
        };
        let is_same = before.lines().next() == after.lines().next() && only_loses(before, after);
        if is_same && needed(best).is_subset(&needed(candidate)) {
            Amended::To(candidate.clone())
        } else {
            Amended::Other
        }
    }
}

/// What the result lacks of which this failure tells.
fn lacked(failure: &Signature) -> Missing {
    if failure.is_report() {
        return Missing::in_report(failure.headline());
    }
    Missing::of(&failure.message)
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.is_empty())
}

/// Whether a message becomes `now` by losing parts, where numbers may count less.
fn only_loses(message: &str, now: &str) -> bool {
    let (message, now) = (tokens(message), tokens(now));
    let is_number = |token: &&str| token.starts_with(|it: char| it.is_ascii_digit());
    changes(&message, &now).into_iter().all(|change| {
        let (left, right) = (&message[change.left], &now[change.right]);
        let counts = left.iter().filter(|token| is_number(token)).count();
        right.iter().all(is_number) && right.len() <= counts
    })
}

/// How many bytes of a text show values: quoted texts and numbers, not the names of fields.
fn values_in(text: &str) -> usize {
    let is_value = |piece: &scan::Piece<'_>| {
        piece.kind == PieceKind::Str || piece.text.starts_with(|it: char| it.is_ascii_digit())
    };
    scan::tokens(text).filter(is_value).map(|piece| piece.text.len()).sum()
}

/// Where the parts of a value stand in the text that shows it.
struct Shown {
    /// The leaves, texts without their quotes.
    leaves: Vec<(NodeId, Range<usize>)>,
    /// The elements of sequences.
    elements: Vec<(NodeId, Vec<Range<usize>>)>,
    /// How many bytes show its leaves.
    covered: usize,
    /// What shows values that are none of them: what a helper of the test makes.
    others: Vec<Range<usize>>,
}

impl Shown {
    /// Finds the leaves of a value in a text, one after the other; none if one is missing, or these are less than half of
    /// the values that the text shows.
    fn find(node: &Node, text: &str) -> Option<Self> {
        let mut shown =
            Shown { leaves: Vec::new(), elements: Vec::new(), covered: 0, others: Vec::new() };
        let mut covered = Vec::new();
        shown.collect(node, text, 0, &mut covered)?;
        let (mut end, mut of_others) = (0, 0);
        for range in covered.iter().chain([&(text.len()..text.len())]) {
            let between = end..range.start;
            let values = values_in(&text[between.clone()]);
            if values > 0 {
                shown.others.push(between);
            }
            of_others += values;
            end = range.end;
            shown.covered += range.len();
        }
        let is_most = !node.children().is_empty() && shown.covered >= of_others;
        (shown.others.is_empty() || is_most).then_some(shown)
    }

    /// How well it tells what is expected: all of it, or as much as possible.
    fn rank(&self) -> (bool, usize) {
        (self.others.is_empty(), self.covered)
    }

    /// Goes on at a byte of the text; where it ends.
    fn collect(
        &mut self,
        node: &Node,
        text: &str,
        from: usize,
        covered: &mut Vec<Range<usize>>,
    ) -> Option<usize> {
        match &node.body {
            Body::Leaf(value) => {
                let shown = match value {
                    Value::Text(text) => format!("{text:?}"),
                    Value::Char(it) => format!("{it:?}"),
                    Value::Bool(it) => it.to_string(),
                    Value::Float(float) => format!("{:?}", float.0),
                    Value::Int(int) => {
                        format!("{}{}", if int.negative { "-" } else { "" }, int.magnitude)
                    }
                    Value::Bytes(_) => return None,
                };
                let start = match (text[from..].find(&shown), value) {
                    (Some(at), _) => from + at,
                    // A value that was made of the text, and is shown as it.
                    (None, Value::Text(it)) if !it.is_empty() => {
                        let start = from + text[from..].find(it.as_str())?;
                        covered.push(start..start + it.len());
                        return Some(start + it.len());
                    }
                    (None, _) => return None,
                };
                let range = start..start + shown.len();
                let quotes = usize::from(shown.starts_with(['"', '\'']));
                self.leaves.push((node.id, range.start + quotes..range.end - quotes));
                covered.push(range.clone());
                Some(range.end)
            }
            Body::Seq(children) | Body::Group(children) => {
                let mut end = from;
                let mut elements = Vec::new();
                for child in children {
                    let first = covered.len();
                    end = self.collect(child, text, end, covered)?;
                    let start = covered.get(first).map_or(end, |range| range.start);
                    elements.push(start..end);
                }
                if matches!(node.body, Body::Seq(_)) {
                    self.elements.push((node.id, elements));
                }
                Some(end)
            }
            Body::Opaque => Some(from),
        }
    }

    /// The candidate whose value would be shown as the `text` is with these edits, but for those around its parts; `None`
    /// where a part cannot be written so.
    fn edited(&self, candidate: &Inputs, text: &str, edits: &Edits) -> Option<Inputs> {
        if self.others.iter().any(|other| edits.overlaps(other)) {
            return None;
        }
        let lost = |range: &Range<usize>| edits.edited(text, range).is_empty();
        let parts = |(id, ranges): &(NodeId, Vec<Range<usize>>)| {
            let is_lost = |(_, range): &(usize, &Range<usize>)| !range.is_empty() && lost(range);
            (*id, ranges.iter().enumerate().filter(is_lost).map(|(at, _)| at).collect())
        };
        let elements: Vec<_> = self.elements.iter().map(parts).collect();
        let mut edited = lacking(candidate, &[], &elements);
        for (id, range) in &self.leaves {
            let own = edits.within(range);
            let Some(value) = edited.value(*id).filter(|_| !own.is_empty()) else { continue };
            let quote = match value {
                Value::Text(_) => "\"",
                Value::Char(_) => "'",
                _ => "",
            };
            let shown = format!("{quote}{}{quote}", own.apply(&text[range.clone()]));
            let value = read(value, &shown)?;
            edited = edited.with_value(*id, value);
        }
        Some(edited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{self, node, seq};

    #[test]
    fn a_report_loses_what_the_inputs_lose() {
        let report = "`c` is missing in\n  12 | a b\n  13 | d";
        assert!(only_loses(report, "`c` is missing in\n  7 | a b\n  8 | d"));
        assert!(only_loses(report, "`c` is missing in\n  12 | a"));
        assert!(!only_loses(report, "`c` is missing in\n  12 | a e\n  13 | d"));
        assert!(!only_loses(report, "`c` is missing in\n  12 | a b 1\n  13 | d"));
    }

    #[test]
    fn elements_and_characters_are_found_in_what_shows_them() {
        let texts = |texts: [&str; 2]| node(seq(texts.map(testing::text)));
        let list = texts(["a\n\"b", "c"]);
        let text = r#"Ok(["a\n\"b", "c"])"#;
        let shown = Shown::find(&list, text).unwrap();
        let at = |part: &str| text.find(part).unwrap();
        let candidate = Inputs(vec![list.clone()]);
        let without = |range: Range<usize>| {
            let mut edits = Edits::default();
            range.for_each(|at| edits.remove(at..at + 1));
            edits
        };
        let left = shown.edited(&candidate, text, &without(at("\"c")..at("])"))).unwrap();
        assert_eq!(left.0[0].children().len(), 1);
        let newline = at(r"\n");
        let left = shown.edited(&candidate, text, &without(newline..newline + 2)).unwrap();
        assert_eq!(left.value(NodeId(1)), Some(&Value::Text("a\"b".to_owned())));
        let made = texts(["10.0/8", "1/2"]);
        let other = "[10.0/8, 1/2]";
        let shown = Shown::find(&made, other).unwrap();
        let candidate = Inputs(vec![made.clone()]);
        let left = shown.edited(&candidate, other, &without(1..9)).unwrap();
        assert_eq!(left.0[0].children().len(), 1);
        // The names of fields count for nothing, what else is shown does.
        let named = r#"List { title: "t", all_of_its_entries: [Entry { text_of_entry: "a\n\"b" }, Entry { text_of_entry: "c" }] }"#;
        assert!(Shown::find(&list, named).is_some());
        // What is not among the inputs stays as it is.
        let other = r#"["a\n\"b", "d", "c"]"#;
        let shown = Shown::find(&list, other).unwrap();
        let candidate = Inputs(vec![list.clone()]);
        assert!(shown.edited(&candidate, other, &without(2..3)).is_some());
        assert!(shown.edited(&candidate, other, &without(12..13)).is_none());
        assert!(Shown::find(&list, r#"["a\n\"b", "something else", "c"]"#).is_none());
        assert!(Shown::find(&node(testing::text("c")), text).is_none());
    }
}

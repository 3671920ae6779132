//! Why what is left of an input is left: what the last round has seen without each of its elements.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::last_round::{Tried, described};
use super::subject::Subject;
use crate::reduce::Outcome;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value};
use crate::report::{Part, Without};

/// Inputs with more elements are not explained one by one: each takes the source of the whole test.
pub const MOST_ELEMENTS: usize = 300;

/// The elements of `input`, one of `best`, which is written as `text`, and what happened without each, as far as it was
/// `tried`; none if none was.
pub fn parts(
    subject: &Subject,
    best: &Inputs,
    tried: &Tried,
    input: &Arc<Node>,
    text: &str,
) -> Vec<Part> {
    if input.size() > MOST_ELEMENTS || tried.is_empty() {
        return Vec::new();
    }
    let without = |smaller: &Inputs| tried.without(smaller);
    let parts = find(subject, best, input, text, &without);
    if parts.iter().all(|part| part.without.is_none()) {
        return Vec::new();
    }
    parts
}

/// The elements of a difference between a passing and a failing input, which is the input `root` of `difference` and
/// written as `text`, and what happens with each of those that were tried.
pub fn parts_of_difference(
    subject: &Subject,
    difference: &Inputs,
    root: NodeId,
    text: &str,
    tried: &[ElementOutcomes],
) -> Vec<Part> {
    let Some(input) = difference.0.iter().find(|input| input.id == root) else {
        return Vec::new();
    };
    // Of equal elements, those that come first are found first.
    let waiting = without_own(difference, input).into_iter().zip(tried).collect::<Vec<_>>();
    let waiting = RefCell::new(waiting);
    let without = |smaller: &Inputs| {
        let mut waiting = waiting.borrow_mut();
        let place = waiting.iter().position(|(without, _)| without == smaller)?;
        Some(in_words(*waiting.remove(place).1))
    };
    let mut parts = find(subject, difference, input, text, &without);
    // What elements are made of was not tried.
    parts.retain(|part| part.without.is_some());
    parts
}

/// What happens with an element of the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementOutcomes {
    /// With the failing variant without it.
    pub taken_out: Outcome,
    /// With the passing variant and it.
    pub put_in: Outcome,
}

fn in_words(ElementOutcomes { taken_out, put_in }: ElementOutcomes) -> Without {
    let (without, with) = (described(taken_out), described(put_in));
    let said =
        format!("without it, the failing input {without}; with it, the passing input {with}");
    Without { outcome: taken_out, said }
}

/// Finds the elements of `input`, one of `best`, in its `text`.
fn find(
    subject: &Subject,
    best: &Inputs,
    input: &Arc<Node>,
    text: &str,
    without: &dyn Fn(&Inputs) -> Option<Without>,
) -> Vec<Part> {
    let write = |smaller: &Inputs| subject.text_of(smaller, input.id);
    let kept = &subject.found.kept;
    let mut finder = PartFinder { best, without, kept, text, write: &write, parts: Vec::new() };
    finder.find_in(input, 0);
    finder.parts
}

/// The inputs without each element of `node` alone, in the order of the elements.
pub fn without_each(best: &Inputs, node: &Node) -> Vec<Inputs> {
    let mut all = without_own(best, node);
    if let Body::Seq(children) | Body::Group(children) = &node.body {
        all.extend(children.iter().flat_map(|child| without_each(best, child)));
    }
    all
}

/// The inputs without each of the elements that `node` itself has, and not its children.
fn without_own(best: &Inputs, node: &Node) -> Vec<Inputs> {
    match &node.body {
        Body::Leaf(value) => {
            let rest = value.without_each().into_iter();
            rest.map(|rest| best.with_value(node.id, rest)).collect()
        }
        Body::Seq(children) => {
            let without = |at: usize| {
                let mut rest = children.clone();
                rest.remove(at);
                best.replace(node.id, Body::Seq(rest))
            };
            (0..children.len()).map(without).collect()
        }
        Body::Group(_) | Body::Opaque => Vec::new(),
    }
}

/// Finds the elements of an input in its text.
struct PartFinder<'a> {
    best: &'a Inputs,
    /// What happens with a candidate, if it was tried.
    without: &'a dyn Fn(&Inputs) -> Option<Without>,
    /// What stays since the user wants it.
    kept: &'a BTreeSet<NodeId>,
    text: &'a str,
    /// Writes the input of a candidate.
    write: &'a dyn Fn(&Inputs) -> String,
    parts: Vec<Part>,
}

impl PartFinder<'_> {
    /// Adds the elements of `node`, which is written behind `from`; gives where the last of them ends.
    fn find_in(&mut self, node: &Node, from: usize) -> usize {
        if self.kept.contains(&node.id) {
            return from;
        }
        let own = without_own(self.best, node);
        match &node.body {
            Body::Leaf(Value::Text(text)) => {
                text.chars().zip(&own).enumerate().fold(from, |from, (at, (c, smaller))| {
                    let written = (at > 0).then(|| written_at(self.text, from, c)).flatten();
                    let written = written
                        .or_else(|| self.left_out(smaller, from))
                        // Without it, another kind of literal is written, or none.
                        .or_else(|| written_in_quotes(self.text, from, c));
                    self.add(smaller, from, written).end
                })
            }
            Body::Seq(children) => {
                let all = children.iter().zip(&own);
                let open = all.filter(|(child, _)| !self.kept.contains(&child.id));
                open.fold(from, |from, (child, smaller)| {
                    let range = self.add(smaller, from, self.left_out(smaller, from));
                    self.find_in(child, range.start).max(range.end)
                })
            }
            Body::Group(children) => {
                children.iter().fold(from, |from, child| self.find_in(child, from))
            }
            Body::Leaf(_) | Body::Opaque => own.iter().fold(from, |from, smaller| {
                self.add(smaller, from, self.left_out(smaller, from)).end
            }),
        }
    }

    /// The bytes of what the best has and `smaller` has not.
    fn left_out(&self, smaller: &Inputs, from: usize) -> Option<Range<usize>> {
        left_out(self.text, &(self.write)(smaller), from)
    }

    /// Adds what the best has and `smaller` has not, which is `written` there; nothing at `from` if that is not known.
    fn add(
        &mut self,
        smaller: &Inputs,
        from: usize,
        written: Option<Range<usize>>,
    ) -> Range<usize> {
        let Some(range) = written else { return from..from };
        let without = (self.without)(smaller);
        self.parts.push(Part { range: range.clone(), without });
        range
    }
}

/// The bytes at `from` that are the character in a literal, itself or escaped.
fn written_at(text: &str, from: usize, c: char) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let forms = [c.to_string(), c.escape_default().to_string(), c.escape_debug().to_string()];
    let form = forms.iter().find(|form| rest.starts_with(&***form))?;
    Some(from..from + form.len())
}

/// The first of these behind the quote that opens a literal.
fn written_in_quotes(text: &str, from: usize, c: char) -> Option<Range<usize>> {
    let open = from + text.get(from..)?.find('"')? + 1;
    let behind = &text[open..];
    let start = behind.char_indices().find_map(|(at, _)| written_at(behind, at, c))?.start;
    written_at(text, open + start, c)
}

/// The bytes of `text` that are not in `shorter`, the first such ones from `from` on if there are several.
fn left_out(text: &str, shorter: &str, from: usize) -> Option<Range<usize>> {
    let length = text.len().checked_sub(shorter.len()).filter(|length| *length > 0)?;
    let is_it = |start: usize| {
        let (before, after) = (text.get(..start)?, text.get(start + length..)?);
        let rest = shorter.strip_prefix(before)?;
        (rest == after).then_some(start..start + length)
    };
    let same = text.bytes().zip(shorter.bytes()).take_while(|(one, other)| one == other).count();
    (from..=same).find_map(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_found_in_its_literal() {
        assert_eq!(written_at("\"a\\nb\"", 2, '\n'), Some(2..4));
        assert_eq!(written_at("\"a\nb\"", 2, '\n'), Some(2..3));
        assert_eq!(written_at("\"é\"", 1, 'é'), Some(1..3));
        assert_eq!(written_at("\"a\"", 2, 'b'), None);
    }

    #[test]
    fn a_character_whose_literal_goes_with_it_is_found_in_quotes() {
        assert_eq!(written_in_quotes("\"\\t\".to_string()", 0, '\t'), Some(1..3));
        assert_eq!(written_in_quotes("String::from(\"r\")", 0, 'r'), Some(14..15));
        assert_eq!(written_in_quotes("String::new()", 0, 'r'), None);
    }

    #[test]
    fn what_was_left_out_is_found_also_among_equal_characters() {
        assert_eq!(left_out(r#""ab""#, r#""b""#, 0), Some(1..2));
        assert_eq!(left_out(r#""aaa""#, r#""aa""#, 0), Some(1..2));
        assert_eq!(left_out(r#""aaa""#, r#""aa""#, 2), Some(2..3));
        assert_eq!(left_out(r#""a\n""#, r#""a""#, 0), Some(2..4));
        assert_eq!(left_out("vec![1, 2]", "vec![1]", 0), Some(6..9));
        assert_eq!(left_out("\"é\"", "\"\"", 0), Some(1..3));
        assert_eq!(left_out("ab", "cd", 0), None);
        assert_eq!(left_out("ab", "c", 0), None);
    }
}

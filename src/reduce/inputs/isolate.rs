//! Delta debugging proper on one input: the largest variant that passes, the smallest above it that
//! fails, and what makes the difference.

use std::ops::Range;
use std::sync::Arc;

use super::{Body, Inputs, Node, Value};
use crate::reduce::dd::{DdError, Kept, Mode, dd};
use crate::reduce::{Outcome, Result};

/// What [`isolate_input`] found, each as the whole input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsolatedInput {
    /// A variant that passes.
    pub passing: Arc<Node>,
    /// A variant that fails.
    pub failing: Arc<Node>,
    /// The elements that only the failing one has.
    pub difference: Arc<Node>,
    /// What both are made of.
    split: Split,
}

/// Two variants that differ from those found by one element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneElement {
    /// The failing variant without it.
    pub taken_out: Arc<Node>,
    /// The passing variant with it.
    pub put_in: Arc<Node>,
}

impl IsolatedInput {
    /// The variants for each element that only the failing one has, in their order.
    pub fn each_element(&self) -> impl Iterator<Item = OneElement> {
        let Split { elements, run, passing, failing } = &self.split;
        let variant = |kept: &Kept| elements.variant(&self.failing, run, kept);
        failing.minus(passing).places().collect::<Vec<_>>().into_iter().map(move |place| {
            let (mut without, mut with) = (failing.clone(), passing.clone());
            without.remove(&[place]);
            with.insert(&[place]);
            OneElement { taken_out: variant(&without), put_in: variant(&with) }
        })
    }
}

/// Which elements of an input the two variants have.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Split {
    elements: Elements,
    /// All elements outside of these are in both.
    run: Range<usize>,
    passing: Kept,
    failing: Kept,
}

/// How many variants without a run of elements are tried for one that passes.
const MOST_LOOKS: usize = 1_000;

/// Runs dd on the characters, bytes or elements of one input (by its place among the roots), the
/// others as they are in `inputs`; `None` if it has none of them.
///
/// A test often checks more than that nothing fails, so that it passes with no short input. Where the
/// input without all its elements does not pass, dd works on the first run of elements without which it
/// does: a half of them, or a quarter, and so on.
///
/// # Errors
/// When no variant passes, the failure did not come back, or the search must stop.
pub fn isolate_input(
    inputs: &Inputs,
    place: usize,
    mode: Mode,
    mut ask: impl FnMut(&Inputs) -> Result<Outcome>,
) -> Result<Option<IsolatedInput>, DdError> {
    let node = &inputs.0[place];
    let Some(elements) = Elements::of(node) else { return Ok(None) };
    let mut ask_without = |run: &Range<usize>, kept: &Kept| {
        let mut candidate = inputs.clone();
        candidate.0[place] = elements.variant(node, run, kept);
        ask(&candidate)
    };
    let run = match passing_without(elements.len(), &mut ask_without) {
        Ok(run) => run.ok_or(DdError::NotPassing)?,
        Err(stop) => return Err(DdError::Stopped(stop)),
    };
    let found = dd(run.len(), mode, |kept| ask_without(&run, kept))?;
    let difference = elements.body(found.difference().places().map(|at| run.start + at));
    Ok(Some(IsolatedInput {
        passing: elements.variant(node, &run, &found.passing),
        failing: elements.variant(node, &run, &found.failing),
        difference: Arc::new(Node { id: node.id, body: difference }),
        split: Split { elements, run, passing: found.passing, failing: found.failing },
    }))
}

/// A run of elements without which the input passes: the longest that comes from halving.
fn passing_without(
    len: usize,
    ask_without: &mut impl FnMut(&Range<usize>, &Kept) -> Result<Outcome>,
) -> Result<Option<Range<usize>>> {
    let mut size = len;
    let mut looks = 0;
    while size > 0 {
        for start in (0..len).step_by(size) {
            let run = start..(start + size).min(len);
            let none = Kept::none(run.len());
            if ask_without(&run, &none)? == Outcome::Pass {
                return Ok(Some(run));
            }
            looks += 1;
            if looks >= MOST_LOOKS {
                return Ok(None);
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    Ok(None)
}

/// What dd takes away from an input.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Elements {
    Chars(Vec<char>),
    Bytes(Vec<u8>),
    Parts(Vec<Arc<Node>>),
}

impl Elements {
    fn of(node: &Node) -> Option<Elements> {
        match &node.body {
            Body::Leaf(Value::Text(text)) => Some(Elements::Chars(text.chars().collect())),
            Body::Leaf(Value::Bytes(bytes)) => Some(Elements::Bytes(bytes.clone())),
            Body::Seq(parts) => Some(Elements::Parts(parts.clone())),
            Body::Leaf(_) | Body::Group(_) | Body::Opaque => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            Elements::Chars(chars) => chars.len(),
            Elements::Bytes(bytes) => bytes.len(),
            Elements::Parts(parts) => parts.len(),
        }
    }

    /// The input with all elements outside of `run`, and in it those that are kept.
    fn variant(&self, node: &Node, run: &Range<usize>, kept: &Kept) -> Arc<Node> {
        let inside = kept.places().map(|at| run.start + at);
        let places = (0..run.start).chain(inside).chain(run.end..self.len());
        Arc::new(Node { id: node.id, body: self.body(places) })
    }

    fn body(&self, places: impl Iterator<Item = usize>) -> Body {
        match self {
            Elements::Chars(chars) => Body::Leaf(Value::Text(places.map(|at| chars[at]).collect())),
            Elements::Bytes(bytes) => {
                Body::Leaf(Value::Bytes(places.map(|at| bytes[at]).collect()))
            }
            Elements::Parts(parts) => Body::Seq(places.map(|at| Arc::clone(&parts[at])).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, inputs};
    use super::*;

    fn text(of: &Node) -> String {
        of.value().and_then(Value::as_text).unwrap().to_owned()
    }

    fn isolate(input: &str, mode: Mode) -> [String; 3] {
        isolate_by(input, mode, |text| Outcome::fail_if(text.contains("/0")))
    }

    fn isolate_by(input: &str, mode: Mode, outcome: fn(&str) -> Outcome) -> [String; 3] {
        let inputs = inputs([testing::text(input)]);
        let found =
            isolate_input(&inputs, 0, mode, |candidate| Ok(outcome(&text(&candidate.0[0]))));
        let found = found.expect("isolated").expect("a text");
        [&found.passing, &found.failing, &found.difference].map(|node| text(node))
    }

    #[test]
    fn the_difference_is_one_element_that_makes_it_fail() {
        let [passing, failing, difference] = isolate("1 + 2 * 3 /0", Mode::Both);
        assert!(!passing.contains("/0") && failing.contains("/0"));
        assert_eq!(difference.len(), 1);
    }

    #[test]
    fn the_largest_passing_variant_lacks_one_element() {
        let [passing, failing, _] = isolate("1 + 2 * 3 /0", Mode::Maximize);
        assert_eq!(passing.len() + 1, failing.len());
        assert_eq!(failing, "1 + 2 * 3 /0");
    }

    #[test]
    fn each_element_of_the_difference_goes_and_comes_alone() {
        let inputs = inputs([testing::text("(a(")]);
        // Both parentheses are needed, and one alone is no valid input.
        let outcome = |text: &str| match text.matches('(').count() {
            0 => Outcome::Pass,
            1 => Outcome::Unresolved,
            _ => Outcome::Fail,
        };
        let found = isolate_input(&inputs, 0, Mode::Both, |it| Ok(outcome(&text(&it.0[0]))));
        let found = found.expect("isolated").expect("a text");
        let all = found.each_element().map(|it| [text(&it.taken_out), text(&it.put_in)]);
        let (failing, passing) = (text(&found.failing), text(&found.passing));
        let rest = passing.replace('(', "");
        let [open, close] = [format!("{rest}("), format!("({rest}")];
        assert_eq!((&*failing, text(&found.difference)), (&*format!("({rest}("), "((".into()));
        assert_eq!(all.collect::<Vec<_>>(), [[open.clone(), close.clone()], [close, open]]);
    }

    #[test]
    fn what_must_be_there_to_pass_stays() {
        let outcome = |text: &str| match (text.contains('\"'), text.contains("# 1.0")) {
            (true, _) => Outcome::Fail,
            (false, true) => Outcome::Pass,
            (false, false) => Outcome::Unresolved,
        };
        let [passing, failing, difference] =
            isolate_by("# 1.0\n- first\n- [a](\")\n", Mode::Both, outcome);
        assert!(passing.starts_with("# 1.0"), "{passing}");
        assert!(failing.contains('\"'), "{failing}");
        assert_eq!(difference, "\"");
    }

    #[test]
    fn there_may_be_no_variant_that_passes() {
        let inputs = inputs([testing::text("abc")]);
        let found = isolate_input(&inputs, 0, Mode::Both, |_| Ok(Outcome::Fail));
        assert!(matches!(found, Err(DdError::NotPassing)), "{found:?}");
    }
}

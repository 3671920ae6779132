//! Delta debugging proper on one input: the largest variant that passes, the smallest above it that
//! fails, and what makes the difference.

use std::sync::Arc;

use super::{Body, Inputs, Node, Value};
use crate::reduce::dd::{DdError, Kept, Mode, Order, dd};
use crate::reduce::{Outcome, Stop};

/// What [`isolate_input`] found, each as the whole input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsolatedInput {
    /// A variant that passes.
    pub passing: Arc<Node>,
    /// A variant that fails.
    pub failing: Arc<Node>,
    /// The elements that only the failing one has.
    pub difference: Arc<Node>,
}

/// Runs dd on the characters, bytes or elements of one input (by its place among the roots), the
/// others as they are in `inputs`; `None` if it has none of them.
///
/// # Errors
/// When the input without all its elements does not pass, the failure does not come back, or the
/// search must stop.
pub fn isolate_input(
    inputs: &Inputs,
    place: usize,
    mode: Mode,
    mut ask: impl FnMut(&Inputs) -> Result<Outcome, Stop>,
) -> Result<Option<IsolatedInput>, DdError> {
    let node = &inputs.0[place];
    let Some(elements) = Elements::of(node) else {
        return Ok(None);
    };
    let variant = |kept: &Kept| {
        Arc::new(Node {
            id: node.id,
            body: elements.body(kept),
        })
    };
    let found = dd(elements.len(), mode, Order::default(), |kept| {
        let mut candidate = inputs.clone();
        candidate.0[place] = variant(kept);
        ask(&candidate)
    })?;
    Ok(Some(IsolatedInput {
        passing: variant(&found.passing),
        failing: variant(&found.failing),
        difference: variant(&found.difference()),
    }))
}

/// What dd takes away from an input.
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

    fn body(&self, kept: &Kept) -> Body {
        match self {
            Elements::Chars(chars) => {
                Body::Leaf(Value::Text(kept.places().map(|at| chars[at]).collect()))
            }
            Elements::Bytes(bytes) => {
                Body::Leaf(Value::Bytes(kept.places().map(|at| bytes[at]).collect()))
            }
            Elements::Parts(parts) => {
                Body::Seq(kept.places().map(|at| Arc::clone(&parts[at])).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::NodeId;
    use super::*;

    fn text(of: &Node) -> String {
        match &of.body {
            Body::Leaf(Value::Text(text)) => text.clone(),
            other => panic!("{other:?}"),
        }
    }

    fn isolate(input: &str, mode: Mode) -> [String; 3] {
        let inputs = Inputs(vec![Arc::new(Node {
            id: NodeId(0),
            body: Body::Leaf(Value::Text(input.to_owned())),
        })]);
        let found = isolate_input(&inputs, 0, mode, |candidate| {
            let fails = text(&candidate.0[0]).contains("/0");
            Ok(if fails { Outcome::Fail } else { Outcome::Pass })
        });
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
}

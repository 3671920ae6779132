//! Values as debug output shows them: a value of an input with what another text shows in its place.

use std::sync::Arc;

use crate::reduce::inputs::{Body, Float, Inputs, Int, Node, Value};
use crate::source::DebugValue;
use crate::source::scan::unquoted;

/// `node`, which debug output shows as `from`, as it would have to be to be shown as `to`; `None` where its shape does not allow
/// that.
pub(super) fn shown_as(node: &Node, from: &str, to: &str) -> Option<Node> {
    rewritten(node, &DebugValue::read(from)?, &DebugValue::read(to)?)
}

/// Whether debug output shows a node so.
pub(super) fn is_shown_as(node: &Node, text: &str) -> bool {
    DebugValue::read(text).is_some_and(|shown| rewritten(node, &shown, &shown).is_some())
}

/// A list that loses elements, as another one does.
pub(super) struct Losing {
    /// Which of its elements go.
    pub lost: Vec<usize>,
    /// The words that each of its elements is shown with.
    elements: Vec<Vec<String>>,
}

impl Losing {
    /// The list shown as `right` without what the one shown as `left` loses where it becomes `now`; `None` where that changes
    /// otherwise, or is no list, or loses an element for which, as the lists are not as long, none of the other one stands.
    pub(super) fn of(left: &str, now: &str, right: &str) -> Option<Self> {
        let (left, now, right) =
            (DebugValue::read(left)?, DebugValue::read(now)?, DebugValue::read(right)?);
        let [left, now, right] = inside([&left, &now, &right])?;
        let (had, has, wants) = (left.parts(), now.parts(), right.parts());
        if has.len() >= had.len() {
            return None;
        }
        let mut kept = has.iter().peekable();
        let lost = (0..had.len()).filter(|at| kept.next_if(|it| **it == had[*at]).is_none());
        let lost: Option<Vec<usize>> = lost.map(same_place(had, wants)).collect();
        let elements = wants.iter().map(DebugValue::words).collect();
        kept.next().is_none().then_some(Losing { lost: lost?, elements })
    }

    /// Whether a node may be the list: each leaf of an element is shown in it.
    pub(super) fn is_shown_by(&self, node: &Node) -> bool {
        let Body::Seq(elements) = &node.body else { return false };
        let is_shown = |(element, words): (&Arc<Node>, &Vec<String>)| {
            let leaves = Inputs(vec![Arc::clone(element)]);
            let shown = leaves.leaves().map(|(_, value)| {
                words.iter().any(|word| read(value, word).as_ref() == Some(value))
            });
            let shown: Vec<bool> = shown.collect();
            !shown.is_empty() && shown.into_iter().all(|it| it)
        };
        elements.len() == self.elements.len() && elements.iter().zip(&self.elements).all(is_shown)
    }
}

/// The places in a list of what stands at those of another one: where they are not as long, among those that both begin or end
/// with.
fn same_place(had: &[DebugValue], wants: &[DebugValue]) -> impl Fn(usize) -> Option<usize> {
    let is_same = |(one, other): &(&DebugValue, &DebugValue)| one == other;
    let before = had.iter().zip(wants).take_while(is_same).count();
    let rest = had.len().min(wants.len()) - before;
    let behind = had.iter().rev().zip(wants.iter().rev()).take(rest).take_while(is_same).count();
    let (had, wants) = (had.len(), wants.len());
    move |at| {
        if at < before || had == wants {
            Some(at)
        } else {
            (at >= had - behind).then(|| at + wants - had)
        }
    }
}

/// The lists in what is shown, through what stands around all of them alike.
fn inside(shown: [&DebugValue; 3]) -> Option<[&DebugValue; 3]> {
    if shown.iter().all(|it| it.is_list()) {
        return Some(shown);
    }
    let [left, now, right] = shown;
    if !left.is_like(now) || !left.is_like(right) {
        return None;
    }
    inside([left.inner()?, now.inner()?, right.inner()?])
}

fn rewritten(node: &Node, from: &DebugValue, to: &DebugValue) -> Option<Node> {
    if !from.is_like(to) {
        return None;
    }
    let body = match &node.body {
        Body::Opaque => return (from == to).then(|| node.clone()),
        Body::Leaf(value) => match (from, to) {
            (DebugValue::Word(from), DebugValue::Word(to)) => (read(value, from).as_ref()
                == Some(value))
            .then(|| read(value, to))?
            .map(Body::Leaf),
            _ => None,
        },
        Body::Group(parts)
            if parts.len() == from.parts().len() && to.parts().len() == parts.len() =>
        {
            let all = parts.iter().zip(from.parts()).zip(to.parts());
            let parts: Option<Vec<Arc<Node>>> =
                all.map(|((part, from), to)| Some(Arc::new(rewritten(part, from, to)?))).collect();
            parts.map(Body::Group)
        }
        Body::Seq(elements) if elements.len() == from.parts().len() && from.is_list() => {
            elements_as(elements, from.parts(), to.parts()).map(Body::Seq)
        }
        Body::Group(_) | Body::Seq(_) => None,
    };
    match body {
        Some(body) => Some(Node { id: node.id, body }),
        None => rewritten(node, from.inner()?, to.inner()?),
    }
}

/// The elements of a list as they would have to be: those that are shown in the same way stay, others change in their place.
fn elements_as(
    elements: &[Arc<Node>],
    from: &[DebugValue],
    to: &[DebugValue],
) -> Option<Vec<Arc<Node>>> {
    let mut left = Vec::with_capacity(to.len());
    let mut at = 0;
    for (place, shown) in to.iter().enumerate() {
        let same = from[at..].iter().position(|known| known == shown).map(|more| at + more);
        // As many as are still to come have to be left.
        let same = same.filter(|same| elements.len() - same >= to.len() - place);
        let next = same.unwrap_or(at);
        let (element, known) = (elements.get(next)?, from.get(next)?);
        left.push(Arc::new(rewritten(element, known, shown)?));
        at = next + 1;
    }
    Some(left)
}

/// The value of the same kind that a word shows.
pub(super) fn read(like: &Value, word: &str) -> Option<Value> {
    Some(match like {
        Value::Text(_) => Value::Text(unquoted(word, '"')?),
        Value::Char(_) => {
            let text = unquoted(word, '\'')?;
            let mut chars = text.chars();
            Value::Char(chars.next().filter(|_| chars.next().is_none())?)
        }
        Value::Int(_) => {
            let digits = word.strip_prefix('-').unwrap_or(word);
            Value::Int(Int::new(digits.len() < word.len(), digits.parse().ok()?))
        }
        Value::Float(_) => Value::Float(Float(word.parse().ok()?)),
        Value::Bool(_) => Value::Bool(word.parse().ok()?),
        Value::Bytes(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::NodeId;
    use crate::reduce::inputs::testing::{Plan, group, int, node, seq, text};

    fn row(name: &str, number: i128) -> Plan {
        group([text(name), int(number)])
    }

    #[test]
    fn elements_that_are_not_shown_go_and_others_change_in_their_place() {
        let rows = node(seq([row("a", 1), row("b, \"c\"", 2), row("d", 3)]));
        let from = r#"Ok([("a", 1), ("b, \"c\"", 2), ("d", 3)])"#;
        assert!(is_shown_as(&rows, from));
        let left = shown_as(&rows, from, r#"Ok([("b, \"c\"", 7), ("d", 3)])"#).unwrap();
        assert!(is_shown_as(&left, r#"[("b, \"c\"", 7), ("d", 3)]"#));
        let left = shown_as(&rows, from, r#"Ok([("d", 3)])"#).unwrap();
        assert_eq!(left.children()[0].id, NodeId(7));
        assert!(shown_as(&rows, from, "Err(1)").is_none());
    }

    #[test]
    fn a_list_loses_what_another_one_loses() {
        let [left, now] = ["[A { x: 1 }, A { x: 2 }, A { x: 3 }]", "[A { x: 2 }, A { x: 3 }]"];
        let right = "[A { x: 1 }, A { x: 2 }, A { x: 4 }]";
        let losing = Losing::of(left, now, right).unwrap();
        assert_eq!(losing.lost, [0]);
        let all = |last| node(seq([1, 2, last].map(int)));
        assert!(losing.is_shown_by(&all(4)));
        assert!(!losing.is_shown_by(&all(3)));
        assert!(Losing::of("Ok([1, 2])", "Ok([1])", "Ok([1, 3])").is_some_and(|it| it.lost == [1]));
        assert!(Losing::of("[1, 2]", "[3]", "[1, 3]").is_none());
    }

    #[test]
    fn a_list_that_is_longer_loses_what_both_begin_or_end_with() {
        let lost =
            |now: &str| Losing::of("[1, 2, 34, 5]", now, "[1, 2, 3, 4, 5]").map(|it| it.lost);
        assert_eq!(lost("[2, 34, 5]"), Some(vec![0]));
        assert_eq!(lost("[1, 34]"), Some(vec![1, 4]));
        assert_eq!(lost("[1, 2, 5]"), None);
        let shorter = Losing::of("[1, 2, 3, 4]", "[1, 2, 3]", "[1, 2, 4]").map(|it| it.lost);
        assert_eq!(shorter, Some(vec![2]));
    }

    #[test]
    fn fields_have_names_and_keys_are_values() {
        let one = node(seq([row("a", 1)]));
        assert!(is_shown_as(&one, r#"{"a": 1}"#));
        assert!(is_shown_as(&one, "[Row { name: \"a\", number: 1 }]"));
        let text = node(text("\u{1b}\n'"));
        assert!(is_shown_as(&text, r#"Some("\u{1b}\n'")"#));
        let number = node(int(5));
        let left = shown_as(&number, "5", "-12").unwrap();
        assert_eq!(left.value(), Some(&Value::Int(Int::new(true, 12))));
    }
}

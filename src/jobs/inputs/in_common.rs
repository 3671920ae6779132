//! What the numbers in all elements of a sequence have in common, where nothing else says which inputs the code under test
//! may be given: that they are whole multiples of a unit, never below a least one, and that one is never above another.
//!
//! `book(8, 30, 9, 15)`, `book(9, 0, 9, 45)`, … → quarters of an hour, and an end that is not before its beginning.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::reduce::inputs::{Body, Inputs, Int, Node, NodeId, Value};

/// In fewer elements, numbers have something in common by chance.
const FEWEST: usize = 6;

/// So many times the mean distance of numbers from each other is more than chance.
const DISTANCES: u128 = 3;

/// The way from an element to a value in it: its place among the parts of each node.
type Path = Vec<usize>;

/// What the numbers in the elements of sequences have in common.
#[derive(Debug, Clone, Default)]
pub struct InCommon(Vec<(NodeId, Vec<Law>)>);

/// What holds for each element that has all of the numbers.
#[derive(Debug, Clone)]
enum Law {
    /// The number is a whole multiple of this one, which is more than 1.
    Unit(Path, u128),
    /// The number is not below this one.
    Least(Path, u128),
    /// The first number is not above the second one.
    Order(Path, Path),
}

impl Law {
    fn holds_in(&self, element: &Node) -> bool {
        match self {
            Law::Unit(path, unit) => {
                number(element, path).is_none_or(|it| it.magnitude.is_multiple_of(*unit))
            }
            Law::Least(path, least) => {
                number(element, path).is_none_or(|it| !it.negative && it.magnitude >= *least)
            }
            Law::Order(first, second) => order(element, first, second).is_none_or(Ordering::is_le),
        }
    }
}

impl InCommon {
    /// What is found in the sequences among `inputs`.
    pub fn of(inputs: &Inputs) -> Self {
        let laws = inputs.nodes().filter_map(|node| match &node.body {
            Body::Seq(elements) if elements.len() >= FEWEST => {
                let mut numbers = BTreeMap::<Path, Vec<Int>>::new();
                for element in elements {
                    collect(element, &mut Vec::new(), &mut numbers);
                }
                numbers.retain(|_, all| all.len() >= FEWEST);
                let mut laws: Vec<Law> = numbers.iter().filter_map(unit_of).collect();
                laws.extend(numbers.iter().filter_map(least_of));
                let paths: Vec<&Path> = numbers.keys().collect();
                let pairs = paths
                    .iter()
                    .enumerate()
                    .flat_map(|(at, first)| paths[at + 1..].iter().map(move |it| (*first, *it)));
                laws.extend(pairs.filter_map(|(first, second)| order_of(elements, first, second)));
                (!laws.is_empty()).then_some((node.id, laws))
            }
            _ => None,
        });
        InCommon(laws.collect())
    }

    /// Whether nothing was found.
    pub fn is_nothing(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the elements that a candidate has still have it in common.
    pub fn holds_in(&self, candidate: &Inputs) -> bool {
        self.0.iter().all(|(list, laws)| {
            let elements = candidate.get(*list).map_or(&[][..], |list| list.children());
            elements.iter().all(|element| laws.iter().all(|law| law.holds_in(element)))
        })
    }
}

/// The unit of the numbers at a place in all elements, if they have one.
fn unit_of((path, numbers): (&Path, &Vec<Int>)) -> Option<Law> {
    let divisor = |one: u128, next: u128| {
        let (mut one, mut next) = (one, next);
        while next != 0 {
            (one, next) = (next, one % next);
        }
        one
    };
    let others = numbers.iter().map(|it| it.magnitude).filter(|it| *it != 0);
    let values: BTreeSet<u128> = others.clone().collect();
    let unit = others.fold(0, divisor);
    // Where it is always the same number, nothing tells what its unit is.
    (unit > 1 && values.len() > 1).then(|| Law::Unit(path.clone(), unit))
}

/// What the numbers at a place are never below, if they keep away from 0 by more than chance: by several times the distance
/// that they have from each other.
fn least_of((path, numbers): (&Path, &Vec<Int>)) -> Option<Law> {
    let is_negative = numbers.iter().any(|it| it.negative);
    let all = || numbers.iter().map(|it| it.magnitude);
    let (least, most) = (all().min()?, all().max()?);
    let count = u128::try_from(numbers.len()).unwrap_or(1);
    let is_apart = least < most && least / DISTANCES > (most - least) / count;
    (!is_negative && is_apart).then(|| Law::Least(path.clone(), least))
}

/// The order of the numbers at two places, if it is the same in all elements and not by being equal.
fn order_of(elements: &[Arc<Node>], first: &Path, second: &Path) -> Option<Law> {
    let law = Law::Order(first.clone(), second.clone());
    let is_strict = |it: &&Arc<Node>| order(it, first, second).is_some_and(Ordering::is_lt);
    let holds = elements.iter().all(|element| law.holds_in(element));
    (holds && elements.iter().filter(is_strict).count() >= FEWEST).then_some(law)
}

/// How the numbers at two places in an element compare.
fn order(element: &Node, first: &[usize], second: &[usize]) -> Option<Ordering> {
    number(element, first).zip(number(element, second)).map(|(first, second)| first.cmp(second))
}

/// The number at a place in an element.
fn number<'n>(element: &'n Node, path: &[usize]) -> Option<&'n Int> {
    let mut node = element;
    for at in path {
        let Body::Group(parts) = &node.body else { return None };
        node = parts.get(*at)?;
    }
    match &node.body {
        Body::Leaf(Value::Int(int)) => Some(int),
        _ => None,
    }
}

/// All numbers of an element, by their places in it.
fn collect(node: &Node, path: &mut Path, numbers: &mut BTreeMap<Path, Vec<Int>>) {
    match &node.body {
        Body::Leaf(Value::Int(int)) => numbers.entry(path.clone()).or_default().push(*int),
        Body::Group(parts) => {
            for (at, part) in parts.iter().enumerate() {
                path.push(at);
                collect(part, path, numbers);
                path.pop();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{group, inputs, int, seq};

    fn rows(rows: &[[i128; 4]]) -> Inputs {
        inputs([seq(rows.iter().map(|row| group(row.map(int))))])
    }

    #[test]
    fn units_and_orders_of_all_rows_stay() {
        let plan = [
            [8, 0, 9, 30],
            [11, 0, 12, 0],
            [18, 30, 20, 0],
            [15, 15, 16, 45],
            [8, 0, 8, 30],
            [9, 45, 10, 45],
            [17, 30, 18, 15],
        ];
        let common = InCommon::of(&rows(&plan));
        let holds = |row| common.holds_in(&rows(&[row]));
        assert!(holds([8, 0, 8, 0]) && holds([9, 15, 10, 0]) && holds([30, 45, 30, 15]));
        assert!(!holds([8, 1, 8, 15]) && !holds([10, 0, 9, 0]) && !holds([7, 0, 8, 0]));
        let near = InCommon::of(&rows(&plan.map(|[from, _, to, _]| [from - 8, 0, to - 8, 0])));
        assert!(near.holds_in(&rows(&[[0, 0, 0, 0]])));
        assert!(InCommon::of(&rows(&plan[..5])).is_nothing());
    }
}

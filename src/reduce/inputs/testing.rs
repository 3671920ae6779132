//! Builders of inputs, and simulated oracles, for tests.

use std::sync::Arc;

use super::search::PassContext;
use super::{Body, Float, Inputs, Int, Node, NodeId, Value, reduce_inputs};
use crate::reduce::{Counts, FromFn, Memory, Outcome, Problem, Result};

/// A node without ids.
#[derive(Debug, Clone)]
pub enum Plan {
    Leaf(Value),
    Seq(Vec<Plan>),
    Group(Vec<Plan>),
}

pub fn text(value: &str) -> Plan {
    Plan::Leaf(Value::Text(value.to_owned()))
}

pub fn bytes(value: &[u8]) -> Plan {
    Plan::Leaf(Value::Bytes(value.to_vec()))
}

pub fn int(value: i128) -> Plan {
    Plan::Leaf(Value::Int(Int::new(value < 0, value.unsigned_abs())))
}

pub fn float(value: f64) -> Plan {
    Plan::Leaf(Value::Float(Float(value)))
}

pub fn flag(value: bool) -> Plan {
    Plan::Leaf(Value::Bool(value))
}

pub fn seq(elements: impl IntoIterator<Item = Plan>) -> Plan {
    Plan::Seq(elements.into_iter().collect())
}

pub fn group(parts: impl IntoIterator<Item = Plan>) -> Plan {
    Plan::Group(parts.into_iter().collect())
}

/// One input.
pub fn node(plan: Plan) -> Arc<Node> {
    number(plan, &mut 0)
}

/// Numbers the nodes in preorder.
pub fn inputs(plans: impl IntoIterator<Item = Plan>) -> Inputs {
    let mut next = 0;
    Inputs(plans.into_iter().map(|plan| number(plan, &mut next)).collect())
}

fn number(plan: Plan, next: &mut u32) -> Arc<Node> {
    let id = NodeId(*next);
    *next += 1;
    let mut all = |plans: Vec<Plan>| plans.into_iter().map(|plan| number(plan, next)).collect();
    let body = match plan {
        Plan::Leaf(value) => Body::Leaf(value),
        Plan::Seq(plans) => Body::Seq(all(plans)),
        Plan::Group(plans) => Body::Group(all(plans)),
    };
    Arc::new(Node { id, body })
}

/// A simulated oracle.
pub fn oracle_for(fails: impl Fn(&Inputs) -> bool) -> FromFn<impl FnMut(&Inputs) -> Outcome> {
    FromFn(move |inputs: &Inputs| Outcome::fail_if(fails(inputs)))
}

/// Runs one pass; returns the result and the number of runs of the oracle.
pub(super) fn reduce_by(
    all: Inputs,
    pass: fn(&mut PassContext) -> Result<()>,
    fails: impl Fn(&Inputs) -> bool,
) -> (Inputs, u64) {
    let run = |problem: &mut Problem<'_, Inputs>| pass(&mut PassContext::new(problem));
    let (best, counts) = checked(all, fails, run);
    (best, counts.candidates)
}

/// As [`reduce_by`], in at most that many runs of the oracle; returns the result.
#[track_caller]
pub(super) fn reduce_within(
    most: u64,
    all: Inputs,
    pass: fn(&mut PassContext) -> Result<()>,
    fails: impl Fn(&Inputs) -> bool,
) -> Inputs {
    let (best, calls) = reduce_by(all, pass, fails);
    assert!(calls <= most, "{calls} runs");
    best
}

/// Reduces with all passes; returns the result and the number of runs of the oracle.
pub fn reduce(all: Inputs, fails: impl Fn(&Inputs) -> bool) -> (Inputs, u64) {
    let (best, counts) = reduce_counted(all, fails);
    (best, counts.candidates)
}

/// As [`reduce`], with all counts.
pub fn reduce_counted(all: Inputs, fails: impl Fn(&Inputs) -> bool) -> (Inputs, Counts) {
    checked(all, fails, reduce_inputs)
}

/// What `run` makes of inputs that fail, which has to fail, too.
fn checked<T>(
    all: Inputs,
    fails: impl Fn(&Inputs) -> bool,
    run: impl FnOnce(&mut Problem<'_, Inputs>) -> Result<T>,
) -> (Inputs, Counts) {
    assert!(fails(&all), "the original must fail");
    let mut oracle = oracle_for(&fails);
    let mut problem = Problem::new(all, &mut oracle, Memory::Forget);
    run(&mut problem).unwrap();
    let counts = problem.counts();
    let best = problem.into_best();
    assert!(fails(&best), "the result must fail");
    (best, counts)
}

/// As [`reduce`], in at most that many runs; prints a row of figures (the case is the name of the test), for
/// `cargo test reduce::inputs::jobs -- --nocapture --test-threads=1`.
#[track_caller]
pub fn reduce_job(most: u64, all: Inputs, fails: impl Fn(&Inputs) -> bool) -> Inputs {
    let before = all.size();
    let (best, calls) = reduce(all, fails);
    let thread = std::thread::current();
    let case = thread.name().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    println!("{case:64} {before:>6} -> {:>4} elements {calls:>6} runs", best.size());
    assert!(calls <= most, "{calls} runs");
    best
}

/// All integers, in source order.
pub fn numbers(inputs: &Inputs) -> Vec<i128> {
    let signed = |int: &Int| {
        let magnitude = i128::try_from(int.magnitude).unwrap();
        if int.negative { -magnitude } else { magnitude }
    };
    let ints = inputs.leaves().filter_map(|(_, value)| match value {
        Value::Int(int) => Some(signed(int)),
        _ => None,
    });
    ints.collect()
}

/// The first text.
pub fn the_text(inputs: &Inputs) -> &str {
    let mut texts = inputs.leaves().filter_map(|(_, value)| match value {
        Value::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.next().unwrap()
}

/// The depth of the brackets in a text if all of them match.
pub fn nested_list_depth(text: &str) -> Option<usize> {
    let (mut open, mut deepest) = (Vec::new(), 0);
    for c in text.chars() {
        match c {
            '[' => open.push(']'),
            '{' => open.push('}'),
            ']' | '}' if open.pop() != Some(c) => return None,
            _ => {}
        }
        deepest = deepest.max(open.len());
    }
    open.is_empty().then_some(deepest)
}

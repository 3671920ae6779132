//! The tiers answer alike: candidates by chance, in the probe and written out.

#[path = "../../../../tests/fixtures/copy.rs"]
mod copy;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use camino::Utf8Path;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use self::copy::copy;
use super::*;
use crate::app::find::find;
use crate::jobs::inputs::start::start;
use crate::jobs::inputs::testing::session;
use crate::reduce::inputs::{Body, Float, Int, Node, Value};
use crate::reduce::{Oracle, Outcome};
use crate::source::ValueKind;

/// What comes into the texts of candidates: all that has to be written in another way in some literal.
const CHARACTERS: [char; 18] = [
    '"', '\'', '\\', '#', '{', '}', '\n', '\r', '\t', '\0', ' ', '\u{7f}', '\u{85}', '\u{202e}',
    'é', '\u{1f600}', '0', 'a',
];

/// Candidates made of the inputs of a test.
struct Dice<'s> {
    random: SmallRng,
    subject: &'s Subject,
}

impl Dice<'_> {
    fn inputs(&mut self, original: &Inputs) -> Inputs {
        let share = *[0.05, 0.2, 0.6].choose(&mut self.random).unwrap();
        Inputs(original.0.iter().map(|node| self.node(node, share)).collect())
    }

    /// The node with about that `share` of its parts changed.
    fn node(&mut self, node: &Arc<Node>, share: f64) -> Arc<Node> {
        let body = match &node.body {
            Body::Leaf(value) if self.random.random_bool(share) => {
                Body::Leaf(self.value(node.id, value))
            }
            Body::Leaf(_) | Body::Opaque => return Arc::clone(node),
            Body::Seq(children) => {
                let mut kept = Vec::new();
                for child in children {
                    if !self.random.random_bool(share / 2.0) {
                        kept.push(self.node(child, share));
                    }
                }
                Body::Seq(kept)
            }
            Body::Group(children) => {
                Body::Group(children.iter().map(|child| self.node(child, share)).collect())
            }
        };
        Arc::new(Node { id: node.id, body })
    }

    /// Another value of the type; numbers come no farther from zero than the original.
    fn value(&mut self, id: NodeId, value: &Value) -> Value {
        match value {
            Value::Text(text) => {
                let chars: Vec<char> = text.chars().collect();
                let other = |dice: &mut Self| *CHARACTERS.choose(&mut dice.random).unwrap();
                Value::Text(self.some_of(&chars, other).into_iter().collect())
            }
            Value::Bytes(bytes) => {
                // A C string ends at the first NUL.
                let least = u8::from(self.subject.found.place(id).kind == ValueKind::CStr);
                Value::Bytes(self.some_of(bytes, |dice| dice.random.random_range(least..=255)))
            }
            Value::Char(_) => Value::Char(*CHARACTERS.choose(&mut self.random).unwrap()),
            Value::Int(int) => {
                let bits = self.random.random_range(0..=128);
                let mask = u128::MAX.checked_shr(bits).unwrap_or(0);
                let magnitude = self.random.random::<u128>() & mask;
                Value::Int(Int::new(int.negative, magnitude.min(int.magnitude)))
            }
            Value::Float(Float(float)) => {
                let factor = [0.0, 0.1, 0.5, -1.0, 1.0].choose(&mut self.random).unwrap();
                Value::Float(Float((float * factor).trunc()))
            }
            Value::Bool(value) => Value::Bool(!value),
        }
    }

    /// The items without some of them, and others in the place of some.
    fn some_of<T: Copy>(&mut self, items: &[T], other: impl Fn(&mut Self) -> T) -> Vec<T> {
        let (lost, changed) = (self.random.random_range(0.0..1.0), 0.1);
        let mut some = Vec::new();
        for item in items {
            if self.random.random_bool(lost) {
                continue;
            }
            let is_changed = self.random.random_bool(changed);
            some.push(if is_changed { other(self) } else { *item });
        }
        some
    }
}

/// Compares the outcomes of `count` candidates for the inputs of a test: called again and again, in a
/// process each, and written out and built.
fn compare(fixture: &str, test: &str, count: usize, seed: u64) -> BTreeMap<String, usize> {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    copy(&fixtures.join(fixture), root.as_std_path());
    let session = session(&root, test);
    let wanted = find(&session).unwrap();
    let start = start(&session, &wanted[0]).unwrap();
    let original =
        mask(&start.subject.found.inputs, |id| start.probe.rewritten.probed.contains(&id));
    let runner = Runner::new(&session, &start, &original, Texts::default()).unwrap();
    let runner = Runner { passing: Vec::new(), cpu: None, ..runner };
    let Original { signature, baseline, .. } = &start.original;
    let expected = runner.reproduce(signature, baseline).unwrap();
    let mut dice = Dice { random: SmallRng::seed_from_u64(seed), subject: &start.subject };
    let candidates: Vec<Inputs> = (0..count).map(|_| dice.inputs(&original)).collect();
    let looped = runner.in_process(&expected, None).unwrap();
    let looped = looped.unwrap().ask_all(&candidates).unwrap();
    let fresh = runner.process(expected).ask_all(&candidates).unwrap();
    let inputs = &start.subject.found.inputs;
    let confine = |job| runner.confined(job);
    let mut rebuild = runner.rebuild(&session, &start.scratch, inputs, &confine);
    let mut seen = BTreeMap::new();
    for (candidate, probed) in candidates.iter().zip(looped.iter().zip(&fresh)) {
        let rebuilt = rebuild.ask(candidate).unwrap();
        let whole = unmask(candidate, inputs);
        let texts = || whole.0.iter().map(|node| start.subject.text_of(&whole, node.id));
        assert_eq!(probed, (&rebuilt, &rebuilt), "{:#?}", texts().collect::<Vec<_>>());
        *seen.entry(format!("{rebuilt:?}")).or_default() += 1;
    }
    seen
}

/// Compares a third of the candidates with each test of the fixture whose inputs are of all kinds.
fn compare_all(count: usize, seed: u64) {
    for test in ["texts", "numbers", "sequences"] {
        let seen = compare("digest", test, count / 3, seed);
        for outcome in [Outcome::Fail, Outcome::Pass, Outcome::Unresolved] {
            assert!(seen.contains_key(&format!("{outcome:?}")), "{test}: {seen:?}");
        }
    }
}

#[test]
fn the_probe_of_inputs_agrees_with_rebuilding() {
    compare_all(24, 1);
}

#[test]
#[ignore = "builds 500 tests"]
fn the_probe_of_inputs_agrees_with_rebuilding_on_500_candidates() {
    compare_all(501, 2);
}

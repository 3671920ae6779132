//! What has to stay of inputs that are reduced.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::in_common::InCommon;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value};
use crate::reduce::{Acceptance, Answer, Oracle, Outcome, Until};

/// What no candidate may be without.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// Nodes: assertions that pass, and what the user wants to stay, the values of which are hidden from the search.
    pub whole: BTreeSet<NodeId>,
    /// Nodes of which something has to be left.
    pub filled: BTreeSet<NodeId>,
    /// Leaves, with the values that these keep.
    pub values: BTreeMap<NodeId, Value>,
    /// Sequences that are in order, and stay so: what looks something up in them says nothing of others.
    pub ascending: Vec<NodeId>,
    /// Texts that only get shorter: of other characters something else may be wrong.
    pub shortened: BTreeMap<NodeId, Value>,
    /// Texts that are the same, and stay so: by one of them the code under test may find the other.
    pub alike: Vec<Vec<NodeId>>,
    /// What all elements of a sequence have in common.
    pub common: InCommon,
    /// Separators of several signs that the test looks for, and of which its other texts have these signs nowhere else.
    pub looked_for: Vec<String>,
    /// Texts whose brackets and quotes are in pairs, and stay so: of a torn one any code says that it is wrong.
    pub paired: BTreeSet<NodeId>,
}

impl Kept {
    /// The same with the sequences of `inputs` that are in order, and what their elements have in common.
    pub fn in_order(self, inputs: &Inputs) -> Self {
        let is_long =
            |node: &&Arc<Node>| matches!(&node.body, Body::Seq(parts) if parts.len() >= SHORTEST);
        let ordered = inputs.nodes().filter(is_long).filter(|node| is_ascending(node));
        let ascending = ordered.map(|node| node.id).collect();
        Kept { ascending, common: InCommon::of(inputs), ..self }
    }

    /// The same with all characters of the texts in `inputs` that are left.
    pub fn with_characters(self, inputs: &Inputs) -> Self {
        let texts = inputs
            .leaves()
            .filter(|(_, value)| matches!(value, Value::Text(_) | Value::Bytes(_)))
            .map(|(id, value)| (id, value.clone()));
        Kept { shortened: texts.collect(), ..self }
    }

    /// The same where the test has these texts: separators that others in `inputs` have as a whole only, such as line ends of two
    /// signs, are not torn.
    pub fn with_whole(self, looked_for: Vec<String>, inputs: &Inputs) -> Self {
        let is_whole = |looked_for: &String| {
            let mut texts = texts(inputs);
            looked_for.chars().nth(1).is_some()
                && !looked_for.contains(char::is_alphanumeric)
                && texts.clone().any(|text| text != looked_for && text.contains(looked_for))
                && texts.all(|text| has_whole(text, looked_for))
        };
        let looked_for = looked_for.into_iter().filter(is_whole).collect();
        Kept { looked_for, ..self }
    }

    /// The same with the pairs of the texts in `inputs` that consist of them.
    pub fn with_pairs(self, inputs: &Inputs) -> Self {
        let paired = inputs.leaves().filter(|(_, value)| is_paired(value)).map(|(id, _)| id);
        Kept { paired: paired.collect(), ..self }
    }

    fn is_nothing(&self) -> bool {
        self.whole.is_empty()
            && self.filled.is_empty()
            && self.values.is_empty()
            && self.ascending.is_empty()
            && self.shortened.is_empty()
            && self.alike.is_empty()
            && self.common.is_nothing()
            && self.looked_for.is_empty()
            && self.paired.is_empty()
    }

    fn is_in(&self, candidate: &Inputs) -> bool {
        let whole = &self.whole;
        let is_whole = whole.is_empty()
            || candidate.nodes().filter(|node| whole.contains(&node.id)).count() == whole.len();
        let is_left = |id: &NodeId| candidate.get(*id).is_some_and(|node| !node.is_trivial());
        let mut values = self.values.iter();
        let mut ordered = self.ascending.iter().filter_map(|id| candidate.get(*id));
        let is_shortened = |(id, whole): (&NodeId, &Value)| {
            candidate.value(*id).is_none_or(|value| is_part_of(value, whole))
        };
        let are_alike = |ids: &Vec<NodeId>| {
            let mut values = ids.iter().map(|id| candidate.value(*id));
            values.next().flatten().is_some_and(|first| values.all(|it| it == Some(first)))
        };
        is_whole
            && values.all(|(id, value)| candidate.value(*id) == Some(value))
            && ordered.all(|node| is_ascending(node))
            && self.shortened.iter().all(is_shortened)
            && self.alike.iter().all(are_alike)
            && self.common.holds_in(candidate)
            && self.filled.iter().all(is_left)
            && self.paired.iter().all(|id| candidate.value(*id).is_none_or(is_paired))
            && self.looked_for.iter().all(|it| texts(candidate).all(|text| has_whole(text, it)))
    }
}

/// Whether a value is a text whose brackets and quotes are in pairs.
fn is_paired(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let mut open = Vec::new();
    let are_closed = text.chars().all(|sign| {
        match sign {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' => return open.pop() == Some(sign),
            _ => {}
        }
        true
    });
    are_closed && open.is_empty() && text.matches('"').count().is_multiple_of(2)
}

fn texts(inputs: &Inputs) -> impl Iterator<Item = &str> + Clone {
    inputs.leaves().filter_map(|(_, value)| match value {
        Value::Text(text) => Some(&**text),
        _ => None,
    })
}

/// Whether a text has the signs of `looked_for` only where it has all of that.
fn has_whole(text: &str, looked_for: &str) -> bool {
    let mut others = text.split(looked_for);
    others.all(|other| !other.contains(|sign| looked_for.contains(sign)))
}

/// Whether a text is what is left of another one when some of its characters have gone.
fn is_part_of(left: &Value, whole: &Value) -> bool {
    fn stand_in<T: PartialEq>(
        left: impl IntoIterator<Item = T>,
        whole: impl IntoIterator<Item = T>,
    ) -> bool {
        let mut whole = whole.into_iter();
        left.into_iter().all(|unit| whole.any(|other| other == unit))
    }
    match (left, whole) {
        (Value::Text(left), Value::Text(whole)) => stand_in(left.chars(), whole.chars()),
        (Value::Bytes(left), Value::Bytes(whole)) => stand_in(left, whole),
        _ => false,
    }
}

/// Shorter sequences are in order by chance.
const SHORTEST: usize = 3;

/// Whether each element of a sequence is more than the one before, by its first value.
fn is_ascending(sequence: &Node) -> bool {
    let parts = sequence.children();
    parts.windows(2).all(|pair| match (first_value(&pair[0]), first_value(&pair[1])) {
        (Some(one), Some(next)) => is_less(one, next),
        _ => false,
    })
}

fn first_value(node: &Node) -> Option<&Value> {
    match &node.body {
        Body::Leaf(value) => Some(value),
        Body::Group(parts) => parts.first().and_then(|part| first_value(part)),
        Body::Seq(_) | Body::Opaque => None,
    }
}

fn is_less(one: &Value, next: &Value) -> bool {
    match (one, next) {
        (Value::Text(one), Value::Text(next)) => one < next,
        (Value::Char(one), Value::Char(next)) => one < next,
        (Value::Float(one), Value::Float(next)) => one.0 < next.0,
        (Value::Int(one), Value::Int(next)) => one < next,
        _ => false,
    }
}

/// Asks another oracle about candidates that have all that is kept; others are not tried.
pub struct Keeping<'k, 'o> {
    oracle: &'o mut dyn Oracle<Inputs>,
    kept: &'k Kept,
}

impl<'k, 'o> Keeping<'k, 'o> {
    /// Keeps this.
    pub fn new(oracle: &'o mut dyn Oracle<Inputs>, kept: &'k Kept) -> Self {
        Keeping { oracle, kept }
    }
}

impl Oracle<Inputs> for Keeping<'_, '_> {
    fn ask(&mut self, candidate: &Inputs) -> Answer<Outcome> {
        if self.kept.is_in(candidate) {
            self.oracle.ask(candidate)
        } else {
            Ok(Outcome::Unresolved)
        }
    }

    fn run(&mut self, candidates: &[Inputs], until: Until) -> Answer<Vec<Outcome>> {
        if self.kept.is_nothing() {
            return self.oracle.run(candidates, until);
        }
        let are_whole: Vec<bool> =
            candidates.iter().map(|candidate| self.kept.is_in(candidate)).collect();
        let whole: Vec<Inputs> = candidates
            .iter()
            .zip(&are_whole)
            .filter(|(_, is_whole)| **is_whole)
            .map(|(candidate, _)| candidate.clone())
            .collect();
        let mut answers = self.oracle.run(&whole, until)?.into_iter();
        let outcomes = are_whole.into_iter().map_while(|is_whole| {
            if is_whole { answers.next() } else { Some(Outcome::Unresolved) }
        });
        let mut outcomes = outcomes.collect();
        until.cut(&mut outcomes);
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        self.oracle.batch()
    }

    fn batch_of_variants(&self) -> usize {
        self.oracle.batch_of_variants()
    }

    fn accept(&mut self, candidate: &Inputs) -> Answer<Acceptance<Inputs>> {
        self.oracle.accept(candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::FromFn;
    use crate::reduce::inputs::testing::{self, inputs, int, seq};

    fn candidate(ids: &[u32]) -> Inputs {
        let node = |id: &u32| Arc::new(Node { id: NodeId(*id), body: Body::Opaque });
        Inputs(ids.iter().map(node).collect())
    }

    #[test]
    fn candidates_without_a_kept_node_are_not_run() {
        let mut asked = 0;
        let mut oracle = FromFn(|_: &Inputs| {
            asked += 1;
            Outcome::Fail
        });
        let kept = Kept { whole: BTreeSet::from([NodeId(1)]), ..Kept::default() };
        let mut keeping = Keeping::new(&mut oracle, &kept);
        let candidates = [candidate(&[0, 2]), candidate(&[1]), candidate(&[1, 2])];
        let outcomes = keeping.ask_until_fail(&candidates).unwrap();
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail]);
        let outcomes = keeping.ask_all(&candidates).unwrap();
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail, Outcome::Fail]);
        assert_eq!(keeping.ask(&candidates[0]).unwrap(), Outcome::Unresolved);
        assert_eq!(asked, 3);
    }

    #[test]
    fn what_the_test_looks_for_is_not_torn() {
        let looked_for = ["\r\n", ", ", "d\r", ".. ", "a"].map(str::to_owned).to_vec();
        let whole = text("a; b,c, d\r\ne\r\n");
        let kept = Kept::default().with_whole(looked_for, &whole);
        assert_eq!(kept.looked_for, ["\r\n"]);
        assert!(kept.is_in(&text("b,\r\n;")) && kept.is_in(&text(";d")));
        assert!(!kept.is_in(&text("a\n")) && !kept.is_in(&text("\r\n\r")));
    }

    #[test]
    fn sequences_in_order_stay_so() {
        let list = |numbers: &[i128]| inputs([seq(numbers.iter().copied().map(int))]);
        let kept = Kept::default().in_order(&list(&[2, 4, 6]));
        let candidates = [list(&[6, 0]), list(&[1, 6]), list(&[0, 0])];
        assert_eq!(tried(&kept, &candidates), [false, true, false]);
        assert_eq!(Kept::default().in_order(&list(&[2, 6, 4])).ascending, []);
    }

    /// Which of the candidates are tried.
    fn tried(kept: &Kept, candidates: &[Inputs]) -> Vec<bool> {
        let mut oracle = FromFn(|_: &Inputs| Outcome::Fail);
        let outcomes = Keeping::new(&mut oracle, kept).ask_all(candidates).unwrap();
        outcomes.into_iter().map(Outcome::is_fail).collect()
    }

    /// Inputs that are texts, each with its id.
    fn texts(all: &[(u32, &str)]) -> Inputs {
        let leaf = |(id, text): &(u32, &str)| {
            let body = Body::Leaf(Value::Text((*text).to_owned()));
            Arc::new(Node { id: NodeId(*id), body })
        };
        Inputs(all.iter().map(leaf).collect())
    }

    fn text(text: &str) -> Inputs {
        inputs([testing::text(text)])
    }

    #[test]
    fn texts_that_are_alike_stay_so() {
        let kept = Kept { alike: vec![vec![NodeId(0), NodeId(1)]], ..Kept::default() };
        let candidates = [
            texts(&[(0, "salt"), (1, "salt"), (2, "")]),
            texts(&[(0, "sa"), (1, "sa")]),
            texts(&[(0, "sa"), (1, "salt")]),
            texts(&[(0, "salt"), (2, "salt")]),
            texts(&[]),
        ];
        assert_eq!(tried(&kept, &candidates), [true, true, false, false, false]);
    }

    #[test]
    fn what_is_in_pairs_stays_so() {
        let kept = Kept::default().with_pairs(&text("a: [{\"b\": 1}, (2)]"));
        let candidates = ["[]", "a", "[", "[(])", "[\"]", "a: [{\"b\"}]"].map(text);
        assert_eq!(tried(&kept, &candidates), [true, true, false, false, false, true]);
        assert!(Kept::default().with_pairs(&text(":-)")).paired.is_empty());
    }

    #[test]
    fn texts_only_get_shorter() {
        let kept = Kept::default().with_characters(&text("foo\r\n"));
        let candidates = ["o\r\n", "\r", "", "  ", "\n\r"].map(text);
        assert_eq!(tried(&kept, &candidates), [true, true, true, false, false]);
    }

    #[test]
    fn candidates_in_which_nothing_is_left_of_a_node_are_not_run() {
        let kept = Kept { filled: BTreeSet::from([NodeId(0)]), ..Kept::default() };
        assert_eq!(tried(&kept, &[text(""), text("a")]), [false, true]);
    }
}

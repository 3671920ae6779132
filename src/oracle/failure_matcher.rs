//! Whether what happened is the failure we started from.

use camino::Utf8PathBuf;

use super::libtest::{Callers, Verdict};
use super::signature::{FailureKind, Given, Location, Match, Matcher, Signature};
use crate::reduce::Outcome;
use crate::reduce::inputs::{Body, Inputs, NodeId, Value};

/// Says what a run of a candidate means.
pub trait FailureMatcher<C>: Send + Sync {
    /// The failure to hold on to.
    fn expected(&self) -> &Signature;

    /// How closely it must be met.
    fn rule(&self) -> &Match;

    /// Whether failures at other places than that of the expected one tell more than that they are
    /// others.
    fn looks_everywhere(&self) -> bool {
        false
    }

    /// Among whose calls the one has to be looked up that led to the failure `shown`, if it has to: its place is
    /// to be exchanged for that of the call.
    fn callers(&self, _shown: &Signature) -> Option<Callers<'_>> {
        None
    }

    /// The outcome that the verdict on `candidate` means.
    fn outcome(&self, verdict: &Verdict, candidate: &C) -> Outcome;
}

/// The call that leads to a failure in the standard library.
#[derive(Debug, Clone)]
pub struct Call {
    /// Where it stands.
    pub place: Location,
    /// The folder from which files are named, an absolute path.
    pub root: Utf8PathBuf,
}

/// The failure to hold on to, and how closely it must be met.
#[derive(Debug, Clone)]
pub struct InputMatcher {
    matcher: Matcher,
    /// Inputs that the failure's message quotes: their nodes and original texts.
    quoted: Vec<(NodeId, String)>,
    /// What the inputs hold.
    given: Given,
    /// Where a failure counts as passing: at assertions of the test that hold for the original inputs only. The failure to hold on
    /// to is not taken so.
    pub passing: Vec<Location>,
    /// What the panic must say that the test should show, if it should show one; nothing for any. Where a panic is seen before
    /// the harness has judged it, such a one is a pass.
    pub wanted_panic: Option<String>,
    /// The call that must lead to the failure, if it stands in the standard library.
    call: Option<Call>,
}

impl InputMatcher {
    /// `expected` is the failure of the test with its `original` inputs, as those report it whose
    /// verdicts will be judged.
    pub fn new(rule: Match, expected: Signature, original: &Inputs) -> Self {
        let quoted = quoted(&expected.message, original);
        let given = given(original);
        InputMatcher {
            matcher: Matcher::new(rule, expected).written_by_code(&given, &[]),
            given,
            quoted,
            passing: Vec::new(),
            wanted_panic: None,
            call: None,
        }
    }

    /// Learns from messages of the same failure with other inputs what of it follows these.
    #[must_use]
    pub fn having_seen(mut self, messages: &[String]) -> Self {
        self.matcher = self.matcher.written_by_code(&self.given, messages);
        self
    }

    /// Whether messages of the same failure with other inputs would tell more of it.
    pub fn can_learn(&self) -> bool {
        self.matcher.has_own_numbers()
    }

    /// The failure counts only where this `call` leads to it, if one does: whoever sees the failure asks
    /// [`FailureMatcher::callers`], and exchanges its place for that of the call that led there.
    #[must_use]
    pub fn called_at(mut self, call: Option<Call>) -> Self {
        self.call = call.filter(|_| self.rule().looks_at_place());
        self
    }

    fn is_passing(&self, shown: &Signature) -> bool {
        let is_wanted = match &self.wanted_panic {
            Some(text) => shown.message.contains(text.as_str()),
            None => shown.location.as_ref().is_some_and(|place| self.passing.contains(place)),
        };
        shown.kind == FailureKind::Panic && is_wanted
    }

    /// The failure to hold on to; at the call that leads to it, if that counts.
    pub fn wanted(&self) -> Signature {
        let expected = self.expected().clone();
        match &self.call {
            Some(call) => expected.at(call.place.clone()),
            None => expected,
        }
    }

    /// Whether `candidate` fails with `shown` in the same way.
    pub fn is_same(&self, shown: &Signature, candidate: &Inputs) -> bool {
        let Some(call) = &self.call else { return self.is_alike(shown, candidate) };
        let is_called_there = shown.location.as_ref().is_some_and(|at| at.is_same(&call.place));
        let mut outside = shown.clone();
        outside.location.clone_from(&self.expected().location);
        is_called_there && self.is_alike(&outside, candidate)
    }

    /// Whether `candidate` fails with `shown` in the same way, whatever call leads there.
    pub fn is_alike(&self, shown: &Signature, candidate: &Inputs) -> bool {
        if self.quoted.is_empty() {
            return self.matcher.matches(shown);
        }
        let texts = self.quoted_in(candidate);
        self.matcher.matches_with_inputs(shown, &texts)
    }

    /// The inputs that the message quotes: the original text of each, and that in `candidate`.
    fn quoted_in<'j>(&'j self, candidate: &'j Inputs) -> Vec<(&'j str, &'j str)> {
        let now = |(id, original): &'j (NodeId, String)| match candidate.value(*id) {
            Some(Value::Text(text)) => Some((original.as_str(), text.as_str())),
            _ => None,
        };
        self.quoted.iter().filter_map(now).collect()
    }
}

impl FailureMatcher<Inputs> for InputMatcher {
    fn expected(&self) -> &Signature {
        self.matcher.original()
    }

    fn rule(&self) -> &Match {
        self.matcher.rule()
    }

    fn looks_everywhere(&self) -> bool {
        !self.passing.is_empty() || self.wanted_panic.is_some()
    }

    fn callers(&self, shown: &Signature) -> Option<Callers<'_>> {
        let expected = self.expected();
        let is_there = (shown.kind, &shown.location) == (expected.kind, &expected.location);
        let call = self.call.as_ref().filter(|_| is_there)?;
        Some(Callers::BesidesStd(&call.root))
    }

    fn outcome(&self, verdict: &Verdict, candidate: &Inputs) -> Outcome {
        let outcome = verdict.outcome(|shown| self.is_same(shown, candidate));
        match verdict {
            Verdict::Failed(shown) if !outcome.is_fail() && self.is_passing(shown) => Outcome::Pass,
            _ => outcome,
        }
    }
}

/// What inputs hold.
fn given(inputs: &Inputs) -> Given {
    Given::new(inputs.nodes().filter_map(|node| match &node.body {
        Body::Leaf(Value::Text(text)) => Some(text.as_str().into()),
        Body::Leaf(Value::Bytes(bytes)) => Some(String::from_utf8_lossy(bytes)),
        Body::Leaf(Value::Char(it)) => Some(it.to_string().into()),
        _ => None,
    }))
}

/// A message may quote an input without quotes around it; short texts occur in any message.
fn quoted(message: &str, original: &Inputs) -> Vec<(NodeId, String)> {
    const SHORTEST: usize = 3;
    let is_quoted = |text: &str| text.len() >= SHORTEST && message.contains(text);
    let quoted = original.nodes().filter(|node| is_quoted(node.text()));
    quoted.map(|node| (node.id, node.text().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{self, inputs};

    fn text(text: &str) -> Inputs {
        inputs([testing::text(text)])
    }

    fn panic(message: &str) -> Verdict {
        Verdict::Failed(Signature::new(FailureKind::Panic, message))
    }

    #[test]
    fn an_assertion_of_the_test_itself_tells_that_the_code_has_passed() {
        let at = |line| Location::new("tests/a.rs", line, 5);
        let expected = Signature::new(FailureKind::Panic, "no").at(at(3));
        let matcher = InputMatcher::new(Match::default(), expected.clone(), &text("x"));
        let shown = Verdict::Failed(Signature::new(FailureKind::Panic, "left: 1").at(at(4)));
        assert_eq!(matcher.outcome(&shown, &text("y")), Outcome::Unresolved);
        let matcher = InputMatcher { passing: vec![at(3), at(4)], ..matcher };
        assert_eq!(matcher.outcome(&shown, &text("y")), Outcome::Pass);
        let same = Verdict::Failed(expected);
        assert_eq!(matcher.outcome(&same, &text("y")), Outcome::Fail);
    }

    #[test]
    fn a_failure_in_std_counts_only_where_the_same_call_leads_to_it() {
        let inside = Location::new("/rustc/0/library/core/src/iter/traits/accum.rs", 149, 1);
        let at = |line| Location::new("src/lib.rs", line, 5);
        let expected = Signature::new(FailureKind::Panic, "overflow").at(inside.clone());
        let call = Call { place: at(3), root: "/scratch".into() };
        let matcher = InputMatcher::new(Match::default(), expected.clone(), &text("x"));
        assert!(matcher.callers(&expected).is_none());
        let matcher = matcher.called_at(Some(call.clone()));
        assert!(matcher.callers(&expected).is_some());
        assert!(matcher.callers(&expected.clone().at(at(3))).is_none());
        let same = |message: &str, place: Location| {
            let shown = Signature::new(FailureKind::Panic, message).at(place);
            matcher.is_same(&shown, &text("y"))
        };
        assert!(same("overflow", at(3)));
        assert!(!same("overflow", at(4)));
        assert!(!same("overflow", inside), "nobody has looked up the call");
        assert!(!same("underflow", at(3)));
        let free =
            InputMatcher::new(Match::Message, expected.clone(), &text("x")).called_at(Some(call));
        assert!(free.is_same(&expected, &text("y")), "the place does not matter");
    }

    #[test]
    fn a_panic_that_the_test_wants_is_a_pass() {
        let expected = Signature::new(FailureKind::ShouldPanic, "test did not panic as expected");
        let matcher = InputMatcher::new(Match::default(), expected.clone(), &text("x"));
        let wanting =
            |said: &str| InputMatcher { wanted_panic: Some(said.to_owned()), ..matcher.clone() };
        let outcome =
            |matcher: &InputMatcher| matcher.outcome(&panic("no root of -1"), &text("-1"));
        assert_eq!(outcome(&matcher), Outcome::Unresolved);
        assert_eq!(outcome(&wanting("no root")), Outcome::Pass);
        assert_eq!(outcome(&wanting("")), Outcome::Pass);
        assert_eq!(outcome(&wanting("overflow")), Outcome::Unresolved);
        let failed = Verdict::Failed(expected);
        assert_eq!(wanting("").outcome(&failed, &text("y")), Outcome::Fail);
    }

    #[test]
    fn a_message_that_quotes_its_input_follows_the_candidate() {
        let original = text("one two");
        let expected = Signature::new(FailureKind::Panic, "cannot parse one two as a sum");
        let matcher = InputMatcher::new(Match::Message, expected, &original);
        assert_eq!(
            matcher.outcome(&panic("cannot parse two as a sum"), &text("two")),
            Outcome::Fail
        );
        assert_eq!(matcher.outcome(&panic("cannot parse it"), &text("two")), Outcome::Unresolved);
        assert_eq!(matcher.outcome(&Verdict::Passed, &text("two")), Outcome::Pass);
    }
}

//! When a candidate's failure is the original one.

use std::hash::{Hash, Hasher};
use std::str::FromStr;

use regex::Regex;

use super::difference::Difference;
use super::heap::is_same_damage;
use super::kind::{LEFT, VALUE};
use super::own_words::{Given, OwnWords};
use super::{FailureKind, Signature, template};
use crate::source::ASSERTION;

/// What the standard library says of a text that it was to slice, before it shows that.
const SLICING: [&str; 3] =
    ["is not a char boundary; it is inside ", "is out of bounds of `", " when slicing `"];

/// How much of a signature must be the same. Two kinds are never the same, except for
/// [`Match::Any`] and for signs of a damaged heap.
#[derive(Debug, Clone, Default)]
pub enum Match {
    /// The template of the message and the location.
    #[default]
    Template,
    /// The template of the message.
    Message,
    /// The location; where the original has none, the template of the message.
    Location,
    /// The message, word for word, and the location: for the failing comparison of a test with a
    /// literal of its own, where every template of `left: … right: …` is the same.
    Exact,
    /// The template of the message, the location and, word for word, the two values that an assertion
    /// compared: for one whose expected value is an input, which would else become just any other one.
    Values,
    /// The location, the template of the first line before the two sides of a comparison, and parts in which these differ:
    /// what agrees may go from both.
    Difference,
    /// As [`Match::Difference`], but only the sort of what differs counts: for two sides that are computed.
    Relation,
    /// As [`Match::Template`], or the location and the first line of the message, word for word: for a message of the
    /// test's own that goes on with what the code under test has made.
    Headline,
    /// Any failure of any kind.
    Any,
    /// A message that matches; the location does not matter.
    Regex(Regex),
}

impl Hash for Match {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        if let Match::Regex(regex) = self {
            regex.as_str().hash(state);
        }
    }
}

impl Match {
    /// This rule for a failure that shows two sides that should be equal; `other` for all others.
    #[must_use]
    pub fn for_sides(self, failure: &Signature, other: Match) -> Match {
        match Difference::of(&failure.message) {
            Some(_) => self,
            None => other,
        }
    }

    /// Whether it matters where the failure is.
    pub fn looks_at_place(&self) -> bool {
        !matches!(self, Match::Message | Match::Any | Match::Regex(_))
    }
}

/// A name that is no [`Match`].
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Neither one of the names nor between slashes.
    #[error("expected `message`, `location`, `exact`, `any` or `/REGEX/`, not `{0}`")]
    Unknown(String),
    /// The regular expression cannot be read.
    #[error("bad regular expression between the slashes")]
    Regex(#[source] regex::Error),
}

impl FromStr for Match {
    type Err = MatchError;

    fn from_str(name: &str) -> Result<Match, MatchError> {
        if let Some(regex) = name.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            return Regex::new(regex).map(Match::Regex).map_err(MatchError::Regex);
        }
        match name {
            "message" => Ok(Match::Message),
            "location" => Ok(Match::Location),
            "exact" => Ok(Match::Exact),
            "any" => Ok(Match::Any),
            _ => Err(MatchError::Unknown(name.to_owned())),
        }
    }
}

/// Compares failures with an original one.
///
/// Locations are compared as they are: whoever edits the source maps them back to the original.
#[derive(Debug, Clone)]
pub struct Matcher {
    rule: Match,
    original: Signature,
    template: String,
    /// In what the sides of a comparison differ.
    difference: Option<Difference>,
    /// What of the message the code writes itself.
    own: Option<OwnWords>,
}

impl Matcher {
    /// A matcher for candidates of a subject that fails as `original`.
    pub fn new(rule: Match, original: Signature) -> Matcher {
        let original = if original.is_unordered { original.with_sorted_sets() } else { original };
        let (template, difference) = match rule {
            Match::Difference | Match::Relation => {
                (template(prose(&original.message)), Difference::of(&original.message))
            }
            _ => (comparable(&original), None),
        };
        Matcher { rule, original, difference, template, own: None }
    }

    /// Holds on to what of the message does not come from the inputs, if that matters; `seen` are messages of the
    /// same failure with other inputs.
    #[must_use]
    pub(crate) fn written_by_code(mut self, given: &Given, seen: &[String]) -> Matcher {
        if !self.is_of_words() {
            return self;
        }
        let message = &self.original.message;
        let shows_value = self.original.shows_value(None);
        self.own = OwnWords::of(message, &|text| given.holds(text), shows_value);
        if let Some(own) = &mut self.own {
            for message in seen {
                own.learn(message);
            }
        }
        self
    }

    /// The same where the message is a value that the code has made, and candidates are other code for the same inputs: its
    /// words stay, but numbers may follow the code.
    #[must_use]
    pub(crate) fn with_words_of_value(mut self, given: &Given) -> Matcher {
        if self.is_of_words() {
            self.own = OwnWords::of(&self.original.message, &|text| given.holds(text), false);
        }
        self
    }

    /// Whether words of the message are compared.
    fn is_of_words(&self) -> bool {
        let message = &self.original.message;
        let has_words = matches!(self.original.kind, FailureKind::Panic | FailureKind::Error);
        let is_compared = matches!(self.rule, Match::Template | Match::Message | Match::Headline);
        // The values of a comparison are what is wrong, and a text that is sliced is no message of anyone.
        let is_of_slice = SLICING.iter().any(|words| message.contains(words));
        has_words && is_compared && !is_of_slice && !message.contains(LEFT)
    }

    /// Whether the message has numbers of which only other messages can tell where they come from.
    pub(crate) fn has_own_numbers(&self) -> bool {
        self.own.as_ref().is_some_and(OwnWords::have_numbers)
    }

    /// The failure that is compared with.
    pub fn original(&self) -> &Signature {
        &self.original
    }

    /// How much must be the same.
    pub fn rule(&self) -> &Match {
        &self.rule
    }

    /// Whether this is the original failure.
    pub fn matches(&self, candidate: &Signature) -> bool {
        let candidate = &*candidate.to_be_compared(self.original.is_unordered);
        if let Match::Any = self.rule {
            return true;
        }
        let is_by_words = matches!(self.rule, Match::Exact | Match::Regex(_));
        if !is_by_words && is_same_damage(&self.original, candidate) {
            return true;
        }
        if candidate.kind != self.original.kind {
            return false;
        }
        let is_placed = match self.rule {
            Match::Location => self.original.location.is_some(),
            _ => self.rule.looks_at_place(),
        };
        if is_placed && !self.same_location(candidate) {
            return false;
        }
        match &self.rule {
            Match::Any => true,
            Match::Location if is_placed => true,
            Match::Template | Match::Message | Match::Location => self.same_template(candidate),
            Match::Values => self.same_template(candidate) && self.same_values(candidate),
            Match::Difference | Match::Relation => {
                template(prose(&candidate.message)) == self.template
                    && self.same_difference(candidate)
            }
            Match::Headline => {
                candidate.headline() == self.original.headline() || self.same_template(candidate)
            }
            Match::Exact => candidate.message == self.original.message,
            Match::Regex(regex) => regex.is_match(&candidate.message),
        }
    }

    /// As [`Matcher::matches`], where the inputs of the subject are known: a message that quotes its
    /// input without quotes around it also matches if the original one would read like it, had its
    /// inputs been those of the candidate. Each pair is an original and a candidate text.
    pub fn matches_with_inputs(&self, candidate: &Signature, inputs: &[(&str, &str)]) -> bool {
        if self.matches(candidate) {
            return true;
        }
        let candidate = &*candidate.to_be_compared(self.original.is_unordered);
        let rule = match &self.rule {
            Match::Values if !self.same_values(candidate) => return false,
            Match::Difference | Match::Relation if !self.same_difference(candidate) => {
                return false;
            }
            // The values are the same ones; the rest may quote an input.
            Match::Values => Match::Template,
            rule => rule.clone(),
        };
        let reworded = inputs
            .iter()
            .filter(|(from, _)| self.original.message.contains(from))
            .fold(self.original.clone(), |signature, (from, to)| signature.reworded(from, to));
        reworded.message != self.original.message
            && !matches!(self.rule, Match::Regex(_))
            && Matcher {
                own: self.own.clone(),
                difference: self.difference.clone(),
                ..Matcher::new(rule, reworded)
            }
            .matches(candidate)
    }

    fn same_values(&self, candidate: &Signature) -> bool {
        values(&candidate.message) == values(&self.original.message)
    }

    fn same_difference(&self, candidate: &Signature) -> bool {
        match (&self.difference, Difference::of(&candidate.message)) {
            (Some(original), Some(shown)) if matches!(self.rule, Match::Relation) => {
                shown.is_like(original)
            }
            (Some(original), Some(shown)) => shown.is_part_of(original),
            (original, shown) => original.is_none() && shown.is_none(),
        }
    }

    fn same_location(&self, candidate: &Signature) -> bool {
        match (&candidate.location, &self.original.location) {
            (Some(shown), Some(expected)) => shown.is_same(expected),
            (shown, expected) => shown == expected,
        }
    }

    fn same_template(&self, candidate: &Signature) -> bool {
        candidate.message == self.original.message
            || (comparable(candidate) == self.template && self.has_own_words(candidate))
            || self.is_same_assertion(candidate)
    }

    fn has_own_words(&self, candidate: &Signature) -> bool {
        let own = self.own.as_ref();
        own.is_none_or(|own| own.are_in(&candidate.message))
    }

    /// The message of an assertion without one of its own is its source text, with the very literals
    /// that are being reduced; which assertion it is, its place tells.
    fn is_same_assertion(&self, candidate: &Signature) -> bool {
        self.original.location.is_some()
            && self.same_location(candidate)
            && self.original.message.starts_with(ASSERTION)
            && candidate.message.starts_with(ASSERTION)
    }
}

impl Signature {
    /// The first line of the message.
    pub fn headline(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// Whether the message is put together by hand, and shows on further lines what it is about.
    pub fn is_report(&self) -> bool {
        let is_by_hand = !self.message.starts_with(ASSERTION)
            && !self.message.contains(VALUE)
            && !self.message.contains(LEFT)
            // It shows how another program has failed.
            && !self.quotes_panic();
        let headline = self.headline();
        let has_words = headline.contains(char::is_alphabetic);
        self.kind == FailureKind::Panic
            && is_by_hand
            && has_words
            && headline != self.message.trim_end()
    }
}

/// The values that an assertion compared, as it shows them; the whole message of anything else.
fn values(message: &str) -> &str {
    message.find(LEFT).map_or(message, |at| &message[at..])
}

/// The first line of what stands before the values that an assertion compared: on further lines a test's own message may show
/// one of these again.
fn prose(message: &str) -> &str {
    let prose = message.find(LEFT).map_or(message, |at| &message[..at]);
    prose.lines().next().unwrap_or_default()
}

/// What is compared of a message. For exits and signals the number is the failure itself.
fn comparable(signature: &Signature) -> String {
    let message = &signature.message;
    match signature.kind {
        FailureKind::Signal => message.clone(),
        FailureKind::Exit => match message.split_once(": ") {
            Some((status, reason)) => format!("{status}: {}", template(reason)),
            None => message.clone(),
        },
        _ => template(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::signature::Location;

    fn panic(message: &str, line: u32) -> Signature {
        Signature::new(FailureKind::Panic, message).at(Location::new("src/lib.rs", line, 5))
    }

    fn matches(rule: &str, original: &Signature, candidate: &Signature) -> bool {
        let rule = if rule.is_empty() { Match::default() } else { rule.parse().unwrap() };
        Matcher::new(rule, original.clone()).matches(candidate)
    }

    #[test]
    fn a_set_that_is_shown_in_another_order_each_time_is_the_same() {
        let shows = |left: &str| {
            panic(&format!("assertion `left == right` failed\n  left: {left}\n right: {{1}}"), 1)
        };
        let (mut original, again) = (shows("{1, 2}"), shows("{2, 1}"));
        for rule in [Match::Exact, Match::Values] {
            assert!(!Matcher::new(rule, original.clone()).matches(&again));
        }
        original.learn_order(&again);
        for rule in [Match::Exact, Match::Values, Match::Difference] {
            let matcher = Matcher::new(rule, original.clone());
            assert!(matcher.matches(&again));
            assert!(!matcher.matches(&shows("{2, 3}")));
        }
        let mut list = shows("[1, 2]");
        list.learn_order(&shows("[2, 1]"));
        assert!(!list.is_unordered);
    }

    #[test]
    fn a_sliced_text_says_nothing_though_the_inputs_do_not_hold_its_words() {
        let sliced =
            |text: &str, line| panic(&format!("byte index 9 is out of bounds of `{text}"), line);
        let given = Given::new(["*bold* text".into()].into_iter());
        let matcher = Matcher::new(Match::Template, sliced("1mbold0m text`[...]", 4));
        let matcher = matcher.written_by_code(&given, &[]);
        assert!(matcher.matches(&sliced("1m0m`", 4)));
        assert!(!matcher.matches(&sliced("1m0m`", 5)));
    }

    #[test]
    fn compared_values_stay_word_for_word_though_the_message_quotes_an_input() {
        let failed = |of: &str, left: &str, right: &str| {
            let said = format!("assertion `left == right` failed: for {of}");
            panic(&format!("{said}\n  left: {left}\n right: {right}"), 4)
        };
        let matcher = Matcher::new(Match::Values, failed("some words", "2", "\"two\""));
        let inputs = [("some words", "a"), ("two", "")];
        assert!(matcher.matches_with_inputs(&failed("a", "2", "\"two\""), &inputs));
        assert!(!matcher.matches_with_inputs(&failed("a", "2", "\"\""), &inputs));
        assert!(!matcher.matches_with_inputs(&failed("a", "1", "\"two\""), &inputs));
    }

    #[test]
    fn a_message_of_the_tests_own_may_show_a_side_again_on_further_lines() {
        let failed = |said: &str, left: &str, right: &str| {
            let said = format!("assertion `left == right` failed: {said}");
            panic(&format!("{said}\n  left: {left:?}\n right: {right:?}"), 4)
        };
        let original = failed("it is\none\ntwo x", "one\ntwo x", "one\ntwo y");
        let matcher = Matcher::new(Match::Difference, original);
        assert!(matcher.matches(&failed("it is\ntwo x", "two x", "two y")));
        assert!(!matcher.matches(&failed("it was\ntwo x", "two x", "two y")));
        assert!(!matcher.matches(&failed("it is\none", "one", "two")));
    }

    #[test]
    fn an_assertion_is_known_by_its_place_whatever_literals_it_shows() {
        let original = panic("assertion failed: f(text) < [1, 2].len()", 4);
        let matches = |message: &str, line| matches("", &original, &panic(message, line));
        assert!(matches("assertion failed: f(probe(text)) < other([1]).len()", 4));
        assert!(!matches("assertion failed: f(probe(text)) < other([1]).len()", 5));
        assert!(!matches("index out of bounds", 4));
    }

    #[test]
    fn each_rule_looks_at_its_own_part() {
        let original = panic("bad value 10", 3);
        let other_number = panic("bad value 7", 3);
        let other_words = panic("worse value 10", 3);
        let elsewhere = panic("bad value 10", 4);
        let table = [
            ("", [true, false, false]),
            ("message", [true, false, true]),
            ("location", [true, true, false]),
            ("exact", [false, false, false]),
            ("any", [true, true, true]),
            ("/^bad/", [true, false, true]),
        ];
        for (rule, expected) in table {
            assert!(matches(rule, &original, &original), "{rule}");
            let answers =
                [&other_number, &other_words, &elsewhere].map(|it| matches(rule, &original, it));
            assert_eq!(answers, expected, "{rule}");
        }
    }

    #[test]
    fn kinds_never_mix_unless_any_failure_will_do() {
        let original = panic("x", 1);
        let candidate = Signature { kind: FailureKind::Abort, ..original.clone() };
        for rule in ["", "message", "location", "exact", "/x/"] {
            assert!(!matches(rule, &original, &candidate), "{rule}");
        }
        assert!(matches("any", &original, &candidate));
    }

    #[test]
    fn a_report_is_known_by_its_first_line() {
        let report = |line: &str| panic(&format!("`b` is missing in\n{line}"), 3);
        assert!(report("a").is_report());
        for other in [
            "`b` is missing",
            "failed: invalid digit\n",
            "assertion failed: f(\n)",
            "f failed\n  left: 1\n right: 2",
        ] {
            assert!(!panic(other, 3).is_report(), "{other}");
        }
        let matcher = Matcher::new(Match::Headline, report("one line\nand another"));
        assert!(matcher.matches(&report("something else")));
        assert!(!matcher.matches(&panic("`c` is not in\none line", 3)));
        let elsewhere = Signature { location: None, ..report("one line") };
        assert!(!matcher.matches(&elsewhere));
    }

    #[test]
    fn exit_statuses_differ_and_without_a_location_the_message_decides() {
        let exit = |message: &str| Signature::new(FailureKind::Exit, message);
        for rule in ["", "location"] {
            assert!(!matches(rule, &exit("exit status 2"), &exit("exit status 3")), "{rule}");
            assert!(matches(rule, &exit("exit status 2"), &exit("exit status 2")), "{rule}");
        }
    }

    #[test]
    fn an_unquoted_input_is_followed_through_its_changes() {
        let matcher = Matcher::new(Match::default(), panic("cannot parse (a + b] as a sum", 3));
        let candidate = panic("cannot parse (] as a sum", 3);
        assert!(!matcher.matches(&candidate));
        assert!(matcher.matches_with_inputs(&candidate, &[("(a + b]", "(]")]));
        let other = panic("cannot read (] as a sum", 3);
        assert!(!matcher.matches_with_inputs(&other, &[("(a + b]", "(]")]));
    }

    #[test]
    fn unknown_rules_are_refused() {
        assert!(matches!("text".parse::<Match>(), Err(MatchError::Unknown(_))));
        assert!(matches!("/(/".parse::<Match>(), Err(MatchError::Regex(_))));
    }
}

//! A signature and its kind.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Location;
use super::panic_head::{PanicHead, without_thread_numbers};
use super::sets::with_sorted_sets;
use crate::probe::as_written;

/// In which way a subject fails. Failures of two kinds are never the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// A panic.
    Panic,
    /// A `#[should_panic]` test that does not panic, or not as expected.
    ShouldPanic,
    /// An `Err` that the test returned.
    Error,
    /// The process aborted itself: a panic that cannot unwind, a stack overflow, no memory.
    Abort,
    /// A signal killed the process.
    Signal,
    /// It did not end in time.
    Timeout,
    /// The process exited with a status of its own.
    Exit,
    /// The compiler crashed.
    Ice,
    /// A script says that the candidate is interesting.
    Script,
}

impl FailureKind {
    /// Whether nothing else can be run in a process in which it has happened.
    pub fn ends_its_process(self) -> bool {
        self.spoils_its_process() || self == FailureKind::Timeout
    }

    /// Whether a process in which it has happened is no longer to be trusted: after a memory error or a half-done exit.
    pub fn spoils_its_process(self) -> bool {
        matches!(self, FailureKind::Abort | FailureKind::Signal | FailureKind::Exit)
    }
}

/// What identifies a failure.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// In which way it fails.
    pub kind: FailureKind,
    /// What it says, in full.
    pub message: String,
    /// Where it fails, if it says so.
    #[serde(default)]
    pub location: Option<Location>,
    /// Whether its message shows sets or maps in another order each time.
    #[serde(skip)]
    pub is_unordered: bool,
}

/// What stands before a value that `unwrap` or `expect` shows.
pub(super) const VALUE: &str = "` value: ";

/// What stands before the sides of an assertion.
pub(super) const LEFT: &str = "\n  left: ";
const RIGHT: &str = "\n right: ";

/// The left and the right side of a comparison, as a message shows them.
pub(crate) fn sides(message: &str) -> Option<(&str, &str)> {
    message.split_once(LEFT)?.1.split_once(RIGHT)
}

/// What is in a value of `std` that has another one in it.
fn inside(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('(')?;
    let is_known = ["Ok", "Err", "Some"].contains(&name);
    rest.strip_suffix(')').filter(|_| is_known)
}

impl Signature {
    /// A failure that does not say where it happens.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Signature {
        let message = message.into();
        let message = as_written(&message);
        let message = without_thread_numbers(message.into_owned());
        Signature { kind, message, location: None, is_unordered: false }
    }

    /// The same failure at a location.
    #[must_use]
    pub fn at(mut self, location: Location) -> Signature {
        self.location = Some(location);
        self
    }

    /// Whether the message is a value that the code has made, not only one of the standard library's own. `expect` writes
    /// no word of its own before it: that it is called, only `source` tells, the sources from the place of the failure on.
    pub(crate) fn shows_value(&self, source: Option<&str>) -> bool {
        let is_all_written = |call: &str| {
            let text = call.split_once("(\"").map_or("", |(_, text)| text);
            text.strip_prefix(&*self.message).is_some_and(|rest| rest.starts_with('"'))
        };
        let is_expected =
            || source.is_some_and(|it| it.starts_with("expect") && !is_all_written(it));
        self.kind == FailureKind::Error
            || self.message.contains(VALUE)
            || self.kind == FailureKind::Panic && self.message.contains(": ") && is_expected()
    }

    /// Whether the message shows a panic, in lines of its own: that of a process which the test has started, so that the
    /// code fails and not the test.
    pub fn shows_panic(&self) -> bool {
        self.message
            .lines()
            .any(|line| PanicHead::find(line, 0).is_some_and(|head| head.start == 0))
    }

    /// Whether the message quotes the head of a panic, wherever it stands.
    pub(super) fn quotes_panic(&self) -> bool {
        PanicHead::find(&self.message, 0).is_some()
    }

    /// The same with the sets and maps in its message sorted.
    pub(super) fn with_sorted_sets(&self) -> Signature {
        Signature { message: with_sorted_sets(&self.message), ..self.clone() }
    }

    /// As it is compared with others, where the sets and maps that these show may have no order.
    pub(super) fn to_be_compared(&self, is_unordered: bool) -> Cow<'_, Signature> {
        if is_unordered { Cow::Owned(self.with_sorted_sets()) } else { Cow::Borrowed(self) }
    }

    /// Learns from the same failure in another run whether sets or maps in its message have no order.
    pub(crate) fn learn_order(&mut self, again: &Signature) {
        self.is_unordered |= self.message != again.message
            && self.with_sorted_sets().message == again.with_sorted_sets().message;
    }

    /// The texts of values that the message shows: both sides of an assertion, or what stands behind a colon
    /// (`called …::unwrap() on an `Err` value: …`), and what is in an `Ok`, `Err` or `Some` of these.
    pub fn shown_values(&self) -> Vec<String> {
        let message = self.message.as_str();
        let shown = match (sides(message), message.split_once(": ")) {
            (Some((left, right)), _) => vec![left, right],
            (None, Some((_, value))) => vec![value, message],
            (None, None) => vec![message],
        };
        let mut texts: Vec<String> = Vec::new();
        for text in shown.into_iter().flat_map(|text| [Some(text), inside(text)]) {
            let text = text.unwrap_or_default();
            if !text.is_empty() && !texts.iter().any(|known| known == text) {
                texts.push(text.to_owned());
            }
        }
        texts
    }

    /// The failure as it would read had the subject been `to` instead of `from`: for messages that
    /// quote their input without any quotes around it.
    #[must_use]
    pub fn reworded(&self, from: &str, to: &str) -> Signature {
        let mut signature = self.clone();
        if !from.is_empty() {
            signature.message = signature.message.replace(from, to);
        }
        signature
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As it is serialized.
        self.serialize(f)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(location) = &self.location {
            write!(f, " at {location}")?;
        }
        write!(f, ": {}", self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_expect_shows_is_a_value_where_it_is_called() {
        let shows =
            |message: &str, source| Signature::new(FailureKind::Panic, message).shows_value(source);
        assert!(shows("called `Result::unwrap()` on an `Err` value: Bad(1)", None));
        assert!(shows("a date: Bad(1)", Some("expect(\"a date\");")));
        assert!(!shows("a date: Bad(1)", Some("panic!(\"a date: {it:?}\");")));
        assert!(!shows("a date: Bad(1)", None));
        // There was no value.
        assert!(!shows("a date", Some("expect(\"a date\");")));
        assert!(!shows("a date: it", Some("expect(\"a date: it\");")));
    }

    #[test]
    fn kinds_are_shown_as_they_are_serialized() {
        assert_eq!(FailureKind::ShouldPanic.to_string(), "should-panic");
    }

    #[test]
    fn a_signature_survives_serialization() {
        let somewhere =
            Signature::new(FailureKind::Panic, "a \"b\"\nc").at(Location::new("src/lib.rs", 10, 5));
        let expected = r#"{"kind":"panic","message":"a \"b\"\nc","location":"src/lib.rs:10:5"}"#;
        assert_eq!(serde_json::to_string(&somewhere).unwrap(), expected);
        for signature in [somewhere, Signature::new(FailureKind::Timeout, "")] {
            let json = serde_json::to_string(&signature).unwrap();
            assert_eq!(serde_json::from_str::<Signature>(&json).unwrap(), signature);
        }
    }

    #[test]
    fn the_example_of_shown_values_holds() {
        let shown = |message: &str| Signature::new(FailureKind::Panic, message).shown_values();
        let sides = "assertion `left == right` failed\n  left: Ok(2:30)\n right: Ok(2:45)";
        assert_eq!(shown(sides), ["Ok(2:30)", "2:30", "Ok(2:45)", "2:45"]);
        assert_eq!(shown("no file: not found"), ["not found", "no file: not found"]);
    }

    #[test]
    fn the_example_of_retold_holds() {
        let original = Signature::new(FailureKind::Panic, "cannot parse 1+(2 as a sum");
        assert_eq!(original.reworded("1+(2", "(").message, "cannot parse ( as a sum");
    }
}

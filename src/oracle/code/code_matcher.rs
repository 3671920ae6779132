//! Whether a failure stands at its original place.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::oracle::signature::{FailureKind, Given, Location, Match, Matcher, Signature, sides};
use crate::rust::operands::split;
use crate::rust::{OriginalPlace, Sources, failing_at, function_around, statement_around};
use crate::source::{Asserted, ExpectedValue, asserted_at};

/// The failure to hold on to, with its place in the original sources.
///
/// Where it fails in the standard library or in a dependency, the innermost call in the sources that led there
/// is its place. Which call that is, a second run tells ([`CodeMatcher::needs_call`]); a failure whose place has not
/// been exchanged for that of the call is compared by the place outside.
#[derive(Debug, Clone)]
pub struct CodeMatcher {
    matcher: Matcher,
    /// Whether it stands outside, and what stands at the place leads to it.
    is_call: bool,
    /// Where it is.
    place: FailurePlace,
    /// The function of the test, if outside of it the failure has to stand in a function of the same name, in a statement that
    /// stays.
    held_outside: Option<String>,
    /// The failure as its message reads with smaller inputs, if it repeats one of them.
    reworded: Option<Matcher>,
    /// What the test is given, if what else its message says is to stay.
    given: Option<Given>,
    /// What the operands of its condition have to be where its message shows them.
    operands: Option<String>,
    /// Whether the numbers in its message have to be the same.
    keeps_numbers: bool,
}

/// What stands where a test failed.
#[derive(Debug, Clone, Default)]
struct FailurePlace {
    /// The tokens that can have failed, if it is known where.
    anchors: BTreeSet<OriginalPlace>,
    /// Whether nothing else is known of it than where it starts: a macro may hide what it is, and no longer do so once it is
    /// inlined.
    is_unknown: bool,
    /// Where it starts.
    start: Option<OriginalPlace>,
    /// What the assertion that failed compares.
    assertion: Option<String>,
    /// The function in which it stands.
    function: Option<String>,
}

impl FailurePlace {
    fn starts_at(&self, place: OriginalPlace) -> bool {
        self.is_unknown && self.start == Some(place)
    }

    /// Whether what stands in another place in other sources can be the same.
    fn is_same(&self, found: &Self) -> bool {
        let starts_there = found.start.is_some_and(|start| self.starts_at(start));
        (starts_there || !found.anchors.is_disjoint(&self.anchors))
            && found.assertion == self.assertion
    }
}

impl CodeMatcher {
    /// The failure `expected` as the `original` sources show it.
    pub fn new(rule: Match, expected: Signature, original: &Sources) -> Self {
        let place = expected.location.as_ref().and_then(|place| look(place, original));
        CodeMatcher {
            matcher: Matcher::new(rule, expected),
            reworded: None,
            given: None,
            operands: None,
            keeps_numbers: false,
            is_call: false,
            place: place.unwrap_or_default(),
            held_outside: None,
        }
    }

    /// The same failure, if outside of the function of the `test` in its statement, in a function of the same name: whoever
    /// reads what is left knows the place by them.
    #[must_use]
    pub fn held_outside(self, test: &str) -> Self {
        CodeMatcher { held_outside: Some(test.to_owned()), ..self }
    }

    /// The same failure, which the `original` sources show; where its message shows an error, with those of its words that do
    /// not come from the texts of the test, which is `given` them: another error at the same place is another failure.
    #[must_use]
    pub(crate) fn with_words_of_value(
        self,
        original: &Sources,
        given: impl FnOnce() -> Given,
    ) -> Self {
        let expected = self.expected();
        let place = expected.location.as_ref().and_then(|place| SourcePlace::find(place, original));
        if !expected.shows_value(place.map(SourcePlace::rest)) {
            return self;
        }
        let given = given();
        let matcher = self.matcher.with_words_of_value(&given);
        CodeMatcher { matcher, given: Some(given), ..self }
    }

    /// The same failure, with the operands that a run `shows`: with other ones the same condition is another failure.
    #[must_use]
    pub fn with_operands_of(self, shows: &Signature) -> Self {
        CodeMatcher { operands: split(&shows.message).1.map(str::to_owned), ..self }
    }

    /// The same failure, with the numbers that its message says: where the inputs stay, they are made of these, and code
    /// that makes others of them fails in another step.
    #[must_use]
    pub fn with_numbers(self) -> Self {
        CodeMatcher { keeps_numbers: true, ..self }
    }

    fn is_held(&self) -> bool {
        self.held_outside.is_some() && self.held_outside != self.place.function
    }

    /// The same failure, which stands outside of the `original` sources, at the `call` in them that leads
    /// there.
    #[must_use]
    pub fn called_at(self, call: Location, original: &Sources) -> Self {
        let outside = self.matcher;
        let at_call = outside.original().clone().at(call);
        let matcher = CodeMatcher::new(outside.rule().clone(), at_call, original);
        CodeMatcher {
            is_call: matcher.is_known(),
            matcher: outside,
            held_outside: self.held_outside,
            given: self.given,
            keeps_numbers: self.keeps_numbers,
            ..matcher
        }
    }

    /// The same failure, whose message may also read so: it repeats an input, which is smaller by now.
    #[must_use]
    pub fn or_message(self, message: String) -> Self {
        let mut reworded = self.expected().clone();
        reworded.message = message;
        let mut reworded = Matcher::new(self.rule().clone(), reworded);
        if let Some(given) = &self.given {
            reworded = reworded.with_words_of_value(given);
        }
        CodeMatcher { reworded: Some(reworded), ..self }
    }

    /// Whether it panics outside of the sources, and it matters where.
    pub fn is_outside(&self) -> bool {
        let expected = self.expected();
        let is_panic = expected.kind == FailureKind::Panic && expected.location.is_some();
        is_panic && !self.is_known() && self.matcher.rule().looks_at_place()
    }

    /// Whether it is the place of a call that leads to a failure outside of the sources.
    pub fn stands_at_call(&self) -> bool {
        self.is_call
    }

    /// Whether `shown` can be the failure, and which call led there has to be known to tell.
    pub fn needs_call(&self, shown: &Signature) -> bool {
        self.is_call && self.matches(shown)
    }

    /// How closely it has to be met.
    pub fn rule(&self) -> &Match {
        self.matcher.rule()
    }

    /// The failure to hold on to.
    pub fn expected(&self) -> &Signature {
        self.matcher.original()
    }

    /// What the assertion looks at that stands there in the `original` sources, if there is one. What a macro of the
    /// user's own compares there is what it is given: its place is that of the call.
    pub fn asserted(expected: &Signature, original: &Sources) -> Option<Asserted> {
        let place = SourcePlace::find(expected.location.as_ref()?, original)?;
        let given = || Asserted::Values(Some(ExpectedValue::WrittenOut));
        let compares = || sides(&expected.message).map(|_| given());
        asserted_at(place.text, place.offset).or_else(compares)
    }

    /// Whether its place lies in the sources.
    pub fn is_known(&self) -> bool {
        !self.place.anchors.is_empty()
    }

    /// Whether it is the failure that stands at a place of the original sources.
    pub fn stands_at(&self, place: OriginalPlace) -> bool {
        self.place.anchors.contains(&place) || self.place.starts_at(place)
    }

    /// The byte of `sources` at which it stands, and the file of that.
    pub fn place_in(&self, sources: &Sources) -> Option<(usize, usize)> {
        sources.find(|place| self.stands_at(place))
    }

    /// The statement in which it stands in `sources`, if that has to stay: its file and its bytes.
    pub fn statement_in(&self, sources: &Sources) -> Option<(usize, Range<usize>)> {
        let (file, offset) = self.place_in(sources).filter(|_| self.is_held())?;
        Some((file, statement_around(&sources.files[file].text, offset)?))
    }

    /// Whether `shown`, by a test built from `sources`, is the failure to hold on to. An assertion must
    /// also compare what it compared before.
    pub fn is_same(&self, shown: &Signature, sources: &Sources) -> bool {
        let expected = self.expected();
        if !self.is_known() {
            return self.matches(shown);
        }
        let mut in_place = shown.clone();
        in_place.location.clone_from(&expected.location);
        let mut elsewhere = shown.clone();
        if !self.is_call && shown.kind == FailureKind::Panic && shown.location == expected.location
        {
            // The same line and column of other sources are another place.
            elsewhere.location = None;
        }
        // Where it stands takes longer to find out than what it says.
        let (is_same_there, is_same_elsewhere) =
            (self.matches(&in_place), self.matches(&elsewhere));
        if is_same_there == is_same_elsewhere {
            return is_same_there;
        }
        let found = shown.location.as_ref().and_then(|place| look(place, sources));
        let is_in_place = found.is_some_and(|found| {
            self.place.is_same(&found) && (!self.is_held() || found.function == self.place.function)
        });
        if is_in_place { is_same_there } else { is_same_elsewhere }
    }

    fn matches(&self, shown: &Signature) -> bool {
        let (message, operands) = split(&shown.message);
        let is_about_others =
            operands.is_some() && self.operands.is_some() && operands != self.operands.as_deref();
        if is_about_others {
            return false;
        }
        let shown = &Signature { message: message.to_owned(), ..shown.clone() };
        let has_numbers = |expected: &Signature| {
            !self.keeps_numbers || numbers(&expected.message).eq(numbers(&shown.message))
        };
        let is_same = |matcher: &Matcher| matcher.matches(shown) && has_numbers(matcher.original());
        is_same(&self.matcher) || self.reworded.as_ref().is_some_and(is_same)
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_ascii_digit()).filter(|number| !number.is_empty())
}

/// A place in sources: the file among them, its text, and the byte in it.
#[derive(Clone, Copy)]
struct SourcePlace<'s> {
    file: usize,
    text: &'s str,
    offset: usize,
}

impl<'s> SourcePlace<'s> {
    fn find(location: &Location, sources: &'s Sources) -> Option<Self> {
        let file = sources.position(&location.file)?;
        let text = &sources.files[file].text;
        Some(SourcePlace { file, text, offset: location.offset_in(text)? })
    }

    /// The text from there on.
    fn rest(self) -> &'s str {
        &self.text[self.offset..]
    }
}

/// What stands at a place, in terms of the original sources.
fn look(location: &Location, sources: &Sources) -> Option<FailurePlace> {
    let SourcePlace { file, text, offset } = SourcePlace::find(location, sources)?;
    let failing = failing_at(text, offset);
    let anchors = failing.anchors.iter();
    let origins = anchors.filter_map(|anchor| sources.origin(file, *anchor));
    Some(FailurePlace {
        anchors: origins.collect(),
        is_unknown: failing.is_unknown,
        start: sources.origin(file, offset),
        assertion: failing.assertion,
        function: function_around(text, offset).map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{Reduction, Sameness, testing};

    const TEXT: &str =
        "fn f() {\n    a.unwrap();\n    b.unwrap();\n    assert_eq!(c(1, 2), 3);\n}\n";

    fn sources() -> Sources {
        Sources::of_file("src/lib.rs", TEXT, Sameness::Tokens)
    }

    fn panic(line: u32, column: u32) -> Signature {
        let location = Location::new("src/lib.rs", line, column);
        Signature::new(FailureKind::Panic, "it failed").at(location)
    }

    fn without(part: &str) -> Sources {
        sources().edit([(0, &testing::without(TEXT, &[part]))])
    }

    #[test]
    fn an_equal_failure_in_another_place_is_another_failure() {
        let matcher = CodeMatcher::new(Match::Template, panic(3, 7), &sources());
        assert!(matcher.is_same(&panic(3, 7), &sources()));
        assert!(!matcher.is_same(&panic(2, 7), &sources()));
        let moved = without("a.unwrap();");
        assert!(matcher.is_same(&panic(2, 7), &moved));
        let slipped = without("b.unwrap();");
        assert!(!matcher.is_same(&panic(2, 7), &slipped));
    }

    #[test]
    fn where_the_inputs_stay_so_do_the_numbers_of_the_message() {
        let signature = |from: u32, to: u32| Signature {
            message: format!("begin > end ({from} > {to}) when slicing `a`"),
            ..panic(3, 7)
        };
        let matcher = CodeMatcher::new(Match::Template, signature(20, 13), &sources());
        let matcher = matcher.or_message(signature(2, 1).message);
        assert!(matcher.is_same(&signature(2, 0), &sources()));
        let strict = matcher.with_numbers();
        for (from, to, is_same) in [(20, 13, true), (2, 1, true), (2, 0, false), (20, 1, false)] {
            assert_eq!(strict.is_same(&signature(from, to), &sources()), is_same, "{from} {to}");
        }
    }

    #[test]
    fn a_message_that_repeats_an_input_may_also_read_as_it_does_with_a_smaller_one() {
        let matcher = CodeMatcher::new(Match::Template, panic(3, 7), &sources());
        let matcher = matcher.or_message("it does not".to_owned());
        let signature =
            |message: &str, line| Signature { message: message.to_owned(), ..panic(line, 7) };
        assert!(matcher.is_same(&panic(3, 7), &sources()));
        assert!(matcher.is_same(&signature("it does not", 3), &sources()));
        assert!(!matcher.is_same(&signature("it does not", 2), &sources()));
        assert!(!matcher.is_same(&signature("it does", 3), &sources()));
    }

    #[test]
    fn another_error_in_the_same_place_is_another_failure() {
        let shows = |error: &str| {
            let message = format!("called `Result::unwrap()` on an `Err` value: {error}");
            Signature { message, ..panic(3, 7) }
        };
        let original = shows(r#"Syntax("parts overlap at \"b\"", 12)"#);
        let matcher = CodeMatcher::new(Match::Template, original, &sources());
        let given = || Given::new([r#"parse("a:b").unwrap()"#.into()].into_iter());
        let matcher = matcher.with_words_of_value(&sources(), given);
        let is_same = |matcher: &CodeMatcher, error| matcher.is_same(&shows(error), &sources());
        assert!(is_same(&matcher, r#"Syntax("parts overlap at \"a\"", 0)"#));
        assert!(!is_same(&matcher, r#"Syntax("", 12)"#));
        let reworded = shows(r#"Syntax("parts overlap at \"a\"", 2)"#).message;
        let matcher = matcher.or_message(reworded);
        assert!(!is_same(&matcher, r#"Syntax("", 2)"#));
    }

    #[test]
    fn an_assertion_must_compare_the_same() {
        let matcher = CodeMatcher::new(Match::Location, panic(4, 5), &sources());
        assert!(matcher.is_same(&panic(3, 5), &without("a.unwrap();")));
        assert!(!matcher.is_same(&panic(4, 5), &without(", 2")));
    }

    #[test]
    fn what_a_macro_of_the_users_own_compares_with_is_given_to_it() {
        let text = "fn f() {\n    reads!(\"1h\", 3600);\n    a.unwrap();\n}\n";
        let sources = Sources::of_file("src/lib.rs", text, Sameness::Tokens);
        let asserted = |signature: &Signature| CodeMatcher::asserted(signature, &sources);
        let message = "assertion `left == right` failed\n  left: 60\n right: 3600".to_owned();
        let compared = Signature { message, ..panic(2, 5) };
        let given = Some(Asserted::Values(Some(ExpectedValue::WrittenOut)));
        assert_eq!(asserted(&compared), given);
        assert_eq!(asserted(&panic(2, 5)), None);
        assert_eq!(asserted(&panic(3, 7)), None);
    }

    #[test]
    fn a_failure_that_is_held_stays_in_its_function() {
        let matcher = CodeMatcher::new(Match::Template, panic(3, 7), &sources());
        let start = TEXT.find("f()").unwrap();
        let renamed = sources().edit([(0, &Reduction::replace(start..start + 1, "g"))]);
        assert!(matcher.is_same(&panic(3, 7), &renamed));
        assert!(matcher.clone().held_outside("f").is_same(&panic(3, 7), &renamed));
        let matcher = matcher.held_outside("test");
        assert!(matcher.is_same(&panic(3, 7), &sources()));
        assert!(!matcher.is_same(&panic(3, 7), &renamed));
    }

    #[test]
    fn what_a_macro_hides_is_known_by_where_it_starts() {
        let text = "m! { x => a / b }\nfn f() { n(); }\n";
        let sources = Sources::of_file("src/lib.rs", text, Sameness::Tokens);
        let matcher = CodeMatcher::new(Match::Template, panic(1, 11), &sources);
        let inlined = Reduction::default().and_copy(0..17, text, 10..15, "fn x() { ", " }");
        let inlined = sources.edit([(0, &inlined)]);
        assert!(matcher.is_same(&panic(1, 10), &inlined), "{inlined:?}");
        assert!(!matcher.is_same(&panic(2, 10), &inlined));
    }

    #[test]
    fn what_fails_outside_is_known_by_the_call_that_leads_there() {
        let outside = Location::new("/rustc/0/core/src/f64.rs", 9, 9);
        let shown = Signature::new(FailureKind::Panic, "it failed").at(outside);
        let matcher = CodeMatcher::new(Match::Template, shown.clone(), &sources());
        assert!(matcher.is_outside() && !matcher.needs_call(&shown));
        let call = |line| Location::new("src/lib.rs", line, 7);
        let matcher = matcher.called_at(call(3), &sources());
        assert!(!matcher.is_outside() && matcher.needs_call(&shown));
        assert!(!matcher.needs_call(&panic(3, 7)));
        // As long as the call is not known, it may be it.
        assert!(matcher.is_same(&shown, &sources()));
        let led_from = |line| shown.clone().at(call(line));
        assert!(matcher.is_same(&led_from(3), &sources()));
        assert!(matcher.is_same(&led_from(2), &without("a.unwrap();")));
        assert!(!matcher.is_same(&led_from(2), &sources()));
        let from_nowhere = Signature { location: None, ..shown };
        assert!(!matcher.is_same(&from_nowhere, &sources()));
    }

    #[test]
    fn a_failure_without_a_place_is_known_by_its_message() {
        let abort = Signature::new(FailureKind::Abort, "stack overflow");
        let matcher = CodeMatcher::new(Match::Template, abort.clone(), &sources());
        assert!(matcher.is_same(&abort, &without("b.unwrap();")));
        assert!(!matcher.is_same(&panic(2, 7), &sources()));
    }
}

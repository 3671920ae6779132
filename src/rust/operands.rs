//! The values that the condition of an assertion is about, shown where it fails.
//!
//! Of `assert!(good > bad)` the message says nothing but that it does not hold, and any code that makes it false would do. In
//! the sources of a search its message shows what `good` and `bad` are.

use std::fmt::Write as _;
use std::ops::Range;

use super::{Reduction, Sources, is_in_test_or_helper, scan};
use crate::source::{ASSERTION, AssertedCondition};

/// How an operand is called, with its number behind it, in a message and in the sources.
const NAME: &str = "cargo_reduce_operand_";

/// The values that the condition of one assertion is about, by the places of their expressions among all of its.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Operands(Vec<usize>);

impl Operands {
    /// All of the assertion of a `test` or a helper of it whose `!` is at that place in `sources`: a file and a byte.
    pub fn of(sources: &Sources, place: (usize, usize), test: &str) -> Option<Self> {
        let is_of_test = is_in_test_or_helper(&sources.files.get(place.0)?.text, place.1, test);
        let found = condition(sources, place).filter(|_| is_of_test)?;
        Some(Operands((0..found.operands.len()).collect())).filter(|all| !all.0.is_empty())
    }

    /// The same without some; `None` if none is left.
    pub fn without(&self, some: impl Fn(usize) -> bool) -> Option<Self> {
        let left: Vec<usize> = self.0.iter().copied().filter(|operand| !some(*operand)).collect();
        (!left.is_empty()).then_some(Operands(left))
    }

    /// Their expressions, for people.
    pub fn shown(&self, sources: &Sources, place: (usize, usize)) -> Vec<String> {
        let Some(found) = condition(sources, place) else { return Vec::new() };
        let text = &sources.files[place.0].text;
        let ranges = self.0.iter().filter_map(|operand| found.operands.get(*operand));
        ranges.map(|range| format!("`{}`", &text[range.clone()])).collect()
    }

    /// The sources with an assertion that shows them where it fails with this `message`; its `!` is at that place.
    pub fn show_in(
        &self,
        sources: &Sources,
        place: (usize, usize),
        message: &str,
    ) -> Option<Sources> {
        let found = condition(sources, place)?;
        let text = &sources.files[place.0].text;
        let (mut shown, mut given) = (String::new(), String::new());
        for operand in &self.0 {
            let value = &text[found.operands.get(*operand)?.clone()];
            _ = write!(shown, "\\n{NAME}{operand}: {{{NAME}{operand}:?}}");
            _ = write!(given, ", {NAME}{operand} = &({value})");
        }
        let edit = if let Some((quote, end)) = found.message {
            Reduction::replace(quote..quote, shown).and_replace(end..end, given)
        } else {
            let message = format!("{message:?}").replace('{', "{{").replace('}', "}}");
            let message = message.strip_suffix('"')?;
            Reduction::replace(found.end..found.end, format!(", {message}{shown}\"{given}"))
        };
        Some(sources.edit([(place.0, &edit)]))
    }
}

/// The assertion whose `!` is at a place.
fn condition(sources: &Sources, (file, bang): (usize, usize)) -> Option<AssertedCondition> {
    let text = &sources.files.get(file)?.text;
    let name = scan::words(&text[..bang]).last()?;
    AssertedCondition::at(text, text[..bang].rfind(name)?)
}

/// What shows operands in a text: files and bytes.
pub fn added(text: &str) -> Vec<Range<usize>> {
    if !text.contains(NAME) {
        return Vec::new();
    }
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let before = |place: usize| place.checked_sub(1).map(|before| &tokens[before]);
    let mut added = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        if token.kind == scan::PieceKind::Str
            && let Some(shown) = token.text.find(&format!("\\n{NAME}"))
        {
            let comma = before(place).filter(|_| token.text[1..].starts_with(ASSERTION));
            added.push(match comma {
                Some(comma) => comma.start..token.range().end,
                None => token.start + shown..token.range().end - 1,
            });
        } else if token.text.starts_with(NAME)
            && let Some(comma) = before(place)
        {
            // It is in parentheses.
            let inside = tokens.get(place + 3).map_or(text.len(), |open| open.range().end);
            let end = scan::end_of_group(&text[inside..], "(").map(|end| inside + end + 1);
            added.push(comma.start..end.unwrap_or(inside));
        }
    }
    added
}

/// Sources without what shows operands.
pub fn hidden_in(sources: &Sources) -> Sources {
    let edits: Vec<Reduction> = sources.files.iter().map(|file| hide(&file.text)).collect();
    sources.edit(edits.iter().enumerate())
}

/// The edit that takes out of a text what shows operands.
pub(super) fn hide(text: &str) -> Reduction {
    added(text).into_iter().fold(Reduction::default(), Reduction::and_remove)
}

/// The message of a failure without the operands that it shows, and these.
pub fn split(message: &str) -> (&str, Option<&str>) {
    match message.find(NAME) {
        Some(place) => (message[..place].trim_end_matches('\n'), Some(&message[place..])),
        None => (message, None),
    }
}

/// What a message shows of each operand: its number, and its value.
pub fn values(shown: &str) -> impl Iterator<Item = (usize, &str)> {
    shown.split(NAME).filter_map(|part| {
        let (number, value) = part.split_once(": ")?;
        Some((number.parse().ok()?, value.trim_end_matches('\n')))
    })
}

/// The operand that an argument which shows it is about: its number in the text of the argument.
pub fn number_in(argument: &str) -> Option<usize> {
    let (_, rest) = argument.split_once(NAME)?;
    rest.split(|symbol: char| !symbol.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;
    use crate::rust::testing::sources_of;

    fn shown(test: &str) -> (Sources, Sources) {
        let sources = sources_of(test);
        let place = (0, test.find('!').unwrap());
        let all = Operands::of(&sources, place, "f").unwrap();
        let shown = all.show_in(&sources, place, "assertion failed: a[\"{}\"] > b").unwrap();
        (sources, shown)
    }

    #[test]
    fn an_assertion_shows_what_it_is_about_and_is_as_before_without_that() {
        for (before, expected) in [
            (
                "#[test] fn f() { assert!(a[\"{}\"] > b::<u8, F>(c, d),); }",
                "#[test] fn f() { assert!(a[\"{}\"] > b::<u8, F>(c, d), \"assertion failed: a[\\\"{{}}\\\"] > \
                 b\\ncargo_reduce_operand_0: {cargo_reduce_operand_0:?}\\ncargo_reduce_operand_1: \
                 {cargo_reduce_operand_1:?}\", cargo_reduce_operand_0 = &(a[\"{}\"]), cargo_reduce_operand_1 = \
                 &(b::<u8, F>(c, d)),); }",
            ),
            (
                "#[test] fn f() { assert!(a.is_empty(), \"{} is {x}\", g(1, 2), x = [1, 2]); h(); }",
                "#[test] fn f() { assert!(a.is_empty(), \"{} is {x}\\ncargo_reduce_operand_0: \
                 {cargo_reduce_operand_0:?}\", g(1, 2), x = [1, 2], cargo_reduce_operand_0 = &(a)); h(); }",
            ),
        ] {
            let (_, shown) = shown(before);
            let text = &shown.files[0].text;
            assert_eq!(&**text, expected);
            assert_eq!(apply(text, [&hide(text)]), before);
        }
    }

    #[test]
    fn only_tests_and_their_helpers_assert_what_is_about_values() {
        let of = |text: &str| {
            Operands::of(&sources_of(text), (0, text.find('!').unwrap()), "f").is_some()
        };
        assert!(of("fn check(a: u8) { assert!(a > 1); } #[test] fn f() { check(b()); }"));
        assert!(!of("fn other(a: u8) { assert!(a > 1); } #[test] fn f() { check(b()); }"));
        assert!(!of(
            "mod m { pub fn check(a: u8) { assert!(a > 1); } } #[test] fn f() { m::check(b()); }"
        ));
    }

    #[test]
    fn values_are_told_from_the_rest_of_a_message() {
        let message =
            "assertion failed: a > b\ncargo_reduce_operand_0: 1\ncargo_reduce_operand_2: \"x: y\"";
        let (plain, shown) = split(message);
        assert_eq!(plain, "assertion failed: a > b");
        let all: Vec<(usize, &str)> = values(shown.unwrap()).collect();
        assert_eq!(all, [(0, "1"), (2, "\"x: y\"")]);
        assert_eq!(split("a"), ("a", None));
        assert_eq!(number_in(", cargo_reduce_operand_12 = &b"), Some(12));
    }
}

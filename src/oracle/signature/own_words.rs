//! What of a failure's message the code writes itself, although it looks like a value.
//!
//! A template blanks quoted text and numbers, since these may come from the inputs. Whether they do, the inputs tell:
//! of ``TomlError { message: "duplicate key `linux`" }`` only `linux` stands in them, so `duplicate key` is as fixed as
//! the name of the type.

use std::ops::Range;

use super::template::{CUT_OFF, is_kept, scan};

/// What has to stand at the blanks of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnWords {
    blanks: Vec<Blank>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Blank {
    /// What comes from the inputs.
    Free,
    /// The very same.
    Fixed(String),
    /// Text of this template, with its own blanks.
    Words(String, OwnWords),
}

impl OwnWords {
    /// Those of `message`, if it has any. `is_given` says whether a text comes from the inputs; where
    /// `numbers_count`, numbers that do not are fixed, too.
    pub(crate) fn of(
        message: &str,
        is_given: &dyn Fn(&str) -> bool,
        numbers_count: bool,
    ) -> Option<Self> {
        let (_, slots) = scan(message);
        let blank = |slot: &Range<usize>| {
            let text = &message[slot.clone()];
            if text.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
                let is_free = !numbers_count || is_given(text);
                return if is_free { Blank::Free } else { Blank::Fixed(text.to_owned()) };
            }
            let inside = inside(text);
            // Lists and paths are too long to be anyone's own words.
            let is_quoted = text.starts_with(['"', '\'', '`', 'r']) && !is_kept(&inside);
            if !is_quoted || !inside.contains(char::is_alphanumeric) || is_given(&inside) {
                return Blank::Free;
            }
            let inner = OwnWords::of(&inside, is_given, numbers_count);
            Blank::Words(scan(&inside).0, inner.unwrap_or(OwnWords { blanks: Vec::new() }))
        };
        let blanks: Vec<Blank> = slots.iter().map(blank).collect();
        let has_own = blanks.iter().any(|blank| *blank != Blank::Free);
        has_own.then_some(OwnWords { blanks })
    }

    /// Whether a message of the same template has them.
    pub(crate) fn are_in(&self, message: &str) -> bool {
        let (_, slots) = scan(message);
        let mut slots = slots.iter();
        self.blanks.iter().all(|blank| {
            let Some(slot) = slots.next() else { return *blank == Blank::Free };
            let text = &message[slot.clone()];
            match blank {
                Blank::Free => true,
                Blank::Fixed(fixed) => text == fixed,
                Blank::Words(template, own) => {
                    let inside = inside(text);
                    scan(&inside).0 == *template && own.are_in(&inside)
                }
            }
        })
    }

    /// Frees the numbers in which `message` differs, if all else is as it was: a change of the inputs has led there.
    pub(crate) fn learn(&mut self, message: &str) {
        let mut free = self.clone();
        free.free_numbers(message);
        if free.are_in(message) {
            *self = free;
        }
    }

    fn free_numbers(&mut self, message: &str) {
        let (_, slots) = scan(message);
        for (blank, slot) in self.blanks.iter_mut().zip(slots) {
            let text = &message[slot];
            match blank {
                Blank::Fixed(fixed) if text != fixed => *blank = Blank::Free,
                Blank::Words(_, own) => own.free_numbers(&inside(text)),
                Blank::Free | Blank::Fixed(_) => {}
            }
        }
    }

    /// Whether there are fixed numbers.
    pub(crate) fn have_numbers(&self) -> bool {
        self.blanks.iter().any(|blank| match blank {
            Blank::Free => false,
            Blank::Fixed(_) => true,
            Blank::Words(_, own) => own.have_numbers(),
        })
    }
}

/// What stands between the quotes or brackets, as it was before it was quoted.
fn inside(text: &str) -> String {
    let text = text.trim_start_matches('r').trim_matches('#');
    let text = text.strip_suffix(CUT_OFF).unwrap_or(text);
    let mut characters = text.chars();
    let first = characters.next().unwrap_or_default();
    let rest = characters.as_str();
    // What was cut off has no quote at its end.
    let inside = rest.strip_suffix(first).unwrap_or(rest);
    if !matches!(first, '"' | '\'') {
        return inside.to_owned();
    }
    let mut plain = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(next) = characters.next() {
        match next {
            '\\' => match characters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('r') => plain.push('\r'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            other => plain.push(other),
        }
    }
    plain
}

/// The texts and numbers of inputs, to be looked up.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    texts: String,
    lower: String,
}

impl Given {
    /// Those in `texts`.
    pub(crate) fn new<'t>(texts: impl Iterator<Item = std::borrow::Cow<'t, str>>) -> Self {
        let texts: Vec<_> = texts.collect();
        let texts = texts.join("\n");
        Given { lower: texts.to_lowercase(), texts }
    }

    /// Whether a text comes from there: as it is, or word by word, whatever stands between the words. A number of one
    /// digit stands anywhere.
    pub(crate) fn holds(&self, text: &str) -> bool {
        if text.len() == 1 && text.starts_with(|it: char| it.is_ascii_digit()) {
            return false;
        }
        if self.texts.contains(text) {
            return true;
        }
        let lower = text.to_lowercase();
        let mut words = lower
            .split(|it: char| !it.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .peekable();
        words.peek().is_some() && words.all(|word| self.lower.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(texts: &str) -> Given {
        Given::new([texts.into()].into_iter())
    }

    #[track_caller]
    fn check(inputs: &str, message: &str, same: &[&str], others: &[&str]) {
        let given = given(inputs);
        let own = OwnWords::of(message, &|text| given.holds(text), true).expect("own words");
        assert!(own.are_in(message), "{own:?}");
        for same in same {
            assert!(own.are_in(same), "{same}: {own:?}");
        }
        for other in others {
            assert!(!own.are_in(other), "{other}: {own:?}");
        }
    }

    #[test]
    fn words_that_the_inputs_do_not_hold_are_the_codes_own() {
        check(
            "[linux]\na = 1\n[linux]\n",
            r#"TomlError { message: "duplicate key `linux`", raw: Some("[linux]\na = 1\n[linux]\n") }"#,
            &[r#"TomlError { message: "duplicate key `a`", raw: Some("a=1\na=2") }"#],
            &[r#"TomlError { message: "expected `.`, `=`", raw: Some("a") }"#],
        );
    }

    #[test]
    fn an_index_that_does_not_follow_the_inputs_is_fixed() {
        let message = r#"InvalidColumnType(1, "note", Integer)"#;
        let inputs = "CREATE TABLE a (id, note)";
        check(
            inputs,
            message,
            &[r#"InvalidColumnType(1, "n", Integer)"#],
            &[r#"InvalidColumnType(0, "n", Integer)"#],
        );
    }

    #[test]
    fn a_number_that_follows_the_inputs_is_free() {
        let given = given("one\ntwo");
        let message = r#"Parse("two", 14)"#;
        let mut own = OwnWords::of(message, &|text| given.holds(text), true).unwrap();
        assert!(own.have_numbers());
        own.learn(r#"Parse("two", 13)"#);
        assert!(own.are_in(r#"Parse("w", 2)"#));
        assert!(!own.have_numbers());
    }

    #[test]
    fn what_all_comes_from_the_inputs_has_no_words_of_its_own() {
        let given = given("größe = 1");
        let message =
            "byte index 5 is not a char boundary; it is inside 'ö' (bytes 2..4) of `größe = 1`";
        assert_eq!(OwnWords::of(message, &|text| given.holds(text), false), None);
    }
}

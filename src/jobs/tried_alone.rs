//! Why what is left of files is left: what their search has seen without each part that it has tried to take away alone.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::reduce::{KnownOutcomes, Outcome};
use crate::report::{Part, Without};
use crate::rust::{Reduction, Sources};
use crate::schedule::removals;

/// More parts of a file than these, the smallest ones, are not told of.
const MOST_PARTS: usize = 300;
/// Files with more tokens have more parts than anybody looks at.
const MOST_TOKENS: usize = 1_500;

/// The parts of each file of `best` whose removal is `known`; `said` puts an outcome into words.
pub fn tried_alone(
    best: &Sources,
    known: &KnownOutcomes,
    said: fn(Outcome) -> &'static str,
) -> Vec<Vec<Part>> {
    if best.tokens() > MOST_TOKENS {
        return vec![Vec::new(); best.files.len()];
    }
    let files = best.files.iter().enumerate();
    let parts = files.map(|(file, source)| {
        let mut parts: BTreeMap<(usize, usize), Part> = BTreeMap::new();
        for removal in removals(source) {
            let Some(range) = shown(&source.text, &removal) else { continue };
            // In Rust what stood apart is kept apart, in other texts it is not.
            let apart = || known.outcome(&best.edit([(file, &removal)]));
            let joined = || known.outcome(&best.rewrite(|at, text| cut(at == file, text, &range)));
            if let Some(outcome) = apart().or_else(joined) {
                let without = Some(Without { outcome, said: said(outcome).to_owned() });
                parts.entry((range.start, range.end)).or_insert(Part { range, without });
            }
        }
        largest(parts.into_values().collect())
    });
    parts.collect()
}

/// The text without this range, if it `is_meant`.
fn cut(is_meant: bool, text: &str, range: &Range<usize>) -> String {
    let range = if is_meant { range.clone() } else { 0..0 };
    [&text[..range.start], &text[range.end..]].concat()
}

/// Where the most of a removal stands, without the space around it.
fn shown(text: &str, removal: &Reduction) -> Option<Range<usize>> {
    let ranges = removal.changes.iter().map(|change| &change.range);
    let range = ranges.max_by_key(|range| range.len())?;
    let removed = text.get(range.clone())?;
    let start = range.start + (removed.len() - removed.trim_start().len());
    let kept = start..start + removed.trim().len();
    // Space may be what matters. That nothing fails without all of it goes without saying.
    let range = if kept.is_empty() { range.clone() } else { kept };
    (!range.is_empty() && text[range.clone()] != *text.trim()).then_some(range)
}

/// Not more of them than anybody looks at, in the order in which they stand.
fn largest(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_by_key(|part| std::cmp::Reverse(part.range.len()));
    parts.truncate(MOST_PARTS);
    parts.sort_by_key(|part| (part.range.start, std::cmp::Reverse(part.range.end)));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{FromFn, Memory, Problem};
    use crate::rust::{Sameness, StandIn};
    use crate::schedule::{Settings, reduce, reduce_text};

    fn said(outcome: Outcome) -> &'static str {
        if outcome == Outcome::Pass { "gone" } else { "other" }
    }

    /// The parts of what is left of a file while it holds what is wanted, each with what happens without it.
    fn parts_of(path: &str, text: &str, wanted: &[&str]) -> (String, Vec<(String, String)>) {
        let mut oracle = FromFn(|sources: &Sources| {
            let has = |word: &&str| sources.files[0].text.contains(*word);
            if wanted.iter().all(has) { Outcome::Fail } else { Outcome::Pass }
        });
        let sources = Sources::of_file(path, text, Sameness::Text);
        let mut problem = Problem::new(sources, &mut oracle, Memory::Remember);
        let settings = Settings { stand_in: StandIn::Loop, is_switched: false };
        let is_rust = problem.best().files[0].is_rust();
        let ended =
            if is_rust { reduce(&mut problem, settings) } else { reduce_text(&mut problem) };
        ended.unwrap();
        let (best, known) = problem.into_best_and_known();
        let text = best.files[0].text.to_string();
        let parts = tried_alone(&best, &known, said).remove(0).into_iter();
        let parts = parts.map(|part| {
            (text[part.range].to_owned(), part.without.map_or_else(String::new, |it| it.said))
        });
        (text.clone(), parts.collect())
    }

    #[test]
    fn each_part_of_a_source_is_told_of() {
        let text = "fn a() { b(1); c(2); }\nfn b(n: u8) {}\nfn c(n: u8) {}\n";
        let (left, parts) = parts_of("a.rs", text, &["fn a() {", "c(2", "}\nfn c(n: u8) {}"]);
        for part in ["n: u8", "fn c(n: u8) {}"] {
            assert!(parts.contains(&(part.into(), "gone".into())), "{left}: {parts:?}");
        }
    }

    #[test]
    fn each_character_of_a_text_is_told_of() {
        let text = "one\ntwo needle three\nfour\n";
        let (left, parts) = parts_of("a.txt", text, &["needle"]);
        assert_eq!(left, "needle");
        let characters = left.chars().map(|c| (c.to_string(), "gone".to_owned()));
        assert_eq!(parts, characters.collect::<Vec<_>>());
    }
}

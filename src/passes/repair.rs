//! Reductions that the compiler takes: many at once, without those that its errors point at.
//!
//! Most reductions of a source on their own do not compile, and to find that out one by one costs a run
//! of the compiler each. Here all of them are applied together and checked; the errors say which to
//! take back, until the rest compiles after a few rounds. What is taken back may still work alone, or
//! after others: it is only put off.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::scan;
use super::{Recorded, Reduction, Sources};
use crate::reduce::OracleError;

/// An error of the compiler.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaint {
    /// What it is about: words that the message puts in backticks, if it says that they are missing.
    pub missing: Vec<String>,
    /// Where it points, in the text that was checked: the file and its bytes, the main place first.
    pub places: Vec<(usize, Range<usize>)>,
}

/// What is unused: files and bytes, mostly those of a name.
pub type Unused = Vec<(usize, Range<usize>)>;

/// Asks the compiler about a candidate without running it.
pub trait Check {
    /// The errors; none if it compiles.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    fn complaints(&mut self, sources: &Sources) -> Result<Vec<Complaint>, OracleError>;

    /// What the compiler's lints call unused in a candidate that compiles.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    fn unused(&mut self, sources: &Sources) -> Result<Unused, OracleError>;

    /// What is unused in a candidate, or the errors if it does not compile.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    fn look(&mut self, sources: &Sources) -> Result<Result<Unused, Vec<Complaint>>, OracleError> {
        let complaints = self.complaints(sources)?;
        if complaints.is_empty() {
            return Ok(Ok(self.unused(sources)?));
        }
        Ok(Err(complaints))
    }

    /// What places of a candidate that fails always yield when it runs, the latest first; none where that
    /// cannot be told.
    ///
    /// # Errors
    /// When the compiler or the candidate cannot be run.
    fn values(&mut self, _sources: &Sources) -> Result<Vec<Recorded>, OracleError> {
        Ok(Vec::new())
    }

    /// Hears of each turn of a pass when it is over.
    fn heard(&mut self, _turn: Turn) {}
}

/// What came of a turn of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// The pass.
    pub pass: &'static str,
    /// The candidates that were run.
    pub candidates: u64,
    /// How many of them became the new best.
    pub accepted: u64,
    /// How many tokens went.
    pub tokens: usize,
}

/// After so many rounds the rest is put off.
const ROUNDS: usize = 24;
/// So many rounds an error that stands for many reductions is blamed on half of them only.
const PATIENT_ROUNDS: usize = 5;
/// How many are not yet many.
const MANY: usize = 3;

/// The reductions of `open` that compile together with each other on `base`; each has the place of its
/// file. They must not overlap.
///
/// # Errors
/// When the compiler cannot be run.
pub(super) fn compiling(
    base: &Sources,
    open: &[(usize, &Reduction)],
    check: &mut dyn Check,
) -> Result<Vec<usize>, OracleError> {
    let complaints = check.complaints(&base.edit(open.iter().copied()))?;
    repaired(base, open, complaints, check)
}

/// As [`compiling`], where it is known what the compiler says against all of them.
///
/// # Errors
/// When the compiler cannot be run.
pub(super) fn repaired(
    base: &Sources,
    open: &[(usize, &Reduction)],
    mut complaints: Vec<Complaint>,
    check: &mut dyn Check,
) -> Result<Vec<usize>, OracleError> {
    let mut chosen: Vec<usize> = (0..open.len()).collect();
    for round in 0..ROUNDS {
        if chosen.is_empty() || complaints.is_empty() {
            return Ok(chosen);
        }
        let here: Vec<(usize, &Reduction)> = chosen.iter().map(|index| open[*index]).collect();
        let most = if round < PATIENT_ROUNDS {
            MANY
        } else {
            usize::MAX
        };
        let blamed = Round::new(base, &here).blame(&complaints, most);
        let mut place = 0;
        chosen.retain(|_| {
            place += 1;
            !blamed.contains(&(place - 1))
        });
        let rest = chosen.iter().map(|index| open[*index]);
        complaints = check.complaints(&base.edit(rest))?;
    }
    Ok(Vec::new())
}

/// The first of `reductions` that do not overlap one before them, in that order.
pub(super) fn apart(reductions: &[(usize, &Reduction)]) -> Vec<usize> {
    let mut taken: Vec<BTreeSet<(usize, usize)>> = Vec::new();
    let mut chosen = Vec::new();
    for (index, (file, reduction)) in reductions.iter().enumerate() {
        if taken.len() <= *file {
            taken.resize(file + 1, BTreeSet::new());
        }
        let taken = &mut taken[*file];
        let is_free = |range: &Range<usize>| {
            let before = taken
                .range(..(range.end.max(range.start + 1), 0))
                .next_back();
            before.is_none_or(|(_, end)| *end <= range.start)
        };
        if reduction
            .changes
            .iter()
            .all(|change| is_free(&change.range))
        {
            let ranges = reduction.changes.iter().map(|change| &change.range);
            taken.extend(ranges.map(|range| (range.start, range.end)));
            chosen.push(index);
        }
    }
    chosen
}

/// One round: reductions that were checked together.
struct Round<'r> {
    base: &'r Sources,
    chosen: &'r [(usize, &'r Reduction)],
    /// For each file, what each part of its new text stood for: new bytes and old bytes.
    parts: Vec<Vec<(Range<usize>, Range<usize>)>>,
}

impl<'r> Round<'r> {
    fn new(base: &'r Sources, chosen: &'r [(usize, &'r Reduction)]) -> Self {
        let parts = (0..base.files.len()).map(|file| {
            let here = { chosen.iter() }.filter(|(place, _)| *place == file);
            let text = &base.files[file].text;
            super::reduction::parts(text, here.map(|(_, reduction)| *reduction))
        });
        Round {
            base,
            chosen,
            parts: parts.collect(),
        }
    }

    /// The reductions that the complaints are about; at least one. Of more than `most` at the place of an
    /// error half are spared: of a list of arguments or elements all cannot go, but most can.
    fn blame(&self, complaints: &[Complaint], most: usize) -> HashSet<usize> {
        let mut blamed = HashSet::new();
        for complaint in complaints {
            let missing = self.that_removed(&complaint.missing);
            if !missing.is_empty() {
                blamed.extend(missing);
                continue;
            }
            let mut places =
                { complaint.places.iter() }.map(|(file, range)| (*file, self.old(*file, range)));
            let touching = places.clone().map(|(file, old)| self.touching(file, &old));
            match touching.into_iter().find(|found| !found.is_empty()) {
                Some(mut found) => {
                    if found.len() > most {
                        found.truncate(found.len().div_ceil(2));
                    }
                    blamed.extend(found);
                }
                None => blamed.extend(
                    { places.next() }
                        .iter()
                        .flat_map(|(file, old)| self.around(*file, old)),
                ),
            }
        }
        if blamed.is_empty() {
            blamed.extend((0..self.chosen.len()).step_by(2));
        }
        blamed
    }

    /// The reductions that took away a definition of one of the words, or else one of the words, those
    /// that took least first: half of them where several did.
    fn that_removed(&self, words: &[String]) -> Vec<usize> {
        let definers = { self.chosen.iter().enumerate() }.filter(|(_, (file, reduction))| {
            let text = &self.base.files[*file].text;
            let mut olds = reduction
                .changes
                .iter()
                .map(|change| &text[change.range.clone()]);
            olds.any(|old| words.iter().any(|word| defines(old, word)))
        });
        let definers: Vec<usize> = definers.map(|(index, _)| index).collect();
        if !definers.is_empty() {
            return definers;
        }
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (index, (file, reduction)) in self.chosen.iter().enumerate() {
            let text = &self.base.files[*file].text;
            let has = |change: &super::Change| {
                let old = &text[change.range.clone()];
                words
                    .iter()
                    .any(|word| has_word(old, word) && !has_word(&change.text, word))
            };
            if reduction.changes.iter().any(has) {
                let size = reduction
                    .changes
                    .iter()
                    .map(|change| change.range.len())
                    .sum();
                found.push((size, index));
            }
        }
        found.sort_unstable();
        let half = found.len().div_ceil(2);
        found
            .into_iter()
            .take(half.max(2))
            .map(|(_, index)| index)
            .collect()
    }

    /// The bytes of the old text that the new ones stood for.
    fn old(&self, file: usize, new: &Range<usize>) -> Range<usize> {
        let Some(parts) = self.parts.get(file) else {
            return 0..0;
        };
        let first = parts.partition_point(|(part, _)| part.end < new.start);
        let mut old: Option<Range<usize>> = None;
        for (part, from) in &parts[first..] {
            if part.start > new.end {
                break;
            }
            let is_copy = part.len() == from.len();
            let here = if is_copy {
                let start = new.start.max(part.start) - part.start;
                let end = new.end.min(part.end) - part.start;
                from.start + start..from.start + end
            } else {
                from.clone()
            };
            old = Some(match old {
                None => here,
                Some(old) => old.start.min(here.start)..old.end.max(here.end),
            });
        }
        old.unwrap_or(0..0)
    }

    fn touching(&self, file: usize, old: &Range<usize>) -> Vec<usize> {
        self.within(file, |range| {
            range.start <= old.end && old.start <= range.end
        })
    }

    fn within(&self, file: usize, holds: impl Fn(&Range<usize>) -> bool) -> Vec<usize> {
        let is_here = |(_, (place, reduction)): &(usize, &(usize, &Reduction))| {
            *place == file && reduction.changes.iter().any(|change| holds(&change.range))
        };
        let here = self.chosen.iter().enumerate().filter(is_here);
        here.map(|(index, _)| index).collect()
    }

    /// The nearer half of the reductions in the smallest pair of braces around a place that has any; in those
    /// that follow a place in the head of an item, if there are any.
    fn around(&self, file: usize, old: &Range<usize>) -> Vec<usize> {
        let Some(source) = self.base.files.get(file) else {
            return Vec::new();
        };
        let mut groups = scan::braces(&source.text);
        let own = body_of_head(&source.text, old);
        let is_around = |group: &Range<usize>| group.start <= old.start && old.end <= group.end;
        groups.retain(|group| is_around(group) || Some(group.start) == own);
        groups.sort_by_key(ExactSizeIterator::len);
        groups.push(0..source.text.len());
        for group in groups {
            let mut here = self.within(file, |range| {
                group.start <= range.start && range.end <= group.end
            });
            if here.is_empty() {
                continue;
            }
            let distance = |index: &usize| self.chosen[*index].1.start().abs_diff(old.start);
            here.sort_by_key(distance);
            here.truncate(here.len().div_ceil(2));
            return here;
        }
        Vec::new()
    }
}

/// Where the body of a type, a trait or an implementation begins if a place stands in front of it.
fn body_of_head(text: &str, place: &Range<usize>) -> Option<usize> {
    const ENDS: [char; 3] = [';', '{', '}'];
    let (before, after) = (text.get(..place.start)?, text.get(place.end..)?);
    let head = &before[before.rfind(ENDS).map_or(0, |end| end + 1)..];
    let has_body = ["struct", "enum", "union", "trait", "impl"];
    let end = after
        .find(ENDS)
        .filter(|end| after[*end..].starts_with('{'))?;
    let is_head = has_body.iter().any(|word| has_word(head, word));
    is_head.then_some(place.end + end + 1)
}

/// What stands before a name that is defined.
const KEYWORDS: [&str; 11] = [
    "const",
    "enum",
    "fn",
    "for",
    "let",
    "macro_rules",
    "mod",
    "static",
    "struct",
    "trait",
    "type",
];

/// Whether a text defines a name or imports it.
fn defines(text: &str, name: &str) -> bool {
    let is_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
    let mut words = text
        .split(|symbol| !is_word(symbol))
        .filter(|word| !word.is_empty());
    if text.trim_start().starts_with("use ") {
        return words.any(|word| word == name);
    }
    let mut before = "";
    for word in words {
        if word == name && KEYWORDS.contains(&before) {
            return true;
        }
        if word != "mut" {
            before = word;
        }
    }
    false
}

fn has_word(text: &str, word: &str) -> bool {
    let is_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
    text.split(|symbol| !is_word(symbol))
        .any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{Sameness, SourceFile};

    const TEXT: &str = "fn a() { b(1); c(2); } fn b(x: u8) {} fn c(x: u8) {} fn d() {}";

    /// A compiler that only knows calls of functions.
    struct Calls(usize);

    impl Check for Calls {
        fn unused(&mut self, _: &Sources) -> Result<Vec<(usize, Range<usize>)>, OracleError> {
            Ok(Vec::new())
        }

        fn complaints(&mut self, sources: &Sources) -> Result<Vec<Complaint>, OracleError> {
            self.0 += 1;
            let text = &sources.files[0].text;
            let missing = ["b", "c"].into_iter().filter_map(|name| {
                let call = text.find(&format!("{name}("))?;
                let is_defined = text.contains(&format!("fn {name}("));
                (!is_defined).then(|| Complaint {
                    missing: vec![name.to_owned()],
                    places: vec![(0, call..call + 1)],
                })
            });
            Ok(missing.collect())
        }
    }

    fn removals(parts: &[&str]) -> Vec<Reduction> {
        let ranges = parts.iter().map(|part| {
            let start = TEXT.find(part).unwrap();
            start..start + part.len()
        });
        ranges.map(Reduction::remove).collect()
    }

    fn sources() -> Sources {
        sources_of(TEXT)
    }

    fn sources_of(text: &str) -> Sources {
        let file = SourceFile {
            path: "a.rs".into(),
            text: text.into(),
        };
        Sources::new(vec![file], Sameness::Tokens)
    }

    #[test]
    fn only_what_the_errors_name_is_taken_back() {
        let removals = removals(&["b(1);", "fn b(x: u8) {}", "fn c(x: u8) {}", "fn d() {}"]);
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        let mut check = Calls(0);
        let compiling = compiling(&sources(), &open, &mut check).unwrap();
        assert_eq!(compiling, [0, 1, 3]);
        assert_eq!(check.0, 2);
    }

    #[test]
    fn definitions_and_imports_are_told_from_uses() {
        for text in [
            "let mut a = b;",
            "fn a() {}",
            "use c::{a, d};",
            "for a in b {}",
        ] {
            assert!(defines(text, "a"), "{text}");
        }
        for text in ["a.push(1);", "let b = a;", "fn b(a: u8) {}"] {
            assert!(!defines(text, "a"), "{text}");
        }
    }

    #[test]
    fn of_overlapping_reductions_the_first_is_taken() {
        let removals = removals(&["b(1); c(2);", "c(2);", "fn d() {}", "b(1);"]);
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        assert_eq!(apart(&open), [0, 2]);
    }

    #[test]
    fn an_error_is_blamed_on_what_was_changed_there_or_nearby() {
        let removals = removals(&["b(1);", "fn d() {}"]);
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        let sources = sources();
        let round = Round::new(&sources, &open);
        let new = sources.edit(open.iter().copied()).files[0].text.to_string();
        let at = |part: &str| Complaint {
            missing: Vec::new(),
            places: vec![(0, new.find(part).unwrap()..new.find(part).unwrap() + 1)],
        };
        assert_eq!(round.blame(&[at("c(2)")], MANY), HashSet::from([0]));
        assert_eq!(round.blame(&[at("u8) {} fn c")], MANY).len(), 1);
    }

    #[test]
    fn what_is_wrong_in_a_head_is_blamed_on_the_body_behind_it() {
        let text = "mod m { fn a() {} struct S<T> { x: u8, y: T } fn b() {} }";
        let sources = sources_of(text);
        let all: Vec<Reduction> = { ["fn a() {}", "y: T", "fn b() {}"].iter() }
            .map(|part| {
                let start = text.find(part).unwrap();
                Reduction::remove(start..start + part.len())
            })
            .collect();
        let open: Vec<(usize, &Reduction)> = all.iter().map(|removal| (0, removal)).collect();
        let round = Round::new(&sources, &open);
        let new = sources.edit(open.iter().copied()).files[0].text.to_string();
        let start = new.find("T>").unwrap();
        let complaint = Complaint {
            missing: Vec::new(),
            places: vec![(0, start..start + 1)],
        };
        assert_eq!(round.blame(&[complaint], MANY), HashSet::from([1]));
        assert_eq!(body_of_head("fn f() {}", &(3..4)), None);
    }

    /// A compiler that wants an argument at least, and points at all of them.
    struct NotEmpty(usize);

    impl Check for NotEmpty {
        fn unused(&mut self, _: &Sources) -> Result<Unused, OracleError> {
            Ok(Vec::new())
        }

        fn complaints(&mut self, sources: &Sources) -> Result<Vec<Complaint>, OracleError> {
            self.0 += 1;
            let text = &sources.files[0].text;
            let is_empty = !text.contains(|symbol: char| symbol.is_ascii_digit());
            let place = (0, 1..text.len() - 1);
            let complaint = Complaint {
                missing: Vec::new(),
                places: vec![place],
            };
            Ok(if is_empty {
                vec![complaint]
            } else {
                Vec::new()
            })
        }
    }

    #[test]
    fn an_error_about_a_whole_list_leaves_half_of_it() {
        let file = SourceFile {
            path: "a.rs".into(),
            text: "f(1, 2, 3, 4, 5, 6, 7, 8);".into(),
        };
        let base = Sources::new(vec![file], Sameness::Tokens);
        let starts = (0..8).map(|place| 2 + 3 * place);
        let removals: Vec<Reduction> = { starts }
            .map(|start| Reduction::remove(start..start + 1))
            .collect();
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        let mut check = NotEmpty(0);
        assert_eq!(compiling(&base, &open, &mut check).unwrap().len(), 4);
        assert_eq!(check.0, 2);
    }
}

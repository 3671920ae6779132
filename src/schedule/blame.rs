//! Which of the reductions that were checked together the errors of the compiler are about.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::reduce::RangeExt;
use crate::rust::scan::has_word;
use crate::rust::{Change, CompileError, Reduction, Sources, scan};

/// Files and bytes of them.
type Places = Vec<(usize, Range<usize>)>;

/// Where nobody is sure, so many are blamed in one round, if there are.
const FEW: usize = 4;
/// And of many such a part.
const PART_THAT_IS_ENOUGH: usize = 16;

/// One round: reductions that were checked together.
pub(crate) struct Round<'r> {
    base: &'r Sources,
    /// Those that can be blamed.
    chosen: &'r [(usize, &'r Reduction)],
    /// For each file, what each part of its new text stood for: new bytes and old bytes.
    parts: Vec<Vec<(Range<usize>, Range<usize>)>>,
    /// For each file, the bytes within each pair of braces.
    braces: Vec<Vec<Range<usize>>>,
}

impl<'r> Round<'r> {
    /// The reductions `chosen` on `base`, among `all` that were made.
    pub(crate) fn new(
        base: &'r Sources,
        chosen: &'r [(usize, &'r Reduction)],
        all: &[(usize, &Reduction)],
    ) -> Self {
        let parts = (0..base.files.len()).map(|file| {
            let here = all.iter().filter(|(place, _)| *place == file);
            let text = &base.files[file].text;
            crate::rust::reduction::parts(text, here.map(|(_, reduction)| *reduction))
        });
        Round {
            base,
            chosen,
            parts: parts.collect(),
            braces: base.files.iter().map(|file| scan::braces(&file.text)).collect(),
        }
    }

    /// The reductions that the errors are about; at least one. Those of which it is not sure count only
    /// where it is sure of none: such an error may come from what another is about. Of more than `most` at the
    /// place of an error half are spared: of a list of arguments or elements all cannot go, but most can.
    pub(crate) fn blame(&self, compile_errors: &[CompileError], most: usize) -> HashSet<usize> {
        let mut blamed = self.sure(compile_errors, most);
        if blamed.is_empty() {
            // What one error comes from the next ones may come from, too.
            let enough = (self.chosen.len() / PART_THAT_IS_ENOUGH).max(most.min(FEW));
            for (words, places) in self.in_base(compile_errors) {
                blamed.extend(self.perhaps_to_blame(words, &places, most));
                if blamed.len() >= enough {
                    break;
                }
            }
        }
        if blamed.is_empty() && !compile_errors.is_empty() {
            blamed.extend((0..self.chosen.len()).step_by(2));
        }
        blamed
    }

    /// The same, but for those of which it is not sure.
    pub(crate) fn sure(&self, compile_errors: &[CompileError], most: usize) -> HashSet<usize> {
        let errors = self.in_base(compile_errors);
        let sure = errors.iter().flat_map(|(words, places)| {
            if words.is_empty() {
                first_found([
                    &|| self.pointed_at(places, most),
                    &|| self.that_defined_there(words, places),
                    &|| self.in_group_after(places, most, |_| true),
                    &|| self.in_body(places),
                ])
            } else {
                let names_one = |old: &str| words.iter().any(|word| has_word(old, word));
                let bounds = || self.in_heads(places, names_one);
                let definers = || self.that_defined(words, places);
                let following = || self.in_group_after(places, most, names_one);
                first_found([&bounds, &definers, &following])
            }
        });
        sure.collect()
    }

    /// The words that errors miss, and their places in the text before.
    fn in_base<'e>(&self, compile_errors: &'e [CompileError]) -> Vec<(&'e [String], Places)> {
        let places = |compile_error: &CompileError| {
            let places = compile_error.places.iter();
            places.map(|(file, range)| (*file, self.old(*file, range))).collect()
        };
        compile_errors.iter().map(|it| (&it.missing[..], places(it))).collect()
    }

    /// The reductions that took away a definition of one of the words, of each the nearest to `places` where several
    /// did; or else an implementation that names all of them, or a call of a macro that names one.
    pub(crate) fn that_defined(
        &self,
        words: &[String],
        places: &[(usize, Range<usize>)],
    ) -> Vec<usize> {
        let implementing = || {
            let implementing = self.that_took(|old| {
                words.iter().all(|word| scan::is_number(word) || has_word(old, word))
                    && words.iter().any(|word| is_for(old, word))
            });
            self.nearest(self.naming_most(implementing, words), places)
        };
        first_found([
            &|| self.that_defined_each(words, places, defines),
            &|| self.that_defined_there(words, places),
            &implementing,
            &|| self.that_defined_each(words, places, defines_by_macro),
        ])
    }

    /// The reductions that took away a definition of what is named at the first of the `places`, as a method is of which only the
    /// bounds are said that other ones of this name demand.
    fn that_defined_there(&self, words: &[String], places: &[(usize, Range<usize>)]) -> Vec<usize> {
        let Some(name) = places.first().and_then(|(file, place)| self.name_at(*file, place)) else {
            return Vec::new();
        };
        self.definers_of(name, &[words, &[name.to_owned()]].concat(), places, defines)
    }

    /// The name that stands at a place, if that is all that does.
    pub(crate) fn name_at(&self, file: usize, place: &Range<usize>) -> Option<&str> {
        let text = self.base.files.get(file)?.text.get(place.clone())?;
        (text.len() > 1 && scan::is_name(text) && text.chars().all(scan::is_word)).then_some(text)
    }

    /// The reductions that took away what `defines` one of the words, of each the nearest to `places`: an import may miss several
    /// at once.
    fn that_defined_each(
        &self,
        words: &[String],
        places: &[(usize, Range<usize>)],
        defines: fn(&str, &str) -> bool,
    ) -> Vec<usize> {
        let definers = words.iter().flat_map(|word| self.definers_of(word, words, places, defines));
        definers.collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// The reductions that took away what `defines` a name: of those nearest to `places` the ones that name most of the words.
    fn definers_of(
        &self,
        name: &str,
        words: &[String],
        places: &[(usize, Range<usize>)],
        defines: fn(&str, &str) -> bool,
    ) -> Vec<usize> {
        let definers = self.that_took(|old| defines(old, name));
        self.naming_most(self.nearest(definers, places), words)
    }

    /// The reductions that may have led to an error: implementations for one of the words; or what took away one
    /// of them, half of those that took least; or what is at the place, or around it.
    fn perhaps_to_blame(
        &self,
        words: &[String],
        places: &[(usize, Range<usize>)],
        most: usize,
    ) -> Vec<usize> {
        first_found([
            &|| {
                let implementing = self.that_took(|old| words.iter().any(|word| is_for(old, word)));
                self.naming_most(self.nearest(implementing, places), words)
            },
            &|| self.naming(words),
            &|| self.pointed_at(places, most),
            &|| {
                let (file, place) = places.first().cloned().unwrap_or_default();
                self.that_defined(&self.names_at(file, &place), places)
            },
            &|| {
                let (file, place) = places.first().cloned().unwrap_or_default();
                self.around(file, &place)
            },
        ])
    }

    /// The names at a place, if it is a small one.
    fn names_at(&self, file: usize, place: &Range<usize>) -> Vec<String> {
        const SMALL: usize = 64;
        let text = self.base.files.get(file).and_then(|file| file.text.get(place.clone()));
        let text = text.filter(|text| text.len() <= SMALL).unwrap_or_default();
        let words = text.split(|symbol| !scan::is_word(symbol));
        let names = words.filter(|word| word.len() > 1 && scan::is_name(word));
        names.map(str::to_owned).collect()
    }

    /// The nearer half of the reductions in the body that follows one of the places, which stands in the head of
    /// an item.
    fn in_body(&self, places: &[(usize, Range<usize>)]) -> Vec<usize> {
        let mut halves = places.iter().filter_map(|(file, place)| {
            let start = body_of_head(&self.base.files.get(*file)?.text, place)?;
            let body = self.braces.get(*file)?.iter().find(|body| body.start == start)?;
            Some(self.nearer_half(*file, body, place))
        });
        halves.find(|half| !half.is_empty()).unwrap_or_default()
    }

    /// The reductions of which one change takes away a text for which `holds`.
    fn that_took(&self, holds: impl Fn(&str) -> bool) -> Vec<usize> {
        self.with_change(|file, change| holds(self.old_text(file, change)))
    }

    /// The reductions of which one change, in its file, is one for which `holds`.
    fn with_change(&self, holds: impl Fn(usize, &Change) -> bool) -> Vec<usize> {
        let has_one = |index: &usize| {
            let (file, reduction) = self.chosen[*index];
            reduction.changes.iter().any(|change| holds(file, change))
        };
        (0..self.chosen.len()).filter(has_one).collect()
    }

    fn old_text(&self, file: usize, change: &Change) -> &str {
        &self.base.files[file].text[change.range.clone()]
    }

    /// The reductions that took away one of the words, of numbers first: half of those that took least, and up to two.
    fn naming(&self, words: &[String]) -> Vec<usize> {
        let taking = |which: fn(&str) -> bool| {
            self.with_change(|file, change| {
                let old = self.old_text(file, change);
                let is_gone = |word: &str| has_word(old, word) && !has_word(&change.text, word);
                words.iter().any(|word| which(word) && is_gone(word))
            })
        };
        let mut found = first_found([&|| taking(scan::is_number), &|| taking(|_| true)]);
        found.sort_by_key(|index| {
            let changes = self.chosen[*index].1.changes.iter();
            changes.map(|change| change.range.len()).sum::<usize>()
        });
        found.truncate(found.len().div_ceil(2).max(2));
        found
    }

    /// The reductions at the first of the places where there are any; of more than `most` half.
    fn pointed_at(&self, places: &[(usize, Range<usize>)], most: usize) -> Vec<usize> {
        let mut touching = places.iter().map(|(file, old)| self.touching(*file, old));
        let found = touching.find(|found| !found.is_empty());
        spared(found.unwrap_or_default(), most)
    }

    /// The reductions between the brackets or braces that follow one of the places, as arguments do, of which one
    /// change takes away a text for which `holds`; of more than `most` half.
    fn in_group_after(
        &self,
        places: &[(usize, Range<usize>)],
        most: usize,
        holds: impl Fn(&str) -> bool,
    ) -> Vec<usize> {
        let mut found = places.iter().filter_map(|(file, place)| {
            let text = &self.base.files.get(*file)?.text;
            let group = scan::group_after(text, place.end)?;
            Some(self.with_change(|other, change| {
                let Range { start, end } = change.range;
                let is_here = other == *file && group.start <= start && end <= group.end;
                is_here && holds(&text[start..end])
            }))
        });
        let found = found.find(|found| !found.is_empty());
        spared(found.unwrap_or_default(), most)
    }

    /// The reductions in the head of the innermost item around the first of the places of which one change takes away
    /// a text for which `holds`: a bound that is demanded there.
    fn in_heads(
        &self,
        places: &[(usize, Range<usize>)],
        holds: impl Fn(&str) -> bool,
    ) -> Vec<usize> {
        let Some((file, place)) = places.first() else { return Vec::new() };
        let mut groups = self.braces_around(*file, place);
        groups.sort_by_key(ExactSizeIterator::len);
        let mut found = groups.iter().map(|group| {
            let text = &self.base.files[*file].text;
            let before = text.get(..group.start.saturating_sub(1)).unwrap_or_default();
            let head = before.rfind([';', '{', '}']).map_or(0, |end| end + 1)..group.start;
            self.with_change(|other, change| {
                other == *file && head.covers(&change.range) && holds(self.old_text(other, change))
            })
        });
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Those of some reductions that have most braces around both them and one of the places: methods of many
    /// types may have one name.
    fn nearest(&self, reductions: Vec<usize>, places: &[(usize, Range<usize>)]) -> Vec<usize> {
        if reductions.len() < 2 {
            return reductions;
        }
        let mut common = vec![0; reductions.len()];
        for (file, place) in places {
            let around = self.braces_around(*file, place);
            for (reduction, common) in reductions.iter().zip(&mut common) {
                let (other, reduction) = self.chosen[*reduction];
                let start = reduction.start();
                let holds = |group: &&Range<usize>| other == *file && group.contains(&start);
                *common = around.iter().filter(holds).count().max(*common);
            }
        }
        with_most(reductions, &common)
    }

    /// Those of some reductions that took away most of the words: the implementation of one trait for one type
    /// rather than of others.
    fn naming_most(&self, reductions: Vec<usize>, words: &[String]) -> Vec<usize> {
        let count = |reduction: &usize| {
            let (file, reduction) = self.chosen[*reduction];
            let has = |word: &&String| {
                let mut changes = reduction.changes.iter();
                changes.any(|change| has_word(self.old_text(file, change), word))
            };
            words.iter().filter(has).count()
        };
        let counts: Vec<usize> = reductions.iter().map(count).collect();
        with_most(reductions, &counts)
    }

    /// The pairs of braces around a place; those that follow a place in the head of an item, too.
    fn braces_around(&self, file: usize, place: &Range<usize>) -> Vec<Range<usize>> {
        let (Some(source), Some(braces)) = (self.base.files.get(file), self.braces.get(file))
        else {
            return Vec::new();
        };
        let own = body_of_head(&source.text, place);
        let is_around = |group: &&Range<usize>| group.covers(place) || Some(group.start) == own;
        braces.iter().filter(is_around).cloned().collect()
    }

    /// The bytes of the old text that the new ones stood for.
    pub(crate) fn old(&self, file: usize, new: &Range<usize>) -> Range<usize> {
        let Some(parts) = self.parts.get(file) else { return 0..0 };
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
        self.within(file, |range| range.start <= old.end && old.start <= range.end)
    }

    fn within(&self, file: usize, holds: impl Fn(&Range<usize>) -> bool) -> Vec<usize> {
        self.with_change(|other, change| other == file && holds(&change.range))
    }

    /// The nearer half of the reductions in the smallest pair of braces around a place that has any; in those
    /// that follow a place in the head of an item, if there are any.
    fn around(&self, file: usize, old: &Range<usize>) -> Vec<usize> {
        let Some(source) = self.base.files.get(file) else { return Vec::new() };
        let mut groups = self.braces_around(file, old);
        groups.sort_by_key(ExactSizeIterator::len);
        groups.push(0..source.text.len());
        let mut halves = groups.iter().map(|group| self.nearer_half(file, group, old));
        halves.find(|half| !half.is_empty()).unwrap_or_default()
    }

    /// The half of the reductions within `group` that is nearer to a place.
    fn nearer_half(&self, file: usize, group: &Range<usize>, place: &Range<usize>) -> Vec<usize> {
        let mut here = self.within(file, |range| group.covers(range));
        here.sort_by_key(|index| self.chosen[*index].1.start().abs_diff(place.start));
        here.truncate(here.len().div_ceil(2));
        here
    }
}

/// What the first of the ways finds that finds anything.
fn first_found<const WAYS: usize>(ways: [&dyn Fn() -> Vec<usize>; WAYS]) -> Vec<usize> {
    let mut found = ways.iter().map(|way| way());
    found.find(|found| !found.is_empty()).unwrap_or_default()
}

/// Half of some reductions if they are more than `most`, else all.
fn spared(mut reductions: Vec<usize>, most: usize) -> Vec<usize> {
    if reductions.len() > most {
        reductions.truncate(reductions.len().div_ceil(2));
    }
    reductions
}

/// Those of some reductions whose count is the largest.
fn with_most(reductions: Vec<usize>, counts: &[usize]) -> Vec<usize> {
    let most = counts.iter().max();
    reductions
        .into_iter()
        .zip(counts)
        .filter_map(|(reduction, count)| (Some(count) == most).then_some(reduction))
        .collect()
}

/// Where the body of an item begins if a place stands in front of it.
fn body_of_head(text: &str, place: &Range<usize>) -> Option<usize> {
    const ENDS: [char; 3] = [';', '{', '}'];
    let (before, after) = (text.get(..place.start)?, text.get(place.end..)?);
    let head = &before[before.rfind(ENDS).map_or(0, |end| end + 1)..];
    let has_body = ["struct", "enum", "union", "trait", "impl", "fn"];
    let end = after.find(ENDS).filter(|end| after[*end..].starts_with('{'))?;
    let is_head = has_body.iter().any(|word| has_word(head, word));
    is_head.then_some(place.end + end + 1)
}

/// What stands before a name that is defined.
const DEFINING: [&str; 10] =
    ["const", "enum", "fn", "let", "macro_rules", "mod", "static", "struct", "trait", "type"];

/// Whether a text defines a name, or imports it.
fn defines(text: &str, name: &str) -> bool {
    let mut words = text.split(|symbol| !scan::is_word(symbol)).filter(|word| !word.is_empty());
    let is_type = name.starts_with(char::is_uppercase);
    if is_import(text) && (is_type || text.contains("::")) || is_import_item(text) {
        return words.any(|word| word == name);
    }
    if is_field(text, name) {
        return true;
    }
    // A pattern names types, too.
    if !is_type && has_word(bound(text), name) {
        return true;
    }
    let mut before = "";
    for word in words {
        if word == name && DEFINING.contains(&before) && !(is_type && before == "let") {
            return true;
        }
        if word != "mut" {
            before = word;
        }
    }
    false
}

/// Whether a text can be a part of an import: nothing but names and what stands between them.
fn is_import(text: &str) -> bool {
    let is_part = |symbol: char| symbol.is_alphanumeric() || "_:,{}*".contains(symbol);
    text.chars().all(|symbol| is_part(symbol) || symbol.is_whitespace())
}

/// Whether a text is an import, or names another crate: `pub use a::b;`, `extern crate a;`.
fn is_import_item(text: &str) -> bool {
    let text = text.trim();
    let head = text.split(['{', ';', '=', '!']).next().unwrap_or_default();
    let head = head.split("::").next().unwrap_or_default();
    let mut words = head.split(|symbol| !scan::is_word(symbol));
    text.ends_with(';') && (words.any(|word| word == "use") || head.contains("extern crate "))
}

/// Whether a text is a call of a macro, as an item, that may define a name.
fn defines_by_macro(text: &str, name: &str) -> bool {
    let Some((path, arguments)) = text.split_once('!') else { return false };
    let is_path = |symbol: char| scan::is_word(symbol) || symbol == ':';
    let path = path.trim();
    !path.is_empty() && path.chars().all(is_path) && has_word(arguments, name)
}

/// Whether a text is a field or a parameter of that name.
fn is_field(text: &str, name: &str) -> bool {
    let head = text.split(':').next().unwrap_or_default();
    let is_typed = text[head.len()..].starts_with(':') && !text[head.len()..].starts_with("::");
    is_typed && head.split_whitespace().next_back() == Some(name)
}

/// The pattern of a statement that binds names.
fn bound(text: &str) -> &str {
    let text = text.trim_start().strip_prefix("let ").unwrap_or_default();
    text.split('=').next().unwrap_or_default()
}

/// Whether a text implements something for a type of that name, or loops over one.
fn is_for(text: &str, name: &str) -> bool {
    let heads = text.split("for ").skip(1);
    let mut heads = heads.map(|rest| &rest[..rest.find(['{', ';']).unwrap_or(rest.len())]);
    heads.any(|head| has_word(head, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{range_of, removals_of, sources_of};

    /// A round's reductions are patient up to that many.
    const MANY: usize = 3;

    const TEXT: &str = "fn a() { b(1); c(2); } fn b(x: u8) {} fn c(x: u8) {} fn d() {}";

    #[test]
    fn definitions_and_imports_are_told_from_uses() {
        for text in [
            "let mut a = b;",
            "let (b, a) = c;",
            "fn a() {}",
            "use c::{a, d};",
            "b::a,",
            "pub a: u8,",
            "pub(crate) use c::{a, };",
            "#[cfg(b)]\npub use c::a;",
            "extern crate a;",
        ] {
            assert!(defines(text, "a"), "{text}");
        }
        for text in ["for a in b {}", "impl<'b> A<u8> for &'b a {}", "each!(A for m::a, b);"] {
            assert!(is_for(text, "a"), "{text}");
        }
        assert!(!is_for("impl A for b { type C = a; }", "a"));
        assert!(defines_by_macro("b::types! { A = a }", "a"));
        for text in ["fn b() { c!(a) }", "a!(b);", "let b = c!(a);"] {
            assert!(!defines_by_macro(text, "a"), "{text}");
        }
        for text in [
            "fn b() { use c::a; }",
            "a.push(1);",
            "let b = a;",
            "let (b, c) = a;",
            "fn b(a: u8) {}",
            "a",
            "b: a,",
        ] {
            assert!(!defines(text, "a"), "{text}");
        }
    }

    /// Lets `look` see the round in which these parts of a text go, and what is left of it.
    fn in_round<R>(text: &str, parts: &[&str], look: impl FnOnce(&Round<'_>, &str) -> R) -> R {
        let sources = sources_of(text);
        let removals = removals_of(text, parts);
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        let new = sources.edit(open.iter().copied()).files[0].text.to_string();
        look(&Round::new(&sources, &open, &open), &new)
    }

    /// An error at these places of the only file, which misses these words.
    fn error<P: IntoIterator<Item = Range<usize>>>(missing: &[&str], places: P) -> CompileError {
        CompileError {
            missing: missing.iter().map(|&word| word.to_owned()).collect(),
            places: places.into_iter().map(|place| (0, place)).collect(),
        }
    }

    #[test]
    fn an_implementation_for_a_number_is_known_by_that() {
        let text = "row!(8); row!(16); row!(32); fn f(it: &Row<16>) { bits(it) }";
        in_round(text, &["row!(8);", "row!(16);", "row!(32);"], |round, new| {
            let missing = error(&["Bits", "Row", "16"], [range_of(new, "bits")]);
            assert_eq!(round.blame(&[missing], MANY), HashSet::from([1]));
        });
    }

    #[test]
    fn an_error_is_blamed_on_what_was_changed_there_or_nearby() {
        in_round(TEXT, &["b(1);", "fn d() {}"], |round, new| {
            let at = |part: &str| error(&[], [range_of(new, part)]);
            assert_eq!(round.blame(&[at("c")], MANY), HashSet::from([0]));
            assert_eq!(round.blame(&[at("u")], MANY).len(), 1);
        });
    }

    #[test]
    fn a_bound_is_to_blame_that_was_in_the_head_around_the_place() {
        let text = "trait T {} impl<A: T> S<A> { fn f() { g::<A>() } } impl<A> R<A> where A: T + U { fn h() { g::<A>() } }";
        in_round(text, &["trait T {}", ": T", "T + "], |round, new| {
            let place = new.rfind("g::<A>").unwrap();
            let at = |place: usize| std::iter::once(place..place + 1);
            let blamed = |place| round.blame(&[error(&["T"], at(place))], MANY);
            assert_eq!(blamed(place), HashSet::from([2]));
            assert_eq!(blamed(new.find("g::<A>").unwrap()), HashSet::from([1]));
            assert_eq!(blamed(new.find("R<A>").unwrap()), HashSet::from([2]));
        });
    }

    #[test]
    fn what_is_wrong_in_a_head_is_blamed_on_the_body_behind_it() {
        let text = "mod m { fn a() {} struct S<T> { x: u8, y: T } fn b() {} }";
        in_round(text, &["fn a() {}", "y: T", "fn b() {}"], |round, new| {
            let head = error(&[], [range_of(new, "T")]);
            assert_eq!(round.blame(&[head], MANY), HashSet::from([1]));
        });
        assert_eq!(body_of_head("f(1); x {}", &(6..7)), None);
    }

    #[test]
    fn arguments_and_fields_are_to_blame_that_follow_a_place() {
        let text = "enum E { A(u8, u16), B } fn f() { E::A(1, 2); S { x: 1, y: 2 } }";
        in_round(text, &["u8,", "1,", "x: 1,", "y: 2", ", B"], |round, new| {
            let blamed = |missing: &[&str], places: &[&str]| {
                let place = |part: &&str| {
                    let start = range_of(new, part).start;
                    start..start + part.trim_end_matches(['(', ' ', '{']).len()
                };
                round.blame(&[error(missing, places.iter().map(place))], MANY)
            };
            assert_eq!(blamed(&[], &["A(", "E::A("]), HashSet::from([0]));
            assert_eq!(blamed(&[], &["E::A("]), HashSet::from([1]));
            assert_eq!(blamed(&["y", "S"], &["S {"]), HashSet::from([3]));
        });
    }

    #[test]
    fn of_what_has_one_name_the_nearest_is_blamed_and_what_names_the_trait() {
        let text = "mod m { struct A; impl A { fn len() {} } fn g() { A.len() } } \
                    mod n { struct B; impl B { fn len() {} } impl T for B {} impl U for B {} }";
        let parts = [
            "impl A { fn len() {} }",
            "impl B { fn len() {} }",
            "impl T for B {}",
            "impl U for B {}",
        ];
        in_round(text, &parts, |round, _| {
            let missing = |words: &[&str], place: usize| {
                let CompileError { missing, places } =
                    error(words, std::iter::once(place..place + 1));
                round.that_defined(&missing, &places)
            };
            assert_eq!(missing(&["len", "A"], text.find("A.len").unwrap()), [0]);
            assert_eq!(missing(&["U", "B"], 0), [3]);
        });
    }
}

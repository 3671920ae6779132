//! One source for many candidates.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use super::bodies::OwnFunction;
use super::{Body, Cut};
use crate::rust::{Sameness, SourceFile, Sources};

/// What the joined source asks which body is picked: in the 2015 edition an item of the crate's root, in
/// later ones a crate.
const PICKED: &str = "::cargo_reduce_bodies::picked";
/// What each turn of a loop calls: a candidate whose loops do not end is found out by counting.
const TURN: &str = "::cargo_reduce_bodies::turn(); ";

/// Candidates with other bodies than their base.
///
/// Where it can be, each body is that of a function of its own: of one function rustc tells errors in stages, and the
/// longer it is, the longer each byte takes.
#[derive(Debug)]
pub struct Alternatives<'c> {
    /// Whether bodies become functions.
    has_functions: bool,
    base: &'c Cut<'c>,
    candidates: &'c [Cut<'c>],
    /// The other texts of each body, with their loops.
    texts: Vec<Vec<(&'c str, &'c [usize])>>,
    /// Which of them each candidate has: the body, and the number of the text.
    picks: Vec<Vec<(usize, usize)>>,
}

impl<'c> Alternatives<'c> {
    /// All `candidates` have to be [like](Cut::compare) the base.
    pub fn new(base: &'c Cut<'c>, candidates: &'c [Cut<'c>]) -> Self {
        let mut texts: Vec<Vec<(&str, &[usize])>> = vec![Vec::new(); base.bodies.len()];
        let picks = candidates.iter().map(|candidate| {
            let numbers = base.differing(candidate).map(|body| {
                let (text, known) = (candidate.text(body), &mut texts[body]);
                let number = known.iter().position(|(other, _)| *other == text);
                let number = number.unwrap_or_else(|| {
                    known.push((text, &*candidate.bodies[body].loops));
                    known.len() - 1
                });
                (body, number)
            });
            numbers.collect()
        });
        let picks = picks.collect();
        Alternatives { has_functions: true, base, candidates, texts, picks }
    }

    /// Leaves all bodies in their functions from now on, as one of them could not be a function of its own. Whether
    /// that is any change.
    pub fn stay_inside(&mut self) -> bool {
        std::mem::take(&mut self.has_functions)
            && self.base.bodies.iter().any(|body| body.own.is_some())
    }

    /// A candidate as it is alone.
    pub fn sources(&self, candidate: usize) -> &'c Sources {
        self.candidates[candidate].sources
    }

    /// What makes the joined source run the candidate: pairs `BODY:NUMBER`, joined by commas.
    pub fn picks(&self, candidate: usize) -> String {
        let mut list = String::new();
        for (body, number) in &self.picks[candidate] {
            let comma = if list.is_empty() { "" } else { "," };
            let _ = write!(list, "{comma}{body}:{}", number + 1);
        }
        list
    }

    /// The base with the bodies of those candidates that are `open`.
    pub fn join(&self, open: &[usize]) -> Joined<'_> {
        let picks = open.iter().flat_map(|candidate| &self.picks[*candidate]);
        let mut joined = Writer {
            alternatives: self,
            wanted: picks.copied().collect(),
            text: String::new(),
            parts: Vec::new(),
            blocks: Vec::new(),
        };
        let base = &self.base.sources.files;
        let files = base
            .iter()
            .enumerate()
            .map(|(file, source)| SourceFile::new(source.path.clone(), joined.file(file)));
        Joined {
            sources: Sources::new(files.collect(), Sameness::Text),
            alternatives: self,
            parts: joined.parts,
            blocks: joined.blocks,
        }
    }
}

/// A source that holds the bodies of several candidates.
#[derive(Debug)]
pub struct Joined<'a> {
    /// It.
    pub sources: Sources,
    /// What it stands for.
    pub alternatives: &'a Alternatives<'a>,
    parts: Vec<Part>,
    blocks: Vec<Block>,
}

/// A part of the text that was copied.
#[derive(Debug)]
struct Part {
    file: usize,
    range: Range<usize>,
    from: From,
}

/// Another body with its braces.
#[derive(Debug)]
struct Block {
    file: usize,
    range: Range<usize>,
    /// The body, and the number of its text.
    pick: (usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// The base, from this byte on.
    Base(usize),
    /// The body, and the number of its text, from this byte on.
    Alternative((usize, usize), usize),
}

impl From {
    /// So many bytes further on.
    fn plus(self, bytes: usize) -> Self {
        match self {
            From::Base(start) => From::Base(start + bytes),
            From::Alternative(pick, start) => From::Alternative(pick, start + bytes),
        }
    }
}

impl Joined<'_> {
    /// The candidates that have a body there; none where the text of the base is.
    pub fn owners(&self, file: usize, offset: usize) -> Vec<usize> {
        let is_there = |block: &&Block| block.file == file && block.range.contains(&offset);
        let Some(block) = self.blocks.iter().find(is_there) else { return Vec::new() };
        let picks = self.alternatives.picks.iter().enumerate();
        picks
            .filter(|(_, picks)| picks.contains(&block.pick))
            .map(|(candidate, _)| candidate)
            .collect()
    }

    /// The byte of the candidate that stands there, if it has that text.
    pub fn place_in(&self, candidate: usize, file: usize, offset: usize) -> Option<usize> {
        let part = self.part(file, offset)?;
        let inside = offset - part.range.start;
        let (picks, base) = (&self.alternatives.picks[candidate], self.alternatives.base);
        let bodies = &self.alternatives.candidates[candidate].bodies;
        match part.from {
            From::Alternative(pick, start) => {
                picks.contains(&pick).then(|| bodies[pick.0].range.start + start + inside)
            }
            From::Base(start) => {
                let place = start + inside;
                let before = |body: &Body| (body.file, body.range.start) <= (file, place);
                let last = base.bodies.partition_point(before).checked_sub(1);
                let last = last.filter(|body| base.bodies[*body].file == file);
                let Some(body) = last else { return Some(place) };
                let (own, new) = (&base.bodies[body].range, &bodies[body].range);
                if place < own.end {
                    let is_run = !picks.iter().any(|(other, _)| *other == body);
                    return is_run.then(|| new.start + place - own.start);
                }
                Some(new.end + place - own.end)
            }
        }
    }

    fn part(&self, file: usize, offset: usize) -> Option<&Part> {
        let before = |part: &Part| (part.file, part.range.start) <= (file, offset);
        let last = self.parts.partition_point(before).checked_sub(1)?;
        let part = &self.parts[last];
        (part.file == file && offset < part.range.end).then_some(part)
    }
}

/// What the function is called that has so many bodies before its own.
fn own_name(body: usize, number: usize) -> String {
    format!("__cargo_reduce_{body}_{number}")
}

/// Writes a joined source.
struct Writer<'a> {
    alternatives: &'a Alternatives<'a>,
    wanted: BTreeSet<(usize, usize)>,
    text: String,
    parts: Vec<Part>,
    blocks: Vec<Block>,
}

impl Writer<'_> {
    fn file(&mut self, file: usize) -> String {
        let alternatives = self.alternatives;
        let (base, mut done) = (&*alternatives.base.sources.files[file].text, 0);
        let bodies = alternatives.base.bodies.iter().enumerate();
        let bodies: Vec<(usize, &Body)> = bodies.filter(|(_, body)| body.file == file).collect();
        let loops =
            bodies.iter().flat_map(|(_, body)| body.loops.iter().map(|at| body.range.start + at));
        let loops: Vec<usize> = loops.collect();
        for (body, Body { range, own, .. }) in bodies {
            let wanted = self.wanted.range((body, 0)..(body + 1, 0));
            let wanted: Vec<usize> = wanted.map(|(_, number)| *number).collect();
            if wanted.is_empty() {
                continue;
            }
            self.copy_base(file, base, done..range.start, &loops);
            let _ = write!(self.text, " match {PICKED}({body}) {{ ");
            let Some(own) = own.as_ref().filter(|_| alternatives.has_functions) else {
                for number in wanted {
                    let _ = write!(self.text, "{} => return ", number + 1);
                    self.block(file, (body, number), "");
                    self.text.push_str(", ");
                }
                // The items in a body of the base are its own.
                self.text.push_str("_ => {} } {");
                self.copy_base(file, base, range.clone(), &loops);
                self.text.push('}');
                done = range.end;
                continue;
            };
            let OwnFunction { signature, path, arguments } = own;
            let signature = &base[signature.clone()];
            for number in &wanted {
                let (number, name) = (number + 1, own_name(body, number + 1));
                let _ = write!(self.text, "{number} => {path}{name}{arguments}, ");
            }
            let name = own_name(body, 0);
            let _ = write!(self.text, "_ => {path}{name}{arguments} }} }} fn {name}{signature}{{");
            done = range.end + "}".len();
            self.copy_base(file, base, range.start..done, &loops);
            for number in wanted {
                let name = own_name(body, number + 1);
                self.block(file, (body, number), &format!(" fn {name}{signature}"));
            }
        }
        self.copy_base(file, base, done..base.len(), &loops);
        std::mem::take(&mut self.text)
    }

    /// Writes another body, with what stands in front of it.
    fn block(&mut self, file: usize, pick: (usize, usize), front: &str) {
        let start = self.text.len();
        self.text.push_str(front);
        self.text.push('{');
        let (text, loops) = self.alternatives.texts[pick.0][pick.1];
        self.copy(file, text, loops, From::Alternative(pick, 0));
        self.text.push('}');
        self.blocks.push(Block { file, range: start..self.text.len(), pick });
    }

    /// Copies a part of the base, some loops of which are in that part.
    fn copy_base(&mut self, file: usize, base: &str, range: Range<usize>, loops: &[usize]) {
        let before = |end: usize| loops.partition_point(|at| *at < end);
        let loops = &loops[before(range.start)..before(range.end)];
        let loops: Vec<usize> = loops.iter().map(|at| at - range.start).collect();
        self.copy(file, &base[range.clone()], &loops, From::Base(range.start));
    }

    /// Copies a text with a call at the beginning of what its loops repeat.
    fn copy(&mut self, file: usize, text: &str, loops: &[usize], from: From) {
        let mut done = 0;
        for begin in loops {
            self.copy_part(file, &text[done..*begin], from.plus(done));
            self.text.push_str(TURN);
            done = *begin;
        }
        self.copy_part(file, &text[done..], from.plus(done));
    }

    fn copy_part(&mut self, file: usize, text: &str, from: From) {
        let start = self.text.len();
        self.text.push_str(text);
        self.parts.push(Part { file, range: start..self.text.len(), from });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(texts: &[&str]) -> Sources {
        let files = texts
            .iter()
            .enumerate()
            .map(|(file, text)| SourceFile::new(format!("{file}.rs"), *text));
        Sources::new(files.collect(), Sameness::Tokens)
    }

    #[test]
    fn each_body_stands_there_once_and_places_lead_to_the_candidates() {
        let base = sources(&["fn a() { b(); }\nfn c() { 1; }", "fn d() { 2; } // é"]);
        let candidates = [
            sources(&["fn a() {}\nfn c() { 1; }", "fn d() { 2; } // é"]),
            sources(&["fn a() { b(); }\nfn c() {x}", "fn d() {} // é"]),
            sources(&["fn a() {}\nfn c() {x}", "fn d() { 2; } // é"]),
        ];
        let base = Cut::of(&base).unwrap();
        let cuts: Vec<Cut<'_>> =
            candidates.iter().map(|it| base.compare(it).variant().unwrap()).collect();
        let all = Alternatives::new(&base, &cuts);
        assert_eq!(
            (0..3).map(|it| all.picks(it)).collect::<Vec<_>>(),
            ["0:1", "1:1,2:1", "0:1,1:1"]
        );
        let joined = all.join(&[0, 1, 2]);
        let texts: Vec<&str> = joined.sources.files.iter().map(|file| &*file.text).collect();
        assert_eq!(
            texts,
            [
                "fn a() { match ::cargo_reduce_bodies::picked(0) \
                 { 1 => __cargo_reduce_0_1(), _ => __cargo_reduce_0_0() } } \
                 fn __cargo_reduce_0_0() { b(); } fn __cargo_reduce_0_1() {}\n\
                 fn c() { match ::cargo_reduce_bodies::picked(1) \
                 { 1 => __cargo_reduce_1_1(), _ => __cargo_reduce_1_0() } } \
                 fn __cargo_reduce_1_0() { 1; } fn __cargo_reduce_1_1() {x}",
                "fn d() { match ::cargo_reduce_bodies::picked(2) \
                 { 1 => __cargo_reduce_2_1(), _ => __cargo_reduce_2_0() } } \
                 fn __cargo_reduce_2_0() { 2; } fn __cargo_reduce_2_1() {} // é"
            ]
        );
        let at = |text: &str| (0, texts[0].find(text).unwrap());
        let (file, x) = at("x}");
        assert_eq!(joined.owners(file, x), [1, 2]);
        // Also where rustc points at the signature.
        assert_eq!(joined.owners(0, at("fn __cargo_reduce_0_1").1), [0, 2]);
        assert_eq!(joined.owners(0, at("fn __cargo_reduce_0_0").1), Vec::<usize>::new());
        assert_eq!(joined.owners(file, at("1; ").1), Vec::<usize>::new());
        let text = |candidate: usize, file: usize, offset: usize| {
            let place = joined.place_in(candidate, file, offset)?;
            Some(&candidates[candidate].files[file].text[place..=place])
        };
        assert_eq!(text(1, file, x), Some("x"));
        assert_eq!(text(0, file, x), None);
        assert_eq!(text(0, 0, at("b();").1), None);
        assert_eq!(text(1, 0, at("b();").1), Some("b"));
        assert_eq!(text(2, 0, at("c()").1), Some("c"));
        assert_eq!(text(1, 1, texts[1].find('é').unwrap() - 1), Some(" "));
        assert_eq!(joined.place_in(0, 0, at("match").1), None);
    }

    #[test]
    fn turns_of_all_loops_are_counted_and_places_lead_past_the_calls() {
        let base = sources(&["fn a() { loop { b(); } }\nfn c() { for d in e { f } g }"]);
        let other = sources(&["fn a() { loop { b(); } }\nfn c() { h; while d {i} }"]);
        let cut = Cut::of(&base).unwrap();
        let cuts = [cut.compare(&other).variant().unwrap()];
        let mut joined = Alternatives::new(&cut, &cuts);
        assert!(joined.stay_inside() && !joined.stay_inside());
        let joined = joined.join(&[0]);
        let text = &*joined.sources.files[0].text;
        assert_eq!(
            text,
            "fn a() { loop {::cargo_reduce_bodies::turn();  b(); } }\n\
             fn c() { match ::cargo_reduce_bodies::picked(1) { 1 => return \
             { h; while d {::cargo_reduce_bodies::turn(); i} }, _ => {} } { \
             for d in e {::cargo_reduce_bodies::turn();  f } g }}"
        );
        for word in ["b();", "h;", "i}"] {
            let place = joined.place_in(0, 0, text.find(word).unwrap()).unwrap();
            assert!(other.files[0].text[place..].starts_with(word), "{word}");
        }
        assert_eq!(joined.place_in(0, 0, text.find("f }").unwrap()), None);
    }

    #[test]
    fn only_what_is_open_is_there() {
        let base = sources(&["impl A for B { fn a() { 1; } }"]);
        let candidate = |body: &str| sources(&[&format!("impl A for B {{ fn a() {body} }}")]);
        let candidates = [candidate("{}"), candidate("{;}")];
        let base = Cut::of(&base).unwrap();
        let cuts: Vec<Cut<'_>> = candidates.iter().map(|it| Cut::of(it).unwrap()).collect();
        let all = Alternatives::new(&base, &cuts);
        let text = |open: &[usize]| all.join(open).sources.files[0].text.to_string();
        assert_eq!(text(&[]), "impl A for B { fn a() { 1; } }");
        assert!(text(&[1]).contains("{ 2 => return {;}, _"));
    }
}

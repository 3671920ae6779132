//! Which errors a failure survives, so that candidates that cannot fail are not run.
//!
//! Most crashes of the compiler need a source that parses, and many one whose types are there. One run
//! each tells: the source with a syntax error put in, and with a type that does not exist. If the
//! failure is gone then, candidates with an error of that kind are turned down unseen. What has to compile needs all its
//! names.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::names::{Name, NameFacts, Namespace};
use crate::reduce::{Problem, Stop};
use crate::rust::Sources;
use crate::source::item_texts;

/// Up to how many bytes a source is parsed for each candidate: less time than a run of the compiler.
const SMALL: usize = 100_000;

/// Which candidates are worth a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tolerance(Needs);

/// What a source that fails has to be like; each wants what those before it want, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    #[default]
    Nothing,
    /// It parses.
    Syntax,
    /// Its types, traits and constants are there.
    Types,
    /// Its variables are, too, and functions that are called by their name alone; types use their parameters.
    Values,
    /// All that it names is there. Nobody can be sure of that: a method that is gone may have had the name of another one.
    Names,
}

/// What candidates made from one source have to be like.
struct Demand {
    /// The names that must be defined where they are mentioned, each with its place among them.
    names: HashMap<Name, usize>,
    /// Whether no type may have a parameter that it does not use.
    needs_busy_parameters: bool,
    /// What is known of the items of candidates, which share most of them; `None` of those that will not do.
    known: RefCell<HashMap<String, Option<Rc<Names>>>>,
}

/// Some of the names of a demand, by their places.
struct Names {
    mentioned: Vec<usize>,
    defined: Vec<usize>,
}

impl Tolerance {
    /// Of the failure of a source that must compile.
    pub(crate) fn of_compiling(best: &Sources) -> Self {
        Tolerance(if facts(best).is_some() { Needs::Names } else { Needs::Nothing })
    }

    /// Asks which errors the failure of the current best survives.
    pub(crate) fn probe(problem: &mut Problem<'_, Sources>) -> Result<Self, Stop> {
        let best = problem.best().clone();
        if facts(&best).is_none() {
            return Ok(Tolerance::default());
        }
        let mut survives = |error: &str| {
            let broken = best.rewrite(|_, text| format!("{text}\n{error}\n"));
            problem.ask(&broken).map(crate::reduce::Outcome::is_fail)
        };
        if survives("fn fn")? {
            return Ok(Tolerance(Needs::Nothing));
        }
        let survives_missing = survives("struct CargoReduceProbe(CargoReduceMissing);")?;
        Ok(Tolerance(if survives_missing { Needs::Syntax } else { Needs::Types }))
    }

    /// The same, as far as that is sure.
    pub(crate) fn without_doubt(self) -> Self {
        Tolerance(self.0.min(Needs::Values))
    }

    /// A judge for candidates made from `base`.
    pub(crate) fn filter(self, base: &Sources) -> impl Fn(&Sources) -> bool + use<> {
        let demand = Demand::of(base, self.0);
        move |candidate| demand.as_ref().is_none_or(|demand| demand.is_met(candidate))
    }
}

impl Demand {
    fn of(base: &Sources, needs: Needs) -> Option<Self> {
        if needs == Needs::Nothing || base.bytes() > SMALL {
            return None;
        }
        let facts = facts(base)?;
        let is_needed = |(namespace, _): &&Name| match namespace {
            Namespace::Type => needs >= Needs::Types,
            Namespace::Value => needs >= Needs::Values,
            Namespace::Method | Namespace::Field => needs >= Needs::Names,
        };
        let names = facts.needed().filter(is_needed).cloned();
        Some(Demand {
            names: names.enumerate().map(|(place, name)| (name, place)).collect(),
            needs_busy_parameters: needs >= Needs::Values && !facts.has_idle_parameter,
            known: RefCell::default(),
        })
    }

    /// Whether a candidate parses, and defines what it mentions.
    fn is_met(&self, candidate: &Sources) -> bool {
        let mut mentioned = vec![false; self.names.len()];
        let mut defined = mentioned.clone();
        for source in &candidate.files {
            let items = item_texts(&source.text);
            let of_items: Option<Vec<_>> = items.iter().map(|item| self.names_in(item)).collect();
            // A file may be cut wrongly; it is looked at as a whole before it is turned down.
            let of_parts = of_items.or_else(|| Some(vec![self.names_in(&source.text)?]));
            let Some(of_parts) = of_parts else { return false };
            for names in of_parts {
                names.mentioned.iter().for_each(|name| mentioned[*name] = true);
                names.defined.iter().for_each(|name| defined[*name] = true);
            }
        }
        mentioned
            .iter()
            .zip(&defined)
            .all(|(is_mentioned, is_defined)| !is_mentioned || *is_defined)
    }

    /// The names in a text; `None` if it does not parse, or has a parameter that it may not have.
    fn names_in(&self, text: &str) -> Option<Rc<Names>> {
        if let Some(names) = self.known.borrow().get(text) {
            return names.clone();
        }
        let facts = NameFacts::of([text]);
        let facts = facts.filter(|it| !self.needs_busy_parameters || !it.has_idle_parameter);
        let names = facts.map(|facts| {
            Rc::new(Names {
                defined: self.places(facts.definable()),
                mentioned: self.places(facts.mentioned.into_iter()),
            })
        });
        self.known.borrow_mut().insert(text.to_owned(), names.clone());
        names
    }

    fn places(&self, names: impl Iterator<Item = Name>) -> Vec<usize> {
        names.filter_map(|name| self.names.get(&name).copied()).collect()
    }
}

/// The names in all files; `None` if one of them does not parse.
fn facts(sources: &Sources) -> Option<NameFacts> {
    NameFacts::of(sources.files.iter().map(|source| &*source.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{FromFn, Memory, Outcome};
    use crate::rust::testing::sources_of as sources;

    /// Which of the candidates are let through, when the failure of `base` needs `valid`.
    fn let_through<const N: usize>(
        base: &str,
        valid: impl Fn(&str) -> bool,
        candidates: [&str; N],
    ) -> [bool; N] {
        let base = sources(base);
        let mut oracle =
            FromFn(
                |sources: &Sources| {
                    if valid(&sources.files[0].text) { Outcome::Fail } else { Outcome::Unresolved }
                },
            );
        let mut problem = Problem::new(base.clone(), &mut oracle, Memory::Remember);
        let filter = Tolerance::probe(&mut problem).unwrap().filter(&base);
        candidates.map(|text| filter(&sources(text)))
    }

    fn resolves(text: &str) -> bool {
        !text.contains("fn fn") && !text.contains("Missing")
    }

    const BASE: &str = "struct A; fn f<T>(a: A, t: T) {} macro_rules! m { () => { Far } }";

    const CANDIDATES: [&str; 3] =
        ["struct A; fn f(a: A) {}", "fn f(a: A) {}", "struct ; fn f() {}"];

    #[test]
    fn only_what_is_known_to_be_needed_is_demanded() {
        assert_eq!(let_through(BASE, |_| true, CANDIDATES), [true, true, true]);
        let is_read = |text: &str| !text.contains("fn fn");
        assert_eq!(let_through(BASE, is_read, CANDIDATES), [true, true, false]);
        assert_eq!(let_through(BASE, resolves, CANDIDATES), [true, false, false]);
    }

    #[test]
    fn what_has_to_compile_defines_what_it_mentions() {
        let text = "struct S<T> { a: T } impl S<u8> { fn b(&self) -> u8 { let c = self.a; d(c) } } \
                    fn d(e: u8) -> u8 { drop(e); S { a: e }.b() }";
        let base = sources(text);
        let tolerance = Tolerance::of_compiling(&base);
        let (doubtful, sure) = (tolerance.filter(&base), tolerance.without_doubt().filter(&base));
        let let_through = |old: &str, new: &str| {
            assert!(text.contains(old), "{old}");
            let candidate = sources(&text.replacen(old, new, 1));
            (doubtful(&candidate), sure(&candidate))
        };
        assert_eq!(let_through("drop(e);", ""), (true, true));
        for (old, new) in [("let c = self.a;", ""), ("fn d", "fn f"), ("e: u8", ""), ("&self", "")]
        {
            assert_eq!(let_through(old, new), (false, false), "{old}");
        }
        for (old, new) in [("fn b", "fn f"), ("a: T", "f: T")] {
            assert_eq!(let_through(old, new), (false, true), "{old}");
        }
        assert_eq!(let_through("a: T", "a: u8"), (false, false));
    }

    #[test]
    fn what_an_implementation_says_of_a_name_does_not_define_it() {
        let base =
            "struct A; impl Iterator for A { type Item = u8; } fn f<I: Iterator>(i: I::Item) {}";
        let candidates = ["fn f<I: Iterator>(i: I::Item) {}"];
        assert_eq!(let_through(base, resolves, candidates), [true]);
    }

    #[test]
    fn what_is_cut_wrongly_is_looked_at_as_a_whole() {
        let base =
            "struct A<const N: u8>; mod m { fn f(a: super::A<{ 1 }>) -> super::B {} } struct B;";
        let text = "struct A<const N: u8>; impl A<{ 1 }> {} mod m { fn f(a: super::A<{ 1 }>) {} }";
        let [other, cut] = [text.replace("struct A", "struct C"), text.replace("impl", "")];
        assert_eq!(let_through(base, resolves, [text, &other, &cut]), [true, false, false]);
    }

    #[test]
    fn a_name_that_was_never_defined_here_may_stay() {
        let candidates = [
            "struct A; fn f(a: A, b: Elsewhere) {}",
            "fn f(a: Vec<()>) {}",
            "fn f<T>(t: U, far: elsewhere::Far) {}",
        ];
        assert_eq!(let_through(BASE, resolves, candidates), [true, true, true]);
    }
}

//! Which errors a failure survives, so that candidates that cannot fail are not run.
//!
//! Most crashes of the compiler need a source that parses, and many one whose names resolve. One run
//! each tells: the source with a syntax error put in, and with a type that does not exist. If the
//! failure is gone then, candidates with an error of that kind are turned down unseen.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use quote::ToTokens;
use syn::Item;
use syn::visit::{self, Visit};

use crate::reduce::{Problem, Stop};
use crate::rust::Sources;
use crate::source::{LiveSpans, flat, item_name, item_texts, too_deep};

/// Names that mean something without being defined in the source.
const PRELUDE: [&str; 32] = [
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Hash",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "Vec",
];

/// Up to how many bytes a source is parsed for each candidate: less time than a run of the compiler.
const SMALL: usize = 100_000;

/// Which candidates are worth a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tolerance {
    needs_syntax: bool,
    needs_names: bool,
}

/// What can be said of a text without running anything.
#[derive(Default)]
struct Facts {
    defined: HashSet<String>,
    /// Words in macros: what these define cannot be seen.
    perhaps: HashSet<String>,
    mentioned: HashSet<String>,
}

/// What candidates made from one source have to be like.
struct Demand {
    /// The names that the source defines, each with its place among them; what mentions one has to define it, too.
    names: HashMap<String, usize>,
    /// What is known of the items of candidates, which share most of them; `None` of those that do not parse.
    known: RefCell<HashMap<String, Option<Names>>>,
}

/// Some of the names of a demand, by their places.
struct Names {
    mentioned: Vec<usize>,
    defined: Vec<usize>,
}

impl Tolerance {
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
        let needs_syntax = !survives("fn fn")?;
        let needs_names =
            needs_syntax && !survives("struct CargoReduceProbe(CargoReduceMissing);")?;
        Ok(Tolerance { needs_syntax, needs_names })
    }

    /// A judge for candidates made from `base`.
    pub(crate) fn filter(self, base: &Sources) -> impl Fn(&Sources) -> bool + use<> {
        let is_small = base.bytes() <= SMALL;
        let before = if self.needs_syntax && is_small { facts(base) } else { None };
        let demand = before.map(|facts| {
            let names = if self.needs_names { facts.defined } else { HashSet::new() };
            let names = names.into_iter().enumerate().map(|(place, name)| (name, place));
            Demand { names: names.collect(), known: RefCell::default() }
        });
        move |candidate| demand.as_ref().is_none_or(|demand| demand.is_met(candidate))
    }
}

impl Demand {
    /// Whether a candidate parses, and defines what it mentions.
    fn is_met(&self, candidate: &Sources) -> bool {
        let mut known = self.known.borrow_mut();
        let mut mentioned = vec![false; self.names.len()];
        let mut defined = mentioned.clone();
        for source in &candidate.files {
            let items = item_texts(&source.text);
            // A file may be cut wrongly; it is looked at as a whole before it is turned down.
            let does_parse = items.iter().all(|item| self.names_in(item, &mut known).is_some());
            let parts = if does_parse { items } else { vec![Cow::Borrowed(&*source.text)] };
            for part in parts {
                let Some(names) = self.names_in(&part, &mut known) else { return false };
                names.mentioned.iter().for_each(|name| mentioned[*name] = true);
                names.defined.iter().for_each(|name| defined[*name] = true);
            }
        }
        mentioned
            .iter()
            .zip(&defined)
            .all(|(is_mentioned, is_defined)| !is_mentioned || *is_defined)
    }

    fn names_in<'k>(
        &self,
        text: &str,
        known: &'k mut HashMap<String, Option<Names>>,
    ) -> Option<&'k Names> {
        if !known.contains_key(text) {
            let names = facts_of([text]).map(|facts| {
                let places = |of: &mut dyn Iterator<Item = &String>| {
                    of.filter_map(|name| self.names.get(name).copied()).collect()
                };
                Names {
                    mentioned: places(&mut facts.mentioned.iter()),
                    defined: places(&mut facts.defined.union(&facts.perhaps)),
                }
            });
            known.insert(text.to_owned(), names);
        }
        known.get(text)?.as_ref()
    }
}

/// The names of types, traits, constants and lifetimes; `None` if a file does not parse.
fn facts(sources: &Sources) -> Option<Facts> {
    facts_of(sources.files.iter().map(|source| &*source.text))
}

/// The same of some texts.
fn facts_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<Facts> {
    let mut facts = Facts::default();
    for text in texts {
        if too_deep(text).is_some() {
            return None;
        }
        let _live = LiveSpans::new();
        let file = syn::parse_file(text).ok()?;
        Definitions(&mut facts).visit_file(&file);
        let words = flat(file.to_token_stream()).filter_map(|token| match token {
            proc_macro2::TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        });
        facts.mentioned.extend(words.filter(|word| is_clear(word)));
    }
    Some(facts)
}

/// Names in lower case may be variables, methods or fields; nothing is said about those.
fn is_clear(word: &str) -> bool {
    word.starts_with(|symbol: char| symbol.is_ascii_uppercase()) && !PRELUDE.contains(&word)
}

struct Definitions<'d>(&'d mut Facts);

impl Definitions<'_> {
    fn add(&mut self, name: &impl ToTokens) {
        self.0.defined.insert(name.to_token_stream().to_string());
    }
}

/// Types, traits and constants are defined by items and by what has a name of its own in them.
macro_rules! definitions {
    ($($visit:ident: $node:ident,)*) => {
        impl<'ast> Visit<'ast> for Definitions<'_> {
            fn visit_item(&mut self, node: &'ast Item) {
                match node {
                    Item::Use(_) => {
                        for token in flat(node.to_token_stream()) {
                            self.add(&token);
                        }
                    }
                    Item::Macro(_) | Item::Verbatim(_) => {
                        let words = flat(node.to_token_stream());
                        self.0.perhaps.extend(words.map(|word| word.to_string()));
                    }
                    Item::Fn(_) | Item::Mod(_) => {}
                    item => item_name(item).into_iter().for_each(|name| self.add(name)),
                }
                visit::visit_item(self, node);
            }

            $(fn $visit(&mut self, node: &'ast syn::$node) {
                self.add(&node.ident);
                visit::$visit(self, node);
            })*
        }
    };
}

definitions! {
    visit_type_param: TypeParam,
    visit_const_param: ConstParam,
    visit_variant: Variant,
    visit_trait_item_type: TraitItemType,
    visit_trait_item_const: TraitItemConst,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{FromFn, Memory, Outcome};
    use crate::rust::testing::sources_of as sources;

    /// Which of the candidates are let through, when the failure needs `valid`.
    fn let_through(valid: impl Fn(&str) -> bool, candidates: [&str; 3]) -> [bool; 3] {
        let base = sources(BASE);
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

    const BASE: &str = "struct A; fn f<T>(a: A, t: T) {} macro_rules! m { () => { Far } }";

    const CANDIDATES: [&str; 3] =
        ["struct A; fn f(a: A) {}", "fn f(a: A) {}", "struct ; fn f() {}"];

    #[test]
    fn only_what_is_known_to_be_needed_is_demanded() {
        assert_eq!(let_through(|_| true, CANDIDATES), [true, true, true]);
        assert_eq!(let_through(|text| !text.contains("fn fn"), CANDIDATES), [true, true, false]);
        let resolves = |text: &str| !text.contains("fn fn") && !text.contains("Missing");
        assert_eq!(let_through(resolves, CANDIDATES), [true, false, false]);
    }

    #[test]
    fn what_an_implementation_says_of_a_name_does_not_define_it() {
        let resolves = |text: &str| !text.contains("fn fn") && !text.contains("Missing");
        let base = sources(
            "struct A; impl Iterator for A { type Item = u8; } fn f<I: Iterator>(i: I::Item) {}",
        );
        let mut oracle =
            FromFn(|sources: &Sources| Outcome::fail_if(resolves(&sources.files[0].text)));
        let mut problem = Problem::new(base.clone(), &mut oracle, Memory::Remember);
        let filter = Tolerance::probe(&mut problem).unwrap().filter(&base);
        assert!(filter(&sources("fn f<I: Iterator>(i: I::Item) {}")));
    }

    #[test]
    fn what_is_cut_wrongly_is_looked_at_as_a_whole() {
        let base = sources(
            "struct A<const N: u8>; mod m { fn f(a: super::A<{ 1 }>) -> super::B {} } struct B;",
        );
        let mut oracle = FromFn(|sources: &Sources| {
            let text = &sources.files[0].text;
            Outcome::fail_if(!text.contains("fn fn") && !text.contains("Missing"))
        });
        let mut problem = Problem::new(base.clone(), &mut oracle, Memory::Remember);
        let filter = Tolerance::probe(&mut problem).unwrap().filter(&base);
        let text = "struct A<const N: u8>; impl A<{ 1 }> {} mod m { fn f(a: super::A<{ 1 }>) {} }";
        assert!(filter(&sources(text)));
        assert!(!filter(&sources(&text.replace("struct A", "struct C"))));
        assert!(!filter(&sources(&text.replace("impl", ""))));
    }

    #[test]
    fn a_name_that_was_never_defined_here_may_stay() {
        let resolves = |text: &str| !text.contains("fn fn") && !text.contains("Missing");
        let candidates = [
            "struct A; fn f(a: A, b: Elsewhere) {}",
            "fn f(a: Vec<()>) {}",
            "fn f<T>(t: U, far: elsewhere::Far) {}",
        ];
        assert_eq!(let_through(resolves, candidates), [true, true, true]);
    }
}

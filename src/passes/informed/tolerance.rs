//! Which errors a failure survives, so that candidates that cannot fail are not run.
//!
//! Most crashes of the compiler need a source that parses, and many one whose names resolve. One run
//! each tells: the source with a syntax error put in, and with a type that does not exist. If the
//! failure is gone then, candidates with an error of that kind are turned down unseen.

use std::collections::HashSet;

use quote::ToTokens;
use syn::Item;
use syn::visit::{self, Visit};

use crate::reduce::{Problem, Stop};
use crate::rust::Sources;
use crate::source::{LiveSpans, flat, item_name, too_deep};

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

/// What can be said of a source without running anything.
#[derive(Default)]
struct Facts {
    defined: HashSet<String>,
    /// Words in macros: what these define cannot be seen.
    perhaps: HashSet<String>,
    mentioned: HashSet<String>,
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
    pub(crate) fn filter(self, base: &Sources) -> impl Fn(&Sources) -> bool {
        let is_small = base.bytes() <= SMALL;
        let before = if self.needs_syntax && is_small { facts(base) } else { None };
        move |candidate| {
            let Some(before) = &before else { return true };
            let Some(after) = facts(candidate) else { return false };
            !self.needs_names
                || after
                    .mentioned
                    .iter()
                    .all(|name| after.may_define(name) || !before.defined.contains(name))
        }
    }
}

impl Facts {
    fn may_define(&self, name: &str) -> bool {
        self.defined.contains(name) || self.perhaps.contains(name)
    }
}

/// The names of types, traits, constants and lifetimes; `None` if a file does not parse.
fn facts(sources: &Sources) -> Option<Facts> {
    let mut facts = Facts::default();
    for source in &sources.files {
        if too_deep(&source.text).is_some() {
            return None;
        }
        let _live = LiveSpans::new();
        let file = syn::parse_file(&source.text).ok()?;
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

//! What a pass is, and the registry of all of them.

use crate::rust::{Reduction, Tree};

/// When a pass takes its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Whole items and bodies: cheap to list, each success takes much away.
    Coarse,
    /// Parts of items: statements, members, attributes, parameters.
    Medium,
    /// Inside expressions, types and patterns.
    Fine,
    /// Single tokens, whatever they mean.
    Tokens,
}

/// What the reductions of a pass do to what runs, where they compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing, mostly.
    Quiet,
    /// What switches do, too: after a search by these, few of them work.
    Switched,
    /// This or that.
    Any,
}

/// A family of reductions.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Its name, as `--list-passes` shows it.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// When it takes its turn.
    pub tier: Tier,
    /// What its reductions do to what runs.
    pub effect: Effect,
    /// A source before one of its reductions.
    pub before: &'static str,
    /// The same source after it.
    pub after: &'static str,
    /// Lists the reductions of a file. It must be deterministic.
    pub propose: fn(&Tree<'_>) -> Vec<Reduction>,
}

macro_rules! registry {
    ($($id:ident = $folder:ident::$module:ident),* $(,)?) => {
        /// Which pass it is, whatever its name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum PassId {
            $(
                #[doc = concat!("The one in `", stringify!($module), "`.")]
                $id,
            )*
        }

        impl PassId {
            const ALL: &[PassId] = &[$(PassId::$id),*];

            /// The pass itself.
            pub fn pass(self) -> &'static Pass {
                match self {
                    $(PassId::$id => &super::$folder::$module::PASS,)*
                }
            }
        }

        /// Every pass, in the order in which they take their turns.
        pub fn all() -> impl Iterator<Item = &'static Pass> {
            PassId::ALL.iter().map(|id| id.pass())
        }
    };
}

registry![
    Comments = token::comments,
    Bodies = statement::bodies,
    Items = item::items,
    Orphans = item::orphans,
    Members = item::members,
    Inherent = item::inherent,
    NoEffects = statement::no_effects,
    Exits = statement::exits,
    Variables = statement::variables,
    Statements = statement::statements,
    Functions = item::functions,
    FirstCalls = item::first_calls,
    InlineIntoTest = item::inline_into_test,
    InlineMacros = item::inline_macros,
    Modules = item::modules,
    ExpandGlobs = path::expand_globs,
    TrimUse = path::trim_use,
    Attributes = item::attributes,
    Derives = item::derives,
    Variants = item::variants,
    LoneVariants = item::lone_variants,
    Fields = item::fields,
    Parameters = signature::parameters,
    Arguments = signature::arguments,
    ConcreteTypes = signature::concrete_types,
    Generics = signature::generics,
    ReplaceTypes = item::replace_types,
    Newtypes = item::newtypes,
    Tuples = signature::tuples,
    TupleElements = signature::tuple_elements,
    WhereClauses = signature::where_clauses,
    Bounds = signature::bounds,
    ReturnTypes = signature::return_types,
    Arms = statement::arms,
    Conditions = statement::conditions,
    Blocks = statement::blocks,
    Constructors = statement::constructors,
    Locals = statement::locals,
    Qualifiers = signature::qualifiers,
    Repeats = expr::repeats,
    Pairs = expr::pairs,
    Operands = expr::operands,
    ReplaceExprs = expr::replace_exprs,
    Types = signature::types,
    GenericArgs = signature::generic_args,
    Lifetimes = signature::lifetimes,
    Paths = path::paths,
    Patterns = statement::patterns,
    MacroRules = item::macro_rules,
    Literals = expr::literals,
    MoveIntoModule = item::move_into_module,
    Aliases = item::aliases,
    QualifyPaths = path::qualify_paths,
    UnusedTokens = token::unused_tokens,
];

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::reduce::Candidate;
    use crate::rust::testing::{lines, sources_of};
    use crate::rust::{StandIn, scan};

    fn tokens(text: &str) -> Vec<&str> {
        scan::tokens(text).map(|piece| piece.text).collect()
    }

    #[test]
    fn the_example_of_each_pass_is_one_of_its_reductions() {
        for pass in all() {
            let results = lines(pass.propose, pass.before);
            let is_after = |result: &String| tokens(result) == tokens(pass.after);
            assert!(results.iter().any(is_after), "{}: {results:#?}", pass.name);
        }
    }

    #[test]
    fn the_example_of_each_pass_gets_strictly_smaller_in_the_sort_key() {
        for pass in all() {
            let [before, after] = [pass.before, pass.after].map(|text| sources_of(text).key());
            assert!(after < before, "{}: {before:?} becomes {after:?}", pass.name);
        }
    }

    /// Where one of a bundle does not parse, the compiler says nothing of all the others.
    #[test]
    fn what_a_pass_proposes_parses() {
        let text = "extern crate core; /** A list. */ struct List<T, const N: usize> where T: Copy + Ord, Self: Sized { items: [T; N] } \
                    each!(List, \"l\", u8); \
                    impl<T, const N: usize> List<T, N> where T: Copy + Ord { \
                    /** How many. */ const SIZE: usize = N + 1; each!(T, 1); \
                    pub const fn first(&self) -> Option<T> { let List { items } = self; if N == 0 { None } else { Some(items[0]) } } \
                    unsafe fn at(data: *const u8, to: *mut u8) { if data.is_null() { return; } else if false { } else { f(1); } } } \
                    fn main() { let n: u8 = loop { break match g() { Ok(x) if x > 1 => x, _ => { continue } } }; h(|a| -> u8 { a + n }); }";
        // A macro may take any tokens.
        let passes = all().filter(|pass| pass.tier < Tier::Tokens && pass.name != "macro-rules");
        let proposed = passes.flat_map(|pass| {
            lines(pass.propose, text).into_iter().map(move |left| (pass.name, left))
        });
        let broken: Vec<_> = proposed.filter(|(_, left)| syn::parse_file(left).is_err()).collect();
        assert!(broken.is_empty(), "{broken:#?}");
    }

    #[test]
    fn every_pass_is_a_file_of_its_name_and_registered_once() {
        let mut modules: Vec<String> = all().map(|pass| pass.name.replace('-', "_")).collect();
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/passes");
        let inside =
            |path: PathBuf| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        let folders = inside(here).filter(|path| path.is_dir());
        let mut files: Vec<String> = folders
            .flat_map(inside)
            .filter(|path| path.is_file())
            .filter(|path| {
                let text = std::fs::read_to_string(path).unwrap();
                text.lines().any(|line| line.starts_with("pub(crate) const PASS: Pass"))
            })
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort();
        modules.sort();
        assert_eq!(files, modules);
    }

    #[test]
    fn passes_stay_within_the_text_and_on_character_boundaries() {
        let text = include_str!("../rust/tree.rs");
        Tree::with(text, StandIn::Loop, |tree| {
            for pass in all() {
                let reductions = (pass.propose)(tree);
                for change in reductions.iter().flat_map(|reduction| &reduction.changes) {
                    let part = text.get(change.range.clone());
                    assert!(part.is_some(), "{}: {change:?}", pass.name);
                }
            }
        })
        .unwrap();
    }

    /// A module with something for each pass, where `@` is the number of the copy. What is not numbered is called alike
    /// in all of them.
    const MODULE: &str = r#"
        use std::{fmt, collections::HashMap};
        pub const LIMIT@: usize = 1 + 2;
        pub type Table@ = HashMap<String, u8>;
        #[derive(Clone, Debug)]
        pub struct Point@<T> { pub x: T, pub y: u8 }
        pub struct Wrap@<T>(T);
        pub struct Plain@ { x: u8 }
        pub enum Kind@ { A, B(u8) }
        enum Lone@ { Only { x: u8 } }
        pub trait Shape@: Clone { fn area(&self) -> usize; fn new() -> Self; }
        impl Shape@ for Plain@ {
            fn area(&self) -> usize { self.x as usize * LIMIT@ }
            fn new() -> Self { Plain@ { x: 0 } }
        }
        impl<T: Copy> Point@<T> where T: Clone {
            fn new(x: T, y: u8) -> Self { Self { x, y } }
            fn get(&self, at: usize) -> T { self.x }
        }
        macro_rules! twice@ { ($a:expr) => { $a + $a }; ($($a:expr),*) => { ($($a),*) } }
        unsafe extern "C" { fn foreign@(x: u8); }
        #[inline]
        async fn helper@(x: u8, kind: Kind@) -> Option<u8> {
            let y = x + 1;
            if y > 2 { return None; }
            match kind { Kind@::A => Some(y), Kind@::B(z) => { let w = z; Some(w + y) } }
        }
        fn run@<'a>(value: &'a Point@<u8>) -> Result<(), fmt::Error> {
            let x = value.get(LIMIT@);
            let x = helper@(x, Kind@::A);
            let mut sum = 0;
            for i in 0..3 { sum += i; sum = sum + twice@!(i); }
            let table: Table@ = Table@::new();
            assert_eq!(sum, 3, "text {}", "more");
            let f = |a: u8| a + 1;
            f(x?); f(Wrap@(1).0);
            if let Some(x) = helper@(1, Kind@::B(2)) { drop((x, [1, 2])); } else { loop { break; } }
            let Lone@::Only { x } = Lone@::Only { x: 1 };
            let Plain@ { x } = Plain@::new();
            match Some((x, 1)) { Some((a, _)) => f(a), None => 0 };
            Ok(())
        }
    "#;
    const STATEMENTS: &str =
        "let a@ = g(v); let mut v = a@ + v; v += 1; h(&v, S { a@, v }, m!(v, a@)); if v { h(v.0) }";

    /// So many copies beside each other, as modules, and as statements of one block.
    fn sources(copies: usize) -> [String; 3] {
        let all = |text: &str| -> String {
            (0..copies).map(|copy| text.replace('@', &copy.to_string())).collect()
        };
        let modules = all(&format!("mod m@ {{ use super::*; {MODULE} }}"));
        let test = "#[test] fn t() { a() }";
        let statements = all(STATEMENTS);
        [modules + test, all(MODULE) + test, format!("fn f(v: u8) {{ {statements} }}")]
    }

    /// The nodes, tokens and names that a pass looks at, and the changes that it makes.
    fn work(pass: &Pass, text: &str) -> u64 {
        let work = Tree::with(text, StandIn::Loop, |tree| {
            let before = tree.steps();
            let changes = (pass.propose)(tree)
                .iter()
                .map(|reduction| reduction.changes.len() as u64)
                .sum::<u64>();
            tree.steps() - before + changes
        });
        work.unwrap()
    }

    #[test]
    fn the_work_of_a_pass_doubles_when_the_source_doubles() {
        for (small, large) in sources(4).iter().zip(&sources(8)) {
            let work = |pass: &Pass| (pass.name, work(pass, small), work(pass, large));
            // A few steps more: some look for the middle of something sorted.
            let is_more = |(_, before, after): &(&str, u64, u64)| *after > before * 9 / 4 + 100;
            let more: Vec<_> = all().map(work).filter(is_more).collect();
            assert!(more.is_empty(), "{more:?}");
        }
    }

    #[test]
    fn a_pass_ends_early_when_it_is_told_to() {
        let [text, ..] = sources(12);
        let steps = |pass: &Pass, stops: bool| {
            let steps = Tree::with_limit(&text, StandIn::Loop, &|| stops, |tree| {
                let before = tree.steps();
                drop((pass.propose)(tree));
                tree.steps() - before
            });
            steps.unwrap()
        };
        let some = all().map(|pass| (pass.name, steps(pass, true), steps(pass, false)));
        let late: Vec<_> = some.filter(|(_, some, all)| *all > 16_000 && *some > all / 2).collect();
        assert!(late.is_empty(), "{late:?}");
    }
}

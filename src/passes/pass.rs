//! What a pass is, and the registry of all of them.

use super::{Reduction, Tree};

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
    ($($module:ident),* $(,)?) => {
        /// Every pass, in the order in which they take their turns.
        #[must_use]
        pub fn all() -> &'static [Pass] {
            &[$(super::$module::PASS),*]
        }
    };
}

registry![
    comments,
    bodies,
    items,
    orphans,
    members,
    exits,
    variables,
    statements,
    functions,
    frames,
    inline_macros,
    modules,
    globs,
    uses,
    attributes,
    derives,
    variants,
    lone_variants,
    fields,
    parameters,
    arguments,
    generics,
    placeholders,
    newtypes,
    tuples,
    where_clauses,
    bounds,
    return_types,
    arms,
    conditions,
    blocks,
    constructors,
    locals,
    qualifiers,
    operands,
    stand_ins,
    types,
    generic_args,
    lifetimes,
    paths,
    patterns,
    macro_rules,
    literals,
    surroundings,
    aliases,
    imports,
    unused_tokens,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply, scan};

    fn tokens(text: &str) -> Vec<&str> {
        scan::pieces(text)
            .filter(|piece| piece.kind.is_token())
            .map(|piece| piece.text)
            .collect()
    }

    #[test]
    fn the_example_of_each_pass_is_one_of_its_reductions() {
        for pass in all() {
            let results = Tree::with(pass.before, StandIn::Loop, |tree| {
                let proposed = (pass.propose)(tree);
                proposed
                    .iter()
                    .map(|reduction| apply(pass.before, [reduction]))
                    .collect::<Vec<_>>()
            })
            .unwrap();
            assert!(
                results
                    .iter()
                    .any(|result| tokens(result) == tokens(pass.after)),
                "{}: {results:#?}",
                pass.name
            );
        }
    }

    #[test]
    fn every_file_of_a_pass_is_registered_once() {
        let names: Vec<&str> = all().iter().map(|pass| pass.name).collect();
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/passes");
        for entry in std::fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            let is_pass = |text: &str| {
                text.lines()
                    .any(|line| line.starts_with("pub(super) const PASS: Pass"))
            };
            if path.is_dir() || !is_pass(&std::fs::read_to_string(&path).unwrap()) {
                continue;
            }
            let name = path
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .replace('_', "-");
            assert_eq!(
                names.iter().filter(|known| **known == name).count(),
                1,
                "{name}"
            );
        }
    }

    #[test]
    fn passes_stay_within_the_text_and_on_character_boundaries() {
        let text = include_str!("tree.rs");
        Tree::with(text, StandIn::Loop, |tree| {
            for pass in all() {
                for change in (pass.propose)(tree)
                    .iter()
                    .flat_map(|reduction| &reduction.changes)
                {
                    assert!(
                        text.get(change.range.clone()).is_some(),
                        "{}: {change:?}",
                        pass.name
                    );
                }
            }
        })
        .unwrap();
    }
}

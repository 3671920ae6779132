//! What is tried on the whole source before the passes take their turns: what is unused, the largest
//! reductions, values in the place of calls, and closed sets of items.

use std::collections::{HashMap, HashSet};

use super::bundles::LAYERS;
use super::guard::Guard;
use super::{Patch, Schedule, largest_first};
use crate::passes::informed::{configured, formatters, idle, lists, observed, unused};
use crate::passes::signature::{bounds, concrete_types};
use crate::passes::{Pass, PassId, pass};
use crate::reduce::{Answer, Approach, Outcome, Result, keep_closures};
use crate::rust::graph::ItemGraph;
use crate::rust::{Check, Reduction, Sources, Tree, is_only_of_crate, make_edits};
use crate::schedule::cascade::first_compiling;
use crate::schedule::repair;

/// How often the compiler is asked in one turn for what is unused.
const LOOKS: usize = 6;
/// After a look that takes away less than this part of the tokens, the next one can wait.
const LITTLE_UNUSED: usize = 64;
/// Which part of a source is large: one of so many.
const LARGE_PART: usize = 16;
/// In how many parts long lists are tried first: where none of these goes, few of their elements do.
const PARTS_OF_LISTS: usize = 4;
/// How many large parts of each pass are tried at once.
const LARGE_PARTS: usize = 2;
/// How many values are tried in one turn.
const VALUES: usize = 24;
/// How many types are tried one after the other in vain: each takes the compiler several calls, and those left come again with
/// the others of their pass.
const TYPES_IN_VAIN: usize = 6;

/// A place of which one of several edits is wanted, with the place of its file.
type Ways = (usize, Vec<Reduction>);

/// What tells whether a place was tried: the first of its edits.
fn digest(pass: &str, base: &Sources, (file, ways): &Ways) -> Option<u64> {
    ways.first().map(|way| way.digest(pass, &base.files[*file].text))
}

impl Schedule<'_, '_> {
    /// Removes what the compiler calls unused, until it finds no more.
    pub(super) fn delete_unused(&mut self) -> Result<()> {
        for _ in 0..LOOKS {
            let base = self.problem.best().clone();
            let Some(check) = self.check.as_deref_mut() else {
                return Ok(());
            };
            let (stand_in, unused) = (self.settings.stand_in, check.unused(&base)?);
            let found = unused::removals(&base, &unused, stand_in, &self.refused);
            let open = unused::apart(&found);
            let edits: Vec<(usize, &Reduction)> = open.iter().map(|it| it.edit()).collect();
            let all = repair::compiling(&base, &edits, None, check)?;
            let all_work = self.problem.consider(base.edit(all.edits(&edits)))?;
            let only_definitions = !all_work && self.delete_definitions(&base, &open)?;
            if !all_work && !only_definitions {
                make_edits(self.problem, &all.edits(&edits).collect::<Vec<_>>())?;
            }
            // The others are worth more time when the source is smaller.
            let is_put_off = |index: usize| {
                only_definitions && !open[index].is_definition && all.chosen.contains(&index)
            };
            let tried = (0..open.len()).filter(|index| !is_put_off(*index));
            let digests = tried.map(|index| {
                let removal = open[index];
                unused::digest(&removal.reduction, &base.files[removal.file].text)
            });
            self.refused.extend(digests);
            let gone = base.tokens() - self.problem.best().tokens();
            if gone * LITTLE_UNUSED < base.tokens() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Removes what only defines or imports something, of what is unused, all at once; whether that works.
    fn delete_definitions(&mut self, base: &Sources, unused: &[&unused::Removal]) -> Result<bool> {
        let definitions: Vec<(usize, &Reduction)> = unused
            .iter()
            .filter(|removal| removal.is_definition)
            .map(|removal| removal.edit())
            .collect();
        match self.check.as_deref_mut() {
            Some(check) if !definitions.is_empty() => {
                let compiling = repair::compiling(base, &definitions, None, check)?;
                let smaller = base.edit(compiling.edits(&definitions));
                self.problem.consider(smaller)
            }
            _ => Ok(false),
        }
    }

    /// Removes what is never compiled, and the conditions of what is.
    pub(super) fn settle_conditions(&mut self) -> Result<()> {
        const NAME: &str = "conditions";
        let Some(check) = self.check.as_deref() else { return Ok(()) };
        let files = self.problem.best().files.iter().enumerate();
        let patches = files.flat_map(|(file, source)| {
            let crates = check.conditions(&source.path);
            let settle = |tree: &Tree<'_>| configured::propose(tree, &crates);
            let settled = Tree::with(&source.text, self.settings.stand_in, settle);
            settled.unwrap_or_default().into_iter().map(move |reduction| Patch {
                file,
                digest: reduction.digest(NAME, &source.text),
                pass: NAME,
                reduction,
            })
        });
        let patches: Vec<Patch> = patches.collect();
        let saved: usize = patches.iter().map(|patch| patch.reduction.weight()).sum();
        // The passes take the last few with others.
        if saved * LITTLE_UNUSED < self.problem.best().bytes() {
            return Ok(());
        }
        self.search(NAME, &patches, Approach::Halves)
    }

    /// Removes the tests in which nothing runs.
    pub(super) fn delete_idle_tests(&mut self) -> Result<()> {
        let patches = self.idle(idle::propose_tests)?;
        let base = self.problem.best().clone();
        let edits = patches.iter().map(|patch| (patch.file, &patch.reduction));
        self.problem.consider(base.edit(edits))?;
        Ok(())
    }

    /// What `propose` finds in which nothing runs.
    fn idle(&mut self, propose: fn(&Tree<'_>) -> Vec<Reduction>) -> Result<Vec<Patch>> {
        self.patches_in_trees(|tree| {
            propose(tree).into_iter().map(|reduction| ("idle parts", reduction)).collect()
        })
    }

    /// Removes items and members in which nothing runs, as many at once as compile without them.
    pub(super) fn delete_idle(&mut self) -> Result<()> {
        for _ in 0..LAYERS {
            if self.is_cheap() {
                break;
            }
            // Implementations may be there for a bound only, of which nothing that runs makes use.
            let mut patches =
                self.idle(|tree| [idle::propose(tree), bounds::each(tree)].concat())?;
            largest_first(&mut patches);
            if !self.keep_compiling(&mut patches)? || patches.is_empty() {
                break;
            }
            patches.sort_by_key(|patch| (patch.file, patch.reduction.start()));
            self.search("idle parts", &patches, Approach::Halves)?;
        }
        Ok(())
    }

    /// Lets tests call what the functions call that only lead to the failure, as long as that works: with these functions goes
    /// what they alone name.
    pub(super) fn shorten_way(&mut self) -> Result<()> {
        let passes = [PassId::FirstCalls, PassId::Functions].map(PassId::pass);
        while !self.is_cheap() {
            let mut patches = self.patches_of(&passes)?;
            let accepted = self.problem.counts().accepted;
            largest_first(&mut patches);
            self.keep_compiling(&mut patches)?;
            self.search("calls on the way", &patches, Approach::Halves)?;
            if self.problem.counts().accepted == accepted {
                break;
            }
        }
        Ok(())
    }

    /// Tries the largest reductions of each pass alone, as long as one of them works: where a few of them
    /// hold most of the source, all that comes later is as much faster.
    pub(super) fn delete_large_parts(&mut self) -> Result<()> {
        let passes: Vec<&Pass> = pass::all().filter(|pass| !self.is_decided(pass)).collect();
        while self.check.is_some() && !self.is_cheap() {
            let accepted = self.problem.counts().accepted;
            let patches = self.large_patches(&passes)?;
            self.search("large parts", &patches, Approach::OneByOne)?;
            if self.problem.counts().accepted == accepted {
                break;
            }
        }
        Ok(())
    }

    /// Removes what can go of long lists, halves, quarters, … of them at once.
    pub(super) fn shorten_lists(&mut self) -> Result<()> {
        loop {
            let patches = self.patches_in_trees(|tree| {
                lists::propose(tree)
                    .into_iter()
                    .map(|reduction| ("long lists", reduction))
                    .collect()
            })?;
            let base = self.problem.best().clone();
            let parts = patches.chunks(patches.len().div_ceil(PARTS_OF_LISTS).max(1));
            let parts: Vec<Sources> = parts
                .map(|part| base.edit(part.iter().map(|patch| (patch.file, &patch.reduction))))
                .collect();
            let is_any = |outcomes: Vec<Outcome>| outcomes.into_iter().any(Outcome::is_fail);
            if !is_any(self.problem.ask_all(&parts)?) {
                return Ok(());
            }
            let accepted = self.problem.counts().accepted;
            self.search("long lists", &patches, Approach::Halves)?;
            if self.problem.counts().accepted == accepted {
                return Ok(());
            }
        }
    }

    /// Removes the attributes that only one candidate of a crate can have: without them many are compiled at once.
    pub(super) fn delete_attributes_of_crates(&mut self) -> Result<()> {
        let mut patches = self.patches_of(&[PassId::Attributes.pass()])?;
        let base = self.problem.best().clone();
        patches.retain(|patch| {
            let text = &base.files[patch.file].text;
            patch
                .reduction
                .changes
                .iter()
                .any(|change| is_only_of_crate(&text[change.range.clone()]))
        });
        self.search("attributes of crates", &patches, Approach::Halves)
    }

    /// The largest reductions that take away a large part, a few of each pass.
    fn large_patches(&mut self, passes: &[&Pass]) -> Result<Vec<Patch>> {
        let least = self.problem.best().bytes() / LARGE_PART;
        let mut patches = self.patches_of(passes)?;
        patches.retain(|patch| patch.reduction.weight() > least);
        largest_first(&mut patches);
        let mut of_pass: HashMap<&str, usize> = HashMap::new();
        patches.retain(|patch| {
            let count = of_pass.entry(patch.pass).or_default();
            *count += 1;
            *count <= LARGE_PARTS
        });
        Ok(patches)
    }

    /// Writes the texts that the failure shows of values where texts are made of values, and removes what was
    /// only there to make them.
    pub(super) fn write_shown(&mut self) -> Result<()> {
        let shown = self.check.as_deref().map_or(Vec::new(), Check::shown);
        let propose = |_: &mut dyn Check, base: &Sources| Ok(formatters::writing(base, &shown));
        self.write_all("shown values", VALUES, propose)
    }

    /// Writes what calls and parameters yield in their place, and removes what was only there for them.
    pub(super) fn write_values(&mut self) -> Result<()> {
        let accepted = self.problem.counts().accepted;
        if self.valued.is_some_and(|(before, _)| before == accepted) {
            return Ok(());
        }
        let propose = |check: &mut dyn Check, base: &Sources| {
            Ok(observed::replacements(base, &check.values(base)?))
        };
        self.write_all("recorded values", VALUES, propose)?;
        let best = self.problem.best().tokens();
        self.valued = Some((self.problem.counts().accepted, best));
        Ok(())
    }

    /// Puts types in the place of generic parameters, and removes what was only demanded of those.
    pub(super) fn write_types(&mut self) -> Result<()> {
        let pass = PassId::ConcreteTypes.pass().name;
        let stand_in = self.settings.stand_in;
        let propose = |check: &mut dyn Check, base: &Sources| {
            let guard = Guard::new(check, base);
            let files = base.files.iter().enumerate().flat_map(|(file, source)| {
                let ways = Tree::with(&source.text, stand_in, concrete_types::ways);
                ways.unwrap_or_default().into_iter().map(move |ways| (file, ways))
            });
            let files = files.map(|(file, mut ways)| {
                ways.retain(|way| !guard.holds_back(pass, file, way));
                (file, ways)
            });
            Ok(files.filter(|(_, ways)| !ways.is_empty()).collect())
        };
        self.write_all(pass, TYPES_IN_VAIN, propose)
    }

    /// Whether a quarter is gone since values were tried, so that others may work.
    pub(super) fn is_much_smaller(&self) -> bool {
        let best = self.problem.best().tokens();
        self.valued.is_none_or(|(_, tokens)| best * 4 <= tokens * 3)
    }

    /// Writes what `propose` finds, again and again as long as something of it works, and not so many in vain.
    fn write_all(
        &mut self,
        pass: &'static str,
        in_vain: usize,
        propose: impl Fn(&mut dyn Check, &Sources) -> Answer<Vec<Ways>>,
    ) -> Result<()> {
        let mut refused = self.refused.clone();
        let mut tried = HashSet::new();
        let mut may_all_work = true;
        while tried.len() < VALUES {
            let base = self.problem.best().clone();
            let Some(check) = self.check.as_deref_mut() else {
                return Ok(());
            };
            let edits = propose(check, &base)?;
            let (failing, others) = self.failing_as_written(pass, &base, edits, &mut tried)?;
            if may_all_work && self.write_together(&base, &failing, &mut refused)? {
                continue;
            }
            may_all_work = false;
            let edits = [failing, others].concat();
            let most = VALUES.min(tried.len() + in_vain);
            if !self.write_one(pass, &base, &edits, most, &mut tried, &mut refused)? {
                break;
            }
        }
        Ok(())
    }

    /// Writes all of the `edits`, each of which fails alone, or the first half of them.
    fn write_together<'e>(
        &mut self,
        base: &Sources,
        edits: &'e [Ways],
        refused: &mut HashSet<u64>,
    ) -> Result<bool> {
        let first = |(file, ways): &'e Ways| Some((*file, ways.first()?));
        let all: Vec<(usize, &Reduction)> = edits.iter().filter_map(first).collect();
        for parts in [1, 2] {
            let some = &all[..all.len() / parts];
            if some.len() > 1 && self.write([base.edit(some.iter().copied())], refused)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Those of the `edits` that fail before anything unused is removed, where many candidates are asked at once, and
    /// those of which nobody knows: to look for what is unused takes some compilations for each.
    fn failing_as_written(
        &mut self,
        pass: &'static str,
        base: &Sources,
        edits: Vec<Ways>,
        tried: &mut HashSet<u64>,
    ) -> Result<(Vec<Ways>, Vec<Ways>)> {
        let is_cheap = self.is_cheap();
        let bodies = if is_cheap { None } else { self.bodies() };
        if !is_cheap && bodies.is_none() {
            return Ok((Vec::new(), edits));
        }
        let digest = |edit: &Ways| digest(pass, base, edit);
        let is_open = |edit: &Ways| digest(edit).is_some_and(|digest| !tried.contains(&digest));
        let is_asked = |(file, ways): &Ways| {
            bodies.as_ref().is_none_or(|it| ways.iter().all(|way| it.hold(*file, way)))
        };
        let open: Vec<Ways> =
            edits.into_iter().filter(is_open).take(VALUES - tried.len()).collect();
        let (mut open, others): (Vec<Ways>, Vec<Ways>) = open.into_iter().partition(is_asked);
        let written = open.iter().flat_map(|(file, ways)| ways.iter().map(|way| (*file, way)));
        let written: Vec<Sources> = written.map(|edit| base.edit([edit])).collect();
        let mut outcomes = self.problem.ask_all(&written)?.into_iter();
        for edit in &mut open {
            let digest = digest(edit);
            edit.1.retain(|_| outcomes.next().is_some_and(Outcome::is_fail));
            if edit.1.is_empty() {
                tried.extend(digest);
            }
        }
        open.retain(|(_, ways)| !ways.is_empty());
        Ok((open, others))
    }

    /// Writes the first of the `edits` that works and was not `tried` before, as long as those are no more than `most`.
    /// `refused` are removals that do not work here and now.
    fn write_one(
        &mut self,
        pass: &'static str,
        base: &Sources,
        edits: &[Ways],
        most: usize,
        tried: &mut HashSet<u64>,
        refused: &mut HashSet<u64>,
    ) -> Result<bool> {
        for edit @ (file, ways) in edits {
            let is_new = digest(pass, base, edit).is_some_and(|digest| tried.insert(digest));
            if !is_new || tried.len() > most {
                continue;
            }
            if self.write(ways.iter().map(|way| base.edit([(*file, way)])), refused)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the first of these that compiles, without what is unused in it, if it works.
    fn write(
        &mut self,
        written: impl IntoIterator<Item = Sources>,
        refused: &mut HashSet<u64>,
    ) -> Result<bool> {
        let stand_in = self.settings.stand_in;
        let Some(check) = self.check.as_deref_mut() else { return Ok(false) };
        let Some((plain, smaller)) = first_compiling(written, stand_in, refused, check)? else {
            return Ok(false);
        };
        // What is unused may keep what is used going.
        Ok(self.problem.consider(smaller)? || self.problem.consider(plain)?)
    }

    /// Keeps a small closed set of items.
    pub(super) fn keep_needed_items(&mut self) -> Result<()> {
        let base = self.problem.best().clone();
        let Ok(graph) = ItemGraph::read(&base) else {
            return Ok(());
        };
        keep_closures(
            self.problem,
            graph.len(),
            |kept| graph.close(kept),
            |kept| graph.build(&base, kept),
        )?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{Answer, FromFn, Memory, Oracle, Outcome, Problem};
    use crate::rust::testing::sources_of;
    use crate::rust::{Check, CompileError, ObservedValue, StandIn, Unused};

    /// A compiler that takes everything and calls some names unused.
    struct Lint(&'static [&'static str]);

    impl Check for Lint {
        fn compile_errors(&mut self, _: &Sources) -> Answer<Vec<CompileError>> {
            Ok(Vec::new())
        }

        fn unused(&mut self, sources: &Sources) -> Answer<Unused> {
            let text = &sources.files[0].text;
            let places = self.0.iter().filter_map(|name| {
                let start = text.find(name)?;
                Some((0, start..start + name.len()))
            });
            Ok(places.collect())
        }
    }

    #[test]
    fn unused_definitions_go_at_once_though_a_variant_has_to_stay() {
        let text = "fn idle() { other(); } struct Dead; impl Dead { fn new() {} } \
                    enum E { First, Second } fn main() { E::Second as u8; }";
        let mut asked = Vec::new();
        let mut oracle = FromFn(|sources: &Sources| {
            let text = &sources.files[0].text;
            asked.push(text.to_string());
            if text.contains("First") { Outcome::Fail } else { Outcome::Unresolved }
        });
        let mut problem = Problem::new(sources_of(text), &mut oracle, Memory::Remember);
        let settings = super::super::Settings { stand_in: StandIn::Panic, is_switched: true };
        let mut lint = Lint(&["idle", "Dead", "First"]);
        let mut schedule = Schedule::new(&mut problem, settings, Some(&mut lint));
        assert!(schedule.delete_unused().is_ok());
        let left = problem.into_best().files[0].text.to_string();
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(words.join(" "), "enum E { First, Second } fn main() { E::Second as u8; }");
        // All of it, then the definitions; what the variant alone comes to is known from the first.
        assert_eq!(asked.len(), 2, "{asked:#?}");
    }

    #[test]
    fn a_test_calls_what_is_behind_a_chain_of_functions() {
        let text = "fn a(x: u8) { b(x) } fn b(x: u8) { c(x); rest() } fn c(x: u8) { fail(x) } fn fail(_: u8) { panic!() } \
                    fn rest() {} #[test] fn t() { a(1) }";
        let mut oracle = FromFn(|sources: &Sources| {
            let text = &sources.files[0].text;
            let is_whole = |name: &str| {
                !text.contains(&format!("{name}(")) || text.contains(&format!("fn {name}("))
            };
            Outcome::fail_if(
                ["a", "b", "c", "fail"].into_iter().all(is_whole) && text.contains("fail("),
            )
        });
        let mut problem = Problem::new(sources_of(text), &mut oracle, Memory::Remember);
        let settings = super::super::Settings { stand_in: StandIn::Panic, is_switched: true };
        let mut lint = Lint(&[]);
        let mut schedule = Schedule::new(&mut problem, settings, Some(&mut lint));
        assert!(schedule.shorten_way().is_ok());
        let left = problem.into_best().files[0].text.to_string();
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(words.join(" "), "fn fail(_: u8) { panic!() } #[test] fn t() { fail(1); }");
    }

    /// A compiler that takes everything, with values of the calls of `f`; counts how often it is asked.
    struct Values {
        checks: usize,
    }

    impl Check for Values {
        fn compile_errors(&mut self, _: &Sources) -> Answer<Vec<CompileError>> {
            self.checks += 1;
            Ok(Vec::new())
        }

        fn values(&mut self, sources: &Sources) -> Answer<Vec<ObservedValue>> {
            let text = &sources.files[0].text;
            let calls = text.match_indices("f(1, 2)").map(|(start, call)| ObservedValue {
                file: 0,
                range: start..start + call.len(),
                type_name: "u8".to_string(),
                text: "7".to_string(),
            });
            Ok(calls.collect())
        }
    }

    /// Takes many candidates at once; those fail that have all of the words.
    struct Wide {
        batch: usize,
        words: &'static [&'static str],
    }

    impl Oracle<Sources> for Wide {
        fn ask(&mut self, sources: &Sources) -> Answer<Outcome> {
            let text = &sources.files[0].text;
            Ok(Outcome::fail_if(self.words.iter().all(|word| text.contains(word))))
        }

        fn batch(&self) -> usize {
            self.batch
        }
    }

    #[test]
    fn where_many_are_asked_at_once_the_compiler_looks_only_at_values_that_work() {
        let text = "fn main() { let a = f(1, 2); let b = f(1, 2); let c = f(1, 2); }";
        let words = &["a = f(1, 2)", "c = f(1, 2)"];
        let left = |batch| {
            let mut oracle = Wide { batch, words };
            let mut problem = Problem::new(sources_of(text), &mut oracle, Memory::Remember);
            let settings = super::super::Settings { stand_in: StandIn::Panic, is_switched: true };
            let mut values = Values { checks: 0 };
            let mut schedule = Schedule::new(&mut problem, settings, Some(&mut values));
            assert!(schedule.write_values().is_ok());
            (problem.into_best().files[0].text.to_string(), values.checks)
        };
        let (alone, checks_alone) = left(1);
        let (many, checks_of_many) = left(super::super::CHEAP);
        assert_eq!(alone, "fn main() { let a = f(1, 2); let b = 7u8; let c = f(1, 2); }");
        assert_eq!(many, alone);
        assert_eq!((checks_alone, checks_of_many), (4, 1));
    }
}

//! Taking away what is unused, and what is unused without it, before anything is run.

use std::collections::HashSet;

use super::repair::compiling;
use crate::passes::informed::unused::{Removal, apart, digest, removals};
use crate::reduce::Answer;
use crate::rust::{Check, Reduction, Sources, StandIn, Unused};

/// So often is looked for what is unused now.
const ROUNDS: usize = 8;

/// The first of the variants that compiles, as it is and without what is unused in it. Removals that are
/// refused are not tried, and those that do not compile are added to them.
///
/// # Errors
/// When the compiler cannot be run.
pub(crate) fn first_compiling(
    variants: impl IntoIterator<Item = Sources>,
    stand_in: StandIn,
    refused: &mut HashSet<u64>,
    check: &mut dyn Check,
) -> Answer<Option<(Sources, Sources)>> {
    for variant in variants {
        let smaller = without_unused(variant.clone(), stand_in, refused, check)?;
        if let Some(smaller) = smaller {
            return Ok(Some((variant, smaller)));
        }
    }
    Ok(None)
}

/// `sources` without what the compiler calls unused in them; `None` if they do not compile.
///
/// # Errors
/// When the compiler cannot be run.
fn without_unused(
    sources: Sources,
    stand_in: StandIn,
    refused: &mut HashSet<u64>,
    check: &mut dyn Check,
) -> Answer<Option<Sources>> {
    let Ok(mut unused) = check.look(&sources)? else { return Ok(None) };
    let mut best = sources;
    for _ in 0..ROUNDS {
        let found = removals(&best, &unused, stand_in, refused);
        let open: Vec<(usize, &Reduction)> = apart(&found).into_iter().map(Removal::edit).collect();
        let removed = remove(&best, &open, refused, check)?;
        let Some((smaller, next)) = removed else { break };
        (best, unused) = (smaller, next);
    }
    Ok(Some(best))
}

/// Makes all of the removals, or else those that compile together; what is unused then. `None` if
/// nothing can be removed.
fn remove(
    best: &Sources,
    open: &[(usize, &Reduction)],
    refused: &mut HashSet<u64>,
    check: &mut dyn Check,
) -> Answer<Option<(Sources, Unused)>> {
    if open.is_empty() {
        return Ok(None);
    }
    let all = best.edit(open.iter().copied());
    let compile_errors = match check.look(&all)? {
        Ok(unused) => return Ok(Some((all, unused))),
        Err(compile_errors) => compile_errors,
    };
    let repaired = compiling(best, open, Some(compile_errors), check)?;
    let others = (0..open.len()).filter(|index| !repaired.chosen.contains(index));
    refused.extend(others.map(|index| {
        let (file, removal) = open[index];
        digest(removal, &best.files[file].text)
    }));
    if repaired.chosen.is_empty() {
        return Ok(None);
    }
    let some = best.edit(repaired.edits(open));
    Ok(check.look(&some)?.ok().map(|unused| (some, unused)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::CompileError;
    use crate::rust::testing::sources_of as sources;

    /// A compiler that finds functions unused that nobody calls, and wants `main`.
    struct Calls;

    impl Check for Calls {
        fn compile_errors(&mut self, sources: &Sources) -> Answer<Vec<CompileError>> {
            let has_main = sources.files[0].text.contains("fn main");
            Ok(if has_main { Vec::new() } else { vec![CompileError::default()] })
        }

        fn unused(&mut self, sources: &Sources) -> Answer<Unused> {
            let text = &sources.files[0].text;
            let unused = ["a", "b", "c"].into_iter().filter_map(|name| {
                let start = text.find(&format!("fn {name}"))? + 3;
                let is_called = text.matches(&format!("{name}(")).count() > 1;
                (!is_called).then(|| (0, start..start + 1))
            });
            Ok(unused.collect())
        }
    }

    fn after(text: &str) -> Option<String> {
        let mut none = HashSet::new();
        let after = without_unused(sources(text), StandIn::Panic, &mut none, &mut Calls).unwrap();
        after.map(|after| after.files[0].text.trim().to_owned())
    }

    #[test]
    fn what_only_the_unused_used_goes_with_it() {
        let text = "fn a() { b() }\nfn b() { c() }\nfn c() {}\nfn main() {}\n";
        assert_eq!(after(text).as_deref(), Some("fn main() {}"));
    }

    #[test]
    fn what_was_refused_once_is_not_tried_again() {
        let sources = sources("fn main() { a() }\nfn a() {}\nmod m { fn b() { fn main() {} } }\n");
        let mut compiler = Strict::default();
        let mut refused = HashSet::new();
        let mut asked = Vec::new();
        for _ in 0..2 {
            let sources = sources.clone();
            let smaller = without_unused(sources, StandIn::Panic, &mut refused, &mut compiler);
            assert!(smaller.unwrap().is_some());
            asked.push(std::mem::take(&mut compiler.0));
        }
        assert!(asked[1] < asked[0], "{asked:?}");
    }

    /// A compiler that finds `b` unused, and wants it; with the number of questions.
    #[derive(Default)]
    struct Strict(usize);

    impl Check for Strict {
        fn compile_errors(&mut self, sources: &Sources) -> Answer<Vec<CompileError>> {
            self.0 += 1;
            let has_it = sources.files[0].text.contains("fn b");
            let compile_error = CompileError::default();
            Ok(if has_it { Vec::new() } else { vec![compile_error] })
        }

        fn unused(&mut self, sources: &Sources) -> Answer<Unused> {
            let start = sources.files[0].text.find("fn b").unwrap() + 3;
            Ok(vec![(0, start..start + 1)])
        }
    }

    #[test]
    fn what_does_not_compile_is_none() {
        assert_eq!(after("fn a() {}"), None);
    }
}

//! The schedule for text that is not Rust: blocks by indentation, brackets level by level, then lines, pieces and characters.

use std::collections::HashSet;

use super::driver::cut_large;
use super::text::{characters, lines, pieces};
use super::{brackets, indents};
use crate::reduce::{Approach, Problem, Stop, apply_patches};
use crate::rust::{Reduction, Sources};

/// Reduces the best of `problem`, whatever its language, until no character can be removed.
///
/// What was refused is not proposed again while its surroundings stay the same, until nothing else is
/// left; then all is proposed once more.
///
/// # Errors
/// When the search must stop; the problem's best is the result so far.
pub fn reduce_text(problem: &mut Problem<'_, Sources>) -> Result<(), Stop> {
    cut_large(problem)?;
    let mut search = TextSearch { problem, refused: HashSet::new() };
    loop {
        while search.round()? {}
        search.refused.clear();
        if !search.round()? {
            return Ok(());
        }
    }
}

/// From how many patches on bundles of untried ones pay: below, single ones cost less.
const MANY: usize = 64;

struct TextSearch<'s, 'a> {
    problem: &'s mut Problem<'a, Sources>,
    /// Digests of reductions that were refused, with what is around them.
    refused: HashSet<u64>,
}

impl TextSearch<'_, '_> {
    /// Goes from the structure down to characters once; whether anything was accepted.
    fn round(&mut self) -> Result<bool, Stop> {
        let before = self.accepted();
        while self.structure()? {}
        self.family("lines", lines)?;
        self.family("pieces", pieces)?;
        self.family("characters", characters)?;
        Ok(self.accepted() > before)
    }

    /// Goes through blocks and brackets once, the latter from the outermost to the innermost; whether anything was
    /// accepted.
    fn structure(&mut self) -> Result<bool, Stop> {
        let before = self.accepted();
        self.family("blocks", indents::blocks)?;
        let mut depth = 0;
        let is_that_deep = |sources: &Sources, depth| {
            let mut files = sources.files.iter();
            files.any(|file| brackets::elements(&file.text, depth).is_some())
        };
        while is_that_deep(self.problem.best(), depth) {
            self.family("elements", |text| brackets::elements(text, depth).unwrap_or_default())?;
            depth += 1;
        }
        self.family("hoists", brackets::hoists)?;
        Ok(self.accepted() > before)
    }

    /// Tries the reductions of one family on all files.
    fn family(&mut self, name: &str, propose: impl Fn(&str) -> Vec<Reduction>) -> Result<(), Stop> {
        let base = self.problem.best().clone();
        let mut patches: Vec<(usize, Reduction, u64)> = Vec::new();
        for (place, file) in base.files.iter().enumerate() {
            for reduction in propose(&file.text) {
                let digest = reduction.digest(name, &file.text);
                if !self.refused.contains(&digest) {
                    patches.push((place, reduction, digest));
                }
            }
        }
        let weight = |patch: &(usize, Reduction, u64)| patch.1.weight();
        let weights: Vec<usize> = patches.iter().map(weight).collect();
        let approach = if patches.len() > MANY { Approach::Halves } else { Approach::OneByOne };
        let applied = apply_patches(self.problem, &weights, approach, |chosen| {
            let edits = chosen.iter().map(|index| &patches[*index]);
            Some(base.edit(edits.map(|(place, reduction, _)| (*place, reduction))))
        })?;
        self.refused.extend(applied.refused.iter().map(|index| patches[*index].2));
        Ok(())
    }

    fn accepted(&self) -> u64 {
        self.problem.counts().accepted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{FromFn, Memory, Outcome};
    use crate::rust::Sameness;

    #[test]
    fn what_is_deep_in_brackets_is_found_with_few_candidates() {
        let noise: Vec<String> = (0..60).map(|n| format!("{{\"k{n}\":[{n},[{n}]]}}")).collect();
        let text = format!("[{},{{\"x\":[1,[2,-3]]}},{}]", noise.join(","), noise.join(","));
        let mut oracle = FromFn(|sources: &Sources| {
            let is_valid =
                serde_json::from_str::<serde_json::Value>(&sources.files[0].text).is_ok();
            let fails = is_valid && sources.files[0].text.contains("-3");
            if fails { Outcome::Fail } else { Outcome::Unresolved }
        });
        let sources = Sources::of_file("a.json", text.as_str(), Sameness::Text);
        let mut problem = Problem::new(sources, &mut oracle, Memory::Remember);
        reduce_text(&mut problem).unwrap();
        let candidates = problem.counts().candidates;
        assert_eq!(&*problem.into_best().files[0].text, "-3");
        assert!(candidates < 120, "{candidates}");
    }

    #[test]
    fn what_is_indented_comes_out_of_the_blocks_around_it() {
        let functions = (0..30)
            .map(|n| format!("def f{n}(a):\n    if a:\n        g{n}()\n    return {n} / 0\n\n"));
        let text = functions.collect::<Vec<_>>().concat();
        // Valid is what is indented just below a line that ends in a colon, or not at all.
        let is_valid = |text: &str| {
            let mut depths = vec![0];
            text.lines().filter(|it| !it.trim().is_empty()).all(|line| {
                let depth = line.len() - line.trim_start().len();
                depths.truncate(depth / 4 + 1);
                let is_here = depth == (depths.len() - 1) * 4;
                depths.extend(line.ends_with(':').then_some(depth + 4));
                is_here
            })
        };
        let mut oracle = FromFn(|sources: &Sources| {
            let text = &sources.files[0].text;
            if is_valid(text) && text.contains("return 17 / 0") {
                Outcome::Fail
            } else {
                Outcome::Unresolved
            }
        });
        let sources = Sources::of_file("a.py", text, Sameness::Text);
        let mut problem = Problem::new(sources, &mut oracle, Memory::Remember);
        reduce_text(&mut problem).unwrap();
        let candidates = problem.counts().candidates;
        assert_eq!(&*problem.into_best().files[0].text, "return 17 / 0");
        assert!(candidates < 120, "{candidates}");
    }
}

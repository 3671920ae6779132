//! Text that is not Rust: the passes for the texts of a test's inputs shorten it.

use std::sync::Arc;

use super::driver::cut_large;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value, shorten_texts};
use crate::reduce::{Answer, Memory, Oracle, Outcome, Problem, Result, Stop, Until};
use crate::rust::{Piece, Sources};

/// Reduces the best of `problem`, whatever its language, until no character can be removed.
///
/// # Errors
/// When the search must stop; the problem's best is the result so far.
pub fn reduce_text(problem: &mut Problem<'_, Sources>) -> Result<()> {
    cut_large(problem)?;
    let texts = texts_of(problem.best());
    let mut files = Files { base: problem.best().clone(), problem, stopped: None };
    let ended = shorten_texts(&mut Problem::new(texts, &mut files, Memory::Forget));
    files.stopped.map_or(ended, Err)
}

/// Each file as an input of its own.
fn texts_of(sources: &Sources) -> Inputs {
    let leaf = |(id, text): (u32, &str)| {
        Arc::new(Node { id: NodeId(id), body: Body::Leaf(Value::Text(text.to_owned())) })
    };
    Inputs((0..).zip(sources.files.iter().map(|file| &*file.text)).map(leaf).collect())
}

/// Judges texts by the problem whose files have them.
struct Files<'s, 'a> {
    base: Sources,
    problem: &'s mut Problem<'a, Sources>,
    /// Why the search must stop.
    stopped: Option<Stop>,
}

impl Files<'_, '_> {
    fn with(&self, texts: &Inputs) -> Sources {
        let texts = texts.leaves().filter_map(|(_, value)| value.as_text());
        let files = self.base.files.iter().zip(texts);
        let made = |text: &str| vec![Piece::Made(text.to_owned())];
        self.base.compose(files.map(|(file, text)| (Arc::clone(&file.path), made(text))).collect())
    }
}

impl Oracle<Inputs> for Files<'_, '_> {
    fn ask(&mut self, candidate: &Inputs) -> Answer<Outcome> {
        Ok(self.ask_until_fail(std::slice::from_ref(candidate))?[0])
    }

    /// What the problem accepts fails, what it does not even ask for, as it has more tokens, is no answer.
    fn run(&mut self, candidates: &[Inputs], until: Until) -> Answer<Vec<Outcome>> {
        if until == Until::End {
            return candidates.iter().map(|candidate| self.ask(candidate)).collect();
        }
        let files: Vec<Sources> = candidates.iter().map(|texts| self.with(texts)).collect();
        let hit = self.problem.consider_first(files).map_err(|stop| {
            let reason = stop.to_string();
            self.stopped = Some(stop);
            reason
        })?;
        let mut outcomes = vec![Outcome::Unresolved; hit.map_or(candidates.len(), |hit| hit + 1)];
        if let Some(hit) = hit {
            outcomes[hit] = Outcome::Fail;
        }
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        self.problem.batch()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::FromFn;
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

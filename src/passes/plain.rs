//! The schedule for text that is not Rust: brackets level by level, then lines, pieces and characters.

use super::text::{characters, lines, pieces};
use super::{Reduction, Sources, brackets};
use crate::reduce::{Approach, Problem, Stop, apply_patches};

/// Reduces the best of `problem`, whatever its language, until no character can be removed.
///
/// # Errors
/// When the search must stop; the problem's best is the result so far.
pub fn reduce_text(problem: &mut Problem<'_, Sources>) -> Result<(), Stop> {
    loop {
        let before = problem.counts().accepted;
        while reduce_structure(problem)? {}
        search(problem, lines)?;
        search(problem, pieces)?;
        search(problem, characters)?;
        if problem.counts().accepted == before {
            return Ok(());
        }
    }
}

/// Goes through the brackets once, from the outermost to the innermost; whether anything was accepted.
fn reduce_structure(problem: &mut Problem<'_, Sources>) -> Result<bool, Stop> {
    let before = problem.counts().accepted;
    let mut depth = 0;
    while problem
        .best()
        .files
        .iter()
        .any(|file| brackets::elements(&file.text, depth).is_some())
    {
        search(problem, |text| {
            brackets::elements(text, depth).unwrap_or_default()
        })?;
        depth += 1;
    }
    search(problem, brackets::hoists)?;
    Ok(problem.counts().accepted > before)
}

/// From how many patches on bundles of untried ones pay: below, single ones cost less.
const MANY: usize = 64;

fn search(
    problem: &mut Problem<'_, Sources>,
    propose: impl Fn(&str) -> Vec<Reduction>,
) -> Result<(), Stop> {
    let base = problem.best().clone();
    let files = base.files.iter().enumerate();
    let patches: Vec<(usize, Reduction)> = files
        .flat_map(|(place, file)| {
            propose(&file.text)
                .into_iter()
                .map(move |reduction| (place, reduction))
        })
        .collect();
    let weights: Vec<usize> = patches
        .iter()
        .map(|(_, reduction)| usize::try_from(reduction.saving()).unwrap_or(0))
        .collect();
    let approach = if patches.len() > MANY {
        Approach::Halves
    } else {
        Approach::OneByOne
    };
    apply_patches(problem, &weights, approach, |chosen| {
        let edits = chosen.iter().map(|index| &patches[*index]);
        Some(base.edit(edits.map(|(place, reduction)| (*place, reduction))))
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{Sameness, SourceFile};
    use crate::reduce::{FromFn, Memory, Outcome};

    #[test]
    fn what_is_deep_in_brackets_is_found_with_few_candidates() {
        let noise: Vec<String> = (0..60)
            .map(|n| format!("{{\"k{n}\":[{n},[{n}]]}}"))
            .collect();
        let text = format!(
            "[{},{{\"x\":[1,[2,-3]]}},{}]",
            noise.join(","),
            noise.join(",")
        );
        let mut oracle = FromFn(|sources: &Sources| {
            let is_valid =
                serde_json::from_str::<serde_json::Value>(&sources.files[0].text).is_ok();
            let fails = is_valid && sources.files[0].text.contains("-3");
            if fails {
                Outcome::Fail
            } else {
                Outcome::Unresolved
            }
        });
        let file = SourceFile {
            path: "a.json".into(),
            text: text.as_str().into(),
        };
        let sources = Sources::new(vec![file], Sameness::Text);
        let mut problem = Problem::new(sources, &mut oracle, Memory::Remember);
        reduce_text(&mut problem).unwrap();
        let candidates = problem.counts().candidates;
        assert_eq!(&*problem.into_best().files[0].text, "-3");
        assert!(candidates < 120, "{candidates}");
    }
}

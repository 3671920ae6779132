//! Macros in the way of the search: the reduced source with its macros expanded, reduced further.

use super::case::Case;
use super::{CrashJob, search};
use crate::app::failure::Result;
use crate::app::search_driver::Searched;
use crate::oracle::ice::Compilation;
use crate::reduce::Candidate;
use crate::rust::{Sameness, Sources, has_own_macros, without_prelude};

/// What was `found`, or what comes of it when its macros are expanded, if that is smaller. Nothing is
/// done without macros of its own, or when the crash is gone with them.
///
/// # Errors
/// When the compiler cannot be run.
pub fn without_macros(
    job: &CrashJob,
    case: &Case,
    found: Searched<Sources>,
) -> Result<Searched<Sources>> {
    let mut files = found.best.files.iter();
    if found.ended.is_err() || !files.any(|file| has_own_macros(&file.text)) {
        return Ok(found);
    }
    let Some(expanded) = expanded(job, &case.for_candidates(job), &found.best)? else {
        return Ok(found);
    };
    job.stage("Expanding", "the remaining macros");
    let case = Case { sources: expanded, ..case.clone() };
    let further = search::reduce(job, &case, Some(&found.best))?;
    let counts = found.counts + further.counts;
    let is_smaller = further.best.key() < found.best.key();
    let smaller = if is_smaller { further } else { Searched { ended: further.ended, ..found } };
    Ok(Searched { counts, ..smaller })
}

/// The source with its macros expanded, if it still crashes.
fn expanded(job: &CrashJob, compilation: &Compilation, best: &Sources) -> Result<Option<Sources>> {
    let printed = compilation.expand(best, &job.interrupt)?;
    let text = without_prelude(&printed);
    if text.trim().is_empty() {
        return Ok(None);
    }
    let expanded = Sources::of_file(best.files[0].path.clone(), text, Sameness::Tokens);
    Ok(job.crashes(compilation, &expanded)?.then_some(expanded))
}

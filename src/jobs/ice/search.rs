//! The search for the smallest source that crashes in the same way.

use camino::Utf8PathBuf;

use super::CrashJob;
use super::case::Case;
use super::flags::with_shortcuts;
use super::result::signature;
use crate::app::failure::{Failure, Result};
use crate::app::files::{FileContent, Shown, contents, search};
use crate::app::search_driver::Searched;
use crate::disk::remove;
use crate::oracle::ice::{Compilation, IceOracle};
use crate::oracle::pool::Pool;
use crate::oracle::pooled::Workers;
use crate::oracle::store::{Key, Store};
use crate::oracle::stored::{StoredOracle, source_key};
use crate::reduce::Candidate;
use crate::report::Event;
use crate::rust::{Sources, StandIn};
use crate::schedule::{self, Settings};

/// Reduces the sources of the case as long as they crash by the rule; first with flags that make a run
/// shorter, and if the result crashes only with those, without them. Of a `known` result it says that
/// only what is smaller is to be kept on disk.
///
/// # Errors
/// When the compiler cannot be run.
pub fn reduce(job: &CrashJob, case: &Case, known: Option<&Sources>) -> Result<Searched<Sources>> {
    let plain = case.for_candidates(job);
    let fast = with_shortcuts(job, &plain, &case.sources)?;
    let found = reduce_with(job, case, &fast, known)?;
    if job.crashes(&case.compilation, &found.best)? {
        return Ok(found);
    }
    job.tell(&Event::Warning(
        "the result crashes in another way because of shortcuts in the search; searching again without them".into(),
    ));
    reduce_with(job, case, &plain, known)
}

fn reduce_with(
    job: &CrashJob,
    case: &Case,
    compilation: &Compilation,
    known: Option<&Sources>,
) -> Result<Searched<Sources>> {
    let pool = Pool::new(job.config.workers, job.interrupt.clone());
    let judged = job.rule.identity(compilation).map_err(|it| Failure::error(it.to_string()))?;
    let mut oracle = IceOracle::new(compilation.clone(), pool, job.rule.clone());
    // The first search tells of the others.
    let first = known.is_none().then(|| source_key(judged)(&case.sources));
    if let Some(folder) = first.and_then(|search| others(job, search)) {
        oracle = oracle.keeping(folder.as_std_path(), &job.interrupt)?;
    }
    // Outcomes of crashes that come and go say nothing about the next run.
    let store = if job.rule.runs > 1 { Store::in_memory() } else { job.store() };
    let stored = StoredOracle::new(Workers(&oracle), store, source_key(judged));
    let settings = Settings { stand_in: StandIn::Loop, is_switched: false };
    let found = search(
        job,
        &case.sources,
        stored,
        Shown {
            files: |best: &Sources| {
                let is_new = known.is_none_or(|known| best.key() < known.key());
                is_new.then(|| contents(best))
            },
            size: Sources::tokens,
        },
        |problem| schedule::reduce(problem, settings),
    );
    if known.is_none() {
        keep_others(job, &oracle)?;
    }
    Ok(found)
}

/// Where the sources of other crashes of this search are kept along with the outcomes; those of others go.
fn others(job: &CrashJob, search: Key) -> Option<Utf8PathBuf> {
    if job.config.control.fresh || job.rule.runs > 1 {
        return None;
    }
    let folder = job.results().own("others");
    let own = folder.join(search.hex());
    if !own.exists() {
        let _ = remove(folder.as_std_path());
    }
    Some(own)
}

/// Adds the sources of other crashes to the result, and tells of them.
fn keep_others(job: &CrashJob, oracle: &IceOracle) -> Result<()> {
    for (place, other) in oracle.others().iter().enumerate() {
        let file = FileContent {
            name: format!("other-crash-{}.rs", place + 1),
            bytes: other.sources.files[0].text.as_bytes().to_vec(),
        };
        job.tell(&Event::OtherFailure {
            signature: signature(&other.crash),
            path: job.out_path(&file.name).into_string(),
        });
        job.stage_files(&[file])?;
    }
    Ok(())
}

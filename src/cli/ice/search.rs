//! The search for the smallest source that crashes in the same way.

use super::IceConfig;
use super::case::Case;
use super::flags::{crashes, with_shortcuts};
use super::result::signature;
use crate::cli::failure::Failure;
use crate::cli::files::{FilesJob, Found, contents, search};
use crate::disk::write_atomic;
use crate::oracle::ice::{Compilation, IceOracle, Rule};
use crate::oracle::pool::Pool;
use crate::oracle::pooled::Workers;
use crate::passes::{self, Settings, Sources, StandIn};
use crate::reduce::Candidate;
use crate::report::Event;

/// Reduces the sources of the case as long as they crash by `rule`; first with flags that make a run
/// shorter, and if the result crashes only with those, without them. Of a `known` result it says that
/// only what is smaller is to be kept on disk.
///
/// # Errors
/// When the compiler cannot be run.
pub fn reduce(
    config: &IceConfig,
    job: &FilesJob<'_>,
    case: &Case,
    rule: &Rule,
    known: Option<&Sources>,
) -> Result<Found<Sources>, Failure> {
    let plain = case.for_candidates(job);
    let fast = with_shortcuts(job, &plain, &case.sources, rule)?;
    let found = reduce_with(config, job, case, (&fast, rule), known)?;
    if crashes(job, &case.compilation, &found.best, rule)? {
        return Ok(found);
    }
    job.tell(&Event::Warning(
        "the shortcuts changed the crash: searching again without them".into(),
    ));
    reduce_with(config, job, case, (&plain, rule), known)
}

fn reduce_with(
    config: &IceConfig,
    job: &FilesJob<'_>,
    case: &Case,
    (compilation, rule): (&Compilation, &Rule),
    known: Option<&Sources>,
) -> Result<Found<Sources>, Failure> {
    let pool = Pool::new(config.files.workers, job.interrupt.clone());
    let oracle = IceOracle::new(compilation.clone(), pool, rule.clone());
    let settings = Settings {
        stand_in: StandIn::Loop,
        is_switched: false,
    };
    let found = search(
        job,
        case.sources.clone(),
        &mut Workers(&oracle),
        |best| {
            let is_new = known.is_none_or(|known| best.key() < known.key());
            let files = if is_new { contents(best) } else { Vec::new() };
            (files, best.tokens())
        },
        |problem| passes::reduce(problem, settings),
    );
    // The first search has told of the others.
    if known.is_none() {
        keep_others(job, &oracle)?;
    }
    Ok(found)
}

/// Keeps the sources of other crashes, and tells of them.
fn keep_others(job: &FilesJob<'_>, oracle: &IceOracle) -> Result<(), Failure> {
    for (place, other) in oracle.others().iter().enumerate() {
        let path = job.out().join(format!("other-crash-{}.rs", place + 1));
        write_atomic(path.as_std_path(), other.sources.files[0].text.as_bytes())?;
        job.tell(&Event::OtherFailure {
            signature: signature(&other.crash),
            path: path.into_string(),
        });
    }
    Ok(())
}

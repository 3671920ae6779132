//! From a source that crashes the compiler to the smallest one that still does.

use camino::Utf8PathBuf;

use super::case::Case;
use super::result::{self, Kept, REPORT, signature};
use super::{CrashJob, IceConfig, IceJob, expansion, file, flags, package, search};
use crate::app::config::Config;
use crate::app::console::Console;
use crate::app::exit::Exit;
use crate::app::failure::Result;
use crate::app::files::{End, contents};
use crate::app::search_driver::Searched;
use crate::exec::Interrupt;
use crate::jobs::tried_alone::tried_alone;
use crate::oracle::ice::Compilation;
use crate::reduce::{Counts, KnownOutcomes, Outcome};
use crate::report::{Artifacts, Status};
use crate::rust::Sources;

/// Reduces the files while the compiler crashes in the same way.
///
/// # Errors
/// When the compiler does not crash on the original, or not always, or cannot be run.
pub fn run(
    config: &Config,
    asked: &IceConfig,
    console: &Console,
    interrupt: Interrupt,
) -> Result<Exit> {
    let job = IceJob::start(config, asked, console, interrupt)?;
    match &asked.package {
        None => {
            let case = file::find(&job)?;
            let job = CrashJob { job: &job, rule: &case.rule(&job)? };
            job.failure(&case.name, "", &signature(&job.rule.crash));
            let reduced = reduce(&job, &case)?;
            finish(&job, &case, reduced, None)
        }
        Some(package) => {
            let found = package::find(package, &job)?;
            let job = CrashJob { job: &job, rule: &found.case.rule(&job)? };
            job.failure(&found.case.name, "", &signature(&job.rule.crash));
            let mut reduced = reduce(&job, &found.case)?;
            if package.inline_deps && reduced.status != Status::Interrupted {
                let Reduced { compilation, best, .. } = &reduced;
                if let Some(case) = package::inlined(package, &job, &found, compilation, best)? {
                    reduced = reduced.then(reduce(&job, &case)?);
                }
            }
            let compilation = &reduced.compilation;
            let folder = package::keep_package(package, &job, &found, compilation)?;
            finish(&job, &found.case, reduced, folder)
        }
    }
}

/// A crash reduced and kept.
struct Reduced {
    best: Sources,
    compilation: Compilation,
    kept: Kept,
    /// What the last search has learned of candidates.
    known: KnownOutcomes,
    status: Status,
    counts: Counts,
}

impl Reduced {
    /// What came after this, which counts as well.
    fn then(self, after: Reduced) -> Reduced {
        Reduced { counts: self.counts + after.counts, ..after }
    }
}

fn reduce(job: &CrashJob, case: &Case) -> Result<Reduced> {
    let found = search::reduce(job, case, None)?;
    let found = expansion::without_macros(job, case, found)?;
    let status = job.ended(found.ended, found.counts.accepted > 0)?;
    let quick = case.for_candidates(job);
    let mut compilation = flags::without_needless(job, &quick, &found.best)?;
    compilation.rustc.limits = case.compilation.rustc.limits.clone();
    let kept = result::keep(job, case, &compilation, found.best.clone())?;
    let Searched { best, counts, known, .. } = found;
    Ok(Reduced { best, compilation, kept, known, status, counts })
}

fn finish(
    job: &CrashJob,
    case: &Case,
    reduced: Reduced,
    package: Option<Utf8PathBuf>,
) -> Result<Exit> {
    let Kept { sources, files, confirmed, command, .. } = reduced.kept;
    let end = End {
        parts: tried_alone(&sources, &reduced.known, without),
        files,
        status: reduced.status,
        confirmed,
        signature: signature(&job.rule.crash),
        counts: reduced.counts,
        builds: 0,
        doubt: None,
        artifacts: Artifacts {
            report: confirmed.then(|| job.out_path(REPORT).into_string()),
            package: package.filter(|_| confirmed).map(Utf8PathBuf::into_string),
            ..Artifacts::default()
        },
        command: Some(command),
    };
    job.finish(&case.given, &contents(&sources), end)
}

/// What the compiler does without a part.
fn without(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fail => "the compiler crashes in the same way",
        Outcome::Pass => "the compiler does not crash",
        Outcome::Unresolved => "the compiler crashes in another way, or reports an error first",
        Outcome::Timeout => "the compiler does not finish in time",
    }
}

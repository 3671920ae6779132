//! From a source that crashes the compiler to the smallest one that still does.

use super::result::{self, signature};
use super::{IceConfig, file, flags, search};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::files::{End, FilesJob};
use crate::exec::Interrupt;
use crate::report::{Artifacts, Event, Reporter};

/// Reduces the files while the compiler crashes in the same way.
///
/// # Errors
/// When the compiler does not crash on the original, or not always, or cannot be run.
pub fn run(
    config: &IceConfig,
    reporter: &mut dyn Reporter,
    interrupt: Interrupt,
) -> Result<Exit, Failure> {
    let job = FilesJob::new(&config.files, reporter, interrupt);
    let case = file::find(config, &job)?;
    let rule = case.rule(config, &job)?;
    job.failure(&case.name, &signature(&rule.crash));
    let found = search::reduce(config, &job, &case, &rule)?;
    let status = job.ended(found.ended, found.counts.accepted > 0)?;
    let compilation = flags::without_needless(&job, &case.compilation, &found.best, &rule)?;
    let kept = result::keep(&job, &case, &compilation, found.best, &rule)?;
    if config.markdown {
        job.tell(&Event::Document(kept.report));
    }
    let end = End {
        status,
        confirmed: kept.confirmed,
        signature: signature(&rule.crash),
        counts: found.counts,
        builds: 0,
        artifacts: Artifacts {
            report: Some(kept.report_path),
            ..Artifacts::default()
        },
    };
    Ok(job.finish(&case.given, &kept.files, end))
}

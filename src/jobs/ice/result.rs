//! What is kept of a reduced crash.

use super::CrashJob;
use super::case::Case;
use crate::app::failure::{Failure, Result};
use crate::app::files::{FileContent, contents};
use crate::emit::CrashReport;
use crate::oracle::ice::{Compilation, Crash, CrashKind};
use crate::oracle::signature::{FailureKind, Signature};
use crate::reduce::Candidate;
use crate::report::Event;
use crate::rust::{self, Sources};

/// The file of the issue report.
pub const REPORT: &str = "report.md";

/// A reduced crash, once more confirmed.
pub struct Kept {
    /// The sources.
    pub sources: Sources,
    /// The files, the first of them under a comment that says how to see the crash, unless nothing went.
    pub files: Vec<FileContent>,
    /// The command that shows the crash.
    pub command: String,
    /// Whether the plain compiler was seen to crash in the same way.
    pub confirmed: bool,
}

/// Adds the reduced source and the issue report to the result, and shows the report if the user wants that.
///
/// # Errors
/// When the compiler cannot be run, or the files cannot be written.
pub fn keep(job: &CrashJob, case: &Case, compilation: &Compilation, best: Sources) -> Result<Kept> {
    let is_smaller = best.tokens() < case.tokens;
    let best = if is_smaller { pretty(job, case, compilation, best)? } else { best };
    let confirmed = job.crashes(compilation, &best)?;
    let last = compilation.run(&best, &job.interrupt_of_result())?;
    let version = compilation.rustc.version().map_err(|error| Failure::error(error.to_string()))?;
    let command = compilation.rustc.command_line(&best.files[0].path);
    let report = CrashReport {
        source: &best.files[0].text,
        command: &command,
        version: &version,
        output: &last.output,
        tokens: (case.tokens, best.tokens()),
    };
    let mut files = contents(&best);
    if is_smaller {
        files[0].bytes = report.commented().into_bytes();
    }
    job.stage_files(&files)?;
    let report = report.markdown();
    let bytes = report.clone().into_bytes();
    job.stage_files(&[FileContent { name: REPORT.to_owned(), bytes }])?;
    if job.asked.markdown {
        job.tell(&Event::Document(report));
    }
    Ok(Kept { sources: best, files, command, confirmed })
}

/// The result laid out as people do, or at least indented where it cannot be parsed, if it is the same to the compiler.
fn pretty(
    job: &CrashJob,
    case: &Case,
    compilation: &Compilation,
    best: Sources,
) -> Result<Sources> {
    let pretty = best.rewrite(|_, text| rust::laid_out(text));
    let given: usize = case.given.iter().map(|file| file.bytes.len()).sum();
    let bytes: usize = pretty.files.iter().map(|file| file.text.len()).sum();
    // Where little went from a source that was laid out tightly, it would be larger than it was.
    let is_no_worse = pretty.key().0 <= best.key().0 && bytes <= given;
    Ok(if is_no_worse && job.crashes(compilation, &pretty)? { pretty } else { best })
}

/// A crash as reports show it.
pub fn signature(crash: &Crash) -> Signature {
    let kind = match crash.kind {
        CrashKind::Timeout => FailureKind::Timeout,
        CrashKind::Signal => FailureKind::Signal,
        CrashKind::Panic | CrashKind::DelayedBug | CrashKind::Llvm | CrashKind::Memory => {
            FailureKind::Ice
        }
    };
    let signature = Signature::new(kind, crash.message.clone());
    match crash.location.as_deref().map(str::parse) {
        Some(Ok(location)) => signature.at(location),
        _ => signature,
    }
}

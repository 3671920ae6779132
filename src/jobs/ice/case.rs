//! A crash that comes back: what is compiled, and how.

use std::time::Duration;

use super::IceJob;
use crate::app::failure::{Failure, Result};
use crate::app::files::FileContent;
use crate::oracle::ice::{
    Compilation, Compiled, CrashKind, CrashMatcher, Demand, Elsewhere, Rustc,
};
use crate::report::Status;
use crate::rust::Sources;

/// How long the original may take unless the user says so; longer counts as an endless compilation.
pub const FIRST_RUN: Duration = Duration::from_mins(2);
/// How long a candidate may take when the original's crash is that it does not end: those that do end
/// are smaller and take less. The result gets as much time as the original.
const HANG: Duration = Duration::from_secs(10);
/// How often the original has to crash in the same way before the search starts.
const FIRST_RUNS: usize = 3;

/// A crash on sources that can be compiled again and again.
#[derive(Debug, Clone)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// The files as the user has them.
    pub given: Vec<FileContent>,
    /// How many tokens they have.
    pub tokens: usize,
    /// The same as the candidate that the search starts from.
    pub sources: Sources,
    /// How they are compiled.
    pub compilation: Compilation,
    /// The first run that crashed.
    pub first: Compiled,
}

/// The compiler that the user's environment and `toolchain` stand for.
///
/// # Errors
/// When there is none.
pub fn find_rustc(job: &IceJob<'_>, toolchain: Option<&str>) -> Result<Rustc> {
    let program =
        std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), std::path::PathBuf::from);
    Rustc::find(&program, toolchain, job.limits_within(FIRST_RUN), &job.config.sandbox)
        .map_err(|error| Failure::error(error.to_string()))
}

/// Compiles until it crashes, at most as often as `--runs` says. Without `--runs` it has to crash in
/// the same way each time. `Err(None)` if it never crashes, along with what was printed last.
///
/// # Errors
/// When it cannot be compiled, or crashes in different ways.
pub fn crash_of(
    job: &IceJob<'_>,
    compilation: &Compilation,
    sources: &Sources,
) -> Result<Result<Compiled, String>> {
    let in_time = job.interrupt_in_time();
    let run = || {
        compilation.run(sources, &in_time).map_err(|error| {
            if in_time.is_late() && !job.interrupt.is_set() {
                out_of_time(job)
            } else {
                Failure::from(error)
            }
        })
    };
    let mut first = run()?;
    for _ in 1..job.asked.runs {
        if first.verdict.crash.is_some() {
            break;
        }
        first = run()?;
    }
    if first.verdict.crash.is_none() {
        return Ok(Err(first.output));
    }
    let is_slow = first.wall >= FIRST_RUN;
    let checks = if job.asked.runs > 1 || is_slow { 1 } else { FIRST_RUNS };
    for _ in 1..checks {
        let again = run()?;
        if again.verdict != first.verdict {
            return Err(Failure::new(
                Status::Flaky,
                "the compiler does not always crash in the same way",
            )
            .hint("use `--runs N` to compile each candidate up to N times"));
        }
    }
    Ok(Ok(first))
}

/// That the original alone takes longer than the whole job may.
fn out_of_time(job: &IceJob<'_>) -> Failure {
    let limit = job.config.control.max_time.unwrap_or_default();
    Failure::error(format!(
        "`--max-time` ({limit:?}) ran out while the original was being compiled, before the search started"
    ))
    .hint("the original is compiled several times: set `--max-time` to a multiple of one compilation")
}

impl Case {
    /// The compilation with the limits of a candidate.
    pub fn for_candidates(&self, job: &IceJob<'_>) -> Compilation {
        let crash = self.first.verdict.crash.as_ref();
        let is_endless = crash.is_some_and(|crash| crash.kind == CrashKind::Timeout);
        let mut compilation = self.compilation.clone();
        compilation.rustc.limits =
            if is_endless { job.limits_within(HANG) } else { job.limits_after(self.first.wall) };
        compilation
    }

    /// What a candidate has to do: what the original does, here and with the other toolchains.
    ///
    /// # Errors
    /// When another toolchain is not there, or does not do on the original what is demanded.
    pub fn rule(&self, job: &IceJob<'_>) -> Result<CrashMatcher> {
        let mut rule = CrashMatcher::new(&self.first.verdict, job.asked.errors)
            .ok_or_else(|| Failure::new(Status::NotFailing, "the compiler does not crash"))?;
        rule.runs = job.asked.runs;
        if !rule.outcome(&self.first.verdict).is_fail() {
            let message = "the compiler reports other errors besides the crash";
            return Err(Failure::new(Status::NotFailing, message)
                .hint("use `--errors allow` to ignore them"));
        }
        for other in &job.asked.elsewhere {
            let rustc = find_rustc(job, Some(&other.toolchain))?
                .with_args(self.compilation.rustc.args.iter().cloned());
            let elsewhere = Elsewhere {
                compilation: Compilation { rustc, beside: self.compilation.beside.clone() },
                demand: other.demand,
            };
            if !elsewhere.agrees(&self.sources, &rule.crash, &job.interrupt)? {
                let does_not = match other.demand {
                    Demand::Crash => "does not crash in the same way",
                    Demand::NoCrash => "crashes too",
                    Demand::Compile => "does not compile it",
                };
                let message = format!("toolchain `{}` {does_not}", other.toolchain);
                return Err(Failure::new(Status::NotFailing, message));
            }
            rule.elsewhere.push(elsewhere);
        }
        Ok(rule)
    }
}

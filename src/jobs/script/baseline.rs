//! The command on the unchanged files: it has to say that they are interesting.

use std::time::Duration;

use super::ScriptJob;
use crate::app::failure::{Failure, Result};
use crate::app::files::FileContent;
use crate::exec::{Exit, Finished};
use crate::oracle::pool::Pool;
use crate::oracle::script::{Command, ScriptOracle};
use crate::reduce::Outcome;
use crate::report::Status;

/// How long the command may take on the original unless the user says so.
const FIRST_RUN: Duration = Duration::from_mins(10);
/// How often the original has to be interesting before the search starts.
const FIRST_RUNS: usize = 3;

/// Runs the command on the unchanged files; the oracle's limits come from how long that takes.
///
/// # Errors
/// When the files are not interesting, or the command cannot be run.
pub fn reproduce(job: &ScriptJob<'_>, given: &[FileContent]) -> Result<ScriptOracle> {
    job.stage("Running", job.asked.command.clone());
    let command = Command::parse(&job.asked.command, job.config.cwd.as_std_path())
        .map_err(|error| Failure::error(error.to_string()))?;
    let oracle = |limits| {
        let pool = Pool::new(job.config.workers, job.interrupt.clone());
        ScriptOracle::new(
            command.clone(),
            pool,
            limits,
            job.asked.stdout.clone(),
            &job.config.sandbox,
        )
    };
    let files = super::values::bytes_of(given);
    let first = oracle(job.limits_within(FIRST_RUN));
    let mut slowest = Duration::ZERO;
    for run in 0..FIRST_RUNS {
        let finished = first.run(&files, &job.interrupt)?;
        let outcome = first.interpret(&finished);
        if !outcome.is_fail() {
            return Err(not_interesting(run, outcome, &finished));
        }
        slowest = slowest.max(finished.wall);
    }
    Ok(oracle(job.limits_after(slowest)))
}

fn not_interesting(run: usize, outcome: Outcome, finished: &Finished) -> Failure {
    let how = match (finished.exit, outcome) {
        (Exit::Code(0), _) => {
            "it exits with 0, but its output does not match `--oracle-prints`".to_owned()
        }
        (Exit::Code(code), _) => format!("it exits with {code}"),
        (Exit::Signal(signal), _) => format!("it is killed by signal {signal}"),
        (Exit::TimedOut, _) => "it does not finish in time".to_owned(),
    };
    if run > 0 {
        return Failure::new(
            Status::Flaky,
            format!("the command does not give the same answer each time: now {how}"),
        );
    }
    let failure = Failure::new(
        Status::NotFailing,
        format!("the files are not interesting to begin with: {how}"),
    )
    .hint("the command has to exit with 0 for the original files (125: cannot be judged; other codes: not interesting)");
    let said = [finished.stdout.text(), finished.stderr.text()].concat();
    match said.trim().lines().last() {
        Some(last) => failure.hint(format!("its last line of output: {last}")),
        None => failure,
    }
}

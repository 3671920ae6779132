//! The plain `cargo test` of one test, as the user would run it.

use std::time::Duration;

use camino::Utf8Path;

use super::config::Config;
use super::failure::Result;
use super::limits::run_limits;
use crate::exec::{Access, Captured, Finished, Interrupt, Job, Limits, Protection, run_tool};
use crate::oracle::libtest::{Callers, Verdict, innermost_call, telling_calls};
use crate::oracle::runner::{TestRunner, exit_in};
use crate::oracle::signature::{Location, Signature};
use crate::project::{Enclosure, Snapshot, TargetChoice, cargo_program, shut_in, spec_at};
use crate::report::seen_from;

/// How long a build may take.
const BUILD_LIMIT: Duration = Duration::from_mins(10);
/// What cargo itself may take besides the test.
const CARGO_BYTES: u64 = 1 << 30;

/// A plain `cargo test` of one test.
#[derive(Debug, Clone, Copy)]
pub struct PlainTest<'a> {
    /// How cargo is called.
    pub config: &'a Config,
    /// The manifest it is called with.
    pub manifest: &'a Utf8Path,
    /// The target directory, if it is not the manifest's own.
    pub target_dir: Option<&'a Utf8Path>,
    /// The package that holds the test.
    pub package: &'a str,
    /// The target that holds it.
    pub target: &'a TargetChoice,
    /// What runs it.
    pub runner: TestRunner,
    /// Its name.
    pub test: &'a str,
    /// Whose sources these are.
    pub tree: Tree<'a>,
}

/// Whose sources a test is built from.
#[derive(Debug, Clone, Copy)]
pub enum Tree<'a> {
    /// The user's own, as they stand: they run as for the user.
    Users,
    /// A copy at this root, which may hold a candidate: it is built and run in the sandbox.
    Copy(&'a Utf8Path),
}

impl PlainTest<'_> {
    /// The arguments of cargo up to those that select the test.
    fn target_args(&self, manifest: &Utf8Path) -> Vec<String> {
        let mut args = vec!["test".to_owned(), "--manifest-path".to_owned(), manifest.to_string()];
        args.extend(["-p".to_owned(), spec_at(self.package, self.manifest)]);
        args.extend(self.config.cargo.build_args());
        args.extend(self.target.args());
        args
    }

    fn args(&self, manifest: &Utf8Path) -> Vec<String> {
        let mut args = self.target_args(manifest);
        args.extend(self.runner.cargo_selection(self.test));
        args
    }

    /// As the user would type it.
    pub fn shown(&self) -> String {
        let manifest = seen_from(&self.config.cwd, self.manifest.as_str());
        format!("cargo {}", shell_words::join(self.args(Utf8Path::new(&*manifest))))
    }

    /// The arguments of cargo that build it.
    pub(super) fn build_args(&self) -> Vec<String> {
        let mut args = self.target_args(self.manifest);
        args.push("--no-run".to_owned());
        args
    }

    /// A build of it.
    pub(super) fn build(&self) -> Job {
        self.cargo(self.build_args()).time(BUILD_LIMIT)
    }

    /// A run of it.
    pub fn job(&self) -> Job {
        self.cargo(self.args(self.manifest)).args(self.runner.in_the_open())
    }

    fn cargo(&self, args: Vec<String>) -> Job {
        let job = Job::new(cargo_program())
            .args(args)
            .cwd(self.config.cwd.as_std_path())
            .without_backtraces()
            .env("CARGO_TERM_COLOR", "never");
        match self.target_dir {
            Some(folder) => job.env("CARGO_TARGET_DIR", folder.as_str()),
            None => job,
        }
    }

    /// Runs it; also what it said.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn observe(&self, limit: Duration, interrupt: &Interrupt) -> Result<(Verdict, String)> {
        let (verdict, finished) = self.finish(self.job().time(limit), interrupt)?;
        Ok((verdict, finished.stderr.text()))
    }

    /// The innermost call by one of `callers` that leads to the panic `shown`, as another run tells it; `None`
    /// where it tells of none.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn call_to(
        &self,
        shown: &Signature,
        callers: Callers<'_>,
        limit: Duration,
    ) -> Result<Option<Location>> {
        let job = telling_calls(self.job().time(limit));
        let (verdict, finished) = self.finish(job, &Interrupt::new())?;
        Ok(innermost_call(&verdict, &finished, shown, callers))
    }

    fn finish(&self, job: Job, interrupt: &Interrupt) -> Result<(Verdict, Finished)> {
        let finished = match self.tree {
            Tree::Users => run_tool(&job, interrupt)?,
            Tree::Copy(root) => self.run_confined(root, job, interrupt)?,
        };
        let finished = as_if_run_directly(finished);
        Ok((self.runner.interpret(&finished, self.test), finished))
    }

    /// Builds it, which changes the copy, and runs it, whose changes of the copy are thrown away.
    fn run_confined(&self, root: &Utf8Path, job: Job, interrupt: &Interrupt) -> Result<Finished> {
        let sandbox = &self.config.sandbox;
        let target_dir = self.target_dir.map_or_else(|| root.join("target"), Utf8Path::to_owned);
        // rustdoc builds documentation tests when it runs them.
        if self.runner != TestRunner::Rustdoc {
            let enclosure = Enclosure::new(sandbox, root, &target_dir);
            let built = enclosure.build(self.build(), interrupt)?;
            if !built.exit.is_success() {
                return Ok(built);
            }
        }
        let limits = run_limits(self.config);
        let time = job.limits.time;
        let job = shut_in(job).limits(Limits {
            memory_bytes: limits.memory_bytes.map(|bytes| bytes + CARGO_BYTES),
            time,
            ..limits
        });
        let outside = Some(&target_dir).filter(|folder| !folder.starts_with(root));
        let folders = [root].into_iter().chain(outside.map(|it| &**it));
        let confined = sandbox.confine(job, Access::discarding(folders));
        if sandbox.protection() == (Protection::Namespaces { overlay: true }) {
            return Ok(confined.run(interrupt)?);
        }
        // What the test changes is put back, as it cannot be thrown away.
        let before = Snapshot::of_sources(root, &target_dir)?;
        let finished = confined.run(interrupt)?;
        before.restore()?;
        Ok(finished)
    }
}

/// cargo tells in words how the test's process ended, and always exits with 101 itself.
fn as_if_run_directly(mut finished: Finished) -> Finished {
    let stderr = finished.stderr.text();
    let line = stderr.lines().rev().find(|line| line.contains("process didn't exit successfully"));
    if let Some(exit) = line.and_then(exit_in) {
        finished.exit = exit;
    }
    let own: Vec<&str> =
        stderr.lines().filter(|line| !line.starts_with("error: test failed")).collect();
    finished.stderr = Captured::from(own.join("\n").as_str());
    finished
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Exit;

    #[test]
    fn what_cargo_says_of_a_signal_counts_as_the_signal() {
        let stderr = "thread 'main' has overflowed its stack\nerror: test failed, to rerun pass `--test lint`\n\n\
                      Caused by:\n  process didn't exit successfully: `/t/lint x --exact` (signal: 6, SIGABRT: process abort signal)\n";
        let finished = Finished::printing(Exit::Code(101), "", stderr);
        assert_eq!(as_if_run_directly(finished).exit, Exit::Signal(6));
    }
}

//! The proof: the reduced inputs written out as plain source, and the plain `cargo test` failing with
//! them in the same way, in the test itself and in the regression test.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::config::Config;
use super::failure::Failure;
use super::find::does_not_build;
use super::inputs::rule;
use super::prober::scratch_manifest;
use super::regression::{Written, write_regression};
use super::session::Session;
use super::subject::Subject;
use crate::exec::{Captured, Exit, Finished, Interrupt, Job, run};
use crate::oracle::libtest::{Verdict, interpret};
use crate::oracle::signature::{Kind, Matcher, Signature};
use crate::project::{Scratch, TargetChoice, build_tests};
use crate::reduce::inputs::{Inputs, NodeId};
use crate::report::{Artifacts, Status};
use crate::source::{Edits, FileIndex, WriteBack};

/// cargo itself needs some time before the test begins.
const CARGO_TIME: Duration = Duration::from_secs(30);
/// A hang is watched for this long.
const HANG_TIME: Duration = Duration::from_secs(3);

/// A failure that the plain `cargo test` has shown.
#[derive(Debug)]
pub struct Confirmed {
    /// The failure, at its place in the original sources.
    pub signature: Signature,
    /// What was written.
    pub artifacts: Artifacts,
    /// The command that shows it.
    pub command: String,
    edits: Vec<(FileIndex, Edits)>,
}

/// Writes the inputs out, builds once, and runs the test and its regression test.
///
/// # Errors
/// When it does not build or does not fail in the same way.
pub fn confirm(
    session: &mut Session,
    config: &Config,
    subject: &Subject,
    scratch: &Scratch,
    best: &Inputs,
    signature: &Signature,
    slowest: Duration,
) -> Result<Confirmed, Failure> {
    let WriteBack { edits, files } = subject.found.write_back(&subject.krate, best);
    let written = write_regression(subject, scratch, best, &edits, signature)?;
    write_sources(subject, scratch, &written.edits, &files)?;
    build(session, config, subject, scratch, &written)?;
    let own = &subject.chosen.binary.choice;
    let runs = [
        (own, subject.chosen.test.as_str()),
        (&written.target, written.test.as_str()),
    ];
    let mut shown = None;
    for (target, test) in runs {
        let command = CargoTest {
            config,
            subject,
            scratch,
            target,
            test,
        };
        let seen = command.observe(signature.kind, slowest)?;
        let mapped = written.mapped_back(subject, &seen);
        if !Matcher::new(rule(config), signature.clone()).matches(&mapped) {
            return Err(disagreement(signature, &mapped, &command.shown()));
        }
        shown = Some((mapped, command.shown()));
    }
    let (signature, command) = shown.ok_or_else(|| Failure::error("nothing was run"))?;
    let regression_test = match config.write {
        true => written.write_to_tree(subject)?,
        false => written.path,
    };
    let artifacts = Artifacts {
        regression_test: Some(regression_test.into_string()),
        package: Some(scratch.root().to_string()),
        report: None,
    };
    Ok(Confirmed {
        signature,
        artifacts,
        command,
        edits,
    })
}

impl Confirmed {
    /// A reduced input as it now stands in the source.
    #[must_use]
    pub fn text_of(&self, subject: &Subject, id: NodeId) -> String {
        let place = subject.found.place(id);
        let text = &subject.krate.file(place.file).text;
        let edits = self.edits.iter().find(|(file, _)| *file == place.file);
        match edits {
            Some((_, edits)) => {
                let new = edits.apply(text);
                // An edit at the very end of the input belongs to it, so the end is looked for from
                // the byte after it.
                let range = place.range();
                new[edits.to_new(range.start)..edits.to_new(range.end)].to_owned()
            }
            None => text[place.range()].to_owned(),
        }
    }
}

fn write_sources(
    subject: &Subject,
    scratch: &Scratch,
    edits: &[(FileIndex, Edits)],
    files: &[(std::path::PathBuf, Vec<u8>)],
) -> Result<(), Failure> {
    for index in (0..).map(FileIndex).take(subject.krate.files().len()) {
        let Some(copy) = scratch.path_of(&subject.path(index)) else {
            continue;
        };
        let text = &subject.krate.file(index).text;
        let edited = edits.iter().find(|(file, _)| *file == index);
        let content = edited.map_or_else(|| text.clone(), |(_, edits)| edits.apply(text));
        scratch.write(&copy, content.as_bytes())?;
    }
    for (path, content) in files {
        let copy = Utf8Path::from_path(path).and_then(|path| scratch.path_of(path));
        let Some(copy) = copy else {
            return Err(Failure::error(format!(
                "`{}` stands outside of the workspace",
                path.display()
            )));
        };
        scratch.write(&copy, content)?;
    }
    Ok(())
}

fn build(
    session: &mut Session,
    config: &Config,
    subject: &Subject,
    scratch: &Scratch,
    written: &Written,
) -> Result<(), Failure> {
    let mut targets = vec![subject.chosen.binary.choice.clone()];
    if written.target != targets[0] {
        targets.push(written.target.clone());
    }
    let built = build_tests(
        &scratch_manifest(subject, scratch),
        Some(&scratch.target_dir()),
        &config.cargo,
        std::slice::from_ref(&subject.chosen.package),
        &targets,
        // The user may have stopped the search, but wants its result.
        &Interrupt::new(),
    )?;
    session.count_build(built.success);
    if built.success {
        Ok(())
    } else {
        Err(does_not_build(&built))
    }
}

/// A plain `cargo test` of one test.
struct CargoTest<'a> {
    config: &'a Config,
    subject: &'a Subject,
    scratch: &'a Scratch,
    target: &'a TargetChoice,
    test: &'a str,
}

impl CargoTest<'_> {
    fn args(&self, manifest: &Utf8Path) -> Vec<String> {
        let mut args = vec![
            "test".to_owned(),
            "--manifest-path".to_owned(),
            manifest.to_string(),
        ];
        args.extend(["-p".to_owned(), self.subject.chosen.package.clone()]);
        args.extend(self.config.cargo.build_args());
        args.extend(self.target.args());
        args.extend([self.test, "--", "--exact"].map(str::to_owned));
        args
    }

    /// As the user would type it.
    fn shown(&self) -> String {
        let manifest = scratch_manifest(self.subject, self.scratch);
        let relative = manifest
            .strip_prefix(&self.config.cwd)
            .map(Utf8Path::to_owned);
        let manifest: Utf8PathBuf = relative.unwrap_or(manifest);
        format!("cargo {}", shell_words::join(self.args(&manifest)))
    }

    fn observe(&self, kind: Kind, slowest: Duration) -> Result<Signature, Failure> {
        let limit = if kind == Kind::Timeout {
            HANG_TIME
        } else {
            CARGO_TIME + slowest * 20
        };
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let job = Job::new(cargo)
            .args(self.args(&scratch_manifest(self.subject, self.scratch)))
            .args(["--nocapture", "--test-threads=1", "--include-ignored"])
            .cwd(self.config.cwd.as_std_path())
            .env("CARGO_TARGET_DIR", self.scratch.target_dir().as_str())
            .env("RUST_BACKTRACE", "0")
            .env("CARGO_TERM_COLOR", "never")
            .time(limit);
        let finished = as_if_run_directly(run(&job, &Interrupt::new())?);
        match interpret(&finished, self.test) {
            Verdict::Failed(signature) => Ok(signature),
            Verdict::Passed => Err(disagreeing("it passes", &self.shown())),
            Verdict::NotRun => {
                let said = finished.stderr.text();
                Err(disagreeing(
                    &format!("it does not run\n{said}"),
                    &self.shown(),
                ))
            }
        }
    }
}

/// cargo tells in words how the test's process ended, and always exits with 101 itself.
fn as_if_run_directly(mut finished: Finished) -> Finished {
    let stderr = finished.stderr.text();
    let told = stderr
        .lines()
        .rev()
        .find(|line| line.contains("process didn't exit successfully"));
    if let Some(told) = told {
        let number = |label: &str| -> Option<i32> {
            let (_, rest) = told.rsplit_once(label)?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        };
        if let Some(signal) = number("(signal: ") {
            finished.exit = Exit::Signal(signal);
        } else if let Some(code) = number("(exit status: ") {
            finished.exit = Exit::Code(code);
        }
    }
    let own: Vec<&str> = stderr
        .lines()
        .filter(|line| !line.starts_with("error: test failed"))
        .collect();
    finished.stderr = Captured::from(own.join("\n").as_str());
    finished
}

fn disagreement(expected: &Signature, shown: &Signature, command: &str) -> Failure {
    disagreeing(
        &format!("it fails with {shown}\n  instead of {expected}"),
        command,
    )
}

fn disagreeing(what: &str, command: &str) -> Failure {
    Failure::new(
        Status::NotReproduced,
        format!("the plain `cargo test` does not confirm the reduction: {what}"),
    )
    .hint(format!("the command was: {command}"))
    .hint("`--tier process` or `--tier rebuild` keeps candidates further apart")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_says_of_a_signal_counts_as_the_signal() {
        let stderr = "thread 'main' has overflowed its stack\nerror: test failed, to rerun pass `--test lint`\n\n\
                      Caused by:\n  process didn't exit successfully: `/t/lint x --exact` (signal: 6, SIGABRT: process abort signal)\n";
        let finished = Finished {
            exit: Exit::Code(101),
            stdout: Captured::default(),
            stderr: stderr.into(),
            wall: Duration::ZERO,
        };
        assert_eq!(as_if_run_directly(finished).exit, Exit::Signal(6));
    }
}

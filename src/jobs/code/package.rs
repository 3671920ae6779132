//! The result: a package of its own that the plain `cargo test` fails on.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::code_job::CodeJob;
use super::flat_layout::{flat_layout, flat_path};
use super::layout::{Extras, kept_layout};
use super::make_buildable::write_package;
use super::search::ReducedCode;
use super::subject::CodeSubject;
use crate::app::config::Config;
use crate::app::failure::Failure;
use crate::app::limits::time_limit;
use crate::app::plain_test::{PlainTest, Tree};
use crate::app::session::Session;
use crate::disk::{NEW_RESULT, ResultFolder};
use crate::exec::Interrupt;
use crate::jobs::inputs::confirm::{HANG_TIME, looks};
use crate::jobs::inputs::other_version::unlocked;
use crate::jobs::inputs::start::Original;
use crate::oracle::code::CodeMatcher;
use crate::oracle::libtest::{Callers, Verdict};
use crate::oracle::signature::{FailureKind, Signature};
use crate::project::build_tests;
use crate::report::Status;
use crate::rust::{self, Sources};

/// cargo itself needs some time before the test begins.
const CARGO_TIME: Duration = Duration::from_secs(10);

/// Writes the package and sees it fail; laid out by prettyplease, without the commas that it adds, and
/// with only the dependencies that are named, if it fails like that.
///
/// # Errors
/// When nothing can be written, or the plain test does not fail in the same way.
pub fn keep(
    session: &mut Session,
    code_job: &CodeJob<'_>,
    found: &ReducedCode,
    results: &ResultFolder,
) -> Result<Kept, Failure> {
    let subject = code_job.subject;
    let config = unlocked(code_job.config);
    let pretty = found
        .best
        .rewrite(|_, text| rust::pretty_and_tight(text).unwrap_or_else(|| text.to_owned()));
    let mut instead = String::new();
    for (sources, extras) in [
        (&pretty, Extras::Named),
        (&pretty, Extras::Files),
        (&pretty, Extras::All),
        (&found.best, Extras::All),
    ] {
        // What another attempt has left could even be built.
        let out = &results.new_result()?;
        let is_flat = found.compile_plan.shape.is_flat();
        let sources = if is_flat {
            &sources.renamed(&flat_path(subject))
        } else {
            sources
        };
        let test = found.test_in(sources);
        let proof = Proof::new(&config, code_job, test, out);
        let written = write_package(session, &config, (subject, out), sources, |sources| {
            if is_flat {
                flat_layout(subject, &found.compile_plan.shape, sources, extras)
            } else {
                kept_layout(subject, sources, extras)
            }
        })?;
        match proof.show(session, &written.sources)? {
            Ok(shown) => {
                return Ok(Kept {
                    signature: shown,
                    folder: out.clone(),
                    command: proof.command(results.path()),
                    test: proof.test,
                    sources: written.sources,
                });
            }
            Err(shown) => {
                let error = { written.error }.map(|error| format!("it does not build\n{error}"));
                instead = error.unwrap_or(shown);
            }
        }
    }
    Err(Failure::new(
        Status::NotReproduced,
        format!("the plain `cargo test` does not confirm the reduction: {instead}"),
    )
    .hint(format!("the package is in `{}`", results.own(NEW_RESULT))))
}

/// The result as the plain `cargo test` has confirmed it.
pub struct Kept {
    /// The failure.
    pub signature: Signature,
    /// Where it is put together.
    pub folder: Utf8PathBuf,
    /// The test.
    pub test: String,
    /// The command that shows it, once it is in its place.
    pub command: String,
    /// The sources as they were written.
    pub sources: Sources,
}

/// How long a plain test of that kind of failure is watched, when candidates may take `limit`. What hangs
/// is built before, so that cargo takes no time of its own.
fn watched(kind: FailureKind, limit: Duration) -> Duration {
    match kind {
        FailureKind::Timeout => HANG_TIME.max(limit),
        _ => CARGO_TIME + limit,
    }
}

/// How long it takes to see the `original` failure besides all that is built: what hangs does not end by
/// itself.
pub fn watched_alone(config: &Config, original: &Original) -> Duration {
    let Original {
        signature,
        baseline,
        ..
    } = original;
    match signature.kind {
        FailureKind::Timeout => watched(signature.kind, time_limit(config, signature, baseline)),
        _ => Duration::ZERO,
    }
}

/// What the plain test of the result must show.
pub struct Proof<'a> {
    config: &'a Config,
    subject: &'a CodeSubject,
    /// What the test is called there.
    test: String,
    matcher: CodeMatcher,
    manifest: Utf8PathBuf,
    target_dir: Utf8PathBuf,
    limit: Duration,
    looks: u32,
}

impl<'a> Proof<'a> {
    /// The `original` failure, shown by the test of the package in `out`.
    #[must_use]
    pub fn new(config: &'a Config, code_job: &CodeJob<'a>, test: String, out: &Utf8Path) -> Self {
        let CodeJob {
            subject, original, ..
        } = code_job;
        let limit = time_limit(config, &original.signature, &original.baseline);
        Proof {
            config,
            subject,
            test,
            matcher: code_job.matcher.clone(),
            manifest: out.join("Cargo.toml"),
            // What it depends on is built there already.
            target_dir: subject.scratch.target_dir(),
            limit: watched(original.signature.kind, limit),
            looks: looks(config, &original.baseline),
        }
    }

    fn test(&self) -> PlainTest<'_> {
        PlainTest {
            config: self.config,
            manifest: &self.manifest,
            target_dir: Some(&self.target_dir),
            package: &self.subject.package,
            target: &self.subject.target,
            runner: self.subject.runner,
            test: &self.test,
            tree: Tree::Copy(self.manifest.parent().unwrap_or(&self.manifest)),
        }
    }

    /// Builds what is out of date, so that to build it is not taken for a hang.
    fn build(&self) -> Result<(), Failure> {
        let root = self.manifest.parent().unwrap_or(&self.manifest);
        build_tests(
            &self.manifest,
            Some(&self.target_dir),
            &self
                .config
                .cargo
                .confined(&self.config.sandbox, (root, &self.target_dir)),
            std::slice::from_ref(&self.subject.package),
            std::slice::from_ref(&self.subject.target),
            &Interrupt::new(),
        )?;
        Ok(())
    }

    /// As the user would type it for the package at that place.
    #[must_use]
    pub fn command(&self, folder: &Utf8Path) -> String {
        PlainTest {
            manifest: &folder.join("Cargo.toml"),
            ..self.test()
        }
        .shown()
    }

    /// The failure, if `sources` show it, or what they show instead.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn show(
        &self,
        session: &mut Session,
        sources: &Sources,
    ) -> Result<Result<Signature, String>, Failure> {
        if self.matcher.expected().kind == FailureKind::Timeout {
            self.build()?;
        }
        let mut instead = String::new();
        for look in 0..self.looks {
            // The user may have stopped the search, but wants its result.
            let (verdict, said) = self.test().observe(self.limit, &Interrupt::new())?;
            if look == 0 {
                session.count_build(verdict != Verdict::NotRun);
            }
            instead = match verdict {
                Verdict::Failed(shown) if self.is_same(&shown, sources)? => return Ok(Ok(shown)),
                Verdict::Failed(shown) => format!("it fails with {shown}"),
                Verdict::Passed => "it passes".to_owned(),
                Verdict::NotRun => return Ok(Err(format!("it does not run\n{said}"))),
            };
        }
        Ok(Err(instead))
    }
}

impl Proof<'_> {
    /// Whether it is the failure. Where the user's profile leaves line tables out, no call can be told from
    /// another one; candidates were compiled with them.
    fn is_same(&self, shown: &Signature, sources: &Sources) -> Result<bool, Failure> {
        let mut shown = shown.clone();
        let folder = self.manifest.parent().map(Utf8Path::canonicalize_utf8);
        if self.matcher.needs_call(&shown)
            && let Some(Ok(root)) = folder
            && let Some(call) =
                { self.test() }.call_to(&shown, Callers::Below(&root), self.limit)?
        {
            shown.location = Some(call);
        }
        Ok(self.matcher.is_same(&shown, sources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hang_is_not_watched_until_cargo_could_have_built_it() {
        let limit = Duration::from_millis(100);
        assert_eq!(watched(FailureKind::Timeout, limit), HANG_TIME);
        assert_eq!(watched(FailureKind::Timeout, HANG_TIME * 2), HANG_TIME * 2);
        assert_eq!(watched(FailureKind::Panic, limit), CARGO_TIME + limit);
    }
}

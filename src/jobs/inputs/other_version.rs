//! The other version of a package with which the test has to pass: `--passes-with`.

use std::time::Duration;

use super::copied_tests::CopiedTests;
use super::prober::{Probe, build_probe, remove_probe};
use super::regression::Written;
use super::subject::Subject;
use super::write_out::write_sources;
use crate::app::config::Config;
use crate::app::failure::{Failure, Result};
use crate::app::find::Chosen;
use crate::app::plain_test::PlainTest;
use crate::app::session::Session;
use crate::disk::ResultFolder;
use crate::exec::Interrupt;
use crate::oracle::libtest::Verdict;
use crate::project::{OtherVersion, Scratch, TargetKind, name_in_spec};
use crate::reduce::inputs::Inputs;
use crate::report::Status;

/// cargo builds before the test begins.
const BUILD_TIME: Duration = Duration::from_mins(5);

/// The name of the copy with the other version.
const COPY: &str = "other";

/// A copy of the workspace with the other version, if the user names one.
///
/// # Errors
/// When there is no such package or version, or the test itself belongs to it.
pub fn copy_with_other(
    session: &Session,
    chosen: &Chosen,
    results: &ResultFolder,
    is_stable: bool,
) -> Result<Option<(Scratch, OtherVersion)>> {
    let Some(other) = &session.config.control.passes_with else { return Ok(None) };
    let is_inside = matches!(chosen.binary.choice.kind, TargetKind::Lib | TargetKind::Bin);
    if name_in_spec(&chosen.package) == other.name && is_inside {
        return Err(Failure::error(format!(
            "`{}` is a unit test of `{}`, so another version of that package brings its own tests",
            chosen.test, other.name
        ))
        .hint("move the test into `tests/`, or name a dependency"));
    }
    if !is_stable {
        return Err(needs_stable_test());
    }
    session.stage("Comparing", format!("with {other}, where the test has to pass"));
    let scratch = session.copy(results, COPY)?;
    scratch.swap(&session.workspace, other, &session.interrupt)?;
    Ok(Some((scratch, other.clone())))
}

/// How cargo is called where dependencies come from elsewhere or are gone: the lock file has to be
/// written anew.
pub fn unlocked(config: &Config) -> Config {
    let mut config = config.clone();
    config.cargo.offline |= config.cargo.frozen;
    config.cargo.locked = false;
    config.cargo.frozen = false;
    config
}

/// What is told when the copy does not build.
pub fn does_not_build_with(other: &OtherVersion, why: &Failure) -> Failure {
    Failure::error(format!("with `{other}` {why}"))
        .hint("the sources of the test have to build with both versions")
}

/// Sees that the test has passed there.
///
/// # Errors
/// When it has not.
pub fn has_passed_with(other: &OtherVersion, verdict: Verdict) -> Result<()> {
    let shown = match verdict {
        Verdict::Passed => return Ok(()),
        Verdict::Failed(shown) => shown.to_string(),
        Verdict::NotRun => "it does not run".to_owned(),
    };
    Err(Failure::error(format!("the test fails with `{other}`, too: {shown}"))
        .hint("`--passes-with` needs a version without the bug"))
}

/// What is told of a test that no test binary has.
pub fn needs_test_function() -> Failure {
    Failure::error("`--passes-with` needs a test function")
        .hint("write the code of the doc test as a `#[test]`")
}

/// What is told of a test that does not always fail.
pub fn needs_stable_test() -> Failure {
    Failure::error("`--passes-with` needs a test that always fails in the same way")
}

/// The probe build with the other version.
pub struct OtherProbe {
    /// The copy.
    pub scratch: Scratch,
    /// The build in which candidates are chosen at run time.
    pub probe: Probe,
    /// The version.
    pub version: OtherVersion,
}

impl OtherProbe {
    /// Makes the probe in the copy with the other version, if there is one.
    ///
    /// # Errors
    /// When it does not build.
    pub fn in_copy(
        session: &Session,
        subject: &Subject,
        copy: Option<(Scratch, OtherVersion)>,
    ) -> Result<Option<Self>> {
        let Some((scratch, version)) = copy else { return Ok(None) };
        let probe = build_probe(&session.with(unlocked(&session.config)), subject, &scratch)
            .map_err(|why| does_not_build_with(&version, &why))?;
        Ok(Some(OtherProbe { scratch, probe, version }))
    }

    /// Sees the regression test that was `written` pass in the copy.
    ///
    /// # Errors
    /// When it does not.
    pub fn confirm(
        &self,
        session: &Session,
        subject: &Subject,
        best: &Inputs,
        written: &Written,
    ) -> Result<()> {
        remove_probe(subject, &self.scratch)?;
        let smaller = subject.found.write_back(&subject.krate, best);
        let left_out = written.left_out(subject);
        write_sources(subject, &self.scratch, &written.edits, &smaller, &left_out)?;
        written.copy_to(&self.scratch)?;
        let config = unlocked(&session.config);
        let tests = CopiedTests::of(subject, &self.scratch);
        sees_pass(session, &self.version, &tests.regression(&config, subject, written))
    }
}

/// Sees a plain test pass with the other version.
///
/// # Errors
/// When it does not.
pub fn sees_pass(session: &Session, version: &OtherVersion, test: &PlainTest<'_>) -> Result<()> {
    // The user may have stopped the search, but wants its result.
    let (verdict, said) = test.observe(BUILD_TIME, &Interrupt::new())?;
    session.count_build(verdict != Verdict::NotRun);
    let instead = match verdict {
        Verdict::Passed => return Ok(()),
        Verdict::Failed(shown) => format!("it fails with {shown}"),
        Verdict::NotRun => format!("it does not run\n{said}"),
    };
    let what = format!("the reduced test does not pass with `{version}`: {instead}");
    Err(Failure::new(Status::NotReproduced, what)
        .hint(format!("the command was: {}", test.shown())))
}

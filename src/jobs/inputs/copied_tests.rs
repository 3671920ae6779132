//! The plain tests in a copy of the workspace.

use camino::{Utf8Path, Utf8PathBuf};

use super::prober::scratch_manifest;
use super::regression::Written;
use super::subject::Subject;
use crate::app::config::Config;
use crate::app::plain_test::{PlainTest, Tree};
use crate::project::Scratch;

/// Where the plain tests of a copy are.
pub(super) struct CopiedTests<'c> {
    root: &'c Utf8Path,
    manifest: Utf8PathBuf,
    target_dir: Utf8PathBuf,
}

impl<'c> CopiedTests<'c> {
    /// Those of the package of the test.
    pub(super) fn of(subject: &Subject, scratch: &'c Scratch) -> Self {
        CopiedTests {
            root: scratch.root(),
            manifest: scratch_manifest(subject, scratch),
            target_dir: scratch.target_dir(),
        }
    }

    /// The test itself.
    pub(super) fn original<'t>(
        &'t self,
        config: &'t Config,
        subject: &'t Subject,
    ) -> PlainTest<'t> {
        PlainTest {
            config,
            manifest: &self.manifest,
            target_dir: Some(&self.target_dir),
            package: &subject.target.package,
            target: &subject.target.choice,
            runner: subject.runner,
            test: &subject.test,
            tree: Tree::Copy(self.root),
        }
    }

    /// The regression test that was `written`.
    pub(super) fn regression<'t>(
        &'t self,
        config: &'t Config,
        subject: &'t Subject,
        written: &'t Written,
    ) -> PlainTest<'t> {
        PlainTest {
            target: &written.target,
            runner: written.form.runner(subject),
            test: &written.test,
            ..self.original(config, subject)
        }
    }
}

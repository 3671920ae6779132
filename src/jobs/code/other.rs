//! The subject with another version of a package, with which the test has to pass.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::compile_plan::{CompilePlan, compiler_in};
use super::subject::CodeSubject;
use crate::app::config::Config;
use crate::app::failure::Result;
use crate::app::find::Chosen;
use crate::app::limits::time_limit;
use crate::app::plain_test::{PlainTest, Tree};
use crate::app::session::Session;
use crate::compile::SubjectCrate;
use crate::disk::{ResultFolder, write_atomic};
use crate::exec::{Access, Interrupt};
use crate::jobs::inputs::other_version::{
    copy_with_other, does_not_build_with, has_passed_with, sees_pass, unlocked,
};
use crate::jobs::inputs::start::Original;
use crate::oracle::code::OtherBuild;
use crate::project::OtherVersion;
use crate::rust::{SourceFile, Sources};

/// A test that passes may take this long, even if the failure comes at once.
const PASS_LIMIT: Duration = Duration::from_secs(5);

/// The copy with the other version.
pub struct OtherSubject {
    subject: CodeSubject,
    version: OtherVersion,
}

impl OtherSubject {
    /// Makes it and sees the test pass, if the user wants that.
    ///
    /// # Errors
    /// When there is no such version, it does not build, or the test does not pass with it.
    pub fn new(
        session: &Session,
        chosen: &Chosen,
        results: &ResultFolder,
        original: &Original,
    ) -> Result<Option<Self>> {
        let is_stable = original.baseline.is_stable();
        let copy = copy_with_other(session, chosen, results, is_stable)?;
        let Some((scratch, version)) = copy else {
            return Ok(None);
        };
        let mut config = unlocked(&session.config);
        config.code.reduce_packages.retain(|name| *name != version.name);
        let session = session.with(config);
        let config = &session.config;
        let subject = CodeSubject::new(&session, &scratch, chosen)
            .map_err(|why| does_not_build_with(&version, &why))?;
        let job = chosen.job(&subject.binary, &config.test_args);
        let limit = time_limit(config, &original.signature, &original.baseline);
        let job = job.time(limit.max(PASS_LIMIT));
        let access = Access::discarding([subject.scratch.root().as_std_path()]);
        let finished = config.sandbox.confine(job, access).run(&session.interrupt)?;
        has_passed_with(&version, chosen.runner.interpret(&finished, &chosen.test))?;
        Ok(Some(OtherSubject { subject, version }))
    }

    /// The root of the copy.
    pub fn root(&self) -> &Utf8Path {
        self.subject.scratch.root()
    }

    /// Whether sources of the package are part of what is reduced.
    pub fn is_swapped_in(&self, subject: &CodeSubject) -> bool {
        let mut crates = subject.original.crates.all.iter();
        crates.any(|krate| self.is_of_package(krate))
    }

    fn is_of_package(&self, krate: &SubjectCrate) -> bool {
        let name = krate.call.env.get("CARGO_PKG_NAME");
        name.is_some_and(|name| *name == self.version.name)
    }

    /// The files of the libraries of the package.
    fn swapped(&self) -> Vec<&Utf8Path> {
        let (_, libraries) = self.subject.original.crates.all.split_last().unzip();
        let libraries = libraries.into_iter().flatten().filter(|krate| self.is_of_package(krate));
        libraries.flat_map(|krate| &krate.files).map(Utf8PathBuf::as_path).collect()
    }

    /// The build of candidates in that shape.
    pub fn build(
        &self,
        config: &Config,
        compile_plan: &CompilePlan,
        interrupt: &Interrupt,
    ) -> Option<OtherBuild> {
        let mut shape = self.subject.original.clone();
        if compile_plan.shape.is_flat() {
            shape.crates = shape.crates.merged()?;
        }
        let own = CompilePlan { shape, ..compile_plan.clone() };
        let paths = self.swapped();
        let files = self.subject.original.sources.files.iter();
        let swapped: Vec<SourceFile> =
            files.filter(|file| paths.contains(&Utf8Path::new(&*file.path))).cloned().collect();
        let compiler = compiler_in("other", config, &self.subject, &own, interrupt);
        Some(OtherBuild::new(compiler, swapped))
    }

    /// Sees the plain test pass with these sources and the other version.
    ///
    /// # Errors
    /// When it does not, or files cannot be written.
    pub fn see_pass(&self, session: &Session, sources: &Sources, test: &str) -> Result<()> {
        let root = self.root();
        let swapped = self.swapped();
        for file in &sources.files {
            let path = Utf8Path::new(&*file.path);
            if !swapped.contains(&path) {
                write_atomic(root.join(path).as_std_path(), file.text.as_bytes())?;
            }
        }
        let subject = &self.subject;
        let test = PlainTest {
            config: &session.config,
            manifest: &subject.binary.manifest_path,
            target_dir: Some(&subject.scratch.target_dir()),
            package: &subject.package,
            target: &subject.target,
            runner: subject.runner,
            test,
            tree: Tree::Copy(subject.scratch.root()),
        };
        sees_pass(session, &self.version, &test)
    }
}

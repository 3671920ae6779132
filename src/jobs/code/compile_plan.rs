//! How candidates are compiled.

use std::time::Duration;

use super::shape::CodeShape;
use super::subject::CodeSubject;
use crate::app::config::Config;
use crate::app::session::Session;
use crate::compile::{CompileCounts, Compiler, Shortcuts};
use crate::exec::{Interrupt, Limits};
use crate::oracle::code::TestName;
use crate::probe::runs::{LIBRARY, library};
use crate::rust::Sources;

/// One call of the compiler; a candidate can make it loop.
const COMPILE_LIMIT: Duration = Duration::from_mins(1);

/// A shape of the subject and a way to compile it.
#[derive(Clone)]
pub struct CompilePlan {
    /// The sources and crates.
    pub shape: CodeShape,
    /// How they are compiled.
    pub shortcuts: Shortcuts,
    /// What the test is called in candidates.
    pub name: TestName,
}

impl CompilePlan {
    /// The subject with its files, as its own test.
    pub fn as_it_is(subject: &CodeSubject, shortcuts: Shortcuts) -> Self {
        let name = TestName::fixed(&subject.test);
        CompilePlan { shape: subject.original.clone(), shortcuts, name }
    }

    /// What a test that has to pass along is called in a candidate.
    pub fn companion_in(&self, test: &str, candidate: &Sources) -> String {
        let name = self.name.companion(test, &self.shape.sources);
        name.in_sources(candidate).into_owned()
    }
}

/// Counts what was compiled.
pub fn count(session: &Session, compiler: &Compiler) {
    let CompileCounts { builds, checks } = compiler.counts();
    session.count_builds(builds, checks);
}

/// The compiler with the library that the runs of a test ask for these inputs, and that one; `None` where it does not compile.
pub fn with_library(
    compiler: Compiler,
    inputs: &[Vec<String>],
    interrupt: &Interrupt,
) -> Option<(Compiler, String)> {
    let library = compiler.library(LIBRARY, &library(inputs), interrupt).ok()?;
    Some((compiler.using(&library), library))
}

/// Compiles candidates of a shape of the subject in that folder.
pub fn compiler_in(
    folder: &str,
    config: &Config,
    subject: &CodeSubject,
    compile_plan: &CompilePlan,
    interrupt: &Interrupt,
) -> Compiler {
    let limits = Limits {
        time: Some(COMPILE_LIMIT),
        memory_bytes: Some(config.control.memory_bytes),
        ..Limits::default()
    };
    let folder = subject.scratch.target_dir().join("cargo-reduce").join(folder);
    let compiler = Compiler::new(
        compile_plan.shape.crates.clone(),
        subject.binary.clone(),
        compile_plan.shortcuts,
        limits,
        &config.sandbox,
        &folder,
        interrupt,
    )
    .at_pace_of(&subject.pace)
    .sharing(&subject.libraries);
    match &compile_plan.shape.contrast {
        Some(runs) => compiler.using(&runs.library),
        None => compiler,
    }
}

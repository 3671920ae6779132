//! The build of candidates with another version of a package, in which the test has to pass.

use super::TestRun;
use crate::compile::{Compiler, Depth};
use crate::exec::Interrupt;
use crate::oracle::libtest::Verdict;
use crate::reduce::Answer;
use crate::rust::{Sameness, SourceFile, Sources};

/// Compiles candidates with the other version.
pub struct OtherBuild {
    compiler: Compiler,
    /// The sources of the package that is another one there; those of candidates do not count.
    swapped: Vec<SourceFile>,
}

impl OtherBuild {
    /// A build by `compiler`, where the package has the sources `swapped` if they are compiled along.
    pub fn new(compiler: Compiler, swapped: Vec<SourceFile>) -> Self {
        OtherBuild { compiler, swapped }
    }

    /// What compiles.
    pub fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// How the test ends there.
    ///
    /// # Errors
    /// When the candidate cannot be compiled or run at all.
    pub fn observe(
        &self,
        sources: &Sources,
        test_run: &TestRun<'_>,
        interrupt: &Interrupt,
    ) -> Answer<Verdict> {
        let look = |compiled: crate::compile::Compiled| match &compiled.binary {
            Some(binary) => Ok(test_run.run(binary, interrupt)?.verdict),
            None => Ok(Verdict::NotRun),
        };
        let sources = self.with_swapped(sources);
        self.compiler.with_compiled(&sources, Depth::Link, interrupt, look)
    }

    fn with_swapped(&self, sources: &Sources) -> Sources {
        let is_kept =
            |file: &&SourceFile| !self.swapped.iter().any(|other| other.path == file.path);
        let kept = sources.files.iter().filter(is_kept);
        let files = kept.chain(&self.swapped).cloned();
        Sources::new(files.collect(), Sameness::Tokens)
    }
}

//! A set of sources through the compiler, once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Rustc, RustcError, Verdict, interpret};
use crate::disk::write_new;
use crate::exec::{Finished, Interrupt};
use crate::oracle::store::Key;
use crate::reduce::Answer;
use crate::rust::Sources;

/// How candidates are compiled: by which compiler, and next to which other files.
#[derive(Debug, Clone)]
pub struct Compilation {
    /// The compiler and its flags.
    pub rustc: Rustc,
    /// Files that the sources may include; they are not reduced. Paths are relative, as those of the
    /// sources.
    pub beside: Vec<(PathBuf, Vec<u8>)>,
}

/// What came of one run of the compiler.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// What it means.
    pub verdict: Verdict,
    /// What the compiler printed.
    pub output: String,
    /// How long it took.
    pub wall: Duration,
}

impl Compilation {
    /// Compiles `sources` in a fresh folder. The first file is the root of the crate.
    ///
    /// # Errors
    /// When the files cannot be written or the compiler cannot be started.
    pub fn run(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<Compiled> {
        let finished = self.finished(&self.rustc, sources, interrupt)?;
        Ok(Compiled {
            verdict: interpret(&finished),
            output: finished.stderr.text(),
            wall: finished.wall,
        })
    }

    /// The sources with all macros expanded, as one text; empty if the compiler does not get that far,
    /// or does not print sources.
    ///
    /// # Errors
    /// As [`Compilation::run`].
    pub fn expand(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<String> {
        let finished = self.finished(&self.rustc.expanding(), sources, interrupt)?;
        Ok(finished.stdout.text())
    }

    fn finished(
        &self,
        rustc: &Rustc,
        sources: &Sources,
        interrupt: &Interrupt,
    ) -> Answer<Finished> {
        let folder = rustc.work_folder()?;
        // The sources have a folder of their own, so that what is made from them is not taken for one.
        let src = folder.path().join("src");
        for (path, bytes) in &self.beside {
            write_new(&src.join(path), bytes)?;
        }
        for file in &sources.files {
            write_new(&src.join(inside(&file.path)), file.text.as_bytes())?;
        }
        let root = sources.files.first().ok_or("there is no file to compile")?;
        // Run where the sources are, so that messages name them as the user does.
        Ok(rustc.compile(inside(&root.path), &src, interrupt)?)
    }

    /// All that the outcome of a candidate depends on besides itself and how it is judged.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    pub fn identity(&self) -> Result<Key, RustcError> {
        Ok(Key::new(&(self.rustc.identity()?, &self.beside)))
    }

    /// The same with these arguments for the compiler.
    pub fn with_args(&self, args: impl IntoIterator<Item = std::ffi::OsString>) -> Compilation {
        Compilation { rustc: self.rustc.with_args(args), beside: self.beside.clone() }
    }
}

/// A path as one below a folder: an absolute one keeps its name only.
fn inside(path: &str) -> &Path {
    let path = Path::new(path);
    match path.file_name() {
        Some(name) if path.is_absolute() => Path::new(name),
        _ => path,
    }
}

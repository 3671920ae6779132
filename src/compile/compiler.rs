//! All compile folders together.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::compile_dir::{CompileCounts, CompileDir, Goal, IncrementalCache, Setup};
use super::libraries::Libraries;
use super::pace::Pace;
use super::{Compiled, Crates, Depth, Shortcuts, SubjectCrate};
use crate::exec::{Access, Interrupt, Limits, Sandbox, run_tool};
use crate::probe::bodies::{BODIES_RUNTIME, LIBRARY};
use crate::project::TestBinary;
use crate::reduce::Answer;
use crate::rust::Sources;

/// What a binary needs to tell where calls stand, in words that older compilers know, too; they come last and
/// so count for more than what the user's profile says.
const LINE_TABLES: [&str; 2] = ["-Cdebuginfo=1", "-Cstrip=none"];

/// Compiles candidates of a subject, several at once.
#[derive(Debug)]
pub struct Compiler {
    setup: Setup,
    libraries: Libraries,
    folder: Utf8PathBuf,
    interrupt: Interrupt,
    free: Mutex<Vec<CompileDir>>,
    /// How many compile folders were made.
    made: AtomicUsize,
    /// The library for functions with several bodies, as `NAME=PATH`; `None` if it does not compile.
    bodies: OnceLock<Option<String>>,
}

impl Compiler {
    /// A compiler that works in folders below `folder`.
    pub fn new(
        crates: Crates,
        mut binary: TestBinary,
        shortcuts: Shortcuts,
        limits: Limits,
        sandbox: &Sandbox,
        folder: &Utf8Path,
        interrupt: &Interrupt,
    ) -> Self {
        if let (Shortcuts::All, Some(tested)) = (shortcuts, crates.tested()) {
            find_std(&mut binary, tested, interrupt);
        }
        Compiler {
            setup: Setup {
                crates,
                binary,
                shortcuts,
                limits,
                sandbox: sandbox.clone(),
                access: Access::keeping([folder.as_std_path()]),
                more_args: Vec::new(),
                pace: Pace::default(),
            },
            libraries: Libraries::default(),
            folder: folder.to_owned(),
            interrupt: interrupt.clone(),
            free: Mutex::default(),
            made: AtomicUsize::new(0),
            bodies: OnceLock::new(),
        }
    }

    /// Lets it know, and tell others, how long calls of rustc for the same subject take.
    #[must_use]
    pub fn at_pace_of(mut self, pace: &Pace) -> Self {
        self.setup.pace = pace.clone();
        self
    }

    /// Lets it use the libraries that were compiled for the same subject, and others those that it compiles.
    #[must_use]
    pub fn sharing(mut self, libraries: &Libraries) -> Self {
        self.libraries = libraries.clone();
        self
    }

    /// Lets binaries tell where calls stand.
    #[must_use]
    pub fn with_line_tables(mut self) -> Self {
        let args = LINE_TABLES.map(str::to_owned);
        self.setup.more_args.extend(args);
        self
    }

    /// Lets all crates use a library that was compiled before, as `NAME=PATH`.
    #[must_use]
    pub fn using(mut self, external: &str) -> Self {
        self.add_external(external);
        self
    }

    fn add_external(&mut self, external: &str) {
        let args = ["--extern", external].map(str::to_owned);
        self.setup.more_args.extend(args);
        // A crate that uses it only through another one looks for it in folders.
        let path = external.split_once('=').map(|(_, path)| Utf8Path::new(path));
        if let Some(folder) = path.and_then(Utf8Path::parent) {
            self.setup.more_args.push(format!("-Ldependency={folder}"));
        }
    }

    /// Compiles a library that crates of the subject can use; `NAME=PATH`.
    ///
    /// # Errors
    /// When it does not compile, or cannot be written.
    pub fn library(&self, name: &str, text: &str, interrupt: &Interrupt) -> Answer<String> {
        let library = self.libraries.get_or_compile(name, text, |folder| {
            let mut compile_dir = self.take_lane()?;
            let library = compile_dir.compile_library(folder, name, text, &self.setup, interrupt);
            self.lock_free().push(compile_dir);
            library
        })?;
        Ok(format!("{name}={library}"))
    }

    /// Where it works.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// What is compiled.
    pub fn crates(&self) -> &Crates {
        &self.setup.crates
    }

    /// Compiles `sources` in a compile folder and hands the result to `look` before the compile folder is used again.
    ///
    /// # Errors
    /// When files cannot be written, or the compiler cannot be run.
    pub fn with_compiled<R>(
        &self,
        sources: &Sources,
        depth: Depth,
        interrupt: &Interrupt,
        look: impl FnOnce(Compiled) -> Answer<R>,
    ) -> Answer<R> {
        let goal = Goal { depth, cache: Some(IncrementalCache::Plain), library: None };
        self.with_goal(sources, goal, interrupt, look)
    }

    /// As [`Compiler::with_compiled`], for several candidates in one crate that is linked.
    ///
    /// # Errors
    /// As there.
    pub fn with_joined<R>(
        &self,
        joined: &Sources,
        interrupt: &Interrupt,
        look: impl FnOnce(Compiled) -> Answer<R>,
    ) -> Answer<R> {
        let goal = Goal { depth: Depth::Link, cache: None, library: None };
        self.with_goal(joined, goal, interrupt, look)
    }

    /// As [`Compiler::with_joined`], for functions with several bodies.
    ///
    /// # Errors
    /// As there, and when the library that picks bodies does not compile.
    pub fn with_bodies<R>(
        &self,
        joined: &Sources,
        interrupt: &Interrupt,
        look: impl FnOnce(Compiled) -> Answer<R>,
    ) -> Answer<R> {
        let library = self.bodies(interrupt)?.ok_or("functions have one body only")?;
        let goal = Goal { depth: Depth::Link, cache: None, library: Some(library) };
        self.with_goal(joined, goal, interrupt, look)
    }

    /// The library that picks bodies; nothing where it does not compile.
    fn bodies(&self, interrupt: &Interrupt) -> Answer<Option<&String>> {
        if let Some(known) = self.bodies.get() {
            return Ok(known.as_ref());
        }
        match self.library(LIBRARY, BODIES_RUNTIME, interrupt) {
            // That says nothing about it.
            Err(error) if interrupt.is_set() => Err(error),
            made => Ok(self.bodies.get_or_init(|| made.ok()).as_ref()),
        }
    }

    /// Whether functions can have several bodies.
    ///
    /// # Errors
    /// When the compiler is interrupted.
    pub fn has_bodies(&self, interrupt: &Interrupt) -> Answer<bool> {
        Ok(self.bodies(interrupt)?.is_some())
    }

    /// Checks a candidate for its errors, or one `kin` to candidates for its warnings.
    ///
    /// Where a call takes long, and a candidate without errors is likely to be run afterwards, it is linked
    /// at once: to check it and then to link it takes nearly twice as long.
    ///
    /// # Errors
    /// As for [`Compiler::with_compiled`].
    pub fn check(
        &self,
        sources: &Sources,
        cache: IncrementalCache,
        interrupt: &Interrupt,
    ) -> Answer<Compiled> {
        let is_linked = cache == IncrementalCache::Plain && self.is_slow_alone(sources);
        let goal = Goal {
            depth: if is_linked { Depth::Link } else { Depth::Check },
            cache: Some(cache),
            library: None,
        };
        self.with_goal(sources, goal, interrupt, Ok)
    }

    /// Whether there is one crate only, and rustc is slow at it.
    fn is_slow_alone(&self, sources: &Sources) -> bool {
        let step = (0, Depth::Check);
        self.setup.crates.all.len() == 1 && self.setup.pace.is_slow(step, sources.bytes())
    }

    fn with_goal<R>(
        &self,
        sources: &Sources,
        goal: Goal<'_>,
        interrupt: &Interrupt,
        look: impl FnOnce(Compiled) -> Answer<R>,
    ) -> Answer<R> {
        let mut compile_dir = self.take_lane()?;
        let result = compile_dir.compile(sources, goal, &self.setup, interrupt).and_then(look);
        self.lock_free().push(compile_dir);
        result
    }

    /// Whether the crate of the test, compiled from nothing and linked, takes longer than that, as far as
    /// is known.
    pub fn takes_longer_than(&self, limit: Duration, sources: &Sources) -> bool {
        self.setup.pace.is_longer((0, Depth::Link), sources.bytes(), limit)
    }

    /// What was done in all compile folders.
    pub fn counts(&self) -> CompileCounts {
        let compile_dirs = self.lock_free();
        compile_dirs.iter().fold(CompileCounts::default(), |sum, compile_dir| CompileCounts {
            builds: sum.builds + compile_dir.counts.builds,
            checks: sum.checks + compile_dir.counts.checks,
        })
    }

    fn take_lane(&self) -> std::io::Result<CompileDir> {
        if let Some(compile_dir) = self.lock_free().pop() {
            return Ok(compile_dir);
        }
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        CompileDir::new(&self.folder.join(format!("compile-dir-{number}")), &self.setup)
    }

    fn lock_free(&self) -> std::sync::MutexGuard<'_, Vec<CompileDir>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets the test find the standard library where it is linked dynamically; where rustc does not tell,
/// the first candidate shows that it does not run.
fn find_std(binary: &mut TestBinary, tested: &SubjectCrate, interrupt: &Interrupt) {
    let mut args = vec!["--print".to_owned(), "target-libdir".to_owned()];
    args.extend(tested.call.values("--target").map(|target| format!("--target={target}")));
    // A wrapper is given rustc as its first argument.
    let wrapped = tested.call.args.first().filter(|word| !word.starts_with('-'));
    args.splice(0..0, wrapped.cloned());
    let Ok(finished) = run_tool(&tested.call.job(&args, Utf8Path::new(".")), interrupt) else {
        return;
    };
    binary.find_libraries_in(finished.stdout.text().trim());
}

impl Compiler {
    /// Compiles `sources`; what is linked stays until the next compilation.
    ///
    /// # Errors
    /// As [`Compiler::with_compiled`].
    pub fn compile(&mut self, sources: &Sources, depth: Depth) -> Answer<Compiled> {
        self.with_compiled(sources, depth, &self.interrupt, Ok)
    }

    /// Compiles a library of one file that needs nothing but `std`, and lets all that is compiled later use it; once, if it
    /// is added again.
    ///
    /// # Errors
    /// When it does not compile, or cannot be written.
    pub fn add_library(&mut self, name: &str, text: &str) -> Answer<()> {
        let prefix = format!("{name}=");
        let mut more = self.setup.more_args.iter();
        if more.any(|word| word.starts_with(&prefix)) {
            return Ok(());
        }
        let external = self.library(name, text, &self.interrupt)?;
        self.add_external(&external);
        Ok(())
    }
}

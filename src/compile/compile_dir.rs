//! A folder in which one candidate at a time is compiled.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::compiled::{ENDLESS, SAYS_ENDLESS, is_endless};
use super::crates::{Crates, Shortcuts, SubjectCrate};
use super::pace::{Pace, Step};
use super::{Compiled, Depth};
use crate::disk::{unless_gone, write_new};
use crate::exec::{Access, Exit, Finished, Interrupt, Limits, Sandbox};
use crate::project::{CrateKind, Diagnostic, Invocation, TestBinary, read_diagnostics};
use crate::reduce::Answer;
use crate::rust::Sources;

/// What rustc may print about one crate.
const OUTPUT_BYTES: usize = 16 << 20;

/// What is compiled from nothing is compiled for one run: with the usual 16 units, what is generic is generated in several of them,
/// which computes a fifth longer.
const CODEGEN_UNITS: &str = "-Ccodegen-units=2";

/// The texts of files, by their paths.
type Texts = BTreeMap<Arc<str>, Arc<str>>;

/// What was done in a compile folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CompileCounts {
    /// Calls of rustc that generated code.
    pub builds: u64,
    /// Calls of rustc that only checked, or that found errors.
    pub checks: u64,
}

/// How far a candidate is compiled, and what of the one before it helps.
#[derive(Debug, Clone, Copy)]
pub struct Goal<'g> {
    /// How far.
    pub depth: Depth,
    /// Candidates like it, if there are any.
    pub cache: Option<IncrementalCache>,
    /// A library for this one only, as `NAME=PATH`.
    pub library: Option<&'g str>,
}

/// Candidates that have most of their text in common with those before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IncrementalCache {
    /// As they are.
    Plain,
    /// With nothing public in them.
    Hidden,
}

/// What all compile folders share.
#[derive(Debug)]
pub struct Setup {
    /// What is compiled.
    pub crates: Crates,
    /// How the test's binary is run, but for its path.
    pub binary: TestBinary,
    /// Which ways to compile faster are taken.
    pub shortcuts: Shortcuts,
    /// Limits of one call of rustc.
    pub limits: Limits,
    /// Where rustc runs: procedural macros can be candidates, too.
    pub sandbox: Sandbox,
    /// What calls of rustc may change: the folders of all candidates.
    pub access: Access,
    /// Further arguments for each crate.
    pub more_args: Vec<String>,
    /// How long calls of rustc take.
    pub pace: Pace,
}

/// A folder with the sources of the candidate that was compiled last.
#[derive(Debug)]
pub struct CompileDir {
    folder: Utf8PathBuf,
    written: Texts,
    /// What the libraries were compiled from, by their place among the crates, counted from the test's.
    compiled: BTreeMap<(usize, bool), u64>,
    /// The sources of the program that stands in the folder, and what was said of them.
    linked: Option<(Texts, Compiled)>,
    /// What was done.
    pub counts: CompileCounts,
}

impl CompileDir {
    /// Makes the folder, with the files that sources include.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn new(folder: &Utf8Path, setup: &Setup) -> std::io::Result<Self> {
        let compile_dir = CompileDir {
            folder: folder.to_owned(),
            written: BTreeMap::new(),
            compiled: BTreeMap::new(),
            linked: None,
            counts: CompileCounts::default(),
        };
        std::fs::create_dir_all(compile_dir.out())?;
        for path in &setup.crates.data {
            let (from, to) = (setup.crates.root.join(path), compile_dir.folder.join(path));
            if let Some(parent) = to.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::copy(from, to)?;
        }
        Ok(compile_dir)
    }

    /// Where rustc puts what it makes.
    fn out(&self) -> Utf8PathBuf {
        self.folder.join("out")
    }

    /// Compiles a candidate.
    ///
    /// # Errors
    /// When files cannot be written or rustc cannot be run.
    pub fn compile(
        &mut self,
        sources: &Sources,
        goal: Goal<'_>,
        setup: &Setup,
        interrupt: &Interrupt,
    ) -> Answer<Compiled> {
        self.write(sources)?;
        let depth = goal.depth;
        if let (Depth::Link, Some((written, linked))) = (depth, &self.linked)
            && *written == self.written
        {
            return Ok(linked.clone());
        }
        let Some((tested, libraries)) = setup.crates.all.split_last() else {
            return Err("there is no crate to compile".into());
        };
        // rustc finds all errors of a crate before it generates code, so checking first pays only
        // where code of libraries would be generated for a test that has errors.
        let is_checked_first = depth == Depth::Link && !libraries.is_empty();
        let depths: &[Depth] = if is_checked_first {
            &[Depth::Check, Depth::Link]
        } else {
            std::slice::from_ref(&depth)
        };
        let mut compiled = Compiled::default();
        for depth in depths {
            let goal = Goal { depth: *depth, ..goal };
            let mut digest = DefaultHasher::new();
            for (place, library) in (1..=libraries.len()).rev().zip(libraries) {
                self.digest(library, &mut digest);
                let key = (place, *depth == Depth::Link);
                if self.compiled.get(&key) == Some(&digest.finish()) {
                    continue;
                }
                self.compiled.remove(&key);
                compiled = self.call(library, place, goal, setup, interrupt)?;
                if !compiled.success {
                    return Ok(compiled);
                }
                self.compiled.insert(key, digest.finish());
            }
            compiled = self.call(tested, 0, goal, setup, interrupt)?;
            if !compiled.success {
                return Ok(compiled);
            }
        }
        if depth == Depth::Link {
            self.linked = Some((self.written.clone(), compiled.clone()));
        }
        Ok(compiled)
    }

    /// Calls rustc for a crate, from nothing or from what it kept of an earlier call.
    fn call(
        &mut self,
        krate: &SubjectCrate,
        place: usize,
        goal: Goal<'_>,
        setup: &Setup,
        interrupt: &Interrupt,
    ) -> Answer<Compiled> {
        let step: Step = (place, goal.depth);
        // Candidates that have little in common would only be written for nothing.
        let bytes = self.bytes(krate, setup);
        let may_keep = setup.shortcuts == Shortcuts::All && setup.pace.is_slow(step, bytes);
        let Some(cache) = goal.cache.filter(|_| may_keep) else {
            let (finished, said) = self.rustc(krate, goal, None, setup, interrupt)?;
            let success = finished.exit.is_success();
            setup.pace.was_plain(step, finished.wall, bytes, success);
            return Ok(self.compiled(krate, goal.depth, &finished, said, setup));
        };
        let kept = self.kept(step, cache);
        let (finished, said) = self.rustc(krate, goal, Some(&kept), setup, interrupt)?;
        if !is_doubtful(&finished, &said) {
            return Ok(self.compiled(krate, goal.depth, &finished, said, setup));
        }
        let (plain, plainly) = self.rustc(krate, goal, None, setup, interrupt)?;
        let has_errors = |said: &[Diagnostic]| said.iter().any(|said| !said.spans.is_empty());
        if plain.exit != finished.exit || has_errors(&plainly) != has_errors(&said) {
            setup.pace.spoil(step);
            std::fs::remove_dir_all(&kept).or_else(unless_gone)?;
        }
        Ok(self.compiled(krate, goal.depth, &plain, plainly, setup))
    }

    /// Where rustc keeps what it found out.
    fn kept(&self, (place, depth): Step, cache: IncrementalCache) -> Utf8PathBuf {
        let purpose = match (depth, cache) {
            (Depth::Check, IncrementalCache::Plain) => "check",
            (Depth::Check, IncrementalCache::Hidden) => "check-hidden",
            (Depth::Link, IncrementalCache::Plain) => "link",
            (Depth::Link, IncrementalCache::Hidden) => "link-hidden",
        };
        self.folder.join(format!("kept-{place}-{purpose}"))
    }

    fn rustc(
        &mut self,
        krate: &SubjectCrate,
        Goal { depth, library, .. }: Goal<'_>,
        kept: Option<&Utf8Path>,
        setup: &Setup,
        interrupt: &Interrupt,
    ) -> Answer<(Finished, Vec<Diagnostic>)> {
        if depth == Depth::Link {
            self.linked = None;
        }
        let out = self.out();
        let mut args = setup.crates.args(krate, &out, depth, setup.shortcuts);
        args.extend(setup.more_args.iter().cloned());
        args.extend(library.map(|library| format!("--extern={library}")));
        args.extend(match kept {
            Some(kept) => Some(format!("-Cincremental={kept}")),
            None if setup.shortcuts == Shortcuts::All => Some(CODEGEN_UNITS.to_owned()),
            None => None,
        });
        let limits = Limits { output_bytes: OUTPUT_BYTES, ..setup.limits.clone() };
        let mut job =
            krate.call.job(&args, &self.folder).env("TMPDIR", out.as_str()).limits(limits);
        let allows = |text: &str| text.contains(ENDLESS);
        if !self.written.values().any(|it| allows(it)) && !args.iter().any(|it| allows(it)) {
            job = job.arg(format!("--force-warn={ENDLESS}")).ends_at(SAYS_ENDLESS);
        }
        let finished = setup.sandbox.confine(job, setup.access.clone()).run(interrupt)?;
        if finished.exit.is_success() && depth == Depth::Link {
            self.counts.builds += 1;
        } else {
            self.counts.checks += 1;
        }
        let said = read_diagnostics(&finished.stderr.text());
        Ok((finished, said))
    }

    fn compiled(
        &self,
        krate: &SubjectCrate,
        depth: Depth,
        finished: &Finished,
        said: Vec<Diagnostic>,
        setup: &Setup,
    ) -> Compiled {
        let success = finished.exit.is_success();
        let is_error = |said: &Diagnostic| !said.is_warning || !success && is_endless(said);
        let (errors, warnings) = said.into_iter().partition(is_error);
        let is_program = krate.call.kind() == CrateKind::Test && depth == Depth::Link;
        let binary = (success && is_program).then(|| TestBinary {
            executable: krate.program(&self.out()),
            compiled_in: self.folder.canonicalize_utf8().ok(),
            ..setup.binary.clone()
        });
        Compiled { success, errors, warnings, binary }
    }

    /// Compiles a library of one file with the options of the test's crate, in a folder of this name.
    ///
    /// # Errors
    /// When it does not compile, or cannot be written.
    pub fn compile_library(
        &mut self,
        folder: &str,
        name: &str,
        text: &str,
        setup: &Setup,
        interrupt: &Interrupt,
    ) -> Answer<Utf8PathBuf> {
        let Some(tested) = setup.crates.tested() else {
            return Err("there is no crate to compile".into());
        };
        let folder = self.folder.join(folder);
        std::fs::create_dir_all(&folder)?;
        let source = folder.join(format!("{name}.rs"));
        std::fs::write(&source, text)?;
        let library = folder.join(format!("lib{name}.rlib"));
        let args = library_args(&tested.call, name, &source, &library);
        let job = tested.call.job(&args, &self.folder).limits(setup.limits.clone());
        let finished = setup.sandbox.confine(job, setup.access.clone()).run(interrupt)?;
        self.counts.builds += 1;
        if finished.exit.is_success() {
            return Ok(library);
        }
        let said = read_diagnostics(&finished.stderr.text());
        let first = said.first().map(|said| said.rendered.clone());
        Err(format!("`{name}` does not compile: {}", first.unwrap_or_default()).into())
    }

    /// Writes what differs from the candidate before.
    fn write(&mut self, sources: &Sources) -> std::io::Result<()> {
        let gone: Vec<Arc<str>> = self
            .written
            .keys()
            .filter(|path| !sources.files.iter().any(|file| file.path == **path))
            .cloned()
            .collect();
        for path in gone {
            std::fs::remove_file(self.folder.join(&*path))?;
            self.written.remove(&path);
        }
        for file in &sources.files {
            if self.written.get(&file.path) == Some(&file.text) {
                continue;
            }
            write_new(self.folder.join(&*file.path).as_std_path(), file.text.as_bytes())?;
            self.written.insert(file.path.clone(), file.text.clone());
        }
        Ok(())
    }

    /// How much text a crate has.
    fn bytes(&self, krate: &SubjectCrate, setup: &Setup) -> usize {
        let of_crate = krate.files.iter().filter_map(|file| self.written.get(file.as_str()));
        let all = self.written.values();
        match setup.crates.all.len() {
            // Candidates that are compiled together have files of their own.
            1 => all.map(|text| text.len()).sum(),
            _ => of_crate.map(|text| text.len()).sum(),
        }
    }

    fn digest(&self, krate: &SubjectCrate, into: &mut DefaultHasher) {
        for file in &krate.files {
            self.written.get(file.as_str()).hash(into);
        }
    }
}

/// Whether a call may have failed because of what was kept: rustc has crashed, or points at no source.
fn is_doubtful(finished: &Finished, said: &[Diagnostic]) -> bool {
    const CRASHED: i32 = 101;
    let mut errors = said.iter().filter(|said| !said.is_warning);
    match finished.exit {
        Exit::Code(0) | Exit::TimedOut => false,
        Exit::Code(CRASHED) | Exit::Signal(_) => true,
        Exit::Code(_) => errors.all(|error| error.spans.is_empty()),
    }
}

fn library_args(
    call: &Invocation,
    name: &str,
    source: &Utf8Path,
    library: &Utf8Path,
) -> Vec<String> {
    let mut args = ["--crate-name", name, "--crate-type", "rlib", "--edition=2021"]
        .map(str::to_owned)
        .to_vec();
    for option in call.values("--target") {
        args.extend(["--target".to_owned(), option.to_owned()]);
    }
    // Panics have to be caught and passed on as in the crates that use it.
    for option in call.values("-C").filter(|option| option.starts_with("panic=")) {
        args.extend(["-C".to_owned(), option.to_owned()]);
    }
    args.extend(["-C".to_owned(), "opt-level=2".to_owned()]);
    args.extend(["-o".to_owned(), library.to_string(), source.to_string()]);
    args
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use super::*;
    use crate::exec::Policy;
    use crate::rust::testing::sources_of as sources;

    const STEP: Step = (0, Depth::Check);

    fn compile(script: &str, goal: Goal<'_>) -> (Compiled, CompileCounts, bool) {
        in_compile_dir(script, |compile_dir, setup| {
            let sources = sources("fn a() {}");
            let compiled = compile_dir.compile(&sources, goal, setup, &Interrupt::new());
            let is_kept = compile_dir.kept(STEP, IncrementalCache::Plain).exists();
            assert_eq!(is_kept, setup.pace.is_slow(STEP, 9) && goal.cache.is_some());
            (compiled.unwrap(), compile_dir.counts, is_kept)
        })
    }

    /// A compile folder whose rustc is a script, in which `$kept` is `-Cincremental=…` or empty.
    fn in_compile_dir<R>(script: &str, look: impl FnOnce(&mut CompileDir, &Setup) -> R) -> R {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let rustc = root.join("rustc");
        let kept = r"for word; do case $word in -Cincremental=*) kept=$word; mkdir -p ${word#*=};; esac; done";
        std::fs::write(&rustc, format!("#!/bin/sh\n{kept}\n{script}\n")).unwrap();
        std::fs::set_permissions(&rustc, PermissionsExt::from_mode(0o755)).unwrap();
        let krate = SubjectCrate {
            call: Invocation {
                program: rustc,
                args: ["--test", "a.rs"].map(str::to_owned).to_vec(),
                env: BTreeMap::new(),
            },
            files: vec!["a.rs".into()],
        };
        let setup = Setup {
            crates: Crates { all: vec![krate], root: root.to_owned(), data: Vec::new() },
            binary: TestBinary::of_file(root, "a.rs"),
            shortcuts: Shortcuts::All,
            limits: Limits::default(),
            sandbox: Sandbox::new(Policy::default()).unwrap(),
            access: Access::keeping([root.as_std_path()]),
            more_args: Vec::new(),
            pace: Pace::default(),
        };
        setup.pace.was_plain(STEP, Duration::from_secs(9), 9, true);
        let mut compile_dir = CompileDir::new(&root.join("compile-dir"), &setup).unwrap();
        look(&mut compile_dir, &setup)
    }

    const CHECK: Goal<'_> =
        Goal { depth: Depth::Check, cache: Some(IncrementalCache::Plain), library: None };

    const ERROR: &str = r#"{"message":"no","level":"error","code":null,"children":[],"rendered":null,"spans":[SPANS]}"#;

    fn error(spans: &str) -> String {
        format!("echo '{}' >&2; exit 1", ERROR.replace("SPANS", spans))
    }

    #[test]
    fn variants_of_a_slow_crate_are_compiled_with_what_was_kept() {
        let (compiled, counts, is_kept) = compile("test $kept", CHECK);
        assert!(compiled.success && is_kept);
        assert_eq!(counts.checks, 1);
        let goal = Goal { cache: None, ..CHECK };
        assert!(compile("test ! $kept", goal).0.success);
    }

    #[test]
    fn what_is_linked_already_is_not_linked_again() {
        let mut counts = Vec::new();
        in_compile_dir("exit 0", |compile_dir, setup| {
            for (depth, text) in [
                (Depth::Link, "fn a() {}"),
                (Depth::Check, "fn b() {}"),
                (Depth::Link, "fn a() {}"),
                (Depth::Link, "fn b() {}"),
                (Depth::Link, "fn a() {}"),
            ] {
                let goal = Goal { depth, cache: None, library: None };
                let compiled = compile_dir.compile(&sources(text), goal, setup, &Interrupt::new());
                assert_eq!(compiled.unwrap().binary.is_some(), depth == Depth::Link);
                counts.push(compile_dir.counts.builds);
            }
        });
        assert_eq!(counts, [1, 1, 1, 2, 3]);
    }

    #[test]
    fn a_crash_over_what_was_kept_is_no_answer() {
        for crash in ["exit 101", "kill -9 $$", &error("")] {
            let script = format!("if test $kept; then {crash}; fi");
            let (compiled, counts, is_kept) = compile(&script, CHECK);
            assert!(compiled.success && !is_kept, "{crash}");
            assert_eq!(counts.checks, 2);
        }
    }

    #[test]
    fn errors_in_the_source_are_an_answer_and_what_was_kept_stays() {
        let span = r#"{"file_name":"a.rs","byte_start":0,"byte_end":1,"line_start":1,"line_end":1,"column_start":1,
            "column_end":2,"is_primary":true,"text":[],"label":null,"suggested_replacement":null,
            "suggestion_applicability":null,"expansion":null}"#;
        let (compiled, counts, is_kept) = compile(&error(&span.replace('\n', "")), CHECK);
        assert!(!compiled.success && is_kept);
        assert_eq!((counts.checks, compiled.errors.len()), (1, 1));
        // So does what is as wrong with a call that starts from nothing.
        let (compiled, counts, is_kept) = compile("exit 101", CHECK);
        assert!(!compiled.success && is_kept);
        assert_eq!(counts.checks, 2);
    }
}

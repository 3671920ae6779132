//! A folder in which one candidate at a time is compiled.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::crates::{Crates, Shortcuts, SubjectCrate};
use super::{Compiled, Depth};
use crate::exec::{Interrupt, Limits, run};
use crate::passes::Sources;
use crate::project::{CrateKind, Invocation, TestBinary, read_diagnostics};
use crate::reduce::OracleError;

/// What rustc may print about one crate.
const OUTPUT_BYTES: usize = 16 << 20;

/// What was done in a lane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaneCounts {
    /// Calls of rustc that generated code.
    pub builds: u64,
    /// Calls of rustc that only checked, or that found errors.
    pub checks: u64,
}

/// What all lanes share.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What is compiled.
    pub crates: Crates,
    /// How the test's binary is run, but for its path.
    pub binary: TestBinary,
    /// Which ways to compile faster are taken.
    pub shortcuts: Shortcuts,
    /// Limits of one call of rustc.
    pub limits: Limits,
    /// Further arguments for each crate.
    pub more_args: Vec<String>,
}

/// A folder with the sources of the candidate that was compiled last.
#[derive(Debug)]
pub struct Lane {
    folder: Utf8PathBuf,
    written: BTreeMap<Arc<str>, Arc<str>>,
    /// What the libraries were compiled from, by their place among the crates.
    compiled: BTreeMap<(usize, bool), u64>,
    /// What was done.
    pub counts: LaneCounts,
}

impl Lane {
    /// Makes the folder, with the files that sources include.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn new(folder: &Utf8Path, setup: &Setup) -> std::io::Result<Self> {
        let lane = Lane {
            folder: folder.to_owned(),
            written: BTreeMap::new(),
            compiled: BTreeMap::new(),
            counts: LaneCounts::default(),
        };
        std::fs::create_dir_all(lane.out())?;
        for path in &setup.crates.data {
            let (from, to) = (setup.crates.root.join(path), lane.folder.join(path));
            if let Some(parent) = to.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::copy(from, to)?;
        }
        Ok(lane)
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
        depth: Depth,
        setup: &Setup,
        interrupt: &Interrupt,
    ) -> Result<Compiled, OracleError> {
        self.write(sources)?;
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
            let mut digest = DefaultHasher::new();
            for (place, library) in libraries.iter().enumerate() {
                self.digest(library, &mut digest);
                let key = (place, *depth == Depth::Link);
                if self.compiled.get(&key) == Some(&digest.finish()) {
                    continue;
                }
                self.compiled.remove(&key);
                compiled = self.call(library, *depth, setup, interrupt)?;
                if !compiled.success {
                    return Ok(compiled);
                }
                self.compiled.insert(key, digest.finish());
            }
            compiled = self.call(tested, *depth, setup, interrupt)?;
            if !compiled.success {
                return Ok(compiled);
            }
        }
        Ok(compiled)
    }

    fn call(
        &mut self,
        krate: &SubjectCrate,
        depth: Depth,
        setup: &Setup,
        interrupt: &Interrupt,
    ) -> Result<Compiled, OracleError> {
        let out = self.out();
        let mut args = setup.crates.args(krate, &out, depth, setup.shortcuts);
        args.extend(setup.more_args.iter().cloned());
        let limits = Limits {
            output_bytes: OUTPUT_BYTES,
            ..setup.limits.clone()
        };
        let job = krate
            .call
            .job(&args, &self.folder)
            .env("TMPDIR", out.as_str())
            .limits(limits);
        let finished = run(&job, interrupt)?;
        let success = finished.exit.is_success();
        if success && depth == Depth::Link {
            self.counts.builds += 1;
        } else {
            self.counts.checks += 1;
        }
        let said = read_diagnostics(&finished.stderr.text());
        let (warnings, errors) = said.into_iter().partition(|said| said.is_warning);
        let is_program = krate.call.kind() == CrateKind::Test && depth == Depth::Link;
        let binary = (success && is_program).then(|| TestBinary {
            executable: krate.program(&out),
            ..setup.binary.clone()
        });
        Ok(Compiled {
            success,
            errors,
            warnings,
            binary,
        })
    }

    /// Compiles a library of one file with the options of the test's crate.
    ///
    /// # Errors
    /// When it does not compile, or cannot be written.
    pub fn compile_library(
        &mut self,
        (name, text): (&str, &str),
        setup: &Setup,
        interrupt: &Interrupt,
    ) -> Result<Utf8PathBuf, OracleError> {
        let Some(tested) = setup.crates.tested() else {
            return Err("there is no crate to compile".into());
        };
        let source = self.folder.join(format!("{name}.rs"));
        std::fs::write(&source, text)?;
        let library = self.folder.join(format!("lib{name}.rlib"));
        let args = library_args(&tested.call, name, &source, &library);
        let job = tested
            .call
            .job(&args, &self.folder)
            .limits(setup.limits.clone());
        let finished = run(&job, interrupt)?;
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
        let gone: Vec<Arc<str>> = { self.written.keys() }
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
            let path = self.folder.join(&*file.path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, &*file.text)?;
            self.written.insert(file.path.clone(), file.text.clone());
        }
        Ok(())
    }

    fn digest(&self, krate: &SubjectCrate, into: &mut DefaultHasher) {
        for file in &krate.files {
            self.written.get(file.as_str()).hash(into);
        }
    }
}

fn library_args(
    call: &Invocation,
    name: &str,
    source: &Utf8Path,
    library: &Utf8Path,
) -> Vec<String> {
    let mut args = [
        "--crate-name",
        name,
        "--crate-type",
        "rlib",
        "--edition=2021",
    ]
    .map(str::to_owned)
    .to_vec();
    for option in call.values("--target") {
        args.extend(["--target".to_owned(), option.to_owned()]);
    }
    // Panics have to be caught and passed on as in the crates that use it.
    for option in call
        .values("-C")
        .filter(|option| option.starts_with("panic="))
    {
        args.extend(["-C".to_owned(), option.to_owned()]);
    }
    args.extend(["-C".to_owned(), "opt-level=2".to_owned()]);
    args.extend(["-o".to_owned(), library.to_string(), source.to_string()]);
    args
}

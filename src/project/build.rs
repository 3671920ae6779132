//! Building tests with cargo, and what cargo says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{
    Artifact, BuildScript, Message, PackageId, Target, TargetKind as CargoTargetKind,
};

use super::config_env::config_env;
use super::enclosure::NO_WRAPPER;
use super::error::{cargo_error, cargo_program};
use super::rustc::Invocation;
use super::spec::spec_at;
use super::{CargoOptions, Result, TargetChoice, TargetKind};
use crate::exec::{Interrupt, Job, Limits, run_tool};

/// JSON messages of a large workspace with many warnings.
const OUTPUT_BYTES: usize = 256 << 20;

/// What one `cargo test --no-run` said.
#[derive(Debug, Default)]
pub struct Built {
    /// Whether all was built.
    pub success: bool,
    /// The test binaries, in cargo's order.
    pub binaries: Vec<TestBinary>,
    /// The compiler's errors.
    pub errors: Vec<Diagnostic>,
    /// Its warnings.
    pub warnings: Vec<Diagnostic>,
    /// All that was built or found fresh, to prime another target directory with.
    pub artifacts: Vec<Artifact>,
    /// Build scripts that were run or found fresh.
    pub build_scripts: Vec<BuildScript>,
    /// cargo's own words, for when there is no diagnostic.
    pub stderr: String,
}

impl Built {
    /// The file of a package's library.
    pub(super) fn library(&self, package: &PackageId) -> Option<Utf8PathBuf> {
        let file = |artifact: &Artifact| {
            let files = artifact.filenames.iter();
            let is_code = |file: &&Utf8PathBuf| {
                let kinds = ["rlib", std::env::consts::DLL_EXTENSION];
                file.extension().is_some_and(|kind| kinds.contains(&kind))
            };
            files.clone().find(is_code).cloned()
        };
        self.libraries().filter(|artifact| &artifact.package_id == package).find_map(file)
    }

    /// The folders of the libraries and of what these need.
    pub fn library_folders(&self) -> BTreeSet<&Utf8Path> {
        let files = self.libraries().flat_map(|artifact| &artifact.filenames);
        files.filter_map(|file| file.parent()).collect()
    }

    fn libraries(&self) -> impl Iterator<Item = &Artifact> {
        let is_one = |artifact: &&Artifact| !artifact.profile.test && is_library(&artifact.target);
        self.artifacts.iter().filter(is_one)
    }
}

/// Whether other crates can use it.
pub(super) fn is_library(target: &Target) -> bool {
    target.is_lib() || target.is_rlib() || target.is_proc_macro()
}

/// A built test binary and how cargo would run it.
#[derive(Debug, Clone)]
pub struct TestBinary {
    /// The program.
    pub executable: Utf8PathBuf,
    /// The package it belongs to.
    pub package_id: PackageId,
    /// The manifest of that package.
    pub manifest_path: Utf8PathBuf,
    /// How cargo selects it.
    pub choice: TargetChoice,
    /// The crate's root file.
    pub src_path: Utf8PathBuf,
    /// The environment cargo gives it.
    pub env: BTreeMap<String, String>,
    /// The directory cargo starts it in: the package's.
    pub cwd: Utf8PathBuf,
    /// The folder in which the compiler was called for its sources, if that is known.
    pub compiled_in: Option<Utf8PathBuf>,
}

#[cfg(test)]
impl TestBinary {
    /// That of a crate whose only file is `source`, in this folder.
    pub fn of_file(folder: &Utf8Path, source: &str) -> Self {
        TestBinary {
            executable: folder.join("test"),
            package_id: PackageId { repr: String::new() },
            manifest_path: folder.join("Cargo.toml"),
            choice: TargetChoice { kind: TargetKind::Lib, name: None },
            src_path: folder.join(source),
            env: BTreeMap::new(),
            cwd: folder.to_owned(),
            compiled_in: None,
        }
    }
}

/// One error of the compiler, or one warning.
#[derive(Debug, Clone, Default)]
pub struct Diagnostic {
    /// Whether the compiler goes on after it.
    pub is_warning: bool,
    /// What it says, in one sentence.
    pub message: String,
    /// As rustc shows it.
    pub rendered: String,
    /// `E0308` and the like, or the name of a lint.
    pub code: Option<String>,
    /// Where it points: all spans, those of its children too.
    pub spans: Vec<DiagnosticSpan>,
}

impl Diagnostic {
    /// Where it points in the first place.
    pub fn primary_spans(&self) -> impl Iterator<Item = &DiagnosticSpan> {
        self.spans.iter().filter(|span| span.primary)
    }

    /// All spans, those in the first place first.
    pub fn primary_first(&self) -> impl Iterator<Item = &DiagnosticSpan> {
        self.primary_spans().chain(self.spans.iter().filter(|span| !span.primary))
    }

    /// The lint that it is of, if it is of one that can be allowed. Some lints have the code of an error; what they say
    /// ends in the level that they have.
    pub fn lint(&self) -> Option<&str> {
        let is_lint = |code: &&str| {
            code.chars().all(|it| it.is_ascii_lowercase() || "_0123456789".contains(it))
        };
        let level = || {
            let (_, level) = self.rendered.rsplit_once("= note: `#[")?;
            let (level, _) = level.split_once(")]` ")?;
            ["deny(", "warn("].iter().find_map(|start| level.strip_prefix(start))
        };
        self.code.as_deref().filter(is_lint).or_else(|| level().filter(is_lint))
    }
}

/// A place a diagnostic points at.
#[derive(Debug, Clone)]
pub struct DiagnosticSpan {
    /// The file, as rustc names it (relative to the workspace root, or absolute).
    pub file: Utf8PathBuf,
    /// First byte.
    pub start: usize,
    /// Past the last byte.
    pub end: usize,
    /// Whether it is where the error is, rather than a remark.
    pub primary: bool,
}

impl DiagnosticSpan {
    /// The bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// `cargo test` for packages of a project, telling in JSON what it builds.
#[derive(Debug, Clone, Copy)]
pub struct CargoTest<'a> {
    /// The manifest of the project.
    pub manifest: &'a Utf8Path,
    /// Where it builds, if not where cargo does by itself.
    pub target_dir: Option<&'a Utf8Path>,
    /// How it builds.
    pub options: &'a CargoOptions,
    /// The packages; what cargo chooses if there are none.
    pub packages: &'a [String],
}

impl CargoTest<'_> {
    /// Builds the given targets (all when empty) without running them.
    ///
    /// # Errors
    /// When cargo cannot be run or is interrupted; errors of the compiler are in [`Built`].
    pub fn build(&self, targets: &[TargetChoice], interrupt: &Interrupt) -> Result<Built> {
        let built_targets = targets.iter().filter(|target| target.kind != TargetKind::Doc);
        let job = self.job().arg("--no-run").args(built_targets.flat_map(TargetChoice::args));
        Ok(run_cargo(job, self.options, interrupt)?.0)
    }

    /// As [`CargoTest::build`] for one target, and tells the calls of rustc that were made. What is fresh is not
    /// built again, and not told.
    ///
    /// # Errors
    /// As [`CargoTest::build`].
    pub fn build_and_tell(
        &self,
        target: &TargetChoice,
        interrupt: &Interrupt,
    ) -> Result<(Built, Vec<Invocation>)> {
        let job = self.job().args(["--no-run", "-vv"]).args(target.args());
        // The calls are made again in the sandbox.
        let job = job.env(NO_WRAPPER.0, NO_WRAPPER.1);
        let built = run_cargo(job, self.options, interrupt)?.0;
        let calls = Invocation::read_all(&built.stderr);
        Ok((built, calls))
    }

    /// Builds what the doc tests need, and asks rustdoc for their names: what was built, and what the harness of the
    /// doc tests printed.
    ///
    /// # Errors
    /// As [`CargoTest::build`].
    pub fn list_doc_tests(&self, interrupt: &Interrupt) -> Result<(Built, String)> {
        run_cargo(self.job().args(["--doc", "--", "--list"]), self.options, interrupt)
    }

    fn job(&self) -> Job {
        let folder = self.manifest.parent().unwrap_or(Utf8Path::new("."));
        let mut job = Job::new(cargo_program())
            .args(["test", "--message-format=json", "--manifest-path"])
            .arg(self.manifest.as_str())
            .args(self.options.build_args())
            .cwd(folder)
            .without_backtraces()
            .limits(Limits { output_bytes: OUTPUT_BYTES, ..Limits::default() });
        if let Some(target_dir) = self.target_dir {
            job = job.args(["--target-dir", target_dir.as_str()]);
        }
        for package in self.packages {
            job = job.args(["-p", &spec_at(package, self.manifest)]);
        }
        if self.options.workspace && self.packages.is_empty() {
            job = job.arg("--workspace");
        }
        job
    }
}

fn run_cargo(job: Job, options: &CargoOptions, interrupt: &Interrupt) -> Result<(Built, String)> {
    let job = job.heard_by(&options.heard);
    let finished = match &options.enclosure {
        Some(enclosure) => enclosure.build(job, interrupt)?,
        None => run_tool(&job, interrupt).map_err(cargo_error)?,
    };
    let stdout = finished.stdout.bytes();
    let mut built = read_messages(&stdout, finished.exit.is_success(), finished.stderr.text());
    let macros = built.artifacts.iter().filter(|it| it.profile.test && it.target.is_proc_macro());
    let macros: Vec<PackageId> = macros.map(|artifact| artifact.package_id.clone()).collect();
    for binary in &mut built.binaries {
        if binary.choice.kind == TargetKind::Lib && macros.contains(&binary.package_id) {
            let folder = ask_rustc(&["--print", "target-libdir"], &binary.cwd, interrupt)?;
            binary.find_libraries_in(folder.trim());
        }
    }
    Ok((built, finished.stdout.text()))
}

/// What rustc answers where it is started in this folder.
pub(super) fn ask_rustc(args: &[&str], cwd: &Utf8Path, interrupt: &Interrupt) -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let job = Job::new(rustc).args(args).cwd(cwd.as_std_path());
    Ok(run_tool(&job, interrupt).map_err(cargo_error)?.stdout.text())
}

impl TestBinary {
    /// Lets it find dynamic libraries in one folder more, first of all.
    pub fn find_libraries_in(&mut self, folder: &str) {
        let given = self.env.get(LIBRARY_PATH).cloned().unwrap_or_default();
        let folders = std::iter::once(folder.into()).chain(std::env::split_paths(&given));
        if let Ok(joined) = std::env::join_paths(folders) {
            let joined = joined.to_string_lossy().into_owned();
            self.env.insert(LIBRARY_PATH.to_owned(), joined);
        }
    }
}

pub(super) fn read_messages(stdout: &[u8], success: bool, stderr: String) -> Built {
    let mut built = Built { success, stderr, ..Built::default() };
    for message in Message::parse_stream(stdout).filter_map(Result::ok) {
        match message {
            Message::CompilerArtifact(artifact) => built.artifacts.push(artifact),
            Message::BuildScriptExecuted(script) => built.build_scripts.push(script),
            Message::CompilerMessage(message) => match read_diagnostic(&message.message) {
                Some(said) if said.is_warning => built.warnings.push(said),
                said => built.errors.extend(said),
            },
            _ => {}
        }
    }
    let binaries = built.artifacts.iter().filter_map(|artifact| test_binary(artifact, &built));
    built.binaries = binaries.collect();
    built
}

/// The errors and warnings among the lines that rustc prints with `--error-format=json`.
pub fn read_diagnostics(stderr: &str) -> Vec<Diagnostic> {
    let parsed = stderr.lines().filter_map(|line| serde_json::from_str(line).ok());
    parsed.filter_map(|said| read_diagnostic(&said)).collect()
}

fn read_diagnostic(diagnostic: &cargo_metadata::diagnostic::Diagnostic) -> Option<Diagnostic> {
    use cargo_metadata::diagnostic::DiagnosticLevel;
    let is_warning = match diagnostic.level {
        DiagnosticLevel::Error | DiagnosticLevel::Ice => false,
        DiagnosticLevel::Warning => true,
        _ => return None,
    };
    let children = diagnostic.children.iter().flat_map(|child| &child.spans);
    Some(Diagnostic {
        is_warning,
        message: diagnostic.message.clone(),
        rendered: diagnostic.rendered.clone().unwrap_or_else(|| diagnostic.message.clone()),
        code: diagnostic.code.as_ref().map(|code| code.code.clone()),
        spans: diagnostic.spans.iter().chain(children).flat_map(span_and_expansions).collect(),
    })
}

/// A span inside a macro is also a span where the macro was called.
fn span_and_expansions(span: &cargo_metadata::diagnostic::DiagnosticSpan) -> Vec<DiagnosticSpan> {
    let mut spans = vec![DiagnosticSpan {
        file: Utf8PathBuf::from(&span.file_name),
        start: span.byte_start as usize,
        end: span.byte_end as usize,
        primary: span.is_primary,
    }];
    if let Some(expansion) = &span.expansion {
        spans.extend(span_and_expansions(&expansion.span));
    }
    spans
}

fn test_binary(artifact: &Artifact, built: &Built) -> Option<TestBinary> {
    let executable = artifact.executable.clone()?;
    if !artifact.profile.test {
        return None;
    }
    let kind = TargetKind::of(&artifact.target).unwrap_or(TargetKind::Lib);
    let cwd = artifact.manifest_path.parent()?.to_owned();
    Some(TestBinary {
        env: run_env(artifact, built, &cwd, &executable),
        executable,
        package_id: artifact.package_id.clone(),
        manifest_path: artifact.manifest_path.clone(),
        choice: TargetChoice {
            kind,
            name: (kind != TargetKind::Lib).then(|| artifact.target.name.clone()),
        },
        src_path: artifact.target.src_path.clone(),
        cwd,
        compiled_in: None,
    })
}

/// The variables that `cargo test` sets for the programs it runs.
fn run_env(
    artifact: &Artifact,
    built: &Built,
    cwd: &Utf8Path,
    executable: &Utf8Path,
) -> BTreeMap<String, String> {
    let mut env = config_env(cwd);
    let mut set = |key: &str, value: &str| env.insert(key.to_owned(), value.to_owned());
    set("CARGO_MANIFEST_DIR", cwd.as_str());
    set("CARGO_MANIFEST_PATH", artifact.manifest_path.as_str());
    for (key, value) in package_env(artifact) {
        set(&key, &value);
    }
    for bin in &built.artifacts {
        let is_bin = bin.target.kind.contains(&CargoTargetKind::Bin) && !bin.profile.test;
        let program =
            bin.executable.as_ref().filter(|_| is_bin && bin.package_id == artifact.package_id);
        if let Some(program) = program {
            set(&format!("CARGO_BIN_EXE_{}", bin.target.name), program.as_str());
        }
    }
    let mut library_path = Vec::new();
    for script in &built.build_scripts {
        if script.package_id == artifact.package_id {
            set("OUT_DIR", script.out_dir.as_str());
            for (key, value) in &script.env {
                set(key, value);
            }
        }
        for path in &script.linked_paths {
            let plain = path.as_str().split_once('=').map_or(path.as_str(), |(_, path)| path);
            library_path.push(plain.to_owned());
        }
    }
    let dependencies = executable.parent().map(Utf8Path::to_string);
    let profile_dir = executable.parent().and_then(Utf8Path::parent).map(Utf8Path::to_string);
    library_path.extend(dependencies.into_iter().chain(profile_dir));
    library_path.extend(std::env::var(LIBRARY_PATH));
    let joined =
        std::env::join_paths(library_path).map(|paths| paths.to_string_lossy().into_owned());
    if let Ok(paths) = joined {
        set(LIBRARY_PATH, &paths);
    }
    env
}

/// Where the system looks for dynamic libraries.
#[cfg(target_os = "macos")]
pub const LIBRARY_PATH: &str = "DYLD_FALLBACK_LIBRARY_PATH";
/// Where the system looks for dynamic libraries.
#[cfg(windows)]
pub const LIBRARY_PATH: &str = "PATH";
/// Where the system looks for dynamic libraries.
#[cfg(not(any(target_os = "macos", windows)))]
pub const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";

/// `CARGO_PKG_*`, from the package's id (`path+file:///…#name@1.2.3` or `…/name#1.2.3`).
fn package_env(artifact: &Artifact) -> Vec<(String, String)> {
    let id = artifact.package_id.repr.as_str();
    let (source, fragment) = id.rsplit_once('#').unwrap_or((id, ""));
    let folder_name = source.rsplit('/').next().unwrap_or(source);
    let (name, version) = fragment.split_once('@').unwrap_or((folder_name, fragment));
    let numbers = version.split(['-', '+']).next().unwrap_or(version);
    let mut parts = numbers.split('.');
    let mut variables = vec![
        ("CARGO_PKG_NAME".to_owned(), name.to_owned()),
        ("CARGO_PKG_VERSION".to_owned(), version.to_owned()),
    ];
    for part in ["MAJOR", "MINOR", "PATCH"] {
        let value = parts.next().unwrap_or_default().to_owned();
        variables.push((format!("CARGO_PKG_VERSION_{part}"), value));
    }
    variables
}

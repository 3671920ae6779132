//! Which crate of the package crashes the compiler, and its sources as a candidate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use camino::Utf8Path;
use regex::Regex;

use super::PackageConfig;
use crate::cli::failure::Failure;
use crate::cli::files::{FileContent, FilesJob, contents};
use crate::cli::ice::IceConfig;
use crate::cli::ice::case::{Case, FIRST_RUN, crash_of};
use crate::oracle::ice::{Compilation, Rustc};
use crate::passes::{Sameness, SourceFile, Sources};
use crate::project::{CompilerCall, Recorded};
use crate::report::Status;
use crate::source::{Crate, tidy};

/// A crate of a package that crashes.
#[derive(Debug, Clone)]
pub struct PackageCase {
    /// The crash.
    pub case: Case,
    /// How cargo called the compiler.
    pub call: CompilerCall,
}

/// Runs cargo, and looks among its calls of the compiler for one that crashes.
///
/// # Errors
/// When cargo cannot be run, or no call crashes when it is repeated.
pub fn find(
    config: &IceConfig,
    package: &PackageConfig,
    job: &FilesJob<'_>,
) -> Result<PackageCase, Failure> {
    let call = package.call(config.toolchain.as_deref(), &config.files.cwd);
    job.stage("Running", format!("cargo {}", call.args.join(" ")));
    let recorded = call.record(&job.interrupt)?;
    if recorded.built.success {
        let message = format!(
            "the compiler does not crash under `cargo {}`",
            package.command
        );
        return Err(Failure::new(Status::NotFailing, message)
            .hint("`--ice-command` names another command of cargo"));
    }
    // Those after the first crash may have been killed on its account.
    for call in suspects(&recorded) {
        if let Some(case) = repeat(config, job, &call)? {
            return Ok(PackageCase { case, call });
        }
    }
    let message = format!(
        "`cargo {}` fails, but not by a crash of the compiler",
        package.command
    );
    let failure = Failure::new(Status::NotFailing, message);
    let said = recorded.built.stderr;
    Err(match said.lines().find(|line| line.starts_with("error")) {
        Some(line) => failure.hint(format!("it says: {line}")),
        None => failure,
    })
}

/// The calls that may have failed, likely ones first: those of packages that cargo says could not be
/// compiled, or all.
fn suspects(recorded: &Recorded) -> Vec<CompilerCall> {
    if recorded.is_endless {
        // Those that were running in the end are among the last to start.
        return recorded.calls.iter().rev().cloned().collect();
    }
    let failed: BTreeSet<&str> = COULD_NOT
        .captures_iter(&recorded.built.stderr)
        .filter_map(|found| found.get(1))
        .map(|name| name.as_str())
        .collect();
    let is_suspect = |call: &&CompilerCall| {
        let package = call.variable("CARGO_PKG_NAME");
        failed.is_empty() || package.is_none_or(|name| failed.contains(name.as_str()))
    };
    recorded.calls.iter().filter(is_suspect).cloned().collect()
}

static COULD_NOT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^error: could not (?:compile|document) `([^`]+)`")
        .unwrap_or_else(|error| panic!("a fixed pattern: {error}"))
});

/// The call once more on a copy of the sources; `None` if it does not crash.
fn repeat(
    config: &IceConfig,
    job: &FilesJob<'_>,
    call: &CompilerCall,
) -> Result<Option<Case>, Failure> {
    let Some(root) = call.root() else {
        return Ok(None);
    };
    let folder = call.package_dir();
    let name = root.strip_prefix(&folder).unwrap_or(&root).to_owned();
    let read = |path: &Path| std::fs::read_to_string(path);
    let krate = Crate::load(root.as_std_path(), folder.as_std_path(), read)
        .map_err(|error| Failure::error(error.to_string()))?;
    let compilation = Compilation {
        rustc: compiler(config, job, call),
        beside: beside(&krate, &folder, &root),
    };
    job.stage("Compiling", compilation.rustc.command_line(name.as_str()));
    let several = one_by_one(&krate, &folder);
    let Ok(first) = crash_of(config, job, &compilation, &several)? else {
        return Ok(None);
    };
    let flattened = krate.flattened();
    let given = vec![FileContent {
        name: name.to_string(),
        bytes: flattened.as_bytes().to_vec(),
    }];
    let one = Sources::new(
        vec![SourceFile {
            path: name.as_str().into(),
            text: flattened.into(),
        }],
        Sameness::Tokens,
    );
    // Candidates are one file if the crash does not mind.
    let is_same = compilation.run(&one, &job.interrupt)?.verdict == first.verdict;
    let package = call.variable("CARGO_PKG_NAME").cloned();
    Ok(Some(Case {
        name: package.unwrap_or_else(|| name.to_string()),
        given: if is_same { given } else { contents(&several) },
        tokens: several.tokens(),
        sources: if is_same { one } else { several },
        compilation,
        first,
    }))
}

fn compiler(config: &IceConfig, job: &FilesJob<'_>, call: &CompilerCall) -> Rustc {
    let rustc = Rustc::as_called(
        call.invocation.program.clone().into_std_path_buf(),
        call.lead().into_iter().map(Into::into).collect(),
        call.own_env()
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        config.toolchain.as_deref(),
        job.limits_within(FIRST_RUN),
    );
    let flags = call.flags().into_iter().map(Into::into);
    // rustdoc does not say where it is; then its proxy has to do.
    rustc.clone().resolved().unwrap_or(rustc).with_args(flags)
}

/// The files of the crate as they are, the root first.
fn one_by_one(krate: &Crate, folder: &Utf8Path) -> Sources {
    let files = krate.files().iter();
    let files = files.map(|file| SourceFile {
        path: relative(&file.path, folder).to_string_lossy().into(),
        text: file.text.as_str().into(),
    });
    Sources::new(files.collect(), Sameness::Tokens)
}

fn relative<'p>(path: &'p Path, folder: &Utf8Path) -> &'p Path {
    path.strip_prefix(folder).unwrap_or(path)
}

/// Files that the crate may include: those that a literal in it names. They are put where they are
/// found both from the file that names them and, as all may become one file, from the root.
pub(super) fn beside(krate: &Crate, folder: &Utf8Path, root: &Utf8Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for file in krate.files() {
        let here = file.path.parent().unwrap_or(Path::new(""));
        for name in NAMED.captures_iter(&file.text).filter_map(|it| it.get(1)) {
            let Ok(bytes) = std::fs::read(here.join(name.as_str())) else {
                continue;
            };
            let top = root.parent().unwrap_or(Utf8Path::new("")).as_std_path();
            for place in [here.join(name.as_str()), top.join(name.as_str())] {
                let place = tidy(relative(&place, folder));
                if place.is_relative() && !place.starts_with("..") {
                    found.push((place, bytes.clone()));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A literal that may name a file.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#""([^"\\\n]{1,200}\.\w{1,8})""#)
        .unwrap_or_else(|error| panic!("a fixed pattern: {error}"))
});

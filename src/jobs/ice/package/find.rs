//! Which crate of the package crashes the compiler, and its sources as a candidate.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::PackageConfig;
use crate::app::failure::{Failure, Result};
use crate::app::files::contents;
use crate::jobs::ice::IceJob;
use crate::jobs::ice::case::{Case, FIRST_RUN, crash_of};
use crate::jobs::ice::crate_files::CrateFiles;
use crate::oracle::ice::{Compilation, Rustc};
use crate::project::{CompilerCall, Invocation, RecordedBuild};
use crate::report::Status;

/// A crate of a package that crashes.
#[derive(Debug, Clone)]
pub struct PackageCase {
    /// The crash.
    pub case: Case,
    /// How cargo called the compiler.
    pub call: CompilerCall,
}

impl PackageCase {
    /// How cargo called the compiler, with the arguments of `compilation`.
    pub fn invocation(&self, compilation: &Compilation) -> Invocation {
        let args = compilation.rustc.args.iter();
        Invocation {
            args: args.map(|arg| arg.to_string_lossy().into_owned()).collect(),
            ..self.call.invocation.clone()
        }
    }
}

/// Runs cargo, and looks among its calls of the compiler for one that crashes.
///
/// # Errors
/// When cargo cannot be run, or no call crashes when it is repeated.
pub fn find(package: &PackageConfig, job: &IceJob<'_>) -> Result<PackageCase> {
    if package.command == "miri" {
        return Err(miri());
    }
    let call = package.call(job.asked.toolchain.as_deref(), &job.config.cwd);
    job.stage("Running", call.command_line());
    let recorded = call.record(&job.config.sandbox, &job.interrupt)?;
    if recorded.built.success {
        let message =
            format!("the compiler does not crash when you run `cargo {}`", package.command);
        return Err(Failure::new(Status::NotFailing, message)
            .hint("use `--ice-command` for another command, such as `build` or `test`"));
    }
    // Those after the first crash may have been killed on its account.
    for call in suspects(&recorded) {
        if let Some(case) = repeat(job, &call)? {
            return Ok(PackageCase { case, call });
        }
    }
    let message = format!("`cargo {}` fails, but the compiler does not crash", package.command);
    let mut failure = Failure::new(Status::NotFailing, message);
    if !package.compiler_args.is_empty() && package.targets.is_empty() {
        failure = failure.hint(
            "cargo passes arguments after `--` to a single target: choose it with `--lib` or `--bin NAME`",
        );
    }
    let said = recorded.built.stderr;
    Err(match said.lines().find(|line| line.starts_with("error")) {
        Some(line) => failure.hint(format!("the output says: {line}")),
        None => failure,
    })
}

/// Miri interprets a whole program and calls itself for each crate; no single call shows the crash.
fn miri() -> Failure {
    Failure::error("cannot rerun the compiler as `cargo miri` calls it").hint(
        "write a script that runs `cargo miri` and looks for the crash, and use `cargo reduce --oracle SCRIPT src`",
    )
}

/// The calls that may have failed, likely ones first: those of packages that cargo says could not be
/// compiled, or all.
fn suspects(recorded: &RecordedBuild) -> Vec<CompilerCall> {
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
fn repeat(job: &IceJob<'_>, call: &CompilerCall) -> Result<Option<Case>> {
    let Some(root) = call.root() else { return Ok(None) };
    let folder = call.package_dir();
    let name = root.strip_prefix(&folder).unwrap_or(&root).to_owned();
    let files =
        CrateFiles::load(&root, &folder).map_err(|error| Failure::error(error.to_string()))?;
    let compilation = Compilation { rustc: compiler(job, call), beside: files.beside.clone() };
    job.stage("Compiling", compilation.rustc.command_line(name.as_str()));
    let Ok(first) = crash_of(job, &compilation, &files.several)? else { return Ok(None) };
    let tokens = files.several.tokens();
    let sources = files.into_fewest(&compilation, &first, &job.interrupt)?;
    let package = call.variable("CARGO_PKG_NAME").cloned();
    Ok(Some(Case {
        name: package.unwrap_or_else(|| name.to_string()),
        given: contents(&sources),
        tokens,
        sources,
        compilation,
        first,
    }))
}

fn compiler(job: &IceJob<'_>, call: &CompilerCall) -> Rustc {
    let rustc = Rustc::as_called(
        call.invocation.program.clone().into_std_path_buf(),
        call.lead().into_iter().map(Into::into).collect(),
        call.own_env().into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        job.asked.toolchain.as_deref(),
        job.limits_within(FIRST_RUN),
        &job.config.sandbox,
    );
    let flags = call.flags().into_iter().map(Into::into);
    // rustdoc does not say where it is; then its proxy has to do.
    rustc.clone().resolved().unwrap_or(rustc).with_args(flags)
}

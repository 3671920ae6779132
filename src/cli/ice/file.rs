//! A crash on files: which flags make it come.

use std::ffi::OsString;

use camino::Utf8PathBuf;

use super::IceConfig;
use super::case::{Case, crash_of, find_rustc};
use super::crate_files::CrateFiles;
use crate::cli::failure::Failure;
use crate::cli::files::{FileContent, FilesJob, contents, sources_of};
use crate::oracle::ice::{Compilation, header_flags};
use crate::passes::Sameness;
use crate::report::Status;

/// Finds flags with which the compiler crashes on the given files: those of the command line and of the
/// header of a compiler test, and, where these leave it open, editions and crate types in turn.
///
/// # Errors
/// When the compiler does not crash, or not always.
pub fn find(config: &IceConfig, job: &FilesJob<'_>) -> Result<Case, Failure> {
    let given = load(job)?;
    let mut krate = krate(job, &given);
    let sources = match &krate {
        Some(krate) => krate.several.clone(),
        None => sources_of(&given, Sameness::Tokens).map_err(not_text)?,
    };
    let rustc = find_rustc(job, config.toolchain.as_deref())?;
    let mut flags: Vec<OsString> = config.rustc_args.iter().map(Into::into).collect();
    flags.extend(
        header_flags(&sources.files[0].text)
            .into_iter()
            .map(OsString::from),
    );
    let mut last_output = String::new();
    for more in attempts(&flags) {
        let rustc = rustc.with_args(flags.iter().cloned().chain(more.iter().map(OsString::from)));
        job.stage("Compiling", rustc.command_line(&sources.files[0].path));
        let compilation = Compilation {
            rustc,
            beside: krate.iter().flat_map(|it| it.beside.clone()).collect(),
        };
        match crash_of(config, job, &compilation, &sources)? {
            Err(output) => last_output = output,
            Ok(first) => {
                let tokens = sources.tokens();
                let sources = match krate.take() {
                    Some(it) => it.into_fewest(&compilation, &first, &job.interrupt)?,
                    None => sources,
                };
                return Ok(Case {
                    name: given[0].name.clone(),
                    given: contents(&sources),
                    tokens,
                    sources,
                    compilation,
                    first,
                });
            }
        }
    }
    Err(no_crash(&last_output))
}

/// The files that were given.
fn load(job: &FilesJob<'_>) -> Result<Vec<FileContent>, Failure> {
    let config = job.config;
    let is_folder = |path: &&Utf8PathBuf| config.cwd.join(path).is_dir();
    match config.files.iter().find(is_folder) {
        Some(folder) => Err(Failure::error(format!(
            "`{folder}` is a folder, not the root file of a crate"
        ))
        .hint("inside a package, `--ice` without FILE finds the crate that crashes")),
        None => job.load(),
    }
}

/// The crate of a root file that was given alone, with the files of its modules; `None` if it cannot be
/// parsed.
fn krate(job: &FilesJob<'_>, given: &[FileContent]) -> Option<CrateFiles> {
    let [only] = given else { return None };
    let cwd = &job.config.cwd;
    let root = cwd.join(&only.name);
    let folder = if root.starts_with(cwd) {
        cwd
    } else {
        root.parent()?
    };
    CrateFiles::load(&root, folder).ok()
}

fn not_text(name: &str) -> Failure {
    Failure::error(format!(
        "`{name}` is not valid UTF-8, so that no compiler reads it"
    ))
    .hint("`--oracle` reduces any file")
}

fn no_crash(output: &str) -> Failure {
    let failure = Failure::new(
        Status::NotFailing,
        "the compiler does not crash on this source",
    )
    .hint(
        "give the flags that it needs after `--`, and the toolchain as `cargo +nightly reduce …`",
    );
    match output.lines().find(|line| line.starts_with("error")) {
        Some(line) => failure.hint(format!("it says: {line}")),
        None => failure,
    }
}

/// Flags to try in turn, besides those given.
fn attempts(given: &[OsString]) -> Vec<Vec<&'static str>> {
    let has = |flag: &str| {
        given
            .iter()
            .any(|arg| arg.to_string_lossy().starts_with(flag))
    };
    let editions: &[&[&str]] = if has("--edition") {
        &[&[]]
    } else {
        &[
            &[],
            &["--edition=2024"],
            &["--edition=2021"],
            &["--edition=2018"],
        ]
    };
    let types: &[&[&str]] = if has("--crate-type") || has("--test") {
        &[&[]]
    } else {
        &[&[], &["--crate-type=lib"]]
    };
    let pairs = types
        .iter()
        .flat_map(|ty| editions.iter().map(move |edition| [*edition, *ty].concat()));
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_flags_that_were_not_given_are_tried_out() {
        let given =
            |flags: &[&str]| attempts(&flags.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(given(&[]).len(), 8);
        assert_eq!(given(&[])[0], Vec::<&str>::new());
        assert_eq!(
            given(&["--edition", "2021"]),
            [vec![], vec!["--crate-type=lib"]]
        );
        assert_eq!(
            given(&["--edition=2021", "--crate-type=lib"]),
            [Vec::<&str>::new()]
        );
    }
}

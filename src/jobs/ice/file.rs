//! A crash on files: which flags make it come.

use std::ffi::OsString;

use camino::Utf8PathBuf;

use super::IceJob;
use super::case::{Case, crash_of, find_rustc};
use super::crate_files::CrateFiles;
use crate::app::failure::{Failure, Result};
use crate::app::files::{FileContent, contents, sources_of};
use crate::oracle::ice::{Compilation, header_flags};
use crate::report::Status;
use crate::rust::Sameness;

/// Finds flags with which the compiler crashes on the given files: those of the command line and of the
/// header of a compiler test, and, where these leave it open, editions and crate types in turn.
///
/// # Errors
/// When the compiler does not crash, or not always.
pub fn find(job: &IceJob<'_>) -> Result<Case> {
    let given = load(job)?;
    let mut krate = krate(job, &given);
    let sources = match &krate {
        Some(krate) => krate.several.clone(),
        None => sources_of(&given, Sameness::Tokens).map_err(not_text)?,
    };
    let rustc = find_rustc(job, job.asked.toolchain.as_deref())?;
    let header = header_flags(&sources.files[0].text);
    let mut last_output = String::new();
    for flags in attempts(&job.config.test_args, &header) {
        let rustc = rustc.with_args(flags.into_iter().map(OsString::from));
        job.stage("Compiling", rustc.command_line(&sources.files[0].path));
        let compilation =
            Compilation { rustc, beside: krate.iter().flat_map(|it| it.beside.clone()).collect() };
        match crash_of(job, &compilation, &sources)? {
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
fn load(job: &IceJob<'_>) -> Result<Vec<FileContent>> {
    let config = job.config;
    let is_folder = |path: &&Utf8PathBuf| config.cwd.join(path).is_dir();
    match config.files.iter().find(is_folder) {
        Some(folder) => Err(Failure::error(format!(
            "`{folder}` is a folder, not the root file of a crate"
        ))
        .hint(
            "in the folder of a package, use `--ice` without FILE to find the crate that crashes",
        )),
        None => job.load(),
    }
}

/// The crate of a root file that was given alone, with the files of its modules; `None` if it cannot be
/// parsed.
fn krate(job: &IceJob<'_>, given: &[FileContent]) -> Option<CrateFiles> {
    let [only] = given else { return None };
    let cwd = &job.config.cwd;
    let root = cwd.join(&only.name);
    let folder = if root.starts_with(cwd) { cwd } else { root.parent()? };
    CrateFiles::load(&root, folder).ok()
}

fn not_text(name: &str) -> Failure {
    Failure::error(format!("`{name}` is not valid UTF-8, so rustc cannot read it"))
        .hint("use `--oracle CMD` to reduce a file that is not Rust source")
}

fn no_crash(output: &str) -> Failure {
    let failure = Failure::new(
        Status::NotFailing,
        "the compiler does not crash on this source",
    )
    .hint(
        "pass the rustc flags it needs after `--`, or choose the toolchain: `cargo +nightly reduce --ice FILE`",
    );
    match output.lines().find(|line| line.starts_with("error")) {
        Some(line) => failure.hint(format!("the output says: {line}")),
        None => failure,
    }
}

/// Flags to try in turn: those of the header and the given ones, which have the last word, then the given ones alone;
/// each with editions and crate types where these are open.
fn attempts(given: &[String], header: &[String]) -> Vec<Vec<String>> {
    let has = |flags: &[String], name: &str| flags.iter().any(|flag| flag.starts_with(name));
    // The compiler takes an edition only once.
    let is_open = |flag: &&String| !(flag.starts_with("--edition") && has(given, "--edition"));
    let both: Vec<String> = header.iter().filter(is_open).chain(given).cloned().collect();
    let mut bases = vec![both];
    if bases[0] != given {
        bases.push(given.to_vec());
    }
    let mut attempts = Vec::new();
    for base in bases {
        let open = |names: &[&str], all: &'static [Option<&'static str>]| {
            let is_given = names.iter().any(|name| has(&base, name));
            if is_given { &all[..1] } else { all }
        };
        let types = open(&["--crate-type", "--test"], &[None, Some("--crate-type=lib")]);
        let editions = open(&["--edition"], &[None, Some("2024"), Some("2021"), Some("2018")]);
        for ty in types {
            for edition in editions {
                let edition = edition.map(|edition| format!("--edition={edition}"));
                let more = edition.into_iter().chain(ty.map(str::to_owned));
                attempts.push(base.iter().cloned().chain(more).collect());
            }
        }
    }
    attempts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(given: &[&str], header: &[&str]) -> Vec<String> {
        let owned = |flags: &[&str]| flags.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        let attempts = attempts(&owned(given), &owned(header));
        attempts.iter().map(|flags| flags.join(" ")).collect()
    }

    #[test]
    fn only_flags_that_were_not_given_are_tried_out() {
        assert_eq!(tried(&[], &[]).len(), 8);
        assert_eq!(tried(&[], &[])[0], "");
        assert_eq!(
            tried(&["--edition", "2021"], &[]),
            ["--edition 2021", "--edition 2021 --crate-type=lib"]
        );
        let all = ["--edition=2021", "--crate-type=lib"];
        assert_eq!(tried(&all, &[]), [all.join(" ")]);
    }

    #[test]
    fn the_given_flags_have_the_last_word_and_are_tried_alone() {
        assert_eq!(
            tried(&["-g", "--edition=2018", "--test"], &["-Cdebuginfo=0", "--edition=2021"]),
            ["-Cdebuginfo=0 -g --edition=2018 --test", "-g --edition=2018 --test"]
        );
    }
}

//! A crash on files: which flags make it come.

use std::ffi::OsString;

use super::IceConfig;
use super::case::{Case, crash_of, find_rustc};
use crate::cli::failure::Failure;
use crate::cli::files::{FilesJob, sources_of};
use crate::oracle::ice::{Compilation, header_flags};
use crate::passes::Sameness;
use crate::report::Status;

/// Finds flags with which the compiler crashes on the given files: those of the command line and of the
/// header of a compiler test, and, where these leave it open, editions and crate types in turn.
///
/// # Errors
/// When the compiler does not crash, or not always.
pub fn find(config: &IceConfig, job: &FilesJob<'_>) -> Result<Case, Failure> {
    let given = job.load()?;
    let sources = sources_of(&given, Sameness::Tokens)
        .map_err(|name| Failure::error(format!("`{name}` is not valid UTF-8")))?;
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
            beside: Vec::new(),
        };
        match crash_of(config, job, &compilation, &sources)? {
            Err(output) => last_output = output,
            Ok(first) => {
                return Ok(Case {
                    name: given[0].name.clone(),
                    given,
                    tokens: sources.tokens(),
                    sources,
                    compilation,
                    first,
                });
            }
        }
    }
    Err(no_crash(&last_output))
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

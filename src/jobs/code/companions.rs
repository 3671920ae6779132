//! The tests that have to pass along: what `--also-pass` names, or those that were found.

use super::code_job::CodeJob;
use super::shape::{Companions, Telling};
use crate::app::failure::{Failure, Result};
use crate::app::find::matching;
use crate::app::search_driver::trouble;
use crate::exec::{Interrupt, Job};
use crate::oracle::code::passing;

/// Stands for every test that passes today.
const ALL: &str = "all";

/// The tests that the user has named.
///
/// # Errors
/// When one of them does not pass, or the binary cannot be run.
pub fn companions(code_job: &CodeJob<'_>, interrupt: &Interrupt) -> Result<Companions> {
    let CodeJob { config, subject, original, .. } = code_job;
    let wanted = &config.code.also_pass;
    if wanted.is_empty() {
        return Ok(Companions::default());
    }
    let confine = |job: Job| code_job.confine(job);
    let run = code_job.run(&subject.test, &confine);
    let passing =
        passing(&subject.binary, &[], &run, interrupt).map_err(|error| trouble(&error))?;
    let mut named: Vec<String> = Vec::new();
    for name in wanted {
        let found = passing_named(&passing, name);
        if found.is_empty() && name != ALL {
            return Err(Failure::error(format!(
                "no passing test matches `{name}` in the target of `{}` ({})",
                subject.test, original.signature.kind
            ))
            .hint("`--also-pass` takes tests of the same target; `all` takes every test that passes today"));
        }
        named.extend(found);
    }
    named.sort();
    named.dedup();
    let telling = if named.is_empty() { Telling::Little } else { Telling::OfAll };
    Ok(Companions { telling, names: named, ..Companions::default() })
}

/// As `cargo test` matches; an exact name wins.
fn passing_named(passing: &[String], name: &str) -> Vec<String> {
    if name == ALL { passing.to_vec() } else { matching(passing, name, String::as_str) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_name_wins_and_all_are_all() {
        let passing = ["a::parse", "a::parse_more", "b"].map(str::to_owned);
        assert_eq!(passing_named(&passing, "a::parse"), ["a::parse"]);
        assert_eq!(passing_named(&passing, "parse"), ["a::parse", "a::parse_more"]);
        assert_eq!(passing_named(&passing, "all").len(), 3);
        assert!(passing_named(&passing, "c").is_empty());
    }
}

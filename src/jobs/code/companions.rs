//! The tests that have to pass along: what `--also-pass` names.

use super::subject::CodeSubject;
use crate::app::config::Config;
use crate::app::failure::Failure;
use crate::exec::{Confined, Interrupt, Job};
use crate::jobs::inputs::search::trouble;
use crate::jobs::inputs::start::Original;
use crate::oracle::code::{TestRun, passing};

/// Stands for every test that passes today.
const ALL: &str = "all";

/// The names of the tests.
///
/// # Errors
/// When one that is named does not pass, or the binary cannot be run.
pub fn companions(
    config: &Config,
    subject: &CodeSubject,
    original: &Original,
    confine: &(dyn Fn(Job) -> Confined + Sync),
    interrupt: &Interrupt,
) -> Result<Vec<String>, Failure> {
    let wanted = &config.code.also_pass;
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let run = TestRun {
        test: &subject.test,
        runner: subject.runner,
        args: &config.test_args,
        also: &[],
        confine,
    };
    let passing =
        passing(&subject.binary, &[], &run, interrupt).map_err(|error| trouble(&error))?;
    let mut named: Vec<String> = Vec::new();
    for name in wanted {
        let found = matching(&passing, name);
        if found.is_empty() && name != ALL {
            return Err(Failure::error(format!(
                "no test that matches `{name}` passes beside `{}` ({})",
                subject.test, original.signature.kind
            ))
            .hint("`--also-pass` takes tests of the same target; `all` takes those that pass"));
        }
        named.extend(found);
    }
    named.sort();
    named.dedup();
    Ok(named)
}

/// As `cargo test` matches; an exact name wins.
fn matching(passing: &[String], name: &str) -> Vec<String> {
    if name == ALL {
        return passing.to_vec();
    }
    if passing.iter().any(|test| test == name) {
        return vec![name.to_owned()];
    }
    passing.iter().filter(|test| test.contains(name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_name_wins_and_all_are_all() {
        let passing = ["a::parse", "a::parse_more", "b"].map(str::to_owned);
        assert_eq!(matching(&passing, "a::parse"), ["a::parse"]);
        assert_eq!(matching(&passing, "parse"), ["a::parse", "a::parse_more"]);
        assert_eq!(matching(&passing, "all").len(), 3);
        assert!(matching(&passing, "c").is_empty());
    }
}

//! Why a search cannot start: the failure did not come back where candidates run.

use super::config::Config;
use super::failure::Failure;
use crate::exec::{Mode, Protection};
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::Signature;
use crate::report::Status;

/// Why the search cannot start where the failure only shows outside of the sandbox.
pub fn refused_by_sandbox(config: &Config, signature: &Signature, shown: &Verdict) -> Failure {
    let inside = described(shown);
    let allow = match config.sandbox.protection() {
        Protection::Namespaces { .. } if config.sandbox.policy().mode == Mode::Default => {
            "use `--allow home` or `--allow PATH` to let candidates write there"
        }
        _ => "use `--allow loopback`, `--allow home` or `--allow PATH` to let candidates use them",
    };
    Failure::new(
        Status::NotReproduced,
        format!(
            "the sandbox denies something that the test needs: in it, {inside}\n  instead of {signature}"
        ),
    )
    .hint(allow)
    .hint("use `--env NAME` to pass a variable of your environment to candidates, which otherwise get only those of cargo and rustc")
    .hint("`--sandbox off` runs without protection: use it only in a virtual machine or container that you can lose")
}

/// Why the search cannot start.
pub fn not_reproduced(signature: &Signature, shown: &Verdict) -> Failure {
    let shown = described(shown);
    Failure::new(
        Status::NotReproduced,
        format!("the test does not fail in the same way in a copy of the project: {shown}\n  instead of {signature}"),
    )
    .hint("a test that depends on absolute paths, the network or other processes cannot be reduced")
}

fn described(shown: &Verdict) -> String {
    match shown {
        Verdict::Passed => "it passes".to_owned(),
        Verdict::NotRun => "the test does not run".to_owned(),
        Verdict::Failed(other) => format!("it fails with {other}"),
    }
}

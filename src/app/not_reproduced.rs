//! Why a search cannot start: the failure does not come back where candidates run.

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
            "`--allow home` or `--allow PATH` lets candidates change what is there"
        }
        _ => {
            "`--allow loopback`, `--allow home` or `--allow PATH` lets candidates use what is there"
        }
    };
    Failure::new(
        Status::NotReproduced,
        format!(
            "the sandbox refuses something that the test needs: there {inside}\n  instead of {signature}"
        ),
    )
    .hint(allow)
    .hint("`--env NAME` hands a variable of your environment to candidates; they get those of cargo and rustc only")
    .hint("`--sandbox off` runs candidates as any program of yours: do that in a machine of its own")
}

/// Why the search cannot start.
pub fn not_reproduced(signature: &Signature, shown: &Verdict) -> Failure {
    let shown = described(shown);
    Failure::new(
        Status::NotReproduced,
        format!("the failure does not come back in the scratch copy: {shown}\n  instead of {signature}"),
    )
    .hint("a test that depends on absolute paths, the network or other processes cannot be reduced there")
}

fn described(shown: &Verdict) -> String {
    match shown {
        Verdict::Passed => "it passes".to_owned(),
        Verdict::NotRun => "the test does not run".to_owned(),
        Verdict::Failed(other) => format!("it fails with {other}"),
    }
}

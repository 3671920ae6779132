//! Which cargo is run.

use super::ProjectError;
use crate::exec::ExecError;

/// `$CARGO` when cargo called us, else the one on the PATH.
pub(super) fn cargo_program() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// Why cargo could not be run.
pub(super) fn cargo_error(error: ExecError) -> ProjectError {
    match error {
        ExecError::Spawn { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            ProjectError::NoCargo { program: cargo_program(), source }
        }
        other => ProjectError::Exec(other),
    }
}

//! Why a job ends without a result: one message, with what to do next.

use std::error::Error;

use crate::disk::OpenError;
use crate::exec::ExecError;
use crate::project::ProjectError;
use crate::reduce::OracleError;
use crate::report::Status;

/// The end of a job that cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// How it is called in the summary.
    pub status: Status,
    /// What, where and why.
    pub message: String,
    /// What to do next, a line each.
    pub hints: Vec<String>,
    /// Whether the command line asks for what there is not.
    pub is_usage: bool,
}

/// What a step of a job comes to, or why the job ends.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// A failure of this status.
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        Failure { status, message: message.into(), hints: Vec::new(), is_usage: false }
    }

    /// The command line asks for what there is not.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure { is_usage: true, ..Failure::error(message) }
    }

    /// Trouble that ends the job.
    pub fn error(message: impl Into<String>) -> Self {
        Failure::new(Status::Error, message)
    }

    /// A file that cannot be read, or understood.
    pub fn unreadable(path: &dyn std::fmt::Display, error: &dyn std::fmt::Display) -> Self {
        Failure::error(format!("cannot read `{path}`: {error}"))
    }

    /// What was made for a run cannot be written.
    pub fn no_temporary_file(error: &std::io::Error) -> Self {
        Failure::error(format!("cannot write a temporary file: {error}"))
    }

    /// The user has stopped it before there was anything to show.
    pub fn interrupted() -> Self {
        Failure::new(Status::Interrupted, "interrupted before a smaller result was found")
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Exec(error) => error.into(),
            other => {
                let hints = other.hints();
                Failure { hints, ..Failure::error(other.to_string()) }
            }
        }
    }
}

impl From<OracleError> for Failure {
    fn from(error: OracleError) -> Self {
        let error = match error.downcast::<ExecError>() {
            Ok(error) => return (*error).into(),
            Err(error) => error,
        };
        match error.downcast::<ProjectError>() {
            Ok(error) => (*error).into(),
            Err(error) => Failure::error(error.to_string()),
        }
    }
}

impl From<ExecError> for Failure {
    fn from(error: ExecError) -> Self {
        if error.is_interrupt() {
            return Failure::interrupted();
        }
        let failure = Failure::error(with_causes(&error));
        match error {
            ExecError::NoProtection { strict: true } => failure.hint(
                "`--sandbox strict` needs Linux user namespaces: check `/proc/sys/user/max_user_namespaces` and the \
                 settings of your container, or leave out `--sandbox strict` to use the best sandbox this system has",
            ),
            ExecError::NoProtection { strict: false } => failure
                .hint("`cargo reduce` runs your test with many changed inputs, which may name, and change, files of yours")
                .hint("on Linux the sandbox uses user namespaces or Landlock: your container may have switched them off")
                .hint("`--sandbox off` runs without protection: use it only in a virtual machine or container that you can lose"),
            _ => failure,
        }
    }
}

/// What an error says, and all that led to it.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let failure = Failure::error(error.to_string());
        match error {
            OpenError::InUse { .. } => failure
                .hint("wait for the other run to end, or choose another folder with `--out DIR`"),
            OpenError::Disk(_) => failure,
        }
    }
}

impl From<crate::disk::DiskError> for Failure {
    fn from(error: crate::disk::DiskError) -> Self {
        Failure::error(error.to_string())
    }
}

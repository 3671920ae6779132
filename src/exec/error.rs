//! What can go wrong around a child process, as opposed to inside it.

use std::io;
use std::path::PathBuf;

/// Trouble of the infrastructure while running a [`Job`](super::Job).
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// The program could not be started.
    #[error("cannot start `{}`", program.display())]
    Spawn {
        /// The program, as the job named it.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder the job may write to cannot be opened.
    #[error("cannot restrict a process to `{}`", path.display())]
    Writable {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system can enforce nothing, or not what strict mode asks for.
    #[error("no sandbox is available on this system")]
    NoProtection {
        /// Whether the user asked for strict mode.
        strict: bool,
    },
    /// There is no place for the folders of the sandbox.
    #[error("cannot create the folders of the sandbox")]
    Folder(#[source] io::Error),
    /// The kernel refuses the namespaces or the rules.
    #[error("cannot start a process in the sandbox")]
    Confine(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A running child could not be watched or read.
    #[error("lost track of a child process")]
    Watch(#[source] io::Error),
    /// The user asked us to stop; the child was killed.
    #[error("interrupted")]
    Interrupted,
    /// The handler for interrupts cannot be installed.
    #[error("cannot listen for interrupts")]
    Handler(#[source] ctrlc::Error),
}

impl ExecError {
    /// Whether a program could not be started since it, or the folder to start it in, is gone, since something else
    /// stands in its place, or since it is still being written: a child that another thread starts just then has the
    /// file open for a moment.
    pub fn lacks_its_program(&self) -> bool {
        let ExecError::Spawn { source, .. } = self else { return false };
        // "Exec format error" has no kind.
        let is_no_program = cfg!(unix) && source.raw_os_error() == Some(8);
        is_no_program
            || matches!(
                source.kind(),
                io::ErrorKind::NotFound
                    | io::ErrorKind::NotADirectory
                    | io::ErrorKind::PermissionDenied
                    | io::ErrorKind::ExecutableFileBusy
            )
    }

    /// Whether the user asked to stop, so that the best result so far is to be shown.
    pub fn is_interrupt(&self) -> bool {
        matches!(self, ExecError::Interrupted)
    }
}

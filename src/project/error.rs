//! What can go wrong between us and cargo.

use camino::Utf8PathBuf;

use crate::exec::ExecError;

/// What is asked of the project or of cargo.
pub type Result<T, E = ProjectError> = std::result::Result<T, E>;

/// Trouble with the project or with cargo.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// There is no cargo to run.
    #[error("cannot run `{program}`: {source}")]
    NoCargo {
        /// The program that was tried.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// No manifest here or above.
    #[error("could not find `Cargo.toml` in `{0}` or any parent directory")]
    NoManifest(Utf8PathBuf),
    /// cargo could not read the workspace.
    #[error("cargo cannot read this project\n{0}")]
    Metadata(String),
    /// `-p` names no package of the workspace.
    #[error("no package `{name}` in this workspace")]
    NoPackage {
        /// The name that was asked for.
        name: String,
        /// The packages there are.
        known: Vec<String>,
    },
    /// `--passes-with` names a version that cannot be had.
    #[error("cannot use `{other}`: {why}")]
    OtherVersion {
        /// What was asked for.
        other: String,
        /// Why not.
        why: String,
    },
    /// A revision of the user's repository that cannot be had.
    #[error("cannot use revision `{revision}`: {why}")]
    Revision {
        /// What was asked for.
        revision: String,
        /// Why not.
        why: String,
    },
    /// The tests do not build.
    #[error("the tests do not build\n{rendered}")]
    DoesNotBuild {
        /// The compiler's own messages.
        rendered: String,
    },
    /// A file could not be read or written.
    #[error("cannot {action} `{path}`: {source}")]
    File {
        /// What was tried: "read", "write", "copy", "create".
        action: &'static str,
        /// Where.
        path: Utf8PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The list of what was written could not be kept, or a file on it not be removed.
    #[error(transparent)]
    Disk(#[from] crate::disk::DiskError),
    /// A path that is not UTF-8.
    #[error("the path `{0}` is not valid UTF-8")]
    NotUtf8(String),
    /// The process layer failed or was interrupted.
    #[error(transparent)]
    Exec(#[from] ExecError),
}

impl ProjectError {
    /// Whether a file could not be read or written since somebody else is just removing it or its folder, or putting
    /// something in its place.
    pub fn is_for_other_writers(&self) -> bool {
        use std::io::ErrorKind::{
            AlreadyExists, DirectoryNotEmpty, IsADirectory, NotADirectory, NotFound,
        };
        let ProjectError::File { source, .. } = self else { return false };
        // A link in the place of a folder has no kind of its own in stable Rust.
        let is_link = source.raw_os_error() == Some(nix::libc::ELOOP);
        is_link
            || matches!(
                source.kind(),
                AlreadyExists | DirectoryNotEmpty | IsADirectory | NotADirectory | NotFound
            )
    }

    /// What the user can do about it, a line each.
    pub fn hints(&self) -> Vec<String> {
        let hint = match self {
            ProjectError::NoCargo { .. } => "install Rust with rustup, or put cargo on the PATH",
            ProjectError::NoManifest(_) => {
                "run `cargo reduce` in a cargo project, or use `--manifest-path`"
            }
            ProjectError::NoPackage { known, .. } => {
                return vec![format!("the workspace has: {}", known.join(", "))];
            }
            ProjectError::DoesNotBuild { rendered } if tells_of_full_disk(rendered) => FULL_DISK,
            ProjectError::DoesNotBuild { .. } => {
                "`cargo reduce` starts from a test that builds and fails: fix these errors first"
            }
            ProjectError::File { source, .. } => file_hint(source),
            ProjectError::Disk(error) => file_hint(&error.source),
            ProjectError::OtherVersion { .. } => {
                "`cargo tree` lists the packages; a version from a registry has to be downloaded already, or the network \
                 available"
            }
            ProjectError::Revision { .. } => {
                "the clone may be shallow: on a build server, fetch the whole history"
            }
            ProjectError::Metadata(_) | ProjectError::NotUtf8(_) | ProjectError::Exec(_) => "",
        };
        Some(hint.to_owned()).filter(|hint| !hint.is_empty()).into_iter().collect()
    }
}

const FULL_DISK: &str = "the disk is full; free some space, or use `--out DIR` on another disk";

/// Whether a compiler or linker has died of it: a linker writes into a mapped file, and gets a signal.
fn tells_of_full_disk(rendered: &str) -> bool {
    ["No space left on device", "[Bus error]"].iter().any(|sign| rendered.contains(sign))
}

fn file_hint(source: &std::io::Error) -> &'static str {
    match source.kind() {
        std::io::ErrorKind::StorageFull => FULL_DISK,
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            "the directory is read-only: choose others with `--target-dir DIR` and `--out DIR`"
        }
        _ => "",
    }
}

/// `$CARGO` when cargo called us, else the one on the PATH.
pub fn cargo_program() -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_dies_of_a_full_disk_is_no_fault_of_the_tests() {
        let hints = |rendered: &str| {
            let rendered = rendered.to_owned();
            ProjectError::DoesNotBuild { rendered }.hints()
        };
        let linker = "collect2: fatal error: ld terminated with signal 7 [Bus error]";
        assert_eq!(hints(linker), [FULL_DISK]);
        assert_ne!(hints("error[E0308]: mismatched types"), [FULL_DISK]);
    }
}

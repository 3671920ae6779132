//! What the user wants of the sandbox, and what the system can give.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// How strict the sandbox is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// User namespaces, without loopback network (see --allow); an error if not available.
    Strict,
    /// With the best protection that the system has; not without any.
    #[default]
    Default,
    /// Candidates run as any program of the user does.
    Off,
}

/// What candidates may do, as the user says.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Policy {
    /// How strict the sandbox is.
    pub mode: Mode,
    /// Whether TCP on the loopback is open where it cannot be private, or the mode is strict.
    pub loopback: bool,
    /// Whether `HOME` is the user's own, and writable, instead of a private empty one.
    pub home: bool,
    /// Further files and folders that candidates may change for good.
    pub writable: Vec<PathBuf>,
    /// Environment variables that candidates get beside those that cargo and tests need.
    pub env: Vec<OsString>,
}

/// What a job may change. Everything else is read-only to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Access {
    /// Below these folders changes stay; each must exist.
    pub kept: Vec<PathBuf>,
    /// Below these folders changes are thrown away when the job has ended, where the system can do that; elsewhere they
    /// stay. Each must exist.
    pub discarded: Vec<PathBuf>,
}

impl Access {
    /// Changes below these folders stay.
    pub fn keeping<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Access {
        Access { kept: folders.into_iter().map(Into::into).collect(), discarded: Vec::new() }
    }

    /// Changes below these folders are thrown away.
    pub fn discarding<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Access {
        Access { kept: Vec::new(), discarded: folders.into_iter().map(Into::into).collect() }
    }

    /// All of them.
    #[cfg(target_os = "linux")]
    pub(super) fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.kept.iter().chain(&self.discarded)
    }
}

/// What is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// User, mount, process, network and IPC namespaces.
    Namespaces {
        /// Whether changes below a folder can be thrown away (overlayfs in a user namespace).
        overlay: bool,
    },
    /// Landlock and seccomp.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "found on Linux only"))]
    Landlock {
        /// The version of the kernel's Landlock interface.
        version: u32,
    },
    /// Nothing.
    None,
}

impl Protection {
    /// The name of it in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Protection::Namespaces { .. } => "namespaces",
            Protection::Landlock { .. } => "landlock",
            Protection::None => "none",
        }
    }

    /// What candidates can do all the same, in plain words; nothing where all promises hold.
    pub fn gaps(self) -> Option<&'static str> {
        const TCP: u32 = 4;
        const SCOPES: u32 = 6;
        match self {
            Protection::Namespaces { overlay: true } => None,
            Protection::Namespaces { overlay: false } => Some(
                "files that candidates write in the scratch copy stay there until they are restored",
            ),
            Protection::Landlock { version: SCOPES.. } => Some(
                "user namespaces are not available: changes to file metadata are ignored, and candidates can reach \
                 sockets in the file system",
            ),
            Protection::Landlock { version: TCP.. } => Some(
                "user namespaces are not available, and this Landlock is old: candidates can send signals to your \
                 other processes, and reach sockets in the file system",
            ),
            Protection::Landlock { .. } => Some(
                "user namespaces are not available, and this Landlock is old: candidates can use TCP, send signals to \
                 your other processes, and reach sockets in the file system",
            ),
            Protection::None => Some("candidates run without a sandbox"),
        }
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Protection::Namespaces { overlay: true } => {
                "namespaces (mount, user, process, network, IPC) with an overlay of the scratch copy"
            }
            Protection::Namespaces { overlay: false } => {
                "namespaces (mount, user, process, network, IPC)"
            }
            Protection::Landlock { .. } => "Landlock and seccomp",
            Protection::None => "nothing",
        })
    }
}

//! What to start, and what it may use.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use super::Overheard;

/// How much of a child's standard output, and of its standard error, is kept unless said otherwise.
const DEFAULT_OUTPUT_BYTES: usize = 1 << 20;

/// What a job may use; `None` is unlimited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time from the start; the whole group is killed after it.
    pub time: Option<Duration>,
    /// CPU time of the program, all its threads together; its children are not counted. It is killed after
    /// it as if its time were up. Unlike wall-clock time it does not depend on what else the machine does.
    pub cpu: Option<Duration>,
    /// How long all its threads may sleep without being woken once; it is killed after it as if its time
    /// were up. Only a process without children is (Linux).
    pub sleep: Option<Duration>,
    /// Memory of each process, and in the sandbox of all its processes together, in bytes. For each process it is
    /// `RLIMIT_DATA` on Linux, which counts what a process can write to; `RLIMIT_AS` would also count reservations, and sanitizers, virtual machines
    /// and allocators reserve many gigabytes that they never touch.
    pub memory_bytes: Option<u64>,
    /// Size of each file written, in bytes; a process that writes more gets `SIGXFSZ`.
    pub file_bytes: Option<u64>,
    /// Processes at one moment. Watched from outside (Linux): `RLIMIT_NPROC` counts
    /// every thread that the user has on the whole machine and does not bind root, so a number fit
    /// for one job would stop all jobs or none. A job that has more is killed.
    pub processes: Option<usize>,
    /// How many bytes are kept of standard output, and as many of standard error.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: None,
            cpu: None,
            sleep: None,
            memory_bytes: None,
            file_bytes: None,
            processes: None,
            output_bytes: DEFAULT_OUTPUT_BYTES,
        }
    }
}

/// A program to be started, with all that it depends on. What runs candidate code is then
/// [confined](super::Sandbox::confine).
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// The program: a path, or a name to be looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Changes to the environment: a value to be set, or `None` for a variable to be removed.
    pub env: BTreeMap<OsString, Option<OsString>>,
    /// Where it starts; `None` is our own working directory.
    pub cwd: Option<PathBuf>,
    /// What it may use.
    pub limits: Limits,
    /// Whether it talks to the user, by our standard input and standard error, and not to us.
    pub(super) is_for_user: bool,
    /// Who hears what it prints on standard error while it runs.
    pub heard: Option<Overheard>,
    /// It is ended, as if its time were up, once it has printed a line with this on standard error.
    pub ends_at: Option<&'static str>,
    /// The environment that `env` changes, where it is not our own.
    pub(super) base_env: Option<BTreeMap<OsString, OsString>>,
}

impl Job {
    /// A job that runs `program` with no arguments, in our environment and unlimited.
    pub fn new(program: impl Into<PathBuf>) -> Job {
        Job { program: program.into(), ..Job::default() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Job {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Job {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Job {
        self.env.insert(name.into(), Some(value.into()));
        self
    }

    /// Removes an environment variable.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Job {
        self.env.insert(name.into(), None);
        self
    }

    /// Lets panics in it, or in a compiler that it runs, tell no calls, whatever the user wants of their own programs:
    /// to name these takes several times as long as to crash.
    #[must_use]
    pub fn without_backtraces(self) -> Job {
        self.env("RUST_BACKTRACE", "0").env("RUST_LIB_BACKTRACE", "0")
    }

    /// Starts it in this directory.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Job {
        self.cwd = Some(cwd.into());
        self
    }

    /// Lets somebody hear what it prints on standard error while it runs.
    #[must_use]
    pub fn heard_by(mut self, heard: &Overheard) -> Job {
        self.heard = Some(heard.clone());
        self
    }

    /// Ends it, as if its time were up, once it has printed a line with this on standard error.
    #[must_use]
    pub fn ends_at(self, words: &'static str) -> Job {
        Job { ends_at: Some(words), ..self }
    }

    /// Sets what it may use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Job {
        self.limits = limits;
        self
    }

    /// Lets it run for this long.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Job {
        self.limits.time = Some(time);
        self
    }
}

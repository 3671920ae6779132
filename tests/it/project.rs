//! A copy of a fixture, and runs of the real binary on it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use super::copy::copy;
use super::finished::Finished;

/// A copy of a fixture in a folder of its own, which goes when this and all runs in it are dropped.
pub struct Project {
    folder: Arc<TempDir>,
    /// Where the command is run, relative to the copy.
    package: PathBuf,
}

impl Project {
    /// Copies `fixtures/<name>`, without what was built there.
    pub fn fixture(name: &str) -> Self {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        let project = Self::empty();
        copy(&fixture, project.folder.path());
        project
    }

    /// A folder that holds nothing.
    pub fn empty() -> Self {
        let folder = TempDir::with_prefix("cargo-reduce-it-").unwrap();
        Project { folder: Arc::new(folder), package: PathBuf::new() }
    }

    /// Runs commands in that folder of the copy.
    pub fn package(mut self, folder: &str) -> Self {
        self.package = folder.into();
        self
    }

    /// Where the command is run.
    pub fn root(&self) -> PathBuf {
        // The names that the system gives to temporary folders may be links.
        self.folder.path().canonicalize().unwrap().join(&self.package)
    }

    /// `cargo reduce ARGS --message-format json`, to be run in the copy.
    pub fn reduce<const N: usize>(&self, args: [&str; N]) -> Run<'_> {
        self.reduce_with(&args)
    }

    /// The source code under a test reduced, whose passing inputs need not go on passing.
    pub fn code<const N: usize>(&self, args: [&str; N]) -> Run<'_> {
        self.reduce(["--code", "--contrast=none"]).args(args)
    }

    /// As [`Project::reduce`], with as many arguments as there are.
    pub fn reduce_with(&self, args: &[&str]) -> Run<'_> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-reduce"));
        command.arg("reduce").args(args).current_dir(self.root()).stdin(Stdio::null());
        for name in [
            "CARGO_TARGET_DIR",
            "CARGO_BUILD_TARGET_DIR",
            "RUSTFLAGS",
            "CARGO_TERM_COLOR",
            // Programs that print calls where they panic take several times as long.
            "RUST_BACKTRACE",
            "RUST_LIB_BACKTRACE",
        ] {
            command.env_remove(name);
        }
        // Without line tables no calls are told.
        let is_profile = |name: &str| name.starts_with("CARGO_PROFILE_");
        for (name, _) in std::env::vars().filter(|(name, _)| is_profile(name)) {
            command.env_remove(name);
        }
        command.envs(QUICK_BUILDS);
        Run { project: self, command, is_json: true, behind: Vec::new() }
    }

    /// The content of all files but those below a target directory.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        files_below(self.folder.path())
    }
}

/// Most of the time of these tests goes into building fixtures, where these halve it.
pub const QUICK_BUILDS: [(&str, &str); 2] =
    [("CARGO_PROFILE_DEV_DEBUG", "line-tables-only"), ("CARGO_INCREMENTAL", "0")];

/// A command that is about to be run.
pub struct Run<'a> {
    project: &'a Project,
    command: Command,
    is_json: bool,
    /// What stands behind `--`.
    behind: Vec<String>,
}

impl Run<'_> {
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn args<const N: usize>(mut self, args: [&str; N]) -> Self {
        self.command.args(args);
        self
    }

    /// As on a system that does not let it make user namespaces.
    pub fn without_user_namespaces(self) -> Self {
        let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"";
        self.in_namespaces(&[], script)
    }

    /// In a user namespace and others, by a shell script that runs `"$0" "$@"`.
    pub fn in_namespaces(self, others: &[&str], script: &str) -> Self {
        let mut command = Command::new("unshare");
        command
            .args(["--user", "--map-root-user"])
            .args(others)
            .args(["sh", "-c", script])
            .arg(self.command.get_program())
            .args(self.command.get_args())
            .stdin(Stdio::null());
        if let Some(folder) = self.command.get_current_dir() {
            command.current_dir(folder);
        }
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Run { command, ..self }
    }

    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Prints for people instead of programs.
    pub fn for_people(mut self) -> Self {
        self.is_json = false;
        self
    }

    /// Runs it, and checks that the sources were left as they are.
    pub fn run(self) -> Finished {
        let project = self.project;
        let before = project.snapshot();
        let finished = self.run_and_write();
        let after = project.snapshot();
        let changed: Vec<_> = after
            .iter()
            .filter(|(path, content)| before.get(*path) != Some(*content))
            .map(|(path, _)| path)
            .chain(before.keys().filter(|path| !after.contains_key(*path)))
            .collect();
        assert!(changed.is_empty(), "the user's tree was changed: {changed:?}\n{finished}");
        finished
    }

    /// Runs it; the sources may be changed.
    pub fn run_and_write(mut self) -> Finished {
        let output = self.command().output().unwrap();
        Finished::new(&output, &self.project.folder)
    }

    /// Runs it, and sends it an interrupt as soon as an event of that kind is told.
    pub fn interrupt_at(self, reason: &str) -> Finished {
        self.signal_at(reason, &[Signal::SIGINT])
    }

    /// As [`Run::interrupt_at`], with two signals within a few milliseconds.
    pub fn interrupt_twice_at(self, reason: &str) -> Finished {
        self.signal_at(reason, &[Signal::SIGINT, Signal::SIGINT])
    }

    /// Runs it, and kills it as soon as an event of that kind is told.
    pub fn kill_at(self, reason: &str) -> Finished {
        self.signal_at(reason, &[Signal::SIGKILL])
    }

    /// Runs it, and kills it after that time unless it has ended by then.
    pub fn kill_after(mut self, time: Duration) -> Killed {
        let mut child =
            self.command().stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(time);
        child.kill().unwrap();
        Killed { stdout: child.wait_with_output().unwrap().stdout }
    }

    fn signal_at(self, reason: &str, signals: &[Signal]) -> Finished {
        self.meanwhile_at(reason, signals, |_| {})
    }

    /// Does something `meanwhile`, with the number of its process, and then kills it.
    pub fn kill_after_meanwhile_at(self, reason: &str, meanwhile: impl FnOnce(i32)) -> Finished {
        self.meanwhile_at(reason, &[Signal::SIGKILL], meanwhile)
    }

    fn meanwhile_at(
        mut self,
        reason: &str,
        signals: &[Signal],
        meanwhile: impl FnOnce(i32),
    ) -> Finished {
        let mut child =
            self.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = wait_for(&mut child, reason);
        let pid = i32::try_from(child.id()).unwrap();
        meanwhile(pid);
        for signal in signals {
            kill(Pid::from_raw(pid), *signal).unwrap();
            // Two that wait at the same time would be one.
            std::thread::sleep(Duration::from_millis(20));
        }
        let rest: Vec<String> = stdout.lines().map(Result::unwrap).collect();
        let mut output = child.wait_with_output().unwrap();
        output.stdout = rest.join("\n").into_bytes();
        Finished::new(&output, &self.project.folder)
    }

    /// Arguments for the test or the compiler.
    pub fn handing_on<const N: usize>(mut self, args: [&str; N]) -> Self {
        self.behind = args.map(str::to_owned).into();
        self
    }

    fn command(&mut self) -> &mut Command {
        if self.is_json {
            self.command.args(["--message-format", "json"]);
        }
        if !self.behind.is_empty() {
            self.command.arg("--").args(&self.behind);
        }
        &mut self.command
    }
}

/// What a run has said that was killed.
pub struct Killed {
    pub stdout: Vec<u8>,
}

/// Reads events up to the first of that kind.
fn wait_for(child: &mut Child, reason: &str) -> BufReader<std::process::ChildStdout> {
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while stdout.read_line(&mut line).unwrap() > 0 {
        let event: Value = serde_json::from_str(&line).unwrap();
        if event["reason"] == reason {
            return stdout;
        }
        line.clear();
    }
    panic!("there was no `{reason}` event");
}

/// The content of the files in a folder but for those below a target directory.
pub fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    snapshot(folder, &mut files);
    files
}

fn snapshot(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        // Neither a pipe nor a socket.
        if entry.path().is_file() {
            files.insert(entry.path(), fs::read(entry.path()).unwrap());
        } else if entry.path().is_dir() && entry.file_name() != "target" {
            snapshot(&entry.path(), files);
        }
    }
}

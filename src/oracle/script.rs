//! The oracle that is a command of the user.
//!
//! The command runs in a fresh directory that holds the files of the candidate under their own names,
//! so that scripts for C-Reduce, which read the file in the working directory, serve as well as those
//! that take a path: `{}` in the command is the path, else it is appended. Exit code 0 says that the
//! candidate is still interesting, 125 that it cannot be judged (as for `git bisect run`).

use std::path::{Component, Path, PathBuf};

use regex::Regex;

use super::pool::Pool;
use super::pooled::Pooled;
use crate::disk::write_new;
use crate::exec::{Exit, Finished, Interrupt, Job, Limits, Sandbox};
use crate::reduce::{Answer, Outcome};
use crate::rust::Sources;

/// The exit code of a script that cannot judge the candidate.
const CANNOT_JUDGE: i32 = 125;

/// Why a command cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// Quotes are not closed.
    #[error("cannot read the command `{0}`: a quote is not closed")]
    Quotes(String),
    /// There is nothing to run.
    #[error("the command is empty")]
    Empty,
    /// A path leads out of the directory.
    #[error("`{}` must be a path below the working directory", .0.display())]
    Outside(PathBuf),
}

/// A command, ready to be run on the files of a candidate.
#[derive(Debug, Clone)]
pub struct Command {
    program: PathBuf,
    args: Vec<String>,
    takes_path: bool,
}

/// Backtraces, and dumps of crashes of the compiler, take several times as long as the crash; who wants them says so.
const SLOW: [&str; 3] = ["RUST_BACKTRACE", "RUST_LIB_BACKTRACE", "RUSTC_ICE"];

impl Command {
    /// Reads a command as a shell would. What needs a shell (pipes, variables, …) is given to `sh`.
    /// A relative program with a slash is looked up in `home`, where the user typed it.
    ///
    /// # Errors
    /// When there is no command, or its quotes are not closed.
    pub fn parse(text: &str, home: &Path) -> Result<Command, ScriptError> {
        if needs_shell(text) {
            let takes_path = text.contains("{}");
            let script = text.replace("{}", "\"$@\"");
            let script = if takes_path { script } else { format!("{script} \"$@\"") };
            let args = vec!["-c".to_owned(), script, "sh".to_owned()];
            return Ok(Command { program: "sh".into(), args, takes_path: false });
        }
        let mut words =
            shell_words::split(text).map_err(|_| ScriptError::Quotes(text.to_owned()))?.into_iter();
        let program = words.next().ok_or(ScriptError::Empty)?;
        let args: Vec<String> = words.collect();
        let takes_path = args.iter().any(|arg| arg.contains("{}"));
        let is_relative = program.contains('/') && Path::new(&program).is_relative();
        let program = if is_relative { home.join(program) } else { program.into() };
        Ok(Command { program, args, takes_path })
    }

    fn job(&self, paths: &[PathBuf], cwd: &Path, limits: &Limits) -> Job {
        let mut job = Job::new(&self.program).cwd(cwd).limits(limits.clone());
        for name in SLOW {
            if std::env::var_os(name).is_none() {
                job = job.env(name, "0");
            }
        }
        for arg in &self.args {
            if arg == "{}" && self.takes_path {
                job = job.args(paths);
            } else if self.takes_path {
                let path = paths.first().map(|path| path.display().to_string()).unwrap_or_default();
                job = job.arg(arg.replace("{}", &path));
            } else {
                job = job.arg(arg);
            }
        }
        if self.takes_path { job } else { job.args(paths) }
    }
}

fn needs_shell(text: &str) -> bool {
    // What stands between single quotes is nothing to a shell: every second part.
    let mut unquoted = text.split('\'').step_by(2);
    unquoted.any(|part| {
        part.contains(['|', '&', ';', '<', '>', '(', ')', '$', '`', '*', '?', '~', '\n'])
    }) || text.split_whitespace().next().is_some_and(|word| word.contains('='))
}

/// A file of a candidate.
#[derive(Debug, Clone, Copy)]
pub struct FileBytes<'f> {
    /// Its name, relative to the directory that the command runs in.
    pub name: &'f str,
    /// What is in it.
    pub bytes: &'f [u8],
}

/// Runs a command on each candidate.
#[derive(Debug, Clone)]
pub struct ScriptOracle {
    command: Command,
    pool: Pool,
    limits: Limits,
    stdout: Option<Regex>,
    sandbox: Sandbox,
}

impl ScriptOracle {
    /// An oracle that runs `command` within `limits`; with `stdout` a candidate also has to print
    /// something that the expression matches.
    pub fn new(
        command: Command,
        pool: Pool,
        limits: Limits,
        stdout: Option<Regex>,
        sandbox: &Sandbox,
    ) -> ScriptOracle {
        ScriptOracle { command, pool, limits, stdout, sandbox: sandbox.clone() }
    }

    /// Runs the command once on `files`.
    ///
    /// # Errors
    /// When the files cannot be written or the command cannot be started.
    pub fn run(&self, files: &[FileBytes<'_>], interrupt: &Interrupt) -> Answer<Finished> {
        let folder = self.sandbox.work_folder()?;
        let mut paths = Vec::with_capacity(files.len());
        for file in files {
            let path = folder.path().join(within(Path::new(file.name))?);
            write_new(&path, file.bytes)?;
            paths.push(path);
        }
        let job = self.command.job(&paths, folder.path(), &self.limits);
        Ok(self.sandbox.confine_work(job).run(interrupt)?)
    }

    /// Runs the command once and says what that means.
    ///
    /// # Errors
    /// As [`ScriptOracle::run`].
    pub fn judge_files(&self, files: &[FileBytes<'_>], interrupt: &Interrupt) -> Answer<Outcome> {
        Ok(self.interpret(&self.run(files, interrupt)?))
    }

    /// What the end of a run says.
    pub fn interpret(&self, finished: &Finished) -> Outcome {
        match finished.exit {
            Exit::Code(0) => {
                let is_printed = self
                    .stdout
                    .as_ref()
                    .is_none_or(|regex| regex.is_match(&finished.stdout.text()));
                Outcome::fail_if(is_printed)
            }
            Exit::Code(CANNOT_JUDGE) | Exit::Signal(_) => Outcome::Unresolved,
            Exit::Code(_) => Outcome::Pass,
            Exit::TimedOut => Outcome::Timeout,
        }
    }
}

impl Pooled<Sources> for ScriptOracle {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn judge(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<Outcome> {
        self.judge_files(&files(sources), interrupt)
    }
}

fn files(sources: &Sources) -> Vec<FileBytes<'_>> {
    let files = sources.files.iter();
    files.map(|file| FileBytes { name: &file.path, bytes: file.text.as_bytes() }).collect()
}

/// The path as one below a directory: an absolute one keeps its name only.
fn within(path: &Path) -> Result<PathBuf, ScriptError> {
    if path.is_absolute() {
        return path
            .file_name()
            .map(PathBuf::from)
            .ok_or_else(|| ScriptError::Outside(path.to_owned()));
    }
    let is_inside =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if is_inside { Ok(path.to_owned()) } else { Err(ScriptError::Outside(path.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Policy;
    use crate::rust::{Sameness, SourceFile};

    fn outcome(command: &str, text: &str) -> Outcome {
        let command = Command::parse(command, Path::new("/")).unwrap();
        let pool = Pool::new(2, Interrupt::new());
        let oracle = ScriptOracle::new(
            command,
            pool,
            Limits::default(),
            None,
            &Sandbox::new(Policy::default()).unwrap(),
        );
        let file = SourceFile::new("dir/a b.txt", text);
        oracle.judge(&Sources::new(vec![file], Sameness::Text), &Interrupt::new()).unwrap()
    }

    #[test]
    fn the_path_is_appended_or_stands_where_the_braces_are() {
        for command in [
            "grep -q needle",
            "grep -q needle {}",
            "grep needle {} | grep -q needle",
            "cat | grep -q needle",
        ] {
            let found = outcome(command, "hay needle hay");
            assert_eq!(found, Outcome::Fail, "{command}");
            assert_eq!(outcome(command, "hay"), Outcome::Pass, "{command}");
        }
    }

    #[test]
    fn a_script_may_read_the_file_from_the_working_directory() {
        assert_eq!(outcome("sh -c 'grep -q needle \"dir/a b.txt\"'", "needle"), Outcome::Fail);
    }

    #[test]
    fn exit_codes_are_told_apart() {
        assert_eq!(outcome("sh -c 'exit 125'", ""), Outcome::Unresolved);
        assert_eq!(outcome("sh -c 'exit 1'", ""), Outcome::Pass);
        assert_eq!(outcome("sh -c 'kill -9 $$'", ""), Outcome::Unresolved);
    }

    #[test]
    fn a_command_that_makes_no_sense_is_refused() {
        assert!(matches!(Command::parse("grep 'a", Path::new("/")), Err(ScriptError::Quotes(_))));
        assert!(matches!(Command::parse("  ", Path::new("/")), Err(ScriptError::Empty)));
    }

    #[test]
    fn a_path_that_leads_outside_is_refused() {
        assert!(within(Path::new("../a")).is_err());
        assert_eq!(within(Path::new("/tmp/a.rs")).unwrap(), Path::new("a.rs"));
    }
}

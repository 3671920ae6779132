//! Listening in on cargo: how it calls the compiler.
//!
//! cargo is told that this very program is its compiler's wrapper, and its documentation tool. Called
//! like that, we note the call and become the program that was meant; so nothing stands between cargo
//! and the compiler, and signals, exit codes and the jobserver are theirs.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::build::{Built, read_messages};
use super::enclosure::shut_in;
use super::error::{cargo_error, cargo_program};
use super::{Invocation, ProjectError, Result};
use crate::exec::{Access, Exit, Finished, Interrupt, Job, Limits, Sandbox, run_tool};

/// Names the folder for notes; that it is set tells us that we are called as a wrapper.
const FOLDER: &str = "__CARGO_REDUCE_NOTES";
/// JSON messages of a large workspace with many warnings.
const OUTPUT_BYTES: usize = 256 << 20;
/// What of the environment says how cargo is called, not how the compiler works.
const NOISE: [&str; 8] = [
    FOLDER,
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTDOC",
    "CARGO_MAKEFLAGS",
    "MAKEFLAGS",
    "MFLAGS",
    "RUST_BACKTRACE",
];

/// One call of the compiler, and where it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompilerCall {
    /// The call; its environment is all that there was.
    pub invocation: Invocation,
    /// Where it was started.
    pub cwd: Utf8PathBuf,
}

/// What one run of cargo did.
#[derive(Debug)]
pub struct RecordedBuild {
    /// The calls that compiled something, in the order of their start.
    pub calls: Vec<CompilerCall>,
    /// What cargo said.
    pub built: Built,
    /// Whether it did not end in time, and was killed.
    pub is_endless: bool,
}

/// A run of cargo.
#[derive(Debug, Clone)]
pub struct CargoCall {
    /// What stands after `+` for rustup, unless the one that runs us is meant.
    pub toolchain: Option<String>,
    /// The subcommand and its options.
    pub args: Vec<String>,
    /// What stands behind `--`.
    pub compiler_args: Vec<String>,
    /// Where it is started.
    pub cwd: Utf8PathBuf,
    /// How long it may take.
    pub time: Duration,
}

impl CargoCall {
    /// The call for people.
    pub fn command_line(&self) -> String {
        format!("cargo {}", shell_words::join(self.words(&[])))
    }

    /// The arguments, with more options of cargo.
    fn words(&self, options: &[&str]) -> Vec<String> {
        let mut words = self.args.clone();
        words.extend(options.iter().map(|&option| option.to_owned()));
        if !self.compiler_args.is_empty() {
            words.push("--".to_owned());
            words.extend(self.compiler_args.iter().cloned());
        }
        words
    }

    fn job(&self, options: &[&str]) -> Job {
        let mut job = match &self.toolchain {
            Some(toolchain) => Job::new("cargo").arg(format!("+{toolchain}")),
            None => Job::new(cargo_program()),
        };
        job = job.args(self.words(options)).cwd(&self.cwd).limits(Limits {
            output_bytes: OUTPUT_BYTES,
            time: Some(self.time),
            ..Limits::default()
        });
        job.env("RUSTC_ICE", "0")
    }

    /// Runs cargo on a candidate, in the sandbox; what it and the compiler print.
    ///
    /// # Errors
    /// When cargo cannot be run or is interrupted.
    pub fn output_confined(
        &self,
        sandbox: &Sandbox,
        access: Access,
        interrupt: &Interrupt,
    ) -> Result<Finished> {
        let job = shut_in(self.job(&[])).without_backtraces();
        sandbox.confine(job, access).run(interrupt).map_err(cargo_error)
    }

    /// Runs cargo and notes how it calls the compiler.
    ///
    /// # Errors
    /// As [`CargoCall::output_confined`].
    pub fn record(&self, sandbox: &Sandbox, interrupt: &Interrupt) -> Result<RecordedBuild> {
        let notes = sandbox.work_folder().map_err(cannot_note)?;
        let ourselves = std::env::current_exe().map_err(cannot_note)?;
        let job = self
            .job(&["--message-format=json"])
            .env(FOLDER, notes.path())
            .env("RUSTC_WRAPPER", &ourselves)
            .env("RUSTDOC", &ourselves);
        let finished = run_tool(&job, interrupt).map_err(cargo_error)?;
        let built = read_messages(
            &finished.stdout.bytes(),
            finished.exit.is_success(),
            finished.stderr.text(),
        );
        let calls = read_notes(notes.path()).map_err(cannot_note)?;
        Ok(RecordedBuild { calls, built, is_endless: finished.exit == Exit::TimedOut })
    }
}

fn cannot_note(source: std::io::Error) -> ProjectError {
    ProjectError::File {
        action: "note the compiler's calls in",
        path: Utf8PathBuf::from_path_buf(std::env::temp_dir()).unwrap_or_default(),
        source,
    }
}

fn read_notes(folder: &Path) -> std::io::Result<Vec<CompilerCall>> {
    let mut notes = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let time = path.metadata()?.modified()?;
        if let Ok(note) = serde_json::from_slice::<CompilerCall>(&std::fs::read(&path)?) {
            notes.push((time, note));
        }
    }
    notes.sort_by_key(|(time, _)| *time);
    Ok(notes.into_iter().map(|(_, note)| note).collect())
}

/// Called by cargo as its compiler's wrapper: notes the call and becomes the compiler. Returns only if
/// we were called otherwise, or cannot become it.
pub fn become_compiler(args: &[OsString]) -> Option<std::io::Error> {
    let folder = std::env::var_os(FOLDER)?;
    let args = args.get(1..)?;
    // rustdoc is not wrapped but replaced: then there is no program among the arguments.
    let is_program = |arg: &OsString| !arg.to_string_lossy().starts_with(['-', '@']);
    let (program, args) = match args.split_first() {
        Some((program, args)) if is_program(program) => (program.clone(), args),
        _ => ("rustdoc".into(), args),
    };
    if let Some(note) = note(&program, args) {
        let path = Path::new(&folder).join(format!("{}.json", std::process::id()));
        if let Err(error) = std::fs::write(path, note) {
            return Some(error);
        }
    }
    let mut command = std::process::Command::new(program);
    command.args(args).env_remove(FOLDER);
    Some(replace_by(command))
}

#[cfg(unix)]
fn replace_by(mut command: std::process::Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(&mut command)
}

#[cfg(not(unix))]
fn replace_by(mut command: std::process::Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// The note of a call that compiles something, as opposed to one that asks the compiler a question.
fn note(program: &OsString, args: &[OsString]) -> Option<Vec<u8>> {
    let args: Vec<String> =
        args.iter().map(|arg| arg.clone().into_string().ok()).collect::<Option<_>>()?;
    args.iter().find(|arg| is_root(arg))?;
    let env = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let program = program.clone().into_string().ok()?.into();
    let noted = CompilerCall {
        invocation: Invocation { program, args, env },
        cwd: Utf8PathBuf::from_path_buf(std::env::current_dir().ok()?).ok()?,
    };
    serde_json::to_vec(&noted).ok()
}

/// Whether an argument is the crate's root file.
fn is_root(arg: &str) -> bool {
    !arg.starts_with('-') && Utf8Path::new(arg).extension() == Some("rs")
}

impl CompilerCall {
    /// The crate's root file, absolute.
    pub fn root(&self) -> Option<Utf8PathBuf> {
        Some(self.cwd.join(self.invocation.root_file()?))
    }

    /// The folder of the package.
    pub fn package_dir(&self) -> Utf8PathBuf {
        let named = self.variable("CARGO_MANIFEST_DIR");
        named.map_or_else(|| self.cwd.clone(), Utf8PathBuf::from)
    }

    /// A variable of the environment.
    pub fn variable(&self, name: &str) -> Option<&String> {
        self.invocation.env.get(name)
    }

    /// What stands before the flags: the compiler that a wrapper such as clippy's is given.
    pub fn lead(&self) -> Vec<String> {
        let is_lead = |arg: &&String| !arg.starts_with('-') && !is_root(arg);
        let args = self.invocation.args.iter();
        args.take_while(is_lead).cloned().collect()
    }

    /// The environment without what is the same in ours or of no interest to the compiler.
    pub fn own_env(&self) -> Vec<(String, String)> {
        let is_own = |(name, value): &(&String, &String)| {
            !NOISE.contains(&name.as_str()) && std::env::var(name).ok().as_ref() != Some(*value)
        };
        let own = self.invocation.env.iter().filter(is_own);
        own.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The flags that say how to compile, without the root file and without those that say where the
    /// output goes and how it looks.
    pub fn flags(&self) -> Vec<String> {
        let args = &self.invocation.args;
        let root = args.iter().position(|arg| is_root(arg));
        let mut flags = Vec::new();
        let mut args = args.iter().enumerate().skip(self.lead().len()).peekable();
        while let Some((place, arg)) = args.next() {
            if Some(place) == root {
                continue;
            }
            let value = args
                .next_if(|(place, next)| !next.starts_with('-') && Some(*place) != root)
                .map(|(_, value)| value);
            if !is_about_output(arg, value.map(String::as_str)) {
                flags.push(arg.clone());
                flags.extend(value.cloned());
            }
        }
        flags
    }
}

/// Whether a flag is about the output.
fn is_about_output(flag: &str, value: Option<&str>) -> bool {
    const FLAGS: [&str; 7] = [
        "--error-format", "--json", "--diagnostic-width", "--out-dir", "-o", "--emit",
        "--check-cfg",
    ];
    const CODEGEN: [&str; 3] = ["metadata=", "extra-filename=", "incremental="];
    let name = flag.split('=').next().unwrap_or(flag);
    let codegen = match flag {
        "-C" | "--codegen" => value,
        _ => flag.strip_prefix("-C"),
    };
    FLAGS.contains(&name)
        || codegen.is_some_and(|option| CODEGEN.iter().any(|known| option.starts_with(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(args: &str) -> CompilerCall {
        let args = args.split(' ').map(str::to_owned).collect();
        let invocation =
            Invocation { program: "rustc".into(), args, env: std::collections::BTreeMap::new() };
        CompilerCall { invocation, cwd: "/w".into() }
    }

    #[test]
    fn what_is_about_the_output_is_left_out() {
        let call = call(
            "--crate-name a --edition=2021 a/src/lib.rs --error-format=json --crate-type lib \
             --emit=dep-info,metadata -C metadata=5 -Cdebuginfo=2 --out-dir /t --extern b=/t/libb.rmeta",
        );
        assert_eq!(call.root().unwrap(), "/w/a/src/lib.rs");
        assert_eq!(
            call.flags().join(" "),
            "--crate-name a --edition=2021 --crate-type lib -Cdebuginfo=2 --extern b=/t/libb.rmeta"
        );
    }

    #[test]
    fn a_wrapper_keeps_its_compiler() {
        let call = call("/bin/rustc --test src/lib.rs -Dwarnings");
        assert_eq!(call.lead(), ["/bin/rustc"]);
        assert_eq!(call.flags(), ["--test", "-Dwarnings"]);
    }

    #[test]
    fn questions_are_no_calls() {
        assert_eq!(call("- --print=cfg").root(), None);
    }
}

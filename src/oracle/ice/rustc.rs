//! The compiler that crashes, and how it is called.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use crate::exec::{self, ExecError, Exit, Finished, Interrupt, Job, Limits, Sandbox};
use crate::oracle::store::Key;

/// How long rustc may take to say where it is.
const QUESTION: Duration = Duration::from_secs(30);

/// Why there is no compiler.
#[derive(Debug, thiserror::Error)]
pub enum RustcError {
    /// It could not be run.
    #[error("cannot run `{}`", program.display())]
    Run {
        /// What was run.
        program: PathBuf,
        /// Why.
        source: ExecError,
    },
    /// It does not say where it is installed.
    #[error("cannot use {name}: {said}")]
    NoSysroot {
        /// The toolchain, or what was run.
        name: String,
        /// What it said instead.
        said: String,
    },
}

/// A compiler with its flags.
#[derive(Debug, Clone)]
pub struct Rustc {
    program: PathBuf,
    /// What stands before the file, for wrappers: `clippy-driver rustc FILE`.
    lead: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    toolchain: Option<String>,
    /// The arguments besides the file and where the output goes.
    pub args: Vec<OsString>,
    /// Limits of each run.
    pub limits: Limits,
    sandbox: Sandbox,
}

impl Rustc {
    /// Looks up the compiler that `program` stands for. `toolchain` is what stands after `+`.
    ///
    /// # Errors
    /// When `program` cannot be run or does not answer.
    pub fn find(
        program: &Path,
        toolchain: Option<&str>,
        limits: Limits,
        sandbox: &Sandbox,
    ) -> Result<Rustc, RustcError> {
        let lead = toolchain.map(|name| format!("+{name}").into());
        let lead = lead.into_iter().collect();
        Rustc::as_called(program.to_owned(), lead, Vec::new(), toolchain, limits, sandbox)
            .resolved()
    }

    /// A compiler as somebody else was seen to call it: the program, what stands before the file, and
    /// the environment.
    pub fn as_called(
        program: PathBuf,
        lead: Vec<OsString>,
        env: Vec<(OsString, OsString)>,
        toolchain: Option<&str>,
        limits: Limits,
        sandbox: &Sandbox,
    ) -> Rustc {
        Rustc {
            program,
            lead,
            env,
            toolchain: toolchain.map(str::to_owned),
            args: Vec::new(),
            limits,
            sandbox: sandbox.clone(),
        }
    }

    /// The program itself, if this one is only rustup's proxy for it, so that candidates do not go
    /// through the proxy each time.
    ///
    /// # Errors
    /// When the program cannot be run or does not say where it is installed.
    pub fn resolved(mut self) -> Result<Rustc, RustcError> {
        let finished = self.answer(&["--print", "sysroot"])?;
        let sysroot = finished.stdout.text().trim().to_owned();
        if finished.exit != Exit::Code(0) || sysroot.is_empty() {
            let name = match &self.toolchain {
                Some(toolchain) => format!("toolchain `{toolchain}`"),
                None => format!("`{}`", self.program.display()),
            };
            let said = finished.stderr.text().trim().to_owned();
            return Err(RustcError::NoSysroot { name, said });
        }
        let name = self.program.file_name().unwrap_or("rustc".as_ref());
        let real = Path::new(&sysroot).join("bin").join(name);
        if real.is_file() {
            self.program = real;
            self.lead.retain(|word| !word.to_string_lossy().starts_with('+'));
        }
        Ok(self)
    }

    /// The same compiler with these arguments.
    pub fn with_args(&self, args: impl IntoIterator<Item = OsString>) -> Rustc {
        Rustc { args: args.into_iter().collect(), ..self.clone() }
    }

    /// The same compiler, asked to print the source with all macros expanded. That is an unstable option
    /// of a stable compiler, too.
    pub fn expanding(&self) -> Rustc {
        let is_emit = |arg: &OsString| arg.to_string_lossy().starts_with("--emit=");
        let args = self.args.iter().filter(|arg| !is_emit(arg)).cloned();
        let mut expanding = self.with_args(args.chain(["-Zunpretty=expanded".into()]));
        expanding.env.push(("RUSTC_BOOTSTRAP".into(), "1".into()));
        expanding
    }

    /// The command for people, with `file` as its last word.
    pub fn command_line(&self, file: &str) -> String {
        let toolchain = self.toolchain.iter().map(|name| format!("+{name}"));
        let args = self.args.iter().map(|arg| arg.to_string_lossy().into_owned());
        let name = self.program.file_name().unwrap_or("rustc".as_ref());
        let lead = self.lead.iter().map(|word| word.to_string_lossy());
        let lead = lead.filter(|word| !word.starts_with('+'));
        let words: Vec<String> = std::iter::once(name.to_string_lossy().into_owned())
            .chain(toolchain)
            .chain(lead.map(std::borrow::Cow::into_owned))
            .chain(args)
            .chain([file.to_owned()])
            .map(|word| quoted(&word))
            .collect();
        words.join(" ")
    }

    /// All that its answers depend on besides the source: program, version, arguments, environment.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    pub fn identity(&self) -> Result<Key, RustcError> {
        let version = self.version()?;
        Ok(Key::new(&(version, &self.program, &self.lead, &self.env, &self.args)))
    }

    /// A new folder in which candidates can be compiled.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn work_folder(&self) -> std::io::Result<TempDir> {
        self.sandbox.work_folder()
    }

    /// Compiles `file` in `folder`, a [work folder](Rustc::work_folder) or one in it, where all output goes.
    ///
    /// # Errors
    /// When the compiler cannot be started or watched.
    pub fn compile(
        &self,
        file: &Path,
        folder: &Path,
        interrupt: &Interrupt,
    ) -> Result<Finished, ExecError> {
        self.sandbox.confine_work(self.job(file, folder)).run(interrupt)
    }

    fn job(&self, file: &Path, folder: &Path) -> Job {
        // No dumps of crashes, and no backtraces: to name their symbols takes longer than to crash.
        self.called()
            .arg(file)
            .args(&self.args)
            .arg("--out-dir")
            .arg(folder)
            .cwd(folder)
            .env("RUSTC_ICE", "0")
            .without_backtraces()
            .env("TMPDIR", folder)
            .limits(self.limits.clone())
    }

    /// What `rustc -vV` says.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    pub fn version(&self) -> Result<String, RustcError> {
        let finished = self.answer(&["-vV"])?;
        Ok(finished.stdout.text().trim().to_owned())
    }

    /// Asks the compiler a question.
    fn answer(&self, question: &[&str]) -> Result<Finished, RustcError> {
        // A backtrace of rustup's says nothing about a toolchain that is missing.
        let job = self.called().args(question).time(QUESTION);
        let job = job.without_backtraces();
        exec::run_tool(&job, &Interrupt::new())
            .map_err(|source| RustcError::Run { program: self.program.clone(), source })
    }

    /// The program with what stands before the file, in its environment.
    fn called(&self) -> Job {
        let job = Job::new(&self.program).args(&self.lead);
        let env = self.env.iter();
        env.fold(job, |job, (name, value)| job.env(name, value))
    }
}

/// A word as a shell takes it; quotes only where they are needed, so that it stays easy to read.
fn quoted(word: &str) -> String {
    let is_plain = |symbol: char| symbol.is_alphanumeric() || "-_=+./:,@%".contains(symbol);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        shell_words::quote(word).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_need_quotes_have_them() {
        assert_eq!(quoted("--edition=2024"), "--edition=2024");
        assert_eq!(quoted("feature=\"std\""), "'feature=\"std\"'");
        assert_eq!(quoted(""), "''");
    }
}

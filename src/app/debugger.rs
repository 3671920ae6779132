//! The regression test in a debugger, and in an editor that has one.

use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;

use super::config::Config;
use super::failure::{Failure, Result};
use super::plain_test::{PlainTest, Tree};
use super::session::Session;
use crate::disk::write_atomic;
use crate::exec::{Access, Interrupt, Protection};
use crate::oracle::runner::TestRunner;
use crate::project::{Enclosure, Snapshot, TargetChoice, shut_in};
use crate::report::{DebugTarget, Event};

/// Runs to the panic, shows the calls, and goes to the innermost one in the user's workspace, the files of which cargo names
/// by relative paths; so are those of the standard library. What else ends a test stops gdb by itself.
const GDB: &str = "\
set breakpoint pending on
set confirm off
set pagination off
directory ROOT
break rust_panic
run
if $_isvoid($_exitcode)
    backtrace 20
else
    echo The test ended without a panic, so the debugger has not stopped anywhere.\\n
end
python
try:
    frame = gdb.newest_frame()
    while frame is not None:
        table = frame.find_sal().symtab
        if table is not None and not table.filename.startswith((\"/\", \"library/\")):
            frame.select()
            gdb.execute(\"frame\")
            break
        frame = frame.older()
except gdb.error:
    pass
end
set pagination on
";

/// The same for lldb, which does not know whose a frame is.
const LLDB: &str = "breakpoint set --name rust_panic\nrun\nbt\n";

/// A regression test in the folder of the result.
#[derive(Debug, Clone)]
pub struct LeftTest {
    /// The folder.
    pub root: Utf8PathBuf,
    /// The manifest of its package.
    pub manifest: Utf8PathBuf,
    /// What cargo takes for the package.
    pub package: String,
    /// The target that holds it.
    pub choice: TargetChoice,
    /// What runs it.
    pub runner: TestRunner,
    /// Its name.
    pub test: String,
}

impl LeftTest {
    /// The plain test.
    pub fn plain<'a>(&'a self, config: &'a Config) -> PlainTest<'a> {
        PlainTest {
            config,
            manifest: &self.manifest,
            target_dir: None,
            package: &self.package,
            target: &self.choice,
            runner: self.runner,
            test: &self.test,
            tree: Tree::Copy(&self.root),
        }
    }

    /// Shows of it what the user wants to see besides: a configuration for an editor, or the test in a debugger.
    ///
    /// # Errors
    /// When the debugger cannot watch the test.
    pub fn show(&self, session: &Session) -> Result<()> {
        if session.config.editor {
            session.tell(&Event::Document(self.launch_configuration(&session.config)));
        }
        if let Some(debugger) = &session.config.debugger {
            session.stage("Debugging", format!("{} with {debugger}", self.test));
            self.debug(&session.config, debugger)?;
        }
        Ok(())
    }

    /// The command that runs it.
    pub fn command(&self, config: &Config) -> String {
        self.plain(config).shown()
    }

    /// Starts `debugger` on it, which stops where the test panics, and waits until the user leaves it. It runs in the
    /// sandbox
    /// with the test, and what the test changes of the result is thrown away.
    ///
    /// # Errors
    /// When it cannot be built or run, or the sandbox lets no program watch another one.
    fn debug(&self, config: &Config, debugger: &str) -> Result<()> {
        if self.runner == TestRunner::Rustdoc {
            return Err(Failure::error("doc tests are run by rustdoc and cannot be debugged")
                .hint("move the code into a `#[test]` function, and reduce that test"));
        }
        let sandbox = &config.sandbox;
        let plain = self.plain(config);
        if matches!(sandbox.protection(), Protection::Landlock { .. }) {
            let why = "no debugger can run here: the sandbox of this system does not allow it";
            return Err(Failure::error(why)
                .hint("`--debug` needs user namespaces, or `--sandbox off`")
                .hint(format!(
                    "or start `{debugger}` by hand on the test that this command runs: {}",
                    plain.shown()
                )));
        }
        let target_dir = self.root.join("target");
        let enclosure = Enclosure::new(sandbox, &self.root, &target_dir);
        let built = enclosure.build(plain.build(), &Interrupt::new())?;
        if !built.exit.is_success() {
            let said = built.stderr.text();
            return Err(Failure::error(format!("the regression test does not build: {said}")));
        }
        let words = runner(debugger, &self.root, sandbox.folder())?;
        let words: Vec<String> =
            words.iter().map(|word| toml_edit::Value::from(word).to_string()).collect();
        let setting = format!("target.\"cfg(all())\".runner = [{}]", words.join(", "));
        let mut job = plain.job();
        job.args.splice(0..0, ["--config".into(), setting.into()]);
        let confined = sandbox.confine(shut_in(job), Access::discarding([&self.root]));
        let before = match sandbox.protection() {
            Protection::Namespaces { overlay: true } => None,
            _ => Some(Snapshot::of_sources(&self.root, &target_dir)?),
        };
        // The exit code is that of the user's last command.
        confined.run_for_user()?;
        if let Some(before) = before {
            before.restore()?;
        }
        Ok(())
    }

    /// The binary and its arguments.
    pub fn target(&self, config: &Config) -> DebugTarget {
        let open = self.runner.in_the_open().iter().map(|arg| (*arg).to_owned());
        DebugTarget {
            build: self.plain(config).build_args(),
            arguments: self.runner.selection(&self.test).into_iter().chain(open).collect(),
            folder: self.manifest.parent().unwrap_or(&self.root).to_string(),
        }
    }

    /// A configuration for the debugger of VS Code (the extension `CodeLLDB`), which builds the test with cargo and stops
    /// where it panics.
    fn launch_configuration(&self, config: &Config) -> String {
        let target = self.target(config);
        let configuration = json!({
            "type": "lldb",
            "request": "launch",
            "name": format!("Debug {}", self.test),
            "cargo": { "args": target.build },
            "args": target.arguments,
            "cwd": target.folder,
            "preRunCommands": ["breakpoint set --name rust_panic"],
        });
        let launch = json!({ "version": "0.2.0", "configurations": [configuration] });
        format!("{launch:#}\n")
    }
}

/// What cargo calls in the place of the test binary, whose path and arguments stand behind: debuggers that are known get a
/// file of commands, which is put into `folder`.
fn runner(debugger: &str, root: &Utf8Path, folder: &Path) -> Result<Vec<String>> {
    let mut words = shell_words::split(debugger)
        .map_err(|_| Failure::usage(format!("`--debugger {debugger}`: a quote is not closed")))?;
    let program = words.first().map(Utf8PathBuf::from).unwrap_or_default();
    let name = program.file_name().unwrap_or_default().to_owned();
    let (commands, before, behind) = match name.as_str() {
        name if name.contains("lldb") => (LLDB.to_owned(), &["-s"][..], "--"),
        name if name.contains("gdb") => {
            (GDB.replace("ROOT", root.as_str()), &["-q", "-x"][..], "--args")
        }
        "" => return Err(Failure::usage("`--debugger` is empty")),
        _ => return Ok(words),
    };
    let file = folder.join("debugger-commands");
    write_atomic(&file, commands.as_bytes())?;
    words.extend(before.iter().map(|word| (*word).to_owned()));
    words.extend([file.to_string_lossy().into_owned(), behind.to_owned()]);
    Ok(words)
}

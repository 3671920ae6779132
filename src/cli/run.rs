//! From arguments to an exit code: what they ask for is run, and trouble shown.

use std::ffi::OsString;
use std::process::ExitCode;
use std::rc::Rc;

use camino::{Utf8Path, Utf8PathBuf};

use super::args::{Cli, Parsed};
use super::named_settings::Tables;
use super::reporters::{reporter, set_color, show};
use super::settings::Settings;
use super::{config, file_jobs, generated, guide};
use crate::app::config::{Config, TestJob};
use crate::app::console::Console;
use crate::app::exit::Exit;
use crate::app::failure::{Failure, Result};
use crate::app::session::{Counts, Session};
use crate::exec::{Interrupt, Mode, Overheard, Sandbox};
use crate::jobs::{code, generalize, inputs};
use crate::project::{CargoOptions, ProjectError, Workspace, become_compiler};
use crate::report::Event;
use crate::source::STACK_BYTES;

/// Runs `cargo reduce` with these arguments (the program's name first), on a stack that the trees of all sources fit.
///
/// ```no_run
/// // What the binary does:
/// let exit = cargo_reduce::cli::main(std::env::args_os());
/// ```
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let ended = thread.spawn(move || run_args(args)).map(std::thread::JoinHandle::join);
    match ended {
        Ok(Ok(exit)) => exit,
        // The message was shown where it happened.
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(error) => {
            show(&Failure::error(format!("cannot start a thread: {error}")));
            Exit::Prevented.into()
        }
    }
}

fn run_args(args: Vec<OsString>) -> ExitCode {
    if let Some(error) = become_compiler(&args) {
        show(&Failure::error(format!("cannot run the compiler: {error}")));
        return Exit::Prevented.into();
    }
    match started(&words(args)) {
        Ok(exit) | Err(exit) => exit.into(),
    }
}

/// Reads the command line with all that is set elsewhere, and does what it says. Where that ends before there is anything
/// to do, the user was told why.
fn started(words: &[OsString]) -> Result<Exit, Exit> {
    let given = Parsed::new(words, &Settings::default()).map_err(|error| tell(&error))?;
    if given.cli.code.list_passes {
        let listed = code::list_passes(&mut std::io::stdout().lock());
        return listed.map(|()| Exit::Done).map_err(|_| Exit::Prevented);
    }
    if given.cli.output.guide {
        set_color(given.cli.output.color);
        return guide::show().map(|()| Exit::Done).map_err(|error| {
            show(&Failure::error(format!("cannot show the guide: {error}")));
            Exit::Prevented
        });
    }
    let generated = match given.cli.output.completions {
        Some(shell) => Some(generated::show_completions(shell)),
        None => given.cli.output.man.then(generated::show_man),
    };
    if let Some(written) = generated {
        return written.map(|()| Exit::Done).map_err(|_| Exit::Prevented);
    }
    let cwd = current_dir().map_err(wrong_usage)?;
    let heard = Overheard::default();
    let workspace = workspace(&given.cli, &cwd, &heard);
    let settings = settings(&given, workspace.as_ref().ok()).map_err(|failure| {
        show(&failure);
        Exit::of_failure(&failure)
    })?;
    let Parsed { cli, matches } = Parsed::new(words, &settings).map_err(|error| tell(&error))?;
    if cli.output.show_config {
        anstream::print!("{}", settings.show(&Cli::grouped(), &matches));
        return Ok(Exit::Done);
    }
    cli.files.check(!cli.subject.is_empty(), &matches).map_err(wrong_usage)?;
    set_color(cli.output.color);
    let reporter = reporter(&cli, workspace.as_ref().ok(), &heard).map_err(|error| {
        show(&Failure::error(format!("cannot write the summary of the job: {error}")));
        Exit::Prevented
    })?;
    let console = Rc::new(Console::new(reporter));
    let policy = config::policy(&cli.safety, &cwd).map_err(wrong_usage)?;
    let sandbox =
        Sandbox::new(policy).map_err(|error| failed(&error.into(), &console, Counts::default()))?;
    console.tell(&confinement_of(&sandbox));
    let mut config = Config::new(&cli, cwd, sandbox).map_err(wrong_usage)?;
    config.cargo.heard = heard;
    if cli.files.is_asked_for() {
        return Ok(file_jobs::run(&cli, &mut config, &console)
            .unwrap_or_else(|failure| failed(&failure, &console, Counts::default())));
    }
    Ok(run(config, workspace, console))
}

/// The workspace of which the command line speaks.
fn workspace(cli: &Cli, cwd: &Utf8Path, heard: &Overheard) -> Result<Workspace, ProjectError> {
    let is_of_files = cli.files.is_asked_for() && !cli.subject.is_empty();
    if is_of_files {
        // They belong to no package.
        return Err(ProjectError::NoManifest(cwd.to_owned()));
    }
    let options = CargoOptions { heard: heard.clone(), ..config::cargo_options(&cli.cargo) };
    Workspace::load(cwd, &options)
}

/// What is set beside the command line; a workspace that cannot be read sets nothing, and is told of where it is needed.
fn settings(given: &Parsed, workspace: Option<&Workspace>) -> Result<Settings> {
    let tables = workspace.map_or_else(|| Ok(Vec::new()), Workspace::settings).unwrap_or_default();
    let texts = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let texts: Vec<(String, String)> = texts.collect();
    let by_variable = texts.iter().find(|(name, _)| name == "CARGO_REDUCE_SETTINGS");
    let chosen = given.cli.output.settings.as_deref();
    let chosen = chosen.or_else(|| by_variable.map(|(_, value)| value.as_str()));
    let tables = Tables::new(tables, chosen)?;
    let command = Cli::grouped();
    // A mistake is told also where it does not count.
    Settings::new(&command, &tables.unused, std::iter::empty())?;
    let settings = Settings::new(&command, &tables.used, texts.into_iter())?;
    Ok(settings.beside(&command, &given.matches))
}

/// What the user is told of the sandbox; one that was turned off needs no warning.
fn confinement_of(sandbox: &Sandbox) -> Event {
    let protection = sandbox.protection();
    let gaps = protection.gaps().filter(|_| sandbox.policy().mode != Mode::Off);
    Event::Sandbox {
        protection: protection.name().to_owned(),
        described: protection.to_string(),
        gaps: gaps.map(str::to_owned),
    }
}

/// Shows what is wrong with a value on the command line.
fn wrong_usage(error: anyhow::Error) -> Exit {
    tell(&Cli::grouped().error(clap::error::ErrorKind::ValueValidation, error))
}

/// Shows what clap has to say: a mistake, or the help that was asked for.
fn tell(error: &clap::Error) -> Exit {
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Done }
}

fn run(config: Config, workspace: Result<Workspace, ProjectError>, console: Rc<Console>) -> Exit {
    let prepared = workspace.map_err(Failure::from).and_then(|workspace| {
        Ok((workspace.with_options(&config.cargo), Interrupt::from_signals()?))
    });
    let (workspace, interrupt) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => {
            return failed(&failure, &console, Counts::default());
        }
    };
    let session = Session::new(workspace, config, console, interrupt);
    let ended = match (session.config.job, &session.config.texts.pattern) {
        (TestJob::Code, _) => code::run(&session),
        (TestJob::Inputs, Some(wanted)) => generalize::run(&session, wanted),
        (TestJob::Inputs, None) => inputs::run(&session),
    };
    ended.unwrap_or_else(|failure| failed(&failure, &session, session.counts()))
}

fn failed(failure: &Failure, console: &Console, counts: Counts) -> Exit {
    show(failure);
    console.tell(&Event::Summary(counts.summary_of(failure)));
    Exit::of_failure(failure)
}

/// The command line as clap reads it. Cargo calls `cargo-reduce reduce …`; called directly, the word may be left out.
/// `cargo reduce help` is what people try who look for help.
fn words(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_some_and(|first| first == "reduce") {
        args.remove(1);
    }
    match args.as_mut_slice() {
        [_, only] if only == "help" => *only = "--help".into(),
        _ => {}
    }
    args
}

fn current_dir() -> anyhow::Result<Utf8PathBuf> {
    let cwd = std::env::current_dir()?;
    Utf8PathBuf::from_path_buf(cwd)
        .map_err(|cwd| anyhow::anyhow!("the path `{}` is not valid UTF-8", cwd.display()))
}

//! From arguments to an exit code: what they ask for is run, and trouble shown.

use std::ffi::OsString;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use camino::Utf8PathBuf;
use clap::ColorChoice;

use super::args::Cli;
use super::{config, file_jobs};
use crate::app::config::{Config, TestJob};
use crate::app::exit::Exit;
use crate::app::failure::Failure;
use crate::app::session::{Counts, Session};
use crate::exec::{Interrupt, Mode, Sandbox};
use crate::jobs::{code, generalize, inputs};
use crate::project::{Workspace, become_compiler};
use crate::report::{Color, Event, Json, Reporter, Text, Verbosity};
use crate::source::STACK_BYTES;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Runs `cargo reduce` with these arguments (the program's name first), on a stack that the trees of all sources fit.
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
    let cli = match Cli::parse_words(without_subcommand(args)) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    if cli.code.list_passes {
        return match code::list_passes(&mut std::io::stdout().lock()) {
            Ok(()) => Exit::Done.into(),
            Err(_) => Exit::of(crate::report::Status::Error).into(),
        };
    }
    let color = color(cli.output.color);
    anstream::ColorChoice::from(color).write_global();
    let mut reporter = reporter(&cli, color);
    let sandbox = match current_dir().and_then(|cwd| config::policy(&cli.safety, &cwd)) {
        Ok(policy) => Sandbox::new(policy),
        Err(error) => return wrong_usage(error),
    };
    let sandbox = match sandbox {
        Ok(sandbox) => sandbox,
        Err(error) => {
            let tell = |event: &Event| reporter.report(event);
            return failed(&error.into(), tell, Counts::default()).into();
        }
    };
    reporter.report(&confinement_of(&sandbox));
    let config = match current_dir().and_then(|cwd| Config::new(&cli, cwd, sandbox)) {
        Ok(config) => config,
        Err(error) => return wrong_usage(error),
    };
    if cli.files.is_asked_for() {
        let ended = file_jobs::run(&cli, &config, &mut *reporter).unwrap_or_else(|failure| {
            failed(&failure, |event| reporter.report(event), Counts::default())
        });
        return ended.into();
    }
    run(&config, reporter).into()
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
fn wrong_usage(error: anyhow::Error) -> ExitCode {
    let _ = Cli::grouped().error(clap::error::ErrorKind::ValueValidation, error).print();
    Exit::Usage.into()
}

fn run(config: &Config, mut reporter: Box<dyn Reporter>) -> Exit {
    let prepared = Workspace::load(&config.cwd, &config.cargo)
        .map_err(Failure::from)
        .and_then(|workspace| Ok((workspace, Interrupt::from_signals()?)));
    let (workspace, interrupt) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => {
            return failed(&failure, |event| reporter.report(event), Counts::default());
        }
    };
    let mut session = Session::new(workspace, reporter, interrupt);
    let ended = match (config.job, &config.texts.pattern) {
        (TestJob::Code, _) => code::run(&mut session, config),
        (TestJob::Inputs, Some(wanted)) => generalize::run(&mut session, config, wanted),
        (TestJob::Inputs, None) => inputs::run(&mut session, config),
    };
    match ended {
        Ok(exit) => exit,
        Err(failure) => {
            let counts = session.counts();
            failed(&failure, |event| session.tell(event), counts)
        }
    }
}

fn failed(failure: &Failure, mut tell: impl FnMut(&Event), counts: Counts) -> Exit {
    show(failure);
    tell(&Event::Summary(counts.summary_of(failure)));
    if failure.is_usage {
        return Exit::Usage;
    }
    Exit::of(failure.status)
}

/// Cargo calls `cargo-reduce reduce …`; called directly, the word may be left out.
fn without_subcommand(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|first| first == "reduce") {
        args.remove(1);
    }
    args
}

fn current_dir() -> anyhow::Result<Utf8PathBuf> {
    let cwd = std::env::current_dir()?;
    Utf8PathBuf::from_path_buf(cwd)
        .map_err(|cwd| anyhow::anyhow!("the path `{}` is not valid UTF-8", cwd.display()))
}

fn reporter(cli: &Cli, color: Color) -> Box<dyn Reporter> {
    if config::wants_json(cli) {
        return Box::new(Json::new(std::io::stdout(), std::io::stderr()));
    }
    let verbosity = match (cli.output.quiet, cli.output.verbose) {
        _ if cli.how.list => Verbosity::Listing,
        _ if cli.files.markdown => Verbosity::Document,
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Normal,
        (false, _) => Verbosity::Verbose,
    };
    Box::new(Text::on_terminal(color, verbosity))
}

fn color(choice: ColorChoice) -> Color {
    match choice {
        ColorChoice::Always => Color::Always,
        ColorChoice::Never => Color::Never,
        ColorChoice::Auto => Color::choose(None),
    }
}

/// Shows what went wrong and what to do next.
pub fn show(failure: &Failure) {
    anstream::eprintln!("{ERROR}error{ERROR:#}: {}", failure.message);
    for hint in &failure.hints {
        anstream::eprintln!("{HINT}hint{HINT:#}: {hint}");
    }
}

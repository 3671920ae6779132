//! Who shows what happens: the reporter that the command line asks for.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use camino::Utf8PathBuf;
use clap::ColorChoice;

use super::args::{Cli, MessageFormat};
use super::browser;
use crate::app::failure::Failure;
use crate::exec::Overheard;
use crate::project::Workspace;
use crate::report::{Github, Json, Junit, LastLine, Page, Reporter, Text, Verbosity};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// The file to which a step of a workflow adds what the page of its job shows.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";
/// The folder of the repository in a workflow.
const REPOSITORY: &str = "GITHUB_WORKSPACE";

/// The reporter for this call.
///
/// # Errors
/// When the file for the page of the job cannot be written.
pub fn reporter(
    cli: &Cli,
    workspace: Option<&Workspace>,
    heard: &Overheard,
) -> io::Result<Box<dyn Reporter>> {
    let verbosity = verbosity(cli);
    let heard = heard.clone();
    let last_line: LastLine = Arc::new(move || heard.last());
    let log = || Box::new(Text::to_log(verbosity));
    let shown: Box<dyn Reporter> = match cli.output.message_format {
        MessageFormat::Human => Box::new(Text::on_terminal(verbosity, last_line)),
        MessageFormat::Json => Box::new(Json::new(io::stdout(), io::stderr())),
        MessageFormat::Junit => Box::new(Junit::new(io::stdout(), log())),
        MessageFormat::Github => {
            let summary: Box<dyn Write + Send> = match env::var_os(STEP_SUMMARY) {
                Some(file) => Box::new(OpenOptions::new().append(true).create(true).open(file)?),
                None => Box::new(io::sink()),
            };
            let folder = workspace.and_then(folder_in_repository).unwrap_or_default();
            Box::new(Github::new(io::stdout(), summary, log(), folder.as_str()))
        }
    };
    let opens = cli.output.open;
    Ok(Box::new(Page::new(shown, move |page| {
        if opens && let Err(error) = browser::open(page) {
            show(&Failure::error(format!("cannot open `{page}` with {error}")));
        }
    })))
}

/// Says whether output is coloured from now on: what `--color` says, else `CARGO_TERM_COLOR`, else the terminal.
pub fn set_color(option: ColorChoice) {
    color(option, env::var("CARGO_TERM_COLOR").ok().as_deref()).write_global();
}

/// The choice of the option, or of the variable. A value that cargo would refuse is ignored, since cargo says so itself.
fn color(option: ColorChoice, variable: Option<&str>) -> anstream::ColorChoice {
    let choice = match option {
        ColorChoice::Auto => variable.and_then(|it| it.parse().ok()).unwrap_or_default(),
        chosen => chosen,
    };
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
}

/// Shows what went wrong and what to do next.
pub fn show(failure: &Failure) {
    anstream::eprintln!("{ERROR}error{ERROR:#}: {}", failure.message);
    for hint in &failure.hints {
        anstream::eprintln!("{HINT}hint{HINT:#}: {hint}");
    }
}

fn verbosity(cli: &Cli) -> Verbosity {
    match (cli.output.quiet, cli.output.verbose) {
        _ if cli.how.list => Verbosity::Listing,
        _ if cli.files.markdown || cli.output.editor => Verbosity::Document,
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Normal,
        (false, 1) => Verbosity::Verbose,
        (false, _) => Verbosity::Candidates,
    }
}

fn folder_in_repository(workspace: &Workspace) -> Option<Utf8PathBuf> {
    let repository = Utf8PathBuf::from(env::var(REPOSITORY).ok()?).canonicalize_utf8().ok()?;
    let root = workspace.root().canonicalize_utf8().ok()?;
    Some(root.strip_prefix(repository).ok()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_wins() {
        let chosen = |option, variable| color(option, Some(variable));
        assert_eq!(chosen(ColorChoice::Never, "always"), anstream::ColorChoice::Never);
        assert_eq!(chosen(ColorChoice::Auto, "always"), anstream::ColorChoice::Always);
        assert_eq!(chosen(ColorChoice::Auto, "blue"), anstream::ColorChoice::Auto);
    }
}

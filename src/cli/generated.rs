//! What is made of the definition of the command line for other programs: completions for shells, and the manual page.

use std::io::{self, Write};

use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::args::Cli;

/// The completions for a shell on standard output. Fish completes `cargo reduce`; others know of one command each, so
/// that theirs is for `cargo-reduce`, which zsh asks for `cargo reduce`, too.
///
/// # Errors
/// When they cannot be written.
pub fn show_completions(shell: Shell) -> io::Result<()> {
    let mut text = Vec::new();
    if shell == Shell::Fish {
        let reduce = Cli::grouped().name("reduce").bin_name("cargo reduce");
        let mut cargo = Command::new("cargo").subcommand(reduce);
        generate(shell, &mut cargo, "cargo", &mut text);
    } else {
        generate(shell, &mut Cli::grouped(), "cargo-reduce", &mut text);
    }
    io::stdout().lock().write_all(&text)
}

/// The manual page on standard output, for `man`.
///
/// # Errors
/// When it cannot be written.
pub fn show_man() -> io::Result<()> {
    let mut page = Vec::new();
    Man::new(Cli::grouped()).render(&mut page)?;
    io::stdout().lock().write_all(&page)
}

//! The options for files.

use clap::{Args, ValueEnum};
use regex::Regex;

use crate::jobs::ice::ElsewhereConfig;
use crate::oracle::ice::{Demand, Errors};

/// Reducing files instead of tests.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reducing files")]
pub struct FileArgs {
    /// Reduce FILE while CMD exits with 0 (125: cannot be judged). CMD runs in a fresh directory that
    /// holds the file under its own name; `{}` is its path, else the path is appended
    #[arg(long, value_name = "CMD", requires = "subject", conflicts_with = "ice")]
    pub oracle: Option<String>,
    /// What CMD has to print besides
    #[arg(long, value_name = "REGEX", requires = "oracle")]
    pub oracle_prints: Option<Regex>,
    /// Reduce FILE, or without FILE the package, while the compiler crashes on it in the same way; ARGS go
    /// to rustc
    #[arg(long)]
    pub ice: bool,
    /// Without FILE: the command of cargo under which a crate of the package crashes the compiler [default: check,
    /// build if there are ARGS]
    #[arg(long, value_name = "COMMAND", requires = "ice")]
    pub ice_command: Option<IceCommand>,
    /// Without FILE: make modules of the dependencies that the crash needs, so that the result is one
    /// file
    #[arg(long, requires = "ice", conflicts_with = "subject")]
    pub inline_deps: bool,
    /// Errors that the compiler reports besides the crash
    #[arg(long, value_name = "RULE", default_value = "keep", requires = "ice")]
    pub errors: Errors,
    /// The toolchain that crashes [default: that of the directory]
    #[arg(long, value_name = "NAME", requires = "ice")]
    pub toolchain: Option<String>,
    /// Another toolchain that has to crash with the same message
    #[arg(long, value_name = "+NAME", value_parser = toolchain, requires = "ice")]
    pub also_crash: Vec<String>,
    /// A toolchain that must not crash
    #[arg(long, value_name = "+NAME", value_parser = toolchain, requires = "ice")]
    pub must_not_crash: Vec<String>,
    /// A toolchain that has to compile it, as one from before a regression does
    #[arg(long, value_name = "+NAME", value_parser = toolchain, requires = "ice")]
    pub must_compile: Vec<String>,
    /// Print a report for the issue tracker of rust-lang/rust
    #[arg(long, requires = "ice")]
    pub markdown: bool,
}

/// The name of a toolchain, with or without the `+` that rustup wants.
fn toolchain(text: &str) -> Result<String, String> {
    match text.strip_prefix('+').unwrap_or(text) {
        "" => Err("expected the name of a toolchain".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// A command of cargo that runs the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "they are cargo's own")]
pub enum IceCommand {
    Check,
    Build,
    Test,
    Clippy,
    Doc,
    Miri,
}

impl IceCommand {
    /// Its name, as cargo has it.
    pub fn name(self) -> &'static str {
        match self {
            IceCommand::Check => "check",
            IceCommand::Build => "build",
            IceCommand::Test => "test",
            IceCommand::Clippy => "clippy",
            IceCommand::Doc => "doc",
            IceCommand::Miri => "miri",
        }
    }
}

impl FileArgs {
    /// Whether a job on files is asked for.
    pub fn is_asked_for(&self) -> bool {
        self.ice || self.oracle.is_some()
    }

    /// What other toolchains have to do.
    pub fn elsewhere(&self) -> Vec<ElsewhereConfig> {
        let demands = [
            (&self.also_crash, Demand::Crash),
            (&self.must_not_crash, Demand::NoCrash),
            (&self.must_compile, Demand::Compile),
        ];
        let of = |(names, demand): (&Vec<String>, Demand)| {
            let named = names
                .iter()
                .map(move |toolchain| ElsewhereConfig { toolchain: toolchain.clone(), demand });
            named.collect::<Vec<_>>()
        };
        demands.into_iter().flat_map(of).collect()
    }
}

//! The options for files.

use anyhow::anyhow;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use regex::Regex;

use super::values::REDUCE;
use crate::jobs::ice::ElsewhereConfig;
use crate::oracle::ice::{Demand, Errors};

/// Options that say something of a test, and nothing of a file.
const OF_TESTS: &[&str] = &[
    "list", "all", "maximize", "diff", "only", "skip", "generalize", "code", "match_rule",
    "min_rate", "passes_with", "tier", "write", "from_junit", "shard", "since",
];
/// Options that say how cargo builds.
const OF_CARGO: &[&str] = &[
    "package",
    "workspace",
    "lib",
    "bin",
    "test",
    "example",
    "doc",
    "features",
    "all_features",
    "no_default_features",
    "profile",
    "release",
    "target",
    "target_dir",
    "manifest_path",
    "locked",
    "offline",
    "frozen",
];

/// Reducing files instead of tests.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reducing files")]
pub struct FileArgs {
    /// Reduce FILE while CMD exits with 0
    ///
    /// CMD runs in a new folder that holds the file under its own name. `{}` in CMD stands for the path of the file;
    /// without `{}`, the path is appended. Exit code 125 means that a candidate cannot be judged.
    #[arg(long, value_name = "CMD", help_heading = REDUCE, requires = "subject", conflicts_with_all = OF_TESTS.iter().chain(OF_CARGO).chain(&["ice", "runs"]))]
    pub oracle: Option<String>,
    /// CMD must also print a match of REGEX on standard output
    #[arg(long, value_name = "REGEX", requires = "oracle")]
    pub oracle_prints: Option<Regex>,
    /// Reduce FILE, or the package, while the compiler crashes
    ///
    /// Only the same crash counts. Without FILE, the package in this folder is reduced. ARGS are passed to rustc.
    #[arg(long, help_heading = REDUCE, conflicts_with_all = OF_TESTS.iter().chain(&["strategy", "grammar"]))]
    pub ice: bool,
    /// Without FILE: the cargo command during which the compiler crashes [default: check, or build if there are ARGS]
    #[arg(long, value_name = "COMMAND", requires = "ice")]
    pub ice_command: Option<IceCommand>,
    /// Without FILE: turn the dependencies that the crash needs into modules
    ///
    /// The result is then a single file; procedural macros and dependencies with a build script stay outside.
    #[arg(long, requires = "ice", conflicts_with = "subject")]
    pub inline_deps: bool,
    /// Whether the compiler may report errors besides the crash
    #[arg(long, value_name = "RULE", default_value = "keep", requires = "ice")]
    pub errors: Errors,
    /// The toolchain that crashes [default: the one of the current folder]
    #[arg(long, value_name = "NAME", requires = "ice")]
    pub toolchain: Option<String>,
    /// Another toolchain that must crash with the same message
    #[arg(long, value_name = "+NAME", value_parser = toolchain, requires = "ice")]
    pub also_crash: Vec<String>,
    /// A toolchain that must not crash
    #[arg(long, value_name = "+NAME", value_parser = toolchain, requires = "ice")]
    pub must_not_crash: Vec<String>,
    /// A toolchain that must compile the result, such as one from before a regression
    #[arg(long, value_name = "+NAME", value_parser = toolchain, requires = "ice")]
    pub must_compile: Vec<String>,
    /// Print an issue report for rust-lang/rust
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
    /// What is wrong with options of cargo for a file, which is compiled without cargo.
    ///
    /// # Errors
    /// When one is given.
    pub fn check(&self, has_file: bool, given: &ArgMatches) -> anyhow::Result<()> {
        let is_given = |id: &&&str| given.value_source(id) == Some(ValueSource::CommandLine);
        match OF_CARGO.iter().find(is_given).filter(|_| self.ice && has_file) {
            Some(id) => Err(anyhow!(
                "`--{}` has no effect on a single file, which is compiled without cargo\n\n  tip: pass flags to rustc \
                 after `--`",
                id.replace('_', "-")
            )),
            None => Ok(()),
        }
    }

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

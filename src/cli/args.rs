//! The command line, as clap sees it.

use std::ffi::OsString;
use std::time::Duration;

use camino::Utf8PathBuf;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{
    ArgMatches, Args, ColorChoice, Command, CommandFactory, FromArgMatches, Parser, ValueEnum,
};

use super::code_args::CodeArgs;
use super::file_args::FileArgs;
use super::settings::Settings;
use super::text_args::GeneralizeArgs;
use crate::app::config::ForcedTier;
use crate::exec::Mode;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_HELP: &str = "\
Examples:
  cargo reduce keeps_every_version           minimize the inputs of that failing test
  cargo reduce --code keeps_every_version    minimize the code that it runs
  cargo reduce --ice crash.rs                minimize a source that crashes the compiler
  cargo reduce --oracle 'grep -q x' file     minimize any file under a command

All options, and those of `cargo test`: cargo reduce --help";

const AFTER_LONG_HELP: &str = "\
Examples:
  cargo reduce keeps_every_version           minimize the inputs of that failing test
  cargo reduce --code keeps_every_version    minimize the code that it runs
  cargo reduce --list keeps_every_version    show its inputs and stop
  cargo reduce                               run the suite and take the test that fails
  cargo reduce --diff my_test                the smallest difference between passing and failing

Exit codes: 0 reduced or minimal already, 1 nothing to reduce or the environment prevents it,
2 wrong usage, 101 a bug of cargo-reduce, 130 interrupted (the best so far is kept).";

/// What `-h` shows, so that it fits a screen; `--help` shows all.
const SHORT: &[&str] = &[
    "subject",
    "list",
    "all",
    "diff",
    "generalize",
    "code",
    "oracle",
    "ice",
    "timeout",
    "max_time",
    "runs",
    "passes_with",
    "out",
    "write",
    "verbose",
    "package",
    "test",
];

/// Minimize a failing Rust test: the smallest input that still fails in the same way.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-reduce",
    bin_name = "cargo reduce",
    version,
    styles = STYLES,
    after_help = AFTER_HELP,
    after_long_help = AFTER_LONG_HELP,
    max_term_width = 100
)]
pub struct Cli {
    /// The failing test, matched as `cargo test` does; an exact name wins. Without it, the suite is run
    /// and the test that fails is taken
    #[arg(value_name = "TEST")]
    pub subject: Vec<String>,

    /// Arguments for the test binary
    #[arg(last = true, value_name = "ARGS")]
    pub test_args: Vec<String>,

    /// Options that say how to reduce.
    #[command(flatten)]
    pub how: HowArgs,

    /// Options for texts.
    #[command(flatten)]
    pub texts: GeneralizeArgs,

    /// Options for source code.
    #[command(flatten)]
    pub code: CodeArgs,

    /// Options for files.
    #[command(flatten)]
    pub files: FileArgs,

    /// Options of the search.
    #[command(flatten)]
    pub control: ControlArgs,

    /// What candidates may do.
    #[command(flatten)]
    pub safety: SandboxArgs,

    /// Options of the output.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Options of `cargo test`.
    #[command(flatten)]
    pub cargo: CargoArgs,
}

/// A command line that was read.
pub struct Parsed {
    /// What it says.
    pub cli: Cli,
    /// The same as clap has it, with where each value comes from.
    pub matches: ArgMatches,
}

impl Parsed {
    /// What the words of a command line say, and of what they do not say the settings.
    ///
    /// # Errors
    /// Those of clap, which are also how help is shown.
    pub fn new(words: &[OsString], settings: &Settings) -> Result<Parsed, clap::Error> {
        let matches = settings.apply(Cli::grouped()).try_get_matches_from(words)?;
        Ok(Parsed { cli: Cli::from_arg_matches(&matches)?, matches })
    }
}

impl Cli {
    /// The command with a short help that fits a screen.
    pub fn grouped() -> Command {
        let command = Cli::command();
        command.mut_args(|arg| {
            let is_long_only = !SHORT.contains(&arg.get_id().as_str());
            arg.hide_short_help(is_long_only)
        })
    }
}

/// How to reduce.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to reduce")]
#[allow(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub struct HowArgs {
    /// Show the inputs that were found and stop
    #[arg(long)]
    pub list: bool,
    /// With no TEST: reduce each failing test
    #[arg(long, conflicts_with = "subject")]
    pub all: bool,
    /// Find the largest passing variant of each input (ddmax)
    #[arg(long, conflicts_with = "diff")]
    pub maximize: bool,
    /// Find a passing and a failing variant of each input that differ in as little as possible (dd)
    #[arg(long)]
    pub diff: bool,
    /// Reduce only these inputs, by the numbers that --list shows
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["code", "all"])]
    pub only: Vec<usize>,
    /// Leave these inputs as they are. A comment `// reduce: keep`, on a line of the test or above one, does so, too
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["code", "all"])]
    pub skip: Vec<usize>,
}

/// What candidates may do.
#[derive(Debug, Args)]
#[command(next_help_heading = "Safety")]
pub struct SandboxArgs {
    /// How candidates are confined: with what the system has, only with namespaces and without a loopback, or not at all
    #[arg(long, value_enum, default_value_t = Mode::Default)]
    pub sandbox: Mode,
    /// Let candidates use the loopback or your home folder, or change files below a folder for good
    #[arg(long, value_name = "loopback|home|PATH", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Hand this variable of your environment to candidates
    #[arg(long, value_name = "NAME")]
    pub env: Vec<String>,
}

/// Limits and rules of the search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct ControlArgs {
    /// What makes a failure the same one: the template of its message and its place (default), only one
    /// of them, the exact message, any failure, or a regular expression between slashes
    #[arg(long = "match", value_name = "message|location|exact|any|/REGEX/")]
    pub match_rule: Option<String>,
    /// Time one candidate may take [default: a small multiple of the original run]
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Memory one candidate may take
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Stop the search after this time and keep the best; with `--code` in time to confirm it within this time
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,
    /// Stop the search after so many candidates and keep the best
    #[arg(long, value_name = "N")]
    pub max_candidates: Option<u64>,
    /// Run each candidate of a flaky test up to so many times
    #[arg(long, value_name = "N")]
    pub runs: Option<u32>,
    /// Take a candidate of a flaky test if it fails at this rate [default: a third of the original's]
    #[arg(long, value_name = "R")]
    pub min_rate: Option<f64>,
    /// A candidate counts only if the test passes with another version of a package: a dependency, or
    /// a local one. VERSION is a version, `newest`, a git revision, or a folder that starts with `.` or `/`
    #[arg(long, value_name = "NAME@VERSION", conflicts_with_all = ["list", "maximize", "diff", "generalize"])]
    pub passes_with: Option<String>,
    /// Force a way to run candidates
    #[arg(long, value_name = "TIER")]
    pub tier: Option<ForcedTier>,
    /// Ignore what an earlier run has saved
    #[arg(long)]
    pub fresh: bool,
}

/// What is shown and kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Where results go [default: target/reduce/TEST/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// Add the regression test to your own source tree
    #[arg(long)]
    pub write: bool,
    /// Exit with 3 where the result is in doubt: where the reduced test may fail with correct code, too
    #[arg(long)]
    pub strict: bool,
    /// Print one JSON object a line on stdout
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Show only the result
    #[arg(short, long)]
    pub quiet: bool,
    /// Show more of what is done
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Show what is set by manifests (`[workspace.metadata.reduce]`, `[package.metadata.reduce]`), by the environment
    /// (`CARGO_REDUCE_MAX_TIME` for `--max-time`) and in this call, the later winning, and stop
    #[arg(long)]
    pub show_config: bool,
}

/// Whom the output is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// A person
    Human,
    /// A program
    Json,
}

/// The options that `cargo test` has, with their names and meaning.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of cargo test")]
#[allow(clippy::struct_excessive_bools, reason = "they are cargo's flags")]
pub struct CargoArgs {
    /// Package that holds the test
    #[arg(short, long, value_name = "SPEC")]
    pub package: Vec<String>,
    /// All packages of the workspace
    #[arg(long)]
    pub workspace: bool,
    /// Only unit tests of the library
    #[arg(long)]
    pub lib: bool,
    /// Only unit tests of that binary
    #[arg(long, value_name = "NAME")]
    pub bin: Vec<String>,
    /// Only that integration test
    #[arg(long, value_name = "NAME")]
    pub test: Vec<String>,
    /// Only tests of that example
    #[arg(long, value_name = "NAME")]
    pub example: Vec<String>,
    /// Only doc tests of the library
    #[arg(long)]
    pub doc: bool,
    /// Features to activate
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    pub all_features: bool,
    /// Do not activate the `default` feature
    #[arg(long)]
    pub no_default_features: bool,
    /// Build with that profile
    #[arg(long, value_name = "PROFILE-NAME")]
    pub profile: Option<String>,
    /// Build with the release profile
    #[arg(short, long)]
    pub release: bool,
    /// Build for that platform
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Directory for all that is built
    #[arg(long, value_name = "DIRECTORY")]
    pub target_dir: Option<Utf8PathBuf>,
    /// Path of Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<Utf8PathBuf>,
    /// Require that Cargo.lock stays as it is
    #[arg(long)]
    pub locked: bool,
    /// Do not use the network
    #[arg(long)]
    pub offline: bool,
    /// As --locked and --offline
    #[arg(long)]
    pub frozen: bool,
    /// Candidates and jobs at once [default: one a core]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<u32>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

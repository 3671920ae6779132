//! The command line, as clap sees it.

use std::ffi::OsString;
use std::time::Duration;

use camino::Utf8PathBuf;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{
    ArgMatches, Args, ColorChoice, Command, CommandFactory, FromArgMatches, Parser, ValueEnum,
};
use clap_complete::Shell;

use super::advice::with_meanings;
use super::code_args::CodeArgs;
use super::file_args::FileArgs;
use super::settings::{Settings, undoing};
use super::text_args::GeneralizeArgs;
use super::values::REDUCE;
use crate::app::shard::Shard;
use crate::exec::Mode;
use crate::source::Tier;

/// The options by which several tests are reduced in one call.
const SEVERAL: &str = "several";

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_LONG_HELP: &str = "\
Examples:
  cargo reduce                               run all tests, and reduce the one that fails
  cargo reduce keeps_every_version           minimize the inputs of that failing test
  cargo reduce --list keeps_every_version    show its inputs and stop
  cargo reduce --diff keeps_every_version    find a passing and a failing input that hardly differ
  cargo reduce --code keeps_every_version    minimize the code that it runs
  cargo reduce --ice crash.rs                minimize a source that crashes the compiler
  cargo reduce --oracle 'grep -q x' file     minimize any file while a command succeeds

Options can also be set in Cargo.toml or by environment variables: see --show-config.

Exit codes:
  0    reduced, already minimal, or stopped at a limit (the summary says which)
  1    nothing to reduce, or an error: for example no such test, the test passes, or it does not build
  2    wrong usage
  3    reduced, in doubt: the reduced test may fail even with correct code (only with --strict; otherwise 0)
  101  a bug of cargo-reduce
  130  interrupted by Ctrl-C; the best result so far is confirmed, written and shown

Read the guide with `cargo reduce --guide`.";

/// The debugger that rustup installs along.
const DEBUGGER: &str = if cfg!(target_os = "macos") { "rust-lldb" } else { "rust-gdb" };

/// What `-h` shows, so that it fits a screen; `--help` shows all.
const SHORT: &[&str] = &[
    "subject", "list", "all", "diff", "generalize", "code", "oracle", "ice", "max_time",
    "passes_with", "write", "verbose", "guide", "help",
];

/// Find the smallest inputs with which a Rust test still fails in the same way
///
/// It tries smaller and smaller variants of the test's inputs (candidates), and keeps those with which the test still
/// fails in the same way. At the end, the plain `cargo test` confirms the result. Use --code to reduce the code that
/// the test runs, --ice for a source file that crashes the compiler, and --oracle for any file.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-reduce",
    bin_name = "cargo reduce",
    version,
    styles = STYLES,
    after_long_help = AFTER_LONG_HELP,
    max_term_width = 100,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub struct Cli {
    /// The failing test [default: the one that fails]
    ///
    /// As for `cargo test`, a part of the name is enough; an exact name wins. Without TEST, all tests are run, and the
    /// failing one is reduced. With --ice and --oracle, this is the file to reduce; --oracle takes several files and
    /// folders.
    #[arg(value_name = "TEST|FILE", help_heading = REDUCE, display_order = 0)]
    pub subject: Vec<String>,

    /// Arguments for the test binary; with --ice, for rustc
    #[arg(last = true, value_name = "ARGS", help_heading = REDUCE)]
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
        let matched = settings.apply(Cli::grouped()).try_get_matches_from(words);
        let matches = matched.map_err(|error| with_meanings(error, &Cli::grouped()))?;
        Ok(Parsed { cli: Cli::from_arg_matches(&matches)?, matches })
    }
}

impl Cli {
    /// The command with a short help that fits a screen, and with what undoes flags that are set elsewhere.
    pub fn grouped() -> Command {
        let command = Cli::command();
        let undoing = undoing(&command);
        let command = command.mut_args(|arg| {
            let is_long_only = !SHORT.contains(&arg.get_id().as_str());
            arg.hide_short_help(is_long_only)
        });
        command.args(undoing)
    }
}

/// How to reduce.
#[derive(Debug, Args)]
#[command(next_help_heading = REDUCE)]
#[allow(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub struct HowArgs {
    /// Show the inputs of the test and stop
    ///
    /// The list has the number of each input, its place, where its value comes from, its size, and how its candidates
    /// will run.
    #[arg(long, display_order = 1)]
    pub list: bool,
    /// Reduce each failing test of the suite
    #[arg(long, group = SEVERAL, conflicts_with = "subject")]
    pub all: bool,
    /// Reduce the tests that failed in this JUnit report (of nextest or cargo2junit)
    #[arg(long, value_name = "FILE", group = SEVERAL, conflicts_with_all = ["subject", "all"])]
    pub from_junit: Option<Utf8PathBuf>,
    /// With --all or --from-junit: reduce only the K-th of N parts of the failing tests
    ///
    /// Use this to share the work among N machines: `--shard 1/4` to `--shard 4/4`.
    #[arg(long, value_name = "K/N", requires = SEVERAL)]
    pub shard: Option<Shard>,
    /// Only reduce tests that pass in this git revision
    ///
    /// The tests of this revision are built and run first, in a separate folder.
    #[arg(long, value_name = "REV", conflicts_with = "pattern")]
    pub since: Option<String>,
    /// Find the largest variant of each input that passes
    ///
    /// What this variant lacks is what makes the test fail (the algorithm is ddmax).
    #[arg(long, conflicts_with = "diff")]
    pub maximize: bool,
    /// Find a passing and a failing input that hardly differ
    ///
    /// Both are made from the original input, and differ in as little as possible (the algorithm is dd).
    #[arg(long)]
    pub diff: bool,
    /// Reduce only these inputs, by the numbers that --list shows
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["code", "all"])]
    pub only: Vec<usize>,
    /// Leave these inputs as they are
    ///
    /// A comment `// reduce: keep` on or above a line of the test has the same effect.
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["code", "all"])]
    pub skip: Vec<usize>,
}

/// What candidates may do.
#[derive(Debug, Args)]
#[command(next_help_heading = "Safety")]
pub struct SandboxArgs {
    /// Sandbox in which candidates run
    ///
    /// A candidate can do anything that the test can do: if an input is the path of a file, a shorter input may be the
    /// path of another file.
    #[arg(long, value_enum, default_value_t = Mode::Default)]
    pub sandbox: Mode,
    /// What candidates may also use
    ///
    /// `loopback`: the loopback network interface; `home`: your home folder; PATH: this file or folder, with write access.
    #[arg(long, value_name = "loopback|home|PATH", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// Pass this environment variable to candidates
    #[arg(long, value_name = "NAME")]
    pub env: Vec<String>,
}

/// Limits and rules of the search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct ControlArgs {
    /// When two failures count as the same
    ///
    /// By default the message (without the values of the inputs) and the location must agree. `message` and `location`
    /// compare only one of them, `exact` the whole message, /REGEX/ looks for a match in the message, and `any` accepts
    /// every failure.
    #[arg(long = "match", value_name = "message|location|exact|any|/REGEX/")]
    pub match_rule: Option<String>,
    /// Time limit for each candidate [default: a multiple of the time that the unchanged test takes]
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Memory limit for each candidate
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Stop after this time, keep the best result
    ///
    /// With --code, the search stops early enough to confirm the result within this time; the default is 300 then, or as
    /// long as 20 builds take.
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,
    /// Stop after this many candidates, keep the best result
    #[arg(long, value_name = "N")]
    pub max_candidates: Option<u64>,
    /// For a flaky test: run each candidate up to N times
    ///
    /// With --ice, each candidate is compiled up to N times, until the compiler crashes.
    #[arg(long, value_name = "N")]
    pub runs: Option<u32>,
    /// For a flaky test: how often a candidate must fail, from 0 to 1 [default: a third of the original's rate]
    #[arg(long, value_name = "R")]
    pub min_rate: Option<f64>,
    /// A good version: the test must pass with it
    ///
    /// A candidate counts only if the test fails with your code and passes with this version of a package: so its
    /// expected results are right. NAME is a dependency or a package of yours. VERSION is a version, `newest`, a git
    /// revision, or a folder that starts with `.` or `/`.
    #[arg(long, value_name = "NAME@VERSION", conflicts_with_all = ["list", "maximize", "diff", "generalize"])]
    pub passes_with: Option<String>,
    /// How candidates run [default: the fastest way that works for the input]
    #[arg(long, value_name = "TIER")]
    pub tier: Option<Tier>,
    /// Ignore the saved results of earlier runs
    #[arg(long)]
    pub fresh: bool,
}

/// What is shown and kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
#[allow(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub struct OutputArgs {
    /// Folder of the results [default: target/reduce/TEST/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// Add the regression test to your source tree
    #[arg(long)]
    pub write: bool,
    /// Open the report, `report.html`, in your browser
    #[arg(long, conflicts_with = "list")]
    pub open: bool,
    /// Start a debugger on the regression test, stopped where it panics
    ///
    /// With --code, the debugger runs the test of the reduced package. It runs in the sandbox together with the test,
    /// shows the backtrace, and (gdb) selects the innermost frame in your package. Leave it with `quit`; Ctrl-C has no
    /// effect.
    #[arg(long, conflicts_with_all = ["list", "all", "from_junit", "oracle", "ice"])]
    pub debug: bool,
    /// The debugger for --debug: a command that takes the test binary and its arguments
    #[arg(long, value_name = "CMD", default_value = DEBUGGER)]
    pub debugger: String,
    /// Print a `launch.json` to debug the regression test in VS Code
    #[arg(long, conflicts_with_all = ["list", "all", "from_junit", "oracle", "ice"])]
    pub editor: bool,
    /// Exit with code 3 if the result is in doubt
    ///
    /// A result is in doubt if the reduced test may fail even with correct code; the summary says so.
    #[arg(long)]
    pub strict: bool,
    /// Format of the output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Show only the result
    #[arg(short, long)]
    pub quiet: bool,
    /// Show what each step removes; -vv: show each candidate
    ///
    /// Also shows which inputs are left unchanged, and why.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Show all options that can be configured, their values, and where these come from
    ///
    /// Options can be set by their long names in the tables `[workspace.metadata.reduce]` and
    /// `[package.metadata.reduce]` of Cargo.toml, by environment variables (`CARGO_REDUCE_MAX_TIME` for --max-time),
    /// and on the command line. Later ones override earlier ones. `no-` before the name of a flag turns it off:
    /// --no-strict.
    #[arg(long)]
    pub show_config: bool,
    /// Also use the settings of this name, such as `[package.metadata.reduce.settings.ci]`
    ///
    /// They override settings without a name; environment variables and the command line override both.
    #[arg(long, value_name = "NAME")]
    pub settings: Option<String>,
    /// Show the guide in your pager
    #[arg(long)]
    pub guide: bool,
    /// Print a completion script for this shell
    #[arg(long, value_name = "SHELL")]
    pub completions: Option<Shell>,
    /// Print the manual page for `man`
    #[arg(long)]
    pub man: bool,
    /// Show this help; --help: all options; --guide: the guide
    #[arg(short, long, action = clap::ArgAction::Help)]
    help: Option<bool>,
    /// Show the version
    #[arg(short = 'V', long, action = clap::ArgAction::Version)]
    version: Option<bool>,
}

/// Format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people
    Human,
    /// For programs: one JSON object per line on standard output
    Json,
    /// For GitHub Actions: annotations and a job summary; also turns on --strict
    Github,
    /// For other build servers: a JUnit report on standard output
    Junit,
}

/// The options that `cargo test` has, with their names and meaning.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of cargo test")]
#[allow(clippy::struct_excessive_bools, reason = "they are cargo's flags")]
pub struct CargoArgs {
    /// Package of the test
    #[arg(short, long, value_name = "SPEC")]
    pub package: Vec<String>,
    /// All packages of the workspace
    #[arg(long)]
    pub workspace: bool,
    /// Only the library's unit tests
    #[arg(long)]
    pub lib: bool,
    /// Only unit tests of this binary
    #[arg(long, value_name = "NAME")]
    pub bin: Vec<String>,
    /// Only this integration test
    #[arg(long, value_name = "NAME")]
    pub test: Vec<String>,
    /// Only tests of this example
    #[arg(long, value_name = "NAME")]
    pub example: Vec<String>,
    /// Only doc tests of the library
    #[arg(long)]
    pub doc: bool,
    /// Features to activate, as for `cargo test`
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Activate all features
    #[arg(long)]
    pub all_features: bool,
    /// Do not activate the `default` feature
    #[arg(long)]
    pub no_default_features: bool,
    /// Build with this profile
    #[arg(long, value_name = "PROFILE-NAME")]
    pub profile: Option<String>,
    /// Build with the release profile
    #[arg(short, long)]
    pub release: bool,
    /// Build for this platform
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Directory for all build artifacts
    #[arg(long, value_name = "DIRECTORY")]
    pub target_dir: Option<Utf8PathBuf>,
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<Utf8PathBuf>,
    /// Require that Cargo.lock is unchanged
    #[arg(long)]
    pub locked: bool,
    /// Do not use the network
    #[arg(long)]
    pub offline: bool,
    /// Same as --locked and --offline
    #[arg(long)]
    pub frozen: bool,
    /// Number of candidates and compiler processes at once [default: one per core]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<u32>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

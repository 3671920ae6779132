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
use crate::app::config::ForcedTier;
use crate::app::shard::Shard;
use crate::exec::Mode;

/// The heading of the options that say what is reduced, and to what.
pub(super) const REDUCE: &str = "What to reduce";

/// The options by which several tests are reduced in one call.
const SEVERAL: &str = "several";

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_LONG_HELP: &str = "\
Examples:
  cargo reduce                               run the suite and take the test that fails
  cargo reduce keeps_every_version           minimize the inputs of that failing test
  cargo reduce --list keeps_every_version    show its inputs and stop
  cargo reduce --diff keeps_every_version    the smallest difference between passing and failing
  cargo reduce --code keeps_every_version    minimize the code that it runs
  cargo reduce --ice crash.rs                minimize a source that crashes the compiler
  cargo reduce --oracle 'grep -q x' file     minimize any file under a command

Options can also be set in a manifest or by the environment: see --show-config.

Exit codes:
  0    reduced, shown to be minimal already, or a limit was reached, which is said
  1    nothing to reduce, or something prevents it: no such test, it passes, it does not build
  2    wrong usage
  3    reduced, in doubt: the reduced test may fail with correct code, too (with --strict; else 0)
  101  a bug of cargo-reduce
  130  interrupted by Ctrl-C; the best result so far is confirmed, written and shown

The guide is shown by `cargo reduce --guide`.";

/// The debugger that rustup installs along.
const DEBUGGER: &str = if cfg!(target_os = "macos") { "rust-lldb" } else { "rust-gdb" };

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
    "max_time",
    "passes_with",
    "write",
    "verbose",
    "guide",
    "help",
];

/// Find the smallest inputs with which a Rust test still fails in the same way
///
/// It tries smaller and smaller variants of what makes a test fail, the candidates, and keeps those that fail in the same
/// way. The result is confirmed by the plain `cargo test`. With --code the source code under the test is reduced, with --ice
/// a source that crashes the compiler, with --oracle any file.
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
    /// It is matched as `cargo test` does, by a part of its name; an exact name wins. Without it, the suite is run, and
    /// the test that fails is taken. With --ice and --oracle it is the file to reduce; --oracle takes several, and folders.
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
        let matches = matched.map_err(with_meanings)?;
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
    /// Each is shown with its number, its place, where its value comes from, its size, and how its candidates will run.
    #[arg(long, display_order = 1)]
    pub list: bool,
    /// Reduce each failing test of the suite
    #[arg(long, group = SEVERAL, conflicts_with = "subject")]
    pub all: bool,
    /// Reduce the tests that failed by this report in the format of JUnit, of nextest or cargo2junit
    #[arg(long, value_name = "FILE", group = SEVERAL, conflicts_with_all = ["subject", "all"])]
    pub from_junit: Option<Utf8PathBuf>,
    /// With --all or --from-junit: reduce only the K-th of N parts of the failing tests
    ///
    /// So that N machines share the work: `--shard 1/4` to `--shard 4/4`.
    #[arg(long, value_name = "K/N", requires = SEVERAL)]
    pub shard: Option<Shard>,
    /// Only reduce tests that pass in that revision of the git repository
    ///
    /// The tests are built and run there first, in a folder of their own.
    #[arg(long, value_name = "REV", conflicts_with = "pattern")]
    pub since: Option<String>,
    /// Find the largest variant of each input that passes
    ///
    /// This is ddmax: what is left out is what makes the test fail.
    #[arg(long, conflicts_with = "diff")]
    pub maximize: bool,
    /// Find a passing and a failing input that hardly differ
    ///
    /// This is dd: both are made from each input so that they differ in as little as possible.
    #[arg(long)]
    pub diff: bool,
    /// Reduce only these inputs, by the numbers that --list shows
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["code", "all"])]
    pub only: Vec<usize>,
    /// Leave these inputs as they are
    ///
    /// A comment `// reduce: keep`, on a line of the test or above one, does so, too.
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["code", "all"])]
    pub skip: Vec<usize>,
}

/// What candidates may do.
#[derive(Debug, Args)]
#[command(next_help_heading = "Safety")]
pub struct SandboxArgs {
    /// How candidates are confined
    ///
    /// A candidate is a changed program, which may do anything that the test can do to what its inputs name.
    #[arg(long, value_enum, default_value_t = Mode::Default)]
    pub sandbox: Mode,
    /// What candidates may use besides
    ///
    /// `loopback`: the loopback interface of your network; `home`: your home folder; PATH: files below it, which they may
    /// change for good.
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
    /// What makes a failure the same one
    ///
    /// The template of its message and its place are compared, unless only one of them is asked for here, or the exact
    /// message, or any failure will do, or one whose message a regular expression finds.
    #[arg(long = "match", value_name = "message|location|exact|any|/REGEX/")]
    pub match_rule: Option<String>,
    /// Time that one candidate may take [default: by the first runs]
    ///
    /// The default is a small multiple of what the unchanged test takes.
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Memory that one candidate may take
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Stop after this time and keep the best
    ///
    /// With --code it stops in time to confirm the result within this time.
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,
    /// Stop the search after so many candidates and keep the best
    #[arg(long, value_name = "N")]
    pub max_candidates: Option<u64>,
    /// A flaky test: run each candidate up to so many times
    ///
    /// With --ice each candidate is compiled up to so many times, until the compiler crashes.
    #[arg(long, value_name = "N")]
    pub runs: Option<u32>,
    /// A flaky test: the rate at which a candidate has to fail [default: a third of the original's]
    #[arg(long, value_name = "R")]
    pub min_rate: Option<f64>,
    /// Take only what passes with that version
    ///
    /// A candidate counts only if the test passes with that version, so the result shows what was mended or broken between
    /// the two. The package is a dependency or a local one. VERSION is a version, `newest`, a git revision, or a folder that
    /// starts with `.` or `/`.
    #[arg(long, value_name = "NAME@VERSION", conflicts_with_all = ["list", "maximize", "diff", "generalize"])]
    pub passes_with: Option<String>,
    /// Run candidates in this way only [default: the fastest that works for an input]
    #[arg(long, value_name = "TIER")]
    pub tier: Option<ForcedTier>,
    /// Ignore what an earlier run has saved
    #[arg(long)]
    pub fresh: bool,
}

/// What is shown and kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
#[allow(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub struct OutputArgs {
    /// Where results go [default: target/reduce/TEST/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<Utf8PathBuf>,
    /// Add the regression test to your source tree
    #[arg(long)]
    pub write: bool,
    /// Open the page that shows the result, `report.html`, in your browser
    #[arg(long, conflicts_with = "list")]
    pub open: bool,
    /// Also start a debugger on the regression test, which stops where it panics
    ///
    /// With --code it is the test of the reduced package. The debugger runs in the sandbox with the test. Where it stops it shows the calls, and (gdb) goes to the innermost one in
    /// your package. Leave it by `quit`; Ctrl-C has no effect.
    #[arg(long, conflicts_with_all = ["list", "all", "from_junit", "oracle", "ice"])]
    pub debug: bool,
    /// The debugger that --debug starts, a command that is given the test binary and its arguments
    #[arg(long, value_name = "CMD", default_value = DEBUGGER)]
    pub debugger: String,
    /// Also print a configuration (`launch.json`) for the debugger of VS Code on the regression test
    #[arg(long, conflicts_with_all = ["list", "all", "from_junit", "oracle", "ice"])]
    pub editor: bool,
    /// Exit with 3 where the result is in doubt
    ///
    /// In doubt is a result that may fail with correct code, too, as the summary says.
    #[arg(long)]
    pub strict: bool,
    /// Whom the output is for
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Show only the result
    #[arg(short, long)]
    pub quiet: bool,
    /// Show what each step removes; -vv: each candidate
    ///
    /// Inputs that are left alone are shown, too, with the reason.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Show all options that can be set elsewhere, with where each value comes from
    ///
    /// Options can be set in the tables `[workspace.metadata.reduce]` and `[package.metadata.reduce]` of manifests, by their
    /// long names, in the environment (`CARGO_REDUCE_MAX_TIME` for --max-time), and on the command line; the later of these
    /// wins. A flag that is set is undone by `no-` before its name: --no-strict.
    #[arg(long)]
    pub show_config: bool,
    /// Also take the settings of that name, such as `[package.metadata.reduce.settings.ci]`
    ///
    /// They win over settings without a name, and give way to variables of the environment and to the command line.
    #[arg(long, value_name = "NAME")]
    pub settings: Option<String>,
    /// Show the guide, on a terminal in your pager
    #[arg(long)]
    pub guide: bool,
    /// Print what lets that shell complete options
    #[arg(long, value_name = "SHELL")]
    pub completions: Option<Shell>,
    /// Print the manual page, for `man`
    #[arg(long)]
    pub man: bool,
    /// Show this; --help: all options; --guide: how to use them
    #[arg(short, long, action = clap::ArgAction::Help)]
    help: Option<bool>,
    /// Show the version
    #[arg(short = 'V', long, action = clap::ArgAction::Version)]
    version: Option<bool>,
}

/// Whom the output is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// A person
    Human,
    /// A program: one JSON object a line on standard output
    Json,
    /// A workflow of GitHub: annotations, and a summary of the job; exits with 3 where the result is in doubt, as --strict
    Github,
    /// A build server: a report in the format of JUnit on standard output
    Junit,
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
    /// Only the library's unit tests
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
    /// Features to activate, as for `cargo test`
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
    /// Candidates and compiler processes at once [default: one a core]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<u32>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

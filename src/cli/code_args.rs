//! The options for source code.

use clap::Args;

use super::args::REDUCE;
use crate::app::config::ContrastChoice;

/// Reducing the code under a test.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reducing source code")]
#[allow(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub struct CodeArgs {
    /// Reduce the code that the test runs instead of its inputs
    ///
    /// The result is the smallest package with a test that still fails in the same way.
    #[arg(long, help_heading = REDUCE, conflicts_with_all = ["list", "maximize", "diff", "write", "generalize"])]
    pub code: bool,
    /// Reduce this dependency, too
    ///
    /// It may come from a registry, from git, or from elsewhere. The tested package and the local packages that it uses are
    /// always reduced.
    #[arg(long, value_name = "NAME", requires = "code")]
    pub reduce_package: Vec<String>,
    /// A test of the same target that has to keep passing; `all` for every one that passes today
    #[arg(long, value_name = "TEST", requires = "code")]
    pub also_pass: Vec<String>,
    /// What has to go on passing while the code is reduced, so that the bug stays in it
    #[arg(long, value_name = "WHAT", value_enum, default_value = "auto", requires = "code")]
    pub contrast: ContrastChoice,
    /// A text that passes in the place of the longest text of the inputs, and has to go on passing
    #[arg(long, value_name = "TEXT", requires = "code")]
    pub contrast_input: Vec<String>,
    /// Leave the code in its files and packages instead of bringing all into one file
    #[arg(long, requires = "code")]
    pub keep_layout: bool,
    /// Expand the `macro_rules!` macros of the reduced packages first, where a macro hides the code
    #[arg(long, requires = "code")]
    pub expand: bool,
    /// Show what the result has of the original as a unified diff
    #[arg(long, requires = "code")]
    pub diff_from_original: bool,
    /// List the passes over source code, each with an example, and stop
    #[arg(long)]
    pub list_passes: bool,
}

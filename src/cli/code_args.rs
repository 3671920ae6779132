//! The options for source code.

use clap::Args;

use super::values::REDUCE;
use crate::app::config::ContrastChoice;

/// Reducing the code under a test.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reducing source code")]
#[allow(clippy::struct_excessive_bools, reason = "they are flags of the command line")]
pub struct CodeArgs {
    /// Reduce the code that the test runs, instead of its inputs
    ///
    /// The result is a small package in which the test still fails in the same way.
    #[arg(long, help_heading = REDUCE, conflicts_with_all = ["list", "maximize", "diff", "write", "generalize"])]
    pub code: bool,
    /// Also reduce the code of this dependency
    ///
    /// The dependency may come from a registry, from git, or from a folder. The tested package and the local packages
    /// that it uses are always reduced.
    #[arg(long, value_name = "NAME", requires = "code")]
    pub reduce_package: Vec<String>,
    /// A test of the same target that must keep passing; `all`: every test that passes today
    #[arg(long, value_name = "TEST", requires = "code")]
    pub also_pass: Vec<String>,
    /// What must keep passing while the code is reduced, so that the bug stays in the code
    #[arg(long, value_name = "WHAT", value_enum, default_value = "auto", requires = "code")]
    pub contrast: ContrastChoice,
    /// A text with which the test must keep passing; it replaces the longest text among the inputs
    #[arg(long, value_name = "TEXT", requires = "code")]
    pub contrast_input: Vec<String>,
    /// Keep the code in its files and packages, instead of moving all into one file
    #[arg(long, requires = "code")]
    pub keep_layout: bool,
    /// First expand all `macro_rules!` macros of the reduced packages, not only those that make items
    #[arg(long, requires = "code")]
    pub expand: bool,
    /// Show what was removed from the code as a unified diff
    #[arg(long, requires = "code")]
    pub diff_from_original: bool,
    /// List all kinds of reduction of source code, each with an example, and stop
    #[arg(long)]
    pub list_passes: bool,
}

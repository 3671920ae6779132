//! The options for source code.

use clap::Args;

/// Reducing the code under a test.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reducing source code")]
pub struct CodeArgs {
    /// Minimize the source code under the test instead of its inputs: the smallest package that still
    /// fails in the same way
    #[arg(long, conflicts_with_all = ["list", "maximize", "diff", "write", "generalize"])]
    pub code: bool,
    /// Leave the code in its files and packages instead of bringing all into one file
    #[arg(long, requires = "code")]
    pub keep_layout: bool,
}

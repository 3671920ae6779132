//! What `--oracle` was asked.

use regex::Regex;

use crate::app::files::FilesJob;

/// Under which command files are reduced.
#[derive(Debug, Clone)]
pub struct ScriptConfig {
    /// The command, as a shell would read it.
    pub command: String,
    /// What it has to print besides exiting with 0.
    pub stdout: Option<Regex>,
    /// What leaves the result in doubt, if a test has given the command.
    pub settles: Option<Settles>,
}

/// A result whose file may be as it should be.
#[derive(Debug, Clone)]
pub struct Settles {
    /// Why, and what settles it.
    pub doubt: String,
    /// Runs of cargo before.
    pub builds: u64,
}

/// A job with a command of the user.
pub type ScriptJob<'r> = FilesJob<'r, ScriptConfig>;

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
}

/// A job with a command of the user.
pub type ScriptJob<'r> = FilesJob<'r, ScriptConfig>;

//! What `--oracle` was asked.

use regex::Regex;

use crate::app::config::TextConfig;
use crate::app::files::FilesConfig;

/// What to reduce, and under which command.
#[derive(Debug, Clone)]
pub struct ScriptConfig {
    /// The files, and limits.
    pub files: FilesConfig,
    /// The command, as a shell would read it.
    pub command: String,
    /// What it has to print besides exiting with 0.
    pub stdout: Option<Regex>,
    /// How texts with a grammar are reduced.
    pub texts: TextConfig,
}

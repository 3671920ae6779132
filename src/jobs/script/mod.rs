//! `--oracle`: reduces files under a command of the user.

mod baseline;
mod compiled;
mod config;
mod story;
mod trees;
mod values;

pub use compiled::run as run_compiled;
pub use config::{ScriptConfig, ScriptJob, Settles};
pub use story::run;

//! `--oracle`: reduces files under a command of the user.

mod baseline;
mod config;
mod story;
mod trees;
mod values;

pub use config::{ScriptConfig, ScriptJob};
pub use story::run;

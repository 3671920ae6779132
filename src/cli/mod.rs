//! The command line, and nothing else: options, the configuration that they make, and exit codes.

mod advice;
pub(crate) mod args;
mod browser;
mod code_args;
mod config;
mod file_args;
mod file_jobs;
mod generated;
mod guide;
mod named_settings;
mod reporters;
mod run;
mod settings;
#[cfg(test)]
mod settings_tests;
mod terminal_text;
mod text_args;
mod values;

pub use run::main;

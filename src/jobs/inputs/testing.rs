//! What the tests of this folder share.

use std::rc::Rc;

use camino::Utf8Path;
use clap::Parser;

use crate::app::config::Config;
use crate::app::console::Console;
use crate::app::session::Session;
use crate::cli::args::Cli;
use crate::exec::{Interrupt, Policy, Sandbox};
use crate::project::Workspace;

/// A job on a test of the workspace at `root`, of which nobody hears.
pub(super) fn session(root: &Utf8Path, test: &str) -> Session {
    let cli = Cli::parse_from(["cargo-reduce", "--offline", test]);
    let sandbox = Sandbox::new(Policy::default()).unwrap();
    let mut config = Config::new(&cli, root.to_owned(), sandbox).unwrap();
    config.cargo.target_dir = Some(root.join("target"));
    let workspace = Workspace::load(root, &config.cargo).unwrap();
    Session::new(workspace, config, Rc::new(Console::silent()), Interrupt::new())
}

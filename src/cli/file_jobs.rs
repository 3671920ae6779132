//! The jobs on files, `--ice` and `--oracle`, as they are asked for.

use super::args::Cli;
use super::file_args::IceCommand;
use crate::app::config::{Config, TextStrategy};
use crate::app::console::Console;
use crate::app::exit::Exit;
use crate::app::failure::Result;
use crate::exec::Interrupt;
use crate::jobs::ice::{IceConfig, PackageConfig, TIMES_ONE, WHOLE_BUILD};
use crate::jobs::script::ScriptConfig;
use crate::jobs::{ice, script};

/// Runs the job on files that `cli` asks for.
///
/// # Errors
/// When the job cannot go on.
pub fn run(cli: &Cli, config: &mut Config, console: &Console) -> Result<Exit> {
    let interrupt = Interrupt::from_signals()?;
    if let Some(command) = cli.files.oracle.clone() {
        let stdout = cli.files.oracle_prints.clone();
        // Files with a grammar are reduced level by level unless the user says otherwise.
        if cli.texts.strategy.is_none() && config.texts.grammar.is_none() {
            config.texts.strategy = TextStrategy::Hdd;
        }
        let asked = ScriptConfig { command, stdout, settles: None };
        return script::run(config, &asked, console, interrupt);
    }
    let usual_command =
        if config.test_args.is_empty() { IceCommand::Check } else { IceCommand::Build };
    let asked = IceConfig {
        toolchain: cli.files.toolchain.clone(),
        errors: cli.files.errors,
        runs: config.control.runs.unwrap_or(1),
        elsewhere: cli.files.elsewhere(),
        package: cli.subject.is_empty().then(|| PackageConfig {
            command: cli.files.ice_command.unwrap_or(usual_command).name().to_owned(),
            compiler_args: config.test_args.clone(),
            cargo: config.cargo.clone(),
            targets: config.targets.clone(),
            inline_deps: cli.files.inline_deps,
            time: config.control.timeout.map_or(WHOLE_BUILD, |one| one * TIMES_ONE),
        }),
        markdown: cli.files.markdown,
    };
    ice::run(config, &asked, console, interrupt)
}

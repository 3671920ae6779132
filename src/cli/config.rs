//! From the command line to the plain configuration of a job.

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::advice::{meant_option, more_than_one};
use super::args::{CargoArgs, Cli, MessageFormat, SandboxArgs};
use crate::app::config::{CodeConfig, Config, Control, Goal, InputChoice, TestJob, TextConfig};
use crate::exec::{Overheard, Policy, Sandbox};
use crate::project::{CargoOptions, OtherVersion, TargetChoice, TargetKind};

impl Config {
    /// Checks and completes what clap has read.
    ///
    /// # Errors
    /// When an option's value makes no sense.
    pub fn new(cli: &Cli, cwd: Utf8PathBuf, sandbox: Sandbox) -> Result<Self> {
        if let (false, [first, second, ..]) = (cli.files.is_asked_for(), cli.subject.as_slice()) {
            return Err(more_than_one(first, second, &Cli::grouped()));
        }
        let control = control(cli)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Config {
            texts: TextConfig::new(&cli.texts, &cwd)?,
            subject: cli.subject.first().cloned(),
            files: cli.subject.iter().map(Utf8PathBuf::from).collect(),
            meant_option: cli.subject.first().and_then(|word| meant_option(word, &Cli::grouped())),
            test_args: cli.test_args.clone(),
            job: if cli.code.code { TestJob::Code } else { TestJob::Inputs },
            code: CodeConfig {
                keep_layout: cli.code.keep_layout,
                expand: cli.code.expand,
                reduce_packages: cli.code.reduce_package.clone(),
                also_pass: cli.code.also_pass.clone(),
                contrast: cli.code.contrast,
                contrast_inputs: cli.code.contrast_input.clone(),
                diff_from_original: cli.code.diff_from_original,
            },
            goal: goal(cli),
            choice: InputChoice { only: cli.how.only.clone(), skip: cli.how.skip.clone() },
            all: cli.how.all,
            from_junit: cli.how.from_junit.as_ref().map(|file| cwd.join(file)),
            since: cli.how.since.clone(),
            shard: cli.how.shard,
            cargo: cargo_options(&cli.cargo),
            targets: targets(&cli.cargo),
            control,
            out: cli.output.out.clone(),
            write: cli.output.write,
            debugger: cli.output.debug.then(|| cli.output.debugger.clone()),
            editor: cli.output.editor,
            cwd,
            sandbox,
            workers: cli.cargo.jobs.map_or(cores, |jobs| jobs as usize).max(1),
        })
    }
}

/// What is to be done with the inputs.
fn goal(cli: &Cli) -> Goal {
    if cli.how.list {
        Goal::List
    } else if cli.how.maximize {
        Goal::Maximize
    } else if cli.how.diff {
        Goal::Diff
    } else {
        Goal::Minimize
    }
}

/// What bounds the job.
fn control(cli: &Cli) -> Result<Control> {
    let control = &cli.control;
    let match_rule = control.match_rule.as_deref().map(str::parse).transpose()?;
    if control.min_rate.is_some_and(|rate| !(rate > 0.0 && rate <= 1.0)) {
        return Err(anyhow!("--min-rate must be above 0 and at most 1"));
    }
    let passes_with = control
        .passes_with
        .as_deref()
        .map(|text| text.parse::<OtherVersion>().map_err(|error| anyhow!(error)))
        .transpose()?;
    Ok(Control {
        match_rule,
        timeout: control.timeout,
        memory_bytes: control.memory << 20,
        max_time: control.max_time,
        max_candidates: control.max_candidates,
        runs: control.runs,
        min_rate: control.min_rate,
        passes_with,
        tier: control.tier,
        fresh: control.fresh,
        strict: cli.output.strict || cli.output.message_format == MessageFormat::Github,
    })
}

/// What candidates may do.
///
/// # Errors
/// When a path that is allowed does not exist.
pub fn policy(args: &SandboxArgs, cwd: &Utf8Path) -> Result<Policy> {
    let mut policy = Policy {
        mode: args.sandbox,
        env: args.env.iter().map(Into::into).collect(),
        ..Policy::default()
    };
    for allowed in &args.allow {
        match allowed.as_str() {
            "loopback" => policy.loopback = true,
            "home" => policy.home = true,
            path => {
                let path = cwd.join(path);
                if !path.exists() {
                    return Err(anyhow!(
                        "`--allow {path}`: no such file or folder (other values are `loopback` and `home`)"
                    ));
                }
                policy.writable.push(path.into_std_path_buf());
            }
        }
    }
    Ok(policy)
}

/// How cargo is called.
pub fn cargo_options(args: &CargoArgs) -> CargoOptions {
    CargoOptions {
        heard: Overheard::default(),
        manifest_path: args.manifest_path.clone(),
        packages: args.package.clone(),
        workspace: args.workspace,
        features: args.features.clone(),
        all_features: args.all_features,
        no_default_features: args.no_default_features,
        profile: args.profile.clone(),
        release: args.release,
        target: args.target.clone(),
        target_dir: args.target_dir.clone(),
        locked: args.locked,
        offline: args.offline,
        frozen: args.frozen,
        jobs: args.jobs,
        enclosure: None,
    }
}

fn targets(args: &CargoArgs) -> Vec<TargetChoice> {
    let named = |kind: TargetKind, names: &[String]| {
        names
            .iter()
            .map(move |name| TargetChoice { kind, name: Some(name.clone()) })
            .collect::<Vec<_>>()
    };
    let mut targets = Vec::new();
    if args.lib {
        targets.push(TargetChoice { kind: TargetKind::Lib, name: None });
    }
    targets.extend(named(TargetKind::Bin, &args.bin));
    targets.extend(named(TargetKind::Test, &args.test));
    targets.extend(named(TargetKind::Example, &args.example));
    if args.doc {
        targets.push(TargetChoice { kind: TargetKind::Doc, name: None });
    }
    targets
}

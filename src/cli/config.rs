//! One plain configuration, made from the command line.

use std::time::Duration;

use anyhow::{Result, anyhow};
use camino::{Utf8Path, Utf8PathBuf};

use super::args::{CargoArgs, Cli, MessageFormat, SandboxArg, SandboxArgs, TierArg};
use super::code::ContrastArg;
use super::generalize::args::TextConfig;
use crate::exec::{Mode, Policy, Sandbox};
use crate::oracle::signature::Match;
use crate::project::{CargoOptions, OtherVersion, TargetChoice, TargetKind};

/// All that a job needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the user stands.
    pub cwd: Utf8PathBuf,
    /// What was asked for.
    pub subject: Option<String>,
    /// Further arguments for the test binary.
    pub test_args: Vec<String>,
    /// What of a test is reduced.
    pub job: TestJob,
    /// Rules for source code.
    pub code: CodeConfig,
    /// What to do with the inputs.
    pub goal: Goal,
    /// How texts are reduced, and whether their patterns are wanted.
    pub texts: TextConfig,
    /// Whether each failing test is reduced when several fail.
    pub all: bool,
    /// How cargo is called.
    pub cargo: CargoOptions,
    /// The targets the user allows; empty for all.
    pub targets: Vec<TargetChoice>,
    /// Rules and limits of the search.
    pub control: Control,
    /// Where results go.
    pub out: Option<Utf8PathBuf>,
    /// Whether the regression test goes into the user's tree.
    pub write: bool,
    /// Candidates at once.
    pub workers: usize,
    /// Where candidates run.
    pub sandbox: Sandbox,
}

/// Rules for the reduction of source code.
#[derive(Debug, Clone, Default)]
pub struct CodeConfig {
    /// Whether the files stay apart.
    pub keep_layout: bool,
    /// Expand macros of the reduced packages first.
    pub expand: bool,
    /// Dependencies that are reduced, too.
    pub reduce_packages: Vec<String>,
    /// Tests that have to pass along.
    pub also_pass: Vec<String>,
    /// What else has to pass.
    pub contrast: ContrastArg,
    /// Whether the difference from the original is shown.
    pub diff_from_original: bool,
}

/// What of a test is reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestJob {
    /// Its literal inputs.
    Inputs,
    /// The source code that it runs.
    Code,
}

/// What to do with the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Show them.
    List,
    /// ddmin and all that follows.
    Minimize,
    /// ddmax.
    Maximize,
    /// dd.
    Diff,
}

/// Rules and limits of the search.
#[derive(Debug, Clone)]
pub struct Control {
    /// What makes a failure the same one; `None` is the default rule.
    pub match_rule: Option<Match>,
    /// Time one candidate may take.
    pub timeout: Option<Duration>,
    /// Memory one candidate may take, in bytes.
    pub memory_bytes: u64,
    /// Time the search may take.
    pub max_time: Option<Duration>,
    /// Candidates the search may take.
    pub max_candidates: Option<u64>,
    /// Repeats of a flaky candidate.
    pub runs: Option<u32>,
    /// The rate at which a flaky candidate must fail.
    pub min_rate: Option<f64>,
    /// The version of a package with which candidates have to pass.
    pub passes_with: Option<OtherVersion>,
    /// The tier the user forces.
    pub tier: Option<TierArg>,
    /// Whether saved state is ignored.
    pub fresh: bool,
    /// Whether the exit code tells of doubt.
    pub strict: bool,
}

impl Config {
    /// The target directory that the user chose.
    #[must_use]
    pub fn target_dir(&self) -> Option<Utf8PathBuf> {
        let folder = self.cargo.target_dir.as_deref();
        folder.map(|folder| self.cwd.join(folder))
    }

    /// The same after so many candidates.
    #[must_use]
    pub fn after(&self, candidates: u64) -> Self {
        let mut config = self.clone();
        if let Some(most) = &mut config.control.max_candidates {
            *most = most.saturating_sub(candidates);
        }
        config
    }

    /// Checks and completes what clap has read.
    ///
    /// # Errors
    /// When an option's value makes no sense.
    pub fn new(cli: &Cli, cwd: Utf8PathBuf, sandbox: Sandbox) -> Result<Self> {
        let goal = if cli.how.list {
            Goal::List
        } else if cli.how.maximize {
            Goal::Maximize
        } else if cli.how.diff {
            Goal::Diff
        } else {
            Goal::Minimize
        };
        if let (false, [_, second, ..]) = (cli.files.is_asked_for(), cli.subject.as_slice()) {
            return Err(anyhow!("there is more than one TEST: `{second}`"));
        }
        let control = &cli.control;
        let match_rule = control.match_rule.as_deref().map(str::parse).transpose()?;
        if control
            .min_rate
            .is_some_and(|rate| !(rate > 0.0 && rate <= 1.0))
        {
            return Err(anyhow!("--min-rate must be above 0 and at most 1"));
        }
        let passes_with = { control.passes_with.as_deref() }
            .map(|text| text.parse::<OtherVersion>().map_err(|error| anyhow!(error)))
            .transpose()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Config {
            texts: TextConfig::new(&cli.texts, &cwd)?,
            cwd,
            subject: cli.subject.first().cloned(),
            test_args: cli.test_args.clone(),
            job: if cli.code.code {
                TestJob::Code
            } else {
                TestJob::Inputs
            },
            code: CodeConfig {
                keep_layout: cli.code.keep_layout,
                expand: cli.code.expand,
                reduce_packages: cli.code.reduce_package.clone(),
                also_pass: cli.code.also_pass.clone(),
                contrast: cli.code.contrast,
                diff_from_original: cli.code.diff_from_original,
            },
            goal,
            all: cli.how.all,
            cargo: cargo_options(&cli.cargo),
            targets: targets(&cli.cargo),
            control: Control {
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
                strict: cli.output.strict,
            },
            out: cli.output.out.clone(),
            write: cli.output.write,
            sandbox,
            workers: cli.cargo.jobs.map_or(cores, |jobs| jobs as usize).max(1),
        })
    }
}

/// What candidates may do.
///
/// # Errors
/// When a path that is allowed does not exist.
pub fn policy(args: &SandboxArgs, cwd: &Utf8Path) -> Result<Policy> {
    let mut policy = Policy {
        mode: match args.sandbox {
            SandboxArg::Strict => Mode::Strict,
            SandboxArg::Default => Mode::Default,
            SandboxArg::Off => Mode::Off,
        },
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
                        "`--allow {path}`: there is no such file or folder (else it is `loopback` or `home`)"
                    ));
                }
                policy.writable.push(path.into_std_path_buf());
            }
        }
    }
    Ok(policy)
}

/// Whether events are shown to a program.
#[must_use]
pub fn wants_json(cli: &Cli) -> bool {
    cli.output.message_format == MessageFormat::Json
}

fn cargo_options(args: &CargoArgs) -> CargoOptions {
    CargoOptions {
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
            .map(move |name| TargetChoice {
                kind,
                name: Some(name.clone()),
            })
            .collect::<Vec<_>>()
    };
    let mut targets = Vec::new();
    if args.lib {
        targets.push(TargetChoice {
            kind: TargetKind::Lib,
            name: None,
        });
    }
    targets.extend(named(TargetKind::Bin, &args.bin));
    targets.extend(named(TargetKind::Test, &args.test));
    targets.extend(named(TargetKind::Example, &args.example));
    if args.doc {
        targets.push(TargetChoice {
            kind: TargetKind::Doc,
            name: None,
        });
    }
    targets
}

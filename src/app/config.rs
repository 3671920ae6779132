//! One plain configuration, made from the command line.

use std::time::Duration;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::shard::Shard;
pub use super::text_config::{
    GrammarSource, PatternConfig, PropertyFramework, TextConfig, TextStrategy,
};
use crate::exec::Sandbox;
use crate::oracle::signature::Match;
use crate::oracle::store::Store;
use crate::project::{CargoOptions, OtherVersion, TargetChoice};
use crate::reduce::dd::Mode;
use crate::source::Tier;

/// All that a job needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the user stands.
    pub cwd: Utf8PathBuf,
    /// What was asked for.
    pub subject: Option<String>,
    /// The same where it is files and folders, as given.
    pub files: Vec<Utf8PathBuf>,
    /// The option that this may be meant as, if there is no such test.
    pub meant_option: Option<String>,
    /// Further arguments for the test binary.
    pub test_args: Vec<String>,
    /// What of a test is reduced.
    pub job: TestJob,
    /// Rules for source code.
    pub code: CodeConfig,
    /// What to do with the inputs.
    pub goal: Goal,
    /// Which inputs are reduced.
    pub choice: InputChoice,
    /// How texts are reduced, and whether their patterns are wanted.
    pub texts: TextConfig,
    /// Whether each failing test is reduced when several fail.
    pub all: bool,
    /// A report that names the tests to reduce.
    pub from_junit: Option<Utf8PathBuf>,
    /// A revision in which tests have to pass to be reduced.
    pub since: Option<String>,
    /// Which part of several tests is reduced.
    pub shard: Option<Shard>,
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
    /// The debugger in which the user wants to see the regression test.
    pub debugger: Option<String>,
    /// Whether the user wants a configuration for the debugger of an editor.
    pub editor: bool,
    /// Candidates at once.
    pub workers: usize,
    /// Where candidates run.
    pub sandbox: Sandbox,
}

/// Which inputs the user wants to have reduced, by number.
#[derive(Debug, Clone, Default)]
pub struct InputChoice {
    /// Only these, if there are any.
    pub only: Vec<usize>,
    /// All but these.
    pub skip: Vec<usize>,
}

impl InputChoice {
    /// Whether this input is reduced.
    pub fn takes(&self, number: usize) -> bool {
        let is_wanted = self.only.is_empty() || self.only.contains(&number);
        is_wanted && !self.skip.contains(&number)
    }
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
    pub contrast: ContrastChoice,
    /// Texts that pass in the place of the longest one of the inputs.
    pub contrast_inputs: Vec<String>,
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

impl Goal {
    /// The mode of dd that it asks for, if it is dd.
    pub fn dd_mode(self) -> Option<Mode> {
        match self {
            Goal::List | Goal::Minimize => None,
            Goal::Maximize => Some(Mode::Maximize),
            Goal::Diff => Some(Mode::Both),
        }
    }
}

/// Rules and limits of the search.
#[derive(Debug, Clone, Default)]
pub struct Control {
    /// When two failures count as the same; `None` is the default rule.
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
    pub tier: Option<Tier>,
    /// Whether saved state is ignored.
    pub fresh: bool,
    /// Whether the exit code tells of doubt.
    pub strict: bool,
}

impl Control {
    /// Where outcomes are kept: in that file, for the next run, unless saved state is ignored.
    pub fn store(&self, file: &Utf8Path) -> Store {
        if self.fresh { Store::in_memory() } else { Store::open(file.as_std_path()) }
    }
}

impl Config {
    /// The target directory that the user chose.
    pub fn target_dir(&self) -> Option<Utf8PathBuf> {
        let folder = self.cargo.target_dir.as_deref();
        folder.map(|folder| without_parents(&self.cwd.join(folder)))
    }

    /// The folder of the results: that of the user, or the one of this name below `target`.
    pub fn results(&self, target: &Utf8Path, name: &str) -> Utf8PathBuf {
        without_parents(&match &self.out {
            Some(folder) => self.cwd.join(folder),
            None => target.join("reduce").join(name),
        })
    }

    /// How cargo runs for a copy whose sources may be a candidate's.
    pub fn confined_cargo(&self, root: &Utf8Path, target_dir: &Utf8Path) -> CargoOptions {
        self.cargo.confined(&self.sandbox, root, target_dir)
    }

    /// The same for one of `left` tests that share the time, of which `spent` is over.
    pub fn sharing(&self, spent: Duration, left: usize) -> Self {
        let mut config = self.clone();
        let left = u32::try_from(left).unwrap_or(u32::MAX).max(1);
        if let Some(time) = &mut config.control.max_time {
            *time = time.saturating_sub(spent) / left;
        }
        config
    }

    /// The same after so many candidates.
    pub fn after(&self, candidates: u64) -> Self {
        let mut config = self.clone();
        if let Some(most) = &mut config.control.max_candidates {
            *most = most.saturating_sub(candidates);
        }
        config
    }
}

/// What has to go on passing while the code is reduced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ContrastChoice {
    /// What there is: inputs next to the failing ones that pass today, and tests where those do not tell enough.
    #[default]
    Auto,
    /// Nothing: the result is smaller, but may no longer contain the bug.
    None,
    /// Inputs next to the failing ones that pass today.
    Inputs,
    /// Tests of the target that pass today and run what the failing one runs.
    Tests,
}

/// The path without `..`, as cargo and the compiler report paths: what it leads to from a link is beside where the link leads.
fn without_parents(path: &Utf8Path) -> Utf8PathBuf {
    let mut clean = Utf8PathBuf::new();
    for part in path.components() {
        if part == Utf8Component::ParentDir {
            clean = clean.canonicalize_utf8().unwrap_or(clean);
            clean.pop();
        } else {
            clean.push(part);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_without_parents_leads_to_the_same_place() {
        assert_eq!(without_parents("/none/here/../out/./x".into()), "/none/out/x");
        assert_eq!(without_parents("/none/out".into()), "/none/out");
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap().canonicalize_utf8().unwrap();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::os::unix::fs::symlink(root.join("a/b"), root.join("link")).unwrap();
        assert_eq!(without_parents(&root.join("link/../out")), root.join("a/out"));
    }
}

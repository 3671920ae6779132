//! The options that `cargo test` has, kept with their names and meaning.

use camino::{Utf8Path, Utf8PathBuf};

use super::Enclosure;
use crate::exec::{Overheard, Sandbox};

/// Which packages, features and profile cargo is asked for.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are cargo's flags")]
pub struct CargoOptions {
    /// `--manifest-path`
    pub manifest_path: Option<Utf8PathBuf>,
    /// `-p`
    pub packages: Vec<String>,
    /// `--workspace`
    pub workspace: bool,
    /// `--features`
    pub features: Vec<String>,
    /// `--all-features`
    pub all_features: bool,
    /// `--no-default-features`
    pub no_default_features: bool,
    /// `--profile`
    pub profile: Option<String>,
    /// `--release`
    pub release: bool,
    /// `--target`
    pub target: Option<String>,
    /// `--target-dir`
    pub target_dir: Option<Utf8PathBuf>,
    /// `--locked`
    pub locked: bool,
    /// `--offline`
    pub offline: bool,
    /// `--frozen`
    pub frozen: bool,
    /// `-j`
    pub jobs: Option<u32>,
    /// Who hears what cargo says.
    pub heard: Overheard,
    /// Where cargo is confined; without it, it runs as for the user.
    pub enclosure: Option<Enclosure>,
}

impl CargoOptions {
    /// The same for a copy whose sources may be a candidate's: cargo changes nothing but the copy at `root` and
    /// `target_dir`.
    #[must_use]
    pub fn confined(
        &self,
        sandbox: &Sandbox,
        root: &Utf8Path,
        target_dir: &Utf8Path,
    ) -> CargoOptions {
        CargoOptions { enclosure: Some(Enclosure::new(sandbox, root, target_dir)), ..self.clone() }
    }
}

/// The kinds of targets that hold tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TargetKind {
    /// The library's unit tests.
    Lib,
    /// A binary's unit tests.
    Bin,
    /// An integration test.
    Test,
    /// An example.
    Example,
    /// The library's doc tests.
    Doc,
}

/// Which targets the user allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetChoice {
    /// The kind.
    pub kind: TargetKind,
    /// The target's name; none for the library and its doc tests.
    pub name: Option<String>,
}

impl TargetChoice {
    /// The flags with which cargo selects it.
    pub fn args(&self) -> Vec<String> {
        let named = |flag: &str| {
            let mut args = vec![flag.to_owned()];
            args.extend(self.name.clone());
            args
        };
        match self.kind {
            TargetKind::Lib => vec!["--lib".to_owned()],
            TargetKind::Doc => vec!["--doc".to_owned()],
            TargetKind::Bin => named("--bin"),
            TargetKind::Test => named("--test"),
            TargetKind::Example => named("--example"),
        }
    }
}

impl CargoOptions {
    /// The flags for features, profile, platform, lock file and parallelism: all but those that say
    /// where the manifest, the packages and the target directory are.
    pub fn build_args(&self) -> Vec<String> {
        let mut args = self.feature_args();
        if let Some(profile) = &self.profile {
            args.extend(["--profile".to_owned(), profile.clone()]);
        }
        if self.release {
            args.push("--release".to_owned());
        }
        if let Some(target) = &self.target {
            args.extend(["--target".to_owned(), target.clone()]);
        }
        if let Some(jobs) = self.jobs {
            args.extend(["--jobs".to_owned(), jobs.to_string()]);
        }
        args.extend(self.lock_args());
        args
    }

    /// The flags for features.
    pub fn feature_args(&self) -> Vec<String> {
        let mut args = Vec::new();
        for features in &self.features {
            args.extend(["--features".to_owned(), features.clone()]);
        }
        if self.all_features {
            args.push("--all-features".to_owned());
        }
        if self.no_default_features {
            args.push("--no-default-features".to_owned());
        }
        args
    }

    /// The flags for the lock file and the network.
    pub fn lock_args(&self) -> Vec<String> {
        [(self.locked, "--locked"), (self.offline, "--offline"), (self.frozen, "--frozen")]
            .into_iter()
            .filter(|(wanted, _)| *wanted)
            .map(|(_, flag)| flag.to_owned())
            .collect()
    }
}

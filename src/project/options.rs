//! The options that `cargo test` has, kept with their names and meaning.

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Target, TargetKind as CargoTargetKind};

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

impl TargetKind {
    /// Its name, as cargo's flags and manifests have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            TargetKind::Lib => "lib",
            TargetKind::Bin => "bin",
            TargetKind::Test => "test",
            TargetKind::Example => "example",
            TargetKind::Doc => "doc",
        }
    }

    /// That of a target which is no library.
    pub(super) fn of(target: &Target) -> Option<Self> {
        let is = |kind: CargoTargetKind| target.kind.contains(&kind);
        [
            (is(CargoTargetKind::Test), TargetKind::Test),
            (is(CargoTargetKind::Bin), TargetKind::Bin),
            (is(CargoTargetKind::Example), TargetKind::Example),
        ]
        .into_iter()
        .find_map(|(is_it, kind)| is_it.then_some(kind))
    }
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
        let flag = format!("--{}", self.kind.name());
        std::iter::once(flag).chain(self.name.clone()).collect()
    }
}

impl CargoOptions {
    /// The flags for features, profile, platform, lock file and parallelism: all but those that say
    /// where the manifest, the packages and the target directory are.
    pub fn build_args(&self) -> Vec<String> {
        let jobs = self.jobs.map(|jobs| jobs.to_string());
        let valued = [("--profile", &self.profile), ("--target", &self.target), ("--jobs", &jobs)];
        let valued =
            valued.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value.clone()?]));
        let features = self.feature_args().into_iter().chain(flags([(self.release, "--release")]));
        features.chain(valued.flatten()).chain(self.lock_args()).collect()
    }

    /// The flags for features.
    pub fn feature_args(&self) -> Vec<String> {
        let named = self.features.iter().flat_map(|name| ["--features".to_owned(), name.clone()]);
        named
            .chain(flags([
                (self.all_features, "--all-features"),
                (self.no_default_features, "--no-default-features"),
            ]))
            .collect()
    }

    /// The flags for the lock file and the network.
    pub fn lock_args(&self) -> Vec<String> {
        let all =
            [(self.locked, "--locked"), (self.offline, "--offline"), (self.frozen, "--frozen")];
        flags(all).collect()
    }
}

/// Those that are set.
fn flags<const N: usize>(all: [(bool, &str); N]) -> impl Iterator<Item = String> {
    all.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag.to_owned())
}

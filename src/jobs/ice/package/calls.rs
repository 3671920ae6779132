//! How cargo is called for a package.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::project::{CargoCall, CargoOptions, TargetChoice};

/// How long cargo may take for a package and all it needs unless the user says otherwise. When it has
/// not ended by then, it is taken that a call of the compiler never does.
pub const WHOLE_BUILD: Duration = Duration::from_mins(20);
/// How many times as long as one candidate cargo may take, where the user says how long that is.
pub const TIMES_ONE: u32 = 5;

/// Which package, and which command of cargo crashes the compiler.
#[derive(Debug, Clone)]
pub struct PackageConfig {
    /// The subcommand of cargo: `check`, `build`, `test`, `clippy`, `doc` or `miri`.
    pub command: String,
    /// Arguments for the compiler of the crate, not for that of its dependencies.
    pub compiler_args: Vec<String>,
    /// Options of cargo.
    pub cargo: CargoOptions,
    /// The targets the user allows; empty for all.
    pub targets: Vec<TargetChoice>,
    /// Whether dependencies are to become modules of the crate.
    pub inline_deps: bool,
    /// How long cargo may take.
    pub time: Duration,
}

impl PackageConfig {
    /// The call of cargo, started in `cwd`.
    pub fn call(&self, toolchain: Option<&str>, cwd: &Utf8Path) -> CargoCall {
        let cargo = &self.cargo;
        let mut args = self.subcommand();
        args.extend(cargo.build_args());
        let mut option = |name: &str, value: &str| {
            args.extend([name.to_owned(), value.to_owned()]);
        };
        if let Some(path) = &cargo.manifest_path {
            option("--manifest-path", path.as_str());
        }
        if let Some(folder) = &cargo.target_dir {
            option("--target-dir", folder.as_str());
        }
        for package in &cargo.packages {
            option("-p", package);
        }
        if cargo.workspace && self.compiler_args.is_empty() {
            args.push("--workspace".to_owned());
        }
        args.extend(self.targets.iter().flat_map(TargetChoice::args));
        CargoCall {
            toolchain: toolchain.map(str::to_owned),
            args,
            compiler_args: self.compiler_args.clone(),
            cwd: cwd.to_owned(),
            time: self.time,
        }
    }

    /// The subcommand; not all of them hand arguments on to the compiler.
    pub fn subcommand(&self) -> Vec<String> {
        let has_profile = self.cargo.release || self.cargo.profile.is_some();
        let words: &[&str] = match (self.command.as_str(), self.compiler_args.is_empty()) {
            ("test", true) => &["test", "--no-run"],
            (command @ "clippy", _) | (command, true) => &[command],
            ("doc", false) => &["rustdoc"],
            ("check", false) if !has_profile => &["rustc", "--profile", "check"],
            ("test", false) if !has_profile => &["rustc", "--profile", "test"],
            (_, false) => &["rustc"],
        };
        words.iter().map(|&word| word.to_owned()).collect()
    }

    /// The same command for the minimal package in `folder`, built apart from everything else and
    /// without the network.
    pub fn call_minimal(
        &self,
        toolchain: Option<&str>,
        folder: &Utf8Path,
        target_dir: Utf8PathBuf,
    ) -> CargoCall {
        let alone = PackageConfig {
            cargo: CargoOptions {
                manifest_path: Some(folder.join("Cargo.toml")),
                target_dir: Some(target_dir),
                profile: self.cargo.profile.clone(),
                release: self.cargo.release,
                target: self.cargo.target.clone(),
                offline: true,
                ..CargoOptions::default()
            },
            targets: Vec::new(),
            ..self.clone()
        };
        alone.call(toolchain, folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;

    #[test]
    fn arguments_for_the_compiler_are_given_to_the_command_that_hands_them_on() {
        let words = |command: &str, compiler_args: &[&str]| {
            let package = PackageConfig {
                command: command.to_owned(),
                compiler_args: compiler_args.iter().map(|&it| it.to_owned()).collect(),
                cargo: CargoOptions::default(),
                targets: vec![TargetChoice { kind: TargetKind::Lib, name: None }],
                inline_deps: false,
                time: WHOLE_BUILD,
            };
            package.call(None, Utf8Path::new("/")).command_line()
        };
        assert_eq!(words("check", &[]), "cargo check --lib");
        assert_eq!(words("test", &[]), "cargo test --no-run --lib");
        assert_eq!(words("build", &["-Clto"]), "cargo rustc --lib -- -Clto");
        assert_eq!(words("check", &["-Zx y"]), "cargo rustc --profile check --lib -- '-Zx y'");
        assert_eq!(words("clippy", &["-O"]), "cargo clippy --lib -- -O");
        assert_eq!(words("doc", &["-Zx"]), "cargo rustdoc --lib -- -Zx");
    }
}

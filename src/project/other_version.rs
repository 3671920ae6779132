//! Another version of a package, in the place of the one that a copy of the workspace has.

use std::str::FromStr;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::MetadataCommand;
use toml_edit::{Item, Table};

use super::adopt::{CRATES_IO, Outsider, registry_of};
use super::build::ask_rustc;
use super::error::cargo_program;
use super::files::create_dir;
use super::revision::check_out;
use super::scratch::{Ignored, edited_manifest, sync, walk};
use super::{ProjectError, Result, Scratch, Workspace};
use crate::exec::Interrupt;

/// Folders of a package that hold targets of their own; they stay as they are, tests above all.
const OWN_TARGETS: [&str; 3] = ["tests", "examples", "benches"];
/// Where other versions are put: beside the copy, outside of its workspace.
const FOLDER: &str = "other-version";

/// What stands for the newest version.
const NEWEST: &str = "newest";

/// A version of a package, written `NAME@VERSION`, `NAME@newest`, `NAME@REVISION` or `NAME@./FOLDER`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OtherVersion {
    /// The name of the package.
    pub name: String,
    /// The version.
    pub which: Which,
}

/// Which version.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Which {
    /// One of a registry.
    Version(String),
    /// The newest one of a registry.
    Newest,
    /// A revision, a branch or a tag of its git repository.
    Revision(String),
    /// The one in that folder.
    Folder(Utf8PathBuf),
}

impl FromStr for OtherVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('@');
        let Some((name, which)) =
            parts.filter(|(name, which)| !name.is_empty() && !which.is_empty())
        else {
            return Err(format!(
                "expected NAME@VERSION, NAME@newest, NAME@REVISION or NAME@./FOLDER, not `{text}`"
            ));
        };
        let is_version = which.contains('.') && which.starts_with(|it: char| it.is_ascii_digit());
        let which = if which.starts_with(['.', '/']) {
            Which::Folder(which.into())
        } else if which == NEWEST {
            Which::Newest
        } else if is_version {
            Which::Version(which.to_owned())
        } else {
            Which::Revision(which.to_owned())
        };
        Ok(OtherVersion { name: name.to_owned(), which })
    }
}

impl std::fmt::Display for OtherVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = &self.name;
        match &self.which {
            Which::Newest => write!(f, "{name}@{NEWEST}"),
            Which::Version(which) | Which::Revision(which) => write!(f, "{name}@{which}"),
            Which::Folder(folder) => write!(f, "{name}@{folder}"),
        }
    }
}

impl Scratch {
    /// Puts another version of a package in the place of the one in the copy. A member of the workspace
    /// keeps its manifest and its tests. A package from outside is told to have the version it had, so
    /// that all that depends on it takes it.
    ///
    /// # Errors
    /// When there is no such package or version, or something cannot be read or written.
    pub fn swap(
        &self,
        workspace: &Workspace,
        other: &OtherVersion,
        interrupt: &Interrupt,
    ) -> Result<()> {
        let fetch =
            Fetch { workspace, other, folder: self.root().with_file_name(FOLDER), interrupt };
        create_dir(&fetch.folder)?;
        if let Some(member) = workspace.member(&other.name) {
            let own = member.manifest_path.parent().unwrap_or(Utf8Path::new(""));
            return self.swap_member(own, &fetch.of_local(own)?, workspace);
        }
        let mut outsiders = workspace.outsiders()?;
        outsiders.retain(|package| package.name == other.name);
        match outsiders.as_slice() {
            [package] => self.swap_outsider(package, &fetch.of_outsider(package)?, &fetch),
            [] => Err(fetch.trouble("no dependency has that name")),
            _ => Err(fetch.trouble("several versions of it are among the dependencies")),
        }
    }

    fn swap_member(&self, own: &Utf8Path, other: &Utf8Path, workspace: &Workspace) -> Result<()> {
        let relative = own.strip_prefix(workspace.root()).unwrap_or(own);
        let is_swapped = |path: &Utf8Path| {
            let first = path.components().next().map(|part| part.as_str());
            let is_target = first.is_some_and(|first| OWN_TARGETS.contains(&first));
            !is_target && !matches!(path.as_str(), "Cargo.toml" | "Cargo.lock")
        };
        for file in self.files_of(relative)? {
            if file.strip_prefix(relative).is_ok_and(is_swapped) {
                self.remove(&self.root().join(&file))?;
            }
        }
        for file in walk(other, &[other.join("target")], Ignored::LeftOut)? {
            let inside = file.strip_prefix(other).unwrap_or(&file);
            let is_of_other_package = inside
                .ancestors()
                .skip(1)
                .take_while(|folder| !folder.as_str().is_empty())
                .any(|folder| other.join(folder).join("Cargo.toml").exists());
            if is_swapped(inside) && !is_of_other_package {
                sync(&file, self.root(), &self.root().join(relative).join(inside), false)?;
            }
        }
        Ok(())
    }

    fn swap_outsider(&self, package: &Outsider, other: &Utf8Path, fetch: &Fetch<'_>) -> Result<()> {
        let folder = &fetch.folder;
        let copy = folder.join(&package.name);
        for file in walk(other, &[other.join("target")], Ignored::Included)? {
            let inside = file.strip_prefix(other).unwrap_or(&file);
            let to = copy.join(inside);
            sync(&file, folder, &to, false)?;
            if to.extension() == Some("rs") {
                only_warn(&to)?;
            }
        }
        let manifest = copy.join("Cargo.toml");
        let lints = fetch.denied_lints()?;
        let text = edited_manifest(&manifest, |document| {
            document["package"]["version"] = toml_edit::value(&package.version);
            let allowed: Table =
                lints.iter().map(|lint| (lint, toml_edit::value("allow"))).collect();
            let of_rustc: Table = [("rust", Item::Table(allowed))].into_iter().collect();
            document.insert("lints", Item::Table(of_rustc));
            document.insert("workspace", toml_edit::table());
            true
        })?;
        if let Some(text) = text {
            crate::disk::write_atomic(manifest.as_std_path(), text.as_bytes())?;
        }
        match &package.source {
            Some(source) => self.patch(&package.name, source, &copy),
            None => self.redirect(&package.folder, &copy),
        }
    }
}

/// Lets the lints that a file denies only warn: cargo caps those of packages from outside, and the copy is none for it.
fn only_warn(file: &Utf8Path) -> Result<()> {
    // What is not UTF-8 is no source of the package.
    let Ok(text) = std::fs::read_to_string(file) else { return Ok(()) };
    let Some(text) = warning_only(&text) else { return Ok(()) };
    Ok(crate::disk::write_atomic(file.as_std_path(), text.as_bytes())?)
}

/// A source whose inner attributes deny no lint, if they do; all else stays in its place.
fn warning_only(text: &str) -> Option<String> {
    let is_denying = |line: &str| {
        let line = line.trim_start();
        line.starts_with("#![deny(") || line.starts_with("#![forbid(")
    };
    let line = |line: &str| {
        if is_denying(line) {
            line.replacen("#![deny(", "#![warn(", 1).replacen("#![forbid(", "#![  warn(", 1)
        } else {
            line.to_owned()
        }
    };
    text.lines().any(is_denying).then(|| text.split_inclusive('\n').map(line).collect())
}

/// The lints that `rustc -W help` says are denied by default.
fn denied_in(help: &str) -> Vec<String> {
    let lints = help.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let name = words.next().filter(|_| words.next() == Some("deny"))?;
        Some(name.replace('-', "_"))
    });
    lints.collect()
}

/// Looks for the other version.
struct Fetch<'a> {
    workspace: &'a Workspace,
    other: &'a OtherVersion,
    /// Where it may be put.
    folder: Utf8PathBuf,
    interrupt: &'a Interrupt,
}

impl Fetch<'_> {
    fn trouble(&self, why: impl Into<String>) -> ProjectError {
        ProjectError::OtherVersion { other: self.other.to_string(), why: why.into() }
    }

    /// The lints that rustc denies by itself; none if it does not say.
    fn denied_lints(&self) -> Result<Vec<String>> {
        let help = ask_rustc(&["-W", "help"], self.workspace.root(), self.interrupt)?;
        Ok(denied_in(&help))
    }

    /// The folder of another version of a package whose sources stand at `own`.
    fn of_local(&self, own: &Utf8Path) -> Result<Utf8PathBuf> {
        match &self.other.which {
            Which::Folder(folder) => self.given(folder),
            Which::Revision(revision) => self.checked_out(own, revision),
            Which::Version(_) | Which::Newest => self.of_registry(None),
        }
    }

    fn of_outsider(&self, package: &Outsider) -> Result<Utf8PathBuf> {
        match (&self.other.which, package.source.as_deref()) {
            (Which::Folder(folder), _) => self.given(folder),
            (Which::Version(_) | Which::Newest, source) => self.of_registry(source),
            (Which::Revision(revision), None) => self.checked_out(&package.folder, revision),
            (Which::Revision(revision), Some(source)) => {
                if !source.starts_with("git+") {
                    return Err(
                        self.trouble("it comes from a registry, so it has no git revisions")
                    );
                }
                self.fetched(&format!("git = {:?}, rev = {revision:?}", registry_of(source)))
            }
        }
    }

    fn given(&self, folder: &Utf8Path) -> Result<Utf8PathBuf> {
        let folder = self.workspace.cwd.join(folder);
        if folder.join("Cargo.toml").exists() {
            return Ok(folder);
        }
        Err(self.trouble(format!("there is no `Cargo.toml` in `{folder}`")))
    }

    fn of_registry(&self, source: Option<&str>) -> Result<Utf8PathBuf> {
        let wanted = match &self.other.which {
            Which::Version(version) => format!("={version}"),
            Which::Newest => "*".to_owned(),
            Which::Revision(_) | Which::Folder(_) => {
                return Err(self.trouble("it is not a version number"));
            }
        };
        if source.is_some_and(|source| !CRATES_IO.contains(&source)) {
            return Err(self.trouble("it does not come from crates.io; give a folder instead"));
        }
        self.fetched(&format!("version = {wanted:?}"))
    }

    /// Lets cargo fetch the package as a dependency with this meaning.
    fn fetched(&self, meaning: &str) -> Result<Utf8PathBuf> {
        let name = &self.other.name;
        let folder = self.folder.join("fetch");
        let manifest = folder.join("Cargo.toml");
        let text = format!(
            "[package]\nname = \"cargo-reduce-fetch\"\nversion = \"0.0.0\"\n\n[lib]\npath = \"lib.rs\"\n\n\
             [dependencies]\n{name} = {{ {meaning} }}\n\n[workspace]\n"
        );
        create_dir(&folder)?;
        crate::disk::write_atomic(manifest.as_std_path(), text.as_bytes())
            .and_then(|()| crate::disk::write_atomic(folder.join("lib.rs").as_std_path(), b""))
            .map_err(|error| self.trouble(error.to_string()))?;
        let options = self.workspace.options();
        let is_offline = options.offline || options.frozen;
        // Where packages come from may be configured for the workspace.
        let metadata = MetadataCommand::new()
            .cargo_path(cargo_program())
            .manifest_path(&manifest)
            .current_dir(self.workspace.root())
            .other_options(Vec::from_iter(is_offline.then(|| "--offline".to_owned())))
            .exec()
            .map_err(|error| self.trouble(format!("cargo cannot fetch it\n{error}")))?;
        let mut packages = metadata.packages.iter();
        let found = packages.find(|package| package.name.as_str() == name);
        let folder = found.and_then(|package| package.manifest_path.parent());
        folder.map(Utf8Path::to_owned).ok_or_else(|| self.trouble("cargo fetched something else"))
    }

    /// The files of a revision of the repository that holds `own`.
    fn checked_out(&self, own: &Utf8Path, revision: &str) -> Result<Utf8PathBuf> {
        check_out(own, revision, &self.folder, self.interrupt).map_err(|error| match error {
            ProjectError::Revision { why, .. } => self.trouble(why),
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_revisions_and_folders_are_told_apart() {
        let which = |text: &str| text.parse::<OtherVersion>().map(|other| other.which);
        assert_eq!(which("a@1.2.3"), Ok(Which::Version("1.2.3".into())));
        assert_eq!(which("a@newest"), Ok(Which::Newest));
        assert_eq!(which("a@0f3c2d"), Ok(Which::Revision("0f3c2d".into())));
        assert_eq!(which("a@v1.2"), Ok(Which::Revision("v1.2".into())));
        assert_eq!(which("a@../b"), Ok(Which::Folder("../b".into())));
        assert!(which("a").is_err() && which("@1.0").is_err() && which("a@").is_err());
    }

    #[test]
    fn lints_that_a_package_from_outside_denies_only_warn() {
        let source = "//! Docs\n#![deny(warnings)]\n    #![forbid(unsafe_code,\n    unused)]\n\
                      fn f() { g(\"#![deny(it)]\") }";
        let expected = "//! Docs\n#![warn(warnings)]\n    #![  warn(unsafe_code,\n    unused)]\n\
                        fn f() { g(\"#![deny(it)]\") }";
        assert_eq!(warning_only(source).as_deref(), Some(expected));
        assert_eq!(warning_only("#![warn(unused)]"), None);
        let help = "Available lint options:\n    -A <foo>   Allow <foo>\n\n          name  default  meaning\n\
                    \x20     arithmetic-overflow  deny     overflows\n      dead-code  warn     unused\n";
        assert_eq!(denied_in(help), ["arithmetic_overflow"]);
    }
}

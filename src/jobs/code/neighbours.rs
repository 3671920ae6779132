//! What the result needs besides the sources that are reduced: local packages that stay as they are,
//! such as procedural macros, build scripts, and files that are read at run time.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

use super::files::{Files, read, text};
use super::subject::{CodeSubject, Package};
use crate::app::failure::{Failure, Result};
use crate::emit::local_paths::local_packages;
use crate::emit::manifest::{as_member, build_script};
use crate::project::Scratch;

/// How the names of files begin that tell people and registries about a package.
const PROSE: [&str; 14] = [
    "authors", "cargo.toml.orig", "changelog", "changes", "clippy.toml", "code_of_conduct",
    "contributing", "copying", "copyright", "licen", "notice", "readme", "releases",
    "rustfmt.toml",
];

/// Local packages that stay as they are.
pub struct Neighbours<'a> {
    subject: &'a CodeSubject,
    reduced: BTreeSet<Utf8PathBuf>,
    /// Their folders.
    pub folders: BTreeSet<Utf8PathBuf>,
    /// All of their files.
    pub files: Files,
}

impl<'a> Neighbours<'a> {
    /// None yet; those of `reduced` are not counted.
    pub fn new(subject: &'a CodeSubject, reduced: &[Package]) -> Self {
        Neighbours {
            subject,
            reduced: reduced.iter().map(|package| package.folder.clone()).collect(),
            folders: BTreeSet::new(),
            files: Files::new(),
        }
    }

    /// Adds those that a manifest in `folder` names, and those that they need.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn add(&mut self, manifest: &str, folder: &Utf8Path) -> Result<()> {
        let root = self.subject.scratch.root();
        let shared = text(&root.join("Cargo.toml"))?;
        let found = local_packages(manifest, folder, &shared)
            .map_err(|error| Failure::unreadable(&folder.join("Cargo.toml"), &error))?;
        for found in found {
            let path = root.join(&found).join("Cargo.toml");
            let is_new = path.exists() && !self.reduced.contains(&found);
            if !is_new || !self.folders.insert(found.clone()) {
                continue;
            }
            for file in self.subject.scratch.files_of(&found)? {
                let bytes = read(&root.join(&file))?;
                self.files.insert(file, bytes);
            }
            let manifest = text(&path)?;
            let member = as_member(&manifest)
                .map_err(|error| Failure::unreadable(&found.join("Cargo.toml"), &error))?;
            self.files.insert(found.join("Cargo.toml"), member.into_bytes());
            self.add(&manifest, &found)?;
        }
        Ok(())
    }
}

/// Whether the package in `folder` has a build script.
pub fn has_script(subject: &CodeSubject, folder: &Utf8Path) -> bool {
    let calls = subject.original.crates.all.iter().map(|krate| &krate.call.env);
    let folder = subject.scratch.root().join(folder);
    let is_of = |env: &&BTreeMap<String, String>| {
        env.get("CARGO_MANIFEST_DIR").is_some_and(|of| folder == *of)
    };
    calls.filter(is_of).any(|env| env.contains_key("OUT_DIR"))
}

/// The files of a package that are no sources of its crates: its build script, and data; `with_prose` also
/// those that are there for people and registries.
///
/// # Errors
/// When one cannot be read.
pub fn beside_sources(scratch: &Scratch, folder: &Utf8Path, with_prose: bool) -> Result<Files> {
    let mut files = Files::new();
    let script = script_folder(scratch, folder)?;
    for path in scratch.files_of(folder)? {
        let is_of_script =
            path.parent() == Some(&script) || script != folder && path.starts_with(&script);
        let is_left_out = match path.extension() {
            Some("rs") => !is_of_script,
            _ => {
                matches!(path.file_name(), Some("Cargo.toml" | "Cargo.lock"))
                    || !with_prose && is_prose(path.strip_prefix(folder).unwrap_or(&path))
            }
        };
        if !is_left_out {
            let bytes = read(&scratch.root().join(&path))?;
            files.insert(path, bytes);
        }
    }
    Ok(files)
}

/// Whether a file of a package, as seen from its folder, is there for people, registries or other tools. Of
/// what is hidden only `.cargo` says how to build.
fn is_prose(path: &Utf8Path) -> bool {
    let mut parts = path.components().map(|part| part.as_str());
    let is_hidden = parts.any(|part| part.starts_with('.') && part != ".cargo");
    let is_at_top = path.parent() == Some(Utf8Path::new(""));
    let name = path.as_str().to_lowercase();
    let mut names = PROSE.iter();
    is_hidden || is_at_top && names.any(|prose| name.starts_with(prose))
}

/// The folder of the build script of a package, whether it has one or not.
fn script_folder(scratch: &Scratch, folder: &Utf8Path) -> Result<Utf8PathBuf> {
    let path = folder.join("Cargo.toml");
    let manifest = text(&scratch.root().join(&path))?;
    let script = build_script(&manifest).map_err(|error| Failure::unreadable(&path, &error))?;
    let script = folder.join(script);
    Ok(script.parent().unwrap_or(folder).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_people_about_a_package_is_prose() {
        let prose = [
            "LICENSE-MIT",
            "README.md",
            "Cargo.toml.orig",
            ".cargo_vcs_info.json",
            ".github/workflows/ci.yml",
        ];
        assert!(prose.iter().all(|path| is_prose((*path).into())));
        let data = ["words.txt", "build.in", "data/README", ".cargo/config.toml"];
        assert!(!data.iter().any(|path| is_prose((*path).into())));
    }
}

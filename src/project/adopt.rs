//! Packages from outside the workspace in its scratch copy, where they can be changed: from a registry,
//! from git, or from a folder elsewhere.

use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{DocumentMut, InlineTable, Item, Table, Value};

use super::files::create_dir;
use super::metadata::metadata_command;
use super::scratch::{Ignored, absolute_outside, change_paths, edited_manifest, sync, walk};
use super::{ProjectError, Result, Scratch, Workspace};

/// Where adopted packages stand in the copy.
const FOLDER: &str = "cargo-reduce-adopted";
/// How cargo names the registry of crates.io.
pub(super) const CRATES_IO: [&str; 2] =
    ["registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/"];

/// A package that the workspace depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outsider {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its folder.
    pub folder: Utf8PathBuf,
    /// The root file of its library, if it has one.
    pub library: Option<Utf8PathBuf>,
    /// Where cargo has it from; none for a folder.
    pub source: Option<String>,
}

impl Outsider {
    /// Whether it is a local one in that folder.
    pub fn is_local_in(&self, folder: &Utf8Path) -> bool {
        self.source.is_none() && self.folder.starts_with(folder)
    }
}

impl Workspace {
    /// The packages outside of the folder of the workspace that it depends on.
    ///
    /// # Errors
    /// When cargo cannot tell.
    pub fn outsiders(&self) -> Result<Vec<Outsider>> {
        let mut all = self.dependencies()?;
        all.retain(|package| !package.is_local_in(self.root()));
        Ok(all)
    }

    /// The packages that it depends on besides its members.
    ///
    /// # Errors
    /// When cargo cannot tell.
    pub fn dependencies(&self) -> Result<Vec<Outsider>> {
        let mut command = metadata_command(self.options());
        command.manifest_path(self.root().join("Cargo.toml"));
        let metadata = command.exec().map_err(|error| ProjectError::Metadata(error.to_string()))?;
        let members = metadata.workspace_members;
        let others = metadata.packages.into_iter();
        let others = others.filter(|package| !members.contains(&package.id));
        Ok(others
            .map(|package| Outsider {
                name: package.name.to_string(),
                version: package.version.to_string(),
                library: package
                    .targets
                    .iter()
                    .find(|target| target.is_lib() || target.is_rlib())
                    .map(|target| target.src_path.clone()),
                folder: package.manifest_path.parent().unwrap_or(Utf8Path::new("")).to_owned(),
                source: package.source.map(|source| source.repr),
            })
            .collect())
    }
}

impl Scratch {
    /// Copies a package into the copy, unless it stands in the folder of the workspace, where a local one is used after
    /// [`Scratch::redirect`]; returns its new folder, relative to the root of the copy, and where the root of its library
    /// stands now.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub fn adopt(&self, package: &Outsider) -> Result<(Utf8PathBuf, Option<Utf8PathBuf>)> {
        let is_copied = |folder: &Utf8PathBuf| package.source.is_none() && folder.exists();
        if let Some(folder) = self.path_of(&package.folder).filter(is_copied) {
            let relative = folder.strip_prefix(self.root()).unwrap_or(&folder).to_owned();
            let library = package.library.as_ref().and_then(|file| self.path_of(file));
            return Ok((relative, library));
        }
        let name = format!("{}-{}", package.name, package.version);
        let target = self.root().join(FOLDER).join(&name);
        create_dir(&target)?;
        for path in walk(&package.folder, &[package.folder.join("target")], Ignored::LeftOut)? {
            if let Ok(relative) = path.strip_prefix(&package.folder) {
                sync(&path, self.root(), &target.join(relative), false)?;
            }
        }
        let relative = Utf8Path::new(FOLDER).join(&name);
        if let Some(source) = &package.source {
            self.patch(&package.name, source, &relative)?;
        }
        // What it depends on is found from another folder.
        let absolute = |path: &str| absolute_outside(&package.folder.join(path), &package.folder);
        self.edit_manifest(&target.join("Cargo.toml"), |document| {
            change_paths(document.as_table_mut(), &absolute)
        })?;
        let library = package
            .library
            .as_ref()
            .and_then(|file| file.strip_prefix(&package.folder).ok())
            .map(|file| target.join(file));
        Ok((relative, library))
    }

    /// Puts the package in the place of the one that comes from `source`.
    pub(super) fn patch(&self, name: &str, source: &str, folder: &Utf8Path) -> Result<()> {
        self.edit_manifest(&self.root().join("Cargo.toml"), |document| {
            let patch = document.entry("patch").or_insert_with(implicit);
            let registry = patch
                .as_table_like_mut()
                .map(|patch| patch.entry(&registry_of(source)).or_insert_with(implicit));
            if let Some(registry) = registry.and_then(Item::as_table_like_mut) {
                let mut path = InlineTable::new();
                path.insert("path", Value::from(folder.as_str()));
                registry.insert(name, Item::Value(Value::InlineTable(path)));
            }
            true
        })
    }

    /// Lets all manifests that name a folder by its absolute path name another one, which is named as seen from theirs if it
    /// is in the copy: what is made of the copy has to have its own.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub fn redirect(&self, from: &Utf8Path, to: &Utf8Path) -> Result<()> {
        for manifest in walk(self.root(), &[self.target_dir()], Ignored::Included)? {
            if manifest.file_name() == Some("Cargo.toml") {
                let to = self.seen_from(&manifest, to);
                self.edit_manifest(&manifest, |document| {
                    let new = |path: &str| (path == from.as_str()).then(|| to.clone());
                    change_paths(document.as_table_mut(), &new)
                })?;
            }
        }
        Ok(())
    }

    /// A folder as a manifest names it: from its own folder, if both are in the copy.
    fn seen_from(&self, manifest: &Utf8Path, folder: &Utf8Path) -> Utf8PathBuf {
        let inside = |path: &'_ Utf8Path| path.strip_prefix(self.root()).map(Utf8Path::to_owned);
        let (Ok(manifest), Ok(folder)) = (inside(manifest), inside(folder)) else {
            return folder.to_owned();
        };
        let up = manifest.components().skip(1).map(|_| "..");
        up.collect::<Utf8PathBuf>().join(folder)
    }

    fn edit_manifest(
        &self,
        path: &Utf8Path,
        edit: impl FnOnce(&mut DocumentMut) -> bool,
    ) -> Result<()> {
        match edited_manifest(path, edit)? {
            Some(text) => self.write(path, text.as_bytes()),
            None => Ok(()),
        }
    }
}

fn implicit() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

/// How `[patch]` calls a source: `crates-io`, or the address.
pub(super) fn registry_of(source: &str) -> String {
    if CRATES_IO.contains(&source) {
        return "crates-io".to_owned();
    }
    let address = source.split_once('+').map_or(source, |(_, address)| address);
    let end = address.find(['?', '#']).unwrap_or(address.len());
    address[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_named_as_patches_name_them() {
        assert_eq!(registry_of(CRATES_IO[0]), "crates-io");
        assert_eq!(
            registry_of("git+https://example.org/a.git?branch=x#0123"),
            "https://example.org/a.git"
        );
    }
}

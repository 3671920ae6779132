//! The packages that a package depends on, as cargo has chosen them.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{Metadata, MetadataCommand, Package, PackageId, Target};

use super::build::is_library;
use super::error::cargo_program;
use super::{Built, CargoOptions, ProjectError, Result};

/// A package that another one depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name under which the crate is known to those who depend on it.
    pub extern_name: String,
    /// The name of the package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// The folder of a package that does not come from a registry.
    pub folder: Option<Utf8PathBuf>,
    /// Its features that are on.
    pub features: Vec<String>,
    /// The root file of its library.
    pub root: Utf8PathBuf,
    /// Where its manifest is.
    pub package_dir: Utf8PathBuf,
    /// The edition of its library.
    pub edition: String,
    /// Whether something of it runs while others are compiled, so that its sources say nothing of what
    /// it does: a build script, or a procedural macro.
    pub runs_at_build: bool,
    /// Which packages it depends on itself, by their ids.
    id: PackageId,
}

/// Who depends on whom.
#[derive(Debug)]
pub struct Dependencies {
    metadata: Metadata,
}

impl Dependencies {
    /// Asks cargo about the workspace of `manifest_path`.
    ///
    /// # Errors
    /// When cargo cannot be run, or cannot read the workspace.
    pub fn load(manifest_path: &Utf8Path, options: &CargoOptions) -> Result<Self> {
        let mut arguments = options.feature_args();
        arguments.extend(options.lock_args());
        let metadata = MetadataCommand::new()
            .cargo_path(cargo_program())
            .manifest_path(manifest_path)
            .other_options(arguments)
            .exec()
            .map_err(|error| ProjectError::Metadata(error.to_string()))?;
        Ok(Dependencies { metadata })
    }

    /// What the package with this manifest depends on.
    pub fn of(&self, manifest_path: &Utf8Path) -> Vec<Dependency> {
        let package = package_of(&self.metadata, manifest_path);
        package.map_or_else(Vec::new, |package| self.of_package(&package.id))
    }

    /// The libraries that code beside the package with this manifest can name, its own among them: their names in sources, and
    /// the files that were built of them.
    pub fn externs(&self, manifest_path: &Utf8Path, built: &Built) -> Vec<(String, Utf8PathBuf)> {
        let own = package_of(&self.metadata, manifest_path).and_then(|package| {
            let library = package.targets.iter().find(|target| is_library(target))?;
            Some((library.name.replace('-', "_"), package.id.clone()))
        });
        let others = self.of(manifest_path).into_iter().map(|it| (it.extern_name, it.id));
        let named = own.into_iter().chain(others);
        named.filter_map(|(name, id)| Some((name, built.library(&id)?))).collect()
    }

    /// What a dependency depends on itself.
    pub fn of_dependency(&self, dependency: &Dependency) -> Vec<Dependency> {
        self.of_package(&dependency.id)
    }

    fn of_package(&self, id: &PackageId) -> Vec<Dependency> {
        let Some(resolve) = &self.metadata.resolve else { return Vec::new() };
        let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
        let edges = nodes.get(id).map_or(&[][..], |node| &node.deps);
        edges
            .iter()
            .filter_map(|edge| {
                let package = self.package(&edge.pkg)?;
                let features = nodes.get(&edge.pkg).map(|node| &node.features);
                let features = features.into_iter().flatten().map(ToString::to_string);
                dependency(package, &edge.name, features.collect())
            })
            .collect()
    }

    fn package(&self, id: &PackageId) -> Option<&Package> {
        let mut packages = self.metadata.packages.iter();
        packages.find(|package| &package.id == id)
    }
}

/// The package with this manifest.
pub(super) fn package_of<'m>(
    metadata: &'m Metadata,
    manifest_path: &Utf8Path,
) -> Option<&'m Package> {
    metadata.packages.iter().find(|package| package.manifest_path == manifest_path)
}

fn dependency(package: &Package, name: &str, features: Vec<String>) -> Option<Dependency> {
    let library = package.targets.iter().find(|target| is_library(target))?;
    let is_from_registry =
        package.source.as_ref().is_some_and(cargo_metadata::Source::is_crates_io);
    let folder = package.manifest_path.parent().map(Utf8Path::to_owned);
    let runs_at_build = |target: &Target| target.is_custom_build() || target.is_proc_macro();
    Some(Dependency {
        extern_name: name.to_owned(),
        package: package.name.to_string(),
        version: package.version.to_string(),
        folder: folder.clone().filter(|_| !is_from_registry),
        features,
        root: library.src_path.clone(),
        package_dir: folder.unwrap_or_default(),
        edition: library.edition.to_string(),
        runs_at_build: package.targets.iter().any(runs_at_build),
        id: package.id.clone(),
    })
}

//! The workspace as cargo sees it.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package};
use serde_json::Value;

use super::dependencies::package_of;
use super::error::cargo_program;
use super::spec::{SharedNames, name_in_spec};
use super::{CargoOptions, ProjectError, Result, TargetChoice, TargetKind};

/// A cargo workspace (a lone package is one too).
#[derive(Debug, Clone)]
pub struct Workspace {
    metadata: Metadata,
    options: CargoOptions,
    shared_names: SharedNames,
    /// Where the user stands.
    pub cwd: Utf8PathBuf,
}

/// A target of a package that can hold tests.
#[derive(Debug, Clone)]
pub struct TestTarget {
    /// What `cargo -p` takes for the package: its name, with the version where there are several of that name.
    pub package: String,
    /// The package's manifest.
    pub manifest_path: Utf8PathBuf,
    /// How cargo selects it.
    pub choice: TargetChoice,
    /// The crate's root file.
    pub src_path: Utf8PathBuf,
    /// Whether cargo builds its tests only where it is named.
    pub is_on_demand: bool,
}

/// A table of settings in a manifest.
#[derive(Debug, Clone)]
pub struct ManifestTable {
    /// Its name, as it stands in brackets.
    pub name: String,
    /// The manifest.
    pub manifest_path: Utf8PathBuf,
    /// What it holds.
    pub content: Value,
}

impl Workspace {
    /// Asks cargo.
    ///
    /// # Errors
    /// When there is no cargo, no manifest, or a broken one.
    pub fn load(cwd: &Utf8Path, options: &CargoOptions) -> Result<Self> {
        let mut command = metadata_command(options);
        command.current_dir(cwd);
        if let Some(manifest_path) = &options.manifest_path {
            command.manifest_path(cwd.join(manifest_path));
        } else if !cwd.ancestors().any(|folder| folder.join("Cargo.toml").is_file()) {
            return Err(ProjectError::NoManifest(cwd.to_owned()));
        }
        let resolving = command.clone();
        let metadata = command.no_deps().exec().map_err(|error| match error {
            cargo_metadata::Error::Io(source) if source.kind() == ErrorKind::NotFound => {
                ProjectError::NoCargo { program: cargo_program(), source }
            }
            cargo_metadata::Error::CargoMetadata { stderr } => {
                ProjectError::Metadata(stderr.trim().to_owned())
            }
            other => ProjectError::Metadata(other.to_string()),
        })?;
        let workspace = Workspace {
            shared_names: SharedNames::of(&metadata.workspace_root, &resolving),
            metadata,
            options: CargoOptions::default(),
            cwd: cwd.to_owned(),
        };
        Ok(workspace.with_options(options))
    }

    /// The same, in which cargo is called with these options.
    #[must_use]
    pub fn with_options(self, options: &CargoOptions) -> Self {
        let mut options = options.clone();
        options.manifest_path = options.manifest_path.map(|path| self.cwd.join(path));
        Workspace { options, ..self }
    }

    /// What manifests say in their tables `metadata.reduce`: that of the workspace, then that of the selected package,
    /// if it is one.
    ///
    /// # Errors
    /// As [`Workspace::selected`].
    pub fn settings(&self) -> Result<Vec<ManifestTable>> {
        let table = |name: &str, manifest_path: Utf8PathBuf, metadata: &Value| {
            let content = metadata.get("reduce")?.clone();
            Some(ManifestTable { name: name.to_owned(), manifest_path, content })
        };
        let root = self.root().join("Cargo.toml");
        let of_workspace =
            table("workspace.metadata.reduce", root, &self.metadata.workspace_metadata);
        let of_package = match self.selected()?.as_slice() {
            [one] => table("package.metadata.reduce", one.manifest_path.clone(), &one.metadata),
            _ => None,
        };
        Ok(of_workspace.into_iter().chain(of_package).collect())
    }

    /// Whether the package with that manifest names `dependency`, for its tests at least.
    pub fn depends_on(&self, manifest_path: &Utf8Path, dependency: &str) -> bool {
        let package = package_of(&self.metadata, manifest_path);
        package.is_some_and(|package| {
            package.dependencies.iter().any(|known| {
                known.name == dependency
                    && known.rename.is_none()
                    && known.kind != DependencyKind::Build
            })
        })
    }

    /// The names in sources of the crates that the tests of a package are for: its own, and those on which it depends
    /// for more than its tests.
    pub fn tested_crates(&self, manifest_path: &Utf8Path) -> impl Iterator<Item = String> {
        let package = package_of(&self.metadata, manifest_path);
        let own = package.into_iter().flat_map(|package| &package.targets);
        let own = own.filter(|target| !target.is_test() && !target.is_bench());
        let others = package.into_iter().flat_map(|package| &package.dependencies);
        let others = others.filter(|known| known.kind == DependencyKind::Normal);
        let others = others.map(|known| known.rename.as_deref().unwrap_or(&known.name));
        own.map(|target| target.name.as_str()).chain(others).map(|name| name.replace('-', "_"))
    }

    /// The packages from elsewhere (a registry, git) on which a package depends for more than its tests, by itself or by way
    /// of local packages.
    pub fn foreign_dependencies(&self, manifest_path: &Utf8Path) -> BTreeSet<String> {
        let mut foreign = BTreeSet::new();
        let mut manifests = vec![manifest_path.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(manifest) = manifests.pop() {
            let package = package_of(&self.metadata, &manifest);
            let Some(package) = package.filter(|_| seen.insert(manifest)) else { continue };
            let used = package.dependencies.iter();
            for known in used.filter(|known| known.kind == DependencyKind::Normal) {
                match &known.path {
                    Some(folder) => manifests.push(folder.join("Cargo.toml")),
                    None => _ = foreign.insert(known.name.clone()),
                }
            }
        }
        foreign
    }

    /// The folder of the workspace's root manifest.
    pub fn root(&self) -> &Utf8Path {
        &self.metadata.workspace_root
    }

    /// The options cargo is called with.
    pub fn options(&self) -> &CargoOptions {
        &self.options
    }

    /// Where cargo puts what it builds.
    pub fn target_directory(&self) -> Utf8PathBuf {
        match &self.options.target_dir {
            Some(folder) => self.cwd.join(folder),
            None => self.metadata.target_directory.clone(),
        }
    }

    /// The package with that id.
    pub fn package(&self, id: &cargo_metadata::PackageId) -> Option<&Package> {
        self.metadata.packages.iter().find(|package| &package.id == id)
    }

    /// What `cargo -p` takes for it.
    pub fn spec(&self, package: &Package) -> String {
        self.shared_names.spec(package)
    }

    /// The root files of all crates of the workspace.
    pub fn root_files(&self) -> impl Iterator<Item = &Utf8Path> {
        let targets = self.metadata.packages.iter().flat_map(|package| &package.targets);
        targets.map(|target| target.src_path.as_path())
    }

    /// The member of that name.
    pub fn member(&self, name: &str) -> Option<&Package> {
        let members = self.metadata.workspace_packages();
        members.into_iter().find(|package| package.name.as_str() == name)
    }

    /// The edition of the member that cargo takes `spec` for; the first one if there is none.
    pub fn edition(&self, spec: &str) -> String {
        let member = self.member(name_in_spec(spec));
        member.map_or_else(|| "2015".to_owned(), |member| member.edition.to_string())
    }

    /// The packages the options select, as `cargo test` would.
    ///
    /// # Errors
    /// When `-p` names a package that is not there.
    pub fn selected(&self) -> Result<Vec<&Package>> {
        let members = self.metadata.workspace_packages();
        if self.options.workspace {
            return Ok(members);
        }
        if !self.options.packages.is_empty() {
            return self.options.packages.iter().map(|name| find(&members, name)).collect();
        }
        let manifest = self.options.manifest_path.clone().or_else(|| nearest_manifest(&self.cwd));
        let here = members
            .iter()
            .copied()
            .find(|package| Some(&package.manifest_path) == manifest.as_ref());
        match here {
            Some(package) => Ok(vec![package]),
            None => Ok(self.metadata.workspace_default_packages()),
        }
    }

    /// The targets of the selected packages that can hold tests, doc tests last.
    ///
    /// # Errors
    /// As [`Workspace::selected`].
    pub fn test_targets(&self) -> Result<Vec<TestTarget>> {
        Ok(self.targets_of(&self.selected()?))
    }

    /// The targets of all packages of the workspace that can hold tests, doc tests last.
    pub fn all_test_targets(&self) -> Vec<TestTarget> {
        self.targets_of(&self.metadata.workspace_packages())
    }

    fn targets_of(&self, packages: &[&Package]) -> Vec<TestTarget> {
        let mut targets = Vec::new();
        for package in packages {
            for target in &package.targets {
                for kind in kinds(target) {
                    let named = !matches!(kind, TargetKind::Lib | TargetKind::Doc);
                    targets.push(TestTarget {
                        package: self.spec(package),
                        manifest_path: package.manifest_path.clone(),
                        choice: TargetChoice { kind, name: named.then(|| target.name.clone()) },
                        src_path: target.src_path.clone(),
                        is_on_demand: kind == TargetKind::Example && !target.test,
                    });
                }
            }
        }
        targets.sort_by_key(|target| target.choice.kind == TargetKind::Doc);
        targets
    }
}

/// Asks cargo about a workspace with these options.
pub(super) fn metadata_command(options: &CargoOptions) -> MetadataCommand {
    let mut command = MetadataCommand::new();
    command.cargo_path(cargo_program()).other_options(options.lock_args());
    if options.all_features {
        command.features(CargoOpt::AllFeatures);
    }
    command
}

fn find<'a>(members: &[&'a Package], name: &str) -> Result<&'a Package> {
    let plain = name_in_spec(name);
    members.iter().copied().find(|package| package.name.as_str() == plain).ok_or_else(|| {
        ProjectError::NoPackage {
            name: name.to_owned(),
            known: members.iter().map(|package| package.name.to_string()).collect(),
        }
    })
}

fn nearest_manifest(cwd: &Utf8Path) -> Option<Utf8PathBuf> {
    cwd.ancestors().map(|folder| folder.join("Cargo.toml")).find(|manifest| manifest.is_file())
}

fn kinds(target: &cargo_metadata::Target) -> Vec<TargetKind> {
    let is_library = target.is_lib()
        || target.is_proc_macro()
        || target.is_rlib()
        || target.is_cdylib()
        || target.is_dylib();
    let kinds = match TargetKind::of(target) {
        Some(kind) => [(target.test || kind == TargetKind::Example, kind)].to_vec(),
        None if is_library => {
            vec![(target.test, TargetKind::Lib), (target.doctest, TargetKind::Doc)]
        }
        None => Vec::new(),
    };
    kinds.into_iter().filter(|(is_tested, _)| *is_tested).map(|(_, kind)| kind).collect()
}

//! The crates and files that become one file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::conditions::Unmet;
use crate::rust::Sources;
use crate::source::ModuleFiles;

/// A crate of the subject.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrateRoot {
    /// The name by which other crates call it.
    pub name: String,
    /// Its root file, as the sources call it.
    pub file: String,
    /// Whether its imports start at its root, as they did in the edition of 2015.
    pub is_2015: bool,
    /// Its features.
    pub features: BTreeSet<String>,
    /// Whether its tests come along, as those of the one crate.
    pub has_tests: bool,
}

impl CrateRoot {
    /// Whether `library`, if that is one, was not compiled for tests, and is not now.
    pub(crate) fn is_without_tests(library: Option<&CrateRoot>) -> bool {
        library.is_some_and(|library| !library.has_tests)
    }
}

/// What becomes one file.
pub(crate) struct Flat<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) libraries: &'s [CrateRoot],
    pub(crate) tested: &'s CrateRoot,
    /// The features of all crates.
    pub(crate) features: BTreeSet<String>,
    /// The folder of the one file.
    pub(crate) folder: &'s Path,
}

impl Flat<'_> {
    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.file(path).map(|file| &*self.sources.files[file].text)
    }

    pub(crate) fn file(&self, path: impl AsRef<Path>) -> Option<usize> {
        let mut files = self.sources.files.iter();
        files.position(|file| Path::new(&*file.path) == path.as_ref())
    }

    /// The first of these files that there is.
    pub(crate) fn first_of(
        &self,
        files: impl IntoIterator<Item = (PathBuf, ModuleFiles)>,
    ) -> Option<(usize, ModuleFiles)> {
        let mut files = files.into_iter();
        files.find_map(|(path, children)| Some((self.file(path)?, children)))
    }

    /// What does not hold in a library, or in the crate of the test, and does in the one that all become.
    pub(crate) fn unmet(&self, library: Option<&CrateRoot>) -> Unmet {
        let krate = library.unwrap_or(self.tested);
        Unmet {
            is_without_tests: CrateRoot::is_without_tests(library),
            features: self.features.difference(&krate.features).cloned().collect(),
        }
    }

    /// Whether a word names a crate that becomes a module.
    pub(crate) fn is_library(&self, name: &proc_macro2::Ident) -> bool {
        self.libraries.iter().any(|library| name == &library.name)
    }
}

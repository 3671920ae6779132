//! Where the files of modules are: the rules of the Rust reference, "Modules". They are looked for next to a root
//! file, a `mod.rs` or a file loaded by `#[path]`; otherwise in a directory named like the file.

use std::path::{Component, Path, PathBuf};

use syn::{ItemMod, Macro};

use super::attributes;
use super::tokens::plain;

/// Where the files of the modules that are declared in a place are looked for.
#[derive(Debug, Clone)]
pub(crate) struct ModuleFiles {
    /// The directory of the file.
    pub(crate) own: PathBuf,
    /// The directory for modules that are declared here.
    children: PathBuf,
    /// Whether this place is inside an inline module.
    is_inline: bool,
}

impl ModuleFiles {
    /// Of a root file, of `mod.rs`, and of a file that `#[path]` or `include!` names.
    pub(crate) fn beside(file: &Path) -> Self {
        let own = file.parent().unwrap_or(Path::new("")).to_owned();
        ModuleFiles { children: own.clone(), own, is_inline: false }
    }

    /// Of any other file.
    fn below(file: &Path) -> Self {
        ModuleFiles { children: file.with_extension(""), ..ModuleFiles::beside(file) }
    }

    /// Of a module with a body.
    pub(crate) fn within(&self, module: &ItemMod) -> Self {
        let named = attributes::path(&module.attrs).map(|path| self.base().join(path));
        ModuleFiles {
            own: self.own.clone(),
            children: named.unwrap_or_else(|| self.children.join(plain(&module.ident))),
            is_inline: true,
        }
    }

    /// Where `#[path]` starts.
    fn base(&self) -> &Path {
        if self.is_inline { &self.children } else { &self.own }
    }

    /// The files that may hold a module without a body, the first one that there is does.
    pub(crate) fn of_module(&self, module: &ItemMod) -> Vec<(PathBuf, ModuleFiles)> {
        let beside = |path: PathBuf| (path.clone(), ModuleFiles::beside(&path));
        if let Some(path) = attributes::path(&module.attrs) {
            return vec![beside(tidy(&self.base().join(path)))];
        }
        let name = plain(&module.ident);
        let flat = self.children.join(format!("{name}.rs"));
        let deep = self.children.join(&name).join("mod.rs");
        vec![(flat.clone(), ModuleFiles::below(&flat)), beside(deep)]
    }

    /// The file that a call of `include!` names.
    pub(crate) fn included(&self, call: &Macro) -> Option<(PathBuf, ModuleFiles)> {
        let path =
            call.path.is_ident("include").then(|| call.parse_body::<syn::LitStr>().ok())??;
        let path = tidy(&self.own.join(path.value()));
        let files = ModuleFiles::beside(&path);
        Some((path, files))
    }
}

/// Resolves `.` and `..` by name alone.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    let mut tidied = PathBuf::new();
    for component in path.components() {
        let can_go_up = matches!(tidied.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::CurDir => {}
            Component::ParentDir if can_go_up => {
                tidied.pop();
            }
            _ => tidied.push(component),
        }
    }
    tidied
}

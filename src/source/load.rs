//! From the root file to the module tree.

use std::path::{Path, PathBuf};

use syn::parse::Parse;
use syn::spanned::Spanned;

use super::attributes;
use super::item::{Item, ItemKind};
use super::locate::Harness;
use super::module_files::ModuleFiles;
use super::parse::{look_at, prelude_len, range};
use super::place::small;
use super::tokens::plain;
use super::{Crate, CrateFile, FileIndex, LineColumn, SourceError, last_word};

type Read<'a> = &'a mut dyn FnMut(&Path) -> std::io::Result<String>;

pub(super) struct Loader<'a> {
    read: Read<'a>,
    made: Crate,
    pending: Vec<Pending>,
}

/// A module whose file is still to be read.
struct Pending {
    candidates: Vec<(PathBuf, ModuleFiles)>,
    scope: Scope,
    declared: (PathBuf, LineColumn),
}

/// What encloses an item.
#[derive(Clone, Default)]
struct Scope {
    module: Vec<String>,
    /// Some enclosing item has a `cfg`.
    is_conditional: bool,
    /// Some enclosing item is compiled for tests only.
    is_test_only: bool,
}

impl Crate {
    /// Reads the crate with the root file `root`. `package_dir` is where a test runs and what
    /// `CARGO_MANIFEST_DIR` says; `read` gives a file's text.
    ///
    /// # Errors
    /// When the root file cannot be read or parsed. Trouble with other files is kept in
    /// [`Crate::troubles`], since a test can be reduced without them.
    pub fn load(
        root: &Path,
        package_dir: &Path,
        mut read: impl FnMut(&Path) -> std::io::Result<String>,
    ) -> Result<Self, SourceError> {
        let made = Crate { package_dir: package_dir.to_owned(), ..Crate::default() };
        let mut loader = Loader { read: &mut read, made, pending: Vec::new() };
        let text = (loader.read)(root)
            .map_err(|source| SourceError::Read { path: root.to_owned(), source })?;
        loader.add_file(root.to_owned(), text, &ModuleFiles::beside(root), &Scope::default())?;
        while let Some(pending) = loader.pending.pop() {
            let is_conditional = pending.scope.is_conditional;
            if let Err(trouble) = loader.add_module(pending)
                && !is_conditional
            {
                loader.made.troubles.push(trouble);
            }
        }
        Ok(loader.made)
    }
}

impl Loader<'_> {
    fn add_module(&mut self, pending: Pending) -> Result<(), SourceError> {
        for (path, children) in pending.candidates {
            match (self.read)(&path) {
                Ok(text) => return self.add_file(path, text, &children, &pending.scope),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(source) => return Err(SourceError::Read { path, source }),
            }
        }
        let name = pending.scope.module.last().cloned().unwrap_or_default();
        let (path, place) = pending.declared;
        Err(SourceError::MissingModule { name, path, place })
    }

    fn add_file(
        &mut self,
        path: PathBuf,
        text: String,
        children: &ModuleFiles,
        scope: &Scope,
    ) -> Result<(), SourceError> {
        if self.made.file_at(&path).is_some() {
            return Ok(());
        }
        let file = CrateFile::new(path, text);
        let base = prelude_len(&file.text);
        let index = FileIndex(small(self.made.files.len()));
        let mut visit = Visit { file: &file, index, base, items: Vec::new(), pending: Vec::new() };
        let parsed = look_at(&file.text[base..], syn::File::parse, |tree| {
            let mut scope = scope.clone();
            scope.is_test_only |= attributes::is_test_only(&tree.attrs);
            visit.items(&tree.items, &scope, children);
        });
        let Visit { items, pending, .. } = visit;
        if let Err(failure) = parsed {
            let place = file.line_column(base + failure.offset);
            return Err(SourceError::Parse { path: file.path, place, message: failure.message });
        }
        self.made.items.extend(items);
        self.pending.extend(pending.into_iter().rev());
        self.made.files.push(file);
        Ok(())
    }
}

/// Collects the items of one file.
struct Visit<'f> {
    file: &'f CrateFile,
    index: FileIndex,
    base: usize,
    items: Vec<Item>,
    pending: Vec<Pending>,
}

impl Visit<'_> {
    fn items(&mut self, items: &[syn::Item], scope: &Scope, children: &ModuleFiles) {
        for item in items {
            self.item(item, scope, children);
        }
    }

    fn item(&mut self, item: &syn::Item, scope: &Scope, children: &ModuleFiles) {
        let mut owner = None;
        match item {
            syn::Item::Mod(module) => self.module(module, scope, children),
            syn::Item::Impl(implementation) => {
                owner = type_name(&implementation.self_ty);
                self.implementation(implementation, owner.as_ref(), scope);
            }
            syn::Item::Macro(call) => self.macro_call(call, scope, children),
            _ => {}
        }
        let Some((kind, mut name, attrs)) = ItemKind::of(item) else { return };
        if let syn::Item::Macro(call) = item {
            name = name.or(last_word(&call.mac.path));
        }
        self.add(kind, name, attrs, item.span(), scope, owner);
    }

    fn add(
        &mut self,
        kind: ItemKind,
        name: Option<&syn::Ident>,
        attrs: &[syn::Attribute],
        span: proc_macro2::Span,
        scope: &Scope,
        owner: Option<String>,
    ) {
        self.items.push(Item {
            kind,
            name: name.map(plain).unwrap_or_default(),
            module: scope.module.clone(),
            file: self.index,
            span: range(span, self.base),
            is_test_only: scope.is_test_only || attributes::is_test_only(attrs),
            is_test: Harness::makes_test(attrs),
            owner,
        });
    }

    fn module(&mut self, module: &syn::ItemMod, scope: &Scope, children: &ModuleFiles) {
        let mut inner = scope.clone();
        inner.module.push(plain(&module.ident));
        inner.is_conditional |= attributes::is_conditional(&module.attrs);
        inner.is_test_only |= attributes::is_test_only(&module.attrs);
        if let Some((_, items)) = &module.content {
            return self.items(items, &inner, &children.within(module));
        }
        self.read_later(children.of_module(module), inner, module.span());
    }

    fn implementation(&mut self, it: &syn::ItemImpl, owner: Option<&String>, scope: &Scope) {
        for item in &it.items {
            let (kind, name, attrs) = match item {
                syn::ImplItem::Fn(method) => (ItemKind::Method, &method.sig.ident, &method.attrs),
                syn::ImplItem::Const(constant) => {
                    (ItemKind::AssociatedConst, &constant.ident, &constant.attrs)
                }
                _ => continue,
            };
            self.add(kind, Some(name), attrs, item.span(), scope, owner.cloned());
        }
    }

    /// `include!("other.rs");` stands for the items of that file.
    fn macro_call(&mut self, call: &syn::ItemMacro, scope: &Scope, children: &ModuleFiles) {
        let Some(file) = children.included(&call.mac) else { return };
        let mut scope = scope.clone();
        scope.is_conditional = true;
        self.read_later(vec![file], scope, call.span());
    }

    fn read_later(
        &mut self,
        candidates: Vec<(PathBuf, ModuleFiles)>,
        scope: Scope,
        declared: proc_macro2::Span,
    ) {
        let place = self.file.line_column(range(declared, self.base).start);
        self.pending.push(Pending { candidates, scope, declared: (self.file.path.clone(), place) });
    }
}

/// The last name of a type's path, without references and parentheses.
fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => last_word(&path.path).map(plain),
        syn::Type::Reference(reference) => type_name(&reference.elem),
        syn::Type::Paren(paren) => type_name(&paren.elem),
        syn::Type::Group(group) => type_name(&group.elem),
        _ => None,
    }
}

//! From the root file to the module tree.
//!
//! The rules for finding a module's file are those of the Rust reference, "Modules": next to a root
//! file, a `mod.rs` or a file loaded by `#[path]`; otherwise in a directory named like the file.

use std::path::{Component, Path, PathBuf};

use syn::parse::Parse;
use syn::spanned::Spanned;

use super::attributes;
use super::flatten::{Link, LinkKind, Stands};
use super::item::{Item, ItemKind};
use super::locate::Harness;
use super::parse::{look_at, prelude_len, range};
use super::{Crate, FileIndex, LineColumn, SourceError, SourceFile};

type Read<'a> = &'a mut dyn FnMut(&Path) -> std::io::Result<String>;

pub(super) struct Loader<'a> {
    read: Read<'a>,
    made: Crate,
    pending: Vec<Pending>,
}

/// A module whose file is still to be read.
struct Pending {
    candidates: Vec<(PathBuf, Children)>,
    scope: Scope,
    declared: (PathBuf, LineColumn),
    /// What stands for the file: the `;` of a `mod` item, or a call of `include!`.
    stands: Stands,
}

/// Where the files of child modules are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    /// In the file's own directory.
    Beside,
    /// In a directory named like the file.
    Below,
}

/// What encloses an item.
#[derive(Clone)]
struct Scope {
    module: Vec<String>,
    /// Some enclosing item has a `cfg`.
    is_conditional: bool,
    /// Some enclosing item is compiled for tests only.
    is_test_only: bool,
}

/// Where the files of the modules declared in a place are looked for.
#[derive(Clone)]
struct Directories {
    /// The directory of the current file.
    file: PathBuf,
    /// The directory for modules declared here.
    children: PathBuf,
    /// Whether this place is inside an inline module.
    is_inline: bool,
}

impl<'a> Loader<'a> {
    pub(super) fn load(
        root: &Path,
        package_dir: &Path,
        read: Read<'a>,
    ) -> Result<Crate, SourceError> {
        let made = Crate {
            files: Vec::new(),
            items: Vec::new(),
            troubles: Vec::new(),
            links: Vec::new(),
            package_dir: package_dir.to_owned(),
            tested: std::collections::BTreeSet::new(),
        };
        let mut loader = Loader {
            read,
            made,
            pending: Vec::new(),
        };
        let scope = Scope {
            module: Vec::new(),
            is_conditional: false,
            is_test_only: false,
        };
        let text = (loader.read)(root).map_err(|source| SourceError::Read {
            path: root.to_owned(),
            source,
        })?;
        loader.add_file(root.to_owned(), text, Children::Beside, &scope)?;
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

    fn add_module(&mut self, pending: Pending) -> Result<(), SourceError> {
        for (path, children) in pending.candidates {
            match (self.read)(&path) {
                Ok(text) => {
                    let target = self.add_file(path, text, children, &pending.scope)?;
                    self.made.links.push(Link {
                        stands: pending.stands,
                        target,
                    });
                    return Ok(());
                }
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
        children: Children,
        scope: &Scope,
    ) -> Result<FileIndex, SourceError> {
        if let Some(known) = self.made.file_at(&path) {
            return Ok(known);
        }
        let file = SourceFile::new(path, text);
        let base = prelude_len(&file.text);
        let directories = Directories::of(&file.path, children);
        let index = FileIndex(u32::try_from(self.made.files.len()).unwrap_or(u32::MAX));
        let mut visit = Visit {
            file: &file,
            index,
            base,
            items: Vec::new(),
            pending: Vec::new(),
        };
        let parsed = look_at(&file.text[base..], syn::File::parse, |tree| {
            let mut scope = scope.clone();
            scope.is_test_only |= attributes::is_test_only(&tree.attrs);
            visit.items(&tree.items, &scope, &directories);
        });
        let Visit { items, pending, .. } = visit;
        if let Err(failure) = parsed {
            let place = file.line_column(base + failure.offset);
            return Err(SourceError::Parse {
                path: file.path,
                place,
                message: failure.message,
            });
        }
        self.made.items.extend(items);
        self.pending.extend(pending.into_iter().rev());
        self.made.files.push(file);
        Ok(index)
    }
}

impl Directories {
    fn of(file: &Path, children: Children) -> Self {
        let directory = file.parent().unwrap_or(Path::new("")).to_owned();
        let is_beside = children == Children::Beside || file.ends_with("mod.rs");
        let children = if is_beside {
            directory.clone()
        } else {
            file.with_extension("")
        };
        Directories {
            file: directory,
            children,
            is_inline: false,
        }
    }
}

/// Collects the items of one file.
struct Visit<'f> {
    file: &'f SourceFile,
    index: FileIndex,
    base: usize,
    items: Vec<Item>,
    pending: Vec<Pending>,
}

impl Visit<'_> {
    fn items(&mut self, items: &[syn::Item], scope: &Scope, directories: &Directories) {
        for item in items {
            self.item(item, scope, directories);
        }
    }

    fn item(&mut self, item: &syn::Item, scope: &Scope, directories: &Directories) {
        match item {
            syn::Item::Mod(module) => self.module(module, scope, directories),
            syn::Item::Impl(implementation) => self.implementation(implementation, scope),
            syn::Item::Macro(call) => self.macro_call(call, scope, directories),
            _ => {}
        }
        let Some((kind, name, attrs)) = ItemKind::of(item) else {
            return;
        };
        let owner = match item {
            syn::Item::Impl(implementation) => last_name(&implementation.self_ty),
            _ => None,
        };
        self.add(
            kind,
            name,
            attrs,
            range(item.span(), self.base),
            scope,
            owner,
        );
    }

    fn add(
        &mut self,
        kind: ItemKind,
        name: String,
        attrs: &[syn::Attribute],
        span: std::ops::Range<usize>,
        scope: &Scope,
        owner: Option<String>,
    ) {
        self.items.push(Item {
            kind,
            name,
            module: scope.module.clone(),
            file: self.index,
            span,
            is_test_only: scope.is_test_only || attributes::is_test_only(attrs),
            is_test: Harness::of(attrs, None) != Harness::None,
            owner,
        });
    }

    fn module(&mut self, module: &syn::ItemMod, scope: &Scope, directories: &Directories) {
        let name = plain(&module.ident);
        let mut inner = scope.clone();
        inner.module.push(name.clone());
        inner.is_conditional |= attributes::is_conditional(&module.attrs);
        inner.is_test_only |= attributes::is_test_only(&module.attrs);
        let path = attributes::path(&module.attrs);
        let path_base = if directories.is_inline {
            &directories.children
        } else {
            &directories.file
        };
        if let Some((_, items)) = &module.content {
            let children = match &path {
                Some(path) => path_base.join(path),
                None => directories.children.join(&name),
            };
            let directories = Directories {
                file: directories.file.clone(),
                children,
                is_inline: true,
            };
            return self.items(items, &inner, &directories);
        }
        let mut candidates: Vec<(PathBuf, Children)> = Vec::new();
        if let Some(path) = path {
            candidates.push((tidy(&path_base.join(path)), Children::Beside));
        } else {
            candidates.push((
                directories.children.join(format!("{name}.rs")),
                Children::Below,
            ));
            candidates.push((
                directories.children.join(&name).join("mod.rs"),
                Children::Beside,
            ));
        }
        let place = self.file.line_column(range(module.span(), self.base).start);
        let declared = (self.file.path.clone(), place);
        let semicolon = module.semi.span();
        let stands = self.stands(semicolon, LinkKind::Module);
        self.pending.push(Pending {
            candidates,
            scope: inner,
            declared,
            stands,
        });
    }

    fn implementation(&mut self, implementation: &syn::ItemImpl, scope: &Scope) {
        let owner = last_name(&implementation.self_ty);
        for item in &implementation.items {
            let span = range(item.span(), self.base);
            let (kind, name, attrs) = match item {
                syn::ImplItem::Fn(method) => (ItemKind::Method, &method.sig.ident, &method.attrs),
                syn::ImplItem::Const(constant) => {
                    (ItemKind::AssociatedConst, &constant.ident, &constant.attrs)
                }
                _ => continue,
            };
            self.add(kind, plain(name), attrs, span, scope, owner.clone());
        }
    }

    /// `include!("other.rs");` stands for the items of that file.
    fn macro_call(&mut self, call: &syn::ItemMacro, scope: &Scope, directories: &Directories) {
        if !call.mac.path.is_ident("include") {
            return;
        }
        let Ok(path) = call.mac.parse_body::<syn::LitStr>() else {
            return;
        };
        let candidates = vec![(tidy(&directories.file.join(path.value())), Children::Beside)];
        let mut scope = scope.clone();
        scope.is_conditional = true;
        let place = self.file.line_column(range(call.span(), self.base).start);
        let declared = (self.file.path.clone(), place);
        let stands = self.stands(call.span(), LinkKind::Include);
        self.pending.push(Pending {
            candidates,
            scope,
            declared,
            stands,
        });
    }

    fn stands(&self, span: proc_macro2::Span, kind: LinkKind) -> Stands {
        Stands {
            file: self.index,
            place: range(span, self.base),
            kind,
        }
    }
}

/// An identifier without `r#`.
pub(crate) fn plain(ident: &syn::Ident) -> String {
    syn::ext::IdentExt::unraw(ident).to_string()
}

/// The last name of a type's path, without references and parentheses.
fn last_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| plain(&segment.ident)),
        syn::Type::Reference(reference) => last_name(&reference.elem),
        syn::Type::Paren(paren) => last_name(&paren.elem),
        syn::Type::Group(group) => last_name(&group.elem),
        _ => None,
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

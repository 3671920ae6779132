//! All files of a subject in one: modules with their text inside, libraries as modules of the test's
//! crate.
//!
//! One file is what a reader wants, and one crate is compiled once for each candidate instead of once
//! for each library. Where this changes the meaning (editions, features, names that clash) the compiler
//! or the test says so, and the files stay as they are.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Item, ItemMod};

use super::{NotTokens, Piece, Sources, StandIn, Tree, walk};

/// A crate of the subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateRoot {
    /// The name by which other crates call it.
    pub name: String,
    /// Its root file, as the sources call it.
    pub file: String,
    /// Whether its imports start at its root, as they did in the edition of 2015.
    pub is_2015: bool,
}

/// The subject as one file with the path of the root of `tested`; `libraries` come before those that
/// use them.
///
/// # Errors
/// When a file is not made of Rust tokens.
pub fn flatten(
    sources: &Sources,
    tested: &CrateRoot,
    libraries: &[CrateRoot],
) -> Result<Sources, NotTokens> {
    let mut pieces = Vec::new();
    let flat = Flat { sources, libraries };
    if let Some(root) = flat.file(&tested.file) {
        let text = &sources.files[root].text;
        // Attributes of the crate stay in front of all else.
        let start = Tree::with(text, StandIn::Panic, |tree| {
            let attributes = inner(&tree.file.attrs).map(|attribute| tree.range(attribute).end);
            attributes.max().unwrap_or(0)
        })?;
        let whole = flat.module(root, &Children::beside(&tested.file), None)?;
        let (head, tail) = cut(whole, root, start);
        pieces.extend(head);
        for library in libraries {
            let Some(file) = flat.file(&library.file) else {
                continue;
            };
            pieces.push(Piece::Made(format!(
                "\n#[macro_use]\npub mod {} {{\n",
                library.name
            )));
            pieces.extend(flat.module(file, &Children::beside(&library.file), Some(library))?);
            pieces.push(Piece::Made("\n}\n".to_owned()));
        }
        pieces.extend(tail);
    }
    Ok(sources.compose(vec![(tested.file.as_str().into(), pieces)]))
}

/// Cuts the pieces of a file before the first copy of what stands at or behind `start`.
fn cut(pieces: Vec<Piece>, of: usize, start: usize) -> (Vec<Piece>, Vec<Piece>) {
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Copied { file, range } if tail.is_empty() && file == of && range.end > start => {
                let middle = range.start.max(start);
                head.push(Piece::Copied {
                    file,
                    range: range.start..middle,
                });
                tail.push(Piece::Copied {
                    file,
                    range: middle..range.end,
                });
            }
            piece if tail.is_empty() => head.push(piece),
            piece => tail.push(piece),
        }
    }
    (head, tail)
}

/// Where the files of modules are looked for.
#[derive(Clone)]
struct Children {
    /// The folder of the file.
    file: String,
    /// The folder for modules that are declared here.
    modules: String,
}

impl Children {
    /// Of a root file, of `mod.rs`, and of a file that `#[path]` names.
    fn beside(file: &str) -> Self {
        let folder = folder(file).to_owned();
        Children {
            file: folder.clone(),
            modules: folder,
        }
    }

    /// Of any other file.
    fn below(file: &str) -> Self {
        Children {
            file: folder(file).to_owned(),
            modules: file.strip_suffix(".rs").unwrap_or(file).to_owned(),
        }
    }

    /// Of a module with a body.
    fn within(&self, name: &str) -> Self {
        let modules = join(&self.modules, name);
        Children {
            file: modules.clone(),
            modules,
        }
    }
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path below a folder, without `.` and `..`.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if folder.starts_with('/') {
        format!("/{joined}")
    } else {
        joined
    }
}

struct Flat<'s> {
    sources: &'s Sources,
    libraries: &'s [CrateRoot],
}

/// A part of a file that is replaced.
struct Swap {
    range: Range<usize>,
    by: Vec<Piece>,
}

impl Swap {
    fn text(range: Range<usize>, text: impl Into<String>) -> Self {
        Swap {
            range,
            by: vec![Piece::Made(text.into())],
        }
    }
}

/// A module whose text stands in another file.
struct Outside {
    /// The `;` that is replaced.
    semicolon: Range<usize>,
    /// The file, and where its own modules are.
    file: Option<(usize, Children)>,
    /// The whole item.
    item: Range<usize>,
}

impl Flat<'_> {
    fn file(&self, path: &str) -> Option<usize> {
        { self.sources.files.iter() }.position(|file| &*file.path == path)
    }

    /// The text of a file with those of its modules in it. `library` is its crate, if that becomes a
    /// module.
    fn module(
        &self,
        file: usize,
        children: &Children,
        library: Option<&CrateRoot>,
    ) -> Result<Vec<Piece>, NotTokens> {
        let text = &self.sources.files[file].text;
        let (mut swaps, outside) = Tree::with(text, StandIn::Panic, |tree| {
            let mut outside = Vec::new();
            self.outside(tree, &tree.file.items, children, &mut outside);
            (self.swaps(tree, library), outside)
        })?;
        for module in outside {
            match module.file {
                Some((file, children)) => {
                    let mut by = vec![Piece::Made(" {\n".to_owned())];
                    by.extend(self.module(file, &children, library)?);
                    by.push(Piece::Made("\n}".to_owned()));
                    swaps.push(Swap {
                        range: module.semicolon,
                        by,
                    });
                }
                // The compiler did not read it, so it is not for this configuration.
                None => swaps.push(Swap::text(module.item, "")),
            }
        }
        Ok(applied(file, text.len(), swaps))
    }

    fn outside(
        &self,
        tree: &Tree<'_>,
        items: &[Item],
        children: &Children,
        found: &mut Vec<Outside>,
    ) {
        for item in items {
            let Item::Mod(module) = item else { continue };
            let name = module.ident.to_string();
            let name = name.trim_start_matches("r#");
            match (&module.content, &module.semi) {
                (Some((_, items)), _) => {
                    self.outside(tree, items, &children.within(name), found);
                }
                (None, Some(semicolon)) => found.push(Outside {
                    semicolon: tree.range(semicolon),
                    file: self.file_of(module, name, children),
                    item: tree.range(item),
                }),
                (None, None) => {}
            }
        }
    }

    fn file_of(
        &self,
        module: &ItemMod,
        name: &str,
        children: &Children,
    ) -> Option<(usize, Children)> {
        if let Some(path) = module.attrs.iter().find_map(named_path) {
            let path = join(&children.file, &path);
            return Some((self.file(&path)?, Children::beside(&path)));
        }
        let flat = format!("{}.rs", join(&children.modules, name));
        if let Some(file) = self.file(&flat) {
            return Some((file, Children::below(&flat)));
        }
        let deep = join(&children.modules, &format!("{name}/mod.rs"));
        Some((self.file(&deep)?, Children::beside(&deep)))
    }

    /// What has to change in a file besides its modules.
    fn swaps(&self, tree: &Tree<'_>, library: Option<&CrateRoot>) -> Vec<Swap> {
        let mut swaps = Vec::new();
        for item in walk::items(tree) {
            let attributes = attributes(item);
            let is_gone = library.is_some() && attributes.iter().any(is_for_tests)
                || matches!(item, Item::ExternCrate(item) if self.is_library(&item.ident));
            if is_gone {
                swaps.push(Swap::text(tree.range(item), ""));
                continue;
            }
            let unneeded = attributes.iter().filter(|attribute| {
                attribute.path().is_ident("path")
                    || library.is_some() && is_not_for_tests(attribute)
            });
            swaps.extend(unneeded.map(|attribute| Swap::text(tree.range(attribute), "")));
        }
        if library.is_some() {
            // Of the attributes of a crate only lints would make sense, and those are not kept up.
            let inner = inner(&tree.file.attrs);
            swaps.extend(inner.map(|attribute| Swap::text(tree.range(attribute), "")));
        }
        let mut names = Names {
            flat: self,
            tree,
            library,
            swaps: &mut swaps,
        };
        names.stream(tree.tokens.clone());
        if let Some(library) = library.filter(|library| library.is_2015) {
            self.old_imports(tree, library, &mut swaps);
        }
        swaps
    }

    fn is_library(&self, name: &proc_macro2::Ident) -> bool {
        self.libraries.iter().any(|library| name == &library.name)
    }

    /// Imports of what stands at the root of a crate of 2015.
    fn old_imports(&self, tree: &Tree<'_>, library: &CrateRoot, swaps: &mut Vec<Swap>) {
        let Some(root) = self.file(&library.file) else {
            return;
        };
        let at_root = |name: &proc_macro2::Ident| {
            let text = &*self.sources.files[root].text;
            [
                "mod ", "fn ", "struct ", "enum ", "trait ", "type ", "const ", "static ",
            ]
            .iter()
            .any(|keyword| text.contains(&format!("{keyword}{name}")))
        };
        for item in walk::items(tree) {
            let Item::Use(import) = item else { continue };
            let first = match &import.tree {
                syn::UseTree::Path(path) => &path.ident,
                syn::UseTree::Name(name) => &name.ident,
                _ => continue,
            };
            let place = tree.span(first.span()).start;
            let is_special = ["self", "super", "crate"].iter().any(|word| first == word);
            if !is_special && import.leading_colon.is_none() && at_root(first) {
                swaps.push(Swap::text(
                    place..place,
                    format!("crate::{}::", library.name),
                ));
            }
        }
    }
}

/// Names of crates in paths.
struct Names<'n, 's> {
    flat: &'n Flat<'s>,
    tree: &'n Tree<'n>,
    library: Option<&'n CrateRoot>,
    swaps: &'n mut Vec<Swap>,
}

impl Names<'_, '_> {
    fn stream(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (place, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.stream(group.stream()),
                TokenTree::Ident(word) if is_colon(tokens.get(place + 1)) => {
                    let before = place.checked_sub(1).and_then(|place| tokens.get(place));
                    self.word(word, before);
                }
                _ => {}
            }
        }
    }

    /// A word with `::` behind it.
    fn word(&mut self, word: &proc_macro2::Ident, before: Option<&TokenTree>) {
        let place = self.tree.span(word.span());
        if word == "crate" {
            if let Some(library) = self.library {
                let text = format!("::{}", library.name);
                self.swaps.push(Swap::text(place.end..place.end, text));
            }
        } else if self.flat.is_library(word) && !is_colon(before) && !is_dot(before) {
            self.swaps
                .push(Swap::text(place.start..place.start, "crate::"));
        }
    }
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

fn is_dot(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '.' | '$'))
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn inner(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    let is_inner = |attribute: &&Attribute| matches!(attribute.style, syn::AttrStyle::Inner(_));
    attributes.iter().filter(is_inner)
}

/// `#[cfg(test)]`, which holds for the test's own crate alone, and `#[test]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test") || has_condition(attribute, "test")
}

fn is_not_for_tests(attribute: &Attribute) -> bool {
    has_condition(attribute, "not (test)") || has_condition(attribute, "not(test)")
}

fn has_condition(attribute: &Attribute, condition: &str) -> bool {
    attribute.path().is_ident("cfg")
        && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == condition)
}

fn named_path(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(path),
                ..
            }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The pieces of a file with swaps; those within others are dropped.
fn applied(file: usize, len: usize, mut swaps: Vec<Swap>) -> Vec<Piece> {
    swaps.sort_by_key(|swap| (swap.range.start, std::cmp::Reverse(swap.range.end)));
    let mut pieces = Vec::new();
    let mut copied = 0;
    for swap in swaps {
        if swap.range.start < copied {
            continue;
        }
        let range = copied..swap.range.start;
        pieces.push(Piece::Copied { file, range });
        pieces.extend(swap.by);
        copied = swap.range.end;
    }
    pieces.push(Piece::Copied {
        file,
        range: copied..len,
    });
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{Sameness, SourceFile, count_tokens};

    fn sources(files: &[(&str, &str)]) -> Sources {
        let files = files.iter().map(|(path, text)| SourceFile {
            path: (*path).into(),
            text: (*text).into(),
        });
        Sources::new(files.collect(), Sameness::Tokens)
    }

    fn root(name: &str, file: &str) -> CrateRoot {
        CrateRoot {
            name: name.into(),
            file: file.into(),
            is_2015: false,
        }
    }

    fn flat(files: &[(&str, &str)], libraries: &[CrateRoot]) -> String {
        let tested = root("tested", files[0].0);
        let flat = flatten(&sources(files), &tested, libraries).unwrap();
        assert_eq!(flat.files.len(), 1);
        let text = flat.files[0].text.split_whitespace();
        text.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn modules_get_their_text() {
        let files = [
            (
                "src/lib.rs",
                "//! Docs.\nmod a; #[path = \"odd.rs\"] mod b; mod c { mod d; } #[cfg(windows)] mod e;",
            ),
            ("src/a.rs", "pub mod deep; fn a() {}"),
            ("src/a/deep.rs", "fn deep() {}"),
            ("src/odd.rs", "fn odd() {}"),
            ("src/c/d/mod.rs", "fn d() {}"),
        ];
        assert_eq!(
            flat(&files, &[]),
            "//! Docs. mod a { pub mod deep { fn deep() {} } fn a() {} } mod b { fn odd() {} } \
             mod c { mod d { fn d() {} } }"
        );
    }

    #[test]
    fn a_library_becomes_a_module() {
        let files = [
            (
                "tests/t.rs",
                "#![allow(dead_code)]\nuse lib::f; mod m { fn g() { lib::f() } }",
            ),
            (
                "src/lib.rs",
                "#![no_std]\npub fn f() { crate::h::<u8>() } fn h<T>() {} #[cfg(test)] mod tests {}",
            ),
        ];
        assert_eq!(
            flat(&files, &[root("lib", "src/lib.rs")]),
            "#![allow(dead_code)] #[macro_use] pub mod lib { pub fn f() { crate::lib::h::<u8>() } \
             fn h<T>() {} } use crate::lib::f; mod m { fn g() { crate::lib::f() } }"
        );
    }

    #[test]
    fn imports_of_2015_start_at_the_root_of_their_crate() {
        let files = [
            ("tests/t.rs", ""),
            (
                "src/lib.rs",
                "extern crate serde; mod error; use error::E; use serde::S; use std::fmt;",
            ),
            ("src/error.rs", "pub struct E;"),
        ];
        let library = CrateRoot {
            is_2015: true,
            ..root("old", "src/lib.rs")
        };
        let text = flat(&files, &[library]);
        assert!(
            text.contains("use crate::old::error::E; use serde::S; use std::fmt;"),
            "{text}"
        );
    }

    #[test]
    fn places_are_followed_into_the_one_file() {
        let files = [
            ("src/lib.rs", "mod a;\nfn f() {}"),
            ("src/a.rs", "fn a() { b[1] }"),
        ];
        let before = sources(&files);
        let after = flatten(&before, &root("x", "src/lib.rs"), &[]).unwrap();
        let new = after.files[0].text.find("b[1]").unwrap();
        let origin = after.origin(0, new).unwrap();
        assert_eq!((origin.file, origin.offset), (1, 9));
        assert_eq!(count_tokens(&after.files[0].text), 20);
    }
}

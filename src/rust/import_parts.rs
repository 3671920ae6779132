//! Imports name by name: what is imported and gone takes its import along.

use std::ops::Range;

use syn::{Item, UseTree};

use super::{Reduction, Sources, Tree};

/// A name that is imported.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ImportPart {
    /// The place of its file.
    pub(crate) file: usize,
    /// What names it: a path, or the last part of one.
    pub(crate) range: Range<usize>,
    /// What takes it away. Those of one group can be made together.
    pub(crate) removal: Reduction,
    /// The name that it brings in, or that of a trait that it brings in without one; nothing if it is all of a
    /// module.
    pub(crate) name: String,
}

/// All names that are imported.
pub(crate) fn import_parts(sources: &Sources) -> Vec<ImportPart> {
    let mut parts = Vec::new();
    let look = |file, tree: &Tree<'_>| {
        for item in tree.items() {
            let Item::Use(import) = item else { continue };
            add(tree, file, &import.tree, tree.range(item), &mut parts);
        }
    };
    Tree::each(sources, look).for_each(drop);
    parts
}

/// Adds the names of a part of an import, which goes with `whole`.
fn add(
    tree: &Tree<'_>,
    file: usize,
    import: &UseTree,
    whole: Range<usize>,
    found: &mut Vec<ImportPart>,
) {
    let name = match import {
        UseTree::Path(path) => {
            let before = found.len();
            add(tree, file, &path.tree, whole, found);
            // `a::{self}` brings in `a`.
            for part in &mut found[before..] {
                if part.name == "self" {
                    part.name = path.ident.to_string();
                }
            }
            return;
        }
        UseTree::Group(group) => {
            for pair in group.items.pairs() {
                let part = tree.range(*pair.value());
                // A comma that is left behind does no harm, as long as something stands before it.
                let end = pair.punct().map_or(part.end, |comma| tree.range(*comma).end);
                add(tree, file, pair.value(), part.start..end, found);
            }
            return;
        }
        UseTree::Name(name) => name.ident.to_string(),
        UseTree::Rename(rename) if rename.rename == "_" => rename.ident.to_string(),
        UseTree::Rename(rename) => rename.rename.to_string(),
        UseTree::Glob(_) => String::new(),
    };
    found.push(ImportPart { file, range: whole.clone(), removal: Reduction::remove(whole), name });
}

/// Whether an item imports all that is around its module, which may be one at the root of the crate.
pub(crate) fn imports_all_around(item: &Item, is_root: bool) -> bool {
    let Item::Use(import) = item else { return false };
    matches!(&import.tree, UseTree::Path(path)
        if (path.ident == "super" || is_root && path.ident == "crate") && matches!(&*path.tree, UseTree::Glob(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;
    use crate::rust::testing::sources_of;

    #[test]
    fn each_name_goes_alone_or_with_others() {
        let text = "use a::{b, c::{self, e as f}, g}; use h::i as _;";
        let parts = import_parts(&sources_of(text));
        let names: Vec<&str> = parts.iter().map(|part| &*part.name).collect();
        assert_eq!(names, ["b", "c", "f", "g", "i"]);
        let without = |gone: &[usize]| apply(text, gone.iter().map(|part| &parts[*part].removal));
        assert_eq!(without(&[0, 2]), "use a::{ c::{self, }, g}; use h::i as _;");
        assert_eq!(without(&[1, 2, 3, 4]), "use a::{b, c::{ }, }; ");
    }
}

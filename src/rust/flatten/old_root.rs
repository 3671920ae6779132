//! What stands at the root of a crate of 2015: there, imports start at the root, and so do paths with `::` in front.

use std::collections::BTreeSet;

use syn::{Item, UseTree};

use super::flat::{CrateRoot, Flat};
use super::pieces::Swap;
use crate::rust::{Tree, scan};

/// What introduces the name of an item.
const KEYWORDS: [&str; 9] =
    ["mod", "fn", "struct", "enum", "union", "trait", "type", "const", "static"];

/// Crates that need no `extern crate`.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

/// The root of a crate of 2015.
pub(crate) struct OldRoot {
    /// What leads to it in the one file.
    path: String,
    /// What stands there.
    names: BTreeSet<String>,
    /// The external crates, where more stands there than `names`: what an import with `*` brings.
    crates: Option<BTreeSet<String>>,
}

impl OldRoot {
    /// The root of a library, or of the crate of the test, if that is of 2015.
    pub(crate) fn of(flat: &Flat<'_>, library: Option<&CrateRoot>) -> Option<Self> {
        let krate = library.unwrap_or(flat.tested);
        let text = flat.text(&krate.file).filter(|_| krate.is_2015)?;
        let path = library.map_or("crate".to_owned(), |library| format!("crate::{}", library.name));
        Some(OldRoot { path, names: names_at_root(text), crates: crates_if_open(text) })
    }

    /// What leads to a name, if that stands at the root.
    pub(crate) fn path_to(&self, name: &proc_macro2::Ident) -> Option<&str> {
        let name = name.to_string();
        let is_brought =
            |crates: &BTreeSet<String>| !crates.contains(&name) && !STANDARD.contains(&&*name);
        (self.names.contains(&name) || self.crates.as_ref().is_some_and(is_brought))
            .then_some(&*self.path)
    }

    /// The imports of a file that start there.
    pub(crate) fn imports(&self, tree: &Tree<'_>) -> Vec<Swap> {
        let mut swaps = Vec::new();
        for item in tree.items() {
            let Item::Use(import) = item else { continue };
            if let Some(sign) = import.leading_colon {
                // In front of a name it is the start of a path like others.
                if !matches!(import.tree, UseTree::Group(_)) {
                    continue;
                }
                let signs = tree.span(sign.spans[0]).start..tree.span(sign.spans[1]).end;
                swaps.push(Swap::text(signs, ""));
            }
            for first in first_names(&import.tree) {
                let is_special = ["self", "super", "crate"].iter().any(|word| first == word);
                if let Some(path) = self.path_to(first).filter(|_| !is_special) {
                    let place = tree.span(first.span()).start;
                    swaps.push(Swap::text(place..place, format!("{path}::")));
                }
            }
        }
        swaps
    }
}

/// The names with which the paths of an import begin.
fn first_names(tree: &UseTree) -> Vec<&proc_macro2::Ident> {
    match tree {
        UseTree::Path(path) => vec![&path.ident],
        UseTree::Name(name) => vec![&name.ident],
        UseTree::Rename(renamed) => vec![&renamed.ident],
        UseTree::Group(group) => group.items.iter().flat_map(first_names).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

/// The names of items, and those that imports bind, but for what stands in the modules of the file.
fn names_at_root(text: &str) -> BTreeSet<String> {
    let tokens: Vec<&str> = scan::tokens(text).map(|token| token.text).collect();
    let at = |place: usize| tokens.get(place).copied().unwrap_or_default();
    let mut is_import = false;
    let mut names = BTreeSet::new();
    let mut place = 0;
    while place < tokens.len() {
        let before = place.checked_sub(1).map_or("", at);
        match at(place) {
            "use" => is_import = true,
            ";" => is_import = false,
            name if is_import && name != "}" && matches!(at(place + 1), "," | "}" | ";") => {
                names.insert(name.to_owned());
            }
            name if KEYWORDS.contains(&before) => {
                names.insert(name.to_owned());
                if before == "mod" && at(place + 1) == "{" {
                    place = end_of_group(&tokens, place + 1);
                }
            }
            _ => {}
        }
        place += 1;
    }
    names
}

/// The external crates that a root names, if it has imports with `*`.
fn crates_if_open(text: &str) -> Option<BTreeSet<String>> {
    let tokens: Vec<&str> = scan::tokens(text).map(|token| token.text).collect();
    let is_open = tokens.windows(3).any(|three| three == [":", "*", ";"]);
    let named = tokens.split(|token| *token == ";").filter_map(|item| {
        let start = item.windows(2).position(|two| two == ["extern", "crate"])?;
        item.last().filter(|_| start + 2 < item.len())
    });
    is_open.then(|| named.map(|name| (*name).to_owned()).collect())
}

/// The place of what closes the brace at `open`, or the end.
fn end_of_group(tokens: &[&str], open: usize) -> usize {
    let mut depth = 0;
    let closes = tokens[open..].iter().position(|token| {
        match *token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    closes.map_or(tokens.len(), |closes| open + closes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_crate_comes_with_an_import_of_all() {
        let text = "#[macro_use] extern crate rand as time; mod draft; pub use draft::*; fn f() -> u8 { 1 * 2 }";
        let crates = crates_if_open(text).unwrap();
        assert_eq!(crates.into_iter().collect::<Vec<_>>(), ["time"]);
        assert_eq!(crates_if_open("extern crate time; fn f(a: *const u8) {}"), None);
    }

    #[test]
    fn what_stands_in_a_module_does_not_stand_at_the_root() {
        let text = "use core::cmp::{Ordering, Eq as E}; mod convert { use core; fn f() { mod g {} } } \
                    cfg! { struct S; } pub mod tests; fn main() {}";
        let names = names_at_root(text);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(names, ["E", "Ordering", "S", "convert", "main", "tests"]);
    }
}

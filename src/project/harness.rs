//! What only the manifest says of test targets: cargo's metadata leaves it out.

use camino::Utf8Path;
use toml_edit::{DocumentMut, Table};

use super::TargetChoice;

/// Whether the manifest says `harness = false` of that target.
pub fn has_own_harness(manifest_path: &Utf8Path, target: &TargetChoice) -> bool {
    read(manifest_path).is_some_and(|document| says_so(&document, target))
}

/// Whether cargo takes every file in the package's `tests` folder for a test.
pub fn finds_tests(manifest_path: &Utf8Path) -> bool {
    let document = read(manifest_path);
    let package = document.as_ref().and_then(|document| document.get("package"));
    let autotests = package.and_then(|package| package.get("autotests"));
    autotests.and_then(toml_edit::Item::as_bool).unwrap_or(true)
}

fn read(manifest_path: &Utf8Path) -> Option<DocumentMut> {
    std::fs::read_to_string(manifest_path).ok()?.parse().ok()
}

fn says_so(document: &DocumentMut, target: &TargetChoice) -> bool {
    let key = target.kind.name();
    let own =
        |table: &Table| table.get("harness").and_then(toml_edit::Item::as_bool) == Some(false);
    let Some(name) = &target.name else {
        return document.get(key).and_then(toml_edit::Item::as_table).is_some_and(own);
    };
    let tables = document.get(key).and_then(toml_edit::Item::as_array_of_tables);
    let named = |table: &&Table| table.get("name").and_then(toml_edit::Item::as_str) == Some(name);
    tables.is_some_and(|tables| tables.iter().filter(named).any(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::TargetKind;

    #[test]
    fn only_the_target_that_says_so_has_its_own_harness() {
        let manifest = "[lib]\nharness = false\n[[test]]\nname = \"own\"\nharness = false\n\
                        [[test]]\nname = \"usual\"\n[[bin]]\nname = \"own\"\n";
        let document: DocumentMut = manifest.parse().unwrap();
        let says = |kind, name: Option<&str>| {
            let name = name.map(str::to_owned);
            says_so(&document, &TargetChoice { kind, name })
        };
        assert!(says(TargetKind::Lib, None));
        assert!(says(TargetKind::Test, Some("own")));
        assert!(!says(TargetKind::Test, Some("usual")));
        assert!(!says(TargetKind::Bin, Some("own")));
        assert!(!says(TargetKind::Doc, None));
    }
}

//! The features of a package whose crates have become one file.

use std::collections::BTreeSet;

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, TomlError};

use super::manifest::FlatParts;

const DEFAULT: &str = "default";

/// Turns the features on that the sources ask for, or that turn on features of dependencies, and leaves
/// the others out.
///
/// # Errors
/// When a manifest is no TOML.
pub fn activate(document: &mut DocumentMut, parts: &FlatParts<'_>) -> Result<(), TomlError> {
    let texts = std::iter::once(parts.tested).chain(parts.libraries.iter().map(String::as_str));
    let manifests: Result<Vec<DocumentMut>, TomlError> = texts.map(str::parse).collect();
    let manifests = manifests?;
    document.remove("features");
    let mut features = Table::new();
    let mut default = asked_of_dependencies(document, &manifests, DEFAULT);
    for name in parts.features.iter().filter(|name| *name != DEFAULT) {
        let asked = asked_of_dependencies(document, &manifests, name);
        if asked.is_empty() && !(parts.names_feature)(name) {
            continue;
        }
        features.insert(name, list(&asked));
        default.insert(name.clone());
    }
    if !default.is_empty() {
        let mut all = Table::new();
        all.insert(DEFAULT, list(&default));
        all.extend(features);
        document.insert("features", Item::Table(all));
    }
    Ok(())
}

fn list(names: &BTreeSet<String>) -> Item {
    toml_edit::value(names.iter().map(String::as_str).collect::<Array>())
}

/// What a feature turns on in dependencies that `document` has. None of them is optional any more.
fn asked_of_dependencies(
    document: &DocumentMut,
    manifests: &[DocumentMut],
    feature: &str,
) -> BTreeSet<String> {
    let has = |name: &str| {
        let lists = ["dependencies", "dev-dependencies"].map(|kind| document.get(kind));
        let mut lists = lists.into_iter().flatten();
        lists.any(|list| list.get(name).is_some())
    };
    let parts = manifests.iter().filter_map(|manifest| {
        let features = manifest.get("features").and_then(Item::as_table_like)?;
        TableLike::get(features, feature)?.as_array()
    });
    let asked = parts.flat_map(Array::iter).filter_map(|part| {
        let (dependency, feature) = part.as_str()?.split_once('/')?;
        let dependency = dependency.trim_end_matches('?');
        has(dependency).then(|| format!("{dependency}/{feature}"))
    });
    asked.collect()
}

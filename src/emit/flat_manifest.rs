//! The manifest of a package whose crates have become one file.

use camino::Utf8Path;
use toml_edit::{DocumentMut, Item, Table, TableLike, TomlError};

use super::flat_features::activate;
use super::inherited::{inherit, merged, write_out_inherited};
use super::local_paths::{each_list, local_packages};
use super::manifest::FlatParts;
use super::manifest::pruned;
use super::tables::{retain, table};

/// What cargo takes a package for that does not tell its edition.
const OLDEST: &str = "2015";
const SHARED: [&str; 3] = ["profile", "patch", "replace"];

/// The manifest of one package, a workspace of its own, with the dependencies of all packages that are
/// still named.
///
/// # Errors
/// When one of the texts is no TOML.
pub fn flat(parts: &FlatParts<'_>) -> Result<String, TomlError> {
    let root: DocumentMut = parts.root.parse()?;
    let inherited = root.get("workspace").and_then(Item::as_table_like);
    let mut document: DocumentMut = pruned(parts.tested, &parts.kept)?.parse()?;
    if let Some(library) = table(document.as_table_mut(), "lib") {
        retain(library, |key, _| !["path", "crate-type"].contains(&key));
    }
    for kind in ["test", "bin", "example"] {
        let targets = document.get_mut(kind).and_then(Item::as_array_of_tables_mut);
        for target in targets.into_iter().flat_map(|targets| targets.iter_mut()) {
            retain(target, |key, _| !["path", "required-features"].contains(&key));
        }
    }
    if let Some(package) = table(document.as_table_mut(), "package") {
        inherit(package, inherited.and_then(|table| table.get("package")));
        if let Some(edition) = parts.edition.filter(|edition| *edition != OLDEST) {
            package.insert("edition", toml_edit::value(edition));
        }
    }
    let shared = inherited.and_then(|table| table.get("dependencies"));
    let shared = shared.and_then(Item::as_table_like);
    resolve(document.as_table_mut(), shared);
    for text in parts.libraries {
        let mut library: DocumentMut = text.parse()?;
        resolve(library.as_table_mut(), shared);
        add_dependencies(&mut document, library.as_table(), parts.kept.names_crate);
    }
    if let Some(script) = parts.script {
        add_script(&mut document, &script.parse()?);
    }
    // What build scripts need may be inherited, too.
    resolve(document.as_table_mut(), shared);
    activate(&mut document, parts)?;
    let has_local =
        !local_packages(&document.to_string(), Utf8Path::new(""), parts.root)?.is_empty();
    if root.contains_key("workspace") {
        for key in SHARED.iter().filter(|key| root.contains_key(key)) {
            document.insert(key, root[key].clone());
        }
    }
    drop_local_patches(&mut document);
    document.insert("workspace", Item::Table(workspace(inherited.filter(|_| has_local))));
    Ok(document.to_string())
}

/// What packages that are kept as they are inherit.
fn workspace(inherited: Option<&dyn TableLike>) -> Table {
    let mut workspace = Table::new();
    for key in ["package", "dependencies", "lints"] {
        if let Some(item) = inherited.and_then(|table| table.get(key)) {
            workspace.insert(key, item.clone());
        }
    }
    workspace
}

/// The build script, and what it needs.
fn add_script(document: &mut DocumentMut, of: &DocumentMut) {
    if let Some(package) = table(document.as_table_mut(), "package") {
        for key in ["build", "links"] {
            if let Some(item) = of.get("package").and_then(|package| package.get(key)) {
                package.insert(key, item.clone());
            }
        }
    }
    if let Some(dependencies) = of.get("build-dependencies") {
        document.insert("build-dependencies", dependencies.clone());
    }
}

/// Patches with packages of the same workspace lead nowhere in another folder; those are modules now.
fn drop_local_patches(document: &mut DocumentMut) {
    let Some(patch) = table(document.as_table_mut(), "patch") else { return };
    for (_, registry) in patch.iter_mut() {
        if let Some(packages) = registry.as_table_like_mut() {
            let path = |item: &Item| item.get("path")?.as_str().map(str::to_owned);
            retain(packages, |_, item| path(item).is_none_or(|path| path.starts_with('/')));
        }
    }
    retain(patch, |_, registry| !registry.as_table_like().is_some_and(TableLike::is_empty));
    if patch.is_empty() {
        document.remove("patch");
    }
}

/// Adds the dependencies of a library that are named and not there yet, those for single platforms too.
fn add_dependencies(
    document: &mut Table,
    library: &dyn TableLike,
    names_crate: &dyn Fn(&str) -> bool,
) {
    let platforms = library.get("target").and_then(Item::as_table_like);
    for (platform, item) in platforms.into_iter().flat_map(TableLike::iter) {
        let list = item.get("dependencies").and_then(Item::as_table_like);
        let has_named = list.is_some_and(|list| {
            let mut names = list.iter().map(|(key, _)| key.replace('-', "_"));
            names.any(|name| names_crate(&name))
        });
        let target = table_in(document, "target").filter(|_| has_named);
        if let Some(own) = target.and_then(|target| table_in(target, platform)) {
            add_named(own, list, names_crate);
        }
    }
    add_named(document, library.get("dependencies").and_then(Item::as_table_like), names_crate);
}

fn add_named(
    table: &mut dyn TableLike,
    more: Option<&dyn TableLike>,
    names_crate: &dyn Fn(&str) -> bool,
) {
    let more = more.into_iter().flat_map(TableLike::iter);
    let named = more.filter(|(key, _)| names_crate(&key.replace('-', "_")));
    for (key, item) in named {
        let Some(own) = table_in(table, "dependencies") else { return };
        let needed = match own.get(key) {
            Some(known) => shared_by_both(known, item),
            None => item.clone(),
        };
        own.insert(key, needed);
    }
}

const DEFAULT_FEATURES: [&str; 2] = ["default-features", "default_features"];

/// A dependency as one package has it, with what another one needs of it besides.
fn shared_by_both(known: &Item, other: &Item) -> Item {
    let has_defaults = |item: &Item| {
        let mut keys = DEFAULT_FEATURES.iter();
        keys.find_map(|key| item.get(key)?.as_bool()) != Some(false)
    };
    let mut both = merged(known, other);
    if (has_defaults(known) || has_defaults(other))
        && let Some(table) = both.as_table_like_mut()
    {
        retain(table, |key, _| !DEFAULT_FEATURES.contains(&key));
    }
    both
}

/// The table of that name, made if need be.
fn table_in<'t>(table: &'t mut dyn TableLike, key: &str) -> Option<&'t mut dyn TableLike> {
    let item = table.entry(key).or_insert_with(|| {
        let mut made = Table::new();
        made.set_implicit(true);
        Item::Table(made)
    });
    item.as_table_like_mut()
}

/// Writes out dependencies that are inherited, and makes all of them needed: whether a feature asked for
/// them does not matter any more.
fn resolve(document: &mut Table, shared: Option<&dyn TableLike>) {
    write_out_inherited(document, shared);
    each_list(document, &mut |own| {
        for (_, item) in own.iter_mut() {
            if let Some(dependency) = item.as_table_like_mut() {
                dependency.remove("optional");
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::emit::manifest::KeptParts;

    #[test]
    fn one_package_has_what_several_had() {
        let tested = "[package]\nname = \"app\"\nversion.workspace = true\nedition.workspace = true\n\n\
            [dependencies]\nlib = { path = \"../lib\" }\nserde = { workspace = true, features = [\"derive\"] }\n";
        let library = "[package]\nname = \"lib\"\n\n[features]\nfast = [\"dep:log\"]\n\n\
            [dependencies]\nlog = { version = \"0.4\", optional = true }\nunused = \"1\"\nbase64 = \"0.1\"\n";
        let other = "[package]\nname = \"other\"\n\n[dependencies]\nbase64.workspace = true\n";
        let root = "[workspace]\nmembers = [\"*\"]\n\n[workspace.package]\nedition = \"2021\"\nversion = \"1.2.3\"\n\n\
            [workspace.dependencies]\nserde = { version = \"1\", default-features = false }\n\
            base64 = { version = \"0.1\", features = [\"std\"] }\n\n\
            [profile.dev]\nopt-level = 1\n";
        let parts = FlatParts {
            tested,
            libraries: &[library.to_owned(), other.to_owned()],
            root,
            kept: KeptParts {
                names_crate: &|name| ["serde", "log", "base64"].contains(&name),
                has_library: true,
                target: None,
                has_build_script: false,
            },
            script: None,
            features: &BTreeSet::from(["default".to_owned(), "fast".to_owned()]),
            names_feature: &|name| name == "fast",
            edition: Some("2018"),
        };
        let flat: toml_edit::DocumentMut = flat(&parts).unwrap().parse().unwrap();
        assert_eq!(flat["package"]["version"].as_str(), Some("1.2.3"));
        assert_eq!(flat["package"]["edition"].as_str(), Some("2018"));
        let dependencies = flat["dependencies"].as_table().unwrap();
        let names: Vec<&str> = dependencies.iter().map(|(key, _)| key).collect();
        assert_eq!(names, ["serde", "log", "base64"]);
        assert!(dependencies["base64"].to_string().contains("[\"std\"]"));
        let serde = dependencies["serde"].to_string();
        assert!(serde.contains("version = \"1\"") && serde.contains("\"derive\""), "{serde}");
        assert!(!dependencies["log"].to_string().contains("optional"));
        assert_eq!(flat["features"]["default"].to_string().trim(), "[\"fast\"]");
        assert_eq!(flat["profile"]["dev"]["opt-level"].as_integer(), Some(1));
        assert!(flat.contains_key("workspace"));
    }

    #[test]
    fn a_dependency_of_two_packages_has_the_features_of_both() {
        let item = |text: &str| -> Item {
            let document: DocumentMut = format!("x = {text}").parse().unwrap();
            document["x"].clone()
        };
        let both = |one: &str, other: &str| {
            let both = shared_by_both(&item(one), &item(other));
            both.to_string().replace(' ', "")
        };
        assert_eq!(
            both(
                "\"1\"",
                "{ version = \"1.0.2\", features = [\"derive\"], default-features = false }"
            ),
            "{version=\"1\",features=[\"derive\"]}"
        );
        let bare = "{ version = \"1\", default-features = false, features = [\"b\", \"a\"] }";
        assert_eq!(
            both(bare, bare),
            "{version=\"1\",default-features=false,features=[\"a\",\"b\"]}"
        );
    }
}

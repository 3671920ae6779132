//! Local packages that a manifest depends on, and lints that are allowed.

use std::collections::BTreeSet;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use toml_edit::{DocumentMut, Item, Table, TableLike, TomlError, Value};

use super::tables::table;

/// The tables of a manifest that list dependencies.
const DEPENDENCIES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// The manifest with all paths of dependencies taken from `folder`, where it stood, to the root.
///
/// # Errors
/// When the text is no TOML.
pub fn rebased(text: &str, folder: &Utf8Path) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    each_list(document.as_table_mut(), &mut |list| {
        for (_, item) in list.iter_mut() {
            let Some(dependency) = item.as_table_like_mut() else { continue };
            if let Some(path) = dependency.get("path").and_then(Item::as_str) {
                let path = joined(folder, path);
                dependency.insert("path", toml_edit::value(path.as_str()));
            }
        }
    });
    Ok(document.to_string())
}

/// The folders of the local packages that a manifest in `folder` names as dependencies, by their own
/// paths or by those that the `root` of the workspace gives.
///
/// # Errors
/// When a text is no TOML.
pub fn local_packages(
    text: &str,
    folder: &Utf8Path,
    root: &str,
) -> Result<BTreeSet<Utf8PathBuf>, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let root: DocumentMut = root.parse()?;
    let shared = root.get("workspace").and_then(|workspace| workspace.get("dependencies"));
    let mut found = BTreeSet::new();
    each_list(document.as_table_mut(), &mut |list| {
        for (name, item) in list.iter() {
            let is_shared = item.get("workspace").and_then(Item::as_bool) == Some(true);
            let (item, folder) = if is_shared {
                let meaning = shared.and_then(|shared| shared.get(name));
                (meaning, Utf8Path::new(""))
            } else {
                (Some(item), folder)
            };
            let path = item.and_then(|item| item.get("path")?.as_str());
            found.extend(path.map(|path| joined(folder, path)));
        }
    });
    Ok(found)
}

/// The manifest with nothing said of these lints, instead of what it says of lints.
///
/// # Errors
/// When the text is no TOML.
pub fn allowing(text: &str, lints: &BTreeSet<String>) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let allowed = lints.iter().map(|lint| (lint.as_str(), Value::from("allow")));
    let mut rust = Table::new();
    rust.extend(allowed);
    let mut all = Table::new();
    all.set_implicit(true);
    all.insert("rust", Item::Table(rust));
    document.insert("lints", Item::Table(all));
    Ok(document.to_string())
}

/// The manifest with warnings of all lints that it makes errors, for its package and for its workspace.
///
/// # Errors
/// When the text is no TOML.
pub fn with_lints_as_warnings(text: &str) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let workspace = document.get_mut("workspace").and_then(|it| it.get_mut("lints"));
    workspace.map(as_warnings);
    document.get_mut("lints").map(as_warnings);
    Ok(document.to_string())
}

/// The manifest with what another one says of lints, where it says anything of them.
///
/// # Errors
/// When a text is no TOML.
pub fn with_lints_of(text: &str, other: &str) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let mut other: DocumentMut = other.parse()?;
    if let Some(lints) = other.remove("lints") {
        document.insert("lints", lints);
    }
    let workspace = other.get_mut("workspace").and_then(Item::as_table_like_mut);
    if let Some(lints) = workspace.and_then(|it| it.remove("lints"))
        && let Some(workspace) = document.get_mut("workspace").and_then(Item::as_table_like_mut)
    {
        workspace.insert("lints", lints);
    }
    Ok(document.to_string())
}

fn as_warnings(lints: &mut Item) {
    let tools = lints.as_table_like_mut().into_iter().flat_map(TableLike::iter_mut);
    let all = tools.filter_map(|(_, tool)| tool.as_table_like_mut());
    for (_, lint) in all.flat_map(TableLike::iter_mut) {
        let level = if lint.is_str() { Some(lint) } else { lint.get_mut("level") };
        if let Some(level) = level.filter(|it| matches!(it.as_str(), Some("deny" | "forbid"))) {
            *level = toml_edit::value("warn");
        }
    }
}

/// The manifest of a package whose library is not tested by itself.
///
/// # Errors
/// When the text is no TOML.
pub fn without_unit_tests(text: &str) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let library = document.entry("lib").or_insert(Item::Table(Table::new()));
    if let Some(library) = library.as_table_like_mut() {
        library.insert("test", Item::Value(Value::from(false)));
    }
    Ok(document.to_string())
}

/// All lists of dependencies, those for single platforms too.
pub(super) fn each_list(document: &mut Table, visit: &mut dyn FnMut(&mut dyn TableLike)) {
    let mut visit_in = |package: &mut dyn TableLike| {
        for kind in DEPENDENCIES {
            table(package, kind).into_iter().for_each(&mut *visit);
        }
    };
    visit_in(document);
    let platforms = table(document, "target");
    for (_, platform) in platforms.into_iter().flat_map(TableLike::iter_mut) {
        if let Some(platform) = platform.as_table_like_mut() {
            visit_in(platform);
        }
    }
}

/// A path as seen from the folder above, without `.` and `..`; an absolute one stays.
fn joined(folder: &Utf8Path, path: &str) -> Utf8PathBuf {
    let mut parts = Utf8PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir if parts.file_name().is_some() => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[dependencies]\nshared = { workspace = true }\nserde = \"1\"\n\n\
        [target.'cfg(unix)'.build-dependencies]\nmaker = { path = \"../maker\" }\n";
    const ROOT: &str = "[workspace.dependencies]\nshared = { path = \"crates/shared\" }\n";

    #[test]
    fn local_packages_are_found_by_own_and_by_shared_paths() {
        let found = local_packages(TEXT, "crates/app".into(), ROOT).unwrap();
        let found: Vec<&Utf8Path> = found.iter().map(Utf8PathBuf::as_path).collect();
        assert_eq!(found, ["crates/maker", "crates/shared"]);
    }

    #[test]
    fn paths_are_taken_to_the_root() {
        let text = rebased(TEXT, "crates/app".into()).unwrap();
        assert!(text.contains("path = \"crates/maker\""), "{text}");
    }

    #[test]
    fn lints_that_are_errors_become_warnings_however_they_are_written() {
        let text = "[workspace.lints.rust]\na = \"forbid\"\n\n[lints.rust.idioms]\nlevel = \"deny\"\npriority = 0\n\n\
                    [lints.clippy]\nall = { level = \"deny\", priority = -1 }\nb = \"allow\"\n";
        let expected = text.replace("forbid", "warn").replace("deny", "warn");
        assert_eq!(with_lints_as_warnings(text).unwrap(), expected);
        assert_eq!(with_lints_of(&expected, text).unwrap(), text);
    }

    #[test]
    fn lints_are_allowed_instead_of_what_was_said_of_them() {
        let text = "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n";
        let lints = BTreeSet::from(["dead_code".to_owned()]);
        assert_eq!(
            allowing(text, &lints).unwrap(),
            "[package]\nname = \"a\"\n\n[lints.rust]\ndead_code = \"allow\"\n"
        );
    }
}

//! Manifests with only what a reduced package still needs.

use std::collections::BTreeSet;

use toml_edit::{Array, DocumentMut, Item, TableLike, TomlError};

use super::inherited::{inherit, write_out_inherited};
use super::tables::{retain, table};

/// What of a package is kept.
pub struct KeptParts<'a> {
    /// Whether its sources name a crate.
    pub names_crate: &'a dyn Fn(&str) -> bool,
    /// Whether its library is kept.
    pub has_library: bool,
    /// The kind (`test`, `bin`, …) and the name of the other target that is kept.
    pub target: Option<(&'a str, &'a str)>,
    /// Whether its build script is kept.
    pub has_build_script: bool,
}

/// What the manifest is made of.
pub struct FlatParts<'a> {
    /// The manifest of the tested package.
    pub tested: &'a str,
    /// The manifests of the packages whose libraries are modules now.
    pub libraries: &'a [String],
    /// The manifest of the root of their workspace.
    pub root: &'a str,
    /// What of the tested package is kept. Libraries that are modules now do not count as named.
    pub kept: KeptParts<'a>,
    /// The manifest of the package whose build script is kept.
    pub script: Option<&'a str>,
    /// The features that code was compiled with.
    pub features: &'a BTreeSet<String>,
    /// Whether the sources ask for that feature.
    pub names_feature: &'a dyn Fn(&str) -> bool,
    /// The edition of the one file.
    pub edition: Option<&'a str>,
}

/// What says something about a package that its tests do not depend on.
const PROSE: [&str; 14] = [
    "authors", "categories", "default-run", "description", "documentation", "exclude", "homepage",
    "include", "keywords", "license", "license-file", "metadata", "readme", "repository",
];
/// The same in tables of their own.
const BESIDE: [&str; 2] = ["badges", "lints"];
const DEPENDENCIES: [&str; 2] = ["dependencies", "dev-dependencies"];
const TARGETS: [&str; 4] = ["bin", "example", "test", "bench"];

/// The manifest of a package without what is not kept.
///
/// # Errors
/// When the text is no TOML.
pub fn pruned(text: &str, kept: &KeptParts<'_>) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    if let Some(package) = table(document.as_table_mut(), "package") {
        retain(package, |key, _| !PROSE.contains(&key));
        if !kept.has_build_script {
            package.remove("build");
            package.remove("links");
        }
    }
    for key in BESIDE {
        document.remove(key);
    }
    prune_targets(&mut document, kept);
    let mut gone = BTreeSet::new();
    prune_dependencies(document.as_table_mut(), kept, &mut gone);
    if let Some(platforms) = table(document.as_table_mut(), "target") {
        for (_, platform) in platforms.iter_mut() {
            if let Some(platform) = platform.as_table_like_mut() {
                prune_dependencies(platform, kept, &mut gone);
            }
        }
    }
    if let Some(features) = table(document.as_table_mut(), "features") {
        prune_features(features, &gone);
    }
    Ok(document.to_string())
}

/// The manifest of a member of a workspace, also if it was the root of another one: without what counts in the root alone, and
/// with the edition that cargo would assume with a warning.
///
/// # Errors
/// When the text is no TOML.
pub fn as_member(text: &str) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    for key in ["profile", "patch", "replace"] {
        document.remove(key);
    }
    if let Some(own) = document.remove("workspace") {
        let shared = own.get("dependencies").and_then(Item::as_table_like);
        write_out_inherited(document.as_table_mut(), shared);
        if let Some(package) = table(document.as_table_mut(), "package") {
            inherit(package, own.get("package"));
        }
    }
    let package = table(document.as_table_mut(), "package");
    if let Some(package) = package.filter(|package| !package.contains_key("edition")) {
        package.insert("edition", toml_edit::value("2015"));
    }
    Ok(document.to_string())
}

/// Where the build script of a package stands, or would stand.
///
/// # Errors
/// When the text is no TOML.
pub fn build_script(text: &str) -> Result<String, TomlError> {
    let document: DocumentMut = text.parse()?;
    let package = document.get("package");
    let named = package.and_then(|package| package.get("build")?.as_str());
    Ok(named.unwrap_or("build.rs").to_owned())
}

/// The manifest of a workspace's root with just these members.
///
/// # Errors
/// When the text is no TOML.
pub fn with_members<'a>(
    text: &str,
    members: impl IntoIterator<Item = &'a str>,
) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let workspace = document.entry("workspace").or_insert(toml_edit::table());
    if let Some(workspace) = workspace.as_table_like_mut() {
        for key in ["default-members", "exclude", "metadata"] {
            workspace.remove(key);
        }
        let members: Array = members.into_iter().collect();
        if members.is_empty() {
            workspace.remove("members");
        } else {
            workspace.insert("members", toml_edit::value(members));
        }
    }
    Ok(document.to_string())
}

fn prune_targets(document: &mut DocumentMut, kept: &KeptParts<'_>) {
    if !kept.has_library {
        document.remove("lib");
    }
    for kind in TARGETS {
        let Some(targets) = document.get_mut(kind).and_then(Item::as_array_of_tables_mut) else {
            continue;
        };
        targets.retain(|target| {
            let name = target.get("name").and_then(Item::as_str);
            name.is_some_and(|name| kept.target == Some((kind, name)))
        });
        if targets.is_empty() {
            document.remove(kind);
        }
    }
}

fn prune_dependencies(
    package: &mut dyn TableLike,
    kept: &KeptParts<'_>,
    gone: &mut BTreeSet<String>,
) {
    for kind in DEPENDENCIES {
        let Some(dependencies) = table(package, kind) else { continue };
        let is_kept = |key: &str, _: &Item| (kept.names_crate)(&key.replace('-', "_"));
        gone.extend(retain(dependencies, is_kept));
        if dependencies.is_empty() {
            package.remove(kind);
        }
    }
    if !kept.has_build_script {
        package.remove("build-dependencies");
    }
}

/// Takes out what features say of dependencies that are gone: `dep:a`, `a`, `a/b`, `a?/b`.
fn prune_features(features: &mut dyn TableLike, gone: &BTreeSet<String>) {
    let names: BTreeSet<String> = features.iter().map(|(key, _)| key.to_owned()).collect();
    for (_, parts) in features.iter_mut() {
        let Some(parts) = parts.as_array_mut() else { continue };
        parts.retain(|part| {
            let part = part.as_str().unwrap_or_default();
            let named = part.split(['/', '?']).next().unwrap_or(part);
            let dependency = named.strip_prefix("dep:").unwrap_or(named);
            !gone.contains(dependency) || (named == part && names.contains(named))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
[package]
name = "app"
version = "1.0.0"
license = "MIT"
build = "build.rs"

[features]
default = ["fast", "log"]
fast = ["dep:rayon", "serde/derive"]

[dependencies]
rayon = { version = "1", optional = true }
serde = "1"
log = { version = "0.4", optional = true }

[build-dependencies]
cc = "1"

[target.'cfg(unix)'.dependencies]
libc = "0.2"

[[test]]
name = "kept"
harness = false

[[test]]
name = "other"

[[bench]]
name = "speed"

[badges]
maintenance = { status = "none" }

[lints]
workspace = true
"#;

    #[test]
    fn what_is_not_named_goes_with_all_that_speaks_of_it() {
        let kept = KeptParts {
            names_crate: &|name| name == "serde",
            has_library: true,
            target: Some(("test", "kept")),
            has_build_script: false,
        };
        let expected = r#"
[package]
name = "app"
version = "1.0.0"

[features]
default = ["fast"]
fast = [ "serde/derive"]

[dependencies]
serde = "1"

[[test]]
name = "kept"
harness = false
"#;
        assert_eq!(pruned(TEXT, &kept).unwrap(), expected);
    }

    #[test]
    fn a_workspace_gets_just_the_members_that_are_kept() {
        let text = "[workspace]\nmembers = [\"*\"]\nexclude = [\"x\"]\nresolver = \"2\"\n";
        assert_eq!(
            with_members(text, ["a", "b"]).unwrap(),
            "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n"
        );
        assert_eq!(with_members("[package]\n", []).unwrap(), "[package]\n\n[workspace]\n");
    }

    #[test]
    fn the_example_of_pruned_holds() -> Result<(), Box<dyn std::error::Error>> {
        let text = "[package]\nname = \"a\"\nlicense = \"MIT\"\n\n[dependencies]\nlog = \"0.4\"\nserde = \"1\"\n";
        let kept = KeptParts {
            names_crate: &|name| name == "serde",
            has_library: true,
            target: None,
            has_build_script: false,
        };
        assert_eq!(
            pruned(text, &kept)?,
            "[package]\nname = \"a\"\n\n[dependencies]\nserde = \"1\"\n"
        );
        Ok(())
    }

    #[test]
    fn the_example_of_as_member_holds() -> Result<(), Box<dyn std::error::Error>> {
        let text = "[package]\nname = \"a\"\n\n[profile.dev]\nopt-level = 1\n";
        assert_eq!(as_member(text)?, "[package]\nname = \"a\"\nedition = \"2015\"\n");
        let root = "[package]\nname = \"a\"\nedition.workspace = true\n\n[dependencies]\nlog = { workspace = true }\n\n\
                    [workspace.package]\nedition = \"2021\"\n\n[workspace.dependencies]\nlog = \"0.4\"\n";
        let member: DocumentMut = as_member(root)?.parse()?;
        assert_eq!(member["package"]["edition"].as_str(), Some("2021"));
        assert_eq!(member["dependencies"]["log"]["version"].as_str(), Some("0.4"));
        assert!(!member.contains_key("workspace"));
        Ok(())
    }
}

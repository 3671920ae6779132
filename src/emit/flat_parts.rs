//! What the manifest of a package whose crates have become one file is made of.

use std::collections::BTreeSet;

use super::manifest::KeptParts;

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

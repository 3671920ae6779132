//! How a package of the workspace is named to cargo: by its name, unless another version of it is there, too.

use std::collections::BTreeSet;

use camino::Utf8Path;
use cargo_metadata::{MetadataCommand, Package};

/// Names that several packages have, of the workspace and of all it depends on.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedNames(BTreeSet<String>);

impl SharedNames {
    /// As the lock file in `root` has them; as `resolving` finds them, where no build has written one yet.
    pub(super) fn of(root: &Utf8Path, resolving: &MetadataCommand) -> Self {
        if let Ok(lock) = std::fs::read_to_string(root.join("Cargo.lock")) {
            return in_lock(&lock);
        }
        // Where it cannot be resolved the build will tell why.
        let metadata = resolving.exec().map(|metadata| metadata.packages);
        let packages = metadata.unwrap_or_default();
        several(packages.iter().map(|package| package.name.as_str()))
    }

    /// What `cargo -p` takes for the package.
    pub(super) fn spec(&self, package: &Package) -> String {
        let Package { name, version, .. } = package;
        if self.0.contains(name.as_str()) {
            format!("{name}@{version}")
        } else {
            name.to_string()
        }
    }
}

/// Every package of a lock file has its name in a line of its own.
fn in_lock(lock: &str) -> SharedNames {
    let quoted = { lock.lines() }.filter_map(|line| line.strip_prefix("name = \""));
    several(quoted.filter_map(|name| name.strip_suffix('"')))
}

fn several<'n>(names: impl Iterator<Item = &'n str>) -> SharedNames {
    let mut seen = BTreeSet::new();
    let again = names.filter(|name| !seen.insert(*name));
    SharedNames(again.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_there_twice_needs_a_version() {
        let lock = "version = 4\n\n[[package]]\nname = \"clap\"\nversion = \"2.33.3\"\ndependencies = [\n \
                    \"textwrap 0.11.0\",\n]\n\n[[package]]\nname = \"textwrap\"\nversion = \"0.11.0\"\n\n\
                    [[package]]\nname = \"textwrap\"\nversion = \"0.13.4\"\n";
        let shared = in_lock(lock).0;
        assert_eq!(shared.into_iter().collect::<Vec<_>>(), ["textwrap"]);
    }
}

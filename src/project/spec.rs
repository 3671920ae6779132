//! How a package of the workspace is named to cargo: by its name; with its version where other versions of it are
//! there, too; and by its folder where the same version comes from elsewhere.

use std::collections::BTreeMap;

use camino::Utf8Path;
use cargo_metadata::{MetadataCommand, Package};

/// What stands before the folder of a package.
const IN_FOLDER: &str = "path+file://";

/// The versions of packages that share their name, of the workspace and of all it depends on.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedNames(BTreeMap<String, Vec<String>>);

impl SharedNames {
    /// As the lock file in `root` has them; as `resolving` finds them, where no build has written one yet.
    pub(super) fn of(root: &Utf8Path, resolving: &MetadataCommand) -> Self {
        if let Ok(lock) = std::fs::read_to_string(root.join("Cargo.lock")) {
            return in_lock(&lock);
        }
        // Where it cannot be resolved the build will tell why.
        let metadata = resolving.exec().map(|metadata| metadata.packages);
        let packages = metadata.unwrap_or_default();
        let named = packages.iter();
        several(named.map(|package| (package.name.to_string(), package.version.to_string())))
    }

    /// What `cargo -p` takes for the package.
    pub(super) fn spec(&self, package: &Package) -> String {
        let Package { name, version, .. } = package;
        let Some(versions) = self.0.get(name.as_str()) else { return name.to_string() };
        let is_it = |other: &&String| **other == version.to_string();
        let folder = package.manifest_path.parent();
        match folder.filter(|_| versions.iter().filter(is_it).count() > 1) {
            Some(folder) => format!("{IN_FOLDER}{folder}#{name}@{version}"),
            None => format!("{name}@{version}"),
        }
    }
}

/// The name in what `cargo -p` takes.
pub fn name_in_spec(spec: &str) -> &str {
    let named = spec.rsplit('#').next().unwrap_or(spec);
    named.split('@').next().unwrap_or(named)
}

/// What `cargo -p` takes for the package, or for its copy where cargo is called in a copy with `manifest`.
pub fn spec_at(spec: &str, manifest: &Utf8Path) -> String {
    let in_folder = spec.strip_prefix(IN_FOLDER).and_then(|rest| rest.rsplit_once('#'));
    let here = manifest.parent();
    match (in_folder, here) {
        (Some((folder, named)), Some(here)) if !Utf8Path::new(folder).starts_with(here) => {
            format!("{IN_FOLDER}{here}#{named}")
        }
        _ => spec.to_owned(),
    }
}

/// Every package of a lock file has its name in a line of its own, and its version in the next.
fn in_lock(lock: &str) -> SharedNames {
    let value = |line: &str, key: &str| {
        let quoted = line.strip_prefix(key)?.strip_prefix(" = \"")?;
        Some(quoted.strip_suffix('"')?.to_owned())
    };
    let pairs = lock.lines().zip(lock.lines().skip(1));
    several(pairs.filter_map(|(one, next)| Some((value(one, "name")?, value(next, "version")?))))
}

fn several(packages: impl Iterator<Item = (String, String)>) -> SharedNames {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, version) in packages {
        all.entry(name).or_default().push(version);
    }
    all.retain(|_, versions| versions.len() > 1);
    SharedNames(all)
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
        assert_eq!(shared.keys().collect::<Vec<_>>(), ["textwrap"]);
        assert_eq!(shared["textwrap"], ["0.11.0", "0.13.4"]);
    }

    #[test]
    fn the_folder_of_a_package_is_that_of_its_copy() {
        let spec = "path+file:///half#half@2.7.1";
        assert_eq!(name_in_spec(spec), "half");
        assert_eq!(name_in_spec("half@2.7.1"), "half");
        let at = |manifest: &str| spec_at(spec, Utf8Path::new(manifest));
        assert_eq!(at("/Cargo.toml"), spec);
        assert_eq!(at("/half/Cargo.toml"), spec);
        let copy = "/half/target/reduce/t/Cargo.toml";
        assert_eq!(at(copy), "path+file:///half/target/reduce/t#half@2.7.1");
        assert_eq!(spec_at("half", Utf8Path::new(copy)), "half");
    }
}

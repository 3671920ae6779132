//! The environment of candidates: what cargo and tests need, and no secrets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::Policy;

/// Variables that programs need to run at all, or to print as they do for the user.
const NEEDED: [&str; 22] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "TMPDIR",
    "PWD",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "SystemRoot",
    "CC",
    "CXX",
    "AR",
    "LD",
    "CFLAGS",
    "CXXFLAGS",
    "NO_COLOR",
];

/// Families of variables that cargo, rustc, rustup, the locale and C compilers read.
const FAMILIES: [&str; 12] = [
    "CARGO", "RUST", "LC_", "PKG_CONFIG", "CC_", "CXX_", "AR_", "CFLAGS_", "PROPTEST_",
    "QUICKCHECK_", "INSTA_", "ASAN_OPTIONS",
];

/// Endings of names that hold secrets, whatever family they are of.
const SECRETS: [&str; 5] = ["TOKEN", "SECRET", "PASSWORD", "CREDENTIAL_PROVIDER", "CREDENTIALS"];

/// The part of `all` that candidates get. Without the user's own home, theirs is `home`; cargo and rustup are told
/// where they keep their files, as they look for them in the home.
pub(super) fn environment(
    all: impl Iterator<Item = (OsString, OsString)>,
    policy: &Policy,
    home: &Path,
    temporary: &Path,
) -> BTreeMap<OsString, OsString> {
    let all: BTreeMap<OsString, OsString> = all.collect();
    let real_home = all.get(OsStr::new("HOME")).map(PathBuf::from);
    let is_passed = |name: &OsStr| policy.env.iter().any(|given| given == name) || is_needed(name);
    let mut environment: BTreeMap<OsString, OsString> =
        all.into_iter().filter(|(name, _)| is_passed(name)).collect();
    environment.insert("TMPDIR".into(), temporary.into());
    if let Some(real_home) = real_home.filter(|_| !policy.home) {
        for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let folder = real_home.join(folder);
            if folder.exists() {
                environment.entry(name.into()).or_insert(folder.into());
            }
        }
        environment.insert("HOME".into(), home.into());
    }
    environment
}

fn is_needed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_secret = SECRETS.iter().any(|ending| name.ends_with(ending));
    let is_of_family = || FAMILIES.iter().any(|family| name.starts_with(family));
    !is_secret && (NEEDED.contains(&name) || is_of_family())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn private(
        all: impl Iterator<Item = (OsString, OsString)>,
        policy: &Policy,
    ) -> BTreeMap<OsString, OsString> {
        environment(all, policy, Path::new("/private/home"), Path::new("/private/tmp"))
    }

    fn names(policy: &Policy, variables: &[&str]) -> Vec<String> {
        let all = variables.iter().map(|name| (OsString::from(name), "x".into()));
        private(all, policy).into_keys().map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn secrets_are_kept_from_candidates_unless_the_user_names_them() {
        let given =
            ["PATH", "AWS_SECRET_ACCESS_KEY", "CARGO_REGISTRY_TOKEN", "RUSTFLAGS", "MY_SETTING"];
        assert_eq!(names(&Policy::default(), &given), ["PATH", "RUSTFLAGS", "TMPDIR"]);
        let policy = Policy { env: vec!["MY_SETTING".into()], ..Policy::default() };
        assert_eq!(names(&policy, &given), ["MY_SETTING", "PATH", "RUSTFLAGS", "TMPDIR"]);
    }

    #[test]
    fn the_home_is_private_unless_the_user_allows_their_own() {
        let all = || [("HOME".into(), "/home/me".into())].into_iter();
        let home = |policy: &Policy| private(all(), policy)[OsStr::new("HOME")].clone();
        assert_eq!(home(&Policy::default()), "/private/home");
        let own = Policy { home: true, ..Policy::default() };
        assert_eq!(home(&own), "/home/me");
    }
}

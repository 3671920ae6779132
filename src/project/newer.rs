//! Versions of packages that cargo knows of without asking anybody: those in its index on this machine.

use std::fs;

use camino::Utf8PathBuf;
use cargo_metadata::semver::{Version, VersionReq};
use serde_json::Value;

use super::adopt::{CRATES_IO, Outsider};

impl Outsider {
    /// The newest version of it that can take its place, if that is a newer one and cargo's index on this machine has it.
    pub fn newer_version(&self) -> Option<String> {
        if !self.source.as_deref().is_some_and(|source| CRATES_IO.contains(&source)) {
            return None;
        }
        let mut index = home()?.join("registry/index").read_dir_utf8().ok()?;
        index.find_map(|folder| {
            let file = folder.ok()?.path().join(".cache").join(place(&self.name));
            newest(&fs::read(file).ok()?, &self.version)
        })
    }
}

/// Where cargo keeps what it has fetched.
fn home() -> Option<Utf8PathBuf> {
    let given = std::env::var("CARGO_HOME").ok().map(Utf8PathBuf::from);
    given.or_else(|| Some(Utf8PathBuf::from(std::env::var("HOME").ok()?).join(".cargo")))
}

/// Where a package stands in an index.
fn place(name: &str) -> Utf8PathBuf {
    let name = name.to_lowercase();
    match name.len() {
        length @ (1 | 2) => Utf8PathBuf::from(length.to_string()).join(name),
        3 => Utf8PathBuf::from("3").join(&name[..1]).join(name),
        _ => match (name.get(..2), name.get(2..4)) {
            (Some(first), Some(second)) => Utf8PathBuf::from(first).join(second).join(name),
            _ => name.into(),
        },
    }
}

/// The newest version in a file of the index that can take the place of another one, which it is newer than.
fn newest(file: &[u8], than: &str) -> Option<String> {
    let than = Version::parse(than).ok()?;
    let compatible = VersionReq::parse(&format!("^{than}")).ok()?;
    let entries = file.split(|byte| *byte == 0).filter(|part| part.starts_with(b"{"));
    let versions = entries.filter_map(|entry| {
        let entry: Value = serde_json::from_slice(entry).ok()?;
        let is_offered = entry["yanked"] != Value::Bool(true);
        Version::parse(entry["vers"].as_str()?).ok().filter(|_| is_offered)
    });
    let newer = versions.filter(|version| *version > than && compatible.matches(version));
    newer.max().map(|version| version.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_one_that_can_take_the_place_and_is_offered() {
        let entry = |version: &str, yanked: bool| {
            format!("{version}\0{{\"name\":\"a\",\"vers\":\"{version}\",\"yanked\":{yanked}}}\0")
        };
        let all = [("0.1.9", false), ("0.1.10", false), ("0.1.11", true), ("0.2.0", false)];
        let entries = all.map(|(version, yanked)| entry(version, yanked)).concat();
        let file = [b"\x03\x02\0\0\0etag\0".as_slice(), entries.as_bytes()].concat();
        assert_eq!(newest(&file, "0.1.2").as_deref(), Some("0.1.10"));
        assert_eq!(newest(&file, "0.1.10"), None);
    }

    #[test]
    fn packages_stand_in_an_index_by_the_beginning_of_their_names() {
        let places = ["a", "ab", "Abc", "abcd", "abcde"].map(place);
        assert_eq!(places, ["1/a", "2/ab", "3/a/abc", "ab/cd/abcd", "ab/cd/abcde"]);
    }
}

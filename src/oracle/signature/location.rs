//! A place in a source file, as panics and diagnostics name it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::source::{LineColumn, LineIndex};

/// A file, a line and a column, written `src/lib.rs:10:5`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Location {
    /// The file as the compiler named it: mostly relative to the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, as panics tell it: that of a terminal, in which a tab is four wide.
    pub column: u32,
}

/// A text that is no location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected FILE:LINE:COLUMN, not `{0}`")]
pub struct LocationError(String);

impl Location {
    /// The place in `file` at a line and column, both from 1.
    pub fn new(file: impl Into<String>, line: u32, column: u32) -> Location {
        Location { file: file.into(), line, column }
    }

    /// The place of a byte of `text`, the content of `file`.
    pub fn of_offset(file: impl Into<String>, text: &str, offset: usize) -> Option<Location> {
        Location::at(file, LineIndex::new(text).as_panics_count(text, offset))
    }

    /// The place in `file` that a panic tells so; `None` if the file is too large.
    pub fn at(file: impl Into<String>, place: LineColumn) -> Option<Location> {
        let (line, column) = (place.line.try_into().ok()?, place.column.try_into().ok()?);
        Some(Location::new(file, line, column))
    }

    /// Its byte in `text`, the content of the file; `None` if that has no such place.
    pub fn offset_in(&self, text: &str) -> Option<usize> {
        let place = LineColumn { line: self.line as usize, column: self.column as usize };
        LineIndex::new(text).offset_of_panic(text, place)
    }

    /// The place in text `to` that is the one here in text `from`, as `moved` tells of their bytes.
    pub fn moved(
        &self,
        from: &str,
        to: &str,
        moved: impl FnOnce(usize) -> Option<usize>,
    ) -> Option<Location> {
        let offset = moved(self.offset_in(from)?)?;
        Location::of_offset(self.file.clone(), to, offset)
    }

    /// Whether it is the same place as `other`. The folders in which build scripts write sources have
    /// other names in each copy of a package.
    pub fn is_same(&self, other: &Location) -> bool {
        let is_same_file = self.file == other.file
            || made_by_script(&self.file)
                .is_some_and(|file| made_by_script(&other.file) == Some(file));
        is_same_file && (self.line, self.column) == (other.line, other.column)
    }

    /// Whether the file belongs to the standard library, whose sources the compiler names by its
    /// own commit or by where rustup put them.
    pub fn is_in_std(&self) -> bool {
        let file = self.file.replace('\\', "/");
        STD.iter().any(|start| file.starts_with(start)) || file.contains(STD_OF_RUSTUP)
    }
}

/// How the paths of the standard library's files begin, and of those of the crates it is made with.
const STD: [&str; 2] = ["/rustc/", "/rust/deps/"];
/// What stands in them where rustup has put the sources.
const STD_OF_RUSTUP: &str = "/lib/rustlib/src/rust/library/";

/// What cargo calls the folder for what a build script writes.
const OUT_DIR: &str = "/out/";

/// The package and the file of a path such as `/t/debug/build/app-0123456789abcdef/out/table.rs`.
fn made_by_script(path: &str) -> Option<(&str, &str)> {
    let (folder, file) = path.split_once(OUT_DIR)?;
    let (before, unit) = folder.rsplit_once('/')?;
    let (package, _) = unit.rsplit_once('-')?;
    before.ends_with("/build").then_some((package, file))
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Location, LocationError> {
        // From the right: on Windows the file may have a colon.
        let mut parts = text.rsplitn(3, ':');
        let column = parts.next().and_then(|part| part.parse().ok());
        let line = parts.next().and_then(|part| part.parse().ok());
        match (parts.next(), line, column) {
            (Some(file), Some(line), Some(column)) if !file.is_empty() => {
                Ok(Location::new(file, line, column))
            }
            _ => Err(LocationError(text.to_owned())),
        }
    }
}

impl From<Location> for String {
    fn from(location: Location) -> String {
        location.to_string()
    }
}

impl TryFrom<String> for Location {
    type Error = LocationError;

    fn try_from(text: String) -> Result<Location, LocationError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_that_a_build_script_wrote_are_the_same_in_each_copy() {
        let place = |file: &str| Location::new(file, 5, 18);
        let original = place("/a/target/debug/build/app-fd3c0fee9256f839/out/table.rs");
        assert!(original.is_same(&place("/b/t/debug/build/app-0123456789abcdef/out/table.rs")));
        assert!(!original.is_same(&place("/b/t/debug/build/lib-0123456789abcdef/out/table.rs")));
        assert!(!original.is_same(&place("/b/t/debug/build/app-0123456789abcdef/out/other.rs")));
    }

    #[test]
    fn locations_are_read_from_the_right() {
        let location: Location = r"C:\a b\lib.rs:10:5".parse().unwrap();
        assert_eq!(location, Location::new(r"C:\a b\lib.rs", 10, 5));
        assert_eq!(location.to_string(), r"C:\a b\lib.rs:10:5");
    }

    #[test]
    fn what_is_no_location_is_refused() {
        for text in ["", "a.rs", "a.rs:1", ":1:2", "a.rs:1:x", "a.rs:-1:2"] {
            assert!(text.parse::<Location>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_standard_library_is_known_by_its_path() {
        let file =
            "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/alloc/src/raw_vec/mod.rs";
        assert!(Location::new(file, 28, 5).is_in_std());
        assert!(!Location::new("library/src/lib.rs", 28, 5).is_in_std());
    }
}

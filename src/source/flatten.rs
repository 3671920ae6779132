//! All files of a crate as one.

use std::ops::Range;

use super::parse::prelude_len;
use super::{Crate, FileIndex};

/// What stands for a file in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stands {
    /// The file that names the other one.
    pub file: FileIndex,
    /// The part of its text that the other one can take the place of.
    pub place: Range<usize>,
    /// How it is named.
    pub kind: LinkKind,
}

/// How a file is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkKind {
    /// By `mod name;`: the file stands in braces for the semicolon.
    Module,
    /// By `include!("name")`: the file stands for the call.
    Include,
}

/// A file that is part of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// Where it is named.
    pub stands: Stands,
    /// The file.
    pub target: FileIndex,
}

impl Crate {
    /// The crate as one file: each `mod name;` and each included file with its content in its place.
    /// Files that could not be read or parsed are left as they are named.
    #[must_use]
    pub fn flattened(&self) -> String {
        let mut text = String::new();
        self.flatten_into(&mut text, FileIndex(0), &mut Vec::new());
        text
    }

    /// `around` are the files that this one stands in: a file that includes itself is not followed.
    fn flatten_into(&self, text: &mut String, index: FileIndex, around: &mut Vec<FileIndex>) {
        let file = self.file(index);
        let mut copied = if around.is_empty() {
            0
        } else {
            prelude_len(&file.text)
        };
        around.push(index);
        let mut links: Vec<&Link> = self
            .links
            .iter()
            .filter(|link| link.stands.file == index && !around.contains(&link.target))
            .collect();
        links.sort_by_key(|link| link.stands.place.start);
        for link in links {
            text.push_str(&file.text[copied..link.stands.place.start]);
            copied = link.stands.place.end;
            match link.stands.kind {
                LinkKind::Include => self.flatten_into(text, link.target, around),
                LinkKind::Module => {
                    text.push_str(" {\n");
                    self.flatten_into(text, link.target, around);
                    text.push_str("\n}");
                }
            }
        }
        text.push_str(&file.text[copied..]);
        around.pop();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn flattened(files: &[(&str, &str)]) -> String {
        let read = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found
                .map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let krate = Crate::load(Path::new("src/lib.rs"), Path::new(""), read).unwrap();
        krate
            .flattened()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn modules_and_included_files_stand_in_their_places() {
        let files = [
            ("src/lib.rs", "mod a; include!(\"b.rs\"); mod missing;"),
            ("src/a.rs", "pub mod c; fn a() {}"),
            ("src/a/c.rs", "#![allow(unused)] fn c() {}"),
            ("src/b.rs", "fn b() {}"),
        ];
        assert_eq!(
            flattened(&files),
            "mod a { pub mod c { #![allow(unused)] fn c() {} } fn a() {} } fn b() {} mod missing;"
        );
    }

    #[test]
    fn a_file_that_names_itself_is_not_followed() {
        let files = [("src/lib.rs", "#[path = \"lib.rs\"] mod again;")];
        assert_eq!(flattened(&files), "#[path = \"lib.rs\"] mod again;");
    }

    #[test]
    fn the_example_of_flattened_holds() -> Result<(), Box<dyn std::error::Error>> {
        use crate::source::Crate;

        let read = |path: &std::path::Path| match path.to_str() {
            Some("src/lib.rs") => Ok("mod a;\nfn f() {}\n".to_owned()),
            Some("src/a.rs") => Ok("//! Docs.\nstruct A;\n".to_owned()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        };
        let krate = Crate::load("src/lib.rs".as_ref(), "".as_ref(), read)?;
        assert_eq!(
            krate.flattened(),
            "mod a {\n//! Docs.\nstruct A;\n\n}\nfn f() {}\n"
        );
        Ok(())
    }
}

//! Files that a regression test reads in the place of those that the original reads: they stand beside these, and the
//! literals that name them are changed in the test.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::reduce::inputs::{Inputs, Value};

use super::inputs::TextLiteral;
use super::{Crate, FoundInputs, Located};

/// The files, and what the literals say.
#[derive(Debug, Default)]
pub(super) struct Siblings<'f> {
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub literals: Vec<(&'f TextLiteral, String)>,
}

impl FoundInputs {
    /// Whether the test can be told to read smaller files than the original does, where any is smaller, and no other constants
    /// than those that functions of an example read.
    pub fn stands_apart(&self, krate: &Crate, located: &Located, candidate: &Inputs) -> bool {
        let mut places = self.inputs.0.iter().map(|root| self.place(root.id));
        self.siblings(krate, candidate, "reduced").is_some()
            && !places.any(|place| krate.is_read_by_example(located, place))
    }

    /// The literals by which the test names the opened files, and folders of these.
    pub fn file_names(&self, krate: &Crate) -> Vec<&TextLiteral> {
        let names =
            Names { literals: &self.opened.literals, package: &krate.package_dir, prefix: "" };
        let named = self.opened.files.keys().flat_map(|path| {
            let folder = path.parent().and_then(|folder| names.of_folder(folder));
            [names.of_file(path), folder].into_iter().flatten()
        });
        let literals = named.flat_map(|named| named.literals);
        literals.map(|(literal, _)| literal).collect()
    }

    /// The files that are other than in the original, under names that begin with `prefix`; `None` if the test has no
    /// literal that names one of them, or a folder above it.
    pub(super) fn siblings(
        &self,
        krate: &Crate,
        candidate: &Inputs,
        prefix: &str,
    ) -> Option<Siblings<'_>> {
        let changed = self.changed_files(candidate);
        if changed.is_empty() {
            return Some(Siblings::default());
        }
        let kept: Vec<(&Path, &Value)> =
            changed.iter().filter_map(|(path, value)| Some((path.as_path(), (*value)?))).collect();
        let names = Names { literals: &self.opened.literals, package: &krate.package_dir, prefix };
        let by_name: Option<Vec<Named<'_>>> =
            kept.iter().map(|(path, _)| names.of_file(path)).collect();
        let has_looked = changed.len() > kept.len() && kept.len() != 1;
        if let Some(named) = by_name.filter(|_| !has_looked && !kept.is_empty()) {
            let files = kept.iter().zip(&named);
            let files = files.map(|((_, value), named)| (named.path.clone(), value.content()));
            return Some(Siblings {
                files: files.collect(),
                literals: named.iter().flat_map(|named| named.literals.clone()).collect(),
            });
        }
        let mut siblings = Siblings::default();
        let mut folders = BTreeSet::new();
        for (path, _) in &changed {
            let folder = path.parent()?;
            if folders.insert(folder) {
                siblings.literals.extend(names.of_folder(folder)?.literals);
            }
        }
        siblings.literals.sort_by_key(|(literal, _)| (literal.file, literal.range.start));
        siblings.literals.dedup();
        // What else stands there may be needed, too.
        let changed_paths: BTreeSet<&Path> =
            changed.iter().map(|(path, _)| path.as_path()).collect();
        let others = self
            .opened
            .files
            .iter()
            .filter(|(path, _)| !changed_paths.contains(path.as_path()))
            .map(|(path, bytes)| (path.as_path(), bytes.clone()));
        let kept = kept.iter().map(|(path, value)| (*path, value.content()));
        for (path, bytes) in kept.chain(others) {
            let Some(named) = names.of_folder(path.parent()?) else { continue };
            siblings.files.push((named.path.join(path.file_name()?), bytes));
        }
        Some(siblings)
    }
}

/// A file or folder beside the original, and what the literals say that name it.
struct Named<'f> {
    path: PathBuf,
    literals: Vec<(&'f TextLiteral, String)>,
}

/// Finds names.
struct Names<'f, 'n> {
    literals: &'f [TextLiteral],
    package: &'n Path,
    prefix: &'n str,
}

impl<'f> Names<'f, '_> {
    /// A file that literals name: by its whole name, or without what follows the last dot.
    fn of_file(&self, path: &Path) -> Option<Named<'f>> {
        let name = path.file_name()?.to_str()?;
        let parts = self.parts(path)?;
        let new = format!("{}_{name}", self.prefix);
        let ends = |literal: &&TextLiteral| {
            let named: Vec<&str> = pieces(&literal.text).collect();
            !named.is_empty() && ends_with(&parts, &named)
        };
        let mut literals: Vec<(&TextLiteral, String)> = self
            .literals
            .iter()
            .filter(ends)
            .map(|literal| (literal, with_last(&literal.text, name, &new)))
            .collect();
        if literals.is_empty() {
            let stem = path.file_stem()?.to_str()?;
            let is_stem = |literal: &&TextLiteral| literal.text == stem && stem != name;
            literals = self
                .literals
                .iter()
                .filter(is_stem)
                .map(|literal| (literal, format!("{}_{stem}", self.prefix)))
                .collect();
        }
        (!literals.is_empty()).then(|| Named { path: path.with_file_name(new), literals })
    }

    /// A folder that literals name, or one above it: the deepest that has a name there.
    fn of_folder(&self, folder: &Path) -> Option<Named<'f>> {
        let parts = self.parts(folder)?;
        let depth = |literal: &TextLiteral| {
            let named: Vec<&str> = fixed_pieces(&literal.text).collect();
            let ends = named.len()..=parts.len();
            let mut ends = ends.rev().filter(|_| !named.is_empty());
            ends.find(|end| ends_with(&parts[..*end], &named))
        };
        let deepest = self.literals.iter().filter_map(depth).max()?;
        let old = parts[deepest - 1].as_str();
        let new = format!("{}_{old}", self.prefix);
        let literals = self
            .literals
            .iter()
            .filter(|literal| depth(literal) == Some(deepest))
            .map(|literal| (literal, with_fixed(&literal.text, old, &new)));
        let (above, below) = (&parts[..deepest - 1], &parts[deepest..]);
        let parts = above.iter().chain([&new]).chain(below);
        Some(Named {
            literals: literals.collect(),
            path: parts.fold(self.package.to_owned(), |path, part| path.join(part)),
        })
    }

    /// The parts of a path below the package.
    fn parts(&self, path: &Path) -> Option<Vec<String>> {
        let below = path.strip_prefix(self.package).ok()?;
        let part = |part: &std::ffi::OsStr| part.to_str().map(str::to_owned);
        below.iter().map(part).collect()
    }
}

fn ends_with(parts: &[String], end: &[&str]) -> bool {
    let start = parts.len().checked_sub(end.len());
    start.is_some_and(|start| parts[start..].iter().zip(end).all(|(part, end)| part == end))
}

/// The parts of a path in a literal.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split('/').filter(|piece| !piece.is_empty() && *piece != ".")
}

/// Those before a placeholder or a pattern.
fn fixed_pieces(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).take_while(|piece| !piece.contains(['{', '*', '?', '[']))
}

/// A literal whose last part has another name.
fn with_last(text: &str, old: &str, new: &str) -> String {
    let start = text.rfind(old).unwrap_or(0);
    format!("{}{new}{}", &text[..start], &text[start + old.len()..])
}

/// A literal in which the last of the fixed parts has another name.
fn with_fixed(text: &str, old: &str, new: &str) -> String {
    let fixed = text.find(['{', '*', '?', '[']).unwrap_or(text.len());
    format!("{}{}", with_last(&text[..fixed], old, new), &text[fixed..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileIndex;

    fn names(literals: &[&str]) -> Vec<TextLiteral> {
        let literal =
            |text: &&str| TextLiteral { file: FileIndex(0), range: 0..1, text: (*text).to_owned() };
        literals.iter().map(literal).collect()
    }

    #[track_caller]
    fn file(literals: &[&str], expected: Option<(&str, &[&str])>) {
        check(literals, expected, |names| names.of_file(Path::new("/p/tests/data/x.xml")));
    }

    #[track_caller]
    fn folder(literals: &[&str], expected: Option<(&str, &[&str])>) {
        check(literals, expected, |names| names.of_folder(Path::new("/p/tests/data")));
    }

    #[track_caller]
    fn check(
        literals: &[&str],
        expected: Option<(&str, &[&str])>,
        named: impl for<'f> Fn(Names<'f, '_>) -> Option<Named<'f>>,
    ) {
        let literals = names(literals);
        let named = named(Names { literals: &literals, package: Path::new("/p"), prefix: "new" });
        let shown = named.map(|named| {
            let texts: Vec<String> = named.literals.into_iter().map(|(_, text)| text).collect();
            (named.path, texts)
        });
        let expected = expected.map(|(path, texts)| {
            (PathBuf::from(path), texts.iter().map(|text| (*text).to_owned()).collect())
        });
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_file_is_named_by_the_end_of_its_path() {
        let path = "/p/tests/data/new_x.xml";
        file(&["tests/data", "x.xml", "y.xml"], Some((path, &["new_x.xml"])));
        file(&["/tests/data/x.xml"], Some((path, &["/tests/data/new_x.xml"])));
        file(&["data/x.xml", "x"], Some((path, &["data/new_x.xml"])));
        file(&["x", "{}.xml"], Some((path, &["new_x"])));
        file(&["other/x.xml", "xx.xml", "tests"], None);
    }

    #[test]
    fn a_folder_is_named_by_the_deepest_part_that_has_a_name() {
        let path = "/p/tests/new_data";
        folder(&["tests", "data"], Some((path, &["new_data"])));
        folder(&["tests/data/"], Some((path, &["tests/new_data/"])));
        folder(&["tests/data/*.xml"], Some((path, &["tests/new_data/*.xml"])));
        folder(&["tests/data/{name}.data"], Some((path, &["tests/new_data/{name}.data"])));
        folder(&["tests/{}/x"], Some(("/p/new_tests/data", &["new_tests/{}/x"])));
        folder(&["x.xml", "dat"], None);
    }
}

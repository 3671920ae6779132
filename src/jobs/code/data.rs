//! Files that are no sources, where the code of several packages becomes one crate: macros look for them
//! in the folder of the package that they are called in.

use camino::Utf8Path;

use super::files::read;
use crate::app::failure::Result;
use crate::compile::Crates;
use crate::project::Scratch;
use crate::rust::Sources;

/// Gives the package of the test a copy of what libraries include, under the path it has in theirs; the
/// test's own files stay.
///
/// # Errors
/// When a file cannot be read or written.
pub fn share(scratch: &Scratch, crates: &Crates) -> Result<()> {
    let Some(tested) = folders(crates).pop() else {
        return Ok(());
    };
    for path in &crates.data {
        let copy = scratch.root().join(tested).join(in_package(crates, path));
        if !copy.exists() {
            scratch.write(&copy, &read(&scratch.root().join(path))?)?;
        }
    }
    Ok(())
}

/// Where such a file has to stand in the package of the one crate: where `sources` say, else where it
/// stands in its own package.
pub fn place<'p>(crates: &Crates, path: &'p Utf8Path, sources: &Sources) -> &'p Utf8Path {
    let is_written = sources.files.iter().any(|file| file.text.contains(path.as_str()));
    if is_written { path } else { in_package(crates, path) }
}

fn in_package<'p>(crates: &Crates, path: &'p Utf8Path) -> &'p Utf8Path {
    let inside = folders(crates).into_iter().filter_map(|folder| path.strip_prefix(folder).ok());
    inside.min_by_key(|inside| inside.as_str().len()).unwrap_or(path)
}

/// The folders of the packages, relative to the root of the copy; that of the test is the last one.
fn folders(crates: &Crates) -> Vec<&Utf8Path> {
    let folders = crates.all.iter().filter_map(|krate| krate.call.env.get("CARGO_MANIFEST_DIR"));
    folders.filter_map(|folder| Utf8Path::new(folder).strip_prefix(&crates.root).ok()).collect()
}

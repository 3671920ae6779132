//! Packages from outside the workspace, brought into the copy so that they can be reduced.

use std::collections::BTreeSet;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use crate::app::failure::{Failure, Result};
use crate::app::find::{Chosen, does_not_build};
use crate::app::session::Session;
use crate::emit::local_paths::allowing;
use crate::jobs::inputs::other_version::unlocked;
use crate::project::{Built, CargoTest, Invocation, Scratch};
use crate::rust::{Reduction, without_lint_levels};

/// A package from outside the workspace that was brought into the copy.
pub struct Adopted {
    /// Where it was.
    pub from: Utf8PathBuf,
    /// Where it stands in the copy.
    pub folder: Utf8PathBuf,
    /// The root file of its library there.
    root: Option<Utf8PathBuf>,
    /// Whether it was not a local one: cargo takes no notice of the lints of those.
    is_foreign: bool,
}

/// Brings packages that are no members of the workspace into the copy: local ones, and those the user names.
///
/// # Errors
/// When nothing depends on one of them, or files cannot be written.
pub fn adopt(session: &Session, scratch: &Scratch) -> Result<Vec<Adopted>> {
    let mut adopted = Vec::new();
    let dependencies = session.workspace.dependencies()?;
    let wanted = &session.config.code.reduce_packages;
    for name in wanted {
        let is_there = dependencies.iter().any(|package| package.name == *name);
        if !is_there && session.workspace.member(name).is_none() {
            return Err(Failure::error(format!("nothing depends on a package `{name}`"))
                .hint("`cargo tree` lists the packages"));
        }
    }
    for package in &dependencies {
        if package.source.is_none() || wanted.contains(&package.name) {
            if !package.is_local_in(session.workspace.root()) {
                session.stage("Copying", format!("{} {}", package.name, package.version));
            }
            let (folder, root) = scratch.adopt(package)?;
            adopted.push(Adopted {
                from: package.folder.clone(),
                folder,
                root,
                is_foreign: package.source.is_some(),
            });
        }
    }
    for package in adopted.iter().filter(|package| !package.is_foreign) {
        scratch.redirect(&package.from, &scratch.root().join(&package.folder))?;
    }
    Ok(adopted)
}

/// Builds the copy. A lint that is denied by now, or by the package itself, does not matter in a package
/// from elsewhere before it is adopted; nor may it afterwards.
///
/// # Errors
/// When it does not build.
pub fn build_adopted(
    session: &Session,
    scratch: &Scratch,
    chosen: &Chosen,
    adopted: &[Adopted],
) -> Result<(Built, Vec<Invocation>)> {
    let mut lints = BTreeSet::new();
    loop {
        for root in adopted.iter().filter_map(|package| package.root.as_ref()) {
            scratch.touch(root)?;
        }
        let (built, calls) = build(session, scratch, chosen)?;
        if built.success {
            return Ok((built, calls));
        }
        let known = lints.len();
        let denied = built.errors.iter().filter_map(|error| error.lint());
        lints.extend(denied.map(str::to_owned));
        if lints.len() == known {
            return Err(does_not_build(&built));
        }
        for package in adopted.iter().filter(|package| package.is_foreign) {
            allow(scratch, &package.folder, &lints)?;
        }
    }
}

/// Builds the copy as it is.
///
/// # Errors
/// When cargo cannot be run.
fn build(
    session: &Session,
    scratch: &Scratch,
    chosen: &Chosen,
) -> Result<(Built, Vec<Invocation>)> {
    // What is fresh would not be built again, and its call not be told.
    for root in session.workspace.root_files() {
        if let Some(copy) = scratch.path_of(root) {
            scratch.touch(&copy)?;
        }
    }
    let manifest = scratch
        .path_of(&chosen.binary.manifest_path)
        .ok_or_else(|| Failure::error("the package lies outside its workspace"))?;
    let cargo_test = CargoTest {
        manifest: &manifest,
        target_dir: Some(&scratch.target_dir()),
        options: &unlocked(&session.config).cargo,
        packages: std::slice::from_ref(&chosen.package),
    };
    let (built, calls) = cargo_test.build_and_tell(&chosen.binary.choice, &session.interrupt)?;
    session.count_build(built.success);
    Ok((built, calls))
}

/// Lets a package allow these lints, with every byte of its sources where it was.
fn allow(scratch: &Scratch, folder: &Utf8Path, lints: &BTreeSet<String>) -> Result<()> {
    let root = scratch.root();
    for path in scratch.files_of(folder)? {
        let is_manifest = path == folder.join("Cargo.toml");
        if !is_manifest && path.extension() != Some("rs") {
            continue;
        }
        let path = root.join(path);
        // What cannot be read is no source.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let allowed = if is_manifest {
            allowing(&text, lints).map_err(|error| Failure::unreadable(&path, &error))?
        } else {
            blanked(&text, &without_lint_levels(&text))
        };
        if allowed != text {
            scratch.write(&path, allowed.as_bytes())?;
        }
    }
    Ok(())
}

/// The text with blanks instead of what would be removed.
fn blanked(text: &str, removal: &Reduction) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in removal.changes.iter().map(|change| change.range.clone()) {
        for byte in &mut bytes[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lint_levels_go_and_all_else_stays_where_it_is() {
        let text = "#![deny(\n  warnings)] mod a;\n#[allow(x)] fn f() {}\n";
        assert_eq!(
            blanked(text, &without_lint_levels(text)),
            "        \n             mod a;\n#[allow(x)] fn f() {}\n"
        );
    }
}

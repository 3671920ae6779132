//! What a result gets so that all of it builds, and without warnings: lints that are allowed in its manifest, a crate that is
//! there for tests alone where only the test still compiles, and libraries without unit tests where these do not.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::TomlError;

use super::files::{Files, write};
use super::subject::{CodeSubject, packages};
use crate::app::failure::{Failure, Result};
use crate::app::session::Session;
use crate::emit::local_paths::{allowing, without_unit_tests};
use crate::exec::Interrupt;
use crate::project::{Built, CargoTest, TargetKind};
use crate::reduce::until_it_compiles;
use crate::rust::{Reduction, Sources, functions_of, without_lint_levels};

/// Denied lints hide those that only warn, and a crate that is gone for all but tests has others.
const ROUNDS: usize = 4;
/// Makes a library vanish where it is not compiled for tests.
const FOR_TESTS: &str = "#![cfg(test)]\n";

/// What has to be changed in a package.
#[derive(Debug, Default, Clone, PartialEq)]
struct BuildFixes {
    lints: BTreeSet<String>,
    is_for_tests: bool,
    /// Libraries beside the test only build as what the test uses.
    has_no_unit_tests: bool,
}

/// A package that was written.
pub struct Written {
    /// Its sources.
    pub sources: Sources,
    /// Why not all of it builds, if it does not.
    pub error: Option<String>,
}

/// Writes the package that `layout` makes of `sources`, with what it takes to build it.
///
/// # Errors
/// When files cannot be written, or cargo cannot be run.
pub fn write_package(
    session: &Session,
    subject: &CodeSubject,
    out: &Utf8Path,
    sources: &Sources,
    layout: impl Fn(&Sources) -> Result<Files>,
) -> Result<Written> {
    let complete = with_main(subject, sources);
    let mut fixes = BuildFixes::default();
    let ended = until_it_compiles(
        &mut fixes,
        ROUNDS,
        |fixes| -> Result<_> {
            let sources = fixes.applied(subject, &complete);
            let mut files = layout(&sources)?;
            fixes.amend(subject, &mut files)?;
            write(out, &files)?;
            let target_dir = subject.scratch.target_dir();
            let cargo_test = CargoTest {
                manifest: &out.join("Cargo.toml"),
                target_dir: Some(&target_dir),
                options: &session.config.confined_cargo(out, &target_dir),
                packages: std::slice::from_ref(&subject.package),
            };
            // The user may have stopped the search, but wants its result.
            let built = cargo_test.build(&[], &Interrupt::new())?;
            session.count_build(built.success);
            let more = fixes.with(&built, subject.target.kind);
            let error = built.errors.first().map(|error| error.rendered.clone());
            let (is_done, written) = (more == *fixes, Written { sources, error });
            Ok(if is_done { Ok(written) } else { Err((written, more)) })
        },
        |fixes, (_, more), _| {
            fixes.clone_from(more);
            Ok(true)
        },
    )?;
    Ok(ended.unwrap_or_else(|(written, _)| written))
}

impl BuildFixes {
    /// These and those that what the compiler says asks for.
    fn with(&self, built: &Built, kind: TargetKind) -> BuildFixes {
        let mut more = self.clone();
        let said = built.errors.iter().chain(&built.warnings);
        more.lints.extend(said.filter_map(|said| said.lint()).map(str::to_owned));
        let is_wrong = built.errors.iter().any(|error| error.lint().is_none());
        more.is_for_tests |= is_wrong && kind == TargetKind::Lib;
        more.has_no_unit_tests |= is_wrong && kind != TargetKind::Lib;
        more
    }

    fn applied(&self, subject: &CodeSubject, sources: &Sources) -> Sources {
        let mut applied = sources.clone();
        if !self.lints.is_empty() {
            // What a source says of a lint would win over its manifest.
            let levels = sources.files.iter().map(|file| without_lint_levels(&file.text));
            let levels: Vec<Reduction> = levels.collect();
            applied = applied.edit(levels.iter().enumerate());
        }
        if self.is_for_tests {
            let edit = Reduction::replace(0..0, FOR_TESTS);
            applied = applied.edit([(root(subject, &applied), &edit)]);
        }
        applied
    }

    /// Says so in the manifests of the reduced packages.
    fn amend(&self, subject: &CodeSubject, files: &mut Files) -> Result<()> {
        let own = packages(subject).into_iter().map(|package| package.folder);
        let all: BTreeSet<Utf8PathBuf> = own.chain([Utf8PathBuf::new()]).collect();
        for folder in all {
            let manifest = folder.join("Cargo.toml");
            let has_library = files.contains_key(&folder.join("src/lib.rs"));
            let Some(bytes) = files.get_mut(&manifest) else {
                continue;
            };
            let text = String::from_utf8_lossy(bytes).into_owned();
            if text.contains("[package]") {
                let text = self
                    .amended(text, has_library)
                    .map_err(|error| Failure::unreadable(&manifest, &error))?;
                *bytes = text.into_bytes();
            }
        }
        Ok(())
    }

    fn amended(&self, mut manifest: String, has_library: bool) -> Result<String, TomlError> {
        if !self.lints.is_empty() {
            manifest = allowing(&manifest, &self.lints)?;
        }
        if self.has_no_unit_tests && (has_library || manifest.contains("[lib]")) {
            manifest = without_unit_tests(&manifest)?;
        }
        Ok(manifest)
    }
}

/// Programs need a `main`; only the test harness does without.
fn with_main(subject: &CodeSubject, sources: &Sources) -> Sources {
    let root = root(subject, sources);
    let text = &sources.files[root].text;
    let is_program = matches!(subject.target.kind, TargetKind::Bin | TargetKind::Example);
    if !is_program || functions_of(text, &["main"]).next().is_some() {
        return sources.clone();
    }
    let edit = Reduction::replace(text.len()..text.len(), "\nfn main() {}\n");
    sources.edit([(root, &edit)])
}

/// The root file of the test's crate.
fn root(subject: &CodeSubject, sources: &Sources) -> usize {
    let tested = subject.original.crates.tested();
    let path = tested.and_then(|krate| krate.call.root_file());
    let is_root = |file: &crate::rust::SourceFile| path.is_some_and(|path| *path == *file.path);
    sources.files.iter().position(is_root).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Diagnostic;

    fn said(code: Option<&str>) -> Built {
        let diagnostic = Diagnostic { code: code.map(str::to_owned), ..Diagnostic::default() };
        Built { errors: vec![diagnostic], ..Built::default() }
    }

    #[test]
    fn lints_are_allowed_and_libraries_that_do_not_build_are_for_tests() {
        let none = BuildFixes::default();
        let denied = none.with(&said(Some("arithmetic_overflow")), TargetKind::Lib);
        assert_eq!(denied.lints.len(), 1);
        assert!(!denied.is_for_tests);
        let unknown = none.with(&said(Some("E0433")), TargetKind::Lib);
        assert!(unknown.lints.is_empty() && unknown.is_for_tests);
        let beside = none.with(&said(None), TargetKind::Test);
        assert!(beside.has_no_unit_tests && !beside.is_for_tests);
        let manifest = beside.amended("[package]\nname = \"a\"\n".to_owned(), true).unwrap();
        assert_eq!(manifest, "[package]\nname = \"a\"\n\n[lib]\ntest = false\n");
        assert!(!beside.amended("[package]\n".to_owned(), false).unwrap().contains("lib"));
        let mut coded = said(Some("E0170"));
        coded.errors[0].rendered =
            "error[E0170]: …\n  |\n  = note: `#[deny(bindings_with_variant_name)]` on by default\n\n".to_owned();
        let denied = none.with(&coded, TargetKind::Lib);
        assert_eq!(denied.lints.iter().collect::<Vec<_>>(), ["bindings_with_variant_name"]);
        assert!(!denied.is_for_tests);
    }
}

//! Making the probe build: rewrite, build, take back what the compiler rejects, until it builds.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;

use super::config::Config;
use super::failure::Failure;
use super::find::does_not_build;
use super::session::Session;
use super::subject::Subject;
use crate::exec::Interrupt;
use crate::probe::{RUNTIME, Rewritten, blame, rewrite};
use crate::project::{Built, DiagnosticSpan, ProjectError, Scratch, TestBinary, build_tests};
use crate::reduce::inputs::NodeId;

/// Where the runtime's source is put, at the root of the scratch copy.
const RUNTIME_FILE: &str = "cargo_reduce_runtime.rs";
/// After so many rounds something is wrong with us, not with the places.
const MAX_ROUNDS: usize = 40;

/// A build in which candidates are chosen at run time.
#[derive(Debug)]
pub struct Probe {
    /// The test binary.
    pub binary: TestBinary,
    /// How the sources were rewritten.
    pub rewritten: Rewritten,
}

/// Makes the probe in the scratch copy.
///
/// # Errors
/// When it does not build even with everything taken back.
pub fn build_probe(
    session: &mut Session,
    config: &Config,
    subject: &Subject,
    scratch: &Scratch,
) -> Result<Probe, Failure> {
    let runtime = scratch.root().join(RUNTIME_FILE);
    scratch.write(&runtime, RUNTIME.as_bytes())?;
    let mut taken_back = BTreeSet::new();
    for _ in 0..MAX_ROUNDS {
        let rewritten = rewrite(
            &subject.krate,
            &subject.found,
            &subject.located,
            &taken_back,
            runtime.as_str(),
        );
        write_rewritten(subject, scratch, &rewritten)?;
        let built = build_target(config, subject, scratch, &session.interrupt)?;
        session.count_build(built.success);
        if built.success {
            let binary = built
                .binaries
                .into_iter()
                .find(|binary| binary.choice == subject.target.choice)
                .ok_or_else(|| Failure::error("cargo built the probe, but names no test binary"))?;
            return Ok(Probe { binary, rewritten });
        }
        let more = blamed(subject, scratch, &rewritten, &built);
        if more.is_subset(&taken_back) {
            return Err(does_not_build(&built));
        }
        taken_back.extend(more);
    }
    Err(Failure::error("the probe does not build after many rounds"))
}

/// Takes what only the probe needs out of the scratch copy.
///
/// # Errors
/// When it cannot be removed.
pub fn remove_probe(scratch: &Scratch) -> Result<(), Failure> {
    Ok(scratch.remove(&scratch.root().join(RUNTIME_FILE))?)
}

/// Builds the test's target in the scratch copy.
///
/// # Errors
/// When cargo cannot be run.
pub fn build_target(
    config: &Config,
    subject: &Subject,
    scratch: &Scratch,
    interrupt: &Interrupt,
) -> Result<Built, ProjectError> {
    build_tests(
        &scratch_manifest(subject, scratch),
        Some(&scratch.target_dir()),
        &config.cargo,
        std::slice::from_ref(&subject.target.package),
        std::slice::from_ref(&subject.target.choice),
        interrupt,
    )
}

/// The copy of the manifest of the test's package.
#[must_use]
pub fn scratch_manifest(subject: &Subject, scratch: &Scratch) -> Utf8PathBuf {
    let original = &subject.target.manifest_path;
    scratch
        .path_of(original)
        .unwrap_or_else(|| original.clone())
}

fn write_rewritten(
    subject: &Subject,
    scratch: &Scratch,
    rewritten: &Rewritten,
) -> Result<(), Failure> {
    for (file, edits) in &rewritten.files {
        let path = subject.path(*file);
        let Some(copy) = scratch.path_of(&path) else {
            return Err(Failure::error(format!(
                "the source `{path}` stands outside of the workspace"
            )));
        };
        scratch.write(
            &copy,
            edits.apply(&subject.krate.file(*file).text).as_bytes(),
        )?;
    }
    Ok(())
}

fn blamed(
    subject: &Subject,
    scratch: &Scratch,
    rewritten: &Rewritten,
    built: &Built,
) -> BTreeSet<NodeId> {
    let mut nodes = BTreeSet::new();
    for error in &built.errors {
        let places: Vec<_> = error
            .spans
            .iter()
            .filter_map(|span| {
                let original = scratch.original_of(&scratch.root().join(&span.file))?;
                let file = subject.krate.file_at(original.as_std_path())?;
                Some((file, span_range(span)))
            })
            .collect();
        nodes.extend(blame(&subject.krate, &subject.found, rewritten, &places));
    }
    nodes
}

fn span_range(span: &DiagnosticSpan) -> std::ops::Range<usize> {
    span.start..span.end
}

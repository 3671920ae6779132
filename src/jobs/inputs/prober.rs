//! Making the probe build: rewrite, build, take back what the compiler rejects, until it builds.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use toml_edit::TomlError;

use super::subject::Subject;
use crate::app::config::Config;
use crate::app::failure::{Failure, Result};
use crate::app::find::does_not_build;
use crate::app::session::Session;
use crate::emit::local_paths::{with_lints_as_warnings, with_lints_of};
use crate::exec::Interrupt;
use crate::probe::{RUNTIME, RUNTIME_FILE, Rewritten, blame, rewrite};
use crate::project::{Built, CargoTest, ProjectError, Scratch, TargetChoice, TestBinary};
use crate::reduce::inputs::NodeId;
use crate::reduce::until_it_compiles;

/// After so many rounds something is wrong with us, not with the places.
const MAX_ROUNDS: usize = 40;

/// A build in which candidates are chosen at run time.
#[derive(Debug, Clone)]
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
pub fn build_probe(session: &Session, subject: &Subject, scratch: &Scratch) -> Result<Probe> {
    let mut probes = build_probes(session, &[subject], scratch)?;
    probes.pop().ok_or_else(|| Failure::error("no probe was built"))
}

/// Makes the probes of several tests of one package, each in a target of its own, in one build.
///
/// # Errors
/// When they do not build even with everything taken back.
pub fn build_probes(
    session: &Session,
    subjects: &[&Subject],
    scratch: &Scratch,
) -> Result<Vec<Probe>> {
    let runtime = scratch.root().join(RUNTIME_FILE);
    scratch.write(&runtime, RUNTIME.as_bytes())?;
    for subject in subjects {
        rewrite_manifests(subject, scratch, |copy, _| with_lints_as_warnings(copy))?;
    }
    let (config, interrupt) = (&session.config, &session.interrupt);
    let choices: Vec<TargetChoice> =
        subjects.iter().map(|subject| subject.target.choice.clone()).collect();
    let mut taken_back = vec![BTreeSet::new(); subjects.len()];
    let ended = until_it_compiles(
        &mut taken_back,
        MAX_ROUNDS,
        |taken_back| -> Result<_> {
            let mut all_rewritten = Vec::new();
            for (subject, taken_back) in subjects.iter().zip(taken_back) {
                let rewritten = rewrite(
                    &subject.krate,
                    &subject.found,
                    &subject.located,
                    taken_back,
                    runtime.as_str(),
                );
                write_rewritten(subject, scratch, &rewritten)?;
                all_rewritten.push(rewritten);
            }
            let built = build_targets(config, subjects[0], scratch, &choices, interrupt)?;
            session.count_build(built.success);
            let (is_built, both) = (built.success, (built, all_rewritten));
            Ok(if is_built { Ok(both) } else { Err(both) })
        },
        |taken_back, (built, all_rewritten), _| {
            let mut is_new = false;
            let probes = subjects.iter().zip(all_rewritten).zip(taken_back);
            for ((subject, rewritten), back) in probes {
                let more = blamed(subject, scratch, rewritten, built);
                is_new |= !more.is_subset(back);
                back.extend(more);
            }
            Ok(is_new)
        },
    )?;
    let (built, all_rewritten) = ended.map_err(|(built, _)| does_not_build(&built))?;
    let probes = subjects.iter().zip(all_rewritten);
    probes.map(|(subject, rewritten)| probe_of(&built, subject, rewritten)).collect()
}

fn probe_of(built: &Built, subject: &Subject, rewritten: Rewritten) -> Result<Probe> {
    let binary = built
        .binaries
        .iter()
        .find(|binary| binary.choice == subject.target.choice)
        .cloned()
        .ok_or_else(|| Failure::error("cargo built the probe, but reported no test binary"))?;
    Ok(Probe { binary, rewritten })
}

/// Takes what only the probe needs out of the scratch copy.
///
/// # Errors
/// When it cannot be removed.
pub fn remove_probe(subject: &Subject, scratch: &Scratch) -> Result<()> {
    rewrite_manifests(subject, scratch, with_lints_of)?;
    Ok(scratch.remove(&scratch.root().join(RUNTIME_FILE))?)
}

/// Rewrites what the copies of the manifests of the test's package and of its workspace say; `rewritten` gets each with its
/// original.
fn rewrite_manifests(
    subject: &Subject,
    scratch: &Scratch,
    rewritten: impl Fn(&str, &str) -> Result<String, TomlError>,
) -> Result<()> {
    let copies = [scratch_manifest(subject, scratch), scratch.root().join("Cargo.toml")];
    for copy in BTreeSet::from(copies) {
        let Some(original) = scratch.original_of(&copy) else { continue };
        let read = |path: &Utf8PathBuf| std::fs::read_to_string(path).ok();
        // The root need not be that of a workspace.
        let Some((text, original)) = read(&copy).zip(read(&original)) else { continue };
        let new = rewritten(&text, &original).map_err(|it| Failure::unreadable(&copy, &it))?;
        if new != text {
            scratch.write(&copy, new.as_bytes())?;
        }
    }
    Ok(())
}

/// Builds targets of the test's package in the copy.
///
/// # Errors
/// When cargo cannot be run.
pub fn build_targets(
    config: &Config,
    subject: &Subject,
    scratch: &Scratch,
    targets: &[TargetChoice],
    interrupt: &Interrupt,
) -> Result<Built, ProjectError> {
    let target_dir = scratch.target_dir();
    let cargo_test = CargoTest {
        manifest: &scratch_manifest(subject, scratch),
        target_dir: Some(&target_dir),
        options: &config.confined_cargo(scratch.root(), &target_dir),
        packages: std::slice::from_ref(&subject.target.package),
    };
    cargo_test.build(targets, interrupt)
}

/// The copy of the manifest of the test's package.
pub fn scratch_manifest(subject: &Subject, scratch: &Scratch) -> Utf8PathBuf {
    let original = &subject.target.manifest_path;
    scratch.path_of(original).unwrap_or_else(|| original.clone())
}

fn write_rewritten(subject: &Subject, scratch: &Scratch, rewritten: &Rewritten) -> Result<()> {
    for (file, edits) in &rewritten.files {
        let path = subject.path(*file);
        let Some(copy) = scratch.path_of(&path) else {
            return Err(Failure::error(format!("the source `{path}` is outside the workspace")));
        };
        scratch.write(&copy, edits.apply(&subject.krate.file(*file).text).as_bytes())?;
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
                Some((file, span.range()))
            })
            .collect();
        nodes.extend(blame(&subject.krate, &subject.found, rewritten, &places));
    }
    nodes
}

//! The result: a package of its own that the plain `cargo test` fails on.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::code_job::CodeJob;
use super::flat_layout::{flat_layout, flat_path};
use super::layout::{Extras, kept_layout};
use super::make_buildable::write_package;
use super::reduced_code::ReducedCode;
use crate::app::config::Config;
use crate::app::debugger::LeftTest;
use crate::app::failure::Result;
use crate::app::plain_test::PlainTest;
use crate::app::proof::{Proof, not_confirmed};
use crate::app::session::Session;
use crate::disk::NEW_RESULT;
use crate::exec::Interrupt;
use crate::jobs::inputs::other_version::unlocked;
use crate::jobs::inputs::start::Original;
use crate::oracle::code::CodeMatcher;
use crate::oracle::libtest::Callers;
use crate::oracle::signature::{FailureKind, Signature};
use crate::project::CargoTest;
use crate::report::Status;
use crate::rust::{self, Sources};

/// Writes the package and sees it fail; laid out by prettyplease, without the commas that it adds, and
/// with only the dependencies that are named, if it fails like that, and what `see_others_pass` looks at passes.
///
/// # Errors
/// When nothing can be written, or the plain test does not fail in the same way, or others do not pass.
pub fn keep(
    session: &Session,
    code_job: &CodeJob<'_>,
    found: &ReducedCode,
    see_others_pass: &dyn Fn(&Kept) -> Result<()>,
) -> Result<Kept> {
    let CodeJob { subject, results, .. } = code_job;
    let session = &session.with(unlocked(code_job.config));
    let mut refused = None;
    let pretty = found.best.rewrite(|_, text| rust::laid_out(text));
    let mut instead = String::new();
    for (sources, extras) in [
        (&pretty, Extras::Named),
        (&pretty, Extras::Files),
        (&pretty, Extras::All),
        (&found.best, Extras::All),
    ] {
        // What another attempt has left could even be built.
        let out = &results.new_result()?;
        let is_flat = found.compile_plan.shape.is_flat();
        let sources = if is_flat { &sources.renamed(&flat_path(subject)) } else { sources };
        let test = found.compile_plan.name.in_sources(sources).into_owned();
        let proof = PackageProof::new(&session.config, code_job, test, out);
        let written = write_package(session, subject, out, sources, |sources| {
            if is_flat {
                flat_layout(subject, &found.compile_plan.shape, sources, extras)
            } else {
                kept_layout(subject, sources, extras)
            }
        })?;
        match proof.show(session, &written.sources)? {
            Ok(shown) => {
                let kept = Kept {
                    signature: shown,
                    folder: out.clone(),
                    left: proof.left(results.path()),
                    sources: written.sources,
                };
                match see_others_pass(&kept) {
                    Ok(()) => return Ok(kept),
                    // They may read a file that is not there.
                    Err(why) if why.status == Status::NotReproduced => refused = Some(why),
                    Err(why) => return Err(why),
                }
            }
            Err(shown) => {
                let error = written.error.map(|error| format!("it does not build\n{error}"));
                instead = error.unwrap_or(shown);
            }
        }
    }
    if let Some(why) = refused {
        return Err(why);
    }
    let folder = results.own(NEW_RESULT);
    Err(not_confirmed(&instead).hint(format!("the package is in `{folder}`")))
}

/// The result as the plain `cargo test` has confirmed it.
pub struct Kept {
    /// The failure.
    pub signature: Signature,
    /// Where it is put together.
    pub folder: Utf8PathBuf,
    /// The test, once it is in its place.
    pub left: LeftTest,
    /// The sources as they were written.
    pub sources: Sources,
}

/// How long it takes to see the `original` failure besides all that is built: what hangs does not end by
/// itself.
pub fn watched_alone(config: &Config, original: &Original) -> Duration {
    match original.signature.kind {
        FailureKind::Timeout => original.proof(config).limit,
        _ => Duration::ZERO,
    }
}

/// What the plain test of the result must show.
pub struct PackageProof<'a> {
    config: &'a Config,
    left: LeftTest,
    matcher: CodeMatcher,
    target_dir: Utf8PathBuf,
    proof: Proof,
}

impl<'a> PackageProof<'a> {
    /// The `original` failure, shown by the test of the package in `out`.
    pub fn new(config: &'a Config, code_job: &CodeJob<'a>, test: String, out: &Utf8Path) -> Self {
        let CodeJob { subject, original, .. } = code_job;
        let left = LeftTest {
            root: out.to_owned(),
            manifest: out.join("Cargo.toml"),
            package: subject.package.clone(),
            choice: subject.target.clone(),
            runner: subject.runner,
            test,
        };
        PackageProof {
            config,
            left,
            matcher: code_job.matcher.clone(),
            // What it depends on is built there already.
            target_dir: subject.scratch.target_dir(),
            proof: original.proof(config),
        }
    }

    fn test(&self) -> PlainTest<'_> {
        PlainTest { target_dir: Some(&self.target_dir), ..self.left.plain(self.config) }
    }

    /// Builds what is out of date, so that to build it is not taken for a hang.
    fn build(&self) -> Result<()> {
        let LeftTest { root, manifest, package, choice, .. } = &self.left;
        let cargo_test = CargoTest {
            manifest,
            target_dir: Some(&self.target_dir),
            options: &self.config.confined_cargo(root, &self.target_dir),
            packages: std::slice::from_ref(package),
        };
        cargo_test.build(std::slice::from_ref(choice), &Interrupt::new())?;
        Ok(())
    }

    /// The test of the package when it is at that place.
    pub fn left(&self, folder: &Utf8Path) -> LeftTest {
        let manifest = folder.join("Cargo.toml");
        LeftTest { root: folder.to_owned(), manifest, ..self.left.clone() }
    }

    /// The failure, if `sources` show it, or what they show instead.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn show(&self, session: &Session, sources: &Sources) -> Result<Result<Signature, String>> {
        if self.matcher.expected().kind == FailureKind::Timeout {
            self.build()?;
        }
        let judge = |shown: Signature| {
            let is_same = self.is_same(&shown, sources)?;
            let instead = format!("it fails with {shown}");
            Ok(is_same.then_some(shown).ok_or(instead))
        };
        let shown = self.proof.show(&self.test(), judge)?;
        session.count_build(!shown.as_ref().is_err_and(|instead| instead.not_run));
        Ok(shown.map_err(|instead| instead.said))
    }

    /// Whether it is the failure. Where the user's profile leaves line tables out, no call can be told from
    /// another one; candidates were compiled with them.
    fn is_same(&self, shown: &Signature, sources: &Sources) -> Result<bool> {
        let mut shown = shown.clone();
        if self.matcher.needs_call(&shown)
            && let Ok(root) = self.left.root.canonicalize_utf8()
            && let Some(call) =
                self.test().call_to(&shown, Callers::Below(&root), self.proof.limit)?
        {
            shown.location = Some(call);
        }
        Ok(self.matcher.is_same(&shown, sources))
    }
}
